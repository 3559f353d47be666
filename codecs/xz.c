/* SPDX-License-Identifier: MIT */
/*
 * xz: symbols packed into bytes, compressed by LZMA. With `container` 0 a block is the bare output
 * of the compressor: the table knows the sizes, and the rest follows from the parameters. A block
 * that does not get smaller is stored uncompressed; its size shows that. With `container` 1 a block
 * is a whole .xz stream. An alphabet of one takes no bytes.
 */
#include "endlab/codec.h"

#include "checks.h"
#include "packing.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_LEVEL, OPTION_CONTAINER, OPTION_LC, OPTION_UNIT, OPTION_LP, OPTION_WINDOW };
enum { STREAM_MEMORY = 1 << 16 }; /* bytes that a decoder of .xz streams needs besides LZMA's */

struct coder {
	struct el_codec_params params;
	lzma_stream encoder, decoder; /* reused for all blocks with what they have allocated */
	uint8_t *plain;               /* a block as bytes */
};

/* ---- liblzma set up ---- */

/* The one filter of a block, and the end of the list. */
struct chain {
	lzma_options_lzma options;
	lzma_filter filter[2];
};

/*
 * Literal contexts (lc, lp) only dilute the statistics of one block, and the place within a unit of
 * bytes (pb) matters only if a symbol is whole bytes. Measured on WDL and DTM tables in blocks of
 * 16K positions: up to 4 per cent better than the default 3, 0, 2. An lp of 1 costs 0.7 to 2.3 per
 * cent on KQvKR and KRvKN, DTM and WDL, in blocks of 64K, and 2 twice as much. The dictionary is
 * the block, because blocks decode alone; a smaller one saves memory.
 */
static void make_chain(const struct el_codec_params *params, size_t plain, struct chain *out)
{
	const bool bare = !params->option[OPTION_CONTAINER];
	const size_t block = packing_size(params->value_count, params->block_positions);
	const size_t bytes = packing_size(params->value_count, 8) / 8; /* 0: several share one */
	lzma_options_lzma *options = &out->options;
	lzma_lzma_preset(options, (uint32_t)params->option[OPTION_LEVEL]);
	if (params->option[OPTION_WINDOW])
		options->dict_size = 1024 * (uint32_t)params->option[OPTION_WINDOW];
	if (block < options->dict_size)
		options->dict_size = (uint32_t)block;
	if (options->dict_size < LZMA_DICT_SIZE_MIN)
		options->dict_size = LZMA_DICT_SIZE_MIN;
	options->lc = (uint32_t)params->option[OPTION_LC];
	options->lp = (uint32_t)params->option[OPTION_LP];
	options->pb = bytes == 0 ? 0 : bytes == 1 ? 2 : 1;
	if (params->option[OPTION_UNIT])
		options->pb = (uint32_t)params->option[OPTION_UNIT] - 1;
	/* A bare filter knows how many bytes it codes, so it need not mark their end. */
	options->ext_flags = 0;
	lzma_set_ext_size(*options, plain);
	out->filter[0] =
		(lzma_filter){bare ? LZMA_FILTER_LZMA1EXT : LZMA_FILTER_LZMA2, &out->options};
	out->filter[1] = (lzma_filter){LZMA_VLI_UNKNOWN, NULL};
}

/* The most bytes that a decoder may allocate. */
static uint64_t decoder_memory(const struct el_codec_params *params)
{
	struct chain chain;
	make_chain(params, 0, &chain);
	const uint64_t filter = lzma_raw_decoder_memusage(chain.filter);
	return params->option[OPTION_CONTAINER] ? filter + STREAM_MEMORY : filter;
}

/* Codes everything in one call: LZMA_STREAM_END if it fits. */
static lzma_ret run(lzma_stream *stream, const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	stream->next_in = in;
	stream->avail_in = size;
	stream->next_out = out;
	stream->avail_out = room;
	return lzma_code(stream, LZMA_FINISH);
}

/* ---- the codec ---- */

static enum el_status xz_agree(const int option[EL_CODEC_OPTIONS_MAX], struct el_error *error)
{
	const int bits = option[OPTION_LC] + option[OPTION_LP];
	return bits <= LZMA_LCLP_MAX
	               ? EL_OK
	               : el_fail(error, EL_USAGE, "lc + lp: found %d + %d, expected at most %d",
	                         option[OPTION_LC], option[OPTION_LP], LZMA_LCLP_MAX);
}

static void xz_close(void *coder)
{
	struct coder *c = coder;
	lzma_end(&c->encoder);
	lzma_end(&c->decoder);
	free(c->plain);
	free(c);
}

static enum el_status xz_open(const struct el_codec_params *params, const uint8_t *learned,
                              size_t size, void **coder, struct el_error *error)
{
	(void)learned;
	enum el_status status = check_learned("xz", size, error);
	if (!status)
		status = xz_agree(params->option, error);
	if (status)
		return status;
	struct coder *c = malloc(sizeof *c);
	uint8_t *plain = malloc(packing_size(params->value_count, params->block_positions) + 1);
	if (!c || !plain) {
		free(c);
		free(plain);
		return el_fail(error, EL_MEMORY, "xz: out of memory");
	}
	*c = (struct coder){*params, LZMA_STREAM_INIT, LZMA_STREAM_INIT, plain};
	*coder = c;
	return EL_OK;
}

static size_t xz_memory(const struct el_codec_params *params, size_t learned)
{
	(void)learned;
	return sizeof(struct coder) + (size_t)decoder_memory(params) +
	       packing_size(params->value_count, params->block_positions);
}

static size_t xz_bound(const struct el_codec_params *params, size_t count)
{
	const size_t plain = packing_size(params->value_count, count);
	return plain && params->option[OPTION_CONTAINER] ? lzma_stream_buffer_bound(plain) : plain;
}

static enum el_status xz_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                size_t capacity, size_t *size, struct el_error *error)
{
	struct coder *c = coder;
	const size_t plain = packing_size(c->params.value_count, count);
	const bool bare = !c->params.option[OPTION_CONTAINER];
	*size = 0;
	if (!plain)
		return EL_OK;
	if (capacity < xz_bound(&c->params, count))
		return el_fail(error, EL_USAGE, "xz: %zu bytes needed, %zu given",
		               xz_bound(&c->params, count), capacity);
	packing_pack(c->params.value_count, symbols, count, c->plain);
	struct chain chain;
	make_chain(&c->params, plain, &chain);
	lzma_ret answer = bare ? lzma_raw_encoder(&c->encoder, chain.filter)
	                       : lzma_stream_encoder(&c->encoder, chain.filter, LZMA_CHECK_CRC32);
	if (answer == LZMA_OK)
		answer = run(&c->encoder, c->plain, plain, out, bare ? plain - 1 : capacity);
	*size = (size_t)c->encoder.total_out;
	if (bare && answer == LZMA_OK) { /* out of room: not smaller */
		memcpy(out, c->plain, plain);
		*size = plain;
	} else if (answer == LZMA_MEM_ERROR) {
		return el_fail(error, EL_MEMORY, "xz: out of memory");
	} else if (answer != LZMA_STREAM_END) {
		return el_fail(error, EL_MEMORY, "xz: encoding failed: liblzma says %d", answer);
	}
	return EL_OK;
}

static enum el_status xz_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                                size_t count, struct el_error *error)
{
	struct coder *c = coder;
	const uint32_t value_count = c->params.value_count;
	const size_t plain = packing_size(value_count, count);
	const bool container = c->params.option[OPTION_CONTAINER];
	if (!plain && size)
		return check_size("xz", 0, size, error);
	if (plain && size == plain && !container) {
		memcpy(c->plain, bytes, plain);
	} else if (plain) {
		struct chain chain;
		make_chain(&c->params, plain, &chain);
		lzma_ret answer =
			container ? lzma_stream_decoder(&c->decoder, decoder_memory(&c->params), 0)
				  : lzma_raw_decoder(&c->decoder, chain.filter);
		if (answer == LZMA_OK)
			answer = run(&c->decoder, bytes, size, c->plain, plain);
		if (answer == LZMA_MEM_ERROR)
			return el_fail(error, EL_MEMORY, "xz: out of memory");
		if (answer != LZMA_STREAM_END)
			return el_fail(error, EL_DAMAGED,
			               "xz: expected %zu bytes of compressed data, found others: "
			               "liblzma says %d",
			               size, answer);
		if (c->decoder.avail_in || c->decoder.avail_out)
			return el_fail(
				error, EL_DAMAGED,
				"xz: expected %zu bytes to become %zu, found %llu to become %llu",
				size, plain, (unsigned long long)c->decoder.total_in,
				(unsigned long long)c->decoder.total_out);
	}
	const uint16_t largest = packing_unpack(value_count, c->plain, symbols, count);
	return check_symbol("xz", value_count, largest, error);
}

static const struct el_codec_option options[] = {
	[OPTION_LEVEL] = {"level", "effort; more than 6 gains nothing", 0, 9, 6},
	[OPTION_CONTAINER] = {"container", "1 makes each block a whole .xz file", 0, 1, 0},
	[OPTION_LC] = {"lc", "high bits of the last byte as context", 0, 4, 0},
	[OPTION_UNIT] = {"unit", "LZMA's pb + 1; 0 suits it to the symbols", 0, 5, 0},
	[OPTION_LP] = {"lp", "low bits of the place; lc + lp at most 4", 0, 4, 0},
	[OPTION_WINDOW] = {"window", "KiB of LZMA's dictionary; 0: the block", 0, 2048, 0},
};

const struct el_codec el_codec_xz = {
	.abi = EL_CODEC_ABI,
	.name = "xz",
	.summary = "LZMA, bare or one .xz file per block",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.agree = xz_agree,
	.open = xz_open,
	.close = xz_close,
	.memory = xz_memory,
	.bound = xz_bound,
	.encode = xz_encode,
	.decode = xz_decode,
};
