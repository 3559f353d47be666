/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values known within bounds, as letters: the ten values of Bjornsson, Schaeffer, Sturtevant,
   "Partial Information Endgame Databases", 2005. */
#ifndef TUI_TEXT_BOUNDS_H
#define TUI_TEXT_BOUNDS_H

#include "endlab/value.h"

/*
 * One of the paper's ten values, for the side to move. With the mark u it is what the position
 * would be worth if nothing changed any more; a loss and a win never have it.
 */
struct bounds_value {
	uint8_t outcome; /* enum el_outcome without blessed, cursed and broken ones: its bounds */
	bool undecided;  /* the u */
};

static inline bool bounds_equal(struct bounds_value a, struct bounds_value b)
{
	return a.outcome == b.outcome && a.undecided == b.undecided;
}

enum { BOUNDS_NAME_MAX = 4 };
/* "WW", "uTW": u, then the lower and the upper bound; T is a draw. Returns `out`. */
const char *bounds_letters(struct bounds_value, char out[BOUNDS_NAME_MAX]);
/* "LW" and so on, without a u and in any case; false when it is none of the six. */
bool bounds_read(const char *name, enum el_outcome *out);

#endif
