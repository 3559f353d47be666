# SPDX-License-Identifier: GPL-3.0-or-later
"""The codec net of endlab-table(5)."""
import array
import operator
import sys

from egt_codecs import Codec


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
# Bands of distances: the last, and how many bits tell which.
FAR = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 1152, 66688)
BITS = (0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 6, 10, 16)


def squash(x):
    y = min(max(x + 98304, 18432), 178176)
    i = y // 4096
    return CURVE[i] + (CURVE[i + 1] - CURVE[i]) * (y % 4096) // 4096


def within(x, most):
    return min(max(x, -most), most)


def class_of(symbol, guess):
    if symbol < 0:
        return 0
    off = symbol - guess
    return 1 if off < -3 else 9 if off > 3 else off + 5


class Net(Codec):
    lanes = 1 << 10  # what is added to each number of a row, so that whole rows are added at once

    def open(self):
        self.axes = self.plane.board()
        self.bands, self.common, self.rate = self.options[2], self.values, self.options[3]
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
        begin = 3 if self.bands else 1
        self.common = int.from_bytes(self.learned[1:begin], "little")
        reader, flat, bias = RangeReader(self.learned[begin:]), {}, {}
        self.flat = [abs(reader.number(flat, 63)) for _ in range(self.values)]
        self.bias = [reader.number(bias, 131072) for _ in range(34)]
        if self.hidden:
            self.out = list(reader.rows(34, self.hidden, 2047))
            if self.rate:
                self.out = [[within(16 * w, 24575) for w in row] for row in self.out]
            for row in reader.rows(self.all_rows, self.hidden, 255):
                lanes = array.array("I", [n + self.lanes for n in row])
                self.row_sums.append(int.from_bytes(lanes.tobytes(), sys.byteorder))

    # A block.

    def decode(self, data, count, first):
        reader = RangeReader(data)
        if not self.axes:
            return self.decode_line(reader, count)
        self.weights, self.biases = [row[:] for row in self.out], self.bias[:]
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
        guess, votes = self.vote(near, symbols[0])
        there = None
        if skip:
            there = self.there(squares)
            if self.plane.game.impossible(there, self.plane.number):
                return guess
        code = self.flat[guess] if len(votes) == 1 and votes[guess] >= 3 else 0
        if code:
            wrong = (65536, 55109, 46341, 38968)[code % 4] >> code // 4
            if reader.bit(65536 - max(wrong, 2)):
                return guess
        units = self.units(symbols, at, near, backs, guess, squares, there or self.there(squares))

        def decide(d):
            x = sum(map(operator.mul, units, self.weights[d]))
            p = squash(self.biases[d] + (x // 16 if self.rate else x))
            bit = reader.bit(p)
            if self.rate:
                step = (65536 * bit - p) * self.rate // 64
                self.weights[d] = [
                    within(w + (step * u + 4096) // 8192, 24575)
                    for w, u in zip(self.weights[d], units)
                ]
                self.biases[d] = within(self.biases[d] + (step + 16) // 32, 131072)
            return bit

        if not code and decide(0):
            return guess
        return self.away(reader, guess, decide)

    def there(self, squares):
        there = [None] * self.pieces
        for place, square in zip(self.place, squares):
            there[place] = (self.letters[place], square)
        return there

    @staticmethod
    def vote(near, default):
        """The symbol that wins, and how many votes each has."""
        votes, most, guess = {}, 0, default
        for i in range(0, len(near), 5):
            for symbol in near[i : i + 2]:
                if symbol >= 0:
                    votes[symbol] = votes.get(symbol, 0) + 1
                    if votes[symbol] > most:
                        most, guess = votes[symbol], symbol
        return guess, votes

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
        most = 2047 if self.rate else 32767
        return [min(s, most) if s > 0 else s >> 4 for s in sums]

    def away(self, reader, guess, decide):
        if self.bands and self.common < self.values and abs(self.common - guess) > 4 and decide(32):
            return self.common
        if guess == 0:
            up = 1
        elif guess == self.values - 1:
            up = 0
        else:
            up = decide(1)
        most = self.values - 1 - guess if up else guess
        if self.bands:
            a = 0
            while FAR[a] < most and decide(2 + 2 * a + up):
                a += 1
            k = 1 + (FAR[a - 1] if a else 0)
            if BITS[a]:
                k += reader.plain((1 << BITS[a]) - 1)
            return guess + k if up else guess - k
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
