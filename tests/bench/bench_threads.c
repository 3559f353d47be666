/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures probes of several threads at once, through the engine's facade: bench_threads FOLDER
 * METRIC SLICE... For 1, 2, 4, ... threads up to the number of processors: millions of probes a
 * second with all blocks in memory, and the speed-up over one thread in the same run; beside it the
 * speed-up of work that shares nothing, which shows what the machine allows: two of its processors
 * may be halves of one core.
 */
#include "bench.h"
#include "endlab/engine.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { POSITIONS = 20000, ROUNDS = 5, PASSES = 10 };

/* The work of the threads. */
struct bench {
	struct el_engine *engine;
	const struct el_metric *metric;
	struct el_board *boards;
	struct el_position *positions;
};

/* Legal positions, the same number from each slice in turn. */
static void draw_positions(char **names, int count, struct bench *b)
{
	uint64_t state = 1;
	for (size_t n = 0; n < POSITIONS;) {
		const struct el_slice slice = bench_slice(names[n % (size_t)count]);
		struct el_position p;
		if (!slice.game->unplace(&slice, (unsigned)(bench_random(&state) % slice.planes),
		                         bench_random(&state) % slice.positions, &p))
			continue;
		b->positions[n] = p;
		b->boards[n++] = bench_board(&p);
	}
}

static uint64_t probe(const struct bench *b, size_t at)
{
	struct el_value value;
	if (el_engine_probe(b->engine, &b->boards[at], b->metric, 0, &value))
		bench_fail("a position without a value");
	return value.outcome + 1u;
}

/* Only finds the place of each position: threads share nothing, so this scales as well as the
   machine lets them. */
static uint64_t place(const struct bench *b, size_t at)
{
	struct el_place found;
	return el_chess.place(&b->positions[at], &found) ? found.index + 1 : 0;
}

/* Each thread goes through all positions, beginning at its own place. Millions a second. */
static double rate_of(const struct bench *b, uint64_t (*ask)(const struct bench *, size_t),
                      int threads)
{
	double best = 1e30;
	for (int r = 0; r < ROUNDS; r++) {
		uint64_t sum = 0;
		const double start = bench_now();
#pragma omp parallel num_threads(threads) reduction(+ : sum)
		for (size_t i = 0; i < PASSES * POSITIONS; i++)
			sum += ask(b, (i + (size_t)omp_get_thread_num() * 997) % POSITIONS);
		const double seconds = bench_now() - start;
		best = sum && seconds < best ? seconds : best;
	}
	return 1e-6 * threads * PASSES * POSITIONS / best;
}

int main(int argc, char **argv)
{
	struct el_error error;
	struct bench b = {
		.metric = argc > 3 ? el_engine_metric(argv[2]) : NULL,
		.boards = malloc(POSITIONS * sizeof *b.boards),
		.positions = malloc(POSITIONS * sizeof *b.positions),
	};
	const struct el_engine_options options = {.size = sizeof options,
	                                          .folders = argc > 1 ? argv[1] : "."};
	if (!b.metric || !b.boards || !b.positions)
		bench_fail("usage: bench_threads FOLDER METRIC SLICE...");
	if (el_engine_open(&options, &b.engine, &error))
		bench_fail(error.text);
	draw_positions(argv + 3, argc - 3, &b);
	rate_of(&b, probe, 1);
	printf("%-8s %16s %8s %10s %22s\n", "threads", "probes, million/s", "ratio", "ns each",
	       "index alone, ratio");
	double probes = 0, places = 0;
	for (int threads = 1; threads <= omp_get_num_procs(); threads *= 2) {
		const double now = rate_of(&b, probe, threads), bare = rate_of(&b, place, threads);
		probes = probes > 0 ? probes : now;
		places = places > 0 ? places : bare;
		printf("%-8d %17.2f %8.2f %10.0f %22.2f\n", threads, now, now / probes,
		       1e3 * threads / now, bare / places);
	}
	el_engine_close(b.engine);
	free(b.boards);
	free(b.positions);
	return 0;
}
