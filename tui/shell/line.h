/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line typed at the `:` prompt means. */
#ifndef TUI_SHELL_LINE_H
#define TUI_SHELL_LINE_H

#include "shell.h"

/*
 * The view on screen has the first go: its verbs, then view.line. Then, in this order: a position,
 * a view's verb of a command's name, unless options follow ("records KQvKR", which shows a list), a
 * command of the command line, a verb of all views, a view's verb of the view's own name ("help
 * flip"), a view that takes lines with a line for it ("teach KRvK", whatever the case), an action
 * by name, a view, a verb of another view (which is shown then), a move of the position shown, a
 * slice (one of its positions is set up).
 */
void line_run(struct model *, const char *text);
/* The same for a line that nobody typed: a command that ends well shows nothing. */
void line_run_quietly(struct model *, const char *text);

enum { LINE_WHY_MAX = 512 };
/* Would line_run know what the line is, as far as that can be told before it runs? Moves, which
   depend on the position, pass when they look like one. Where it would not, `why` says why. */
bool line_is_known(const struct model *, const char *text, char why[LINE_WHY_MAX]);

/* Sets up a position of a slice, at random, and shows the first view. */
void line_slice(struct model *, const struct el_slice *);

/* Sets up a position from a list, and puts the first view on top: ^O comes back to the list. */
void line_visit(struct model *, const char *fen);

#endif
