/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The phrases of a grammar as a parse wants them.
 *
 * A phrase of nothing but one value is a run. Runs lie by value and length: where a value may stand
 * at so many positions in a row, those that match are the beginning of a list. All other rules that
 * have a code lie in words of 64, so that those that match are the bits of a word; each value has
 * words of its own, for the rules that begin with it.
 */
#ifndef CODECS_PAIRS_PHRASES_H
#define CODECS_PAIRS_PHRASES_H

#include "pairs.h"

enum { PRICE_BITS = 32 };

/* A *mask* says where a phrase matches: a bit for each position of a tile (parse.c), set where its
   values may stand from there on. Masks are numbered, and symbols that are never matched alone have
   none. */
enum { NO_MASK = 0 }; /* the mask of what never matches, and of values that are in no rule */

/* How the mask of a rule follows from those of its parts: mask = first & second >> shift. */
struct step {
	uint32_t mask, first, second; /* numbers of masks */
	uint32_t shift;               /* values in the phrase of the first part */
	uint32_t length;              /* values in that of the rule */
};

/* Phrases and what they cost. A price is bits << PRICE_BITS | a phrase; those are numbered so that
   of phrases that cost the same and begin with the same value the lowest is taken. */
struct priced {
	/* by the value that phrases begin with, and the end: where they begin below; for `mixed`
	   counted in words of 64 */
	uint32_t *begins;
	uint32_t *length; /* values in the phrase */
	uint64_t *price;
};

struct phrases {
	uint32_t count;
	uint32_t *symbol;      /* by phrase; the first phrases are the values, in order */
	uint64_t *value_price; /* by value: the price of the value alone */
	uint32_t *value_mask;  /* by value: its mask */
	struct step *steps;    /* of all rules, parts first */
	uint32_t masks;        /* how many there are */
	struct priced runs;    /* rules only; by value and length */
	struct priced mixed;   /* by value, 64 a word */
	uint32_t *mixed_mask;  /* as mixed.length: the mask of each */
	uint32_t words;        /* of `mixed` */
};

/* False when memory is out; to be freed all the same. */
bool pairs_phrases_make(struct phrases *, const struct el_pairs *);
void pairs_phrases_free(struct phrases *);

#endif
