/* SPDX-License-Identifier: MIT */
/*
 * ranks: LZMA over ranks. Every value is replaced by its place among the values of the plane, the most
 * frequent first, before liblzma compresses a block: as the program chesstb writes its tables of
 * depths, in blocks of a million positions. The codec xz does without ranks;
 * samples/compression.md compares them.
 */
#include "bytes.h"

#include <lzma.h>

static lzma_options_lzma lzma_of(int level, size_t plain)
{
	lzma_options_lzma out;
	lzma_lzma_preset(&out, (uint32_t)level);
	if (plain < out.dict_size)
		out.dict_size = plain < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : (uint32_t)plain;
	return out;
}

static lzma_filter filter_of(lzma_options_lzma *options)
{
	return (lzma_filter){LZMA_FILTER_LZMA2, options};
}

static size_t library_bound(size_t plain)
{
	return plain + plain / 1024 + 64; /* what cannot be compressed is stored in pieces */
}

static size_t library_compress(const struct el_codec_params *params, struct learned learned,
                               const uint8_t *in, size_t size, uint8_t *out, size_t room)
{
	lzma_options_lzma options = lzma_of(params->option[0], size);
	const lzma_filter chain[] = {filter_of(&options), {LZMA_VLI_UNKNOWN, NULL}};
	size_t done = 0;
	(void)learned;
	return lzma_raw_buffer_encode(chain, NULL, in, size, out, &done, room) == LZMA_OK ? done
	                                                                                  : 0;
}

static bool library_expand(struct learned learned, const uint8_t *in, size_t size, uint8_t *out,
                           size_t plain)
{
	lzma_options_lzma options = lzma_of(LZMA_PRESET_DEFAULT, plain);
	const lzma_filter chain[] = {filter_of(&options), {LZMA_VLI_UNKNOWN, NULL}};
	size_t from = 0, done = 0;
	(void)learned;
	return lzma_raw_buffer_decode(chain, NULL, in, &from, size, out, &done, plain) == LZMA_OK &&
	       from == size && done == plain;
}

static size_t library_memory(size_t plain)
{
	lzma_options_lzma options = lzma_of(LZMA_PRESET_DEFAULT, plain);
	const lzma_filter chain[] = {filter_of(&options), {LZMA_VLI_UNKNOWN, NULL}};
	return (size_t)lzma_raw_decoder_memusage(chain);
}

/* ---- ranks ---- */

/* A symbol and how often it occurs. */
struct tally {
	uint64_t times;
	uint32_t symbol;
};

static int most_first(const void *one, const void *other)
{
	const struct tally *a = one, *b = other;
	return a->times != b->times ? (a->times < b->times) - (a->times > b->times)
	                            : (a->symbol > b->symbol) - (a->symbol < b->symbol);
}

/* Learns the symbol of each rank, two bytes each. */
static enum el_status ranks_prepare(const struct el_codec_params *params,
                                    const struct el_codec_plane *plane,
                                    const struct el_watch *watch, uint8_t **learned, size_t *size,
                                    struct el_error *error)
{
	struct tally *tallies = calloc(params->value_count, sizeof *tallies);
	uint8_t *out = malloc(2 * (size_t)params->value_count);
	(void)watch;
	if (!tallies || !out) {
		free(tallies);
		free(out);
		return el_fail(error, EL_MEMORY, "ranks: out of memory");
	}
	for (uint32_t s = 0; s < params->value_count; s++)
		tallies[s].symbol = s;
	for (uint64_t i = 0; i < plane->positions; i++)
		tallies[plane->symbols[i]].times++;
	qsort(tallies, params->value_count, sizeof *tallies, most_first);
	for (uint32_t r = 0; r < params->value_count; r++) {
		out[2 * r] = (uint8_t)tallies[r].symbol;
		out[2 * r + 1] = (uint8_t)(tallies[r].symbol >> 8);
	}
	free(tallies);
	*learned = out;
	*size = 2 * (size_t)params->value_count;
	return EL_OK;
}

static uint16_t symbol_of(const struct learned *learned, uint32_t rank)
{
	return (uint16_t)(learned->bytes[2 * rank] | learned->bytes[2 * rank + 1] << 8);
}

/* Each symbol must have one rank. */
static enum el_status ranks_open(const struct el_codec_params *params, const uint8_t *learned,
                                 size_t size, void **coder, struct el_error *error)
{
	const struct learned ranks = {learned, size};
	bool seen[1 << 16] = {false};
	if (size != 2 * (size_t)params->value_count)
		return el_fail(error, EL_DAMAGED, "ranks: expected %u ranks, found %zu bytes",
		               params->value_count, size);
	for (uint32_t r = 0; r < params->value_count; r++) {
		const uint16_t symbol = symbol_of(&ranks, r);
		if (symbol >= params->value_count || seen[symbol])
			return el_fail(error, EL_DAMAGED,
			               "ranks: expected each of %u symbols once, found %u again",
			               params->value_count, symbol);
		seen[symbol] = true;
	}
	return bytes_open(params, learned, size, coder, error);
}

static enum el_status ranks_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                   size_t capacity, size_t *size, struct el_error *error)
{
	const struct coder *c = coder;
	uint16_t rank[1 << 16], *ranks = malloc(count * sizeof *ranks);
	if (!ranks)
		return el_fail(error, EL_MEMORY, "ranks: out of memory");
	for (uint32_t r = 0; r < c->params.value_count; r++)
		rank[symbol_of(&c->learned, r)] = (uint16_t)r;
	for (size_t i = 0; i < count; i++)
		ranks[i] = rank[symbols[i]];
	const enum el_status status = bytes_encode(coder, ranks, count, out, capacity, size, error);
	free(ranks);
	return status;
}

static enum el_status ranks_decode(void *coder, const uint8_t *bytes, size_t size,
                                   uint16_t *symbols, size_t count, struct el_error *error)
{
	const struct coder *c = coder;
	const enum el_status status = bytes_decode(coder, bytes, size, symbols, count, error);
	for (size_t i = 0; i < count && !status; i++)
		symbols[i] = symbol_of(&c->learned, symbols[i]);
	return status;
}

static const struct el_codec_option options[] = {
	{"level", "effort", 0, 9, 9},
};

const struct el_codec el_codec_plugin = {
	.abi = EL_CODEC_ABI,
	.name = "ranks",
	.summary = "LZMA over ranks by frequency, a sample",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.prepare = ranks_prepare,
	.open = ranks_open,
	.close = free,
	.memory = bytes_memory,
	.bound = bytes_bound,
	.encode = ranks_encode,
	.decode = ranks_decode,
};
