/* SPDX-License-Identifier: MIT */
/*
 * How Syzygy tables are compressed: recursive pairing, then a canonical code for the symbols in
 * which longer codes are smaller numbers. Every block starts afresh, with the top bit of its first
 * byte.
 *
 * Spans have equal numbers of positions. A span's entry says where its middle position is; the
 * lengths of the blocks lead from there to all others.
 */
#include "syzygy.h"

#include <stdlib.h>

enum {
	BLOCK_BITS_MAX = 20,
	SPAN_BITS_MAX = 32,
};

/* ---- the code ---- */

/* Counts the values of a symbol, its parts first. The parts may stand anywhere, but no symbol may
   contain itself: `open` marks those being measured. */
static bool measure(struct pairs *p, unsigned symbol, uint8_t *open)
{
	struct pair *pair = &p->pair[symbol];
	if (pair->length)
		return true;
	if (open[symbol])
		return false;
	open[symbol] = 1;
	uint32_t length = 1;
	if (pair->second != PAIR_NONE) {
		if (pair->first >= p->symbols || pair->second >= p->symbols ||
		    !measure(p, pair->first, open) || !measure(p, pair->second, open))
			return false;
		length = (uint32_t)p->pair[pair->first].length + p->pair[pair->second].length;
	}
	pair->length = (uint16_t)length;
	return length < BLOCK_POSITIONS_MAX;
}

/* Twelve bits for each part. */
static enum el_status read_symbols(struct bytes *bytes, struct pairs *p)
{
	const uint8_t *count = bytes_take(bytes, 2);
	if (!count)
		return EL_DAMAGED;
	p->symbols = foreign_u16(count);
	const uint8_t *at = bytes_take(bytes, 3 * (size_t)p->symbols + (p->symbols & 1));
	if (!at || p->symbols > PAIR_NONE + 1)
		return EL_DAMAGED;
	p->pair = calloc(p->symbols + 1, sizeof *p->pair);
	if (!p->pair)
		return EL_MEMORY;
	for (uint32_t i = 0; i < p->symbols; i++, at += 3) {
		p->pair[i].first = (uint16_t)(at[0] | (at[1] & 15) << 8);
		p->pair[i].second = (uint16_t)(at[1] >> 4 | at[2] << 4);
	}
	uint8_t *open = calloc(p->symbols + 1, 1);
	bool good = open;
	for (unsigned i = 0; i < p->symbols && good; i++)
		good = measure(p, i, open);
	const enum el_status status = good ? EL_OK : open ? EL_DAMAGED : EL_MEMORY;
	free(open);
	return status;
}

/* The first symbol of each code length determines the least code: a length has as many codes as
   there are symbols up to the next length's first. */
static bool read_codes(struct bytes *bytes, struct pairs *p)
{
	const uint8_t *bits = bytes_take(bytes, 2);
	if (!bits)
		return false;
	p->longest = bits[0];
	p->shortest = bits[1];
	if (p->shortest < 1 || p->longest < p->shortest || p->longest > CODE_BITS_MAX)
		return false;
	const uint8_t *symbol = bytes_take(bytes, 2 * (size_t)(p->longest - p->shortest + 1));
	if (!symbol)
		return false;
	for (unsigned b = p->shortest; b <= p->longest; b++)
		p->symbol[b] = foreign_u16(symbol + 2 * (b - p->shortest));
	for (unsigned b = p->longest; b-- > p->shortest;)
		p->least[b] = (p->least[b + 1] + p->symbol[b] - p->symbol[b + 1]) / 2;
	for (unsigned b = p->shortest; b <= p->longest; b++)
		p->least[b] <<= 64 - b;
	return true;
}

enum el_status pairs_read(struct bytes *bytes, uint64_t positions, struct pairs *p)
{
	*p = (struct pairs){0};
	const uint8_t *head = bytes_take(bytes, 2);
	if (!head)
		return EL_DAMAGED;
	p->flags = head[0];
	p->positions = positions;
	p->constant = (head[0] & PAIRS_CONSTANT) != 0;
	p->value = head[1];
	if (p->constant)
		return EL_OK;
	const uint8_t *sizes = bytes_take(bytes, 6);
	if (!sizes)
		return EL_DAMAGED;
	p->block_bits = head[1];
	p->span_bits = sizes[0];
	p->blocks = foreign_u32(sizes + 2);
	p->lengths = p->blocks + sizes[1];
	if (p->block_bits > BLOCK_BITS_MAX || p->span_bits < 1 || p->span_bits > SPAN_BITS_MAX ||
	    p->lengths < p->blocks || !read_codes(bytes, p))
		return EL_DAMAGED;
	p->spans = (positions + ((uint64_t)1 << p->span_bits) - 1) >> p->span_bits;
	return read_symbols(bytes, p);
}

void pairs_free(struct pairs *p)
{
	free(p->pair);
	p->pair = NULL;
}

/* ---- blocks ---- */

/* Bits from the top of bytes down; zeros after the last. */
struct bits {
	const uint8_t *at, *end;
	uint64_t word; /* the next ones, from the top */
	unsigned held; /* bits of the block among them */
};

/* The next symbol, or `symbols` if there is none. */
static uint32_t next_symbol(const struct pairs *p, struct bits *bits)
{
	unsigned length = p->shortest;
	while (bits->held <= 56 && bits->at < bits->end) {
		bits->word |= (uint64_t)*bits->at++ << (56 - bits->held);
		bits->held += 8;
	}
	while (length < p->longest && bits->word < p->least[length])
		length++;
	if (length > bits->held)
		return p->symbols;
	uint64_t symbol = p->symbol[length] + ((bits->word - p->least[length]) >> (64 - length));
	bits->word <<= length;
	bits->held -= length;
	return symbol < p->symbols ? (uint32_t)symbol : p->symbols;
}

/* Writes the values of a symbol from the `skip`-th on, which must exist, at most `room` of them.
   Returns how many. */
static size_t expand(const struct pairs *p, unsigned symbol, size_t skip, uint16_t *values,
                     size_t room)
{
	size_t written = 0;
	while (p->pair[symbol].second != PAIR_NONE && written < room) {
		const struct pair *pair = &p->pair[symbol];
		const size_t length = p->pair[pair->first].length;
		if (skip < length)
			written += expand(p, pair->first, skip, values + written, room - written);
		skip = skip < length ? 0 : skip - length;
		symbol = pair->second;
	}
	if (written < room)
		values[written++] = p->pair[symbol].first;
	return written;
}

bool pairs_decode(const struct pairs *p, const uint8_t *block, size_t skip, uint16_t *values,
                  size_t count)
{
	struct bits bits = {.at = block, .end = block + ((size_t)1 << p->block_bits)};
	for (size_t done = 0; done < count;) {
		const uint32_t symbol = next_symbol(p, &bits);
		if (symbol >= p->symbols)
			return false;
		const size_t length = p->pair[symbol].length;
		if (skip < length)
			done += expand(p, symbol, skip, values + done, count - done);
		skip = skip < length ? 0 : skip - length;
	}
	return true;
}
