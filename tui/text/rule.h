/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules that count moves, and their clock, in words. */
#ifndef TUI_TEXT_RULE_H
#define TUI_TEXT_RULE_H

#include "core/library/library.h"
#include "core/probe/probe.h"

enum { RULE_WORDS_MAX = 224 };

/* "50", "off", or another number of moves up to EL_RULE_MAX; EL_USAGE, with what is expected. */
enum el_status rule_parse(const char *text, unsigned *moves, struct el_error *);
/* "50-move rule", "rule off"; returns `out`. */
const char *rule_text(unsigned moves, char out[32]);

/*
 * What the clock of the position makes of its answer: that it has run out, that it decides and no
 * table says how ("mate in 23 plies, 5 left on the clock: build dtz50 to know whether that is in
 * time"), or where it stands. Empty where there is nothing to say. Returns `out`.
 */
const char *rule_sentence(const struct el_answer *, char out[RULE_WORDS_MAX]);

/* EL_NEGATIVE, with the way out, for a clock past the limit of a rule: no game gets there. */
enum el_status rule_check_clock(const struct el_game *, const struct el_position *, unsigned moves,
                                struct el_error *);

#endif
