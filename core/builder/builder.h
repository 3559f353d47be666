/* SPDX-License-Identifier: MIT */
/*
 * The internals of a build.
 *
 *     build.c: whose turn is it? -> lock -> work_make -> finish: rescan, journal, report
 *                                            pool_start -> pool_wait
 *
 * Large tables are made one after the other, on the caller's thread with all of OpenMP's; small
 * ones side by side, each on a thread of its own. Only the caller's thread takes locks, reports and
 * asks the watch.
 */
#ifndef CORE_BUILDER_BUILDER_H
#define CORE_BUILDER_BUILDER_H

#include "build.h"

#include "core/library/reads.h"
#include "core/os/lock.h"
#include "core/os/ranks.h"
#include "core/solve/solve.h"
#include "core/whole/gather.h"
#include "core/whole/lender.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

/* The state of a task. Other builds may be making its table, or have made it. */
struct turn {
	bool asked; /* `until` needs its table; true of all if that is null */
	bool done, begun;
	bool left;               /* cannot be made, and was not asked for */
	bool waits;              /* another build is making it, and that has been reported */
	struct lock_sight sight; /* of that build's lock */
	/* the file that had the table's name when this build began; zero: none */
	struct stat before;
};

/* A table while it is made. */
struct work {
	struct builder *builder;
	size_t number;     /* of the task */
	struct lock *lock; /* null: the work is free */
	struct el_built built;
	struct el_missing missing;
	struct el_planes planes;
	/* Of the positions with castling rights, if they were solved while `planes` were in memory; else
	   without symbols. */
	struct el_planes castling;
	/* What such positions lead to, for their proof, if that of the table had its values in memory. */
	struct gathered gathered;
	struct el_verify_result proof;
	enum el_status status;
	struct el_error error;
	struct el_watch watch; /* follows its making */
	pthread_t thread;
	bool is_apart;  /* made on that thread */
	bool is_needed; /* by a later table */
	bool collected; /* seen to be done: the caller finishes it */
	/* Under builder.lock. */
	bool done;
	struct el_progress last; /* without `what` */
	double since, first;     /* at the start of this stage: clock_seconds, and last.done */
	double began;
};

struct builder {
	struct el_library *library;
	const struct el_plan *plan;
	struct turn *turns; /* by task; owned */
	size_t done;        /* tasks */
	size_t asked; /* tasks that are asked for and not done: the build ends with the last */
	bool aside;   /* tables not asked for may begin, since others make those that are */
	const struct el_build_options *options;
	const struct el_watch *watch;
	struct lender *lender;
	struct el_lender lends; /* its interface, which solutions keep as long as their planes */
	struct work *works;     /* owned; the first one is for tables made by the caller's thread */
	size_t work_count;      /* 1: one table after the other */
	size_t busy;
	uint64_t bytes; /* memory for the tables being made */
	pthread_t caller;
	pthread_mutex_t lock;
	pthread_cond_t ready; /* a work is done */
	atomic_bool stopping;
	double began, finished; /* clock_seconds: start of the build, end of its last table */
	double expected, made;  /* seconds planned for all tables, and for those that are done */
};

/* The path of a task's table; never truncated: the directory has been opened. */
enum { TARGET_MAX = PATH_MAX + EL_SLICE_MAX + 32 };
void target_path(const struct builder *, const struct el_task *, char out[TARGET_MAX]);

/* The folder for scratch files. */
const char *scratch_folder(const struct builder *);

/* ---- pool.c ---- */

/* Is the table so small that one thread makes it as fast as several, with memory left for
   others? */
bool pool_takes(const struct el_plan *, const struct el_task *);
/* The most tables of this plan that so many threads make at once: at least 1. */
size_t pool_size(const struct el_plan *, size_t threads);

/* Makes the table on a thread of its own. EL_MEMORY: no thread can be started. */
enum el_status pool_start(struct work *, struct el_error *);
/* Waits until one table is done, or `all` are. Asks the watch meanwhile, which may stop them. */
void pool_wait(struct builder *, bool all);
/* The watch of a work. For one on its own thread it only notes the progress: pool_wait asks. */
int work_tick(void *work, const struct el_progress *);
/* Tells the caller what was met, if it asked for that. */
void builder_tell(const struct builder *, enum el_meeting, const struct el_task *, const char *who);
/* Asks the caller's watch, and remembers if it stops the build. */
bool builder_tick(struct builder *, const struct el_progress *);

enum { TABLE_NAME_MAX = EL_SLICE_MAX + 16 };
/* Writes "KQvKR dtm", and returns it. */
const char *table_name(const struct el_task *, char out[TABLE_NAME_MAX]);
/* Seconds that a table adds to the whole build, allowing for others made beside it. */
double overall_share(const struct builder *, const struct el_task *);

/* ---- work.c ---- */

/* Solves or reads off the table of work->number, writes it, proves it if the task says so, and sets
   work->status. Frees the planes of a table that has been proved. */
void work_make(struct work *);
/* Makes the table of positions with castling rights that goes with a table that the library has now, as far
   as there are tables to make it from. On the caller's thread. */
enum el_status work_make_castling(struct work *, const struct el_watch *, struct el_error *);
/*
 * Examines what is at the path of a task's table. If the task may not replace it, returns its
 * status, with the file, the reason and the way out. EL_NEGATIVE for a sound table, of another
 * slice or metric or of this one (EL_TARGET_WHOLE); EL_IO, in any case, for anything but a file.
 */
enum el_status target_look(const char *path, const struct el_task *, enum el_target *out,
                           struct el_error *);

/* Notes the tables that the values of a task's table come from. */
enum el_status reads_of_task(struct el_library *, const struct el_task *, struct reads *out,
                             struct el_error *);

/* ---- join.c ---- */

/* Rank 0 tells the other ranks to solve a table with it, and hears whether they can. */
enum el_status order_solve(const struct builder *, const struct el_task *, const struct el_room *,
                           size_t pieces, struct el_error *);
/* Removes what a solution has left in scratch folders, those of all ranks. */
void forget_solution(const struct builder *, const struct el_task *);

/* ---- estimate.c ---- */

/* Does proving the table take less than half of the time that it takes to make it, on any machine? */
bool proof_is_cheap(const struct el_task *);

/* ---- repair.c ---- */

/*
 * Reads our tables in the library's own directory that belong to the wished slices or, unless
 * partial tables are wished for, to their sub-tables. Sets damaged[i] for each of `entries` that
 * cannot be opened or read to its end. EL_STOPPED; EL_DAMAGED for a damaged table under a name
 * other than its own, which would stay beside its replacement.
 */
enum el_status repair_find(const struct el_entry *entries, size_t count,
                           const struct el_plan_wish *, bool *damaged, struct el_plan *plan,
                           struct el_error *);

#endif
