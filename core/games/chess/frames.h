/* SPDX-License-Identifier: MIT */
/*
 * Frames: the positions of chess with the same pawns on the same squares, and the same other pieces.
 *
 * Within a frame only kings and officers move. Every other move (of a pawn, or a capture) enters
 * another frame with less to come, so the frames that can be reached from a position form a graph
 * without circles. A pawn that reaches the last rank first enters a frame in which it stands there
 * and is still a pawn: a *choice*, whose positions are worth the best of what it may become.
 *
 * A frame's bitmaps are laid out as in sets.h, with the pawns standing still (chess_sets.standing)
 * and regular strides: the address of a position is the sum of each piece's square times its
 * stride. Kings among the outer pieces select the unit.
 */
#ifndef CORE_GAMES_CHESS_FRAMES_H
#define CORE_GAMES_CHESS_FRAMES_H

#include "sets.h"

enum {
	CHESS_FRAME_PIECES_MAX = 5, /* kings and officers of a frame */
	CHESS_FRAME_LAYERS_MAX = 8,
};

struct chess_frame {
	uint64_t pawns[2];              /* by side; on a last rank in a choice */
	uint8_t officers[2][CHESS_PAWN]; /* by side and kind; the kings are not counted */
};

static inline bool chess_frame_equal(const struct chess_frame *a, const struct chess_frame *b)
{
	return !memcmp(a, b, sizeof *a);
}

/* The pawn whose kind is to be chosen; empty for an ordinary frame. */
static inline uint64_t chess_frame_choice(const struct chess_frame *f)
{
	return (f->pawns[EL_WHITE] & CHESS_RANK_8) | (f->pawns[EL_BLACK] & CHESS_RANK_1);
}

/* Earlier frames have a greater number: a move into another frame lowers it. */
unsigned chess_frame_order(const struct chess_frame *f);

/* The layout of a frame's bitmaps. */
struct chess_layout {
	struct chess_sets sets; /* operators and sizes; `units` units of `words` words */
	struct chess_frame frame;
	uint64_t stride[CHESS_FRAME_PIECES_MAX]; /* of each piece's square in an address */
	/* by the side that made the double step: the pawns that may be captured en passant, in the
	   order of their layers from 1 on */
	uint8_t passed[2][CHESS_FRAME_LAYERS_MAX];
};

/* False if the frame has more pieces than CHESS_FRAME_PIECES_MAX. */
bool chess_layout_open(const struct chess_frame *, struct chess_layout *);
/* The words of the bitmap of one side to move. */
static inline size_t chess_layout_words(const struct chess_layout *l)
{
	return l->sets.head.units * l->sets.head.words;
}
/* The frame of a position, and its address. */
void chess_frame_of(const struct el_position *, struct chess_frame *);
uint64_t chess_frame_address(const struct chess_layout *, const struct el_position *);
/* The position at an address; false if two pieces share a square. */
bool chess_frame_position(const struct chess_layout *, unsigned side, uint64_t address,
                          struct el_position *);
/* The legal positions, without those of layers, of one unit. */
void chess_frame_legal(const struct chess_layout *, unsigned side, size_t unit, uint64_t *out);

/* A kind of move out of a frame. */
struct chess_exit {
	struct chess_frame to;
	uint8_t side;               /* that moves; in a choice, that chooses */
	uint8_t mover, captured;    /* pieces of the layout, or CHESS_NONE */
	uint8_t square;             /* where a mover that captures a pawn arrives, or a pawn captures
	                               a piece, or a chosen piece stands */
	uint8_t layer, layer_after; /* of the positions before and after */
	bool chooses;
	uint64_t between;           /* squares that must be empty */
};

enum { CHESS_EXITS_MAX = 160 };

/* The exits for a side. Returns how many. */
unsigned chess_frame_exits(const struct chess_layout *, unsigned side,
                           struct chess_exit out[CHESS_EXITS_MAX]);
/* ORs in, among the addresses of `to`, those that the exit leads to from the set. */
void chess_exit_image(const struct chess_exit *, const struct chess_layout *from,
                      const struct chess_layout *to, const uint64_t *set, uint64_t *out);
/* ORs in, among the addresses of `from`, those from which the exit leads into the set. */
void chess_exit_pre(const struct chess_exit *, const struct chess_layout *from,
                    const struct chess_layout *to, const uint64_t *set, uint64_t *out);

#endif
