/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The phrases of a grammar as a parse wants them: in order of price and of what can match.
 *
 * A phrase of nothing but one value is a run. Runs lie by value and length: where a value may stand
 * at so many positions in a row, those that match are the beginning of a list. A rule that is no run
 * but has one as its first part lies by that value and by the length of the run that it begins with,
 * for it ends where another value may stand. All other rules lie with their first parts.
 */
#ifndef CODECS_PAIRS_PHRASES_H
#define CODECS_PAIRS_PHRASES_H

#include "pairs.h"

enum { PRICE_BITS = 32 };

/* Values have their own numbers, and rules such that of those that cost the same the one with the
   lowest number is taken, those of one first part one after the other. A price is bits << PRICE_BITS |
   a phrase, so that the lowest price tells the phrase. */
struct phrase {
	uint64_t price;
	uint32_t length; /* the values it stands for */
	uint32_t bit;    /* as a second part; all that are none have one in common */
	uint32_t grows, grown; /* into the phrases from the one to the other; none if it is a run */
};

/* By value and, within a value, by a run's length. */
struct by_run {
	uint32_t *begins; /* by value, and the end of the last */
	uint32_t *length;
};

/* What is there by value and run. */
enum { RUNS, SECONDS, GROWTHS, LISTS };

/* A rule that grows from a run. */
struct growth {
	uint32_t phrase;
	uint32_t first;  /* length of the first part */
	uint32_t second; /* bit of the second */
};

struct phrases {
	uint32_t count;
	struct phrase *all;
	uint32_t *symbol;       /* by phrase */
	uint32_t *second;       /* by phrase: the bit of its second part */
	struct by_run list[LISTS];
	uint64_t *price;        /* of RUNS */
	struct growth *growths; /* of GROWTHS */
	/* SECONDS are the bits of values and runs that are second parts; those of others follow. */
	uint32_t bits;
};

/* False when memory is out; to be freed all the same. */
bool pairs_phrases_make(struct phrases *, const struct el_pairs *);
void pairs_phrases_free(struct phrases *);

#endif
