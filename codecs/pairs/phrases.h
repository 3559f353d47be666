/* SPDX-License-Identifier: MIT */
/*
 * The phrases of a grammar, arranged for the parser.
 *
 * A phrase that repeats one value is a run. Runs are ordered by value and length: where a value may
 * stand at so many positions in a row, the runs that match are the beginning of its list. All other
 * rules that have a code are grouped in words of 64, and the bits of a word tell which match; each
 * value has words of its own, for the rules that begin with it.
 */
#ifndef CODECS_PAIRS_PHRASES_H
#define CODECS_PAIRS_PHRASES_H

#include "pairs.h"

enum { PRICE_BITS = 32 };

/* A *mask* says where a phrase matches: a bit for each position of a tile (parse.c), set where its
   values may stand from there on. Masks are numbered, and symbols that are never matched alone have
   none. */
enum { NO_MASK = 0 }; /* never matches; also for values that are in no rule */

/* Computes the mask of a rule from its parts' masks: mask = first & second >> shift. */
struct step {
	uint32_t mask, first, second; /* numbers of masks */
	uint32_t shift;               /* values in the phrase of the first part */
	uint32_t length;              /* values in the phrase of the rule */
};

/* Phrases and their prices. A price is bits << PRICE_BITS | phrase, so that of equally cheap
   phrases with the same first value the one with the lowest number wins. */
struct priced {
	/* by first value, and one for the end: where its phrases begin below; for `mixed` counted
	   in words of 64 */
	uint32_t *begins;
	uint32_t *length; /* values in the phrase */
	uint64_t *price;
	uint32_t *mask;
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
	uint32_t words;        /* of `mixed` */
};

/* False when memory is out; free it all the same. */
bool pairs_phrases_make(struct phrases *, const struct el_pairs *);
void pairs_phrases_free(struct phrases *);

#endif
