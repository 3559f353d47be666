/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values in words, for the command line and the screen alike. */
#ifndef ENDLAB_TUI_VALUES_H
#define ENDLAB_TUI_VALUES_H

#include "endlab/game.h"

/* One letter, so that nothing is lost without colour: W w + = ? - l L x. */
char outcome_mark(enum el_outcome);
/* "winning", for a group of moves or positions. */
const char *outcome_group(enum el_outcome);
/* "win", "at least a draw", for one position. */
const char *outcome_words(enum el_outcome);

/* Does the value come with a depth? */
bool value_is_deep(const struct el_metric *, struct el_value);
/* Moves are those of the winner. */
unsigned depth_shown(unsigned plies, bool in_moves);
/* "plies" or "moves". */
const char *depth_unit(bool in_moves);

enum { SENTENCE_MAX = 96 };
/* "mate in 61 plies (31 moves)", or "win" where the metric has no depth. Returns `out`. */
const char *value_sentence(const struct el_metric *, struct el_value, bool in_moves,
                           char out[SENTENCE_MAX]);
/* "mate in 61" without the unit; "win", "draw". */
const char *value_short(const struct el_metric *, struct el_value, bool in_moves,
                        char out[SENTENCE_MAX]);
/* What a move was worth for its mover, beside the best there was. */
struct quality {
	const struct el_metric *metric; /* of both */
	struct el_value best, got;
};
/* "Kc3 lost 4 plies: it was mate in 15". */
void quality_text(const struct quality *, const char *san, bool in_moves, char *out, size_t size);
/* "DTM"; returns `out`. */
const char *metric_text(const struct el_metric *, char out[16]);
/* The one behind it in the list of games, around to the first. */
const struct el_game *next_game(const struct el_game *);
/* "White", "Black". */
const char *side_name(unsigned side);
/* 310 -> "310", 12345 -> "12K", ...; returns `out`. */
const char *bytes_text(uint64_t bytes, char out[16]);

#endif
