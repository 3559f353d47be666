/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions by their bits in chess sets, and made-up tables for what their conversions enter. */
#ifndef ENDLAB_TESTS_SETS_FIXTURE_H
#define ENDLAB_TESTS_SETS_FIXTURE_H

#include "core/games/chess/sets.h"
#include "endlab/game.h"
#include "endlab/solve.h"

enum { SETS_VALUES = 6 };

/* Zeros, aligned for vectors. */
void *sets_room(size_t bytes);

/* A number for every position, its images apart; with a right to capture en passant it has another. */
uint64_t sets_identity(const struct el_position *);
/* The position of a bit; false where it is not legal. */
bool sets_decode(const struct chess_sets *, unsigned side, size_t unit, size_t bit,
                 struct el_position *out);

/* What symbols mean. */
extern const struct el_value sets_values[SETS_VALUES];
/* What tables hold, picked by chance. Large ones hold symbol 0 alone: memory that nobody writes to
   costs nothing. */
uint16_t sets_symbol(const struct el_slice *, unsigned plane, uint64_t index);
/* Lends such tables, their symbols with that meaning. */
struct el_lender sets_lender(const struct el_value meant[SETS_VALUES]);

#endif
