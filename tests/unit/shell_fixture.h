/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the shell share: a library, what a user does, and what is seen then. */
#ifndef TESTS_SHELL_FIXTURE_H
#define TESTS_SHELL_FIXTURE_H

#include "screens.h"

/* Positions of the slices that there are tables of. */
#define QUEEN "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1"
#define ROOK "8/8/8/8/8/2k5/8/K2R4 b - - 0 1"

/* Of a group of tests, which works in a folder of its own. */
int shell_set_up(void **state);
int shell_clean_up(void **state);
/* Has KQvK and KRvK. */
extern struct el_library *library;

void press(struct screens *, int key);
/* A line at the prompt. */
void type(struct screens *, const char *line);
/* A file with this text. */
void write_text(const char *path, const char *text);

/* The position shown is this one. */
void assert_fen(const struct screens *, const char *expected);
/* The move at a place of the line shown, from 1. */
void assert_move(const struct screens *, size_t place, const char *san);
/* The message on screen has these words in it. */
void assert_said(const struct screens *, const char *words);

#endif
