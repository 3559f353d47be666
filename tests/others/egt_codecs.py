# SPDX-License-Identifier: GPL-3.0-or-later
"""The codecs of endlab-table(5): from the bytes of a block to symbols."""
import ctypes
import lzma
import struct

from egt_numbers import Damaged, expect


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


def decompress(frame):
    """A zstd frame that tells its size."""
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    library.ZSTD_decompress.restype = ctypes.c_size_t
    size = library.ZSTD_getFrameContentSize(frame, ctypes.c_size_t(len(frame)))
    out = ctypes.create_string_buffer(size)
    found = library.ZSTD_decompress(out, ctypes.c_size_t(size), frame, ctypes.c_size_t(len(frame)))
    expect("bytes in a frame", size, found)
    return out.raw[:size]


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
