/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proof and statistics of tables under rules that count moves, of the shortest such rule and of
   bitbases: sound ones pass, and any damage shows, be it one value, one phase or one cursed win. */
#include "core/builder/build.h"
#include "core/examine/proof.h"
#include "core/table/table.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char tables[SCRATCH_PATH];
static struct el_library *library;
static const struct el_metric *const metrics[] = {
	&el_wdl,          &el_win,         &el_dtz, &el_wdl_rule[4], &el_dtz_rule[4],
	&el_wdl_rule[49], &el_dtz_rule[9], &el_dtr, &el_dtzr,        NULL,
};

enum { METRICS = sizeof metrics / sizeof *metrics - 1 };

static int build_tables(void **state)
{
	(void)state;
	scratch_make(tables);
	library = fixture_library(tables, NULL);
	return fixture_build(library, "KQvK KRvK KPvK", metrics) ? -1 : 0;
}

static int remove_tables(void **state)
{
	(void)state;
	el_library_close(library);
	scratch_remove(tables);
	return 0;
}

static void test_right(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t positions;
	} cases[] = {{"KQvK", 46137}, {"KRvK", 50015}, {"KPvK", 165676}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t m = 0; m < METRICS; m += tests_are_slow() ? 2 : 1) {
			struct el_planes planes =
				fixture_stored(library, cases[i].name, metrics[m]);
			const struct el_verdict verdict = fixture_verdict(library, &planes);
			if (verdict.wrong)
				fail_msg("%s %s: %s", cases[i].name, metrics[m]->name,
				         verdict.first_fen);
			assert_int_equal(verdict.open, 0);
			assert_int_equal(verdict.checked, cases[i].positions);
			el_planes_free(&planes);
		}
}

/* ---- damage ---- */

static uint16_t symbol_of(struct el_plane *plane, struct el_value value)
{
	uint32_t s = 0;
	while (s < plane->value_count && !el_value_equal(plane->values[s], value))
		s++;
	if (s == plane->value_count) {
		plane->values =
			realloc(plane->values, ++plane->value_count * sizeof *plane->values);
		assert_non_null(plane->values);
		plane->values[s] = value;
	}
	return (uint16_t)s;
}

/* A legal position with this outcome, after skipping `skip` others. */
static uint64_t find(const struct el_planes *planes, unsigned plane, enum el_outcome outcome,
                     unsigned skip, char fen[EL_FEN_MAX])
{
	struct el_position position;
	for (uint64_t i = 0; i < planes->slice.positions; i++)
		if (el_plane_value(&planes->plane[plane], i).outcome == outcome &&
		    el_chess.unplace(&planes->slice, plane, i, &position) && !skip--) {
			el_chess.format(&position, fen);
			return i;
		}
	fail_msg("%s %s: no such position", planes->slice.name, planes->metric->name);
	return 0;
}

struct damage {
	const char *slice;
	const struct el_metric *metric;
	unsigned plane;
	enum el_outcome was, becomes;
	int plies, phase; /* more than before */
	bool alone;       /* no other position depends on it */
};

static void assert_found(const struct damage *d, unsigned skip)
{
	struct el_planes planes = fixture_stored(library, d->slice, d->metric);
	struct el_plane *plane = &planes.plane[d->plane];
	char fen[EL_FEN_MAX];
	const uint64_t index = find(&planes, d->plane, d->was, skip, fen);
	const struct el_value right = el_plane_value(plane, index);
	const struct el_value wrong = {
		.outcome = (uint8_t)d->becomes,
		.plies = (uint16_t)(right.plies + d->plies),
		.phase = (uint16_t)(right.phase + d->phase),
	};
	plane->symbols[index] = symbol_of(plane, wrong);
	const struct el_verdict verdict = fixture_verdict(library, &planes);
	assert_true(verdict.wrong >= 1);
	if (d->alone) {
		assert_int_equal(verdict.wrong, 1);
		assert_string_equal(verdict.first_fen, fen);
		assert_true(el_value_equal(verdict.first_stored, wrong));
		assert_true(el_value_equal(verdict.first_derived, right));
	}
	el_planes_free(&planes);
}

static void test_damage(void **state)
{
	(void)state;
	const struct el_metric *wdl5 = &el_wdl_rule[4], *dtz5 = &el_dtz_rule[4];
	const struct damage all[] = {
		/* A depth, a phase. */
		{"KRvK", &el_dtz, EL_WHITE, EL_WIN, EL_WIN, 2, 0, false},
		{"KRvK", &el_dtr, EL_WHITE, EL_WIN, EL_WIN, 2, 0, true},
		{"KRvK", &el_dtr, EL_WHITE, EL_WIN, EL_WIN, 0, -1, true},
		{"KRvK", &el_dtr, EL_BLACK, EL_LOSS, EL_LOSS, 0, 1, true},
		{"KPvK", &el_dtr, EL_WHITE, EL_WIN, EL_WIN, 0, 1, true},
		{"KPvK", &el_dtr, EL_BLACK, EL_LOSS, EL_LOSS, 1, 0, false},
		{"KPvK", &el_dtzr, EL_BLACK, EL_LOSS, EL_LOSS, 1, 0, true},
		/* In time or not, and how soon without the rule. */
		{"KRvK", dtz5, EL_WHITE, EL_CURSED_WIN, EL_CURSED_WIN, -2, 0, true},
		{"KRvK", dtz5, EL_BLACK, EL_BLESSED_LOSS, EL_BLESSED_LOSS, 2, 0, true},
		{"KRvK", dtz5, EL_WHITE, EL_CURSED_WIN, EL_WIN, 0, 0, true},
		{"KRvK", dtz5, EL_BLACK, EL_LOSS, EL_BLESSED_LOSS, 0, 0, true},
		{"KRvK", wdl5, EL_WHITE, EL_WIN, EL_CURSED_WIN, 0, 0, true},
		{"KRvK", wdl5, EL_BLACK, EL_BLESSED_LOSS, EL_LOSS, 0, 0, true},
		{"KPvK", wdl5, EL_WHITE, EL_CURSED_WIN, EL_WIN, 0, 0, false},
		{"KPvK", dtz5, EL_WHITE, EL_WIN, EL_CURSED_WIN, 0, 0, false},
		/* Won or not. */
		{"KRvK", dtz5, EL_BLACK, EL_DRAW, EL_BLESSED_LOSS, 4, 0, false},
		{"KPvK", &el_dtr, EL_WHITE, EL_DRAW, EL_WIN, 5, 5, false},
		{"KPvK", wdl5, EL_BLACK, EL_BLESSED_LOSS, EL_DRAW, 0, 0, false},
		{"KPvK", &el_dtzr, EL_BLACK, EL_LOSS, EL_BROKEN, 0, 0, false},
		{"KPvK", &el_win, EL_WHITE, EL_WIN, EL_AT_MOST_DRAW, 0, 0, false},
		{"KPvK", &el_win, EL_WHITE, EL_AT_MOST_DRAW, EL_WIN, 0, 0, false},
		{"KPvK", &el_win, EL_BLACK, EL_AT_MOST_DRAW, EL_WIN, 0, 0, false},
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i += tests_are_slow() ? 3 : 1)
		assert_found(&all[i], 50 * (unsigned)i);
}

/* A plane whose depths agree with each other, but not with the rules: wins in a circle. */
static void test_circle(void **state)
{
	(void)state;
	struct el_planes planes = fixture_stored(library, "KRvK", &el_wdl_rule[49]);
	struct el_plane *black = &planes.plane[EL_BLACK];
	const uint16_t blessed = symbol_of(black, (struct el_value){.outcome = EL_BLESSED_LOSS});
	const uint16_t loss = symbol_of(black, (struct el_value){.outcome = EL_LOSS});
	for (uint64_t i = 0; i < planes.slice.positions; i++)
		if (black->symbols[i] == loss)
			black->symbols[i] = blessed;
	/* each of them is lost in time */
	assert_int_equal(fixture_verdict(library, &planes).wrong, 25260);
	el_planes_free(&planes);
}

static void test_phase_without_the_rest(void **state)
{
	(void)state;
	char path[EL_FEN_MAX + SCRATCH_PATH];
	struct el_planes planes = fixture_stored(library, "KPvK", &el_dtzr);
	struct el_planes queen = fixture_stored(library, "KQvK", &el_dtzr);
	struct el_verdict verdict;
	struct el_error error;
	const struct el_slice slices[] = {planes.slice, queen.slice};
	struct el_library *less;
	for (int i = 0; i < 2; i++) {
		el_table_file_name(tables, &slices[i], &el_dtr, path, sizeof path);
		char hidden[sizeof path + 8];
		snprintf(hidden, sizeof hidden, "%s.hidden", path);
		assert_int_equal(rename(path, hidden), 0);
		less = fixture_library(tables, NULL);
		if (i == 0) { /* no move of KQvK zeroes the clock and stays in it */
			assert_int_equal(
				proof_of_planes(less, &queen, false, NULL, &verdict, NULL, &error),
				EL_OK);
			assert_int_equal(verdict.wrong, 0);
		}
		assert_int_equal(
			proof_of_planes(less, &planes, false, NULL, &verdict, NULL, &error),
			EL_NEGATIVE);
		assert_non_null(strstr(error.text, slices[i].name));
		assert_non_null(strstr(error.text, "dtr"));
		el_library_close(less);
		assert_int_equal(rename(hidden, path), 0);
	}
	el_planes_free(&planes);
	el_planes_free(&queen);
}

/* ---- statistics ---- */

static struct el_stats stats_of(const char *name, const struct el_metric *metric)
{
	struct el_planes planes = fixture_stored(library, name, metric);
	const struct el_stats stats = fixture_stats(&planes);
	el_planes_free(&planes);
	return stats;
}

static uint64_t count(const struct el_planes *planes, unsigned plane, enum el_outcome outcome)
{
	uint64_t n = 0;
	struct el_position position;
	for (uint64_t i = 0; i < planes->slice.positions; i++)
		if (el_plane_value(&planes->plane[plane], i).outcome == outcome &&
		    el_chess.unplace(&planes->slice, plane, i, &position))
			n += el_chess.orbit(&position);
	return n;
}

static uint64_t sum(const uint64_t *histogram, unsigned plies)
{
	uint64_t n = 0;
	for (unsigned ply = 0; ply < plies; ply++)
		n += histogram[ply];
	return n;
}

static void test_five_outcomes(void **state)
{
	(void)state;
	const struct el_metric *const both[] = {&el_dtz_rule[4], &el_wdl_rule[4]};
	for (int m = 0; m < 2; m++) {
		struct el_planes planes = fixture_stored(library, "KPvK", both[m]);
		struct el_stats stats = stats_of("KPvK", both[m]),
				plain = stats_of("KPvK", &el_wdl);
		for (unsigned side = 0; side < 2; side++) {
			const struct el_side_stats *s = &stats.side[side];
			const struct el_counts *c = &s->all, *p = &plain.side[side].all;
			assert_int_equal(c->win, count(&planes, side, EL_WIN));
			assert_int_equal(c->cursed_win, count(&planes, side, EL_CURSED_WIN));
			assert_int_equal(c->draw, count(&planes, side, EL_DRAW));
			assert_int_equal(c->blessed_loss, count(&planes, side, EL_BLESSED_LOSS));
			assert_int_equal(c->loss, count(&planes, side, EL_LOSS));
			assert_int_equal(c->legal, p->legal);
			assert_int_equal(c->win + c->cursed_win, p->win);
			assert_int_equal(c->loss + c->blessed_loss, p->loss);
			assert_int_equal(c->draw, p->draw);
			if (both[m]->has_depth) {
				assert_true(s->plies <= 11);
				assert_int_equal(sum(s->histogram[0], s->plies), c->win);
				assert_int_equal(sum(s->histogram[1], s->plies), c->loss);
			}
		}
		assert_true(stats.side[EL_WHITE].all.cursed_win > 0);
		assert_true(stats.side[EL_BLACK].all.blessed_loss > 0);
		assert_int_equal(stats.mutual_white_half, 160); /* as without the rule */
		el_stats_free(&stats);
		el_stats_free(&plain);
		el_planes_free(&planes);
	}
}

static void test_bitbase(void **state)
{
	(void)state;
	struct el_stats stats = stats_of("KPvK", &el_win), plain = stats_of("KPvK", &el_wdl);
	for (unsigned side = 0; side < 2; side++) {
		const struct el_counts *c = &stats.side[side].all, *p = &plain.side[side].all;
		assert_int_equal(c->win, p->win);
		assert_int_equal(c->at_most_draw, p->draw + p->loss);
		assert_int_equal(c->draw + c->loss + c->unknown, 0);
	}
	assert_false(stats.partial);
	el_stats_free(&stats);
	el_stats_free(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right),         cmocka_unit_test(test_damage),
		cmocka_unit_test(test_circle),        cmocka_unit_test(test_phase_without_the_rest),
		cmocka_unit_test(test_five_outcomes), cmocka_unit_test(test_bitbase),
	};
	return cmocka_run_group_tests(tests, build_tables, remove_tables);
}
