/* SPDX-License-Identifier: MIT */
/*
 * Answers of a tablebase server, kept so that no position is asked twice. A folder has a file a
 * metric, METRIC.answers, a text:
 *
 *     endlab answers 1 dtz50 tablebase.lichess.ovh
 *     win 13 8/8/8/8/8/k7/6p1/K5Q1 w - - 0 1
 *     loss ~20 ...
 *
 * A line is an outcome, its plies (~: rounded, so perhaps a ply more) and a position, whose clock
 * is at 0. A later line of a position counts rather than an earlier one. Whatever follows the last
 * newline was not written to its end, and counts for nothing. Such a file answers as a study does:
 * for single positions, of any slice. No list shows it: it is a memory, not a table.
 */
#ifndef CORE_FOREIGN_ANSWERS_H
#define CORE_FOREIGN_ANSWERS_H

#include "core/games/game.h"

struct el_given {
	struct el_position position; /* of chess */
	struct el_value value;       /* exact, with the clock at 0 */
};

/* Adds answers of a server under a metric to the file in `folder`, which must exist; begins the file anew
   if it has become too large. Several programs may do so at once. EL_IO. */
enum el_status el_answers_add(const char *folder, const char *server, const struct el_metric *,
                              const struct el_given *, size_t count, struct el_error *);

#endif
