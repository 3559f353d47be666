/* SPDX-License-Identifier: MIT */
/* Transposes tiles. */
#include "sets.h"

#include <string.h>

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
	const size_t out_words = c->row_words[checkers_other(c, side)];
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
