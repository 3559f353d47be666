/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue.h"

#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- routes ---- */

/* The slice's entry, or the empty one where it belongs. */
static struct route *route_entry(struct catalogue *c, const struct el_slice *slice)
{
	size_t i = catalogue_hash(slice->key) & c->mask;
	while (c->routes[i].game &&
	       (c->routes[i].key != slice->key || c->routes[i].game != slice->game))
		i = (i + 1) & c->mask;
	c->routes[i].game = slice->game;
	c->routes[i].key = slice->key;
	return &c->routes[i];
}

/* Less than half full, whatever the files hold. */
static enum el_status make_routes(struct catalogue *c)
{
	size_t size = 2;
	while (size <= 2 * c->count)
		size *= 2;
	c->routes = calloc(size, sizeof *c->routes);
	c->mask = size - 1;
	return c->routes ? EL_OK : EL_MEMORY;
}

/* Depths imply the outcome, so a metric without depths is answered from any that has them: where it
   has no table of its own, or one that knows some outcomes within bounds alone. */
static void find_answers(struct route *r)
{
	for (size_t m = 0; m < EL_METRICS; m++) {
		if (!r->answers[m])
			r->answers[m] = r->holds[m];
		for (size_t other = 0; other < EL_METRICS && !el_metrics[m]->has_depth; other++)
			if (r->holds[other] && (!r->answers[m] || r->answers[m]->partial))
				r->answers[m] = r->holds[other];
	}
}

/* ---- holdings ---- */

static struct el_source *find_unchanged(const struct catalogue *old, const struct found *file)
{
	for (size_t i = 0; old && i < old->count; i++) {
		struct el_source *source = old->holdings[i].source;
		if (source && source->check != EL_CHECK_DAMAGED &&
		    scan_same(&old->holdings[i].file, file))
			return source;
	}
	return NULL;
}

static bool holds(const struct catalogue *c, const struct el_source *source)
{
	for (size_t i = 0; c && i < c->count; i++)
		if (c->holdings[i].source == source)
			return true;
	return false;
}

const char *catalogue_reason(const char *path, const char *error)
{
	const size_t named = strlen(path);
	const bool again = !strncmp(error, path, named) && !strncmp(error + named, ": ", 2);
	return error + (again ? named + 2 : 0);
}

/* Null with h->ignored set when the file cannot be used; EL_MEMORY only. */
static enum el_status open_source(struct holding *h, struct el_cache *cache, struct checks *checks,
                                  const struct catalogue *old)
{
	struct el_error error = {.text = ""};
	h->source = find_unchanged(old, &h->file);
	if (h->source)
		return EL_OK;
	if (!h->file.kind)
		el_fail(&error, EL_IO, "%s: cannot read: %s", h->file.path,
		        strerrordesc_np(h->file.fault));
	else if (!h->file.kind->open(h->file.path, cache, &h->source, &error)) {
		if (!checks_begin(checks, h->source, &error))
			return EL_OK;
		h->source->ops->close(h->source);
	}
	h->source = NULL;
	h->ignored = strdup(catalogue_reason(h->file.path, error.text));
	return h->ignored ? EL_OK : EL_MEMORY;
}

/* A second table of the same slice and metric is not used. */
static enum el_status ignore_double(struct holding *h, const struct el_source *first,
                                    const struct catalogue *old)
{
	struct el_source *source = h->source;
	h->source = NULL;
	if (asprintf(&h->ignored, "%s %s is taken from %s", source->slice.name,
	             source->metric->name, first->path) < 0)
		h->ignored = NULL;
	if (!holds(old, source))
		source->ops->close(source);
	return h->ignored ? EL_OK : EL_MEMORY;
}

static struct holding *holding_of(struct catalogue *c, const struct el_source *source)
{
	struct holding *h = c->holdings;
	while (h->source != source)
		h++;
	return h;
}

/*
 * A table that knows outcomes within bounds alone gives way to an exact one. When that is another
 * program's, it answers, and ours is kept for what reads whole planes.
 */
static enum el_status add_double(struct catalogue *c, struct holding *h, struct route *route,
                                 const struct catalogue *old)
{
	const size_t rank = el_metric_rank(h->source->metric);
	struct el_source **place = &route->holds[rank];
	if (!(*place)->partial || h->source->partial || route->answers[rank])
		return ignore_double(h, *place, old);
	if (!h->source->ops->read) {
		route->answers[rank] = h->source;
		return EL_OK;
	}
	struct holding *before = holding_of(c, *place);
	*place = h->source;
	return ignore_double(before, h->source, old);
}

static enum el_status add_holding(struct catalogue *c, struct holding *h, struct el_cache *cache,
                                  struct checks *checks, const struct catalogue *old)
{
	enum el_status status = open_source(h, cache, checks, old);
	if (status || !h->source)
		return status;
	struct route *route = route_entry(c, &h->source->slice);
	struct el_source **place = &route->holds[el_metric_rank(h->source->metric)];
	if (*place)
		return add_double(c, h, route, old);
	*place = h->source;
	return EL_OK;
}

/* ---- the catalogue ---- */

static enum el_status fill(struct catalogue *c, struct scan *scan, struct el_cache *cache,
                           struct checks *checks, const struct catalogue *old)
{
	c->holdings = calloc(scan->count + 1, sizeof *c->holdings);
	if (!c->holdings)
		return EL_MEMORY;
	for (; c->count < scan->count; c->count++) {
		c->holdings[c->count].file = scan->files[c->count];
		scan->files[c->count].path = NULL;
	}
	enum el_status status = make_routes(c);
	for (size_t i = 0; i < c->count && !status; i++)
		status = add_holding(c, &c->holdings[i], cache, checks, old);
	for (size_t i = 0; i <= c->mask && !status; i++)
		find_answers(&c->routes[i]);
	return status;
}

enum el_status catalogue_make(struct scan *scan, struct el_cache *cache, struct checks *checks,
                              const struct catalogue *old, struct catalogue **out,
                              struct el_error *error)
{
	struct catalogue *c = calloc(1, sizeof *c);
	enum el_status status = c ? fill(c, scan, cache, checks, old) : EL_MEMORY;
	if (status) {
		catalogue_free(c, old);
		return el_fail(error, status, "the list of tables: out of memory");
	}
	*out = c;
	return EL_OK;
}

void catalogue_free(struct catalogue *c, const struct catalogue *other)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++) {
		struct holding *h = &c->holdings[i];
		if (h->source && !holds(other, h->source))
			h->source->ops->close(h->source);
		free(h->ignored);
		free(h->file.path);
	}
	free(c->holdings);
	free(c->routes);
	free(c);
}
