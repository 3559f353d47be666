/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Set operators for any game, made of its moves, its rules and its index alone. A game that has
 * none of its own names these two as its `measure` and `divide`: then its slices can be solved,
 * slowly, since every pass plays every move of every position that it asks about. Set operators of
 * its own (sets.h) replace them once it is to be fast, and are tested against them.
 *
 * A bit is an index, and a unit is a range of indexes. Positions with a right to capture en
 * passant, which no index tells, have bits of their own behind those.
 *
 * They solve slices as one part. So they refuse, with EL_NEGATIVE, a metric under which a move ends
 * the count and stays in the slice, such as dtz where there are pawns. All else is there: rules, dtr, stones, bounds, room on the disk.
 */
#ifndef CORE_GAMES_PLAIN_H
#define CORE_GAMES_PLAIN_H

#include "game.h"

/* Without what rights to capture en passant add. */
struct el_measure plain_measure(const struct el_slice *);
enum el_status plain_divide(const struct el_problem *, struct el_division **, struct el_error *);

#endif
