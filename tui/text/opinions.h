/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each of several tables says about a position, and what an answer rests on, in words. */
#ifndef TUI_TEXT_OPINIONS_H
#define TUI_TEXT_OPINIONS_H

#include "core/library/library.h"
#include "core/probe/probe.h"

enum { OPINION_MAX = EL_WHY_MAX + 32, CONTRADICTION_MAX = 4 * OPINION_MAX };

/* "mate in 8 moves (15 plies)", "win", "zeroing in 2 moves (3 plies ±1)", or why the table does not
   say. Returns `out`. */
const char *opinion_text(const struct el_opinion *, bool in_moves, char out[OPINION_MAX]);
/* Does opinion i report a contradiction? Of two opinions that contradict each other, one does. */
bool opinion_tells(const struct el_opinions *, size_t i);
/* "a/KQvK.rtbw says draw (wdl50), b/KQvK.dtm.egt says mate in 8 moves (15 plies) (dtm)". Returns
   `out`. */
const char *contradiction_text(const struct el_opinions *, size_t i, char out[CONTRADICTION_MAX]);

/* Why the outcome is unknown, or that it follows from the moves: "from its moves: no table of
   KRvKP; looked in ~/tables". Empty where a table settles it. Returns `out`. */
const char *basis_text(const struct el_answer *, char out[OPINION_MAX]);

#endif
