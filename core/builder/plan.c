/* SPDX-License-Identifier: MIT */
/*
 * Plans what to build, and in which order. Conversions make the slices a graph; a depth-first
 * search, on a stack of its own, puts each table after its sub-tables.
 *
 * Only a table in the library's own directory counts as present: a build makes its tables in one
 * place. Sub-tables that are only read may also be other programs' tables.
 */
#include "builder.h"

#include "core/base/array.h"
#include "core/solve/memory.h"
#include "core/solve/shares.h"
#include "core/whole/castling.h"

#include <stdlib.h>
#include <string.h>

/* A table that the plan needs. */
struct need {
	struct el_slice slice;
	const struct el_metric *metric;
	const struct el_metric *from; /* as in el_task; set when it is expanded */
	bool expanded;                /* its sub-tables have been pushed above it */
};

struct needs {
	struct need *items;
	size_t count;
};

struct planner {
	const struct el_plan_wish *wish;
	struct el_entry *entries; /* the library's files */
	size_t entry_count;
	bool *damaged;        /* by entry: found damaged, so that it counts as missing */
	struct needs met;     /* tables visited so far, each once */
	struct needs stack;   /* of the search */
	struct needs order;   /* the tables to make, in build order */
	struct el_plan *plan; /* its loans, so far */
};

static enum el_status push(struct needs *l, const struct need *need, struct el_error *error)
{
	if (!array_grow(&l->items, l->count, 1, sizeof *l->items))
		return el_fail(error, EL_MEMORY, "out of memory for %zu tables", l->count + 1);
	l->items[l->count++] = *need;
	return EL_OK;
}

/* ---- tables that are present ---- */

/* The metrics wished for of a game's slices, null-terminated, perhaps in `own`. */
static const struct el_metric *const *
wished(const struct el_plan_wish *wish, const struct el_game *game, const struct el_metric *own[2])
{
	own[0] = wish->partial ? &el_wdl : el_game_metric(game);
	own[1] = NULL;
	return wish->metrics ? wish->metrics : own;
}

/* Does the wish name this very table? */
static bool is_named(const struct planner *p, const struct el_slice *slice,
                     const struct el_metric *metric)
{
	const struct el_metric *own[2], *const *m = wished(p->wish, slice->game, own);
	while (*m && *m != metric)
		m++;
	return *m && el_slices_have(p->wish->slices, p->wish->count, slice);
}

/* Is it a sound table of ours of this slice? Those of other programs can only be borrowed. */
static bool is_usable(const struct planner *p, size_t i, const struct el_slice *slice)
{
	const struct el_entry *e = &p->entries[i];
	return e->ours && !p->damaged[i] && el_slice_equal(&e->slice, slice);
}

/* A table with bounds does not count, nor one that will be made again. */
static bool is_kept(const struct planner *p, size_t i, const struct el_slice *slice)
{
	const struct el_entry *e = &p->entries[i];
	return is_usable(p, i, slice) && e->here && !e->partial &&
	       !(p->wish->replace && is_named(p, slice, e->metric));
}

/* The slice of positions with castling rights whose table is made with this one. */
static bool has_castling(const struct planner *p, const struct need *need, struct el_slice *out)
{
	return !p->wish->partial && castling_of(&need->slice, need->metric, out);
}

/* Is the table present, or planned, be it with the one without castling rights? */
static bool known(const struct planner *p, const struct el_slice *slice,
                  const struct el_metric *metric)
{
	for (size_t i = 0; i < p->entry_count; i++)
		if (is_kept(p, i, slice) && p->entries[i].metric == metric)
			return true;
	for (size_t i = 0; i < p->met.count; i++) {
		const struct need *met = &p->met.items[i];
		struct el_slice with;
		if (met->metric == metric &&
		    (el_slice_equal(&met->slice, slice) ||
		     (has_castling(p, met, &with) && el_slice_equal(&with, slice))))
			return true;
	}
	return false;
}

/* Will a planned table leave out its outcomes? */
static bool leaves_outcomes(const struct planner *p, const struct el_slice *slice,
                            const struct el_metric *metric)
{
	return (p->wish->derive & EL_DERIVE_OUTCOMES) && !el_outcomes_check(slice, metric, NULL);
}

/* As el_entry_tells. */
static bool planned_tells(const struct planner *p, const struct el_slice *slice,
                          const struct el_metric *have, const struct el_metric *want)
{
	return el_metric_tells(have, want) && (want->has_depth || !leaves_outcomes(p, slice, have));
}

/* May the plan make this slice? */
static bool allowed(const struct planner *p, const struct el_slice *slice)
{
	return !p->wish->partial || el_slices_have(p->wish->slices, p->wish->count, slice);
}

/* The better metric to read values off: the one that comes first in lists. `other` may be null. */
static const struct el_metric *better_from(const struct el_metric *one,
                                           const struct el_metric *other)
{
	return !other || el_metric_compare(one, other) < 0 ? one : other;
}

/* The table that determines the values needed, present or planned; null: there is none. */
static const struct el_metric *find_told(const struct planner *p, const struct need *need)
{
	const struct el_metric *from = NULL;
	for (size_t i = 0; i < p->entry_count; i++)
		if (is_kept(p, i, &need->slice) && el_entry_tells(&p->entries[i], need->metric))
			from = better_from(p->entries[i].metric, from);
	for (size_t i = 0; i < p->met.count; i++) {
		const struct need *met = &p->met.items[i];
		if (el_slice_equal(&met->slice, &need->slice) &&
		    planned_tells(p, &met->slice, met->metric, need->metric))
			from = better_from(met->metric, from);
	}
	return from;
}

/* Does a table leave a side to its moves, while those are known that a solution needs? To try all moves,
   with sub-tables that leave out a side as well, takes longer than to solve. */
static bool is_better_solved(const struct planner *p, const struct need *need,
                             const struct el_metric *from)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const struct el_game *game = need->slice.game;
	bool leaves = false;
	for (size_t i = 0; i < p->entry_count; i++)
		leaves |= is_kept(p, i, &need->slice) && p->entries[i].metric == from &&
		          p->entries[i].form.derive & EL_DERIVE_SIDE;
	for (size_t i = leaves ? game->successors(&need->slice, successors) : 0; i-- > 0;)
		leaves &= el_keys_alike(game, successors[i].key, need->slice.key) ||
		          known(p, &successors[i], need->metric);
	return leaves;
}

/* The table from which the one needed can be read off; null: it must be solved, or had better be. */
static const struct el_metric *find_from(const struct planner *p, const struct need *need)
{
	const struct el_metric *from = find_told(p, need);
	if (from)
		return !p->wish->partial && is_better_solved(p, need, from) ? NULL : from;
	/* In place of a partial table, a complete one can be read off a table in any folder. */
	for (size_t i = 0; i < p->entry_count && p->wish->partial; i++) {
		const struct el_entry *e = &p->entries[i];
		if (is_usable(p, i, &need->slice) && !e->partial &&
		    (e->metric != need->metric || !e->here) && el_entry_tells(e, need->metric))
			from = better_from(e->metric, from);
	}
	return from;
}

/* ---- tables of other programs ---- */

static bool is_borrowed(const struct planner *p, const struct need *need)
{
	const struct el_loan *loan = p->plan->loans, *end = loan + p->plan->loan_count;
	while (loan < end &&
	       !(el_slice_equal(&loan->slice, &need->slice) && loan->metric == need->metric))
		loan++;
	return loan < end;
}

/* A foreign table may leave captures to be looked up. Are the tables that they lead to present? */
static bool knows_captures(const struct planner *p, const struct el_entry *lent)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = lent->slice.game->successors(&lent->slice, successors);
	const struct el_metric *entered = el_metric_entered(lent->metric);
	const struct el_entry *end = p->entries + p->entry_count;
	bool known = true;
	for (size_t i = 0; i < count && known; i++) {
		const struct el_entry *e = p->entries;
		while (e < end &&
		       (e->ignored || e->partial || !el_slice_equal(&e->slice, &successors[i]) ||
		        !el_metric_tells(e->metric, entered)))
			e++;
		known = e < end;
	}
	return known;
}

/* Sets *lent if another program's table makes this one unnecessary. */
static enum el_status borrow(struct planner *p, const struct need *need, bool *lent,
                             struct el_error *error)
{
	struct el_plan *plan = p->plan;
	*lent = is_borrowed(p, need);
	/* Does the wish name it, so that it will be made? Then there is no need to borrow it. */
	const struct el_metric *own[2], *const *m = wished(p->wish, need->slice.game, own);
	while (*m && !el_metric_tells(*m, need->metric))
		m++;
	const bool is_asked = *m && el_slices_have(p->wish->slices, p->wish->count, &need->slice);
	if (*lent || p->wish->own || is_asked)
		return EL_OK;
	/* the first table in lists that determines the values needed */
	const struct el_entry *found = NULL;
	for (const struct el_entry *e = p->entries; e < p->entries + p->entry_count; e++)
		if (!e->ignored && !e->ours && !e->partial &&
		    el_slice_equal(&e->slice, &need->slice) &&
		    (!found || el_metric_compare(e->metric, found->metric) < 0) &&
		    el_metric_tells(e->metric, need->metric) && knows_captures(p, e))
			found = e;
	if (!found)
		return EL_OK;
	char *path = array_grow(&plan->loans, plan->loan_count, 1, sizeof *plan->loans)
	                     ? strdup(found->path)
	                     : NULL;
	if (!path)
		return el_fail(error, EL_MEMORY, "out of memory");
	plan->loans[plan->loan_count++] =
		(struct el_loan){need->slice, need->metric, found->metric, path};
	*lent = true;
	return EL_OK;
}

/* ---- the search ---- */

/* Pushes a table of positions with castling rights, if it is missing beside one without. */
static enum el_status push_castling(struct planner *p, const struct el_slice *with,
                                    const struct el_metric *metric, struct el_error *error)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	with->game->successors(with, successors);
	return known(p, with, metric) || !known(p, &successors[0], metric)
	               ? EL_OK
	               : push(&p->stack, &(struct need){.slice = *with, .metric = metric}, error);
}

/* Pushes tables of the successors, unless one that determines the values of the positions entered
   is present, planned or borrowed; those of a table without outcomes get one like it as well. */
static enum el_status push_successors(struct planner *p, const struct need *need,
                                      struct el_error *error)
{
	struct el_slice successors[EL_SUCCESSORS_MAX], with;
	const struct el_game *game = need->slice.game;
	size_t count =
		game->successors(has_castling(p, need, &with) ? &with : &need->slice, successors);
	const bool leaves = leaves_outcomes(p, &need->slice, need->metric);
	enum el_status status = EL_OK;
	for (size_t i = count; i-- > 0 && status == EL_OK;) { /* the first on top of the stack */
		struct need more = {
			.slice = successors[i],
			.metric = el_metric_entered(need->metric),
		};
		if (el_keys_alike(game, successors[i].key, need->slice.key))
			continue;
		if (el_slice_has_rights(&successors[i])) {
			status = push_castling(p, &successors[i], need->metric, error);
			continue;
		}
		const struct need same = {.slice = successors[i], .metric = need->metric};
		const bool told = find_told(p, &more), same_is_told = find_told(p, &same);
		bool lent = false;
		if (told && (!leaves || same_is_told))
			continue;
		if (!told)
			status = borrow(p, &more, &lent, error);
		if (status || lent || !allowed(p, &successors[i]))
			continue;
		/* This metric, if it determines those values: so all slices of an ending get the
		   same one. (A table that is there and told does so without outcomes.) */
		const bool alike = el_metric_tells(need->metric, more.metric) && !same_is_told;
		status = push(&p->stack, alike ? &same : &more, error);
	}
	return status;
}

static enum el_status walk_from(struct planner *p, const struct el_slice *slice,
                                const struct el_metric *metric, struct el_error *error)
{
	struct need need = {.slice = *slice, .metric = metric}, with = need;
	enum el_status status = EL_OK;
	/* Castling comes with the table without, and is made by itself only where that is there already. */
	if (el_slice_has_rights(slice)) {
		struct el_slice successors[EL_SUCCESSORS_MAX];
		slice->game->successors(slice, successors);
		need.slice = successors[0];
	}
	if (has_castling(p, &need, &with.slice))
		status = push(&p->stack, &with, error);
	if (!status)
		status = push(&p->stack, &need, error);
	while (status == EL_OK && p->stack.count) {
		struct need *top = &p->stack.items[p->stack.count - 1];
		need = *top;
		const struct need outcomes = {.slice = need.slice,
		                              .metric = el_metric_entered(need.metric)};
		bool leaves = false; /* its outcomes to another table */
		if (need.expanded) {
			p->stack.count--;
			status = push(&p->order, &need, error);
		} else if (known(p, &need.slice, need.metric)) {
			for (size_t i = 0; i < p->entry_count; i++)
				leaves |= is_kept(p, i, &need.slice) &&
				          p->entries[i].metric == need.metric &&
				          p->entries[i].form.derive & EL_DERIVE_OUTCOMES;
			p->stack.count--;
		} else {
			leaves = leaves_outcomes(p, &need.slice, need.metric);
			top->expanded = true;
			top->from = need.from = find_from(p, &need);
			status = push(&p->met, &need, error);
			/* A table to read off may leave a side to its moves, which then lead to
			   tables that are whole; only a repair may find these damaged. */
			if (need.from)
				need.metric = need.from;
			if (!status && (!need.from || p->wish->repair))
				status = push_successors(p, &need, error);
		}
		if (!status && leaves && !find_told(p, &outcomes))
			status = push(&p->stack, &outcomes, error);
	}
	return status;
}

/* Plans damaged tables, even if the wish does not name them. */
static enum el_status walk_damaged(struct planner *p, bool told, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < p->entry_count && !status; i++) {
		/* Is there another damaged table that, once made again, determines this one? */
		const struct el_entry *e = &p->entries[i];
		bool is_told = false;
		for (size_t k = 0; k < p->entry_count; k++)
			is_told |= p->damaged[k] && p->entries[k].metric != e->metric &&
			           el_slice_equal(&p->entries[k].slice, &e->slice) &&
			           el_metric_tells(p->entries[k].metric, e->metric);
		if (p->damaged[i] && is_told == told)
			status = walk_from(p, &e->slice, e->metric, error);
	}
	return status;
}

static bool is_told_by_another(const struct el_metric *const *metrics,
                               const struct el_metric *metric)
{
	while (*metrics && (*metrics == metric || !el_metric_tells(*metrics, metric)))
		metrics++;
	return *metrics;
}

static enum el_status walk_all(struct planner *p, struct el_error *error)
{
	enum el_status status = walk_damaged(p, false, error);
	if (!status)
		status = walk_damaged(p, true, error);
	for (size_t i = 0; i < p->wish->count && !status; i++) {
		const struct el_slice *slice = &p->wish->slices[i];
		const struct el_metric *own[2];
		const struct el_metric *const *metrics = wished(p->wish, slice->game, own);
		/* Metrics that another one determines come last: they are read off it. */
		for (int told = 0; told <= 1; told++)
			for (const struct el_metric *const *m = metrics; *m && !status; m++)
				if (is_told_by_another(metrics, *m) == told)
					status = walk_from(p, slice, *m, error);
	}
	return status;
}

/* ---- the plan ---- */

/* Is the task done in memory or not at all, and its planes whole? Limits are (core/solve/limits.c), values
   read off another table, partial tables, and positions with castling rights. */
static bool needs_memory(const struct el_task *task)
{
	return task->partial || task->from || el_metric_solved(task->metric)->has_phase ||
	       el_slice_has_rights(&task->slice);
}

/*
 * The peak of a task, in bytes. For a partial table, missing successors take no memory, but the planes of
 * its first solution stay while it finds the second.
 */
static uint64_t expected_bytes(const struct planner *p, const struct el_task *task)
{
	const struct el_slice *slice = &task->slice;
	if (!task->partial)
		return task->whole ? memory_of_all(slice)
		                   : memory_of_build(slice, task->metric->by_clock) +
		                             memory_of_loans(slice);
	uint64_t bytes = memory_of_solution(slice) + memory_of_loan(slice);
	struct el_slice successors[EL_SUCCESSORS_MAX];
	size_t count = slice->game->successors(slice, successors);
	for (size_t i = 0; i < count; i++) {
		const struct need outcomes = {.slice = successors[i], .metric = &el_wdl};
		size_t k = 0; /* any table of ours, in any folder, even with bounds, can stand in */
		while (k < p->entry_count && !is_usable(p, k, &successors[i]))
			k++;
		if (k < p->entry_count || allowed(p, &successors[i]) || is_borrowed(p, &outcomes))
			bytes += memory_of_loan(&successors[i]);
	}
	return bytes;
}

/* Every game must have every metric: `build all --metric dtm,dtw` is a slip. Partial tables hold
   outcomes. */
static enum el_status check_metrics(const struct el_plan_wish *wish, struct el_error *error)
{
	struct el_error why;
	for (size_t i = 0; i < wish->count; i++) {
		if (wish->partial && el_game_check_metric(wish->slices[i].game, &el_wdl, &why))
			return el_fail(error, EL_USAGE,
			               "%s: no partial table, which holds outcomes: %s",
			               wish->slices[i].name, why.text);
		const bool castling = el_slice_has_rights(&wish->slices[i]);
		if (wish->partial && castling)
			return el_fail(error, EL_USAGE,
			               "%s: positions with castling rights have no partial tables",
			               wish->slices[i].name);
		for (const struct el_metric *const *m = wish->metrics; m && *m; m++) {
			if (el_game_check_metric(wish->slices[i].game, *m, &why))
				return el_fail(error, EL_USAGE, "%s: %s", wish->slices[i].name,
				               why.text);
			if (castling && castling_check(&wish->slices[i], *m, error))
				return EL_USAGE;
		}
	}
	/* Outcomes are left out of some depths, or their own tables are made for that. */
	if (!(wish->derive & EL_DERIVE_OUTCOMES) || !wish->count)
		return EL_OK;
	const struct el_metric *const own[] = {el_game_metric(wish->slices->game), NULL};
	const struct el_metric *const *metrics = wish->metrics ? wish->metrics : own;
	for (const struct el_metric *const *m = metrics; *m; m++)
		if (!(*m)->has_depth || !el_outcomes_check(wish->slices, *m, NULL))
			return EL_OK;
	return el_outcomes_check(wish->slices, *metrics, error);
}

static enum el_target replaces(const struct planner *p, const struct need *need)
{
	if (p->wish->replace)
		return is_named(p, &need->slice, need->metric) ? EL_TARGET_OTHER
		                                               : EL_TARGET_UNREADABLE;
	return p->wish->repair ? EL_TARGET_DAMAGED : EL_TARGET_OUTDATED;
}

/* A table that is read off another one can be made without its sub-tables, but not proved. Are they
   there by then? */
static bool has_subtables(const struct planner *p, const struct el_task *task, size_t number)
{
	const struct el_metric *entered = el_metric_entered(task->metric);
	const struct el_task *tasks = p->plan->tasks;
	struct el_slice slices[EL_SUCCESSORS_MAX];
	const size_t count = task->slice.game->successors(&task->slice, slices);
	bool has = true;
	for (size_t i = 0; i < count && has; i++) {
		has = false;
		for (size_t k = 0; k < number && !has; k++)
			has = el_slice_equal(&tasks[k].slice, &slices[i]) &&
			      planned_tells(p, &slices[i], tasks[k].metric, entered);
		for (size_t k = 0; k < p->entry_count && !has; k++) {
			const struct el_entry *e = &p->entries[k];
			has = !e->ignored && !e->partial && !p->damaged[k] &&
			      el_slice_equal(&e->slice, &slices[i]) && el_entry_tells(e, entered);
		}
	}
	return has;
}

/* What ranks that solve a table together have and exchange. */
static enum el_status find_share(const struct el_plan *plan, struct el_task *task,
                                 struct el_error *error)
{
	const struct el_slice *slice = &task->slice;
	struct shares_measure share;
	task->part = 1;
	if (plan->ranks < 2 || needs_memory(task) || task->metric->by_clock)
		return EL_OK;
	const enum el_status status =
		shares_measure(slice, el_metric_solved(task->metric), plan->ranks, &share, error);
	if (status)
		return status;
	task->part = share.own;
	task->wants_ranks = task->bytes > plan->memory;
	task->exchanged = memory_of_exchange(slice, &share, plan->ranks, &task->collected);
	task->bytes = memory_of_rank(slice, &share) + (task->whole ? memory_of_loan(slice) : 0);
	if (task->bytes < memory_least(slice))
		task->bytes = memory_least(slice);
	return EL_OK;
}

/* Solutions that do not fit use the disk, if they can. */
static enum el_status find_memory(const struct planner *p, struct el_plan *out,
                                  struct el_error *error)
{
	const struct el_plan_wish *wish = p->wish;
	enum el_status status = EL_OK;
	out->ranks = wish->ranks > 1 ? wish->ranks : 1;
	out->network = wish->network > 0 ? wish->network : EL_NETWORK_USUAL;
	out->memory = wish->memory ? wish->memory
	                           : memory_usual() / (wish->ranks_here ? wish->ranks_here : 1);
	for (struct el_task *t = out->tasks; t < out->tasks + out->count && !status; t++) {
		t->whole = p->wish->whole || needs_memory(t);
		t->bytes = expected_bytes(p, t);
		status = find_share(out, t, error);
		t->least = t->useful = t->bytes;
		if (!needs_memory(t) && memory_least(&t->slice) < t->least)
			t->least = memory_least(&t->slice);
		if (!needs_memory(t) && t->bytes > out->memory) {
			t->bytes = out->memory > t->least ? out->memory : t->least;
			t->scratch = memory_of_scratch(&t->slice, t->metric->by_clock);
		}
		out->least = t->least > out->least ? t->least : out->least;
		out->useful = t->useful > out->useful ? t->useful : out->useful;
	}
	return status;
}

static bool is_read_off(const struct el_task *task, const struct el_task *other)
{
	return task->from && other->metric == task->from &&
	       el_slice_equal(&task->slice, &other->slice);
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
			.partial = p->wish->partial,
			.from = n->from,
			.replaces = replaces(p, n),
		};
	const enum el_status status = find_memory(p, out, error);
	if (status)
		return status;
	for (size_t i = 0; i < out->count; i++) {
		struct el_task *task = &out->tasks[i];
		const uint64_t bytes =
			verify_bytes_within(&task->slice, task->metric, task->partial, out->memory);
		task->proves = p->wish->proves == EL_PROVE_ALL ||
		               (p->wish->proves == EL_PROVE_CHEAP && bytes <= out->memory &&
		                proof_is_cheap(task) && (!task->from || has_subtables(p, task, i)));
		if (task->proves && bytes > task->bytes)
			task->bytes = bytes;
	}
	/* Tasks are in build order, so each needs only earlier ones. If several hold enough, it may
	   read any. */
	for (size_t number = 1; number < out->count; number++) {
		struct el_task *task = &out->tasks[number];
		struct el_slice successors[EL_SUCCESSORS_MAX], with;
		const size_t count = task->slice.game->successors(
			castling_of(&task->slice, task->metric, &with) ? &with : &task->slice,
			successors);
		const struct el_metric *entered = el_metric_entered(task->metric);
		task->needs = malloc(number * sizeof *task->needs);
		if (!task->needs)
			return el_fail(error, EL_MEMORY, "out of memory");
		/* off a table that is planned, and then needs the same tables */
		bool reads = false;
		for (size_t i = 0; i < number && !task->proves; i++)
			reads |= is_read_off(task, &out->tasks[i]);
		for (size_t i = 0; i < number; i++) {
			const struct el_task *other = &out->tasks[i];
			const bool tells = planned_tells(p, &other->slice, other->metric, entered);
			if (is_read_off(task, other) ||
			    (tells && leaves_outcomes(p, &task->slice, task->metric) &&
			     el_slice_equal(&other->slice, &task->slice)) ||
			    (tells && !reads && el_slices_have(successors, count, &other->slice)))
				task->needs[task->need_count++] = i;
		}
	}
	return EL_OK;
}

enum el_status el_plan_wished(struct el_library *library, const struct el_plan_wish *wish,
                              struct el_plan *out, struct el_error *error)
{
	struct planner p = {.wish = wish, .plan = out};
	*out = (struct el_plan){0};
	enum el_status status = check_metrics(wish, error);
	if (!status)
		status = el_library_list(library, &p.entries, &p.entry_count, error);
	if (!status && !(p.damaged = calloc(p.entry_count + 1, sizeof *p.damaged)))
		status = el_fail(error, EL_MEMORY, "out of memory");
	if (!status && wish->repair)
		status = repair_find(p.entries, p.entry_count, wish, p.damaged, out, error);
	if (!status)
		status = walk_all(&p, error);
	if (!status)
		status = make_tasks(&p, out, error);
	el_entries_free(p.entries, p.entry_count);
	free(p.damaged);
	free(p.met.items);
	free(p.stack.items);
	free(p.order.items);
	if (status)
		el_plan_free(out);
	return status;
}

enum el_status el_plan_make(struct el_library *library, const struct el_slice *slices, size_t count,
                            const struct el_metric *const *metrics, struct el_plan *out,
                            struct el_error *error)
{
	const struct el_plan_wish wish = {.slices = slices, .count = count, .metrics = metrics};
	return el_plan_wished(library, &wish, out, error);
}

void el_plan_free(struct el_plan *plan)
{
	for (size_t i = 0; i < plan->loan_count; i++)
		free(plan->loans[i].path);
	for (size_t i = 0; i < plan->count; i++)
		free(plan->tasks[i].needs);
	free(plan->loans);
	free(plan->tasks);
	*plan = (struct el_plan){0};
}
