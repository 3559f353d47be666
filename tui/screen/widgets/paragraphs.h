/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in paragraphs, which newlines part: each begins a row, and rows break between words. */
#ifndef TUI_SCREEN_WIDGETS_PARAGRAPHS_H
#define TUI_SCREEN_WIDGETS_PARAGRAPHS_H

#include "tui/screen/canvas.h"

/* The rows that a text needs; cols > 0. A word longer than a row is cut. */
int paragraphs_rows(const char *text, int cols);
/* '...' ends what does not fit. Returns the column behind the last row's end. */
int paragraphs_draw(struct pane, enum role, const char *text);

#endif
