/* SPDX-License-Identifier: MIT */
/*
 * brotli: as built-in codecs do with their libraries, with libbrotlidec and libbrotlienc. Its
 * decoder allocates and frees memory in every block, one reason why it is no built-in codec.
 */
#include "bytes.h"

#include <brotli/decode.h>
#include <brotli/encode.h>

enum { WINDOW = BROTLI_MAX_WINDOW_BITS, TABLES = 1 << 17 /* that a decoder makes */ };

static size_t library_bound(size_t plain)
{
	return BrotliEncoderMaxCompressedSize(plain);
}

static size_t library_compress(const struct el_codec_params *params, struct learned learned,
                               const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	(void)learned;
	return BrotliEncoderCompress(params->option[0], WINDOW, BROTLI_MODE_GENERIC, size, in,
	                             &room, out)
	               ? room
	               : 0;
}

static bool library_expand(struct learned learned, const uint8_t *in, size_t size, uint8_t *out,
                           size_t plain)
{
	(void)learned;
	size_t made = plain;
	return BrotliDecoderDecompress(size, in, &made, out) == BROTLI_DECODER_RESULT_SUCCESS &&
	       made == plain;
}

/* A window is never larger than what remains to be decoded, rounded up to a power of two. */
static size_t library_memory(size_t plain)
{
	return 2 * plain + TABLES;
}

static const struct el_codec_option options[] = {
	{"level", "effort", BROTLI_MIN_QUALITY, BROTLI_MAX_QUALITY, BROTLI_MAX_QUALITY},
};

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "brotli",
	.summary = "Brotli, a sample",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.open = bytes_open,
	.close = free,
	.memory = bytes_memory,
	.bound = bytes_bound,
	.encode = bytes_encode,
	.decode = bytes_decode,
};
