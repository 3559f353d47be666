/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A second Nine Men's Morris, under its older name: rules and an endgame solver, for tests only, on
 * a mailbox board, one position at a time. It shares nothing with core/, not even headers, and is
 * slow and simple, so that it can be trusted.
 *
 *     merels_read -> merels_moves, merels_perft
 *     merels_solve -> merels_place -> merels_lookup, merels_each ... merels_free
 *
 * Subspace "m-o" has the positions with m men of the side to move and o of the other, whichever is
 * White. A failure (an invalid text, no memory) ends the test program.
 */
#ifndef TESTS_ORACLES_MERELS_H
#define TESTS_ORACLES_MERELS_H

#include <stdbool.h>
#include <stddef.h>

enum { MERELS_WHITE, MERELS_BLACK };

enum {
	MERELS_POINTS = 24,
	MERELS_LINES = 16,
	MERELS_IMAGES = 16, /* of a board, including itself */
	MERELS_MOVES = 256, /* of one position */
	MERELS_FEW = 3,     /* a side with this many men flies; with fewer it has lost */
	MERELS_SOLVED = 4,  /* at most, men of a side in a solved position */
	MERELS_NOWHERE = 99,
	MERELS_TEXT = 80,      /* of a position, with its terminator */
	MERELS_MOVE_TEXT = 12, /* of a move, with its terminator */
};

/* Points are numbered by name: a1, a4, a7, b2, ... g7. Each has 'W', 'B' or '.'. */
struct merels_board {
	char at[MERELS_POINTS];
	char side; /* to move: MERELS_WHITE, MERELS_BLACK */
	unsigned char hand[2];
};

struct merels_move {
	unsigned char from; /* MERELS_NOWHERE: from the hand */
	unsigned char to;
	unsigned char taken; /* MERELS_NOWHERE: no man */
	struct merels_board after;
};

enum merels_outcome { MERELS_LOSS, MERELS_DRAW, MERELS_WIN };

/* For the side to move; depths in plies, 0 for draws. */
struct merels_value {
	enum merels_outcome outcome;
	unsigned dtw; /* until a side cannot move or has two men */
	unsigned dtc; /* up to and including the first capture, or until then */
};

/* ---- merels_rules.c ---- */

/* Ends the program if the condition is false. */
void merels_need(bool condition, const char *what);

/* Convert a name, "a1", to a point's number, and back. */
unsigned merels_point(const char *name);
void merels_name(unsigned point, char out[3]);
/* The points of a line, in order along it. */
void merels_line(unsigned line, unsigned point[3]);
bool merels_beside(unsigned a, unsigned b);
/* The point's place in an image of the board. */
unsigned merels_image(unsigned image, unsigned point);

/* "W:Wa1,d1,g1:Ba7,d7,g4", with "+2" after a side with two men in hand. */
struct merels_board merels_read(const char *text);
void merels_write(const struct merels_board *, char out[MERELS_TEXT]);
struct merels_board merels_opening(void);
unsigned merels_men(const struct merels_board *, unsigned side); /* on the board */

/* Visits all moves; if a visit returns false, stops and returns false. A side with two men,
   including those in hand, has no move. */
typedef bool merels_visit_move(const struct merels_move *, void *context);
bool merels_each_move(const struct merels_board *, merels_visit_move *visit, void *context);
/* Lists them; returns how many. */
size_t merels_moves(const struct merels_board *, struct merels_move out[MERELS_MOVES]);
/* "d1-d2xa7", "d1-d2", "d2". */
void merels_write_move(const struct merels_move *, char out[MERELS_MOVE_TEXT]);
unsigned long long merels_perft(const struct merels_board *, unsigned plies);

/* Visits all boards without men in hand from which a move leads to this one. A visit must not
   change anything. */
typedef void merels_visit(const struct merels_board *, void *context);
void merels_before(const struct merels_board *, merels_visit *visit, void *context);

/* ---- merels_solve.c ---- */

struct merels;

/* Solves m-o and o-m, and all that moves can lead to. */
struct merels *merels_solve(unsigned men, unsigned others);
/* After that: all positions with men in hand, of sides with at most so many men in all. They have no
   dtc. */
void merels_place(struct merels *, unsigned most);
void merels_free(struct merels *);

/* False if the board's subspace was not solved. A side to move with two men has lost. */
bool merels_lookup(const struct merels *, const struct merels_board *, struct merels_value *out);

/* Visits m-o with White to move and so many men in hand, one position for all images of the board. */
typedef void merels_visit_value(const struct merels_board *, const struct merels_value *,
                                void *context);
void merels_each(const struct merels *, unsigned men, unsigned others, unsigned hand,
                 unsigned others_hand, merels_visit_value *visit, void *context);

#endif
