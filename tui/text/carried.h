/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program carries with it, which the Makefile writes into *.inc. */
#ifndef TUI_TEXT_CARRIED_H
#define TUI_TEXT_CARRIED_H

#include <stddef.h>

/* ---- the lessons of samples/lessons, and the page about them ---- */

#define LESSON_SUFFIX ".lesson"
/* Stands for a folder that they are in. */
#define LESSONS_BUILT_IN "(built in)"

/* The text of a path in that folder; null for any other. */
const char *lesson_built_in(const char *path);
/* Their file names one after the other; null past the last. */
const char *lesson_built_in_file(size_t i);

/* ---- the manual pages of tui/man: all but endlab(1), which the commands make ---- */

/* The source of a page by its name, with or without the section ("endlab-table", "endlab-table.5");
   null for any other name. */
const char *page_find(const char *name);
/* Their file names in alphabetical order, such as "endlab-table.5"; null past the last. */
const char *page_file(size_t i);

/* ---- the positions of samples, with what samples/README.md says of them ---- */

struct sample {
	const char *fen;
	const char *what; /* "the longest win: 35 moves" */
};

/* One after the other; null past the last. */
const struct sample *sample_at(size_t i);

#endif
