/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number of positions of a slice at each depth, for one side to move. */
#ifndef TUI_SCREEN_WIDGETS_HISTOGRAM_H
#define TUI_SCREEN_WIDGETS_HISTOGRAM_H

#include "tui/screen/canvas.h"

#include "core/examine/examine.h"

/* The greatest number of positions in a row of `step` plies; at least 1. */
uint64_t histogram_most(const struct el_side_stats *, unsigned step);
/* Draws one row: the positions of plies from .. from + step - 1, its bar relative to `most`. */
void histogram_row(const struct el_side_stats *, unsigned from, unsigned step, uint64_t most,
                   struct pane);
/* Draws all of it, with as many plies per row as needed, or as many of another `unit`; marks the row
   of depth `here` (0: none). */
void histogram_draw(const struct el_side_stats *, const char *unit, unsigned here, struct pane);

#endif
