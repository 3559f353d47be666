/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verifying tables: samples against complete proofs, several at a time, and the record kept beside
   them. */
#include "core/examine/verify.h"
#include "core/whole/whole.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <cmocka.h>
#include <omp.h>
#include <pthread.h>

static const struct el_metric *const dtm[] = {&el_dtm, NULL};

/* ---- runs ---- */

enum { TASKS = 64 };

/* The results of tasks, in the order of their reports. */
struct told {
	struct el_verify_result results[TASKS];
	size_t count;
	pthread_t caller;
};

static void take(void *context, const struct el_verify_result *result)
{
	struct told *told = context;
	assert_true(pthread_equal(pthread_self(), told->caller));
	assert_int_equal(result->task, told->count);
	told->results[told->count++] = *result;
}

static struct el_verify_task task_of(const char *name, const struct el_metric *metric)
{
	struct el_verify_task task = {.metric = metric};
	assert_int_equal(el_slice_parse(name, &task.slice, NULL), EL_OK);
	return task;
}

/* Freed by the caller. */
static struct told *run(struct el_library *library, const struct el_verify_task *tasks,
                        size_t count, const struct el_verify_options *options,
                        enum el_status expected)
{
	struct told *told = calloc(1, sizeof *told);
	struct el_error error = {.text = ""};
	assert_non_null(told);
	told->caller = pthread_self();
	assert_int_equal(el_verify_tables(library, tasks, count, options, NULL, take, told, &error),
	                 expected);
	return told;
}

static struct el_verify_result run_one(struct el_library *library, const char *name,
                                       const struct el_metric *metric, uint64_t sample)
{
	const struct el_verify_task task = task_of(name, metric);
	const struct el_verify_options options = {.sample = sample, .again = true};
	struct told *told = run(library, &task, 1, &options, EL_OK);
	const struct el_verify_result result = told->results[0];
	assert_int_equal(told->count, 1);
	free(told);
	return result;
}

static struct el_summary summary_of(struct el_library *library, const char *name)
{
	struct el_entry *entries;
	size_t count;
	struct el_summary found = {.version = "none"};
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	assert_int_equal(el_library_list(library, &entries, &count, NULL), EL_OK);
	for (size_t i = 0; i < count; i++)
		if (entries[i].ours && !strcmp(entries[i].slice.name, name))
			found = entries[i].summary;
	el_entries_free(entries, count);
	return found;
}

/* ---- samples ---- */

/* On sound tables a sample agrees with the complete proof. */
static void test_samples_of_sound_tables(void **state)
{
	(void)state;
	static const struct {
		const char *slice;
		const struct el_metric *metric;
	} tables[] = {
		{"KPvK", &el_dtm},      {"KPvK", &el_wdl},          {"KPvK", &el_dtz},
		{"KQvK", &el_dtc},      {"checkers:KMvM", &el_dtw}, {"morris:3v3", &el_dtw},
		{"awari:8", &el_score}, {"KRvKN", &el_dtm},         {"KPvKP", &el_wdl},
	};
	struct el_library *library = fixture_library(folder, NULL);
	for (size_t i = 0; i < sizeof tables / sizeof *tables - (tests_are_slow() ? 2 : 0); i++) {
		const struct el_metric *const metrics[] = {tables[i].metric, NULL};
		assert_int_equal(fixture_build(library, tables[i].slice, metrics), EL_OK);
		const struct el_verify_result r =
			run_one(library, tables[i].slice, tables[i].metric, 20000);
		assert_int_equal(r.status, EL_OK);
		assert_int_equal(r.verdict.wrong + r.verdict.open, 0);
		assert_true(r.verdict.checked >= 4000);
		const struct el_summary s = summary_of(library, tables[i].slice);
		assert_true(s.positions > 0);
	}
	el_library_close(library);
}

/* A sample as large as the table is the whole table. */
static void test_sample_of_everything(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KQvK", dtm), EL_OK);
	const struct el_verify_result whole = run_one(library, "KQvK", &el_dtm, 0);
	const struct el_verify_result sample = run_one(library, "KQvK", &el_dtm, 10000000);
	assert_int_equal(whole.verdict.checked, 46137);
	assert_int_equal(sample.verdict.checked, 46137);
	el_library_close(library);
}

/* One value in a hundred is wrong, in a table written that way, so its checksums fit. */
static void test_samples_of_wrong_tables(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KRvKN", dtm), EL_OK);
	struct el_planes planes = fixture_stored(library, "KRvKN", &el_dtm);
	uint64_t state_of_random = 7;
	for (unsigned p = 0; p < planes.slice.planes; p++)
		for (uint64_t i = 0; i < planes.slice.positions; i++)
			if (fixture_random(&state_of_random) % 100 == 0 &&
			    planes.plane[p].symbols[i] > 1)
				planes.plane[p].symbols[i]--; /* the value before it */
	const struct el_table_options options = el_table_options_default();
	fixture_write(fixture_path(folder, "KRvKN.dtm.egt"), &planes, &options);
	el_planes_free(&planes);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	const struct el_verify_result once = run_one(library, "KRvKN", &el_dtm, 5000);
	const struct el_verify_result again = run_one(library, "KRvKN", &el_dtm, 5000);
	assert_true(once.verdict.wrong > 100);
	assert_int_equal(again.verdict.wrong, once.verdict.wrong);
	assert_int_equal(again.verdict.checked, once.verdict.checked);
	assert_string_equal(again.verdict.first_fen, once.verdict.first_fen);
	assert_int_equal(summary_of(library, "KRvKN").verified, EL_FOUND_WRONG);
	el_library_close(library);
}

/* Metrics whose proof needs all positions. */
static void test_no_samples(void **state)
{
	(void)state;
	static const struct el_metric *const metrics[] = {&el_dtr, &el_dtz_rule[49], &el_win, NULL};
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KQvK", metrics), EL_OK);
	for (size_t i = 0; metrics[i]; i++) {
		const struct el_verify_result r = run_one(library, "KQvK", metrics[i], 1000);
		assert_int_equal(r.status, EL_NEGATIVE);
		assert_non_null(strstr(r.error.text, "cannot be verified on a sample"));
		assert_int_equal(run_one(library, "KQvK", metrics[i], 0).status, EL_OK);
	}
	el_library_close(library);
}

static void test_missing_successors(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KPvK", dtm), EL_OK);
	assert_int_equal(remove(fixture_path(folder, "KRvK.dtm.egt")), 0);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	for (uint64_t sample = 0; sample <= 5000; sample += 5000) {
		const struct el_verify_result r = run_one(library, "KPvK", &el_dtm, sample);
		assert_int_equal(r.status, EL_NEGATIVE);
		assert_non_null(strstr(r.error.text, "KRvK"));
	}
	assert_int_equal(summary_of(library, "KPvK").verified, EL_NOT_VERIFIED);
	el_library_close(library);
}

static void test_memory(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KQvK", dtm), EL_OK);
	const struct el_verify_task task = task_of("KQvK", &el_dtm);
	struct told *told = run(library, &task, 1,
	                        &(struct el_verify_options){.memory = 1000, .slow = true}, EL_OK);
	assert_int_equal(told->results[0].status, EL_NEGATIVE);
	assert_true(told->results[0].too_large);
	free(told);
	/* whole planes are read piece by piece */
	told = run(library, &task, 1, &(struct el_verify_options){.memory = 1000}, EL_OK);
	assert_string_equal(told->results[0].error.text, "");
	assert_int_equal(told->results[0].status, EL_OK);
	assert_true(told->results[0].verdict.by_planes);
	assert_int_equal(told->results[0].verdict.checked,
	                 run_one(library, "KQvK", &el_dtm, 0).verdict.checked);
	assert_int_equal(told->results[0].verdict.wrong, 0);
	free(told);
	told = run(library, &task, 1, &(struct el_verify_options){.memory = 1000, .sample = 1000},
	           EL_OK);
	assert_int_equal(told->results[0].status, EL_OK);
	free(told);
	el_library_close(library);
}

/* ---- several ---- */

/* In order, whichever ends first; each as if it had been verified alone. */
static void test_several_at_a_time(void **state)
{
	(void)state;
	static const char *const names[] = {"KPvK", "KQvK", "KRvK", "KBvK", "KNvK"};
	struct el_verify_task tasks[20];
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KPvK", dtm), EL_OK);
	for (size_t i = 0; i < 20; i++)
		tasks[i] = task_of(names[i % 5], &el_dtm);
	const int before = omp_get_max_threads();
	omp_set_num_threads(4);
	struct told *told =
		run(library, tasks, 20, &(struct el_verify_options){.again = true}, EL_OK);
	omp_set_num_threads(before);
	assert_int_equal(told->count, 20);
	for (size_t i = 0; i < 20; i++) {
		const struct el_verify_result alone = run_one(library, names[i % 5], &el_dtm, 0);
		assert_int_equal(told->results[i].status, EL_OK);
		assert_int_equal(told->results[i].verdict.wrong, 0);
		assert_int_equal(told->results[i].verdict.checked, alone.verdict.checked);
		const struct el_summary s = summary_of(library, names[i % 5]);
		assert_true(el_summary_holds(&s));
		assert_int_equal(s.positions, alone.verdict.checked);
	}
	free(told);
	el_library_close(library);
}

static int refuse(void *context, const struct el_progress *progress)
{
	(void)progress;
	return --*(int *)context > 0;
}

/* Finished tables are reported and kept, and the first unfinished one is named. */
static void test_stopped(void **state)
{
	(void)state;
	const struct el_verify_task tasks[] = {task_of("KQvK", &el_dtm), task_of("KPvK", &el_dtm)};
	struct el_library *library = fixture_library(folder, NULL);
	struct told *told = calloc(1, sizeof *told);
	struct el_error error = {.text = ""};
	assert_int_equal(fixture_build(library, "KPvK", dtm), EL_OK);
	told->caller = pthread_self();
	assert_int_equal(run_one(library, "KQvK", &el_dtm, 0).status, EL_OK);
	int left = 3;
	const int before = omp_get_max_threads();
	omp_set_num_threads(1); /* otherwise the second might finish beside the first */
	const struct el_watch watch = {&left, refuse};
	assert_int_equal(el_verify_tables(library, tasks, 2,
	                                  &(struct el_verify_options){.sample = 0}, &watch, take,
	                                  told, &error),
	                 EL_STOPPED);
	omp_set_num_threads(before);
	assert_true(told->count < 2);
	assert_non_null(strstr(error.text, told->count ? "KPvK dtm" : "KQvK dtm"));
	assert_true(told->count == 0 || told->results[0].before.verified == EL_VERIFIED);
	assert_int_equal(summary_of(library, "KPvK").verified, EL_NOT_VERIFIED);
	free(told);
	el_library_close(library);
}

/* ---- the record ---- */

static void write_again(struct el_library *library, const char *name, const char *file, bool other)
{
	struct el_planes planes = fixture_stored(library, name, &el_dtm);
	struct el_table_options options = el_table_options_default();
	options.block_positions = other ? 4096 : options.block_positions;
	fixture_write(fixture_path(folder, file), &planes, &options);
	el_planes_free(&planes);
}

/* A proof rests on the tables that it read: if one of these files is replaced, the proof is
   void. */
static void test_a_successor_changes(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KPvK", dtm), EL_OK);
	assert_int_equal(run_one(library, "KPvK", &el_dtm, 0).status, EL_OK);
	assert_int_equal(run_one(library, "KQvK", &el_dtm, 0).status, EL_OK);
	struct el_summary s = summary_of(library, "KPvK");
	assert_true(el_summary_holds(&s));
	write_again(library, "KQvK", "KQvK.dtm.egt", true);
	s = summary_of(library, "KPvK");
	assert_int_equal(s.change, EL_SUCCESSOR_CHANGED);
	assert_string_equal(s.changed, "KQvK dtm");
	assert_false(el_summary_holds(&s));
	assert_int_equal(summary_of(library, "KQvK").change, EL_CHANGED);
	write_again(library, "KQvK", "KQvK.dtm.egt", false); /* byte for byte what the proof read */
	s = summary_of(library, "KPvK");
	assert_true(el_summary_holds(&s));
	assert_int_equal(remove(fixture_path(folder, "KQvK.dtm.egt")), 0);
	assert_int_equal(summary_of(library, "KPvK").change, EL_SUCCESSOR_CHANGED);
	el_library_close(library);
}

/* Tables that derive captures rest on the tables that they derive from as well, at any remove. */
static void test_a_derived_table(void **state)
{
	(void)state;
	if (tests_are_slow())
		skip();
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KRvKN", dtm), EL_OK);
	struct el_planes planes = fixture_stored(library, "KRvKN", &el_dtm);
	struct el_table_options options = el_table_options_default();
	options.derive = EL_DERIVE_CAPTURES;
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL),
	                 EL_OK);
	fixture_write(fixture_path(folder, "KRvKN.dtm.egt"), &planes, &options);
	el_planes_free(&planes);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	for (uint64_t sample = 20000; sample <= 20000; sample -= 20000) {
		const struct el_verify_result r = run_one(library, "KRvKN", &el_dtm, sample);
		assert_int_equal(r.status, EL_OK);
		assert_int_equal(r.verdict.wrong, 0);
		struct el_summary s = summary_of(library, "KRvKN");
		assert_int_equal(s.verified, sample ? EL_SAMPLED : EL_VERIFIED);
		assert_int_equal(s.change, EL_UNCHANGED);
		write_again(library, "KRvK", "KRvK.dtm.egt", !sample);
		assert_int_equal(summary_of(library, "KRvKN").change,
		                 sample ? EL_UNCHANGED : EL_SUCCESSOR_CHANGED);
	}
	el_library_close(library);
}

/* A sample says less than a complete proof, and takes nothing back. */
static void test_a_sample_later(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KQvK", dtm), EL_OK);
	assert_int_equal(run_one(library, "KQvK", &el_dtm, 1000).status, EL_OK);
	assert_int_equal(summary_of(library, "KQvK").verified, EL_SAMPLED);
	assert_int_equal(run_one(library, "KQvK", &el_dtm, 0).status, EL_OK);
	assert_int_equal(run_one(library, "KQvK", &el_dtm, 1000).status, EL_OK);
	const struct el_summary s = summary_of(library, "KQvK");
	assert_int_equal(s.verified, EL_VERIFIED);
	assert_int_equal(s.positions, 46137);
	el_library_close(library);
}

/* Whatever the file holds: a table named in a damaged line does not count as verified, and a new
   line repairs the record. */
static void test_damaged_summaries(void **state)
{
	(void)state;
	static const char nonsense[] =
		"KQvK.dtm.egt\t\t\n\n\t\nKQvK.dtm.egt\t0\t0.0\tall\t1\t0\t-\t-\t0\n\0";
	struct el_library *library = fixture_library(folder, NULL);
	const char *path = fixture_path(folder, ".verified.tsv");
	size_t size;
	assert_int_equal(fixture_build(library, "KQvK KRvK", dtm), EL_OK);
	assert_int_equal(run_one(library, "KQvK", &el_dtm, 0).status, EL_OK);
	uint8_t *bytes = fixture_read_file(path, &size);
	for (size_t at = 0; at < size; at++) {
		bytes[at] ^= 1;
		fixture_write_file(path, bytes, size);
		bytes[at] ^= 1;
		assert_int_equal(summary_of(library, "KQvK").verified, EL_NOT_VERIFIED);
		assert_int_equal(el_library_summary_fault(library, NULL), EL_DAMAGED);
	}
	for (size_t length = 0; length + 1 < size; length++) {
		fixture_write_file(path, bytes, length);
		assert_int_equal(summary_of(library, "KQvK").verified, EL_NOT_VERIFIED);
		assert_int_equal(el_library_summary_fault(library, NULL),
		                 length ? EL_DAMAGED : EL_OK);
	}
	fixture_write_file(path, (const uint8_t *)nonsense, sizeof nonsense);
	assert_int_equal(summary_of(library, "KQvK").verified, EL_NOT_VERIFIED);
	assert_int_equal(el_library_summary_fault(library, NULL), EL_DAMAGED);
	assert_int_equal(run_one(library, "KRvK", &el_dtm, 0).status, EL_OK);
	struct el_summary s = summary_of(library, "KRvK");
	assert_true(el_summary_holds(&s));
	assert_int_equal(el_library_summary_fault(library, NULL), EL_OK);

	/* A folder in its place: this is reported, and the proof counts. */
	assert_int_equal(remove(path), 0);
	assert_int_equal(mkdir(path, 0777), 0);
	const struct el_verify_result r = run_one(library, "KQvK", &el_dtm, 0);
	assert_int_equal(r.status, EL_OK);
	assert_int_equal(r.unkept.status, EL_IO);
	assert_int_equal(summary_of(library, "KQvK").verified, EL_NOT_VERIFIED);
	assert_int_equal(el_library_summary_fault(library, NULL), EL_IO);
	free(bytes);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_samples_of_sound_tables), IN_FOLDER(test_sample_of_everything),
		IN_FOLDER(test_samples_of_wrong_tables), IN_FOLDER(test_no_samples),
		IN_FOLDER(test_missing_successors),      IN_FOLDER(test_memory),
		IN_FOLDER(test_several_at_a_time),       IN_FOLDER(test_stopped),
		IN_FOLDER(test_a_successor_changes),     IN_FOLDER(test_a_derived_table),
		IN_FOLDER(test_a_sample_later),          IN_FOLDER(test_damaged_summaries),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
