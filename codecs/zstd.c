/* SPDX-License-Identifier: MIT */
/*
 * zstd: symbols packed into bytes, in one Zstandard frame without magic number, content size and
 * checksum, all of which the table knows already. An alphabet of one takes no bytes. Blocks are
 * independent of each other except for a common dictionary, learned from the plane.
 */
#define ZSTD_STATIC_LINKING_ONLY /* for the format without magic number */
#include "endlab/codec.h"

#include "checks.h"
#include "core/base/hash.h"
#include "packing.h"

#include <stdlib.h>
#include <string.h>
#include <zdict.h>
#include <zstd.h>
#include <zstd_errors.h>

/* libzstd before 1.5.5 looks for a magic number after a frame, even past the end of the buffer. */
enum { LOOKAHEAD = 4 };

enum { OPTION_LEVEL, OPTION_DICT };

struct coder {
	struct el_codec_params params;
	const uint8_t *learned; /* the dictionary, of `learned_size` bytes; may be empty */
	size_t learned_size;
	ZSTD_CCtx *compressor; /* null until the first block is encoded */
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

static bool lacks_memory(size_t answer)
{
	return ZSTD_getErrorCode(answer) == ZSTD_error_memory_allocation;
}

/* All else is checked, so a failure of the compressor means lack of memory. */
static enum el_status refused(size_t answer, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "zstd: %s",
	               lacks_memory(answer) ? "out of memory" : ZSTD_getErrorName(answer));
}

/* Only encoding needs a compressor; null if zstd fails. */
static ZSTD_CCtx *make_compressor(const struct coder *c)
{
	const struct {
		ZSTD_cParameter name;
		int value;
	} set[] = {
		{ZSTD_c_compressionLevel, c->params.option[OPTION_LEVEL]},
		{ZSTD_c_format, ZSTD_f_zstd1_magicless},
		{ZSTD_c_contentSizeFlag, 0},
		{ZSTD_c_checksumFlag, 0},
		{ZSTD_c_dictIDFlag, 0},
	};
	ZSTD_CCtx *out = ZSTD_createCCtx();
	bool good = out &&
	            !ZSTD_isError(ZSTD_CCtx_loadDictionary_advanced(
			    out, c->learned, c->learned_size, ZSTD_dlm_byRef, ZSTD_dct_fullDict));
	for (size_t i = 0; i < sizeof set / sizeof *set && good; i++)
		good = !ZSTD_isError(ZSTD_CCtx_setParameter(out, set[i].name, set[i].value));
	if (!good)
		ZSTD_freeCCtx(out);
	return good ? out : NULL;
}

static enum el_status load_dictionary(struct coder *c, const uint8_t *learned, size_t size,
                                      struct el_error *error)
{
	const size_t most = (size_t)c->params.option[OPTION_DICT] * 1024;
	if (size > most)
		return el_fail(error, EL_DAMAGED,
		               "zstd: expected at most %zu learned bytes, found %zu", most, size);
	const size_t answer = ZSTD_DCtx_loadDictionary_advanced(c->decompressor, learned, size,
	                                                        ZSTD_dlm_byRef, ZSTD_dct_fullDict);
	if (ZSTD_isError(answer)) /* zstd always reports lack of memory here */
		return el_fail(error, EL_DAMAGED,
		               "zstd: expected a dictionary, found %zu other bytes", size);
	c->learned = learned;
	c->learned_size = size;
	return EL_OK;
}

static enum el_status zstd_open(const struct el_codec_params *params, const uint8_t *learned,
                                size_t size, void **coder, struct el_error *error)
{
	struct coder *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "zstd: out of memory");
	c->params = *params;
	const size_t plain = packing_size(params->value_count, params->block_positions);
	c->decompressor = ZSTD_createDCtx();
	c->plain = malloc(plain + 1);
	c->frame = malloc(ZSTD_compressBound(plain) + LOOKAHEAD);
	enum el_status status = EL_OK;
	if (!c->decompressor || !c->plain || !c->frame ||
	    ZSTD_isError(
		    ZSTD_DCtx_setParameter(c->decompressor, ZSTD_d_format, ZSTD_f_zstd1_magicless)))
		status = el_fail(error, EL_MEMORY, "zstd: out of memory");
	if (!status && size)
		status = load_dictionary(c, learned, size, error);
	if (status)
		zstd_close(c);
	else
		*coder = c;
	return status;
}

static size_t zstd_bound(const struct el_codec_params *params, size_t count)
{
	return ZSTD_compressBound(packing_size(params->value_count, count));
}

static enum el_status zstd_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                  size_t capacity, size_t *size, struct el_error *error)
{
	struct coder *c = coder;
	size_t plain = packing_size(c->params.value_count, count);
	*size = 0;
	if (!plain)
		return EL_OK;
	if (!c->compressor)
		c->compressor = make_compressor(c);
	if (!c->compressor)
		return el_fail(error, EL_MEMORY, "zstd: out of memory");
	packing_pack(c->params.value_count, symbols, count, c->plain);
	size_t done = ZSTD_compress2(c->compressor, out, capacity, c->plain, plain);
	if (ZSTD_isError(done))
		return refused(done, error);
	*size = done;
	return EL_OK;
}

static enum el_status zstd_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                                  size_t count, struct el_error *error)
{
	const struct coder *c = coder;
	uint32_t value_count = c->params.value_count;
	const size_t plain = packing_size(value_count, count), most = ZSTD_compressBound(plain);
	size_t found = size;
	if (size > most)
		return el_fail(error, EL_DAMAGED, "zstd: expected at most %zu bytes, found %zu",
		               most, size);
	if (plain) {
		memcpy(c->frame, bytes, size);
		memset(c->frame + size, 0, LOOKAHEAD);
		found = ZSTD_decompressDCtx(c->decompressor, c->plain, plain, c->frame, size);
	}
	if (ZSTD_isError(found))
		return el_fail(error, EL_DAMAGED, "zstd: %s", ZSTD_getErrorName(found));
	enum el_status status = check_size("zstd", plain, found, error);
	if (status)
		return status;
	uint16_t largest = packing_unpack(value_count, c->plain, symbols, count);
	return check_symbol("zstd", value_count, largest, error);
}

/* ---- learning ---- */

/*
 * How much to train a dictionary with: zstd's manual advises a hundred times its size, and the
 * trainer needs at least 8 samples.
 */
enum { SAMPLES_RATIO = 100, SAMPLES_LEAST = 8 };

static bool zstd_prepares(const struct el_codec_params *params)
{
	return params->option[OPTION_DICT] && params->value_count > 1;
}

/* A plane that is too small or too uniform for a dictionary gets none. */
static enum el_status zstd_prepare(const struct el_codec_params *params,
                                   const struct el_codec_plane *plane, const struct el_watch *watch,
                                   uint8_t **learned, size_t *size, struct el_error *error)
{
	const size_t most = (size_t)params->option[OPTION_DICT] * 1024;
	(void)watch;
	*learned = NULL;
	*size = 0;
	if (!zstd_prepares(params))
		return EL_OK;
	/* Without the short last block. */
	const size_t plain = packing_size(params->value_count, params->block_positions);
	const uint64_t blocks = plane->positions / params->block_positions;
	const uint64_t wanted = (uint64_t)most * SAMPLES_RATIO / plain + SAMPLES_LEAST;
	const unsigned count = (unsigned)(blocks < wanted ? blocks : wanted);
	uint8_t *dictionary = malloc(most), *samples = malloc(count * plain + 1);
	size_t *sizes = malloc(count * sizeof *sizes + 1);
	if (!dictionary || !samples || !sizes) {
		free(samples);
		free(sizes);
		free(dictionary);
		return el_fail(error, EL_MEMORY, "zstd: out of memory");
	}
	for (unsigned i = 0; i < count; i++) {
		const uint64_t first = sample_place(i, count, blocks) * params->block_positions;
		packing_pack(params->value_count, plane->symbols + first, params->block_positions,
		             samples + i * plain);
		sizes[i] = plain;
	}
	const size_t trained = ZDICT_trainFromBuffer(dictionary, most, samples, sizes, count);
	free(samples);
	free(sizes);
	if (ZDICT_isError(trained)) {
		free(dictionary);
		return lacks_memory(trained) ? refused(trained, error) : EL_OK;
	}
	*learned = dictionary;
	*size = trained;
	return EL_OK;
}

static size_t zstd_memory(const struct el_codec_params *params, size_t learned)
{
	size_t plain = packing_size(params->value_count, params->block_positions);
	return sizeof(struct coder) + ZSTD_estimateDCtxSize() + plain + ZSTD_compressBound(plain) +
	       LOOKAHEAD + (learned ? ZSTD_estimateDDictSize(learned, ZSTD_dlm_byRef) : 0);
}

static const struct el_codec_option options[] = {
	[OPTION_LEVEL] = {"level", "effort, 22 the most", 1, 22, 7},
	[OPTION_DICT] = {"dict", "KiB of a dictionary made for the plane, 0 for none", 0, 1024, 0},
};

const struct el_codec el_codec_zstd = {
	.abi = EL_CODEC_ABI,
	.name = "zstd",
	.summary = "Zstandard, one frame per block",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.prepares = zstd_prepares,
	.prepare = zstd_prepare,
	.open = zstd_open,
	.close = zstd_close,
	.memory = zstd_memory,
	.bound = zstd_bound,
	.encode = zstd_encode,
	.decode = zstd_decode,
};
