/* SPDX-License-Identifier: MIT */
/* The cost of the clock, and statistics of measured times. */
#ifndef CORE_LAB_TIMING_H
#define CORE_LAB_TIMING_H

#include "run.h"

#include "core/base/clock.h"
#include "core/os/system.h"

/* The median time between two successive readings of the clock, in nanoseconds. */
double timing_timer_ns(void);
/* The least time for copying a block of `bytes` bytes, of many copies over a few blocks in turn,
   including the clock, in nanoseconds; negative without memory. */
double timing_memcpy_ns(size_t bytes);

/* Sorts the samples, each the mean of `batch` probes in nanoseconds, and sums them up. */
void timing_sum_up(double *samples, size_t count, unsigned batch, struct el_latency *out,
                   uint64_t histogram[EL_LAB_HISTOGRAM]);

/* Measures one sample. */
struct meter {
	uint64_t began;
	double cpu_began;
	struct thread_use before, use; /* `use`: in between */
	double wall, cpu;              /* nanoseconds */
};
void meter_start(struct meter *);
void meter_stop(struct meter *);
/* What a meter adds to CPU times: the median of many empty measurements. */
double timing_meter_cpu_ns(void);

/* Sums up all samples of a regime. Sets CPU times only with `cpu`. EL_MEMORY. */
enum el_status timing_samples(const struct samples *, unsigned batch, bool cpu, uint64_t seed,
                              struct el_latency *out, uint64_t histogram[EL_LAB_HISTOGRAM],
                              struct el_error *);

/* A figure and its round. */
struct timed {
	double ns;
	unsigned round; /* below EL_LAB_ROUNDS */
};
/* Sorts the figures. Leaves an interval unchanged if there are too few figures for it. */
void timing_intervals(struct timed *, size_t count, uint64_t seed, struct el_interval *p50,
                      struct el_interval *p99);

#endif
