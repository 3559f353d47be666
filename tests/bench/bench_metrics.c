/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solves one slice in memory under each depth of its game, on one core, with its dependencies
 * ready: the best of three rounds, each with all metrics in turn, and each metric's time as a
 * multiple of the first one's. bench_metrics METRIC,... SLICE...
 */
#include "bench.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { METRICS = 16, ROUNDS = 3 };

/* CPU seconds of this thread, so other work on the machine does not count. */
static double thread_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void measure(const struct el_slice *slice, const struct el_metric *const *metrics,
                    double best[METRICS])
{
	static struct bench_shelf shelf;
	struct el_slice next[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, next);
	for (size_t m = 0; metrics[m]; m++)
		for (size_t i = 0; i < count; i++)
			bench_solve(&shelf, &next[i], el_metric_entered(metrics[m]));
	for (int round = 0; round < ROUNDS; round++)
		for (size_t m = 0; metrics[m]; m++) {
			struct el_planes planes;
			const double start = thread_seconds();
			bench_solve_alone(&shelf, slice, metrics[m], &planes);
			const double now = thread_seconds() - start;
			best[m] = !round || now < best[m] ? now : best[m];
			el_planes_free(&planes);
		}
	bench_shelf_free(&shelf);
}

int main(int argc, char **argv)
{
	const struct el_metric *metrics[METRICS + 1] = {NULL};
	size_t count = 0;
	if (argc < 3)
		bench_fail("expected METRIC,... SLICE...");
	for (char *name = strtok(argv[1], ","); name && count < METRICS; name = strtok(NULL, ","))
		if (!(metrics[count++] = el_metric_find(name)))
			bench_fail("unknown metric");
	omp_set_num_threads(1);
	printf("%-8s", "seconds");
	for (size_t m = 0; m < count; m++)
		printf(" %14s", metrics[m]->name);
	puts("");
	for (int i = 2; i < argc; i++) {
		const struct el_slice slice = bench_slice(argv[i]);
		double best[METRICS];
		measure(&slice, metrics, best);
		printf("%-8s", slice.name);
		for (size_t m = 0; m < count; m++)
			printf(" %7.3f %5.1fx", best[m], best[m] / best[0]);
		puts("");
		fflush(stdout);
	}
	return 0;
}
