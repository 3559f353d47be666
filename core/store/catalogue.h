/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the library holds at one time: the open tables, the files that are not used, and the way
 * from a slice to its tables. A catalogue never changes; a rescan makes a new one.
 */
#ifndef STORE_CATALOGUE_H
#define STORE_CATALOGUE_H

#include "scan.h"

/* A file and what became of it. */
struct holding {
	struct found file;        /* with a path of its own */
	struct el_source *source; /* null when it is ignored */
	char *ignored;            /* why; owned; null when the source answers */
	/* Of a file that could not be opened, else EL_OK. By its name it should be a table of
	   `slice` and `metric`; null where the name does not tell. */
	enum el_status status;
	struct el_slice slice;
	const struct el_metric *metric; /* of an open one, too */
	struct holding *next;           /* in its route's list */
};

/* The tables of one slice. */
struct route {
	const struct el_game *game; /* null: an empty entry */
	uint64_t key;
	struct holding *faults; /* files that could not be opened, preferred first */
	/* Open tables, as el_metric_compare orders metrics; those that know values within bounds alone
	   come last, and may be second ones of their metric. */
	struct holding *tables;
	/* Open tables that never answer, because another does under the same metric: further opinions,
	   preferred first. They are ignored, too, and `ignored` names the other one. */
	struct holding *doubles;
};

struct catalogue {
	struct holding *holdings;
	size_t count;
	struct route *routes; /* a hash table of mask + 1 entries, never full */
	size_t mask;
	const char *folders; /* that were looked in, in words; the library's own */
};

struct checks; /* checks.h */

/*
 * Takes the scan's files over. Sources of files that have not changed come from `old` (may be
 * null) and then belong to both; others are looked at by `checks` first. EL_MEMORY: a table that
 * there was no room for is not passed over.
 */
enum el_status catalogue_make(struct scan *, struct el_cache *, struct checks *,
                              const struct catalogue *old, struct catalogue **out,
                              struct el_error *);
/* Closes what no other catalogue holds. */
void catalogue_free(struct catalogue *);

/* What an error says of a file, without the file's name, which stands beside it in lists. */
const char *catalogue_reason(const char *path, const char *error);

static inline size_t catalogue_hash(uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* Null when no file has the slice; where there is one, it may be a fault. */
static inline const struct route *catalogue_route(const struct catalogue *c,
                                                  const struct el_game *game, uint64_t key)
{
	size_t i = catalogue_hash(key) & c->mask;
	while (c->routes[i].game && (c->routes[i].key != key || c->routes[i].game != game))
		i = (i + 1) & c->mask;
	return c->routes[i].game ? &c->routes[i] : NULL;
}

/* Null when there is no table of the slice under just this metric; one that can be read as a whole
   before others. */
const struct el_source *catalogue_find(const struct catalogue *, const struct el_slice *,
                                       const struct el_metric *);
/*
 * The table that answers for a metric: its own; else one that tells it (el_metric_tells), in the
 * order of lists; else one by which a ply of search finds it (el_metric_finds). One that may answer
 * with bounds only where no other does. Null when there is none.
 */
struct el_source *catalogue_answer(const struct route *, const struct el_metric *);
/* A table of just this metric and of a kind (el_source_ops.kind), whether or not it is the one that
   answers; null when there is none. */
struct el_source *catalogue_of_kind(const struct route *, const char *kind, const struct el_metric *);
/*
 * The file that would answer for a metric, had it been opened; null when there is none. Asked where
 * nothing answers: a table that cannot be used is not one that is missing.
 */
const struct holding *catalogue_fault(const struct route *, const struct el_metric *);
/* Is there no table that knows outcomes of the slice, nor a file that should be one and cannot be used? */
bool catalogue_lacks(const struct route *);
/* Says it, and returns its status. */
enum el_status catalogue_tell(const struct holding *fault, struct el_error *);

#endif
