/* SPDX-License-Identifier: MIT */
#include "index.h"

/* Rows `first` to `end` - 1. */
static uint32_t rows(unsigned first, unsigned end)
{
	const uint64_t below = (UINT64_C(1) << CHECKERS_ROW_SQUARES * end) - 1;
	return first < end ? (uint32_t)(below >> CHECKERS_ROW_SQUARES * first
	                                                 << CHECKERS_ROW_SQUARES * first)
	                   : 0;
}

/* Sets the areas of white men. */
static void set_areas(struct checkers_shape *shape)
{
	/* The first row that black men reach, and the rows that are closed to white men. */
	const bool cut = shape->lead[0] || shape->lead[1];
	const unsigned reach = shape->lead[1] ? 8 - shape->lead[1] : cut ? 8 : 1;
	const unsigned end = cut ? shape->lead[0] : 7;
	const unsigned limit[CHECKERS_AREAS + 1] = {0, reach, reach + (shape->lead[1] > 0), 8};
	for (unsigned i = 0; i < CHECKERS_AREAS; i++) {
		shape->area[i] = rows(limit[i], limit[i + 1] < end ? limit[i + 1] : end);
		shape->first[i] = shape->area[i] ? checkers_first(shape->area[i]) : 0;
	}
	shape->closed = rows(0, reach);
}

/* Sets the numbers of a class from its men in each area. */
static void set_class(const struct checkers_shape *shape, struct checkers_class *c)
{
	const uint32_t top = shape->lead[0] ? rows(shape->lead[0] - 1, shape->lead[0]) : 0;
	for (unsigned i = 0; i < CHECKERS_AREAS; i++) {
		const unsigned squares = checkers_count(shape->area[i]);
		const bool leads = shape->area[i] & top;
		c->low[i] = leads ? choose[squares - CHECKERS_ROW_SQUARES][c->men[i]] : 0;
		c->count[i] = choose[squares][c->men[i]] - c->low[i];
	}
	/* A white man in the first area is in no black man's way. */
	const unsigned squares =
		CHECKERS_SQUARES - checkers_count(shape->closed) - c->men[1] - c->men[2];
	const unsigned behind = shape->lead[1] ? squares + c->men[1] - CHECKERS_ROW_SQUARES : 0;
	c->black_low = shape->lead[1] ? choose[behind][shape->men[1]] : 0;
	c->black = choose[squares][shape->men[1]] - c->black_low;
}

/* The pieces of one side. */
struct side {
	unsigned men, kings, lead;
};

/* At most CHECKERS_PIECES_MAX pieces in all. Each thread keeps the last shape that it asked for, since
   positions are placed by the million, most of them one after the other in the same slice. */
static const struct checkers_shape *shape_of(const struct side side[2])
{
	static _Thread_local struct {
		struct side side[2];
		struct checkers_shape shape; /* without positions: none yet */
	} last;
	struct checkers_shape *shape = &last.shape;
	if (shape->positions && !memcmp(last.side, side, sizeof last.side))
		return shape;
	const unsigned men = side[0].men, all = men + side[1].men;
	uint64_t placements = 0;
	uint32_t whites = 0;
	memcpy(last.side, side, sizeof last.side);
	*shape = (struct checkers_shape){.classes = 0};
	for (unsigned i = 0; i < 2; i++) {
		shape->men[i] = side[i].men;
		shape->kings[i] = side[i].kings;
		shape->lead[i] = side[i].lead;
		shape->exit[i] = side[i].lead ? rows(side[i].lead, side[i].lead + 1) : CHECKERS_TOP;
	}
	set_areas(shape);
	unsigned most[CHECKERS_AREAS];
	for (unsigned i = 0; i < CHECKERS_AREAS; i++)
		most[i] = checkers_count(shape->area[i]);
	for (unsigned a = 0; a <= men && a <= most[0]; a++)
		for (unsigned b = 0; a + b <= men && b <= most[1]; b++) {
			if (men - a - b > most[2])
				continue;
			struct checkers_class *c = &shape->class[shape->classes];
			*c = (struct checkers_class){
				.men = {(uint8_t)a, (uint8_t)b, (uint8_t)(men - a - b)},
				.base = placements,
				.white_base = whites,
			};
			set_class(shape, c);
			shape->class_of[a][b] = (uint8_t)shape->classes++;
			const uint32_t white = c->count[0] * c->count[1] * c->count[2];
			whites += white;
			placements += (uint64_t)white * c->black;
		}
	shape->king[0] = choose[CHECKERS_SQUARES - all][side[0].kings];
	shape->king[1] = choose[CHECKERS_SQUARES - all - side[0].kings][side[1].kings];
	shape->positions = placements * shape->king[0] * shape->king[1];
	return shape;
}

static const struct checkers_shape *slice_shape(const struct el_slice *slice)
{
	struct side side[2];
	for (unsigned i = 0; i < 2; i++)
		side[i] = (struct side){slice->count[i][CHECKERS_MAN],
		                        slice->count[i][CHECKERS_KING], slice->lead[i]};
	return shape_of(side);
}

struct checkers_shape checkers_shape(const struct el_slice *slice)
{
	return *slice_shape(slice);
}

struct checkers_leads checkers_next_leads(const struct checkers_shape *shape, unsigned side)
{
	const unsigned lead = shape->lead[side], men = shape->men[side];
	if (!lead)
		return (struct checkers_leads){0, 0, true};
	if (lead < CHECKERS_LEAD_MAX)
		return (struct checkers_leads){lead + 1, lead + 1, false};
	return (struct checkers_leads){checkers_lowest_lead(men - 1),
	                               men > 1 ? CHECKERS_LEAD_MAX : 0, true};
}

struct el_slice checkers_slice(const struct el_game *game, const uint8_t (*count)[EL_KINDS],
                               const uint8_t lead[2])
{
	const uint32_t strength[2] = {
		checkers_strength(count[0][CHECKERS_KING], count[0][CHECKERS_MAN], lead[0]),
		checkers_strength(count[1][CHECKERS_KING], count[1][CHECKERS_MAN], lead[1]),
	};
	struct el_slice slice = slice_of(game, "checkers:", count, lead, strength);
	slice.positions = slice_shape(&slice)->positions;
	return slice;
}

static uint32_t unranked(uint32_t rank, unsigned count, uint32_t removed)
{
	return spread((uint32_t)choose_unrank(rank, count), removed);
}

uint32_t checkers_class_men(const struct checkers_shape *shape, const struct checkers_class *c,
                            uint64_t rank)
{
	uint32_t men = 0;
	for (unsigned i = CHECKERS_AREAS; i-- > 0;)
		men |= (uint32_t)choose_unrank(choose_take(&rank, c->count[i]) + c->low[i],
		                               c->men[i])
		       << shape->first[i];
	return men;
}

const struct checkers_class *checkers_class_at(const struct checkers_shape *shape, uint32_t rank)
{
	const struct checkers_class *c = &shape->class[shape->classes - 1];
	while (c->white_base > rank)
		c--;
	return c;
}

struct checkers_board checkers_unindex(const struct checkers_shape *shape, uint64_t index)
{
	struct checkers_board board;
	const uint32_t black_kings = choose_take(&index, shape->king[1]);
	const uint32_t white_kings = choose_take(&index, shape->king[0]);
	const struct checkers_class *c = &shape->class[shape->classes - 1];
	while (c->base > index)
		c--;
	index -= c->base;
	const uint32_t black_men = choose_take(&index, c->black) + c->black_low;
	board.men[0] = checkers_class_men(shape, c, index);
	board.men[1] = checkers_black_spread(shape, board.men[0],
	                                     (uint32_t)choose_unrank(black_men, shape->men[1]));
	const uint32_t men = board.men[0] | board.men[1];
	board.kings[0] = unranked(white_kings, shape->kings[0], men);
	board.kings[1] = unranked(black_kings, shape->kings[1], men | board.kings[0]);
	return board;
}

/* ---- places ---- */

/* The lowest square of a side's men in White's view. */
static unsigned lowest_man(unsigned side, unsigned lead)
{
	if (side == EL_WHITE)
		return 0;
	return lead ? CHECKERS_SQUARES - CHECKERS_ROW_SQUARES * lead : CHECKERS_BOTTOM_SQUARES;
}

/* Sets the ranks of the groups present, in White's view, kings before men. */
static void set_digits(const struct checkers_shape *shape, const struct checkers_board *board,
                       uint32_t digit[EL_DIGITS_MAX])
{
	for (unsigned side = 0; side < 2; side++) {
		if (board->kings[side])
			*digit++ = choose_rank(board->kings[side]);
		if (board->men[side])
			*digit++ = choose_rank(board->men[side] >>
			                       lowest_man(side, shape->lead[side]));
	}
}

bool checkers_place(const struct el_position *position, struct el_place *out)
{
	const struct checkers_board seen[2] = {checkers_board_of(position, EL_WHITE),
	                                       checkers_board_of(position, EL_BLACK)};
	struct side side[2];
	uint32_t strength[2];
	for (unsigned i = 0; i < 2; i++)
		side[i] = (struct side){checkers_count(seen[i].men[0]),
		                        checkers_count(seen[i].kings[0]), 0};
	const unsigned pieces[2] = {side[0].men + side[0].kings, side[1].men + side[1].kings};
	if (position->side > EL_BLACK || !pieces[0] || !pieces[1] ||
	    pieces[0] + pieces[1] > CHECKERS_PIECES_MAX ||
	    ((seen[0].men[0] | seen[1].men[0]) & CHECKERS_TOP))
		return false;
	for (unsigned i = 0; i < 2; i++) {
		if (pieces[0] + pieces[1] >= CHECKERS_CUT)
			side[i].lead = checkers_lead(seen[i].men[0]);
		strength[i] = checkers_strength(side[i].kings, side[i].men, side[i].lead);
	}

	/* The first-named side becomes White, and sees the board as White does. */
	const unsigned equal = strength[0] == strength[1];
	const unsigned first = (strength[1] > strength[0]) | (equal & position->side & 1);
	const struct checkers_board *board = &seen[first];
	const struct checkers_shape *shape = shape_of((struct side[2]){side[first], side[!first]});
	const uint64_t index = checkers_index(shape, board);
	out->key = slice_key(strength[first], strength[!first]);
	out->plane = position->side ^ (uint8_t)first;
	out->index = index < shape->positions ? index : 0; /* pieces that share a square */
	set_digits(shape, board, out->digit);
	return true;
}

bool checkers_unplace(const struct el_slice *slice, unsigned plane, uint64_t index,
                      struct el_position *out)
{
	if (index >= slice->positions || plane >= slice->planes)
		return false;
	const struct checkers_board board = checkers_unindex(slice_shape(slice), index);
	*out = (struct el_position){
		.side = (uint8_t)plane, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned side = 0; side < 2; side++) {
		out->set[side][CHECKERS_KING] = checkers_turn(board.kings[side]);
		out->set[side][CHECKERS_MAN] = checkers_turn(board.men[side]);
	}
	return true;
}

/* ---- digits ---- */

/* The number of squares that the digit of a group's pieces counts. */
static unsigned digit_squares(const struct el_slice *slice, unsigned side, unsigned kind)
{
	if (kind == CHECKERS_KING)
		return CHECKERS_SQUARES;
	return slice->lead[side] ? CHECKERS_ROW_SQUARES * slice->lead[side] : CHECKERS_MAN_SQUARES;
}

void checkers_digits(const struct el_slice *slice, struct el_digits *out)
{
	static const char letters[2][CHECKERS_KINDS] = {{'K', 'M'}, {'k', 'm'}};
	*out = (struct el_digits){0};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < CHECKERS_KINDS; kind++) {
			const unsigned count = slice->count[side][kind];
			if (!count)
				continue;
			out->letter[out->count] = letters[side][kind];
			out->pieces[out->count] = (uint8_t)count;
			out->radix[out->count++] = choose[digit_squares(slice, side, kind)][count];
		}
}

void checkers_stand(const struct el_slice *slice, unsigned digit, uint32_t value, uint8_t *square)
{
	unsigned group = 0; /* side * kinds + kind */
	for (unsigned left = digit;; group++) {
		if (!slice->count[group / CHECKERS_KINDS][group % CHECKERS_KINDS])
			continue;
		if (!left--)
			break;
	}
	const unsigned side = group / CHECKERS_KINDS, kind = group % CHECKERS_KINDS;
	const unsigned lowest = kind == CHECKERS_MAN ? lowest_man(side, slice->lead[side]) : 0;
	for (uint64_t set = choose_unrank(value, slice->count[side][kind]) << lowest; set;
	     set &= set - 1) {
		const unsigned at = (unsigned)__builtin_ctzll(set), row = at / 4;
		*square++ = (uint8_t)(8 * row + 2 * (at & 3) + !(row & 1));
	}
}

uint8_t checkers_stands_on(uint8_t square)
{
	const unsigned row = square / 8, at = 4 * row + square % 8 / 2;
	return (uint8_t)(CHECKERS_SQUARES - 1 - at);
}

void checkers_take_apart(const struct el_slice *slice, uint64_t index,
                         uint32_t digit[EL_DIGITS_MAX])
{
	const struct checkers_shape *shape = slice_shape(slice);
	const struct checkers_board board = checkers_unindex(shape, index);
	set_digits(shape, &board, digit);
}

unsigned checkers_leading_rank(const struct el_position *position, unsigned side)
{
	return checkers_lead(checkers_board_of(position, side).men[0]);
}
