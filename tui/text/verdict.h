/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on moves in words. */
#ifndef TUI_TEXT_VERDICT_H
#define TUI_TEXT_VERDICT_H

#include "core/tree/tree.h"

enum { VERDICT_MAX = 256 };

/*
 * "kept the win: mate in 12 moves (23 plies)", "kept the win, cost 4 plies: ...", "only move to
 * keep the draw", "threw the win: Kc5 mates in ...", "lost: ...", "what it kept is unknown".
 * `before`: the position that the move was made in. Returns `out`.
 */
const char *verdict_text(const struct el_game *, const struct el_position *before,
                         const struct el_move_verdict *, bool in_moves, char out[VERDICT_MAX]);

/* The same in a few words: "win 41", "win 55, 14 plies longer", "draw, only move", "throws the win:
   Kd5 wins". */
const char *verdict_brief(const struct el_game *, const struct el_position *before,
                          const struct el_move_verdict *, bool in_moves, char out[VERDICT_MAX]);

#endif
