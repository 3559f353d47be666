/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces and short texts drawn in blocks, where a square is large enough for more than a glyph. */
#ifndef TUI_SCREEN_WIDGETS_PICTURES_H
#define TUI_SCREEN_WIDGETS_PICTURES_H

#include "tui/screen/canvas.h"

/* In narrower panes a picture is no likeness; a disc is one in three rows. */
enum { PICTURE_COLS_MIN = 8, PICTURE_ROWS_MIN = 3 };

/* Draws the picture of a game's glyph as large as the pane has room for, in the blocks that the
   canvas has; where those are letters, in this one. False, with nothing drawn, when there is none
   of that glyph. */
bool picture_draw(const char *glyph, char letter, enum role fg, struct pane);
/* Draws a text as large as the pane has room for, but no short one larger than if it had three
   characters. False, with nothing drawn, where that is no larger than text is anyway, and when it
   has a character that has no picture. */
bool text_draw_large(const char *text, enum role fg, struct pane);

#endif
