/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies over the view on screen: marks on its board, or a cover on all that it says of it. */
#ifndef TUI_SHELL_OVERLAY_H
#define TUI_SHELL_OVERLAY_H

#include "shell.h"
#include "tui/screen/widgets/board.h"

enum { OVERLAY_SQUARES = 64 };

/* Whoever asks about a board fills it: every view draws it with its own. */
struct overlay {
	bool on;
	/* of a move: what the picker shows of it, before what the view shows */
	struct board choice;
	struct el_position made;                   /* for that */
	struct square_mark marks[OVERLAY_SQUARES]; /* before those of the view */
};

struct overlay *shell_overlay(const struct model *);
/* Lays it over a board that is about to be drawn. */
void overlay_show(const struct model *, struct board *);

/* ---- the cover ---- */

/* The view shows nothing but the board (view.covers). A lesson's step begins uncovered. */
bool shell_is_covered(const struct model *);
void shell_cover(struct model *, bool);
/* Covers, or uncovers again. */
void overlay_switch_cover(struct model *);
void overlay_uncover(struct model *);
const char *overlay_no_cover(const struct model *);
/* Instead of the view. */
void overlay_draw_cover(const struct model *, struct pane);

#endif
