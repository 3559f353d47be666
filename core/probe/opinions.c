/* SPDX-License-Identifier: MIT */
/* What each table of a slice, and each study, says of a position, and whether they can all be right. */
#include "inside.h"

#include "core/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- contradictions ---- */

static bool outcomes_clash(const struct el_opinion *a, const struct el_opinion *b, unsigned limit)
{
	const enum el_outcome x = el_value_in_time(a->metric, a->value, limit, 0);
	const enum el_outcome y = el_value_in_time(b->metric, b->value, limit, 0);
	return el_outcome_lower(x) > el_outcome_upper(y) ||
	       el_outcome_lower(y) > el_outcome_upper(x);
}

static bool clash(const struct el_opinion *a, const struct el_opinion *b)
{
	const struct el_metric *metric = a->metric, *other = b->metric;
	if (outcomes_clash(a, b, 0) || outcomes_clash(a, b, metric->limit) ||
	    outcomes_clash(a, b, other->limit))
		return true;
	if (!metric->has_depth || metric->rank != other->rank || metric->limit != other->limit)
		return false;
	if (!el_outcome_exact(a->value.outcome) || !el_outcome_exact(b->value.outcome))
		return false;
	const bool in_time = a->value.outcome == EL_WIN || a->value.outcome == EL_LOSS;
	if (metric->late != other->late && !in_time)
		return false;
	return !el_value_matches(a->value, b->value);
}

/* ---- asking ---- */

static enum el_status add(struct el_opinions *o, struct probe *p, struct el_source *source,
                          const struct spot *spot)
{
	struct el_error why = {.text = ""};
	if (!array_grow(&o->list, o->count, 1, sizeof *o->list))
		return EL_MEMORY;
	struct el_opinion *now = &o->list[o->count];
	*now = (struct el_opinion){.path = strdup(source->path), .metric = source->metric};
	if (!now->path)
		return EL_MEMORY;
	o->count++;
	p->by = source;
	p->metric = source->metric;
	now->status = source->ops->covers ? probe_source(p, source, spot, &now->value, &why)
	                                  : probe_value(p, spot, &now->value, &why);
	if (now->status) {
		now->value = (struct el_value){.outcome = EL_UNKNOWN};
		snprintf(now->error, sizeof now->error, "%.*s", (int)sizeof now->error - 1,
		         why.text);
	}
	return EL_OK;
}

enum el_status el_library_opinions(struct el_library *library, const struct el_game *game,
                                   const struct el_position *position, enum el_probe_mode mode,
                                   struct el_opinions *out, struct el_error *error)
{
	struct el_position fresh = *position;
	struct spot spot;
	fresh.halfmove = 0; /* only then can values of several metrics be compared */
	spot_at(game, &fresh, &spot);
	*out = (struct el_opinions){0};
	enum el_status status = probe_admit(game, &spot, error);
	if (status)
		return status;
	const struct visit visit = library_enter(library);
	struct probe p = {
		.catalogue = visit.catalogue,
		.game = game,
		.soft = mode & EL_PROBE_SOFT,
	};
	const struct route *route = spot_route(p.catalogue, game, &spot);
	const struct holding *const lists[] = {route->tables, route->doubles};
	const struct holding *study = NULL;
	for (unsigned i = 0; i < 2; i++)
		for (const struct holding *h = lists[i]; h && !status; h = h->next)
			status = add(out, &p, h->source, &spot);
	while (!status && (study = catalogue_study(p.catalogue, study, game, position)))
		status = add(out, &p, study->source, &spot);
	library_leave(visit);
	if (status) {
		el_opinions_free(out);
		return el_fail(error, status, "the tables of a position: out of memory");
	}
	/* An unknown value contradicts none: its bounds include all. */
	for (size_t i = 0; i < out->count; i++) {
		size_t k = 0;
		while (k < out->count && (k == i || !clash(&out->list[i], &out->list[k])))
			k++;
		out->list[i].against = k < out->count ? k : i;
		out->contradict |= k < out->count;
	}
	return EL_OK;
}

void el_opinions_free(struct el_opinions *o)
{
	for (size_t i = 0; i < o->count; i++)
		free(o->list[i].path);
	free(o->list);
	*o = (struct el_opinions){0};
}
