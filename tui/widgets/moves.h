/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranked moves of a position, grouped by outcome. */
#ifndef ENDLAB_TUI_WIDGETS_MOVES_H
#define ENDLAB_TUI_WIDGETS_MOVES_H

#include "../view.h"

#include "endlab/library.h"

/* The headings of all groups are always seen; the moves scroll between them. */
void moves_draw(const struct el_answer *, const struct list *, bool in_moves, struct pane);

#endif
