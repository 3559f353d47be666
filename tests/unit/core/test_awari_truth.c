/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fast solver of Awari and Oware against the tests' own (awele.h), which shares no code with it:
 * all boards of up to ten stones, eight in Oware, up to twelve with `TRUTH=all` in the environment; `verify` proves
 * every table; counts of `stats`; lines of best moves, and the way to the next capture against a
 * full search.
 */
#include "core/examine/examine.h"
#include "core/library/visit.h"
#include "core/probe/inside.h"
#include "core/probe/probe.h"
#include "tests/fixtures/awari_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *const metrics[] = {&el_score, NULL};

/* The rules of the run: every test goes through both games (main). */
static const struct el_game *game = &el_awari;

/* Shared by all tests: tables, and the truth. */
static struct ground {
	char directory[SCRATCH_PATH];
	struct el_library *library;
	struct awele *brute;
	unsigned most; /* stones */
} ground;

static const char *layer(unsigned stones)
{
	static char name[EL_SLICE_MAX];
	snprintf(name, sizeof name, "%s:%u", game->name, stones);
	return name;
}

static int open_ground(void **state)
{
	(void)state;
	if (tests_are_slow())
		printf("note: up to 7 stones only, under sanitizers and valgrind\n");
	ground.most = tests_are_slow()       ? 7
	              : tests_are_thorough() ? AWELE_SOLVED
	              : game == &el_awari    ? 10
	                                     : 8;
	ground.brute = awele_solve(ground.most, game == &el_oware);
	scratch_make(ground.directory);
	ground.library = fixture_library(ground.directory, NULL);
	/* The one layer below that no capture leads to. */
	return fixture_build(ground.library, layer(ground.most - 1), metrics) ||
	       fixture_build(ground.library, layer(ground.most), metrics);
}

static int close_ground(void **state)
{
	(void)state;
	el_library_close(ground.library);
	scratch_remove(ground.directory);
	awele_free(ground.brute);
	return 0;
}

/* ---- board by board ---- */

struct comparison {
	struct el_planes planes;
	uint8_t *met; /* by index */
	uint64_t count;
	long histogram[2 * AWELE_SOLVED + 1];
	char wrong[256]; /* the first difference */
};

/* Every other board with South and North exchanged. */
static void compare_board(const struct awele_board *board, int value, void *context)
{
	struct comparison *c = context;
	const struct awele_board turned = awele_turned(board);
	const struct el_position position = awari_from_awele(c->count++ % 2 ? &turned : board);
	struct el_place place;
	char text[EL_FEN_MAX];
	assert_true(game->place(&position, &place));
	assert_int_equal(place.key, c->planes.slice.key);
	assert_in_range(place.index, 0, c->planes.slice.positions - 1);
	assert_int_equal(place.plane, 0);
	assert_false(c->met[place.index]);
	c->met[place.index] = 1;
	c->histogram[AWELE_SOLVED + value]++;
	const struct el_value found = el_plane_value(&c->planes.plane[0], place.index);
	if (el_value_equal(found, el_value_of_stones(value)) || c->wrong[0])
		return;
	game->format(&position, text);
	snprintf(c->wrong, sizeof c->wrong, "%s: expected %+d, found %s %u", text, value,
	         el_outcome_name(found.outcome), found.plies);
}

/* Stores make no difference, nor do South and North. */
static void compare_counts(const struct comparison *c)
{
	struct el_stats stats = fixture_stats(&c->planes);
	for (unsigned side = 0; side < 2; side++) {
		const struct el_side_stats *s = &stats.side[side];
		uint64_t wins = 0, losses = 0;
		assert_int_equal(s->all.legal, c->planes.slice.positions);
		assert_int_equal(s->unique, c->planes.slice.positions);
		assert_int_equal(s->all.draw, c->histogram[AWELE_SOLVED]);
		assert_true(s->plies <= AWELE_SOLVED + 1);
		for (unsigned n = 0; n < s->plies; n++) {
			wins += s->histogram[0][n];
			losses += s->histogram[1][n];
			assert_int_equal(s->histogram[0][n],
			                 n ? c->histogram[AWELE_SOLVED + n] : 0);
			assert_int_equal(s->histogram[1][n],
			                 n ? c->histogram[AWELE_SOLVED - n] : 0);
		}
		assert_int_equal(wins, s->all.win);
		assert_int_equal(losses, s->all.loss);
		assert_int_equal(wins + losses + s->all.draw, s->all.legal);
	}
	el_stats_free(&stats);
}

static void compare_layer(unsigned stones)
{
	struct comparison c = {.planes = fixture_stored(ground.library, layer(stones), &el_score)};
	assert_int_equal(c.planes.slice.planes, 1);
	c.met = calloc(c.planes.slice.positions, 1);
	assert_non_null(c.met);
	awele_each(ground.brute, stones, compare_board, &c);
	if (c.wrong[0])
		fail_msg("%s: %s", layer(stones), c.wrong);
	assert_int_equal(c.count, c.planes.slice.positions);
	compare_counts(&c);
	free(c.met);
	el_planes_free(&c.planes);
}

static void test_every_board(void **state)
{
	(void)state;
	for (unsigned stones = 0; stones <= ground.most; stones++)
		compare_layer(stones);
}

struct difference {
	const struct awele *awari;
	unsigned boards, differ;
};

static void count_difference(const struct awele_board *board, int value, void *context)
{
	struct difference *d = context;
	int other = 0;
	assert_true(awele_lookup(d->awari, board, &other));
	d->boards++;
	d->differ += value != other;
}

/* Between 0.3 and 1.3 % of the boards of two to seven stones have another value in Oware. */
static void test_share_of_the_rule(void **state)
{
	struct awele *awari = awele_solve(7, false);
	struct difference d = {.awari = awari};
	(void)state;
	for (unsigned stones = 2; stones <= 7; stones++) {
		d.boards = d.differ = 0;
		awele_each(ground.brute, stones, count_difference, &d);
		if (game == &el_awari)
			assert_int_equal(d.differ, 0);
		else
			assert_in_range(1000 * d.differ / d.boards, 3, 13);
	}
	awele_free(awari);
}

/* The counts of other programs, for Awari. */
static void test_histograms(void **state)
{
	static const struct {
		unsigned stones;
		uint64_t count[13]; /* from -6 */
	} known[] = {
		{5, {0, 1892, 0, 2, 85, 224, 0, 121, 184, 22, 0, 1838, 0}},
		{6, {4242, 0, 116, 0, 772, 0, 1548, 0, 550, 62, 302, 0, 4784}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known && game == &el_awari; i++) {
		struct el_planes planes =
			fixture_stored(ground.library, layer(known[i].stones), &el_score);
		uint64_t count[13] = {0};
		for (uint64_t index = 0; index < planes.slice.positions; index++)
			count[6 + el_value_stones(el_plane_value(&planes.plane[0], index))]++;
		assert_memory_equal(count, known[i].count, sizeof count);
		el_planes_free(&planes);
	}
}

/* Outside endless play, each board has the value of its best move. */
static void test_verified(void **state)
{
	(void)state;
	for (unsigned stones = 0; stones <= ground.most; stones++) {
		struct el_planes planes = fixture_stored(ground.library, layer(stones), &el_score);
		const struct el_verdict verdict = fixture_verdict(ground.library, &planes);
		if (verdict.wrong)
			fail_msg("%s: %s", layer(stones), verdict.first_fen);
		assert_int_equal(verdict.checked, planes.slice.positions);
		assert_int_equal(verdict.open + verdict.loose + verdict.rounded, 0);
		el_planes_free(&planes);
	}
}

/* Finds a value that is a stone too high, wherever it is. */
static void test_not_verified(void **state)
{
	struct el_planes planes = fixture_stored(ground.library, layer(6), &el_score);
	struct el_plane *plane = &planes.plane[0];
	uint64_t seed = 6;
	(void)state;
	for (unsigned n = 0; n < 20; n++) {
		const uint64_t index = (random_next(&seed) >> 20) % planes.slice.positions;
		const uint16_t was = plane->symbols[index];
		const int stones = el_value_stones(plane->values[was]);
		const struct el_value other = el_value_of_stones(stones + (stones == 6 ? -1 : 1));
		uint16_t symbol = 1;
		while (symbol < plane->value_count && !el_value_equal(plane->values[symbol], other))
			symbol++;
		if (symbol == plane->value_count)
			symbol = el_plane_add_value(plane, other);
		plane->symbols[index] = symbol;
		assert_true(fixture_verdict(ground.library, &planes).wrong > 0);
		plane->symbols[index] = was;
	}
	assert_int_equal(fixture_verdict(ground.library, &planes).wrong, 0);
	el_planes_free(&planes);
}

static const uint32_t nowhere = UINT32_MAX;

static int worth_of(const struct awele_board *board)
{
	int value = 0;
	assert_true(awele_lookup(ground.brute, board, &value));
	return value;
}

static uint64_t index_of(const struct awele_board *board)
{
	const struct el_position position = awari_from_awele(board);
	struct el_place place;
	assert_true(game->place(&position, &place));
	return place.index;
}

static struct awele_board board_at(const struct el_slice *slice, uint64_t index)
{
	struct el_position position;
	assert_true(game->unplace(slice, 0, index, &position));
	return awari_to_awele(game, &position);
}

/* A layer whose values the tests' own rules check. */
struct belief {
	struct el_slice slice;
	int *worth; /* by index */
};

static int best_of(const struct belief *b, uint64_t index)
{
	const struct awele_board board = board_at(&b->slice, index);
	struct awele_move moves[AWELE_MOVES];
	const size_t count = awele_moves(&board, moves);
	int best = -(int)b->slice.pieces;
	for (size_t i = 0; i < count; i++) {
		const int after = moves[i].captured ? worth_of(&moves[i].after)
		                                    : b->worth[index_of(&moves[i].after)];
		best = moves[i].captured - after > best ? moves[i].captured - after : best;
	}
	return best;
}

/* The board after the first move that keeps a value of 0. */
static uint64_t next_in_circle(const struct belief *b, uint64_t index)
{
	const struct awele_board board = board_at(&b->slice, index);
	struct awele_move moves[AWELE_MOVES];
	const size_t count = awele_moves(&board, moves);
	for (size_t i = 0; i < count; i++)
		if (!moves[i].captured && !worth_of(&moves[i].after))
			return index_of(&moves[i].after);
	return nowhere;
}

/* Sets the boards of a circle in turn to a gain and to a loss of so much. False if a board would be
   both. */
static bool claim_gains(struct belief *b, uint64_t index, int gain)
{
	while (index != nowhere && b->worth[index] != gain) {
		if (b->worth[index])
			return false;
		b->worth[index] = gain;
		gain = -gain;
		index = next_in_circle(b, index);
	}
	return index != nowhere;
}

/* Corrects values that their moves refute, for a few rounds. True if each then has the value of its
   best move. */
static bool make_agree(struct belief *b)
{
	bool changes = true;
	for (unsigned round = 0; changes && round < 30; round++) {
		changes = false;
		for (uint64_t index = 0; index < b->slice.positions; index++) {
			const int best = best_of(b, index);
			changes |= best != b->worth[index];
			b->worth[index] = best;
		}
	}
	return !changes;
}

/* Consistent false values, from one of the circles of a layer; false if there are none. */
static bool find_false_belief(struct belief *b, uint64_t begin)
{
	uint64_t wrong = 0;
	for (uint64_t index = 0; index < b->slice.positions; index++) {
		const struct awele_board board = board_at(&b->slice, index);
		b->worth[index] = worth_of(&board);
	}
	if (b->worth[begin] || !claim_gains(b, begin, 1) || !make_agree(b))
		return false;
	for (uint64_t index = 0; index < b->slice.positions; index++) {
		const struct awele_board board = board_at(&b->slice, index);
		wrong += b->worth[index] != worth_of(&board);
	}
	return wrong > 0;
}

static void write_belief(const struct belief *b, struct el_plane *plane)
{
	for (uint64_t index = 0; index < b->slice.positions; index++) {
		const struct el_value value = el_value_of_stones(b->worth[index]);
		uint16_t symbol = 1;
		while (symbol < plane->value_count && !el_value_equal(plane->values[symbol], value))
			symbol++;
		plane->symbols[index] =
			symbol < plane->value_count ? symbol : el_plane_add_value(plane, value);
	}
}

/* Each board has the value of its best move, but nobody can force it. */
static void test_circles_are_not_verified(void **state)
{
	(void)state;
	for (unsigned stones = 2; stones <= 4; stones++) {
		struct el_planes planes = fixture_stored(ground.library, layer(stones), &el_score);
		struct belief b = {.slice = planes.slice};
		unsigned found = 0;
		b.worth = calloc(b.slice.positions, sizeof *b.worth);
		assert_non_null(b.worth);
		for (uint64_t index = 0; index < b.slice.positions; index++) {
			if (!find_false_belief(&b, index))
				continue;
			write_belief(&b, &planes.plane[0]);
			assert_true(fixture_verdict(ground.library, &planes).wrong > 0);
			found++;
		}
		assert_true(found > 0);
		free(b.worth);
		el_planes_free(&planes);
	}
}

/* The same table tells who wins the remaining stones. */
static void test_outcomes(void **state)
{
	uint64_t seed = 11;
	(void)state;
	for (unsigned n = 0; n < 3000 / test_stride() + 30; n++) {
		const struct el_position position = awari_heaps(n % (ground.most + 1), &seed);
		const struct awele_board board = awari_to_awele(game, &position);
		struct el_value value;
		int stones;
		assert_true(awele_lookup(ground.brute, &board, &stones));
		assert_int_equal(el_library_value(ground.library, game, &position, &el_wdl,
		                                  EL_PROBE_FULL, &value, NULL),
		                 EL_OK);
		assert_int_equal(value.outcome, el_value_of_stones(stones).outcome);
		assert_int_equal(value.plies, 0);
	}
}

/* Each move with its capture and the value after it; the best ones first. */
static void test_answers(void **state)
{
	static struct el_answer answer;
	const struct el_question question = {.by_demand = true};
	const size_t score = el_metric_rank(&el_score);
	uint64_t seed = 21;
	unsigned only = 0;
	(void)state;
	for (unsigned n = 0; n < 400 / test_stride() + 20; n++) {
		const struct el_position position = awari_heaps(n % (ground.most + 1), &seed);
		const struct awele_board board = awari_to_awele(game, &position);
		struct awele_move own[AWELE_MOVES];
		const size_t count = awele_moves(&board, own);
		unsigned winning = 0;
		assert_int_equal(el_library_answer(ground.library, game, &position, &question,
		                                   &answer, NULL),
		                 EL_OK);
		assert_int_equal(answer.count, count);
		assert_int_equal(answer.over, !count);
		assert_ptr_equal(answer.metric, &el_score);
		assert_int_equal(el_value_stones(answer.value[score]), worth_of(&board));
		assert_int_equal(answer.outcome, el_value_of_stones(worth_of(&board)).outcome);
		for (size_t i = 0; i < count; i++) {
			const struct el_ranked *ranked = &answer.moves[i];
			size_t m = 0;
			while (m < count && own[m].pit != ranked->move.from)
				m++;
			assert_true(m < count);
			const int worth = own[m].captured - worth_of(&own[m].after);
			assert_int_equal(el_value_stones(ranked->value[score]), worth);
			assert_int_equal(ranked->outcome, el_value_of_stones(worth).outcome);
			assert_true(!i || worth <= el_value_stones(ranked[-1].value[score]));
			winning += worth > 0;
		}
		if (worth_of(&board) > 0)
			assert_int_equal(answer.moves[0].only, winning == 1);
		only += winning == 1;
	}
	assert_true(only > 0);
}

/* ---- lines ---- */

enum { LINE = 400 };

/* Each move keeps the value; if stones are gained or lost, the line reaches a capture, or the end,
   and continues until all of them are shared out. */
static void check_line(const struct el_position *position)
{
	struct el_move moves[LINE];
	size_t count = 0;
	struct el_error error = {.text = ""};
	const struct el_question question = {.metric = &el_score};
	struct awele_board board = awari_to_awele(game, position);
	const int worth = worth_of(&board);
	struct el_position p = *position;
	struct el_line line = {.moves = moves, .max = LINE};
	if (el_library_line(ground.library, game, position, &question, &line, &error))
		fail_msg("%s", error.text);
	count = line.count;
	int side = 1, gained = 0;
	for (size_t i = 0; i < count; i++) {
		const int gain = (int)game->gain(&p, &moves[i]), before = worth_of(&board);
		game->play(&p, &moves[i], &p);
		board = awari_to_awele(game, &p);
		assert_int_equal(before, gain - worth_of(&board));
		gained += side * gain;
		side = -side;
	}
	assert_int_equal(worth, gained + side * worth_of(&board));
	if (worth_of(&board))
		assert_int_equal(line.end, EL_LINE_OVER);
	else
		assert_true(line.end == EL_LINE_REPEATED || line.end == EL_LINE_OVER);
}

static void test_lines(void **state)
{
	uint64_t seed = 4;
	(void)state;
	for (unsigned n = 0; n < (tests_are_thorough() ? 600 : 60) / test_stride() + 10; n++) {
		const struct el_position position = awari_heaps(n % (ground.most + 1), &seed);
		check_line(&position);
	}
}

/* ---- the way to the next capture ---- */

/* All boards of a layer: their values, and plies to the next capture. */
struct captures {
	struct el_slice slice;
	int *worth;
	unsigned *plies;                /* 0: not known, as for all boards of value 0 */
	bool *ends;                     /* a best move captures, or there is none */
	uint32_t (*quiet)[AWELE_MOVES]; /* the boards after the other best moves, then `nowhere` */
};

/* Whether a best move captures, or there is none, and where the other best moves lead. */
static void note_moves(struct captures *c, uint64_t index)
{
	const struct awele_board board = board_at(&c->slice, index);
	struct awele_move moves[AWELE_MOVES];
	const size_t count = awele_moves(&board, moves);
	size_t quiet = 0;
	c->worth[index] = worth_of(&board);
	c->ends[index] = !count;
	for (size_t i = 0; i < count; i++) {
		if (c->worth[index] != moves[i].captured - worth_of(&moves[i].after))
			continue;
		if (moves[i].captured)
			c->ends[index] = true;
		else
			c->quiet[index][quiet++] = (uint32_t)index_of(&moves[i].after);
	}
	while (quiet < AWELE_MOVES)
		c->quiet[index][quiet++] = nowhere;
}

/* The plies of a board, from those known for its quiet moves; 0: not yet. */
static unsigned plies_of(const struct captures *c, uint64_t index)
{
	unsigned least = c->ends[index], most = c->ends[index];
	bool all = true;
	for (unsigned i = 0; i < AWELE_MOVES && c->quiet[index][i] != nowhere; i++) {
		const unsigned next = c->plies[c->quiet[index][i]], plies = next ? next + 1 : 0;
		all = all && plies;
		least = plies && (!least || plies < least) ? plies : least;
		most = plies > most ? plies : most;
	}
	return c->worth[index] > 0 ? least : all ? most : 0;
}

/* Pass n finds boards of n plies: the gaining side takes the shortest way, the losing side the
   longest. */
static void find_captures(struct captures *c)
{
	bool found = true;
	for (uint64_t index = 0; index < c->slice.positions; index++)
		note_moves(c, index);
	for (unsigned pass = 1; found; pass++) {
		found = false;
		for (uint64_t index = 0; index < c->slice.positions; index++)
			if (c->worth[index] && !c->plies[index] && plies_of(c, index) == pass) {
				c->plies[index] = pass;
				found = true;
			}
	}
}

/* The library's own search: it covers all boards of a layer of up to five stones; with six, it may
   find nothing, or a way that is not the shortest. */
static void compare_captures(const struct captures *c, uint64_t stride)
{
	const bool all = c->slice.pieces <= 5;
	const struct visit visit = library_enter(ground.library);
	const struct probe probe = {
		.catalogue = visit.catalogue, .game = game, .metric = &el_score};
	for (uint64_t index = 0; index < c->slice.positions; index += stride) {
		struct el_position position;
		struct spot spot;
		char text[EL_FEN_MAX];
		assert_true(game->unplace(&c->slice, 0, index, &position));
		if (index % 2)
			game->swap_colours(&position, &position);
		spot_at(game, &position, &spot);
		const unsigned found = soonest_plies(&probe, &spot);
		game->format(&position, text);
		assert_true(!c->worth[index] == !c->plies[index]);
		const bool right =
			all ? found == c->plies[index] : !found || found >= c->plies[index];
		if (!right)
			fail_msg("%s: expected %u plies, found %u", text, c->plies[index], found);
	}
	library_leave(visit);
}

/* All boards with few stones; a share of the others, unless all are asked for. */
static void test_captures(void **state)
{
	const uint64_t strides[] = {
		1, 1, 1, 1, 1, tests_are_thorough() ? 1 : 7, tests_are_thorough() ? 1 : 31};
	(void)state;
	for (unsigned stones = 0; stones <= 6; stones++) {
		struct captures c = {.slice = slice_named(layer(stones))};
		c.worth = calloc(c.slice.positions, sizeof *c.worth);
		c.plies = calloc(c.slice.positions, sizeof *c.plies);
		c.ends = calloc(c.slice.positions, sizeof *c.ends);
		c.quiet = calloc(c.slice.positions, sizeof *c.quiet);
		assert_true(c.worth && c.plies && c.ends && c.quiet);
		find_captures(&c);
		compare_captures(&c, strides[stones] * test_stride());
		free(c.worth);
		free(c.plies);
		free(c.ends);
		free(c.quiet);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_board),
		cmocka_unit_test(test_histograms),
		cmocka_unit_test(test_share_of_the_rule),
		cmocka_unit_test(test_verified),
		cmocka_unit_test(test_not_verified),
		cmocka_unit_test(test_circles_are_not_verified),
		cmocka_unit_test(test_outcomes),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_captures),
	};
	const int failed = cmocka_run_group_tests_name("awari", tests, open_ground, close_ground);
	game = &el_oware;
	return failed + cmocka_run_group_tests_name("oware", tests, open_ground, close_ground);
}
