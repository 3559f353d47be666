/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A card beside the board of the first view, on the very first run: where a folder of what is kept
 * (kept.h) has neither a session nor the file `welcome`, and no position was given. Any key takes
 * it away for good.
 */
#ifndef TUI_SHELL_WELCOME_H
#define TUI_SHELL_WELCOME_H

#include "kept.h"

/* Before the session is resumed. */
void welcome_open(struct model *);
/* Takes the card away; false when there was none. */
bool welcome_close(struct model *);
/* Into the view's pane, while there is a card. */
void welcome_draw(const struct model *, struct pane);

#endif
