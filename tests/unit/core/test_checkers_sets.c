/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sets of draughts slices, unit by unit, against the game's own rules, position by position:
 * legal bits, results of quiet moves, turned units, the gathered index. Tiles are small, so that
 * even small slices have many.
 */
#include "tests/fixtures/positions.h"

#include "core/games/checkers/checkers.h"
#include "core/games/checkers/index.h"
#include "core/games/checkers/sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a lender that has every slice, all draws ---- */

struct loan {
	struct el_planes planes; /* first member, so that a returned pointer is the loan */
	struct el_value draw;
};

/* Counts the planes lent at the moment. */
static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	struct loan *loan = calloc(1, sizeof *loan);
	(void)error;
	assert_non_null(loan);
	loan->draw.outcome = EL_DRAW;
	loan->planes.slice = *slice;
	loan->planes.metric = metric;
	for (unsigned plane = 0; plane < slice->planes; plane++)
		loan->planes.plane[plane] = (struct el_plane){
			.symbols = calloc(slice->positions, sizeof(uint16_t)),
			.values = &loan->draw,
			.value_count = 1,
		};
	++*(size_t *)context;
	*out = &loan->planes;
	return EL_OK;
}

static void give_back(void *context, const struct el_planes *planes)
{
	--*(size_t *)context;
	for (unsigned plane = 0; plane < planes->slice.planes; plane++)
		free(planes->plane[plane].symbols);
	free((void *)(uintptr_t)planes);
}

/* ---- sets of a whole slice ---- */

struct whole {
	struct el_slice slice;
	struct el_problem problem;
	struct el_lender lender;
	size_t lent;
	struct el_sets *sets;
	uint64_t *legal[2]; /* by side to move: all units in sequence */
};

static uint64_t *set_open(const struct el_sets *sets)
{
	uint64_t *set = calloc(sets->units * sets->words, sizeof *set);
	assert_non_null(set);
	return set;
}

static void begin_all(struct whole *w, unsigned side)
{
	const struct el_sets *sets = w->sets;
	w->legal[side] = set_open(sets);
	for (size_t unit = 0; unit < sets->units; unit++) {
		struct el_unit u = {.legal = w->legal[side] + unit * sets->words};
		u.blocked = calloc(sets->words, sizeof *u.blocked);
		assert_int_equal(sets->begin(sets, side, unit, &u, NULL, NULL), EL_OK);
		for (size_t i = 0; i < sets->words; i++)
			assert_int_equal(u.blocked[i] & ~u.legal[i], 0);
		free(u.blocked);
		free(u.wins.events);
		free(u.frees.events);
	}
}

static void whole_open(struct whole *w, const char *name, size_t tile, enum el_favour favour)
{
	*w = (struct whole){.slice = slice_named(name)};
	w->lender = (struct el_lender){.context = &w->lent, .lend = lend, .give_back = give_back};
	w->problem = (struct el_problem){
		.slice = w->slice, .metric = &el_wdl, .favour = favour, .lender = &w->lender};
	w->sets = checkers_sets_make(&w->problem, tile);
	assert_non_null(w->sets);
	assert_int_equal(checkers_borrow(w->sets, &w->problem, NULL), EL_OK);
	for (unsigned side = 0; side < w->sets->sides; side++)
		begin_all(w, side);
}

static void whole_close(struct whole *w)
{
	checkers_give_back(w->sets);
	assert_int_equal(w->lent, 0);
	w->sets->close(w->sets);
	free(w->legal[0]);
	free(w->legal[1]);
}

static unsigned other(const struct whole *w, unsigned side)
{
	return w->sets->sides == 1 ? side : !side;
}

/* ---- positions ---- */

static size_t bit_count(const struct whole *w, const uint64_t *set)
{
	size_t count = 0;
	for (size_t i = 0; i < w->sets->units * w->sets->words; i++)
		count += (size_t)__builtin_popcountll(set[i]);
	return count;
}

/* The rank of a placement in its army. */
static size_t find_rank(const struct checkers_army *army, uint32_t men, uint32_t kings)
{
	const size_t rank =
		checkers_men_rank(army, men) * army->per_men + choose_rank(squeeze(kings, men));
	assert_in_range(rank, 0, army->count - 1);
	assert_int_equal(army->placement[rank].men, men);
	assert_int_equal(army->placement[rank].kings, kings);
	return rank;
}

/* The bit of a position among all units, with White as the first-named side. */
static size_t bit_of(const struct whole *w, const struct el_position *position)
{
	const struct checkers_sets *c = (const struct checkers_sets *)w->sets;
	const unsigned mover = position->side, side = w->sets->sides == 1 ? 0 : mover;
	const struct checkers_army *own = checkers_army_of(c, mover),
				   *their = checkers_army_of(c, !mover);
	const struct checkers_board board = checkers_board_of(position, mover);
	const size_t row = find_rank(own, board.men[0], board.kings[0]),
		     column = find_rank(their, checkers_turn(board.men[1]),
	                                checkers_turn(board.kings[1]));
	const size_t unit = row / own->group_rows * their->groups + column / their->group_rows;
	return 64 * (unit * w->sets->words + row % own->group_rows * c->row_words[side]) +
	       column % their->group_rows;
}

static bool has(const uint64_t *set, size_t bit)
{
	return set[bit / 64] >> bit % 64 & 1;
}

/* The bits of all indexes of a plane; free() it. Each is legal, and there are no others. */
static size_t *bits_of_plane(const struct whole *w, unsigned side)
{
	size_t *bits = calloc(w->slice.positions, sizeof *bits);
	assert_non_null(bits);
	for (uint64_t i = 0; i < w->slice.positions; i++) {
		struct el_position position;
		assert_true(el_checkers.unplace(&w->slice, side, i, &position));
		bits[i] = bit_of(w, &position);
		if (!has(w->legal[side], bits[i]))
			fail_msg("%s: side %u, index %zu is not legal", w->slice.name, side,
			         (size_t)i);
	}
	assert_int_equal(bit_count(w, w->legal[side]), w->slice.positions);
	return bits;
}

/* ---- turned units ---- */

/* All units as the other side reads them; free() it. Turning twice restores them. */
static uint64_t *turn_all(const struct whole *w, unsigned side, const uint64_t *set)
{
	const struct el_sets *sets = w->sets;
	uint64_t *turned = set_open(sets), *back = calloc(sets->words, sizeof *back);
	for (size_t unit = 0; unit < sets->units; unit++) {
		uint64_t *unturned = calloc(sets->words, sizeof *unturned);
		const uint64_t *from = set + unit * sets->words;
		memset(unturned, 0xff, sets->words * sizeof *unturned);
		const size_t there = sets->turn(sets, side, unit, from, unturned);
		assert_in_range(there, 0, sets->units - 1);
		assert_int_equal(sets->turn(sets, other(w, side), there, unturned, back), unit);
		assert_memory_equal(back, from, sets->words * sizeof *back);
		memcpy(turned + there * sets->words, unturned, sets->words * sizeof *unturned);
		free(unturned);
	}
	free(back);
	return turned;
}

/* ---- operators ---- */

/* About a quarter of the positions of the first units; the others are empty. */
static uint64_t *random_part(const struct whole *w, unsigned side, uint64_t *seed)
{
	uint64_t *set = set_open(w->sets);
	const size_t words = w->sets->words, units = w->sets->units;
	const size_t full = 1 + random_next(seed) % units;
	for (size_t i = 0; i < full * words; i++)
		set[i] = w->legal[side][i] & random_next(seed) & random_next(seed);
	return set;
}

/* Does a quiet move lead into the set? In draughts a move is quiet unless it captures or crowns, or leads
   to another rank in a slice cut by that. */
static bool leads_into(const struct whole *w, const struct el_position *position,
                       const uint64_t *set)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = el_checkers.moves(position, moves);
	for (size_t m = 0; m < count; m++) {
		struct el_position after;
		if (moves[m].captured || moves[m].becomes != moves[m].kind)
			continue;
		el_checkers.play(position, &moves[m], &after);
		const unsigned lead = w->slice.lead[position->side];
		if (lead && el_checkers.leading_rank(&after, position->side) != lead)
			continue;
		if (has(set, bit_of(w, &after)))
			return true;
	}
	return false;
}

/* The answer for all units; leaves out empty units of `turned`. In place if `from` is `among`. */
static uint64_t *answer_all(const struct whole *w, unsigned side, bool some, const uint64_t *turned,
                            const uint64_t *among, bool in_place)
{
	const struct el_sets *sets = w->sets;
	uint64_t *from = set_open(sets);
	memset(from, 0xff, sets->units * sets->words * sizeof *from);
	if (in_place)
		memcpy(from, among, sets->units * sets->words * sizeof *from);
	for (size_t unit = 0; unit < sets->units; unit++) {
		uint32_t links[EL_LINKS_MAX];
		const uint64_t *to[EL_LINKS_MAX];
		const size_t count = sets->links(sets, side, unit, links), at = unit * sets->words;
		assert_in_range(count, 0, EL_LINKS_MAX);
		for (size_t k = 0; k < count; k++) {
			uint64_t any = 0;
			assert_in_range(links[k], 0, sets->units - 1);
			to[k] = turned + links[k] * sets->words;
			for (size_t i = 0; i < sets->words; i++)
				any |= to[k][i];
			if (!any)
				to[k] = NULL;
		}
		sets->pre(sets, side, unit, to, in_place ? from + at : among + at, some, from + at,
		          NULL);
	}
	return from;
}

static void check_operators(const struct whole *w, unsigned side, const size_t *bits,
                            uint64_t *seed)
{
	uint64_t *set = random_part(w, other(w, side), seed), *among = random_part(w, side, seed);
	uint64_t *turned = turn_all(w, other(w, side), set);
	const bool in_place = random_next(seed) >> 20 & 1;
	uint64_t *some = answer_all(w, side, true, turned, among, in_place);
	uint64_t *none = answer_all(w, side, false, turned, among, in_place);
	for (uint64_t i = 0; i < w->slice.positions; i++) {
		struct el_position position;
		el_checkers.unplace(&w->slice, side, i, &position);
		const bool asked = has(among, bits[i]), leads = leads_into(w, &position, set);
		if (has(some, bits[i]) != (asked && leads) ||
		    has(none, bits[i]) != (asked && !leads))
			fail_msg("%s: side %u, index %zu: %s into the set", w->slice.name, side,
			         (size_t)i, leads ? "leads" : "does not lead");
	}
	/* There are no others. */
	assert_int_equal(bit_count(w, some) + bit_count(w, none), bit_count(w, among));
	free(set);
	free(among);
	free(turned);
	free(some);
	free(none);
}

/* ---- the index ---- */

static void check_gather(const struct whole *w, unsigned side, const size_t *bits, uint64_t *seed)
{
	const struct el_sets *sets = w->sets;
	const size_t of_unit = 64 * sets->stored_words;
	uint16_t *symbols = calloc(sets->units * of_unit, sizeof *symbols),
		 *by_index = calloc(w->slice.positions, sizeof *by_index);
	for (size_t i = 0; i < sets->units * of_unit; i++)
		symbols[i] = (uint16_t)(random_next(seed) >> 20);
	assert_int_equal(sets->section(sets, 0), 0);
	assert_int_equal(sets->section(sets, sets->sections), w->slice.positions);
	for (size_t section = 0; section < sets->sections; section++) {
		const uint64_t first = sets->section(sets, section);
		const uint16_t *by_bit[EL_LINKS_MAX];
		uint32_t units[EL_LINKS_MAX];
		const size_t count = sets->section_units(sets, side, section, units);
		assert_true(first < sets->section(sets, section + 1));
		for (size_t k = 0; k < count; k++)
			by_bit[k] = symbols + units[k] * of_unit;
		sets->gather(sets, side, section, by_bit, by_index + first);
	}
	for (uint64_t i = 0; i < w->slice.positions; i++)
		if (by_index[i] != symbols[bits[i]])
			fail_msg("%s: side %u, index %zu", w->slice.name, side, (size_t)i);
	free(symbols);
	free(by_index);
}

/* ---- the tests ---- */

static const struct {
	const char *name;
	size_t tile;
	size_t units; /* 0: not counted by hand */
	enum el_favour favour;
} cases[] = {
	{"checkers:KvK", CHECKERS_TILE, 1, EL_FAVOUR_NONE},
	{"checkers:KMvK", 64, 6, EL_FAVOUR_NONE},
	{"checkers:KvM", 4, 7, EL_FAVOUR_NONE},
	{"checkers:MMvM", 16, 48, EL_FAVOUR_NONE},
	{"checkers:MMvK", 32, 12, EL_FAVOUR_NONE},
	{"checkers:KKvM", 64, 2, EL_FAVOUR_NONE},
	{"checkers:KKvK", 64, 4, EL_FAVOUR_NONE},
	{"checkers:KKvKK", 64, 64, EL_FAVOUR_NONE},
	{"checkers:KKvMM", 64, 48, EL_FAVOUR_NONE},
	{"checkers:MMvMM", 64, 36, EL_FAVOUR_NONE},
	{"checkers:MMvMM", 50, 64, EL_FAVOUR_WHITE},
	{"checkers:KKvKM", 200, 8, EL_FAVOUR_NONE},
	{"checkers:KKvKM", CHECKERS_TILE, 1, EL_FAVOUR_NONE},
	/* cut by leading rank */
	{"checkers:MMMM2vMMMM3", 32, 0, EL_FAVOUR_NONE},
	{"checkers:MMMM3vMMMM2", 32, 0, EL_FAVOUR_NONE},
	{"checkers:MMMM2vMMMM2", 16, 0, EL_FAVOUR_NONE},
	{"checkers:MMMM6vMMMM1", 64, 0, EL_FAVOUR_NONE},
	{"checkers:KMMM1vMMMM2", 32, 0, EL_FAVOUR_NONE},
	{"checkers:MMMMMMM3vM7", 64, 0, EL_FAVOUR_NONE},
	{"checkers:MMMMMM2vKM7", 64, 0, EL_FAVOUR_NONE},
	{"checkers:KMMMMMM2vK", 64, 0, EL_FAVOUR_NONE},
	{"checkers:KKvMMMMMM2", 64, 0, EL_FAVOUR_NONE},
};

static void test_units(void **state)
{
	uint64_t seed = 16;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct whole w;
		if (test_stride() > 1 && slice_named(cases[i].name).pieces > 3)
			continue;
		whole_open(&w, cases[i].name, cases[i].tile, cases[i].favour);
		if (cases[i].units)
			assert_int_equal(w.sets->units, cases[i].units);
		for (unsigned side = 0; side < w.sets->sides && side < w.slice.planes; side++) {
			size_t *bits = bits_of_plane(&w, side);
			check_operators(&w, side, bits, &seed);
			check_operators(&w, side, bits, &seed);
			check_gather(&w, side, bits, &seed);
			free(bits);
		}
		whole_close(&w);
	}
}

/* Also for the largest slices: links and sections can list all units; a step can name all rows; a
   group has whole placements of the men; there are hardly more bits than positions. */
static void test_layouts(void **state)
{
	static const char *const names[] = {"checkers:KKKM7vKKKM7", "checkers:KMMMMMM7vK",
	                                    "checkers:KKKKvKKKK",   "checkers:KKKKKvMMM7",
	                                    "checkers:MMMMM7vMMM2", "checkers:KKMM7vKKMM3",
	                                    "checkers:KKMMvKMM",    "checkers:KvK"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct el_slice slice = slice_named(names[i]);
		const struct checkers_shape shape = checkers_shape(&slice);
		struct checkers_army army[2];
		for (unsigned side = 0; side < 2; side++) {
			const uint8_t *own = slice.count[side];
			checkers_army_lay_out(&army[side], &shape, side, CHECKERS_TILE);
			assert_in_range(army[side].groups, 1, EL_LINKS_MAX);
			assert_in_range(army[side].group_rows, 1, (1 << 26) - 1);
			assert_int_equal(army[side].group_rows %
			                         (own[CHECKERS_MAN] ? army[side].per_men : 1),
			                 0);
		}
		assert_in_range(checkers_measure(&slice).bits, slice.positions,
		                4 * slice.positions + 64 * 32 * 64);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_layouts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
