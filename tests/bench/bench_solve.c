/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solving a slice and all that it depends on in memory, on one core, set-wise; then the same with
 * the tests' solver, which goes position by position, in the same run. bench_solve SLICE...
 */
#include "bench.h"
#include "endlab/solve.h"
#include "tests/unit/brute.h"

#include <omp.h>
#include <stdio.h>

enum { KEPT_MAX = 64 };

struct shelf {
	struct el_planes planes[KEPT_MAX];
	size_t count;
};

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	struct shelf *shelf = context;
	for (size_t i = 0; i < shelf->count; i++) {
		*out = &shelf->planes[i];
		if ((*out)->slice.key == slice->key && (*out)->metric == metric)
			return EL_OK;
	}
	return el_fail(error, EL_NEGATIVE, "%s is not there", slice->name);
}

static void give_back(void *context, const struct el_planes *planes)
{
	(void)context;
	(void)planes;
}

/* Seconds for the slice alone, after those that it depends on; 0 when it was there already. */
static double solve(struct shelf *shelf, const struct el_slice *slice)
{
	const struct el_lender lender = {shelf, lend, give_back};
	const struct el_planes *known;
	struct el_error error;
	if (!lend(shelf, slice, &el_dtm, &known, &error))
		return 0;
	struct el_slice next[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, next);
	for (size_t i = 0; i < count; i++)
		solve(shelf, &next[i]);
	const double start = bench_now();
	if (shelf->count == KEPT_MAX)
		bench_fail("too many slices");
	const struct el_problem problem = {.slice = *slice, .metric = &el_dtm, .lender = &lender};
	if (el_solve(&problem, &shelf->planes[shelf->count], &error))
		bench_fail(error.text);
	shelf->count++;
	return bench_now() - start;
}

/* The whole of it, from nothing. */
static double solve_all(const struct el_slice *slice, double *alone)
{
	struct shelf shelf = {.count = 0};
	const double start = bench_now();
	*alone = solve(&shelf, slice);
	const double all = bench_now() - start;
	for (size_t i = 0; i < shelf.count; i++)
		el_planes_free(&shelf.planes[i]);
	return all;
}

int main(int argc, char **argv)
{
	omp_set_num_threads(1);
	printf("%-8s %12s %18s %24s %7s\n", "slice", "seconds", "with dependencies",
	       "position by position", "ratio");
	for (int i = 1; i < argc; i++) {
		const struct el_slice slice = bench_slice(argv[i]);
		double alone = 0, all = 1e30;
		for (int round = 0; round < 3; round++) {
			double now_alone, now_all = solve_all(&slice, &now_alone);
			alone = now_all < all ? now_alone : alone;
			all = now_all < all ? now_all : all;
		}
		const double start = bench_now();
		brute_free(brute_solve((const char *[]){slice.name, NULL}));
		const double brute = bench_now() - start;
		printf("%-8s %12.3f %18.3f %24.3f %7.0f\n", slice.name, alone, all, brute,
		       brute / all);
	}
	return 0;
}
