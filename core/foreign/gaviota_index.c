/* SPDX-License-Identifier: MIT */
/*
 * The index of a position: an anchor, reduced by symmetry, then the squares of the other pieces on
 * the board turned with it, as digits of one number. Like pieces form one digit; groups of two or
 * three come before single pieces.
 *
 * The anchor is the pair of kings or, if there are pawns, all of them; the kings are then the next
 * digits, White's first. White never has fewer or weaker pieces than Black, so seven anchors
 * suffice for all 145 tables.
 */
#include "gaviota.h"

enum {
	PAWN_SQUARES = 48,
	HALF_PAWN_SQUARES = 24, /* of files a-d */
	PAWN_PAIRS = 48 * 47 / 2,
	HALF_PAWN_PAIRS = 24 * 23 / 2,
	FIRST_PAWN_SQUARE = 8,
	LAST_PAWN_SQUARE = 55,
};

struct anchor {
	uint8_t pawns[2]; /* of White, of Black */
	uint8_t side;     /* whose pawns turn the board */
	uint32_t count;
	unsigned (*turn)(const struct gaviota_index *, const struct el_position *);
	/* The number of a board that has been turned; `count` if it has none. */
	uint32_t (*number)(const struct gaviota_index *, const struct el_position *);
};

static unsigned mirror_files(unsigned square)
{
	return square ^ 7;
}

static unsigned mirror_ranks(unsigned square)
{
	return square ^ 56;
}

/* The lowest square of a non-empty set. */
static unsigned lowest(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}

static uint64_t without_lowest(uint64_t set)
{
	return set & (set - 1);
}

static bool on_kings_side(unsigned square)
{
	return file_of(square) > 3;
}

/* ---- numbers of like things ---- */

/* Two of `n` things, low < high, in the order of the lower one and then of the higher. */
static uint32_t pair_number(unsigned n, unsigned low, unsigned high)
{
	return low * (2 * n - low - 1) / 2 + high - low - 1;
}

/* Up to three squares, two in the order of pair_number, three in that of the highest, then of the
   middle one. */
static uint32_t alike_number(uint64_t set, unsigned count)
{
	const unsigned low = lowest(set);
	if (count == 1)
		return low;
	const unsigned middle = lowest(without_lowest(set));
	if (count == 2)
		return pair_number(64, low, middle);
	const unsigned high = lowest(without_lowest(without_lowest(set)));
	return low + middle * (middle - 1) / 2 + high * (high - 1) * (high - 2) / 6;
}

static uint32_t alike_count(unsigned count)
{
	return count == 1 ? 64 : count == 2 ? 64 * 63 / 2 : 64 * 63 * 62 / 6;
}

/* ---- kings ---- */

static unsigned turn_kings(const struct gaviota_index *n, const struct el_position *p)
{
	return king_pairs_turn(&n->kings, lowest(p->set[EL_BLACK][n->king]),
	                       lowest(p->set[EL_WHITE][n->king]));
}

static uint32_t number_kings(const struct gaviota_index *n, const struct el_position *p)
{
	return king_pairs_number(&n->kings, lowest(p->set[EL_BLACK][n->king]),
	                         lowest(p->set[EL_WHITE][n->king]));
}

/* ---- pawns ---- */

/* Numbers a white pawn on files a-d, from rank 7 downwards. */
static uint32_t half_number(unsigned square)
{
	return (6 - rank_of(square)) * 4 + file_of(square);
}

static uint64_t pawns(const struct gaviota_index *n, const struct el_position *p, unsigned side)
{
	return p->set[side][n->pawn];
}

static uint32_t number_white_pawn(const struct gaviota_index *n, const struct el_position *p)
{
	return half_number(lowest(pawns(n, p, EL_WHITE)));
}

static uint32_t number_black_pawn(const struct gaviota_index *n, const struct el_position *p)
{
	return half_number(mirror_ranks(lowest(pawns(n, p, EL_BLACK))));
}

static uint32_t number_pawn_each(const struct gaviota_index *n, const struct el_position *p)
{
	return number_white_pawn(n, p) * PAWN_SQUARES + lowest(pawns(n, p, EL_BLACK)) -
	       FIRST_PAWN_SQUARE;
}

/* White's two pawns are numbered from h7 down to a2, the higher one first; Black's is on files
   a-d. */
static uint32_t number_two_and_one(const struct gaviota_index *n, const struct el_position *p)
{
	const uint64_t white = pawns(n, p, EL_WHITE);
	const unsigned low = lowest(white), high = lowest(without_lowest(white));
	return number_black_pawn(n, p) * PAWN_PAIRS +
	       pair_number(PAWN_SQUARES, LAST_PAWN_SQUARE - high, LAST_PAWN_SQUARE - low);
}

/* Of two pawns the more advanced one leads, else the one nearer to an edge, else the lower square. A
   single one is both. */
static void lead(uint64_t set, unsigned *leader, unsigned *other)
{
	const unsigned low = lowest(set),
		       high = without_lowest(set) ? lowest(without_lowest(set)) : low;
	const unsigned low_edge = file_of(low) < 4 ? file_of(low) : 7 - file_of(low);
	const unsigned high_edge = file_of(high) < 4 ? file_of(high) : 7 - file_of(high);
	const bool high_leads = rank_of(high) > rank_of(low) || high_edge < low_edge;
	*leader = high_leads ? high : low;
	*other = high_leads ? low : high;
}

static unsigned turn_pawns(const struct gaviota_index *n, const struct el_position *p)
{
	unsigned leader, other;
	lead(pawns(n, p, n->anchor->side), &leader, &other);
	return on_kings_side(leader) ? MIRROR_FILES : 0;
}

/*
 * The leader is numbered on files e-h, from h7 down, and the other pawn from the next square down.
 * On the leader's rank the other one stops at the leader's mirror image: beyond it, it would lead.
 */
static uint32_t number_white_pawns(const struct gaviota_index *n, const struct el_position *p)
{
	unsigned leader, other;
	lead(pawns(n, p, EL_WHITE), &leader, &other);
	leader = mirror_files(leader);
	other = mirror_files(other);
	uint32_t number = 0;
	for (unsigned before = LAST_PAWN_SQUARE; before > leader; before--)
		if (on_kings_side(before))
			number += 2 * file_of(before) - 7 + 8 * rank_of(before) - FIRST_PAWN_SQUARE;
	if (rank_of(other) == rank_of(leader))
		return number + leader - other - 1;
	return number + 2 * file_of(leader) - 7 + 8 * rank_of(leader) - other - 1;
}

/* ---- three pawns ---- */

enum { THREE = 3 };

/* The pawns' numbers, sorted, on a board numbered from h7 to e7 and down to e2, then from d7 to
   a2. */
static void number_three(uint64_t set, unsigned out[THREE])
{
	for (unsigned i = 0; i < THREE; i++, set = without_lowest(set)) {
		const unsigned square = lowest(set);
		const unsigned number = (6 - rank_of(square)) * 4 + 3 - (file_of(square) & 3) +
		                        (on_kings_side(square) ? 0 : HALF_PAWN_SQUARES);
		unsigned at = i;
		for (; at && out[at - 1] > number; at--)
			out[at] = out[at - 1];
		out[at] = number;
	}
}

/* Brings at least two pawns to files a-d. */
static unsigned turn_three_pawns(const struct gaviota_index *n, const struct el_position *p)
{
	unsigned at[THREE];
	number_three(pawns(n, p, EL_WHITE), at);
	return at[1] < HALF_PAWN_SQUARES ? MIRROR_FILES : 0;
}

/* In the order of the first, the second and the third of these numbers. */
static uint32_t number_three_pawns(const struct gaviota_index *n, const struct el_position *p)
{
	unsigned at[THREE];
	uint32_t number = 0;
	number_three(pawns(n, p, EL_WHITE), at);
	for (unsigned first = 0; first < at[0]; first++) {
		const unsigned behind = PAWN_SQUARES - 1 - first;
		number += first < HALF_PAWN_SQUARES ? HALF_PAWN_PAIRS : behind * (behind - 1) / 2;
	}
	const unsigned from = at[0] < HALF_PAWN_SQUARES ? HALF_PAWN_SQUARES : at[0] + 1;
	return number + pair_number(PAWN_SQUARES - from, at[1] - from, at[2] - from);
}

/* ---- the index ---- */

static const struct anchor anchors[] = {
	{{0, 0}, EL_BLACK, 462, turn_kings, number_kings},
	{{1, 0}, EL_WHITE, HALF_PAWN_SQUARES, turn_pawns, number_white_pawn},
	{{0, 1}, EL_BLACK, HALF_PAWN_SQUARES, turn_pawns, number_black_pawn},
	{{1, 1}, EL_WHITE, HALF_PAWN_SQUARES *PAWN_SQUARES, turn_pawns, number_pawn_each},
	{{2, 0}, EL_WHITE, (PAWN_PAIRS + HALF_PAWN_SQUARES) / 2, turn_pawns, number_white_pawns},
	{{2, 1}, EL_BLACK, HALF_PAWN_SQUARES *PAWN_PAIRS, turn_pawns, number_two_and_one},
	{{3, 0}, EL_WHITE, 48 * 47 * 46 / 6 / 2, turn_three_pawns, number_three_pawns},
};

enum { ANCHORS = sizeof anchors / sizeof *anchors };

bool gaviota_index_make(const struct foreign *f, struct gaviota_index *out)
{
	const struct el_slice *slice = &f->source.slice;
	*out = (struct gaviota_index){.king = (uint8_t)foreign_kind(f, 'K'),
	                              .pawn = (uint8_t)foreign_kind(f, 'P')};
	for (unsigned i = 0; i < ANCHORS; i++)
		if (anchors[i].pawns[EL_WHITE] == slice->count[EL_WHITE][out->pawn] &&
		    anchors[i].pawns[EL_BLACK] == slice->count[EL_BLACK][out->pawn])
			out->anchor = &anchors[i];
	if (slice->pieces > GAVIOTA_PIECES_MAX || !out->anchor)
		return false;
	const bool pawnless = out->anchor == anchors;
	out->positions = out->anchor->count * (pawnless ? 1 : 64 * 64);
	if (pawnless)
		king_pairs_list(false, &out->kings);
	for (unsigned single = 0; single < 2; single++)
		for (unsigned side = 0; side < 2; side++)
			for (unsigned kind = 0; kind < EL_KINDS; kind++) {
				const unsigned count = slice->count[side][kind];
				if (kind == out->king || kind == out->pawn || !count ||
				    single != (count == 1))
					continue;
				out->alike[out->digits++] = (struct alike){
					(uint8_t)side, (uint8_t)kind, (uint8_t)count};
				out->positions *= alike_count(count);
			}
	return true;
}

uint32_t gaviota_index_of(const struct gaviota_index *n, const struct el_position *position)
{
	const unsigned turn = n->anchor->turn(n, position);
	struct el_position p = {0};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < EL_KINDS; kind++)
			p.set[side][kind] = foreign_turned_set(turn, position->set[side][kind]);
	uint32_t index = n->anchor->number(n, &p);
	if (index >= n->anchor->count)
		return n->positions;
	if (n->anchor != anchors)
		for (unsigned side = 0; side < 2; side++)
			index = index * 64 + lowest(p.set[side][n->king]);
	for (unsigned i = 0; i < n->digits; i++) {
		const struct alike *a = &n->alike[i];
		index = index * alike_count(a->count) +
		        alike_number(p.set[a->side][a->kind], a->count);
	}
	return index;
}
