/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lab's arithmetic, and its lists of probes. */
#include "core/lab/timing.h"
#include "core/lab/workload.h"
#include "tests/fixtures/lab_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- figures ---- */

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The least sample that at least so many per cent do not exceed. */
static double reference(const double *samples, size_t count, unsigned percent)
{
	double least = INFINITY;
	for (size_t i = 0; i < count; i++) {
		size_t below = 0;
		for (size_t k = 0; k < count; k++)
			below += samples[k] <= samples[i];
		if (100 * below >= percent * count)
			least = fmin(least, samples[i]);
	}
	return least;
}

static void test_percentiles(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (size_t count = 1; count < 260; count += count < 12 ? 1 : 31) {
		double samples[260], copy[260];
		struct el_latency l;
		uint64_t histogram[EL_LAB_HISTOGRAM] = {0}, all = 0;
		for (size_t i = 0; i < count; i++)
			copy[i] = samples[i] = (double)(fixture_random(&seed) % 500);
		timing_sum_up(samples, count, 3, &l, histogram);
		assert_true(l.n == 3 * count && l.batch == 3);
		assert_true(l.p50 == reference(copy, count, 50));
		assert_true(l.p90 == reference(copy, count, 90));
		assert_true(l.p99 == reference(copy, count, 99));
		qsort(copy, count, sizeof *copy, ascending);
		assert_true(l.min == copy[0] && l.max == copy[count - 1]);
		for (unsigned b = 0; b < EL_LAB_HISTOGRAM; b++)
			all += histogram[b];
		assert_true(all == l.n);
	}
}

static void test_histogram(void **state)
{
	(void)state;
	double samples[] = {0, 9, 10, 19.9, 20, 39, 40, 1e12};
	uint64_t histogram[EL_LAB_HISTOGRAM] = {0};
	struct el_latency l;
	timing_sum_up(samples, 8, 1, &l, histogram);
	assert_int_equal(histogram[0], 4);
	assert_int_equal(histogram[1], 2);
	assert_int_equal(histogram[2], 1);
	assert_int_equal(histogram[EL_LAB_HISTOGRAM - 1], 1);
	timing_sum_up(samples, 0, 1, &l, histogram);
	assert_int_equal(l.n, 0);
}

static bool runs(const struct el_lab_result *r)
{
	return !r->status && r->latency[EL_HOT].n;
}

static bool surely_faster(const struct el_lab_result *a, const struct el_lab_result *b)
{
	const struct el_latency *x = &a->latency[EL_HOT], *y = &b->latency[EL_HOT];
	const double high = x->p50_in.high > 0 ? x->p50_in.high : x->p50;
	const double low = y->p50_in.high > 0 ? y->p50_in.low : y->p50;
	return x->p50 < 0.8 * y->p50 && high < low;
}

/* Each member of a front is surely faster than the next smaller member; no other candidate is
   surely faster than the largest member no larger than itself. */
static void check_front(const struct el_lab_result *results, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct el_lab_result *r = &results[i], *below = NULL;
		for (size_t k = 0; k < count; k++) {
			const struct el_lab_result *o = &results[k];
			if (!o->pareto || k == i || o->bits_per_position > r->bits_per_position)
				continue;
			assert_false(r->pareto && o->bits_per_position == r->bits_per_position);
			if (!below || o->bits_per_position > below->bits_per_position)
				below = o;
		}
		if (!runs(r))
			assert_false(r->pareto);
		else if (r->pareto)
			assert_true(!below || surely_faster(r, below));
		else
			assert_true(below && !surely_faster(r, below));
	}
}

static void test_pareto(void **state)
{
	(void)state;
	uint64_t seed = 7;
	for (int round = 0; round < 2000; round++) {
		struct el_lab_result results[24] = {0};
		const size_t count = fixture_random(&seed) % 25;
		for (size_t i = 0; i < count; i++) {
			struct el_lab_result *r = &results[i];
			struct el_latency *l = &r->latency[EL_HOT];
			r->status = fixture_random(&seed) % 8 ? EL_OK : EL_DAMAGED;
			l->n = fixture_random(&seed) % 8;
			l->p50 = (double)(1 + fixture_random(&seed) % 30);
			if (fixture_random(&seed) % 2)
				l->p50_in = (struct el_interval){l->p50 * 0.8, l->p50 * 1.2};
			r->bits_per_position = (double)(fixture_random(&seed) % 10);
		}
		el_lab_pareto(results, count, EL_HOT, EL_LAB_P50);
		check_front(results, count);
	}
}

/* Noise below a fifth does not decide. */
static void test_noise(void **state)
{
	(void)state;
	static const double times[][3] = {{100, 103, 50}, {103, 97, 52}, {100, 81, 49}};
	for (size_t i = 0; i < 3; i++) {
		struct el_lab_result results[3] = {0};
		for (size_t k = 0; k < 3; k++) {
			results[k].bits_per_position = 1 + (double)k;
			results[k].latency[EL_WARM] =
				(struct el_latency){.n = 9, .cpu_p99 = times[i][k]};
		}
		el_lab_pareto(results, 3, EL_WARM, EL_LAB_CPU);
		assert_true(results[0].pareto && !results[1].pareto && results[2].pareto);
		el_lab_pareto(results, 3, EL_HOT, EL_LAB_CPU);
		assert_true(!results[0].pareto && !results[2].pareto);
	}
}

/* ---- intervals ---- */

/* With figures that do not depend on the round, the interval contains the distribution's quantile
   about 19 times in 20. */
static void test_intervals(void **state)
{
	(void)state;
	enum { COUNT = 2000, TRIALS = 200 };
	static struct timed figures[COUNT];
	uint64_t seed = 11;
	unsigned half = 0, most = 0;
	for (uint64_t t = 0; t < TRIALS; t++) {
		struct el_interval p50 = {0}, p99 = {0};
		for (size_t i = 0; i < COUNT; i++)
			figures[i] = (struct timed){(double)(fixture_random(&seed) % 100000),
			                            (unsigned)i % EL_LAB_ROUNDS};
		timing_intervals(figures, COUNT, t, &p50, &p99);
		half += p50.low <= 50000 && 50000 <= p50.high;
		most += p99.low <= 99000 && 99000 <= p99.high;
	}
	assert_in_range(half, TRIALS * 85 / 100, TRIALS * 99 / 100);
	assert_in_range(most, TRIALS * 80 / 100, TRIALS * 99 / 100);
}

/* A round that was disturbed makes it wide, as far as it is one of few. */
static void test_disturbed(void **state)
{
	(void)state;
	enum { COUNT = 2000 };
	static struct timed figures[COUNT];
	struct el_interval p50 = {0}, p99 = {0}, none = {0};
	for (size_t i = 0; i < COUNT; i++)
		figures[i] = (struct timed){i % EL_LAB_ROUNDS == 3 ? 1000 : 100,
		                            (unsigned)i % EL_LAB_ROUNDS};
	timing_intervals(figures, COUNT, 1, &p50, &p99);
	assert_true(p50.low == 100 && p50.high == 100);
	assert_true(p99.low == 100 && p99.high == 1000); /* some draws lack the round */
	timing_intervals(figures, EL_LAB_P99_LEAST - 1, 1, &p50, &none);
	assert_true(none.low == 0 && none.high == 0 && p50.high > 0);
	p50 = none;
	timing_intervals(figures, EL_LAB_P50_LEAST - 1, 1, &p50, &none);
	assert_true(p50.high == 0);
}

/* Preempted samples count only for CPU time. */
static void test_preempted(void **state)
{
	(void)state;
	struct sample list[] = {
		{.wall = 10, .cpu = 5},
		{.wall = 900, .cpu = 6, .round = 1, .preempted = true},
		{.wall = 12, .cpu = 7, .round = 2},
	};
	const struct samples samples = {list, 3};
	struct el_latency l;
	uint64_t histogram[EL_LAB_HISTOGRAM] = {0};
	assert_int_equal(timing_samples(&samples, 4, true, 1, &l, histogram, NULL), EL_OK);
	assert_true(l.n == 8 && l.preempted == 1 && l.max == 12 && l.min == 10);
	assert_true(l.cpu_p50 == 6 && l.cpu_p99 == 7);
	list[0].preempted = list[2].preempted = true;
	assert_int_equal(timing_samples(&samples, 4, false, 1, &l, histogram, NULL), EL_OK);
	assert_true(l.n == 0 && l.preempted == 3 && l.cpu_p99 == 0);
}

/* ---- several slices ---- */

static struct el_lab_result made_up(uint64_t *seed)
{
	struct el_lab_result r = {
		.bytes = 1 + fixture_random(seed) % 1000,
		.encode_mb_s = 1 + (double)(fixture_random(seed) % 100),
		.decode_mb_s = 1 + (double)(fixture_random(seed) % 100),
	};
	for (unsigned i = 0; i < EL_REGIMES; i++)
		r.latency[i] = (struct el_latency){
			.n = 1 + fixture_random(seed) % 9,
			.min = (double)(fixture_random(seed) % 100),
			.p50 = (double)(fixture_random(seed) % 100),
			.max = (double)(fixture_random(seed) % 100),
		};
	return r;
}

static void test_totals(void **state)
{
	(void)state;
	static const char *const names[] = {"KRvK", "KPvK", "KBNvK"};
	static struct el_lab_total total;
	uint64_t seed = 3, bytes = 0, n = 0;
	double positions = 0, p50 = 0, least = INFINITY, most = 0, seconds = 0;
	for (unsigned i = 0; i < 3; i++) {
		const struct el_slice slice = slice_named(names[i]);
		const struct el_lab_result one = made_up(&seed);
		el_lab_total_add(&total, &one, &slice);
		const double each = (double)(slice.positions * slice.planes);
		bytes += one.bytes;
		n += one.latency[EL_WARM].n;
		positions += each;
		seconds += each / one.encode_mb_s;
		p50 += one.latency[EL_WARM].p50;
		least = fmin(least, one.latency[EL_WARM].min);
		most = fmax(most, one.latency[EL_WARM].max);
	}
	const struct el_lab_result *sum = &total.result;
	assert_true(sum->bytes == bytes && sum->latency[EL_WARM].n == n);
	assert_true(fabs(sum->bits_per_position * positions / 8 - (double)bytes) < 1e-6);
	assert_true(fabs(sum->encode_mb_s - positions / seconds) < 1e-9);
	assert_true(fabs(sum->latency[EL_WARM].p50 - p50 / 3) < 1e-9);
	assert_true(sum->latency[EL_WARM].min == least && sum->latency[EL_WARM].max == most);
	/* A regime that one slice lacks, and then a failure. */
	struct el_lab_result one = made_up(&seed);
	const struct el_slice slice = slice_named("KQvK");
	one.latency[EL_COLD].n = 0;
	el_lab_total_add(&total, &one, &slice);
	one = made_up(&seed);
	el_lab_total_add(&total, &one, &slice);
	assert_true(total.result.latency[EL_COLD].n == 0 && total.slices == 5);
	one.status = el_fail(&one.error, EL_DAMAGED, "bent");
	el_lab_total_add(&total, &one, &slice);
	assert_int_equal(total.result.status, EL_DAMAGED);
	assert_string_equal(total.result.error.text, "KQvK: bent");
}

/* ---- workloads ---- */

static struct workload make_list(struct el_library *library, const char *slice,
                                 enum el_workload kind, uint64_t seed)
{
	const struct el_lab_candidate raw = lab_ours("raw", EL_FILL_BEST, EL_DERIVE_NOTHING);
	struct el_lab_setup setup = lab_setup(library, slice, &raw, 1);
	struct pace pace;
	struct workload list;
	struct el_error error = {.text = ""};
	setup.workload = kind;
	setup.seed = seed;
	pace_start(&pace, NULL, 1, 1);
	assert_int_equal(workload_make(&setup, &pace, &list, &error), EL_OK);
	assert_int_equal(list.count, setup.probes);
	return list;
}

static bool same_list(const struct workload *a, const struct workload *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (memcmp(a->positions[i].set, b->positions[i].set, sizeof a->positions->set) ||
		    a->positions[i].side != b->positions[i].side)
			return false;
	return true;
}

static void check_list(const struct el_slice *slice, const struct workload *list)
{
	unsigned planes = 0;
	for (size_t i = 0; i < list->count; i++) {
		struct el_place place;
		struct el_error error;
		assert_int_equal(slice->game->check(&list->positions[i], &error), EL_OK);
		assert_true(slice->game->place(&list->positions[i], &place));
		assert_true(place.key == slice->key);
		planes |= 1u << place.plane;
	}
	assert_true(planes);
}

static void test_workloads(void **state)
{
	(void)state;
	static const char *const names[] = {"KRvK", "KPvK"};
	struct el_library *library = lab_tables();
	for (size_t n = 0; n < 2; n++)
		for (unsigned kind = 0; kind < EL_WORKLOAD_TRACE; kind++) {
			const struct el_slice slice = slice_named(names[n]);
			struct workload a = make_list(library, names[n], (enum el_workload)kind, 1);
			struct workload b = make_list(library, names[n], (enum el_workload)kind, 1);
			struct workload c = make_list(library, names[n], (enum el_workload)kind, 2);
			check_list(&slice, &a);
			assert_true(same_list(&a, &b));
			assert_false(same_list(&a, &c));
			workload_free(&a);
			workload_free(&b);
			workload_free(&c);
		}
	el_library_close(library);
}

static void test_scan_is_in_order(void **state)
{
	(void)state;
	struct el_library *library = lab_tables();
	struct workload list = make_list(library, "KQvK", EL_WORKLOAD_SCAN, 3);
	uint64_t last = 0;
	unsigned falls = 0;
	for (size_t i = 0; i < list.count; i++) {
		struct el_place place;
		el_games[0]->place(&list.positions[i], &place);
		falls += i && place.index <= last;
		last = place.index;
	}
	assert_true(falls <= 1); /* from one plane to the next */
	workload_free(&list);
	el_library_close(library);
}

static void test_workload_names(void **state)
{
	(void)state;
	for (unsigned i = 0; i < EL_WORKLOAD_TRACE; i++)
		assert_int_equal(el_workload_parse(el_workload_names[i]), i);
	assert_int_equal(el_workload_parse("trace"), EL_WORKLOAD_TRACE); /* a file of this name */
	assert_int_equal(el_workload_parse("search.epd"), EL_WORKLOAD_TRACE);
}

/* ---- traces ---- */

/* Reads a trace of KRvK that consists of this text. */
static enum el_status read_trace(const void *text, size_t size, size_t most, struct workload *out,
                                 struct el_error *error)
{
	const char *path = fixture_path(folder, "search.trace");
	struct el_library *library = lab_tables();
	const struct el_lab_candidate raw = lab_ours("raw", EL_FILL_BEST, EL_DERIVE_NOTHING);
	struct el_lab_setup setup = lab_setup(library, "KRvK", &raw, 1);
	struct pace pace;
	fixture_write_file(path, text, size);
	setup.workload = EL_WORKLOAD_TRACE;
	setup.trace = path;
	setup.probes = most;
	pace_start(&pace, NULL, 1, 1);
	const enum el_status status = workload_make(&setup, &pace, out, error);
	unlink(path);
	el_library_close(library);
	return status;
}

#define MATE "R5k1/8/6K1/8/8/8/8/8 b - - 0 1"
#define AWAY "8/8/8/3k4/8/8/8/1K5R w - - 0 1"

static void test_trace(void **state)
{
	(void)state;
	/* A byte order mark, a comment, both line ends, an empty line, EPD, a clock, colours exchanged,
	   other slices, another game, castling rights, and no line end after the last. */
	static const char text[] = "\xEF\xBB\xBF" MATE "\n# a comment\r\n" AWAY "\r\n\n" MATE "\n"
				   "8/8/8/3k4/8/8/8/1K5R w - - bm Rh5; id \"1\";\n"
				   "8/8/8/3k4/8/8/8/1K5R w - - 17 40\n"
				   "1k5r/8/8/8/3K4/8/8/8 b - - 0 1\n"
				   "8/8/8/3k4/8/8/7Q/1K6 w - - 0 1\n"
				   "W:WK3,20:BK30\n"
				   "8/8/8/3k4/8/8/8/4K2R w K - 0 1\n" MATE;
	static const size_t kinds[] = {0, 1, 0, 1, 1, 1, 0};
	struct workload list = {0};
	struct el_error error = {.text = ""};
	struct el_position mate;
	assert_int_equal(read_trace(text, sizeof text - 1, 1000, &list, &error), EL_OK);
	assert_int_equal(list.count, 7);
	assert_int_equal(list.distinct, 2);
	assert_int_equal(list.elsewhere, 3);
	assert_int_equal(el_games[0]->parse(MATE, &mate, &error), EL_OK);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(!el_position_equal(&list.positions[i], &mate), kinds[i]);
	workload_free(&list);
	assert_int_equal(read_trace(text, sizeof text - 1, 3, &list, &error), EL_OK);
	assert_int_equal(list.count, 3);
	workload_free(&list);
}

static void check_refused(const void *text, size_t size, const char *why)
{
	struct workload list = {0};
	struct el_error error = {.text = ""};
	assert_int_equal(read_trace(text, size, 1000, &list, &error), EL_NEGATIVE);
	if (!strstr(error.text, why))
		fail_msg("expected '%s', found '%s'", why, error.text);
	workload_free(&list);
}

static void test_trace_refused(void **state)
{
	(void)state;
#define REFUSED(text, why) check_refused(text, sizeof text - 1, why)
	REFUSED(MATE "\n\nKRvK\n", "search.trace: line 3: ");
	REFUSED(MATE "\n8/8/8/3k4/4K3/8/8/7R w - - 0 1\n", "search.trace: line 2: ");
	REFUSED(MATE "\0\n", "search.trace: line 1: found a zero byte");
	REFUSED("", "search.trace: found 0 positions, expected some of KRvK");
	REFUSED("8/8/8/3k4/8/8/7Q/1K6 w - - 0 1\n", "found 1 position, expected some of KRvK");
}

static void test_machine(void **state)
{
	(void)state;
	char text[256];
	el_lab_machine(text, sizeof text);
	assert_non_null(strstr(text, "core"));
	el_lab_libraries(text, sizeof text);
	assert_non_null(strstr(text, "zstd "));
	assert_non_null(strstr(text, "liblzma "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_pareto),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_disturbed),
		cmocka_unit_test(test_preempted),
		IN_FOLDER(test_workloads),
		IN_FOLDER(test_scan_is_in_order),
		cmocka_unit_test(test_workload_names),
		IN_FOLDER(test_trace),
		IN_FOLDER(test_trace_refused),
		cmocka_unit_test(test_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
