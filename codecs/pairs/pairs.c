/* SPDX-License-Identifier: MIT */
/* The codec pairs: makes coders from learned bytes, and encodes blocks: finds the cheapest allowed phrases
   and puts them into lines. */
#include "block.h"
#include "codecs/runs.h"

#include <stdlib.h>
#include <string.h>

static void pairs_close(void *coder)
{
	struct pairs_coder *c = coder;
	pairs_parser_close(c->parser);
	el_pairs_free(&c->grammar);
	free(c->codes);
	free(c->splits);
	free(c->sorted);
	free(c->choice);
	free(c->run_cost);
	free(c);
}

/* A rule's parts may have higher numbers, so this repeats until nothing changes. */
static void find_constants(struct pairs_coder *c)
{
	const struct el_pairs *g = &c->grammar;
	bool again;
	for (uint32_t s = 0; s < pairs_symbols(g); s++) {
		struct split *n = &c->splits[s];
		*n = (struct split){.value = s < g->value_count ? s : PAIRS_NO_VALUE};
		if (s < g->value_count)
			continue;
		n->first = g->rules[s - g->value_count].first;
		n->second = g->rules[s - g->value_count].second;
		n->first_length = g->length[n->first];
	}
	do {
		again = false;
		for (uint32_t s = g->value_count; s < pairs_symbols(g); s++) {
			struct split *n = &c->splits[s];
			uint32_t value = c->splits[n->first].value;
			if (n->value != PAIRS_NO_VALUE || value == PAIRS_NO_VALUE ||
			    value != c->splits[n->second].value)
				continue;
			n->value = value;
			again = true;
		}
	} while (again);
}

static enum el_status pairs_open(const struct el_codec_params *params, const uint8_t *learned,
                                 size_t size, void **coder, struct el_error *error)
{
	struct pairs_coder *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	c->params = *params;
	enum el_status status =
		pairs_grammar_read(&c->grammar, params->value_count, learned, size, error);
	if (status) {
		free(c);
		return status;
	}
	uint32_t symbols = pairs_symbols(&c->grammar);
	c->codes = calloc(symbols, sizeof *c->codes);
	c->splits = malloc(symbols * sizeof *c->splits);
	c->sorted = malloc(symbols * sizeof *c->sorted);
	if (!c->codes || !c->splits || !c->sorted) {
		pairs_close(c);
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	}
	for (size_t i = 0; i < sizeof c->peek / sizeof *c->peek; i++)
		c->peek[i] = (struct phrase){PAIRS_NO_VALUE, 0};
	/* In ascending order of bits, then of number, symbols get consecutive codes, with the
	   highest bit first. */
	uint32_t next = 0, place = 0;
	for (unsigned bits = 1; bits <= PAIRS_BITS_MAX; bits++) {
		next <<= 1;
		c->place[bits] = place - next;
		for (uint32_t s = 0; s < symbols; s++) {
			if (c->grammar.bits[s] != bits)
				continue;
			const uint32_t same = bits <= PEEK_BITS ? 1u << (PEEK_BITS - bits) : 0;
			for (uint32_t i = 0; i < same; i++)
				c->peek[next * same + i] = phrase_of(c, s);
			c->sorted[place++] = s;
			c->codes[s] = next++;
		}
		c->limit[bits] = next;
	}
	find_constants(c);
	*coder = c;
	return EL_OK;
}

static size_t pairs_memory(const struct el_codec_params *params, size_t learned)
{
	size_t symbols = params->value_count + (learned ? PAIRS_RULES_MAX : 0);
	return sizeof(struct pairs_coder) +
	       symbols * (sizeof(struct split) + sizeof(struct el_pairs_rule) +
	                  3 * sizeof(uint32_t) + 1);
}

/* ---- encoding ---- */

static size_t pairs_block_bound(const struct el_codec_params *params, size_t count)
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

static enum el_status pairs_block_fill(void *coder, const struct el_codec_plane *block,
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

static enum el_status pairs_block_encode(void *coder, const uint16_t *symbols, size_t count,
                                         uint8_t *out, size_t capacity, size_t *size,
                                         struct el_error *error)
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

/* ---- the codec ---- */

static const struct el_codec_option options[] = {
	[PAIRS_EFFORT] = {"effort", "rounds of the best fill", 1, 9, 3},
	[PAIRS_LINE] = {"line", "bytes that a probe decodes", 16, 1024, 24},
	[PAIRS_RULES] = {"rules", "most rules of a plane", 0, PAIRS_RULES_MAX, 4096},
};

const struct el_codec el_codec_pairs = {
	.abi = EL_CODEC_ABI,
	.name = "pairs",
	.summary = "recursive pairs, Huffman codes, probes of single positions",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.fill = pairs_fill,
	.prepare = pairs_prepare,
	.open = pairs_open,
	.close = pairs_close,
	.fill_block = pairs_block_fill,
	.memory = pairs_memory,
	.bound = pairs_block_bound,
	.encode = pairs_block_encode,
	.decode = pairs_block_decode,
	.decode_one = pairs_block_decode_one,
	.tokens = pairs_block_tokens,
};
