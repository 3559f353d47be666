/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions to one catalogue, which does not change meanwhile. */
#ifndef STORE_PROBE_H
#define STORE_PROBE_H

#include "catalogue.h"
#include "endlab/library.h"

/* The catalogue of the moment, locked against a rescan until `library_leave`. Never nest them. */
const struct catalogue *library_enter(struct el_library *);
void library_leave(struct el_library *);
/* After a probe that ended with `status`: have the folders been looked at again, so that it is worth
   one more try? Outside of `library_enter`. */
bool library_look_again(struct el_library *, enum el_status status);

/* As scan_others, of the library's folders. */
enum el_status library_scan_others(struct el_library *, struct scan *out, struct el_error *);

struct probe {
	const struct catalogue *catalogue;
	const struct el_game *game;
	const struct el_metric *metric;
	bool soft;
	/* What no table covers is EL_UNKNOWN, ends of the game and all, as it was when a partial table
	   was made; else EL_NEGATIVE. */
	bool partial;
	/* Answers for its slice under its metric, in place of what the catalogue has; may be null. */
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

/* Raises *best by the values of these captures, as el_value_max does; EL_BROKEN is taken for none so
   far. */
enum el_status probe_captures(const struct probe *, const struct el_position *,
                              const struct el_move *captures, size_t count, struct el_value *best,
                              struct el_error *);

/* As el_library_answer, of a legal position. */
enum el_status probe_answer(const struct catalogue *, const struct el_game *,
                            const struct el_position *, const struct el_question *,
                            struct el_answer *out, struct el_error *);

#endif
