/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same answers from every form of a table: each codec of the list x fill x order x derivation,
 * written to a file and probed through the library, against the solver's planes in memory. A codec
 * that joins the list is tested here automatically. `TRUTH=all` in the environment takes every form
 * of KRvK and of awari with usual settings.
 */
#include "core/probe/probe.h"
#include "core/whole/whole.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- forms ---- */

/* The orders to try: by word, the pieces in order, and the reverse. */
static const char *const orders[] = {"index", "best", "given"};
enum { ORDERS = sizeof orders / sizeof *orders, FILLS = 3, DERIVES = 4 };

/* The settings of a codec: the usual ones, then each option at its limits. */
static unsigned settings_of(const struct el_codec *codec)
{
	return 1 + 2 * codec->option_count;
}

static struct el_codec_choice setting(const struct el_codec *codec, unsigned number)
{
	struct el_codec_choice choice = {.codec = codec};
	for (unsigned i = 0; i < codec->option_count; i++)
		choice.option[i] = codec->options[i].usual;
	if (number) {
		const struct el_codec_option *option = &codec->options[(number - 1) / 2];
		choice.option[(number - 1) / 2] = number % 2 ? option->least : option->most;
	}
	return choice;
}

/* The digits of plane 0 in reverse, those of plane 1 rotated by one. */
static void give_orders(const struct el_slice *slice, struct el_table_options *out)
{
	struct el_digits digits;
	slice->game->digits(slice, &digits);
	out->ordering = EL_ORDER_GIVEN;
	for (unsigned p = 0; p < slice->planes; p++) {
		out->order[p].count = (uint8_t)digits.count;
		for (unsigned i = 0; i < digits.count; i++)
			out->order[p].digit[i] =
				(uint8_t)(p ? (i + 1) % digits.count : digits.count - 1 - i);
	}
}

/* One of the FILLS * ORDERS * DERIVES forms of a codec's setting. */
static struct el_table_options form_numbered(const struct el_slice *slice,
                                             struct el_codec_choice codec, unsigned number)
{
	static const uint32_t blocks[] = {EL_BLOCK_MIN, 4096, 1 << 16, EL_BLOCK_MAX, 1024};
	struct el_table_options o = {.codec = codec, .block_positions = blocks[number % 5]};
	o.fill = (enum el_fill)(number % FILLS);
	o.derive = (enum el_derive)(number / FILLS % DERIVES);
	const char *order = orders[number / FILLS / DERIVES];
	const bool given = !strcmp(order, "given");
	if (given && slice->game->digits)
		give_orders(slice, &o);
	else
		assert_int_equal(el_order_parse(given ? "smallest" : order, slice, &o, NULL),
		                 EL_OK);
	return o;
}

/* ---- probes ---- */

/* Probes every `stride`-th legal position, some with the colours swapped. */
static uint64_t wrong_probes(struct el_library *library, const struct el_planes *planes,
                             uint64_t stride)
{
	const struct el_slice *slice = &planes->slice;
	uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
	for (uint64_t i = 0; i < slice->planes * slice->positions; i += stride) {
		const unsigned plane = (unsigned)(i / slice->positions);
		const uint64_t index = i % slice->positions;
		struct el_position p;
		struct el_value value = {.outcome = EL_UNKNOWN};
		struct el_value expected = el_plane_value(&planes->plane[plane], index);
		if (!slice->game->unplace(slice, plane, index, &p))
			continue;
		if (i % 3 == 0)
			slice->game->swap_colours(&p, &p);
		enum el_status status = el_library_value(library, slice->game, &p, planes->metric,
		                                         EL_PROBE_FULL, &value, NULL);
		wrong += status != EL_OK || !el_value_equal(value, expected);
		/* Outcomes of moves do not determine outcomes that are sums. */
		if (planes->metric->kind->adds_up) {
			status = el_library_value(library, slice->game, &p, &el_wdl, EL_PROBE_FULL,
			                          &value, NULL);
			wrong +=
				status != EL_OK || value.outcome != expected.outcome || value.plies;
		}
	}
	return wrong;
}

static void check_form(const struct el_planes *planes, const struct el_table_options *options,
                       uint64_t stride)
{
	const char *path = fixture_path(folder, "form.egt");
	char words[128];
	fixture_write(path, planes, options);
	struct el_library *library = fixture_library(folder, small_test_tables());
	uint64_t planes_wrong = fixture_wrong_planes(library, planes);
	uint64_t probes_wrong = wrong_probes(library, planes, stride);
	el_table_options_format(&planes->slice, options, words, sizeof words);
	if (planes_wrong || probes_wrong)
		fail_msg("%s %s, %s: %llu values and %llu probes are wrong", planes->slice.name,
		         planes->metric->name, words, (unsigned long long)planes_wrong,
		         (unsigned long long)probes_wrong);
	el_library_close(library);
}

/* ---- slices ---- */

/* The share of a slice to test: one of so many forms with usual settings of the codec and with
   others (0: none of these), and one of so many positions. */
struct effort {
	unsigned usual_forms, other_forms;
	uint64_t positions;
};

/* A solved slice with derivable captures marked; `below`, the slices that captures lead to, is
   written to the folder. */
static struct el_planes planes_of(const char *name, const char *below,
                                  const struct el_metric *metric)
{
	const struct el_metric *const metrics[] = {metric, NULL};
	struct el_library *library = fixture_library(folder, small_test_tables());
	struct el_error error = {.text = ""};
	if (below)
		assert_int_equal(fixture_build(library, below, metrics), EL_OK);
	struct el_planes planes = solved_planes(library, name, metric);
	if (el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, &error))
		fail_msg("%s: %s", name, error.text);
	el_library_close(library);
	return planes;
}

static void check_forms(const char *name, const char *below, const struct el_metric *metric,
                        struct effort effort)
{
	struct el_planes planes = planes_of(name, below, metric);
	const struct el_codec *codec;
	unsigned number = 0, tried = 0; /* of forms, over all settings */
	for (size_t c = 0; (codec = el_codec_at(c)); c++)
		for (unsigned s = 0; s < settings_of(codec); s++)
			for (unsigned f = 0; f < FILLS * ORDERS * DERIVES; f++, number++) {
				unsigned of = s ? effort.other_forms : effort.usual_forms;
				if (!of || (s ? number : c * FILLS * ORDERS * DERIVES + f) % of)
					continue;
				struct el_table_options options =
					form_numbered(&planes.slice, setting(codec, s), f);
				check_form(&planes, &options,
				           s ? 7 * effort.positions : effort.positions);
				tried++;
			}
	printf("note: %s %s in %u of %u forms\n", name, metric->name, tried, number);
	el_planes_free(&planes);
}

static void check_slice(const char *name, const struct el_metric *metric, struct effort effort)
{
	check_forms(name, NULL, metric, effort);
}

/* The strides of forms share no divisor with the numbers of fills, orders and derivations, so that
   over several codecs each meets each. */
static void test_rook(void **state)
{
	(void)state;
	const struct effort whole = {1, 29, 3}, some = {11, 53, 5}, less = {37, 101, 11};
	check_slice("KRvK", &el_dtm, tests_are_thorough() ? whole : tests_are_slow() ? less : some);
	if (tests_are_thorough())
		check_slice("KRvK", &el_wdl, some);
}

static void test_pawn(void **state)
{
	(void)state;
	const struct effort whole = {5, 0, 13}, some = {13, 0, 13}, less = {37, 0, 41};
	const struct effort here = tests_are_thorough() ? whole : tests_are_slow() ? less : some;
	check_slice("KPvK", &el_dtm, here);
	check_slice("KPvK", &el_wdl, here);
}

/* Codecs see no board of this game. */
static void test_morris(void **state)
{
	(void)state;
	const struct effort whole = {7, 0, 41}, less = {29, 0, 211};
	check_slice("morris:3v3", &el_dtw, tests_are_slow() ? less : whole);
}

/* Nor of this one, whose index has no digits either. */
static void test_awari(void **state)
{
	(void)state;
	const struct effort all = {1, 5, 3}, whole = {5, 29, 7}, less = {29, 0, 211};
	check_forms("awari:7", "awari:4 awari:5", &el_score,
	            tests_are_slow()       ? less
	            : tests_are_thorough() ? all
	                                   : whole);
}

static void test_queen_against_rook(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: four pieces are left out under sanitizers and valgrind");
		skip();
	}
	const unsigned fewer = tests_are_thorough() ? 1 : 5;
	check_slice("KQvKR", &el_dtm, (struct effort){37 * fewer, 0, 13});
	check_slice("KQvKR", &el_wdl, (struct effort){41 * fewer, 0, 13});
}

int main(void)
{
	if (!small_test_tables())
		return 1;
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_rook),
		IN_FOLDER(test_pawn),
		IN_FOLDER(test_morris),
		IN_FOLDER(test_awari),
		IN_FOLDER(test_queen_against_rook),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
