/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large tables lent in pieces if memory is short: which ones, and that the pieces equal the
   table. */
#include "core/os/temporary.h"
#include "core/solve/solve.h"
#include "core/whole/lender.h"
#include "core/whole/loan.h"
#include "core/whole/whole.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char name[] = "KQvKP"; /* large */
enum { PIECE = 100003, MEMORY = 1 << 20 };

/* Any values will do: broken positions make no difference here. */
static struct el_planes any_planes(const struct el_metric *metric)
{
	struct el_planes planes = {.slice = slice_named(name), .metric = metric};
	const bool counts = metric->has_depth;
	uint64_t seed = 1;
	for (unsigned p = 0; p < planes.slice.planes; p++) {
		struct el_plane *plane = &planes.plane[p];
		plane->symbols = malloc(planes.slice.positions * sizeof *plane->symbols);
		assert_non_null(plane->symbols);
		assert_int_equal(el_plane_add_value(plane, (struct el_value){.outcome = EL_BROKEN}),
		                 0);
		el_plane_add_value(plane,
		                   (struct el_value){.outcome = EL_WIN, .plies = counts ? 9 : 0});
		el_plane_add_value(plane, (struct el_value){.outcome = EL_DRAW});
		el_plane_add_value(plane,
		                   (struct el_value){.outcome = EL_LOSS, .plies = counts ? 4 : 0});
		for (uint64_t i = 0; i < planes.slice.positions; i++)
			plane->symbols[i] = (uint16_t)(1 + (i % 64 ? plane->symbols[i - 1] - 1u
			                                           : fixture_random(&seed) % 3));
	}
	return planes;
}

/* Lends a metric's successors, with little memory. EL_NEGATIVE: there are none. */
struct desk {
	struct el_library *library;
	struct lender *lender;
	struct el_lender lends;
	const struct el_planes *planes;
};

static enum el_status borrow(struct desk *d, const struct el_metric *solved)
{
	const struct el_slice slice = slice_named(name);
	struct el_error error;
	d->library = fixture_library(folder, NULL);
	d->lender = lender_open(d->library, NULL);
	d->lends = lender_interface(d->lender);
	lender_set_copies(d->lender, folder);
	assert_int_equal(lender_limit(d->lender, MEMORY, &error), EL_OK);
	return d->lends.lend(d->lends.context, &slice, solved, &d->planes, &error);
}

static void leave(struct desk *d, enum el_status status)
{
	if (!status)
		d->lends.give_back(d->lends.context, d->planes);
	lender_close(d->lender);
	el_library_close(d->library);
}

/* Every value, under the metric in which it is lent. */
static void same_in_pieces(const struct desk *d, const struct el_planes *all)
{
	uint64_t wrong = 0;
	for (unsigned p = 0; p < all->slice.planes; p++)
		for (uint64_t first = 0; first < all->slice.positions; first += PIECE) {
			const uint64_t rest = all->slice.positions - first;
			const uint16_t *piece =
				d->lends.look(d->lends.context, d->planes, p, first, PIECE);
			assert_non_null(piece);
			for (uint64_t i = 0; i < PIECE && i < rest; i++)
				wrong += !el_value_equal(
					d->planes->plane[p].values[piece[i]],
					el_metric_read(all->metric, d->planes->metric,
				                       el_plane_value(&all->plane[p], first + i)));
			d->lends.let_go(d->lends.context, d->planes, p, first, PIECE);
		}
	assert_int_equal(wrong, 0);
}

static struct el_planes written(const struct el_metric *metric,
                                const struct el_table_options *options)
{
	struct el_planes planes = any_planes(metric);
	fixture_write(fixture_path(folder, "KQvKP.dtm.egt"), &planes, options);
	return planes;
}

/* Depths for depths, and outcomes off the same table. */
static void test_in_pieces(void **state)
{
	static const struct el_metric *const solved[] = {&el_dtm, &el_dtc};
	const struct el_table_options options = fixture_options("zstd:1", 16384, EL_FILL_NONE);
	struct el_planes all = written(&el_dtm, &options);
	struct desk d;
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(borrow(&d, solved[i]), EL_OK);
		assert_null(d.planes->plane[0].symbols);
		assert_ptr_equal(d.planes->metric, el_metric_entered(solved[i]));
		same_in_pieces(&d, &all);
		leave(&d, EL_OK);
	}
	el_planes_free(&all);
}

/* Its blocks are not pieces of the index. */
static void test_in_another_order(void **state)
{
	struct el_table_options options = fixture_options("zstd:1", 16384, EL_FILL_NONE);
	const struct el_slice slice = slice_named(name);
	struct desk d;
	(void)state;
	assert_int_equal(el_order_parse("pkQK", &slice, &options, NULL), EL_OK);
	struct el_planes all = written(&el_dtm, &options);
	assert_int_equal(borrow(&d, &el_dtm), EL_OK);
	assert_non_null(d.planes->plane[0].symbols);
	leave(&d, EL_OK);
	el_planes_free(&all);
}

/* With captures left out, and no tables for them: it lacks some values. */
static void test_without_captures(void **state)
{
	struct el_table_options options = fixture_options("zstd:1", 16384, EL_FILL_NONE);
	struct el_planes planes = any_planes(&el_dtm);
	struct desk d;
	(void)state;
	options.derive = EL_DERIVE_CAPTURES;
	for (unsigned p = 0; p < planes.slice.planes; p++)
		planes.plane[p].derivable = calloc(planes.slice.positions, 1);
	fixture_write(fixture_path(folder, "KQvKP.dtm.egt"), &planes, &options);
	el_planes_free(&planes);
	const enum el_status status = borrow(&d, &el_dtm);
	assert_int_equal(status, EL_NEGATIVE);
	leave(&d, status);
}

/* Each plane in a file of its own: the table, and the copy of what it lacks. No move leads to these
   values, so they come from nowhere else. */
static void test_a_side_in_a_copy(void **state)
{
	struct el_table_options options = fixture_options("zstd:1", 16384, EL_FILL_NONE);
	struct el_planes all = any_planes(&el_dtm);
	struct el_table *table;
	struct desk d;
	(void)state;
	options.derive = EL_DERIVE_SIDE;
	for (unsigned lacks = 0; lacks < 2; lacks++) {
		char copy[SCRATCH_PATH + 64];
		const char *path = fixture_path(folder, "KQvKP.dtm.egt");
		all.told_late = (uint8_t)(1u << lacks);
		fixture_write(path, &all, &options);
		assert_int_equal(el_table_open(path, &table, NULL), EL_OK);
		loan_copy_path(folder, el_table_info(table)->checksum, copy, sizeof copy);
		el_table_close(table);
		all.told_late ^= 3;
		fixture_write(copy, &all, &options);
		assert_int_equal(borrow(&d, &el_dtm), EL_OK);
		assert_null(d.planes->plane[0].symbols);
		assert_int_equal(d.planes->origin.left_out, 0);
		same_in_pieces(&d, &all);
		leave(&d, EL_OK);
	}
	el_planes_free(&all);
}

static size_t folders_in(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	size_t count = 0;
	assert_non_null(dir);
	while ((entry = readdir(dir)))
		count += entry->d_type == DT_DIR && el_temporary_named(entry->d_name);
	closedir(dir);
	return count;
}

/* A table that leaves captures to be derived is read whole once: from then on its copy is read in pieces, by
   other lenders, too, and is gone with the last of them. */
static void test_a_copy_of_what_was_derived(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm, NULL};
	const struct el_slice slice = slice_named(name);
	struct el_error error;
	struct desk d;
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, name, metrics), EL_OK);
	struct el_planes all = fixture_stored(library, name, &el_dtm);
	assert_int_equal(el_library_derive(library, &all, EL_DERIVE_CAPTURES, NULL, &error), EL_OK);
	struct el_table_options options = fixture_options("zstd:1", 16384, EL_FILL_BEST);
	options.derive = EL_DERIVE_CAPTURES;
	assert_int_equal(el_order_parse("pkQK", &slice, &options, NULL), EL_OK);
	fixture_write(fixture_path(folder, "KQvKP.dtm.egt"), &all, &options);
	el_library_close(library);
	d.library = fixture_library(folder, NULL);
	struct lender *lenders[2] = {lender_open(d.library, NULL), lender_open(d.library, NULL)};
	assert_int_equal(folders_in(folder), 0);
	for (int i = 0; i < 2; i++) {
		d.lender = lenders[i];
		d.lends = lender_interface(d.lender);
		assert_int_equal(lender_limit(d.lender, MEMORY, &error), EL_OK);
		assert_int_equal(d.lends.lend(d.lends.context, &slice, &el_dtm, &d.planes, &error),
		                 EL_OK);
		assert_int_equal(folders_in(folder), 1);
		assert_null(d.planes->plane[0].symbols);
		same_in_pieces(&d, &all);
		d.lends.give_back(d.lends.context, d.planes);
		lender_close(d.lender);
	}
	assert_int_equal(folders_in(folder), 0);
	el_library_close(d.library);
	el_planes_free(&all);
}

/* Outcomes do not determine depths. */
static void test_of_another_metric(void **state)
{
	const struct el_table_options options = fixture_options("zstd:1", 16384, EL_FILL_NONE);
	struct el_planes planes = any_planes(&el_wdl);
	struct desk d;
	(void)state;
	fixture_write(fixture_path(folder, "KQvKP.wdl.egt"), &planes, &options);
	el_planes_free(&planes);
	const enum el_status status = borrow(&d, &el_dtm);
	assert_int_equal(status, EL_NEGATIVE);
	leave(&d, status);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_in_pieces),         IN_FOLDER(test_in_another_order),
		IN_FOLDER(test_without_captures),  IN_FOLDER(test_a_side_in_a_copy),
		IN_FOLDER(test_of_another_metric), IN_FOLDER(test_a_copy_of_what_was_derived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
