/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From bit matrices to the index. A bit's address is a sum: a part for each side's men, and one for
 * each king, by its square and its place among the kings of its side. For one placement of all men
 * the kings are put on the board in the order of the index, the highest first, and the parts are
 * added up on the way.
 */
#include "sets.h"

#include "index.h"

struct gather {
	const struct checkers_sets *sets;
	const uint16_t *by_bit;
	uint16_t *by_index;
	uint64_t stride[2]; /* of a step in the rank of White's placement, and of Black's */
	struct checkers_shape shape;
};

/* One placement of all men. Kings are put down at levels: White's, then Black's. */
struct walk {
	const uint16_t *by_bit;
	uint16_t *out;
	uint32_t free; /* of men, in White's view, as all squares here */
	unsigned levels;
	unsigned left[EL_PIECES_MAX];                         /* of the side's kings, at each level */
	uint64_t part[EL_PIECES_MAX][CHECKERS_SQUARES];       /* of the address, by level and square */
};

/* `below`: where the king of this level may stand. */
static void put_kings(struct walk *w, unsigned level, uint32_t below, uint32_t kings,
                      uint64_t address)
{
	if (level == w->levels) {
		*w->out++ = w->by_bit[address];
		return;
	}
	const uint64_t *part = w->part[level];
	uint32_t squares = below;
	for (unsigned k = 1; k < w->left[level]; k++)
		squares &= squares - 1; /* those are for the lower ones */
	while (squares) {
		const unsigned square = checkers_pop(&squares);
		const uint32_t at = checkers_bit(square);
		if (level + 1 == w->levels)
			*w->out++ = w->by_bit[address + part[square]];
		else
			put_kings(w, level + 1,
			          w->left[level] > 1 ? below & (at - 1) : w->free & ~(kings | at),
			          kings | at, address + part[square]);
	}
}

/* The parts of a side's kings; `men` are its own, in White's view. Of White's kings the highest is the
   last in the order of its rank, of Black's, seen from the other end, the first. */
static void add_levels(struct walk *w, const struct gather *g, unsigned side, uint32_t men)
{
	const unsigned kings = g->sets->army[side].kings;
	const uint32_t own = side == EL_WHITE ? men : checkers_turn(men);
	for (unsigned n = 0; n < kings; n++) {
		const unsigned level = w->levels++, k = side == EL_WHITE ? kings - n : n + 1;
		w->left[level] = kings - n;
		for (unsigned square = 0; square < CHECKERS_SQUARES; square++) {
			const unsigned seen = side == EL_WHITE ? square
			                                       : CHECKERS_SQUARES - 1 - square;
			const unsigned below = checkers_count(own & (checkers_bit(seen) - 1));
			w->part[level][square] = g->stride[side] * choose[seen - below][k];
		}
	}
}

static uint64_t men_part(const struct gather *g, unsigned side, uint32_t own_men)
{
	const struct checkers_army *army = &g->sets->army[side];
	return g->stride[side] * choose_rank(own_men) *
	       choose[CHECKERS_SQUARES - army->men][army->kings];
}

static void gather_men(const struct gather *g, uint64_t first)
{
	const struct checkers_board board = checkers_unindex(&g->shape, first);
	struct walk w = {
		.by_bit = g->by_bit,
		.out = g->by_index + first,
		.free = ~(board.men[0] | board.men[1]),
	};
	for (unsigned side = 0; side < 2; side++)
		add_levels(&w, g, side, board.men[side]);
	put_kings(&w, 0, w.free, 0,
	          men_part(g, EL_WHITE, board.men[0]) +
	                  men_part(g, EL_BLACK, checkers_turn(board.men[1])));
}

/* Every index is a position of its own, so nothing is broken. */
enum el_status checkers_gather(const struct el_sets *sets, unsigned side, const uint16_t *by_bit,
                               uint16_t broken, uint16_t *by_index, struct el_error *error)
{
	const struct checkers_sets *c = (const struct checkers_sets *)sets;
	struct gather g = {
		.sets = c,
		.by_bit = by_bit,
		.by_index = by_index,
		.shape = checkers_shape(&sets->slice),
	};
	(void)broken;
	(void)error;
	g.stride[side] = 64 * c->row_words[side];
	g.stride[!side] = 1;
	const uint64_t kings = (uint64_t)g.shape.king[0] * g.shape.king[1];
#pragma omp parallel for schedule(dynamic, 16)
	for (uint64_t first = 0; first < sets->slice.positions; first += kings)
		gather_men(&g, first);
	return EL_OK;
}
