/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame around every view: the title line, the status line, the hint bar or the prompt. */
#ifndef TUI_SHELL_FRAME_H
#define TUI_SHELL_FRAME_H

#include "shell.h"

enum {
	SCREEN_ROWS_MIN = 12,
	SCREEN_COLS_MIN = 36,
};

/* Draws the whole screen; one that is too small says what size it needs. */
void frame_draw(const struct model *, struct canvas *);

#endif
