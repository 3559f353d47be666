/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curses application, started by `main`. */
#ifndef TUI_SHELL_APP_H
#define TUI_SHELL_APP_H

#include "core/library/library.h"

struct view;

struct app_options {
	const struct view *const *views; /* all, null-terminated */
	struct el_library *library;      /* open; remains the caller's */
	const char *fen;                 /* the initial position; null: where the last run ended */
	const char *const *lines;        /* typed at the start; null-terminated */
	const char
		*theme; /* "dark", "light", "mono"; null: mono by NO_COLOR, or as the terminal is */
	bool ascii;     /* letters for pieces, whatever the locale says */
	const char *lessons; /* folders of lessons, colon-separated */
	/* the folder of files kept between runs; null: none are */
	const char *state;
};

/*
 * Runs until the user quits or a signal ends it; in the latter case the caller, once it has cleaned
 * up, calls interrupt_raise. EL_USAGE, with one clear sentence and the terminal untouched, if there
 * is no terminal, it cannot address its cursor, or `theme` is unknown; EL_NEGATIVE if `fen` is no
 * position. The caller prints the sentence.
 */
enum el_status app_run(const struct app_options *, struct el_error *);

#endif
