/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solving in memory: a slice and all that it depends on. bench_solve SLICE... */
#include "endlab/solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEPT_MAX = 256 };

struct shelf {
	struct el_planes planes[KEPT_MAX];
	size_t count;
};

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	struct shelf *shelf = context;
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

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void solve(struct shelf *shelf, const struct el_slice *slice)
{
	const struct el_lender lender = {shelf, lend, give_back};
	const struct el_planes *known;
	struct el_error error;
	if (!lend(shelf, slice, &el_dtm, &known, &error))
		return;
	struct el_slice *next = malloc(EL_SUCCESSORS_MAX * sizeof *next);
	size_t count = slice->game->successors(slice, next);
	for (size_t i = 0; i < count; i++)
		solve(shelf, &next[i]);
	free(next);

	struct el_planes *planes = &shelf->planes[shelf->count];
	const double start = now();
	if (el_solve(slice, &el_dtm, &lender, NULL, NULL, planes, &error)) {
		fprintf(stderr, "bench: %s\n", error.text);
		exit(1);
	}
	const double seconds = now() - start;
	unsigned deepest = 0;
	for (unsigned side = 0; side < slice->planes; side++)
		for (uint32_t v = 0; v < planes->plane[side].value_count; v++)
			if (planes->plane[side].values[v].plies > deepest)
				deepest = planes->plane[side].values[v].plies;
	printf("%-10s %9.3f s  %3u plies  %6.1f million positions/s\n", slice->name, seconds,
	       deepest, (double)(slice->positions * slice->planes) / seconds / 1e6);
	shelf->count++;
}

int main(int argc, char **argv)
{
	static struct shelf shelf;
	for (int i = 1; i < argc; i++) {
		struct el_slice slice;
		struct el_error error;
		if (el_slice_parse(argv[i], &slice, &error)) {
			fprintf(stderr, "bench: %s\n", error.text);
			return 2;
		}
		solve(&shelf, &slice);
	}
	for (size_t i = 0; i < shelf.count; i++)
		el_planes_free(&shelf.planes[i]);
	return 0;
}
