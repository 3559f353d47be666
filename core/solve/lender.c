/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lender.h"

#include <stdlib.h>

/* ---- planes from the library ---- */

uint64_t planes_bytes(const struct el_planes *planes)
{
	uint64_t bytes = 0;
	for (unsigned i = 0; i < planes->slice.planes; i++)
		bytes += planes->slice.positions * (sizeof *planes->plane[i].symbols +
		                                    (planes->plane[i].derivable != NULL)) +
		         planes->plane[i].value_count * sizeof *planes->plane[i].values;
	return bytes;
}

/* Was there nothing to be read? Another table may know, then. */
static bool is_lacking(struct el_library *library, const struct el_slice *slice,
                       const struct el_metric *metric, enum el_status status)
{
	return status == EL_NEGATIVE || (status && el_library_find(library, slice, metric, NULL));
}

enum el_status planes_read_off(struct el_library *library, const struct el_slice *slice,
                               const struct el_metric *from, const struct el_metric *metric,
                               struct el_planes *out, struct el_error *error)
{
	struct el_planes planes;
	enum el_status status = el_library_planes(library, slice, from, NULL, &planes, error);
	if (status)
		return status;
	if (el_planes_partial(&planes))
		status = el_fail(error, EL_NEGATIVE, "%s: its %s table holds bounds", slice->name,
		                 from->name);
	else if (planes.rounded && metric->has_depth)
		status = el_fail(error, EL_NEGATIVE, "%s: its %s table rounds", slice->name,
		                 from->name);
	else
		status = el_planes_read(&planes, metric, out, error);
	el_planes_free(&planes);
	return status;
}

/* From the first other table that tells the metric. Where none is, a file that should be one is
   told. */
static enum el_status obtain_told(struct el_library *library, const struct el_slice *slice,
                                  const struct el_metric *metric, struct el_planes *out,
                                  struct el_error *error)
{
	enum el_status found = el_fail(error, EL_NEGATIVE, "%s: no other table of ours tells %s",
	                               slice->name, metric->name);
	const struct el_metric *from = NULL;
	while ((from = el_library_next_metric(library, slice, from))) {
		struct el_error one;
		if (from == metric || !el_metric_tells(from, metric))
			continue;
		enum el_status status = planes_read_off(library, slice, from, metric, out, &one);
		if (!status)
			return EL_OK;
		if (!is_lacking(library, slice, from, status))
			return el_fail(error, status, "%s", one.text);
		if (found == EL_NEGATIVE && status != EL_NEGATIVE)
			found = el_fail(error, status, "%s", one.text);
	}
	return found;
}

/* Values from a table that knows all of them, before those of a partial one. */
static enum el_status obtain_better(struct el_library *library, struct el_planes *planes,
                                    bool bounds, struct el_error *error)
{
	struct el_planes exact;
	enum el_status status =
		obtain_told(library, &planes->slice, planes->metric, &exact, error);
	if (status == EL_NEGATIVE && bounds)
		return EL_OK;
	if (status == EL_NEGATIVE)
		el_fail(error, status, "%s: its table holds bounds, and no other table the outcomes",
		        planes->slice.name);
	el_planes_free(planes);
	if (status == EL_OK)
		*planes = exact;
	return status;
}

static enum el_status obtain(struct el_library *library, const struct el_slice *slice,
                             const struct el_metric *metric, bool bounds, struct el_planes *out,
                             struct el_error *error)
{
	struct el_error other;
	enum el_status status = el_library_planes(library, slice, metric, NULL, out, error);
	if (status == EL_OK && el_planes_partial(out))
		return obtain_better(library, out, bounds, error);
	if (status == EL_OK || !is_lacking(library, slice, metric, status))
		return status;
	enum el_status found = obtain_told(library, slice, metric, out, &other);
	if (found == EL_OK)
		return EL_OK;
	/* What is wrong with the table itself says more than what is wrong with another one. */
	return status != EL_NEGATIVE || found == EL_NEGATIVE
	               ? status
	               : el_fail(error, found, "%s", other.text);
}

enum el_status planes_obtain(struct el_library *library, const struct el_slice *slice,
                             const struct el_metric *metric, struct el_planes *out,
                             struct el_error *error)
{
	return obtain(library, slice, metric, false, out, error);
}

enum el_status planes_obtain_bounds(struct el_library *library, const struct el_slice *slice,
                                    const struct el_metric *metric, struct el_planes *out,
                                    struct el_error *error)
{
	return obtain(library, slice, metric, true, out, error);
}

/* ---- the lender ---- */

struct shelf {
	struct el_planes planes; /* first: a borrower's pointer is a pointer to its shelf */
	struct shelf *next;      /* the most recently used first */
	uint64_t bytes;
	bool partial;
	unsigned borrowers;
};

struct lender {
	struct el_library *library;
	struct shelf *shelves;
	uint64_t bytes;        /* of all shelves */
	bool bounds;           /* partial planes are lent too */
};

struct lender *lender_open(struct el_library *library)
{
	struct lender *l = malloc(sizeof *l);
	if (l)
		*l = (struct lender){.library = library};
	return l;
}

void lender_accept_bounds(struct lender *l, bool bounds)
{
	l->bounds = bounds;
}

static void shelf_free(struct shelf *s)
{
	el_planes_free(&s->planes);
	free(s);
}

void lender_close(struct lender *l)
{
	while (l->shelves) {
		struct shelf *s = l->shelves;
		l->shelves = s->next;
		shelf_free(s);
	}
	free(l);
}

/* The link to the last shelf that nobody has borrowed; null when there is none. */
static struct shelf **oldest_idle(struct lender *l)
{
	struct shelf **oldest = NULL;
	for (struct shelf **link = &l->shelves; *link; link = &(*link)->next)
		if (!(*link)->borrowers)
			oldest = link;
	return oldest;
}

static void make_room(struct lender *l)
{
	struct shelf **link;
	while (l->bytes > LENDER_BUDGET && (link = oldest_idle(l))) {
		struct shelf *s = *link;
		*link = s->next;
		l->bytes -= s->bytes;
		shelf_free(s);
	}
}

/* Takes the planes of `slice` off the list; null when they are not on it. */
static struct shelf *shelf_take(struct lender *l, const struct el_slice *slice,
                                const struct el_metric *metric)
{
	for (struct shelf **link = &l->shelves; *link; link = &(*link)->next) {
		struct shelf *s = *link;
		const bool fits = l->bounds || !s->partial;
		if (fits && el_slice_equal(&s->planes.slice, slice) && s->planes.metric == metric) {
			*link = s->next;
			return s;
		}
	}
	return NULL;
}

static struct shelf *shelf_put(struct lender *l, struct shelf *s)
{
	s->next = l->shelves;
	return l->shelves = s;
}

static struct shelf *shelf_new(struct lender *l, const struct el_planes *planes)
{
	struct shelf *s = malloc(sizeof *s);
	if (!s)
		return NULL;
	*s = (struct shelf){
		.planes = *planes,
		.bytes = planes_bytes(planes),
		.partial = el_planes_partial(planes),
	};
	l->bytes += s->bytes;
	return shelf_put(l, s);
}

void lender_keep(struct lender *l, struct el_planes *planes)
{
	if (!shelf_new(l, planes))
		el_planes_free(planes); /* it can be read again */
	*planes = (struct el_planes){0};
	make_room(l);
}

static enum el_status shelf_read(struct lender *l, const struct el_slice *slice,
                                 const struct el_metric *metric, struct shelf **out,
                                 struct el_error *error)
{
	struct el_planes planes;
	enum el_status status = obtain(l->library, slice, metric, l->bounds, &planes, error);
	if (status != EL_OK)
		return status;
	*out = shelf_new(l, &planes);
	if (*out)
		return EL_OK;
	el_planes_free(&planes);
	return el_fail(error, EL_MEMORY, "out of memory for %s %s", slice->name, metric->name);
}

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *solved, const struct el_planes **out,
                           struct el_error *error)
{
	struct lender *l = context;
	const struct el_metric *metric = el_metric_entered(solved);
	struct shelf *s = shelf_take(l, slice, metric);
	if (s)
		shelf_put(l, s);
	else {
		enum el_status status = shelf_read(l, slice, metric, &s, error);
		if (status != EL_OK)
			return status;
	}
	s->borrowers++;
	make_room(l);
	*out = &s->planes;
	return EL_OK;
}

static void give_back(void *context, const struct el_planes *planes)
{
	struct lender *l = context;
	struct shelf *s = (struct shelf *)(uintptr_t)planes;
	s->borrowers--;
	make_room(l);
}

struct el_lender lender_interface(struct lender *l)
{
	return (struct el_lender){.context = l, .lend = lend, .give_back = give_back};
}
