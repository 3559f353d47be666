/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices solved by several ranks, which are threads here: the planes are those of one program, also after the
   ranks were stopped or lost each other. tests/cli/mpi.sh does the same with programs. */
#include "core/os/ranks.h"
#include "core/solve/shares.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/tables.h"

#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS_MAX = 5 };

static struct solved *solved;
static char folder[SCRATCH_PATH];

/* ---- ranks as threads ---- */

struct group;

struct member {
	struct group *group;
	struct ranks ranks;
	struct message out[RANKS_MAX], in[RANKS_MAX];
	pthread_t thread;
	struct el_planes planes;
	enum el_status status;
	struct el_error error;
	unsigned ticks, swaps;
};

struct group {
	struct el_slice slice;
	const struct el_metric *metric;
	uint64_t memory;
	unsigned count;    /* of ranks */
	unsigned stopping; /* the last rank's watch stops it at this tick; 0: never */
	unsigned breaking; /* the messages of this swap do not arrive; 0: all do */
	char (*host)[64];
	pthread_barrier_t barrier;
	struct member member[RANKS_MAX];
};

static enum el_status carry(struct ranks *r, struct el_error *error)
{
	struct member *m = r->context;
	struct group *g = m->group;
	bool good = true;
	pthread_barrier_wait(&g->barrier);
	for (unsigned i = 0; i < r->count; i++) {
		const struct message *from = &g->member[i].out[r->rank];
		good &= message_take(&r->in[i], from->size);
		if (good && from->size)
			memcpy(r->in[i].bytes, from->bytes, from->size);
	}
	pthread_barrier_wait(&g->barrier);
	assert_true(good);
	return ++m->swaps == g->breaking ? el_fail(error, EL_IO, "a rank is gone") : EL_OK;
}

static int tick(void *context, const struct el_progress *progress)
{
	struct member *m = context;
	(void)progress;
	return !m->group->stopping || ++m->ticks != m->group->stopping;
}

static void *run(void *context)
{
	struct member *m = context;
	const struct group *g = m->group;
	const struct el_lender lender = solved_lender(solved);
	const struct el_watch watch = {m, m->ranks.rank + 1 == g->count ? tick : NULL};
	const struct el_room room = {g->memory, folder, 0, false};
	omp_set_num_threads(1);
	m->status = el_solve(&(struct el_problem){.slice = g->slice,
	                                          .metric = g->metric,
	                                          .lender = &lender,
	                                          .watch = &watch,
	                                          .room = &room,
	                                          .ranks = &m->ranks},
	                     &m->planes, &m->error);
	return NULL;
}

/* Leaves the planes in g->member[0]. */
static void solve(struct group *g)
{
	static char host[RANKS_MAX][64] = {"a", "b", "c", "d", "e"};
	assert_int_equal(pthread_barrier_init(&g->barrier, NULL, g->count), 0);
	for (unsigned i = 0; i < g->count; i++) {
		struct member *m = &g->member[i];
		*m = (struct member){.group = g};
		m->ranks = (struct ranks){.rank = i,
		                          .count = g->count,
		                          .here = g->count,
		                          .out = m->out,
		                          .in = m->in,
		                          .host = host,
		                          .carry = carry,
		                          .context = m};
	}
	for (unsigned i = 0; i < g->count; i++)
		assert_int_equal(pthread_create(&g->member[i].thread, NULL, run, &g->member[i]), 0);
	for (unsigned i = 0; i < g->count; i++)
		assert_int_equal(pthread_join(g->member[i].thread, NULL), 0);
	for (unsigned i = 0; i < g->count; i++)
		for (unsigned k = 0; k < g->count; k++) {
			free(g->member[i].out[k].bytes);
			free(g->member[i].in[k].bytes);
		}
	pthread_barrier_destroy(&g->barrier);
}

static void assert_solved(struct group *g)
{
	solve(g);
	for (unsigned i = 0; i < g->count; i++)
		if (g->member[i].status)
			fail_msg("%s %s, rank %u of %u: %s", g->slice.name, g->metric->name, i,
			         g->count, g->member[i].error.text);
	solved_assert_same(&g->member[0].planes, solved_of(solved, &g->slice, g->metric));
	el_planes_free(&g->member[0].planes);
	el_solve_forget(&g->slice, g->metric, folder);
}

static struct group group_of(const char *slice, const char *metric, unsigned count)
{
	const struct group g = {.slice = slice_named(slice),
	                        .metric = el_metric_find(metric),
	                        .memory = UINT64_MAX,
	                        .count = count};
	solved_of(solved, &g.slice, g.metric); /* and what it borrows */
	return g;
}

/* ---- tests ---- */

static void test_any_number_of_ranks(void **state)
{
	static const struct {
		const char *slice, *metric;
	} tried[] = {{"KQvK", "dtm"},       {"KPvKP", "dtm"},     {"KRvKP", "dtz50"},
	             {"KQvKR", "wdl"},      {"KBNvK", "dtc"},     {"checkers:KMvK", "dtw"},
	             {"morris:3v3", "dtw"}, {"awari:6", "score"}, {"KPvK", "dtr"},
	             {"KRvK", "dtzr"}};
	(void)state;
	for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
		for (unsigned count = 1; count <= RANKS_MAX; count += tests_are_slow() ? 3 : 1) {
			struct group g = group_of(tried[i].slice, tried[i].metric, count);
			assert_solved(&g);
		}
}

/* In so little memory that sets leave it. */
static void test_out_of_core(void **state)
{
	(void)state;
	struct group g = group_of("KQvKR", "dtm", 3);
	g.memory = 12 << 20;
	assert_solved(&g);
}

/* Whichever pass a rank stops in, all stop, say which one it was, and go on from there. */
static void test_a_rank_stops(void **state)
{
	(void)state;
	for (unsigned at = 1; at < 60; at += tests_are_slow() ? 20 : 7) {
		struct group g = group_of("KRvKN", "dtm", 3);
		g.stopping = at;
		solve(&g);
		for (unsigned i = 0; i < g.count; i++) {
			assert_int_equal(g.member[i].status, EL_STOPPED);
			assert_non_null(strstr(g.member[i].error.text, "rank 2 on c: KRvKN"));
		}
		g.stopping = 0;
		assert_solved(&g);
	}
}

/* Whichever messages are lost, all end, and go on from a pass that all have finished. */
static void test_ranks_lose_each_other(void **state)
{
	(void)state;
	for (unsigned at = 1; at < 120; at += tests_are_slow() ? 31 : 9) {
		struct group g = group_of("KRvKN", "dtm", 2);
		g.breaking = at;
		solve(&g);
		for (unsigned i = 0; i < g.count; i++) {
			assert_int_equal(g.member[i].status, EL_IO);
			assert_string_equal(g.member[i].error.text, "a rank is gone");
		}
		g.breaking = 0;
		assert_solved(&g);
	}
}

/* Parts are whole, and no rank has less than its own. */
static void test_what_ranks_have(void **state)
{
	struct shares_measure m, before = {1, 1, 0, true};
	struct el_error error;
	const struct el_slice slice = slice_named("KQRvKR");
	(void)state;
	for (unsigned ranks = 2; ranks <= 64; ranks *= 2) {
		assert_int_equal(shares_measure(&slice, el_metric_find("dtm"), ranks, &m, &error),
		                 EL_OK);
		assert_true(m.is_by_units && m.own * ranks >= 1 && m.own < 2.0 / ranks);
		assert_true(m.held >= m.own && m.held <= before.held && m.sent >= before.sent);
		before = m;
	}
	const struct el_slice pawns = slice_named("KPvKP");
	assert_int_equal(shares_measure(&pawns, el_metric_find("dtz"), 4, &m, &error), EL_OK);
	assert_true(!m.is_by_units && m.own >= 0.25 && m.own < 0.3 && m.sent == 0);
}

static int open_all(void **state)
{
	(void)state;
	scratch_make(folder);
	return (solved = solved_open()) ? 0 : -1;
}

static int close_all(void **state)
{
	(void)state;
	solved_close(solved);
	scratch_remove(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_number_of_ranks),
		cmocka_unit_test(test_out_of_core),
		cmocka_unit_test(test_a_rank_stops),
		cmocka_unit_test(test_ranks_lose_each_other),
		cmocka_unit_test(test_what_ranks_have),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
