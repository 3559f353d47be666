/* SPDX-License-Identifier: MIT */
/*
 * A binary range coder (G. N. N. Martin, "Range encoding", 1979), without carries: the interval is
 * kept as its two ends, and a byte goes out as soon as both begin with it. A reader finds zeros
 * past the end of a stream, so any bytes decode to something.
 */
#ifndef CODECS_RANGE_H
#define CODECS_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANGE_ONE = 65536 }; /* probabilities: 1 .. RANGE_ONE - 1 */

struct range_writer {
	uint32_t low, high;
	uint8_t *bytes;
	size_t size, capacity;
	bool full; /* bytes were dropped: `capacity` is too small */
};

static inline struct range_writer range_write(uint8_t *bytes, size_t capacity)
{
	return (struct range_writer){0, UINT32_MAX, bytes, 0, capacity, false};
}

static inline void range_put_byte(struct range_writer *w, uint8_t byte)
{
	if (w->size < w->capacity)
		w->bytes[w->size++] = byte;
	else
		w->full = true;
}

/* The last number of the lower part, which stands for 1. That part has `probability` of the
   interval, and at least one number. */
static inline uint32_t range_middle(uint32_t low, uint32_t high, uint32_t probability)
{
	return low + (uint32_t)((uint64_t)(high - low) * probability >> 16);
}

static inline void range_put(struct range_writer *w, uint32_t probability, bool bit)
{
	const uint32_t middle = range_middle(w->low, w->high, probability);
	if (bit)
		w->high = middle;
	else
		w->low = middle + 1;
	while (!((w->low ^ w->high) >> 24)) {
		range_put_byte(w, (uint8_t)(w->high >> 24));
		w->low <<= 8;
		w->high = w->high << 8 | 255;
	}
}

/* Writes the fewest bytes that, followed by zeros, lie in the interval. */
static inline void range_end(struct range_writer *w)
{
	for (unsigned bytes = 0;; bytes++) {
		const uint64_t unit = UINT64_C(1) << (32 - 8 * bytes);
		const uint64_t inside = (w->low + unit - 1) & ~(unit - 1);
		if (inside > w->high)
			continue;
		for (unsigned i = 0; i < bytes; i++)
			range_put_byte(w, (uint8_t)(inside >> (24 - 8 * i)));
		return;
	}
}

struct range_reader {
	uint32_t low, high, value;
	const uint8_t *at, *end;
};

static inline uint8_t range_get_byte(struct range_reader *r)
{
	return r->at < r->end ? *r->at++ : 0;
}

static inline struct range_reader range_read(const uint8_t *bytes, size_t size)
{
	struct range_reader r = {0, UINT32_MAX, 0, bytes, bytes + size};
	for (unsigned i = 0; i < 4; i++)
		r.value = r.value << 8 | range_get_byte(&r);
	return r;
}

/* Inlined into every caller, so that a reader stays in registers. */
static inline __attribute__((always_inline)) bool range_get(struct range_reader *r,
                                                            uint32_t probability)
{
	const uint32_t middle = range_middle(r->low, r->high, probability);
	const bool bit = r->value <= middle;
	if (bit)
		r->high = middle;
	else
		r->low = middle + 1;
	while (!((r->low ^ r->high) >> 24)) {
		r->low <<= 8;
		r->high = r->high << 8 | 255;
		r->value = r->value << 8 | range_get_byte(r);
	}
	return bit;
}

/* Moves a probability towards the bit just coded. */
static inline void range_adapt(uint16_t *probability, bool bit)
{
	*probability = (uint16_t)(bit ? *probability + ((RANGE_ONE - 32 - *probability) >> 5)
	                              : *probability - ((*probability - 32) >> 5));
}

/* A bit under a probability that adapts, for a codec that writes and reads in the same steps: it has
   either a writer or a reader. */
struct range_stream {
	struct range_writer *writer;
	struct range_reader *reader;
};

static inline bool range_code(struct range_stream *s, uint16_t *probability, bool bit)
{
	if (s->writer)
		range_put(s->writer, *probability, bit);
	else
		bit = range_get(s->reader, *probability);
	range_adapt(probability, bit);
	return bit;
}

#endif
