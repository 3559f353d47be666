/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench.h"

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *solved, const struct el_planes **out,
                           struct el_error *error)
{
	struct bench_shelf *shelf = context;
	const struct el_metric *metric = el_metric_entered(solved);
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

struct el_lender bench_lender(struct bench_shelf *shelf)
{
	return (struct el_lender){.context = shelf, .lend = lend, .give_back = give_back};
}

double bench_solve_alone(struct bench_shelf *shelf, const struct el_slice *slice,
                         const struct el_metric *metric, struct el_planes *out)
{
	const struct el_lender lender = bench_lender(shelf);
	const struct el_problem problem = {.slice = *slice, .metric = metric, .lender = &lender};
	struct el_error error;
	const double start = bench_now();
	if (el_solve(&problem, out, &error))
		bench_fail(error.text);
	return bench_now() - start;
}

double bench_solve(struct bench_shelf *shelf, const struct el_slice *slice,
                   const struct el_metric *metric)
{
	const struct el_planes *known;
	struct el_slice next[EL_SUCCESSORS_MAX];
	if (!lend(shelf, slice, metric, &known, NULL))
		return 0;
	const size_t count = slice->game->successors(slice, next);
	for (size_t i = 0; i < count; i++)
		bench_solve(shelf, &next[i], el_metric_entered(metric));
	if (shelf->count == BENCH_KEPT_MAX)
		bench_fail("too many slices");
	const double seconds =
		bench_solve_alone(shelf, slice, metric, &shelf->planes[shelf->count]);
	shelf->count++;
	return seconds;
}

void bench_shelf_free(struct bench_shelf *shelf)
{
	for (size_t i = 0; i < shelf->count; i++)
		el_planes_free(&shelf->planes[i]);
	shelf->count = 0;
}
