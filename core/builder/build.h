/* SPDX-License-Identifier: MIT */
/*
 * From slice names to finished table files. A slice's sub-tables are built before it.
 *
 *     el_plan_wished -> el_plan_estimate -> el_build -> built(1), built(2), ... -> el_plan_free
 */
#ifndef CORE_BUILDER_BUILD_H
#define CORE_BUILDER_BUILD_H

#include "core/examine/verify.h"
#include "core/library/library.h"
#include "core/table/table.h"

/* What may be found under the name of a new table, from what is replaced without asking to what is
   replaced only if the wish names this very table. */
enum el_target {
	EL_TARGET_NONE,
	EL_TARGET_PARTIAL,  /* a table of this slice and metric, with bounds */
	EL_TARGET_OUTDATED, /* a table of an older layout */
	EL_TARGET_WHOLE,    /* a table of this slice and metric; a block of it may be damaged */
	EL_TARGET_DAMAGED,
	EL_TARGET_UNREADABLE, /* of a newer version, with an unknown codec, or not accessible */
	EL_TARGET_OTHER,      /* a table of another slice or metric, or not a table at all */
};

/* One table to make. Tasks are in build order: all sub-tables of a task exist already or come
   before it. */
struct el_task {
	struct el_slice slice;
	const struct el_metric *metric;
	/* expected memory at the peak of its solution, including borrowed planes */
	uint64_t bytes;
	/* The least memory with which it can be solved, and what it takes if it need not save any:
	   more than this is of no use. */
	uint64_t least, useful;
	uint64_t scratch; /* expected bytes of scratch files at that peak */
	uint64_t disk;    /* expected bytes of the table; like `seconds` set by el_plan_estimate */
	double seconds;   /* expected time to make it */
	bool partial;     /* solved by el_solve_partial, since sub-tables may be missing */
	bool whole;       /* if they fit, its planes are whole in memory, even if they are large */
	/* The values are read off the slice's table of this metric, which determines them; null:
	   the slice is solved. */
	const struct el_metric *from;
	/* it may replace this, and whatever precedes this in the enum */
	enum el_target replaces;
	/* The written table is proved (core/examine/verify.h) before it gets its name; `seconds`
	   counts that, and `bytes` suffices for it. */
	bool proves;
	/* With ranks that solve it together: bytes that these exchange, and those of them that rank 0 gets
	   in the end; bytes of memory and scratch are then those of the rank that has most. Else 0. */
	uint64_t exchanged, collected;
	double part;      /* of its positions, of the rank that has most; alone 1 */
	bool wants_ranks; /* it would not fit into the memory of one program */
	size_t *needs;    /* owned: the tasks of the plan whose tables it reads, ascending */
	size_t need_count;
};

/* A table of another program that a build reads instead of making one. */
struct el_loan {
	struct el_slice slice;
	const struct el_metric *metric; /* the metric that the build needs */
	const struct el_metric *from;   /* the metric of the table, which determines it */
	char *path;                     /* owned */
};

struct el_plan {
	struct el_task *tasks; /* owned */
	size_t count;
	struct el_loan *loans; /* owned */
	size_t loan_count;
	/* Of the whole plan, set by el_plan_estimate: the most memory that a task, or the tasks
	   made side by side, will take; the largest scratch files of a task, or all copies of tables
	   without a side for later ones, if these take more; the size of all
	   tables; and the time. */
	uint64_t bytes, scratch, disk;
	double seconds;
	/* The least memory with which all can be made, one after the other, and the most that is of use. */
	uint64_t least, useful;
	/* Set by it too: the tasks whose seconds rest on a trial, since the journal has too little
	   that is like them, and the load of the machine meanwhile (getloadavg; negative: not
	   known). */
	size_t tried;
	double load;
	/* tables that `repair` checked, and how many of them are damaged */
	size_t checked, damaged;
	uint64_t memory; /* bytes that solutions may take; what does not fit goes to disk */
	unsigned
		ranks; /* that solve each table together, each with that memory; 1: a program alone */
	double network;     /* bytes that a rank sends and receives in a second */
	uint64_t exchanged; /* of all tables; set by el_plan_estimate */
};

/* Which tables a build proves. */
enum el_proving {
	EL_PROVE_NOTHING,
	/* those whose proof takes less than half of the time that it takes to make them, and fits
	   into the memory */
	EL_PROVE_CHEAP,
	EL_PROVE_ALL,
};

/* Bytes a second: a network of 10 Gbit/s. */
#define EL_NETWORK_USUAL 1.25e9

/* What to make. */
struct el_plan_wish {
	const struct el_slice *slices;
	size_t count;
	/* Null-terminated; null: for each slice its game's own (el_game_metric). */
	const struct el_metric *const *metrics;
	/* Make only these slices, as WDL tables that may be partial, whatever is missing; each
	   comes after those that it enters. Slices with a complete WDL table are left as they are;
	   those with a partial one are made again, since other tables may have appeared. `metrics`
	   must be null. */
	bool partial;
	/* Make these tables again even if they exist or cannot be read; make their sub-tables only
	   where these are missing or cannot be read. */
	bool replace;
	/* Read every table of these slices and their sub-tables in full, and make the damaged ones
	   again. */
	bool repair;
	/* Take nothing from tables of other programs. */
	bool own;
	/* What the tables will leave out. With EL_DERIVE_OUTCOMES, where that is possible
	   (el_outcomes_check), a table that tells them is made first, not read off the one that leaves
	   them to it; EL_USAGE if no metric asked for is one of these or of outcomes. */
	enum el_derive derive;
	/* Planes are read several times as they are written, so they are whole in memory if they fit,
	   even if they are large. */
	bool whole;
	enum el_proving proves;
	uint64_t memory; /* bytes that solutions may take; 0: three quarters of what is free now */
	unsigned ranks;  /* as in the plan; 0: one */
	/* Those of them on this machine, which share its memory where none is given; 0: one. */
	unsigned ranks_here;
	double network;               /* as in the plan; 0: NETWORK_USUAL */
	const struct el_watch *watch; /* follows the reading that `repair` does; may be null */
};

/*
 * Plans the tables that are missing in the library's own directory, where a build makes its tables.
 * Tables of other programs, wherever they are, serve as sub-tables if they hold enough
 * (el_plan.loans); other sub-tables are made in that directory as well. Only partial tables use our
 * own tables in other folders. EL_USAGE when a slice's game lacks one of the metrics; EL_STOPPED.
 */
enum el_status el_plan_wished(struct el_library *, const struct el_plan_wish *, struct el_plan *out,
                              struct el_error *);
/* The same for these slices under these metrics; null: each game's own. */
enum el_status el_plan_make(struct el_library *, const struct el_slice *slices, size_t count,
                            const struct el_metric *const *metrics, struct el_plan *out,
                            struct el_error *);
void el_plan_free(struct el_plan *);
/*
 * Estimates the cost of the plan in bytes, and in seconds with as many threads as OpenMP has now:
 * from the journal of earlier builds in the library's directory or, if that has too little, from a
 * trial on this machine, which takes a tenth of a second of one processor, once in a process. The
 * estimate ignores compression options that no earlier build there used. EL_IO when the journal
 * cannot be read.
 */
enum el_status el_plan_estimate(struct el_library *, struct el_plan *, struct el_error *);
/* EL_NEGATIVE, naming both amounts, when a solution or a proof needs more memory than it may take,
   even with scratch files. */
enum el_status el_plan_check_memory(const struct el_plan *, struct el_error *);

/* A disk with too little space for what a plan expects to write there. */
struct el_disk_need {
	const char *folder;    /* `tables` or `scratch` */
	uint64_t needed, free; /* bytes */
};

/* Do the files of an estimated plan fit on the disks of these folders? They must exist; a null
   `scratch` means the tables' folder. Also true if the system does not report free space. */
bool el_plan_fits_disk(const struct el_plan *, const char *tables, const char *scratch,
                       struct el_disk_need *out);

/* A finished table. With several threads, small tables are made side by side, and are reported as
   they finish. A build makes all its calls from its caller's thread. */
struct el_built {
	const struct el_task *task;
	size_t number, of; /* of the finished tables, from 1; of all tasks */
	double solve_seconds, write_seconds;
	uint64_t bytes; /* of the file */
	/* The proof of the file: without errors, but some positions may be open. Null: it was not
	   proved. */
	const struct el_verify_result *proof;
	unsigned passes;                  /* the greatest depth, in plies */
	uint64_t exchanged;               /* bytes, between ranks */
	const struct el_missing *missing; /* the successors that a partial task lacked; else null */
	enum el_target replaced;          /* what was found under its name */
};

/* Another build in the same directory, on this machine or another, has locked a table of this
   build's plan. */
enum el_meeting {
	EL_MEETING_WAIT,  /* it is still making the table: we make others first, then wait */
	EL_MEETING_TAKEN, /* it has made the table */
	EL_MEETING_STALE, /* it is dead: we make the table */
	/* With `until`: this build cannot make a table that it was not asked for, and leaves it to
	   the build that will be. */
	EL_MEETING_LEFT,
	/* No other build: the table is made, but none of its positions with castling rights, for lack
	   of a table (el_met.who). */
	EL_MEETING_NO_CASTLING,
};

struct el_met {
	enum el_meeting what;
	const struct el_task *task;
	/* "HOST, process 4711", or "another build" if that is not known; of what is left or missing, the
	   error */
	const char *who;
};

struct el_build_options {
	struct el_table_options table;
	void *context;
	/* Each may be null. */
	void (*built)(void *context, const struct el_built *);
	void (*met)(void *context, const struct el_met *); /* once for each wait */
	/* all checks have passed: work starts */
	void (*begins)(void *context);
	/* the folder for scratch files; null: the tables' folder */
	const char *scratch;
	/*
	 * Null: all tables of the plan are asked for. Else only this one of its tasks, and those
	 * that it needs; the build ends when this table is there. While other builds are making
	 * what is asked for, it makes other tables of the plan instead of waiting, as far as it
	 * can: no error in one of those ends the build. So builds that are each asked for one table
	 * of the same plan share it out.
	 */
	const struct el_task *until;
	/* That solve each table together: this is rank 0, and the others call el_build_join. Null: this
	   program alone. */
	struct ranks *ranks;
};

/*
 * Makes every task of the plan, in the library's directory, which is created if it is missing. Any
 * number of builds may run there at once: the build that makes a table locks it, and the others
 * wait for it.
 *
 * Before it makes anything: EL_NEGATIVE when a solution needs more memory than it may take, or far
 * more disk space than is free; EL_USAGE when a side to move cannot be left out under a task's
 * metric; and, if a file under the name of a table must not be replaced (el_task.replaces), an
 * error that names the file, the reason and the way out: EL_DAMAGED, EL_UNREADABLE or EL_IO, or
 * EL_NEGATIVE for a table of another slice.
 *
 * If a task's table has appeared since the plan was made, the build uses it. Finished tables are
 * visible in the library at once, and stay when a later one fails or the watch stops the build.
 *
 * What is proved is the file, not the planes in memory. It has a hidden name until it is found
 * right. A build that is stopped meanwhile, or killed, leaves it there, and the next one with the
 * same options and sub-tables takes it up instead of making it again. A file found wrong or damaged
 * ends the build, EL_NEGATIVE or EL_DAMAGED: it is kept as TABLE.wrong, and whatever has the
 * table's name stays.
 */
enum el_status el_build(struct el_library *, const struct el_plan *,
                        const struct el_build_options *, const struct el_watch *,
                        struct el_error *);

/*
 * What ranks other than 0 do instead: they take part in all that rank 0 builds, until it closes the
 * ranks (core/os/ranks.h). The library must be in the same folder. EL_IO, EL_STOPPED: a rank is gone.
 */
enum el_status el_build_join(struct el_library *, struct ranks *, const struct el_watch *,
                             struct el_error *);

/* What building a slice with so many threads took. */
struct el_lap {
	unsigned threads; /* set by the caller, from 1 */
	double seconds;   /* to solve and write it: the least of all rounds */
	uint64_t bytes;   /* of its table */
	bool same;        /* the tables of all rounds have the bytes of the first one built */
};

/*
 * Builds a slice under its game's metric with each of these numbers of threads in turn, so many
 * rounds, in a folder of its own that is removed; no table of the user's is read or written. Errors
 * as el_build.
 */
enum el_status el_build_race(const struct el_slice *, unsigned rounds, struct el_lap *laps,
                             size_t count, const struct el_watch *, struct el_error *);

/* The result of recoding a table. */
struct el_recoded {
	struct el_table_info before;
	struct el_table_options options; /* of the new file, with the orders that were chosen */
	uint64_t bytes;                  /* of the new file */
	/* why it could not be noted that the new file is as verified as the old one */
	struct el_error unkept;
};

/*
 * Reads a table and rewrites it with these options; `to` may be the same file. The new file gets
 * its name only after all of it has been read back and compared, so that no fault costs a table. If
 * the old or the new table leaves captures or a side to move to be derived, the tables that the
 * captures, or all moves, lead to are needed: EL_NEGATIVE names a missing one. `from` may be a
 * foreign file if a table of ours can hold its values; else EL_NEGATIVE gives the reason and the
 * way out. What is known of `from` by a proof is known of the new file too.
 */
enum el_status el_recode(struct el_library *, const char *from, const char *to,
                         const struct el_table_options *, const struct el_watch *,
                         struct el_recoded *out, struct el_error *);

/* What a table took to make; all zero if there is no record of it. */
struct el_effort {
	unsigned threads; /* used to solve it */
	double solve_seconds, write_seconds;
	uint64_t bytes; /* of the file */
};

/* What a table was found to hold with a side to move: placements, and the plies of the longest; 0 under a
   metric without depths. */
struct el_decided {
	uint64_t won, lost;
	unsigned longest_win, longest_loss;
};

/* How a table in a directory was solved. */
struct el_solution {
	unsigned passes;
	struct el_effort effort;
	bool is_counted; /* `found` is known: in games in which every index is a placement */
	struct el_decided found[2];
	struct el_stage stage[EL_STAGES_MAX]; /* unnamed past the last */
};

/* EL_NEGATIVE, without text and with no passes, when that is not known: the table was not built
   there, or was read off another one. A table copied there is mistaken for the one built there.
   EL_IO when the directory's journal cannot be read. */
enum el_status el_solution_find(const char *directory, const struct el_slice *,
                                const struct el_metric *, struct el_solution *out,
                                struct el_error *);

#endif
