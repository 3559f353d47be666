# SPDX-License-Identifier: GPL-3.0-or-later
"""Checksums, ranks of sets: what every part of endlab-table(5) counts on."""
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
