/* SPDX-License-Identifier: MIT */
#include "entered.h"

#include <stdlib.h>

enum el_status entered_open(struct entered *e, const struct el_slice *slice, unsigned plane,
                            const struct el_problem *problem, unsigned mover, unsigned gain,
                            struct el_error *error)
{
	*e = (struct entered){.lender = problem->lender, .plane = plane};
	enum el_status status =
		e->lender->lend(e->lender->context, slice, problem->metric, &e->planes, error);
	if (status)
		return status;
	const struct el_plane *values = &e->planes->plane[plane];
	e->effects = malloc(values->value_count * sizeof *e->effects);
	if (!e->effects)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	for (uint32_t v = 0; v < values->value_count; v++)
		e->effects[v] = effect_of(problem, mover, values->values[v], gain);
	return EL_OK;
}

void entered_close(struct entered *e)
{
	free(e->effects);
	if (e->planes)
		e->lender->give_back(e->lender->context, e->planes);
	*e = (struct entered){.planes = NULL};
}
