/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions about the slices of a folder: bench_find DIRECTORY METRIC SLICE... For each question, over all
 * slices, all threads: positions up to symmetry, seconds with the reading of the tables, millions of positions
 * a second; and for the first two questions the same by a loop that sets up each position and probes it.
 */
#include "bench.h"
#include "core/find/find.h"
#include "core/probe/probe.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *question;
	bool probes; /* of the loop */
} questions[] = {
	{"win", true},
	{"check", true},
	{"win and dtm > 30 and P on rank 7", false},
	{"distance(K, k) = 2 and file(K) = file(k)", false},
	{"zugzwang", false},
	{"draw and only-move", false},
};

static struct el_find_counts ask(struct el_library *library, const char *text,
                                 const struct el_slice *slices, size_t count)
{
	struct el_find_counts all = {.searched = 0}, one;
	const struct el_find_options options = {.count = true};
	struct el_query *query;
	struct el_query_fault fault;
	struct el_finder *finder;
	struct el_error error;
	bool done;
	if (el_query_parse(slices->game, text, &query, &fault, &error) ||
	    el_finder_open(library, query, &options, &finder, &error))
		bench_fail(error.text);
	for (size_t i = 0; i < count; i++) {
		if (el_finder_search(finder, &slices[i], &one, &done, &error))
			bench_fail(error.text);
		all.searched += one.searched;
		all.unique += one.unique;
	}
	el_finder_close(finder);
	el_query_free(query);
	return all;
}

/* Seconds for the first slice, with the same answer: wins, or checks. */
static double loop(struct el_library *library, const struct el_slice *slice, bool wins,
                   const struct el_metric *metric, struct el_find_counts *out)
{
	const double start = bench_now();
	uint64_t searched = 0, found = 0;
	for (unsigned plane = 0; plane < slice->planes; plane++)
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : searched, found)
		for (uint64_t i = 0; i < slice->positions; i++) {
			struct el_position position;
			struct el_value value = {.outcome = EL_DRAW};
			struct el_error error;
			if (!slice->game->unplace(slice, plane, i, &position))
				continue;
			searched++;
			if (wins && el_library_value(library, slice->game, &position, metric,
			                             EL_PROBE_FULL, &value, &error))
				bench_fail(error.text);
			found += wins ? value.outcome == EL_WIN : slice->game->in_check(&position);
		}
	*out = (struct el_find_counts){.searched = searched, .unique = found};
	return bench_now() - start;
}

int main(int argc, char **argv)
{
	enum { SLICES = 64 };
	const struct el_metric *metric = argc > 3 ? el_metric_find(argv[2]) : NULL;
	const struct el_library_options options = {.directory = argc > 3 ? argv[1] : NULL};
	struct el_library *library;
	struct el_slice slices[SLICES];
	struct el_error error;
	size_t count = 0;
	if (!metric)
		bench_fail("expected: bench_find DIRECTORY METRIC SLICE...");
	if (el_library_open(&options, &library, &error))
		bench_fail(error.text);
	for (; (int)count + 3 < argc && count < SLICES; count++)
		slices[count] = bench_slice(argv[count + 3]);
	printf("%-42s %12s %12s %8s %8s %8s\n", "question", "positions", "answers", "seconds",
	       "M/s", "loop");
	for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
		const double start = bench_now();
		const struct el_find_counts all =
			ask(library, questions[q].question, slices, count);
		const double took = bench_now() - start;
		printf("%-42s %12lu %12lu %8.3f %8.1f", questions[q].question,
		       (unsigned long)all.searched, (unsigned long)all.unique, took,
		       1e-6 * (double)all.searched / took);
		if (questions[q].probes) {
			struct el_find_counts same,
				one = ask(library, questions[q].question, slices, 1);
			const double looped = loop(library, slices, q == 0, metric, &same);
			if (same.searched != one.searched || same.unique != one.unique)
				bench_fail("the loop finds something else");
			printf(" %8.1f", 1e-6 * (double)same.searched / looped);
		}
		putchar('\n');
	}
	el_library_close(library);
	return 0;
}
