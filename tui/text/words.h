/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines typed at the prompts of the shell and the explorer: splitting and completion. */
#ifndef TUI_TEXT_WORDS_H
#define TUI_TEXT_WORDS_H

#include "endlab/status.h"

#include <stddef.h>

enum { WORDS_MAX = 256 };

/*
 * Splits `line` in place at blanks; "double" and 'single' quotes and backslashes keep blanks in a
 * word; '#' at the start of a word ends the line. words[*count] is null. EL_USAGE: an open quote,
 * or more than WORDS_MAX - 1 words.
 */
enum el_status words_split(char *line, char *words[WORDS_MAX], int *count, struct el_error *);

/* Completions of the last word of a line. */
struct words {
	char **list; /* owned: malloc'ed strings, ends with null once it is not empty */
	size_t count;
	const char *prefix; /* what they must begin with, ignoring case */
};

/* Adds a word if it has the prefix and is not there yet. */
void words_offer(struct words *, const char *word);
/* The same as a callback. */
void words_take(void *words, const char *word);
void words_free(struct words *);

/* ---- what the user may have meant ---- */

/* The candidate most like a word, if one is close enough: call nearest_start, then nearest_offer
   for each candidate, then read `best`. */
struct nearest {
	const char *word, *best;
	size_t distance; /* of `best`; initially the largest allowed, plus one */
};

struct nearest nearest_start(const char *word);
void nearest_offer(struct nearest *, const char *candidate);

#endif
