/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presets: their effect on tables of every metric, complete and partial; none is refused. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const enum el_preset presets[] = {EL_PRESET_USUAL, EL_PRESET_FAST, EL_PRESET_SMALL};
enum { COUNT = sizeof presets / sizeof *presets };

static void build(struct el_library *library, struct el_plan *plan, enum el_preset preset)
{
	struct el_error error = {0};
	const struct el_build_options options = {.table = el_table_options_preset(preset)};
	const enum el_status status = el_build(library, plan, &options, NULL, &error);
	if (status)
		print_error("%s\n", error.text);
	assert_int_equal(status, EL_OK);
	el_plan_free(plan);
}

/* The entry of an existing table. */
static struct el_entry entry_of(const struct el_entry *entries, size_t count, const char *slice,
                                const struct el_metric *metric)
{
	for (size_t i = 0; i < count; i++)
		if (!entries[i].ignored && !strcmp(entries[i].slice.name, slice) &&
		    entries[i].metric == metric)
			return entries[i];
	fail_msg("%s %s is not there", slice, metric->name);
	return (struct el_entry){0};
}

static struct el_entry form_in(struct el_library *library, const char *slice,
                               const struct el_metric *metric)
{
	struct el_entry *entries;
	struct el_error error;
	size_t count;
	assert_int_equal(el_library_list(library, &entries, &count, &error), EL_OK);
	const struct el_entry entry = entry_of(entries, count, slice, metric);
	el_entries_free(entries, count);
	return entry;
}

/* What a small table must leave out. */
static enum el_derive smallest(const struct el_metric *metric)
{
	return metric == &el_dtzr                       ? EL_DERIVE_NOTHING
	       : metric == &el_win || metric == &el_dtr ? EL_DERIVE_CAPTURES
	                                                : EL_DERIVE_BOTH;
}

/* Usual tables leave out a side, and captures only where a side that has one must make one; fast
   tables answer every probe alone. */
static enum el_derive left_out(enum el_preset preset, const struct el_slice *slice,
                               const struct el_metric *metric)
{
	return preset == EL_PRESET_FAST ? EL_DERIVE_NOTHING
	       : preset == EL_PRESET_SMALL || slice->game == &el_checkers
	               ? smallest(metric)
	               : smallest(metric) & EL_DERIVE_SIDE;
}

static void check_slice(const char *names, const char *slice,
                        const struct el_metric *const *metrics)
{
	char directory[SCRATCH_PATH], usual[SCRATCH_PATH];
	scratch_make(usual);
	fixture_build_in(usual, names, metrics);
	struct el_library *truth = fixture_library(usual, NULL);
	for (size_t i = 0; i < COUNT; i++) {
		scratch_make(directory);
		struct el_library *library = fixture_library(directory, NULL);
		struct el_plan plan = fixture_plan(library, names, metrics);
		build(library, &plan, presets[i]);
		for (size_t k = 0; metrics[k]; k++) {
			struct el_planes planes = fixture_stored(truth, slice, metrics[k]);
			const struct el_entry entry = form_in(library, slice, metrics[k]);
			el_planes_mark_broken(&planes); /* of which each has its own fill */
			assert_int_equal(el_preset_of(&entry.form, &entry.slice, metrics[k], false),
			                 presets[i]);
			/* With one plane for both sides there is none to leave out. */
			const enum el_derive can =
				planes.slice.planes > 1 ? EL_DERIVE_BOTH : EL_DERIVE_CAPTURES;
			assert_int_equal(entry.form.derive,
			                 left_out(presets[i], &planes.slice, metrics[k]) & can);
			assert_int_equal(fixture_wrong_planes(library, &planes), 0);
			el_planes_free(&planes);
		}
		el_library_close(library);
		scratch_remove(directory);
	}
	el_library_close(truth);
	scratch_remove(usual);
}

static void every_metric_of_chess(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm,
	                                                  &el_dtz,
	                                                  &el_wdl,
	                                                  &el_win,
	                                                  &el_dtr,
	                                                  &el_dtzr,
	                                                  &el_wdl_rule[EL_RULE_USUAL - 1],
	                                                  NULL};
	(void)state;
	check_slice("KRvK", "KRvK", metrics);
}

static void every_metric_of_draughts(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtw, &el_wdl, NULL};
	(void)state;
	check_slice("checkers:KvM", "checkers:KvM", metrics);
}

/* No codec sees its board. */
static void every_metric_of_morris(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtw, &el_wdl, NULL};
	(void)state;
	const char *slice = tests_are_slow() ? "morris:3v3" : "morris:4v3";
	check_slice(slice, slice, metrics);
}

static void every_metric_of_awari(void **state)
{
	static const struct el_metric *const metrics[] = {&el_score, NULL};
	(void)state;
	check_slice("awari:7 awari:8", "awari:8", metrics);
}

/* What makes the smallest tables depends on whether codecs see a board. */
static void small_by_board(void **state)
{
	static const struct {
		const char *slice;
		const struct el_metric *metric;
		const char *codec;
		uint32_t block;
	} of[] = {
		{"KQvKR", &el_dtm, "net", 4096},
		{"KRPvKR", &el_dtm, "net", 4096},
		{"KRPvKR", &el_wdl, "net", 65536},
		{"checkers:KKKvKK", &el_dtw, "net", 4096},
		{"checkers:KKKvKK", &el_wdl, "net", 65536},
		{"morris:4v3", &el_dtw, "xz", 65536},
		{"morris:4v3", &el_wdl, "pairs", 65536},
	};
	(void)state;
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		const struct el_slice slice = slice_named(of[i].slice);
		const struct el_table_options o =
			el_preset_options(EL_PRESET_SMALL, &slice, of[i].metric, false);
		assert_string_equal(o.codec.codec->name, of[i].codec);
		assert_int_equal(o.block_positions, of[i].block);
		assert_int_equal(el_preset_of(&o, &slice, of[i].metric, false), EL_PRESET_SMALL);
	}
}

/* Their sides cannot be left out, and missing tables do not matter. */
static void bounds(void **state)
{
	char directory[SCRATCH_PATH];
	struct el_error error;
	struct el_slice slice;
	(void)state;
	scratch_make(directory);
	struct el_library *library = fixture_library(directory, NULL);
	assert_int_equal(el_slice_parse("KPvK", &slice, &error), EL_OK);
	for (size_t i = 0; i < COUNT; i++) {
		struct el_plan plan;
		const struct el_plan_wish wish = {.slices = &slice, .count = 1, .partial = true};
		assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
		build(library, &plan, presets[i]);
		const struct el_entry entry = form_in(library, "KPvK", &el_wdl);
		assert_true(entry.partial);
		assert_int_equal(el_preset_of(&entry.form, &entry.slice, &el_wdl, true),
		                 presets[i]);
		assert_false(entry.form.derive & EL_DERIVE_SIDE);
	}
	el_library_close(library);
	scratch_remove(directory);
}

/* A table whose captures and moves lead to missing tables keeps everything. */
static void what_cannot_be_derived_is_kept(void **state)
{
	char directory[SCRATCH_PATH], alone[SCRATCH_PATH], from[SCRATCH_PATH + 32],
		to[SCRATCH_PATH + 32];
	static const struct el_metric *const wdl[] = {&el_wdl, NULL};
	const struct el_table_options small = el_table_options_preset(EL_PRESET_SMALL);
	struct el_recoded recoded;
	struct el_error error;
	(void)state;
	if (tests_are_slow())
		skip();
	scratch_make(directory);
	scratch_make(alone);
	fixture_build_in(directory, "KRvKN", wdl);
	snprintf(from, sizeof from, "%s/KRvKN.wdl.egt", directory);
	snprintf(to, sizeof to, "%s/KRvKN.wdl.egt", alone);
	struct el_library *library = fixture_library(alone, NULL);
	assert_int_equal(el_recode(library, from, to, &small, NULL, &recoded, &error), EL_OK);
	assert_int_equal(recoded.options.derive, EL_DERIVE_NOTHING);
	assert_int_equal(recoded.options.left_out, 0);
	assert_string_equal(recoded.options.codec.codec->name, "net");
	el_library_close(library);
	scratch_remove(directory);
	scratch_remove(alone);
}

/* A table with every option chosen by hand is like no preset, unless it is one. */
static void choices_are_told_from_presets(void **state)
{
	struct el_table_options o = el_table_options_default();
	struct el_order order = {3, {2, 0, 1}};
	const struct el_slice slice = slice_named("KRvK");
	(void)state;
	assert_int_equal(el_preset_of(&o, &slice, &el_dtm, false), EL_PRESET_USUAL);
	o.derive = EL_DERIVE_CAPTURES;
	assert_int_equal(el_preset_of(&o, &slice, &el_dtm, false), EL_PRESET_NONE);
	o.derive = EL_DERIVE_NOTHING;
	o.ordering = EL_ORDER_GIVEN;
	o.order[0] = order;
	assert_int_equal(el_preset_of(&o, &slice, &el_dtm, false), EL_PRESET_NONE);
	o = el_table_options_default();
	o.codec.option[0]++;
	assert_int_equal(el_preset_of(&o, &slice, &el_dtm, false), EL_PRESET_NONE);
	o = el_table_options_default();
	o.block_positions *= 2;
	assert_int_equal(el_preset_of(&o, &slice, &el_dtm, false), EL_PRESET_NONE);
}

static enum el_tier tier_of(const char *codec, uint32_t block, enum el_derive derive,
                            const struct el_metric *metric)
{
	struct el_table_options o = el_table_options_default();
	assert_int_equal(el_codec_parse(codec, &o.codec, NULL), EL_OK);
	o.block_positions = block;
	o.derive = derive;
	return el_table_tier(&o, metric);
}

/* The tiers of what samples/compression.md measured: microseconds of a warm probe, where nothing is
   derived. */
static void tiers_are_as_measured(void **state)
{
	(void)state;
	static const struct {
		const char *codec;
		uint32_t block;
		const struct el_metric *metric;
		double us;
	} measured[] = {
		{"raw", 4096, &el_dtm, 2.5},     {"raw", 4096, &el_wdl, 1.4},
		{"pairs", 4096, &el_dtm, 1.9},   {"pairs", 4096, &el_wdl, 1.1},
		{"pairs", 65536, &el_wdl, 3.6},  {"zstd", 4096, &el_dtm, 8.9},
		{"zstd", 16384, &el_dtm, 25.2},  {"zstd", 16384, &el_wdl, 20.4},
		{"zstd:9", 65536, &el_wdl, 105}, {"zstd:9", 262144, &el_wdl, 433},
		{"xz", 4096, &el_dtm, 72.9},     {"net", 16384, &el_wdl, 230},
		{"net", 65536, &el_wdl, 1000},
	};
	for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
		assert_int_equal(tier_of(measured[i].codec, measured[i].block, EL_DERIVE_NOTHING,
		                         measured[i].metric),
		                 measured[i].us < 5     ? EL_TIER_SEARCH
		                 : measured[i].us < 100 ? EL_TIER_ROOT
		                                        : EL_TIER_ARCHIVE);
}

/* Every codec has a tier; larger blocks and a side left out never make a table quicker. */
static void tiers_hold(void **state)
{
	(void)state;
	static const struct el_metric *const metrics[] = {&el_dtm, &el_wdl};
	const struct el_codec *codec;
	for (size_t i = 0; (codec = el_codec_at(i)); i++)
		for (size_t m = 0; m < 2; m++)
			for (uint32_t block = EL_BLOCK_MIN; block < EL_BLOCK_MAX; block *= 2) {
				const enum el_tier tier =
					tier_of(codec->name, block, EL_DERIVE_CAPTURES, metrics[m]);
				assert_int_not_equal(tier, EL_TIER_UNKNOWN);
				assert_non_null(el_tier_names[tier]);
				assert_true(tier_of(codec->name, 2 * block, EL_DERIVE_CAPTURES,
				                    metrics[m]) >= tier);
				const enum el_tier side =
					tier_of(codec->name, block, EL_DERIVE_BOTH, metrics[m]);
				assert_true(side >= tier && side != EL_TIER_SEARCH);
			}
}

static void names(void **state)
{
	(void)state;
	for (int i = 0; i < EL_PRESETS; i++)
		assert_int_equal(el_preset_find(el_preset_names[i]), i);
	assert_int_equal(el_preset_find("tiny"), EL_PRESET_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_metric_of_chess),
		cmocka_unit_test(every_metric_of_draughts),
		cmocka_unit_test(every_metric_of_morris),
		cmocka_unit_test(every_metric_of_awari),
		cmocka_unit_test(small_by_board),
		cmocka_unit_test(bounds),
		cmocka_unit_test(what_cannot_be_derived_is_kept),
		cmocka_unit_test(choices_are_told_from_presets),
		cmocka_unit_test(tiers_are_as_measured),
		cmocka_unit_test(tiers_hold),
		cmocka_unit_test(names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
