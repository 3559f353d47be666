/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line typed at the `:` prompt means. */
#ifndef ENDLAB_TUI_LINE_H
#define ENDLAB_TUI_LINE_H

#include "../model/model.h"

/*
 * The view on screen has the first go (view.line). Then, in this order: a position ("fen ..." or
 * bare), a command of the command line, a view that takes lines with a line for it ("teach
 * KRvK", whatever the case), an action by name, a view, a move of the position shown, a slice (one
 * of its positions is set up).
 */
void line_run(struct model *, const char *text);

enum { LINE_WHY_MAX = 512 };
/* Would line_run know what the line is, as far as that can be told before it runs? Moves, which
   depend on the position, pass when they look like one. `why`, where it would not, says it. */
bool line_is_known(const struct model *, const char *text, char why[LINE_WHY_MAX]);

/* A legal position of the slice, at random. False when none was found. */
bool line_sample(struct model *, const struct el_slice *, struct el_position *out);

/* Completions of the word that ends a line: a malloc'ed array of malloc'ed strings that ends with
   null; null when there is none. */
char **line_complete(const struct model *, const char *line, size_t word_start);

#endif
