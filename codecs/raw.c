/* SPDX-License-Identifier: MIT */
/*
 * raw: each symbol takes as few whole bits as its alphabet needs, none for an alphabet of one. The
 * first symbol is in the lowest bits of the first byte; unused bits of the last byte are zero.
 */
#include "endlab/codec.h"

#include "checks.h"

#include <stdlib.h>

struct coder {
	uint32_t value_count;
	unsigned bits; /* of a symbol: 0 .. 16 */
};

static unsigned bits_of(uint32_t value_count)
{
	return value_count > 1 ? 32 - (unsigned)__builtin_clz(value_count - 1) : 0;
}

static size_t packed_size(unsigned bits, size_t count)
{
	return (count * bits + 7) / 8;
}

static enum el_status raw_open(const struct el_codec_params *params, const uint8_t *learned,
                               size_t size, void **coder, struct el_error *error)
{
	(void)learned;
	enum el_status status = check_learned("raw", size, error);
	if (status)
		return status;
	struct coder *c = malloc(sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "raw: out of memory");
	*c = (struct coder){params->value_count, bits_of(params->value_count)};
	*coder = c;
	return EL_OK;
}

static size_t raw_bound(const struct el_codec_params *params, size_t count)
{
	return packed_size(bits_of(params->value_count), count);
}

static enum el_status raw_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                 size_t capacity, size_t *size, struct el_error *error)
{
	const struct coder *c = coder;
	uint32_t waiting = 0; /* bits not yet written, `held` of them */
	unsigned held = 0;
	*size = packed_size(c->bits, count);
	if (*size > capacity)
		return el_fail(error, EL_USAGE, "raw: %zu bytes needed, %zu given", *size,
		               capacity);
	for (size_t i = 0; i < count; i++) {
		waiting |= (uint32_t)symbols[i] << held;
		for (held += c->bits; held >= 8; held -= 8, waiting >>= 8)
			*out++ = (uint8_t)waiting;
	}
	if (held)
		*out = (uint8_t)waiting;
	return EL_OK;
}

static enum el_status raw_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                                 size_t count, struct el_error *error)
{
	const struct coder *c = coder;
	enum el_status status = check_size("raw", packed_size(c->bits, count), size, error);
	if (status)
		return status;
	uint32_t waiting = 0; /* bits not yet read, `held` of them */
	uint32_t largest = 0, mask = (UINT32_C(1) << c->bits) - 1;
	unsigned held = 0;
	for (size_t i = 0; i < count; i++) {
		for (; held < c->bits; held += 8)
			waiting |= (uint32_t)*bytes++ << held;
		uint32_t symbol = waiting & mask;
		waiting >>= c->bits;
		held -= c->bits;
		largest = symbol > largest ? symbol : largest;
		symbols[i] = (uint16_t)symbol;
	}
	status = check_symbol("raw", c->value_count, largest, error);
	if (!status && waiting)
		status = el_fail(error, EL_DAMAGED, "raw: expected zeros behind the last symbol");
	return status;
}

static enum el_status raw_decode_one(const void *coder, const uint8_t *bytes, size_t size,
                                     size_t count, size_t at, uint16_t *symbol,
                                     struct el_error *error)
{
	const struct coder *c = coder;
	enum el_status status = check_size("raw", packed_size(c->bits, count), size, error);
	if (status)
		return status;
	const size_t bit = at * c->bits;
	uint32_t found = 0;
	for (size_t got = 0; got < c->bits; got += 8 - (bit + got) % 8)
		found |= (uint32_t)(bytes[(bit + got) / 8] >> (bit + got) % 8) << got;
	found &= (UINT32_C(1) << c->bits) - 1;
	*symbol = (uint16_t)found;
	return check_symbol("raw", c->value_count, found, error);
}

static enum el_status raw_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                                 void (*visit)(void *context, const struct el_codec_token *),
                                 void *context, struct el_error *error)
{
	const struct coder *c = coder;
	const size_t used = count * c->bits, left = 8 * size - used;
	(void)bytes;
	enum el_status status = check_size("raw", packed_size(c->bits, count), size, error);
	if (status)
		return status;
	for (size_t i = 0; i < count && c->bits; i++)
		visit(context,
		      &(struct el_codec_token){
			      .bit = i * c->bits, .bits = c->bits, .first = i, .count = 1});
	if (!c->bits)
		visit(context, &(struct el_codec_token){.count = count});
	if (left)
		visit(context, &(struct el_codec_token){.bit = used, .bits = left});
	return EL_OK;
}

static size_t raw_memory(const struct el_codec_params *params, size_t learned)
{
	(void)params, (void)learned;
	return sizeof(struct coder);
}

const struct el_codec el_codec_raw = {
	.abi = EL_CODEC_ABI,
	.name = "raw",
	.summary = "whole bits per position, no compression",
	.open = raw_open,
	.close = free,
	.memory = raw_memory,
	.bound = raw_bound,
	.encode = raw_encode,
	.decode = raw_decode,
	.decode_one = raw_decode_one,
	.tokens = raw_tokens,
};
