/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long work shows itself: a bar with rate and time left on a terminal, or a line over all
 * tables of a build; one line a long stage elsewhere. A command gives `watch` to the work and
 * clears the bar before it prints.
 */
#ifndef TUI_CLI_PROGRESS_H
#define TUI_CLI_PROGRESS_H

#include "command.h"

enum { WHAT_MAX = 96, TOLD_MAX = 16 };

struct progress {
	struct el_watch watch; /* forwards to the command's own watch */
	struct cli *cli;
	const char *stage; /* of the last report; null before the first */
	char what[WHAT_MAX];
	double started, drawn; /* the stage; the bar: clock_seconds */
	double first;          /* what was done when the stage began */
	/* one rate over all stages rather than for each; set by the command */
	bool as_one;
	bool shown;                         /* a bar stands on the terminal's line */
	bool told;                          /* the stage has had its line in a log, or needs none */
	char lines[TOLD_MAX][2 * WHAT_MAX]; /* those told since the last answer: each comes once */
	size_t line_count;
};

/* The progress must not move in memory while its watch is in use. */
void progress_start(struct progress *, struct cli *);
/* Before an answer is printed. */
void progress_clear(struct progress *);

#endif
