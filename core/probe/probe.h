/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asking one catalogue, which does not change meanwhile. */
#ifndef STORE_PROBE_H
#define STORE_PROBE_H

#include "core/library/catalogue.h"
#include "core/os/readers.h"
#include "core/library/library.h"

/* The library's present catalogue, which stays until library_leave; a rescan waits for that before it ends. */
struct visit {
	const struct catalogue *catalogue;
	struct visitor visitor;
};
struct visit library_enter(struct el_library *);
void library_leave(struct visit);
/* After a probe that ended with `status`: have the folders been searched again, so that the probe is worth
   another try? Not to be called between library_enter and library_leave. */
bool library_look_again(struct el_library *, enum el_status status);

/* The file that el_library_planes reads; the caller frees *path. Errors as el_library_find. */
enum el_status library_path(struct el_library *, const struct el_slice *, const struct el_metric *,
                            char **path, struct el_error *);

/* Sets what el_library_summary_fault tells from now on. */
void library_note_summaries(struct el_library *, const struct el_error *);

/* scan_others, for the library's folders. */
enum el_status library_scan_others(struct el_library *, struct scan *out, struct el_error *);

/* The table of a slice that answers for a metric; null if there is none. `route` may be null. */
static inline struct el_source *probe_answering(const struct route *route,
                                                const struct el_metric *metric)
{
	return route ? catalogue_answer(route, metric) : NULL;
}

struct probe {
	const struct catalogue *catalogue;
	const struct el_game *game;
	const struct el_metric *metric;
	bool soft;
	/* What no table covers is EL_UNKNOWN, even where the game ends, as it was when a partial table was
	   made; else EL_NEGATIVE. */
	bool partial;
	/* A source to be heard by itself; may be null. It answers for its slice in place of the catalogue's
	   tables, under its metric and those that it tells; for other slices, tables of its kind are asked
	   before others. */
	struct el_source *by;
};

/*
 * To be called once for each position that comes from outside: EL_USAGE, with the reason, unless it is legal.
 * What a legal move leaves need not be checked. `placed` is the position's place; null if it has none.
 */
enum el_status probe_admit(const struct el_game *, const struct el_position *,
                           const struct el_place *placed, struct el_error *);

/* As el_library_value, for a legal position. */
enum el_status probe_value(const struct probe *, const struct el_position *, struct el_value *out,
                           struct el_error *);

/* The same for a position whose place is known; null if it has none. */
enum el_status probe_placed(const struct probe *, const struct el_position *,
                            const struct el_place *, struct el_value *out, struct el_error *);

/* What a source says of a position (el_source_ops.probe), under the source's metric. EL_NEGATIVE when that is
   not in memory. */
enum el_status probe_source(const struct probe *, struct el_source *, const struct el_position *,
                            const struct el_place *, struct el_value *, struct el_error *);

/* As probe_placed, from a source that knows only plies (plies.c), under its metric. */
enum el_status probe_plies(const struct probe *, struct el_source *, const struct el_position *,
                           const struct el_place *, struct el_value *out, struct el_error *);

/* Raises *best to the best value of these moves, by el_value_max; EL_BROKEN stands for no value so far. `key`
   is that of the position's slice. */
enum el_status probe_moves(const struct probe *, const struct el_position *, uint64_t key,
                           const struct el_move *moves, size_t count, struct el_value *best,
                           struct el_error *);

/*
 * All values of a file that can only be probed. It is checked as a whole first, and then probed for each
 * index; what captures lead to comes from the library. *info has no order and no blocks. EL_NEGATIVE when the
 * machine has too little memory, or when a table is missing.
 */
enum el_status probe_planes(struct el_library *, const struct el_source_ops *, const char *path,
                            const struct el_watch *, struct el_table_info *info,
                            struct el_planes *out, struct el_error *);

/*
 * Finds the values of a plane that a file leaves out, from the other plane and from the library; there must
 * be room for its symbols. `path` is the file's, for errors. EL_NEGATIVE names a table that is missing.
 */
enum el_status probe_left_out(struct el_library *, const char *path, unsigned plane,
                              const struct el_watch *, struct el_planes *, struct el_error *);

/* As el_library_answer, for a legal position. */
enum el_status probe_answer(const struct catalogue *, const struct el_game *,
                            const struct el_position *, const struct el_question *,
                            struct el_answer *out, struct el_error *);

#endif
