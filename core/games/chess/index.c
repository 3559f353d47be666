/* SPDX-License-Identifier: MIT */
#include "index.h"

#include <string.h>

struct el_slice chess_slice(const struct el_game *game, const uint8_t (*count)[EL_KINDS])
{
	const uint32_t strength[2] = {chess_strength(count[0]), chess_strength(count[1])};
	struct el_slice slice = slice_of(game, "", count, (const uint8_t[2]){0}, strength);
	const struct chess_groups groups = chess_groups(&slice);
	slice.positions = groups.kings;
	for (unsigned i = 0; i < groups.count; i++)
		slice.positions *= groups.group[i].radix;
	return slice;
}

struct el_slice chess_castling_slice(const struct el_slice *slice)
{
	struct el_slice rights = *slice;
	rights.key |= CHESS_RIGHTS;
	rights.positions = chess_castling_positions(slice);
	strcat(rights.name, CHESS_CASTLING_SUFFIX);
	return rights;
}

/* ---- pairs of kings ---- */

/* The squares of White's king in representatives, and the first class of each in ascending order:
   the running sum of the number of Black's squares. */
struct king_region {
	uint64_t squares;
	unsigned count;
	uint16_t first[32];
};

static const struct king_region regions[2] = {
	{.squares = 0x080c0e0f,
         .count = 10,
         .first = {0, 33, 91, 149, 207, 237, 292, 347, 377, 432}},
	{.squares = 0x0f0f0f0f0f0f0f0f,
         .count = 32,
         .first = {0,    60,   118,  176,  234,  292,  347,  402,  457,  515,  570,
                   625,  680,  738,  793,  848,  903,  961,  1016, 1071, 1126, 1184,
                   1239, 1294, 1349, 1407, 1462, 1517, 1572, 1632, 1690, 1748}},
};

/* The squares of Black's king in representatives with White's on this square. */
static uint64_t black_squares(bool pawns, unsigned white)
{
	uint64_t free = ~(chess_king_attacks(white) | chess_bit(white));
	/* 1 to keep only the squares on and below the diagonal, or 0. */
	uint64_t halved = pawns ? 0 : CHESS_DIAGONAL >> white & 1;
	return free & (CHESS_LOWER | (halved - 1));
}

/* The number of a square within a set, and the inverse. */
static unsigned number_in(uint64_t set, unsigned square)
{
	return chess_count(set & (chess_bit(square) - 1));
}

static unsigned numbered(uint64_t set, unsigned number)
{
	unsigned square = 0;
	for (unsigned step = 32; step; step /= 2) {
		unsigned below = chess_count(set >> square & (chess_bit(step) - 1));
		if (number >= below) {
			number -= below;
			square += step;
		}
	}
	return square;
}

int chess_king_class(bool pawns, unsigned white, unsigned black)
{
	const struct king_region *region = &regions[pawns];
	uint64_t free = black_squares(pawns, white);
	if (!(region->squares >> white & 1) || !(free >> black & 1))
		return -1;
	return region->first[number_in(region->squares, white)] + (int)number_in(free, black);
}

struct chess_king_numbers chess_king_numbers(bool pawns, unsigned class)
{
	const struct king_region *region = &regions[pawns];
	unsigned n = 0;
	for (unsigned step = 16; step; step /= 2)
		if (n + step < region->count && region->first[n + step] <= class)
			n += step;
	return (struct chess_king_numbers){
		.white = (uint8_t)n,
		.black = (uint8_t)(class - region->first[n]),
		.first = region->first[n],
	};
}

void chess_king_squares(bool pawns, unsigned class, uint8_t *white, uint8_t *black)
{
	const struct chess_king_numbers n = chess_king_numbers(pawns, class);
	*white = (uint8_t)numbered(regions[pawns].squares, n.white);
	*black = (uint8_t)numbered(black_squares(pawns, *white), n.black);
}

/* ---- the symmetries of the board ---- */

unsigned chess_king_symmetry(bool pawns, unsigned white, unsigned black)
{
	unsigned symmetry = white & 4 ? CHESS_MIRROR : 0;
	symmetry |= !pawns && white & 32 ? CHESS_FLIP : 0;
	white = chess_symmetric(symmetry, white);
	black = chess_symmetric(symmetry, black);
	uint64_t above = ~CHESS_LOWER >> white | (CHESS_DIAGONAL >> white & ~CHESS_LOWER >> black);
	return symmetry | (pawns ? 0 : (unsigned)(above & 1) * CHESS_TRANSPOSE);
}

bool chess_kings_twofold(bool pawns, unsigned white, unsigned black)
{
	return !pawns && CHESS_DIAGONAL >> white & CHESS_DIAGONAL >> black & 1;
}

/* ---- the index ---- */

/* A position with its sides in the slice's order: sides[0] is named first. */
struct board {
	const uint64_t *sides[2];
	bool pawns;
};

/* An index and its digits except those of the kings. */
struct number {
	uint64_t index;
	uint32_t digit[EL_DIGITS_MAX];
};

/* The number of a board after the symmetry that maps its kings, of this class, to their
   representative. Leaves out the digits of the kings. */
static inline void number_after(const struct board *board, unsigned symmetry, unsigned class,
                                struct number *out)
{
	uint32_t *digit = out->digit;
	uint64_t index = class;
	for (unsigned side = 0; side < 2; side++) {
		digit++;
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_KINDS; kind++) {
			uint64_t set = board->sides[side][kind];
			if (!set)
				continue;
			unsigned first = kind == CHESS_PAWN ? 8 : 0;
			*digit = chess_rank_set(chess_symmetric_set(symmetry, set), first);
			index = index * choose[64 - 2 * first][chess_count(set)] + *digit++;
		}
	}
	out->index = index;
}

/* chess_strength of a position's side; exact up to CHESS_PIECES_MAX pieces, and above it for
   more. */
static uint32_t strength_of(const uint64_t set[EL_KINDS])
{
	uint32_t pieces = chess_count(set[CHESS_KING]), kinds = 0;
#pragma GCC unroll 5 /* saves a tenth of the time of chess_place */
	for (unsigned kind = CHESS_QUEEN; kind < CHESS_KINDS; kind++) {
		uint32_t count = chess_count(set[kind]);
		pieces += count;
		kinds = kinds << 4 | count;
	}
	return pieces << 20 | kinds;
}

static bool is_one_square(uint64_t set)
{
	return set && !(set & (set - 1));
}

bool chess_place(const struct el_position *position, struct el_place *out)
{
	const uint64_t *white = position->set[EL_WHITE], *black = position->set[EL_BLACK];
	const uint64_t pawns = white[CHESS_PAWN] | black[CHESS_PAWN];
	const uint32_t strength[2] = {strength_of(white), strength_of(black)};
	const unsigned pieces = (strength[0] >> 20) + (strength[1] >> 20);
	if (pieces < 3 || pieces > CHESS_PIECES_MAX || !is_one_square(white[CHESS_KING]) ||
	    !is_one_square(black[CHESS_KING]) || (pawns & (CHESS_RANK_1 | CHESS_RANK_8)) ||
	    position->side > EL_BLACK)
		return false;

	const unsigned equal = strength[0] == strength[1];
	const unsigned first = (strength[1] > strength[0]) | (equal & position->side);
	const struct board board = {{position->set[first], position->set[!first]}, pawns != 0};
	out->key = slice_key(strength[first], strength[!first]);
	out->plane = position->side ^ (uint8_t)first;
	if (position->castling) {
		out->key |= CHESS_RIGHTS;
		memset(out->digit, 0, sizeof out->digit);
		return chess_castling_place(position, first, &out->index);
	}

	/* The board is turned round if Black is named first. */
	const unsigned flip = first * CHESS_FLIP;
	unsigned one = chess_first(board.sides[0][CHESS_KING]) ^ flip;
	unsigned two = chess_first(board.sides[1][CHESS_KING]) ^ flip;
	unsigned symmetry = chess_king_symmetry(board.pawns, one, two);
	one = chess_symmetric(symmetry, one);
	two = chess_symmetric(symmetry, two);
	const int class = chess_king_class(board.pawns, one, two);
	if (class < 0)
		return false; /* the kings are adjacent */
	symmetry ^= flip;
	struct number number, twin;
	number_after(&board, symmetry, (unsigned)class, &number);
	if (chess_kings_twofold(board.pawns, one, two)) {
		number_after(&board, symmetry ^ CHESS_TRANSPOSE, (unsigned)class, &twin);
		number = twin.index < number.index ? twin : number;
	}
	out->index = number.index;
	memcpy(out->digit, number.digit, sizeof out->digit);

	/* The digit of the second king follows those of the first king and its groups. */
	unsigned second = 1;
	for (unsigned kind = CHESS_QUEEN; kind < CHESS_KINDS; kind++)
		second += board.sides[0][kind] != 0;
	out->digit[0] = number_in(regions[board.pawns].squares, one);
	out->digit[second] = two;
	return true;
}

static bool has_pawns(const struct el_slice *slice)
{
	return slice->count[EL_WHITE][CHESS_PAWN] || slice->count[EL_BLACK][CHESS_PAWN];
}

struct chess_groups chess_groups(const struct el_slice *slice)
{
	struct chess_groups groups = {.pawns = has_pawns(slice)};
	groups.kings = groups.pawns ? CHESS_KINGS_PAWNS : CHESS_KINGS_PAWNLESS;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_KINDS; kind++) {
			unsigned count = slice->count[side][kind];
			uint8_t first = kind == CHESS_PAWN ? 8 : 0;
			if (count)
				groups.group[groups.count++] = (struct chess_group){
					.side = (uint8_t)side,
					.kind = (uint8_t)kind,
					.count = (uint8_t)count,
					.first = first,
					.radix = choose[64 - 2 * first][count],
				};
		}
	return groups;
}

/* ---- digits ---- */

/* The digit of Black's king, after those of White's king and groups. */
static unsigned second_king(const struct chess_groups *groups)
{
	unsigned second = 1;
	while (second <= groups->count && groups->group[second - 1].side == EL_WHITE)
		second++;
	return second;
}

void chess_digits(const struct el_slice *slice, struct el_digits *out)
{
	*out = (struct el_digits){0};
	if (el_slice_has_rights(slice))
		return;
	const struct chess_groups groups = chess_groups(slice);
	const unsigned second = second_king(&groups);
	*out = (struct el_digits){.count = groups.count + 2,
	                          .letter = "K",
	                          .radix = {regions[groups.pawns].count},
	                          .pieces = {1}};
	out->letter[second] = 'k';
	out->radix[second] = 64;
	out->pieces[second] = 1;
	for (unsigned g = 0; g < groups.count; g++) {
		const struct chess_group *group = &groups.group[g];
		const unsigned digit = 1 + g + (g + 1 >= second);
		out->letter[digit] = "KQRBNPkqrbnp"[group->side * CHESS_KINDS + group->kind];
		out->radix[digit] = group->radix;
		out->pieces[digit] = group->count;
	}
}

void chess_stand(const struct el_slice *slice, unsigned digit, uint32_t value, uint8_t *square)
{
	const struct chess_groups groups = chess_groups(slice);
	const unsigned second = second_king(&groups);
	if (!digit || digit == second) {
		*square = (uint8_t)(digit ? value : numbered(regions[groups.pawns].squares, value));
		return;
	}
	const struct chess_group *group = &groups.group[digit - 1 - (digit > second)];
	for (uint64_t set = chess_unrank_set(value, group->count, group->first); set;)
		*square++ = (uint8_t)chess_pop(&set);
}

void chess_take_apart(const struct el_slice *slice, uint64_t index, uint32_t digit[EL_DIGITS_MAX])
{
	const struct chess_groups groups = chess_groups(slice);
	const unsigned second = second_king(&groups);
	uint8_t white, black;
	for (unsigned g = groups.count; g-- > 0;)
		digit[1 + g + (g + 1 >= second)] = choose_take(&index, groups.group[g].radix);
	chess_king_squares(groups.pawns, (unsigned)index, &white, &black);
	digit[0] = number_in(regions[groups.pawns].squares, white);
	digit[second] = black;
}

/* Sets the squares of every piece; false if two share one, or if the placement has a smaller index
   as well. */
static bool set_up(const struct el_slice *slice, uint64_t index, struct el_position *position)
{
	const struct board board = {{position->set[0], position->set[1]}, has_pawns(slice)};
	uint64_t class = index, occupied = 0;
	uint8_t white, black;
	/* Removing the ranks of all groups, fastest first, leaves the class of the kings. */
	for (unsigned side = 2; side-- > 0;)
		for (unsigned kind = CHESS_KINDS; --kind > CHESS_KING;) {
			unsigned count = slice->count[side][kind];
			if (!count)
				continue;
			unsigned first = kind == CHESS_PAWN ? 8 : 0;
			uint32_t rank = choose_take(&class, choose[64 - 2 * first][count]);
			uint64_t set = chess_unrank_set(rank, count, first);
			if (occupied & set)
				return false;
			occupied |= set;
			position->set[side][kind] = set;
		}
	chess_king_squares(board.pawns, (unsigned)class, &white, &black);
	if (occupied & (chess_bit(white) | chess_bit(black)))
		return false;
	position->set[EL_WHITE][CHESS_KING] = chess_bit(white);
	position->set[EL_BLACK][CHESS_KING] = chess_bit(black);
	if (!chess_kings_twofold(board.pawns, white, black))
		return true;
	struct number twin;
	number_after(&board, CHESS_TRANSPOSE, (unsigned)class, &twin);
	return twin.index >= index;
}

bool chess_twofold(const struct el_slice *slice, uint64_t index)
{
	const struct chess_groups groups = chess_groups(slice);
	uint8_t white, black;
	if (el_slice_has_rights(slice))
		return false;
	for (unsigned g = 0; g < groups.count; g++)
		index /= groups.group[g].radix;
	chess_king_squares(groups.pawns, (unsigned)index, &white, &black);
	return chess_kings_twofold(groups.pawns, white, black);
}

bool chess_unplace(const struct el_slice *slice, unsigned plane, uint64_t index,
                   struct el_position *out)
{
	struct el_position position = {
		.side = (uint8_t)plane, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	if (index >= slice->positions || plane >= slice->planes ||
	    !(el_slice_has_rights(slice) ? chess_castling_set_up : set_up)(slice, index,
	                                                                   &position) ||
	    chess_attacked(&position, plane, ~UINT64_C(0),
	                   chess_first(position.set[!plane][CHESS_KING]),
	                   chess_occupied(&position)))
		return false;
	*out = position;
	return true;
}

bool chess_is_image(const struct el_position *position, unsigned symmetry,
                    const struct el_position *image)
{
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < CHESS_KINDS; kind++)
			if (chess_symmetric_set(symmetry, position->set[side][kind]) !=
			    image->set[side][kind])
				return false;
	return true;
}

/* No king stands on its own mirror image, so only the diagonals can be axes. */
unsigned chess_orbit(const struct el_position *position)
{
	if (position->castling)
		return 1;
	if (position->set[EL_WHITE][CHESS_PAWN] | position->set[EL_BLACK][CHESS_PAWN])
		return 2;
	const bool is_symmetric =
		chess_is_image(position, CHESS_TRANSPOSE, position) ||
		chess_is_image(position, CHESS_FLIP | CHESS_MIRROR | CHESS_TRANSPOSE, position);
	return is_symmetric ? 4 : 8;
}
