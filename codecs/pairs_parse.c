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

/* Measured on tables of chess: more freedom takes longer and makes files hardly smaller. */
enum {
	FEW = 4,   /* values that are all tried */
	DEEP = 16, /* positions to the next one that cares */
	NEAR = 6,  /* positions whose choice is tried as well */
	DEEP_QUICK = 4,
};

/* A rule as its first part knows it. Those of one first part are sorted by `second`. */
struct extension {
	uint32_t symbol; /* of the rule */
	uint32_t second; /* which bit the second part has */
};

/* Which second parts the rules of a first part have, 64 at a time. */
struct seconds {
	uint64_t bits;
	uint32_t word;  /* of a row of matches */
	uint32_t first; /* the place in `extensions` of the lowest bit */
};

struct pairs_parser {
	const struct el_pairs *grammar;
	struct extension *extensions; /* of all rules, by the first part */
	uint32_t *begins;        /* by symbol: its first place in `seconds`; one more at the end */
	struct seconds *seconds; /* of all symbols */
	uint32_t *bit;           /* by symbol: as a second part; PAIRS_NO_VALUE */
	uint32_t *cost;          /* by position, and one behind the last: bits from there on */
	uint64_t *matches;       /* `window` rows of `words` */
	/* A rule's first part is shorter than the longest phrase, so nothing behind the window is asked
	   for. It is a power of two. */
	size_t words, window;
	uint32_t *waiting;       /* symbols that match here and have not been looked at */
};

/* ---- setting up ---- */

static void number_seconds(struct pairs_parser *p)
{
	const struct el_pairs *g = p->grammar;
	uint32_t bits = 0;
	memset(p->bit, 0xff, pairs_symbols(g) * sizeof *p->bit);
	for (uint32_t r = 0; r < g->rule_count; r++)
		if (p->bit[g->rules[r].second] == PAIRS_NO_VALUE)
			p->bit[g->rules[r].second] = bits++;
	p->words = (bits + 63) / 64;
}

static int by_first_then_second(const void *a, const void *b, void *parser)
{
	const struct pairs_parser *p = parser;
	const struct el_pairs *g = p->grammar;
	const struct extension *x = a, *y = b;
	uint32_t first_x = g->rules[x->symbol - g->value_count].first;
	uint32_t first_y = g->rules[y->symbol - g->value_count].first;
	if (first_x != first_y)
		return first_x < first_y ? -1 : 1;
	return x->second < y->second ? -1 : x->second > y->second;
}

/* False when two rules have the same parts: `extend` counts on one rule a bit. */
static bool list_extensions(struct pairs_parser *p)
{
	const struct el_pairs *g = p->grammar;
	for (uint32_t r = 0; r < g->rule_count; r++)
		p->extensions[r] =
			(struct extension){g->value_count + r, p->bit[g->rules[r].second]};
	qsort_r(p->extensions, g->rule_count, sizeof *p->extensions, by_first_then_second, p);
	uint32_t at = 0, count = 0;
	for (uint32_t s = 0; s < pairs_symbols(g); s++) {
		p->begins[s] = count;
		for (; at < g->rule_count; at++) {
			const struct extension *e = &p->extensions[at];
			if (g->rules[e->symbol - g->value_count].first != s)
				break;
			uint32_t word = e->second / 64;
			if (count == p->begins[s] || p->seconds[count - 1].word != word)
				p->seconds[count++] = (struct seconds){0, word, at};
			uint64_t bit = UINT64_C(1) << e->second % 64;
			if (p->seconds[count - 1].bits & bit)
				return false;
			p->seconds[count - 1].bits |= bit;
		}
	}
	p->begins[pairs_symbols(g)] = count;
	return true;
}

static size_t window_of(const struct el_pairs *g, size_t block)
{
	size_t longest = 1, window = 1;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		longest = g->length[s] > longest ? g->length[s] : longest;
	longest = longest < block ? longest : block;
	while (window < longest)
		window *= 2;
	return window;
}

enum el_status pairs_parser_open(const struct el_pairs *g, size_t block,
				 struct pairs_parser **out, struct el_error *error)
{
	struct pairs_parser *p = calloc(1, sizeof *p);
	size_t symbols = pairs_symbols(g);
	if (!p)
		return el_fail(error, EL_MEMORY, "pairs: out of memory");
	p->grammar = g;
	p->begins = malloc((symbols + 1) * sizeof *p->begins);
	p->seconds = malloc((g->rule_count + 1) * sizeof *p->seconds);
	p->extensions = malloc((g->rule_count + 1) * sizeof *p->extensions);
	p->bit = malloc(symbols * sizeof *p->bit);
	p->cost = malloc((block + 1) * sizeof *p->cost);
	p->waiting = malloc(symbols * sizeof *p->waiting);
	bool have = p->begins && p->seconds && p->extensions && p->bit && p->cost && p->waiting;
	bool sound = true;
	if (have) {
		number_seconds(p);
		sound = list_extensions(p);
		p->window = window_of(g, block);
		p->matches = malloc((p->window * p->words + 1) * sizeof *p->matches);
	}
	if (!have || !p->matches || !sound) {
		have = have && p->matches;
		pairs_parser_close(p);
		return have ? el_fail(error, EL_DAMAGED, "pairs: expected rules of different parts")
		            : el_fail(error, EL_MEMORY, "pairs: out of memory");
	}
	*out = p;
	return EL_OK;
}

void pairs_parser_close(struct pairs_parser *p)
{
	if (!p)
		return;
	free(p->begins);
	free(p->seconds);
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

/* Adds a value that a position may have, unless it is there already. */
static size_t offer(struct pairs_parser *p, uint64_t *row, const struct pairs_plane *in, size_t at,
		    uint16_t value, size_t waiting)
{
	if (in->care[at] == EL_CARE_AT_MOST && value > in->symbols[at])
		return waiting;
	for (size_t i = 0; i < waiting; i++)
		if (p->waiting[i] == value)
			return waiting;
	match(p, row, value, &waiting);
	return waiting;
}

/* What was chosen at a distance, before and behind. */
static size_t offer_around(struct pairs_parser *p, uint64_t *row, const struct pairs_plane *in,
			   size_t at, size_t count, size_t distance, size_t waiting)
{
	if (at >= distance)
		waiting = offer(p, row, in, at, in->last[at - distance], waiting);
	if (at + distance < count)
		waiting = offer(p, row, in, at, in->last[at + distance], waiting);
	return waiting;
}

/* What is likely: what was chosen here, around here, and in the rows before and behind. */
static size_t match_likely(struct pairs_parser *p, uint64_t *row, const struct pairs_plane *in,
			   size_t at, size_t count)
{
	size_t waiting = offer(p, row, in, at, in->last[at], 0);
	if (in->care[at] == EL_CARE_AT_MOST)
		waiting = offer(p, row, in, at, in->symbols[at], waiting);
	for (size_t distance = 1; distance <= NEAR; distance++)
		waiting = offer_around(p, row, in, at, count, distance, waiting);
	return offer_around(p, row, in, at, count, in->row, waiting);
}

/* Is no position near that cares? */
static bool is_deep(const struct pairs_plane *in, size_t at, size_t count)
{
	const size_t deep = in->quick ? DEEP_QUICK : DEEP;
	size_t first = at > deep ? at - deep : 0, end = at + deep + 1;
	end = end < count ? end : count;
	for (size_t i = first; i < end; i++)
		if (in->care[i] != EL_CARE_NOT)
			return false;
	return true;
}

/* The values that may stand at a position: all that care allows where they are few, and where it
   matters; else those that are likely. */
static size_t match_values(struct pairs_parser *p, uint64_t *row, const struct pairs_plane *in,
			   size_t at, size_t count)
{
	size_t waiting = 0;
	uint32_t last = in->symbols[at];
	if (!in->care || in->care[at] == EL_CARE_EXACT) {
		match(p, row, last, &waiting);
		return waiting;
	}
	if (p->grammar->value_count > FEW || is_deep(in, at, count))
		return match_likely(p, row, in, at, count);
	if (in->care[at] == EL_CARE_NOT)
		last = p->grammar->value_count - 1;
	for (uint32_t v = 0; v <= last; v++)
		match(p, row, v, &waiting);
	return waiting;
}

/* Those of 64 rules match whose second parts match behind their first one. Two rules never have the
   same parts, so a bit is one rule: the extensions are counted up to it. */
static void extend(struct pairs_parser *p, const struct seconds *seconds, const uint64_t *behind,
		   uint64_t *row, size_t *waiting)
{
	for (uint64_t both = seconds->bits & behind[seconds->word]; both; both &= both - 1) {
		uint64_t below = (both & -both) - 1;
		uint32_t number = (uint32_t)__builtin_popcountll(seconds->bits & below);
		match(p, row, p->extensions[seconds->first + number].symbol, waiting);
	}
}

/* Finds all that matches at a position, and the cheapest of it. */
static uint32_t parse_position(struct pairs_parser *p, const struct pairs_plane *in, size_t at,
			       size_t count)
{
	const struct el_pairs *g = p->grammar;
	uint64_t *row = row_of(p, at);
	uint32_t best = PAIRS_NO_VALUE, least = UINT32_MAX;
	memset(row, 0, p->words * sizeof *row);
	size_t waiting = match_values(p, row, in, at, count);
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
		for (uint32_t i = p->begins[s]; i < p->begins[s + 1]; i++)
			extend(p, &p->seconds[i], behind, row, &waiting);
	}
	p->cost[at] = least;
	return best;
}

uint64_t pairs_parse(struct pairs_parser *p, const struct pairs_plane *in, size_t count,
		     uint32_t *choice)
{
	p->cost[count] = 0;
	for (size_t i = count; i-- > 0;)
		choice[i] = parse_position(p, in, i, count);
	return p->cost[0];
}

size_t pairs_expand(const struct el_pairs *g, uint32_t symbol, uint16_t *values, size_t room)
{
	size_t written = 0;
	while (symbol >= g->value_count && written < room) {
		const struct el_pairs_rule *rule = &g->rules[symbol - g->value_count];
		written += pairs_expand(g, rule->first, values + written, room - written);
		symbol = rule->second;
	}
	if (written < room)
		values[written++] = (uint16_t)symbol;
	return written;
}
