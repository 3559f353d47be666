/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans in forms for other programs: a graph, a Makefile, a script of jobs. */
#ifndef TUI_CLI_PLAN_FORMS_H
#define TUI_CLI_PLAN_FORMS_H

#include "arguments.h"
#include "core/builder/build.h"

/* An existing table that a task reads or that was asked for. */
struct there {
	struct el_slice slice;
	const struct el_metric *metric;
	uint64_t bytes;
	const char *path; /* borrowed */
};

/* A plan among the tables that exist. */
struct outline {
	const struct el_plan *plan;
	struct el_entry *entries; /* all files found; owned */
	size_t entry_count;
	struct there *there; /* owned; in no order */
	size_t there_count;
	struct {
		size_t task, there; /* their places */
	} * reads;                  /* owned; in the order of tasks */
	size_t read_count;
	const struct arguments *arguments;    /* for the options passed on to builds */
	const struct el_table_options *table; /* how the builds would write */
};

/* The k-th existing table that a task reads; null: it reads no more. */
const struct there *plan_reads(const struct outline *, size_t task, size_t k);

/* For graphviz, with edges from dependencies to dependents. Each of these returns an exit
   status. */
int plan_write_dot(struct cli *, const struct outline *);
/* For make -j: each target is a table's file, its rule builds only that table. */
int plan_write_make(struct cli *, const struct outline *);
/* A shell script for sbatch: one job per table. */
int plan_write_slurm(struct cli *, const struct outline *);

#endif
