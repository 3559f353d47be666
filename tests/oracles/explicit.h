/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A third chess solver, for tests only: every position that can be reached from a root, one by one,
 * with any number of pieces, on a board of letters with its own move generation. It knows no
 * slices, no frames and no sets, shares nothing with core/, and is slow and simple, so that it can be
 * trusted.
 *
 * A failure (no memory, a text that is no position) ends the test program.
 */
#ifndef TESTS_ORACLES_EXPLICIT_H
#define TESTS_ORACLES_EXPLICIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct explicit_board {
	char at[64];  /* "KQRBNPkqrbnp", or 0; a1 first, h8 last */
	uint8_t side; /* 0: White moves */
	int8_t passed; /* the square a pawn has just passed over, if a pawn may legally capture it there; -1 */
	bool closed; /* entered by a promotion that is not followed */
};

/* A position's value for the side to move: -1, 0 or 1 within bounds, and the plies to the next
   pawn move, capture or mate if both bounds are equal. */
struct explicit_value {
	int8_t lower, upper;
	uint16_t plies; /* 0 unless won or lost, by both solutions in as many plies */
};

struct explicit_graph;

/* Is a promotion to this piece, "QRBNqrbn", followed? */
typedef bool explicit_follows(const struct explicit_board *after, char piece);

/* All positions that can be reached by moves that are followed; null: by any. A promotion that is not has an
   unknown value, unless its position is among them. */
struct explicit_graph *explicit_solve(const char *fen, explicit_follows *follows);
void explicit_free(struct explicit_graph *);
/* The number of positions reached. */
size_t explicit_reached(const struct explicit_graph *);
/* False: the root does not reach the position of this FEN, whose counters do not matter. */
bool explicit_find(const struct explicit_graph *, const char *fen, struct explicit_value *);

#endif
