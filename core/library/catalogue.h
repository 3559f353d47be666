/* SPDX-License-Identifier: MIT */
/*
 * What the library holds at one moment: the open tables, the files that are not used, and the
 * tables of each slice. A catalogue never changes; a rescan makes a new one.
 */
#ifndef CORE_LIBRARY_CATALOGUE_H
#define CORE_LIBRARY_CATALOGUE_H

#include "scan.h"

#include "core/base/hash.h"

/* A file and what became of it. */
struct holding {
	struct found file;        /* its path is owned */
	struct el_source *source; /* null when it is ignored */
	char *ignored;            /* why; owned; null when the source answers */
	/* For a file that could not be opened; else EL_OK. By its name the file should hold
	   `metric` of `slice`; a null metric: the name does not tell. */
	enum el_status status;
	struct el_slice slice;
	const struct el_metric *metric; /* set for an open file as well */
	struct holding *next;           /* in its route's list */
};

/* The tables of one slice. */
struct route {
	const struct el_game *game; /* null: an empty entry */
	uint64_t key;
	struct holding *faults; /* files that could not be opened, the preferred ones first */
	/* Open tables in the order of el_metric_compare. Partial ones come last; one may be there
	   beside a complete table of its metric. */
	struct holding *tables;
	/* Open tables that never answer, because another one does under the same metric, the
	   preferred ones first. They only give further opinions. They count as ignored, and
	   `ignored` names the other table. */
	struct holding *doubles;
};

struct catalogue {
	struct holding *holdings;
	size_t count;
	struct holding *studies; /* open ones, which cover positions of any slice */
	struct route *routes;    /* a hash table of mask + 1 entries, never full */
	size_t mask;
	const char *folders; /* that were searched, in words; owned by the library */
};

struct checks;    /* checks.h */
struct el_faults; /* library.h */

/*
 * Takes over the scan's files. Sources of files that have not changed come from `old`, which may be
 * null, and then belong to both; others are checked first. EL_MEMORY even if only one table does
 * not fit: none is skipped.
 */
enum el_status catalogue_make(struct scan *, struct el_cache *, struct checks *,
                              const struct catalogue *old, struct catalogue **out,
                              struct el_error *);
/* Closes the sources that no other catalogue holds. */
void catalogue_free(struct catalogue *);

/* The text of a file's error without the file's name, which lists show anyway. */
const char *catalogue_reason(const char *path, const char *error);

static inline size_t catalogue_hash(uint64_t key)
{
	return (size_t)(key * HASH_FACTOR >> 32);
}

/* What the files of a slice are; all lists are empty if there are none. */
static inline const struct route *catalogue_route(const struct catalogue *c,
                                                  const struct el_game *game, uint64_t key)
{
	size_t i = catalogue_hash(key) & c->mask;
	while (c->routes[i].game && (c->routes[i].key != key || c->routes[i].game != game))
		i = (i + 1) & c->mask;
	return &c->routes[i];
}

/* The table of a slice under exactly this metric, preferably one that can be read as a whole; null
   if there is none. */
const struct el_source *catalogue_find(const struct catalogue *, const struct el_slice *,
                                       const struct el_metric *);
/*
 * The table that answers for a metric: its own, else the first in the order of lists that tells it
 * (el_metric_tells), else one from which a ply of search finds it (el_metric_finds). A partial
 * table answers only if no other one does. Null when there is none.
 */
struct el_source *catalogue_answering(const struct route *, const struct el_metric *);
/* Could a table answer for a metric, if no other one did? */
bool catalogue_tells(const struct el_source *, const struct el_metric *);
/* The next study (from null: the first) that covers a position; null: no more. */
const struct holding *catalogue_study(const struct catalogue *, const struct holding *after,
                                      const struct el_game *, const struct el_position *);
/* Does any study tell a metric? */
bool catalogue_studies_tell(const struct catalogue *, const struct el_metric *);
/* A table of this metric and of a kind (el_source_ops.kind), or one of the kind that tells the metric,
   whether or not it is the one that answers; null if there is none. */
struct el_source *catalogue_of_kind(const struct route *, const char *kind,
                                    const struct el_metric *);
/*
 * The file that would answer for a metric if it could be opened; null when there is none. Ask when
 * nothing answers: a table that cannot be used is not a missing one.
 */
const struct holding *catalogue_fault(const struct route *, const struct el_metric *);
/* Is there no table that knows outcomes of the slice, nor a file that should be one but cannot be
   used? */
bool catalogue_lacks(const struct route *);
/* Reports a fault, and returns its status. */
enum el_status catalogue_tell(const struct holding *fault, struct el_error *);
/* Notes that a table could not be used, unless it was noted before. `faults` may be null. */
void faults_note(struct el_faults *faults, const char *path, const struct el_error *error);

#endif
