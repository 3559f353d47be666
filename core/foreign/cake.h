/* SPDX-License-Identifier: MIT */
/*
 * Cake's tables of English draughts, which CheckerBoard has too (M. Fierz, 2002 and later): who wins,
 * without plies.
 *
 * db4.cpr has all slices of four pieces, db8_2222.cpr those with two men and two kings a side: the
 * digits are the men and kings of one side, then of the other. A file has no header. What is where in
 * it is told by a text of the same name, db4.idx:
 *
 *     BASE1,2,0,1,6,0,b:17/1014     a slice; where it begins: block 17, byte 1014
 *     27091                         the first index in its second block, then in its third, ...
 *     49835
 *     BASE1,2,0,1,6,0,w:+           a slice in which the side to move always wins (- loses, = draws)
 *
 * The first four numbers are the men and kings of the first side, then of the second. The next two are
 * the rows of their foremost men, from 0 at a side's own edge to 6; 0 without men. Last comes the side
 * to move, b for the first one. The first side is the stronger one: it has more pieces, else more
 * kings, else its foremost man is further ahead. If both are alike it is the side to move, so that b
 * suffices. One of our slices has the slices of all rows, or of one row a side if it is cut by them.
 *
 * An index is a number without gaps, whose fastest digit comes first:
 *
 *     men of the first side     ranked (choose.h) in its view, less the rank of the first set that has
 *                               a man in the foremost row
 *     men of the second side    in the same way, in its own view; men on the same squares are no
 *                               position
 *     kings of the first side   in its view, on the squares without men
 *     kings of the second side  in the first one's view, on the squares that are left
 *
 * where a view counts squares from a side's own edge, rows of four from its left. The values of a slice
 * follow each other, in blocks of 1,024 bytes shared with the slices before and after. A byte below 81
 * is four values as the digits of a number to the base 3, the lowest one first: 0 for a win of the
 * side to move, 1 for a loss, 2 for a draw. The bytes from 81 on are runs of 58 lengths: first those
 * of wins, then of losses and draws. 255 is none.
 *
 * Values are right only where neither side could capture if it were to move. No checksum tells whether
 * they are undamaged.
 */
#ifndef CORE_FOREIGN_CAKE_H
#define CORE_FOREIGN_CAKE_H

#include "foreign.h"

enum {
	CAKE_BLOCK = 1024,
	CAKE_SQUARES = 32,
	CAKE_ROW_SQUARES = 4,
	CAKE_SIDE_MAX = 12, /* pieces of a kind */
	CAKE_ROWS = 7,      /* that men can stand on */
	/* of el_position.set, in the order of the letters "KM" */
	CAKE_KING = 0,
	CAKE_MAN,
	/* values */
	CAKE_WIN = 0,
	CAKE_LOSS,
	CAKE_DRAW,
	CAKE_VALUES,
};

/* One of the file's slices. */
struct cake_slice {
	bool present;
	uint8_t value;         /* of all positions; CAKE_VALUES: they are in the file */
	uint32_t block;        /* where it begins, */
	uint16_t byte;         /* and where in that block */
	uint32_t begin, count; /* of its blocks in cake_index.first */
};

/* What the text says of one of our slices. */
struct cake_index {
	/* by the rows of the foremost men, then by the side to move */
	struct cake_slice slice[CAKE_ROWS][CAKE_ROWS][2];
	uint32_t *first; /* the first index in each block of each slice; owned */
	size_t count;
	uint64_t bytes; /* of the slices, in the file and in the text */
};

/* How many indexes there are with these men and kings, and rows of foremost men. */
uint64_t cake_positions(const uint8_t men[2], const uint8_t kings[2], const uint8_t row[2]);

/* Is it the name of a file of tables? Returns how many bytes of the path name it, without the slice;
   0: it is none. */
size_t cake_named(const char *path);
/* Reads what the text beside the table says of a slice. `bytes`: of the table. EL_IO if there is no
   text; EL_NEGATIVE if it has no such slice; EL_DAMAGED. */
enum el_status cake_index_read(const char *table, uint64_t bytes, const struct el_slice *,
                               struct cake_index *out, struct el_error *);
/* All our slices that the text has: el_source_ops.slices. */
enum el_status cake_slices(const char *table, struct el_slice **out, size_t *count,
                           struct el_error *);
void cake_index_free(struct cake_index *);

#endif
