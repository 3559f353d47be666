/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bit matrices with rows and columns exchanged. */
#include "sets.h"

enum { TILE = 8 }; /* words that lie in one cache line */

/* 64 x 64 bits: squares of half the side are exchanged across the diagonal, then smaller ones within
   them (H. S. Warren, "Hacker's Delight", section 7-3). */
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

/* The block of 64 rows from `first` on, in column word `word`; false when nothing is in it. */
static bool load_block(const uint64_t *from, size_t rows, size_t words, size_t first, size_t word,
                       uint64_t block[64])
{
	const size_t count = rows - first < 64 ? rows - first : 64;
	uint64_t any = 0;
	for (size_t i = 0; i < count; i++)
		any |= block[i] = from[(first + i) * words + word];
	for (size_t i = count; i < 64; i++)
		block[i] = 0;
	return any;
}

void checkers_transpose(const uint64_t *from, size_t rows, size_t columns, uint64_t *to,
                   uint8_t *filled)
{
	const size_t words = checkers_row_words(columns), to_words = checkers_row_words(rows);
#pragma omp parallel
	{
#pragma omp for collapse(2) schedule(static)
		for (size_t tile = 0; tile < words; tile += TILE)
			for (size_t at = 0; at < to_words; at++)
				for (size_t w = tile; w < words && w < tile + TILE; w++) {
					uint64_t block[64];
					if (load_block(from, rows, words, 64 * at, w, block))
						turn_block(block);
					for (size_t i = 0; i < 64 && 64 * w + i < columns; i++)
						to[(64 * w + i) * to_words + at] = block[i];
				}
#pragma omp for schedule(static)
		for (size_t row = 0; row < columns; row++) {
			uint64_t any = 0;
			for (size_t w = 0; w < to_words; w++)
				any |= to[row * to_words + w];
			filled[row] = any != 0;
		}
	}
}
