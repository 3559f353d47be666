# SPDX-License-Identifier: GPL-3.0-or-later
"""The codec rans of endlab-table(5)."""
from egt_net import BITS, FAR, Net, RangeReader, class_of
from egt_numbers import Damaged

LEAF, ONE, TOKENS, COMMON = 255, 32768, 32, 31


class Stream:
    def __init__(self, data):
        self.data, self.at = data + bytes(4), 4
        self.state = 65536 + int.from_bytes(self.data[:4], "little")

    def take(self, start, end):
        self.state = (end - start) * (self.state // ONE) + self.state % ONE - start
        if self.state < 65536:
            word = self.data[self.at : self.at + 2]
            self.state = self.state << 16 | int.from_bytes(word, "little")
            self.at += 2

    def token(self, starts):
        slot = self.state % ONE
        token = max(t for t in range(TOKENS) if starts[t] <= slot)
        self.take(starts[token], (*starts, ONE)[token + 1])
        return token

    def plain(self, bits):
        value = 0
        while bits:
            now = min(bits, 8)
            bits -= now
            size = ONE >> now
            part = self.state % ONE // size
            self.take(part * size, (part + 1) * size)
            value = value << now | part
        return value


class Rans(Net):
    def open(self):
        self.axes = self.plane.board()
        self.pieces = self.moving = 0
        if self.axes:
            self.find_pieces()
            self.find_neighbours()
        n = self.pieces
        self.bends = 5 * n if n else 1
        self.lead_question = self.bends + 4 * self.moving
        self.read_learned()

    def read_learned(self):
        if not self.learned:
            self.common, self.near, self.board = 0, [(LEAF, 0)], [(LEAF, 0)]
            self.third, self.starts = [LEAF], [self.starts_of([0] * TOKENS)]
            return
        reader = RangeReader(self.learned)

        def number(habit, bits):
            known = 1
            for _ in range(bits):
                known = known << 1 | reader.adaptive(habit, known)
            return known - (1 << bits)

        def tree():
            questions, mosts, nodes, count = {}, {}, [], 1
            while len(nodes) < count:
                question = number(questions, 8)
                nodes.append((question, 0 if question == LEAF else number(mosts, 8)))
                count += 0 if question == LEAF else 2
            return nodes

        plain, third, count = {}, {}, 1
        self.common = number(plain, 8) << 8
        self.common |= number(plain, 8)
        self.near, self.board, self.third = tree(), tree(), []
        while len(self.third) < count:
            self.third.append(number(third, 8))
            count += 0 if self.third[-1] == LEAF else 2
        habits = [{} for _ in range(TOKENS)]
        self.starts = [
            self.starts_of([number(habits[t], 7) for t in range(TOKENS)])
            for _ in range(self.third.count(LEAF))
        ]

    @staticmethod
    def starts_of(codes):
        weights = [8 + code % 8 << code // 8 for code in codes]
        sizes = [1 + weight * (ONE - TOKENS) // sum(weights) for weight in weights]
        sizes[codes.index(max(codes))] += ONE - sum(sizes)
        return [sum(sizes[:t]) for t in range(TOKENS)]

    @staticmethod
    def children(is_leaf):
        """Of each node its first child."""
        found, count = [], 1
        for leaf in is_leaf:
            found.append(None if leaf else count)
            count += 0 if leaf else 2
        return found

    def block(self, data, count, first):
        if not hasattr(self, "near_child"):
            self.near_child = self.children([q == LEAF for q, _ in self.near])
            self.board_child = self.children([q == LEAF for q, _ in self.board])
            self.third_child = self.children([by == LEAF for by in self.third])
            self.context_of = {}
            for node, by in enumerate(self.third):
                if by == LEAF:
                    self.context_of[node] = len(self.context_of)
        symbols = self.decode(data, count, first)
        if max(symbols) >= self.values:
            raise Damaged(f"symbol {max(symbols)}, expected less than {self.values}")
        return symbols

    def decode(self, data, count, first):
        if not data:
            return [self.common] * count
        stream = Stream(data)
        skip = self.axes and stream.plain(1)
        symbols = [self.read(stream, self.common, 0, 0, lambda q: 0, None)]
        for at in range(1, count):
            if self.axes:
                symbols.append(self.on_board(stream, symbols, at, first + at, skip))
            else:
                symbols.append(self.in_line(stream, symbols, at))
        return symbols

    def in_line(self, stream, symbols, at):
        guess, before = symbols[-1], symbols[max(at - 2, 0)]

        def answer(q):
            return class_of(before, guess) if q < self.bends else 0

        return self.read(stream, guess, before == guess, 1, answer, None)

    def on_board(self, stream, symbols, at, number, skip):
        backs, squares = [], []
        for (sets, weight), axis in zip(self.axes, self.back):
            digit, number = divmod(number, weight)
            backs += axis[digit]
            squares += sets[digit]
        near = [symbols[at - b] if 0 < b <= at else -1 for b in backs]
        m = 5 * self.moving
        left, up = near[m], near[m + 1]
        lead, votes = self.vote(near[:m], symbols[0])
        if not votes:
            guess = left if left >= 0 else up if up >= 0 else lead
        elif left >= 0 and up >= 0:
            guess = sorted((left, up, lead))[1]
        else:
            guess = left if left >= 0 else lead
        agree = votes.get(guess, 0) if guess == lead else 0
        agree += (left == guess) + (up == guess)
        voters = sum(votes.values()) + (left >= 0) + (up >= 0)
        there = self.there(squares)
        broken = self.plane.game.impossible(there, self.plane.number)
        if skip and broken:
            return guess

        def answer(q):
            if q < self.bends:
                return class_of(near[q], lead if q < m else guess)
            if q == self.lead_question:
                return class_of(lead, guess) if votes else 0
            bend = q - self.bends
            a, b = 5 * (bend // 4) + bend // 2 % 2, m + bend % 2
            both = backs[a] + backs[b]
            if near[a] < 0 or near[b] < 0 or both > at:
                return 0
            return class_of(max(0, near[a] + near[b] - symbols[at - both]), guess)

        board = None if broken else (squares, self.plane.game.marks(there))
        return self.read(stream, guess, agree, voters, answer, board)

    def read(self, stream, guess, agree, voters, answer, board):
        """A symbol. Where `board` is None, each answer about it leads to the first child."""

        def about_near(q):
            last = (guess * 16 // self.values, agree, voters)
            last_question = q - self.lead_question - 1
            return answer(q) if last_question < 0 else min(last[last_question], 15)

        node = near = at = 0
        while self.third_child[node]:
            if self.third[node] == 0:
                question, most = self.near[near]
                further = about_near(question) > most
                near = self.near_child[near] + further
            else:
                question, most = self.board[at]
                further = board is not None and self.about_board(question, *board) > most
                at = self.board_child[at] + further
            node = self.third_child[node] + further
        token = stream.token(self.starts[self.context_of[node]])
        if token == 0:
            return guess
        if token == COMMON:
            return self.common
        k = (token - 1) // 2
        away = 1 + (FAR[k - 1] if k else 0) + stream.plain(BITS[k])
        return guess - away if token % 2 else guess + away

    def about_board(self, q, squares, marks):
        n = self.pieces
        if q < 2 * n:
            return squares[q] // 8 if q < n else squares[q - n] % 8
        pairs = [(p, r) for p in range(n) for r in range(p)]
        kind, pair = divmod(q - 2 * n, len(pairs))
        if kind > 2:
            return int(list(marks)[q - 2 * n - 3 * len(pairs)])
        s, t = (squares[piece] for piece in pairs[pair])
        ranks, files = abs(s // 8 - t // 8), abs(s % 8 - t % 8)
        return (max(ranks, files), int(not ranks or not files), int(ranks == files))[kind]
