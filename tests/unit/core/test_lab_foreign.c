/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Foreign files in the lab: which of them are candidates, beside which tables; the lab measures
   them like ours and never writes to them; and what happens if one is damaged during a run. */
#include "tests/fixtures/foreign_fixture.h"
#include "tests/fixtures/lab_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- which files are candidates ---- */

static const struct el_source_ops *candidate(const char *path, const char *slice,
                                             const char *metric, enum el_status status)
{
	const struct el_entry entry = {.path = path, .status = status, .ignored = "a reason"};
	const struct el_slice of = slice_named(slice);
	return el_lab_foreign(&entry, &of, el_metric_find(metric));
}

static void test_which_are_candidates(void **state)
{
	(void)state;
	static const struct {
		const char *path, *slice, *metric;
		const struct el_source_ops *kind;
	} cases[] = {
		{"a/KQvKR.rtbw", "KQvKR", "wdl50", &el_source_syzygy},
		{"a/KQvKR.rtbw", "KQvKR", "wdl", &el_source_syzygy},
		{"a/KQvKR.rtbw", "KQvKR", "win", &el_source_syzygy},
		{"a/KQvKR.rtbw", "KQvKR", "wdl20", NULL},
		{"a/KQvKR.rtbw", "KQvKR", "dtz50", NULL},
		{"a/KQvKR.rtbw", "KRvKQ", "wdl", &el_source_syzygy},
		{"a/KQvKR.rtbw", "KQvK", "wdl", NULL},
		{"a/KQvKR.rtbz", "KQvKR", "dtz50", &el_source_syzygy_dtz},
		{"a/KQvKR.rtbz", "KQvKR", "dtz", NULL},
		{"a/KQvKR.rtbz", "KQvKR", "wdl50", NULL},
		{"a/kqk.gtb.cp1", "KQvK", "dtm", &el_source_gaviota_cp1},
		{"a/kqk.gtb.cp4", "KQvK", "dtm", &el_source_gaviota},
		{"a/std_3_4_0_0.sec2", "morris:4v3", "dtw", &el_source_malom},
		{"a/std_3_4_0_0.sec2", "morris:3v3", "dtw", NULL},
		{"a/db4.cpr#KMvKM", "checkers:KMvKM", "wdl", &el_source_cake},
		{"a/db4.cpr#KMvKM", "checkers:KKvKM", "wdl", NULL},
		{"a/kqk.gtb.cp4", "KQvK", "wdl", NULL}, /* no match: it holds depths as well */
		{"a/KQvK.dtm.egt", "KQvK", "dtm", NULL},
		{"a/KQvK.nbw", "KQvK", "dtm", NULL},
		{"a/readme.txt", "KQvK", "dtm", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_ptr_equal(candidate(cases[i].path, cases[i].slice, cases[i].metric, EL_OK),
		                 cases[i].kind);
		assert_null(candidate(cases[i].path, cases[i].slice, cases[i].metric, EL_DAMAGED));
	}
}

static void test_words(void **state)
{
	(void)state;
	struct el_lab_candidate c = {.foreign = &el_source_syzygy};
	char text[96];
	el_lab_candidate_format(NULL, &c, text, sizeof text);
	assert_string_equal(text, "syzygy rtbw");
	c.options.derive = EL_DERIVE_CAPTURES;
	el_lab_candidate_format(NULL, &c, text, sizeof text);
	assert_string_equal(text, "syzygy rtbw captures");
}

/* ---- runs ---- */

static const char *write_all_draws(void)
{
	const char *path = fixture_path(folder, "KBvK.rtbw");
	fixture_write_file(path, all_draws, sizeof all_draws);
	return path;
}

static void test_beside_ours(void **state)
{
	(void)state;
	static struct lab_heard heard;
	write_all_draws();
	struct el_library *library = fixture_library(small_test_tables(), folder);
	const struct el_lab_candidate candidates[] = {
		lab_ours("raw", EL_FILL_BEST, EL_DERIVE_NOTHING),
		{.foreign = &el_source_syzygy},
	};
	struct el_lab_setup setup = lab_setup(library, "KBvK", candidates, 2);
	setup.metric = &el_wdl;
	for (enum el_workload w = 0; w < EL_WORKLOAD_TRACE; w++) {
		setup.workload = w;
		assert_int_equal(lab_run(&setup, &heard, NULL), EL_OK);
		const struct el_lab_result *ours = &heard.results[0], *r = &heard.results[1];
		assert_int_equal(heard.count, 2);
		assert_null(heard.ground.foreign);
		assert_int_equal(ours->status, EL_OK);
		assert_int_equal(r->status, EL_OK);
		assert_string_equal(ours->file, "");
		assert_string_equal(r->file, "KBvK.rtbw");
		assert_int_equal(r->bytes, ALL_DRAWS_BYTES);
		assert_int_equal(r->bytes_beside, 0);
		/* It has as many positions as ours. */
		assert_true(r->bits_per_position / (double)r->bytes ==
		            ours->bits_per_position / (double)ours->bytes);
		assert_int_equal(r->candidate.options.derive, EL_DERIVE_CAPTURES);
		assert_true(r->latency[EL_HOT].n > 0 && r->latency[EL_WARM].n > 0);
		assert_true(heard.ground.cold_checked || !r->latency[EL_COLD].n);
		assert_true(r->encode_mb_s == 0 && r->decode_mb_s == 0 && r->coder_bytes == 0);
		el_lab_pareto(heard.results, 2, EL_HOT, EL_LAB_P99);
		assert_true(r->pareto || ours->pareto);
	}
	el_library_close(library);
	unlink(fixture_path(folder, "KBvK.rtbw"));
}

static void test_which_is_not_there(void **state)
{
	(void)state;
	static struct lab_heard heard;
	struct el_library *library = lab_tables();
	const struct el_lab_candidate candidates[] = {
		{.foreign = &el_source_syzygy},
		lab_ours("raw", EL_FILL_BEST, EL_DERIVE_NOTHING),
	};
	struct el_lab_setup setup = lab_setup(library, "KBvK", candidates, 2);
	setup.metric = &el_wdl;
	assert_int_equal(lab_run(&setup, &heard, NULL), EL_OK);
	assert_int_equal(heard.results[0].status, EL_NEGATIVE);
	assert_non_null(strstr(heard.results[0].error.text, "no .rtbw table of KBvK tells wdl"));
	assert_int_equal(heard.results[1].status, EL_OK);
	el_library_close(library);
}

/* If nothing else has the values, they come from the foreign file, and ours are made of them. */
static void test_values_for_ours(void **state)
{
	(void)state;
	static struct lab_heard heard;
	const char *path = write_all_draws();
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_lab_candidate candidates[] = {
		lab_ours("raw", EL_FILL_NONE, EL_DERIVE_NOTHING),
		lab_ours("zstd", EL_FILL_BEST, EL_DERIVE_CAPTURES),
		{.foreign = &el_source_syzygy},
	};
	struct el_lab_setup setup = lab_setup(library, "KBvK", candidates, 3);
	for (int rule = 0; rule < 2; rule++) {
		setup.metric = rule ? &el_wdl_rule[EL_RULE_USUAL - 1] : &el_wdl;
		assert_int_equal(lab_run(&setup, &heard, NULL), EL_OK);
		assert_ptr_equal(heard.ground.foreign, &el_source_syzygy);
		for (size_t i = 0; i < 3; i++)
			assert_int_equal(heard.results[i].status, EL_OK);
	}
	setup.metric = &el_dtm;
	assert_int_equal(lab_run(&setup, &heard, NULL), EL_NEGATIVE);
	el_library_close(library);
	unlink(path);
}

/* ---- files that are not what they say ---- */

static void test_other_values(void **state)
{
	(void)state;
	static struct lab_heard heard;
	const char *foreign = write_all_draws();
	const char *own = fixture_path(folder, "KBvK.wdl.egt");
	struct el_planes made_up = fixture_table(own, "KBvK", &el_wdl, 3);
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_lab_candidate candidates[] = {
		{.foreign = &el_source_syzygy},
		lab_ours("raw", EL_FILL_NONE, EL_DERIVE_NOTHING),
	};
	struct el_lab_setup setup = lab_setup(library, "KBvK", candidates, 2);
	setup.metric = &el_wdl;
	assert_int_equal(lab_run(&setup, &heard, NULL), EL_OK);
	const struct el_lab_result *r = &heard.results[0];
	assert_int_equal(r->status, EL_DAMAGED);
	assert_true(!strncmp(r->error.text, foreign, strlen(foreign)));
	assert_non_null(strstr(r->error.text, "a probe found draw"));
	assert_int_equal(r->latency[EL_HOT].n, 0);
	assert_int_equal(heard.results[1].status, EL_OK);
	el_planes_free(&made_up);
	el_library_close(library);
	unlink(foreign);
	unlink(own);
}

/* Damages a file when the run reaches a stage. */
struct vandal {
	const char *path, *stage;
	bool done;
};

static int damage(void *context, const struct el_progress *progress)
{
	struct vandal *v = context;
	if (!v->done && !strcmp(progress->stage, v->stage)) {
		assert_int_equal(truncate(v->path, 4096), 0);
		v->done = true;
	}
	return 1;
}

static void test_damaged_meanwhile(void **state)
{
	(void)state;
	static const char *const stages[] = {"loading blocks", "warm probes", "trying cache sizes"};
	static struct lab_heard heard;
	const char *path = fixture_path(folder, "KBvK.rtbw");
	for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
		struct vandal vandal = {.path = path, .stage = stages[i]};
		const struct el_watch watch = {&vandal, damage};
		if (!foreign_write_large(path, 1, true)) {
			print_message("note: no files with holes here: not checked\n");
			skip();
		}
		struct el_library *library = fixture_library(small_test_tables(), folder);
		const struct el_lab_candidate candidates[] = {
			{.foreign = &el_source_syzygy},
			lab_ours("raw", EL_FILL_BEST, EL_DERIVE_NOTHING),
		};
		struct el_lab_setup setup = lab_setup(library, "KBvK", candidates, 2);
		setup.metric = &el_wdl;
		assert_int_equal(lab_run(&setup, &heard, &watch), EL_OK);
		const struct el_lab_result *r = &heard.results[0];
		assert_true(vandal.done);
		assert_true(r->status == EL_DAMAGED || r->status == EL_IO);
		assert_true(!strncmp(r->error.text, path, strlen(path)));
		assert_null(strchr(r->error.text, '\n'));
		assert_null(strstr(r->error.text, ".endlab-tmp-"));
		assert_int_equal(heard.count, 2);
		assert_int_equal(heard.results[1].status, EL_OK);
		el_library_close(library);
		unlink(path);
	}
}

/* ---- real files ---- */

static void try_real(const char *tables, const char *slice, const struct el_metric *metric,
                     const struct el_source_ops *kind)
{
	static struct lab_heard heard;
	struct el_library *library = fixture_library(small_test_tables(), tables);
	const struct el_lab_candidate candidates[] = {
		{.foreign = kind},
		lab_ours("pairs", EL_FILL_BEST, EL_DERIVE_CAPTURES),
	};
	struct el_lab_setup setup = lab_setup(library, slice, candidates, 2);
	setup.metric = metric;
	assert_int_equal(lab_run(&setup, &heard, NULL), EL_OK);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(heard.results[i].status, EL_OK);
	el_library_close(library);
}

static void test_real_syzygy(void **state)
{
	(void)state;
	const char *tables = foreign_syzygy();
	static const char *const slices[] = {"KQvK", "KRvK", "KPvK"};
	for (size_t i = 0; i < sizeof slices / sizeof *slices; i++)
		try_real(tables, slices[i], &el_wdl, &el_source_syzygy);
}

/* Depths that were never built here: the foreign file's become the material for ours. Its probes
   also use the file of outcomes beside it, which counts. */
static void test_depths_alone(void **state)
{
	(void)state;
	static struct lab_heard heard;
	struct el_library *library = fixture_library(folder, foreign_syzygy());
	const struct el_lab_candidate candidates[] = {
		{.foreign = &el_source_syzygy_dtz},
		lab_ours("zstd", EL_FILL_BEST, EL_DERIVE_CAPTURES),
	};
	static const char *const slices[] = {"KQvK", "KPvK"};
	for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
		struct el_lab_setup setup = lab_setup(library, slices[i], candidates, 2);
		setup.metric = &el_dtz_rule[EL_RULE_USUAL - 1];
		assert_int_equal(lab_run(&setup, &heard, NULL), EL_OK);
		const struct el_lab_result *r = &heard.results[0];
		assert_ptr_equal(heard.ground.foreign, &el_source_syzygy_dtz);
		assert_int_equal(r->status, EL_OK);
		assert_int_equal(heard.results[1].status, EL_OK);
		assert_true(r->bytes > 0 && r->bytes_beside > 0);
		assert_true(r->bits_per_position >
		            8.0 * (double)r->bytes / (double)heard.ground.positions);
	}
	el_library_close(library);
}

static void test_real_gaviota(void **state)
{
	(void)state;
	const char *tables = foreign_gaviota();
	try_real(tables, "KRvK", &el_dtm, &el_source_gaviota);
	try_real(tables, "KPvK", &el_dtm, &el_source_gaviota);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_which_are_candidates),
		cmocka_unit_test(test_words),
		IN_FOLDER(test_beside_ours),
		IN_FOLDER(test_which_is_not_there),
		IN_FOLDER(test_values_for_ours),
		IN_FOLDER(test_other_values),
		IN_FOLDER(test_damaged_meanwhile),
		IN_FOLDER(test_real_syzygy),
		IN_FOLDER(test_depths_alone),
		IN_FOLDER(test_real_gaviota),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
