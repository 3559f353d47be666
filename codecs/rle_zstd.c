/* SPDX-License-Identifier: MIT */
/*
 * rle-zstd: the runs of a block as `rle` writes them, without a directory, compressed with
 * Zstandard. The first layer removes repetition of neighbours, the second finds repetition at a
 * distance: the same runs again, a row of the board later.
 *
 *     block    size, frame; nothing for an alphabet of one
 *     size     of the runs, in bytes; low byte first, as many as their bound may need
 *     frame    of `zstd`, whose symbols are these bytes
 *
 * Both layers are the codecs of these names; this file depends on neither's format.
 */
#include "builtin.h"
#include "checks.h"

#include <stdlib.h>

enum { OPTION_LEVEL };

enum { BYTE_VALUES = 256 };

struct coder {
	struct el_codec_params runs_params; /* of the first layer */
	void *runs, *bytes;                 /* coders of the first and the second layer */
	uint8_t *plain;                     /* a block between the layers */
	uint16_t *symbols;                  /* the same as symbols for the second layer */
};

static struct el_codec_params runs_params(const struct el_codec_params *params)
{
	return (struct el_codec_params){
		.value_count = params->value_count,
		.block_positions = params->block_positions,
	};
}

/* The most bytes between the layers for so many symbols; at least 1, so that malloc does not get
   0. */
static size_t plain_bound(const struct el_codec_params *runs, size_t count)
{
	const size_t bound = el_codec_rle.bound(runs, count);
	return bound ? bound : 1;
}

static struct el_codec_params bytes_params(const struct el_codec_params *params)
{
	const struct el_codec_params runs = runs_params(params);
	return (struct el_codec_params){
		.value_count = BYTE_VALUES,
		.block_positions = (uint32_t)plain_bound(&runs, params->block_positions),
		.option = {params->option[OPTION_LEVEL]},
	};
}

/* Bytes of the size field before a frame. */
static size_t size_bytes(size_t bound)
{
	size_t bytes = 1;
	while (bound >>= 8)
		bytes++;
	return bytes;
}

static void rle_zstd_close(void *coder)
{
	struct coder *c = coder;
	if (c->runs)
		el_codec_rle.close(c->runs);
	if (c->bytes)
		el_codec_zstd.close(c->bytes);
	free(c->plain);
	free(c->symbols);
	free(c);
}

static enum el_status rle_zstd_open(const struct el_codec_params *params, const uint8_t *learned,
                                    size_t size, void **coder, struct el_error *error)
{
	const struct el_codec_params bytes = bytes_params(params);
	(void)learned;
	enum el_status status = check_learned("rle-zstd", size, error);
	if (status)
		return status;
	struct coder *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "rle-zstd: out of memory");
	c->runs_params = runs_params(params);
	c->plain = malloc(bytes.block_positions);
	c->symbols = malloc(bytes.block_positions * sizeof *c->symbols);
	if (!c->plain || !c->symbols)
		status = el_fail(error, EL_MEMORY, "rle-zstd: out of memory");
	if (!status)
		status = el_codec_rle.open(&c->runs_params, NULL, 0, &c->runs, error);
	if (!status)
		status = el_codec_zstd.open(&bytes, NULL, 0, &c->bytes, error);
	if (status)
		rle_zstd_close(c);
	else
		*coder = c;
	return status;
}

static size_t rle_zstd_memory(const struct el_codec_params *params, size_t learned)
{
	const struct el_codec_params runs = runs_params(params), bytes = bytes_params(params);
	const size_t between = bytes.block_positions * (sizeof(uint8_t) + sizeof(uint16_t));
	(void)learned;
	return sizeof(struct coder) + between + el_codec_rle.memory(&runs, 0) +
	       el_codec_zstd.memory(&bytes, 0);
}

static size_t rle_zstd_bound(const struct el_codec_params *params, size_t count)
{
	const struct el_codec_params runs = runs_params(params), bytes = bytes_params(params);
	const size_t plain = plain_bound(&runs, count);
	return size_bytes(plain) + el_codec_zstd.bound(&bytes, plain);
}

static enum el_status rle_zstd_encode(void *coder, const uint16_t *symbols, size_t count,
                                      uint8_t *out, size_t capacity, size_t *size,
                                      struct el_error *error)
{
	struct coder *c = coder;
	const size_t bound = plain_bound(&c->runs_params, count), head = size_bytes(bound);
	size_t plain;
	*size = 0;
	enum el_status status =
		el_codec_rle.encode(c->runs, symbols, count, c->plain, bound, &plain, error);
	if (status || !plain)
		return status;
	for (size_t i = 0; i < head; i++)
		out[i] = (uint8_t)(plain >> 8 * i);
	for (size_t i = 0; i < plain; i++)
		c->symbols[i] = c->plain[i];
	status = el_codec_zstd.encode(c->bytes, c->symbols, plain, out + head, capacity - head,
	                              size, error);
	*size += status ? 0 : head;
	return status;
}

static enum el_status rle_zstd_decode(void *coder, const uint8_t *bytes, size_t size,
                                      uint16_t *symbols, size_t count, struct el_error *error)
{
	struct coder *c = coder;
	const size_t bound = plain_bound(&c->runs_params, count), head = size_bytes(bound);
	size_t plain = 0;
	enum el_status status = EL_OK;
	if (c->runs_params.value_count == 1) {
		status = check_size("rle-zstd", 0, size, error);
	} else if (size <= head) {
		status = el_fail(error, EL_DAMAGED,
		                 "rle-zstd: expected a size and a frame, found %zu bytes", size);
	} else {
		for (size_t i = 0; i < head; i++)
			plain |= (size_t)bytes[i] << 8 * i;
		if (!plain || plain > bound)
			return el_fail(error, EL_DAMAGED,
			               "rle-zstd: expected 1 to %zu bytes of runs, found %zu",
			               bound, plain);
		status = el_codec_zstd.decode(c->bytes, bytes + head, size - head, c->symbols,
		                              plain, error);
	}
	for (size_t i = 0; i < plain && !status; i++)
		c->plain[i] = (uint8_t)c->symbols[i];
	return status ? status
	              : el_codec_rle.decode(c->runs, c->plain, plain, symbols, count, error);
}

/* The fewest runs leave the second layer the least to compress. */
static enum el_status rle_zstd_fill(const struct el_codec_params *params,
                                    const struct el_codec_plane *plane,
                                    const struct el_watch *watch, struct el_error *error)
{
	const struct el_codec_params runs = runs_params(params);
	return el_codec_rle.fill(&runs, plane, watch, error);
}

static const struct el_codec_option options[] = {
	[OPTION_LEVEL] = {"level", "effort, 22 the most", 1, 22, 19},
};

const struct el_codec el_codec_rle_zstd = {
	.abi = EL_CODEC_ABI,
	.name = "rle-zstd",
	.summary = "runs, and Zstandard over them",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.fill = rle_zstd_fill,
	.open = rle_zstd_open,
	.close = rle_zstd_close,
	.memory = rle_zstd_memory,
	.bound = rle_zstd_bound,
	.encode = rle_zstd_encode,
	.decode = rle_zstd_decode,
};
