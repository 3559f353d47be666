/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces and short texts drawn in blocks, if a square is large enough for more than a glyph. */
#ifndef TUI_SCREEN_WIDGETS_PICTURES_H
#define TUI_SCREEN_WIDGETS_PICTURES_H

#include "tui/screen/canvas.h"

/* Texts are drawn large in panes of at least so many columns, or rows; pieces from 6 x 3 cells on. */
enum { PICTURE_COLS_MIN = 8, PICTURE_ROWS_MIN = 3 };

/* Draws the picture of a game's glyph as large as fits the pane, in blocks, or filled with `letter`
   if the canvas has none. Draws nothing and returns false if the pane is too small for one that can
   be recognised, or the glyph has none. */
bool picture_draw(const char *glyph, char letter, enum role fg, struct pane);
/* Draws a text as large as fits the pane, but a short one no larger than three characters would be.
   Draws nothing and returns false if that is no larger than ordinary text, or if a character has no
   picture. */
bool text_draw_large(const char *text, enum role fg, struct pane);

#endif
