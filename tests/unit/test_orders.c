/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orders of a table's planes: as numbers of positions, in words, and the best of all. */
#include "chess_random.h"
#include "core/store/table_view.h"
#include "store_fixture.h"
#include "tables.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- numbers ---- */

/* The next permutation in lexicographic order; false, and the first again, after the last. */
static bool next_order(struct el_order *order)
{
	uint8_t *d = order->digit;
	unsigned n = order->count, i = n - 1, j = n - 1;
	while (i > 0 && d[i - 1] >= d[i])
		i--;
	if (i > 0) {
		while (d[j] <= d[i - 1])
			j--;
		uint8_t swap = d[i - 1];
		d[i - 1] = d[j];
		d[j] = swap;
	}
	for (unsigned a = i, b = n - 1; a < b; a++, b--) {
		uint8_t swap = d[a];
		d[a] = d[b];
		d[b] = swap;
	}
	return i > 0;
}

static struct el_digits digits_of(const struct el_slice *slice)
{
	struct el_digits digits;
	slice->game->digits(slice, &digits);
	return digits;
}

static struct el_order first_order(const struct el_digits *digits)
{
	struct el_order order = {.count = (uint8_t)digits->count};
	for (unsigned i = 0; i < digits->count; i++)
		order.digit[i] = (uint8_t)i;
	return order;
}

/* A number by its definition: the digits in their order, the last the fastest. */
static uint64_t number_by_hand(const struct el_digits *digits, const struct el_order *order,
                               const uint32_t digit[EL_DIGITS_MAX])
{
	uint64_t number = 0;
	for (unsigned i = 0; i < order->count; i++)
		number = number * digits->radix[order->digit[i]] + digit[order->digit[i]];
	return number;
}

static uint64_t product(const struct el_digits *digits)
{
	uint64_t all = 1;
	for (unsigned i = 0; i < digits->count; i++)
		all *= digits->radix[i];
	return all;
}

/* Every combination of digits has a number of its own, and there are no others. */
static void check_bijection(const struct el_slice *slice, const struct el_order *order)
{
	const struct el_digits digits = digits_of(slice);
	const uint64_t all = product(&digits);
	struct numbering n;
	assert_int_equal(numbering_make(slice, order, &n), EL_OK);
	assert_int_equal(n.positions, all);
	assert_int_equal(n.row, digits.radix[order->digit[order->count - 1]]);
	uint8_t *seen = calloc(all, 1);
	struct el_place place = {0};
	for (uint64_t i = 0; i < all; i++) {
		uint64_t rest = i;
		for (unsigned d = 0; d < digits.count; d++, rest /= digits.radix[d - 1])
			place.digit[d] = (uint32_t)(rest % digits.radix[d]);
		uint64_t number = numbering_of(&n, &place);
		if (number >= all || seen[number] ||
		    number != number_by_hand(&digits, order, place.digit))
			fail_msg("%s: number %llu", slice->name, (unsigned long long)number);
		seen[number] = 1;
	}
	free(seen);
}

static void test_bijections(void **state)
{
	(void)state;
	static const char *const names[] = {"KQvK", "KPvK", "KBvK"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct el_slice slice = slice_named(names[i]);
		const struct el_digits digits = digits_of(&slice);
		struct el_order order = first_order(&digits);
		unsigned orders = 0;
		do {
			check_bijection(&slice, &order);
			orders++;
		} while (next_order(&order));
		assert_int_equal(orders, 6);
	}
	if (tests_are_slow())
		return;
	const struct el_slice slice = slice_named("KQvKR");
	struct el_order order = {4, {3, 0, 2, 1}};
	check_bijection(&slice, &order);
}

/* Indexes get the numbers of their digits, and all of them different ones. */
static void test_numbers_of_indexes(void **state)
{
	(void)state;
	static const char *const names[] = {"KRvK", "KPvK"};
	for (size_t s = 0; s < 2; s++) {
		const struct el_slice slice = slice_named(names[s]);
		const struct el_digits digits = digits_of(&slice);
		struct el_order order = first_order(&digits), index = {0};
		struct numbering n;
		assert_int_equal(numbering_make(&slice, &index, &n), EL_OK);
		assert_int_equal(n.positions, slice.positions);
		for (uint64_t i = 0; i < slice.positions; i += 101)
			assert_int_equal(numbering_of_index(&n, &slice, i), i);
		do {
			assert_int_equal(numbering_make(&slice, &order, &n), EL_OK);
			uint8_t *seen = calloc(n.positions, 1);
			for (uint64_t i = 0; i < slice.positions; i++) {
				uint32_t digit[EL_DIGITS_MAX];
				slice.game->take_apart(&slice, i, digit);
				uint64_t number = numbering_of_index(&n, &slice, i);
				assert_true(number < n.positions && !seen[number]);
				assert_true(number == number_by_hand(&digits, &order, digit));
				seen[number] = 1;
			}
			free(seen);
		} while (next_order(&order));
	}
}

/* In the index the last of the groups is the fastest, wherever the kings' digits stand. */
static void test_row_of_the_index(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t row;
	} cases[] = {
		{"KQvK", 64},  {"KPvK", 48},     {"KBBvK", 64 * 63 / 2}, {"KPPvK", 48 * 47 / 2},
		{"KQvKP", 48}, {"KRPvKN", 64},    {"KRPvK", 48},          {"KNNNvK", 64 * 63 * 62 / 6},
	};
	const struct el_order index = {0};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_slice slice = slice_named(cases[i].name);
		struct numbering n;
		assert_int_equal(numbering_make(&slice, &index, &n), EL_OK);
		assert_int_equal(n.row, cases[i].row);
	}
}

static void test_no_orders(void **state)
{
	(void)state;
	static const struct el_order orders[] = {
		{3, {0, 1, 1}}, {3, {0, 1, 3}}, {2, {0, 1}}, {4, {0, 1, 2, 3}}, {3, {255, 0, 1}}};
	const struct el_slice slice = slice_named("KQvK");
	struct numbering n;
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		assert_int_equal(numbering_make(&slice, &orders[i], &n), EL_NEGATIVE);
}

/* ---- words ---- */

static void test_words(void **state)
{
	(void)state;
	static const struct {
		const char *slice, *text, *again; /* null: the same text */
		enum el_ordering ordering;
		struct el_order order[2];
	} cases[] = {
		{"KQvKR", "index", NULL, EL_ORDER_INDEX, {{0}}},
		{"KQvKR", "best", NULL, EL_ORDER_BEST, {{0}}},
		{"KQvKR", "KQkr", NULL, EL_ORDER_GIVEN, {{4, {0, 1, 2, 3}}, {4, {0, 1, 2, 3}}}},
		{"KQvKR", "rkQK", NULL, EL_ORDER_GIVEN, {{4, {3, 2, 1, 0}}, {4, {3, 2, 1, 0}}}},
		{"KQvKR", "KQkr/rkQK", NULL, EL_ORDER_GIVEN, {{4, {0, 1, 2, 3}}, {4, {3, 2, 1, 0}}}},
		{"KQvKR", "index/rkQK", NULL, EL_ORDER_GIVEN, {{0}, {4, {3, 2, 1, 0}}}},
		{"KQvKR", "rkQK/index", NULL, EL_ORDER_GIVEN, {{4, {3, 2, 1, 0}}, {0}}},
		{"KQvKR", "index/index", "index", EL_ORDER_INDEX, {{0}}},
		{"KQvKR", "KkQr/KkQr", "KkQr", EL_ORDER_GIVEN, {{4, {0, 2, 1, 3}}, {4, {0, 2, 1, 3}}}},
		{"KQvKQ", "kqQK", NULL, EL_ORDER_GIVEN, {{4, {2, 3, 1, 0}}, {0}}},
		{"KBBvK", "kBK", NULL, EL_ORDER_GIVEN, {{3, {2, 1, 0}}, {3, {2, 1, 0}}}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_slice slice = slice_named(cases[i].slice);
		struct el_table_options o = el_table_options_default();
		char text[EL_ORDER_TEXT];
		o.order[1] = (struct el_order){2, {7, 7}}; /* of an earlier option */
		assert_int_equal(el_order_parse(cases[i].text, &slice, &o, NULL), EL_OK);
		assert_int_equal(o.ordering, cases[i].ordering);
		assert_memory_equal(o.order, cases[i].order, sizeof o.order);
		el_order_format(&slice, &o, text);
		assert_string_equal(text, cases[i].again ? cases[i].again : cases[i].text);
	}
}

static void test_wrong_words(void **state)
{
	(void)state;
	static const struct {
		const char *slice, *text;
	} cases[] = {
		{"KQvKR", ""},          {"KQvKR", "KQk"},        {"KQvKR", "KQkrr"},
		{"KQvKR", "KQkk"},      {"KQvKR", "KQkb"},       {"KQvKR", "kqKR"},
		{"KQvKR", "Index"},     {"KQvKR", "bestest"},    {"KQvKR", "indexx"},
		{"KQvKR", "KQkr/"},     {"KQvKR", "/KQkr"},      {"KQvKR", "/"},
		{"KQvKR", "KQkr/KQk"},  {"KQvKR", "KQkr/best"},  {"KQvKR", "best/KQkr"},
		{"KQvKR", "KQkr/KQkr/KQkr"}, {"KQvKR", " KQkr"}, {"KBBvK", "KBBk"},
		{"KQvKQ", "KQkq/KQkq"}, {"KQvKQ", "index/index"},
	};
	struct el_error error;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_slice slice = slice_named(cases[i].slice);
		struct el_table_options o = el_table_options_default(), before = o;
		assert_int_equal(el_order_parse(cases[i].text, &slice, &o, &error), EL_USAGE);
		fixture_same_options(&o, &before);
		char words[96];
		snprintf(words, sizeof words, "order '%s': expected index, best, or the pieces of %s",
		         cases[i].text, cases[i].slice);
		assert_non_null(strstr(error.text, words));
	}
}

/* Where no slice is known no pieces are either. */
static void test_words_without_a_slice(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "KQkr", "index/index", "index/KQkr", "/"};
	struct el_table_options o = el_table_options_default();
	struct el_error error;
	assert_int_equal(el_order_parse("best", NULL, &o, NULL), EL_OK);
	assert_int_equal(o.ordering, EL_ORDER_BEST);
	assert_int_equal(el_order_parse("index", NULL, &o, NULL), EL_OK);
	assert_int_equal(o.ordering, EL_ORDER_INDEX);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(el_order_parse(bad[i], NULL, &o, &error), EL_USAGE);
		assert_non_null(strstr(error.text, "': expected index or best"));
	}
}

static void test_other_words(void **state)
{
	(void)state;
	const struct el_slice slice = slice_named("KQvKR");
	struct el_table_options o = fixture_options("zstd:9", 16384, EL_FILL_BEST);
	struct el_error error;
	char text[96];
	for (unsigned i = 0; el_derive_names[i]; i++) {
		assert_int_equal(el_derive_parse(el_derive_names[i], &o.derive, NULL), EL_OK);
		assert_int_equal(o.derive, i);
	}
	assert_int_equal(el_derive_parse("moves", &o.derive, &error), EL_USAGE);
	assert_string_equal(error.text, "derive 'moves': expected one of nothing, captures");
	assert_int_equal(o.derive, EL_DERIVE_CAPTURES);
	el_table_options_format(&slice, &o, text, sizeof text);
	assert_string_equal(text, "zstd:9 16K best captures");
	assert_int_equal(el_order_parse("KkQr", &slice, &o, NULL), EL_OK);
	el_table_options_format(&slice, &o, text, sizeof text);
	assert_string_equal(text, "zstd:9 16K best order KkQr captures");
	o.derive = EL_DERIVE_NOTHING;
	o.block_positions = 1 << 20;
	o.fill = EL_FILL_NONE;
	el_table_options_format(&slice, &o, text, sizeof text);
	assert_string_equal(text, "zstd:9 1M none order KkQr");
	o.block_positions = 512;
	assert_int_equal(el_order_parse("index", &slice, &o, NULL), EL_OK);
	el_table_options_format(&slice, &o, text, sizeof text);
	assert_string_equal(text, "zstd:9 512 none");
	el_table_options_format(&slice, &o, text, 5);
	assert_string_equal(text, "zstd");
}

/* ---- the best order ---- */

/*
 * Runs of a plane in an order, counted by hand: every number in turn, and the range of scores that
 * one value for all of the run may have. Values are trimmed as the file trims them: one that only
 * derivable positions have counts as the best that is stored and no better.
 */
enum { WORST = -1000000, NOWHERE = 1000000 };

/* The scores that positions which are not derivable have, and the worst of all. */
static bool is_stored(const struct el_plane *plane, uint64_t positions, int score)
{
	int worst = NOWHERE;
	for (uint64_t i = 0; i < positions; i++) {
		int s = plane->symbols[i] ? fixture_score(el_plane_value(plane, i)) : NOWHERE;
		worst = s < worst ? s : worst;
		if (s == score && !(plane->derivable && plane->derivable[i]))
			return true;
	}
	return score == worst;
}

/* By symbol: the score of the best value that is stored and no better. */
static int *trimmed_scores(const struct el_plane *plane, uint64_t positions)
{
	int *out = malloc(plane->value_count * sizeof *out);
	bool *stored = malloc(plane->value_count);
	for (uint32_t s = 1; s < plane->value_count; s++)
		stored[s] = is_stored(plane, positions, fixture_score(plane->values[s]));
	for (uint32_t s = 1; s < plane->value_count; s++) {
		out[s] = WORST;
		for (uint32_t t = 1; t < plane->value_count; t++) {
			int other = fixture_score(plane->values[t]);
			if (stored[t] && other <= fixture_score(plane->values[s]) && other > out[s])
				out[s] = other;
		}
	}
	free(stored);
	return out;
}

static uint64_t runs_by_hand(const struct el_planes *planes, unsigned p,
                             const struct el_order *order, const int *score)
{
	const struct el_plane *plane = &planes->plane[p];
	const struct el_digits digits = digits_of(&planes->slice);
	const uint64_t all = product(&digits);
	/* by number: the symbol twice, plus one where it is derivable */
	uint32_t *symbol = calloc(all, sizeof *symbol);
	uint64_t runs = 0;
	for (uint64_t i = 0; i < planes->slice.positions; i++) {
		uint32_t digit[EL_DIGITS_MAX];
		planes->slice.game->take_apart(&planes->slice, i, digit);
		symbol[number_by_hand(&digits, order, digit)] =
			2u * plane->symbols[i] + (plane->derivable && plane->derivable[i]);
	}
	int low = NOWHERE, high = WORST;
	for (uint64_t n = 0; n < all; n++) {
		if (symbol[n] < 2)
			continue;
		int most = score[symbol[n] / 2], least = symbol[n] % 2 ? WORST : most;
		low = low > least ? low : least;
		high = high < most ? high : most;
		if (low > high) {
			runs++;
			low = least;
			high = most;
		}
	}
	free(symbol);
	return runs;
}

static void check_best(const struct el_planes *planes, unsigned p, enum el_derive derive)
{
	const struct el_digits digits = digits_of(&planes->slice);
	struct el_order order = first_order(&digits), best = order, found;
	uint64_t least = UINT64_MAX;
	int *score = trimmed_scores(&planes->plane[p], planes->slice.positions);
	do {
		uint64_t runs = runs_by_hand(planes, p, &order, score);
		if (runs < least) {
			least = runs;
			best = order;
		}
	} while (next_order(&order));
	free(score);
	for (int threads = 1; threads <= 8; threads += 7) {
		omp_set_num_threads(threads);
		assert_int_equal(view_best_order(planes, p, derive, NULL, &found, NULL), EL_OK);
		assert_memory_equal(&found, &best, sizeof best);
	}
	omp_set_num_threads(1);
}

static struct el_planes real_planes(const char *name)
{
	const char *tables = small_test_tables();
	assert_non_null(tables);
	struct el_library *library = fixture_library(tables, NULL);
	const struct el_slice slice = slice_named(name);
	struct el_planes planes;
	assert_int_equal(el_library_planes(library, &slice, &el_dtm, &planes, NULL), EL_OK);
	el_planes_mark_broken(&planes);
	el_library_close(library);
	return planes;
}

/* Real planes, and made-up ones with positions that may be derived. */
static void test_best(void **state)
{
	(void)state;
	static const char *const names[] = {"KRvK", "KPvK"};
	for (size_t i = 0; i < (tests_are_slow() ? 1 : 2); i++) {
		struct el_planes planes = real_planes(names[i]);
		check_best(&planes, 0, EL_DERIVE_NOTHING);
		check_best(&planes, 1, EL_DERIVE_NOTHING);
		el_planes_free(&planes);
	}
	struct el_planes planes = fixture_planes("KQvK", &el_wdl, 31);
	uint64_t seed = 32;
	for (unsigned p = 0; p < 2; p++) {
		planes.plane[p].derivable = calloc(planes.slice.positions, 1);
		for (uint64_t i = 0; i < planes.slice.positions; i++)
			planes.plane[p].derivable[i] = planes.plane[p].symbols[i] == 2 ||
			                               fixture_random(&seed) % 3 == 0;
		check_best(&planes, p, EL_DERIVE_CAPTURES);
	}
	el_planes_free(&planes);
}

/* What the file tells is the order that was found, and no thread changes a byte. */
static void test_best_in_files(void **state)
{
	(void)state;
	struct el_planes planes = real_planes("KRvK");
	struct el_table_options o = fixture_options("zstd:1", 1024, EL_FILL_PREVIOUS);
	const char *path = fixture_path(folder, "best.egt");
	uint8_t *bytes[2];
	size_t size[2];
	o.ordering = EL_ORDER_BEST;
	for (int i = 0; i < 2; i++) {
		omp_set_num_threads(i ? 8 : 1);
		fixture_write(path, &planes, &o);
		bytes[i] = fixture_read_file(path, &size[i]);
	}
	omp_set_num_threads(1);
	assert_int_equal(size[0], size[1]);
	assert_memory_equal(bytes[0], bytes[1], size[0]);
	struct el_table *table = fixture_open(path);
	assert_int_equal(el_table_info(table)->options.ordering, EL_ORDER_GIVEN);
	for (unsigned p = 0; p < 2; p++) {
		struct el_order best;
		assert_int_equal(view_best_order(&planes, p, EL_DERIVE_NOTHING, NULL, &best, NULL),
		                 EL_OK);
		assert_memory_equal(&el_table_info(table)->options.order[p], &best, sizeof best);
	}
	el_table_close(table);
	free(bytes[0]);
	free(bytes[1]);
	el_planes_free(&planes);
}

static int stop_at_third(void *context, const struct el_progress *progress)
{
	assert_string_equal(progress->stage, "trying orders");
	assert_string_equal(progress->what, "KQvK");
	assert_int_equal((int)progress->total, 6);
	return ++*(int *)context < 3;
}

static void test_best_is_stopped(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 33);
	struct el_table_options o = fixture_options("raw", 1024, EL_FILL_PREVIOUS);
	struct el_error error;
	int ticks = 0;
	const struct el_watch watch = {&ticks, stop_at_third};
	o.ordering = EL_ORDER_BEST;
	assert_int_equal(el_table_write(fixture_path(folder, "x.egt"), &planes, &o, &watch, NULL,
	                                &error), EL_STOPPED);
	assert_non_null(strstr(error.text, "KQvK: stopped"));
	assert_true(ticks >= 3);
	assert_int_equal(scratch_count(folder, "x.egt"), 0);
	el_planes_free(&planes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_make_folder, fixture_remove_folder)

int main(void)
{
	omp_set_num_threads(1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bijections),
		cmocka_unit_test(test_numbers_of_indexes),
		cmocka_unit_test(test_row_of_the_index),
		cmocka_unit_test(test_no_orders),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_wrong_words),
		cmocka_unit_test(test_words_without_a_slice),
		cmocka_unit_test(test_other_words),
		cmocka_unit_test(test_best),
		TEST(test_best_in_files),
		TEST(test_best_is_stopped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
