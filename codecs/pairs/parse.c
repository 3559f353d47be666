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
	LIKELY = 4 + 2 * NEAR, /* values at most, where not all are tried */
	NO_CODE = 1 << 30,     /* bits */
};

/* A rule, as its first part knows it. They are sorted by both parts. */
struct extension {
	uint32_t symbol;        /* of the rule */
	uint32_t first, second; /* a symbol, and which bit the second part has */
};

/* A symbol that matches: numbers are those of values, and behind them the places of extensions, so that
   what one symbol grows to lies together. */
struct phrase {
	uint32_t cost;   /* bits of its code; NO_CODE */
	uint32_t length; /* the values it stands for */
	uint32_t bit;    /* as a second part; of those that are none there is one more */
	uint32_t begins; /* its first place in `seconds`; the next phrase's is its end */
};

/* Which second parts the rules of a first part have, 64 at a time. */
struct seconds {
	uint64_t bits;
	uint32_t word;   /* of a row of matches */
	uint32_t phrase; /* of the lowest bit */
};

struct pairs_parser {
	const struct el_pairs *grammar;
	struct extension *extensions; /* of all rules */
	struct phrase *phrases;       /* one more at the end */
	struct seconds *seconds;      /* of all phrases */
	uint32_t *cost;          /* by position, and one behind the last: bits from there on */
	uint64_t *matches;       /* `window` rows of `words` */
	/* A rule's first part is shorter than the longest phrase, so nothing behind the window is asked
	   for. It is a power of two. */
	size_t words, window;
	uint32_t *waiting;       /* phrases that match here and have not been gone on from */
};

/* ---- setting up ---- */

static int by_parts(const void *a, const void *b)
{
	const struct extension *x = a, *y = b;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->second < y->second ? -1 : x->second > y->second;
}

/* Gives second parts their bits, by symbol; the others get one in common. */
static void number_seconds(struct pairs_parser *p, uint32_t *bit)
{
	const struct el_pairs *g = p->grammar;
	uint32_t bits = 0;
	memset(bit, 0xff, pairs_symbols(g) * sizeof *bit);
	for (uint32_t r = 0; r < g->rule_count; r++)
		if (bit[g->rules[r].second] == PAIRS_NO_VALUE)
			bit[g->rules[r].second] = bits++;
	for (uint32_t s = 0; s < pairs_symbols(g); s++)
		bit[s] = bit[s] == PAIRS_NO_VALUE ? bits : bit[s];
	p->words = bits / 64 + 1;
}

/* Sorts the rules; `from` is by symbol its first extension, and one more at the end. */
static void sort_extensions(struct pairs_parser *p, const uint32_t *bit, uint32_t *from)
{
	const struct el_pairs *g = p->grammar;
	for (uint32_t r = 0; r < g->rule_count; r++)
		p->extensions[r] = (struct extension){g->value_count + r, g->rules[r].first,
						      bit[g->rules[r].second]};
	qsort(p->extensions, g->rule_count, sizeof *p->extensions, by_parts);
	uint32_t at = 0;
	for (uint32_t s = 0; s <= pairs_symbols(g); s++) {
		while (at < g->rule_count && p->extensions[at].first < s)
			at++;
		from[s] = at;
	}
}

static uint32_t symbol_of(const struct pairs_parser *p, uint32_t phrase)
{
	const uint32_t values = p->grammar->value_count;
	return phrase < values ? phrase : p->extensions[phrase - values].symbol;
}

/* False when two rules have the same parts: `extend` counts on one rule a bit. */
static bool list_phrases(struct pairs_parser *p, const uint32_t *bit, const uint32_t *from)
{
	const struct el_pairs *g = p->grammar;
	uint32_t count = 0;
	for (uint32_t n = 0; n < pairs_symbols(g); n++) {
		const uint32_t s = symbol_of(p, n), begins = count;
		p->phrases[n] = (struct phrase){g->bits[s] ? g->bits[s] : NO_CODE, g->length[s],
						bit[s], begins};
		for (uint32_t e = from[s]; e < from[s + 1]; e++) {
			const uint32_t second = p->extensions[e].second, word = second / 64;
			const uint64_t one = UINT64_C(1) << second % 64;
			if (count == begins || p->seconds[count - 1].word != word)
				p->seconds[count++] = (struct seconds){0, word, g->value_count + e};
			if (p->seconds[count - 1].bits & one)
				return false;
			p->seconds[count - 1].bits |= one;
		}
	}
	p->phrases[pairs_symbols(g)].begins = count;
	return true;
}

/* False when memory is out; `sound` as list_phrases says. */
static bool number_phrases(struct pairs_parser *p, bool *sound)
{
	const size_t symbols = pairs_symbols(p->grammar);
	uint32_t *bit = malloc(symbols * sizeof *bit);
	uint32_t *from = malloc((symbols + 1) * sizeof *from);
	const bool have = bit && from;
	if (have) {
		number_seconds(p, bit);
		sort_extensions(p, bit, from);
		*sound = list_phrases(p, bit, from);
	}
	free(bit);
	free(from);
	return have;
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
	p->phrases = malloc((symbols + 1) * sizeof *p->phrases);
	p->seconds = malloc((g->rule_count + 1) * sizeof *p->seconds);
	p->extensions = malloc((g->rule_count + 1) * sizeof *p->extensions);
	p->cost = malloc((block + 1) * sizeof *p->cost);
	p->waiting = malloc((symbols + 1) * sizeof *p->waiting);
	bool have = p->phrases && p->seconds && p->extensions && p->cost && p->waiting;
	bool sound = true;
	have = have && number_phrases(p, &sound);
	if (have) {
		p->window = window_of(g, block);
		p->matches = malloc(p->window * p->words * sizeof *p->matches);
		have = p->matches;
	}
	if (!have || !sound) {
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
	free(p->phrases);
	free(p->seconds);
	free(p->extensions);
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

/* What is known of a position. */
struct here {
	struct pairs_parser *parser;
	const struct pairs_plane *plane;
	uint64_t *row;
	size_t at, count; /* positions of the block */
	size_t waiting;
	uint32_t best, least;     /* of the phrases that match: the cheapest, and bits from here on */
	uint16_t offered[LIKELY]; /* values */
	unsigned offers;
};

static inline void match(struct here *h, uint32_t n)
{
	struct pairs_parser *p = h->parser;
	const struct phrase *phrase = &p->phrases[n];
	const size_t end = h->at + phrase->length;
	const uint32_t cost = p->cost[end] + phrase->cost;
	h->row[phrase->bit / 64] |= UINT64_C(1) << phrase->bit % 64;
	h->best = cost <= h->least ? n : h->best;
	h->least = cost < h->least ? cost : h->least;
	p->waiting[h->waiting] = n;
	h->waiting += end < h->count && phrase->begins < phrase[1].begins;
}

/* Those of 64 rules match whose second parts match behind their first one. Two rules never have the
   same parts, so a bit is one rule: the phrases are counted up to it. */
static inline void extend(struct here *h, const struct seconds *seconds, const uint64_t *behind)
{
	for (uint64_t both = seconds->bits & behind[seconds->word]; both; both &= both - 1) {
		const uint64_t below = (both & -both) - 1;
		match(h, seconds->phrase + (uint32_t)__builtin_popcountll(seconds->bits & below));
	}
}

/* Adds a value that the position may have, unless it is there already. */
static void offer(struct here *h, uint16_t value)
{
	if (h->plane->care[h->at] == EL_CARE_AT_MOST && value > h->plane->symbols[h->at])
		return;
	for (unsigned i = 0; i < h->offers; i++)
		if (h->offered[i] == value)
			return;
	h->offered[h->offers++] = value;
	match(h, value);
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
static void match_values(struct here *h)
{
	const struct pairs_plane *in = h->plane;
	const uint32_t values = h->parser->grammar->value_count;
	if (!in->care || in->care[h->at] == EL_CARE_EXACT) {
		match(h, in->symbols[h->at]);
		return;
	}
	if (in->quick || values > FEW || is_deep(h)) {
		offer_likely(h);
		return;
	}
	const uint32_t last = in->care[h->at] == EL_CARE_NOT ? values - 1 : in->symbols[h->at];
	for (uint32_t v = 0; v <= last; v++)
		match(h, v);
}

/* Finds all that matches at a position, and the cheapest of it. */
static uint32_t parse_position(struct pairs_parser *p, const struct pairs_plane *in, size_t at,
			       size_t count)
{
	struct here h = {p, in, row_of(p, at), at, count, 0, 0, UINT32_MAX, {0}, 0};
	memset(h.row, 0, p->words * sizeof *h.row);
	match_values(&h);
	while (h.waiting) {
		const struct phrase *phrase = &p->phrases[p->waiting[--h.waiting]];
		const uint64_t *behind = row_of(p, at + phrase->length);
		for (uint32_t i = phrase->begins; i < phrase[1].begins; i++)
			extend(&h, &p->seconds[i], behind);
	}
	p->cost[at] = h.least;
	return symbol_of(p, h.best);
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
