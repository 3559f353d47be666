/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must be built, and in which order. Slices hang together by their conversions; a walk in
 * depth, on a stack of its own, puts each table behind those that it is solved from.
 */
#include "endlab/build.h"

#include "memory.h"

#include <stdlib.h>

/* A table that is wanted. */
struct need {
	struct el_slice slice;
	const struct el_metric *metric;
	bool expanded; /* what it needs lies above it on the stack */
};

struct needs {
	struct need *items;
	size_t count, room;
};

struct planner {
	const struct el_slice *slices; /* `count` of them: what is asked for */
	size_t count;
	const struct el_metric *const *metrics; /* may be null */
	bool partial;           /* nothing but what is asked for is made */
	struct el_entry *there; /* what the library has */
	size_t there_count;
	struct needs met;       /* what the walk has come to so far, each once */
	struct needs stack;     /* what it has yet to come to */
	struct needs order;     /* the plan */
};

static enum el_status push(struct needs *l, const struct need *need, struct el_error *error)
{
	if (l->count == l->room) {
		size_t room = l->room ? 2 * l->room : 64;
		struct need *items = realloc(l->items, room * sizeof *items);
		if (!items)
			return el_fail(error, EL_MEMORY, "out of memory for %zu tables", room);
		l->items = items;
		l->room = room;
	}
	l->items[l->count++] = *need;
	return EL_OK;
}

/* A null metric stands for any. */
static bool was_met(const struct planner *p, const struct el_slice *slice,
                    const struct el_metric *metric)
{
	for (size_t i = 0; i < p->met.count; i++) {
		const struct need *n = &p->met.items[i];
		if (el_slice_equal(&n->slice, slice) && (!metric || n->metric == metric))
			return true;
	}
	return false;
}

/* Only tables of ours can be read as a whole, so those of others do not count; nor does a partial
   one where outcomes are to be `exact`. */
static bool is_there(const struct planner *p, const struct el_slice *slice,
                     const struct el_metric *metric, bool exact)
{
	for (size_t i = 0; i < p->there_count; i++) {
		const struct el_entry *e = &p->there[i];
		if (e->ours && el_slice_equal(&e->slice, slice) && (!metric || e->metric == metric) &&
		    !(exact && e->partial))
			return true;
	}
	return false;
}

static bool known(const struct planner *p, const struct el_slice *slice,
                  const struct el_metric *metric)
{
	return is_there(p, slice, metric, true) || was_met(p, slice, metric);
}

/* May the plan make this slice? */
static bool allowed(const struct planner *p, const struct el_slice *slice)
{
	bool asked_for = false;
	for (size_t i = 0; i < p->count && !asked_for; i++)
		asked_for = el_slice_equal(&p->slices[i], slice);
	return asked_for || !p->partial;
}

/*
 * The successors' tables: of the same metric where it counts on from their depths; else any, for
 * the outcome. A table without depths needs none if the slice has one with depths.
 */
static enum el_status push_successors(struct planner *p, const struct need *need,
                                      struct el_error *error)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	for (const struct el_metric *const *m = el_metrics; *m; m++)
		if (!need->metric->has_depth && (*m)->has_depth && known(p, &need->slice, *m))
			return EL_OK;
	size_t count = need->slice.game->successors(&need->slice, successors);
	enum el_status status = EL_OK;
	for (size_t i = count; i-- > 0 && status == EL_OK;) { /* the first on top of the stack */
		if (known(p, &successors[i], need->metric->inherits ? need->metric : NULL) ||
		    !allowed(p, &successors[i]))
			continue;
		struct need more = {.slice = successors[i], .metric = need->metric};
		status = push(&p->stack, &more, error);
	}
	return status;
}

static enum el_status walk_step(struct planner *p, struct el_error *error)
{
	struct need *top = &p->stack.items[p->stack.count - 1];
	struct need need = *top;
	if (need.expanded) {
		p->stack.count--;
		return push(&p->order, &need, error);
	}
	if (known(p, &need.slice, need.metric)) {
		p->stack.count--;
		return EL_OK;
	}
	top->expanded = true;
	enum el_status status = push(&p->met, &need, error);
	return status == EL_OK ? push_successors(p, &need, error) : status;
}

static enum el_status walk_from(struct planner *p, const struct el_slice *slice,
                                const struct el_metric *metric, struct el_error *error)
{
	struct need need = {.slice = *slice, .metric = metric};
	enum el_status status = push(&p->stack, &need, error);
	while (status == EL_OK && p->stack.count)
		status = walk_step(p, error);
	return status;
}

/* Tables with depths first: those without are read off them. */
static enum el_status walk_all(struct planner *p, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < p->count; i++) {
		const struct el_slice *slice = &p->slices[i];
		const struct el_metric *own[] = {el_game_metric(slice->game), NULL};
		const struct el_metric *const *metrics = p->metrics ? p->metrics : own;
		for (int depths = 1; depths >= 0; depths--)
			for (const struct el_metric *const *m = metrics; *m && !status; m++)
				if ((*m)->has_depth == depths)
					status = walk_from(p, slice, *m, error);
	}
	return status;
}

/*
 * The peak of a solution, in bytes. The successors' planes are lent meanwhile; the stand-ins for
 * missing ones take nothing, but one solution of a partial table waits for the other.
 */
static uint64_t expected_bytes(const struct planner *p, const struct el_slice *slice)
{
	uint64_t bytes = memory_of_solution(slice);
	struct el_slice successors[EL_SUCCESSORS_MAX];
	size_t count = slice->game->successors(slice, successors);
	for (size_t i = 0; i < count; i++)
		if (allowed(p, &successors[i]) ||
		    is_there(p, &successors[i], NULL, false))
			bytes += 2 * successors[i].planes * successors[i].positions;
	return p->partial ? bytes + 2 * slice->planes * slice->positions : bytes;
}

/* A metric that the game has not: `build all --metric dtm,dtw` is a slip of the finger. */
static enum el_status check_metrics(const struct el_slice *slices, size_t count,
                                    const struct el_metric *const *metrics, struct el_error *error)
{
	for (size_t i = 0; i < count; i++)
		for (const struct el_metric *const *m = metrics; *m; m++)
			if (!el_game_has(slices[i].game, *m))
				return el_fail(error, EL_USAGE, "%s: %s is a metric of %s alone",
				               slices[i].name, (*m)->name, (*m)->game);
	return EL_OK;
}

static enum el_status make_tasks(const struct planner *p, struct el_plan *out,
                                 struct el_error *error)
{
	const struct needs *order = &p->order;
	if (!order->count)
		return EL_OK;
	out->tasks = calloc(order->count, sizeof *out->tasks);
	if (!out->tasks)
		return el_fail(error, EL_MEMORY, "out of memory for %zu tables", order->count);
	for (const struct need *n = order->items; n < order->items + order->count; n++)
		out->tasks[out->count++] = (struct el_task){
			.slice = n->slice,
			.metric = n->metric,
			.bytes = expected_bytes(p, &n->slice),
			.partial = p->partial,
		};
	return EL_OK;
}

/* Makes the plan of a planner that has been told what is asked for. */
static enum el_status make_plan(struct planner *p, struct el_library *library, struct el_plan *out,
                                struct el_error *error)
{
	enum el_status status = el_library_list(library, &p->there, &p->there_count, error);
	if (status != EL_OK)
		return status;
	status = walk_all(p, error);
	if (status == EL_OK)
		status = make_tasks(p, out, error);
	el_entries_free(p->there, p->there_count);
	free(p->met.items);
	free(p->stack.items);
	free(p->order.items);
	return status;
}

enum el_status el_plan_make(struct el_library *library, const struct el_slice *slices, size_t count,
                            const struct el_metric *const *metrics, struct el_plan *out,
                            struct el_error *error)
{
	struct planner p = {.slices = slices, .count = count, .metrics = metrics};
	*out = (struct el_plan){0};
	enum el_status status = metrics ? check_metrics(slices, count, metrics, error) : EL_OK;
	return status ? status : make_plan(&p, library, out, error);
}

enum el_status el_plan_partial(struct el_library *library, const struct el_slice *slices,
                               size_t count, struct el_plan *out, struct el_error *error)
{
	static const struct el_metric *const outcomes[] = {&el_wdl, NULL};
	struct planner p = {
		.slices = slices,
		.count = count,
		.metrics = outcomes,
		.partial = true,
	};
	*out = (struct el_plan){0};
	return make_plan(&p, library, out, error);
}

void el_plan_free(struct el_plan *plan)
{
	free(plan->tasks);
	*plan = (struct el_plan){0};
}
