/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `lab`: the run of one slice, and the totals of several.
 *
 *     lab.c          options; slice after slice, each measured and told
 *     lab_choose.c   the metric and the candidates of a slice
 */
#ifndef TUI_CLI_LAB_WORK_H
#define TUI_CLI_LAB_WORK_H

#include "arguments.h"
#include "progress.h"
#include "tui/text/files.h"
#include "tui/text/lab/candidates.h"
#include "tui/text/lab/report.h"
#include "tui/text/slices.h"

enum { LAB_NAMED_MOST = 4 };

/* The slices of a command: their totals, and those that have no table. */
struct lab_group {
	struct slices slices;
	struct lab_totals totals;
	size_t missing;
	/* of the first LAB_NAMED_MOST of these, separated by commas */
	char names[192];
	struct whole_file chart; /* its stream null: none, or several, are wanted */
	const char *charts;      /* the name pattern of several, containing '%'; null: none */
	bool drawn;
	bool told; /* something has been printed */
};

/* The run of a slice, for its callbacks. */
struct lab_work {
	struct cli *cli;
	const struct arguments *arguments;
	struct lab_group *group;
	struct progress progress;
	struct lab_candidates candidates;
	struct lab_report report;
	struct el_lab_setup setup;
	bool json, csv;
	enum el_lab_time front;
};

/* Sets the metric and the candidates of work->setup.slice. */
enum el_status lab_choose(struct lab_work *, struct el_error *);
/* Are the slice's values available? A null metric means under any metric. */
bool lab_is_built(const struct lab_work *, const struct el_metric *);

#endif
