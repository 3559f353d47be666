/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files built into the program; the Makefile writes them into *.inc. */
#ifndef TUI_TEXT_CARRIED_H
#define TUI_TEXT_CARRIED_H

#include <stddef.h>

/* ---- the lessons of samples/lessons, and the page about them ---- */

#define LESSON_SUFFIX ".lesson"
/* Names their folder. */
#define LESSONS_BUILT_IN "(built in)"

/* The text of a path in that folder; null for any other path. */
const char *lesson_built_in(const char *path);
/* The i-th file name; null past the last. */
const char *lesson_built_in_file(size_t i);

/* ---- the manual pages of tui/man: all but endlab(1), which the commands make ---- */

/* The source of a page by its name, with or without the section ("endlab-table", "endlab-table.5");
   null if there is none. */
const char *page_find(const char *name);
/* The i-th file name in alphabetical order, such as "endlab-table.5"; null past the last. */
const char *page_file(size_t i);

/* ---- the completion scripts of tui/completion ---- */

/* The script for a shell ("bash"); null if there is none. */
const char *script_find(const char *shell);

/* ---- the positions of samples, with what samples/README.md says of them ---- */

struct sample {
	const char *fen;
	const char *what; /* "the longest win: 35 moves" */
};

/* The i-th sample; null past the last. */
const struct sample *sample_at(size_t i);

#endif
