/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boards and moves of the brute-force solver, one position at a time. */
#include "brute_inside.h"

#include <stdlib.h>
#include <string.h>

static int last_rank(int side)
{
	return side == EL_WHITE ? 7 : 0;
}

/* ---- states and boards ---- */

uint32_t brute_canonical(const struct brute_table *t, uint32_t state)
{
	uint32_t king = state >> t->shift[0];
	if (king & 4)
		state ^= 7 * t->ones;
	if (king & 32 && t->pawns == 0)
		state ^= 56 * t->ones;
	return state;
}

uint32_t brute_state_of(const struct brute_table *t, const uint8_t square[PIECES], unsigned side,
                        bool en_passant)
{
	uint32_t state = (en_passant ? t->right_bit : 0) | (side ? t->side_bit : 0);
	for (unsigned i = 0; i < t->pieces; i++)
		state |= (uint32_t)square[i] << t->shift[i];
	return brute_canonical(t, state);
}

uint32_t brute_state_with(const struct brute_table *t, const struct board *b, unsigned piece,
                          int square)
{
	uint32_t changed = (uint32_t)(b->square[piece] ^ square) << t->shift[piece];
	uint32_t state = ((b->state ^ changed) & ~t->right_bit) ^ t->side_bit;
	return piece == 0 ? brute_canonical(t, state) : state;
}

bool brute_set_up(const struct brute_table *t, uint32_t state, struct board *b)
{
	b->state = state;
	memset(b->at, NO_PIECE, sizeof b->at);
	b->side = (state & t->side_bit) != 0;
	b->en_passant = t->en_passant && (state & t->right_bit) != 0;
	for (unsigned i = 0; i < t->pieces; i++) {
		int square = (int)(state >> t->shift[i] & 63);
		if (b->at[square] != NO_PIECE)
			return false;
		if (t->piece[i].kind == PAWN && (rank_of(square) == 0 || rank_of(square) == 7))
			return false;
		b->at[square] = (int8_t)i;
		b->square[i] = (uint8_t)square;
	}
	return true;
}

static bool is_piece(const struct brute_table *t, int piece, int side, int kind)
{
	return piece != NO_PIECE && t->piece[piece].side == side && t->piece[piece].kind == kind;
}

static int piece_of(const struct brute_table *t, int side, int kind)
{
	for (int i = 0; i < (int)t->pieces; i++)
		if (is_piece(t, i, side, kind))
			return i;
	return NO_PIECE;
}

/* ---- attacks and legality ---- */

static bool piece_attacks(const struct brute_table *t, const struct board *b, unsigned piece,
                          int target)
{
	int from = b->square[piece], files = file_of(target) - file_of(from);
	int ranks = rank_of(target) - rank_of(from);
	if (t->piece[piece].kind == PAWN)
		return abs(files) == 1 && ranks == forward(t->piece[piece].side);
	const struct going *going = &goings[t->piece[piece].kind];
	if (going->slides && files && ranks && abs(files) != abs(ranks))
		return false;
	for (int i = going->first; i < going->end; i++) {
		int square = from;
		do {
			square = t->step[i][square];
			if (square == target)
				return true;
		} while (going->slides && square >= 0 && b->at[square] == NO_PIECE);
	}
	return false;
}

bool brute_king_attacked(const struct brute_table *t, const struct board *b, int side)
{
	int king = b->square[piece_of(t, side, KING)];
	for (unsigned i = 0; i < t->pieces; i++)
		if (t->piece[i].side != side && piece_attacks(t, b, i, king))
			return true;
	return false;
}

int brute_passed_square(const struct brute_table *t, const struct board *b, int side)
{
	int other = 1 - side, pawn = piece_of(t, other, PAWN);
	if (!t->en_passant)
		return -1;
	int square = b->square[pawn], back = -forward(other);
	if (rank_of(square) != start_rank(other) + 2 * forward(other))
		return -1;
	int behind = step(square, 0, back), origin = step(behind, 0, back);
	if (b->at[behind] != NO_PIECE || b->at[origin] != NO_PIECE)
		return -1;
	for (int files = -1; files <= 1; files += 2) {
		int beside = step(square, files, 0);
		if (beside >= 0 && is_piece(t, b->at[beside], side, PAWN))
			return behind;
	}
	return -1;
}

bool brute_legal(const struct brute_table *t, const struct board *b)
{
	if (b->en_passant && brute_passed_square(t, b, b->side) < 0)
		return false;
	return !brute_king_attacked(t, b, 1 - b->side);
}

/* ---- moves ---- */

static void add(const struct brute_table *t, struct list *list, unsigned piece, int to, int becomes,
                int taken)
{
	bool stays = taken == NO_PIECE && becomes == t->piece[piece].kind;
	list->move[list->count++] =
		(struct move){(uint8_t)piece, (uint8_t)to, (uint8_t)becomes, (int8_t)taken, stays};
}

static void add_pawn_move(const struct brute_table *t, unsigned piece, int to, int taken,
                          struct list *list)
{
	if (rank_of(to) != last_rank(t->piece[piece].side)) {
		add(t, list, piece, to, PAWN, taken);
		return;
	}
	for (int kind = QUEEN; kind <= KNIGHT; kind++)
		add(t, list, piece, to, kind, taken);
}

static void pawn_moves(const struct brute_table *t, const struct board *b, unsigned piece,
                       struct list *list)
{
	int side = t->piece[piece].side, from = b->square[piece], up = forward(side);
	int one = step(from, 0, up);
	if (b->at[one] == NO_PIECE) {
		add_pawn_move(t, piece, one, NO_PIECE, list);
		if (rank_of(from) == start_rank(side) && b->at[step(one, 0, up)] == NO_PIECE)
			add(t, list, piece, step(one, 0, up), PAWN, NO_PIECE);
	}
	int passed = b->en_passant ? brute_passed_square(t, b, side) : -1;
	for (int files = -1; files <= 1; files += 2) {
		int to = step(from, files, up);
		if (to < 0)
			continue;
		if (b->at[to] != NO_PIECE && t->piece[b->at[to]].side != side)
			add_pawn_move(t, piece, to, b->at[to], list);
		else if (to == passed)
			add(t, list, piece, to, PAWN, b->at[step(to, 0, -up)]);
	}
}

static bool is_own(const struct brute_table *t, const struct board *b, int square)
{
	return b->at[square] != NO_PIECE && t->piece[b->at[square]].side == b->side;
}

static void piece_moves(const struct brute_table *t, const struct board *b, unsigned piece,
                        struct list *list)
{
	const struct going *going = &goings[t->piece[piece].kind];
	for (int i = going->first; i < going->end; i++) {
		int to = b->square[piece];
		do {
			to = t->step[i][to];
			if (to >= 0 && !is_own(t, b, to))
				add(t, list, piece, to, t->piece[piece].kind, b->at[to]);
		} while (going->slides && to >= 0 && b->at[to] == NO_PIECE);
	}
}

void brute_moves(const struct brute_table *t, const struct board *b, struct list *list)
{
	list->count = 0;
	for (unsigned i = 0; i < t->pieces; i++) {
		if (t->piece[i].side != b->side)
			continue;
		if (t->piece[i].kind == PAWN)
			pawn_moves(t, b, i, list);
		else
			piece_moves(t, b, i, list);
	}
}

/* After a double step beside a pawn of the other side, that side may capture en passant. */
static bool gives_right(const struct brute_table *t, const struct board *b, const struct move *m)
{
	uint8_t from = b->square[m->piece];
	if (!t->en_passant || m->becomes != PAWN || abs(rank_of(m->to) - rank_of(from)) != 2)
		return false;
	struct board after = *b;
	after.at[from] = NO_PIECE;
	after.at[m->to] = (int8_t)m->piece;
	after.square[m->piece] = m->to;
	return brute_passed_square(t, &after, 1 - b->side) >= 0;
}

/* The state after a move that keeps the material. */
static uint32_t after_quiet(const struct brute_table *t, const struct board *b,
                            const struct move *m)
{
	uint32_t state = brute_state_with(t, b, m->piece, m->to);
	return gives_right(t, b, m) ? state | t->right_bit : state;
}

/* The same for a move that changes it. The other king cannot be taken: the position was legal. */
static struct place after_conversion(const struct brute_table *t, const struct board *b,
                                     const struct move *m)
{
	unsigned taken = m->taken == NO_PIECE ? PIECES : (unsigned)m->taken;
	const struct way_out *out = &t->out[taken][m->piece][m->becomes];
	uint8_t squares[PIECES];
	for (unsigned i = 0; i < out->to->pieces; i++) {
		uint8_t square = out->from[i] == m->piece ? m->to : b->square[out->from[i]];
		squares[i] = out->swapped ? square ^ 56 : square;
	}
	unsigned side = b->side ^ 1u ^ out->swapped;
	return (struct place){out->to, brute_state_of(out->to, squares, side, false)};
}

struct place brute_after(const struct brute_table *t, const struct board *b, const struct move *m)
{
	return m->stays ? (struct place){t, after_quiet(t, b, m)} : after_conversion(t, b, m);
}

uint16_t brute_value_after(const struct brute_table *t, const struct board *b, const struct move *m)
{
	struct place after = brute_after(t, b, m);
	return after.table->value[after.state];
}
