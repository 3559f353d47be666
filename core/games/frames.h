/* SPDX-License-Identifier: MIT */
/*
 * Frames: how a game is solved from one position, whatever the number of its pieces.
 *
 * A frame is all positions with the same pieces of which some *stand* on the same squares (in chess
 * the pawns) while the others move. Quiet moves do not leave it. Every other move is an *exit*, which
 * leads to a frame of lower order: so the frames that can be reached from a position form a graph
 * without circles, and are solved from its end. Few pieces move, so a frame is small.
 *
 * A piece that promotes first enters a *choice*, the frame in which it stands on its last square and
 * its kind is still to be chosen. A position there is worth the best of what may be chosen; whoever
 * solves may leave some of these kinds, or all, open.
 *
 * The positions of a frame are bitmaps (sets.h), in which the address of a position is the number
 * of its bit: unit * words * 64 + bit. A unit has layers of `stored_words` words: positions in the later
 * ones differ from those of the first by a right that the next move ends, and have the same quiet moves.
 * Sets of frames have no sections and no index, and `begin` belongs to whoever solves them.
 */
#ifndef CORE_GAMES_FRAMES_H
#define CORE_GAMES_FRAMES_H

#include "sets.h"

/* Frames are equal if and only if their keys are. */
struct el_frame {
	uint64_t key[3];
};

static inline bool el_frame_equal(const struct el_frame *a, const struct el_frame *b)
{
	return a->key[0] == b->key[0] && a->key[1] == b->key[1] && a->key[2] == b->key[2];
}

/* A kind of move that leaves a frame, such as the step of a pawn or a king that captures one: the
   same for all positions of the frame. */
struct el_exit {
	struct el_frame to;
	uint8_t side; /* that makes the move */
	/* Of a choice: `side` chooses this kind. The other side is to move before and after. */
	bool chooses;
	bool converts; /* a capture, or a move to a choice */
	uint8_t kind;
	/* The game's own. */
	uint8_t mover, captured, square, layer, layer_after;
	uint64_t between;
};

enum {
	EL_EXITS_MAX = 192,
	EL_FRAME_ORDERS = 1 << 17,
	EL_FRAME_MOVERS = 8,
};

struct el_frames {
	/* The most movers that sets are made for; up to EL_FRAME_MOVERS. */
	unsigned movers_max;
	/* Bits of the kinds that a piece may promote to, and of those that are nearly always best. */
	unsigned all_kinds, usual_kinds;
	/* The frame of a legal position. */
	void (*of)(const struct el_position *, struct el_frame *);
	/* Could it be the frame of a legal position, or a choice? For keys from files: all other functions
	   take such keys only. */
	bool (*valid)(const struct el_frame *);
	/* Below EL_FRAME_ORDERS; exits lead to lower numbers. */
	unsigned (*order)(const struct el_frame *);
	/* The pieces that move, besides those that each side always has. */
	unsigned (*movers)(const struct el_frame *);
	/* The side that chooses, EL_WHITE or EL_BLACK; 2 if the frame is no choice. */
	unsigned (*chooses)(const struct el_frame *);
	/* The squares of a side's pieces that stand. */
	uint64_t (*standing)(const struct el_frame *, unsigned side);
	/* The words of a set, over all units; 0 if more pieces move than sets are made for. */
	size_t (*words)(const struct el_frame *);
	/* EL_NEGATIVE if more pieces move than sets are made for; EL_MEMORY. */
	enum el_status (*open)(const struct el_frame *, struct el_sets **, struct el_error *);
	/* The exits of a side: returns how many. */
	size_t (*exits)(const struct el_sets *, unsigned side, struct el_exit out[EL_EXITS_MAX]);
	/* An exit in words: "a5", "bxa5", "Kxb4", "b8"; of a choice: "=Q". */
	void (*name)(const struct el_sets *, const struct el_exit *, char out[EL_MOVE_MAX]);
	/* ORs into a set of the frame entered the positions that an exit leads to from a set. Some may
	   not be legal. Both sets consist of all units, one after the other. */
	void (*image)(const struct el_exit *, const struct el_sets *from, const struct el_sets *to,
	              const uint64_t *set, uint64_t *out);
	/* ORs in the positions from which an exit leads into a set. Some may not be legal. */
	void (*pre)(const struct el_exit *, const struct el_sets *from, const struct el_sets *to,
	            const uint64_t *set, uint64_t *out);
	/* The legal positions of a unit. */
	void (*legal)(const struct el_sets *, unsigned side, size_t unit, uint64_t *out);
	/* The address of a position of the frame: with like pieces, that of one of their orders. */
	uint64_t (*address)(const struct el_frame *, const struct el_position *);
	/* A set, over all units, may have a position at several addresses: with like pieces in any order;
	   and in a layer for a right that no legal move uses, when it is a position of the first layer too,
	   and `position` takes that of the later one for broken. ORs their other orders, and those of
	   the first layer, into `out`, which may be the set (null: does not). Returns how many of the set's
	   addresses are to be left out when positions are counted; all orders are in it, or none. */
	size_t (*settle)(const struct el_sets *, unsigned side, const uint64_t *set, uint64_t *out);
	/* Of a position of a choice, replaces the piece on its last square. */
	void (*choose)(const struct el_exit *, struct el_position *);
	/* The inverse of `address`; false if the address is broken. */
	bool (*position)(const struct el_sets *, unsigned side, uint64_t address,
	                 struct el_position *out);
};

#endif
