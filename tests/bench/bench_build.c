/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solves all tables of 3 and 4 pieces under DTM and writes them to DIRECTORY, which must be empty:
 * bench_build DIRECTORY THREADS. Prints the wall time, its parts, the estimate of `plan`, and the
 * peak memory.
 */
#include "bench.h"
#include "core/builder/build.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

struct sums {
	double solve, write;
	uint64_t bytes;
	size_t tables;
};

static void built(void *context, const struct el_built *b)
{
	struct sums *sums = context;
	sums->solve += b->solve_seconds;
	sums->write += b->write_seconds;
	sums->bytes += b->bytes;
	sums->tables++;
}

static size_t all_slices(struct el_slice *out, size_t max)
{
	const struct el_game *game = bench_slice("KQvK").game;
	size_t count = game->slices(3, out, max);
	return count + game->slices(4, out + count, max - count);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		bench_fail("usage: bench_build DIRECTORY THREADS");
	omp_set_num_threads(atoi(argv[2]));
	struct el_error error;
	struct el_library *library;
	if (el_library_open(&(struct el_library_options){.directory = argv[1]}, &library, &error))
		bench_fail(error.text);
	struct el_slice slices[64];
	const size_t count = all_slices(slices, 64);
	struct el_plan plan;
	struct sums sums = {0};
	const struct el_metric *const metrics[] = {&el_dtm, NULL};
	const struct el_build_options options = {
		.table = el_table_options_default(),
		.context = &sums,
		.built = built,
	};

	if (el_plan_make(library, slices, count, metrics, &plan, &error) ||
	    el_plan_estimate(library, &plan, &error))
		bench_fail(error.text);
	const double start = bench_now();
	if (el_build(library, &plan, &options, NULL, &error))
		bench_fail(error.text);
	const double seconds = bench_now() - start;
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	printf("%zu tables, %s threads: %.2f s (solving %.2f, writing %.2f; planned %.2f, %.2f "
	       "times as "
	       "much), %.1f MB (planned %.1f), peak memory %ld MB\n",
	       sums.tables, argv[2], seconds, sums.solve, sums.write, plan.seconds,
	       plan.seconds / seconds, (double)sums.bytes / 1e6, 1e-6 * (double)plan.disk,
	       usage.ru_maxrss / 1024);
	el_plan_free(&plan);
	el_library_close(library);
	return 0;
}
