/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The brute-force solver with castling: the positions of up to four pieces in which a side may castle. By
 * definition: ply by ply, what is won or lost in so many; or clock by clock, the last one first.
 *
 *     brute_solve -> brute_measure -> brute_castle -> brute_castling_each ... brute_castling_free
 *     brute_solve -> brute_castle_by_clock -> brute_castling_clocks ... brute_castling_free
 *
 * With three other pieces no pawn meets another, so nobody captures en passant.
 */
#ifndef TESTS_ORACLES_BRUTE_CASTLING_H
#define TESTS_ORACLES_BRUTE_CASTLING_H

#include "brute_clock.h"
#include "brute_metrics.h"

struct brute_castling;

/* Solves the slices that were solved without rights, under a metric that was wished for; `limit` as in
   brute_metric. */
struct brute_castling *brute_castle(const struct brute *, const struct brute_metrics *,
                                    enum brute_metric, unsigned limit);
/* The same for plies to mate with every clock under a rule, as brute_clock_each. */
struct brute_castling *brute_castle_by_clock(const struct brute *, unsigned limit);
void brute_castling_free(struct brute_castling *);

/* Calls `take` for every legal position with castling rights of a slice ("KRvKN"), White being the side named
   first. Returns how many there are. */
unsigned long brute_castling_each(const struct brute_castling *, const char *name, void *context,
                                  void (*take)(void *context, const struct el_position *,
                                               struct el_value));
/* The same, if solved by the clock: `at` as in brute_clock_take. */
unsigned long brute_castling_clocks(const struct brute_castling *, const char *name, void *context,
                                    void (*take)(void *context, const struct el_position *,
                                                 const uint8_t at[BRUTE_CLOCK_MAX + 1]));

#endif
