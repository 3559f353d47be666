/* SPDX-License-Identifier: MIT */
/* Opens a draughts slice as bit matrices. */
#include "sets.h"

#include "core/games/whole.h"

#include <stdlib.h>

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
		.links = checkers_links,
		.pre = checkers_pre,
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
