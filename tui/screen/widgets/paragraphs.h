/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paragraphs of text, separated by newlines: each begins a row, and rows break between words. */
#ifndef TUI_SCREEN_WIDGETS_PARAGRAPHS_H
#define TUI_SCREEN_WIDGETS_PARAGRAPHS_H

#include "tui/screen/canvas.h"

/* The rows that a text needs; cols > 0. A word longer than a row is split. */
int paragraphs_rows(const char *text, int cols);
/* '...' ends text that does not fit. Returns the column after the end of the last row. */
int paragraphs_draw(struct pane, enum role, const char *text);

#endif
