/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cheapest parse of a block, from its end to its beginning. At each position the set of phrases
 * that match there grows from the values that may stand there: a rule matches where its first part
 * does and its second part matches behind that. Membership is kept for the symbols that are some
 * rule's second part, one bit each, for as many positions as the longest phrase reaches.
 */
#include "pairs.h"

#include <stdlib.h>
#include <string.h>

/* A rule as its first part knows it. */
struct extension {
	uint32_t symbol; /* of the rule */
	uint32_t second; /* which bit the second part has */
};

struct pairs_parser {
	const struct pairs_grammar *grammar;
	uint32_t *begins;             /* by symbol: its first place in `extensions`; one more at the end */
	struct extension *extensions; /* of all symbols, by the first part */
	uint32_t *bit;                /* by symbol: as a second part; PAIRS_NO_VALUE */
	uint32_t *cost;               /* by position, and one behind the last: bits from there on */
	uint64_t *matches;            /* `window` rows of `words` */
	size_t words, window;         /* the window is a power of two */
	uint32_t *waiting;            /* symbols that match here and have not been looked at */
};

/* ---- setting up ---- */

static void number_seconds(struct pairs_parser *p)
{
	const struct pairs_grammar *g = p->grammar;
	uint32_t bits = 0;
	memset(p->bit, 0xff, pairs_symbols(g) * sizeof *p->bit);
	for (uint32_t r = 0; r < g->rule_count; r++)
		if (p->bit[g->rules[r].second] == PAIRS_NO_VALUE)
			p->bit[g->rules[r].second] = bits++;
	p->words = (bits + 63) / 64;
}

static void list_extensions(struct pairs_parser *p)
{
	const struct pairs_grammar *g = p->grammar;
	for (uint32_t r = 0; r < g->rule_count; r++)
		p->begins[g->rules[r].first + 1]++;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		p->begins[s + 1] += p->begins[s];
	for (uint32_t r = g->rule_count; r-- > 0;) {
		/* Filled from the end: the entry moves down to where the list begins. */
		uint32_t at = --p->begins[g->rules[r].first + 1];
		p->extensions[at] =
			(struct extension){g->value_count + r, p->bit[g->rules[r].second]};
	}
	/* Each entry has moved one place: from the end of its list to its beginning. */
	memmove(p->begins, p->begins + 1, pairs_symbols(g) * sizeof *p->begins);
	p->begins[pairs_symbols(g)] = g->rule_count;
}

static size_t window_of(const struct pairs_grammar *g, size_t block)
{
	size_t longest = 1, window = 1;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		longest = g->length[s] > longest ? g->length[s] : longest;
	longest = longest < block ? longest : block;
	while (window < longest + 1)
		window *= 2;
	return window;
}

enum el_status pairs_parser_open(const struct pairs_grammar *g, size_t block,
                                 struct pairs_parser **out, struct el_error *error)
{
	struct pairs_parser *p = calloc(1, sizeof *p);
	size_t symbols = pairs_symbols(g);
	if (!p)
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	p->grammar = g;
	p->begins = calloc(symbols + 2, sizeof *p->begins);
	p->extensions = malloc((g->rule_count + 1) * sizeof *p->extensions);
	p->bit = malloc(symbols * sizeof *p->bit);
	p->cost = malloc((block + 1) * sizeof *p->cost);
	p->waiting = malloc(symbols * sizeof *p->waiting);
	bool have = p->begins && p->extensions && p->bit && p->cost && p->waiting;
	if (have) {
		number_seconds(p);
		list_extensions(p);
		p->window = window_of(g, block);
		p->matches = malloc((p->window * p->words + 1) * sizeof *p->matches);
	}
	if (!have || !p->matches) {
		pairs_parser_close(p);
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	}
	*out = p;
	return EL_OK;
}

void pairs_parser_close(struct pairs_parser *p)
{
	if (!p)
		return;
	free(p->begins);
	free(p->extensions);
	free(p->bit);
	free(p->cost);
	free(p->matches);
	free(p->waiting);
	free(p);
}

/* ---- parsing ---- */

static uint64_t *row_of(const struct pairs_parser *p, size_t position)
{
	return p->matches + (position & (p->window - 1)) * p->words;
}

static void match(struct pairs_parser *p, uint64_t *row, uint32_t symbol, size_t *waiting)
{
	uint32_t bit = p->bit[symbol];
	if (bit != PAIRS_NO_VALUE)
		row[bit / 64] |= UINT64_C(1) << bit % 64;
	p->waiting[(*waiting)++] = symbol;
}

/* The values that may stand at a position. */
static size_t match_values(struct pairs_parser *p, uint64_t *row, uint16_t symbol, uint8_t care)
{
	size_t waiting = 0;
	uint32_t first = care == EL_CARE_EXACT ? symbol : 0;
	uint32_t last = care == EL_CARE_NOT ? p->grammar->value_count - 1 : symbol;
	for (uint32_t v = first; v <= last; v++)
		match(p, row, v, &waiting);
	return waiting;
}

/* Finds all that matches at a position, and the cheapest of it. */
static uint32_t parse_position(struct pairs_parser *p, size_t at, size_t count, uint16_t symbol,
                               uint8_t care)
{
	const struct pairs_grammar *g = p->grammar;
	uint64_t *row = row_of(p, at);
	uint32_t best = PAIRS_NO_VALUE, least = UINT32_MAX;
	memset(row, 0, p->words * sizeof *row);
	size_t waiting = match_values(p, row, symbol, care);
	while (waiting) {
		uint32_t s = p->waiting[--waiting];
		size_t end = at + g->length[s];
		uint32_t cost = p->cost[end] + g->bits[s];
		if (g->bits[s] && cost < least) {
			least = cost;
			best = s;
		}
		if (end == count)
			continue;
		const uint64_t *behind = row_of(p, end);
		for (uint32_t i = p->begins[s]; i < p->begins[s + 1]; i++) {
			uint32_t bit = p->extensions[i].second;
			if (behind[bit / 64] >> bit % 64 & 1)
				match(p, row, p->extensions[i].symbol, &waiting);
		}
	}
	p->cost[at] = least;
	return best;
}

uint64_t pairs_parse(struct pairs_parser *p, const uint16_t *symbols, const uint8_t *care,
                     size_t count, uint32_t *choice)
{
	p->cost[count] = 0;
	for (size_t i = count; i-- > 0;)
		choice[i] = parse_position(p, i, count, symbols[i], care ? care[i] : EL_CARE_EXACT);
	return p->cost[0];
}

size_t pairs_expand(const struct pairs_grammar *g, uint32_t symbol, uint16_t *values, size_t room)
{
	size_t written = 0;
	while (symbol >= g->value_count && written < room) {
		const struct pairs_rule *rule = &g->rules[symbol - g->value_count];
		written += pairs_expand(g, rule->first, values + written, room - written);
		symbol = rule->second;
	}
	if (written < room)
		values[written++] = (uint16_t)symbol;
	return written;
}
