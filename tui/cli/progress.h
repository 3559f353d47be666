/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long work shows progress: on a terminal a bar with rate and time left, or one line over all
 * tables of a build; elsewhere one line per long stage. A command passes `watch` to the work and
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
	double started, drawn; /* when the stage started, when the bar was drawn: clock_seconds */
	double first;          /* the amount done when the stage began */
	/* one rate over all stages rather than per stage; set by the command */
	bool as_one;
	bool shown;                         /* a bar is on the terminal */
	bool told;                          /* the stage has its line in the log, or needs none */
	char lines[TOLD_MAX][2 * WHAT_MAX]; /* lines logged since the last answer, each once */
	size_t line_count;
};

/* Do not move the struct in memory while its watch is in use. */
void progress_start(struct progress *, struct cli *);
/* Call it before printing an answer. */
void progress_clear(struct progress *);

#endif
