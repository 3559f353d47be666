/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A board of points on lines, as in Nine Men's Morris: board.c draws it with these. */
#ifndef TUI_SCREEN_WIDGETS_POINTS_H
#define TUI_SCREEN_WIDGETS_POINTS_H

#include "board_inside.h"

/* The board without its points, in a pane of as many squares as it has files and ranks. */
void lines_draw(const struct board *, struct pane);
/* What stands on one of these squares, whose middle is a point. */
void point_draw(const struct board *, const struct square *);

#endif
