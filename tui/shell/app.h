/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curses application, as `main` starts it. */
#ifndef TUI_SHELL_APP_H
#define TUI_SHELL_APP_H

#include "core/library/library.h"

struct view;

struct app_options {
	const struct view *const *views; /* all, null-terminated */
	struct el_library *library;      /* open; stays the caller's */
	const char *fen;                 /* where to begin; null: where the last run ended */
	const char *const *lines;        /* typed when it begins; null-terminated */
	const char *theme;   /* "dark", "light", "mono"; null: dark, or mono by NO_COLOR */
	bool ascii;          /* letters for pieces, whatever the locale says */
	const char *lessons; /* folders of lessons, colon-separated */
	/* the folder of what is kept between runs; null: nothing is */
	const char *state;
};

/*
 * Runs until the user quits, or until a signal ends it: all is cleaned up then, and the caller,
 * when it has cleaned up too, calls interrupt_raise. EL_USAGE, with one clear sentence and the
 * terminal untouched, when there is no terminal, when it cannot address its cursor, when `theme` is
 * unknown; EL_NEGATIVE when `fen` is no position. The caller prints the sentence.
 */
enum el_status app_run(const struct app_options *, struct el_error *);

#endif
