/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other direction of core/store/foreign/gaviota_pack.c. */
#include "gaviota_fixture.h"

#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

/* ---- a Huffman code ---- */

struct out {
	uint8_t *bytes;
	size_t bits;
};

static void put_bits(struct out *out, unsigned bits, unsigned count)
{
	for (unsigned i = 0; i < count; i++, out->bits++)
		out->bytes[out->bits / 8] |= (uint8_t)((bits >> i & 1) << out->bits % 8);
}

struct code {
	size_t weight[512];
	int child[512][2], codes;
	bool path[512];
};

static void put_tree(struct out *out, const struct code *code, int node)
{
	put_bits(out, node < 256, 1);
	if (node < 256) {
		put_bits(out, (unsigned)node, 8);
		return;
	}
	put_tree(out, code, code->child[node][0]);
	put_tree(out, code, code->child[node][1]);
}

/* The way to a byte, from the tree's root. */
static bool put_code(struct out *out, const struct code *code, int node, int byte)
{
	if (node < 256)
		return node == byte;
	for (unsigned bit = 0; bit < 2; bit++) {
		const size_t before = out->bits;
		put_bits(out, bit, 1);
		if (put_code(out, code, code->child[node][bit], byte))
			return true;
		if (bit)
			out->bytes[before / 8] &= (uint8_t) ~(1 << before % 8);
		out->bits = before;
	}
	return false;
}

static int lightest(struct code *code)
{
	int best = -1;
	for (int i = 0; i < code->codes; i++)
		if (code->weight[i] && (best < 0 || code->weight[i] < code->weight[best]))
			best = i;
	return best;
}

static size_t pack_huffman(const uint8_t *bytes, size_t count, uint8_t *packed)
{
	static struct code code;
	struct out out = {packed, 0};
	code = (struct code){.codes = 256};
	for (size_t i = 0; i < count; i++)
		code.weight[bytes[i]]++;
	int root = lightest(&code);
	for (;;) {
		const size_t weight = code.weight[root];
		code.weight[root] = 0;
		const int second = lightest(&code);
		if (second < 0)
			break;
		const int node = code.codes++;
		code.child[node][0] = root;
		code.child[node][1] = second;
		code.weight[node] = weight + code.weight[second];
		code.weight[second] = 0;
		root = lightest(&code);
	}
	put_bits(&out, (unsigned)count, 32);
	put_tree(&out, &code, root);
	for (size_t i = 0; i < count; i++)
		if (root < 256)
			put_bits(&out, 1, 1);
		else
			assert_true(put_code(&out, &code, root, bytes[i]));
	return 1 + out.bits / 8;
}

/* ---- LZF ---- */

static size_t put_literals(uint8_t *out, const uint8_t *bytes, size_t count)
{
	size_t size = 0;
	while (count) {
		const size_t run = count < 32 ? count : 32;
		out[size++] = (uint8_t)(run - 1);
		memcpy(out + size, bytes, run);
		size += run;
		bytes += run;
		count -= run;
	}
	return size;
}

static size_t pack_lzf(const uint8_t *bytes, size_t count, uint8_t *out)
{
	enum { HASHES = 4096, REACH = 8192, LONGEST = 264 };
	size_t last[HASHES], size = 0, kept = 0, at = 0;
	for (unsigned i = 0; i < HASHES; i++)
		last[i] = SIZE_MAX;
	while (at + 2 < count) {
		const unsigned hash =
			(bytes[at] * 33u * 33u + bytes[at + 1] * 33u + bytes[at + 2]) % HASHES;
		const size_t from = last[hash];
		size_t length = 0;
		last[hash] = at;
		while (from != SIZE_MAX && at - from <= REACH && at + length < count &&
		       length < LONGEST && bytes[from + length] == bytes[at + length])
			length++;
		if (length < 3) {
			at++;
			continue;
		}
		size += put_literals(out + size, bytes + kept, at - kept);
		const size_t back = at - from - 1, code = length - 2;
		out[size++] = (uint8_t)((code < 7 ? code : 7) << 5 | back >> 8);
		if (code >= 7)
			out[size++] = (uint8_t)(code - 7);
		out[size++] = (uint8_t)back;
		at += length;
		kept = at;
	}
	return size + put_literals(out + size, bytes + kept, count - kept);
}

/* ---- zlib and LZMA ---- */

static size_t pack_zlib(const uint8_t *bytes, size_t count, uint8_t *out, size_t room)
{
	uLongf size = room;
	assert_int_equal(compress2(out, &size, bytes, count, Z_BEST_COMPRESSION), Z_OK);
	return size;
}

/* The stream says how long it is, as the generator's do. */
static size_t pack_lzma(const uint8_t *bytes, size_t count, uint8_t *out, size_t room)
{
	enum { FILTER = 1, AT_LENGTH = FILTER + 5, LENGTH = 8 };
	lzma_options_lzma options;
	lzma_stream stream = LZMA_STREAM_INIT;
	assert_false(lzma_lzma_preset(&options, 5));
	options.dict_size = 4096;
	assert_int_equal(lzma_alone_encoder(&stream, &options), LZMA_OK);
	out[0] = 0;
	stream.next_in = bytes;
	stream.avail_in = count;
	stream.next_out = out + FILTER;
	stream.avail_out = room - FILTER;
	assert_int_equal(lzma_code(&stream, LZMA_FINISH), LZMA_STREAM_END);
	lzma_end(&stream);
	for (unsigned i = 0; i < LENGTH; i++)
		out[AT_LENGTH + i] = (uint8_t)((uint64_t)count >> 8 * i);
	return room - stream.avail_out;
}

uint8_t *gaviota_pack(unsigned scheme, const uint8_t *bytes, size_t count, size_t *size)
{
	const size_t room = 4 * count + 2048;
	uint8_t *out = calloc(room, 1);
	assert_non_null(out);
	*size = scheme == 1   ? pack_huffman(bytes, count, out)
		: scheme == 2 ? pack_lzf(bytes, count, out)
		: scheme == 3 ? pack_zlib(bytes, count, out, room)
			      : pack_lzma(bytes, count, out, room);
	return out;
}
