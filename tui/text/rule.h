/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Move-count rules and their clock, in words. */
#ifndef TUI_TEXT_RULE_H
#define TUI_TEXT_RULE_H

#include "core/library/library.h"
#include "core/probe/probe.h"

enum { RULE_WORDS_MAX = 224 };

/* Parses "50", "off", or another number of moves up to EL_RULE_MAX. EL_USAGE says what is
   expected. */
enum el_status rule_parse(const char *text, unsigned *moves, struct el_error *);
/* "50-move rule", "rule off"; returns `out`. */
const char *rule_text(unsigned moves, char out[32]);

/*
 * How the clock affects the answer: it has run out, it decides but no table says how ("mate in 23
 * plies, 5 left on the clock: build dtz50 to know whether that is in time"), or where it stands.
 * Empty if there is nothing to say. Returns `out`.
 */
const char *rule_sentence(const struct el_answer *, char out[RULE_WORDS_MAX]);

/*
 * How plies to mate change with the clock, from now on, where a table tells: "15 plies to clock 83, 17 to 84, then a
 * draw". Empty if none does. Returns `out`.
 */
const char *clock_sentence(const struct el_answer *, bool in_moves, char out[RULE_WORDS_MAX]);

#endif
