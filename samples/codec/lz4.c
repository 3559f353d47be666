/* SPDX-License-Identifier: MIT */
/*
 * lz4: as built-in codecs do with their libraries, with liblz4. It takes half as much
 * again as zstd, and a probe is hardly faster; samples/compression.md has the figures.
 */
#include "bytes.h"

#include <lz4.h>
#include <lz4hc.h>

static size_t library_bound(size_t plain)
{
	return (size_t)LZ4_compressBound((int)plain);
}

static size_t library_compress(const struct el_codec_params *params, const uint8_t *in, size_t size,
                               uint8_t *out, size_t room)
{
	const int done = LZ4_compress_HC((const char *)in, (char *)out, (int)size, (int)room,
	                                 params->option[0]);
	return done > 0 ? (size_t)done : 0;
}

static bool library_expand(const uint8_t *in, size_t size, uint8_t *out, size_t plain)
{
	return LZ4_decompress_safe((const char *)in, (char *)out, (int)size, (int)plain) ==
	       (int)plain;
}

static size_t library_memory(size_t plain)
{
	(void)plain;
	return 0;
}

static const struct el_codec_option options[] = {
	{"level", "effort", LZ4HC_CLEVEL_MIN, LZ4HC_CLEVEL_MAX, LZ4HC_CLEVEL_MAX},
};

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "lz4",
	.summary = "LZ4, a sample",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.open = bytes_open,
	.close = free,
	.memory = bytes_memory,
	.bound = bytes_bound,
	.encode = bytes_encode,
	.decode = bytes_decode,
};
