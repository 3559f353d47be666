/* SPDX-License-Identifier: MIT */
/*
 * Malom's tables of Nine Men's Morris (G. E. Gévay and G. Danner, "Calculating Ultra-Strong and
 * Extended Solutions for Nine Men's Morris, Morabaraba, and Lasker Morris", IEEE Transactions on
 * Computational Intelligence and AI in Games, 2016).
 *
 * A file std_W_B_WF_BF.sec2 is named after the men on the board, W and B, and in hand, WF and BF, of
 * the side to move and of the other. So it is one plane of a slice; the other plane, where there is
 * one, is std_B_W_BF_WF.sec2. If that lies beside it, a source has both. All numbers are
 * little-endian:
 *
 *     64 bytes    version 2; bytes of a slot, 3; bits of its first number, 12; a flag, 0; zeros
 *     slots       of two signed numbers of 12 bits each
 *     entries     their number, then a slot and its second number in 4 bytes each, for second
 *                 numbers that 12 bits do not hold: the slot has the least one instead
 *
 * std.secval, a text beside all these files, gives each of them a value. The sum of that and a
 * slot's first number is V for a win, -V for a loss, and lies between for a draw; the second number
 * is then the plies of the win or loss. In a draw the numbers only rank one draw above another.
 *
 * A slot is found by the men of the side to move, up to the 16 symmetries, then by those of the
 * other. Where a symmetry keeps the former in place, further slots have the first number 0 and a
 * negative second one: they are for no position that is looked up.
 */
#ifndef CORE_FOREIGN_MALOM_H
#define CORE_FOREIGN_MALOM_H

#include "foreign.h"

enum { MALOM_POINTS = 24, MALOM_MEN_MAX = 9, MALOM_SYMMETRIES = 16 };

/* The men of the side to move, then of the other. */
struct sector {
	unsigned board[2], hand[2];
};

/* ---- malom_index.c ---- */

/* Sets point[square] for all squares. */
void malom_points(uint8_t point[MALOM_POINTS]);
/* The least of each class of sets of so many points, ascending; malloc'ed, null without memory. */
uint32_t *malom_sets(unsigned men);
uint64_t malom_slots(const struct sector *);
/* The slot of a position; `sets`: those of its mover's men. */
uint64_t malom_slot(const struct sector *, const uint32_t *sets, const uint8_t point[MALOM_POINTS],
                    const struct el_position *);

/* ---- malom_values.c ---- */

/* The value of each plane's sector, null for none, from the text beside the table, and V. EL_IO if there
   is no such text; EL_DAMAGED if it does not give the values. */
enum el_status malom_values(const char *table, const struct sector *const sector[2], int *won,
                            int value[2], struct el_error *);

#endif
