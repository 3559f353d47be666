/* SPDX-License-Identifier: MIT */
/*
 * Finds the cheapest parse of a block. The allowed values are known before any is chosen, so
 * matching comes first, for many positions at a time: each symbol has a mask, one bit per position,
 * that says where it matches. A value's mask says where it may stand; a rule's is the mask of its
 * first part ANDed with its second part's, shifted by the length of the first:
 *
 *     position       0 1 2 3 4 5
 *     a may stand    1 1 0 1 1 0
 *     b may stand    0 1 1 0 1 1
 *     ab             1 1 0 1 1 0   = a & b from 1 on
 *
 * Then the parser finds the cheapest phrase at each position, from the end to the beginning. Runs
 * need no masks there: how far a value may continue tells how many of them match. The masks of all
 * others are transposed, 64 phrases by 64 positions at a time, so that each position has words of
 * phrases.
 *
 * The parser takes a block in tiles, which keeps the masks small; masks extend past a tile by the
 * length of the longest phrase.
 */
#include "phrases.h"

#include <stdlib.h>
#include <string.h>

/* Measured on chess tables: more freedom takes longer and hardly makes files smaller. */
enum {
	FEW = 4,               /* so few values are all tried */
	DEEP = 16,             /* positions to the nearest one that is not free */
	NEAR = 6,              /* distance of neighbours whose choice is tried, too */
	LIKELY = 4 + 2 * NEAR, /* most values tried otherwise */
	TILE = 4096,           /* least positions */
	MANY = 16,             /* so many masks are transposed together, not bit by bit */
};

/* Consecutive positions that may have a value. */
struct stretch {
	uint64_t seen; /* when it was last extended */
	uint32_t length;
	uint32_t end; /* end of the runs that are no longer than this */
};

struct pairs_parser {
	const struct el_pairs *grammar;
	struct phrases phrases;
	/* by position, and one past the last: bits from there on << PRICE_BITS */
	uint64_t *cost;
	size_t longest;     /* longest phrase, limited to a block */
	size_t room;        /* words of a mask */
	size_t tile, reach; /* of this block: words of a tile, and past it; one more is zero */
	uint64_t *masks;
	bool *matches; /* by mask: does it match anywhere in the tile? */
	/* by word of mixed phrases, then of positions: masks that are not 0 there */
	uint64_t *present;
	uint64_t (*turned)[64]; /* by word of mixed phrases, then position */
	uint16_t *offered;      /* values by position in the tile, from the last to the first */
	/* by position: the end of its values; they begin where the next position's end */
	uint32_t *offers;
	uint64_t now;              /* positions parsed, and blocks */
	struct stretch *stretches; /* by value */
};

/* ---- setting up ---- */

/* If a block fits into one tile, nothing follows the tile. */
static void size_tile(struct pairs_parser *p, size_t count)
{
	const size_t words = (count + 63) / 64;
	p->reach = (p->longest + 63) / 64;
	p->tile = p->reach > TILE / 64 ? p->reach : TILE / 64;
	if (p->tile >= words) {
		p->tile = words;
		p->reach = 0;
	}
}

enum el_status pairs_parser_open(const struct el_pairs *g, size_t block, struct pairs_parser **out,
                                 struct el_error *error)
{
	struct pairs_parser *p = calloc(1, sizeof *p);
	bool have = p && pairs_phrases_make(&p->phrases, g);
	if (have) {
		p->grammar = g;
		p->longest = 1;
		for (uint32_t s = 0; s < pairs_symbols(g); s++)
			p->longest = g->length[s] > p->longest ? g->length[s] : p->longest;
		p->longest = p->longest < block ? p->longest : block;
		size_tile(p, block);
		p->room = p->tile + p->reach + 1;
		p->cost = malloc((block + 1) * sizeof *p->cost);
		p->masks = malloc(p->phrases.masks * p->room * sizeof *p->masks);
		p->matches = malloc(p->phrases.masks * sizeof *p->matches);
		p->present = malloc((p->phrases.words * p->tile + 1) * sizeof *p->present);
		p->turned = malloc((p->phrases.words + 1) * sizeof *p->turned);
		p->offered = malloc(64 * p->tile * LIKELY * sizeof *p->offered);
		p->offers = malloc((64 * p->tile + 1) * sizeof *p->offers);
		p->stretches = calloc(g->value_count, sizeof *p->stretches);
		have = p->cost && p->masks && p->matches && p->present && p->turned && p->offered &&
		       p->offers && p->stretches;
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
	free(p->masks);
	free(p->matches);
	free(p->present);
	free(p->turned);
	free(p->offered);
	free(p->offers);
	free(p->stretches);
	free(p);
}

/* ---- the values of a position ---- */

/* A position and the values offered there. */
struct here {
	const struct pairs_plane *plane;
	uint32_t values;
	size_t at, count;  /* positions of the block */
	uint16_t *offered; /* values */
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

/* Offers the last choices at a distance, before and after. */
static void offer_around(struct here *h, size_t distance)
{
	if (h->at >= distance)
		offer(h, h->plane->last[h->at - distance]);
	if (h->at + distance < h->count)
		offer(h, h->plane->last[h->at + distance]);
}

/* Are all positions nearby free? */
static bool is_deep(const struct here *h)
{
	const size_t first = h->at > DEEP ? h->at - DEEP : 0, end = h->at + DEEP + 1;
	for (size_t i = first; i < end && i < h->count; i++)
		if (h->plane->care[i] != EL_CARE_NOT)
			return false;
	return true;
}

/* Offers values for a position: all allowed ones if they are few and the position matters, else
   likely ones. */
static void offer_values(struct here *h)
{
	const struct pairs_plane *in = h->plane;
	if (!in->care || in->care[h->at] == EL_CARE_EXACT) {
		h->offered[h->offers++] = in->symbols[h->at];
		return;
	}
	if (in->quick || h->values > FEW || is_deep(h)) {
		/* The last choices here, nearby, and in the rows before and after. */
		offer(h, in->last[h->at]);
		if (in->care[h->at] == EL_CARE_AT_MOST)
			offer(h, in->symbols[h->at]);
		for (size_t distance = 1; distance <= NEAR; distance++)
			offer_around(h, distance);
		offer_around(h, in->row);
		return;
	}
	const uint32_t last = in->care[h->at] == EL_CARE_NOT ? h->values - 1 : in->symbols[h->at];
	for (uint32_t v = 0; v <= last; v++)
		h->offered[h->offers++] = (uint16_t)v;
}

/* ---- matching ---- */

static uint64_t *mask_of(const struct pairs_parser *p, uint32_t mask)
{
	return p->masks + mask * p->room;
}

/* Finds the values of a tile's positions. */
static void offer_tile(struct pairs_parser *p, const struct pairs_plane *in, size_t first,
                       size_t end, size_t count)
{
	struct here h = {.plane = in,
	                 .values = p->grammar->value_count,
	                 .count = count,
	                 .offered = p->offered};
	p->offers[end - first] = 0;
	for (h.at = end; h.at-- > first;) {
		const size_t i = h.at - first;
		h.offers = 0;
		offer_values(&h);
		for (unsigned k = 0; k < h.offers; k++) {
			const uint32_t mask = p->phrases.value_mask[h.offered[k]];
			if (mask == NO_MASK)
				continue;
			mask_of(p, mask)[i / 64] |= UINT64_C(1) << i % 64;
			p->matches[mask] = true;
		}
		h.offered += h.offers;
		p->offers[i] = (uint32_t)(h.offered - p->offered);
	}
}

/* Sets mask = first & second >> shift over a tile; is any bit set? */
static bool combine(const struct pairs_parser *p, uint64_t *restrict mask,
                    const uint64_t *restrict first, const uint64_t *restrict second, size_t shift)
{
	const uint64_t *from = second + shift / 64;
	const unsigned low = shift % 64;
	const size_t words = p->tile + p->reach - shift / 64;
	const size_t end = words < p->tile ? words : p->tile;
	uint64_t any = 0;
	for (size_t i = 0; i < end; i++) {
		mask[i] = first[i] & (from[i] >> low | from[i + 1] << 1 << (63 - low));
		any |= mask[i];
	}
	memset(mask + end, 0, (p->tile - end) * sizeof *mask);
	return any;
}

/* Matches the rules in a tile. */
static void match_tile(struct pairs_parser *p, size_t count)
{
	for (uint32_t r = 0; r < p->grammar->rule_count; r++) {
		const struct step *s = &p->phrases.steps[r];
		uint64_t *mask = mask_of(p, s->mask);
		if (s->length <= count && p->matches[s->first]) {
			p->matches[s->mask] = combine(p, mask, mask_of(p, s->first),
			                              mask_of(p, s->second), s->shift);
		} else if (p->matches[s->mask]) {
			memset(mask, 0, p->tile * sizeof *mask);
			p->matches[s->mask] = false;
		}
	}
	/* Record which masks have bits to transpose. */
	memset(p->present, 0, p->phrases.words * p->tile * sizeof *p->present);
	for (uint32_t m = 0; m < 64 * p->phrases.words; m++) {
		const uint32_t number = p->phrases.mixed.mask[m];
		const uint64_t *restrict mask = mask_of(p, number);
		uint64_t *restrict present = p->present + m / 64 * p->tile;
		if (p->matches[number])
			for (size_t i = 0; i < p->tile; i++)
				present[i] |= (uint64_t)(mask[i] != 0) << m % 64;
	}
}

/* Transposes a square of bits: swaps halves, then their halves, and so on. */
static void turn(uint64_t square[64])
{
	uint64_t low = 0xffffffff;
	for (unsigned half = 32; half; half /= 2, low ^= low << half)
		for (unsigned block = 0; block < 64; block += 2 * half)
			for (unsigned i = block; i < block + half; i++) {
				const uint64_t moved = (square[i] >> half ^ square[i + half]) & low;
				square[i] ^= moved << half;
				square[i + half] ^= moved;
			}
}

/* Transposes the masks of a word of positions. */
static void turn_word(struct pairs_parser *p, size_t word)
{
	for (uint32_t w = 0; w < p->phrases.words; w++) {
		const uint32_t *masks = p->phrases.mixed.mask + 64 * w;
		const uint64_t present = p->present[w * p->tile + word];
		const bool many = __builtin_popcountll(present) > MANY;
		uint64_t *square = p->turned[w];
		memset(square, 0, sizeof p->turned[w]);
		for (uint64_t rest = present; rest; rest &= rest - 1) {
			const int i = __builtin_ctzll(rest);
			uint64_t bits = mask_of(p, masks[i])[word];
			if (many)
				square[i] = bits;
			for (; bits && !many; bits &= bits - 1)
				square[__builtin_ctzll(bits)] |= UINT64_C(1) << i;
		}
		if (many)
			turn(square);
	}
}

/* ---- choosing ---- */

/* Extends a value's stretch by one position, or begins it; returns the end of its runs. */
static uint32_t stretch(struct pairs_parser *p, uint16_t value)
{
	const struct priced *runs = &p->phrases.runs;
	struct stretch *s = &p->stretches[value];
	if (s->seen != p->now - 1)
		*s = (struct stretch){.end = runs->begins[value]};
	s->seen = p->now;
	s->length++;
	while (s->end < runs->begins[value + 1] && runs->length[s->end] <= s->length)
		s->end++;
	return s->end;
}

static inline uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The price of the cheapest match that begins with a value, except the value alone. `cost` points
   to the position's; `i` is its bit in the word. */
static uint64_t try_value(struct pairs_parser *p, const uint64_t *cost, unsigned i, uint16_t value)
{
	const struct priced *runs = &p->phrases.runs, *mixed = &p->phrases.mixed;
	const uint32_t end = stretch(p, value);
	uint64_t best = UINT64_MAX;
	for (uint32_t r = runs->begins[value]; r < end; r++)
		best = lower(best, cost[runs->length[r]] + runs->price[r]);
	for (uint32_t w = mixed->begins[value]; w < mixed->begins[value + 1]; w++)
		for (uint64_t bits = p->turned[w][i]; bits; bits &= bits - 1) {
			const uint32_t m = 64 * w + (uint32_t)__builtin_ctzll(bits);
			best = lower(best, cost[mixed->length[m]] + mixed->price[m]);
		}
	return best;
}

static uint64_t cheaper(uint64_t best, uint64_t price)
{
	return price >> PRICE_BITS < best >> PRICE_BITS ? price : best;
}

/* Chooses the cheapest match: of equally cheap phrases, one whose first value was offered first,
   and single values last. */
static uint32_t choose(struct pairs_parser *p, uint64_t *cost, size_t i)
{
	const uint16_t *offered = p->offered + p->offers[i + 1];
	uint64_t best = UINT64_MAX;
	const uint32_t offers = p->offers[i] - p->offers[i + 1];
	p->now++;
	for (uint32_t k = 0; k < offers; k++)
		best = cheaper(best, try_value(p, cost, i % 64, offered[k]));
	for (uint32_t k = offers; k-- > 0;)
		best = cheaper(best, cost[1] + p->phrases.value_price[offered[k]]);
	*cost = best >> PRICE_BITS << PRICE_BITS;
	return p->phrases.symbol[(uint32_t)best];
}

uint64_t pairs_parse(struct pairs_parser *p, const struct pairs_plane *in, size_t count,
                     uint32_t *choice)
{
	p->now++;
	p->cost[count] = 0;
	/* Nothing matches past the end of a block. */
	size_tile(p, count);
	for (uint32_t m = 0; m < p->phrases.masks; m++)
		memset(mask_of(p, m), 0, (p->tile + p->reach + 1) * sizeof *p->masks);
	memset(p->matches, 0, p->phrases.masks * sizeof *p->matches);
	for (size_t end = count, first; end; end = first) {
		first = (end - 1) / (64 * p->tile) * (64 * p->tile);
		/* This tile precedes the last one. */
		for (uint32_t m = 0; m < p->phrases.masks; m++) {
			uint64_t *mask = mask_of(p, m);
			memcpy(mask + p->tile, mask, p->reach * sizeof *mask);
		}
		for (uint32_t v = 0; v < p->grammar->value_count; v++) {
			const uint32_t mask = p->phrases.value_mask[v];
			memset(mask_of(p, mask), 0, p->tile * sizeof *p->masks);
			p->matches[mask] = false;
		}
		offer_tile(p, in, first, end, count);
		match_tile(p, count);
		for (size_t i = end - first; i-- > 0;) {
			if (i % 64 == 63 || first + i + 1 == end)
				turn_word(p, i / 64);
			choice[first + i] = choose(p, p->cost + first + i, i);
		}
	}
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
