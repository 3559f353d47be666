/* SPDX-License-Identifier: MIT */
#include "builder.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/library/copies.h"
#include "core/os/files.h"
#include "core/os/system.h"
#include "core/solve/ledger.h"
#include "core/solve/memory.h"
#include "core/whole/loan.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- among other builds ---- */

static bool goes_on(struct builder *b, const char *stage, const struct el_task *task)
{
	char what[TABLE_NAME_MAX];
	return builder_tick(b, &(struct el_progress){stage, table_name(task, what), (double)b->done,
	                                             (double)b->plan->count, .unit = "tables"});
}

static enum el_status stopped(const struct builder *b, struct el_error *error)
{
	return el_fail(error, EL_STOPPED, "stopped after %zu of %zu tables", b->done,
	               b->plan->count);
}

static void meet(const struct builder *b, size_t number, enum el_meeting what)
{
	const char *who = b->turns[number].sight.who;
	builder_tell(b, what, &b->plan->tasks[number], *who ? who : "another build");
}

/* Keeps an error in a table that is asked for, or a stop; else the build goes on without the table,
   and reports why if it has tried to make it. */
static enum el_status leave(struct builder *b, size_t number, enum el_status status, bool tried,
                            const struct el_error *why)
{
	if (!status || status == EL_STOPPED || b->turns[number].asked)
		return status;
	b->turns[number].left = true;
	if (tried)
		builder_tell(b, EL_MEETING_LEFT, &b->plan->tasks[number], why->text);
	return EL_OK;
}

/* Does a table that is not done need this one? */
static bool is_needed(const struct builder *b, size_t number)
{
	bool needed = false;
	for (size_t i = 0; i < b->plan->count && !needed; i++)
		for (size_t k = 0; k < b->plan->tasks[i].need_count && !b->turns[i].done; k++)
			needed |= b->plan->tasks[i].needs[k] == number;
	return needed;
}

static void finish_turn(struct builder *b, size_t number)
{
	const struct el_task *task = &b->plan->tasks[number];
	b->turns[number].done = true;
	b->asked -= b->turns[number].asked;
	b->done++;
	b->made += overall_share(b, &b->plan->tasks[number]);
	b->finished = clock_seconds();
	for (size_t i = 0; i < task->need_count; i++)
		if (!is_needed(b, task->needs[i])) {
			char path[TARGET_MAX];
			target_path(b, &b->plan->tasks[task->needs[i]], path);
			loan_drop_copy(copies_folder(library_copies(b->library)), path);
		}
}

/* Begins a table now that its lock is ours, unless another build has made it by now. */
static enum el_status begin(struct builder *b, size_t number, struct work *w,
                            struct el_error *error)
{
	const struct el_task *task = &b->plan->tasks[number];
	enum el_status status = EL_OK;
	enum el_target found = EL_TARGET_NONE;
	char path[TARGET_MAX];
	target_path(b, task, path);
	const struct stat *before = &b->turns[number].before;
	struct stat now;
	const bool as_before = lstat(path, &now) ? !before->st_ino : file_is_same(&now, before);
	if (!as_before)
		status = target_look(path, task, &found, error);
	const bool made = found == EL_TARGET_WHOLE || (task->partial && found == EL_TARGET_PARTIAL);
	if (made)
		status = el_library_rescan(b->library, error);
	if (!status && made) {
		meet(b, number, EL_MEETING_TAKEN);
		finish_turn(b, number);
	}
	if (status || made) {
		lock_release(w->lock);
		w->lock = NULL;
		return status;
	}
	w->number = number;
	w->built = (struct el_built){.task = task, .of = b->plan->count};
	w->planes = (struct el_planes){0};
	w->done = w->is_apart = w->collected = false;
	w->is_needed = is_needed(b, number);
	w->last = (struct el_progress){0};
	w->began = clock_seconds();
	b->turns[number].begun = true;
	b->bytes += task->bytes;
	b->busy++;
	return EL_OK;
}

/* Begins a table (and sets w->lock), uses it if another build has made it, or leaves it to a build
   that is making it. */
static enum el_status take_turn(struct builder *b, size_t number, struct work *w,
                                struct el_error *error)
{
	struct turn *turn = &b->turns[number];
	char table[TARGET_MAX], path[TARGET_MAX + 32];
	if (!turn->waits && !goes_on(b, "building", &b->plan->tasks[number]))
		return stopped(b, error);
	target_path(b, &b->plan->tasks[number], table);
	lock_path(table, path, sizeof path);
	enum el_status status = lock_take(path, LOCK_STALE_SECONDS, &turn->sight, &w->lock, error);
	if (status == EL_NEGATIVE) {
		if (!turn->waits)
			meet(b, number, EL_MEETING_WAIT);
		turn->waits = true;
		return EL_OK;
	}
	if (!status && turn->sight.stale)
		meet(b, number, EL_MEETING_STALE);
	if (!status)
		status = begin(b, number, w, error);
	return leave(b, number, status, true, error);
}

static bool is_ready(const struct builder *b, size_t number)
{
	const struct el_task *task = &b->plan->tasks[number];
	const struct turn *turn = &b->turns[number];
	bool ready = !turn->done && !turn->begun && !turn->left && (turn->asked || b->aside);
	for (size_t i = 0; i < task->need_count && ready; i++)
		ready = b->turns[task->needs[i]].done;
	return ready;
}

/* ---- tables in progress ---- */

/* Finishes a work whose table is in the library. */
static void finish(struct work *w)
{
	struct builder *b = w->builder;
	w->built.number = b->done + 1;
	if (w->planes.plane[0].symbols)
		lender_keep(b->lender, &w->planes);
	el_planes_free(&w->planes);
	/* The table is written: a solution stopped earlier, with less memory, is obsolete too. */
	if (!w->built.task->from)
		forget_solution(b, w->built.task);
	if (b->options->built)
		b->options->built(b->options->context, &w->built);
	finish_turn(b, w->number);
}

static void let_go(struct work *w)
{
	struct builder *b = w->builder;
	b->turns[w->number].begun = false;
	b->bytes -= w->built.task->bytes;
	b->busy--;
	gathered_free(&w->gathered);
	lock_release(w->lock);
	w->lock = NULL;
}

/* Keeps the first failure, but prefers a real one to a stop that it caused. */
static void join(enum el_status *status, enum el_status one, struct el_error *error,
                 const struct el_error *why)
{
	if (!one || (*status && (*status != EL_STOPPED || one == EL_STOPPED)))
		return;
	*status = el_fail(error, one, "%s", why->text);
}

/* Watches what is read and solved beside the tables, on any thread. */
static int tick_beside(void *context, const struct el_progress *progress)
{
	struct builder *b = context;
	return progress && pthread_equal(pthread_self(), b->caller) ? builder_tick(b, progress)
	                                                            : !atomic_load(&b->stopping);
}

static enum el_status finish_done(struct builder *b, struct el_error *error)
{
	enum el_status status = EL_OK, rescanned = EL_OK, found;
	struct work *const end = b->works + b->work_count;
	struct el_error why;
	bool any = false;
	/* Take one snapshot: others may be done a moment later. */
	pthread_mutex_lock(&b->lock);
	for (struct work *w = b->works; w < end; w++)
		w->collected = w->lock && w->done;
	pthread_mutex_unlock(&b->lock);
	for (struct work *w = b->works; w < end; w++) {
		if (w->collected && w->is_apart)
			pthread_join(w->thread, NULL);
		any |= w->collected && !w->status;
	}
	if (any)
		rescanned = el_library_rescan(b->library, &why);
	join(&status, rescanned, error, &why);
	for (;;) { /* in the order in which they began */
		struct work *w = NULL;
		for (struct work *other = b->works; other < end; other++)
			if (other->lock && other->collected && (!w || other->began < w->began))
				w = other;
		if (!w)
			return status;
		if (!w->status && rescanned) {
			el_planes_free(&w->planes);
			el_planes_free(&w->castling);
		}
		if (!w->status && !rescanned) {
			const struct el_watch watch = {b, tick_beside};
			w->status = work_make_castling(w, &watch, &w->error);
			finish(w);
		}
		found = leave(b, w->number, w->status, true, &w->error);
		join(&status, found, error, &w->error);
		let_go(w);
	}
}

/* Is it made beside others? */
static bool is_apart(const struct builder *b, size_t number)
{
	return b->work_count > 1 && pool_takes(b->plan, &b->plan->tasks[number]);
}

static enum el_status start_apart(struct builder *b, struct el_error *error)
{
	enum el_status status = EL_OK;
	size_t ready = b->busy;
	for (size_t i = 0; i < b->plan->count && ready < 2; i++)
		ready += is_apart(b, i) && is_ready(b, i);
	if (ready < 2) /* a single table gets all threads */
		return EL_OK;
	if (!b->busy) { /* reset what the table before may have set */
		lender_accept_bounds(b->lender, false);
		status = lender_limit(b->lender, SIZE_MAX, error);
	}
	for (size_t i = 0; i < b->plan->count && !status; i++) {
		struct work *w = b->works, *end = w + b->work_count;
		while (w < end && w->lock)
			w++;
		if (w == end)
			break;
		if (!is_apart(b, i) || !is_ready(b, i) ||
		    b->bytes + b->plan->tasks[i].bytes > b->plan->memory)
			continue;
		status = take_turn(b, i, w, error);
		if (status || !w->lock)
			continue;
		w->is_apart = true;
		status = pool_start(w, error);
		if (status)
			let_go(w);
	}
	return status;
}

static enum el_status make_tables(struct builder *b, struct el_error *error)
{
	enum el_status status = EL_OK;
	while (b->asked && !status) {
		const size_t before = b->done;
		status = start_apart(b, error);
		if (b->busy && !status) {
			pool_wait(b, false);
			status = finish_done(b, error);
			b->aside = false;
			continue;
		}
		/* make the first table that is ready on this thread, with all of OpenMP's */
		struct work *w = b->works;
		for (size_t i = 0; i < b->plan->count && !status && !w->lock; i++)
			if (is_ready(b, i))
				status = take_turn(b, i, w, error);
		if (!status && w->lock) {
			work_make(w);
			w->done = true;
			status = finish_done(b, error);
		}
		/* If nothing was done, all tables that may begin are locked, or need one that is. */
		b->aside = b->options->until && b->done == before && !b->aside;
		if (b->done > before || status || b->aside)
			continue;
		size_t i = 0;
		while (!is_ready(b, i))
			i++;
		nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
		if (!goes_on(b, "waiting for", &b->plan->tasks[i]))
			status = stopped(b, error);
	}
	/* Stop the works in progress, if something failed; some may finish first. */
	struct el_error why;
	if (status)
		atomic_store(&b->stopping, true);
	if (b->busy)
		pool_wait(b, true);
	const enum el_status found = finish_done(b, &why);
	join(&status, found, error, &why);
	return status == EL_STOPPED && b->work_count > 1 ? stopped(b, error) : status;
}

static enum el_status check_memory(const struct el_plan *plan, size_t number,
                                   struct el_error *error)
{
	const struct el_task *task = &plan->tasks[number];
	struct memory_share share;
	const uint64_t proof = task->proves ? verify_bytes_within(&task->slice, task->metric,
	                                                          task->partial, plan->memory)
	                                    : 0;
	char needed[EL_AMOUNT_MAX], allowed[EL_AMOUNT_MAX];
	if (proof > plan->memory)
		return el_fail(error, EL_NEGATIVE,
		               "%s %s needs %s of memory to be verified; %s may be used: build it "
		               "with --no-verify",
		               task->slice.name, task->metric->name,
		               el_bytes((double)proof, needed),
		               el_bytes((double)plan->memory, allowed));
	return task->scratch ? memory_share_out(&task->slice, plan->memory, &share, error)
	                     : memory_check(task->slice.name, task->bytes, error);
}

enum el_status el_plan_check_memory(const struct el_plan *plan, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < plan->count && !status; i++)
		status = check_memory(plan, i, error);
	return status;
}

/* Sets may compress better than expected (memory_of_scratch), but not by this factor. */
enum { SCRATCH_AT_BEST = 4 };

static enum el_status build_with(struct builder *b, struct el_error *error)
{
	const struct el_watch reading = {b, tick_beside};
	for (size_t i = 0; i < b->work_count; i++) {
		b->works[i].builder = b;
		b->works[i].watch = (struct el_watch){&b->works[i], work_tick};
	}
	for (size_t i = 0; i < b->plan->count; i++)
		b->expected += overall_share(b, &b->plan->tasks[i]);
	b->began = b->finished = clock_seconds();
	lender_read_from(b->lender, !b->plan->loan_count, &reading);
	/* Refuse a disk that is far too small: otherwise it would fill up only after hours. If its
	   space is not known, the first write there will give the reason. */
	const char *folder = scratch_folder(b);
	enum el_status status = EL_OK;
	const uint64_t free_bytes = disk_free(folder);
	for (size_t i = 0; i < b->plan->count && !status; i++) {
		const struct el_task *t = &b->plan->tasks[i];
		char needed[EL_AMOUNT_MAX], free_text[EL_AMOUNT_MAX];
		if (t->scratch / SCRATCH_AT_BEST > free_bytes)
			status = el_fail(error, EL_NEGATIVE,
			                 "%s needs about %s of scratch files; %s has %s free",
			                 t->slice.name, el_bytes((double)t->scratch, needed),
			                 folder, el_bytes((double)free_bytes, free_text));
		status = leave(b, i, status, false, error);
	}
	/* Find files that must not be replaced before anything is made. A table that has appeared
	   since it was planned is no such file: the build will use it. */
	for (size_t i = 0; i < b->plan->count && !status; i++) {
		const struct el_task *task = &b->plan->tasks[i];
		char path[TARGET_MAX];
		enum el_target found;
		struct el_error why;
		target_path(b, task, path);
		status = target_look(path, task, &found, &why);
		if (!status && lstat(path, &b->turns[i].before))
			b->turns[i].before = (struct stat){0};
		else if (status == EL_NEGATIVE && found == EL_TARGET_WHOLE)
			status = EL_OK;
		status = leave(b, i, status, false, &why);
		if (status)
			el_fail(error, status, "%s", why.text);
	}
	/* where scratch files go, before a lender makes one elsewhere; even for a single table: it may be the
	   last of a set whose build was stopped */
	if (!status)
		status = copies_keep(library_copies(b->library), folder, error);
	if (status)
		return status;
	if (b->options->begins)
		b->options->begins(b->options->context);
	return make_tables(b, error);
}

/* Drops the copies that a stopped build left of tables that are older than this plan: nothing in it needs them
   any more. Copies of other sets stay. */
static void drop_copies(const struct builder *b)
{
	const char *folder = copies_folder(library_copies(b->library));
	if (!rmdir(folder))
		return; /* there were none */
	for (const struct el_task *t = b->plan->tasks; t < b->plan->tasks + b->plan->count; t++) {
		struct el_slice entered[EL_SUCCESSORS_MAX];
		const struct el_metric *wanted = el_metric_entered(t->metric), *m = NULL;
		const size_t count = t->slice.game->successors(&t->slice, entered);
		for (size_t i = 0; i < count; i++, m = NULL)
			while ((m = el_library_next_metric(b->library, &entered[i], m))) {
				char path[TARGET_MAX];
				el_table_file_name(el_library_directory(b->library), &entered[i], m,
				                   path, sizeof path);
				if (el_metric_tells(m, wanted))
					loan_drop_copy(folder, path);
			}
	}
}

enum el_status el_build(struct el_library *library, const struct el_plan *plan,
                        const struct el_build_options *options, const struct el_watch *watch,
                        struct el_error *error)
{
	const char *tables = el_library_directory(library);
	leftovers_sweep(tables, tables);
	if (options->scratch)
		leftovers_sweep(options->scratch, tables);
	if (!plan->count)
		return EL_OK;
	/* not every slice and metric allows a side to be left out */
	const bool leaves = !options->table.preset && options->table.derive & EL_DERIVE_SIDE;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < plan->count && !status && leaves; i++)
		status = el_side_check(&plan->tasks[i].slice, plan->tasks[i].metric, error);
	if (status)
		return status;
	struct builder b = {
		.library = library,
		.plan = plan,
		.turns = calloc(plan->count, sizeof *b.turns),
		.options = options,
		.watch = watch,
		.lender = lender_open(library, watch),
		/* ranks make one table after the other, together */
		.work_count = options->ranks ? 1 : pool_size(plan, (size_t)omp_get_max_threads()),
		.caller = pthread_self(),
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	wait_init(&b.ready);
	b.works = calloc(b.work_count, sizeof *b.works);
	if (b.lender)
		b.lends = lender_interface(b.lender);
	if (!b.lender || !b.turns || !b.works)
		status = el_fail(error, EL_MEMORY, "out of memory");
	for (size_t i = plan->count; i-- > 0 && !status;) { /* what a task needs comes before it */
		const struct el_task *task = &plan->tasks[i];
		b.turns[i].asked |= !options->until || task == options->until;
		b.asked += b.turns[i].asked;
		for (size_t k = 0; k < task->need_count && b.turns[i].asked; k++)
			b.turns[task->needs[k]].asked = true;
	}
	for (size_t i = 0; i < plan->count && !status; i++)
		status = leave(&b, i, check_memory(plan, i, error), false, error);
	if (!status)
		status = directory_make(tables, error);
	if (!status) {
		el_temporaries_sweep(tables);
		el_temporaries_sweep(scratch_folder(&b));
		status = build_with(&b, error);
	}
	if (!status)
		drop_copies(&b);
	if (b.lender)
		lender_close(b.lender);
	free(b.works);
	free(b.turns);
	return status;
}
