/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The solution: backwards from mates and from the deciding conversions. */
#include "brute_inside.h"

#include <stdlib.h>
#include <string.h>

/* The first look at a legal position counts its moves, and judges those that change the material at
   once, because their tables are solved. */
static void first_look(struct brute_table *t, uint32_t state, const struct board *b)
{
	struct list list;
	unsigned moves = 0, losing = 0;
	uint16_t shortest = OPEN, longest = 0;
	brute_moves(t, b, &list);
	for (unsigned i = 0; i < list.count; i++) {
		uint16_t after = brute_value_after(t, b, &list.move[i]);
		if (after == ILLEGAL)
			continue;
		moves++;
		if (list.move[i].stays)
			continue;
		if (is_loss(after) && after + 1 < shortest)
			shortest = (uint16_t)(after + 1);
		if (is_win(after) && ++losing && after > longest)
			longest = after;
	}
	uint16_t *value = &t->value[state];
	if (moves == 0)
		*value = brute_king_attacked(t, b, b->side) ? DECIDED : STALEMATE;
	else if (shortest < OPEN)
		*value = shortest;
	else
		*value = (uint16_t)(moves == losing ? longest + 1u : OPEN + moves - losing);
}

/* All moves of the position lose: it is lost one ply later than the longest of them. */
static uint16_t longest_loss(const struct brute_table *t, uint32_t state)
{
	struct board b;
	struct list list;
	uint16_t longest = 0;
	brute_set_up(t, state, &b);
	brute_moves(t, &b, &list);
	for (unsigned i = 0; i < list.count; i++) {
		uint16_t after = brute_value_after(t, &b, &list.move[i]);
		brute_need(after == ILLEGAL || is_win(after), "a lost position has a good move");
		if (after > longest)
			longest = after;
	}
	return (uint16_t)(longest + 1);
}

/* Updates `before`, from which a move leads into a position with the newly decided value
   `after`. */
static void settle(struct brute_table *t, uint32_t before, uint16_t after, uint16_t *deepest)
{
	uint16_t *value = &t->value[before];
	if (*value == ILLEGAL)
		return;
	if (is_loss(after) && *value > after + 1)
		*value = (uint16_t)(after + 1);
	else if (is_win(after) && *value > OPEN && --*value == OPEN)
		*value = longest_loss(t, before);
	if (is_decided(*value) && *value > *deepest)
		*deepest = *value;
}

/* Takes back a quiet move of `piece`, from its square to `from`. The position before may have had a
   right to capture en passant, which the move gave up. */
static void take_back(struct brute_table *t, const struct board *b, unsigned piece, int from,
                      uint16_t value, uint16_t *deepest)
{
	uint32_t state = brute_state_with(t, b, piece, from);
	settle(t, state, value, deepest);
	if (t->en_passant)
		settle(t, state | t->right_bit, value, deepest);
}

static void take_back_pawn(struct brute_table *t, const struct board *b, unsigned piece,
                           uint16_t value, uint16_t *deepest)
{
	int side = t->piece[piece].side, to = b->square[piece], back = -forward(side);
	int one = step(to, 0, back);
	if (rank_of(to) == start_rank(side) || b->at[one] != NO_PIECE)
		return;
	if (!b->en_passant)
		take_back(t, b, piece, one, value, deepest);
	int two = step(one, 0, back);
	if (two < 0 || rank_of(two) != start_rank(side) || b->at[two] != NO_PIECE)
		return;
	if (b->en_passant == (brute_passed_square(t, b, b->side) >= 0))
		take_back(t, b, piece, two, value, deepest);
}

static void take_back_piece(struct brute_table *t, const struct board *b, unsigned piece,
                            uint16_t value, uint16_t *deepest)
{
	const struct going *going = &goings[t->piece[piece].kind];
	for (int i = going->first; i < going->end; i++) {
		int from = b->square[piece];
		do {
			from = t->step[i][from];
			if (from >= 0 && b->at[from] == NO_PIECE)
				take_back(t, b, piece, from, value, deepest);
		} while (going->slides && from >= 0 && b->at[from] == NO_PIECE);
	}
}

/* Updates every position with a quiet move into this one. With a right to capture en passant, the
   last move was the double step. */
static void tell_predecessors(struct brute_table *t, uint32_t state, uint16_t *deepest)
{
	struct board b;
	uint16_t value = t->value[state];
	brute_set_up(t, state, &b);
	for (unsigned i = 0; i < t->pieces; i++) {
		if (t->piece[i].side == b.side)
			continue;
		if (t->piece[i].kind == PAWN)
			take_back_pawn(t, &b, i, value, deepest);
		else if (!b.en_passant)
			take_back_piece(t, &b, i, value, deepest);
	}
}

/* The three passes take `part` states from `first`, which share the white king's square. */
static uint32_t part_of(const struct brute_table *t)
{
	return (uint32_t)1 << t->shift[0];
}

static void find_legal(struct brute_table *t, uint32_t first)
{
	struct board b;
	for (uint32_t s = first; s < first + part_of(t); s++)
		if (brute_set_up(t, s, &b) && brute_legal(t, &b))
			t->value[s] = OPEN;
}

static void look_at_all(struct brute_table *t, uint32_t first, uint16_t *deepest)
{
	struct board b;
	for (uint32_t s = first; s < first + part_of(t); s++) {
		if (t->value[s] == ILLEGAL)
			continue;
		brute_set_up(t, s, &b);
		first_look(t, s, &b);
		if (is_decided(t->value[s]) && t->value[s] > *deepest)
			*deepest = t->value[s];
	}
}

/* Few entries have the value, so this looks at many at once. */
enum { AT_ONCE = 64 };

static bool is_among(const uint16_t *values, uint16_t value)
{
	uint16_t found = 0;
	for (unsigned i = 0; i < AT_ONCE; i++)
		found |= values[i] == value;
	return found;
}

static void tell_all(struct brute_table *t, uint32_t first, uint16_t value, uint16_t *deepest)
{
	for (uint32_t some = first; some < first + part_of(t); some += AT_ONCE) {
		if (!is_among(t->value + some, value))
			continue;
		for (uint32_t s = some; s < some + AT_ONCE; s++)
			if (t->value[s] == value)
				tell_predecessors(t, s, deepest);
	}
}

/* The next part whose white king stands on a square that `canonical` allows. */
static uint32_t next_part(const struct brute_table *t, uint32_t first)
{
	do {
		first += part_of(t);
	} while (first < t->states && brute_canonical(t, first) != first);
	return first;
}

static void solve(struct brute_table *t)
{
	uint16_t deepest = DECIDED;
	for (uint32_t first = 0; first < t->states; first = next_part(t, first))
		find_legal(t, first);
	for (uint32_t first = 0; first < t->states; first = next_part(t, first))
		look_at_all(t, first, &deepest);
	for (uint16_t value = DECIDED; value <= deepest; value++)
		for (uint32_t first = 0; first < t->states; first = next_part(t, first))
			tell_all(t, first, value, &deepest);
}

/* Slices with the same numbers of pieces and pawns do not depend on one another. */
struct brute *brute_solve(const char *const *names)
{
	struct brute *brute = calloc(1, sizeof *brute);
	brute_need(brute != NULL, "no memory");
	for (; *names != NULL; names++)
		brute_add_table(brute, *names);
	for (unsigned pieces = 2; pieces <= PIECES; pieces++)
		for (unsigned pawns = 0; pawns <= PIECES - 2; pawns++) {
#pragma omp parallel for schedule(dynamic, 1)
			for (unsigned i = 0; i < brute->tables; i++) {
				struct brute_table *t = brute->table[i];
				if (t->pieces == pieces && t->pawns == pawns)
					solve(t);
			}
		}
	return brute;
}

void brute_free(struct brute *brute)
{
	if (brute == NULL)
		return;
	for (unsigned i = 0; i < brute->tables; i++) {
		free(brute->table[i]->value);
		free(brute->table[i]);
	}
	free(brute);
}

/* ---- answers ---- */

static struct el_value as_value(uint16_t value)
{
	if (!is_decided(value))
		return (struct el_value){.outcome = EL_DRAW};
	return (struct el_value){.outcome = is_win(value) ? EL_WIN : EL_LOSS,
	                         .plies = (uint16_t)(value - DECIDED)};
}

/* Some legal move captures en passant. */
static bool right_is_used(const struct brute_table *t, const struct board *b)
{
	struct list list;
	brute_moves(t, b, &list);
	for (unsigned i = 0; i < list.count; i++) {
		const struct move *m = &list.move[i];
		bool en_passant = m->taken != NO_PIECE && b->at[m->to] == NO_PIECE;
		if (en_passant && brute_value_after(t, b, m) != ILLEGAL)
			return true;
	}
	return false;
}

uint32_t brute_states(const struct brute_table *t)
{
	return t->states;
}

bool brute_state(const struct brute_table *t, uint32_t state, struct el_position *position,
                 struct el_value *value, unsigned *orbit)
{
	struct board b;
	if (t->value[state] == ILLEGAL)
		return false;
	brute_set_up(t, state, &b);
	if (b.en_passant && !right_is_used(t, &b))
		return false;
	*position = (struct el_position){.side = b.side, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned i = 0; i < t->pieces; i++)
		position->set[t->piece[i].side][t->piece[i].kind] |= (uint64_t)1 << b.square[i];
	if (b.en_passant)
		position->en_passant = (uint8_t)brute_passed_square(t, &b, b.side);
	*value = as_value(t->value[state]);
	*orbit = t->pawns ? 2 : 4;
	return true;
}

/* The squares of the position's pieces in the table's order, which has the same material. */
static void list_squares(const struct brute_table *t, const struct el_position *p, bool swapped,
                         uint8_t squares[PIECES])
{
	uint64_t sets[2][EL_KINDS];
	memcpy(sets, p->set, sizeof sets);
	for (unsigned i = 0; i < t->pieces; i++) {
		uint64_t *set = &sets[t->piece[i].side ^ swapped][t->piece[i].kind];
		int square = __builtin_ctzll(*set);
		*set &= *set - 1;
		squares[i] = (uint8_t)(swapped ? square ^ 56 : square);
	}
}

bool brute_find(const struct brute *brute, const struct el_position *p, struct place *place)
{
	unsigned count[2][PAWN + 1];
	char name[16];
	bool swapped;
	for (unsigned side = 0; side < 2; side++)
		for (int kind = KING; kind <= PAWN; kind++)
			count[side][kind] = (unsigned)__builtin_popcountll(p->set[side][kind]);
	brute_name(count, name, &swapped);
	const struct brute_table *t = brute_table(brute, name);
	if (t == NULL)
		return false;
	uint8_t squares[PIECES];
	list_squares(t, p, swapped, squares);
	bool right = p->en_passant != EL_NO_SQUARE;
	if (right && !t->en_passant)
		return false;
	*place = (struct place){t, brute_state_of(t, squares, p->side ^ swapped, right)};
	return t->value[place->state] != ILLEGAL;
}

bool brute_value(const struct brute *brute, const struct el_position *p, struct el_value *value)
{
	struct place place;
	if (!brute_find(brute, p, &place))
		return false;
	*value = as_value(place.table->value[place.state]);
	return true;
}
