/* SPDX-License-Identifier: MIT */
/* Makes one table, on any thread. */
#include "builder.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/library/copies.h"
#include "core/os/files.h"
#include "core/solve/ledger.h"
#include "core/solve/memory.h"
#include "core/table/format.h"
#include "core/whole/castling.h"
#include "core/whole/loan.h"
#include "core/whole/whole.h"
#include "journal.h"

#include <errno.h>
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void target_path(const struct builder *b, const struct el_task *task, char out[TARGET_MAX])
{
	el_table_file_name(el_library_directory(b->library), &task->slice, task->metric, out,
	                   TARGET_MAX);
}

const char *scratch_folder(const struct builder *b)
{
	return b->options->scratch ? b->options->scratch : el_library_directory(b->library);
}

enum el_status reads_of_task(struct el_library *library, const struct el_task *task,
                             struct reads *out, struct el_error *error)
{
	struct el_slice slices[EL_SUCCESSORS_MAX] = {task->slice};
	const struct el_metric *metric =
		task->from ? task->from : el_metric_entered(el_metric_solved(task->metric));
	const size_t count = task->from ? 1 : task->slice.game->successors(&task->slice, slices);
	enum el_status status = EL_OK;
	*out = (struct reads){0};
	for (size_t i = 0; i < count && !status; i++)
		status = reads_of_probes(library, &slices[i], metric, out, error);
	return status;
}

static enum el_status solve(struct work *w, const struct el_task *task, struct el_error *error)
{
	struct builder *b = w->builder;
	/* The more of what it borrows stays in memory, the less is found anew from moves. */
	const uint64_t solution = task->whole
	                                  ? memory_of_solution(&task->slice)
	                                  : memory_of_build(&task->slice, task->metric->by_clock);
	const uint64_t loans = memory_of_loans(&task->slice);
	const bool is_roomy = b->plan->memory > solution + loans;
	struct memory_share share = {.pieces = is_roomy ? b->plan->memory - solution : loans};
	enum el_status status = EL_OK;
	if (task->scratch)
		status = memory_share_out(&task->slice, b->plan->memory, &share, error);
	if (!status && !w->is_apart)
		status = lender_limit(b->lender, share.pieces, error);
	if (status)
		return status;
	struct ranks *const ranks = task->partial ? NULL : b->options->ranks;
	struct el_room room = {
		/* Of ranks, rank 0 gets the results of all in the end: it has files for what the
		   memory does not hold. */
		.memory = task->scratch ? share.solution
	                  : ranks       ? b->plan->memory
	                                : UINT64_MAX,
		.scratch = scratch_folder(b),
		.is_whole = task->whole && !task->scratch,
	};
	if (task->scratch || ranks) {
		/* a number that identifies the tables that a solution borrows: with other tables it
		   must not resume */
		struct reads reads;
		status = reads_of_task(b->library, task, &reads, error);
		room.lent = reads_identity(&reads);
		reads_free(&reads);
	}
	if (status)
		return status;
	const struct el_problem problem = {
		.slice = task->slice,
		.metric = task->metric,
		.lender = &b->lends,
		.watch = &w->watch,
		.room = &room,
		.ranks = ranks,
	};
	if (!w->is_apart)
		lender_accept_bounds(b->lender, task->partial);
	if (ranks)
		status = order_solve(b, task, &room, share.pieces, error);
	if (status)
		return status;
	return task->partial ? el_solve_partial(&problem, &w->planes, &w->missing, error)
	                     : el_solve(&problem, &w->planes, error);
}

/* A later table borrows this one: its values are at hand now. */
static enum el_status copy(struct work *w, const char *file, struct el_error *error)
{
	const char *folder =
		w->is_needed ? copies_folder(library_copies(w->builder->library)) : NULL;
	const enum el_status status =
		folder ? loan_copy(folder, file, &w->planes, &w->watch, error) : EL_OK;
	return status == EL_NEGATIVE ? EL_OK : status;
}

/* Solves or reads off the table, writes it to `to`, and enters it in the journal. `path` will be its
   name. */
static enum el_status make(struct work *w, const char *path, const char *to, struct el_error *error)
{
	const struct el_task *task = w->built.task;
	const struct builder *b = w->builder;
	struct el_table_options options =
		el_slice_has_rights(&task->slice) ? el_table_options_default() : b->options->table;
	if (el_outcomes_check(&task->slice, task->metric, NULL))
		options.derive &= ~(unsigned)EL_DERIVE_OUTCOMES;
	struct el_temporary file;
	struct el_slice with;
	const double start = clock_seconds();
	enum el_status status =
		task->from ? planes_read_off(b->library, &task->slice, task->from, task->metric,
	                                     &b->lends, &w->watch, &w->planes, error)
		: el_slice_has_rights(&task->slice)
			? castling_solve(b->library, &task->slice, task->metric, NULL, &w->watch,
	                                 &w->planes, error)
			: solve(w, task, error);
	if (status) {
		w->planes = (struct el_planes){0};
		return status;
	}
	if (task->from)
		el_planes_mark_broken(&w->planes);
	/* What the table will leave out is quicker to look up now. A missing table is told later. */
	if (!task->partial && castling_of(&task->slice, task->metric, &with)) {
		status = castling_solve(b->library, &with, task->metric, &w->planes, &w->watch,
		                        &w->castling, error);
		if (status && status != EL_NEGATIVE)
			return status;
	}
	const double solved = clock_seconds();
	status = el_library_prepare(b->library, &b->lends, &w->planes, &options, &w->watch, error);
	if (!status) /* again: something may have appeared there since the build began */
		status = target_look(path, task, &w->built.replaced, error);
	if (!status)
		status = el_table_write_unnamed(path, &w->planes, &options, task->proves, &w->watch,
		                                &file, &w->built.bytes, error);
	if (!status)
		status = el_temporary_publish(&file, to, error);
	if (!status)
		status = copy(w, to, error);
	w->built.solve_seconds = solved - start;
	w->built.write_seconds = clock_seconds() - solved;
	w->built.passes = w->planes.passes;
	w->built.exchanged = w->planes.exchanged;
	const struct el_effort effort = {
		.threads = w->is_apart ? 1 : (unsigned)omp_get_max_threads(),
		.solve_seconds = w->built.solve_seconds,
		.write_seconds = w->built.write_seconds,
		.bytes = w->built.bytes,
	};
	if (!status)
		status = journal_add(el_library_directory(b->library), &w->planes, &effort, error);
	return status;
}

/* ---- proofs ---- */

static enum el_status give_name(const char *held, const char *path, struct el_error *error)
{
	return rename(held, path)
	               ? el_fail(error, EL_IO, "%s: cannot put the new file in place: %m", path)
	               : file_sync_folder(path, error);
}

/* The name that a task's file has until it is proved. It differs if the sub-tables or the options
   do, so that a later build takes up only what it would have made itself. */
static enum el_status held_path(const struct work *w, char out[TARGET_MAX], struct el_error *error)
{
	const struct builder *b = w->builder;
	const struct el_task *task = w->built.task;
	const struct el_table_options *options = &b->options->table;
	char how[256], what[64], name[LEFTOVER_NAME_MAX];
	struct reads reads;
	enum el_status status = reads_of_task(b->library, task, &reads, error);
	if (options->preset)
		snprintf(how, sizeof how, "%s", el_preset_names[options->preset]);
	else
		el_table_options_format(&task->slice, options, how, sizeof how);
	el_text_add(how, sizeof how, " %d %u %016" PRIx64 " %s", task->partial,
	            task->slice.game->index_version, reads_identity(&reads), EL_VERSION);
	reads_free(&reads);
	snprintf(what, sizeof what, "unverified-%016" PRIx64,
	         table_checksum((const uint8_t *)how, strlen(how)));
	leftover_name(&task->slice, task->metric, what, name);
	snprintf(out, TARGET_MAX, "%s/%s", el_library_directory(b->library), name);
	return status;
}

/* "win in 5 plies (3 moves)", "draw" */
static const char *told(const struct el_metric *metric, struct el_value v, char out[64])
{
	const bool deep =
		metric->has_depth && v.outcome != EL_DRAW && !el_outcome_bounded(v.outcome);
	snprintf(out, 64, "%s", el_outcome_name(v.outcome));
	if (deep && metric->kind->adds_up)
		el_text_add(out, 64, " of %u stones", v.plies);
	else if (deep)
		el_text_add(out, 64, " in %u plies (%u moves)", v.plies, (v.plies + 1) / 2);
	return out;
}

/* Proves the file at `held`, and gives it its name if it is right. */
static enum el_status prove(struct work *w, const char *held, const char *path,
                            struct el_error *error)
{
	struct builder *b = w->builder;
	const struct el_task *task = w->built.task;
	const struct el_verify_task subject = {held, task->slice, task->metric};
	const struct el_verify_options options = {
		.again = true, .future = path, .ranks = b->options->ranks};
	const struct el_verdict *v = &w->proof.verdict;
	char wrong[TARGET_MAX + 8], expected[64], found[64];
	verify_one(b->library, &subject, &options, w->is_apart ? task->bytes : b->plan->memory,
	           &w->watch, &w->gathered, &w->proof);
	w->built.proof = &w->proof;
	if (!w->missing.count)
		w->missing = v->missing; /* of a table taken up */
	enum el_status status = w->proof.status;
	if (!status && w->proof.unkept.status)
		return el_fail(error, w->proof.unkept.status, "%s; --no-verify does without",
		               w->proof.unkept.text);
	if (!status && !v->wrong)
		return give_name(held, path, error);
	/* A fault of another table, named there, leaves this one to the next build. */
	const bool is_its_own = !strncmp(w->proof.error.text, held, strlen(held));
	if (status && (!el_is_fault(status) || status == EL_IO || !is_its_own))
		return el_fail(error, status, "%s", w->proof.error.text);
	/* A later build must not take it up again, nor the work that led to it. */
	snprintf(wrong, sizeof wrong, "%s.wrong", path);
	status = give_name(held, wrong, error);
	if (!task->from)
		forget_solution(b, task);
	if (status)
		return status;
	if (w->proof.status)
		return el_fail(error, EL_DAMAGED,
		               "%s: what was written is damaged, and kept as %s: %s", path, wrong,
		               w->proof.error.text);
	return el_fail(error, EL_NEGATIVE,
	               "%s: what was written is wrong in %" PRIu64 " of %" PRIu64
	               " positions, and kept as %s; the first: %s: expected %s, found %s",
	               path, v->wrong, v->checked, wrong, v->first_fen,
	               told(task->metric, v->first_derived, expected),
	               told(task->metric, v->first_stored, found));
}

/* ---- a table ---- */

void work_make(struct work *w)
{
	const struct el_task *task = w->built.task;
	const struct builder *b = w->builder;
	char path[TARGET_MAX], held[TARGET_MAX];
	w->missing.count = 0;
	w->built.missing = task->partial ? &w->missing : NULL;
	target_path(b, task, path);
	w->status = held_path(w, held, &w->error);
	if (w->status)
		return;
	const bool is_made = !access(held, F_OK);
	if (is_made) { /* by a stopped build. If it cannot be read, its proof will say so. */
		struct el_table *table;
		if (!el_table_open(held, &table, NULL)) {
			w->built.bytes = el_table_info(table)->bytes;
			w->built.passes = el_table_info(table)->passes;
			el_table_close(table);
		}
		w->status = target_look(path, task, &w->built.replaced, &w->error);
	} else {
		w->status = make(w, path, task->proves ? held : path, &w->error);
	}
	if (w->status || task->proves)
		el_planes_free(&w->planes);
	if (!w->status && task->proves)
		w->status = prove(w, held, path, &w->error);
	else if (!w->status && is_made)
		w->status = give_name(held, path, &w->error);
	if (w->status)
		el_planes_free(&w->castling);
}

enum el_status work_make_castling(struct work *w, const struct el_watch *watch,
                                  struct el_error *error)
{
	const struct builder *b = w->builder;
	const struct el_task *task = w->built.task;
	const struct el_table_options options = el_table_options_default();
	struct el_slice with;
	struct el_planes planes;
	struct el_verify_result proved = {.status = EL_OK};
	struct el_temporary file;
	char path[TARGET_MAX];
	if (task->partial || !castling_of(&task->slice, task->metric, &with))
		return EL_OK;
	enum el_status status = EL_OK;
	planes = w->castling;
	w->castling = (struct el_planes){0};
	if (!planes.plane[0].symbols)
		status = castling_solve(b->library, &with, task->metric, NULL, watch, &planes,
		                        error);
	/* Tables of other programs, if any were borrowed, do not know castling. */
	if (status == EL_NEGATIVE)
		builder_tell(b, EL_MEETING_NO_CASTLING, task, error->text);
	if (status)
		return status == EL_NEGATIVE ? EL_OK : status;
	el_table_file_name(el_library_directory(b->library), &with, task->metric, path,
	                   sizeof path);
	status = el_table_write_unnamed(path, &planes, &options, task->proves, watch, &file, NULL,
	                                error);
	el_planes_free(&planes);
	if (status)
		return status;
	/* As for other tables, the file gets its name once it is proved. */
	const struct el_verify_options proof = {.again = true, .future = path};
	if (task->proves)
		verify_one(b->library, &(struct el_verify_task){file.path, with, task->metric},
		           &proof, b->plan->memory, watch, &w->gathered, &proved);
	if (proved.status)
		status = el_fail(error, proved.status, "%s", proved.error.text);
	else if (proved.verdict.wrong)
		status = el_fail(error, EL_NEGATIVE,
		                 "%s: what was written is wrong in %" PRIu64 " of %" PRIu64
		                 " positions; the first: %s",
		                 path, proved.verdict.wrong, proved.verdict.checked,
		                 proved.verdict.first_fen);
	if (!status)
		status = el_temporary_publish(&file, path, error);
	else
		el_temporary_remove(&file);
	return status ? status : el_library_rescan(b->library, error);
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
