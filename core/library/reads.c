/* SPDX-License-Identifier: MIT */
#include "reads.h"

#include "core/base/array.h"
#include "core/table/format.h"
#include "visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reads_free(struct reads *r)
{
	free(r->list);
	*r = (struct reads){0};
}

uint64_t file_identity(const struct stat *is)
{
	uint8_t bytes[24];
	put_le(bytes, 8, (uint64_t)is->st_size);
	put_le(bytes + 8, 8, (uint64_t)is->st_mtim.tv_sec);
	put_le(bytes + 16, 8, (uint64_t)is->st_mtim.tv_nsec);
	return table_checksum(bytes, sizeof bytes);
}

uint64_t source_identity(const struct el_source *source)
{
	return source->is ? file_identity(source->is) : source->checksum;
}

/* ---- adding ---- */

static bool has(const struct reads *r, const char *slice, const char *metric)
{
	for (size_t i = 0; i < r->count; i++)
		if (!strcmp(r->list[i].slice, slice) && !strcmp(r->list[i].metric, metric))
			return true;
	return false;
}

/* The table is not on the list yet. False without memory. */
static bool add(struct reads *r, const struct el_slice *slice, const struct el_metric *metric,
                uint64_t identity)
{
	if (!array_grow(&r->list, r->count, 1, sizeof *r->list))
		return false;
	struct read *read = &r->list[r->count++];
	*read = (struct read){.metric = metric->name, .identity = identity};
	strcpy(read->slice, slice->name);
	return true;
}

static bool add_derived(const struct catalogue *, const struct el_slice *, const struct el_metric *,
                        struct reads *);

/* Adds the table that answers, and those to which it leaves values. Skips a table that is on the
   list. */
static bool add_probed(const struct catalogue *c, const struct el_slice *slice,
                       const struct el_metric *metric, struct reads *r)
{
	const struct el_source *source =
		catalogue_answering(catalogue_route(c, slice->game, slice->key), metric);
	if (!source || has(r, slice->name, source->metric->name))
		return true;
	if (!add(r, slice, source->metric, source_identity(source)))
		return false;
	const bool leaves = source_leaves_moves(source) || source->left_out || source->plies_only ||
	                    el_metric_finds(source->metric, metric);
	return !leaves || add_derived(c, slice, source->metric, r);
}

static bool add_derived(const struct catalogue *c, const struct el_slice *slice,
                        const struct el_metric *metric, struct reads *r)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const struct el_metric *entered = el_metric_entered(metric);
	const size_t count = slice->game->successors(slice, successors);
	const struct el_source *source = catalogue_find(c, slice, metric);
	bool good = entered == metric || add_probed(c, slice, entered, r);
	if (good && source && source->plies_only)
		good = add_probed(c, slice, el_metric_outcome(metric), r);
	for (size_t i = 0; i < count && good; i++)
		good = add_probed(c, &successors[i], entered, r);
	return good;
}

/* ---- from outside ---- */

static enum el_status conclude(bool good, struct el_error *error)
{
	return good ? EL_OK : el_fail(error, EL_MEMORY, "the tables of a proof: out of memory");
}

enum el_status reads_of_probes(struct el_library *library, const struct el_slice *slice,
                               const struct el_metric *metric, struct reads *r,
                               struct el_error *error)
{
	const struct visit visit = library_enter(library);
	const bool good = add_probed(visit.catalogue, slice, metric, r);
	library_leave(visit);
	return conclude(good, error);
}

enum el_status reads_of_derived(struct el_library *library, const struct el_slice *slice,
                                const struct el_metric *metric, struct reads *r,
                                struct el_error *error)
{
	const struct visit visit = library_enter(library);
	const bool good = add_derived(visit.catalogue, slice, metric, r);
	library_leave(visit);
	return conclude(good, error);
}

enum el_status reads_of_nothing(const struct el_slice *slice, const struct el_metric *metric,
                                struct reads *r, struct el_error *error)
{
	return conclude(add(r, slice, metric, 0), error);
}

enum el_status reads_of_planes(struct el_library *library, const struct el_planes *planes,
                               struct reads *r, struct el_error *error)
{
	const struct el_origin *from = &planes->origin;
	if (!from->metric || has(r, planes->slice.name, from->metric->name))
		return EL_OK;
	const bool good = add(r, &planes->slice, from->metric, from->identity);
	return good && from->is_derived
	               ? reads_of_derived(library, &planes->slice, from->metric, r, error)
	               : conclude(good, error);
}

/* ---- comparing ---- */

uint64_t reads_identity(const struct reads *r)
{
	uint64_t identity = 0;
	for (size_t i = 0; i < r->count; i++) {
		uint8_t bytes[2 * 8 + 2 * EL_SLICE_MAX];
		put_le(bytes, 8, identity);
		put_le(bytes + 8, 8, r->list[i].identity);
		const int length = snprintf((char *)bytes + 16, sizeof bytes - 16, "%s %s",
		                            r->list[i].slice, r->list[i].metric);
		identity = table_checksum(bytes, 16 + (size_t)length);
	}
	return identity;
}

static bool is_in(const struct holding *list, const struct read *read)
{
	for (; list; list = list->next)
		if (list->source && !strcmp(list->source->metric->name, read->metric) &&
		    source_identity(list->source) == read->identity)
			return true;
	return false;
}

bool reads_has(const struct catalogue *c, const struct read *read)
{
	struct el_slice slice;
	if (el_slice_parse(read->slice, &slice, NULL))
		return false;
	const struct route *route = catalogue_route(c, slice.game, slice.key);
	if (!read->identity) {
		const struct el_metric *metric = el_metric_find(read->metric);
		return metric && !catalogue_answering(route, metric);
	}
	return is_in(route->tables, read) || is_in(route->doubles, read);
}
