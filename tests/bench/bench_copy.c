/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures memory speed for the figures of tests/bench/scaling: bench_copy GIGABYTES copies that
   many with all threads, and prints the seconds. */
#include "bench.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 64 << 20 }; /* bytes of one thread: more than caches hold */

int main(int argc, char **argv)
{
	const size_t rounds = (size_t)(argc > 1 ? atoi(argv[1]) : 4) * 1000 * 1000 * 1000 / PART;
	const size_t threads = (size_t)omp_get_max_threads();
	char *from = malloc(threads * PART), *to = malloc(threads * PART);
	if (!from || !to)
		bench_fail("out of memory");
	double seconds = 0;
#pragma omp parallel
	{
		const size_t at = (size_t)omp_get_thread_num() * PART;
		memset(from + at, 1, PART);
		memset(to + at, 2, PART);
#pragma omp barrier
#pragma omp master
		seconds = bench_now();
#pragma omp for
		for (size_t round = 0; round < rounds; round++)
			memcpy(to + at, from + at, PART);
	}
	printf("%.3f\n", bench_now() - seconds);
	free(from);
	free(to);
	return 0;
}
