/* SPDX-License-Identifier: MIT */
/*
 * A fortress: why a side that cannot win is not beaten either.
 *
 * One side of a drawn position defends, the other attacks. Given a region, a set of squares, the
 * fortress is the greatest set of drawn positions in which the defender's pieces stand in the
 * region, and
 *
 *     the attacker to move   every move that stays in the slice leads into the set, or loses
 *     the defender to move   some move leads into the set or, by leaving the slice, to a draw; or
 *                            the side to move is stalemated
 *
 * So whatever the attacker does, the defender has a move after which all his pieces are still in
 * the region, or the game has become a draw in another slice. A move of the attacker that leaves
 * the slice never wins, since the position is a draw.
 *
 * All draws together are such a set, in the region of all squares; the smallest regions explain
 * most. The region found is minimal: without any of its squares (and the images of that square by the
 * symmetries of the slice's index) the position is in no such set. It is found from the squares
 * nearest to the defender's pieces outwards; then squares are taken away, the farthest first. A
 * smaller region has a smaller set, so a square that was needed once stays needed, and one attempt
 * for each is enough.
 *
 * The pieces that stay in the region are the defender's king or, in games whose pieces are all
 * equal before the rules (el_game.single), all of his.
 */
#ifndef CORE_EXAMINE_FORTRESS_H
#define CORE_EXAMINE_FORTRESS_H

#include "core/library/library.h"

/* As the position was given: its squares and sides, even if its slice stores it with the colours
   swapped. Positions with a right to capture en passant are in the set that counts moves, but are
   neither counted nor found. */
struct el_fortress {
	struct el_slice slice;
	unsigned defender;     /* enum el_side */
	unsigned kinds;        /* bit k: pieces of kind k stay in the region */
	uint64_t region;       /* its squares, as far as these pieces can get within it */
	uint64_t positions[2]; /* placements in the set by side to move */
	bool swapped;          /* the slice stores such positions with the colours swapped */
	uint8_t *inside[2];    /* by plane: bit i: index i is in the set or an image of it; owned */
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
/* Is a legal position, of any game, in the set? A right to capture en passant is ignored. */
bool el_fortress_holds(const struct el_fortress *, const struct el_position *);
/* May be called on all zeros, and twice. */
void el_fortress_free(struct el_fortress *);

#endif
