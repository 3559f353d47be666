/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solves slices in memory, then proves them: bench_verify METRIC SLICE... For each slice without what it
 * depends on, in seconds of the processor time of all threads: the solution, the proof, and the second
 * divided by the first.
 */
#include "bench.h"
#include "core/examine/proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double processor_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ends the program if a value is wrong. */
static double prove(const struct el_lender *lender, const struct el_planes *planes)
{
	const double start = processor_now();
	struct el_verdict verdict = {0};
	struct el_error error;
	bool proved;
	struct proof p = {
		.planes = planes,
		.reach = {.game = planes->slice.game, .metric = planes->metric},
		.findings = aligned_alloc(_Alignof(struct finding),
	                                  sweep_threads() * sizeof *p.findings),
		.out = &verdict,
	};
	if (proof_by_planes(&p, lender, &proved, &error))
		bench_fail(error.text);
	if (!proved || verdict.wrong)
		bench_fail("values are wrong, or cannot be proved by whole planes");
	free(p.findings);
	return processor_now() - start;
}

static void measure(struct bench_shelf *shelf, const struct el_slice *slice,
                    const struct el_metric *metric)
{
	struct el_planes planes;
	const struct el_lender lender = bench_lender(shelf);
	const double stored = (double)slice->positions * slice->planes;
	bench_solve(shelf, slice, metric);
	const double start = processor_now();
	bench_solve_alone(shelf, slice, metric, &planes);
	const double solved = processor_now() - start;
	const double proved = prove(&lender, &planes);
	printf("%-18s %11.0f %9.3f %9.3f %7.2f\n", slice->name, stored, solved, proved,
	       proved / solved);
	el_planes_free(&planes);
}

int main(int argc, char **argv)
{
	static struct bench_shelf shelf;
	const struct el_metric *metric = argc > 1 ? el_metric_find(argv[1]) : NULL;
	if (!metric)
		bench_fail("expected: bench_verify METRIC SLICE...");
	printf("%-18s %11s %9s %9s %7s\n", "slice", "positions", "solution", "proof", "ratio");
	for (int i = 2; i < argc; i++) {
		const struct el_slice slice = bench_slice(argv[i]);
		measure(&shelf, &slice, metric);
	}
	bench_shelf_free(&shelf);
	return 0;
}
