/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One candidate over several slices. */
#include "lab.h"

#include <math.h>

/* The mean of `count` figures, of which the last one is new. */
static void average(double *mean, double figure, size_t count)
{
	*mean += (figure - *mean) / (double)count;
}

static void add_interval(struct el_interval *sum, const struct el_interval *one, size_t count)
{
	if (count > 1 && (sum->high <= 0 || one->high <= 0)) { /* not known of all */
		*sum = (struct el_interval){0};
		return;
	}
	average(&sum->low, one->low, count);
	average(&sum->high, one->high, count);
}

static void add_latency(struct el_latency *sum, const struct el_latency *one, size_t count)
{
	if (count > 1 && (!sum->n || !one->n)) { /* not measured in all of them */
		*sum = (struct el_latency){0};
		return;
	}
	sum->n += one->n;
	sum->batch = one->batch > sum->batch ? one->batch : sum->batch;
	sum->min = count > 1 ? fmin(sum->min, one->min) : one->min;
	sum->max = fmax(sum->max, one->max);
	average(&sum->p50, one->p50, count);
	average(&sum->p90, one->p90, count);
	average(&sum->p99, one->p99, count);
	sum->preempted += one->preempted;
	average(&sum->cpu_p50, one->cpu_p50, count);
	average(&sum->cpu_p99, one->cpu_p99, count);
	add_interval(&sum->p50_in, &one->p50_in, count);
	add_interval(&sum->p99_in, &one->p99_in, count);
	add_interval(&sum->cpu_p99_in, &one->cpu_p99_in, count);
}

static void add_hits(struct el_hit_rate *sum, const struct el_hit_rate *one, size_t count)
{
	for (unsigned i = 0; i < EL_LAB_BUDGETS; i++) {
		sum[i].budget += one[i].budget;
		sum[i].probes += one[i].probes;
		average(&sum[i].rate, one[i].rate, count);
	}
}

static void add_figures(struct el_lab_total *total, const struct el_lab_result *one)
{
	struct el_lab_result *sum = &total->result;
	const size_t count = total->slices;
	sum->bytes += one->bytes;
	sum->bytes_beside += one->bytes_beside;
	sum->bits_per_position = 8 * (double)(sum->bytes + sum->bytes_beside) / total->positions;
	sum->coder_bytes += one->coder_bytes;
	average(&sum->blocks_alone, one->blocks_alone, count);
	average(&sum->blocks_per_probe, one->blocks_per_probe, count);
	add_hits(sum->hits, one->hits, count);
	for (unsigned r = 0; r < EL_REGIMES; r++) {
		add_latency(&sum->latency[r], &one->latency[r], count);
		for (unsigned b = 0; b < EL_LAB_HISTOGRAM; b++)
			sum->histogram[r][b] += one->histogram[r][b];
	}
}

void el_lab_total_add(struct el_lab_total *total, const struct el_lab_result *one,
                      const struct el_slice *slice)
{
	struct el_lab_result *sum = &total->result;
	const double positions = (double)slice->positions * slice->planes;
	if (sum->status)
		return;
	if (one->status) {
		sum->status =
			el_fail(&sum->error, one->status, "%s: %s", slice->name, one->error.text);
		return;
	}
	total->slices++;
	total->positions += positions;
	add_figures(total, one);
	if (one->candidate.foreign)
		return;
	total->encode_us += positions / one->encode_mb_s;
	total->decode_us += positions / one->decode_mb_s;
	sum->encode_mb_s = total->positions / total->encode_us;
	sum->decode_mb_s = total->positions / total->decode_us;
}
