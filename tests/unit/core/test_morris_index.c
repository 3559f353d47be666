/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of Nine Men's Morris and their index: names, both directions over whole slices,
   symmetries, digits. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/refusals.h"

#include "core/games/morris/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Tested from end to end. */
static const char *const whole[] = {"morris:3v3", "morris:4v3", "morris:5v3", NULL};
/* The same, with men in hand. */
static const char *const in_hand[] = {
	"morris:0v0+9+9", "morris:1v0+2+3", "morris:2v1+1+2", "morris:2v2+1+1", "morris:2v2+1+2",
	"morris:3v2+2+2", "morris:3v2+2+1", "morris:3v3+0+1", "morris:3v3+1+1", NULL};

/* ---- names ---- */

static void test_names(void **state)
{
	static const struct {
		const char *text, *name;
		unsigned pieces, planes;
		uint64_t positions;
	} cases[] = {
		{"morris:3v3", "morris:3v3", 6, 1, 158 * 1330},
		{"morris:5v3", "morris:5v3", 8, 2, 2830 * 969},
		{"morris:3v5", "morris:5v3", 8, 2, 2830 * 969},
		{"morris:9v9", "morris:9v9", 18, 1, UINT64_C(82880) * 5005},
		{"morris:8v9", "morris:9v8", 17, 2, UINT64_C(82880) * 6435},
		{"morris:whole", "morris:0v0+9+9", 18, 1, 1},
		{"morris:3v2+1+2", "morris:3v2+1+2", 8, 1, 158 * 210},
		{"morris:2v3+2+1", "morris:3v2+1+2", 8, 1, 158 * 210},
		{"morris:3v3+1+2", "morris:3v3+2+1", 9, 1, 158 * 1330},
		{"morris:3v2+2+2", "morris:3v2+2+2", 9, 2, 158 * 210},
		{"morris:8v8+0+1", "morris:8v8+1+0", 17, 1, UINT64_C(46879) * 12870},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_slice slice = slice_named(cases[i].text);
		assert_string_equal(slice.name, cases[i].name);
		assert_int_equal(slice.pieces, cases[i].pieces);
		assert_int_equal(slice.planes, cases[i].planes);
		assert_int_equal(slice.positions, cases[i].positions);
		assert_ptr_equal(slice.game, &el_morris);
		assert_int_equal(slice.key, slice_named(cases[i].name).key);
	}
}

static void test_wrong_names(void **state)
{
	static const struct refusal refusals[] = {
		{"morris:10v3", "morris:10v3: 10 men on one side, expected 3 to 9"},
		{"morris:3v10", "morris:3v10: 10 men on one side, expected 3 to 9"},
		{"morris:2v3", "morris:2v3: 2 men on one side, expected 3 to 9"},
		{"morris:3v0", "morris:3v0: 0 men on one side, expected 3 to 9"},
		{"morris:", "'morris:' is not a slice: expected a name such as morris:5v3"},
		{"morris:5", "'morris:5' is not a slice: expected a name such as morris:5v3"},
		{"morris:x", "'morris:x' is not a slice: expected a name such as morris:5v3"},
		{"morris:5v", "'morris:5v' is not a slice: expected a name such as morris:5v3"},
		{"morris:v3", "'morris:v3' is not a slice: expected a name such as morris:5v3"},
		{"morris:5v3v3",
	         "'morris:5v3v3' is not a slice: expected a name such as morris:5v3"},
		{"morris:5v3 ", "'morris:5v3 ' is not a slice: expected a name such as morris:5v3"},
		{"morris:3v2+1",
	         "'morris:3v2+1' is not a slice: expected a name such as morris:5v3"},
		{"morris:3v3+0+0",
	         "'morris:3v3+0+0' is not a slice: expected a name such as morris:5v3"},
		{"morris:3v3+01+1",
	         "'morris:3v3+01+1' is not a slice: expected a name such as morris:5v3"},
		{"morris:3v3+1+3", "morris:3v3+1+3: 1 and 3 men in hand, expected a difference of "
	                           "at most 1: they are placed in turn"},
		{"morris:2v2+0+1", "morris:2v2+0+1: 2 men on one side, expected 3 to 9"},
		{"morris:8v8+2+2", "morris:8v8+2+2: 10 men on one side, expected 3 to 9"},
		{"morris:5v 3", "'morris:5v 3' is not a slice: expected a name such as morris:5v3"},
		{"morris: 5v3", "'morris: 5v3' is not a slice: expected a name such as morris:5v3"},
		{"morris:5v-3", "'morris:5v-3' is not a slice: expected a name such as morris:5v3"},
		{"morris:+5v3", "'morris:+5v3' is not a slice: expected a name such as morris:5v3"},
		{"morris:5v03", "'morris:5v03' is not a slice: expected a name such as morris:5v3"},
		{"morris:100v3",
	         "'morris:100v3' is not a slice: expected a name such as morris:5v3"},
		{"morris:5v999",
	         "'morris:5v999' is not a slice: expected a name such as morris:5v3"},
		{"morris:MMMvMMM",
	         "'morris:MMMvMMM' is not a slice: expected a name such as morris:5v3; a "
	         "slice of checkers is written checkers:MMMvMMM"},
		{"Morris:5v3",
	         "'Morris:5v3' is not a slice: expected a name such as KQvKR, "
	         "checkers:KMMvKM, morris:5v3, awari:12 or oware:12; a slice of morris is written "
	         "morris:5v3"},
		{"5v3", "'5v3': expected each side to begin with its king, as in KQvKR; a slice of "
	                "morris is "
	                "written morris:5v3"},
		{"morris:KQvKR",
	         "'morris:KQvKR' is not a slice: expected a name such as morris:5v3; a slice "
	         "of chess is written KQvKR"},
	};
	(void)state;
	assert_slices_refused(refusals, sizeof refusals / sizeof *refusals);
}

/* Groups are by the men of the larger side; all 28 slices, each once. */
static void test_census(void **state)
{
	unsigned all = 0;
	(void)state;
	for (unsigned group = 0; group <= 11; group++) {
		struct el_slice slices[8];
		const size_t count = el_morris.slices(group, slices, 8);
		assert_int_equal(count, group < 3 || group > 9 ? 0 : group - 2);
		assert_int_equal(el_morris.slices(group, NULL, 0), count);
		for (size_t i = 0; i < count; i++) {
			const struct el_slice again = slice_named(slices[i].name);
			assert_true(again.key == slices[i].key &&
			            again.positions == slices[i].positions);
			assert_int_equal(slices[i].count[0][0], group);
			assert_int_equal(slices[i].count[1][0], 3 + i);
		}
		all += (unsigned)count;
	}
	assert_int_equal(all, 28);
}

static void test_slice_of(void **state)
{
	static const char *const cases[][2] = {
		{"W:Wa1,d1,g1:Ba7,d7,g4", "morris:3v3"},
		{"B:Wa1,d1,g1:Ba7,d7,g4,g7", "morris:4v3"},
		{"W:Wa1,d1,g1,c3:Ba7,d7,g4", "morris:4v3"},
		{"W:W+9:B+9", "morris:0v0+9+9"},
		{"B:Wa1,d1+1:Ba7,d7,g4+2", "morris:3v2+2+1"},
		{"W:Wa1,d1+1:Ba7,d7,g4+1", "morris:3v2+1+1"},
		{"B:Wa1,d1,g1:Ba7,d7,g4+1", "morris:3v3+1+0"},
		{"W:Wa1,d1,g1+1:Ba7,d7,g4", "morris:3v3+1+0"},
	};
	struct el_slice slice;
	struct el_error error;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i][0]);
		assert_int_equal(el_morris.slice_of(&position, &slice, NULL), EL_OK);
		assert_string_equal(slice.name, cases[i][1]);
	}
	struct el_position position = position_of("W:Wa1,d1,g1:Ba7,d7,g4");
	position.set[EL_WHITE][0] = 3;
	assert_int_equal(el_morris.slice_of(&position, &slice, &error), EL_NEGATIVE);
	assert_string_equal(error.text, "the position: 2 men on one side, expected 3 to 9");
}

/* One man fewer on either side, down to three. */
static void test_successors(void **state)
{
	static const char *const cases[][3] = {
		{"morris:3v3", NULL},
		{"morris:4v3", "morris:3v3", NULL},
		{"morris:4v4", "morris:4v3", NULL},
		{"morris:5v3", "morris:4v3", NULL},
		{"morris:5v4", "morris:5v3", "morris:4v4"},
		{"morris:9v9", "morris:9v8", NULL},
		/* Placing a man, and taking one as well. */
		{"morris:0v0+9+9", "morris:1v0+8+9", NULL},
		{"morris:1v0+8+9", "morris:1v1+8+8", NULL},
		{"morris:2v1+1+2", "morris:2v2+1+1", NULL},
		{"morris:3v3+1+1", "morris:4v3+0+1", "morris:4v2+0+1"},
		{"morris:3v2+2+1", "morris:4v2+1+1", NULL},
		{"morris:3v3+2+1", "morris:4v3+1+1", "morris:4v2+1+1"},
		{"morris:3v3+0+1", "morris:4v3", NULL},
		{"morris:4v3+0+1", "morris:4v4", "morris:4v3"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_slice slice = slice_named(cases[i][0]);
		struct el_slice found[EL_SUCCESSORS_MAX];
		const size_t count = el_morris.successors(&slice, found);
		size_t expected = 0;
		for (; expected < 2 && cases[i][expected + 1]; expected++)
			assert_true(expected < count &&
			            !strcmp(found[expected].name, cases[i][expected + 1]));
		assert_int_equal(count, expected);
	}
}

/* ---- metrics ---- */

/* The metrics that only chess has say so. */
static void test_metrics(void **state)
{
	static const struct {
		const struct el_metric *metric;
		const char *why;
	} cases[] = {
		{&el_dtm, "dtm is a metric of chess alone"},
		{&el_dtz, "dtz is a metric of chess alone"},
		{&el_dtr, "dtr is a metric of chess alone"},
		{&el_dtzr, "dtzr is a metric of chess alone"},
		{&el_wdl_rule[49], "wdl50 is a metric of chess alone"},
		{&el_dtz_rule[49], "dtz50 is a metric of chess alone"},
	};
	static const struct el_metric *const has[] = {&el_wdl, &el_win, &el_dtw, &el_dtc};
	struct el_error error;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_false(el_game_has(&el_morris, cases[i].metric));
		assert_int_equal(el_game_check_metric(&el_morris, cases[i].metric, &error),
		                 EL_USAGE);
		assert_string_equal(error.text, cases[i].why);
	}
	for (size_t i = 0; i < sizeof has / sizeof *has; i++)
		assert_int_equal(el_game_check_metric(&el_morris, has[i], NULL), EL_OK);
	assert_ptr_equal(el_game_metric(&el_morris), &el_dtw);
}

/* ---- classes ---- */

/* In the order of their least members, each with the symmetries that keep it; for each set of
   points a symmetry makes it one of them. */
static void test_classes(void **state)
{
	static const uint32_t counts[] = {1, 4, 30, 158, 757, 2830, 8774, 22188, 46879, 82880};
	(void)state;
	for (unsigned men = 0; men <= 9; men++) {
		const struct morris_classes *classes = morris_classes(men);
		assert_int_equal(classes->count, counts[men]);
		for (uint32_t c = 0; c < classes->count; c++) {
			const struct morris_class *class = &classes->class[c];
			assert_true(!c || class->men > class[-1].men);
			for (unsigned s = 0; s < MORRIS_SYMMETRIES; s++) {
				const uint32_t image = morris_turn(class->men, s);
				assert_true(image >= class->men);
				assert_int_equal(class->group >> s & 1, image == class->men);
			}
		}
		for (uint32_t rank = 0; rank < choose[MORRIS_POINTS][men]; rank += test_stride()) {
			const uint32_t of = classes->of[rank],
				       set = (uint32_t)choose_unrank(rank, men);
			assert_true(of / 16 < classes->count);
			assert_int_equal(morris_turn(set, of % 16), classes->class[of / 16].men);
		}
	}
}

/* ---- whole slices ---- */

/* The men of an index, broken or not, by its digits. */
static struct el_position men_of(const struct el_slice *slice, unsigned plane, uint64_t index)
{
	uint32_t digit[EL_DIGITS_MAX];
	el_morris.take_apart(slice, index, digit);
	return (struct el_position){
		.set = {{morris_classes(slice->count[0][0])->class[digit[0]].men},
	                {choose_unrank(digit[1], slice->count[1][0])}},
		.side = (uint8_t)el_slice_mover(slice, plane),
		.en_passant = EL_NO_SQUARE,
		.fullmove = 1,
		.hand = {slice->hand[0], slice->hand[1]},
	};
}

/* Not broken: the index comes back. Broken: its position has a lower index, which is not broken. */
static bool index_is_right(const struct el_slice *slice, unsigned plane, uint64_t index)
{
	const struct el_position men = men_of(slice, plane, index);
	struct el_position found, other;
	struct el_slice of;
	struct el_place place;
	uint32_t digit[EL_DIGITS_MAX];
	if (!el_morris.place(&men, &place) || place.key != slice->key || place.plane != plane)
		return false;
	if (!el_morris.unplace(slice, plane, index, &found))
		return place.index < index && el_morris.unplace(slice, plane, place.index, &other);
	el_morris.take_apart(slice, index, digit);
	return place.index == index && el_position_equal(&found, &men) && found.fullmove == 1 &&
	       el_morris.check(&found, NULL) == EL_OK && el_morris.legal(&found, &place) &&
	       el_morris.slice_of(&found, &of, NULL) == EL_OK && of.key == slice->key &&
	       place.digit[0] == digit[0] && place.digit[1] == digit[1];
}

static void check_indexes(const char *const *names)
{
	for (const char *const *name = names; *name; name++) {
		const struct el_slice slice = slice_named(*name);
		uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
		for (uint64_t index = 0; index < slice.positions; index += test_stride())
			for (unsigned plane = 0; plane < slice.planes; plane++)
				wrong += !index_is_right(&slice, plane, index);
		if (wrong)
			fail_msg("%s: %llu wrong", *name, (unsigned long long)wrong);
	}
}

static void test_indexes(void **state)
{
	(void)state;
	check_indexes(whole);
	check_indexes(in_hand);
}

/* Some of every slice. */
static void test_sampled_indexes(void **state)
{
	(void)state;
	for (unsigned group = 3; group <= 9; group++) {
		struct el_slice slices[8];
		const size_t count = el_morris.slices(group, slices, 8);
		for (size_t i = 0; i < count; i++)
			for (uint64_t n = 0,
			              step = slices[i].positions / (3000 / test_stride()) + 1;
			     n < slices[i].positions; n += step)
				assert_true(index_is_right(&slices[i], slices[i].planes - 1u, n));
	}
}

/* ---- symmetries ---- */

static struct el_position turned(const struct el_position *position, unsigned symmetry)
{
	struct el_position out = *position;
	for (unsigned side = 0; side < 2; side++)
		out.set[side][0] = morris_turn((uint32_t)position->set[side][0], symmetry);
	return out;
}

static bool is_at(const struct el_position *position, const struct el_place *place)
{
	struct el_place found;
	return el_morris.place(position, &found) && found.key == place->key &&
	       found.plane == place->plane && found.index == place->index;
}

/* The transformations of el_morris.symmetry lead to the representative position. */
static bool leads_back(const struct el_position *position, const struct el_position *there)
{
	const unsigned changes = el_morris.symmetry(position);
	struct el_position p = *position;
	if (changes & EL_SWAPPED)
		el_morris.swap_colours(&p, &p);
	p = turned(&p, changes / EL_MIRRORED);
	/* No fewer of the board's lead there. */
	for (unsigned s = 0; s < MORRIS_SYMMETRIES; s++) {
		struct el_position q = *position;
		if (changes & EL_SWAPPED)
			el_morris.swap_colours(&q, &q);
		q = turned(&q, s);
		if (el_position_equal(&q, there) &&
		    morris_count(s) < morris_count(changes / EL_MIRRORED))
			return false;
	}
	return el_position_equal(&p, there);
}

/* All sixteen images of a position, with either colours, have the same place. */
static bool images_are_right(const struct el_slice *slice, unsigned plane, uint64_t index)
{
	struct el_position position;
	struct el_place place = {.key = slice->key, .plane = (uint8_t)plane, .index = index};
	unsigned same = 0;
	bool right = true;
	if (!el_morris.unplace(slice, plane, index, &position))
		return true;
	for (unsigned s = 0; s < MORRIS_SYMMETRIES && right; s++) {
		const struct el_position image = turned(&position, s);
		struct el_position swapped;
		el_morris.swap_colours(&image, &swapped);
		same += el_position_equal(&image, &position);
		right = is_at(&image, &place) && is_at(&swapped, &place) &&
		        (index % 31 ||
		         (leads_back(&image, &position) && leads_back(&swapped, &position)));
	}
	return right && el_morris.orbit(&position) == MORRIS_SYMMETRIES / same;
}

static void check_images(const char *const *names)
{
	for (const char *const *name = names; *name; name++) {
		const struct el_slice slice = slice_named(*name);
		/* All slices with up to four men a side; a share of the others. */
		const uint64_t stride = (slice.pieces > 7 ? 19 : 1) * test_stride();
		uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
		for (uint64_t index = 0; index < slice.positions; index += stride)
			for (unsigned plane = 0; plane < slice.planes; plane++)
				wrong += !images_are_right(&slice, plane, index);
		if (wrong)
			fail_msg("%s: %llu wrong", *name, (unsigned long long)wrong);
	}
}

static void test_images(void **state)
{
	(void)state;
	check_images(whole);
	check_images(in_hand);
}

/* All placements occur, each once: orbits add up to their number. */
static void test_orbits(void **state)
{
	static const uint64_t placements[] = {2024 * 1330, 10626 * 1140, 42504 * 969};
	(void)state;
	for (size_t i = 0; whole[i] && test_stride() == 1; i++) {
		const struct el_slice slice = slice_named(whole[i]);
		for (unsigned plane = 0; plane < slice.planes; plane++) {
			uint64_t sum = 0;
			for (uint64_t index = 0; index < slice.positions; index++) {
				struct el_position position;
				if (el_morris.unplace(&slice, plane, index, &position))
					sum += el_morris.orbit(&position);
			}
			assert_int_equal(sum, placements[i]);
		}
	}
}

/* ---- digits ---- */

/* Their radices, and that no two indexes have the same. */
static void test_digits(void **state)
{
	(void)state;
	for (const char *const *name = whole; *name; name++) {
		const struct el_slice slice = slice_named(*name);
		struct el_digits digits;
		el_morris.digits(&slice, &digits);
		assert_int_equal(digits.count, 2);
		assert_memory_equal(digits.letter, "Mm", 2);
		assert_int_equal(digits.pieces[0], slice.count[0][0]);
		assert_int_equal(digits.pieces[1], slice.count[1][0]);
		assert_int_equal(digits.radix[1], 2024);
		assert_int_equal(digits.radix[0],
		                 slice.positions / choose[24 - slice.count[0][0]][3]);
		uint8_t *seen = calloc(digits.radix[0], digits.radix[1]);
		assert_non_null(seen);
		for (uint64_t index = 0; index < slice.positions; index += test_stride()) {
			uint32_t digit[EL_DIGITS_MAX];
			el_morris.take_apart(&slice, index, digit);
			assert_true(digit[0] < digits.radix[0] && digit[1] < digits.radix[1]);
			assert_false(seen[(size_t)digit[0] * digits.radix[1] + digit[1]]++);
		}
		free(seen);
	}
}

/* ---- limits ---- */

static void test_limits(void **state)
{
	const struct el_slice slice = slice_named("morris:3v3");
	struct el_position position = {.fullmove = 7}, before = position;
	struct el_place place;
	(void)state;
	assert_false(el_morris.unplace(&slice, 0, slice.positions, &position));
	assert_false(el_morris.unplace(&slice, 0, UINT64_MAX, &position));
	assert_false(el_morris.unplace(&slice, 1, 0, &position));
	assert_memory_equal(&position, &before, sizeof position);
	assert_false(el_morris.place(&position, &place));

	static const struct el_position wrong[] = {
		{.set = {{7}, {0x30}}},                 /* two men */
		{.set = {{0x3ff}, {0x7000}}},           /* ten */
		{.set = {{7}, {0x1c}}},                 /* two on one point */
		{.set = {{UINT64_C(7) << 22}, {7}}},    /* off the board */
		{.set = {{7}, {0x70}}, .side = 2},      /* nobody is to move */
		{.set = {{7}, {0x70}}, .hand = {0, 1}}, /* not White's turn */
		{.set = {{7}, {0x70}}, .hand = {2, 0}}, /* nobody's */
		{.set = {{7}, {0x70}}, .hand = {7, 7}}, /* ten men, with those in hand */
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(el_morris.place(&wrong[i], &place));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),           cmocka_unit_test(test_wrong_names),
		cmocka_unit_test(test_census),          cmocka_unit_test(test_slice_of),
		cmocka_unit_test(test_successors),      cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_classes),         cmocka_unit_test(test_indexes),
		cmocka_unit_test(test_sampled_indexes), cmocka_unit_test(test_images),
		cmocka_unit_test(test_orbits),          cmocka_unit_test(test_digits),
		cmocka_unit_test(test_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
