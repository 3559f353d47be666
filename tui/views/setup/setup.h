/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of setting up a board by hand. */
#ifndef ENDLAB_TUI_VIEWS_SETUP_H
#define ENDLAB_TUI_VIEWS_SETUP_H

#include "../../shell/view.h"

#include "endlab/game.h"

struct setup {
	const struct el_game *game;  /* of the board that is set up: g changes it */
	struct el_position position; /* may be illegal */
	int brush;                   /* the spare piece that a click places: side * EL_KINDS + kind;
	                                -1 clears the square */
};

#endif
