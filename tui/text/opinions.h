/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each of several tables says about a position, and what an answer rests on, in words. */
#ifndef TUI_TEXT_OPINIONS_H
#define TUI_TEXT_OPINIONS_H

#include "core/probe/probe.h"

enum { OPINION_MAX = EL_WHY_MAX + 32, CONTRADICTION_MAX = 4 * OPINION_MAX };

/* "mate in 15 plies (8 moves)", "win", "zeroing in 3 plies ±1 (2 moves)", or why the table does not
   say. Returns `out`. */
const char *opinion_text(const struct el_opinion *, bool in_moves, char out[OPINION_MAX]);
/* Does opinion i report a contradiction? Of two opinions that contradict each other, one does. */
bool opinion_tells(const struct el_opinions *, size_t i);
/* "a/KQvK.rtbw says draw (wdl50), b/KQvK.dtm.egt says mate in 15 plies (8 moves) (dtm)". Returns
   `out`. */
const char *contradiction_text(const struct el_opinions *, size_t i, char out[CONTRADICTION_MAX]);

/* Why the outcome is unknown, or that it follows from the moves: "from its moves: KRvKP is not
   built; looked in ~/tables", or without the folders. Empty where a table settles it. Returns
   `out`. */
const char *basis_text(const struct el_answer *, bool folders, char out[OPINION_MAX]);

#endif
