/* SPDX-License-Identifier: MIT */
#include "timing.h"

#include "core/base/hash.h"
#include "core/os/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The nearest-rank percentile: the least sample such that `share` of all are not above it. */
static double percentile(const double *sorted, size_t count, double share)
{
	size_t rank = (size_t)ceil(share * (double)count);
	return sorted[rank ? rank - 1 : 0];
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
	for (size_t i = 0; i < count; i++) {
		static const double first = 10; /* nanoseconds: where bucket 0 begins */
		unsigned bucket = 0;
		for (double end = 2 * first; samples[i] >= end && bucket + 1 < EL_LAB_HISTOGRAM;
		     end *= 2)
			bucket++;
		histogram[bucket] += batch;
	}
}

double timing_timer_ns(void)
{
	enum { PAIRS = 9999 };
	double samples[PAIRS];
	for (size_t i = 0; i < PAIRS; i++) {
		uint64_t start = clock_ns();
		samples[i] = (double)(clock_ns() - start);
	}
	qsort(samples, PAIRS, sizeof *samples, ascending);
	return percentile(samples, PAIRS, 0.50);
}

double timing_memcpy_ns(size_t bytes)
{
	/* Some processors copy ten times slower between equal offsets of two pages. */
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
		__asm__ volatile("" : : "r"(to + at) : "memory"); /* keeps the copy */
		const double took = (double)(clock_ns() - start);
		least = least < 0 || took < least ? took : least;
	}
	free(from);
	return least;
}

/* ---- one sample ---- */

static double cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

void meter_start(struct meter *m)
{
	m->before = thread_use();
	m->cpu_began = cpu_ns();
	m->began = clock_ns();
}

void meter_stop(struct meter *m)
{
	m->wall = (double)(clock_ns() - m->began);
	m->cpu = cpu_ns() - m->cpu_began;
	m->use = thread_use();
	m->use.switches -= m->before.switches;
	m->use.major -= m->before.major;
	m->use.minor -= m->before.minor;
	m->use.sectors -= m->before.sectors;
}

double timing_meter_cpu_ns(void)
{
	enum { TRIALS = 999 };
	double samples[TRIALS];
	for (size_t i = 0; i < TRIALS; i++) {
		struct meter meter;
		meter_start(&meter);
		meter_stop(&meter);
		samples[i] = meter.cpu;
	}
	qsort(samples, TRIALS, sizeof *samples, ascending);
	return percentile(samples, TRIALS, 0.50);
}

/* ---- intervals ---- */

enum { BOOTSTRAPS = 200, LOW = 4, HIGH = 194 }; /* LOW and HIGH bound 95 % of them */

static int by_time(const void *a, const void *b)
{
	const double x = ((const struct timed *)a)->ns, y = ((const struct timed *)b)->ns;
	return (x > y) - (x < y);
}

void timing_intervals(struct timed *figures, size_t count, uint64_t seed, struct el_interval *p50,
                      struct el_interval *p99)
{
	double half[BOOTSTRAPS], most[BOOTSTRAPS];
	qsort(figures, count, sizeof *figures, by_time);
	if (count < EL_LAB_P50_LEAST)
		return;
	for (unsigned b = 0; b < BOOTSTRAPS; b++) {
		/* Quantiles of as many rounds, drawn with repetition. */
		unsigned times[EL_LAB_ROUNDS] = {0};
		uint64_t all = 0, passed = 0;
		size_t i = 0;
		for (unsigned r = 0; r < EL_LAB_ROUNDS; r++)
			times[random_next(&seed) % EL_LAB_ROUNDS]++;
		for (size_t k = 0; k < count; k++)
			all += times[figures[k].round];
		for (; i < count && (passed += times[figures[i].round]) * 2 < all;)
			i++;
		half[b] = figures[i < count ? i : count - 1].ns;
		for (i++; i < count && passed * 100 < all * 99; i++)
			passed += times[figures[i].round];
		most[b] = figures[i - 1 < count ? i - 1 : count - 1].ns;
	}
	qsort(half, BOOTSTRAPS, sizeof *half, ascending);
	qsort(most, BOOTSTRAPS, sizeof *most, ascending);
	*p50 = (struct el_interval){half[LOW], half[HIGH]};
	if (count >= EL_LAB_P99_LEAST)
		*p99 = (struct el_interval){most[LOW], most[HIGH]};
}

/* ---- all samples of a regime ---- */

static size_t choose(const struct samples *s, bool cpu, struct timed *figures, double *plain)
{
	size_t count = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct sample *one = &s->list[i];
		if (!cpu && one->preempted)
			continue;
		plain[count] = cpu ? one->cpu : one->wall;
		figures[count] = (struct timed){plain[count], one->round};
		count++;
	}
	return count;
}

enum el_status timing_samples(const struct samples *s, unsigned batch, bool cpu, uint64_t seed,
                              struct el_latency *out, uint64_t histogram[EL_LAB_HISTOGRAM],
                              struct el_error *error)
{
	struct timed *figures = malloc((s->count + 1) * sizeof *figures);
	double *plain = malloc((s->count + 1) * sizeof *plain);
	enum el_status status = EL_OK;
	if (figures && plain) {
		const size_t count = choose(s, false, figures, plain);
		timing_sum_up(plain, count, batch, out, histogram);
		out->preempted = s->count - count;
		timing_intervals(figures, count, seed, &out->p50_in, &out->p99_in);
		const size_t all = cpu ? choose(s, true, figures, plain) : 0;
		if (all) {
			struct el_interval unused;
			timing_intervals(figures, all, seed, &unused, &out->cpu_p99_in);
			qsort(plain, all, sizeof *plain, ascending);
			out->cpu_p50 = percentile(plain, all, 0.50);
			out->cpu_p99 = percentile(plain, all, 0.99);
		}
	} else {
		status = el_fail(error, EL_MEMORY, "%zu samples: out of memory", s->count);
	}
	free(figures);
	free(plain);
	return status;
}
