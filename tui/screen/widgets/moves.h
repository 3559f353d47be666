/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranked moves of a position, grouped by outcome. */
#ifndef TUI_SCREEN_WIDGETS_MOVES_H
#define TUI_SCREEN_WIDGETS_MOVES_H

#include "tui/screen/canvas.h"
#include "tui/screen/list.h"

#include "core/probe/probe.h"

/* The heading and the best move of every group are seen where there is room; the group of the
   selected move scrolls. */
void moves_draw(const struct el_answer *, const struct list *, bool in_moves, struct pane);

#endif
