/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "needs.h"

#include <stdlib.h>

/* Does the task read the table of the other one? Of several that tell it enough, any may be
   read. */
static bool reads(const struct el_task *task, const struct el_task *other,
                  const struct el_slice *successors, size_t count)
{
	if (task->from)
		return el_slice_equal(&task->slice, &other->slice) && other->metric == task->from;
	size_t i = 0;
	while (i < count && !el_slice_equal(&successors[i], &other->slice))
		i++;
	return i < count && el_metric_tells(other->metric, el_metric_entered(task->metric));
}

static enum el_status find_needs(struct el_plan *plan, size_t number, struct el_error *error)
{
	struct el_task *task = &plan->tasks[number];
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = task->slice.game->successors(&task->slice, successors);
	if (!number)
		return EL_OK;
	task->needs = malloc(number * sizeof *task->needs);
	if (!task->needs)
		return el_fail(error, EL_MEMORY, "out of memory");
	for (size_t i = 0; i < number; i++)
		if (reads(task, &plan->tasks[i], successors, count))
			task->needs[task->need_count++] = i;
	return EL_OK;
}

enum el_status needs_find(struct el_plan *plan, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < plan->count && !status; i++)
		status = find_needs(plan, i, error);
	return status;
}
