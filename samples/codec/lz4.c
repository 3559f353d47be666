/* SPDX-License-Identifier: MIT */
/*
 * lz4: as built-in codecs do with their libraries, with liblz4. It takes half as much
 * again as zstd, and a probe is hardly faster; samples/compression.md has the figures.
 *
 * With `dict`, a dictionary is trained for the plane by libzstd, whose trainer suits LZ4 as well, and
 * blocks are compressed with it: as the program chesstb writes its tables of outcomes.
 */
#include "bytes.h"

#include <lz4.h>
#include <lz4hc.h>
#include <zdict.h>

enum { OPTION_LEVEL, OPTION_DICT };

static size_t library_bound(size_t plain)
{
	return (size_t)LZ4_compressBound((int)plain);
}

static size_t library_compress(const struct el_codec_params *params, struct learned learned,
                               const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	const int level = params->option[OPTION_LEVEL];
	int done = 0;
	if (!learned.size) {
		done = LZ4_compress_HC((const char *)in, (char *)out, (int)size, (int)room, level);
		return done > 0 ? (size_t)done : 0;
	}
	LZ4_streamHC_t *stream = LZ4_createStreamHC();
	if (!stream)
		return 0;
	LZ4_resetStreamHC_fast(stream, level);
	LZ4_loadDictHC(stream, (const char *)learned.bytes, (int)learned.size);
	done = LZ4_compress_HC_continue(stream, (const char *)in, (char *)out, (int)size,
	                                (int)room);
	LZ4_freeStreamHC(stream);
	return done > 0 ? (size_t)done : 0;
}

static bool library_expand(struct learned learned, const uint8_t *in, size_t size, uint8_t *out,
                           size_t plain)
{
	return LZ4_decompress_safe_usingDict((const char *)in, (char *)out, (int)size, (int)plain,
	                                     (const char *)learned.bytes,
	                                     (int)learned.size) == (int)plain;
}

static size_t library_memory(size_t plain)
{
	(void)plain;
	return 0;
}

/* ---- the dictionary ---- */

static bool lz4_prepares(const struct el_codec_params *params)
{
	return params->option[OPTION_DICT] && params->value_count > 1;
}

/* A plane that is too small or too uniform for a dictionary gets none. */
static enum el_status lz4_prepare(const struct el_codec_params *params,
                                  const struct el_codec_plane *plane, const struct el_watch *watch,
                                  uint8_t **learned, size_t *size, struct el_error *error)
{
	/* zstd's manual advises samples of a hundred times the dictionary. */
	enum { RATIO = 100, LEAST = 8 };
	const size_t most = (size_t)params->option[OPTION_DICT] * 1024;
	const size_t plain = plain_size(params, params->block_positions);
	const uint64_t blocks = plane->positions / params->block_positions;
	(void)watch;
	*learned = NULL;
	*size = 0;
	if (!lz4_prepares(params) || blocks < LEAST)
		return EL_OK;
	const uint64_t wanted = (uint64_t)most * RATIO / plain + LEAST;
	const unsigned count = (unsigned)(blocks < wanted ? blocks : wanted);
	uint8_t *dictionary = malloc(most), *samples = malloc(count * plain);
	size_t *sizes = malloc(count * sizeof *sizes), trained = 0;
	const bool room = dictionary && samples && sizes;
	for (unsigned i = 0; i < count && room; i++) {
		const uint64_t first = blocks * i / count * params->block_positions;
		pack(bits_of(params->value_count), plane->symbols + first, params->block_positions,
		     samples + i * plain);
		sizes[i] = plain;
	}
	if (room)
		trained = ZDICT_trainFromBuffer(dictionary, most, samples, sizes, count);
	free(samples);
	free(sizes);
	if (!room || ZDICT_isError(trained)) {
		free(dictionary);
		return room ? EL_OK : el_fail(error, EL_MEMORY, "lz4: out of memory");
	}
	*learned = dictionary;
	*size = trained;
	return EL_OK;
}

static enum el_status lz4_open(const struct el_codec_params *params, const uint8_t *learned,
                               size_t size, void **coder, struct el_error *error)
{
	if (size && !ZDICT_getDictID(learned, size))
		return el_fail(error, EL_DAMAGED,
		               "lz4: expected a dictionary, found %zu bytes that are none", size);
	return bytes_open(params, learned, size, coder, error);
}

static const struct el_codec_option options[] = {
	[OPTION_LEVEL] = {"level", "effort", LZ4HC_CLEVEL_MIN, LZ4HC_CLEVEL_MAX, LZ4HC_CLEVEL_MAX},
	[OPTION_DICT] = {"dict", "KiB of a dictionary made for the plane, 0 for none", 0, 64, 0},
};

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "lz4",
	.summary = "LZ4, a sample",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.prepares = lz4_prepares,
	.prepare = lz4_prepare,
	.open = lz4_open,
	.close = free,
	.memory = bytes_memory,
	.bound = bytes_bound,
	.encode = bytes_encode,
	.decode = bytes_decode,
};
