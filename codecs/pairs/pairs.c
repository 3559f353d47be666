/* SPDX-License-Identifier: MIT */
/* The codec pairs: makes coders from learned bytes. */
#include "block.h"

#include <stdlib.h>

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
