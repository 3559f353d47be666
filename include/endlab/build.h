/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From slice names to finished table files: what a slice depends on is built first. */
#ifndef ENDLAB_BUILD_H
#define ENDLAB_BUILD_H

#include "endlab/library.h"
#include "endlab/table.h"

/* What may lie under the name of a table that is to be made, from what is replaced without asking
   to what is replaced only when just this table is to be made again. */
enum el_target {
	EL_TARGET_NONE,
	EL_TARGET_PARTIAL,    /* a table of this slice and metric, with bounds */
	EL_TARGET_OUTDATED,   /* a table of an older layout */
	EL_TARGET_WHOLE,      /* a table of this slice and metric; a block of it may be damaged */
	EL_TARGET_DAMAGED,
	EL_TARGET_UNREADABLE, /* of a newer version, with an unknown codec, or not open to us */
	EL_TARGET_OTHER,      /* a table of another slice or metric, or no table */
};

/* One table to be made, in build order: everything it depends on comes before it or exists. */
struct el_task {
	struct el_slice slice;
	const struct el_metric *metric;
	uint64_t bytes;   /* expected memory at the peak of its solution, with what it is lent */
	uint64_t scratch; /* expected bytes of scratch files at that peak */
	uint64_t disk;    /* expected bytes of the table; see el_plan_estimate, as for `seconds` */
	double seconds;   /* that making it is expected to take */
	bool partial;     /* what it depends on may be missing: it is solved by el_solve_partial */
	/* It is read off the slice's table of this metric, which tells it; null: it is solved. */
	const struct el_metric *from;
	enum el_target replaces; /* it may take the place of this and of what stands before it */
	size_t *needs;    /* owned: tasks of the plan that it reads the tables of, in order */
	size_t need_count;
};

/* A table of another program that a build reads instead of making one. */
struct el_loan {
	struct el_slice slice;
	const struct el_metric *metric; /* what has to be known of the slice */
	const struct el_metric *from;   /* of the table, which tells it */
	char *path;                     /* owned */
};

struct el_plan {
	struct el_task *tasks; /* owned */
	size_t count;
	struct el_loan *loans; /* owned */
	size_t loan_count;
	/* Of the whole plan, once it has been estimated: the most that a task, or those made side by side,
	   take of memory, and a task of scratch files; the sum of what is written; and the seconds. */
	uint64_t bytes, scratch, disk;
	double seconds;
	size_t checked, damaged; /* tables that --repair looked at, and how many are damaged */
	uint64_t memory; /* that solutions may take, in bytes; what does not fit there goes to the disk */
};

/* What solutions take by default, in bytes: three quarters of what is free now. */
uint64_t el_memory_usual(void);

/* What is to be made. */
struct el_plan_wish {
	const struct el_slice *slices;
	size_t count;
	/* Null-terminated; null: each slice under its game's own, el_game_metric. */
	const struct el_metric *const *metrics;
	/* Only these slices, as tables of outcomes that may be partial, whatever is missing; one
	   that another enters comes first. Slices with a whole WDL table are left as they are;
	   those with a partial one are made again, because other tables may have appeared since.
	   `metrics` is null. */
	bool partial;
	/* These tables are made again where they exist or cannot be read; what they depend on only
	   where it is missing or cannot be read. */
	bool replace;
	/* Every table of these slices and of what they depend on is read in full, and made again
	   where it is damaged. */
	bool repair;
	/* Nothing is taken from tables of other programs. */
	bool own;
	uint64_t memory; /* that solutions may take, in bytes; 0: el_memory_usual */
	const struct el_watch *watch; /* over this reading; may be null */
};

/*
 * What is missing in the library's own directory, for that is where a build makes its tables. What
 * they depend on is taken from tables of other programs, wherever these are, where they know enough
 * (el_plan.loans), and is made there as well where they do not. Tables of ours elsewhere are looked at
 * for partial ones alone. EL_USAGE when a slice's game lacks one of the metrics; EL_STOPPED.
 */
enum el_status el_plan_wished(struct el_library *, const struct el_plan_wish *,
                              struct el_plan *out, struct el_error *);
/* The same for these slices under these metrics; null: each under its game's own. */
enum el_status el_plan_make(struct el_library *, const struct el_slice *slices, size_t count,
                            const struct el_metric *const *metrics, struct el_plan *out,
                            struct el_error *);
void el_plan_free(struct el_plan *);
/*
 * What the plan will cost, in bytes and in seconds with as many threads as OpenMP has now: judged by
 * the journal of earlier builds in the library's directory, and where that tells too little by a trial
 * on this machine, a tenth of a second once in a process. Options of compression that other builds there
 * did not have are not allowed for. EL_IO when the journal cannot be read.
 */
enum el_status el_plan_estimate(struct el_library *, struct el_plan *, struct el_error *);
/* EL_NEGATIVE when a solution needs more memory than it may take, even with the help of the disk, with
   both. */
enum el_status el_plan_check_memory(const struct el_plan *, struct el_error *);

/* A disk that is short of what a plan expects to write there. */
struct el_disk_need {
	const char *folder;    /* one of those that were asked about */
	uint64_t needed, free; /* bytes */
};

/* Does what an estimated plan writes fit on the disks of these folders, which exist? `scratch` null: that
   of the tables. Where the system does not tell, it does. */
bool el_plan_fits_disk(const struct el_plan *, const char *tables, const char *scratch,
                       struct el_disk_need *out);

/* After each finished table. With several threads small tables are made side by side; they come as they
   are finished. The calls of a build come from its caller's thread. */
struct el_built {
	const struct el_task *task;
	size_t number, of;      /* 1-based: of those finished */
	double solve_seconds, write_seconds;
	uint64_t bytes;         /* of the file */
	unsigned passes;        /* the deepest ply */
	const struct el_missing *missing; /* what a partial task had to do without; null otherwise */
	enum el_target replaced; /* what lay under its name */
};

/* Another build in the same directory, on this machine or another one, has claimed a table that this
   one is to make. */
enum el_meeting {
	EL_MEETING_WAIT,  /* it is at work on the table: ours goes on with others, then waits */
	EL_MEETING_TAKEN, /* it has made the table */
	EL_MEETING_STALE, /* it is dead: the table is made here */
};

struct el_met {
	enum el_meeting what;
	const struct el_task *task;
	const char *who; /* "HOST, process 4711"; "another build" where that is not known */
};

struct el_build_options {
	struct el_table_options table;
	void *context;
	void (*built)(void *context, const struct el_built *); /* may be null */
	void (*met)(void *context, const struct el_met *);     /* may be null; once for each wait */
	void (*begins)(void *context); /* nothing is in the way of the plan; may be null */
	const char *scratch; /* the folder of what goes beyond memory; null: that of the tables */
};

/*
 * Makes every task of the plan. The directory is created where it is missing. Any number of builds may
 * run there: each table is claimed by the one that makes it, and the others wait for it. EL_NEGATIVE
 * says, before anything is done, that a solution needs more memory than it may take, or far more of the
 * disk than is free; EL_USAGE that a side to move cannot be left out under a task's metric. Before anything is made, too, the build refuses to take the place of what its tasks may not replace, with
 * the file, the reason and the way out: EL_DAMAGED, EL_UNREADABLE, EL_IO; EL_NEGATIVE for a table of
 * another slice. A table that has come there since the plan was made is taken for the task's. Finished
 * tables are visible in the library at once, and stay when a later one fails or the watch stops it.
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
 * A table that derives captures, or a side to move, before or after, needs those that the captures, or
 * all moves, lead to: EL_NEGATIVE names one that is missing. `from` may be a foreign file whose values are those of a table of ours:
 * EL_NEGATIVE says why they are not, and the way out.
 */
enum el_status el_recode(struct el_library *, const char *from, const char *to,
                         const struct el_table_options *, const struct el_watch *,
                         struct el_recoded *out, struct el_error *);

/* What a table has cost; all zero where that was not kept. */
struct el_effort {
	unsigned threads; /* that solved it */
	double solve_seconds, write_seconds;
	uint64_t bytes;   /* of the file */
};

/* How a table of a directory was solved. */
struct el_solution {
	unsigned passes;
	struct el_effort effort;
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
