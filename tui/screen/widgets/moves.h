/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranked moves of a position, grouped by outcome. */
#ifndef TUI_SCREEN_WIDGETS_MOVES_H
#define TUI_SCREEN_WIDGETS_MOVES_H

#include "tui/screen/canvas.h"
#include "tui/screen/list.h"

#include "core/probe/probe.h"

/* Shows the heading and best move of every group if there is room; the selected move's group
   scrolls. */
void moves_draw(const struct el_answer *, const struct list *, bool in_moves, struct pane);

#endif
