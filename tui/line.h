/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line typed at the `:` prompt means. */
#ifndef ENDLAB_TUI_LINE_H
#define ENDLAB_TUI_LINE_H

#include "model.h"

/*
 * In this order: a position ("fen ..." or bare), a command of the command line, an action by name,
 * a move of the position shown, a slice (one of its positions is set up).
 */
void line_run(struct model *, const char *text);

/* A legal position of the slice, at random. False when none was found. */
bool line_sample(struct model *, const struct el_slice *, struct el_position *out);

/* Completions of the word that ends a line: a malloc'ed array of malloc'ed strings that ends with
   null; null when there is none. */
char **line_complete(const struct model *, const char *line, size_t word_start);

#endif
