/* SPDX-License-Identifier: MIT */
/*
 * A fortress: why a side that cannot win is not beaten either.
 *
 *     el_fortress_find -> el_fortress_refine, if there are not too many positions -> el_fortress_free
 *
 * One side of a drawn position defends, the other attacks. The defender's king, or in games whose
 * pieces are all alike to the rules (el_game.single) each of his pieces, stays in a region, a set of
 * squares. The fortress of a region is the greatest set of drawn positions of the slice with these
 * pieces in the region, in which
 *
 *     the attacker to move   every move that stays in the slice leads into the set, or loses
 *     the defender to move   some move leads into the set or, by leaving the slice, to a draw; or
 *                            he is stalemated
 *
 * So whatever the attacker does, the defender has a move after which he is still in the fortress, or
 * in a drawn ending with other material. An attacker's move that leaves the slice never wins, since
 * the position is a draw.
 *
 * All draws together are the fortress of the whole board; the smallest region explains most. The
 * region found is minimal: the given position is in no fortress without one of its squares. To find
 * it, squares are added from the defender's pieces outwards until the position is in; then squares
 * are taken away, the farthest first. A smaller region has a smaller fortress, so a square that was
 * needed once stays needed, and one attempt for each is enough.
 *
 * el_fortress_find works on sets of the solver, whose symmetries take a square together with its
 * images. el_fortress_refine then goes by single squares, and leaves only positions that can arise
 * from the given one.
 */
#ifndef CORE_EXAMINE_FORTRESS_H
#define CORE_EXAMINE_FORTRESS_H

#include "core/library/library.h"

/* Squares and sides are those of the board as given, even if the slice stores such positions with
   the colours swapped (`swapped`). */
struct el_fortress {
	struct el_slice slice;
	struct el_position position; /* the given one, without a right to capture en passant */
	unsigned defender;           /* enum el_side */
	unsigned kinds;              /* bit k: his pieces of kind k stay in the region */
	uint64_t region;             /* as far as these pieces can get within it */
	/* in the set, by side to move; without those with a right to capture en passant */
	uint64_t positions[2];
	bool swapped;
	/* by plane, bits by index: the position or an image of it is in the set; it is, and a
	   stalemate or a move to another slice holds the draw; owned */
	uint8_t *inside[2], *held[2];
	/* refined: bits by fortress_number; else null; owned */
	uint8_t *listed;
	uint32_t numbers; /* of bits there */
	uint64_t area;    /* the region on which these numbers are based */
};

enum { EL_FORTRESS_ANY = -1 }; /* the side that wins fewer positions of the slice defends */

/* Why a game has no fortresses of this kind; null if it has. */
const char *el_fortress_refused(const struct el_game *);
/*
 * Finds the fortress around a position that `defender` holds (enum el_side, or EL_FORTRESS_ANY).
 * The slice is solved, with the library's tables of the slices that its conversions enter.
 * EL_NEGATIVE if the position is no draw or in no slice, if both sides have the same material, if
 * the game has no regions (el_sets.keep), or if a table is missing; errors of el_solve.
 */
enum el_status el_fortress_find(struct el_library *, const struct el_game *,
                                const struct el_position *, int defender, const struct el_watch *,
                                struct el_fortress *out, struct el_error *);
/* EL_NEGATIVE, with the fortress as it was, if it has too many positions to list. */
enum el_status el_fortress_refine(struct el_fortress *, const struct el_watch *, struct el_error *);
/* Is a legal position, of any game, in the set? A right to capture en passant is ignored. */
bool el_fortress_holds(const struct el_fortress *, const struct el_position *);
/* May be called on all zeros, and twice. */
void el_fortress_free(struct el_fortress *);

/* ---- for both halves ---- */

/* Squares that are no further from a set than `steps` king's steps. */
uint64_t fortress_around(const struct el_game *, uint64_t set, int steps);
/* The squares of a side's pieces of these kinds. */
uint64_t fortress_squares(const struct el_position *, unsigned side, unsigned kinds);
/* el_fortress.held, for a position in the set. */
bool fortress_is_held(const struct el_fortress *, const struct el_position *);
/* A number for each position of the material, below el_fortress.numbers, with the defender's pieces
   in the area. */
uint32_t fortress_number(const struct el_fortress *, const struct el_position *);

#endif
