# SPDX-License-Identifier: GPL-3.0-or-later
"""Games as endlab-table(5) has them: a slice, its digits, where positions are in it.

A position is a dictionary: "side", 0 or 1, and "board", the piece on each square, small letters for Black's.
"""
from math import comb, prod

from egt_numbers import numbered, rank_of, set_of


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
        rights = (text.split() + ["-"])[2].replace("-", "")
        return {"side": "wb".index(side), "board": board, "rights": rights}

    @classmethod
    def strength(cls, letters):
        return [len(letters)] + [letters.count(kind) for kind in cls.kinds]

    def turned(self, position):
        """Board, side to move and rights, with the side that the slice names first as White; None where it is in
        another slice."""
        board, side, rights = position["board"], position["side"], position.get("rights", "")
        white = [c for c in board.values() if c.isupper()]
        black = [c.upper() for c in board.values() if c.islower()]
        w, b = self.strength(white), self.strength(black)
        if b > w or (b == w and side == 1):
            board = {s ^ 56: c.swapcase() for s, c in board.items()}
            white, black, side, rights = black, white, 1 - side, rights.swapcase()
        if [self.strength(x) for x in (white, black)] != [self.strength(x) for x in self.sides]:
            return None
        return board, side, rights

    def place(self, position):
        """Plane, index, digits; None where it is in another slice."""
        turned = self.turned(position)
        if not turned or turned[2]:
            return None
        board, side, _ = turned
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
        self.lead = [int(side.lstrip("KM") or 0) for side in sides]
        self.planes = 1 if sides[0] == sides[1] else 2
        (w, b), (K, L) = self.men, self.crowned
        cut = any(self.lead)
        reach = 8 - self.lead[1] if self.lead[1] else 8 if cut else 1
        end = self.lead[0] if cut else 7
        limits = 0, reach, reach + (self.lead[1] > 0), 8
        self.areas = [range(4 * min(r, end), 4 * min(s, end)) for r, s in zip(limits, limits[1:])]
        self.closed = 4 * reach
        self.classes = []  # men in each area, ranks in each and the first, ranks of black men and the first, base
        base = 0
        for i in range(w + 1):
            for j in range(w - i + 1):
                men = i, j, w - i - j
                if any(m > len(area) for m, area in zip(men, self.areas)):
                    continue
                lows = [
                    comb(len(area) - 4, m) if self.lead[0] and 4 * self.lead[0] - 1 in area else 0
                    for m, area in zip(men, self.areas)
                ]
                ranks = [comb(len(area), m) - low for m, area, low in zip(men, self.areas, lows)]
                free = 32 - self.closed - men[1] - men[2]
                low = comb(free + men[1] - 4, b) if self.lead[1] else 0
                black = comb(free, b) - low
                self.classes.append((men, ranks, lows, black, low, base))
                base += ranks[0] * ranks[1] * ranks[2] * black
        self.positions = base * comb(32 - w - b, K) * comb(32 - w - b - K, L)
        self.squares = [4 * n if n else 28 for n in self.lead]  # of a side's men
        self.first = 32 - self.squares[1]  # of the black men
        self.digits = []
        groups = ("K", K, 32, 0), ("M", w, self.squares[0], 0), ("k", L, 32, 0), ("m", b, self.squares[1], self.first)
        for letter, count, n, first in groups:
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
        leads = [0, 0]
        if any(self.lead):
            leads[0] = max((8 - (m - 1) // 4 for m, c in board.items() if c == "M"), default=0)
            leads[1] = max(((m - 1) // 4 + 1 for m, c in board.items() if c == "m"), default=0)
        strength = [
            (sum(map(pieces.count, letters)), pieces.count(letters[0]), lead)
            for letters, lead in zip(("KM", "km"), leads)
        ]
        swapped = strength[1] > strength[0] or (strength[1] == strength[0] and side == 1)
        if swapped:
            board, side = {m - 1: c.swapcase() for m, c in board.items()}, 1 - side
        else:
            board = {32 - m: c for m, c in board.items()}
        groups = {letter: sorted(s for s, c in board.items() if c == letter) for letter in "KMkm"}
        counts = [len(groups[letter]) for letter in "MmKk"]
        if counts != [*self.men, *self.crowned]:
            return None
        foremost = [max(groups["M"], default=-1), 31 - min(groups["m"], default=32)]
        if any(self.lead) and [at // 4 + 1 for at in foremost] != self.lead:
            return None
        digits = [rank_of(s - (self.first if c == "m" else 0) for s in groups[c]) for c in "KMkm" if groups[c]]
        return side, self.index(groups), digits

    def index(self, groups):
        (w, b), (K, L) = self.men, self.crowned
        white = [[s - area.start for s in groups["M"] if s in area] for area in self.areas]
        men = tuple(map(len, white))
        _, ranks, lows, black, low, base = next(c for c in self.classes if c[0] == men)
        index = 0
        for group, n, first in zip(white, ranks, lows):
            index = index * n + rank_of(group) - first
        free = self.free_of_white(groups["M"])
        index = index * black + rank_of(sorted(map(free.index, groups["m"]))) - low + base
        free = [s for s in range(32) if s not in groups["M"] and s not in groups["m"]]
        index = index * comb(32 - w - b, K) + rank_of(numbered(groups["K"], free))
        free = [s for s in free if s not in groups["K"]]
        return index * comb(32 - w - b - K, L) + rank_of(numbered(groups["k"], free))

    def free_of_white(self, men):
        """The squares of black men, in the order in which these are ranked."""
        free = [s for s in range(self.closed, 32) if s not in men]
        return free[::-1] if self.lead[1] else free

    def take_apart(self, index):
        (w, b), (K, L) = self.men, self.crowned
        index, black_kings = divmod(index, comb(32 - w - b - K, L))
        index, white_kings = divmod(index, comb(32 - w - b, K))
        counts, ranks, lows, black, low, base = [c for c in self.classes if c[-1] <= index][-1]
        index, black_men = divmod(index - base, black)
        men = []
        for area, m, n, first in reversed(list(zip(self.areas, counts, ranks, lows))):
            index, rank = divmod(index, n)
            men = [s + area.start for s in set_of(rank + first, m)] + men
        free = self.free_of_white(men)
        others = sorted(free[s] for s in set_of(black_men + low, b))
        free = [s for s in range(32) if s not in men and s not in others]
        kings = [free[s] for s in set_of(white_kings, K)]
        free = [s for s in free if s not in kings]
        last = [free[s] for s in set_of(black_kings, L)]
        return [
            rank_of(group)
            for group in (kings, men, last, [s - self.first for s in others])
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
        for letter, lead, row in zip("Mm", self.lead, (self.lead[0] - 1, 8 - self.lead[1])):
            if lead and not any(c == letter and s // 8 == row for c, s in there):
                return True
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
        men, *hand = name.split(":")[1].split("+")
        self.men = [int(n) for n in men.split("v")]
        self.hand = [int(n) for n in hand] or [0, 0]
        self.planes = 1 if self.men[0] == self.men[1] or self.hand[0] != self.hand[1] else 2
        self.symmetries = list(self.list_symmetries())
        self.classes = self.list_classes(self.men[0])
        self.numbers = {men: n for n, men in enumerate(self.classes)}
        w, b = self.men
        self.positions = len(self.classes) * comb(24 - w, b)
        self.digits = [("M", range(len(self.classes))), ("m", range(comb(24, b)))] if w and b else []

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
        board, hand = {}, {}
        for men in lists:
            points, _, hand["WB".index(men[0])] = men[1:].partition("+")
            for name in filter(None, points.split(",")):
                place = ("abcdefg".index(name[0]), int(name[1]) - 1)
                board[list(Morris.points()).index(place)] = "M" if men[0] == "W" else "m"
        return {"side": "WB".index(side), "board": board, "hand": [int(hand[s] or 0) for s in (0, 1)]}

    def place(self, position):
        board, hand, side = position["board"], position["hand"], position["side"]
        sets = [[p for p, c in board.items() if c == letter] for letter in "Mm"]
        # More men on the board, then the move, come first.
        first = [(-len(sets[s]), s != side) for s in (0, 1)]
        if first[1] < first[0]:
            sets, hand, side = sets[::-1], hand[::-1], 1 - side
        if [len(s) for s in sets] != self.men or hand != self.hand:
            return None
        side = side if self.planes == 2 else 0
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
        *stones, side = text.removeprefix("oware:").split("-")
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


class Castling(Chess):
    """A slice of positions with castling rights."""

    def __init__(self, name):
        self.sides = name.split("v")
        self.planes = 1 if self.sides[0] == self.sides[1] else 2
        self.digits = []
        self.positions = sum(self.count(4 * r + s) for r in range(4) for s in range(4))

    def open(self, numbers):
        """The pieces that rights leave open: side, kind, how many, first square, squares."""
        for side, number in enumerate(divmod(numbers, 4)):
            for kind in "K" + self.kinds:
                count = self.sides[side].count(kind)
                count -= (number > 0) if kind == "K" else number.bit_count() if kind == "R" else 0
                yield (side, kind, count, *((8, 48) if kind == "P" else (0, 64)))

    def count(self, numbers):
        if not numbers or any(count < 0 for _, _, count, _, _ in self.open(numbers)):
            return 0
        return prod(comb(n, count) for _, _, count, _, n in self.open(numbers))

    def place(self, position):
        turned = self.turned(position)
        if not turned or not turned[2]:
            return None
        board, side, rights = turned
        number = [sum(v for c, v in pairs if c in rights) for pairs in (zip("QK", (1, 2)), zip("qk", (1, 2)))]
        homes = {"Q": {0, 4}, "K": {4, 7}, "q": {56, 60}, "k": {60, 63}}
        home = set().union(*(homes[c] for c in rights))
        index, numbers = 0, 4 * number[0] + number[1]
        for s, kind, count, first, n in self.open(numbers):
            letter = kind if s == 0 else kind.lower()
            squares = [at - first for at, c in board.items() if c == letter and at not in home]
            assert len(squares) == count
            index = index * comb(n, count) + rank_of(squares)
        return side, index + sum(self.count(m) for m in range(numbers)), []


def chess(name):
    return Castling(name.removesuffix("+castling")) if name.endswith("+castling") else Chess(name)


GAMES = {"chess": chess, "checkers": Checkers, "morris": Morris, "awari": Awari, "oware": Awari}
