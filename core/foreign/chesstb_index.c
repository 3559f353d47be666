/* SPDX-License-Identifier: MIT */
/*
 * The index of a position: where the pawns stand, then the kings, then the other pieces. The board is
 * turned so that the kings are one of the pairs counted: White's on files a-d or, without pawns, in the
 * triangle a1-d1-d4, and if it is on the diagonal, Black's not above it. If both are on the diagonal,
 * the other pieces decide.
 *
 * In a table of opposing pawns one pair of them is numbered first: the one on the first file, with the
 * lowest white pawn, then the lowest black one. The other pawns count more.
 *
 * Like pieces are numbered on all squares, taken or not, so many indexes have no position.
 */
#include "chesstb.h"

#include "core/games/choose.h"

#include <stdlib.h>
#include <string.h>

enum {
	PAWN_SQUARES = 48,
	FIRST_PAWN_SQUARE = 8,
	PAWN_RANKS = 6,
	CELLS_MAX = 1 << 24, /* of pawns besides a pair: those of 8 pieces are a thirteenth */
};

#define POSITIONS_MAX (UINT64_C(1) << 48)

/* ---- the pawns ---- */

/* Pawns of a side on a file: a bit for each of the ranks 2 to 7. The sets below begin with a2. */
static unsigned pawns_on(uint64_t pawns, unsigned file)
{
	unsigned out = 0;
	for (unsigned rank = 0; rank < PAWN_RANKS; rank++)
		out |= (unsigned)(pawns >> (8 * rank + file) & 1) << rank;
	return out;
}

/* The pairs on a file that are the first ones there, beside other pawns: how many come before White's and
   Black's on these ranks; all of them, for ranks past the last. */
static unsigned pairs_on(unsigned white, unsigned black, unsigned white_rank, unsigned black_rank)
{
	unsigned count = 0;
	for (unsigned w = 0; w < PAWN_RANKS; w++) {
		if (white >> w & 1) /* a pair with this one comes before the rest */
			break;
		for (unsigned b = w + 1; b < PAWN_RANKS && !(black >> w & 1); b++) {
			if (w > white_rank || (w == white_rank && b >= black_rank))
				return count;
			if (black >> b & 1) /* the pair with this one comes before those above */
				break;
			count += !(white >> b & 1);
		}
	}
	return count;
}

/* The first pair of opposing pawns on a file; false if there is none. */
static bool first_on(unsigned white, unsigned black, unsigned *white_rank, unsigned *black_rank)
{
	for (; white; white &= white - 1) {
		*white_rank = (unsigned)__builtin_ctz(white);
		const unsigned above = black >> *white_rank >> 1;
		if (above) {
			*black_rank = *white_rank + 1 + (unsigned)__builtin_ctz(above);
			return true;
		}
	}
	return false;
}

/* Where a pair may stand beside other pawns, as the first pair: on no file after one that has a pair. */
static unsigned places_of_pair(uint64_t white, uint64_t black)
{
	unsigned count = 0, w, b;
	for (unsigned file = 0; file < 8; file++) {
		const unsigned whites = pawns_on(white, file), blacks = pawns_on(black, file);
		count += pairs_on(whites, blacks, PAWN_RANKS, PAWN_RANKS);
		if (first_on(whites, blacks, &w, &b))
			break;
	}
	return count;
}

/* The next greater set with as many squares. */
static uint64_t next_set(uint64_t set)
{
	const uint64_t low = set & -set, next = set + low;
	return set ? next | ((set ^ next) / low) >> 2 : 0;
}

static enum el_status list_pawns(struct chesstb_index *x)
{
	const uint64_t whites = choose[PAWN_SQUARES][x->pawns[0]],
		       blacks = choose[PAWN_SQUARES][x->pawns[1]];
	if (whites * blacks > CELLS_MAX)
		return EL_NEGATIVE;
	uint64_t *out = x->pairs_of_pawns = calloc(whites * blacks + 1, sizeof *out);
	if (!out)
		return EL_MEMORY;
	uint64_t black = (UINT64_C(1) << x->pawns[1]) - 1;
	for (uint64_t i = 0; i < blacks; i++, black = next_set(black)) {
		uint64_t white = (UINT64_C(1) << x->pawns[0]) - 1;
		for (uint64_t k = 0; k < whites; k++, out++, white = next_set(white))
			out[1] = out[0] + (white & black ? 0 : places_of_pair(white, black));
	}
	return EL_OK;
}

/* The number of pawns among which two oppose each other; UINT64_MAX if none do. */
static uint64_t number_opposing(const struct chesstb_index *x, uint64_t white, uint64_t black)
{
	unsigned file = 0, w = 0, b = 0;
	while (file < 8 && !first_on(pawns_on(white, file), pawns_on(black, file), &w, &b))
		file++;
	if (file == 8)
		return UINT64_MAX;
	white &= ~(UINT64_C(1) << (8 * w + file));
	black &= ~(UINT64_C(1) << (8 * b + file));
	uint64_t number =
		x->pairs_of_pawns[choose_rank(black) * (uint64_t)choose[PAWN_SQUARES][x->pawns[0]] +
	                          choose_rank(white)];
	for (unsigned before = 0; before < file; before++)
		number += pairs_on(pawns_on(white, before), pawns_on(black, before), PAWN_RANKS,
		                   PAWN_RANKS);
	return number + pairs_on(pawns_on(white, file), pawns_on(black, file), w, b);
}

/* White's pawns are numbered on the squares that Black's leave free. */
static uint64_t number_pawns(const struct chesstb_index *x, uint64_t white, uint64_t black)
{
	uint64_t rank = 0;
	white >>= FIRST_PAWN_SQUARE;
	black >>= FIRST_PAWN_SQUARE;
	if (x->pairs_of_pawns)
		return number_opposing(x, white, black);
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
		digit[i] = choose_rank(
			foreign_turned_set(turn, p->set[x->class[i].side][x->class[i].kind]));
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

enum el_status chesstb_index_make(const struct foreign *f, const uint8_t (*count)[EL_KINDS],
                                  struct chesstb_index *out)
{
	static const char letters[] = "NBRQ";
	struct chesstb_index x = {
		.king = (uint8_t)foreign_kind(f, 'K'),
		.pawn = (uint8_t)foreign_kind(f, 'P'),
		.sets = 1,
	};
	const struct el_slice *slice = &f->source.slice;
	bool fits = true;
	for (unsigned side = 0; side < 2; side++)
		x.pawns[side] = count[side][x.pawn];
	const unsigned pawns = slice->count[0][x.pawn] + slice->count[1][x.pawn];
	const bool has_pair = pawns > (unsigned)(x.pawns[0] + x.pawns[1]);
	x.has_pawns = pawns > 0;
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
	king_pairs_list(x.has_pawns, &x.kings);
	fits &= !__builtin_mul_overflow(x.sets, (uint64_t)x.kings.count, &x.positions);
	enum el_status status = has_pair && fits ? list_pawns(&x) : EL_OK;
	const uint64_t blacks = choose[PAWN_SQUARES][x.pawns[1]],
		       whites = choose[PAWN_SQUARES - (has_pair ? 0 : x.pawns[1])][x.pawns[0]];
	const uint64_t cells = !has_pair ? blacks * whites
	                       : status  ? 0
	                                 : x.pairs_of_pawns[blacks * whites];
	fits &= !__builtin_mul_overflow(x.positions, cells, &x.positions);
	if (!status && (!fits || x.positions >= POSITIONS_MAX))
		status = EL_NEGATIVE;
	if (status)
		chesstb_index_free(&x);
	*out = x;
	return status;
}

void chesstb_index_free(struct chesstb_index *x)
{
	free(x->pairs_of_pawns);
	x->pairs_of_pawns = NULL;
}

uint64_t chesstb_index_of(const struct chesstb_index *x, const uint8_t *order,
                          const struct el_position *p)
{
	uint32_t digit[CHESSTB_CLASSES_MAX], other[CHESSTB_CLASSES_MAX];
	unsigned white = (unsigned)__builtin_ctzll(p->set[EL_WHITE][x->king]);
	unsigned black = (unsigned)__builtin_ctzll(p->set[EL_BLACK][x->king]);
	const unsigned turn = king_pairs_turn(&x->kings, white, black);
	if (turn == TURNS)
		return x->positions;
	white = foreign_turned(turn, white);
	black = foreign_turned(turn, black);
	uint64_t index = number_pawns(x, foreign_turned_set(turn, p->set[EL_WHITE][x->pawn]),
	                              foreign_turned_set(turn, p->set[EL_BLACK][x->pawn]));
	if (index == UINT64_MAX)
		return x->positions;
	index = index * x->kings.count + king_pairs_number(&x->kings, white, black);
	digits_of(x, p, turn, digit);
	if (!x->has_pawns && file_of(white) == rank_of(white) && file_of(black) == rank_of(black)) {
		digits_of(x, p, turn ^ TRANSPOSE, other);
		if (is_smaller(x, other, digit))
			memcpy(digit, other, sizeof digit);
	}
	for (unsigned i = x->classes; i > 0; i--)
		index = index * x->class[order[i - 1]].sets + digit[order[i - 1]];
	return index < x->positions ? index : x->positions;
}
