/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line editor behind `:` and that of `endlab shell`. The only file that knows readline.
 *
 *     prompt_open -> prompt_begin -> prompt_key ... until it answers -> prompt_close
 *
 * Readline keeps its state in globals, so there is one prompt in a program. It is fed bytes and
 * never reads or writes a terminal; what it shows is copied out.
 */
#ifndef ENDLAB_TUI_PROMPT_H
#define ENDLAB_TUI_PROMPT_H

#include "../model/model.h"

/* Reads the history file, $XDG_STATE_HOME/endlab/history or ~/.local/state/endlab/history; without
   a home directory there is none. Completions come from the model. */
void prompt_open(const struct model *);
/* Writes the history. */
void prompt_close(void);
/* Starts a line, with what m->prompt.text holds already in it. */
void prompt_begin(struct model *);
/* One key while the prompt is open; `m->prompt` is what to show then. Returns a finished line,
   malloc'ed, and null as long as there is none; an abandoned line closes the prompt. */
char *prompt_key(struct model *, int key);

/*
 * The shell's prompt: an ordinary one, on the terminal itself, with the same history.
 *
 *     prompt_shell_open -> prompt_shell_line ... -> prompt_shell_close
 *
 * `complete` makes a malloc'ed, null-terminated list of malloc'ed matches for the word of the line
 * that begins at `start`; null where there is none, which leaves file names.
 */
void prompt_shell_open(char **(*complete)(const char *line, size_t start));
/* A line, malloc'ed; an empty one when a signal came; null at the end of input. */
char *prompt_shell_line(const char *prompt);
void prompt_shell_close(void);

#endif
