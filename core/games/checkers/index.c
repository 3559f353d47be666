/* SPDX-License-Identifier: MIT */
#include "index.h"

#include <string.h>

/* The first-named side is [0]; at most CHECKERS_PIECES_MAX pieces in all. */
static struct checkers_shape shape_of(const unsigned men[2], const unsigned kings[2])
{
	const unsigned white = men[0], all = white + men[1];
	const unsigned high = CHECKERS_MAN_SQUARES - CHECKERS_BOTTOM_SQUARES;
	struct checkers_shape shape;
	uint64_t placements = 0;
	shape.most = white < CHECKERS_BOTTOM_SQUARES ? white : CHECKERS_BOTTOM_SQUARES;
	for (unsigned side = 0; side < 2; side++) {
		shape.men[side] = men[side];
		shape.kings[side] = kings[side];
	}
	for (unsigned k = 0; k <= shape.most; k++) {
		shape.base[k] = placements;
		shape.rest[k] = choose[high][white - k];
		shape.black[k] = choose[CHECKERS_MAN_SQUARES - white + k][men[1]];
		placements += (uint64_t)choose[CHECKERS_BOTTOM_SQUARES][k] * shape.rest[k] *
		              shape.black[k];
	}
	shape.king[0] = choose[CHECKERS_SQUARES - all][kings[0]];
	shape.king[1] = choose[CHECKERS_SQUARES - all - kings[0]][kings[1]];
	shape.positions = placements * shape.king[0] * shape.king[1];
	return shape;
}

struct checkers_shape checkers_shape(const struct el_slice *slice)
{
	const uint8_t(*count)[EL_KINDS] = slice->count;
	const unsigned men[2] = {count[0][CHECKERS_MAN], count[1][CHECKERS_MAN]};
	const unsigned kings[2] = {count[0][CHECKERS_KING], count[1][CHECKERS_KING]};
	return shape_of(men, kings);
}

struct el_slice checkers_slice(const struct el_game *game, const uint8_t (*count)[EL_KINDS])
{
	const uint32_t strength[2] = {
		checkers_strength(count[0][CHECKERS_KING], count[0][CHECKERS_MAN]),
		checkers_strength(count[1][CHECKERS_KING], count[1][CHECKERS_MAN]),
	};
	struct el_slice slice = slice_of(game, "checkers:", count, strength);
	slice.positions = checkers_shape(&slice).positions;
	return slice;
}

static uint32_t unranked(uint32_t rank, unsigned count, uint32_t removed)
{
	return spread((uint32_t)choose_unrank(rank, count), removed);
}

struct checkers_board checkers_unindex(const struct checkers_shape *shape, uint64_t index)
{
	struct checkers_board board;
	const uint32_t black_kings = choose_take(&index, shape->king[1]);
	const uint32_t white_kings = choose_take(&index, shape->king[0]);
	unsigned k = shape->most;
	while (shape->base[k] > index)
		k--;
	index -= shape->base[k];
	const uint32_t black_men = choose_take(&index, shape->black[k]);
	const uint32_t high = choose_take(&index, shape->rest[k]);
	board.men[0] = unranked((uint32_t)index, k, ~CHECKERS_BOTTOM) |
	               unranked(high, shape->men[0] - k, CHECKERS_BOTTOM);
	board.men[1] = unranked(black_men, shape->men[1], CHECKERS_BOTTOM | board.men[0]);
	const uint32_t men = board.men[0] | board.men[1];
	board.kings[0] = unranked(white_kings, shape->kings[0], men);
	board.kings[1] = unranked(black_kings, shape->kings[1], men | board.kings[0]);
	return board;
}

/* ---- places ---- */

static uint32_t strength_of(const struct checkers_board *board, unsigned side)
{
	return checkers_strength(checkers_count(board->kings[side]),
	                         checkers_count(board->men[side]));
}

/* Sets the ranks of the groups present, in White's view, kings before men. */
static void set_digits(const struct checkers_board *board, uint32_t digit[EL_DIGITS_MAX])
{
	for (unsigned side = 0; side < 2; side++) {
		const unsigned lowest = side * CHECKERS_BOTTOM_SQUARES; /* for men */
		if (board->kings[side])
			*digit++ = choose_rank(board->kings[side]);
		if (board->men[side])
			*digit++ = choose_rank(board->men[side] >> lowest);
	}
}

bool checkers_place(const struct el_position *position, struct el_place *out)
{
	struct checkers_board board = checkers_board_of(position, EL_WHITE);
	const uint32_t strength[2] = {strength_of(&board, 0), strength_of(&board, 1)};
	const unsigned equal = strength[0] == strength[1];
	const unsigned first = (strength[1] > strength[0]) | (equal & position->side & 1);
	/* The first-named side becomes White, and sees the board as White does. */
	if (first == EL_BLACK)
		board = checkers_board_of(position, EL_BLACK);
	if (position->side > EL_BLACK || !strength[0] || !strength[1] ||
	    (strength[0] >> 8) + (strength[1] >> 8) > CHECKERS_PIECES_MAX ||
	    ((board.men[0] & CHECKERS_TOP) | (board.men[1] & CHECKERS_BOTTOM)))
		return false;

	const unsigned men[2] = {checkers_count(board.men[0]), checkers_count(board.men[1])};
	const unsigned kings[2] = {checkers_count(board.kings[0]), checkers_count(board.kings[1])};
	const struct checkers_shape shape = shape_of(men, kings);
	out->key = slice_key(strength[first], strength[!first]);
	out->plane = position->side ^ (uint8_t)first;
	out->index =
		checkers_index(&shape, board.men[0], board.men[1], board.kings[0], board.kings[1]);
	set_digits(&board, out->digit);
	return true;
}

bool checkers_unplace(const struct el_slice *slice, unsigned plane, uint64_t index,
                      struct el_position *out)
{
	if (index >= slice->positions || plane >= slice->planes)
		return false;
	const struct checkers_shape shape = checkers_shape(slice);
	const struct checkers_board board = checkers_unindex(&shape, index);
	*out = (struct el_position){
		.side = (uint8_t)plane, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned side = 0; side < 2; side++) {
		out->set[side][CHECKERS_KING] = checkers_turn(board.kings[side]);
		out->set[side][CHECKERS_MAN] = checkers_turn(board.men[side]);
	}
	return true;
}

/* ---- digits ---- */

void checkers_digits(const struct el_slice *slice, struct el_digits *out)
{
	static const char letters[2][CHECKERS_KINDS] = {{'K', 'M'}, {'k', 'm'}};
	static const unsigned squares[CHECKERS_KINDS] = {CHECKERS_SQUARES, CHECKERS_MAN_SQUARES};
	*out = (struct el_digits){0};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < CHECKERS_KINDS; kind++) {
			const unsigned count = slice->count[side][kind];
			if (!count)
				continue;
			out->letter[out->count] = letters[side][kind];
			out->pieces[out->count] = (uint8_t)count;
			out->radix[out->count++] = choose[squares[kind]][count];
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
	const unsigned lowest = side && kind == CHECKERS_MAN ? CHECKERS_BOTTOM_SQUARES : 0;
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
	const struct checkers_shape shape = checkers_shape(slice);
	const struct checkers_board board = checkers_unindex(&shape, index);
	set_digits(&board, digit);
}

unsigned checkers_leading_rank(const struct el_position *position, unsigned side)
{
	const uint32_t men = checkers_board_of(position, side).men[0];
	return men ? (unsigned)(31 - __builtin_clz(men)) / 4 + 1 : 0;
}
