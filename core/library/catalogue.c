/* SPDX-License-Identifier: MIT */
#include "catalogue.h"

#include "checks.h"
#include "core/base/array.h"
#include "core/base/text.h"
#include "core/os/files.h"
#include "library.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- routes ---- */

/* The slice's entry, or the empty entry where it belongs. */
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

/* ---- questions ---- */

const struct el_source *catalogue_find(const struct catalogue *c, const struct el_slice *slice,
                                       const struct el_metric *metric)
{
	const struct holding *h = catalogue_route(c, slice->game, slice->key)->tables;
	const struct el_source *found = NULL;
	for (; h; h = h->next)
		if (h->metric == metric && (!found || h->source->ops->read))
			found = h->source;
	return found;
}

struct el_source *catalogue_answering(const struct route *route, const struct el_metric *metric)
{
	struct el_source *told = NULL, *found = NULL;
	for (const struct holding *h = route->tables; h; h = h->next) {
		if (h->metric == metric && !h->source->partial)
			return h->source;
		/* A table that has only plies knows no outcomes. */
		if (!told && el_metric_tells(h->metric, metric) &&
		    (!h->source->plies_only || metric->has_depth))
			told = h->source;
		if (el_metric_finds(h->metric, metric))
			found = h->source;
	}
	return found && (!told || told->partial) ? found : told;
}

bool catalogue_tells(const struct el_source *source, const struct el_metric *metric)
{
	return source->metric == metric || el_metric_finds(source->metric, metric) ||
	       (el_metric_tells(source->metric, metric) &&
	        (!source->plies_only || metric->has_depth));
}

const struct holding *catalogue_study(const struct catalogue *c, const struct holding *after,
                                      const struct el_game *game, const struct el_position *p)
{
	const struct holding *h = after ? after->next : c->studies;
	while (h && (h->source->slice.game != game || !h->source->ops->covers(h->source, p)))
		h = h->next;
	return h;
}

bool catalogue_studies_tell(const struct catalogue *c, const struct el_metric *metric)
{
	const struct holding *h = c->studies;
	while (h && !(el_metric_tells(h->metric, metric) || source_in_time(h->source, metric)))
		h = h->next;
	return h;
}

/* One of exactly this metric, else one that tells it. */
static struct el_source *first_of_kind(const struct holding *list, const char *kind,
                                       const struct el_metric *metric)
{
	struct el_source *teller = NULL;
	for (const struct holding *h = list; h; h = h->next) {
		if (h->source->partial || strcmp(h->source->ops->kind, kind))
			continue;
		if (h->source->metric == metric)
			return h->source;
		if (!teller && catalogue_tells(h->source, metric))
			teller = h->source;
	}
	return teller;
}

struct el_source *catalogue_of_kind(const struct route *route, const char *kind,
                                    const struct el_metric *metric)
{
	struct el_source *found = first_of_kind(route->tables, kind, metric);
	return found ? found : first_of_kind(route->doubles, kind, metric);
}

const struct holding *catalogue_fault(const struct route *route, const struct el_metric *metric)
{
	const struct holding *found = NULL;
	for (const struct holding *h = route->faults; h; h = h->next) {
		if (h->metric == metric)
			return h;
		if (!found &&
		    (el_metric_tells(h->metric, metric) || el_metric_finds(h->metric, metric)))
			found = h;
	}
	return found;
}

bool catalogue_lacks(const struct route *route)
{
	const struct holding *fault = catalogue_fault(route, &el_wdl);
	return !catalogue_answering(route, &el_wdl) && (!fault || fault->status == EL_NEGATIVE);
}

/* ---- faults ---- */

enum el_status catalogue_tell(const struct holding *fault, struct el_error *error)
{
	return el_fail(error, fault->status, "%s: %s", fault->file.path, fault->ignored);
}

struct el_faults {
	pthread_mutex_t lock; /* guards the rest */
	struct fault {
		char *path; /* owned */
		struct el_error error;
	} * list;
	size_t count, told;
};

struct el_faults *el_faults_open(void)
{
	struct el_faults *f = calloc(1, sizeof *f);
	if (f)
		pthread_mutex_init(&f->lock, NULL);
	return f;
}

void el_faults_close(struct el_faults *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++)
		free(f->list[i].path);
	pthread_mutex_destroy(&f->lock);
	free(f->list);
	free(f);
}

bool el_faults_next(struct el_faults *f, struct el_error *out)
{
	pthread_mutex_lock(&f->lock);
	const bool found = f->told < f->count;
	if (found)
		*out = f->list[f->told++].error;
	pthread_mutex_unlock(&f->lock);
	return found;
}

/* Without memory, the status of the answer tells. */
void faults_note(struct el_faults *f, const char *path, const struct el_error *error)
{
	if (!f || !error)
		return;
	pthread_mutex_lock(&f->lock);
	size_t i = 0;
	while (i < f->count && strcmp(f->list[i].path, path))
		i++;
	char *copy = i == f->count && array_grow(&f->list, f->count, 1, sizeof *f->list)
	                     ? strdup(path)
	                     : NULL;
	if (copy)
		f->list[f->count++] = (struct fault){copy, *error};
	pthread_mutex_unlock(&f->lock);
}

/* ---- holdings ---- */

/* Behind those that a list has. */
static void append(struct holding **list, struct holding *h)
{
	while (*list)
		list = &(*list)->next;
	*list = h;
	h->next = NULL;
}

const char *catalogue_reason(const char *path, const char *error)
{
	char shown[sizeof((struct el_error *)0)->text]; /* the path as errors show it */
	el_show(path, shown, sizeof shown);
	const size_t named = strlen(shown);
	const bool again = !strncmp(error, shown, named) && !strncmp(error + named, ": ", 2);
	return error + (again ? named + 2 : 0);
}

/* Opens only regular files: opening a pipe would wait for a writer. */
static enum el_status open_file(struct holding *h, struct el_cache *cache, struct checks *checks,
                                struct el_error *error)
{
	const struct found *file = &h->file;
	if (file->fault)
		return el_fail(error, EL_IO, "%s: cannot %s: %s", file->path,
		               file->kind ? "open" : "read", strerror(file->fault));
	if (!S_ISREG(file->stat.st_mode))
		return file_not_regular(file->path, file->stat.st_mode, error);
	if (!file->kind->open)
		return el_fail(error, EL_NEGATIVE, "%s", file->kind->unread);
	if (!file->stat.st_size)
		return el_fail(error, EL_DAMAGED, "%s: expected a table, found an empty file",
		               file->path);
	enum el_status status = file->kind->open(file->path, cache, &h->source, error);
	if (status)
		return status;
	status = checks_begin(checks, h->source, error);
	if (status)
		h->source->ops->close(h->source);
	return status;
}

/* If the file cannot be used, h->source stays null and h->ignored says why. Fails only with
   EL_MEMORY. `before`: the entry in the old catalogue, perhaps of this file; or null. */
static enum el_status open_source(struct holding *h, struct el_cache *cache, struct checks *checks,
                                  const struct holding *before, struct el_error *error)
{
	struct el_error why;
	enum el_status status = EL_OK;
	if (before && before->source && before->source->check != EL_CHECK_DAMAGED &&
	    scan_same(&before->file, &h->file))
		h->source = before->source;
	else
		status = open_file(h, cache, checks, &why);
	if (!status) {
		h->source->users++;
		return EL_OK;
	}
	h->source = NULL;
	if (status == EL_MEMORY)
		return el_fail(error, status, "%s", why.text);
	h->ignored = strdup(catalogue_reason(h->file.path, why.text));
	h->status = status;
	if (!h->file.kind || !h->file.kind->named ||
	    !h->file.kind->named(h->file.path, &h->slice, &h->metric))
		h->metric = NULL;
	return h->ignored ? EL_OK : EL_MEMORY;
}

/* A second table of the same slice and metric does not answer. */
static enum el_status add_double(struct route *route, struct holding *h,
                                 const struct el_source *first)
{
	append(&route->doubles, h);
	h->metric = NULL;
	if (asprintf(&h->ignored, "%s %s is taken from %s", h->source->slice.name,
	             h->source->metric->name, first->path) < 0)
		h->ignored = NULL;
	return h->ignored ? EL_OK : EL_MEMORY;
}

/*
 * A table that knows values only within bounds gives way to an exact one. If another program made
 * that, it answers, and ours is kept for reading whole planes.
 */
static enum el_status add_route(struct catalogue *c, struct holding *h)
{
	if (!h->source)
		return EL_OK;
	if (h->source->ops->covers) {
		h->metric = h->source->metric;
		append(&c->studies, h);
		return EL_OK;
	}
	struct route *route = route_entry(c, &h->source->slice);
	struct holding **first = &route->tables, **place = &route->tables;
	while (*first && (*first)->metric != h->source->metric)
		first = &(*first)->next;
	if (*first && (h->source->partial || !(*first)->source->partial))
		return add_double(route, h, (*first)->source);
	enum el_status status = EL_OK;
	if (*first && h->source->ops->read) {
		struct holding *before = *first;
		*first = before->next;
		status = add_double(route, before, h->source);
	}
	/* After the tables that are better or equally good. */
	while (*place && ((*place)->source->partial < h->source->partial ||
	                  ((*place)->source->partial == h->source->partial &&
	                   el_metric_compare((*place)->metric, h->source->metric) <= 0)))
		place = &(*place)->next;
	h->metric = h->source->metric;
	h->next = *place;
	*place = h;
	return status;
}

/* ---- the catalogue ---- */

static enum el_status fill(struct catalogue *c, struct scan *scan, struct el_cache *cache,
                           struct checks *checks, const struct catalogue *old,
                           struct el_error *error)
{
	c->holdings = calloc(scan->count + 1, sizeof *c->holdings);
	if (!c->holdings)
		return EL_MEMORY;
	for (; c->count < scan->count; c->count++) {
		c->holdings[c->count].file = scan->files[c->count];
		scan->files[c->count].path = NULL;
	}
	/* Routes stay less than half full, whatever the files hold. */
	size_t size = 2;
	while (size <= 2 * c->count)
		size *= 2;
	c->routes = calloc(size, sizeof *c->routes);
	c->mask = size - 1;
	enum el_status status = c->routes ? EL_OK : EL_MEMORY;
	/* Both lists have the same order, so one walk finds each file's previous entry. */
	const struct holding *before = old ? old->holdings : NULL;
	const struct holding *end = old ? before + old->count : NULL;
	for (struct holding *h = c->holdings; h < c->holdings + c->count && !status; h++) {
		while (before < end && scan_order(&before->file, &h->file) < 0)
			before++;
		status = open_source(h, cache, checks, before < end ? before : NULL, error);
		if (!status)
			status = add_route(c, h);
	}
	/* Adds faults from last to first, so that the first is in front. */
	for (size_t i = c->count; i-- > 0 && !status;) {
		struct holding *h = &c->holdings[i];
		if (h->source || !h->metric)
			continue;
		struct route *route = route_entry(c, &h->slice);
		h->next = route->faults;
		route->faults = h;
	}
	return status;
}

enum el_status catalogue_make(struct scan *scan, struct el_cache *cache, struct checks *checks,
                              const struct catalogue *old, struct catalogue **out,
                              struct el_error *error)
{
	struct el_error why = {.text = "the list of tables: out of memory"};
	struct catalogue *c = calloc(1, sizeof *c);
	enum el_status status = c ? fill(c, scan, cache, checks, old, &why) : EL_MEMORY;
	if (status) {
		catalogue_free(c);
		return el_fail(error, status, "%s", why.text);
	}
	*out = c;
	return EL_OK;
}

void catalogue_free(struct catalogue *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++) {
		struct holding *h = &c->holdings[i];
		if (h->source && --h->source->users == 0)
			h->source->ops->close(h->source);
		free(h->ignored);
		free(h->file.path);
	}
	free(c->holdings);
	free(c->routes);
	free(c);
}
