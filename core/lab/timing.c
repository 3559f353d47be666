/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The nearest rank: the least sample that `share` of all are not above. */
static double percentile(const double *sorted, size_t count, double share)
{
	size_t rank = (size_t)ceil(share * (double)count);
	return sorted[rank ? rank - 1 : 0];
}

static unsigned bucket_of(double ns)
{
	static const double first = 10; /* nanoseconds: where bucket 0 begins */
	unsigned bucket = 0;
	for (double end = 2 * first; ns >= end && bucket + 1 < EL_LAB_HISTOGRAM; end *= 2)
		bucket++;
	return bucket;
}

void timing_sum_up(double *samples, size_t count, unsigned batch, struct el_latency *out,
                   uint64_t histogram[EL_LAB_HISTOGRAM])
{
	*out = (struct el_latency){.n = count * batch, .batch = batch};
	if (!count)
		return;
	qsort(samples, count, sizeof *samples, ascending);
	out->min = samples[0];
	out->p50 = percentile(samples, count, 0.50);
	out->p90 = percentile(samples, count, 0.90);
	out->p99 = percentile(samples, count, 0.99);
	out->max = samples[count - 1];
	for (size_t i = 0; i < count; i++)
		histogram[bucket_of(samples[i])] += batch;
}

double timing_timer_ns(void)
{
	enum { PAIRS = 9999 };
	double samples[PAIRS];
	struct el_latency all;
	uint64_t unused[EL_LAB_HISTOGRAM] = {0};
	for (size_t i = 0; i < PAIRS; i++) {
		uint64_t start = clock_ns();
		samples[i] = (double)(clock_ns() - start);
	}
	timing_sum_up(samples, PAIRS, 1, &all, unused);
	return all.p50;
}

double timing_memcpy_ns(size_t bytes)
{
	enum { BLOCKS = 64, ROUNDS = 16 };
	char *from = malloc(BLOCKS * bytes), *to = malloc(BLOCKS * bytes);
	double samples[BLOCKS * ROUNDS];
	struct el_latency all = {.p50 = -1};
	uint64_t unused[EL_LAB_HISTOGRAM] = {0};
	if (from && to) {
		memset(from, 1, BLOCKS * bytes);
		memset(to, 0, BLOCKS * bytes);
		const double timer = timing_timer_ns();
		for (size_t i = 0; i < BLOCKS * ROUNDS; i++) {
			const size_t at = i * 37 % BLOCKS * bytes; /* 37: odd, so that all come */
			uint64_t start = clock_ns();
			memcpy(to + at, from + at, bytes);
			__asm__ volatile("" : : "r"(to + at) : "memory"); /* is not left out */
			double took = (double)(clock_ns() - start) - timer;
			samples[i] = took > 0 ? took : 0;
		}
		timing_sum_up(samples, BLOCKS * ROUNDS, 1, &all, unused);
	}
	free(from);
	free(to);
	return all.p50;
}
