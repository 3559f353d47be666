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
	/* Some processors copy ten times slower between the same places of two pages. */
	enum { BLOCKS = 8, ASIDE = 2048, FOR_NS = 20000000 };
	const size_t size = BLOCKS * bytes;
	char *from = malloc(2 * size + ASIDE);
	double least = -1;
	if (!from)
		return least;
	char *to = from + size + ASIDE;
	memset(from, 1, 2 * size + ASIDE);
	const uint64_t end = clock_ns() + FOR_NS;
	uint64_t start = 0;
	for (size_t at = 0; start < end; at = (at + bytes) % size) {
		start = clock_ns();
		memcpy(to + at, from + at, bytes);
		__asm__ volatile("" : : "r"(to + at) : "memory"); /* is not left out */
		const double took = (double)(clock_ns() - start);
		least = least < 0 || took < least ? took : least;
	}
	free(from);
	return least;
}
