/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "endlab/build.h"
#include "endlab/temporary.h"

#include "../clock.h"
#include "../store/claim.h"
#include "directory.h"
#include "journal.h"
#include "lender.h"
#include "memory.h"
#include "target.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* Where a task stands, of which other builds may have made something. */
struct turn {
	bool done;
	bool waits;               /* another build is at work on it, which has been said */
	struct claim_sight sight; /* of that build's claim */
	struct stat before;       /* what had the table's name when the build began; zero: nothing */
};

struct builder {
	struct el_library *library;
	const struct el_plan *plan;
	struct turn *turns; /* of each task; owned */
	size_t done;        /* tasks */
	const struct el_build_options *options;
	const struct el_watch *watch;
	struct lender *lender;
};

/* Where the table of a task will be; never cut: the directory has been opened. */
enum { TARGET_MAX = PATH_MAX + EL_SLICE_MAX + 32 };

static void target_path(const struct builder *b, const struct el_task *task, char out[TARGET_MAX])
{
	el_table_file_name(el_library_directory(b->library), &task->slice, task->metric, out,
	                   TARGET_MAX);
}

static const char *scratch_folder(const struct builder *b)
{
	return b->options->scratch ? b->options->scratch : el_library_directory(b->library);
}

/* Off another table of the slice. */
static enum el_status read_off(struct builder *b, const struct el_task *task,
                               struct el_planes *out, struct el_error *error)
{
	enum el_status status = planes_read_off(b->library, &task->slice, task->from, task->metric,
	                                        out, error);
	if (!status)
		el_planes_mark_broken(out);
	return status;
}

static enum el_status make_planes(struct builder *b, const struct el_task *task,
                                  struct el_planes *out, struct el_missing *missing,
                                  struct el_error *error)
{
	missing->count = 0;
	if (task->from)
		return read_off(b, task, out, error);
	struct el_lender lender = lender_interface(b->lender);
	struct memory_share share = {.pieces = SIZE_MAX};
	enum el_status status = EL_OK;
	if (task->scratch)
		status = memory_share_out(&task->slice, b->plan->memory, &share, error);
	if (!status)
		status = lender_limit(b->lender, share.pieces, error);
	if (status)
		return status;
	const struct el_room room = {
		.memory = share.solution,
		.scratch = scratch_folder(b),
	};
	const struct el_problem problem = {
		.slice = task->slice,
		.metric = task->metric,
		.lender = &lender,
		.watch = b->watch,
		.room = task->scratch ? &room : NULL,
	};
	lender_accept_bounds(b->lender, task->partial);
	return task->partial ? el_solve_partial(&problem, out, missing, error)
	                     : el_solve(&problem, out, error);
}

static enum el_status write_planes(struct builder *b, struct el_planes *planes,
                                   struct el_built *built, struct el_error *error)
{
	char path[TARGET_MAX];
	target_path(b, built->task, path);
	enum el_status status = EL_OK;
	if (b->options->table.derive == EL_DERIVE_CAPTURES)
		status = el_library_derive(b->library, planes, b->watch, error);
	if (!status) /* again: much may have come there since the build began */
		status = target_look(path, built->task, &built->replaced, error);
	if (!status)
		status = el_table_write(path, planes, &b->options->table, b->watch, &built->bytes,
		                        error);
	if (!status)
		status = el_library_rescan(b->library, error);
	return status;
}

static enum el_status note_effort(const struct builder *b, const struct el_planes *planes,
                                  const struct el_built *built, struct el_error *error)
{
	const struct el_effort effort = {
		.threads = (unsigned)omp_get_max_threads(),
		.solve_seconds = built->solve_seconds,
		.write_seconds = built->write_seconds,
		.bytes = built->bytes,
	};
	return journal_add(el_library_directory(b->library), planes, &effort, error);
}

static enum el_status make_table(struct builder *b, struct el_built *built,
                                 struct el_missing *missing, struct el_error *error)
{
	double start = clock_seconds();
	struct el_planes planes;
	enum el_status status = make_planes(b, built->task, &planes, missing, error);
	if (status != EL_OK)
		return status;
	double solved = clock_seconds();
	status = write_planes(b, &planes, built, error);
	built->solve_seconds = solved - start;
	built->write_seconds = clock_seconds() - solved;
	if (!status)
		status = note_effort(b, &planes, built, error);
	built->passes = planes.passes;
	built->missing = built->task->partial ? missing : NULL;
	if (planes.reader)
		el_planes_free(&planes);
	else
		lender_keep(b->lender, &planes);
	if (!status && built->task->scratch)
		el_solve_forget(&built->task->slice, built->task->metric, scratch_folder(b));
	return status;
}

/* ---- among other builds ---- */

static bool goes_on(const struct builder *b, const char *stage, const struct el_task *task)
{
	char what[EL_SLICE_MAX + 16];
	snprintf(what, sizeof what, "%s %s", task->slice.name, task->metric->name);
	return el_watch_tick(b->watch, &(struct el_progress){
		stage, what, (double)b->done, (double)b->plan->count, "tables"});
}

static enum el_status stopped(const struct builder *b, struct el_error *error)
{
	return el_fail(error, EL_STOPPED, "stopped after %zu of %zu tables", b->done,
	               b->plan->count);
}

static void meet(const struct builder *b, size_t number, enum el_meeting what)
{
	const struct turn *turn = &b->turns[number];
	const struct el_met met = {
		.what = what,
		.task = &b->plan->tasks[number],
		.who = *turn->sight.who ? turn->sight.who : "another build",
	};
	if (b->options->met)
		b->options->met(b->options->context, &met);
}

static bool is_as_before(const char *path, const struct stat *before)
{
	struct stat now;
	if (lstat(path, &now))
		return !before->st_ino;
	return now.st_dev == before->st_dev && now.st_ino == before->st_ino &&
	       now.st_size == before->st_size &&
	       now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
}

/* Has another build made the table by now? */
static enum el_status look_again(const struct builder *b, size_t number, bool *made,
                                 struct el_error *error)
{
	const struct el_task *task = &b->plan->tasks[number];
	char path[TARGET_MAX];
	enum el_target found;
	target_path(b, task, path);
	*made = false;
	if (is_as_before(path, &b->turns[number].before))
		return EL_OK;
	enum el_status status = target_look(path, task, &found, error);
	*made = found == EL_TARGET_WHOLE || (task->partial && found == EL_TARGET_PARTIAL);
	return *made ? el_library_rescan(b->library, error) : status;
}

static enum el_status make_claimed(struct builder *b, size_t number, struct el_error *error)
{
	struct el_missing missing;
	struct el_built built = {
		.task = &b->plan->tasks[number], .number = b->done + 1, .of = b->plan->count};
	bool made;
	enum el_status status = look_again(b, number, &made, error);
	if (!status && made)
		meet(b, number, EL_MEETING_TAKEN);
	if (status || made)
		return status;
	status = make_table(b, &built, &missing, error);
	if (!status && b->options->built)
		b->options->built(b->options->context, &built);
	return status;
}

/* Makes the table, takes it from the build that has made it, or leaves it to one that is at work on it. */
static enum el_status take_turn(struct builder *b, size_t number, struct el_error *error)
{
	struct turn *turn = &b->turns[number];
	char table[TARGET_MAX], path[TARGET_MAX + 32];
	struct claim *claim;
	target_path(b, &b->plan->tasks[number], table);
	claim_path(table, path, sizeof path);
	enum el_status status = claim_take(path, CLAIM_SECONDS, &turn->sight, &claim, error);
	if (status == EL_NEGATIVE) {
		if (!turn->waits)
			meet(b, number, EL_MEETING_WAIT);
		turn->waits = true;
		return EL_OK;
	}
	if (status)
		return status;
	if (turn->sight.stale)
		meet(b, number, EL_MEETING_STALE);
	status = make_claimed(b, number, error);
	claim_release(claim);
	turn->done = !status;
	b->done += turn->done;
	return status;
}

static bool is_ready(const struct builder *b, size_t number)
{
	const struct el_task *task = &b->plan->tasks[number];
	bool ready = !b->turns[number].done;
	for (size_t i = 0; i < task->need_count && ready; i++)
		ready = b->turns[task->needs[i]].done;
	return ready;
}

/* All that is left is claimed, or needs what is. */
static enum el_status wait_awhile(const struct builder *b, struct el_error *error)
{
	const struct timespec pause = {.tv_nsec = 200000000};
	size_t i = 0;
	while (!is_ready(b, i))
		i++;
	nanosleep(&pause, NULL);
	return goes_on(b, "waiting for", &b->plan->tasks[i]) ? EL_OK : stopped(b, error);
}

static enum el_status make_tables(struct builder *b, struct el_error *error)
{
	const size_t of = b->plan->count;
	enum el_status status = EL_OK;
	while (b->done < of && !status) {
		const size_t before = b->done;
		for (size_t i = 0; i < of && !status; i++) {
			if (!is_ready(b, i))
				continue;
			if (!b->turns[i].waits && !goes_on(b, "building", &b->plan->tasks[i]))
				status = stopped(b, error);
			else
				status = take_turn(b, i, error);
		}
		if (b->done == before && !status)
			status = wait_awhile(b, error);
	}
	return status;
}

/* What must not be replaced is found before anything is made. A table that has come there since it was
   planned is none of that: it will be taken. */
static enum el_status check_targets(const struct builder *b, struct el_error *error)
{
	enum el_status status = EL_OK;
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
		if (status)
			el_fail(error, status, "%s", why.text);
	}
	return status;
}

enum el_status el_plan_check_memory(const struct el_plan *plan, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < plan->count && !status; i++) {
		const struct el_task *task = &plan->tasks[i];
		struct memory_share share;
		status = task->scratch ? memory_share_out(&task->slice, plan->memory, &share, error)
		                       : memory_check(&task->slice, task->bytes, error);
	}
	return status;
}

/* Sets may pack better than expected (memory_of_scratch), but not as well as this. */
enum { SCRATCH_AT_BEST = 4 };

/* A disk that is far too small would be full after hours. */
static enum el_status check_scratch(const struct builder *b, struct el_error *error)
{
	const char *folder = scratch_folder(b);
	struct statvfs disk;
	if (statvfs(folder, &disk))
		return EL_OK; /* whoever writes there will say why it cannot */
	const uint64_t free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
	for (const struct el_task *t = b->plan->tasks; t < b->plan->tasks + b->plan->count; t++)
		if (t->scratch / SCRATCH_AT_BEST > free_bytes)
			return el_fail(error, EL_NEGATIVE,
			               "%s needs about %.1f GB of scratch files; %s has %.1f GB free",
			               t->slice.name, (double)t->scratch / 1e9, folder,
			               (double)free_bytes / 1e9);
	return EL_OK;
}

enum el_status el_build(struct el_library *library, const struct el_plan *plan,
                        const struct el_build_options *options, const struct el_watch *watch,
                        struct el_error *error)
{
	if (!plan->count)
		return EL_OK;
	enum el_status status = el_plan_check_memory(plan, error);
	if (status == EL_OK)
		status = directory_make(el_library_directory(library), error);
	if (status != EL_OK)
		return status;
	el_temporaries_sweep(el_library_directory(library));
	struct builder b = {
		.library = library,
		.plan = plan,
		.turns = calloc(plan->count, sizeof *b.turns),
		.options = options,
		.watch = watch,
		.lender = lender_open(library),
	};
	if (b.lender && b.turns) {
		lender_read_from(b.lender, !plan->loan_count, watch);
		status = check_scratch(&b, error);
		if (!status)
			status = check_targets(&b, error);
		if (!status && options->begins)
			options->begins(options->context);
		if (!status)
			status = make_tables(&b, error);
	} else {
		status = el_fail(error, EL_MEMORY, "out of memory");
	}
	if (b.lender)
		lender_close(b.lender);
	free(b.turns);
	return status;
}
