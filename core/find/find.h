/* SPDX-License-Identifier: MIT */
/*
 * Positions that answer a question: "win and winning-moves = 1 and P on rank 7".
 *
 *     el_query_parse -> el_finder_open -> el_finder_search, slice by slice -> el_finder_close
 *
 * The language is described in endlab-find(7), its words in parse.c. Positions have no right to capture
 * en passant, since tables do not hold any.
 */
#ifndef CORE_FIND_FIND_H
#define CORE_FIND_FIND_H

#include "core/library/library.h"

/* ---- the question ---- */

struct el_query;

/* Where a question is at fault: bytes of its text. */
struct el_query_fault {
	size_t at, length;
};

/* Reads a question about positions of a game. EL_USAGE says what is wrong, *fault where; EL_MEMORY. */
enum el_status el_query_parse(const struct el_game *, const char *text, struct el_query **out,
                              struct el_query_fault *fault, struct el_error *);
void el_query_free(struct el_query *); /* may be null */

/* The words of the language, for completion: null past the last. Some are the game's own. */
const char *el_query_word(const struct el_game *, size_t i);

/* ---- the answer ---- */

/* A position that answers the question. Symmetric positions are found once. */
struct el_match {
	const struct el_slice *slice;   /* as given to el_finder_search */
	const struct el_metric *metric; /* of `value` */
	struct el_value value;          /* for the side to move */
	struct el_position position;
	/* positions that symmetries make of it and that answer, too; 1 .. 32 */
	unsigned placements;
	/* where it is stored; used for the order of matches */
	uint64_t index;
	uint8_t plane;
};

/* Takes a match, which it may not keep. False ends the search, which is no failure. */
typedef bool el_match_take(void *context, const struct el_match *);

struct el_find_options {
	/* of outcomes and of el_match.value; null: the first that the question names, else the finest that
	   tells the slice */
	const struct el_metric *metric;
	/* Order by the values under this metric, the longest first, or the shortest (of stones the greatest
	   gain, or the least); positions without a number are left out. Null: by slice, side to move and index. */
	const struct el_metric *sort;
	bool shortest;
	/* At most so many matches, chosen by chance if `sample` is set: the same for the same seed and
	   slices. 0: all */
	uint64_t limit;
	bool sample;
	uint64_t seed;
	bool count; /* only count: take no match, ignore what chooses and orders */
	const struct el_watch *watch; /* may be null */
	el_match_take *take;
	void *context;
};

/* How many positions answer. */
struct el_find_counts {
	uint64_t placements[2]; /* by side to move; symmetric ones count separately */
	uint64_t unique;        /* symmetry classes with at least one of them */
	uint64_t searched;      /* positions of the slice, up to symmetry */
	/* Positions that a value would have decided which is not known: no table tells `missing`, where a
	   move leads. They do not answer. */
	uint64_t unknown;
	struct el_slice missing;
};

struct el_finder;

/* Borrows the query and the options' pointers. EL_MEMORY. */
enum el_status el_finder_open(struct el_library *, const struct el_query *,
                              const struct el_find_options *, struct el_finder **out,
                              struct el_error *);
/*
 * Searches a slice of the query's game, which must stay valid. Without an order and without a sample,
 * matches are taken at once; else by el_finder_finish. *done: the caller has enough, and need not go
 * on. EL_NEGATIVE: no table tells what the question asks; errors of el_library_planes_told.
 */
enum el_status el_finder_search(struct el_finder *, const struct el_slice *,
                                struct el_find_counts *out, bool *done, struct el_error *);
/* Takes the matches that were kept. */
void el_finder_finish(struct el_finder *);
void el_finder_close(struct el_finder *); /* may be null */

#endif
