/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line typed at the `:` prompt means. */
#ifndef TUI_SHELL_LINE_H
#define TUI_SHELL_LINE_H

#include "shell.h"

/*
 * The view on screen goes first: its verbs, then view.line. Then, in this order: a position, a
 * view's verb that is a command's name, unless options follow ("records KQvKR", which shows a
 * list), a command of the command line, a verb of all views, a view's verb of the view's own name
 * ("help flip"), a view that takes lines with a line for it ("teach KRvK", ignoring case), an
 * action by name, a view, a verb of another view (which is then shown), a move of the position
 * shown, a slice (one of its positions is set up).
 */
void line_run(struct model *, const char *text);
/* The same for a line of a lesson: words that touch what is the user's are refused, and a command that
   succeeds shows nothing. */
void line_run_of_file(struct model *, const char *text);
/* Is a lesson's line running? */
bool line_of_file(const struct model *);

enum { LINE_WHY_MAX = 512 };
/* Would line_run_of_file recognise the line and run it, as far as can be told before? Moves depend on
   the position: anything that looks like one passes. If not, `why` says why. */
bool line_is_for_files(const struct model *, const char *text, char why[LINE_WHY_MAX]);

/* Sets up a random position of a slice, and shows the first view. */
void line_slice(struct model *, const struct el_slice *);

/* Sets up a position from a list, and puts the first view on top: ^O returns to the list. Its caption,
   which may be null, becomes the game's first comment. */
void line_visit(struct model *, const char *fen, const char *caption);

#endif
