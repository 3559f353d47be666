/* SPDX-License-Identifier: MIT */
/* Facts about a tile's columns, and from them about whole rows: which positions are legal, and in
   which the side to move must capture. Tiles are transposed here too. */
#include "sets.h"

#include <stdlib.h>
#include <string.h>

struct checkers_tile checkers_tile_of(const struct checkers_sets *c, unsigned side, size_t unit)
{
	const struct checkers_army *mover = checkers_army_of(c, side),
				   *opponent = checkers_army_of(c, !side);
	const size_t row_group = unit / opponent->groups, column_group = unit % opponent->groups;
	const size_t words = c->row_words[side];
	return (struct checkers_tile){
		.sets = c,
		.mover = mover,
		.opponent = opponent,
		.row_group = row_group,
		.column_group = column_group,
		.first_row = row_group * mover->group_rows,
		.first_column = column_group * opponent->group_rows,
		.rows = checkers_group_size(mover, row_group),
		.columns = checkers_group_size(opponent, column_group),
		.words = words,
		.facts = c->facts[side] + column_group * CHECKERS_FACTS * CHECKERS_SQUARES * words,
	};
}

/* ---- columns ---- */

/* Adds columns with an opponent beside the square and none behind that one. */
static void add_jump(const struct checkers_tile *t, unsigned from, unsigned direction, size_t first,
                     size_t count, uint64_t *jumps)
{
	const unsigned over = checkers_step(from, direction), to = checkers_jump(from, direction);
	if (to == EL_NO_SQUARE)
		return;
	const uint64_t *jumped = checkers_fact(t, CHECKERS_OCCUPIED, over) + first,
		       *behind = checkers_fact(t, CHECKERS_OCCUPIED, to) + first;
	for (size_t w = 0; w < count; w++)
		jumps[w] |= jumped[w] & ~behind[w];
}

static void mark_jumps(const struct checkers_tile *t, enum checkers_fact fact, unsigned directions,
                       uint64_t *facts)
{
	for (unsigned square = 0; square < CHECKERS_SQUARES; square++)
		for (unsigned d = 0; d < directions; d++)
			add_jump(t, square, d, 0, t->words,
			         facts + (fact * CHECKERS_SQUARES + square) * t->words);
}

static bool open_side(struct checkers_sets *c, unsigned side)
{
	const size_t groups = checkers_army_of(c, !side)->groups;
	const size_t words = CHECKERS_FACTS * CHECKERS_SQUARES * c->row_words[side];
	c->facts[side] = calloc(groups * words, sizeof *c->facts[side]);
	if (!c->facts[side])
		return false;
	for (size_t group = 0; group < groups; group++) {
		const struct checkers_tile t = checkers_tile_of(c, side, group);
		uint64_t *facts = c->facts[side] + group * words;
		for (size_t column = 0; column < t.columns; column++) {
			const struct checkers_placement p =
				t.opponent->placement[t.first_column + column];
			uint64_t *occupied = facts + column / 64; /* by square */
			for (uint32_t squares = checkers_turn(p.men | p.kings); squares;)
				occupied[checkers_pop(&squares) * t.words] |= UINT64_C(1)
				                                              << column % 64;
		}
		mark_jumps(&t, CHECKERS_JUMPS_OF_MAN, CHECKERS_MAN_DIRECTIONS, facts);
		mark_jumps(&t, CHECKERS_JUMPS_OF_KING, CHECKERS_DIRECTIONS, facts);
	}
	return true;
}

bool checkers_facts_open(struct checkers_sets *c)
{
	for (unsigned square = 0; square < CHECKERS_SQUARES; square++)
		for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++) {
			const unsigned to = checkers_jump(square, d);
			const uint32_t lands = to == EL_NO_SQUARE ? 0 : checkers_bit(to);
			c->lands[1][square] |= lands;
			c->lands[0][square] |= d < CHECKERS_MAN_DIRECTIONS ? lands : 0;
		}
	for (unsigned side = 0; side < c->head.sides; side++)
		if (!open_side(c, side))
			return false;
	return true;
}

/* ---- rows ---- */

/* A position is legal if no opponent stands on the row's own squares. */
void checkers_legal_row(const struct checkers_tile *t, size_t row, uint64_t *out)
{
	const struct checkers_placement p = t->mover->placement[t->first_row + row];
	const size_t whole = t->columns / 64;
	memset(out, 0, t->words * sizeof *out);
	memset(out, 0xff, whole * sizeof *out);
	if (t->columns % 64)
		out[whole] = (UINT64_C(1) << t->columns % 64) - 1;
	for (uint32_t squares = p.men | p.kings; squares;) {
		const uint64_t *occupied =
			checkers_fact(t, CHECKERS_OCCUPIED, checkers_pop(&squares));
		for (size_t w = 0; w < t->words; w++)
			out[w] &= ~occupied[w];
	}
}

/* Adds the jumps of like pieces. Jumps over own pieces occur only in illegal positions; if a jump
   could land on own pieces, each direction is checked separately. */
static void add_jumps(const struct checkers_tile *t, uint32_t pieces, bool kings, uint32_t own,
                      size_t first, size_t count, uint64_t *out)
{
	const enum checkers_fact fact = kings ? CHECKERS_JUMPS_OF_KING : CHECKERS_JUMPS_OF_MAN;
	const unsigned directions = kings ? CHECKERS_DIRECTIONS : CHECKERS_MAN_DIRECTIONS;
	while (pieces) {
		const unsigned from = checkers_pop(&pieces);
		if (!(t->sets->lands[kings][from] & own)) {
			const uint64_t *jumps = checkers_fact(t, fact, from) + first;
			for (size_t w = 0; w < count; w++)
				out[w] |= jumps[w];
			continue;
		}
		for (unsigned d = 0; d < directions; d++) {
			const unsigned to = checkers_jump(from, d);
			if (to != EL_NO_SQUARE && !(own & checkers_bit(to)))
				add_jump(t, from, d, first, count, out);
		}
	}
}

void checkers_capture_row(const struct checkers_tile *t, size_t row, size_t first, size_t count,
                          uint64_t *out)
{
	const struct checkers_placement p = t->mover->placement[t->first_row + row];
	const uint32_t own = p.men | p.kings;
	memset(out, 0, count * sizeof *out);
	add_jumps(t, p.men, false, own, first, count, out);
	add_jumps(t, p.kings, true, own, first, count, out);
}

/* ---- regions ---- */

/* The index uses no symmetry of the board. */
uint64_t checkers_images(const struct el_sets *sets, unsigned square)
{
	(void)sets;
	return checkers_bit(square);
}

void checkers_keep(const struct el_sets *sets, unsigned side, size_t unit, unsigned owner,
                   unsigned kinds, uint64_t squares, uint64_t *set)
{
	const struct checkers_tile t =
		checkers_tile_of((const struct checkers_sets *)sets, side, unit);
	const bool moves = owner == side;
	const struct checkers_placement *first =
		moves ? t.mover->placement + t.first_row : t.opponent->placement + t.first_column;
	/* positions are in Black's view */
	const uint32_t region = (uint32_t)squares;
	const uint32_t seen = owner == EL_BLACK ? region : checkers_turn(region);
	for (size_t i = 0; i < (moves ? t.rows : t.columns); i++) {
		const uint32_t men = kinds >> CHECKERS_MAN & 1 ? first[i].men : 0,
			       kings = kinds >> CHECKERS_KING & 1 ? first[i].kings : 0;
		if (!((men | kings) & ~seen))
			continue;
		if (moves)
			memset(set + i * t.words, 0, t.words * sizeof *set);
		for (size_t row = 0; row < t.rows && !moves; row++)
			set[row * t.words + i / 64] &= ~(UINT64_C(1) << i % 64);
	}
}

/* ---- transposing tiles ---- */

enum { LINE = 8 }; /* words in a cache line */

/* Transposes 64 x 64 bits: exchanges blocks of half the size across the diagonal, then smaller ones
   within them (H. S. Warren, "Hacker's Delight", section 7-3). */
static void turn_block(uint64_t block[64])
{
	uint64_t mask = UINT64_C(0x00000000ffffffff);
	for (unsigned half = 32; half; half /= 2, mask ^= mask << half)
		for (unsigned first = 0; first < 64; first += 2 * half)
			for (unsigned i = first; i < first + half; i++) {
				uint64_t t = (block[i] >> half ^ block[i + half]) & mask;
				block[i] ^= t << half;
				block[i + half] ^= t;
			}
}

/* Loads the block of 64 rows from `first` on, in column word `word`; false if it is empty. */
static bool load_block(const uint64_t *from, size_t rows, size_t words, size_t first, size_t word,
                       uint64_t block[64])
{
	const size_t left = first < rows ? rows - first : 0, count = left < 64 ? left : 64;
	uint64_t any = 0;
	for (size_t i = 0; i < count; i++)
		any |= block[i] = from[(first + i) * words + word];
	for (size_t i = count; i < 64; i++)
		block[i] = 0;
	return any;
}

size_t checkers_turn_unit(const struct el_sets *sets, unsigned side, size_t unit,
                          const uint64_t *set, uint64_t *out)
{
	const struct checkers_sets *c = (const struct checkers_sets *)sets;
	const struct checkers_tile t = checkers_tile_of(c, side, unit);
	const size_t words = checkers_row_words(t.columns);
	const size_t out_words = c->row_words[c->head.sides == 1 ? side : !side];
	for (size_t line = 0; line < words; line += LINE)
		for (size_t at = 0; at < out_words; at++)
			for (size_t w = line; w < words && w < line + LINE; w++) {
				uint64_t block[64];
				if (load_block(set, t.rows, t.words, 64 * at, w, block))
					turn_block(block);
				for (size_t i = 0; i < 64 && 64 * w + i < t.columns; i++)
					out[(64 * w + i) * out_words + at] = block[i];
			}
	memset(out + t.columns * out_words, 0, (sets->words - t.columns * out_words) * sizeof *out);
	return t.column_group * t.mover->groups + t.row_group;
}
