# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads Endlab's tables (.egt). Written from the manual page endlab-table(5) alone, whose words it uses, and
with nothing but the standard library and libzstd: where it cannot do without another fact, the page lacks it.

    read_egt.py count FILE             decodes every block, prints how often each value is stored
    read_egt.py list FILE              prints the value of each index
    read_egt.py probe FILE POSITION... prints where each position is and what is stored there
"""
import array
import ctypes
import lzma
import operator
import struct
import sys
import zlib
from collections import Counter
from math import comb

# ---- checksums ----


def crc64_steps():
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0xC96C5795D7870F42 if n & 1 else 0)
        yield n


CRC64 = list(crc64_steps())


def crc64(data):
    crc = 0xFFFFFFFFFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC64[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFFFFFFFFFF


class Damaged(Exception):
    pass


def expect(what, expected, found):
    if expected != found:
        raise Damaged(f"{what}: expected {expected}, found {found}")


# ---- sets of squares ----


def rank_of(squares):
    return sum(comb(s, k) for k, s in enumerate(sorted(squares), 1))


def set_of(rank, count):
    squares = []
    for k in range(count, 0, -1):
        s = k - 1
        while comb(s + 1, k) <= rank:
            s += 1
        rank -= comb(s, k)
        squares.insert(0, s)
    return squares


def numbered(squares, among):
    """The squares' numbers among some of the board."""
    return [sum(other < s for other in among) for s in squares]


# ---- games: a slice, its digits, its positions ----
#
# A position is a dictionary: "side", 0 or 1, and "board", the piece on each square, small letters Black's.


class Chess:
    kinds = "QRBNP"
    step = (-1, -8, -9)

    def __init__(self, name):
        self.sides = name.split("v")
        self.pawns = "P" in name
        self.planes = 1 if self.sides[0] == self.sides[1] else 2
        self.kings = self.king_pairs()
        self.classes = {pair: n for n, pair in enumerate(self.kings)}
        self.squares = sorted({white for white, _ in self.kings})
        self.groups = [  # side, kind, how many, first square, squares
            (side, kind, self.sides[side].count(kind), *((8, 48) if kind == "P" else (0, 64)))
            for side in (0, 1)
            for kind in self.kinds
            if kind in self.sides[side]
        ]
        self.positions = len(self.kings)
        for _, _, count, _, n in self.groups:
            self.positions *= comb(n, count)
        self.list_digits()

    def king_pairs(self):
        pairs = []
        for white in range(64):
            rank, file = divmod(white, 8)
            if file > 3 or (not self.pawns and (rank > 3 or rank > file)):
                continue
            for black in range(64):
                r, f = divmod(black, 8)
                apart = max(abs(r - rank), abs(f - file)) > 1
                if apart and (self.pawns or rank != file or r <= f):
                    pairs.append((white, black))
        return pairs

    def list_digits(self):
        """Of each digit: the letters of its pieces, and the squares that each of its values gives them."""
        self.digits = [("K", [[s] for s in self.squares])]
        for side in (0, 1):
            if side:
                self.digits.append(("k", [[s] for s in range(64)]))
            for group_side, kind, count, first, n in self.groups:
                if group_side == side:
                    letters = (kind if side == 0 else kind.lower()) * count
                    sets = [[s + first for s in set_of(r, count)] for r in range(comb(n, count))]
                    self.digits.append((letters, sets))
        self.second_king = 1 + sum(side == 0 for side, *_ in self.groups)

    @staticmethod
    def parse(text):
        board = {}
        rows, side = text.split()[:2]
        for rank, row in zip(range(7, -1, -1), rows.split("/")):
            file = 0
            for c in row:
                if c.isdigit():
                    file += int(c)
                else:
                    board[8 * rank + file] = c
                    file += 1
        return {"side": "wb".index(side), "board": board}

    @classmethod
    def strength(cls, letters):
        return [len(letters)] + [letters.count(kind) for kind in cls.kinds]

    def place(self, position):
        """Plane, index, digits; None where it is in another slice."""
        board, side = position["board"], position["side"]
        white = [c for c in board.values() if c.isupper()]
        black = [c.upper() for c in board.values() if c.islower()]
        w, b = self.strength(white), self.strength(black)
        if b > w or (b == w and side == 1):
            board = {s ^ 56: c.swapcase() for s, c in board.items()}
            white, black, side = black, white, 1 - side
        if [self.strength(x) for x in (white, black)] != [self.strength(x) for x in self.sides]:
            return None
        king = {c: s for s, c in board.items() if c in "Kk"}
        change, turn = (7 if king["K"] & 4 else 0), False
        if not self.pawns:
            change |= 56 if king["K"] & 32 else 0
            above = [king[c] ^ change for c in "Kk"]
            above = [s // 8 - s % 8 for s in above]
            turn = above[0] > 0 or (above[0] == 0 and above[1] > 0)
        board = {transpose(s ^ change) if turn else s ^ change: c for s, c in board.items()}
        pair = tuple(next(s for s, c in board.items() if c == k) for k in "Kk")
        if pair not in self.classes:
            return None
        found = self.number(board, pair)
        if not self.pawns and all(s // 8 == s % 8 for s in pair):
            found = min(found, self.number({transpose(s): c for s, c in board.items()}, pair))
        index, ranks = found
        digits = [self.squares.index(pair[0]), *ranks]
        digits.insert(self.second_king, pair[1])
        return side, index, digits

    def number(self, board, pair):
        index, ranks = self.classes[pair], []
        for side, kind, count, first, n in self.groups:
            letter = kind if side == 0 else kind.lower()
            ranks.append(rank_of(s - first for s, c in board.items() if c == letter))
            index = index * comb(n, count) + ranks[-1]
        return index, ranks

    def take_apart(self, index):
        ranks = []
        for _, _, count, _, n in reversed(self.groups):
            index, rank = divmod(index, comb(n, count))
            ranks.insert(0, rank)
        white, black = self.kings[index]
        digits = [self.squares.index(white), *ranks]
        digits.insert(self.second_king, black)
        return digits

    # Marks. `there`: the pieces as (letter, square), in the order of the digits.

    @staticmethod
    def sees(there, f, t, occupied):
        (letter, a), (_, b) = there[f], there[t]
        return REACH[letter][a] >> b & 1 and not BETWEEN[a][b] & occupied

    def marks(self, there):
        occupied = 0
        for _, s in there:
            occupied |= 1 << s
        n = len(there)
        return [self.sees(there, f, t, occupied) for f in range(n) for t in range(n) if t != f]

    def count_marks(self, n):
        return n * (n - 1)

    def impossible(self, there, plane):
        occupied = 0
        for _, s in there:
            occupied |= 1 << s
        if bin(occupied).count("1") < len(there):
            return True
        kings = [next(i for i, (c, _) in enumerate(there) if c == k) for k in "Kk"]
        if REACH["K"][there[kings[0]][1]] >> there[kings[1]][1] & 1:
            return True
        exposed = kings[1 - plane]
        return any(
            c.islower() == bool(plane) and self.sees(there, f, exposed, occupied)
            for f, (c, _) in enumerate(there)
        )

    def may_capture(self, there, plane):
        """Does a piece of the side to move attack one of the other? Without that there is no capture."""
        marks = iter(self.marks(there))
        return any(
            next(marks) and c.islower() == bool(plane) != d.islower()
            for f, (c, _) in enumerate(there)
            for t, (d, _) in enumerate(there)
            if t != f
        )


def transpose(square):
    return square % 8 * 8 + square // 8


def reach_of(letter, square):
    """The squares that a piece attacks on an empty board."""
    rank, file = divmod(square, 8)
    straight, slanted = [(1, 0), (-1, 0), (0, 1), (0, -1)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    leaps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
    ways = {"K": straight + slanted, "Q": straight + slanted, "R": straight, "B": slanted, "N": leaps}
    ways.update(P=[(1, 1), (1, -1)], p=[(-1, 1), (-1, -1)])
    steps = 7 if letter.upper() in "QRB" else 1
    mask = 0
    for r, f in ways.get(letter, ways[letter.upper()]):
        for k in range(1, steps + 1):
            if 0 <= rank + k * r < 8 and 0 <= file + k * f < 8:
                mask |= 1 << 8 * (rank + k * r) + file + k * f
    return mask


def between(a, b):
    (ra, fa), (rb, fb) = divmod(a, 8), divmod(b, 8)
    far = max(abs(ra - rb), abs(fa - fb))
    if far < 2 or not (ra == rb or fa == fb or abs(ra - rb) == abs(fa - fb)):
        return 0
    step = (b - a) // far
    return sum(1 << s for s in range(a + step, b, step))


REACH = {c: [reach_of(c, s) for s in range(64)] for c in "KQRBNPkqrbnp"}
BETWEEN = [[between(a, b) for b in range(64)] for a in range(64)]


class Checkers:
    step = (-7, -9, -16)

    def __init__(self, name):
        sides = name.split(":")[1].split("v")
        self.men = [side.count("M") for side in sides]
        self.crowned = [side.count("K") for side in sides]
        self.planes = 1 if sides[0] == sides[1] else 2
        (w, b), (K, L) = self.men, self.crowned
        self.bases = [0]  # by k, and that of all placements of the men
        for j in range(min(w, 4) + 1):
            self.bases.append(self.bases[-1] + comb(4, j) * comb(24, w - j) * comb(28 - w + j, b))
        self.positions = self.bases[-1] * comb(32 - w - b, K) * comb(32 - w - b - K, L)
        self.digits = []
        for letter, count, n, first in (("K", K, 32, 0), ("M", w, 28, 0), ("k", L, 32, 0), ("m", b, 28, 4)):
            if count:
                sets = [[self.drawn(s + first) for s in set_of(r, count)] for r in range(comb(n, count))]
                self.digits.append((letter * count, sets))

    @staticmethod
    def drawn(s):
        """As a square of 0 to 63."""
        return 8 * (s // 4) + 2 * (s % 4) + (s // 4 + 1) % 2

    @staticmethod
    def parse(text):
        side, *lists = text.split(":")
        board = {}
        for pieces in lists:
            for piece in filter(None, pieces[1:].split(",")):
                letter = "K" if piece[0] == "K" else "M"
                board[int(piece.lstrip("K"))] = letter if pieces[0] == "W" else letter.lower()
        return {"side": "WB".index(side), "board": board}

    def place(self, position):
        board, side = position["board"], position["side"]
        pieces = "".join(board.values())
        strength = [(sum(map(pieces.count, letters)), pieces.count(letters[0])) for letters in ("KM", "km")]
        swapped = strength[1] > strength[0] or (strength[1] == strength[0] and side == 1)
        if swapped:
            board, side = {m - 1: c.swapcase() for m, c in board.items()}, 1 - side
        else:
            board = {32 - m: c for m, c in board.items()}
        groups = {letter: sorted(s for s, c in board.items() if c == letter) for letter in "KMkm"}
        counts = [len(groups[letter]) for letter in "MmKk"]
        if counts != [*self.men, *self.crowned]:
            return None
        digits = [rank_of(s - (4 if c == "m" else 0) for s in groups[c]) for c in "KMkm" if groups[c]]
        return side, self.index(groups), digits

    def index(self, groups):
        (w, b), (K, L) = self.men, self.crowned
        low = [s for s in groups["M"] if s < 4]
        k = len(low)
        index = rank_of(low)
        index = index * comb(24, w - k) + rank_of(s - 4 for s in groups["M"] if s >= 4)
        free = [s for s in range(4, 32) if s not in groups["M"]]
        index = index * comb(28 - w + k, b) + rank_of(numbered(groups["m"], free))
        index += self.bases[k]
        free = [s for s in range(32) if s not in groups["M"] and s not in groups["m"]]
        index = index * comb(32 - w - b, K) + rank_of(numbered(groups["K"], free))
        free = [s for s in free if s not in groups["K"]]
        return index * comb(32 - w - b - K, L) + rank_of(numbered(groups["k"], free))

    def take_apart(self, index):
        (w, b), (K, L) = self.men, self.crowned
        index, black_kings = divmod(index, comb(32 - w - b - K, L))
        index, white_kings = divmod(index, comb(32 - w - b, K))
        k = max(k for k, base in enumerate(self.bases[:-1]) if base <= index)
        index, black_men = divmod(index - self.bases[k], comb(28 - w + k, b))
        low, high = divmod(index, comb(24, w - k))
        men = set_of(low, k) + [s + 4 for s in set_of(high, w - k)]
        free = [s for s in range(4, 32) if s not in men]
        others = [free[s] for s in set_of(black_men, b)]
        free = [s for s in range(32) if s not in men and s not in others]
        kings = [free[s] for s in set_of(white_kings, K)]
        free = [s for s in free if s not in kings]
        last = [free[s] for s in set_of(black_kings, L)]
        return [
            rank_of(group)
            for group in (kings, men, last, [s - 4 for s in others])
            if group
        ]

    @staticmethod
    def jumps(there, f, t, occupied):
        (letter, a), (_, b) = there[f], there[t]
        for up in (1, -1):
            if letter in ("M" if up < 0 else "m"):
                continue
            for right in (1, -1):
                land = b + 8 * up + right
                file = a % 8 + 2 * right
                if b == a + 8 * up + right and 0 <= file < 8 and 0 <= land < 64 and not occupied >> land & 1:
                    return True
        return False

    def marks(self, there):
        occupied = 0
        for _, s in there:
            occupied |= 1 << s
        return [
            self.jumps(there, f, t, occupied)
            for f, (c, _) in enumerate(there)
            for t, (d, _) in enumerate(there)
            if c.islower() != d.islower()
        ]

    def count_marks(self, n):
        white = self.men[0] + self.crowned[0]
        return 2 * white * (n - white)

    def impossible(self, there, plane):
        return len({s for _, s in there}) < len(there)

    def may_capture(self, there, plane):
        marks = iter(self.marks(there))
        return any(
            [
                next(marks) and c.islower() == bool(plane)
                for c, _ in there
                for d, _ in there
                if c.islower() != d.islower()
            ]
        )


class Morris:
    def __init__(self, name):
        self.men = [int(n) for n in name.split(":")[1].split("v")]
        self.planes = 1 if self.men[0] == self.men[1] else 2
        self.symmetries = list(self.list_symmetries())
        self.found = {}
        self.classes = self.list_classes(self.men[0])
        self.numbers = {men: n for n, men in enumerate(self.classes)}
        w, b = self.men
        self.positions = len(self.classes) * comb(24 - w, b)
        self.digits = [("M", range(len(self.classes))), ("m", range(comb(24, b)))]

    @staticmethod
    def points():
        """The file and rank of each point, from 0 to 6."""
        for ring in range(3):
            low, middle, high = ring, 3, 6 - ring
            yield from [(low, high), (middle, high), (high, high), (high, middle)]
            yield from [(high, low), (middle, low), (low, low), (low, middle)]

    def list_symmetries(self):
        """Each as the point that every point goes to."""
        at = list(self.points())
        point = {place: p for p, place in enumerate(at)}
        for swap in (False, True):
            start = [(p + (16, 0, -16)[p // 8]) if swap else p for p in range(24)]
            for turn in (False, True):
                for flip in (0, 6):
                    for mirror in (0, 6):
                        moved = [(abs(mirror - at[p][0]), abs(flip - at[p][1])) for p in start]
                        yield [point[f[::-1] if turn else f] for f in moved]

    @staticmethod
    def image(symmetry, points):
        return sum(1 << symmetry[p] for p in points)

    def list_classes(self, men):
        seen, classes = set(), []
        for rank in range(comb(24, men)):
            points = set_of(rank, men)
            if self.image(range(24), points) in seen:
                continue
            images = {self.image(s, points) for s in self.symmetries}
            seen |= images
            classes.append(min(images))
        return classes

    @staticmethod
    def parse(text):
        side, *lists = text.split(":")
        board = {}
        for men in lists:
            for name in filter(None, men[1:].split(",")):
                place = ("abcdefg".index(name[0]), int(name[1]) - 1)
                board[list(Morris.points()).index(place)] = "M" if men[0] == "W" else "m"
        return {"side": "WB".index(side), "board": board}

    def place(self, position):
        board, side = position["board"], position["side"]
        sets = [[p for p, c in board.items() if c == letter] for letter in "Mm"]
        if len(sets[1]) > len(sets[0]) or (len(sets[1]) == len(sets[0]) and side == 1):
            sets, side = sets[::-1], 1 - side
        if [len(s) for s in sets] != self.men:
            return None
        white, black = min((self.image(s, sets[0]), self.image(s, sets[1])) for s in self.symmetries)
        number = self.numbers[white]
        points = [p for p in range(24) if black >> p & 1]
        free = [p for p in range(24) if not white >> p & 1]
        w, b = self.men
        index = number * comb(24 - w, b) + rank_of(numbered(points, free))
        return side, index, [number, rank_of(points)]

    def take_apart(self, index):
        w, b = self.men
        number, rank = divmod(index, comb(24 - w, b))
        free = [p for p in range(24) if not self.classes[number] >> p & 1]
        return [number, rank_of(free[p] for p in set_of(rank, b))]


class Awari:
    planes = 1
    digits = []

    def __init__(self, name):
        self.stones = int(name.split(":")[1])
        self.positions = self.first(self.stones + 1)

    def first(self, own):
        return sum(comb(j + 5, 5) * comb(self.stones - j + 5, 5) for j in range(own))

    @staticmethod
    def parse(text):
        *stones, side = text.split("-")
        return {"side": "SN".index(side), "board": dict(enumerate(map(int, stones[:12])))}

    def place(self, position):
        pits = [position["board"][p] for p in range(12)]
        if position["side"]:
            pits = pits[6:] + pits[:6]
        if sum(pits) != self.stones:
            return None
        own = sum(pits[:6])
        ranks = [rank_of(sum(row[: i + 1]) + i for i in range(5)) for row in (pits[:6], pits[6:])]
        index = self.first(own) + ranks[0] * comb(self.stones - own + 5, 5) + ranks[1]
        return 0, index, []


GAMES = {"chess": Chess, "checkers": Checkers, "morris": Morris, "awari": Awari}

# ---- codecs: from the bytes of a block to symbols ----


def bits_for(count):
    """The smallest number of bits that holds numbers below `count`."""
    return (count - 1).bit_length()


def packed_bits(values):
    return next(b for b in (0, 1, 2, 4, 8, 16) if 1 << b >= values)


def unpack(bits, data, count):
    expect("bytes of symbols", (count * bits + 7) // 8, len(data))
    if bits == 8:
        return list(data)
    if bits == 16:
        return list(struct.unpack(f"<{count}H", data))
    whole, mask = int.from_bytes(data, "little"), (1 << bits) - 1
    if count * bits < 4096:
        return [whole >> bits * i & mask for i in range(count)]
    half = count // 16 * 8  # whole bytes
    return unpack(bits, data[: half * bits // 8], half) + unpack(bits, data[half * bits // 8 :], count - half)


class Codec:
    def __init__(self, plane, options, learned):
        self.plane, self.options, self.learned = plane, options, learned
        self.values, self.block_positions = len(plane.values), plane.block_positions
        self.open()

    def open(self):
        expect("learned bytes", 0, len(self.learned))

    def block(self, data, count, first):
        if self.values > 1:
            symbols = self.decode(data, count, first)
        else:
            expect("bytes", 0, len(data))
            symbols = [0] * count
        expect("symbols", count, len(symbols))
        if max(symbols) >= self.values:
            raise Damaged(f"symbol {max(symbols)}, expected less than {self.values}")
        return symbols


class Raw(Codec):
    def decode(self, data, count, first):
        return unpack(bits_for(self.values), data, count)


def number_size(n):
    return max(1, (n.bit_length() + 6) // 7)


def byte_size(n):
    return max(1, (n.bit_length() + 7) // 8)


class Rle(Codec):
    every = property(lambda self: self.options[0])

    def decode(self, data, count, first):
        self.data, self.at = data, 0
        if self.every:
            entries = self.number()
            self.at += entries * (byte_size(count - 1) + byte_size(count * number_size(self.values - 1) - 1))
        symbols = []
        while len(symbols) < count:
            length, symbol = divmod(self.number(), self.values)
            symbols += [symbol] * (length + 1)
        expect("bytes of runs", len(data), self.at)
        return symbols

    def number(self):
        n = shift = 0
        while True:
            if self.at >= len(self.data):
                raise Damaged("a number is cut off")
            byte = self.data[self.at]
            self.at += 1
            n |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return n


class Zstd(Codec):
    library = None

    def open(self):
        if not Zstd.library:
            Zstd.library = ctypes.CDLL("libzstd.so.1")
            Zstd.library.ZSTD_createDCtx.restype = ctypes.c_void_p
            Zstd.library.ZSTD_decompress_usingDict.restype = ctypes.c_size_t
            Zstd.library.ZSTD_decompress_usingDict.argtypes = [
                *(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t),
                *(ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t),
            ]
            Zstd.context = Zstd.library.ZSTD_createDCtx()

    def plain(self, data, size):
        frame = b"\x28\xb5\x2f\xfd" + bytes(data)
        out = ctypes.create_string_buffer(size)
        found = self.library.ZSTD_decompress_usingDict(
            self.context, out, size, frame, len(frame), self.learned, len(self.learned)
        )
        expect("bytes in a frame", size, found)
        return out.raw[:size]

    def decode(self, data, count, first):
        bits = packed_bits(self.values)
        return unpack(bits, self.plain(data, (count * bits + 7) // 8), count)


class Xz(Codec):
    def decode(self, data, count, first):
        _, container, lc, unit, lp, _ = self.options[:6]
        bits = packed_bits(self.values)
        size = (count * bits + 7) // 8
        if container:
            plain = lzma.decompress(data, lzma.FORMAT_XZ)
        elif len(data) == size:
            plain = data
        else:
            pb = unit - 1 if unit else {8: 2, 16: 1}.get(bits, 0)
            head = struct.pack("<BIQ", (pb * 5 + lp) * 9 + lc, max(4096, size), size)
            plain = lzma.decompress(head + data, lzma.FORMAT_ALONE)
        return unpack(bits, plain, count)


class RleZstd(Zstd):
    def open(self):
        super().open()
        self.runs = Rle(self.plane, [0], b"")

    def decode(self, data, count, first):
        head = byte_size(count * number_size(self.values - 1))
        size = int.from_bytes(data[:head], "little")
        return self.runs.decode(self.plain(data[head:], size), count, first)


class Bits:
    """The highest bit of each byte first."""

    def __init__(self, data):
        self.size = 8 * len(data)
        self.text = bin(int.from_bytes(b"\x01" + data, "big"))[3:]
        self.at = 0

    def take(self, count):
        if self.at + count > self.size:
            raise Damaged("bits are missing")
        self.at += count
        return int(self.text[self.at - count : self.at] or "0", 2)


class Pairs(Codec):
    def open(self):
        if self.learned:
            self.read_grammar()
        else:
            self.rules, self.lengths = [], [bits_for(self.values)] * self.values
        self.make_codes()
        self.meaning = {}

    def read_grammar(self):
        count, width = struct.unpack_from("<HB", self.learned)
        bits = Bits(self.learned[3:])
        symbols = self.values + count
        self.lengths = [bits.take(width) for _ in range(symbols)]
        self.rules, first = [], 0
        for _ in range(count):
            while not bits.take(1):
                first += 1
            self.rules.append((first, bits.take(bits_for(symbols))))

    def make_codes(self):
        self.codes, code = {}, 0
        for length in range(1, 21):
            for symbol, its in enumerate(self.lengths):
                if its == length:
                    self.codes[format(code, f"0{length}b")] = symbol
                    code += 1
            code *= 2

    def expand(self, symbol):
        if symbol < self.values:
            return [symbol]
        if symbol not in self.meaning:
            first, second = self.rules[symbol - self.values]
            self.meaning[symbol] = self.expand(first) + self.expand(second)
        return self.meaning[symbol]

    def decode(self, data, count, first):
        line, entry = self.options[1], 2 if self.block_positions <= 65536 else 4
        lines = (len(data) - 1) // (line + entry) + 1
        begin = (lines - 1) * entry
        starts = [0] + [
            int.from_bytes(data[i * entry : (i + 1) * entry], "little") for i in range(lines - 1)
        ]
        symbols = []
        for i, end in enumerate(starts[1:] + [count]):
            expect("position of a line", starts[i], len(symbols))
            self.decode_line(Bits(data[begin + i * line : begin + (i + 1) * line]), symbols, end)
        return symbols

    def decode_line(self, bits, symbols, end):
        text, at, length = bits.text, 0, 1
        while len(symbols) < end:
            symbol = self.codes.get(text[at : at + length])
            if symbol is not None:
                symbols += self.expand(symbol)
                at, length = at + length, 1
            elif length > 20 or at + length > len(text):
                raise Damaged("no code")
            else:
                length += 1
        if "1" in text[at:]:
            raise Damaged("bits behind the last code of a line")


# ---- net ----


class RangeReader:
    def __init__(self, data):
        self.data, self.at = data + bytes(4), 4
        self.low, self.high = 0, 0xFFFFFFFF
        self.value = int.from_bytes(self.data[:4], "big")

    def bit(self, p):
        middle = self.low + ((self.high - self.low) * p >> 16)
        bit = self.value <= middle
        if bit:
            self.high = middle
        else:
            self.low = middle + 1
        while not (self.low ^ self.high) >> 24:
            self.low = self.low << 8 & 0xFFFFFFFF
            self.high = (self.high << 8 | 255) & 0xFFFFFFFF
            byte = self.data[self.at] if self.at < len(self.data) else 0
            self.value = (self.value << 8 | byte) & 0xFFFFFFFF
            self.at += 1
        return bit

    def adaptive(self, habit, key):
        p = habit.get(key, 32768)
        bit = self.bit(p)
        habit[key] = p + (65504 - p >> 5) if bit else p - (p - 32 >> 5)
        return bit

    def plain(self, count):
        n = 0
        for _ in range(count.bit_length()):
            n = n << 1 | self.bit(32768)
        return n

    def number(self, habit, most):
        if not self.adaptive(habit, "zero"):
            return 0
        negative = self.adaptive(habit, "sign")
        bits = 0
        while self.adaptive(habit, ("more", bits)) and bits < 23:
            bits += 1
        v = 1
        for i in range(bits - 1, -1, -1):
            c = v % 2 if i == bits - 1 else 2 + v % 2
            v = 2 * v + self.adaptive(habit, ("bit", bits, c))
        v = min(v, most)
        return -v if negative else v

    def rows(self, count, width, most):
        habit, numbers = {}, [{} for _ in range(6)]
        for _ in range(count):
            if not self.adaptive(habit, "empty"):
                yield [0] * width
                continue
            shift = 0
            while shift < 5 and self.adaptive(habit, ("coarser", shift)):
                shift += 1
            yield [self.number(numbers[shift], most >> shift) << shift for _ in range(width)]


CURVE = """
    0     1     1     2     3     5     8    13    22    36
   60    98   162   267   439   720  1179  1921  3108  4971
 7812 11955 17625 24743 32768 40793 47911 53581 57724 60565
62428 63615 64357 64816 65097 65269 65374 65438 65476 65500
65514 65523 65528 65531 65533 65534 65535 65535 65535
"""
CURVE = [int(c) for c in CURVE.split()]


def squash(x):
    y = min(max(x + 98304, 18432), 178176)
    i = y // 4096
    return CURVE[i] + (CURVE[i + 1] - CURVE[i]) * (y % 4096) // 4096


def class_of(symbol, guess):
    if symbol < 0:
        return 0
    off = symbol - guess
    return 1 if off < -3 else 9 if off > 3 else off + 5


class Net(Codec):
    lanes = 1 << 10  # what is added to each number of a row, so that whole rows are added at once

    def open(self):
        self.axes = self.plane.board()
        self.hidden, self.flat, self.bias = 0, [0] * self.values, [0] * 34
        self.out, self.row_sums = [[]] * 34, []
        if not self.axes:
            return super().open()
        self.find_pieces()
        self.find_neighbours()
        self.find_rows()
        if self.learned:
            self.read_learned()

    # The board.

    def find_pieces(self):
        game, order = self.plane.game, self.plane.order
        begins, n = [], 0
        for letters, _ in game.digits:
            begins.append(n)
            n += len(letters)
        self.pieces = n
        self.letters = "".join(letters for letters, _ in game.digits)
        # Of each piece in the order of the axes its place in that of the digits.
        self.place = [begins[d] + i for d in order for i in range(len(game.digits[d][0]))]
        self.moving = n - len(game.digits[order[-1]][0])

    def find_neighbours(self):
        steps = [*self.plane.game.step, *(2 * s for s in self.plane.game.step[:2])]
        self.back = []
        for sets, weight in self.axes:
            numbers = {tuple(squares): d for d, squares in enumerate(sets)}
            backs = []
            for digit, squares in enumerate(sets):
                backs.append([])
                for i, square in enumerate(squares):
                    for step in steps:
                        to = square + step
                        moved = sorted([*squares[:i], to, *squares[i + 1 :]])
                        lower = numbers.get(tuple(moved), digit)
                        there = to >= 0 and abs(to % 8 - square % 8) <= 2 and lower < digit
                        backs[-1].append((digit - lower) * weight if there else 0)
            self.back.append(backs)

    def find_rows(self):
        n = self.pieces
        self.value_rows = min(self.values, 512)
        self.bend_row = 50 * n
        self.value_row = self.bend_row + 40 * (n - 1)
        self.square_row = self.value_row + self.value_rows
        self.distance_row = self.square_row + 64 * n
        self.mark_row = self.distance_row + 64 * (n * (n - 1) // 2)
        self.all_rows = self.mark_row + self.plane.game.count_marks(n)

    def read_learned(self):
        self.hidden = self.learned[0]
        reader, flat, bias = RangeReader(self.learned[1:]), {}, {}
        self.flat = [abs(reader.number(flat, 63)) for _ in range(self.values)]
        self.bias = [reader.number(bias, 131072) for _ in range(34)]
        if self.hidden:
            self.out = list(reader.rows(34, self.hidden, 2047))
            for row in reader.rows(self.all_rows, self.hidden, 255):
                lanes = array.array("I", [n + self.lanes for n in row])
                self.row_sums.append(int.from_bytes(lanes.tobytes(), sys.byteorder))

    # A block.

    def decode(self, data, count, first):
        reader = RangeReader(data)
        if not self.axes:
            return self.decode_line(reader, count)
        skip = reader.bit(32768)
        symbols = [reader.plain(self.values)]
        for at in range(1, count):
            symbols.append(self.symbol(reader, symbols, at, first + at, skip))
        return symbols

    def symbol(self, reader, symbols, at, number, skip):
        backs, squares = [], []
        for (sets, weight), axis in zip(self.axes, self.back):
            digit, number = divmod(number, weight)
            backs += axis[digit]
            squares += sets[digit]
        near = [symbols[at - b] if 0 < b <= at else -1 for b in backs]
        guess, flat = self.vote(near, symbols[0])
        there = None
        if skip:
            there = self.there(squares)
            if self.plane.game.impossible(there, self.plane.number):
                return guess
        code = self.flat[guess] if flat else 0
        if code:
            wrong = (65536, 55109, 46341, 38968)[code % 4] >> code // 4
            if reader.bit(65536 - max(wrong, 2)):
                return guess
        units = self.units(symbols, at, near, backs, guess, squares, there or self.there(squares))

        def decide(d):
            return reader.bit(squash(self.bias[d] + sum(map(operator.mul, units, self.out[d]))))

        if not code and decide(0):
            return guess
        return self.away(reader, guess, decide)

    def there(self, squares):
        there = [None] * self.pieces
        for place, square in zip(self.place, squares):
            there[place] = (self.letters[place], square)
        return there

    def vote(self, near, default):
        votes, most, guess = {}, 0, default
        for i in range(0, 5 * self.pieces, 5):
            for symbol in near[i : i + 2]:
                if symbol >= 0:
                    votes[symbol] = votes.get(symbol, 0) + 1
                    if votes[symbol] > most:
                        most, guess = votes[symbol], symbol
        return guess, len(votes) == 1 and most >= 3

    def units(self, symbols, at, near, backs, guess, squares, there):
        if not self.hidden:
            return []
        rows = [10 * i + class_of(symbol, guess) for i, symbol in enumerate(near)]
        for i in range(self.moving):
            for k in (0, 1):
                a = 5 * i + k
                for t in (0, 1):
                    b = 5 * self.moving + t
                    bend, both = -1, backs[a] + backs[b]
                    if near[a] >= 0 and near[b] >= 0 and both <= at:
                        bend = max(0, near[a] + near[b] - symbols[at - both])
                    rows.append(self.bend_row + 10 * (4 * i + 2 * k + t) + class_of(bend, guess))
        plain = self.value_rows == self.values
        rows.append(self.value_row + (guess if plain else guess * self.value_rows // self.values))
        pair = self.distance_row
        for x, s in enumerate(squares):
            rows.append(self.square_row + 64 * x + s)
            for t in squares[:x]:
                rows.append(pair + 8 * abs(s // 8 - t // 8) + abs(s % 8 - t % 8))
                pair += 64
        rows += [self.mark_row + m for m, is_set in enumerate(self.plane.game.marks(there)) if is_set]
        total = sum(map(self.row_sums.__getitem__, rows))
        lanes = array.array("I", total.to_bytes(4 * self.hidden, sys.byteorder))
        off = self.lanes * len(rows) - 32768
        sums = [(n - off & 0xFFFF) - 32768 for n in lanes]
        return [s if s > 0 else s >> 4 for s in sums]

    def away(self, reader, guess, decide):
        if guess == 0:
            up = 1
        elif guess == self.values - 1:
            up = 0
        else:
            up = decide(1)
        most = self.values - 1 - guess if up else guess
        k = 1
        while k < most and k <= 24 and not decide(2 + 2 * min(k - 1, 15) + up):
            k += 1
        if k == 25 and k < most:
            k += reader.plain(most - k + 1)
        return guess + k if up else guess - k

    def decode_line(self, reader, count):
        symbols, habits = [reader.plain(self.values)], ({}, {})
        for at in range(1, count):
            guess = symbols[-1]
            habit = habits[at > 1 and symbols[-2] == guess]

            def decide(d):
                return reader.adaptive(habit, d)

            symbols.append(guess if decide(0) else self.away(reader, guess, decide))
        return symbols


CODECS = {"raw": Raw, "rle": Rle, "zstd": Zstd, "xz": Xz, "rle-zstd": RleZstd, "pairs": Pairs, "net": Net}

# ---- tables ----

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
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.read_header()
        self.read_values()
        self.read_directory()

    def read_header(self):
        data = self.data
        expect("magic", b"\x89EGT\r\n\x1a\n", data[:8])
        fields = struct.unpack_from("<IIQQQII16sBBBBI8s8s16s16s16s40sIIIIQ", data, 8)
        (version, self.header_size, size, positions, self.directory, self.block_positions) = fields[:6]
        (index_version, options, self.fill, derive, planes, self.size_bytes, self.passes) = fields[6:13]
        names = [name.split(b"\0")[0].decode() for name in fields[15:19]]
        self.learned_sizes, self.value_counts = fields[19:21], fields[21:23]
        self.directory_checksum = fields[23]
        expect("version", 3, version)
        expect("size of the file", len(data), size)
        stored = struct.unpack_from("<Q", data, self.header_size - 8)[0]
        expect("checksum of the header", stored, crc64(data[: self.header_size - 8]))
        expect("version of the index", 1, index_version)
        self.game_name, self.metric, self.codec, self.slice = names
        self.game = GAMES[self.game_name](self.slice)
        expect("positions", self.game.positions, positions)
        expect("planes", self.game.planes, planes)
        self.derives_captures = bool(derive & 1)
        self.left_out = (derive >> 2 & 1) if derive & 2 else None
        if self.codec == "xz":
            places = [4 * (i % 4) + 2 * (i // 4) for i in range(8)]
            self.options = [struct.unpack_from("<h", options, at)[0] for at in places]
        else:
            self.options = struct.unpack("<4i", options)
        orders = [[byte - 1 for byte in order if byte] for order in fields[13:15]]
        self.planes = [Plane(self.game, p, orders[p], self.block_positions) for p in range(planes)]

    def read_values(self):
        at, size = 200, 5 if self.metric == "dtr" else 3
        for plane, count in zip(self.planes, self.value_counts):
            for _ in range(count):
                outcome, plies = struct.unpack_from("<BH", self.data, at)
                phase = struct.unpack_from("<H", self.data, at + 3)[0] if size == 5 else 0
                plane.values.append((OUTCOMES[outcome], plies, phase))
                at += size
        expect("size of the header", self.header_size, at + 8)

    def read_directory(self):
        directory = self.data[self.directory :]
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
        print(f"plane {side}, index {index}, number {number}: {words(value) if value else 'derived'}")


if __name__ == "__main__":
    COMMANDS = {"count": count, "list": list_all, "probe": probe}
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    try:
        COMMANDS[sys.argv[1]](*sys.argv[2:])
    except (Damaged, ValueError, OSError) as why:
        sys.exit(f"read_egt.py: {sys.argv[2]}: {why}")
