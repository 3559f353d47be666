/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions to one catalogue, which does not change meanwhile. */
#ifndef STORE_PROBE_H
#define STORE_PROBE_H

#include "catalogue.h"
#include "readers.h"
#include "endlab/library.h"

/* The catalogue of the moment, which stays until `library_leave`; a rescan waits for that before it
   ends. */
struct visit {
	const struct catalogue *catalogue;
	struct visitor visitor;
};
struct visit library_enter(struct el_library *);
void library_leave(struct visit);
/* After a probe that ended with `status`: have the folders been looked at again, so that it is worth
   one more try? Outside of `library_enter`. */
bool library_look_again(struct el_library *, enum el_status status);

/* The file that el_library_planes reads; *path is the caller's to free. As el_library_find. */
enum el_status library_path(struct el_library *, const struct el_slice *, const struct el_metric *,
                            char **path, struct el_error *);

/* What el_library_summary_fault tells from now on. */
void library_note_summaries(struct el_library *, const struct el_error *);

/* As scan_others, of the library's folders. */
enum el_status library_scan_others(struct el_library *, struct scan *out, struct el_error *);

/* The table of a slice that answers for a metric; null: none. `route` may be null. */
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
	/* What no table covers is EL_UNKNOWN, ends of the game and all, as it was when a partial table
	   was made; else EL_NEGATIVE. */
	bool partial;
	/* Answers for its slice under its metric and those that it tells by itself, in place of what the
	   catalogue has; elsewhere tables of its kind are asked before others, so that it is heard by itself.
	   May be null. */
	struct el_source *by;
};

/*
 * At the border, once for each position that comes from outside: EL_USAGE and the reason unless it is
 * legal. What a legal move leaves need not come by here. `placed`: its place, null when it has none.
 */
enum el_status probe_admit(const struct el_game *, const struct el_position *,
                           const struct el_place *placed, struct el_error *);

/* As el_library_value, of a legal position. */
enum el_status probe_value(const struct probe *, const struct el_position *, struct el_value *out,
                           struct el_error *);

/* The same of a position whose place is known; null when it has none. */
enum el_status probe_placed(const struct probe *, const struct el_position *,
                            const struct el_place *, struct el_value *out, struct el_error *);

/* What a source says of a position (el_source_ops.probe), under the source's metric. EL_NEGATIVE: not
   in memory. */
enum el_status probe_source(const struct probe *, struct el_source *, const struct el_position *,
                            const struct el_place *, struct el_value *, struct el_error *);

/* As probe_placed, by a source that knows plies alone (library_plies.c), under its metric. */
enum el_status probe_plies(const struct probe *, struct el_source *, const struct el_position *,
                           const struct el_place *, struct el_value *out, struct el_error *);

/* Raises *best by the values of these moves, as el_value_max does; EL_BROKEN is taken for none so far.
   `key`: of the position's slice. */
enum el_status probe_moves(const struct probe *, const struct el_position *, uint64_t key,
                           const struct el_move *moves, size_t count, struct el_value *best,
                           struct el_error *);

/*
 * All values of a file that can only be probed, each asked of that very file; what captures lead to is
 * found in the library. It is checked as a whole first. *info has no form: no order, no blocks.
 * EL_NEGATIVE when the machine has not the memory, or when a table is missing.
 */
enum el_status probe_planes(struct el_library *, const struct el_source_ops *, const char *path,
                            const struct el_watch *, struct el_table_info *info,
                            struct el_planes *out, struct el_error *);

/*
 * A side that is left out of planes, found from the one that is there and from the library; its symbols
 * have room. `path` is the file's, for errors. EL_NEGATIVE names a table that is missing.
 */
enum el_status probe_left_out(struct el_library *, const char *path, unsigned plane,
                              const struct el_watch *, struct el_planes *, struct el_error *);

/* As el_library_answer, of a legal position. */
enum el_status probe_answer(const struct catalogue *, const struct el_game *,
                            const struct el_position *, const struct el_question *,
                            struct el_answer *out, struct el_error *);

#endif
