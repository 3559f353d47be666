/* SPDX-License-Identifier: MIT */
/* The four schemes that pack Gaviota's blocks, decoded from bytes that may be anything. */
#include "gaviota.h"

#include <lzma.h>
#include <string.h>
#include <zlib.h>

/* ---- .gtb.cp1: a Huffman code ---- */

/*
 * The number of bytes in a 4-byte word; then bits, the lowest of a byte first: the tree, and the
 * code of each byte. A tree is a 1 and a byte, or a 0 and the trees for codes that continue with 0
 * and with 1. If the tree is a single byte, its code is one bit of either value.
 */
enum { NODES = 255 }; /* inner nodes, for 256 leaves */

struct bits {
	const uint8_t *bytes;
	size_t size, at; /* in bits */
	bool ended;      /* it was read past its end */
};

struct tree {
	int16_t child[NODES][2]; /* a node, or a byte as -1 - byte */
	int nodes;
};

static unsigned next_bit(struct bits *b)
{
	if (b->at >= b->size) {
		b->ended = true;
		return 1; /* soon ends any tree */
	}
	const unsigned bit = b->bytes[b->at / 8] >> b->at % 8 & 1;
	b->at++;
	return bit;
}

/* Reads the tree that begins here, as a child; too many nodes end the bits. */
static int16_t read_tree(struct bits *b, struct tree *tree)
{
	if (next_bit(b)) {
		unsigned byte = 0;
		for (unsigned i = 0; i < 8; i++)
			byte |= next_bit(b) << i;
		return (int16_t)(-1 - (int)byte);
	}
	if (tree->nodes >= NODES) {
		b->ended = true;
		b->at = b->size;
		return -1;
	}
	const int node = tree->nodes++;
	tree->child[node][0] = read_tree(b, tree);
	tree->child[node][1] = read_tree(b, tree);
	return (int16_t)node;
}

static enum el_status decode_huffman(const uint8_t *bytes, size_t size, uint8_t *out, size_t count)
{
	enum { HEAD = 4 };
	struct tree tree = {.nodes = 0};
	if (size < HEAD || foreign_u32(bytes) != count)
		return EL_DAMAGED;
	struct bits bits = {.bytes = bytes + HEAD, .size = 8 * (size - HEAD)};
	const int root = read_tree(&bits, &tree);
	for (size_t i = 0; i < count && !bits.ended; i++) {
		int at = root;
		if (root < 0)
			next_bit(&bits);
		while (at >= 0)
			at = tree.child[at][next_bit(&bits)];
		out[i] = (uint8_t)(-1 - at);
	}
	return bits.ended ? EL_DAMAGED : EL_OK;
}

const struct scheme scheme_huffman = {"huffman", decode_huffman};

/* ---- .gtb.cp2: LZF ---- */

/*
 * Marc Lehmann's format: a byte below 32 and one more than that many bytes as they are; or three
 * bits of a length and the upper five of a distance, a byte that is added to a length of 7, and the
 * lower eight of the distance: two more than the length are copied from one more than the distance
 * back.
 */
static enum el_status decode_lzf(const uint8_t *bytes, size_t size, uint8_t *out, size_t count)
{
	enum { LITERAL = 32, LONG = 7 };
	size_t made = 0;
	for (size_t at = 0; at < size;) {
		const unsigned control = bytes[at++];
		if (control < LITERAL) {
			const size_t length = control + 1;
			if (length > size - at || length > count - made)
				return EL_DAMAGED;
			memcpy(out + made, bytes + at, length);
			at += length;
			made += length;
			continue;
		}
		const bool is_long = control >> 5 == LONG;
		if (size - at < (is_long ? 2 : 1))
			return EL_DAMAGED;
		size_t length = (control >> 5) + 2, distance = (control & 31) << 8;
		if (is_long)
			length += bytes[at++];
		distance += (size_t)bytes[at++] + 1;
		if (distance > made || length > count - made)
			return EL_DAMAGED;
		for (; length; length--, made++)
			out[made] = out[made - distance]; /* which may have been copied just now */
	}
	return made == count ? EL_OK : EL_DAMAGED;
}

const struct scheme scheme_lzf = {"lzf", decode_lzf};

/* ---- .gtb.cp3: zlib ---- */

static enum el_status decode_zlib(const uint8_t *bytes, size_t size, uint8_t *out, size_t count)
{
	uLongf made = count;
	const int result = uncompress(out, &made, bytes, size);
	if (result == Z_MEM_ERROR)
		return EL_MEMORY;
	return result == Z_OK && made == count ? EL_OK : EL_DAMAGED;
}

const struct scheme scheme_zlib = {"zlib", decode_zlib};

/* ---- .gtb.cp4: LZMA ---- */

/*
 * A byte that names a filter for machine code (0: none, as the generator uses none), then LZMA's
 * old "alone" format.
 */
static enum el_status decode_lzma(const uint8_t *bytes, size_t size, uint8_t *out, size_t count)
{
	enum { FILTER = 1, MEMORY = 1 << 20 }; /* dictionaries are of 4 KB */
	if (size <= FILTER || bytes[0])
		return EL_DAMAGED;
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret ret = lzma_alone_decoder(&stream, MEMORY);
	stream.next_in = bytes + FILTER;
	stream.avail_in = size - FILTER;
	stream.next_out = out;
	stream.avail_out = count;
	if (ret == LZMA_OK)
		ret = lzma_code(&stream, LZMA_FINISH);
	lzma_end(&stream);
	if (ret == LZMA_MEM_ERROR)
		return EL_MEMORY;
	const bool whole = stream.avail_out == 0;
	return whole && (ret == LZMA_OK || ret == LZMA_STREAM_END) ? EL_OK : EL_DAMAGED;
}

const struct scheme scheme_lzma = {"lzma", decode_lzma};
