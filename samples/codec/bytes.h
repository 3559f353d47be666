/* SPDX-License-Identifier: MIT */
/*
 * What a codec needs around a library that compresses bytes: symbols are packed into bytes, 8, 4, 2
 * or 1 to a byte, or 1 to two bytes. lz4.c, brotli.c and ranks.c include this and define the functions
 * below; for another library, do the same.
 */
#include "endlab/codec.h"

#include <stdlib.h>
#include <string.h>

/* What the codec learned from the plane, if it defines `prepare`. */
struct learned {
	const uint8_t *bytes;
	size_t size; /* 0: nothing */
};

/* The most bytes that `plain` ones can become. */
static size_t library_bound(size_t plain);
/* Into `room` bytes, which are no fewer than that; 0: it failed. */
static size_t library_compress(const struct el_codec_params *params, struct learned,
                               const uint8_t *in, size_t size, uint8_t *out, size_t room);
/* The bytes may come from anywhere. False unless they become `plain` bytes, neither more nor
   fewer. */
static bool library_expand(struct learned, const uint8_t *in, size_t size, uint8_t *out,
                           size_t plain);
/* What expanding a block of `plain` bytes allocates for a while. */
static size_t library_memory(size_t plain);

/* It is what including files define, with the functions below. */
extern const struct el_codec el_codec_plugin;

struct coder {
	struct el_codec_params params;
	struct learned learned;
	uint8_t plain[]; /* a block */
};

/* ---- symbols and bytes ---- */

static unsigned bits_of(uint32_t value_count)
{
	unsigned bits = 1;
	while (UINT32_C(1) << bits < value_count)
		bits *= 2;
	return value_count > 1 ? bits : 0;
}

static size_t plain_size(const struct el_codec_params *params, size_t count)
{
	return (count * bits_of(params->value_count) + 7) / 8;
}

static void pack(unsigned bits, const uint16_t *symbols, size_t count, uint8_t *bytes)
{
	memset(bytes, 0, (count * bits + 7) / 8);
	for (size_t i = 0; i < count && bits; i++) {
		bytes[i * bits / 8] |= (uint8_t)(symbols[i] << i * bits % 8);
		if (bits == 16)
			bytes[2 * i + 1] = (uint8_t)(symbols[i] >> 8);
	}
}

/* Inline, so that each call below gets a loop of its own. Returns the largest symbol. */
static inline uint16_t unpack(unsigned bits, const uint8_t *bytes, size_t count, uint16_t *symbols)
{
	uint16_t largest = 0;
	for (size_t i = 0; i < count; i++) {
		const unsigned low = bits ? (unsigned)bytes[i * bits / 8] >> i * bits % 8 : 0;
		const unsigned high = bits == 16 ? bytes[2 * i + 1] : 0;
		const unsigned mask = bits < 8 ? (1u << bits) - 1 : 255;
		symbols[i] = (uint16_t)((low & mask) | high << 8);
		largest = symbols[i] > largest ? symbols[i] : largest;
	}
	return largest;
}

static uint16_t unpack_any(unsigned bits, const uint8_t *bytes, size_t count, uint16_t *symbols)
{
	switch (bits) {
	case 0:
		return unpack(0, bytes, count, symbols);
	case 1:
		return unpack(1, bytes, count, symbols);
	case 2:
		return unpack(2, bytes, count, symbols);
	case 4:
		return unpack(4, bytes, count, symbols);
	case 8:
		return unpack(8, bytes, count, symbols);
	default:
		return unpack(16, bytes, count, symbols);
	}
}

/* ---- the codec ---- */

static enum el_status bytes_open(const struct el_codec_params *params, const uint8_t *learned,
                                 size_t size, void **coder, struct el_error *error)
{
	const struct el_codec *codec = &el_codec_plugin;
	const bool learns = codec->prepare && (!codec->prepares || codec->prepares(params));
	if (size && !learns)
		return el_fail(error, EL_DAMAGED, "%s: expected no learned bytes, found %zu",
		               codec->name, size);
	struct coder *c = malloc(sizeof *c + plain_size(params, params->block_positions));
	if (!c)
		return el_fail(error, EL_MEMORY, "%s: out of memory", codec->name);
	c->params = *params;
	c->learned = (struct learned){learned, size};
	*coder = c;
	return EL_OK;
}

static size_t bytes_memory(const struct el_codec_params *params, size_t learned)
{
	const size_t plain = plain_size(params, params->block_positions);
	(void)learned;
	return sizeof(struct coder) + plain + library_memory(plain);
}

static size_t bytes_bound(const struct el_codec_params *params, size_t count)
{
	const size_t plain = plain_size(params, count);
	return plain ? library_bound(plain) : 0;
}

static enum el_status bytes_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                   size_t capacity, size_t *size, struct el_error *error)
{
	struct coder *c = coder;
	const size_t plain = plain_size(&c->params, count);
	*size = 0;
	if (!plain)
		return EL_OK;
	pack(bits_of(c->params.value_count), symbols, count, c->plain);
	*size = library_compress(&c->params, c->learned, c->plain, plain, out, capacity);
	return *size ? EL_OK
	             : el_fail(error, EL_MEMORY, "%s: %zu bytes cannot be compressed",
	                       el_codec_plugin.name, plain);
}

static enum el_status bytes_decode(void *coder, const uint8_t *bytes, size_t size,
                                   uint16_t *symbols, size_t count, struct el_error *error)
{
	struct coder *c = coder;
	const size_t plain = plain_size(&c->params, count);
	if (plain ? !library_expand(c->learned, bytes, size, c->plain, plain) : size > 0)
		return el_fail(error, EL_DAMAGED,
		               "%s: expected bytes that become %zu, found %zu others",
		               el_codec_plugin.name, plain, size);
	const uint16_t largest =
		unpack_any(bits_of(c->params.value_count), c->plain, count, symbols);
	return largest < c->params.value_count
	               ? EL_OK
	               : el_fail(error, EL_DAMAGED, "%s: expected symbols below %u, found %u",
	                         el_codec_plugin.name, c->params.value_count, largest);
}
