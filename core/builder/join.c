/* SPDX-License-Identifier: MIT */
/*
 * Rank 0 builds; the other ranks take its orders. An order says what all of them do together next:
 *
 *     rank 0:  el_build -> work_make -> order_give(ORDER_SOLVE) -> el_solve -> writes the table
 *     others:  el_build_join ---------> takes the order ---------> el_solve -> waits for the next one
 */
#include "builder.h"

#include "core/examine/proof.h"
#include "core/library/copies.h"
#include "core/whole/orders.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* File systems show a new file to other machines at once, or within this. */
enum { SEEN_SECONDS = 20 };

static struct order order_about(enum order_kind kind, const struct builder *b,
                                const struct el_task *task)
{
	struct order order = {.kind = kind};
	snprintf(order.slice, sizeof order.slice, "%s", task->slice.name);
	snprintf(order.metric, sizeof order.metric, "%s", task->metric->name);
	snprintf(order.path, sizeof order.path, "%s", scratch_folder(b));
	return order;
}

enum el_status order_solve(const struct builder *b, const struct el_task *task,
                           const struct el_room *room, size_t pieces, struct el_error *error)
{
	struct order order = order_about(ORDER_SOLVE, b, task);
	const char *copies = copies_folder(library_copies(b->library));
	snprintf(order.copies, sizeof order.copies, "%s", copies ? copies : "");
	order.memory = room->memory;
	order.identity = room->lent;
	order.pieces = pieces;
	order.threads = omp_get_max_threads();
	order.is_own = !b->plan->loan_count;
	const enum el_status status = order_give(b->options->ranks, &order, error);
	return status ? status : ranks_agree(b->options->ranks, EL_OK, NULL, 0, error);
}

void forget_solution(const struct builder *b, const struct el_task *task)
{
	struct ranks *const ranks = b->options->ranks;
	const struct order order = order_about(ORDER_FORGET, b, task);
	el_solve_forget(&task->slice, task->metric, scratch_folder(b));
	if (ranks)
		order_give(ranks, &order, NULL); /* the next swap says what is wrong */
}

/* ---- the other ranks ---- */

/* Is the lock here that rank 0 has taken before it gave the order? */
static enum el_status check_folder(struct el_library *library, const struct el_slice *slice,
                                   const struct el_metric *metric, struct el_error *error)
{
	const char *folder = el_library_directory(library);
	char table[TARGET_MAX], path[TARGET_MAX + 32];
	el_table_file_name(folder, slice, metric, table, sizeof table);
	lock_path(table, path, sizeof path);
	for (unsigned tries = 0; access(path, F_OK); tries++) {
		if (tries >= 10 * SEEN_SECONDS)
			return el_fail(error, EL_NEGATIVE,
			               "%s: expected the folder that rank 0 builds in, but its "
			               "%s is not here; --dir must be shared",
			               folder, strrchr(path, '/') + 1);
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	}
	return EL_OK;
}

static enum el_status solve(struct el_library *library, struct ranks *ranks,
                            const struct order *order, const struct el_watch *watch,
                            struct el_error *error)
{
	struct el_planes none = {0};
	struct lender *lender = lender_open(library, watch);
	const struct el_lender lends =
		lender ? lender_interface(lender) : (struct el_lender){.context = NULL};
	struct el_room room = {order->memory, order->path, order->identity, false};
	struct el_problem problem = {
		.lender = &lends, .watch = watch, .room = &room, .ranks = ranks};
	enum el_status status = el_slice_parse(order->slice, &problem.slice, error);
	problem.metric = el_metric_find(order->metric);
	omp_set_num_threads(order->threads < omp_get_max_threads() ? order->threads
	                                                           : omp_get_max_threads());
	if (!status && !lender)
		status = el_fail(error, EL_MEMORY, "out of memory");
	if (!status)
		status = check_folder(library, &problem.slice, problem.metric, error);
	if (!status)
		status = el_library_rescan(library, error);
	if (!status) { /* Does this rank see the tables that rank 0 borrows from? */
		struct reads reads;
		const struct el_task task = {.slice = problem.slice, .metric = problem.metric};
		status = reads_of_task(library, &task, &reads, error);
		if (!status && reads_identity(&reads) != order->identity)
			status = el_fail(error, EL_NEGATIVE,
			                 "%s %s: other sub-tables are here than at rank 0: "
			                 "expected the same --dir and --path",
			                 task.slice.name, task.metric->name);
		reads_free(&reads);
	}
	if (!status) {
		lender_read_from(lender, order->is_own, watch);
		lender_set_copies(lender, *order->copies ? order->copies : NULL);
		status = lender_limit(lender, order->pieces, error);
	}
	status = ranks_agree(ranks, status, NULL, 0, error);
	if (!status)
		status = el_solve(&problem, &none, error);
	if (lender)
		lender_close(lender);
	return status;
}

enum el_status el_build_join(struct el_library *library, struct ranks *ranks,
                             const struct el_watch *watch, struct el_error *error)
{
	struct el_error ignored; /* rank 0 has been told */
	struct order order;
	struct el_slice slice;
	while (order_take(ranks, &order, error)) {
		if (order.kind == ORDER_SOLVE)
			solve(library, ranks, &order, watch, &ignored);
		else if (order.kind == ORDER_PROVE)
			proof_join(library, ranks, &order, watch);
		else if (!el_slice_parse(order.slice, &slice, NULL))
			el_solve_forget(&slice, el_metric_find(order.metric), order.path);
	}
	return error->status;
}
