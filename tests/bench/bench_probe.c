/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the cost of a probe in nanoseconds: bench_probe DIRECTORY METRIC SLICE...
 *
 * Every figure is the best of several rounds over the same positions in the same order; the floor
 * is the index function alone, in the same run. A miss is a probe of tables alone under a metric that
 * has none.
 */
#include "bench.h"
#include "core/library/library.h"
#include "core/probe/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 20000, ROUNDS = 7 };

struct bench {
	struct el_library *library;
	const struct el_game *game;
	const struct el_metric *metric, *missing;
	struct el_position *positions;
	uint64_t sum; /* of the results, so that nothing is optimised away */
};

/* Uniform over the legal positions of a slice. */
static void draw_positions(struct bench *b, const struct el_slice *slice)
{
	uint64_t state = 1;
	for (size_t n = 0; n < POSITIONS;) {
		unsigned plane = (unsigned)(bench_random(&state) % slice->planes);
		uint64_t index = bench_random(&state) % slice->positions;
		n += b->game->unplace(slice, plane, index, &b->positions[n]);
	}
}

static void run_place(struct bench *b)
{
	for (size_t n = 0; n < POSITIONS; n++) {
		struct el_place place;
		b->game->place(&b->positions[n], &place);
		b->sum += place.index;
	}
}

static void run_value(struct bench *b)
{
	for (size_t n = 0; n < POSITIONS; n++) {
		struct el_value value;
		struct el_error error;
		if (el_library_value(b->library, b->game, &b->positions[n], b->metric,
		                     EL_PROBE_FULL, &value, &error))
			bench_fail(error.text);
		b->sum += value.plies + value.outcome;
	}
}

static void run_covers(struct bench *b)
{
	for (size_t n = 0; n < POSITIONS; n++)
		b->sum += el_library_answers(b->library, b->game, &b->positions[n], b->metric);
}

static void run_miss(struct bench *b)
{
	for (size_t n = 0; n < POSITIONS; n++) {
		struct el_value value;
		b->sum += el_library_value(b->library, b->game, &b->positions[n], b->missing,
		                           EL_PROBE_TABLES, &value, NULL);
	}
}

static void run_answer(struct bench *b)
{
	static struct el_answer answer;
	for (size_t n = 0; n < POSITIONS; n += 20) {
		el_library_answer(b->library, b->game, &b->positions[n], NULL, &answer, NULL);
		b->sum += answer.count;
	}
}

static double best(void (*run)(struct bench *), struct bench *b, unsigned probes)
{
	double least = 1e30;
	for (int r = 0; r < ROUNDS; r++) {
		const double start = bench_now();
		run(b);
		const double each = 1e9 * (bench_now() - start) / probes;
		least = each < least ? each : least;
	}
	return least;
}

int main(int argc, char **argv)
{
	struct el_error error;
	struct bench b = {.positions = malloc(POSITIONS * sizeof *b.positions)};
	const struct el_library_options options = {.directory = argc > 1 ? argv[1] : "."};
	double sum = 0;
	if (!b.positions)
		bench_fail("out of memory");
	b.metric = argc > 2 ? el_metric_find(argv[2]) : NULL;
	if (!b.metric)
		bench_fail("usage: bench_probe DIRECTORY METRIC SLICE...");
	if (el_library_open(&options, &b.library, &error))
		bench_fail(error.text);
	b.missing = el_metric_find(strcmp(b.metric->name, "dtc") ? "dtc" : "dtr");
	printf("%-8s %10s %14s %8s %10s %8s %22s\n", "slice", "index ns", "hot probe ns", "ratio",
	       "covers ns", "miss ns", "all moves ranked, ns");
	for (int i = 3; i < argc; i++) {
		const struct el_slice slice = bench_slice(argv[i]);
		b.game = slice.game;
		draw_positions(&b, &slice);
		run_value(&b);
		const double place = best(run_place, &b, POSITIONS);
		const double value = best(run_value, &b, POSITIONS);
		const double answer = best(run_answer, &b, POSITIONS / 20);
		const double covers = best(run_covers, &b, POSITIONS);
		const double miss = best(run_miss, &b, POSITIONS);
		printf("%-8s %10.0f %14.0f %8.1f %10.0f %8.0f %22.0f\n", slice.name, place, value,
		       value / place, covers, miss, answer);
		sum += value;
	}
	if (argc > 4)
		printf("%-8s %10s %14.0f\n", "mean", "", sum / (argc - 3));
	el_library_close(b.library);
	free(b.positions);
	return b.sum == 0;
}
