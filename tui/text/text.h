/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, values and near misses in words. */
#ifndef ENDLAB_CLI_TEXT_H
#define ENDLAB_CLI_TEXT_H

#include "endlab/game.h"

#include <stddef.h>
#include <stdint.h>

enum { GROUPED_MAX = 32, VALUE_MAX = 96, NUMBER_MAX = 16 };

/* 2467122 -> "2,467,122"; returns `out`. */
const char *grouped(uint64_t number, char out[GROUPED_MAX]);

/* "61 plies (31 moves)": moves of the winner, counted as people do. Returns `out`. */
const char *depth_words(enum el_outcome, unsigned plies, char out[VALUE_MAX]);

/* What stands before a move: "12.", before the second of a pair nothing, or "12..." where a line
   begins with it. Returns `out`. */
const char *move_number(const struct el_game *, unsigned side, unsigned number, bool begins,
                        char out[NUMBER_MAX]);

/* Does this value of this metric come with a depth? */
static inline bool value_has_depth(const struct el_metric *metric, struct el_value value)
{
	return metric->has_depth && value.outcome <= EL_WIN && value.outcome != EL_DRAW;
}

/* Seconds on a clock that never goes back. */
double seconds_now(void);

/* The candidate most like a word, where one is near enough to be meant. */
struct nearest {
	const char *word, *best;
	size_t distance; /* of `best`; at first the most that is near enough, and one */
};

struct nearest nearest_start(const char *word);
void nearest_offer(struct nearest *, const char *candidate);

#endif
