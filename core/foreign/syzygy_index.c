/* SPDX-License-Identifier: MIT */
/*
 * How Syzygy tables number positions. The leading pieces are turned to a corner of the board and
 * numbered together; every further group of like pieces is a combination of the remaining squares.
 * The numbers are digits of the index, in an order that each table chooses.
 */
#include "syzygy.h"

#include "core/games/choose.h"

#include <string.h>

const uint8_t *bytes_take(struct bytes *bytes, size_t size)
{
	const uint8_t *taken = bytes->at;
	if (size > bytes->left) {
		bytes->left = 0;
		return NULL;
	}
	bytes->at += size;
	bytes->left -= size;
	return taken;
}

/* ---- pieces without pawns: up to eight images of a board ---- */

/* > 0 above the diagonal from a1 to h8. */
static int above_diagonal(unsigned square)
{
	return (int)rank_of(square) - (int)file_of(square);
}

/* The squares below the diagonal of a corner with `size` + 1 ranks, rank by rank. */
static unsigned below_number(unsigned square, unsigned size)
{
	unsigned rank = rank_of(square);
	return rank * size - rank * (rank - 1) / 2 + file_of(square) - rank - 1;
}

/* b1, c1, d1, c2, d2, d3 are 0 .. 5; a1, b2, c3, d4 are 6 .. 9. */
static unsigned triangle_number(unsigned square)
{
	return above_diagonal(square) ? below_number(square, 3) : 6 + rank_of(square);
}

/* Turns the first leader to files a-d and ranks 1-4, and the first leader off the diagonal below
   it. Pieces after the leaders do not count. */
static void turn_to_triangle(uint8_t square[SYZYGY_PIECES_MAX], unsigned leaders)
{
	unsigned mirror = (file_of(square[0]) > 3 ? 7u : 0u) | (rank_of(square[0]) > 3 ? 56u : 0u);
	unsigned first = 0;
	for (unsigned i = 0; i < SYZYGY_PIECES_MAX; i++)
		square[i] ^= (uint8_t)mirror;
	while (first < leaders && above_diagonal(square[first]) == 0)
		first++;
	if (first == leaders || above_diagonal(square[first]) < 0)
		return;
	for (unsigned i = 0; i < SYZYGY_PIECES_MAX; i++)
		square[i] = (uint8_t)(file_of(square[i]) << 3 | rank_of(square[i]));
}

/*
 * Three unlike leaders: 31,332 placements. With the first off the diagonal, it has six squares and
 * the others any; then, with the first 0, 1, 2 on the diagonal, the next one has 28 squares below
 * it; last, all three are on the diagonal.
 */
static uint64_t three_number(const uint8_t s[3])
{
	enum { BELOW = 28, OFF = 6 * 63 * 62, ONE = 4 * BELOW * 62, TWO = 4 * 7 * BELOW };
	unsigned before_second = s[1] > s[0];
	unsigned before_third = (s[2] > s[0] ? 1u : 0u) + (s[2] > s[1] ? 1u : 0u);
	unsigned second = s[1] - before_second, third = s[2] - before_third;
	unsigned second_rank = rank_of(s[1]) - before_second;
	unsigned third_rank = rank_of(s[2]) - before_third;
	if (above_diagonal(s[0]))
		return (triangle_number(s[0]) * 63 + second) * 62 + third;
	if (above_diagonal(s[1]))
		return OFF + (rank_of(s[0]) * BELOW + below_number(s[1], 7)) * 62 + third;
	if (above_diagonal(s[2]))
		return OFF + ONE + (rank_of(s[0]) * 7 + second_rank) * BELOW +
		       below_number(s[2], 7);
	return OFF + ONE + TWO + (rank_of(s[0]) * 7 + second_rank) * 6 + third_rank;
}

/*
 * Two kings: 462 placements. First those with the first king off the diagonal, in the order of its
 * number, then those with the second one below it, then those with both on it.
 */
static void number_kings(struct order *o)
{
	static const uint8_t triangle[10] = {1, 2, 3, 10, 11, 19, 0, 9, 18, 27};
	enum { OFF, SECOND_BELOW, BOTH_ON, ROUNDS };
	int16_t next = 0;
	memset(o->kings, -1, sizeof o->kings);
	for (unsigned round = OFF; round < ROUNDS; round++)
		for (unsigned first = 0; first < 10; first++)
			for (unsigned second = 0; second < 64; second++) {
				int above = above_diagonal(second);
				unsigned mine = first < 6   ? OFF
				                : above < 0 ? SECOND_BELOW
				                : above > 0 ? ROUNDS
				                            : BOTH_ON;
				if (mine == round && kings_apart(triangle[first], second))
					o->kings[first][second] = next++;
			}
}

/* ---- pawns ---- */

/* 0 on the outer files, 3 on the middle ones. */
static unsigned inward(unsigned square)
{
	unsigned file = file_of(square);
	return file < 4 ? file : 7 - file;
}

/* A leading pawn's number: by files inwards, then by ranks. */
static unsigned lead_number(unsigned square)
{
	return inward(square) * 6 + rank_of(square) - 1;
}

/* The number of any other pawn of the leader's side: pawns that can follow a leader have lower
   numbers than it. */
static unsigned follow_number(unsigned square)
{
	return 47 - 12 * inward(square) - 2 * (rank_of(square) - 1) - (file_of(square) > 3);
}

/* The placements of `pawns` - 1 followers for all leaders on a file up to rank index `ranks`. */
static uint64_t pawns_before(unsigned pawns, unsigned file, unsigned ranks)
{
	uint64_t sum = 0;
	for (unsigned rank = 1; rank <= ranks; rank++)
		sum += choose[follow_number(rank * 8 + file)][pawns - 1];
	return sum;
}

/* Sorts `count` squares by their numbers. */
static void sort(uint8_t *square, unsigned count, unsigned (*number)(unsigned))
{
	for (unsigned i = 1; i < count; i++)
		for (unsigned j = i; j > 0 && number(square[j]) < number(square[j - 1]); j--) {
			uint8_t swapped = square[j];
			square[j] = square[j - 1];
			square[j - 1] = swapped;
		}
}

static unsigned itself(unsigned square)
{
	return square;
}

/* Puts the leading pawn first, on files a-d, and its followers after it. */
static uint64_t pawns_number(const struct order *o, uint8_t square[SYZYGY_PIECES_MAX])
{
	unsigned pawns = o->group[0].count;
	if (file_of(square[0]) > 3)
		for (unsigned i = 0; i < SYZYGY_PIECES_MAX; i++)
			square[i] ^= 7;
	sort(square + 1, pawns - 1, follow_number);
	uint64_t number = pawns_before(pawns, file_of(square[0]), rank_of(square[0]) - 1);
	for (unsigned i = 1; i < pawns; i++)
		number += choose[follow_number(square[i])][i];
	return number;
}

/* ---- orders ---- */

static unsigned piece_type(unsigned piece)
{
	return piece & 7;
}

static unsigned piece_side(unsigned piece)
{
	return piece >> 3;
}

bool order_follows(unsigned square, unsigned leader)
{
	return follow_number(square) < follow_number(leader);
}

uint64_t order_leads(const struct order *o, unsigned file)
{
	enum { THREE_LEADERS = 31332, TWO_KINGS = 462 };
	if (o->pawns)
		return pawns_before(o->group[0].count, file, 6);
	return o->three_leaders ? THREE_LEADERS : TWO_KINGS;
}

/* Gives each group its factor: group 0 and, if it has the other pawns, group 1 take the places that
   the file gives; the others fill the rest in turn. False if a place is past the end. */
static bool weigh(struct order *o, unsigned file, unsigned lead_place, unsigned other_place)
{
	unsigned next = o->other_pawns ? 2 : 1, lead = o->group[0].count;
	unsigned free = 64 - lead - (o->other_pawns ? o->group[1].count : 0);
	uint64_t factor = 1;
	unsigned place = 0;
	for (; next < o->groups || place == lead_place || place == other_place; place++) {
		if (place == lead_place) {
			o->group[0].factor = factor;
			factor *= order_leads(o, file);
		} else if (place == other_place) {
			o->group[1].factor = factor;
			factor *= choose[48 - lead][o->group[1].count];
		} else {
			o->group[next].factor = factor;
			factor *= choose[free][o->group[next].count];
			free -= o->group[next++].count;
		}
	}
	o->positions = factor;
	return place > lead_place && (!o->other_pawns || place > other_place);
}

static void count_pieces(const struct order *o, struct material *out)
{
	*out = (struct material){.pieces = o->pieces};
	for (unsigned i = 0; i < o->pieces; i++)
		out->count[piece_side(o->piece[i])][piece_type(o->piece[i])]++;
}

bool order_is_swapped(const struct order *o, const struct material *material)
{
	struct material mine;
	count_pieces(o, &mine);
	return memcmp(mine.count, material->count, sizeof mine.count) != 0;
}

static bool is_of(const struct order *o, const struct material *material)
{
	struct material mine, swapped = {.pieces = material->pieces};
	for (unsigned i = 0; i < o->pieces; i++)
		if (piece_side(o->piece[i]) > 1 || piece_type(o->piece[i]) < SYZYGY_PAWN ||
		    piece_type(o->piece[i]) > SYZYGY_KING)
			return false;
	count_pieces(o, &mine);
	memcpy(swapped.count[0], material->count[1], sizeof swapped.count[0]);
	memcpy(swapped.count[1], material->count[0], sizeof swapped.count[1]);
	return memcmp(&mine, material, sizeof mine) == 0 ||
	       memcmp(&mine, &swapped, sizeof mine) == 0;
}

/* How many pieces lead: the pawns of the side with fewer; without pawns, three unlike pieces if
   there are three that are single on their side, else the kings. */
static unsigned leaders(const struct material *m, bool *three_leaders)
{
	unsigned white = m->count[0][SYZYGY_PAWN], black = m->count[1][SYZYGY_PAWN], unlike = 0;
	for (unsigned type = SYZYGY_PAWN; type <= SYZYGY_KING; type++)
		for (unsigned side = 0; side < 2; side++)
			unlike += m->count[side][type] == 1;
	*three_leaders = !white && !black && unlike > 2;
	if (white && black)
		return white < black ? white : black;
	return white + black ? white + black : *three_leaders ? 3 : 2;
}

/* Are the groups as in real tables: pawns first, or kings first if there are no pawns? */
static bool groups_make_sense(const struct order *o)
{
	unsigned lead = o->group[0].count;
	for (unsigned i = 1; o->pawns && i < lead; i++)
		if (o->piece[i] != o->piece[0])
			return false;
	if (o->pawns && piece_type(o->piece[0]) != SYZYGY_PAWN)
		return false;
	if (!o->pawns && !o->three_leaders)
		return piece_type(o->piece[0]) == SYZYGY_KING &&
		       piece_type(o->piece[1]) == SYZYGY_KING;
	return !o->other_pawns || (o->groups > 1 && piece_type(o->piece[lead]) == SYZYGY_PAWN);
}

static bool finish(struct order *o, const struct material *material, unsigned file,
                   unsigned lead_place, unsigned other_place)
{
	o->pieces = material->pieces;
	if (!is_of(o, material))
		return false;
	o->pawns = material_has_pawns(material);
	o->other_pawns = material->count[0][SYZYGY_PAWN] && material->count[1][SYZYGY_PAWN];
	/* After the leaders, consecutive like pieces form a group. */
	const unsigned lead = leaders(material, &o->three_leaders);
	o->group[0].count = (uint8_t)lead;
	o->groups = 1;
	for (unsigned i = lead; i < o->pieces; i++) {
		if (i == lead || o->piece[i] != o->piece[i - 1])
			o->group[o->groups++].count = 0;
		o->group[o->groups - 1].count++;
	}
	if (!groups_make_sense(o))
		return false;
	number_kings(o);
	return weigh(o, file, lead_place, o->other_pawns ? other_place : SYZYGY_NO_PLACE + 1);
}

bool order_make(struct order *o, const struct material *material, unsigned file,
                const struct order_places *places)
{
	*o = (struct order){.pieces = material->pieces};
	memcpy(o->piece, places->piece, material->pieces);
	return finish(o, material, file, places->lead, places->other);
}

bool order_read(struct bytes *bytes, const struct material *material, unsigned file, unsigned sides,
                struct order out[])
{
	bool two_places = material->count[0][SYZYGY_PAWN] && material->count[1][SYZYGY_PAWN];
	const uint8_t *lead = bytes_take(bytes, 1);
	const uint8_t *other = two_places ? bytes_take(bytes, 1) : lead;
	const uint8_t *piece = bytes_take(bytes, material->pieces);
	if (!lead || !other || !piece)
		return false;
	for (unsigned side = 0; side < sides; side++) {
		out[side] = (struct order){.pieces = material->pieces};
		for (unsigned i = 0; i < material->pieces; i++)
			out[side].piece[i] = piece[i] >> 4 * side & 15;
		if (!finish(&out[side], material, file, *lead >> 4 * side & 15,
		            *other >> 4 * side & 15))
			return false;
	}
	return true;
}

/* ---- indexes ---- */

void order_squares(const struct order *o, uint64_t set[2][7], uint8_t square[SYZYGY_PIECES_MAX])
{
	memset(square, 0, SYZYGY_PIECES_MAX);
	for (unsigned i = 0; i < o->pieces; i++) {
		uint64_t *rest = &set[piece_side(o->piece[i])][piece_type(o->piece[i])];
		square[i] = (uint8_t)__builtin_ctzll(*rest);
		*rest &= *rest - 1;
	}
	for (unsigned i = 1; o->pawns && i < o->group[0].count; i++)
		if (lead_number(square[i]) < lead_number(square[0])) {
			uint8_t swapped = square[i];
			square[i] = square[0];
			square[0] = swapped;
		}
}

unsigned order_file(const uint8_t square[SYZYGY_PIECES_MAX])
{
	return inward(square[0]);
}

/* A group's number among the squares that earlier pieces leave free; `lowest` is the first square
   of all. Sorts the group. */
static uint64_t group_number(uint8_t *square, unsigned first, unsigned count, unsigned lowest)
{
	uint64_t number = 0;
	sort(square + first, count, itself);
	for (unsigned i = first; i < first + count; i++) {
		unsigned place = square[i] - lowest;
		for (unsigned before = 0; before < first; before++)
			place -= square[before] < square[i];
		number += choose[place][i - first + 1];
	}
	return number;
}

uint64_t order_lead(const struct order *o, uint8_t square[SYZYGY_PIECES_MAX])
{
	if (o->pawns)
		return pawns_number(o, square);
	turn_to_triangle(square, o->group[0].count);
	int kings = o->kings[triangle_number(square[0])][square[1]];
	if (!o->three_leaders && kings < 0)
		return o->positions;
	return o->three_leaders ? three_number(square) : (uint64_t)kings;
}

uint64_t order_index(const struct order *o, uint8_t square[SYZYGY_PIECES_MAX])
{
	enum { A2 = 8 };
	const uint64_t number = order_lead(o, square);
	if (number == o->positions)
		return o->positions;
	uint64_t index = number * o->group[0].factor;
	for (unsigned g = 1, first = o->group[0].count; g < o->groups; first += o->group[g++].count)
		index += o->group[g].factor * group_number(square, first, o->group[g].count,
		                                           o->other_pawns && g == 1 ? A2 : 0);
	return index < o->positions ? index : o->positions;
}
