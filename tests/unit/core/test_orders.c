/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orders of a table's planes: as numbers of positions, and in words. */
#include "core/table/order.h"
#include "tests/fixtures/orders.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- numbers ---- */

/* Every combination of digits has its own number, and there are no others. */
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

/* Indexes get the numbers of their digits, all of them different. */
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

/* Indexes of a run have numbers that are equally far apart. */
static void test_runs_of_indexes(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t run;
	} slices[] = {{"KRvK", 64},  {"KPvK", 48},    {"KPvKP", 48},        {"KNNvK", 2016},
	              {"KQvKR", 64}, {"KPPvK", 1128}, {"checkers:KMvK", 1}, {"morris:3v3", 1}};
	for (size_t s = 0; s < sizeof slices / sizeof *slices; s++) {
		const struct el_slice slice = slice_named(slices[s].name);
		const struct el_digits digits = digits_of(&slice);
		struct el_order order = first_order(&digits);
		for (unsigned k = 0; k < 7; k++)
			next_order(&order);
		struct numbering n;
		assert_int_equal(numbering_make(&slice, &order, &n), EL_OK);
		assert_int_equal(n.run, slices[s].run);
		for (uint64_t i = 0; i < slice.positions; i += 61) {
			const uint64_t from = i / n.run * n.run;
			assert_true(numbering_of_index(&n, &slice, i) ==
			            numbering_of_index(&n, &slice, from) + (i - from) * n.step);
		}
	}
}

/* In the index order the last group is the fastest, wherever the kings' digits are. */
static void test_row_of_the_index(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint32_t row;
	} cases[] = {
		{"KQvK", 64},  {"KPvK", 48},   {"KBBvK", 64 * 63 / 2}, {"KPPvK", 48 * 47 / 2},
		{"KQvKP", 48}, {"KRPvKN", 64}, {"KRPvK", 48},          {"KNNNvK", 64 * 63 * 62 / 6},
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
		{"KQvKR",
	         "KQkr/rkQK",
	         NULL,
	         EL_ORDER_GIVEN,
	         {{4, {0, 1, 2, 3}}, {4, {3, 2, 1, 0}}}},
		{"KQvKR", "index/rkQK", NULL, EL_ORDER_GIVEN, {{0}, {4, {3, 2, 1, 0}}}},
		{"KQvKR", "rkQK/index", NULL, EL_ORDER_GIVEN, {{4, {3, 2, 1, 0}}, {0}}},
		{"KQvKR", "index/index", "index", EL_ORDER_INDEX, {{0}}},
		{"KQvKR",
	         "KkQr/KkQr",
	         "KkQr",
	         EL_ORDER_GIVEN,
	         {{4, {0, 2, 1, 3}}, {4, {0, 2, 1, 3}}}},
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
		{"KQvKR", ""},          {"KQvKR", "KQk"},
		{"KQvKR", "KQkrr"},     {"KQvKR", "KQkk"},
		{"KQvKR", "KQkb"},      {"KQvKR", "kqKR"},
		{"KQvKR", "Index"},     {"KQvKR", "bestest"},
		{"KQvKR", "indexx"},    {"KQvKR", "KQkr/"},
		{"KQvKR", "/KQkr"},     {"KQvKR", "/"},
		{"KQvKR", "KQkr/KQk"},  {"KQvKR", "KQkr/best"},
		{"KQvKR", "best/KQkr"}, {"KQvKR", "KQkr/KQkr/KQkr"},
		{"KQvKR", " KQkr"},     {"KBBvK", "KBBk"},
		{"KQvKQ", "KQkq/KQkq"}, {"KQvKQ", "index/index"},
	};
	struct el_error error;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_slice slice = slice_named(cases[i].slice);
		struct el_table_options o = el_table_options_default(), before = o;
		assert_int_equal(el_order_parse(cases[i].text, &slice, &o, &error), EL_USAGE);
		fixture_same_options(&o, &before);
		char words[96];
		snprintf(words, sizeof words,
		         "order '%s': expected index, best, smallest, or the pieces of %s",
		         cases[i].text, cases[i].slice);
		assert_non_null(strstr(error.text, words));
	}
}

/* Without a slice the pieces are unknown too. */
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
		assert_non_null(strstr(error.text, "': expected index, best or smallest"));
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
		assert_int_equal(o.derive, el_derives[i]);
		assert_string_equal(el_derive_name(o.derive), el_derive_names[i]);
	}
	assert_int_equal(el_derive_parse("moves", &o.derive, &error), EL_USAGE);
	assert_string_equal(
		error.text,
		"derive 'moves': expected one of nothing, captures, side, captures+side, "
		"outcomes, outcomes+side");
	assert_int_equal(o.derive, EL_DERIVE_OUTCOMES_SIDE);
	el_table_options_format(&slice, &o, text, sizeof text);
	assert_string_equal(text, "zstd:9 16K best outcomes+side");
	assert_int_equal(el_derive_parse("captures", &o.derive, NULL), EL_OK);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bijections),
		cmocka_unit_test(test_numbers_of_indexes),
		cmocka_unit_test(test_runs_of_indexes),
		cmocka_unit_test(test_row_of_the_index),
		cmocka_unit_test(test_no_orders),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_wrong_words),
		cmocka_unit_test(test_words_without_a_slice),
		cmocka_unit_test(test_other_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
