/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double bench_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Marsaglia, "Xorshift RNGs", 2003. */
uint64_t bench_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

void bench_fail(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

struct el_slice bench_slice(const char *name)
{
	struct el_slice slice;
	struct el_error error;
	if (el_slice_parse(name, &slice, &error))
		bench_fail(error.text);
	return slice;
}
