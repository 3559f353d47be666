/* SPDX-License-Identifier: MIT */
/* Finds the Pareto front of size and time, and sums up one candidate over several slices. */
#include "lab.h"

#include "core/base/text.h"

#include <math.h>

const char *const el_lab_time_names[] = {
	[EL_LAB_P99] = "p99",
	[EL_LAB_P50] = "p50",
	[EL_LAB_CPU] = "cpu",
	NULL,
};

enum el_status el_lab_time_parse(const char *text, enum el_lab_time *out, struct el_error *error)
{
	unsigned place;
	const enum el_status status =
		el_words_find(el_lab_time_names, text, "unknown time", &place, error);
	if (!status)
		*out = (enum el_lab_time)place;
	return status;
}

double el_lab_time_of(const struct el_latency *l, enum el_lab_time time)
{
	return time == EL_LAB_P99 ? l->p99 : time == EL_LAB_P50 ? l->p50 : l->cpu_p99;
}

struct el_interval el_lab_time_in(const struct el_latency *l, enum el_lab_time time)
{
	return time == EL_LAB_P99 ? l->p99_in : time == EL_LAB_P50 ? l->p50_in : l->cpu_p99_in;
}

/* The results and the time to compare them by. */
struct race {
	struct el_lab_result *results;
	size_t count;
	enum el_regime regime;
	enum el_lab_time time;
};

static const struct el_latency *latency(const struct race *race, const struct el_lab_result *r)
{
	return &r->latency[race->regime];
}

/* A time without an interval is its own interval. */
static struct el_interval interval(const struct race *race, const struct el_lab_result *r)
{
	const double time = el_lab_time_of(latency(race, r), race->time);
	const struct el_interval in = el_lab_time_in(latency(race, r), race->time);
	return in.high > 0 ? in : (struct el_interval){time, time};
}

/* The smallest result that is larger than `last`, or equally large and after it; the smallest of
   all if `last` is null. */
static struct el_lab_result *next_larger(const struct race *race, const struct el_lab_result *last)
{
	struct el_lab_result *best = NULL;
	for (struct el_lab_result *r = race->results; r < race->results + race->count; r++) {
		const bool behind = !last || r->bits_per_position > last->bits_per_position ||
		                    (r->bits_per_position == last->bits_per_position && r > last);
		const struct el_latency *l = latency(race, r);
		const bool has_figures =
			r->status == EL_OK && l->n && (race->time != EL_LAB_CPU || l->cpu_p99 > 0);
		if (has_figures && behind &&
		    (!best || r->bits_per_position < best->bits_per_position))
			best = r;
	}
	return best;
}

void el_lab_pareto(struct el_lab_result *results, size_t count, enum el_regime regime,
                   enum el_lab_time time)
{
	const struct race race = {results, count, regime, time};
	struct el_lab_result *best = NULL;
	for (size_t i = 0; i < count; i++)
		results[i].pareto = false;
	for (struct el_lab_result *r = NULL; (r = next_larger(&race, r));) {
		static const double sure = 0.8;
		if (best && (el_lab_time_of(latency(&race, r), time) >=
		                     sure * el_lab_time_of(latency(&race, best), time) ||
		             interval(&race, r).high >= interval(&race, best).low))
			continue;
		if (best && best->bits_per_position == r->bits_per_position)
			best->pareto = false;
		r->pareto = true;
		best = r;
	}
}

/* ---- one candidate over several slices ---- */

/* Updates a mean with the last of `count` figures. */
static void average(double *mean, double figure, size_t count)
{
	*mean += (figure - *mean) / (double)count;
}

static void add_interval(struct el_interval *sum, const struct el_interval *one, size_t count)
{
	if (count > 1 && (sum->high <= 0 || one->high <= 0)) { /* not known for all */
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
	sum->bytes += one->bytes;
	sum->bytes_beside += one->bytes_beside;
	sum->bits_per_position = 8 * (double)(sum->bytes + sum->bytes_beside) / total->positions;
	sum->coder_bytes += one->coder_bytes;
	average(&sum->blocks_alone, one->blocks_alone, total->slices);
	average(&sum->blocks_own, one->blocks_own, total->slices);
	/* A trace weighs its slices. */
	const double probes = (double)(sum->pass.probes + one->pass.probes);
	if (probes > 0)
		sum->pass.ns += (one->pass.ns - sum->pass.ns) * (double)one->pass.probes / probes;
	sum->pass.probes += one->pass.probes;
	sum->pass.blocks += one->pass.blocks;
	sum->pass.bytes += one->pass.bytes;
	average(&sum->blocks_per_probe, one->blocks_per_probe, total->slices);
	for (unsigned i = 0; i < EL_LAB_BUDGETS; i++) {
		sum->hits[i].budget += one->hits[i].budget;
		sum->hits[i].probes += one->hits[i].probes;
		average(&sum->hits[i].rate, one->hits[i].rate, total->slices);
	}
	average(&sum->cold.bytes, one->cold.bytes, total->slices);
	average(&sum->cold.major, one->cold.major, total->slices);
	average(&sum->cold.minor, one->cold.minor, total->slices);
	for (unsigned i = 0; i < EL_LAB_RATES; i++) {
		sum->rates[i].threads = one->rates[i].threads;
		average(&sum->rates[i].per_second, one->rates[i].per_second, total->slices);
	}
	for (unsigned r = 0; r < EL_REGIMES; r++) {
		add_latency(&sum->latency[r], &one->latency[r], total->slices);
		for (unsigned b = 0; b < EL_LAB_HISTOGRAM; b++)
			sum->histogram[r][b] += one->histogram[r][b];
	}
	if (one->candidate.foreign)
		return;
	total->encode_us += positions / one->encode_mb_s;
	total->decode_us += positions / one->decode_mb_s;
	sum->encode_mb_s = total->positions / total->encode_us;
	sum->decode_mb_s = total->positions / total->decode_us;
}
