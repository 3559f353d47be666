# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads Endlab's tables (.egt) by what the manual page endlab-table(5) says, in its words, with nothing but the
standard library and libzstd. A fact that it needs and the page does not have is missing from the page.

    read_egt.py count FILE             decodes every block, prints how often each value is stored
    read_egt.py list FILE              prints the value of each index
    read_egt.py probe FILE POSITION... prints where each position is and what is stored there
"""
import operator
import struct
import sys
import zlib
from collections import Counter

from egt_codecs import Pairs, Raw, Rle, RleZstd, Xz, Zstd, decompress
from egt_games import GAMES
from egt_net import Net
from egt_numbers import Damaged, crc64, expect
from egt_rans import Rans

CODECS = {"raw": Raw, "rle": Rle, "zstd": Zstd, "xz": Xz, "rle-zstd": RleZstd, "pairs": Pairs, "net": Net}
CODECS["rans"] = Rans

OUTCOMES = (
    *("loss", "blessed-loss", "draw", "cursed-win", "win"),
    *("unknown", "broken", "at-most-draw", "at-least-draw"),
)


class Plane:
    """One side to move. `values`: outcome, plies and phase, by symbol; empty where it is left out."""

    def __init__(self, game, number, order, block_positions):
        self.game, self.number, self.order, self.block_positions = game, number, order, block_positions
        self.values, self.blocks = [], []
        self.positions, self.weights = game.positions, [0] * len(game.digits)
        if order:
            expect("digits of an order", list(range(len(game.digits))), sorted(order))
            self.positions = 1
            for d in reversed(order):
                self.weights[d] = self.positions
                self.positions *= len(game.digits[d][1])

    def number_of(self, index, digits=None):
        if not self.order:
            return index
        return sum(map(operator.mul, digits or self.game.take_apart(index), self.weights))

    def board(self):
        """The axes that the codec net looks at: the squares and the weight of each digit."""
        if not self.order or not hasattr(self.game, "step"):
            return None
        axes = [(self.game.digits[d][1], self.weights[d]) for d in self.order]
        return None if any(len(sets) > 1 << 20 for sets, _ in axes) else axes


class Table:
    magic = b"\x89EGT\r\n\x1a\n"

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.read_header()
        self.read_values()
        self.read_directory()

    def read_header(self):
        data = self.data
        expect("magic", self.magic, data[:8])
        if len(data) < 200 or not 208 <= int.from_bytes(data[12:16], "little") <= len(data):
            raise Damaged("no whole header")
        fields = struct.unpack_from("<IIQQQII16sBBBBI8s8s16s16s16s40sIIIIQ", data, 8)
        (version, self.header_size, size, positions, self.directory, self.block_positions) = fields[:6]
        (index_version, options, self.fill, derive, planes, self.size_bytes, self.passes) = fields[6:13]
        names = [name.split(b"\0")[0].decode() for name in fields[15:19]]
        self.learned_sizes, self.value_counts = fields[19:21], fields[21:23]
        self.directory_checksum = fields[23]
        expect("version", 4 if derive & 8 else 3, version)
        stored = struct.unpack_from("<Q", data, self.header_size - 8)[0]
        expect("checksum of the header", stored, crc64(data[: self.header_size - 8]))
        expect("version of the index", 1, index_version)
        self.game_name, self.metric, self.codec, self.slice = names
        self.game = self.find_game(size)
        expect("positions", self.game.positions, positions)
        expect("planes", self.game.planes, planes)
        self.derives_captures = bool(derive & 1)
        self.derives_outcomes = bool(derive & 8)
        self.left_out = (derive >> 2 & 1) if derive & 2 else None
        if self.codec == "xz":
            places = [4 * (i % 4) + 2 * (i // 4) for i in range(8)]
            self.options = [struct.unpack_from("<h", options, at)[0] for at in places]
        else:
            self.options = struct.unpack("<4i", options)
        orders = [[byte - 1 for byte in order if byte] for order in fields[13:15]]
        self.planes = [Plane(self.game, p, orders[p], self.block_positions) for p in range(planes)]

    def find_game(self, size):
        expect("size of the file", len(self.data), size)
        return GAMES[self.game_name](self.slice)

    def read_values(self):
        at, size = 200, 5 if self.metric == "dtr" else 3
        limit = self.metric.removeprefix("dtm")
        self.limit = 2 * int(limit) if limit.isdigit() else 0
        for plane, count in zip(self.planes, self.value_counts):
            for _ in range(count):
                outcome, plies = struct.unpack_from("<BH", self.data, at)
                phase = struct.unpack_from("<H", self.data, at + 3)[0] if size == 5 else 0
                plane.values.append((OUTCOMES[outcome], plies, phase))
                at += size
        if self.limit:
            self.courses_checksum = struct.unpack_from("<Q", self.data, at)[0]
            at += 8
        expect("size of the header", self.header_size, at + 8)

    def read_directory(self):
        directory = self.data[self.directory :]
        if self.limit:
            length = self.size_bytes + 4
            indexes = [plane.positions for plane in self.planes if plane.number != self.left_out]
            blocks = sum(-(-count // self.block_positions) for count in indexes)
            self.courses = self.directory + sum(self.learned_sizes) + blocks * length
            directory = self.data[self.directory : self.courses]
        expect("checksum of the directory", self.directory_checksum, crc64(directory))
        at, offset = sum(self.learned_sizes), self.header_size
        learned = directory[: self.learned_sizes[0]], directory[self.learned_sizes[0] : at]
        for plane in self.planes:
            if plane.number == self.left_out:
                plane.positions = 0
                continue
            for first in range(0, plane.positions, self.block_positions):
                size = int.from_bytes(directory[at : at + self.size_bytes], "little")
                checksum = struct.unpack_from("<I", directory, at + self.size_bytes)[0]
                plane.blocks.append((offset, size, checksum))
                offset += size
                at += self.size_bytes + 4
            plane.codec = CODECS[self.codec](plane, self.options, learned[plane.number])
        expect("end of the blocks", self.directory, offset)
        expect("end of the directory", len(directory), at)

    def block(self, plane, number):
        """The symbols of a block."""
        offset, size, checksum = plane.blocks[number]
        data = self.data[offset : offset + size]
        expect(f"checksum of block {number}", checksum, zlib.crc32(data))
        first = number * self.block_positions
        count = min(self.block_positions, plane.positions - first)
        return plane.codec.block(data, count, first)

    def symbols(self, plane):
        """Those of all numbers of a plane."""
        symbols = []
        for number in range(len(plane.blocks)):
            symbols += self.block(plane, number)
        return symbols

    def course(self, side, index, plies):
        """The steps of a position: pairs of a clock and plies. `plies`: those of its value."""
        (block_positions,) = struct.unpack_from("<I", self.data, self.courses)
        sizes = self.data[self.courses + 4 : self.courses + 8]
        each = -(-self.game.positions // block_positions)
        start = 8 + 8 * each * len(self.planes)
        head = self.data[self.courses : self.courses + start]
        expect("checksum of the courses", self.courses_checksum, crc64(head))
        block, offset = side * each + index // block_positions, self.courses + start
        for number in range(block + 1):
            size, checksum = struct.unpack_from("<II", head, 8 + 8 * number)
            data = self.data[offset : offset + size]
            offset += size
        expect("checksum of a block of courses", checksum, zlib.crc32(data))
        raw, lists = decompress(data), []
        count = min(block_positions, self.game.positions - index // block_positions * block_positions)
        for number, size in enumerate(sizes):
            if number == 1:
                count = sum(steps > 0 for steps in lists[0])
            elif number == 2:
                count = sum(max(steps - 1, 0) for steps in lists[0])
            lists.append([int.from_bytes(raw[size * i : size * i + size], "little") for i in range(count)])
            raw = raw[size * count :]
        expect("bytes after a block of courses", b"", raw)
        before = lists[0][: index % block_positions]
        first, more = sum(steps > 0 for steps in before), sum(max(steps - 1, 0) for steps in before)
        steps = lists[0][index % block_positions]
        course = [(max(self.limit - plies, 0) + lists[1][first], plies)] if steps else []
        for i in range(more, more + steps - 1):
            course.append((course[-1][0] + lists[2][i], course[-1][1] + 2 * lists[3][i]))
        return course

    def probe(self, text):
        """Plane, index, number and what is stored; no value where the plane is left out."""
        place = self.game.place(self.game.parse(text))
        if not place:
            raise ValueError(f"{text}: not in {self.slice}")
        side, index, digits = place
        plane = self.planes[side]
        if side == self.left_out:
            return side, index, None, None
        number = plane.number_of(index, digits)
        symbols = self.block(plane, number // self.block_positions)
        return side, index, number, plane.values[symbols[number % self.block_positions]]


def words(value):
    outcome, plies, phase = value
    return outcome + (f" {plies}" if plies else "") + (f" {phase}" if phase else "")


def count(path):
    table = Table(path)
    print(f"{table.slice} {table.metric} {table.codec} {len(table.data)} bytes")
    if table.derives_captures:
        print("  captures are derived: with a capture, a value may be worse than the position's")
    if table.derives_outcomes:
        print("  outcomes are derived: a value has the plies of a position that is won or lost")
    for plane in table.planes:
        if plane.number == table.left_out:
            print(f"  plane {plane.number}: derived")
            continue
        counts = Counter(table.symbols(plane))
        print(f"  plane {plane.number}: {len(plane.blocks)} blocks, {plane.positions} positions")
        for symbol, value in enumerate(plane.values):
            print(f"    {words(value)}: {counts[symbol]}")


def list_all(path):
    table = Table(path)
    for plane in table.planes:
        symbols = table.symbols(plane)
        for index in range(table.game.positions if symbols else 0):
            print(plane.number, index, words(plane.values[symbols[plane.number_of(index)]]))


def probe(path, *positions):
    table = Table(path)
    for text in positions:
        side, index, number, value = table.probe(text)
        steps = table.course(side, index, value[1]) if table.limit else []
        clocks = "".join(f", {plies} to clock {until}" for until, plies in steps)
        print(f"plane {side}, index {index}, number {number}: {words(value) if value else 'derived'}{clocks}")


if __name__ == "__main__":
    COMMANDS = {"count": count, "list": list_all, "probe": probe}
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    try:
        COMMANDS[sys.argv[1]](*sys.argv[2:])
    except (Damaged, ValueError, OSError) as why:
        sys.exit(f"read_egt.py: {sys.argv[2]}: {why}")
