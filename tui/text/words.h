/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of the shell or of the `:` prompt as words. */
#ifndef ENDLAB_TEXT_WORDS_H
#define ENDLAB_TEXT_WORDS_H

#include "endlab/status.h"

enum { WORDS_MAX = 256 };

/*
 * Splits `line` in place at blanks; "double" and 'single' quotes and a backslash keep blanks in a
 * word; '#' at the start of a word ends the line. words[*count] is null. EL_USAGE: a quote is left
 * open, or there are more than WORDS_MAX - 1 words.
 */
enum el_status words_split(char *line, char *words[WORDS_MAX], int *count, struct el_error *);

#endif
