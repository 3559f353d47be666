/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line editor behind `:` and that of `endlab shell`. The only file that knows readline.
 *
 *     prompt_open -> prompt_begin -> prompt_key, prompt_insert ... until it answers ->
 * prompt_close
 *
 * Readline keeps its state in globals, so there is one prompt in a program. It is fed bytes and
 * never reads or writes a terminal; what it shows is copied out.
 *
 * `complete` makes a malloc'ed, null-terminated list of malloc'ed matches for the word of the line
 * that begins at `start`, in the order in which they are to be shown; what stands there twice is
 * shown once. Null where there is none, which leaves file names. `context` is its own.
 */
#ifndef TUI_SCREEN_PROMPT_H
#define TUI_SCREEN_PROMPT_H

#include <stdbool.h>
#include <stddef.h>

/* The longest line that a paste can make, in bytes. */
enum { PROMPT_LINE_MAX = 4095 };

/* What to show of the prompt. */
struct prompt_line {
	bool open;
	char text[PROMPT_LINE_MAX + 1];
	int cursor;        /* in cells */
	char matches[256]; /* completions, when there are several */
};

/* Reads the history file, $XDG_STATE_HOME/endlab/history or ~/.local/state/endlab/history; without
   a home directory there is none. */
void prompt_open(char **(*complete)(void *context, const char *line, size_t start), void *context);
/* Writes the history. */
void prompt_close(void);
/* Starts a line, with what `text` holds already in it. */
void prompt_begin(struct prompt_line *);
/* One key while the prompt is open. Returns a finished line, malloc'ed, and null as long as there
   is none; an abandoned line closes the prompt. */
char *prompt_key(struct prompt_line *, int key);
/* Puts text in at the cursor, as one thing to undo: none of it is a key, line ends are blanks. What
   goes beyond PROMPT_LINE_MAX is left out, and `matches` says so. */
void prompt_insert(struct prompt_line *, const char *text);

/*
 * The shell's prompt: an ordinary one, on the terminal itself, with the same history.
 *
 *     prompt_shell_open -> prompt_shell_line ... -> prompt_shell_close
 */
void prompt_shell_open(char **(*complete)(void *context, const char *line, size_t start));
/* A line, malloc'ed; an empty one when a signal came; null at the end of input. */
char *prompt_shell_line(const char *prompt);
void prompt_shell_close(void);

#endif
