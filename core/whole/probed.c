/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole planes of a table that can only be probed: every index is turned into its position, and the
 * table asked for that. So is a side that a table of ours left out, of planes that hold the other
 * one.
 *
 * A foreign table's order is not ours, so that neighbours here are far apart there. The file is
 * opened once more, with a cache of its own that keeps all of a plane: no block is decoded twice,
 * and what other probes have in memory stays there.
 */
#include "probed.h"

#include "core/base/text.h"
#include "core/probe/inside.h"
#include "sweep.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALL_PLIES = UINT16_MAX + 1 };

/* The symbols of a plane, by what they stand for, rounded or not; 0: none yet. No foreign table has
   phases. */
typedef _Atomic uint16_t legend[2][EL_WIN + 1][ALL_PLIES];

struct reading {
	struct el_library *library;
	struct el_source *source;
	struct el_cache *cache; /* null where none is used */
	const struct el_watch *watch;
	struct el_planes *planes;
	unsigned number;    /* of the plane that is read */
	unsigned done, all; /* planes, of those to be read */
	legend *symbols;
};

/* ---- symbols ---- */

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

/* ---- a plane ---- */

static enum el_status read_index(const struct reading *r, const struct probe *probe, uint64_t index,
                                 struct el_error *error)
{
	const struct el_slice *slice = &r->source->slice;
	uint16_t *symbol = &r->planes->plane[r->number].symbols[index];
	struct spot spot;
	struct el_value value;
	*symbol = 0;
	if (!slice->game->unplace(slice, r->number, index, &spot.position))
		return EL_OK;
	spot_find(slice->game, &spot);
	enum el_status status = probe_value(probe, &spot, &value, error);
	if (status)
		return status;
	if (!el_outcome_exact(value.outcome))
		return el_fail(error, EL_NEGATIVE,
		               "%s: moves lead to tables that know outcomes within bounds alone",
		               r->source->path);
	*symbol = symbol_of(r, value);
	if (!*symbol)
		return el_fail(error, EL_MEMORY, "%s: no room for one more value", r->source->path);
	return EL_OK;
}

/* The library is held no longer than that: a rescan may be waiting, and others behind it. */
static enum el_status read_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                 struct el_error *error)
{
	const struct reading *r = context;
	const struct visit visit = library_enter(r->library);
	const struct probe probe = {
		.catalogue = visit.catalogue,
		.game = r->source->slice.game,
		.metric = r->source->metric,
		.by = r->source,
	};
	enum el_status status = EL_OK;
	for (uint64_t i = first; i < end && !status; i++)
		status = read_index(r, &probe, i, error);
	library_leave(visit);
	(void)thread;
	return status;
}

/* The plane's symbols have room; it has no values. */
static enum el_status read_plane(struct reading *r, const char *stage, struct el_error *error)
{
	const struct el_slice *slice = &r->source->slice;
	struct el_plane *plane = &r->planes->plane[r->number];
	char what[EL_SLICE_MAX + 16];
	snprintf(what, sizeof what, "%s %s", slice->name, r->source->metric->name);
	r->symbols = calloc(1, sizeof *r->symbols);
	enum el_status status = EL_MEMORY;
	if (plane->symbols && r->symbols &&
	    !el_plane_add_value(plane, (struct el_value){.outcome = EL_BROKEN}) && plane->values)
		status = sweep_run(
			&(struct sweep){
				.count = slice->positions,
				.watch = r->watch,
				.progress = {stage, what, (double)(r->done * slice->positions),
		                             (double)(r->all * slice->positions),
		                             .unit = "positions"},
				.context = r,
				.chunk = read_chunk,
			},
			error);
	else
		el_fail(error, status, "%s: out of memory", r->source->path);
	free(r->symbols);
	if (r->cache)
		el_cache_forget(r->cache, 0); /* the other side's values are in other blocks */
	return status ? status : el_plane_canonical(plane, slice->positions, error);
}

/* ---- a file ---- */

/* A symbol of each plane, and one plane of the file: what cannot fit would be killed, and other
   programs with it. */
static enum el_status check_memory(const struct el_source *source, struct el_error *error)
{
	const struct el_slice *slice = &source->slice;
	const double bytes = (double)slice->positions * 2 * (slice->planes + 1);
	const double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
	char needed[EL_AMOUNT_MAX], all[EL_AMOUNT_MAX];
	if (bytes <= there)
		return EL_OK;
	return el_fail(error, EL_NEGATIVE,
	               "%s: all of it needs about %s of memory; this machine has %s", source->path,
	               el_bytes(bytes, needed), el_bytes(there, all));
}

static enum el_status read_all(struct reading *r, struct el_error *error)
{
	struct el_planes *out = r->planes;
	*out = (struct el_planes){
		.slice = r->source->slice,
		.metric = r->source->metric,
	};
	enum el_status status = check_memory(r->source, error);
	if (!status && r->source->ops->check)
		status = r->source->ops->check(r->source, r->watch, error);
	r->all = out->slice.planes;
	for (r->number = 0; r->number < r->all && !status; r->number++) {
		struct el_plane *plane = &out->plane[r->number];
		plane->symbols = malloc(out->slice.positions * sizeof *plane->symbols);
		status = read_plane(r, "reading", error);
		r->done++;
	}
	if (status)
		el_planes_free(out);
	return status;
}

static void tell(const struct el_source *source, struct el_table_info *info)
{
	*info = (struct el_table_info){
		.slice = source->slice,
		.metric = source->metric,
		.options = el_table_options_default(),
		.bytes = source->bytes,
		.positions = {source->slice.positions,
	                      source->slice.planes > 1 ? source->slice.positions : 0},
	};
}

enum el_status probe_planes(struct el_library *library, const struct el_source_ops *kind,
                            const char *path, const struct el_watch *watch,
                            struct el_table_info *info, struct el_planes *out,
                            struct el_error *error)
{
	struct reading r = {.library = library, .watch = watch, .planes = out};
	if (!kind->open)
		return el_fail(error, EL_NEGATIVE, "%s: %s", path, kind->unread);
	enum el_status status = el_cache_open(SIZE_MAX, &r.cache, error);
	if (status)
		return status;
	status = kind->open(path, r.cache, &r.source, error);
	if (!status) {
		tell(r.source, info);
		status = read_all(&r, error);
		kind->close(r.source);
	}
	el_cache_close(r.cache);
	return status;
}

/* ---- a side that was left out ---- */

/* Planes as a source of their own. */
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
