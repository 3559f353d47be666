/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asking one catalogue, which does not change meanwhile: what probe.h is made of. */
#ifndef CORE_PROBE_INSIDE_H
#define CORE_PROBE_INSIDE_H

#include "core/library/visit.h"
#include "core/probe/probe.h"

struct probe {
	const struct catalogue *catalogue;
	const struct el_game *game;
	const struct el_metric *metric;
	bool soft;
	/* What no table covers is EL_UNKNOWN, even where the game ends, as it was when a partial
	   table was made; else EL_NEGATIVE. */
	bool partial;
	/* A source to be heard by itself; may be null. It answers for its slice in place of the
	   catalogue's tables, under its metric and those that it tells; for other slices, tables of
	   its kind are asked before others. */
	struct el_source *by;
};

/*
 * To be called once for each position that comes from outside: EL_USAGE, with the reason, unless it
 * is legal. What a legal move leaves need not be checked. `placed` is the position's place; null if
 * it has none.
 */
enum el_status probe_admit(const struct el_game *, const struct el_position *,
                           const struct el_place *placed, struct el_error *);

/* As el_library_value, for a legal position. */
enum el_status probe_value(const struct probe *, const struct el_position *, struct el_value *out,
                           struct el_error *);

/* The same for a position whose place is known; null if it has none. */
enum el_status probe_placed(const struct probe *, const struct el_position *,
                            const struct el_place *, struct el_value *out, struct el_error *);

/* What a source says of a position (el_source_ops.probe), under the source's metric. EL_NEGATIVE
   when that is not in memory. */
enum el_status probe_source(const struct probe *, struct el_source *, const struct el_position *,
                            const struct el_place *, struct el_value *, struct el_error *);

/* As probe_placed, from a source that knows only plies (plies.c), under its metric. */
enum el_status probe_plies(const struct probe *, struct el_source *, const struct el_position *,
                           const struct el_place *, struct el_value *out, struct el_error *);

/* Raises *best to the best value of these moves, by el_value_max; EL_BROKEN stands for no value so
   far. `key` is that of the position's slice. */
enum el_status probe_moves(const struct probe *, const struct el_position *, uint64_t key,
                           const struct el_move *moves, size_t count, struct el_value *best,
                           struct el_error *);

/* As el_library_answer, for a legal position. */
enum el_status probe_answer(const struct catalogue *, const struct el_game *,
                            const struct el_position *, const struct el_question *,
                            struct el_answer *out, struct el_error *);

#endif
