/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each metric counts, in two sentences, with a position that shows it. */
#ifndef TUI_TEXT_EXPLAIN_H
#define TUI_TEXT_EXPLAIN_H

#include "core/games/game.h"

struct explanation {
	const char *name; /* the metric's; under a rule, that of the usual rule */
	const char *text;
	const char *example; /* a position */
	const char *look;    /* what the position shows */
};

/* For tables that continue past the limit (el_metric.late) and may be rounded. */
extern const struct explanation explanation_late;
/* The explanation of a metric of the game. */
const struct explanation *explanation_of(const struct el_metric *, const struct el_game *);

#endif
