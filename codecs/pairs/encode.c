/* SPDX-License-Identifier: MIT */
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
	const bool first = !status && chooses && !c->run_cost;
	if (first)
		c->run_cost = malloc(g->value_count * sizeof *c->run_cost);
	if (!status && (!exact || (chooses && !c->run_cost)))
		status = el_fail(error, EL_MEMORY, "pairs: out of memory");
	/* A long run of a value costs what its cheapest phrase does. */
	for (uint32_t v = 0; first && c->run_cost && v < g->value_count; v++)
		c->run_cost[v] = UINT32_MAX;
	for (uint32_t s = 0; first && c->run_cost && s < pairs_symbols(g); s++) {
		const uint32_t v = c->splits[s].value;
		const uint32_t one = g->bits[s] * 1000000u / g->length[s];
		if (g->bits[s] && v != PAIRS_NO_VALUE && one < c->run_cost[v])
			c->run_cost[v] = one;
	}
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
	const size_t line = line_bytes(&c->params), entry = entry_bytes(&c->params);
	uint32_t *starts = malloc((capacity / line + 1) * sizeof *starts); /* by line: a position */
	if (!starts)
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	memset(out, 0, capacity);
	pairs_parse(c->parser, &(struct pairs_plane){.symbols = symbols}, count, c->choice);
	size_t lines = 0, bit = 8 * line; /* bit: in the last line */
	for (size_t i = 0; i < count; i += g->length[c->choice[i]]) {
		const uint32_t code = c->codes[c->choice[i]];
		const unsigned bits = g->bits[c->choice[i]];
		if (bit + bits > 8 * line) {
			starts[lines++] = (uint32_t)i;
			bit = 0;
		}
		uint8_t *to = out + (lines - 1) * line;
		for (unsigned b = bits; b-- > 0; bit++)
			to[bit / 8] |= (uint8_t)((code >> b & 1) << (7 - bit % 8));
	}
	/* Move the lines after their entries. */
	const size_t entries = (lines - 1) * entry, codes = (lines - 1) * line + (bit + 7) / 8;
	memmove(out + entries, out, codes);
	for (size_t i = 1; i < lines; i++)
		for (size_t b = 0; b < entry; b++)
			out[(i - 1) * entry + b] = (uint8_t)(starts[i] >> 8 * b);
	*size = entries + codes;
	free(starts);
	return EL_OK;
}
