/* SPDX-License-Identifier: MIT */
/*
 * A walk over the positions of a plane, in blocks of at most 64.
 *
 *     block_plane_open -> block_begin, at any index -> block_next, block by block -> block_plane_close
 *
 * Where the index shows a board (core/table/order.h), a block is a run in which one piece moves: the
 * others are put on the board once, and one look tells on which squares the last one makes no position.
 * Elsewhere the game is asked for one index after the other.
 */
#ifndef CORE_FIND_BLOCK_H
#define CORE_FIND_BLOCK_H

#include "codecs/board/view.h"
#include "core/games/game.h"

enum { BLOCK_MAX = 64, BLOCK_IMAGES = 32 };

/* What the threads that walk a plane share. */
struct block_plane {
	const struct el_slice *slice;
	unsigned plane;
	struct table_board *board; /* null: none */
	struct board_view view;
	struct block_piece {
		uint8_t side, kind;
	} piece[EL_BOARD_PIECES]; /* by number on the board */
	/* the sums of enum el_symmetry that map positions of the slice to others of it; 0 comes first */
	uint8_t image[BLOCK_IMAGES];
	unsigned images;
	/* how many of them keep the side to move; of every position, if `orbit` is set: no position is its
	   own image under one of them */
	unsigned turns;
	bool orbit;
	uint8_t square[BLOCK_IMAGES][64]; /* where each takes a square, the swap of colours aside */
	uint8_t file[64], rank[64];       /* of each square */
};

enum el_status block_plane_open(const struct el_slice *, unsigned plane, struct block_plane *,
                                struct el_error *);
void block_plane_close(struct block_plane *);

/* A block. */
struct block {
	const struct block_plane *plane;
	struct board_walk walk;
	uint64_t index;          /* of the first position */
	unsigned count;          /* of indexes */
	uint64_t legal;          /* bit i: index + i has a position */
	unsigned image;          /* the number of the image shown */
	uint64_t made;           /* the positions that have been made, of the image shown */
	uint64_t original;       /* the same without an image */
	struct el_position base; /* the board without the piece that moves */
	struct el_position own[BLOCK_MAX], shown[BLOCK_MAX];
};

void block_begin(struct block *, const struct block_plane *, uint64_t index);
/* The block from block.index on, ending before `end`. */
void block_make(struct block *, uint64_t end);
void block_next(struct block *);
/* Shows an image of the block's positions. */
void block_show(struct block *, unsigned image);
/* Position `i` of the block, or its image. */
const struct el_position *block_position(struct block *, unsigned i);
/* Position `i` as it is stored. */
const struct el_position *block_original(struct block *, unsigned i);
/* The distinct positions that symmetries make of it, with the same side to move. */
unsigned block_orbit(struct block *, unsigned i);
/* Is the image shown of position `i` the same as an earlier image of it? */
bool block_repeats(struct block *, unsigned i);

#endif
