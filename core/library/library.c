/* SPDX-License-Identifier: MIT */
/* The library: one catalogue at a time, replaced as a whole by a rescan. */
#include "checks.h"
#include "copies.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "visit.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CACHE_DEFAULT = 256 << 20, /* all DTM tables of 3 and 4 pieces fit */
	LOOK_SECONDS = 1,          /* at least, between rescans that nobody asked for */
	FOLDERS_NAMED = 3,         /* in a message; it counts the others */
	FOLDERS_MAX = 256,
};

struct el_library {
	char *directory, *paths;
	char *searched; /* `paths`, and the folder of answers from elsewhere */
	const struct el_elsewhere *elsewhere;
	char folders[FOLDERS_MAX]; /* in words */
	struct el_cache *cache;
	struct checks *checks;
	struct el_faults *faults;
	struct copies *copies;
	pthread_mutex_t listed; /* guards `summary_fault` */
	struct el_error summary_fault;
	pthread_mutex_t rescan; /* one at a time; guards `looked` too */
	double looked;          /* when library_look_again last did; seconds */
	struct readers readers;
	struct catalogue *_Atomic catalogue; /* visited by each probe, replaced by a rescan */
	_Atomic double pace;
};

const char *el_library_paths(const struct el_library *library)
{
	return library->paths;
}

const struct el_elsewhere *el_library_elsewhere(const struct el_library *library)
{
	return library->elsewhere;
}

struct copies *library_copies(struct el_library *library)
{
	return library->copies;
}

void el_library_set_pace(struct el_library *library, double pace)
{
	library->pace = pace;
}

double el_library_pace(struct el_library *library)
{
	return library->pace;
}

struct visit library_enter(struct el_library *library)
{
	const struct visitor visitor = readers_enter(&library->readers);
	return (struct visit){library->catalogue, visitor};
}

void library_leave(struct visit visit)
{
	readers_leave(visit.visitor);
}

/* Once all present visitors have left, no probe uses the old catalogue any more. */
static enum el_status rescan(struct el_library *l, struct el_error *error)
{
	struct catalogue *new, *old = l->catalogue;
	struct scan scan;
	enum el_status status = scan_check_directory(l->directory, error);
	if (!status)
		status = scan_folders(false, l->directory, l->searched, &scan, error);
	if (status)
		return status;
	status = catalogue_make(&scan, l->cache, l->checks, old, &new, error);
	scan_free(&scan);
	if (status)
		return status;
	new->folders = l->folders;
	l->catalogue = new;
	readers_wait(&l->readers);
	checks_follow(l->checks, new);
	catalogue_free(old);
	return EL_OK;
}

enum el_status el_library_rescan(struct el_library *l, struct el_error *error)
{
	pthread_mutex_lock(&l->rescan);
	enum el_status status = rescan(l, error);
	pthread_mutex_unlock(&l->rescan);
	return status;
}

/* A file that cannot be read may have been replaced since it was opened. On a failing disk every
   probe would rescan all folders, so this does it only now and then. */
bool library_look_again(struct el_library *l, enum el_status status)
{
	if (status != EL_IO)
		return false;
	pthread_mutex_lock(&l->rescan);
	bool again = clock_seconds() - l->looked >= LOOK_SECONDS;
	if (again) {
		again = !rescan(l, NULL);
		l->looked = clock_seconds(); /* the rescan may take longer than LOOK_SECONDS */
	}
	pthread_mutex_unlock(&l->rescan);
	return again;
}

bool el_library_may_ask(const struct el_library *l, const struct el_game *game,
                        const struct el_position *position)
{
	const struct el_elsewhere *e = l->elsewhere;
	return e && game == e->game && !position->castling && el_piece_count(position) <= e->pieces;
}

enum el_status el_library_ask(struct el_library *l, const struct el_game *game,
                              const struct el_position *position, const struct el_watch *watch,
                              struct el_error *error)
{
	const struct el_elsewhere *e = l->elsewhere;
	if (!el_library_may_ask(l, game, position))
		return el_fail(error, EL_NEGATIVE, "nobody else knows it");
	const enum el_status status = e->ask(e->context, game, position, watch, error);
	return status ? status : el_library_rescan(l, error);
}

/* ---- the folders in words ---- */

/* Writes a folder inside the home with "~". */
static void name_folder(char out[FOLDERS_MAX], const char *folder, size_t length, const char *home)
{
	char name[PATH_MAX];
	const size_t used = strlen(out), from = home ? strlen(home) : 0;
	const bool inside = from && length >= from && !strncmp(folder, home, from) &&
	                    (length == from || folder[from] == '/');
	const size_t skipped = inside ? from : 0;
	snprintf(name, sizeof name, "%s%s%.*s", used ? ", " : "", inside ? "~" : "",
	         (int)(length - skipped), folder + skipped);
	el_show(name, out + used, FOLDERS_MAX - used);
}

static void name_folders(struct el_library *l, const char *home)
{
	size_t count = 1;
	name_folder(l->folders, l->directory, strlen(l->directory), home);
	for (const char *at = l->paths, *end; *at; at = end + (*end == ':')) {
		end = strchrnul(at, ':');
		const size_t length = (size_t)(end - at);
		if (!length || (!strncmp(at, l->directory, length) && !l->directory[length]))
			continue; /* named already */
		if (count++ < FOLDERS_NAMED)
			name_folder(l->folders, at, length, home);
	}
	if (count > FOLDERS_NAMED)
		el_text_add(l->folders, sizeof l->folders, " and %zu more", count - FOLDERS_NAMED);
}

/* ---- a library ---- */

enum el_status el_library_open(const struct el_library_options *options, struct el_library **out,
                               struct el_error *error)
{
	struct el_library *l = aligned_alloc(_Alignof(struct el_library), sizeof *l);
	if (!l)
		return el_fail(error, EL_MEMORY, "library: out of memory");
	*l = (struct el_library){0};
	pthread_mutex_init(&l->rescan, NULL);
	pthread_mutex_init(&l->listed, NULL);
	l->directory = strdup(options->directory);
	l->paths = strdup(options->paths ? options->paths : "");
	l->elsewhere = options->elsewhere;
	if (asprintf(&l->searched, "%s:%s", options->paths ? options->paths : "",
	             l->elsewhere ? l->elsewhere->folder : "") < 0)
		l->searched = NULL;
	l->faults = el_faults_open();
	l->copies = copies_new();
	if (l->directory && l->paths)
		name_folders(l, options->home);
	size_t bytes = options->cache_bytes ? options->cache_bytes : CACHE_DEFAULT;
	enum el_status status = l->directory && l->paths && l->searched && l->faults && l->copies
	                                ? el_cache_open(bytes, &l->cache, error)
	                                : el_fail(error, EL_MEMORY, "library: out of memory");
	if (!status)
		status = checks_open(options->checked, &l->checks, error);
	if (!status)
		status = rescan(l, error);
	if (status)
		el_library_close(l);
	else
		*out = l;
	return status;
}

void el_library_close(struct el_library *l)
{
	if (!l)
		return;
	checks_close(l->checks);
	catalogue_free(l->catalogue);
	el_cache_close(l->cache);
	el_faults_close(l->faults);
	copies_free(l->copies);
	pthread_mutex_destroy(&l->rescan);
	pthread_mutex_destroy(&l->listed);
	free(l->directory);
	free(l->paths);
	free(l->searched);
	free(l);
}

enum el_status el_library_places(const struct el_library_options *options,
                                 void (*tell)(void *context, const char *path), void *context,
                                 struct el_error *error)
{
	struct scan scan = {.count = 0};
	char *paths = strdup(options->paths ? options->paths : ""), *rest = paths;
	enum el_status status = paths ? scan_folders(false, options->directory, paths, &scan, error)
	                              : el_fail(error, EL_MEMORY, "library: out of memory");
	const char *root = status ? NULL : options->directory, *last = "";
	for (unsigned folder = 0; root; folder++) {
		tell(context, root);
		for (size_t i = 0; i < scan.count; i++) {
			char *path = scan.files[i].path, *slash = strrchr(path, '/');
			struct stat is;
			path[el_source_file_length(path)] = '\0';
			if (scan.files[i].folder != folder || !slash || !strcmp(path, root))
				continue;
			if (!lstat(path, &is) && S_ISLNK(is.st_mode))
				tell(context, path);
			*slash = '\0'; /* its folder, perhaps behind a link */
			if (strcmp(path, last))
				tell(context, path);
			last = path;
		}
		while ((root = strsep(&rest, ":")) && !*root)
			;
	}
	scan_free(&scan);
	free(paths);
	return status;
}

struct el_faults *el_library_faults(struct el_library *l)
{
	return l->faults;
}

const char *el_library_directory(const struct el_library *l)
{
	return l->directory;
}

enum el_status el_library_folder_fault(struct el_library *l, size_t place, struct el_error *error)
{
	const struct visit visit = library_enter(l);
	enum el_status status = EL_OK;
	for (size_t i = 0; i < visit.catalogue->count && !status; i++) {
		const struct holding *h = &visit.catalogue->holdings[i];
		if (!h->file.kind && !place--)
			status = catalogue_tell(h, error);
	}
	library_leave(visit);
	return status;
}

enum el_status el_library_check_fault(struct el_library *l, struct el_error *error)
{
	return checks_fault(l->checks, error);
}

void library_note_summaries(struct el_library *l, const struct el_error *fault)
{
	pthread_mutex_lock(&l->listed);
	l->summary_fault = *fault;
	pthread_mutex_unlock(&l->listed);
}

enum el_status el_library_summary_fault(struct el_library *l, struct el_error *error)
{
	pthread_mutex_lock(&l->listed);
	const struct el_error fault = l->summary_fault;
	pthread_mutex_unlock(&l->listed);
	return fault.status ? el_fail(error, fault.status, "%s", fault.text) : EL_OK;
}

void el_library_counters(struct el_library *l, struct el_cache_counters *out)
{
	el_cache_count(l->cache, out);
}

void el_library_forget(struct el_library *l, const struct el_slice *slice)
{
	if (!slice) {
		el_cache_forget(l->cache, 0);
		return;
	}
	const struct visit visit = library_enter(l);
	const struct route *route = catalogue_route(visit.catalogue, slice->game, slice->key);
	for (const struct holding *h = route->tables; h; h = h->next)
		el_cache_forget(l->cache, h->source->owner);
	library_leave(visit);
}

/* ---- which tables there are, and why one is not ---- */

bool el_library_covers(struct el_library *l, const struct el_slice *slice,
                       const struct el_metric *metric)
{
	const struct visit visit = library_enter(l);
	const bool covers = catalogue_find(visit.catalogue, slice, metric);
	library_leave(visit);
	return covers;
}

bool el_library_only_foreign(struct el_library *l, const struct el_slice *slice,
                             const struct el_metric *metric)
{
	const struct visit visit = library_enter(l);
	const struct el_source *found = catalogue_find(visit.catalogue, slice, metric);
	const bool foreign = found && !found->ops->read;
	library_leave(visit);
	return foreign;
}

char *el_library_study(struct el_library *l, const struct el_game *game,
                       const struct el_position *p)
{
	const struct visit visit = library_enter(l);
	const struct holding *h = catalogue_study(visit.catalogue, NULL, game, p);
	while (h && !h->source->root) /* answers from elsewhere */
		h = catalogue_study(visit.catalogue, h, game, p);
	char *path = h ? strdup(h->file.path) : NULL;
	library_leave(visit);
	return path;
}

/* The least metric of a list after `after`, or `best` if that is less. */
static const struct el_metric *next_in(const struct holding *list, const struct el_metric *after,
                                       const struct el_metric *best)
{
	for (const struct holding *h = list; h; h = h->next)
		if ((!after || el_metric_compare(h->metric, after) > 0) &&
		    (!best || el_metric_compare(h->metric, best) < 0))
			best = h->metric;
	return best;
}

const struct el_metric *el_library_next_metric(struct el_library *library,
                                               const struct el_slice *slice,
                                               const struct el_metric *metric)
{
	const struct visit visit = library_enter(library);
	const struct route *route = catalogue_route(visit.catalogue, slice->game, slice->key);
	const struct el_metric *next =
		next_in(route->faults, metric, next_in(route->tables, metric, NULL));
	library_leave(visit);
	return next;
}

/* The next of the tables that give way to the one which answers. */
static const struct el_source *next_double(const struct visit *visit, const struct el_slice *slice,
                                           const struct el_metric *metric, unsigned place)
{
	const struct el_source *first = catalogue_find(visit->catalogue, slice, metric);
	const struct route *route = catalogue_route(visit->catalogue, slice->game, slice->key);
	const struct holding *const lists[] = {route->tables, route->doubles};
	for (unsigned i = 0; i < 2; i++)
		for (const struct holding *h = lists[i]; h; h = h->next)
			if (h->source != first && h->source->metric == metric && !--place)
				return h->source;
	return NULL;
}

/* If `path` is null, only finds out whether there is a file. */
enum el_status library_path(struct el_library *library, const struct el_slice *slice,
                            const struct el_metric *metric, unsigned place,
                            const struct el_source_ops **kind, char **path, struct el_error *error)
{
	const struct visit visit = library_enter(library);
	const struct el_source *source = place ? next_double(&visit, slice, metric, place)
	                                       : catalogue_find(visit.catalogue, slice, metric);
	enum el_status status = EL_OK;
	if (!source && place) {
		status = EL_NEGATIVE;
	} else if (!source) {
		const struct holding *fault =
			catalogue_route(visit.catalogue, slice->game, slice->key)->faults;
		while (fault && fault->metric != metric)
			fault = fault->next;
		status = fault ? catalogue_tell(fault, error)
		               : el_fail(error, EL_NEGATIVE, "no %s table of %s in %s",
		                         metric->name, slice->name, library->directory);
	} else if (source->check == EL_CHECK_DAMAGED)
		status = el_fail(error, EL_DAMAGED, "%s", source->fault);
	else if (path && !(*path = strdup(source->path)))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	else if (path)
		*kind = source->ops;
	library_leave(visit);
	return status;
}

enum el_status el_library_find(struct el_library *library, const struct el_slice *slice,
                               const struct el_metric *metric, struct el_error *error)
{
	return library_path(library, slice, metric, 0, NULL, NULL, error);
}
