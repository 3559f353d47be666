/* SPDX-License-Identifier: MIT */
/*
 * Grammars of recursive pairing, for file formats that each store them in their own way.
 * codecs/pairs/pairs.h explains them and how they are learned; the codec pairs is one such format.
 */
#ifndef CODECS_GRAMMARS_H
#define CODECS_GRAMMARS_H

#include "endlab/codec.h"

/* Two symbols, one after the other. Symbols below value_count are values; the others are rules, in
   any order but never circular. */
struct el_pairs_rule {
	uint32_t first, second;
};

struct el_pairs {
	uint32_t value_count, rule_count;
	struct el_pairs_rule *rules; /* owned */
	uint32_t *length;            /* by symbol: how many values it stands for; owned */
	uint8_t *bits;               /* by symbol: the length of its code; 0: it has none; owned */
};

/* A plane to compress. */
struct el_pairs_task {
	/* `symbols` changes wherever `care` leaves a choice */
	struct el_codec_plane plane;
	uint32_t value_count;
	uint32_t rules;  /* most rules; with the values at most 65536 */
	uint32_t phrase; /* most values that a symbol stands for */
	uint32_t worth;  /* fewest uses of a rule */
	/* rounds of choosing before the last one, which takes whatever is cheapest */
	unsigned effort;
	const struct el_watch *watch;
};

/*
 * Learns a grammar and rewrites the plane in it: `phrases` (malloc'ed) are symbols that stand for
 * its values in order. Uses all cores; the result does not depend on their number. After EL_MEMORY
 * or EL_STOPPED there is nothing to free.
 */
enum el_status el_pairs_learn(const struct el_pairs_task *, struct el_pairs *out,
                              uint16_t **phrases, size_t *count, struct el_error *);
/* Estimates how many bits the plane takes, from a greedy fill and its pairs. Uses one core.
   EL_MEMORY. */
enum el_status el_pairs_weigh(const struct el_pairs_task *, double *bits, struct el_error *);
void el_pairs_free(struct el_pairs *);

#endif
