/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan that the words and options of `build` and of `plan` ask for. */
#ifndef TUI_CLI_PLAN_SLICES_H
#define TUI_CLI_PLAN_SLICES_H

#include "arguments.h"
#include "core/builder/build.h"
#include "tui/text/slices.h"

/* clang-format off */
/* What decides which tables are made. */
#define PLAN_OPTIONS \
	{"--metric", "LIST", "metrics to build, comma-separated (by default the game's finest)", \
	 &metric_values, true}, \
	{"--own", .summary = "take nothing from tables of other programs: make all that these slices " \
	                     "depend on"}, \
	{"--memory", "SIZE", .summary = "memory that a solution may take, such as 512M (by default three " \
	                                "quarters of what is free); the rest is put on the disk"}, \
	{"--scratch", "DIR", "where what does not fit is put (by default beside the tables)", .values = &folder_values}
/* clang-format on */

/* What was asked for. */
struct asked {
	struct slices slices; /* owned */
	/* null-terminated; empty: each game's own */
	const struct el_metric *metrics[METRICS_MAX + 1];
};

/* The plan, estimated, with as many threads as --threads says from here on. Both are freed by the
   caller, however it ends. Shows itself while tables are read to be repaired. */
enum el_status plan_slices(struct cli *, const struct arguments *, struct asked *, struct el_plan *,
                           struct el_error *);

#endif
