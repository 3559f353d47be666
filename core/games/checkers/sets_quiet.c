/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two operators. Where the side to move must capture there are no quiet moves: such a position
 * is in no pre_some, and in every pre_all.
 */
#include "sets.h"

#include <string.h>

enum { STRIP = 256 }; /* words of a row that are worked on together: they stay in the nearest cache */

/* The turned set, and what a row's answer is made of. */
struct quiet {
	const struct checkers_sets *sets;
	unsigned side;
	size_t words; /* of a row */
	const uint64_t *among;
	uint64_t *from;
};

static struct quiet quiet_open(const struct el_sets *sets, unsigned side, const uint64_t *to,
                               const uint64_t *among, uint64_t *from)
{
	const struct checkers_sets *c = (const struct checkers_sets *)sets;
	const unsigned other = checkers_other(c, side);
	checkers_transpose(to, c->army[other].count, c->army[side].count, c->turned, c->filled);
	return (struct quiet){c, side, c->row_words[side], among, from};
}

static bool any_in(const uint64_t *row, size_t words)
{
	uint64_t any = 0;
	for (size_t w = 0; w < words; w++)
		any |= row[w];
	return any;
}

static void some_in_row(const struct quiet *q, size_t row)
{
	const struct checkers_army *army = &q->sets->army[q->side];
	const size_t at = row * q->words;
	const uint64_t *captures = q->sets->captures[q->side] + at;
	for (size_t first = 0; first < q->words; first += STRIP) {
		const size_t count = q->words - first < STRIP ? q->words - first : STRIP;
		uint64_t found[STRIP];
		memset(found, 0, count * sizeof *found);
		for (size_t s = army->first_step[row]; s < army->first_step[row + 1]; s++) {
			const size_t to = army->steps[s].row;
			const uint64_t *reached = q->sets->turned + to * q->words + first;
			if (!q->sets->filled[to])
				continue;
			for (size_t w = 0; w < count; w++)
				found[w] |= reached[w];
		}
		for (size_t w = 0; w < count; w++)
			q->from[at + first + w] =
				found[w] & q->among[at + first + w] & ~captures[first + w];
	}
}

void checkers_pre_some(const struct el_sets *sets, unsigned side, const uint64_t *to,
                       const uint64_t *among, uint64_t *from)
{
	const struct quiet q = quiet_open(sets, side, to, among, from);
	const size_t rows = q.sets->army[side].count;
#pragma omp parallel for schedule(dynamic, 64)
	for (size_t row = 0; row < rows; row++)
		some_in_row(&q, row);
	memset(from + rows * q.words, 0, (sets->words - rows * q.words) * sizeof *from);
}

static void all_in_row(const struct quiet *q, size_t row)
{
	const struct checkers_army *army = &q->sets->army[q->side];
	const size_t at = row * q->words;
	const uint64_t *captures = q->sets->captures[q->side] + at;
	for (size_t first = 0; first < q->words; first += STRIP) {
		const size_t count = q->words - first < STRIP ? q->words - first : STRIP;
		uint64_t held[STRIP];
		memset(held, 0xff, count * sizeof *held);
		for (size_t s = army->first_step[row]; s < army->first_step[row + 1]; s++) {
			const struct checkers_step step = army->steps[s];
			const uint64_t *reached = q->sets->turned + step.row * q->words + first;
			const uint64_t *barred =
				q->sets->occupied[q->side] + step.to * q->words + first;
			for (size_t w = 0; w < count; w++)
				held[w] &= reached[w] | barred[w];
		}
		for (size_t w = 0; w < count; w++)
			q->from[at + first + w] =
				q->among[at + first + w] & (held[w] | captures[first + w]);
	}
}

void checkers_pre_all(const struct el_sets *sets, unsigned side, const uint64_t *to,
                      const uint64_t *among, uint64_t *from)
{
	const struct quiet q = quiet_open(sets, side, to, among, from);
	const size_t rows = q.sets->army[side].count;
#pragma omp parallel for schedule(dynamic, 64)
	for (size_t row = 0; row < rows; row++)
		if (any_in(among + row * q.words, q.words))
			all_in_row(&q, row);
		else
			memset(from + row * q.words, 0, q.words * sizeof *from);
	memset(from + rows * q.words, 0, (sets->words - rows * q.words) * sizeof *from);
}
