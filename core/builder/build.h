/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From slice names to finished table files: what a slice depends on is built first.
 *
 *     el_plan_wished -> el_plan_estimate -> el_build -> built(1), built(2), ... -> el_plan_free
 */
#ifndef CORE_BUILDER_BUILD_H
#define CORE_BUILDER_BUILD_H

#include "core/library/library.h"
#include "core/table/table.h"

/* What may be found under the name of a table to be made: from what is replaced without asking to
   what is replaced only if the wish names this very table. */
enum el_target {
	EL_TARGET_NONE,
	EL_TARGET_PARTIAL,  /* a table of this slice and metric, with bounds */
	EL_TARGET_OUTDATED, /* a table of an older layout */
	EL_TARGET_WHOLE,    /* a table of this slice and metric; a block of it may be damaged */
	EL_TARGET_DAMAGED,
	EL_TARGET_UNREADABLE, /* of a newer version, with an unknown codec, or closed to us */
	EL_TARGET_OTHER,      /* a table of another slice or metric, or not a table at all */
};

/* One table to be made, in build order: whatever it depends on comes before it or exists
   already. */
struct el_task {
	struct el_slice slice;
	const struct el_metric *metric;
	/* expected memory at the peak of its solution, including what it is lent */
	uint64_t bytes;
	uint64_t scratch; /* expected bytes of scratch files at that peak */
	uint64_t disk;    /* expected bytes of the table; like `seconds` set by el_plan_estimate */
	double seconds;   /* that making it is expected to take */
	bool partial;     /* solved by el_solve_partial, as what it depends on may be missing */
	/* The slice's table of this metric, which tells it, is read instead of solving; null: it is
	   solved. */
	const struct el_metric *from;
	/* it may take the place of this, and of what precedes this in the enum */
	enum el_target replaces;
	size_t *needs; /* owned: the tasks of the plan whose tables it reads, ascending */
	size_t need_count;
};

/* A table of another program that a build reads instead of making one. */
struct el_loan {
	struct el_slice slice;
	const struct el_metric *metric; /* that must be known of the slice */
	const struct el_metric *from;   /* of the table; it tells the other */
	char *path;                     /* owned */
};

struct el_plan {
	struct el_task *tasks; /* owned */
	size_t count;
	struct el_loan *loans; /* owned */
	size_t loan_count;
	/* Of the whole plan, once it has been estimated: the greatest memory of a task, or of tasks
	   made side by side; the greatest scratch files of a task; all that is written; and how
	   long it takes. */
	uint64_t bytes, scratch, disk;
	double seconds;
	/* tables that `repair` looked at, and how many of them are damaged */
	size_t checked, damaged;
	uint64_t memory; /* that solutions may take, in bytes; what does not fit goes to disk */
};

/* The memory, in bytes, that solutions take by default: three quarters of what is free now. */
uint64_t el_memory_usual(void);

/* What is to be made. */
struct el_plan_wish {
	const struct el_slice *slices;
	size_t count;
	/* Null-terminated; null: for each slice its game's own (el_game_metric). */
	const struct el_metric *const *metrics;
	/* Only these slices, as tables of outcomes that may be partial, whatever is missing. A
	   slice that another one enters comes first. Slices with a complete WDL table are left as
	   they are; those with a partial one are made again, since other tables may have appeared.
	   `metrics` must be null. */
	bool partial;
	/* Make these tables again even if they exist or cannot be read; make what they depend on
	   only where that is missing or cannot be read. */
	bool replace;
	/* Read every table of these slices, and of what they depend on, in full; make it again if
	   it is damaged. */
	bool repair;
	/* Take nothing from tables of other programs. */
	bool own;
	uint64_t memory;              /* that solutions may take, in bytes; 0: el_memory_usual */
	const struct el_watch *watch; /* over the reading that `repair` does; may be null */
};

/*
 * Plans the tables that are missing in the library's own directory, where a build makes its tables.
 * What they depend on is taken from tables of other programs, wherever these are, if they know
 * enough (el_plan.loans); otherwise it is made in that directory as well. Our own tables in other
 * folders are used only by partial ones. EL_USAGE when a slice's game lacks one of the metrics;
 * EL_STOPPED.
 */
enum el_status el_plan_wished(struct el_library *, const struct el_plan_wish *, struct el_plan *out,
                              struct el_error *);
/* The same for these slices under these metrics; null: for each its game's own. */
enum el_status el_plan_make(struct el_library *, const struct el_slice *slices, size_t count,
                            const struct el_metric *const *metrics, struct el_plan *out,
                            struct el_error *);
void el_plan_free(struct el_plan *);
/*
 * Estimates what the plan will cost, in bytes, and in seconds with as many threads as OpenMP has
 * now: by the journal of earlier builds in the library's directory or, where that tells too little,
 * by a trial on this machine, which takes a tenth of a second once in a process. Compression
 * options that no earlier build there used are not allowed for. EL_IO when the journal cannot be
 * read.
 */
enum el_status el_plan_estimate(struct el_library *, struct el_plan *, struct el_error *);
/* EL_NEGATIVE, naming both amounts, when a solution needs more memory than it may take, even with
   scratch files. */
enum el_status el_plan_check_memory(const struct el_plan *, struct el_error *);

/* A disk that is short of what a plan expects to write there. */
struct el_disk_need {
	const char *folder;    /* one of the two that were asked about */
	uint64_t needed, free; /* bytes */
};

/* Does what an estimated plan writes fit on the disks of these folders? They must exist; a null
   `scratch` means the tables' folder. True as well where the system does not tell. */
bool el_plan_fits_disk(const struct el_plan *, const char *tables, const char *scratch,
                       struct el_disk_need *out);

/* A finished table. With several threads small tables are made side by side, and are told as they
   finish. All calls of a build come from its caller's thread. */
struct el_built {
	const struct el_task *task;
	size_t number, of; /* among the finished tables, from 1; all tasks */
	double solve_seconds, write_seconds;
	uint64_t bytes;                   /* of the file */
	unsigned passes;                  /* the greatest depth, in plies */
	const struct el_missing *missing; /* what a partial task had to do without; else null */
	enum el_target replaced;          /* what was found under its name */
};

/* Another build in the same directory, on this machine or another, has locked a table that this
   one is to make. */
enum el_meeting {
	EL_MEETING_WAIT,  /* it is still making the table: ours goes on with others, then waits */
	EL_MEETING_TAKEN, /* it has made the table */
	EL_MEETING_STALE, /* it is dead: ours makes the table */
};

struct el_met {
	enum el_meeting what;
	const struct el_task *task;
	const char *who; /* "HOST, process 4711"; "another build" where that is not known */
};

struct el_build_options {
	struct el_table_options table;
	void *context;
	/* Each may be null. */
	void (*built)(void *context, const struct el_built *);
	void (*met)(void *context, const struct el_met *); /* once for each wait */
	/* nothing stands in the way of the plan: work starts */
	void (*begins)(void *context);
	/* the folder for what does not fit in memory; null: the tables' folder */
	const char *scratch;
};

/*
 * Makes every task of the plan, in the library's directory, which is created if it is missing. Any
 * number of builds may run there at once: each table is locked by the build that makes it, and the
 * others wait for it.
 *
 * Before anything is made: EL_NEGATIVE when a solution needs more memory than it may take, or far
 * more of the disk than is free; EL_USAGE when a side to move cannot be left out under a task's
 * metric; and, where a file under the name of a table must not be replaced (el_task.replaces), its
 * name, the reason and the way out, with EL_DAMAGED, EL_UNREADABLE or EL_IO, or EL_NEGATIVE for a
 * table of another slice.
 *
 * A table that has appeared since the plan was made is taken for the task's. Finished tables are
 * visible in the library at once, and stay when a later one fails or the watch stops the build.
 */
enum el_status el_build(struct el_library *, const struct el_plan *,
                        const struct el_build_options *, const struct el_watch *,
                        struct el_error *);

/* What recoding made of a table. */
struct el_recoded {
	struct el_table_info before;
	struct el_table_options options; /* of the new file; its orders as they were found */
	uint64_t bytes;                  /* of the new file */
};

/*
 * Reads a table and rewrites it as the options say; `to` may be the same file. The whole new file
 * is read back and compared before it gets its name, so that no fault costs a table. If the table
 * leaves captures or a side to move to be derived, before or after, the tables are needed that the
 * captures, or all moves, lead to: EL_NEGATIVE names one that is missing. `from` may be a foreign
 * file if a table of ours can hold its values; else EL_NEGATIVE gives the reason and the way out.
 */
enum el_status el_recode(struct el_library *, const char *from, const char *to,
                         const struct el_table_options *, const struct el_watch *,
                         struct el_recoded *out, struct el_error *);

/* What making a table took; all zero where nobody has kept it. */
struct el_effort {
	unsigned threads; /* that solved it */
	double solve_seconds, write_seconds;
	uint64_t bytes; /* of the file */
};

/* How a table in a directory was solved. */
struct el_solution {
	unsigned passes;
	struct el_effort effort;
	struct el_stage stage[EL_STAGES_MAX]; /* unnamed past the last */
};

/* EL_NEGATIVE, without text and with no passes, when it is not known: the table was not built
   there, or was read off another one. A table that was copied there is taken for the one that was
   built. EL_IO when the directory's record of it cannot be read. */
enum el_status el_solution_find(const char *directory, const struct el_slice *,
                                const struct el_metric *, struct el_solution *out,
                                struct el_error *);

#endif
