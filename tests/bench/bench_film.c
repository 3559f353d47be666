/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures what Teach costs: a film of KQvKR against the plain solution of the same tables, side by
   side in one run, then a value after a step and the reason for one: bench_film [SLICE]. */
#include "bench.h"

#include "core/film/film.h"

#include <stdio.h>
#include <stdlib.h>

enum { POSITIONS = 20000, ROUNDS = 5 };

static double solve(const struct el_slice *slice)
{
	struct bench_shelf *shelf = calloc(1, sizeof *shelf);
	if (!shelf)
		bench_fail("out of memory");
	const double begin = bench_now();
	bench_solve(shelf, slice, el_game_metric(slice->game));
	const double seconds = bench_now() - begin;
	bench_shelf_free(shelf);
	free(shelf);
	return seconds;
}

/* Finds no table, so it solves what the plain solution solves. */
static struct el_film *film(const struct el_slice *slice, double *seconds)
{
	const struct el_library_options nowhere = {.directory = "/nonexistent/endlab"};
	const struct el_film_wish wish = {.slice = *slice, .metric = el_game_metric(slice->game)};
	struct el_library *library;
	struct el_film *made;
	struct el_error error;
	if (el_library_open(&nowhere, &library, &error))
		bench_fail(error.text);
	const double begin = bench_now();
	if (el_film_make(library, &wish, NULL, &made, &error))
		bench_fail(error.text);
	*seconds = bench_now() - begin;
	el_library_close(library);
	return made;
}

static void look(const struct el_film *film)
{
	const struct el_slice *slice = &film->wish.slice;
	struct el_position *positions = malloc(POSITIONS * sizeof *positions);
	uint64_t random = 1, sum = 0;
	if (!positions)
		bench_fail("out of memory");
	for (size_t i = 0; i < POSITIONS;)
		i += slice->game->unplace(slice, (unsigned)(bench_random(&random) % slice->planes),
		                          bench_random(&random) % slice->positions, &positions[i]);
	double begin = bench_now();
	for (size_t i = 0; i < POSITIONS; i++)
		sum += el_film_value(film, &positions[i], i % film->step_count).value.plies;
	const double value = bench_now() - begin;
	begin = bench_now();
	for (size_t i = 0; i < POSITIONS; i++)
		sum += el_film_reason(film, &positions[i], i % film->step_count).moves;
	const double reason = bench_now() - begin;
	printf("a value after a step %.0f ns, the reason of one %.1f us (sum %llu)\n",
	       1e9 * value / POSITIONS, 1e6 * reason / POSITIONS, (unsigned long long)sum);
	free(positions);
}

int main(int argc, char **argv)
{
	const struct el_slice slice = bench_slice(argc > 1 ? argv[1] : "KQvKR");
	double plain = 1e9, filmed = 1e9;
	for (int i = 0; i < ROUNDS; i++) {
		double seconds = solve(&slice);
		plain = seconds < plain ? seconds : plain;
		struct el_film *made = film(&slice, &seconds);
		filmed = seconds < filmed ? seconds : filmed;
		if (i + 1 == ROUNDS)
			look(made);
		el_film_free(made);
	}
	printf("%s with all it needs: solved in %.2f s, filmed in %.2f s: %.2f times as long "
	       "(best of %d)\n",
	       slice.name, plain, filmed, filmed / plain, ROUNDS);
	return 0;
}
