/* SPDX-License-Identifier: MIT */
/* Opens a draughts slice as bit matrices, with the operator on them. */
#include "sets.h"

#include "core/games/whole.h"

#include <stdlib.h>
#include <string.h>

/* ---- the layout ---- */

/* Sets the numbers of both armies. Returns the words of a unit. */
static size_t lay_out(const struct el_slice *slice, size_t tile, struct checkers_army army[2])
{
	const struct checkers_shape shape = checkers_shape(slice);
	size_t words[2];
	for (unsigned side = 0; side < 2; side++)
		checkers_army_lay_out(&army[side], &shape, side, tile);
	for (unsigned side = 0; side < 2; side++)
		words[side] = army[side].group_rows * checkers_row_words(army[!side].group_rows);
	return words[0] > words[1] ? words[0] : words[1];
}

/* The side whose groups are the sections of the index. */
static unsigned leading(const struct checkers_army army[2])
{
	return army[0].men || !army[1].men ? EL_WHITE : EL_BLACK;
}

struct el_measure checkers_measure(const struct el_slice *slice)
{
	struct checkers_army army[2];
	const uint64_t words = lay_out(slice, CHECKERS_TILE, army);
	const unsigned leader = leading(army);
	struct el_measure m = {
		.bits = 64 * words * army[0].groups * army[1].groups,
		.unit_bits = 64 * words,
		.desk = 2 * 64 * words * army[!leader].groups +
	                2 * army[leader].group_rows * army[!leader].count,
	};
	for (unsigned side = 0; side < 2; side++)
		m.beside += army[side].count *
		                    checkers_placement_bytes(army[side].men, army[side].kings) +
		            army[side].groups * checkers_row_words(army[side].group_rows) *
		                    CHECKERS_FACTS * CHECKERS_SQUARES * sizeof(uint64_t);
	return m;
}

/* ---- quiet moves ---- */

/*
 * If the side to move must capture, it has no quiet moves: such a position is in
 * no set with some quiet move, and in every set with none. Sets hold legal positions only, so a row's steps need not
 * check the squares of the opponent.
 */

/* words of a row processed together: they fit the nearest cache */
enum { STRIP = 256 };

static size_t links(const struct el_sets *sets, unsigned side, size_t unit,
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

static void pre(const struct el_sets *sets, unsigned side, size_t unit,
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

/* ---- open and close ---- */

static void close_sets(struct el_sets *sets)
{
	struct checkers_sets *c = (struct checkers_sets *)sets;
	checkers_give_back(sets);
	for (unsigned side = 0; side < 2; side++) {
		free(c->facts[side]);
		checkers_army_close(&c->army[side]);
	}
	free(c);
}

/* Two sides with the same material share their sets, unless bounds favour one of them. */
struct el_sets *checkers_sets_make(const struct el_problem *problem, size_t tile)
{
	struct checkers_sets *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	const bool alike = problem->slice.planes == 1 && problem->favour == EL_FAVOUR_NONE;
	c->head = (struct el_sets){
		.game = problem->slice.game,
		.slice = problem->slice,
		.sides = alike ? 1 : 2,
		.stages = {"captures", "advances"},
		.begin = checkers_begin,
		.turn = checkers_turn_unit,
		.links = links,
		.pre = pre,
		.images = checkers_images,
		.keep = checkers_keep,
		.section = checkers_section,
		.section_units = checkers_section_units,
		.gather = checkers_gather,
		.close = close_sets,
	};
	struct el_sets *head = &c->head;
	head->words = head->stored_words = lay_out(&head->slice, tile, c->army);
	head->units = c->army[0].groups * c->army[1].groups;
	c->leader = leading(c->army);
	head->sections = c->army[c->leader].groups;
	bool all = true;
	for (unsigned side = 0; side < head->sides && all; side++) {
		c->row_words[side] = checkers_row_words(c->army[!side].group_rows);
		all = checkers_army_open(&c->army[side]) == EL_OK;
	}
	if (all && checkers_facts_open(c))
		return head;
	close_sets(head);
	return NULL;
}

/* ---- the division ---- */

static struct el_sets *make_tiles(const struct el_problem *problem)
{
	return checkers_sets_make(problem, CHECKERS_TILE);
}

enum el_status checkers_divide(const struct el_problem *problem, struct el_division **out,
                               struct el_error *error)
{
	static const struct whole_way way = {checkers_measure, make_tiles, checkers_borrow,
	                                     checkers_give_back};
	return whole_divide(&way, problem, out, error);
}
