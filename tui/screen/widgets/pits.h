/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A board of pits that hold stones, as in Awari: board.c draws it with these. */
#ifndef TUI_SCREEN_WIDGETS_PITS_H
#define TUI_SCREEN_WIDGETS_PITS_H

#include "board_inside.h"

enum {
	PITS_ABOVE = 1, /* rows of names above the pits, besides those below */
	STORE_COLS = 4, /* at either side */
};

/* The names of the pits, and what each side has taken, around them: of the side at the top on the
   left, of the other on the right. `p`: the whole board. */
void pits_draw_around(const struct board *, struct pane p);
/* The stones in one of these squares, which is a pit. */
void pit_draw(const struct board *, const struct square *);

#endif
