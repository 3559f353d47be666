/* SPDX-License-Identifier: MIT */
/* Shared by the two halves of a search for a fortress (examine.h): with sets of the solver
   (fortress.c), then position by position (fortress_refine.c). */
#ifndef CORE_EXAMINE_FORTRESS_H
#define CORE_EXAMINE_FORTRESS_H

#include "examine.h"

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
