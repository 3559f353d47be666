/* SPDX-License-Identifier: MIT */
/*
 * The board of awari and oware: twelve pits. South owns pits 0 to 5, A to F, North 6 to 11, a to f. Sowing
 * goes from each pit to the next, and from the last to the first.
 *
 * Rules, values and tables see it from the side to move: its own pits first (struct awari_board).
 */
#ifndef CORE_GAMES_AWARI_BOARD_H
#define CORE_GAMES_AWARI_BOARD_H

#include "core/games/game.h"

enum {
	AWARI_PITS = EL_PITS,
	AWARI_ROW = AWARI_PITS / 2, /* pits of a side */
	AWARI_STONES = 48,          /* in the game */
	/* Stones a move can capture: at least two, at most three in each of six pits. */
	AWARI_LEAST = 2,
	AWARI_MOST = 3 * AWARI_ROW,
};

/* The stones in the pits of the side to move, then of the other side. */
struct awari_board {
	uint8_t pit[AWARI_PITS];
};

/* The result of a move, seen from the same side. */
struct awari_sown {
	struct awari_board after;
	uint8_t last;     /* the pit that received the last stone */
	uint8_t captured; /* stones */
	uint16_t emptied; /* pits they were captured from */
	bool feeds;       /* the other side has a stone left */
};

/* Sows the stones of a pit; the pit of origin is skipped and stays empty. Returns the last pit. */
unsigned awari_fill(uint8_t pit[AWARI_PITS], unsigned from);
/* Sows with captures, from a non-empty pit of the side to move. `spares`: as in el_game. */
struct awari_sown awari_sow(const struct awari_board *, unsigned from, bool spares);

/* Converts a pit number as a side sees it to that of the position, and back. */
static inline unsigned awari_pit(unsigned side, unsigned pit)
{
	return side == EL_WHITE ? pit : (pit + AWARI_ROW) % AWARI_PITS;
}

/* The board as the side to move sees it. */
struct awari_board awari_board_of(const struct el_position *);

/* Stones in a row of six pits. */
static inline unsigned awari_row_sum(const uint8_t row[AWARI_ROW])
{
	unsigned sum = 0;
	for (unsigned i = 0; i < AWARI_ROW; i++)
		sum += row[i];
	return sum;
}

/* ---- members of el_awari ---- */

uint8_t awari_square_at(unsigned file, unsigned rank);
void awari_square_name(uint8_t square, char out[4]);
void awari_swap_colours(const struct el_position *, struct el_position *out);

#endif
