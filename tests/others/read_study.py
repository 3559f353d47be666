# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads Endlab's studies (.study) by what the manual page endlab-table(5) says, in its words.

    read_study.py probe FILE POSITION...    prints what is stored of each position
    read_study.py random FILE COUNT SEED    prints positions at random, some of which are not legal
    read_study.py answers FILE TSV          compares with the lines of `endlab probe --tsv`
"""
import random
import struct
import sys

from egt_games import Chess
from egt_numbers import Damaged, crc64, expect
from read_egt import Table, words

KINDS = [("Q", 4), ("R", 8), ("B", 12), ("N", 16), ("q", 28), ("r", 32), ("b", 36), ("n", 40)]
ROUGH = 32768


def squares_of(mask):
    return [s for s in range(64) if mask >> s & 1]


class Frame:
    def __init__(self, key):
        self.white, self.black, officers = key
        self.letters = "Kk" + "".join(letter * (officers >> bit & 15) for letter, bit in KINDS)
        self.layers = 1 + max(len(self.passed(side)) for side in (0, 1))
        self.addresses = self.layers * 64 ** len(self.letters)
        p = len(self.letters)
        self.weights = [64 ** (p - 1 - n) * (self.layers if p - n > 2 else 1) for n in range(p)]

    def passed(self, side):
        """The squares of the pawns of a side that may have passed."""
        mine, pawns = (self.white, self.black)[side], self.white | self.black
        theirs, back = pawns & ~mine, (-8, 8)[side]
        squares = []
        for s in squares_of(mine):
            beside = [s + d for d in (-1, 1) if 0 <= s % 8 + d < 8]
            behind = [s + back, s + 2 * back]
            if s // 8 == (3, 4)[side] and not any(pawns >> b & 1 for b in behind):
                if any(theirs >> b & 1 for b in beside):
                    squares.append(s)
        return squares


class Frames:
    """Takes the place of a game: positions with their numbers."""

    planes, digits = 1, []

    def __init__(self, data):
        expect("checksum of the list", struct.unpack("<Q", data[-8:])[0], crc64(data[:-8]))
        version, count = struct.unpack_from("<II", data)
        expect("version of the list", 1, version)
        expect("size of the list", 204 + 25 * count, len(data))
        self.root = data[44:172].split(b"\0")[0].decode()
        self.frames, self.positions = {}, 0
        for i in range(count):
            *key, solved = struct.unpack_from("<QQQB", data, 196 + 25 * i)
            frame = Frame(key)
            self.frames[tuple(key)] = frame, self.positions, solved
            self.positions += 2 * frame.addresses

    @staticmethod
    def parse(text):
        position = Chess.parse(text)
        passed = text.split()[3]
        position["passed"] = None if passed == "-" else "abcdefgh".index(passed[0]) + 8 * int(passed[1]) - 8
        return position

    def place(self, position):
        board, side = position["board"], position["side"]
        masks = [sum(1 << s for s, c in board.items() if c == pawn) for pawn in "Pp"]
        officers = sum(list(board.values()).count(letter) << bit for letter, bit in KINDS)
        if (*masks, officers) not in self.frames:
            return None
        frame, first, solved = self.frames[(*masks, officers)]
        squares = sorted(board, key=lambda s: (frame.letters + "Pp").index(board[s]))
        address = sum(s * w for s, w in zip(squares, frame.weights))
        if position["passed"] is not None:
            pawn = position["passed"] + (8, -8)[1 - side]
            passed = frame.passed(1 - side)
            address += 4096 * (1 + passed.index(pawn) if pawn in passed else 0)
        address += side * frame.addresses
        return (0, first + address, None) if solved & 1 else None

    def some(self, rng):
        """A position at random, as text; None where there is none."""
        frames = [f for f in self.frames.values() if rng.randrange(2) or f[0].layers > 1]
        frame, _, solved = rng.choice(frames)
        squares = rng.sample([s for s in range(64) if not (frame.white | frame.black) >> s & 1], len(frame.letters))
        side, passed = rng.randrange(2), "-"
        if not solved & 1 or (frame.white | frame.black) & 0xFF000000000000FF:
            return None
        may = frame.passed(1 - side)
        if may and rng.randrange(2) and not set(frame.letters) & set("QRBqrb"):  # none is pinned
            pawn = rng.choice(may)
            passed = "abcdefgh"[pawn % 8] + str(pawn // 8 + (0 if side else 2))
        board = dict(zip(squares, frame.letters))
        board.update({s: "P" for s in squares_of(frame.white)})
        board.update({s: "p" for s in squares_of(frame.black)})
        rows = ["".join(board.get(8 * r + f, ".") for f in range(8)) for r in range(7, -1, -1)]
        for n in range(8, 0, -1):
            rows = [row.replace("." * n, str(n)) for row in rows]
        return f"{'/'.join(rows)} {'wb'[side]} - {passed} 0 1"


class Study(Table):
    magic = b"\x89EGS\r\n\x1a\n"

    def find_game(self, size):
        self.data, frames = self.data[:size], self.data[size:]
        return Frames(frames)


def probe(path, *positions):
    study = Study(path)
    for text in positions:
        _, _, number, value = study.probe(text)
        print(f"number {number}: {words(value)}")


def some(path, count, seed):
    study, rng = Study(path), random.Random(int(seed))
    for _ in range(int(count)):
        text = study.game.some(rng)
        if text:
            print(text)


def answers(path, tsv):
    study = Study(path)
    kinds = dict.fromkeys(("exact", "deep", "bounded", "passed"), 0)
    with open(tsv) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    heading = lines.pop(0)
    for line in lines:
        if line[1] == "error":
            continue
        fields = dict(zip(heading, line))
        outcome, plies, _ = study.probe(line[0])[3]
        kinds["passed"] += line[0].split()[3] != "-"
        if outcome in ("win", "draw", "loss"):
            assert fields["wdl"] == outcome, (line, outcome)
            kinds["exact"] += 1
            if plies and plies < ROUGH:
                assert fields["dtz"] == str(plies), (line, plies)
                kinds["deep"] += 1
        elif plies == 0:
            kinds["bounded"] += fields["wdl"] == outcome
    assert min(kinds.values()) > 5, kinds
    print(f"{path}: {kinds}")


if __name__ == "__main__":
    COMMANDS = {"probe": probe, "random": some, "answers": answers}
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    try:
        COMMANDS[sys.argv[1]](*sys.argv[2:])
    except (Damaged, ValueError, OSError) as why:
        sys.exit(f"read_study.py: {sys.argv[2]}: {why}")
