/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms in which other programs take a plan over: a graph, a Makefile, a script of jobs. */
#ifndef TUI_CLI_PLAN_FORMS_H
#define TUI_CLI_PLAN_FORMS_H

#include "arguments.h"
#include "core/builder/build.h"

/* A table that exists, and that a task reads or that was asked for. */
struct there {
	struct el_slice slice;
	const struct el_metric *metric;
	uint64_t bytes;
	const char *path; /* borrowed */
};

/* A plan among the tables that exist. */
struct outline {
	const struct el_plan *plan;
	struct there *there; /* owned; in no order */
	size_t there_count;
	size_t **reads;                       /* of each task: places in `there`; owned */
	size_t *read_count;                   /* of each task; owned */
	const struct arguments *arguments;    /* for the options that builds take over */
	const struct el_table_options *table; /* how these would write */
};

/* For graphviz, needed before needing. Each returns an exit status. */
int plan_write_dot(struct cli *, const struct outline *);
/* For make -j: a target is a table's file, its rule a build of just this table. */
int plan_write_make(struct cli *, const struct outline *);
/* For sh, where sbatch is: a job is a table. */
int plan_write_slurm(struct cli *, const struct outline *);

#endif
