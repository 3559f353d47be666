/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A build at work.
 *
 *     build.c: whose turn is it? -> lock -> work_make -> finish: rescan, journal, report
 *                                            pool_start -> pool_wait
 *
 * Large tables are made one after the other, on the caller's thread, which OpenMP divides; small
 * ones side by side, each by a thread of its own. Locks, reports and the watch are the caller's
 * thread's alone.
 */
#ifndef CORE_BUILDER_BUILDER_H
#define CORE_BUILDER_BUILDER_H

#include "build.h"

#include "core/lend/lender.h"
#include "core/os/lock.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

/* Where a task stands, of which other builds may have made something. */
struct turn {
	bool done, begun;
	bool waits;              /* another build is at work on it, which has been said */
	struct lock_sight sight; /* of that build's lock */
	/* what had the table's name when the build began; zero: nothing */
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
	enum el_status status;
	struct el_error error;
	struct el_watch watch; /* over the making */
	pthread_t thread;
	bool is_apart;  /* made by that thread */
	bool collected; /* done, and its thread is gone */
	/* Under builder.lock. */
	bool done;
	struct el_progress last; /* without `what` */
	double since, first;     /* when this stage began: clock_seconds; and what was done then */
	double began;
};

struct builder {
	struct el_library *library;
	const struct el_plan *plan;
	struct turn *turns; /* of each task; owned */
	size_t done;        /* tasks */
	const struct el_build_options *options;
	const struct el_watch *watch;
	struct lender *lender;
	struct work *works; /* owned; the first one is the caller's when it makes a table itself */
	size_t work_count;  /* 1: one table after the other */
	size_t busy;
	uint64_t bytes; /* that tables at work take */
	pthread_t caller;
	pthread_mutex_t lock;
	pthread_cond_t ready; /* a work is done */
	atomic_bool stopping;
	double began, finished; /* the build, the last table: clock_seconds */
	double expected, made;  /* seconds that the plan gives all tables, those that are done */
};

/* Where the table of a task will be; never cut: the directory has been opened. */
enum { TARGET_MAX = PATH_MAX + EL_SLICE_MAX + 32 };
void target_path(const struct builder *, const struct el_task *, char out[TARGET_MAX]);

/* Where solutions put what does not fit in memory. */
const char *scratch_folder(const struct builder *);

/* ---- pool.c ---- */

/* Tables that a thread makes as fast as many, and that leave room for others. */
bool pool_takes(const struct el_plan *, const struct el_task *);
/* How many tables of this plan this many threads make at once, at most: at least 1. */
size_t pool_size(const struct el_plan *, size_t threads);

/* Makes the table on a thread of its own. EL_MEMORY, EL_IO: there is no other thread. */
enum el_status pool_start(struct work *, struct el_error *);
/* Until one is done, or `all` are; the watch is asked meanwhile, and stops them. */
void pool_wait(struct builder *, bool all);
/* Of this work; the watch of those that are made elsewhere is pool_wait's. */
int work_tick(void *work, const struct el_progress *);
/* Asks the caller's watch; remembers when it wants the build to stop. */
bool builder_tick(struct builder *, const struct el_progress *);

enum { TABLE_NAME_MAX = EL_SLICE_MAX + 16 }; /* "KQvKR dtm" */
/* Seconds that a table takes of the whole, with others beside it. */
double overall_share(const struct builder *, const struct el_task *);

/* ---- work.c ---- */

/* Solves, or reads off, and writes the table of work->number, into work->status. */
void work_make(struct work *);
/*
 * Looks at what has the path that a task's table will have. When the task may not replace it: its
 * status, with the file, the reason and the way out. EL_NEGATIVE for the sound table of another
 * slice or metric, or of just this one (EL_TARGET_WHOLE); EL_IO, in any case, for what is no file.
 */
enum el_status target_look(const char *path, const struct el_task *, enum el_target *out,
                           struct el_error *);

/* ---- repair.c ---- */

/*
 * Looks at the tables of ours in the library's own directory that belong to the slices wished for
 * or, unless partial ones are, to what these depend on. damaged[i] is set for each of `entries`
 * that cannot be read to its end, or not even be opened. EL_STOPPED; EL_DAMAGED for a damaged table
 * that does not have its own name, and would lie beside the one that is made in its place.
 */
enum el_status repair_find(const struct el_entry *entries, size_t count,
                           const struct el_plan_wish *, bool *damaged, struct el_plan *plan,
                           struct el_error *);

#endif
