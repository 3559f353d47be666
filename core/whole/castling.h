/* SPDX-License-Identifier: MIT */
/*
 * Slices of positions with castling rights (el_slice_has_rights), solved from their moves.
 *
 * In such a slice a king and a rook stand still, so it is small; and most moves leave it: the slice without
 * rights, and those after captures and promotions, tell what they are worth. What stays is a graph. All its
 * positions begin as draws and take the value of their best move, again and again, until no value
 * changes. A value is then never better for its winner than the truth (by induction over the rounds), and
 * after as many rounds as it has plies it is no worse. With values for every clock (dtmK) this holds of each
 * position and clock.
 */
#ifndef CORE_WHOLE_CASTLING_H
#define CORE_WHOLE_CASTLING_H

#include "core/library/library.h"

/* Has such a slice tables under a metric? EL_USAGE unless it has: the limit of dtr says nothing of the limits at
   other clocks, which count once the rights are lost. */
enum el_status castling_check(const struct el_slice *, const struct el_metric *, struct el_error *);
/* The slice of the positions with rights of a slice without. False: its game, its material or the metric
   has none. */
bool castling_of(const struct el_slice *, const struct el_metric *, struct el_slice *out);

/*
 * All values of a slice with rights; el_planes_free. `without`: planes of the slice without rights under the
 * metric; null: its table is read. EL_NEGATIVE names a missing table; EL_MEMORY, EL_STOPPED; the error of a table.
 */
enum el_status castling_solve(struct el_library *, const struct el_slice *,
                              const struct el_metric *, const struct el_planes *without,
                              const struct el_watch *, struct el_planes *out, struct el_error *);

#endif
