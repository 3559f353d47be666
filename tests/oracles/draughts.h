/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A second English draughts: rules and an endgame solver, for tests only, on a mailbox board, one
 * position at a time. It shares nothing with core/, not even headers, and is slow and simple, so
 * that it can be trusted.
 *
 *     draughts_read -> draughts_moves, draughts_perft
 *     draughts_solve -> draughts_lookup, draughts_each, draughts_graph ... draughts_free
 *
 * Slice names give White's pieces first: in "KMvK" White has a king and a man; "KvKM" is a
 * different slice. A failure (an invalid name or text, no memory) ends the test program.
 */
#ifndef TESTS_ORACLES_DRAUGHTS_H
#define TESTS_ORACLES_DRAUGHTS_H

#include "draughts_bounds.h"

#include <stdbool.h>
#include <stddef.h>

enum { DRAUGHTS_WHITE, DRAUGHTS_BLACK };

enum {
	DRAUGHTS_SQUARES = 32,
	DRAUGHTS_MOVES = 128,   /* of one position */
	DRAUGHTS_CAPTURED = 12, /* by one move */
	DRAUGHTS_PIECES = 4,    /* at most, in a slice that is solved */
	DRAUGHTS_NAME = 16,     /* of a slice, with its terminator */
};

/* Squares have their usual numbers: 1 to 4 on the row where White crowns, 29 to 32 where Black
   does. Each has 'K', 'M' (White's king and man), 'k', 'm' (Black's) or '.'; at[0] is also '.'. */
struct draughts_board {
	char at[DRAUGHTS_SQUARES + 1];
	char side; /* to move: DRAUGHTS_WHITE, DRAUGHTS_BLACK */
};

struct draughts_move {
	unsigned char from, to;
	unsigned char captured[DRAUGHTS_CAPTURED]; /* the squares in the order of the jumps */
	unsigned char captures;                    /* the number captured */
	bool crowns;
	struct draughts_board after;
};

enum draughts_outcome { DRAUGHTS_LOSS, DRAUGHTS_DRAW, DRAUGHTS_WIN };

/* For the side to move; depths in plies, 0 for draws. */
struct draughts_value {
	enum draughts_outcome outcome;
	unsigned dtw; /* until the opponent cannot move */
	unsigned dtc; /* up to and including the first capture or crowning, or until then */
};

/* ---- draughts_rules.c ---- */

/* Ends the program if the condition is false. */
void draughts_need(bool condition, const char *what);

/* The board of a PDN FEN: "W:WK15,20:BK28,12"; an empty one is "W:W:B". */
struct draughts_board draughts_read(const char *fen);
struct draughts_board draughts_opening(void);
bool draughts_can_stand(char piece, unsigned square);

/* Lists all moves; returns how many. Two paths around the same pieces to the same square are two
   moves that lead to the same board. */
size_t draughts_moves(const struct draughts_board *, struct draughts_move out[DRAUGHTS_MOVES]);
unsigned long long draughts_perft(const struct draughts_board *, unsigned plies);

/* ---- draughts_slices.c, draughts_solve.c ---- */

struct draughts;

typedef void draughts_visit(const struct draughts_board *, const struct draughts_value *,
                            void *context);

/* Visits each placement of the pieces in a name once, with White to move and no value. A side may
   have no pieces ("KMv"). Returns how many; `visit` may be null. */
size_t draughts_placements(const char *name, draughts_visit *visit, void *context);

/* Solves the slices of a null-terminated list of names and all that moves can lead to. */
struct draughts *draughts_solve(const char *const *names);
void draughts_free(struct draughts *);

/* False if the board's slice was not solved. A side to move without pieces has lost. */
bool draughts_lookup(const struct draughts *, const struct draughts_board *,
                     struct draughts_value *out);

/* Visits all positions of a slice: each placement with White, then with Black to move. */
void draughts_each(const struct draughts *, const char *name, draughts_visit *visit, void *context);

/*
 * The slice as a graph, with nodes in the order of draughts_each. A move out of the slice leads to
 * the solution's value there, or to LW if `missing` returns true for the slice entered. Free it
 * with bounds_graph_free.
 */
typedef bool draughts_missing(const char *slice, const char *entered);
struct bounds_graph draughts_graph(const struct draughts *, const char *name,
                                   draughts_missing *missing);

#endif
