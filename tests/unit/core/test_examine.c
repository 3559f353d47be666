/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics and verification over the endings of three pieces: against published figures, and
   against a count over every placement on the board, without an index or symmetry. */
#include "core/examine/proof.h"
#include "core/probe/probe.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct el_library *library;

static int open_tables(void **state)
{
	(void)state;
	const char *tables = small_test_tables();
	if (tables)
		library = fixture_library(tables, NULL);
	return tables ? 0 : -1;
}

static int close_tables(void **state)
{
	(void)state;
	el_library_close(library);
	return 0;
}

static struct el_planes planes_of(const char *name)
{
	return fixture_stored(library, name, &el_dtm);
}

/* ---- published figures ---- */

/* Longest wins in moves, with White and with Black to move, as in all endgame tables. */
static void test_longest_wins(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned moves;
	} facts[] = {{"KQvK", 10}, {"KRvK", 16}, {"KPvK", 28}};
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		struct el_planes planes = planes_of(facts[i].name);
		struct el_stats stats = fixture_stats(&planes);
		assert_int_equal((stats.side[EL_WHITE].longest[0] + 1) / 2, facts[i].moves);
		assert_int_equal(stats.side[EL_BLACK].all.win, 0);
		assert_int_equal(stats.side[EL_WHITE].all.loss, 0);
		el_stats_free(&stats);
		el_planes_free(&planes);
	}
}

static void test_bare_pieces_draw(void **state)
{
	(void)state;
	static const char *const names[] = {"KBvK", "KNvK"};
	for (int i = 0; i < 2; i++) {
		struct el_planes planes = planes_of(names[i]);
		struct el_stats stats = fixture_stats(&planes);
		for (int side = 0; side < 2; side++) {
			assert_int_equal(stats.side[side].all.draw, stats.side[side].all.legal);
			assert_int_equal(stats.side[side].plies, 0);
			assert_null(stats.side[side].histogram[0]);
			assert_string_equal(stats.side[side].longest_fen[0], "");
		}
		el_stats_free(&stats);
		el_planes_free(&planes);
	}
}

/* Symmetry classes, as published for Nalimov's and Thompson's tables. */
static void test_unique_positions(void **state)
{
	(void)state;
	struct el_planes queen = planes_of("KQvK"), rook = planes_of("KRvK");
	struct el_stats q = fixture_stats(&queen), r = fixture_stats(&rook);
	assert_int_equal(q.side[EL_WHITE].unique, 18081);
	assert_int_equal(q.side[EL_WHITE].all.win, q.side[EL_WHITE].all.legal);
	assert_int_equal(r.side[EL_WHITE].unique, 21959);
	assert_int_equal(r.side[EL_WHITE].all.win, r.side[EL_WHITE].all.legal);
	assert_int_equal(r.side[EL_BLACK].unique, 25260 + 2796);
	el_stats_free(&q);
	el_stats_free(&r);
	el_planes_free(&queen);
	el_planes_free(&rook);
}

/* KPK has 80 mutual zugzwangs, mirror images not counted (G. Haworth, 3-5-man mutual zugzwangs in
   chess, 2001); a pawn is never its own mirror image, so there are twice as many placements. */
static void test_pawn_zugzwangs(void **state)
{
	(void)state;
	struct el_planes planes = planes_of("KPvK");
	struct el_stats stats = fixture_stats(&planes);
	assert_int_equal(stats.mutual_full, 0);
	assert_int_equal(stats.mutual_white_half, 2 * 80);
	assert_int_equal(stats.mutual_black_half, 0);
	el_stats_free(&stats);
	el_planes_free(&planes);
}

/* ---- against every placement on the board ---- */

enum { PLIES = 64 };

struct census {
	uint64_t legal, win, draw, loss;
	uint64_t histogram[2][PLIES];
	uint64_t white_half;
};

/* False if the position is not legal. */
static bool value_of(struct el_position *position, unsigned side, struct el_value *value)
{
	struct el_error error = {0};
	position->side = (uint8_t)side;
	if (el_chess.check(position, &error) != EL_OK)
		return false;
	if (el_library_value(library, &el_chess, position, &el_dtm, EL_PROBE_FULL, value, &error))
		fail_msg("%s", error.text);
	return true;
}

static void count_value(struct census *c, struct el_value value)
{
	c->legal++;
	c->win += value.outcome == EL_WIN;
	c->draw += value.outcome == EL_DRAW;
	c->loss += value.outcome == EL_LOSS;
	if (value.outcome != EL_DRAW)
		c->histogram[value.outcome == EL_LOSS][value.plies]++;
}

static void count_placement(struct census c[2], struct el_position *position)
{
	struct el_value value[2];
	bool legal[2];
	for (unsigned side = 0; side < 2; side++) {
		legal[side] = value_of(position, side, &value[side]);
		if (legal[side])
			count_value(&c[side], value[side]);
	}
	c[0].white_half +=
		legal[0] && legal[1] && value[0].outcome == EL_DRAW && value[1].outcome == EL_LOSS;
}

/* `kind`: White's piece besides the king, as in "KQRBNP". */
static void count_all(unsigned kind, struct census c[2])
{
	struct el_position position = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned i = 0; i < 64 * 64 * 64; i++) {
		position.set[EL_WHITE][0] = UINT64_C(1) << i % 64;
		position.set[EL_BLACK][0] = UINT64_C(1) << i / 64 % 64;
		position.set[EL_WHITE][kind] = UINT64_C(1) << i / 4096;
		count_placement(c, &position);
	}
}

static void assert_census(const struct el_side_stats *s, const struct census *c)
{
	assert_int_equal(s->all.legal, c->legal);
	assert_int_equal(s->all.win, c->win);
	assert_int_equal(s->all.draw, c->draw);
	assert_int_equal(s->all.loss, c->loss);
	for (int i = 0; i < 2; i++)
		for (unsigned p = 0; p < PLIES; p++)
			assert_int_equal(p < s->plies ? s->histogram[i][p] : 0, c->histogram[i][p]);
}

static void test_census(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned kind;
	} cases[] = {{"KQvK", 1}, {"KPvK", 5}};
	for (int i = 0; i < 2; i++) {
		struct census census[2] = {0};
		struct el_planes planes = planes_of(cases[i].name);
		struct el_stats stats = fixture_stats(&planes);
		count_all(cases[i].kind, census);
		assert_census(&stats.side[0], &census[0]);
		assert_census(&stats.side[1], &census[1]);
		assert_int_equal(stats.mutual_white_half, census[0].white_half);
		el_stats_free(&stats);
		el_planes_free(&planes);
	}
}

static void test_longest_is_a_position(void **state)
{
	(void)state;
	struct el_planes planes = planes_of("KPvK");
	struct el_stats stats = fixture_stats(&planes);
	const struct el_side_stats *s = &stats.side[EL_BLACK];
	struct el_position position;
	struct el_place place;
	struct el_error error;
	assert_int_equal(el_chess.parse(s->longest_fen[1], &position, &error), EL_OK);
	assert_true(el_chess.place(&position, &place));
	assert_int_equal(place.plane, EL_BLACK);
	struct el_value value = el_plane_value(&planes.plane[1], place.index);
	assert_int_equal(value.outcome, EL_LOSS);
	assert_int_equal(value.plies, s->longest[1]);
	for (uint64_t i = 0; i < place.index; i++) { /* none before it */
		value = el_plane_value(&planes.plane[1], i);
		if (value.outcome == EL_LOSS && value.plies == s->longest[1])
			assert_false(el_chess.unplace(&planes.slice, EL_BLACK, i, &position));
	}
	el_stats_free(&stats);
	el_planes_free(&planes);
}

/* Compares what el_stats_take counts of a table with what el_stats_make counts of its planes. */
static void assert_taken(struct el_library *from, const char *name, const struct el_metric *metric,
                         bool briefly, uint64_t memory)
{
	struct el_planes planes = fixture_stored(from, name, metric);
	struct el_stats whole = fixture_stats(&planes), taken;
	struct el_error error;
	if (el_stats_take(from, &planes.slice, metric, briefly, memory, NULL, &taken, &error))
		fail_msg("%s", error.text);
	assert_int_equal(taken.mutual_full, briefly ? 0 : whole.mutual_full);
	assert_int_equal(taken.mutual_white_half, briefly ? 0 : whole.mutual_white_half);
	assert_int_equal(taken.mutual_black_half, briefly ? 0 : whole.mutual_black_half);
	for (unsigned side = 0; side < 2; side++) {
		const struct el_side_stats *a = &taken.side[side], *b = &whole.side[side];
		assert_true(a->all.legal > 0);
		assert_memory_equal(&a->all, &b->all, sizeof a->all);
		assert_int_equal(a->no_capture.legal, briefly ? 0 : b->no_capture.legal);
		assert_int_equal(a->unique, b->unique);
		assert_int_equal(a->plies, b->plies);
		for (unsigned h = 0; h < 2; h++) {
			assert_string_equal(a->longest_fen[h], b->longest_fen[h]);
			if (a->plies)
				assert_memory_equal(a->histogram[h], b->histogram[h],
				                    a->plies * sizeof *a->histogram[h]);
		}
	}
	el_stats_free(&whole);
	el_stats_free(&taken);
	el_planes_free(&planes);
}

/* Piece by piece, as if the planes did not fit into memory. */
static void test_piece_by_piece(void **state)
{
	static const char *const names[] = {"KQvK", "KRvK", "KPvK", "KNvK"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_taken(library, names[i], &el_dtm, false, 1);
		assert_taken(library, names[i], &el_dtm, true, 1);
	}
}

/* Values alone; of some games without a look at the positions. */
static void test_briefly(void **state)
{
	static const struct {
		const char *name;
		const struct el_metric *metric;
	} tables[] = {
		{"checkers:KMvK", &el_dtw}, {"checkers:MvM", &el_dtw}, {"morris:3v3", &el_dtw},
		{"awari:4", &el_score},     {"oware:5", &el_score},
	};
	(void)state;
	assert_taken(library, "KRvK", &el_dtm, true, 0);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		fixture_build_in(folder, tables[i].name,
		                 (const struct el_metric *const[]){tables[i].metric, NULL});
		struct el_library *other = fixture_library(folder, NULL);
		assert_taken(other, tables[i].name, tables[i].metric, true, 0);
		el_library_close(other);
	}
}

/* ---- verification ---- */

static void test_right_tables(void **state)
{
	(void)state;
	static const char *const names[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct el_planes planes = planes_of(names[i]), wdl;
		struct el_stats stats = fixture_stats(&planes);
		struct el_error error;
		struct el_verdict verdict = fixture_verdict(library, &planes);
		assert_int_equal(verdict.wrong, 0);
		assert_int_equal(verdict.checked, stats.side[0].unique + stats.side[1].unique);
		assert_string_equal(verdict.first_fen, "");

		assert_int_equal(el_planes_read(&planes, &el_wdl, &wdl, &error), EL_OK);
		/* tables with depths supply the successors' outcomes */
		verdict = fixture_verdict(library, &wdl);
		assert_int_equal(verdict.wrong, 0);
		el_planes_free(&wdl);
		el_stats_free(&stats);
		el_planes_free(&planes);
	}
}

/* The symbol of a value, new to the plane if necessary. */
static uint16_t symbol_of(struct el_plane *plane, enum el_outcome outcome, unsigned plies)
{
	uint32_t s = 0;
	while (s < plane->value_count &&
	       (plane->values[s].outcome != outcome || plane->values[s].plies != plies))
		s++;
	if (s == plane->value_count) {
		plane->values =
			realloc(plane->values, ++plane->value_count * sizeof *plane->values);
		assert_non_null(plane->values);
		plane->values[s] =
			(struct el_value){.outcome = (uint8_t)outcome, .plies = (uint16_t)plies};
	}
	return (uint16_t)s;
}

static struct el_place place_of(const char *fen)
{
	struct el_position position;
	struct el_place place;
	struct el_error error;
	assert_int_equal(el_chess.parse(fen, &position, &error), EL_OK);
	assert_true(el_chess.place(&position, &place));
	return place;
}

/* Finds one wrong symbol, whatever it was and became. */
static void assert_found(const char *name, const char *fen, enum el_outcome outcome, unsigned plies)
{
	struct el_planes planes = planes_of(name);
	struct el_place place = place_of(fen);
	struct el_plane *plane = &planes.plane[place.plane];
	struct el_value right = el_plane_value(plane, place.index);
	plane->symbols[place.index] = symbol_of(plane, outcome, plies);
	assert_false(el_value_equal(right, el_plane_value(plane, place.index)));

	struct el_verdict verdict = fixture_verdict(library, &planes);
	assert_true(verdict.wrong >= 1);
	assert_false(el_value_equal(verdict.first_stored, verdict.first_derived));
	struct el_place first = place_of(verdict.first_fen);
	assert_true(first.plane < place.plane ||
	            (first.plane == place.plane && first.index <= place.index));
	struct el_value stored = el_plane_value(&planes.plane[first.plane], first.index);
	assert_true(el_value_equal(stored, verdict.first_stored));
	el_planes_free(&planes);
}

static void test_planted_errors(void **state)
{
	(void)state;
	assert_found("KQvK", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", EL_LOSS, 2); /* mate in none */
	assert_found("KQvK", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", EL_DRAW, 0);
	assert_found("KQvK", "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", EL_LOSS, 0); /* stalemate */
	assert_found("KRvK", "7k/8/8/8/8/8/R7/K7 w - - 0 1", EL_DRAW, 0);
	assert_found("KPvK", "8/8/8/3k4/8/8/3P4/3K4 w - - 0 1", EL_WIN, 27);
}

/* Several independent errors: mates called draws, whose predecessors may or may not have another
   mate. At least the mates themselves count as wrong. */
static void test_every_error_counts(void **state)
{
	(void)state;
	struct el_planes planes = planes_of("KRvK");
	struct el_plane *plane = &planes.plane[EL_BLACK];
	uint16_t draw = symbol_of(plane, EL_DRAW, 0);
	uint64_t mates = 0;
	struct el_position position;
	for (uint64_t i = 0; i < planes.slice.positions; i++) {
		struct el_value v = el_plane_value(plane, i);
		if (v.outcome != EL_LOSS || v.plies ||
		    !el_chess.unplace(&planes.slice, EL_BLACK, i, &position))
			continue;
		plane->symbols[i] = draw;
		mates++;
	}
	assert_true(mates > 0);
	assert_true(fixture_verdict(library, &planes).wrong >= mates);
	el_planes_free(&planes);
}

static void test_broken_indexes_mean_nothing(void **state)
{
	(void)state;
	struct el_planes planes = planes_of("KPvK");
	struct el_stats before = fixture_stats(&planes);
	struct el_position position;
	for (unsigned p = 0; p < 2; p++) {
		struct el_plane *plane = &planes.plane[p];
		for (uint64_t i = 0; i < planes.slice.positions; i++)
			if (!el_chess.unplace(&planes.slice, p, i, &position))
				plane->symbols[i] = (uint16_t)(i % plane->value_count);
	}
	assert_int_equal(fixture_verdict(library, &planes).wrong, 0);
	struct el_stats after = fixture_stats(&planes);
	for (int side = 0; side < 2; side++) {
		const struct el_side_stats *a = &after.side[side], *b = &before.side[side];
		assert_int_equal(a->all.legal, b->all.legal);
		assert_int_equal(a->all.win, b->all.win);
		assert_string_equal(a->longest_fen[0], b->longest_fen[0]);
	}
	el_stats_free(&before);
	el_stats_free(&after);
	el_planes_free(&planes);
}

/* A legal position that a table calls broken is wrong, and counts in no outcome. */
static void test_a_hole_in_the_table(void **state)
{
	(void)state;
	struct el_planes planes = planes_of("KQvK");
	struct el_place place = place_of("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1");
	planes.plane[place.plane].symbols[place.index] = 0;
	assert_true(fixture_verdict(library, &planes).wrong >= 1);
	struct el_stats stats = fixture_stats(&planes);
	const struct el_side_stats *s = &stats.side[EL_BLACK];
	assert_int_equal(s->all.win + s->all.draw + s->all.loss + 8, s->all.legal);
	el_stats_free(&stats);
	el_planes_free(&planes);
}

/* The outcome of a position's best move, by the planes. */
static enum el_outcome best_of(const struct el_planes *planes, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = el_chess.moves(position, moves);
	enum el_outcome best = count ? EL_LOSS : el_chess.stuck(position).outcome;
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		struct el_place place;
		enum el_outcome reached = EL_DRAW;
		el_chess.play(position, &moves[i], &after);
		if (!el_chess.drawn(&after)) {
			assert_true(el_chess.place(&after, &place));
			reached = el_plane_value(&planes->plane[place.plane], place.index).outcome;
		}
		reached = el_outcome_negate(reached);
		best = reached > best ? reached : best;
	}
	return best;
}

/* A bishop cannot mate. A table in which it wins wherever it cannot be captured at once agrees with
   itself: each win rests on another, in circles. */
static void test_outcomes_that_agree_falsely(void **state)
{
	(void)state;
	struct el_planes planes = solved_planes(library, "KBvK", &el_wdl);
	struct el_position position;
	uint64_t claimed = 0;
	for (bool changes = true, first = true; changes; first = false) {
		changes = false;
		for (unsigned side = 0; side < 2; side++) {
			struct el_plane *plane = &planes.plane[side];
			const enum el_outcome claim = side == EL_WHITE ? EL_WIN : EL_LOSS;
			const uint16_t claims = symbol_of(plane, claim, 0),
				       draw = symbol_of(plane, EL_DRAW, 0);
			for (uint64_t i = 0; i < planes.slice.positions; i++) {
				if (!el_chess.unplace(&planes.slice, side, i, &position) ||
				    (!first && plane->symbols[i] == draw))
					continue;
				plane->symbols[i] = first || best_of(&planes, &position) == claim
				                            ? claims
				                            : draw;
				claimed += first;
				claimed -= plane->symbols[i] == draw;
				changes |= first || plane->symbols[i] == draw;
			}
		}
	}
	assert_true(claimed > 40000);
	assert_int_equal(fixture_verdict(library, &planes).wrong, claimed);
	el_planes_free(&planes);
}

static void test_missing_successor(void **state)
{
	(void)state;
	struct el_error error = {0};
	struct el_verdict verdict;
	struct el_planes planes = planes_of("KPvK");
	struct el_library *empty = fixture_library("/nonexistent/tables", NULL);
	assert_int_equal(proof_of_planes(empty, &planes, false, NULL, &verdict, NULL, &error),
	                 EL_NEGATIVE);
	assert_non_null(strstr(error.text, "vK"));
	el_library_close(empty);
	el_planes_free(&planes);
}

/* ---- watches ---- */

struct ticks {
	int inside, calls;
	double done;
};

static int tick(void *context, const struct el_progress *progress)
{
	struct ticks *t = context;
	assert_int_equal(t->inside++, 0); /* never two at once */
	assert_true(progress->done >= t->done && progress->done <= progress->total);
	assert_string_equal(progress->what, "KPvK dtm");
	t->done = progress->done;
	t->calls++;
	t->inside--;
	return 1;
}

static int refuse(void *context, const struct el_progress *progress)
{
	(void)progress;
	++*(int *)context;
	return 0;
}

static void test_watched(void **state)
{
	(void)state;
	struct el_error error = {0};
	struct el_verdict verdict;
	struct el_stats stats;
	struct el_planes planes = planes_of("KPvK");
	struct ticks ticks = {0};
	struct el_watch watch = {&ticks, tick};
	assert_int_equal(proof_of_planes(library, &planes, false, &watch, &verdict, NULL, &error),
	                 EL_OK);
	assert_true(ticks.calls >= 1);
	ticks = (struct ticks){0};
	assert_int_equal(el_stats_make(&planes, &watch, &stats, &error), EL_OK);
	assert_true(ticks.calls >= 1);
	el_stats_free(&stats);

	int calls = 0;
	watch = (struct el_watch){&calls, refuse};
	assert_int_equal(proof_of_planes(library, &planes, false, &watch, &verdict, NULL, &error),
	                 EL_STOPPED);
	assert_int_equal(el_stats_make(&planes, &watch, &stats, &error), EL_STOPPED);
	assert_int_equal(calls, 2);
	el_planes_free(&planes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_longest_wins),
		cmocka_unit_test(test_bare_pieces_draw),
		cmocka_unit_test(test_unique_positions),
		cmocka_unit_test(test_pawn_zugzwangs),
		cmocka_unit_test(test_census),
		cmocka_unit_test(test_longest_is_a_position),
		cmocka_unit_test(test_piece_by_piece),
		IN_FOLDER(test_briefly),
		cmocka_unit_test(test_right_tables),
		cmocka_unit_test(test_planted_errors),
		cmocka_unit_test(test_every_error_counts),
		cmocka_unit_test(test_broken_indexes_mean_nothing),
		cmocka_unit_test(test_a_hole_in_the_table),
		cmocka_unit_test(test_outcomes_that_agree_falsely),
		cmocka_unit_test(test_missing_successor),
		cmocka_unit_test(test_watched),
	};
	return cmocka_run_group_tests(tests, open_tables, close_tables);
}
