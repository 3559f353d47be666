/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zstd: symbols packed into bytes, in one Zstandard frame without magic number, content size and
 * checksum, all of which the table knows already. An alphabet of one takes no bytes at all.
 */
#define ZSTD_STATIC_LINKING_ONLY /* for the format without magic number */
#include "endlab/codec.h"

#include "packing.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* libzstd before 1.5.5 looks for a magic number behind a frame, however few bytes are left there. */
enum { LOOKAHEAD = 4 };

struct coder {
	struct el_codec_params params;
	ZSTD_CCtx *compressor;
	ZSTD_DCtx *decompressor;
	uint8_t *plain; /* a block as bytes */
	uint8_t *frame; /* the same compressed, and LOOKAHEAD zeros */
};

static void zstd_close(void *coder)
{
	struct coder *c = coder;
	ZSTD_freeCCtx(c->compressor);
	ZSTD_freeDCtx(c->decompressor);
	free(c->plain);
	free(c->frame);
	free(c);
}

/* False when zstd refuses, as it would for want of memory. */
static bool set_up(struct coder *c)
{
	c->compressor = ZSTD_createCCtx();
	c->decompressor = ZSTD_createDCtx();
	size_t plain = packing_size(c->params.value_count, c->params.block_positions);
	c->plain = malloc(plain + 1);
	c->frame = malloc(ZSTD_compressBound(plain) + LOOKAHEAD);
	if (!c->compressor || !c->decompressor || !c->plain || !c->frame)
		return false;
	const struct {
		ZSTD_cParameter name;
		int value;
	} set[] = {
		{ZSTD_c_compressionLevel, c->params.option[0]},
		{ZSTD_c_format, ZSTD_f_zstd1_magicless},
		{ZSTD_c_contentSizeFlag, 0},
		{ZSTD_c_checksumFlag, 0},
		{ZSTD_c_dictIDFlag, 0},
	};
	for (size_t i = 0; i < sizeof set / sizeof *set; i++)
		if (ZSTD_isError(ZSTD_CCtx_setParameter(c->compressor, set[i].name, set[i].value)))
			return false;
	return !ZSTD_isError(
		ZSTD_DCtx_setParameter(c->decompressor, ZSTD_d_format, ZSTD_f_zstd1_magicless));
}

static enum el_status zstd_open(const struct el_codec_params *params, const uint8_t *learned,
                                size_t size, void **coder, struct el_error *error)
{
	(void)learned;
	if (size)
		return el_fail(error, EL_DAMAGED, "zstd: expected no learned bytes, found %zu",
		               size);
	struct coder *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "zstd: out of memory");
	c->params = *params;
	if (!set_up(c)) {
		zstd_close(c);
		return el_fail(error, EL_MEMORY, "zstd: out of memory");
	}
	*coder = c;
	return EL_OK;
}

static size_t zstd_bound(const struct el_codec_params *params, size_t count)
{
	return ZSTD_compressBound(packing_size(params->value_count, count));
}

static enum el_status zstd_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                  size_t capacity, size_t *size, struct el_error *error)
{
	const struct coder *c = coder;
	size_t plain = packing_size(c->params.value_count, count);
	*size = 0;
	if (!plain)
		return EL_OK;
	packing_pack(c->params.value_count, symbols, count, c->plain);
	size_t done = ZSTD_compress2(c->compressor, out, capacity, c->plain, plain);
	if (ZSTD_isError(done))
		return el_fail(error, EL_MEMORY, "zstd: %s", ZSTD_getErrorName(done));
	*size = done;
	return EL_OK;
}

/* Fills c->plain with exactly `expected` bytes. */
static enum el_status decompress(const struct coder *c, const uint8_t *bytes, size_t size,
                                 size_t expected, struct el_error *error)
{
	size_t found = size, most = ZSTD_compressBound(expected);
	if (size > most)
		return el_fail(error, EL_DAMAGED, "zstd: expected at most %zu bytes, found %zu", most,
		               size);
	if (expected) {
		memcpy(c->frame, bytes, size);
		memset(c->frame + size, 0, LOOKAHEAD);
		found = ZSTD_decompressDCtx(c->decompressor, c->plain, expected, c->frame, size);
	}
	if (ZSTD_isError(found))
		return el_fail(error, EL_DAMAGED, "zstd: %s", ZSTD_getErrorName(found));
	if (found != expected)
		return el_fail(error, EL_DAMAGED, "zstd: expected %zu bytes, found %zu", expected,
		               found);
	return EL_OK;
}

static enum el_status zstd_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                                  size_t count, struct el_error *error)
{
	const struct coder *c = coder;
	uint32_t value_count = c->params.value_count;
	enum el_status status = decompress(c, bytes, size, packing_size(value_count, count), error);
	if (status)
		return status;
	uint16_t largest = packing_unpack(value_count, c->plain, symbols, count);
	if (largest >= value_count)
		return el_fail(error, EL_DAMAGED, "zstd: expected symbols below %u, found %u",
		               value_count, largest);
	return EL_OK;
}

static size_t zstd_memory(const struct el_codec_params *params, size_t learned)
{
	size_t plain = packing_size(params->value_count, params->block_positions);
	return sizeof(struct coder) + ZSTD_estimateCCtxSize(1) + ZSTD_estimateDCtxSize() + plain +
	       ZSTD_compressBound(plain) + learned;
}

static const struct el_codec_option options[] = {
	{"level", "effort, 22 the most", 1, 22, 7},
};

const struct el_codec el_codec_zstd = {
	.abi = EL_CODEC_ABI,
	.name = "zstd",
	.summary = "Zstandard, one frame a block",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.open = zstd_open,
	.close = zstd_close,
	.memory = zstd_memory,
	.bound = zstd_bound,
	.encode = zstd_encode,
	.decode = zstd_decode,
};
