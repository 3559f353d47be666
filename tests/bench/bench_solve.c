/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves a slice and its dependencies in memory, on one core, set-wise; then in the same run with
   the tests' solver, which goes position by position. bench_solve SLICE... */
#include "bench.h"
#include "tests/oracles/brute.h"

#include <omp.h>
#include <stdio.h>

/* Solves everything from nothing. */
static double solve_all(const struct el_slice *slice, double *alone)
{
	static struct bench_shelf shelf;
	const double start = bench_now();
	*alone = bench_solve(&shelf, slice, &el_dtm);
	const double all = bench_now() - start;
	bench_shelf_free(&shelf);
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
