/* SPDX-License-Identifier: MIT */
/* Opens a draughts slice as bit matrices, with the operator on them, and maps these to the index. */
#include "sets.h"

#include "core/games/whole.h"

#include <stdlib.h>
#include <string.h>

/* ---- the layout ---- */

/* Sets the numbers of both armies. Returns the words of a unit. */
static size_t lay_out(const struct el_slice *slice, size_t tile, struct checkers_army army[2])
{
	const struct checkers_shape shape = checkers_shape(slice);
	size_t words[2];
	for (unsigned side = 0; side < 2; side++)
		checkers_army_lay_out(&army[side], &shape, side, tile);
	for (unsigned side = 0; side < 2; side++)
		words[side] = army[side].group_rows * checkers_row_words(army[!side].group_rows);
	return words[0] > words[1] ? words[0] : words[1];
}

/* The side whose groups are the sections of the index. */
static unsigned leading(const struct checkers_army army[2])
{
	return army[0].men || !army[1].men ? EL_WHITE : EL_BLACK;
}

struct el_measure checkers_measure(const struct el_slice *slice)
{
	struct checkers_army army[2];
	const uint64_t words = lay_out(slice, CHECKERS_TILE, army);
	const unsigned leader = leading(army);
	struct el_measure m = {
		.bits = 64 * words * army[0].groups * army[1].groups,
		.unit_bits = 64 * words,
		.desk = 2 * 64 * words * army[!leader].groups +
	                2 * army[leader].group_rows * army[!leader].count,
	};
	for (unsigned side = 0; side < 2; side++)
		m.beside += army[side].count *
		                    checkers_placement_bytes(army[side].men, army[side].kings) +
		            army[side].groups * checkers_row_words(army[side].group_rows) *
		                    CHECKERS_FACTS * CHECKERS_SQUARES * sizeof(uint64_t);
	return m;
}

/* ---- quiet moves ---- */

/*
 * If the side to move must capture, it has no quiet moves: such a position is in
 * no set with some quiet move, and in every set with none. Sets hold legal positions only, so a row's steps need not
 * check the squares of the opponent.
 */

/* words of a row processed together: they fit the nearest cache */
enum { STRIP = 256 };

static size_t links(const struct el_sets *sets, unsigned side, size_t unit,
                    uint32_t out[EL_LINKS_MAX])
{
	const struct checkers_tile t =
		checkers_tile_of((const struct checkers_sets *)sets, side, unit);
	size_t count = 0;
	for (uint64_t left = t.mover->linked[t.row_group]; left; left &= left - 1)
		out[count++] = (uint32_t)((size_t)__builtin_ctzll(left) * t.opponent->groups +
		                          t.column_group);
	return count;
}

/* The input of a row's answer. */
struct quiet {
	struct checkers_tile tile;
	const uint64_t *by_group[EL_LINKS_MAX]; /* the set; null where it is empty */
	bool some;
};

/* ORs the bits that a row's steps reach; false if there are none. */
static bool reach(const struct quiet *q, size_t row, size_t first, size_t count,
                  const uint64_t *among, uint64_t *found)
{
	const struct checkers_army *army = q->tile.mover;
	const size_t at = q->tile.first_row + row;
	uint64_t any = 0;
	memset(found, 0, count * sizeof *found);
	for (size_t s = army->first_step[at]; s < army->first_step[at + 1]; s++) {
		const struct checkers_step step = army->steps[s];
		const uint64_t *to = q->by_group[step.group];
		if (!to)
			continue;
		to += step.row * q->tile.words + first;
		for (size_t w = 0; w < count; w++)
			found[w] |= to[w];
	}
	for (size_t w = 0; w < count; w++)
		any |= found[w] &= among[w];
	return any;
}

static void answer_strip(const struct quiet *q, size_t row, size_t first, size_t count,
                         const uint64_t *among, uint64_t *from)
{
	uint64_t found[STRIP], captures[STRIP], any = 0;
	for (size_t w = 0; w < count; w++)
		any |= among[w];
	if (!any || !reach(q, row, first, count, among, found)) {
		if (!any || q->some)
			memset(from, 0, count * sizeof *from);
		else if (from != among)
			memcpy(from, among, count * sizeof *from);
		return;
	}
	checkers_capture_row(&q->tile, row, first, count, captures);
	if (q->some)
		for (size_t w = 0; w < count; w++)
			from[w] = found[w] & ~captures[w];
	else
		for (size_t w = 0; w < count; w++)
			from[w] = among[w] & (~found[w] | captures[w]);
}

static void pre(const struct el_sets *sets, unsigned side, size_t unit,
                const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, bool some,
                uint64_t *from, void *scratch)
{
	struct quiet q = {
		.tile = checkers_tile_of((const struct checkers_sets *)sets, side, unit),
		.some = some,
	};
	const size_t words = q.tile.words, used = q.tile.rows * words;
	size_t link = 0;
	(void)scratch;
	for (uint64_t left = q.tile.mover->linked[q.tile.row_group]; left; left &= left - 1)
		q.by_group[__builtin_ctzll(left)] = to[link++];
	for (size_t row = 0; row < q.tile.rows; row++)
		for (size_t first = 0; first < words; first += STRIP) {
			const size_t count = words - first < STRIP ? words - first : STRIP;
			const size_t at = row * words + first;
			answer_strip(&q, row, first, count, among + at, from + at);
		}
	memset(from + used, 0, (sets->words - used) * sizeof *from);
}

/* ---- sections ---- */

/* The index of the leader's first placement in its group, with the first ones of all others. */
static uint64_t section_begin(const struct el_sets *sets, size_t section)
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

static size_t section_units(const struct el_sets *sets, unsigned side, size_t section,
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

/* ---- gathering ---- */

/*
 * From tiles to the index. A placement's rank is a sum: a part for the side's men, and one for each
 * king, by its square and its place among its side's kings. For each placement of all men, the
 * kings are placed in the order of the index, highest first, adding up the parts on the way. The
 * leader's placements of a section are all in one group; the other side's may be in any.
 */

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

/* Every index is a different position, so none is broken. */
static void gather(const struct el_sets *sets, unsigned side, size_t section,
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
	const uint64_t end = section_begin(sets, section + 1);
	for (uint64_t first = section_begin(sets, section); first < end; first += kings) {
		const struct checkers_board board = checkers_unindex(&shape, first);
		walk_men(&w, section, board.men);
	}
}

/* ---- open and close ---- */

static void close_sets(struct el_sets *sets)
{
	struct checkers_sets *c = (struct checkers_sets *)sets;
	checkers_give_back(sets);
	for (unsigned side = 0; side < 2; side++) {
		free(c->facts[side]);
		checkers_army_close(&c->army[side]);
	}
	free(c);
}

/* Two sides with the same material share their sets, unless bounds favour one of them. */
struct el_sets *checkers_sets_make(const struct el_problem *problem, size_t tile)
{
	struct checkers_sets *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	const bool alike = problem->slice.planes == 1 && problem->favour == EL_FAVOUR_NONE;
	c->head = (struct el_sets){
		.game = problem->slice.game,
		.slice = problem->slice,
		.sides = alike ? 1 : 2,
		.stages = {"captures", "advances"},
		.begin = checkers_begin,
		.turn = checkers_turn_unit,
		.links = links,
		.pre = pre,
		.images = checkers_images,
		.keep = checkers_keep,
		.section = section_begin,
		.section_units = section_units,
		.gather = gather,
		.close = close_sets,
	};
	struct el_sets *head = &c->head;
	head->words = head->stored_words = lay_out(&head->slice, tile, c->army);
	head->units = c->army[0].groups * c->army[1].groups;
	c->leader = leading(c->army);
	head->sections = c->army[c->leader].groups;
	bool all = true;
	for (unsigned side = 0; side < head->sides && all; side++) {
		c->row_words[side] = checkers_row_words(c->army[!side].group_rows);
		all = checkers_army_open(&c->army[side]) == EL_OK;
	}
	if (all && checkers_facts_open(c))
		return head;
	close_sets(head);
	return NULL;
}

/* ---- the division ---- */

static struct el_sets *make_tiles(const struct el_problem *problem)
{
	return checkers_sets_make(problem, CHECKERS_TILE);
}

enum el_status checkers_divide(const struct el_problem *problem, struct el_division **out,
                               struct el_error *error)
{
	static const struct whole_way way = {checkers_measure, make_tiles, checkers_borrow,
	                                     checkers_give_back};
	return whole_divide(&way, problem, out, error);
}
