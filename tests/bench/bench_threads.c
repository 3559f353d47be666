/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Probes of several threads at once, through the engine's facade: bench_threads FOLDER METRIC SLICE...
 * For 1, 2, 4, ... threads as far as there are processors: millions of probes a second, all blocks in
 * memory, and how many times as fast that is as one thread in the same run.
 */
#include "bench.h"
#include "endlab/engine.h"
#include "endlab/library.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { POSITIONS = 20000, ROUNDS = 5, PASSES = 10 };

/* As many of each slice in turn, any legal ones. */
static void draw_boards(char **names, int count, struct el_board *out)
{
	uint64_t state = 1;
	for (size_t n = 0; n < POSITIONS;) {
		const struct el_slice slice = bench_slice(names[n % (size_t)count]);
		struct el_position p;
		if (!slice.game->unplace(&slice, (unsigned)(bench_random(&state) % slice.planes),
		                         bench_random(&state) % slice.positions, &p))
			continue;
		out[n++] = bench_board(&p);
	}
}

/* Each thread goes through all positions, from a place of its own on. */
static double seconds_of(struct el_engine *engine, const struct el_metric *metric,
                         const struct el_board *boards, int threads)
{
	double best = 1e30;
	for (int r = 0; r < ROUNDS; r++) {
		uint64_t sum = 0;
		const double start = bench_now();
#pragma omp parallel num_threads(threads) reduction(+ : sum)
		for (size_t i = 0; i < PASSES * POSITIONS; i++) {
			const size_t at = (i + (size_t)omp_get_thread_num() * 997) % POSITIONS;
			struct el_value value;
			if (el_engine_probe(engine, &boards[at], metric, 0, &value))
				bench_fail("a position without a value");
			sum += value.outcome;
		}
		const double seconds = bench_now() - start;
		best = sum && seconds < best ? seconds : best;
	}
	return best;
}

int main(int argc, char **argv)
{
	struct el_error error;
	struct el_engine *engine;
	struct el_board *boards = malloc(POSITIONS * sizeof *boards);
	const struct el_metric *metric = argc > 3 ? el_engine_metric(argv[2]) : NULL;
	const struct el_engine_options options = {.size = sizeof options, .folders = argc > 1 ? argv[1] : "."};
	if (!metric || !boards)
		bench_fail("usage: bench_threads FOLDER METRIC SLICE...");
	if (el_engine_open(&options, &engine, &error))
		bench_fail(error.text);
	draw_boards(argv + 3, argc - 3, boards);
	seconds_of(engine, metric, boards, 1);
	printf("%-8s %12s %14s %8s\n", "threads", "million/s", "ns a probe", "ratio");
	double one = 0;
	for (int threads = 1; threads <= omp_get_num_procs(); threads *= 2) {
		const double seconds = seconds_of(engine, metric, boards, threads);
		const double rate = 1e-6 * threads * PASSES * POSITIONS / seconds;
		one = one ? one : rate;
		printf("%-8d %12.2f %14.0f %8.2f\n", threads, rate, 1e9 * seconds / (PASSES * POSITIONS), rate / one);
	}
	el_engine_close(engine);
	free(boards);
	return 0;
}
