/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the clock costs, and what a list of measured times says. */
#ifndef CORE_LAB_TIMING_H
#define CORE_LAB_TIMING_H

#include "run.h"

#include "core/base/clock.h"

/* The median of what lies between two readings with nothing between them, in nanoseconds. */
double timing_timer_ns(void);
/* The least that copying a block of `bytes` bytes took of many times that go round a few blocks,
   the clock included, in nanoseconds; negative without memory. */
double timing_memcpy_ns(size_t bytes);

/* Sorts the samples, each the mean of `batch` probes in nanoseconds, and sums them up. */
void timing_sum_up(double *samples, size_t count, unsigned batch, struct el_latency *out,
                   uint64_t histogram[EL_LAB_HISTOGRAM]);

/* What one sample costs: meter_stop sets all but what stands before. */
struct meter {
	uint64_t began;
	double cpu_began;
	long switches;    /* that the thread did not ask for */
	double wall, cpu; /* nanoseconds */
	bool preempted;
};
void meter_start(struct meter *);
void meter_stop(struct meter *);
/* How often the thread has lost its processor without asking for it. */
long meter_switches(void);
/* What a meter adds to CPU times: the median of many that measure nothing. */
double timing_meter_cpu_ns(void);

/* All samples of a regime. CPU times are only set with `cpu`. EL_MEMORY. */
enum el_status timing_samples(const struct samples *, unsigned batch, bool cpu, uint64_t seed,
                              struct el_latency *out, uint64_t histogram[EL_LAB_HISTOGRAM],
                              struct el_error *);

/* A figure and the round that it is of. */
struct timed {
	double ns;
	unsigned round; /* below EL_LAB_ROUNDS */
};
/* Sorts the figures. Intervals for which there are too few are left as they are. */
void timing_intervals(struct timed *, size_t count, uint64_t seed, struct el_interval *p50,
                      struct el_interval *p99);

#endif
