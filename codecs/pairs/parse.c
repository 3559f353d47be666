/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cheapest parse of a block, from its end to its beginning. A phrase matches where each of its
 * values may stand. Most of what matches is runs: how far into the lists by run a position goes
 * is known from the position behind it. A rule that grows from a run is tried where its run is
 * neither too long nor ends where no other value may stand. All others are found by going on from
 * first parts that match. Whether second parts match is asked of rows, one a position, for as many
 * positions as the longest phrase reaches: of each second part one bit.
 */
#include "phrases.h"

#include <stdlib.h>
#include <string.h>

/* Measured on tables of chess: more freedom takes longer and makes files hardly smaller. */
enum {
	FEW = 4,   /* values that are all tried */
	DEEP = 16, /* positions to the next one that cares */
	NEAR = 6,  /* positions whose choice is tried as well */
	LIKELY = 4 + 2 * NEAR, /* values at most, where not all are tried */
};

/* Positions in a row that may have a value. */
struct stretch {
	uint64_t seen; /* when it was last made longer */
	uint32_t run;
	uint32_t ends[LISTS]; /* of what is no longer */
};

/* Positions in a row that may have nothing but one value. */
struct strict {
	uint64_t seen;
	uint32_t value, run;
	uint32_t begins; /* of those GROWTHS whose run is no shorter */
};

struct pairs_parser {
	const struct el_pairs *grammar;
	struct phrases phrases;
	uint64_t *cost;    /* by position, and one behind the last: bits from there on << PRICE_BITS */
	uint64_t *matches; /* `window` rows of `words`; a power of two, more than the longest phrase */
	size_t words, window;
	uint32_t *found;   /* phrases that match here, and room for one */
	uint64_t now;      /* positions parsed, and blocks */
	struct stretch *stretches; /* by value */
	struct strict strict;
};

/* ---- setting up ---- */

static size_t window_of(const struct el_pairs *g, size_t block)
{
	size_t longest = 1, window = 1;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		longest = g->length[s] > longest ? g->length[s] : longest;
	longest = longest < block ? longest : block;
	while (window <= longest)
		window *= 2;
	return window;
}

enum el_status pairs_parser_open(const struct el_pairs *g, size_t block,
				 struct pairs_parser **out, struct el_error *error)
{
	struct pairs_parser *p = calloc(1, sizeof *p);
	bool have = p && pairs_phrases_make(&p->phrases, g);
	if (have) {
		p->grammar = g;
		p->window = window_of(g, block);
		p->words = (p->phrases.bits + 63) / 64;
		p->cost = malloc((block + 1) * sizeof *p->cost);
		p->matches = malloc(p->window * p->words * sizeof *p->matches);
		p->found = malloc((p->phrases.count + 1) * sizeof *p->found);
		p->stretches = calloc(g->value_count, sizeof *p->stretches);
		have = p->cost && p->matches && p->found && p->stretches;
	}
	if (!have) {
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
	pairs_phrases_free(&p->phrases);
	free(p->cost);
	free(p->matches);
	free(p->found);
	free(p->stretches);
	free(p);
}

/* ---- the values of a position ---- */

/* What is known of a position. */
struct here {
	struct pairs_parser *parser;
	const struct pairs_plane *plane;
	size_t at, count; /* positions of the block */
	uint16_t offered[LIKELY]; /* values */
	unsigned offers;
};

/* Adds a value that the position may have, unless it is there already. */
static void offer(struct here *h, uint16_t value)
{
	if (h->plane->care[h->at] == EL_CARE_AT_MOST && value > h->plane->symbols[h->at])
		return;
	for (unsigned i = 0; i < h->offers; i++)
		if (h->offered[i] == value)
			return;
	h->offered[h->offers++] = value;
}

/* What was chosen at a distance, before and behind. */
static void offer_around(struct here *h, size_t distance)
{
	if (h->at >= distance)
		offer(h, h->plane->last[h->at - distance]);
	if (h->at + distance < h->count)
		offer(h, h->plane->last[h->at + distance]);
}

/* What is likely: what was chosen here, around here, and in the rows before and behind. */
static void offer_likely(struct here *h)
{
	offer(h, h->plane->last[h->at]);
	if (h->plane->care[h->at] == EL_CARE_AT_MOST)
		offer(h, h->plane->symbols[h->at]);
	for (size_t distance = 1; distance <= NEAR; distance++)
		offer_around(h, distance);
	offer_around(h, h->plane->row);
}

/* Is no position near that cares? */
static bool is_deep(const struct here *h)
{
	const size_t first = h->at > DEEP ? h->at - DEEP : 0, end = h->at + DEEP + 1;
	for (size_t i = first; i < end && i < h->count; i++)
		if (h->plane->care[i] != EL_CARE_NOT)
			return false;
	return true;
}

/* The values that may stand at a position: all that care allows where they are few, and where it
   matters; else those that are likely. */
static void offer_values(struct here *h)
{
	const struct pairs_plane *in = h->plane;
	const uint32_t values = h->parser->grammar->value_count;
	if (!in->care || in->care[h->at] == EL_CARE_EXACT) {
		h->offered[h->offers++] = in->symbols[h->at];
		return;
	}
	if (in->quick || values > FEW || is_deep(h)) {
		offer_likely(h);
		return;
	}
	const uint32_t last = in->care[h->at] == EL_CARE_NOT ? values - 1 : in->symbols[h->at];
	for (uint32_t v = 0; v <= last; v++)
		h->offered[h->offers++] = (uint16_t)v;
}

/* ---- parsing ---- */

static uint64_t *row_of(const struct pairs_parser *p, size_t position)
{
	return p->matches + (position & (p->window - 1)) * p->words;
}

static bool has_bit(const uint64_t *row, uint32_t bit)
{
	return row[bit / 64] >> bit % 64 & 1;
}

static void set_bit(uint64_t *row, uint32_t bit)
{
	row[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* Makes a value's stretch one position longer, or begins it. */
static void stretch(struct pairs_parser *p, uint16_t value)
{
	struct stretch *s = &p->stretches[value];
	const bool begins = s->seen != p->now - 1;
	s->seen = p->now;
	s->run = begins ? 1 : s->run + 1;
	for (unsigned l = 0; l < LISTS; l++) {
		const struct by_run *list = &p->phrases.list[l];
		uint32_t end = begins ? list->begins[value] : s->ends[l];
		while (end < list->begins[value + 1] && list->length[end] <= s->run)
			end++;
		s->ends[l] = end;
	}
}

/* The same for the only value that a position may have. */
static void be_strict(struct pairs_parser *p, uint16_t value)
{
	struct strict *s = &p->strict;
	const struct by_run *list = &p->phrases.list[GROWTHS];
	if (s->seen != p->now - 1 || s->value != value)
		*s = (struct strict){.value = value, .begins = list->begins[value]};
	s->seen = p->now;
	s->run++;
	while (s->begins < list->begins[value + 1] && list->length[s->begins] < s->run)
		s->begins++;
}

/* The cheapest of the runs of a value, but for the value itself. */
static uint64_t try_runs(const struct pairs_parser *p, const uint64_t *cost, uint16_t value)
{
	const struct by_run *list = &p->phrases.list[RUNS];
	uint64_t best = UINT64_MAX;
	for (uint32_t i = list->begins[value]; i < p->stretches[value].ends[RUNS]; i++) {
		const uint64_t price = cost[list->length[i]] + p->phrases.price[i];
		best = price < best ? price : best;
	}
	return best;
}

/* Finds the rules that match and grow from a value's runs, but are none; returns how many. */
static size_t find_growths(const struct pairs_parser *p, size_t at, uint16_t value)
{
	uint32_t i = p->strict.seen == p->now ? p->strict.begins
					      : p->phrases.list[GROWTHS].begins[value];
	size_t count = 0;
	for (; i < p->stretches[value].ends[GROWTHS]; i++) {
		const struct growth *growth = &p->phrases.growths[i];
		p->found[count] = growth->phrase;
		count += has_bit(row_of(p, at + growth->first), growth->second);
	}
	return count;
}

/* The cheapest of all that begins with a value, but for the value itself. */
static uint64_t try_value(const struct pairs_parser *p, size_t at, uint16_t value)
{
	const uint64_t *cost = p->cost + at;
	uint64_t best = try_runs(p, cost, value), *row = row_of(p, at);
	size_t count = find_growths(p, at, value);
	for (size_t i = 0; i < count; i++) {
		const struct phrase *phrase = &p->phrases.all[p->found[i]];
		const uint64_t price = cost[phrase->length] + phrase->price;
		best = price < best ? price : best;
		set_bit(row, phrase->bit);
		const uint64_t *behind = row_of(p, at + phrase->length);
		for (uint32_t n = phrase->grows; n < phrase->grown; n++) {
			p->found[count] = n;
			count += has_bit(behind, p->phrases.second[n]);
		}
	}
	return best;
}

static uint64_t cheaper(uint64_t best, uint64_t price)
{
	return price >> PRICE_BITS < best >> PRICE_BITS ? price : best;
}

/* Finds all that matches at a position, and the cheapest of it: of phrases that cost the same, one
   that begins with what was offered first, but values last. */
static uint32_t parse_position(struct pairs_parser *p, const struct pairs_plane *in, size_t at,
			       size_t count)
{
	struct here h = {.parser = p, .plane = in, .at = at, .count = count};
	uint64_t best = UINT64_MAX, *row = row_of(p, at);
	p->now++;
	offer_values(&h);
	memset(row, 0, p->words * sizeof *row);
	if (h.offers == 1)
		be_strict(p, h.offered[0]);
	for (unsigned i = 0; i < h.offers; i++) {
		const uint16_t value = h.offered[i];
		stretch(p, value);
		for (uint32_t b = p->phrases.list[SECONDS].begins[value];
		     b < p->stretches[value].ends[SECONDS]; b++)
			set_bit(row, b);
		best = cheaper(best, try_value(p, at, value));
	}
	for (unsigned i = h.offers; i-- > 0;)
		best = cheaper(best, p->cost[at + 1] + p->phrases.all[h.offered[i]].price);
	p->cost[at] = best >> PRICE_BITS << PRICE_BITS;
	return p->phrases.symbol[(uint32_t)best];
}

uint64_t pairs_parse(struct pairs_parser *p, const struct pairs_plane *in, size_t count,
		     uint32_t *choice)
{
	p->now++;
	p->cost[count] = 0;
	memset(row_of(p, count), 0, p->words * sizeof *p->matches);
	for (size_t i = count; i-- > 0;)
		choice[i] = parse_position(p, in, i, count);
	return p->cost[0] >> PRICE_BITS;
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
