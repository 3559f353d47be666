/* SPDX-License-Identifier: MIT */
/* Makes one table, on any thread. */
#include "builder.h"

#include "core/base/clock.h"
#include "core/library/reads.h"
#include "core/os/files.h"
#include "core/solve/memory.h"
#include "core/table/table.h"
#include "core/whole/whole.h"

#include <errno.h>

void target_path(const struct builder *b, const struct el_task *task, char out[TARGET_MAX])
{
	el_table_file_name(el_library_directory(b->library), &task->slice, task->metric, out,
	                   TARGET_MAX);
}

const char *scratch_folder(const struct builder *b)
{
	return b->options->scratch ? b->options->scratch : el_library_directory(b->library);
}

static enum el_status solve(struct work *w, const struct el_task *task, struct el_error *error)
{
	struct builder *b = w->builder;
	struct el_lender lender = lender_interface(b->lender);
	struct memory_share share = {.pieces = SIZE_MAX};
	enum el_status status = EL_OK;
	if (task->scratch)
		status = memory_share_out(&task->slice, b->plan->memory, &share, error);
	if (!status && !w->is_apart)
		status = lender_limit(b->lender, share.pieces, error);
	if (status)
		return status;
	struct el_room room = {
		.memory = share.solution,
		.scratch = scratch_folder(b),
	};
	if (task->scratch) {
		/* a number that identifies the tables that a solution borrows: with other tables it
		   must not resume */
		struct el_slice successors[EL_SUCCESSORS_MAX];
		const struct el_metric *entered = el_metric_entered(el_metric_solved(task->metric));
		const size_t count = task->slice.game->successors(&task->slice, successors);
		struct reads reads = {0};
		for (size_t i = 0; i < count && !status; i++)
			status =
				reads_of_probes(b->library, &successors[i], entered, &reads, error);
		room.lent = reads_identity(&reads);
		reads_free(&reads);
	}
	if (status)
		return status;
	const struct el_problem problem = {
		.slice = task->slice,
		.metric = task->metric,
		.lender = &lender,
		.watch = &w->watch,
		.room = task->scratch ? &room : NULL,
	};
	if (!w->is_apart)
		lender_accept_bounds(b->lender, task->partial);
	return task->partial ? el_solve_partial(&problem, &w->planes, &w->missing, error)
	                     : el_solve(&problem, &w->planes, error);
}

void work_make(struct work *w)
{
	const struct el_task *task = w->built.task;
	const struct builder *b = w->builder;
	struct el_table_options options = b->options->table;
	char path[TARGET_MAX];
	const double start = clock_seconds();
	w->missing.count = 0;
	w->status = task->from ? planes_read_off(b->library, &task->slice, task->from, task->metric,
	                                         &w->planes, &w->error)
	                       : solve(w, task, &w->error);
	if (w->status)
		return;
	if (task->from)
		el_planes_mark_broken(&w->planes);
	const double solved = clock_seconds();
	target_path(b, task, path);
	w->status = el_library_prepare(b->library, &w->planes, &options, &w->watch, &w->error);
	if (!w->status) /* again: something may have appeared there since the build began */
		w->status = target_look(path, task, &w->built.replaced, &w->error);
	if (!w->status)
		w->status = el_table_write(path, &w->planes, &options, &w->watch, &w->built.bytes,
		                           &w->error);
	w->built.solve_seconds = solved - start;
	w->built.write_seconds = clock_seconds() - solved;
	w->built.passes = w->planes.passes;
	w->built.missing = task->partial ? &w->missing : NULL;
	if (w->status)
		el_planes_free(&w->planes);
}

/* ---- what is at a table's path ---- */

static enum el_status look_at_table(const char *path, const struct el_task *task,
                                    enum el_target *out, struct el_error *error)
{
	struct el_table *table;
	struct el_error why;
	enum el_status status = el_table_open(path, &table, &why);
	if (status == EL_MEMORY)
		return el_fail(error, status, "%s", why.text);
	if (status) {
		*out = status == EL_OUTDATED  ? EL_TARGET_OUTDATED
		       : status == EL_DAMAGED ? EL_TARGET_DAMAGED
		                              : EL_TARGET_UNREADABLE;
	} else {
		const struct el_table_info *info = el_table_info(table);
		*out = !el_slice_equal(&info->slice, &task->slice) || info->metric != task->metric
		               ? EL_TARGET_OTHER
		       : info->partial ? EL_TARGET_PARTIAL
		                       : EL_TARGET_WHOLE;
		status = el_fail(&why, EL_NEGATIVE, "%s: found a %s table of %s, expected %s", path,
		                 info->metric->name, info->slice.name,
		                 *out == EL_TARGET_OTHER ? "one of its name" : "none there yet");
		el_table_close(table);
	}
	if (*out <= task->replaces)
		return EL_OK;
	/* "x; run 'endlab build KQvK --metric wdl --replace' to make it again" */
	const char *option = *out == EL_TARGET_DAMAGED ? "--repair" : "--replace";
	const bool is_usual = task->partial || task->metric == el_game_metric(task->slice.game);
	return el_fail(error, status, "%s; run 'endlab build %s%s%s%s %s' to make it again",
	               why.text, task->slice.name, task->partial ? " --partial" : "",
	               is_usual ? "" : " --metric ", is_usual ? "" : task->metric->name, option);
}

enum el_status target_look(const char *path, const struct el_task *task, enum el_target *out,
                           struct el_error *error)
{
	struct stat is;
	*out = EL_TARGET_NONE;
	if (lstat(path, &is))
		return errno == ENOENT ? EL_OK
		                       : el_fail(error, EL_IO, "%s: cannot look at it: %m", path);
	if (S_ISLNK(is.st_mode) && stat(path, &is))
		return el_fail(error, EL_IO,
		               "%s: found a link that leads nowhere (%m), expected a table; move "
		               "it away",
		               path);
	struct el_error why;
	if (S_ISREG(is.st_mode))
		return look_at_table(path, task, out, error);
	return el_fail(error, file_not_regular(path, is.st_mode, &why), "%s; move it away",
	               why.text);
}
