/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encodes blocks of pairs: finds the cheapest allowed phrases and puts them into lines. */
#include "block.h"
#include "codecs/runs.h"

#include <stdlib.h>
#include <string.h>

size_t pairs_block_bound(const struct el_codec_params *params, size_t count)
{
	/* In the worst case, each symbol takes PAIRS_BITS_MAX bits and a line leaves as many
	   unused. */
	size_t line = line_bytes(params), in_line = 8 * line / PAIRS_BITS_MAX;
	return params->value_count == 1 ? 0 : (count / in_line + 1) * (line + entry_bytes(params));
}

static enum el_status want_parser(struct pairs_coder *c, struct el_error *error)
{
	if (c->parser)
		return EL_OK;
	if (!c->choice)
		c->choice = malloc(c->params.block_positions * sizeof *c->choice);
	if (!c->choice)
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	return pairs_parser_open(&c->grammar, c->params.block_positions, &c->parser, error);
}

/* The cost of long runs of each value, in millionths of a bit per position. Null without memory. */
static uint32_t *cost_of_runs(const struct pairs_coder *c)
{
	const struct el_pairs *g = &c->grammar;
	uint32_t *cost = malloc(g->value_count * sizeof *cost);
	for (uint32_t v = 0; cost && v < g->value_count; v++)
		cost[v] = UINT32_MAX;
	for (uint32_t s = 0; cost && s < pairs_symbols(g); s++) {
		const uint32_t v = c->splits[s].value;
		const uint32_t one = g->bits[s] * 1000000u / g->length[s];
		if (g->bits[s] && v != PAIRS_NO_VALUE && one < cost[v])
			cost[v] = one;
	}
	return cost;
}

enum el_status pairs_block_fill(void *coder, const struct el_codec_plane *block,
                                struct el_error *error)
{
	struct pairs_coder *c = coder;
	const struct el_pairs *g = &c->grammar;
	const size_t count = (size_t)block->positions, size = count * sizeof *block->symbols;
	if (c->params.value_count == 1)
		return EL_OK;
	enum el_status status = want_parser(c, error);
	uint16_t *exact = malloc(size);
	const bool chooses = c->params.value_count <= PAIRS_FILL_VALUES;
	if (!status && chooses && !c->run_cost)
		c->run_cost = cost_of_runs(c);
	if (!status && (!exact || (chooses && !c->run_cost)))
		status = el_fail(error, EL_MEMORY, "pairs: out of memory");
	if (!status) {
		memcpy(exact, block->symbols, size);
		runs_fill_cheapest(block, c->params.value_count, c->run_cost);
	}
	if (!status && chooses) {
		const struct pairs_plane plane = {
			.symbols = exact,
			.care = block->care,
			.last = block->symbols,
			.row = block->row,
		};
		pairs_parse(c->parser, &plane, count, c->choice);
		for (size_t i = 0; i < count; i += g->length[c->choice[i]])
			pairs_expand(g, c->choice[i], block->symbols + i, count - i);
	}
	free(exact);
	return status;
}

/* Lines being written. */
struct line_writer {
	uint8_t *out; /* zeros */
	size_t line, entry;
	size_t lines;     /* begun */
	size_t bit;       /* in the last line */
	uint32_t *starts; /* the first position of each line */
};

static void put_code(struct line_writer *w, size_t at, uint32_t code, unsigned bits)
{
	if (!w->lines || w->bit + bits > 8 * w->line) {
		w->starts[w->lines++] = (uint32_t)at;
		w->bit = 0;
	}
	uint8_t *line = w->out + (w->lines - 1) * w->line;
	for (unsigned i = bits; i-- > 0; w->bit++)
		line[w->bit / 8] |= (uint8_t)((code >> i & 1) << (7 - w->bit % 8));
}

/* Moves the lines after their entries; returns the size of both. */
static size_t put_entries(struct line_writer *w)
{
	size_t entries = (w->lines - 1) * w->entry;
	size_t codes = (w->lines - 1) * w->line + (w->bit + 7) / 8;
	memmove(w->out + entries, w->out, codes);
	for (size_t i = 1; i < w->lines; i++)
		for (size_t b = 0; b < w->entry; b++)
			w->out[(i - 1) * w->entry + b] = (uint8_t)(w->starts[i] >> 8 * b);
	return entries + codes;
}

enum el_status pairs_block_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                  size_t capacity, size_t *size, struct el_error *error)
{
	struct pairs_coder *c = coder;
	const struct el_pairs *g = &c->grammar;
	*size = 0;
	if (c->params.value_count == 1)
		return EL_OK;
	enum el_status status = want_parser(c, error);
	if (status)
		return status;
	struct line_writer w = {
		.out = out,
		.line = line_bytes(&c->params),
		.entry = entry_bytes(&c->params),
		.starts = malloc((capacity / line_bytes(&c->params) + 1) * sizeof *w.starts),
	};
	if (!w.starts)
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	memset(out, 0, capacity);
	pairs_parse(c->parser, &(struct pairs_plane){.symbols = symbols}, count, c->choice);
	for (size_t i = 0; i < count; i += g->length[c->choice[i]])
		put_code(&w, i, c->codes[c->choice[i]], g->bits[c->choice[i]]);
	*size = put_entries(&w);
	free(w.starts);
	return EL_OK;
}
