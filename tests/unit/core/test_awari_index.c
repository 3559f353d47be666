/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of Awari and their index: names, both directions over whole layers, and captures. */
#include "core/solve/solve.h"
#include "tests/fixtures/awari_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/refusals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WHOLE = 9 }; /* stones: layers that are tested from end to end */

static struct el_slice layer(unsigned stones)
{
	char name[EL_SLICE_MAX];
	snprintf(name, sizeof name, "awari:%u", stones);
	return slice_named(name);
}

/* Exact in 128 bits, for all layers. */
static uint64_t choose_of(unsigned n, unsigned k)
{
	unsigned __int128 out = 1;
	for (unsigned i = 0; i < k; i++)
		out = out * (n - i) / (i + 1);
	return n < k ? 0 : (uint64_t)out;
}

/* ---- names ---- */

static void test_names(void **state)
{
	(void)state;
	for (unsigned stones = 0; stones <= AWELE_STONES; stones++) {
		char name[EL_SLICE_MAX];
		const struct el_slice slice = layer(stones);
		snprintf(name, sizeof name, "awari:%u", stones);
		assert_string_equal(slice.name, name);
		assert_ptr_equal(slice.game, &el_awari);
		assert_int_equal(slice.pieces, stones);
		assert_int_equal(slice.planes, 1);
		assert_int_equal(slice.positions, choose_of(stones + 11, 11));
		for (unsigned other = 0; other < stones; other++) {
			const struct el_slice before = layer(other);
			assert_false(el_slice_equal(&slice, &before));
		}
	}
}

/* Romein and Bal's count of reachable boards of up to 48 stones: none has 47, and of those with 48
   only the starting board has no empty enemy pit. */
static void test_published(void **state)
{
	uint64_t all = 1;
	(void)state;
	for (unsigned stones = 0; stones <= AWELE_STONES; stones++)
		if (stones != 47)
			all += layer(stones).positions - choose_of(stones + 5, 11);
	assert_int_equal(all, UINT64_C(889063398406));
	assert_int_equal(layer(48).positions - choose_of(53, 11) + 1, UINT64_C(203648015936));
	assert_int_equal(layer(22).positions, 193536720);
}

static void test_wrong_names(void **state)
{
	static const struct refusal refusals[] = {
		{"awari:49", "awari:49: 49 stones, expected at most 48"},
		{"awari:255", "awari:255: 255 stones, expected at most 48"},
		{"awari:304", "awari:304: 304 stones, expected at most 48"},
		{"awari:", "'awari:' is not a slice: expected a name such as awari:12"},
		{"awari:-1", "'awari:-1' is not a slice: expected a name such as awari:12"},
		{"awari:+1", "'awari:+1' is not a slice: expected a name such as awari:12"},
		{"awari:07", "'awari:07' is not a slice: expected a name such as awari:12"},
		{"awari:00", "'awari:00' is not a slice: expected a name such as awari:12"},
		{"awari:1x", "'awari:1x' is not a slice: expected a name such as awari:12"},
		{"awari:x", "'awari:x' is not a slice: expected a name such as awari:12"},
		{"awari: 5", "'awari: 5' is not a slice: expected a name such as awari:12"},
		{"awari:5 ", "'awari:5 ' is not a slice: expected a name such as awari:12"},
		{"awari:1.5", "'awari:1.5' is not a slice: expected a name such as awari:12"},
		{"awari:4-5", "'awari:4-5' is not a slice: expected a name such as awari:12"},
		{"awari:4294967301",
	         "'awari:4294967301' is not a slice: expected a name such as awari:12"},
		{"awari:5v3",
	         "'awari:5v3' is not a slice: expected a name such as awari:12; a slice of morris "
	         "is written morris:5v3"},
		{"Awari:5",
	         "'Awari:5' is not a slice: expected a name such as KQvKR, checkers:KMMvKM, "
	         "morris:5v3, awari:12 or oware:12; a slice of awari is written awari:5; a slice "
	         "of "
	         "oware is written oware:5"},
	};
	(void)state;
	assert_slices_refused(refusals, sizeof refusals / sizeof *refusals);
}

static void test_long_name(void **state)
{
	enum { LENGTH = 5000 };
	char *name = malloc(LENGTH + 1);
	struct el_slice slice;
	struct el_error error = {.text = ""};
	(void)state;
	assert_non_null(name);
	memset(name, '1', LENGTH);
	memcpy(name, "awari:", 6);
	name[LENGTH] = '\0';
	assert_int_equal(el_slice_parse(name, &slice, &error), EL_NEGATIVE);
	assert_true(strlen(error.text) < 150);
	free(name);
}

/* A group has one slice. */
static void test_census(void **state)
{
	(void)state;
	for (unsigned group = 0; group <= AWELE_STONES + 3; group++) {
		struct el_slice slice[2] = {0};
		const size_t count = group <= AWELE_STONES;
		assert_int_equal(el_awari.slices(group, slice, 2), count);
		assert_int_equal(el_awari.slices(group, NULL, 0), count);
		if (count) {
			const struct el_slice again = layer(group);
			assert_true(again.key == slice->key && again.positions == slice->positions);
		}
	}
	assert_int_equal(el_awari.group_min, 0);
	assert_int_equal(el_awari.group_max, AWELE_STONES);
}

static void test_metrics(void **state)
{
	static const struct {
		const struct el_metric *metric;
		const char *why;
	} cases[] = {
		{&el_dtm, "dtm is a metric of chess alone"},
		{&el_dtw, "dtw is a metric of checkers and morris alone"},
		{&el_wdl, "wdl is a metric of chess, checkers and morris alone"},
		{&el_wdl_rule[49], "wdl50 is a metric of chess alone"},
	};
	struct el_error error;
	const struct el_metric *metric;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_false(el_game_has(&el_awari, cases[i].metric));
		assert_int_equal(el_game_check_metric(&el_awari, cases[i].metric, &error),
		                 EL_USAGE);
		assert_string_equal(error.text, cases[i].why);
	}
	assert_int_equal(el_game_check_metric(&el_awari, &el_score, NULL), EL_OK);
	for (size_t i = 0; el_games[i]; i++)
		if (!el_games[i]->sows) {
			assert_int_equal(el_game_check_metric(el_games[i], &el_score, &error),
			                 EL_USAGE);
			assert_string_equal(error.text,
			                    "score is a metric of awari and oware alone");
		}
	assert_ptr_equal(el_game_metric(&el_awari), &el_score);
	assert_true(el_game_tells(&el_awari, &el_wdl));
	assert_int_equal(el_metric_parse("score", &metric, NULL), EL_OK);
	assert_ptr_equal(metric, &el_score);
	assert_true(el_metric_tells(&el_score, &el_wdl));
	assert_false(el_metric_tells(&el_wdl, &el_score));
}

/* ---- values in stones ---- */

static void test_stones(void **state)
{
	(void)state;
	for (int stones = -AWELE_STONES; stones <= AWELE_STONES; stones++) {
		const struct el_value value = el_value_of_stones(stones);
		assert_int_equal(value.outcome, stones > 0 ? EL_WIN : stones ? EL_LOSS : EL_DRAW);
		assert_int_equal(el_value_stones(value), stones);
		assert_true(el_metric_has_value(&el_score, value));
		assert_int_equal(el_metric_read(&el_score, &el_wdl, value).outcome, value.outcome);
		assert_int_equal(el_metric_read(&el_score, &el_wdl, value).plies, 0);
		for (int other = -AWELE_STONES; other <= AWELE_STONES; other++) {
			const int order =
				el_value_compare(&el_score, value, el_value_of_stones(other));
			assert_int_equal((order > 0) - (order < 0),
			                 (stones > other) - (stones < other));
		}
		/* The mover loses what is left to the other side, minus what it captures. */
		for (unsigned gain = 0; gain <= 18; gain++) {
			const struct el_value moved =
				el_value_of_move(&el_score, value, gain, gain);
			assert_true(el_value_equal(moved, el_value_of_stones((int)gain - stones)));
		}
	}
}

/* ---- whole layers ---- */

static struct el_position position_at(const struct el_slice *slice, uint64_t index)
{
	struct el_position position;
	assert_true(el_awari.unplace(slice, 0, index, &position));
	return position;
}

static bool is_at(const struct el_position *position, const struct el_slice *slice, uint64_t index)
{
	struct el_place place = {.plane = 9};
	return el_awari.place(position, &place) && place.key == slice->key && !place.plane &&
	       place.index == index;
}

/* The index comes back from either side of the table, whatever the stores hold. */
static bool index_is_right(const struct el_slice *slice, uint64_t index)
{
	struct el_position position, swapped, rich;
	struct el_slice of;
	if (!el_awari.unplace(slice, 0, index, &position))
		return false;
	el_awari.swap_colours(&position, &swapped);
	rich = position;
	rich.stores[index % 2] = (uint8_t)(AWELE_STONES - slice->pieces);
	return position.side == EL_WHITE && position.fullmove == 1 &&
	       position.en_passant == EL_NO_SQUARE && swapped.side == EL_BLACK &&
	       el_piece_count(&position) == slice->pieces && !position.stores[0] &&
	       !position.stores[1] && el_awari.check(&position, NULL) == EL_OK &&
	       el_awari.legal(&rich, NULL) && is_at(&position, slice, index) &&
	       is_at(&swapped, slice, index) && is_at(&rich, slice, index) &&
	       el_awari.slice_of(&swapped, &of, NULL) == EL_OK && of.key == slice->key &&
	       el_awari.symmetry(&position) == 0 && el_awari.symmetry(&swapped) == EL_SWAPPED &&
	       el_awari.orbit(&position) == 1 && el_awari.orbit(&swapped) == 1;
}

/* Boards with fewer stones in own pits come first. */
static void check_order(const struct el_slice *slice)
{
	unsigned before = 0;
	for (uint64_t index = 0; index < slice->positions; index += test_stride()) {
		const struct el_position position = position_at(slice, index);
		unsigned own = 0;
		for (unsigned pit = 0; pit < AWELE_ROW; pit++)
			own += position.pits[pit];
		assert_true(own >= before);
		before = own;
	}
}

static void test_layers(void **state)
{
	(void)state;
	for (unsigned stones = 0; stones <= WHOLE; stones++) {
		const struct el_slice slice = layer(stones);
		uint64_t wrong = 0;
		struct el_position position = {.fullmove = 77}, same = position;
#pragma omp parallel for reduction(+ : wrong)
		for (uint64_t index = 0; index < slice.positions; index += test_stride())
			wrong += !index_is_right(&slice, index);
		if (wrong)
			fail_msg("%s: %llu wrong", slice.name, (unsigned long long)wrong);
		check_order(&slice);
		assert_false(el_awari.unplace(&slice, 0, slice.positions, &position));
		assert_false(el_awari.unplace(&slice, 0, UINT64_MAX, &position));
		assert_false(el_awari.unplace(&slice, 1, 0, &position));
		assert_memory_equal(&position, &same, sizeof position);
	}
}

/* Every board has an index of its own. */
struct met {
	struct el_slice slice;
	uint8_t *at;
	uint64_t count;
};

static void meet(struct el_position *position, unsigned pit, unsigned left, struct met *m)
{
	struct el_place place;
	if (pit < AWELE_PITS - 1) {
		for (unsigned in = 0; in <= left; in++) {
			position->pits[pit] = (uint8_t)in;
			meet(position, pit + 1, left - in, m);
		}
		return;
	}
	position->pits[pit] = (uint8_t)left;
	position->side = (uint8_t)(m->count % 2);
	assert_true(el_awari.place(position, &place));
	assert_int_equal(place.key, m->slice.key);
	assert_true(place.index < m->slice.positions);
	/* South's boards are marked 1, North's 2. */
	assert_false(m->at[place.index] & 1 << position->side);
	m->at[place.index] |= (uint8_t)(1 << position->side);
	m->count++;
}

static void test_every_board(void **state)
{
	(void)state;
	for (unsigned stones = 0; stones <= (test_stride() > 1 ? 4u : 7u); stones++) {
		struct met m = {.slice = layer(stones)};
		struct el_position position = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
		m.at = calloc(m.slice.positions, 1);
		assert_non_null(m.at);
		meet(&position, 0, stones, &m);
		assert_int_equal(m.count, m.slice.positions);
		free(m.at);
	}
}

/* Some of the larger ones, up to the largest. */
static void test_sampled(void **state)
{
	uint64_t seed = 48;
	(void)state;
	for (unsigned stones = WHOLE + 1; stones <= AWELE_STONES; stones++) {
		const struct el_slice slice = layer(stones);
		assert_true(index_is_right(&slice, 0));
		assert_true(index_is_right(&slice, slice.positions - 1));
		for (unsigned n = 0; n < 3000 / test_stride() + 30; n++)
			assert_true(index_is_right(&slice, random_next(&seed) % slice.positions));
	}
}

/* No slice has too many stones. */
static void test_too_many(void **state)
{
	struct el_position position = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
	struct el_place place;
	struct el_slice slice;
	struct el_error error = {.text = ""};
	(void)state;
	memset(position.pits, 4, sizeof position.pits);
	assert_true(el_awari.place(&position, &place));
	position.pits[3]++;
	assert_false(el_awari.place(&position, &place));
	assert_int_equal(el_awari.slice_of(&position, &slice, &error), EL_NEGATIVE);
	assert_string_equal(error.text, "49 stones on the board, expected at most 48");
	memset(position.pits, 255, sizeof position.pits);
	assert_false(el_awari.place(&position, &place));
	position = (struct el_position){.side = 2};
	assert_false(el_awari.place(&position, &place));
}

/* ---- captures ---- */

static uint64_t bit_of(const struct el_slice *slice)
{
	return UINT64_C(1) << slice->pieces;
}

/* The layers that captures from a layer lead to. */
static uint64_t reached_from(const struct el_slice *slice)
{
	uint64_t reached = 0;
	for (uint64_t index = 0; index < slice->positions; index++) {
		const struct el_position position = position_at(slice, index);
		struct el_move moves[EL_MOVES_MAX];
		const size_t count = el_awari.captures(&position, moves);
		for (size_t i = 0; i < count; i++) {
			struct el_position after;
			struct el_slice of;
			el_awari.play(&position, &moves[i], &after);
			assert_int_equal(el_awari.slice_of(&after, &of, NULL), EL_OK);
			reached |= bit_of(&of);
		}
	}
	return reached;
}

/* They include every layer that captures reach, and have two to eighteen stones fewer. */
static void test_successors(void **state)
{
	(void)state;
	for (unsigned stones = 0; stones <= AWELE_STONES; stones++) {
		const struct el_slice slice = layer(stones);
		struct el_slice found[EL_SUCCESSORS_MAX];
		const size_t count = el_awari.successors(&slice, found);
		uint64_t listed = 0;
		assert_true(count <= EL_SUCCESSORS_MAX);
		for (size_t i = 0; i < count; i++) {
			const unsigned captured = slice.pieces - found[i].pieces;
			assert_true(found[i].pieces < slice.pieces && captured >= 2 &&
			            captured <= 18);
			assert_false(listed & bit_of(&found[i]));
			listed |= bit_of(&found[i]);
		}
		if (stones <= (test_stride() > 1 ? 4u : 8u))
			assert_int_equal(reached_from(&slice) & ~listed, 0);
	}
}

/* All eighteen at once: no capture is larger. */
static void test_largest_capture(void **state)
{
	const struct el_position position = position_of("0-0-0-0-0-0-33-0-0-0-0-0-0-0-N");
	struct el_move moves[EL_MOVES_MAX];
	(void)state;
	assert_int_equal(el_awari.captures(&position, moves), 1);
	assert_int_equal(el_awari.gain(&position, &moves[0]), 18);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),           cmocka_unit_test(test_published),
		cmocka_unit_test(test_wrong_names),     cmocka_unit_test(test_long_name),
		cmocka_unit_test(test_census),          cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_stones),          cmocka_unit_test(test_layers),
		cmocka_unit_test(test_every_board),     cmocka_unit_test(test_sampled),
		cmocka_unit_test(test_too_many),        cmocka_unit_test(test_successors),
		cmocka_unit_test(test_largest_capture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
