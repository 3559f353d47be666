/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the text pane: what a command has printed. */
#ifndef ENDLAB_TUI_VIEWS_TEXT_H
#define ENDLAB_TUI_VIEWS_TEXT_H

#include "../../shell/view.h"

struct text {
	char title[64];
	char *content;     /* owned; lines end in newlines */
	struct list lines;
};

/* Shows a text, which it takes over (malloc'ed). */
void text_show(struct model *, const char *title, char *content);

#endif
