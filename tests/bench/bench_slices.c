/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solves in memory under the first metric of the game, WDL or score: bench_slices SLICE... For each
 * slice without its dependencies, the best of three: on one core and on all, its stages, and the
 * stored positions solved a second.
 */
#include "bench.h"

#include <omp.h>
#include <stdio.h>

enum { ROUNDS = 3 };

/* The quickest of some runs; leaves its planes in *out. */
static double best_of(struct bench_shelf *shelf, const struct el_slice *slice, int threads,
                      struct el_planes *out)
{
	double best = 0;
	omp_set_num_threads(threads);
	for (int round = 0; round < ROUNDS; round++) {
		struct el_planes planes;
		const double seconds =
			bench_solve_alone(shelf, slice, slice->game->metrics[0], &planes);
		if (round && seconds >= best) {
			el_planes_free(&planes);
			continue;
		}
		if (round)
			el_planes_free(out);
		best = seconds;
		*out = planes;
	}
	return best;
}

static void measure(struct bench_shelf *shelf, const char *name, int threads)
{
	const struct el_slice slice = bench_slice(name);
	struct el_planes planes;
	bench_solve(shelf, &slice, slice.game->metrics[0]);
	shelf->count--; /* the last on the shelf: taken off, to be solved again */
	el_planes_free(&shelf->planes[shelf->count]);
	const double seconds = best_of(shelf, &slice, threads, &planes);
	const double stored = (double)slice.positions * slice.planes;
	printf("%-18s %7d %13.0f %9.3f %10.1f ", slice.name, threads, stored, seconds,
	       stored / seconds / 1e6);
	for (const struct el_stage *p = planes.stage; p->name[0]; p++)
		printf(" %s %.3f", p->name, p->seconds);
	putchar('\n');
	el_planes_free(&planes);
}

int main(int argc, char **argv)
{
	static struct bench_shelf shelf;
	const int cores = omp_get_max_threads();
	printf("%-18s %7s %13s %9s %10s  %s\n", "slice", "threads", "positions", "seconds",
	       "million/s", "phases");
	for (int i = 1; i < argc; i++) {
		measure(&shelf, argv[i], 1);
		if (cores > 1)
			measure(&shelf, argv[i], cores);
	}
	bench_shelf_free(&shelf);
	return 0;
}
