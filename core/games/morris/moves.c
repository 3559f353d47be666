/* SPDX-License-Identifier: MIT */
/* The rules: legal moves, their effect on the board, and which positions are legal. */
#include "core/games/plain.h"
#include "morris.h"

static uint32_t men_of(const struct el_position *position, unsigned side)
{
	return (uint32_t)position->set[side][0];
}

/* ---- generating moves ---- */

/*
 * With three men a side has at most 57 quiet moves, and three that close a mill. With more men,
 * each step goes along one of 32 lines; with eight men against nine there are at most 28.
 */
_Static_assert(28 * MORRIS_MEN_MAX <= EL_MOVES_MAX, "a list holds all moves");

/* A growing list. */
struct list {
	struct el_move *out;
	size_t count;
	bool quiet; /* also list quiet moves */
	uint32_t removable;
};

/* The moves of a man, already removed from its point, to the points of a set. */
static void add_moves(struct list *l, uint8_t from, uint32_t others, uint32_t points)
{
	while (points) {
		const unsigned to = morris_pop(&points);
		/* A mill takes no man while all of the opponent's are in hand. */
		const bool closes = l->removable && morris_closes(others | morris_bit(to), to);
		struct el_move move = {.from = from, .to = (uint8_t)to};
		if (!closes && l->quiet)
			l->out[l->count++] = move;
		for (uint32_t taken = closes ? l->removable : 0; taken; taken &= taken - 1) {
			move.captured = taken & -taken;
			l->out[l->count++] = move;
		}
	}
}

static size_t list_moves(const struct el_position *position, bool quiet, struct el_move *out)
{
	const uint32_t own = men_of(position, position->side),
		       theirs = men_of(position, !position->side);
	const uint32_t empty = MORRIS_BOARD & ~(own | theirs);
	const unsigned count = morris_count(own), hand = position->hand[position->side];
	struct list l = {out, 0, quiet, morris_removable(theirs)};
	if (count + hand < MORRIS_MEN_MIN)
		return 0;
	if (hand)
		add_moves(&l, EL_NO_SQUARE, own, empty);
	for (uint32_t men = hand ? 0 : own; men;) {
		const unsigned from = morris_pop(&men);
		add_moves(&l, (uint8_t)from, own ^ morris_bit(from),
		          morris_reach(from, count) & empty);
	}
	return l.count;
}

size_t morris_moves(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	return list_moves(position, true, out);
}

size_t morris_captures(const struct el_position *position, struct el_move out[EL_MOVES_MAX])
{
	return list_moves(position, false, out);
}

/* ---- playing them ---- */

/* `out` may be the position itself. */
void morris_play(const struct el_position *position, const struct el_move *move,
                 struct el_position *out)
{
	const unsigned us = position->side;
	*out = *position;
	if (move->from == EL_NO_SQUARE)
		out->hand[us]--;
	else
		out->set[us][0] &= ~(uint64_t)morris_bit(move->from);
	out->set[us][0] |= morris_bit(move->to);
	out->set[!us][0] &= ~move->captured;
	el_position_turn(out, move->captured, EL_BLACK);
}

/* ---- which positions are legal ---- */

/* The side to move may have lost its third man. */
enum el_status morris_check(const struct el_position *position, struct el_error *error)
{
	const char *const *names = el_morris.sides;
	if (position->side > EL_BLACK)
		return el_fail(error, EL_NEGATIVE, "side to move %u, expected %d or %d",
		               position->side, EL_WHITE, EL_BLACK);
	if (position->en_passant != EL_NO_SQUARE || position->castling)
		return el_fail(error, EL_NEGATIVE,
		               "en passant or castling, expected neither in Nine Men's Morris");
	if (plain_strangers(position, 1))
		return el_fail(error, EL_NEGATIVE, "a piece that is not a man");
	for (unsigned side = 0; side < 2; side++)
		if (position->set[side][0] >> MORRIS_POINTS)
			return el_fail(error, EL_NEGATIVE, "%s has a man off the %d points",
			               names[side], MORRIS_POINTS);
	const uint64_t both = position->set[EL_WHITE][0] & position->set[EL_BLACK][0];
	if (both) {
		char name[4];
		morris_square_name((uint8_t)__builtin_ctzll(both), name);
		return el_fail(error, EL_NEGATIVE, "two men are on %s", name);
	}
	const unsigned hand[2] = {position->hand[0], position->hand[1]}, us = position->side;
	if (!morris_in_turn(hand, us))
		return el_fail(
			error, EL_NEGATIVE,
			"%s has %u men in hand and is to move, expected %u or %u: %s has %u, "
			"and they are placed in turn",
			names[us], hand[us], hand[!us], hand[!us] + 1, names[!us], hand[!us]);
	for (unsigned side = 0; side < 2; side++) {
		const unsigned men = morris_count(men_of(position, side)) + position->hand[side];
		const unsigned least = MORRIS_MEN_MIN - (side == position->side);
		if (men > MORRIS_MEN_MAX || men < least)
			return el_fail(error, EL_NEGATIVE, "%s has %u m%sn, expected %d to %d",
			               names[side], men, men == 1 ? "a" : "e", MORRIS_MEN_MIN,
			               MORRIS_MEN_MAX);
	}
	return EL_OK;
}

bool morris_legal(const struct el_position *position, const struct el_place *place)
{
	(void)place;
	return !morris_check(position, NULL);
}
