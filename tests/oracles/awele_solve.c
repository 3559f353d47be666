/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solves Awari, from few stones to many. All boards with n stones begin at 0, the value of endless
 * play; then each gets the best value that a move gives it, over and over, until nothing changes. A
 * value moves away from 0 only if it can be forced, and never returns.
 *
 * Boards are seen by the mover, who is South. Boards with the same number of stones are numbered by
 * the stones in pit f, then by those in pit e, and so on.
 */
#include "awele.h"

#include <stdint.h>
#include <stdlib.h>

struct awele {
	unsigned stones;
	bool oware;
	/* the ways to put a number of stones into a number of pits */
	uint32_t ways[AWELE_PITS + 1][AWELE_SOLVED + 1];
	signed char *value[AWELE_SOLVED + 1]; /* by stones and number */
};

enum { NO_VALUE = -2 * AWELE_SOLVED };
static const uint32_t no_board = UINT32_MAX;

/* The boards with n stones, while they are solved. */
struct layer {
	uint32_t boards;
	/* by number: the boards that moves without a capture lead to, then no_board */
	uint32_t (*quiet)[AWELE_MOVES];
	signed char *sure; /* by number: the most that captures are known to gain, or NO_VALUE */
};

static void *claim(size_t count, size_t size)
{
	void *memory = calloc(count, size);
	awele_need(memory != NULL, "no memory");
	return memory;
}

/* ---- numbers of boards ---- */

static void count_ways(struct awele *a)
{
	a->ways[0][0] = 1;
	for (unsigned pits = 1; pits <= AWELE_PITS; pits++)
		for (unsigned stones = 0; stones <= AWELE_SOLVED; stones++)
			for (unsigned in_last = 0; in_last <= stones; in_last++)
				a->ways[pits][stones] += a->ways[pits - 1][stones - in_last];
}

/* Counts the boards that come before: those with fewer stones in a pit and the same in all later
   pits. */
static uint32_t number_of(const struct awele *a, const struct awele_board *board)
{
	unsigned left = awele_stones(board);
	uint32_t number = 0;
	for (unsigned pit = AWELE_PITS; pit-- > 0;) {
		for (unsigned fewer = 0; fewer < board->pit[pit]; fewer++)
			number += a->ways[pit][left - fewer];
		left -= board->pit[pit];
	}
	return number;
}

static struct awele_board board_of(const struct awele *a, unsigned stones, uint32_t number)
{
	struct awele_board board = {.side = 'S', .oware = a->oware};
	for (unsigned pit = AWELE_PITS; pit-- > 0;)
		while (number >= a->ways[pit][stones]) {
			number -= a->ways[pit][stones];
			board.pit[pit]++;
			stones--;
		}
	return board;
}

static struct awele_board seen_by_mover(const struct awele_board *board)
{
	return board->side == 'S' ? *board : awele_turned(board);
}

/* ---- a layer ---- */

static void note_moves(const struct awele *a, struct layer *l, uint32_t number,
                       const struct awele_board *board)
{
	struct awele_move moves[AWELE_MOVES];
	const size_t count = awele_moves(board, moves);
	size_t quiet = 0;
	l->sure[number] = count > 0 ? NO_VALUE : (signed char)-(int)awele_stones(board);
	for (size_t i = 0; i < count; i++) {
		const struct awele_board after = seen_by_mover(&moves[i].after);
		const uint32_t to = number_of(a, &after);
		if (moves[i].captured == 0) {
			l->quiet[number][quiet++] = to;
			continue;
		}
		const int got = moves[i].captured - a->value[awele_stones(&after)][to];
		if (got > l->sure[number])
			l->sure[number] = (signed char)got;
	}
	while (quiet < AWELE_MOVES)
		l->quiet[number][quiet++] = no_board;
}

static signed char best_of(const struct layer *l, const signed char *value, uint32_t number)
{
	int best = l->sure[number];
	for (unsigned i = 0; i < AWELE_MOVES && l->quiet[number][i] != no_board; i++) {
		const int got = -value[l->quiet[number][i]];
		best = got > best ? got : best;
	}
	return (signed char)best;
}

static bool sweep(const struct layer *l, signed char *value)
{
	bool changes = false;
	for (uint32_t number = 0; number < l->boards; number++) {
		const signed char best = best_of(l, value, number);
		changes = changes || best != value[number];
		value[number] = best;
	}
	return changes;
}

static void solve_layer(struct awele *a, unsigned stones)
{
	struct layer l = {.boards = a->ways[AWELE_PITS][stones]};
	l.quiet = claim(l.boards, sizeof *l.quiet);
	l.sure = claim(l.boards, sizeof *l.sure);
	a->value[stones] = claim(l.boards, sizeof *a->value[stones]);
	for (uint32_t number = 0; number < l.boards; number++) {
		const struct awele_board board = board_of(a, stones, number);
		note_moves(a, &l, number, &board);
	}
	while (sweep(&l, a->value[stones]))
		;
	free(l.quiet);
	free(l.sure);
}

struct awele *awele_solve(unsigned stones, bool oware)
{
	struct awele *a = claim(1, sizeof *a);
	awele_need(stones <= AWELE_SOLVED, "too many stones");
	a->stones = stones;
	a->oware = oware;
	count_ways(a);
	for (unsigned n = 0; n <= stones; n++)
		solve_layer(a, n);
	return a;
}

void awele_free(struct awele *a)
{
	for (unsigned n = 0; n <= AWELE_SOLVED; n++)
		free(a->value[n]);
	free(a);
}

/* ---- answers ---- */

bool awele_lookup(const struct awele *a, const struct awele_board *board, int *value)
{
	const struct awele_board seen = seen_by_mover(board);
	const unsigned stones = awele_stones(&seen);
	if (stones > a->stones)
		return false;
	*value = a->value[stones][number_of(a, &seen)];
	return true;
}

void awele_each(const struct awele *a, unsigned stones, awele_visit_value *visit, void *context)
{
	awele_need(stones <= a->stones, "boards with so many stones were not solved");
	for (uint32_t number = 0; number < a->ways[AWELE_PITS][stones]; number++) {
		const struct awele_board board = board_of(a, stones, number);
		visit(&board, a->value[stones][number], context);
	}
}
