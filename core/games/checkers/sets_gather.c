/* SPDX-License-Identifier: MIT */
/*
 * From tiles to the index. A placement's rank is a sum: a part for the side's men, and one for each
 * king, by its square and its place among its side's kings. For each placement of all men, the
 * kings are placed in the order of the index, highest first, adding up the parts on the way. The
 * leader's placements of a section are all in one group; the other side's may be in any.
 */
#include "sets.h"

/* One placement of all men or, if there are none, of White's kings. */
struct walk {
	const struct checkers_sets *sets;
	const uint16_t *const *by_bit;
	uint16_t *out;
	/* address steps per rank of White's placement in its group, and of Black's */
	uint64_t stride[2];
	/* The group of the other side's men; kings alone may be in later groups, of 2^shift
	   rows. */
	size_t group;
	unsigned shift;
	uint64_t mask; /* of the rank in a group */
	uint64_t other_stride;

	/* Each level places one king: White's, then Black's; squares are in White's view. */
	uint32_t free; /* squares free of men */
	unsigned levels;
	unsigned left[CHECKERS_PIECES_MAX + 1]; /* by level: kings of its side still to be placed */
	/* By level and square: for the leader's kings, a part of the address; for the other side's,
	   2^32 times a part of the rank. */
	uint64_t part[CHECKERS_PIECES_MAX + 1][CHECKERS_SQUARES];
};

static uint16_t symbol_at(const struct walk *w, uint64_t sum)
{
	const uint64_t rank = sum >> 32;
	return w->by_bit[w->group + (rank >> w->shift)]
	                [(uint32_t)sum + (rank & w->mask) * w->other_stride];
}

/* `below`: the squares where the king of this level may stand. */
static void put_kings(struct walk *w, unsigned level, uint32_t below, uint32_t kings, uint64_t sum)
{
	if (level == w->levels) {
		*w->out++ = symbol_at(w, sum);
		return;
	}
	const uint64_t *part = w->part[level];
	uint32_t squares = below;
	for (unsigned k = 1; k < w->left[level]; k++)
		squares &= squares - 1; /* leave these to the lower kings */
	while (squares) {
		const unsigned square = checkers_pop(&squares);
		const uint32_t at = checkers_bit(square);
		if (level + 1 == w->levels)
			*w->out++ = symbol_at(w, sum + part[square]);
		else
			put_kings(w, level + 1,
			          w->left[level] > 1 ? below & (at - 1) : w->free & ~(kings | at),
			          kings | at, sum + part[square]);
	}
}

/* Adds the parts of a side's kings; `men` are its own, in White's view. The highest king is the
   last in White's rank, and the first in Black's, which sees the board from the other end. */
static void add_levels(struct walk *w, unsigned side, uint32_t men)
{
	const unsigned kings = checkers_army_of(w->sets, side)->kings;
	const uint32_t own = side == EL_WHITE ? men : checkers_turn(men);
	const uint64_t step = side == w->sets->leader ? w->stride[side] : UINT64_C(1) << 32;
	for (unsigned n = 0; n < kings; n++) {
		const unsigned level = w->levels++, k = side == EL_WHITE ? kings - n : n + 1;
		w->left[level] = kings - n;
		for (unsigned square = 0; square < CHECKERS_SQUARES; square++) {
			const unsigned seen =
				side == EL_WHITE ? square : CHECKERS_SQUARES - 1 - square;
			const unsigned below = checkers_count(own & (checkers_bit(seen) - 1));
			w->part[level][square] = step * choose[seen - below][k];
		}
	}
}

/* ---- one placement of all men ---- */

static void walk_men(struct walk *w, size_t section, const uint32_t men[2])
{
	w->levels = 0;
	w->free = ~(men[0] | men[1]);
	for (unsigned side = 0; side < 2; side++)
		add_levels(w, side, men[side]);

	/* The address of the men alone, and the group of the other side's. */
	const unsigned leader = w->sets->leader;
	const struct checkers_army *first = checkers_army_of(w->sets, leader),
				   *other = checkers_army_of(w->sets, !leader);
	const uint32_t own = leader == EL_WHITE ? men[0] : checkers_turn(men[1]),
		       their = leader == EL_WHITE ? checkers_turn(men[1]) : men[0];
	const size_t rank = checkers_men_rank(other, their) * other->per_men;
	w->group = rank / other->group_rows;
	const size_t row =
		checkers_men_rank(first, own) * first->per_men - section * first->group_rows;
	put_kings(w, 0, w->free, 0,
	          row * w->stride[leader] + rank % other->group_rows * w->other_stride);
}

/* ---- a section ---- */

/* Every index is a different position, so none is broken. */
void checkers_gather(const struct el_sets *sets, unsigned side, size_t section,
                     const uint16_t *const by_bit[EL_LINKS_MAX], uint16_t *by_index)
{
	const struct checkers_sets *c = (const struct checkers_sets *)sets;
	const struct checkers_army *other = checkers_army_of(c, !c->leader);
	const struct checkers_shape shape = checkers_shape(&sets->slice);
	const bool divided = !other->men && other->groups > 1;
	struct walk w = {
		.sets = c,
		.by_bit = by_bit,
		.out = by_index,
		.shift = divided ? (unsigned)__builtin_ctzll(other->group_rows) : 63,
		.mask = divided ? other->group_rows - 1 : UINT64_MAX,
	};
	w.stride[side] = 64 * c->row_words[side];
	w.stride[!side] = 1;
	w.other_stride = w.stride[!c->leader];
	if (!shape.men[0] && !shape.men[1]) {
		const struct checkers_army *white = checkers_army_of(c, EL_WHITE);
		const struct checkers_placement *first =
			white->placement + section * white->group_rows;
		add_levels(&w, EL_BLACK, 0);
		for (size_t row = 0; row < checkers_group_size(white, section); row++) {
			w.free = ~first[row].kings;
			put_kings(&w, 0, w.free, 0, row * w.stride[EL_WHITE]);
		}
		return;
	}
	const uint64_t kings = (uint64_t)shape.king[0] * shape.king[1];
	const uint64_t end = checkers_section(sets, section + 1);
	for (uint64_t first = checkers_section(sets, section); first < end; first += kings) {
		const struct checkers_board board = checkers_unindex(&shape, first);
		walk_men(&w, section, board.men);
	}
}

/* ---- sections ---- */

/* The index of the leader's first placement in its group, with the first ones of all others. */
uint64_t checkers_section(const struct el_sets *sets, size_t section)
{
	const struct checkers_sets *c = (const struct checkers_sets *)sets;
	const struct checkers_army *army = checkers_army_of(c, c->leader);
	const struct checkers_shape *shape = &army->shape;
	if (section == army->groups)
		return sets->slice.positions;
	if (!army->men)
		return section * army->group_rows * shape->king[1];
	const uint32_t rank = (uint32_t)(section * army->group_rows / army->per_men);
	const struct checkers_class *class = checkers_class_at(shape, rank);
	const uint64_t men =
		c->leader == EL_WHITE
			? class->base + (uint64_t)(rank - class->white_base) * class->black
			: rank;
	return men * shape->king[0] * shape->king[1];
}

size_t checkers_section_units(const struct el_sets *sets, unsigned side, size_t section,
                              uint32_t out[EL_LINKS_MAX])
{
	const struct checkers_sets *c = (const struct checkers_sets *)sets;
	const size_t leading = checkers_army_of(c, c->leader)->groups,
		     others = checkers_army_of(c, !c->leader)->groups;
	for (size_t k = 0; k < others; k++)
		out[k] = (uint32_t)(side == c->leader ? section * others + k
		                                      : k * leading + section);
	return others;
}
