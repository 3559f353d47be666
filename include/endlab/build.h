/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From slice names to finished table files: what a slice depends on is built first. */
#ifndef ENDLAB_BUILD_H
#define ENDLAB_BUILD_H

#include "endlab/library.h"
#include "endlab/table.h"

/* One table to be made, in build order: everything it depends on comes before it or exists. */
struct el_task {
	struct el_slice slice;
	const struct el_metric *metric;
	uint64_t bytes;   /* expected memory at the peak of its solution */
	bool partial;     /* what it depends on may be missing: it is solved by el_solve_partial */
};

struct el_plan {
	struct el_task *tasks; /* owned */
	size_t count;
};

/* What is missing for these slices under these metrics (null-terminated; null: each slice under its
   game's own, el_game_metric). EL_USAGE when a slice's game lacks one of them. */
enum el_status el_plan_make(struct el_library *, const struct el_slice *slices, size_t count,
                            const struct el_metric *const *metrics, struct el_plan *out,
                            struct el_error *);
/*
 * Only these slices, as tables of outcomes that may be partial, whatever is missing; one that
 * another enters comes first. Slices with a whole WDL table are left as they are; those with a
 * partial one are made again, because other tables may have appeared since.
 */
enum el_status el_plan_partial(struct el_library *, const struct el_slice *slices, size_t count,
                               struct el_plan *out, struct el_error *);
void el_plan_free(struct el_plan *);

/* After each finished table. */
struct el_built {
	const struct el_task *task;
	size_t number, of;      /* 1-based */
	double solve_seconds, write_seconds;
	uint64_t bytes;         /* of the file */
	unsigned passes;        /* the deepest ply */
	const struct el_missing *missing; /* what a partial task had to do without; null otherwise */
};

struct el_build_options {
	struct el_table_options table;
	void *context;
	void (*built)(void *context, const struct el_built *); /* may be null */
};

/*
 * Makes every task of the plan. The directory is created where it is missing and locked while the
 * build runs: EL_NEGATIVE says that another build is running there or, before anything is done,
 * that a solution needs more memory than the machine has. Finished tables are visible in the
 * library at once, and stay when a later one fails or the watch stops it.
 */
enum el_status el_build(struct el_library *, const struct el_plan *,
                        const struct el_build_options *, const struct el_watch *,
                        struct el_error *);

/* What became of a table that was rewritten. */
struct el_recoded {
	struct el_table_info before;
	struct el_table_options options; /* of the new file; its orders as they were found */
	uint64_t bytes;                  /* of the new file */
};

/*
 * Reads a table and rewrites it as the options say; `to` may be the same file. The whole new file
 * is read back and compared before it appears under its name, so that no fault costs a table.
 * A table that derives captures, before or after, needs those that the captures lead to: EL_NEGATIVE
 * names one that is missing.
 */
enum el_status el_recode(struct el_library *, const char *from, const char *to,
                         const struct el_table_options *, const struct el_watch *,
                         struct el_recoded *out, struct el_error *);

/* How a table of a directory was solved. */
struct el_solution {
	unsigned passes;
	struct el_phase phase[EL_PHASES_MAX]; /* unnamed past the last */
};

/* EL_NEGATIVE, without words and with no passes, when it is not known: the table was not built there,
   or was derived from another one. A table that was put there by hand is taken for the one that was
   built. EL_IO when the directory keeps a record of it that cannot be read. */
enum el_status el_solution_find(const char *directory, const struct el_slice *,
                                const struct el_metric *, struct el_solution *out,
                                struct el_error *);

/* DIRECTORY/KQvKR.dtm.egt; DIRECTORY/checkers-KMvK.wdl.egt */
void el_table_file_name(const char *directory, const struct el_slice *, const struct el_metric *,
                        char *out, size_t size);

#endif
