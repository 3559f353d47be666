/* SPDX-License-Identifier: MIT */
/*
 * pages: a codec to copy. A block is cut into pages of 64 positions, or as many as are asked for. A
 * page of one symbol all over is stored as that symbol, any other as all of its symbols; in front
 * of them stands one byte a page that says which: 0 or 1.
 *
 * All that a codec knows of Endlab is this header; el_fail is in the program that loads it.
 */
#include "endlab/codec.h"

#include <stdlib.h>
#include <string.h>

/* A codec has no globals: `open` makes what the others need, and `close` frees it. */
struct coder {
	struct el_codec_params params;
};

static size_t page_count(const struct el_codec_params *params, size_t count)
{
	const size_t page = (size_t)params->option[0]; /* the first of `options` below */
	return (count + page - 1) / page;
}

/* The positions of page i; the last may be a short one. */
static size_t page_length(const struct el_codec_params *params, size_t count, size_t i)
{
	const size_t page = (size_t)params->option[0], rest = count - i * page;
	return rest < page ? rest : page;
}

static enum el_status pages_open(const struct el_codec_params *params, const uint8_t *learned,
                                 size_t size, void **coder, struct el_error *error)
{
	(void)learned; /* there is no `prepare`, so nothing can have been learned */
	if (size)
		return el_fail(error, EL_DAMAGED, "pages: expected no learned bytes, found %zu",
		               size);
	struct coder *c = malloc(sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "pages: out of memory");
	c->params = *params;
	*coder = c;
	return EL_OK;
}

static size_t pages_memory(const struct el_codec_params *params, size_t learned)
{
	(void)params, (void)learned;
	return sizeof(struct coder);
}

/* `encode` is given at least this much room, so it need not look at its `capacity`. */
static size_t pages_bound(const struct el_codec_params *params, size_t count)
{
	return page_count(params, count) + count * sizeof(uint16_t);
}

static bool is_constant(const uint16_t *symbols, size_t count)
{
	return !memcmp(symbols, symbols + 1, (count - 1) * sizeof *symbols);
}

static enum el_status pages_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                   size_t capacity, size_t *size, struct el_error *error)
{
	const struct coder *c = coder;
	const size_t pages = page_count(&c->params, count);
	uint8_t *end = out + pages;
	(void)capacity, (void)error;
	for (size_t i = 0; i < pages; i++) {
		const size_t length = page_length(&c->params, count, i);
		out[i] = !is_constant(symbols, length);
		for (size_t k = 0; k < (out[i] ? length : 1); k++) {
			*end++ = (uint8_t)symbols[k]; /* low byte first, on every machine */
			*end++ = (uint8_t)(symbols[k] >> 8);
		}
		symbols += length;
	}
	*size = (size_t)(end - out);
	return EL_OK;
}

/* The bytes may come from anywhere: check what is read, and what is made of it. */
static enum el_status pages_decode(void *coder, const uint8_t *bytes, size_t size,
                                   uint16_t *symbols, size_t count, struct el_error *error)
{
	const struct coder *c = coder;
	const size_t pages = page_count(&c->params, count);
	size_t at = pages;
	for (size_t i = 0; i < pages && at <= size; i++) {
		const size_t length = page_length(&c->params, count, i);
		const size_t step = bytes[i] ? 2 : 0; /* bytes from one symbol to the next */
		if (size - at < step * (length - 1) + 2)
			return el_fail(error, EL_DAMAGED, "pages: expected page %zu, found the end",
			               i);
		for (size_t k = 0; k < length; k++) {
			const uint8_t *low = bytes + at + k * step;
			*symbols = (uint16_t)(low[0] | low[1] << 8);
			if (*symbols++ >= c->params.value_count)
				return el_fail(error, EL_DAMAGED,
				               "pages: expected symbols below %u, found %u",
				               c->params.value_count, symbols[-1]);
		}
		at += step * (length - 1) + 2;
	}
	if (at != size)
		return el_fail(error, EL_DAMAGED, "pages: expected %zu bytes, found %zu", at, size);
	return EL_OK;
}

static const struct el_codec_option options[] = {
	{"page", "positions in a page", 2, 4096, 64},
};

/* `fill`, `prepare`, `fill_block`, `decode_one` and `tokens` are left out: the program does
   without. */
const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "pages",
	.summary = "pages of one value, a sample",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.open = pages_open,
	.close = free,
	.memory = pages_memory,
	.bound = pages_bound,
	.encode = pages_encode,
	.decode = pages_decode,
};
