/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best order of a plane's positions against a simple count of runs, and in files. */
#include "core/base/hash.h"
#include "core/table/view.h"
#include "core/whole/whole.h"
#include "tests/fixtures/orders.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- by hand ---- */

/*
 * Counts the runs of a plane in an order: every number in turn, and the range of scores that one
 * value for the whole run may have. Values are trimmed as in the file: a value that only derivable
 * positions have counts as the best stored one that is no better.
 */
enum { WORST = -1000000, NOWHERE = 1000000 };

/* The scores of positions that are not derivable, and the worst of all. */
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

/* By symbol: the score of the best stored value that is no better. */
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
	/* by number: twice the symbol, plus one if it is derivable */
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

/* ---- by the program ---- */

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
	struct el_table_options options = el_table_options_default();
	options.derive = derive;
	for (int threads = 1; threads <= 8; threads += 7) {
		omp_set_num_threads(threads);
		const struct view_task task = {planes, p, &options, NULL, NULL};
		assert_int_equal(view_best_order(&task, &found, NULL), EL_OK);
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
	assert_int_equal(el_library_planes(library, &slice, &el_dtm, NULL, &planes, NULL), EL_OK);
	el_planes_mark_broken(&planes);
	el_library_close(library);
	return planes;
}

/* Wins wherever one digit says so, some derivable; elsewhere losses by another digit. So any order
   may be best, and a different one if the wins need not be kept. */
static struct el_planes patterned_planes(uint64_t seed)
{
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, seed);
	const unsigned lost = (unsigned)(fixture_random(&seed) % 3);
	const unsigned won = (lost + 1 + (unsigned)(fixture_random(&seed) % 2)) % 3;
	for (unsigned p = 0; p < 2; p++) {
		struct el_plane *plane = &planes.plane[p];
		plane->derivable = calloc(planes.slice.positions, 1);
		for (uint64_t i = 0; i < planes.slice.positions; i++) {
			uint32_t digit[EL_DIGITS_MAX];
			planes.slice.game->take_apart(&planes.slice, i, digit);
			uint64_t loss = seed + digit[lost] / 8, win = ~seed + digit[won];
			bool wins = fixture_random(&win) % 2;
			uint64_t symbol = wins ? 60 : 1 + fixture_random(&loss) % 39;
			plane->symbols[i] = (uint16_t)(plane->symbols[i] ? symbol : 0);
			plane->derivable[i] = wins && p;
		}
	}
	return planes;
}

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
	for (uint64_t seed = 30; seed < (tests_are_slow() ? 34 : 50); seed++) {
		struct el_planes planes = patterned_planes(seed);
		check_best(&planes, 0, EL_DERIVE_CAPTURES);
		check_best(&planes, 1, EL_DERIVE_CAPTURES);
		el_planes_free(&planes);
	}
}

/* The file has the order that was found, and no thread count changes a byte. */
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
		const struct view_task task = {&planes, p, &o, NULL, NULL};
		assert_int_equal(view_best_order(&task, &best, NULL), EL_OK);
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
	assert_int_equal(
		el_table_write(fixture_path(folder, "x.egt"), &planes, &o, &watch, NULL, &error),
		EL_STOPPED);
	assert_non_null(strstr(error.text, "KQvK: stopped"));
	assert_true(ticks >= 3);
	assert_int_equal(scratch_count(folder, "x.egt"), 0);
	el_planes_free(&planes);
}

/* No pair of orders makes a smaller file, and the orders stated in the file make the same one. */
static void test_smallest(void **state)
{
	(void)state;
	static const char *const codecs[] = {"rle", "zstd:3"};
	struct el_planes planes = real_planes("KRvK");
	struct el_digits digits;
	planes.slice.game->digits(&planes.slice, &digits);
	for (size_t c = 0; c < 2; c++) {
		struct el_table_options o = fixture_options(codecs[c], 1024, EL_FILL_BEST);
		struct el_table *table;
		uint64_t smallest, bytes, given;
		const char *path = fixture_path(folder, "smallest.egt");
		o.ordering = EL_ORDER_SMALLEST;
		assert_int_equal(el_table_write(path, &planes, &o, NULL, &smallest, NULL), EL_OK);
		assert_int_equal(el_table_open(path, &table, NULL), EL_OK);
		struct el_table_options found = el_table_info(table)->options;
		el_table_close(table);
		assert_int_equal(found.ordering, EL_ORDER_GIVEN);
		assert_int_equal(el_table_write(path, &planes, &found, NULL, &given, NULL), EL_OK);
		assert_true(given == smallest);
		struct el_order order = {.count = (uint8_t)digits.count};
		for (unsigned d = 0; d < digits.count; d++)
			order.digit[d] = (uint8_t)d;
		o.ordering = EL_ORDER_GIVEN;
		do {
			o.order[0] = o.order[1] = order;
			assert_int_equal(el_table_write(path, &planes, &o, NULL, &bytes, NULL),
			                 EL_OK);
			assert_true(smallest <= bytes);
		} while (next_order(&order));
	}
	el_planes_free(&planes);
}

static uint64_t bytes_without(struct el_planes *planes, unsigned side, struct el_table_options *o)
{
	uint64_t bytes;
	planes->told_late = (uint8_t)(side + 1); /* the only one that may be left out */
	assert_int_equal(
		el_table_write(fixture_path(folder, "side.egt"), planes, o, NULL, &bytes, NULL),
		EL_OK);
	planes->told_late = 0;
	return bytes;
}

/* A codec that weighs keeps the side that takes less, in an order that takes at most a tenth more than the
   best one. */
static void test_lighter(void **state)
{
	static const char *const names[] = {"KRvK", "KPvK"};
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct el_planes planes = real_planes(names[i]);
		struct el_table_options o = fixture_options("net", 1024, EL_FILL_BEST);
		const char *path = fixture_path(folder, "lighter.egt");
		const struct view_task task = {&planes, 0, &o, path, NULL};
		struct el_order found;
		struct el_table *table;
		uint64_t bytes, least = UINT64_MAX;
		unsigned kept;
		assert_int_equal(view_lighter(&task, &kept, &found, NULL), EL_OK);
		assert_true(kept < 2);
		o.derive = EL_DERIVE_SIDE;
		o.ordering = EL_ORDER_BEST;
		assert_int_equal(el_table_write(path, &planes, &o, NULL, &bytes, NULL), EL_OK);
		assert_int_equal(el_table_open(path, &table, NULL), EL_OK);
		assert_int_equal(el_table_info(table)->options.left_out, kept ? 1 : 2);
		assert_memory_equal(&el_table_info(table)->options.order[kept], &found,
		                    sizeof found);
		el_table_close(table);
		assert_true(bytes < bytes_without(&planes, kept, &o));
		const struct el_digits digits = digits_of(&planes.slice);
		struct el_order order = first_order(&digits);
		o.ordering = EL_ORDER_GIVEN;
		do {
			o.order[0] = o.order[1] = order;
			const uint64_t other = bytes_without(&planes, !kept, &o);
			least = other < least ? other : least;
		} while (next_order(&order));
		assert_true(bytes <= least + least / 10);
		el_planes_free(&planes);
	}
}

/* Blocks of an index whose digits have 64 values: samples of them see every value of each digit. */
static void samples_see_every_digit(void **state)
{
	enum { COUNT = 1024, DIGITS = 3 };
	const uint64_t all = UINT64_C(1) << 18;
	bool seen[DIGITS][64] = {{false}};
	(void)state;
	for (uint64_t i = 0; i < COUNT; i++) {
		const uint64_t place = sample_place(i, COUNT, all);
		assert_in_range(place, all / COUNT * i, all / COUNT * (i + 1) - 1);
		for (unsigned d = 0; d < DIGITS; d++)
			seen[d][place >> 6 * d & 63] = true;
	}
	for (unsigned d = 0; d < DIGITS; d++)
		for (unsigned v = 0; v < 64; v++)
			assert_true(seen[d][v]);
	for (uint64_t i = 0; i < 7; i++)
		assert_int_equal(sample_place(i, 7, 7), i);
}

int main(void)
{
	omp_set_num_threads(1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_best),     IN_FOLDER(test_best_in_files),
		IN_FOLDER(test_best_is_stopped), IN_FOLDER(test_smallest),
		IN_FOLDER(test_lighter),         cmocka_unit_test(samples_see_every_digit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
