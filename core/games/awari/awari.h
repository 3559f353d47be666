/* SPDX-License-Identifier: MIT */
/*
 * The board of awari and oware: twelve pits. South owns pits 0 to 5, A to F, North 6 to 11, a to f. Sowing
 * goes from each pit to the next, and from the last to the first.
 *
 * Rules, values and tables see it from the side to move: its own pits first (struct awari_board).
 */
#ifndef CORE_GAMES_AWARI_AWARI_H
#define CORE_GAMES_AWARI_AWARI_H

#include "core/games/choose.h"
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

/* Sows the stones of a pit; the pit of origin is skipped and stays empty. Returns the last pit. */
unsigned awari_fill(uint8_t pit[AWARI_PITS], unsigned from);

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

/* ---- the index ---- */

/*
 * The index of an awari board among those with the same number of stones (n): first by the number
 * of stones in the mover's own pits (m), then by their placement, then by that of the other n - m:
 *
 *     index = boards with fewer stones in own pits + rank of own pits * C(n - m + 5, 5) + rank of
 *     the others
 *
 * Stones in six pits are numbered in the combinatorial number system (choose.h), as five bars among
 * the stones: bar i follows the stones of pits 0 to i. Every index is a board: there are C(n + 11,
 * 11).
 *
 * Adding the same stones to every row of equal sum preserves their rank order, so a sowing maps the
 * other side's rows monotonically. The set operators rely on that (sets.h).
 */

/* The number of ways to place so many stones in six pits. */
static inline uint32_t awari_rows(unsigned stones)
{
	return choose[stones + AWARI_ROW - 1][AWARI_ROW - 1];
}

/* The rank of a row among those of the same sum. */
static inline uint32_t awari_rank(const uint8_t row[AWARI_ROW])
{
	uint32_t rank = 0;
	for (unsigned bar = 0, behind = 0; bar < AWARI_ROW - 1; bar++) {
		behind += row[bar];
		rank += choose[behind + bar][bar + 1];
	}
	return rank;
}

/* The inverse. */
void awari_unrank(unsigned stones, uint32_t rank, uint8_t row[AWARI_ROW]);

/* The first index with `own` stones in own pits, of `stones` in all; the number of indexes for
   `own` = stones + 1. */
uint64_t awari_first(unsigned stones, unsigned own);

/* The slice with so many stones on the board, 0 to 48. */
struct el_slice awari_slice(const struct el_game *, unsigned stones);

/* ---- members of el_awari and el_oware: those that depend on the game are there twice ---- */

/* board.c */
uint8_t awari_square_at(unsigned file, unsigned rank);
void awari_square_name(uint8_t square, char out[4]);
void awari_swap_colours(const struct el_position *, struct el_position *out);
/* index.c */
bool awari_place(const struct el_position *, struct el_place *out);
bool awari_unplace(const struct el_slice *, unsigned plane, uint64_t index,
                   struct el_position *out);
unsigned awari_symmetry(const struct el_position *);
/* moves.c */
enum el_status awari_check(const struct el_position *, struct el_error *);
bool awari_legal(const struct el_position *, const struct el_place *);
size_t awari_moves(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t oware_moves(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t awari_captures(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t oware_captures(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
void awari_play(const struct el_position *, const struct el_move *, struct el_position *out);
struct el_value awari_stuck(const struct el_position *);
bool awari_stage(const struct el_position *, const struct el_move *, unsigned stage,
                 struct el_position *out, uint8_t *at, unsigned *hand);
unsigned awari_gain(const struct el_position *, const struct el_move *);
/* notation.c */
bool awari_looks_like(const char *text);
bool oware_looks_like(const char *text);
enum el_status awari_parse(const char *text, struct el_position *out, struct el_error *);
enum el_status oware_parse(const char *text, struct el_position *out, struct el_error *);
void awari_format(const struct el_position *, char out[EL_FEN_MAX]);
void oware_format(const struct el_position *, char out[EL_FEN_MAX]);
void awari_write_move(const struct el_position *, const struct el_move *, enum el_notation,
                      char out[EL_MOVE_MAX]);
enum el_status awari_read_move(const struct el_position *, const char *text, struct el_move *out,
                               struct el_error *);
enum el_status oware_read_move(const struct el_position *, const char *text, struct el_move *out,
                               struct el_error *);
/* sets.c */
struct el_measure awari_measure(const struct el_slice *);
enum el_status awari_divide(const struct el_problem *, struct el_division **, struct el_error *);
/* best.c */
enum el_status awari_best(const struct el_best_problem *, struct el_best **, struct el_error *);

#endif
