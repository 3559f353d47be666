/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the clock costs, and what a list of measured times says. */
#ifndef LAB_TIMING_H
#define LAB_TIMING_H

#include "endlab/lab.h"

#include "../clock.h"

/* The median of what lies between two readings with nothing between them, in nanoseconds. */
double timing_timer_ns(void);
/* The least that copying a block of `bytes` bytes took of many times that go round a few blocks, the
   clock included, in nanoseconds; negative without memory. */
double timing_memcpy_ns(size_t bytes);

/* Sorts the samples, each the mean of `batch` probes in nanoseconds, and sums them up. */
void timing_sum_up(double *samples, size_t count, unsigned batch, struct el_latency *out,
                   uint64_t histogram[EL_LAB_HISTOGRAM]);

#endif
