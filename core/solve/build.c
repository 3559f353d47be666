/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "endlab/build.h"

#include "../clock.h"
#include "directory.h"
#include "journal.h"
#include "lender.h"
#include "memory.h"
#include "target.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>

struct builder {
	struct el_library *library;
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
	const struct el_problem problem = {
		.slice = task->slice,
		.metric = task->metric,
		.lender = &lender,
		.watch = b->watch,
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
	lender_keep(b->lender, &planes);
	return status;
}

static bool goes_on(const struct builder *b, const struct el_built *built)
{
	char what[EL_SLICE_MAX + 16];
	snprintf(what, sizeof what, "%s %s", built->task->slice.name, built->task->metric->name);
	return el_watch_tick(b->watch, &(struct el_progress){
		"building", what, (double)(built->number - 1), (double)built->of, "tables"});
}

static enum el_status make_tables(struct builder *b, const struct el_plan *plan,
                                  struct el_error *error)
{
	const size_t of = plan->count;
	struct el_missing missing;
	for (size_t i = 0; i < of; i++) {
		struct el_built built = {.task = &plan->tasks[i], .number = i + 1, .of = of};
		if (!goes_on(b, &built))
			return el_fail(error, EL_STOPPED, "stopped after %zu of %zu tables", i, of);
		enum el_status status = make_table(b, &built, &missing, error);
		if (status != EL_OK)
			return status;
		if (b->options->built)
			b->options->built(b->options->context, &built);
	}
	return EL_OK;
}

static enum el_status check_targets(const struct builder *b, const struct el_plan *plan,
                                    struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < plan->count && !status; i++) {
		char path[TARGET_MAX];
		enum el_target found;
		target_path(b, &plan->tasks[i], path);
		status = target_look(path, &plan->tasks[i], &found, error);
	}
	return status;
}

enum el_status el_plan_check_memory(const struct el_plan *plan, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < plan->count && !status; i++)
		status = memory_check(&plan->tasks[i].slice, plan->tasks[i].bytes, error);
	return status;
}

enum el_status el_build(struct el_library *library, const struct el_plan *plan,
                        const struct el_build_options *options, const struct el_watch *watch,
                        struct el_error *error)
{
	if (!plan->count)
		return EL_OK;
	int lock;
	enum el_status status = el_plan_check_memory(plan, error);
	if (status == EL_OK)
		status = directory_take(el_library_directory(library), &lock, error);
	if (status != EL_OK)
		return status;
	struct builder b = {library, options, watch, lender_open(library)};
	if (b.lender) {
		lender_read_from(b.lender, !plan->loan_count, watch);
		status = check_targets(&b, plan, error);
		if (!status)
			status = make_tables(&b, plan, error);
		lender_close(b.lender);
	} else {
		status = el_fail(error, EL_MEMORY, "out of memory");
	}
	directory_release(lock);
	return status;
}
