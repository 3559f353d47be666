/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A second Awari, under its older name: rules and an endgame solver, for tests only, one board and
 * one stone at a time. It shares nothing with core/, not even headers, and is slow and simple, so
 * that it can be trusted.
 *
 *     awele_read -> awele_moves, awele_perft
 *     awele_solve -> awele_lookup, awele_each ... awele_free
 *
 * A failure (invalid text, no memory) ends the test program.
 */
#ifndef TESTS_ORACLES_AWELE_H
#define TESTS_ORACLES_AWELE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	AWELE_PITS = 12,
	AWELE_ROW = 6,     /* pits per side */
	AWELE_STONES = 48, /* in a game */
	AWELE_MOVES = 6,   /* of one board, at most */
	AWELE_SOLVED = 12, /* at most, on a board that is solved */
	AWELE_TEXT = 48,   /* of a board, with its terminator */
};

/* Pits 0 to 5 are South's A to F, 6 to 11 North's a to f, in sowing order. */
struct awele_board {
	unsigned char pit[AWELE_PITS];
	unsigned char store[2]; /* captured by South, by North */
	char side;              /* to move: 'S', 'N' */
	bool oware;             /* a move that would capture all captures nothing */
};

struct awele_move {
	unsigned char pit;
	unsigned char last;     /* the pit that gets the last stone */
	unsigned char captured; /* stones */
	unsigned short emptied; /* bit p: pit p was captured */
	struct awele_board after;
};

/* ---- awele_rules.c ---- */

/* Ends the program if the condition is false. */
void awele_need(bool condition, const char *what);

/* "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S": pits, stores, side to move. */
struct awele_board awele_read(const char *text);
void awele_write(const struct awele_board *, char out[AWELE_TEXT]);
struct awele_board awele_opening(void);
char awele_name(unsigned pit); /* 'A' to 'F', 'a' to 'f' */

unsigned awele_stones(const struct awele_board *); /* in the pits */
/* The same board from the other side of the table: South is North and North is South. */
struct awele_board awele_turned(const struct awele_board *);

/* Visits all moves, from A to F or a to f; if a visit returns false, stops and returns false. A
   side without stones has no move, and the other side gets the remaining stones. */
typedef bool awele_visit_move(const struct awele_move *, void *context);
bool awele_each_move(const struct awele_board *, awele_visit_move *visit, void *context);
/* Lists them; returns how many. */
size_t awele_moves(const struct awele_board *, struct awele_move out[AWELE_MOVES]);
unsigned long long awele_perft(const struct awele_board *, unsigned plies);

/* ---- awele_solve.c ---- */

struct awele;

/* Solves all boards with up to `stones` stones, under the rules of either game. */
struct awele *awele_solve(unsigned stones, bool oware);
void awele_free(struct awele *);

/* The stones in the pits that the side to move gets, minus those that the other side gets: -n to n
   with n stones. Stores do not matter. False if boards with that many stones were not solved. */
bool awele_lookup(const struct awele *, const struct awele_board *, int *value);

/* Visits all boards with `stones` in the pits, empty stores, and South to move. */
typedef void awele_visit_value(const struct awele_board *, int value, void *context);
void awele_each(const struct awele *, unsigned stones, awele_visit_value *visit, void *context);

#endif
