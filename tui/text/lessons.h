/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lessons that the program carries with it: those of samples/lessons, and the page about
   them. */
#ifndef TUI_TEXT_LESSONS_H
#define TUI_TEXT_LESSONS_H

#include <stddef.h>

#define LESSON_SUFFIX ".lesson"
/* Stands for a folder that they are in. */
#define LESSONS_BUILT_IN "(built in)"

/* The text of a path in that folder; null for any other. */
const char *lesson_built_in(const char *path);
/* Their file names one after the other; null past the last. */
const char *lesson_built_in_file(size_t i);

#endif
