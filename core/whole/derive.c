/* SPDX-License-Identifier: MIT */
/*
 * Deriving a slice's values from moves: which values a table need not store, and the values that it
 * did not store. Captures determine some values of both planes; all moves together determine a
 * whole plane.
 */
#include "core/probe/inside.h"
#include "core/table/view.h"
#include "sweep.h"
#include "whole.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { BOTH_PLANES = 3 };           /* bits */
enum { DERIVED_AT_ONCE = 1 << 18 }; /* positions of planes that are not in memory */

struct deriver {
	struct el_library *library;
	struct el_planes *planes;
	/* Finds a value for one position of the slice: EL_BROKEN without a capture. */
	enum el_status (*find)(const struct probe *, const struct spot *, struct el_value *,
	                       struct el_error *);
	/* Uses those of the positions at work once all are found. */
	enum el_status (*use)(const struct deriver *, struct el_error *);
	bool partial; /* the planes were made without some tables that captures lead to */
	/* The positions at work: a whole plane that is in memory, else a piece of it. */
	unsigned plane;
	uint64_t first;
	size_t count;
	const uint16_t *symbols;
	struct el_value *found; /* EL_BROKEN if an index has no position */
};

static enum el_status best_capture(const struct probe *p, const struct spot *spot,
                                   struct el_value *out, struct el_error *error)
{
	struct el_move captures[EL_MOVES_MAX];
	const size_t count = p->game->captures(spot->position, captures);
	*out = (struct el_value){.outcome = EL_BROKEN};
	return probe_moves(p, spot, captures, count, out, error);
}

/* EL_UNKNOWN if there is a capture; asks no table. */
static enum el_status any_capture(const struct probe *p, const struct spot *spot,
                                  struct el_value *out, struct el_error *error)
{
	struct el_move captures[EL_MOVES_MAX];
	const size_t count = p->game->captures(spot->position, captures);
	*out = (struct el_value){.outcome = (uint8_t)(count ? EL_UNKNOWN : EL_BROKEN)};
	(void)error;
	return EL_OK;
}

/* The catalogue is released after each chunk, so that a pending rescan, and probes queued behind it,
   are not blocked. */
static enum el_status derive_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                   struct el_error *error)
{
	const struct deriver *d = context;
	const struct el_slice *slice = &d->planes->slice;
	const struct visit visit = library_enter(d->library);
	const struct probe probe = {
		.catalogue = visit.catalogue,
		.game = slice->game,
		.metric = d->planes->metric,
		.partial = d->partial,
	};
	enum el_status status = EL_OK;
	for (uint64_t i = first; i < end && !status; i++) {
		struct el_position position;
		const struct spot spot = {&position, {.key = slice->key}, .placed = true};
		d->found[i] = (struct el_value){.outcome = EL_BROKEN};
		if (slice->game->unplace(slice, d->plane, d->first + i, &position))
			status = d->find(&probe, &spot, &d->found[i], error);
	}
	library_leave(visit);
	(void)thread;
	return status;
}

/* ---- what need not be stored ---- */

static enum el_status mark_piece(const struct deriver *d, struct el_error *error)
{
	const struct el_slice *slice = &d->planes->slice;
	struct el_plane *plane = &d->planes->plane[d->plane];
	/* For planes that are not in memory, the marks are in a file. */
	if (!plane->derivable) {
		char path[PATH_MAX];
		void *marks = NULL;
		enum el_status status = EL_OK;
		snprintf(path, sizeof path, "%s/%s", el_library_directory(d->library), slice->name);
		if (d->planes->reader)
			status = spool_map(path, slice->positions, &marks, error);
		else if (!(marks = malloc(slice->positions)))
			status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
		plane->derivable = marks;
		if (status)
			return status;
	}
	/* If captures are forced there are no other moves, so the best one has the position's
	   value. */
	for (size_t i = 0; i < d->count; i++)
		plane->derivable[d->first + i] =
			d->found[i].outcome != EL_BROKEN &&
			(slice->game->forced_captures ||
		         el_value_equal(d->found[i], plane->values[d->symbols[i]]));
	return EL_OK;
}

/* ---- what was not stored ---- */

/* What a probe would find at an index. */
static struct el_value with_capture(const struct deriver *d, uint64_t i)
{
	const struct el_planes *planes = d->planes;
	const struct el_value stored = el_plane_value(&planes->plane[d->plane], i);
	if (d->found[i].outcome == EL_BROKEN)
		return stored;
	return planes->slice.game->forced_captures
	               ? d->found[i]
	               : el_value_max(planes->metric, d->found[i], stored);
}

static enum el_status complete_plane(const struct deriver *d, struct el_error *error)
{
	const struct el_slice *slice = &d->planes->slice;
	struct el_plane *plane = &d->planes->plane[d->plane];
	for (uint64_t i = 0; i < slice->positions; i++) {
		const struct el_value best = with_capture(d, i);
		if (el_value_equal(best, el_plane_value(plane, i)))
			continue;
		uint32_t s = 1;
		while (s < plane->value_count && !el_value_equal(plane->values[s], best))
			s++;
		plane->symbols[i] =
			s < plane->value_count ? (uint16_t)s : el_plane_add_value(plane, best);
		if (!plane->symbols[i]) /* no symbol is left */
			return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	}
	return el_plane_canonical(plane, slice->positions, error);
}

/* Tables made since may narrow the bounds. Fails if tables have gone and captures tell less than
   the planes. */
static enum el_status narrow_plane(const struct deriver *d, struct el_error *error)
{
	const struct el_plane *plane = &d->planes->plane[d->plane];
	for (uint64_t i = 0; i < d->planes->slice.positions; i++)
		if (!el_outcome_within(with_capture(d, i).outcome,
		                       el_plane_value(plane, i).outcome))
			return el_fail(error, EL_NEGATIVE,
			               "%s: tables that captures lead to are missing, or know less "
			               "than it does",
			               d->planes->slice.name);
	enum el_status status = complete_plane(d, error);
	return status ? status : mark_piece(d, error);
}

/* ---- all of it ---- */

/* `d` is set except for the positions at work. `keeps`: bits of planes. */
static enum el_status each_plane(struct deriver *d, unsigned keeps, const struct el_watch *watch,
                                 struct el_error *error)
{
	const struct el_slice *slice = &d->planes->slice;
	const bool in_memory = !d->planes->reader;
	const uint64_t positions = slice->positions;
	const uint64_t most = in_memory ? positions : DERIVED_AT_ONCE;
	uint16_t *room = in_memory ? NULL : malloc(most * sizeof *room);
	enum el_status status = EL_OK;
	d->found = malloc(most * sizeof *d->found);
	if (!d->found || !(room || in_memory))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	for (d->plane = 0; d->plane < slice->planes && !status; d->plane++) {
		if (!(keeps >> d->plane & 1))
			continue;
		for (d->first = 0; d->first < positions && !status; d->first += most) {
			const uint64_t rest = positions - d->first;
			d->count = (size_t)(rest < most ? rest : most);
			const struct sweep sweep = {
				.stage = "trying captures",
				.slice = slice,
				.count = d->count,
				.before = d->first,
				.total = positions,
				.watch = watch,
				.context = d,
				.chunk = derive_chunk,
			};
			status = spool_piece(d->planes, d->plane, d->first, d->count, room,
			                     &d->symbols, error);
			if (!status)
				status = sweep_run(&sweep, error);
			if (!status)
				status = d->use(d, error);
		}
	}
	free(d->found);
	free(room);
	return status;
}

/* Leaving out a side fails here if a probe would lack a table. */
static enum el_status check_side(struct el_library *library, const struct el_planes *planes,
                                 struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	const struct el_metric *entered = el_metric_entered(planes->metric);
	struct el_slice successors[EL_SUCCESSORS_MAX];
	enum el_status status = el_side_check(slice, planes->metric, error);
	if (status || slice->planes == 1)
		return status;
	const struct visit visit = library_enter(library);
	const size_t count = slice->game->successors(slice, successors);
	for (size_t i = 0; i < count && !status; i++)
		if (!catalogue_answering(
			    catalogue_route(visit.catalogue, slice->game, successors[i].key),
			    entered))
			status = el_fail(
				error, EL_NEGATIVE,
				"%s: a side to move cannot be derived without a table of %s that "
				"tells %s",
				slice->name, successors[i].name, entered->name);
	library_leave(visit);
	return status;
}

enum el_status el_library_derive(struct el_library *library, struct el_planes *planes,
                                 enum el_derive what, const struct el_watch *watch,
                                 struct el_error *error)
{
	enum el_status status = what & EL_DERIVE_SIDE ? check_side(library, planes, error) : EL_OK;
	if (status || !(what & EL_DERIVE_CAPTURES))
		return status;
	const struct el_metric *metric = planes->metric, *chooser = el_metric_chosen_by(metric);
	if (chooser != metric)
		return el_fail(error, EL_USAGE,
		               "%s: captures do not tell %s; build %s with captures derived, which "
		               "tells it",
		               planes->slice.name, metric->name, chooser->name);
	const bool partial = el_planes_partial(planes);
	if (partial && planes->reader)
		return el_fail(error, EL_NEGATIVE,
		               "%s: bounds are narrowed by captures in memory alone",
		               planes->slice.name);
	const bool forced = planes->slice.game->forced_captures;
	struct deriver d = {
		.library = library,
		.planes = planes,
		.find = forced && !partial ? any_capture : best_capture,
		.use = partial ? narrow_plane : mark_piece,
		.partial = partial,
	};
	return each_plane(&d, BOTH_PLANES, watch, error);
}

enum el_status el_library_complete(struct el_library *library, struct el_planes *planes,
                                   const char *path, const struct el_table_info *info,
                                   const struct el_watch *watch, struct el_error *error)
{
	const struct el_table_options *options = &info->options;
	struct deriver d = {
		.library = library,
		.planes = planes,
		.find = best_capture,
		.use = complete_plane,
		.partial = info->partial,
	};
	unsigned kept = 0;
	for (unsigned p = 0; p < 2; p++)
		kept |= (unsigned)el_table_keeps(options, p) << p;
	enum el_status status = EL_OK;
	if (options->derive & EL_DERIVE_CAPTURES)
		status = each_plane(&d, kept, watch, error);
	if (!status && options->left_out)
		status =
			probe_left_out(library, path, options->left_out - 1u, watch, planes, error);
	return status;
}

/* ---- before writing ---- */

enum el_status el_library_prepare(struct el_library *library, struct el_planes *planes,
                                  struct el_table_options *options, const struct el_watch *watch,
                                  struct el_error *error)
{
	if (!options->preset)
		return el_library_derive(library, planes, options->derive, watch, error);
	*options = el_preset_options(options->preset, &planes->slice, planes->metric,
	                             el_planes_partial(planes));
	/* Derives as much as possible: tries the subsets of what is wanted, the largest first. */
	const unsigned wanted = options->derive;
	unsigned now = wanted;
	enum el_status status;
	while ((status = el_library_derive(library, planes, now, watch, error)) == EL_USAGE ||
	       status == EL_NEGATIVE)
		now = (now - 1) & wanted;
	options->derive = now;
	return status;
}
