/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line editor for the `:` prompt and for `endlab shell`. The only file that knows readline.
 *
 *     prompt_open -> prompt_begin -> prompt_key, prompt_insert ... until it answers ->
 * prompt_close
 *
 * Readline keeps its state in globals, so a program has one prompt. It is fed bytes and never reads
 * or writes a terminal; what it shows is copied out.
 *
 * `complete` makes a malloc'ed, null-terminated list of malloc'ed matches for the word of the line
 * that begins at `start`, in display order; duplicates are shown once. Null if there are none: file
 * names are completed then. `context` is passed through.
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
	char matches[256]; /* completions, if there are several */
};

/* Reads the history file, $XDG_STATE_HOME/endlab/history or ~/.local/state/endlab/history; there is
   none without a home directory. */
void prompt_open(char **(*complete)(void *context, const char *line, size_t start), void *context);
/* Writes the history. */
void prompt_close(void);
/* Starts a line that already contains `text`. */
void prompt_begin(struct prompt_line *);
/* Handles one key while the prompt is open. Returns a finished line, malloc'ed, or null if there is
   none yet; abandoning the line closes the prompt. */
char *prompt_key(struct prompt_line *, int key);
/* Inserts text at the cursor as one undo step: no byte is a key, line ends become blanks. Text
   beyond PROMPT_LINE_MAX is dropped, and `matches` says so. */
void prompt_insert(struct prompt_line *, const char *text);

/*
 * The shell's prompt: ordinary, on the terminal itself, with the same history.
 *
 *     prompt_shell_open -> prompt_shell_line ... -> prompt_shell_close
 */
void prompt_shell_open(char **(*complete)(void *context, const char *line, size_t start));
/* A line, malloc'ed; empty after a signal; null at the end of input. */
char *prompt_shell_line(const char *prompt);
void prompt_shell_close(void);

#endif
