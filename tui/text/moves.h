/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves in words: their numbers, who makes them, what they preserved. */
#ifndef TUI_TEXT_MOVES_H
#define TUI_TEXT_MOVES_H

#include "core/library/library.h"
#include "core/probe/probe.h"
#include "core/tree/tree.h"

enum { NUMBER_MAX = 16, LINE_END_MAX = 48, DEMAND_MAX = 64, HAND_MAX = 40 };

/* The number before a move: "12.", nothing before the second of a pair, or "12..." if a line begins
   with it. Returns `out`. */
const char *move_number(const struct el_game *, unsigned side, unsigned number, bool begins,
                        char out[NUMBER_MAX]);

/* How demanding the answer's i-th move is for the opponent: "5 of Black's 7 replies lose", "1 of
   White's 4 replies throws away the win"; if brief, without the side; empty if no reply is a mistake. */
const char *demand_text(const struct el_answer *, size_t i, bool brief, char out[DEMAND_MAX]);

/* Why a line ends at a position: "stalemate", "repetition"; empty if obvious, for example at
   checkmate. */
const char *line_end_text(const struct el_game *, enum el_line_end, const struct el_position *last,
                          unsigned rule, char out[LINE_END_MAX]);

/* "in hand: White 7, Black 8"; empty if there are none. */
const char *hand_text(const struct el_game *, const struct el_position *, char out[HAND_MAX]);

/* The article before a value in words: "a " before "win in 5", "" before "mate in 5" and "zeroing
   in 5", and before "a limit of 5", which has its own. */
const char *value_article(const char *value);

/* "Kc3 cost 4 plies (best: mate in 15)", "Kc3 threw away mate in 15". */
void quality_text(const struct el_move_verdict *, const char *san, bool in_moves, char *out,
                  size_t size);

/* ---- verdicts ---- */

enum { VERDICT_MAX = 256 };

/* Is a verdict open because the outcome is known only within bounds? */
bool verdict_bounds(const struct el_move_verdict *);
/*
 * "kept the win: mate in 23 plies (12 moves)", "kept the win, cost 4 plies: ...", "only move to
 * keep the draw", "threw away the win; Kc5 kept mate in 23 plies (12 moves)", "lost: ...", "draw now,
 * at least a draw before", "no table says what this move was worth".
 * `before` is the position before the move. Returns `out`.
 */
const char *verdict_text(const struct el_game *, const struct el_position *before,
                         const struct el_move_verdict *, bool in_moves, char out[VERDICT_MAX]);

/* The same in a few words: "win in 41", "win in 55, 14 plies slower", "lost in 20, 4 plies sooner than
   necessary", of which the end is left out in a row of fewer cells, "draw, only move", "threw away
   the win; Kd5 won". */
const char *verdict_brief(const struct el_game *, const struct el_position *before,
                          const struct el_move_verdict *, bool in_moves, int cells,
                          char out[VERDICT_MAX]);

enum { EXTENT_MAX = 64 };
/* "12 of 20 half-moves judged, from move 45"; "none of 20 half-moves judged". */
const char *extent_text(const struct el_line_sum *, char out[EXTENT_MAX]);

/* What a mistake did: "throws the win", "throws the draw", "turns a win into a loss". */
const char *mistake_words(enum el_outcome before, enum el_outcome after);

#endif
