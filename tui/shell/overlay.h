/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers over the view on screen: marks on its board, a cover that hides all but the board, or a panel
   of the keys beside the board. */
#ifndef TUI_SHELL_OVERLAY_H
#define TUI_SHELL_OVERLAY_H

#include "shell.h"
#include "tui/screen/widgets/board.h"

enum { OVERLAY_SQUARES = 64 };

/* The code that asks about a board fills it; every view merges it into its own. */
struct overlay {
	bool on;
	/* the picker's display of a move, in front of the view's */
	struct board choice;
	struct el_position made;                   /* for `choice` */
	struct square_mark marks[OVERLAY_SQUARES]; /* in front of the view's */
};

struct overlay *shell_overlay(const struct model *);
/* Applies it to a board that is about to be drawn. */
void overlay_show(const struct model *, struct board *);

/* ---- the cover ---- */

/* Are the view's numbers hidden (view.cover)? A lesson's step begins uncovered. */
bool shell_is_covered(const struct model *);
/* Covers or uncovers. */
void overlay_switch_cover(struct model *);
void overlay_uncover(struct model *);
const char *overlay_no_cover(const struct model *);
/* Draws the cover instead of the view. */
void overlay_draw_cover(const struct model *, struct pane);

/*
 * ---- the panel of keys ----
 *
 * What each key does in the view on screen, beside its board. It stays while keys move through a
 * position or a list, and ends with Esc, q and any key that shows something else.
 */

/* Shows it; if it is shown, or in the help itself, shows the help. */
void overlay_show_keys(struct model *);
bool overlay_has_keys(const struct model *);
void overlay_close_keys(struct model *);
/* Turns its pages, or closes it; false if the key is for others. */
bool overlay_turn_keys(struct model *, int key);
/* Draws the panel, if any, over the view's pane. */
void overlay_draw_keys(const struct model *, struct pane);

#endif
