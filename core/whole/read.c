/* SPDX-License-Identifier: MIT */
/*
 * Whole tables in memory: the file's values, corrected where it leaves them to be derived.
 *
 * A table that can only be probed is asked for the position of every index. So are planes that hold
 * only one side, for the side that a table of ours left out.
 *
 * A foreign table has another order: our neighbours are far apart there. So the file is opened
 * anew, with its own cache, which holds a whole plane: no block is decoded twice, and other probes'
 * blocks stay in memory.
 */
#include "whole.h"

#include "core/base/course.h"
#include "core/library/reads.h"
#include "core/probe/inside.h"
#include "core/solve/memory.h"
#include "sweep.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_PLIES = UINT16_MAX + 1 };

/* A plane's symbols by rounding, outcome and plies; 0: none yet. No foreign table has phases. */
typedef _Atomic uint16_t legend[2][EL_WIN + 1][ALL_PLIES];

struct reading {
	struct el_library *library;
	struct el_source *source;
	struct el_cache *cache; /* null if none is used */
	const struct el_watch *watch;
	struct el_planes *planes;
	unsigned number;    /* of the plane being read */
	unsigned done, all; /* planes, of those to be read */
	legend *symbols;
};

static uint16_t symbol_of(const struct reading *r, struct el_value value)
{
	_Atomic uint16_t *known = &(*r->symbols)[value.rounded][value.outcome][value.plies];
	uint16_t symbol = atomic_load_explicit(known, memory_order_relaxed);
	if (symbol)
		return symbol;
#pragma omp critical(store_new_symbol)
	{
		symbol = atomic_load_explicit(known, memory_order_relaxed);
		if (!symbol) {
			symbol = el_plane_add_value(&r->planes->plane[r->number], value);
			r->planes->rounded |= value.rounded;
			if (value.plies > r->planes->passes)
				r->planes->passes = value.plies;
		}
		atomic_store_explicit(known, symbol, memory_order_relaxed);
	}
	return symbol;
}

/* ---- courses ---- */

static enum el_status value_at(const struct probe *probe, struct el_position *position,
                               const struct spot *spot, unsigned clock, struct el_value *out,
                               struct el_error *error)
{
	position->halfmove = (uint16_t)clock;
	return probe_value(probe, spot, out, error);
}

/* The course of a position, the spot's; `value` is the one with the clock at 0. As plies never fall with the
   clock, halving finds where each step ends. */
static enum el_status read_course(const struct reading *r, const struct probe *probe,
                                  struct el_position *position, const struct spot *spot,
                                  struct el_value value, uint32_t *out, struct el_error *error)
{
	const unsigned limit = probe->metric->limit;
	struct el_course_step step[EL_COURSE_MAX];
	size_t count = 0;
	enum el_status status = EL_OK;
	*out = 0;
	for (unsigned clock = 0;
	     value.plies && clock < limit && count < EL_COURSE_MAX && !status;) {
		unsigned last = limit - 1;
		const struct el_value here = value;
		while (clock < last && !status) {
			const unsigned half = (clock + last + 1) / 2;
			status = value_at(probe, position, spot, half, &value, error);
			if (value.outcome == here.outcome && value.plies == here.plies)
				clock = half;
			else
				last = half - 1;
		}
		step[count++] = (struct el_course_step){(uint16_t)clock, here.plies};
		if (!status && ++clock < limit)
			status = value_at(probe, position, spot, clock, &value, error);
	}
	position->halfmove = 0;
	if (status || !count)
		return status;
#pragma omp critical(store_new_course)
	*out = el_courses_add(r->planes->courses, step, count);
	return *out ? EL_OK : el_fail(error, EL_MEMORY, "%s: out of memory", r->source->path);
}

/* ---- a plane ---- */

/* The catalogue is released after each chunk, so that a pending rescan, and probes queued behind it,
   are not blocked. */
static enum el_status read_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                 struct el_error *error)
{
	const struct reading *r = context;
	const struct el_source *source = r->source;
	const struct el_game *game = source->slice.game;
	const struct visit visit = library_enter(r->library);
	const struct probe probe = {
		.catalogue = visit.catalogue,
		.game = game,
		.metric = source->metric,
		.by = r->source,
	};
	enum el_status status = EL_OK;
	for (uint64_t i = first; i < end && !status; i++) {
		uint16_t *symbol = &r->planes->plane[r->number].symbols[i];
		struct el_position position;
		struct spot spot;
		struct el_value value;
		*symbol = 0;
		if (!game->unplace(&source->slice, r->number, i, &position))
			continue;
		spot_at(game, &position, &spot);
		status = probe_value(&probe, &spot, &value, error);
		if (!status && !el_outcome_exact(value.outcome))
			status = el_fail(error, EL_NEGATIVE, "%s: %s", source->path,
			                 source->partial
			                         ? "it has only some of the positions"
			                         : "moves lead to tables that know outcomes within "
			                           "bounds alone");
		if (!status && !(*symbol = symbol_of(r, value)))
			status = el_fail(error, EL_MEMORY, "%s: no room for one more value",
			                 source->path);
		uint32_t *course = r->planes->plane[r->number].course;
		if (!status && course)
			status = read_course(r, &probe, &position, &spot, value, &course[i], error);
	}
	library_leave(visit);
	(void)thread;
	return status;
}

/* The plane has room for its symbols, but no values yet. */
static enum el_status read_plane(struct reading *r, const char *stage, struct el_error *error)
{
	const struct el_slice *slice = &r->source->slice;
	struct el_plane *plane = &r->planes->plane[r->number];
	r->symbols = calloc(1, sizeof *r->symbols);
	enum el_status status = EL_MEMORY;
	if (plane->symbols && r->symbols &&
	    !el_plane_add_value(plane, (struct el_value){.outcome = EL_BROKEN}) && plane->values)
		status = sweep_run(&(struct sweep){stage, slice, r->source->metric,
		                                   slice->positions, r->done * slice->positions,
		                                   r->all * slice->positions, r->watch, r,
		                                   read_chunk},
		                   error);
	else
		el_fail(error, status, "%s: out of memory", r->source->path);
	free(r->symbols);
	if (r->cache)
		el_cache_forget(r->cache, 0); /* the other side's values are in other blocks */
	return status ? status : el_plane_canonical(plane, slice->positions, error);
}

/* ---- foreign files ---- */

static enum el_status read_all(struct reading *r, struct el_error *error)
{
	struct el_planes *out = r->planes;
	const struct el_slice *slice = &r->source->slice;
	*out = (struct el_planes){.slice = *slice, .metric = r->source->metric};
	/* Symbols of every plane, and one plane of the file: a process too large for memory would
	   be killed, perhaps with other programs. */
	char what[PATH_MAX + 16];
	snprintf(what, sizeof what, "%s: all of it", r->source->path);
	const bool by_clock = out->metric->by_clock;
	enum el_status status = memory_check(
		what, (by_clock ? 6u : 2u) * slice->positions * (slice->planes + 1u), error);
	if (!status && by_clock && !(out->courses = el_courses_new()))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", r->source->path);
	if (!status && r->source->ops->check)
		status = r->source->ops->check(r->source, r->watch, error);
	r->all = slice->planes;
	for (r->number = 0; r->number < r->all && !status; r->number++) {
		struct el_plane *plane = &out->plane[r->number];
		plane->symbols = malloc(slice->positions * sizeof *plane->symbols);
		plane->course = by_clock ? calloc(slice->positions, sizeof *plane->course) : NULL;
		status = by_clock && !plane->course
		                 ? el_fail(error, EL_MEMORY, "%s: out of memory", r->source->path)
		                 : read_plane(r, "reading", error);
		r->done++;
	}
	if (status)
		el_planes_free(out);
	return status;
}

/* Reads all values of a file that can only be probed: checks the whole file, then probes each
   index. The library values captures. */
static enum el_status read_foreign(struct el_library *library, const struct el_source_ops *kind,
                                   const char *path, const struct el_watch *watch,
                                   struct el_table_info *info, struct el_planes *out,
                                   struct el_error *error)
{
	struct reading r = {.library = library, .watch = watch, .planes = out};
	struct stat is = {0};
	if (!kind->open)
		return el_fail(error, EL_NEGATIVE, "%s: %s", path, kind->unread);
	el_source_stat(path, &is); /* if it is missing, reading it fails too */
	enum el_status status = el_cache_open(SIZE_MAX, &r.cache, error);
	if (status)
		return status;
	status = kind->open(path, r.cache, &r.source, error);
	if (!status) {
		const struct el_slice *slice = &r.source->slice;
		*info = (struct el_table_info){
			.slice = *slice,
			.metric = r.source->metric,
			.options = el_table_options_default(),
			.bytes = r.source->bytes,
			.positions = {slice->positions, slice->planes > 1 ? slice->positions : 0},
		};
		status = read_all(&r, error);
		kind->close(r.source);
	}
	el_cache_close(r.cache);
	if (!status)
		out->origin = (struct el_origin){info->metric, file_identity(&is), true, 0};
	return status;
}

/* ---- a side that was left out ---- */

/* Planes that act as a source. */
struct kept {
	struct el_source head;
	const struct el_planes *planes;
};

static enum el_status ask_kept(struct el_source *source, const struct el_position *position,
                               const struct el_place *place, bool soft, struct el_value *value,
                               struct el_error *error)
{
	const struct kept *kept = (const struct kept *)source;
	(void)position, (void)soft, (void)error;
	*value = el_plane_value(&kept->planes->plane[place->plane], place->index);
	return EL_OK;
}

enum el_status probe_left_out(struct el_library *library, const char *path, unsigned plane,
                              const struct el_watch *watch, struct el_planes *planes,
                              struct el_error *error)
{
	const struct el_source_ops ops = {.kind = el_source_egt.kind, .probe = ask_kept};
	struct kept kept = {
		.head =
			{
				.ops = &ops,
				.slice = planes->slice,
				.metric = planes->metric,
				.left_out = (uint8_t)(1u << plane),
				.path = strdup(path),
			},
		.planes = planes,
	};
	struct reading r = {
		.library = library,
		.source = &kept.head,
		.watch = watch,
		.planes = planes,
		.number = plane,
		.all = 1,
	};
	const unsigned passes = planes->passes;
	if (!kept.head.path)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	free(planes->plane[plane].values);
	planes->plane[plane].values = NULL;
	planes->plane[plane].value_count = 0;
	enum el_status status = read_plane(&r, "trying moves", error);
	planes->passes = passes; /* the header's */
	free(kept.head.path);
	return status;
}

/* ---- whatever there is ---- */

static enum el_status read_lent(struct el_library *library, const char *path,
                                const struct el_lender *lender, const struct el_watch *watch,
                                struct el_table_info *info, struct el_planes *out,
                                struct el_error *error)
{
	struct el_table_info unasked;
	const struct el_source_ops *kind = el_source_kind_of(path);
	kind = kind ? kind : &el_source_egt;
	info = info ? info : &unasked;
	if (!kind->read)
		return read_foreign(library, kind, path, watch, info, out, error);
	enum el_status status = kind->read(path, info, out, error);
	if (status)
		return status;
	const bool is_derived = info->options.derive != EL_DERIVE_NOTHING;
	out->origin = (struct el_origin){info->metric, info->checksum, is_derived,
	                                 info->options.left_out};
	if (!is_derived)
		return EL_OK;
	status = el_library_complete(library, out, path, info, lender, watch, error);
	if (status)
		el_planes_free(out);
	return status;
}

enum el_status el_library_read(struct el_library *library, const char *path,
                               const struct el_watch *watch, struct el_table_info *info,
                               struct el_planes *out, struct el_error *error)
{
	return read_lent(library, path, NULL, watch, info, out, error);
}

/* As el_library_planes, from the place-th file; EL_NEGATIVE past the last. Opens the file anew, so that
   no other thread waits for the whole read. */
static enum el_status read_from(struct el_library *library, const struct el_slice *slice,
                                const struct el_metric *metric, unsigned place,
                                const struct el_lender *lender, const struct el_watch *watch,
                                struct el_planes *out, struct el_error *error)
{
	const struct el_source_ops *kind;
	struct el_table_info info;
	char *path;
	enum el_status status = library_path(library, slice, metric, place, &kind, &path, error);
	if (status)
		return status;
	status = read_lent(library, path, lender, watch, &info, out, error);
	if (!status && (info.slice.key != slice->key || info.metric != metric)) {
		status = el_fail(error, EL_DAMAGED, "%s: expected %s %s, found %s %s", path,
		                 slice->name, metric->name, info.slice.name, info.metric->name);
		el_planes_free(out);
	}
	free(path);
	return status;
}

enum el_status library_planes_lent(struct el_library *library, const struct el_slice *slice,
                                   const struct el_metric *metric, const struct el_lender *lender,
                                   const struct el_watch *watch, struct el_planes *out,
                                   struct el_error *error)
{
	const enum el_status status =
		read_from(library, slice, metric, 0, lender, watch, out, error);
	enum el_status other = status;
	/* Another file of the same values may be whole. */
	for (unsigned place = 1; el_is_fault(other); place++)
		other = read_from(library, slice, metric, place, lender, watch, out, NULL);
	return other == EL_NEGATIVE ? status : other;
}

enum el_status el_library_planes(struct el_library *library, const struct el_slice *slice,
                                 const struct el_metric *metric, const struct el_watch *watch,
                                 struct el_planes *out, struct el_error *error)
{
	return library_planes_lent(library, slice, metric, NULL, watch, out, error);
}

/* ---- metrics that other tables tell ---- */

const struct el_metric *el_library_teller(struct el_library *library, const struct el_slice *slice,
                                          const struct el_metric *metric)
{
	const struct el_metric *from = NULL;
	const enum el_status own = el_library_find(library, slice, metric, NULL);
	if (!own)
		return metric;
	while ((from = el_library_next_metric(library, slice, from)))
		if (el_metric_tells(from, metric) && !el_library_find(library, slice, from, NULL))
			break;
	return from || own == EL_NEGATIVE ? from : metric;
}

enum el_status el_library_planes_from(struct el_library *library, const struct el_slice *slice,
                                      const struct el_metric *from, const struct el_metric *metric,
                                      const struct el_watch *watch, struct el_planes *out,
                                      struct el_error *error)
{
	struct el_planes planes;
	if (from == metric)
		return el_library_planes(library, slice, metric, watch, out, error);
	enum el_status status = el_library_planes(library, slice, from, watch, &planes, error);
	if (status)
		return status;
	status = el_planes_read(&planes, metric, out, error);
	el_planes_free(&planes);
	return status;
}

enum el_status el_library_planes_told(struct el_library *library, const struct el_slice *slice,
                                      const struct el_metric *metric, const struct el_watch *watch,
                                      struct el_planes *out, struct el_error *error)
{
	const struct el_metric *from = el_library_teller(library, slice, metric), *other = NULL;
	const enum el_status status = el_library_planes_from(library, slice, from ? from : metric,
	                                                     metric, watch, out, error);
	/* Another table that tells the same may be whole. */
	while (el_is_fault(status) && (other = el_library_next_metric(library, slice, other)))
		if (other != from && el_metric_tells(other, metric) &&
		    !el_library_planes_from(library, slice, other, metric, watch, out, NULL))
			return EL_OK;
	return status;
}
