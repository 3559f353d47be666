/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command of the command line: one file in this folder and one line in commands.c. The same
 * commands serve the shell (`endlab shell`) and the explorer's `:` prompt, so a command writes to
 * the streams it is given, takes its library from its context, and never touches the terminal.
 */
#ifndef ENDLAB_CLI_COMMAND_H
#define ENDLAB_CLI_COMMAND_H

#include "endlab/library.h"

#include <stdbool.h>
#include <stdio.h>

struct cli {
	struct el_library *library;   /* open; shared with the explorer when run from there */
	FILE *in, *out, *err;
	bool live;                    /* `err` is a terminal: a progress bar may redraw one line */
	const struct el_watch *watch; /* stops the work (^C, a key); may be null */
};

/* An option as help, completion and the manual page show it. */
struct option_help {
	const char *name;    /* "--metric" */
	const char *value;   /* "LIST", null for a switch */
	const char *summary; /* "metrics to build, comma-separated (default dtm)" */
};

struct command {
	const char *name;      /* "build" */
	const char *arguments; /* "SLICE..." */
	const char *summary;   /* one line */
	const char *help;      /* paragraphs for --help and the manual page */
	const char *complete;  /* what arguments are: "slice", "fen", "file" or null */
	const struct option_help *options; /* ends with a null name; may be null */
	/* argv[0] is the command's name; returns the exit status (enum el_status 0..4). */
	int (*run)(struct cli *, int argc, char **argv);
};

/* All commands, null-terminated, in the order of help. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);

/* Runs a command: handles --help and unknown commands itself. */
int command_run(struct cli *, int argc, char **argv);

#endif
