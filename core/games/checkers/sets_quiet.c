/* SPDX-License-Identifier: MIT */
/*
 * The two operators. If the side to move must capture, it has no quiet moves: such a position is in
 * no set with some quiet move, and in every set with none. Sets hold legal positions only, so a row's steps need not
 * check the squares of the opponent.
 */
#include "sets.h"

#include <string.h>

/* words of a row processed together: they fit the nearest cache */
enum { STRIP = 256 };

size_t checkers_links(const struct el_sets *sets, unsigned side, size_t unit,
                      uint32_t out[EL_LINKS_MAX])
{
	const struct checkers_tile t =
		checkers_tile_of((const struct checkers_sets *)sets, side, unit);
	size_t count = 0;
	for (uint64_t left = t.mover->linked[t.row_group]; left; left &= left - 1)
		out[count++] = (uint32_t)((size_t)__builtin_ctzll(left) * t.opponent->groups +
		                          t.column_group);
	return count;
}

/* The input of a row's answer. */
struct quiet {
	struct checkers_tile tile;
	const uint64_t *by_group[EL_LINKS_MAX]; /* the set; null where it is empty */
	bool some;
};

/* ORs the bits that a row's steps reach; false if there are none. */
static bool reach(const struct quiet *q, size_t row, size_t first, size_t count,
                  const uint64_t *among, uint64_t *found)
{
	const struct checkers_army *army = q->tile.mover;
	const size_t at = q->tile.first_row + row;
	uint64_t any = 0;
	memset(found, 0, count * sizeof *found);
	for (size_t s = army->first_step[at]; s < army->first_step[at + 1]; s++) {
		const struct checkers_step step = army->steps[s];
		const uint64_t *to = q->by_group[step.group];
		if (!to)
			continue;
		to += step.row * q->tile.words + first;
		for (size_t w = 0; w < count; w++)
			found[w] |= to[w];
	}
	for (size_t w = 0; w < count; w++)
		any |= found[w] &= among[w];
	return any;
}

static void answer_strip(const struct quiet *q, size_t row, size_t first, size_t count,
                         const uint64_t *among, uint64_t *from)
{
	uint64_t found[STRIP], captures[STRIP], any = 0;
	for (size_t w = 0; w < count; w++)
		any |= among[w];
	if (!any || !reach(q, row, first, count, among, found)) {
		if (!any || q->some)
			memset(from, 0, count * sizeof *from);
		else if (from != among)
			memcpy(from, among, count * sizeof *from);
		return;
	}
	checkers_capture_row(&q->tile, row, first, count, captures);
	if (q->some)
		for (size_t w = 0; w < count; w++)
			from[w] = found[w] & ~captures[w];
	else
		for (size_t w = 0; w < count; w++)
			from[w] = among[w] & (~found[w] | captures[w]);
}

void checkers_pre(const struct el_sets *sets, unsigned side, size_t unit,
                  const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, bool some,
                  uint64_t *from, void *scratch)
{
	struct quiet q = {
		.tile = checkers_tile_of((const struct checkers_sets *)sets, side, unit),
		.some = some,
	};
	const size_t words = q.tile.words, used = q.tile.rows * words;
	size_t link = 0;
	(void)scratch;
	for (uint64_t left = q.tile.mover->linked[q.tile.row_group]; left; left &= left - 1)
		q.by_group[__builtin_ctzll(left)] = to[link++];
	for (size_t row = 0; row < q.tile.rows; row++)
		for (size_t first = 0; first < words; first += STRIP) {
			const size_t count = words - first < STRIP ? words - first : STRIP;
			const size_t at = row * words + first;
			answer_strip(&q, row, first, count, among + at, from + at);
		}
	memset(from + used, 0, (sets->words - used) * sizeof *from);
}
