/* SPDX-License-Identifier: MIT */
/*
 * The index of a position: where the pawns stand, then the kings, then the other pieces. The board is
 * turned so that the kings are one of the pairs counted: White's on files a-d or, without pawns, in the
 * triangle a1-d1-d4, and if it is on the diagonal, Black's not above it. If both are on the diagonal,
 * the other pieces decide.
 *
 * Like pieces are numbered on all squares, taken or not, so many indexes have no position.
 */
#include "chesstb.h"

#include "core/games/choose.h"

#include <string.h>

enum {
	MIRROR_FILES = 1,
	MIRROR_RANKS = 2,
	TRANSPOSE = 4,
	TURNS = 8,
	PAWN_SQUARES = 48,
	FIRST_PAWN_SQUARE = 8,
};

#define POSITIONS_MAX (UINT64_C(1) << 48)

/* ---- turning the board ---- */

static unsigned turned(unsigned turn, unsigned square)
{
	if (turn & MIRROR_FILES)
		square ^= 7;
	if (turn & MIRROR_RANKS)
		square ^= 56;
	return turn & TRANSPOSE ? file_of(square) << 3 | rank_of(square) : square;
}

static uint64_t turned_set(unsigned turn, uint64_t set)
{
	uint64_t out = 0;
	for (; set; set &= set - 1)
		out |= UINT64_C(1) << turned(turn, (unsigned)__builtin_ctzll(set));
	return out;
}

/* ---- the kings ---- */

static bool on_diagonal(unsigned square)
{
	return file_of(square) == rank_of(square);
}

/* Is a pair of kings counted, whether or not they stand too close? */
static bool is_counted(bool has_pawns, unsigned white, unsigned black)
{
	if (file_of(white) > 3)
		return false;
	if (has_pawns)
		return true;
	return rank_of(white) <= file_of(white) &&
	       (!on_diagonal(white) || rank_of(black) <= file_of(black));
}

static void list_pairs(struct chesstb_index *x)
{
	for (unsigned white = 0; white < 64; white++) {
		x->pairs_before[white] = (uint16_t)x->pairs;
		for (unsigned black = 0; black < 64; black++)
			if (kings_apart(white, black) && is_counted(x->has_pawns, white, black))
				x->black_kings[white] |= UINT64_C(1) << black;
		x->pairs += (uint32_t)__builtin_popcountll(x->black_kings[white]);
	}
}

/* The first turn that leads to a pair that is counted; TURNS if none does. */
static unsigned turn_of(const struct chesstb_index *x, unsigned white, unsigned black)
{
	unsigned turn = 0;
	while (turn < TURNS && !(x->black_kings[turned(turn, white)] >> turned(turn, black) & 1))
		turn++;
	return turn;
}

/* ---- the pawns ---- */

/* White's pawns are numbered on the squares that Black's leave free. */
static uint64_t number_pawns(const struct chesstb_index *x, uint64_t white, uint64_t black)
{
	uint64_t rank = 0;
	white >>= FIRST_PAWN_SQUARE;
	black >>= FIRST_PAWN_SQUARE;
	for (unsigned k = 1; white; k++, white &= white - 1) {
		const unsigned square = (unsigned)__builtin_ctzll(white);
		const uint64_t below = black & ((UINT64_C(1) << square) - 1);
		rank += choose[square - (unsigned)__builtin_popcountll(below)][k];
	}
	return choose_rank(black) * (uint64_t)choose[PAWN_SQUARES - x->pawns[1]][x->pawns[0]] +
	       rank;
}

/* ---- the other pieces ---- */

static void digits_of(const struct chesstb_index *x, const struct el_position *p, unsigned turn,
                      uint32_t digit[CHESSTB_CLASSES_MAX])
{
	for (unsigned i = 0; i < x->classes; i++)
		digit[i] =
			choose_rank(turned_set(turn, p->set[x->class[i].side][x->class[i].kind]));
}

/* Is the number made of these digits smaller? The last one counts most. */
static bool is_smaller(const struct chesstb_index *x, const uint32_t *a, const uint32_t *b)
{
	unsigned i = x->classes;
	while (i > 0 && a[i - 1] == b[i - 1])
		i--;
	return i > 0 && a[i - 1] < b[i - 1];
}

/* ---- */

bool chesstb_index_make(const struct foreign *f, const uint8_t (*count)[EL_KINDS],
                        struct chesstb_index *out)
{
	static const char letters[] = "NBRQ";
	struct chesstb_index x = {
		.king = (uint8_t)foreign_kind(f, 'K'),
		.pawn = (uint8_t)foreign_kind(f, 'P'),
		.sets = 1,
	};
	bool fits = true;
	for (unsigned side = 0; side < 2; side++)
		x.pawns[side] = count[side][x.pawn];
	x.has_pawns = x.pawns[0] || x.pawns[1];
	for (unsigned i = 0; i < 2 * strlen(letters); i++) {
		const unsigned side = i < strlen(letters) ? EL_BLACK : EL_WHITE;
		const unsigned kind = foreign_kind(f, letters[i % strlen(letters)]);
		const unsigned pieces = count[side][kind];
		if (!pieces)
			continue;
		struct chesstb_class *class = &x.class[x.classes++];
		*class = (struct chesstb_class){(uint8_t)side, (uint8_t)kind, choose[64][pieces]};
		fits &= !__builtin_mul_overflow(x.sets, (uint64_t) class->sets, &x.sets);
	}
	list_pairs(&x);
	fits &= !__builtin_mul_overflow(x.sets, (uint64_t)x.pairs, &x.positions);
	fits &= !__builtin_mul_overflow(x.positions, (uint64_t)choose[PAWN_SQUARES][x.pawns[1]],
	                                &x.positions);
	fits &= !__builtin_mul_overflow(
		x.positions, (uint64_t)choose[PAWN_SQUARES - x.pawns[1]][x.pawns[0]], &x.positions);
	*out = x;
	return fits && x.positions < POSITIONS_MAX;
}

uint64_t chesstb_index_of(const struct chesstb_index *x, const uint8_t *order,
                          const struct el_position *p)
{
	uint32_t digit[CHESSTB_CLASSES_MAX], other[CHESSTB_CLASSES_MAX];
	unsigned white = (unsigned)__builtin_ctzll(p->set[EL_WHITE][x->king]);
	unsigned black = (unsigned)__builtin_ctzll(p->set[EL_BLACK][x->king]);
	const unsigned turn = turn_of(x, white, black);
	if (turn == TURNS)
		return x->positions;
	white = turned(turn, white);
	black = turned(turn, black);
	const uint64_t before = x->black_kings[white] & ((UINT64_C(1) << black) - 1);
	uint64_t index = number_pawns(x, turned_set(turn, p->set[EL_WHITE][x->pawn]),
	                              turned_set(turn, p->set[EL_BLACK][x->pawn]));
	index = index * x->pairs + x->pairs_before[white] + (unsigned)__builtin_popcountll(before);
	digits_of(x, p, turn, digit);
	if (!x->has_pawns && on_diagonal(white) && on_diagonal(black)) {
		digits_of(x, p, turn ^ TRANSPOSE, other);
		if (is_smaller(x, other, digit))
			memcpy(digit, other, sizeof digit);
	}
	for (unsigned i = x->classes; i > 0; i--)
		index = index * x->class[order[i - 1]].sets + digit[order[i - 1]];
	return index < x->positions ? index : x->positions;
}
