/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which candidates are worth having: the Pareto front of size and time. */
#include "core/base/text.h"
#include "lab.h"

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

/* What is compared. */
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

static bool has_figures(const struct race *race, const struct el_lab_result *r)
{
	return r->status == EL_OK && latency(race, r)->n &&
	       (race->time != EL_LAB_CPU || latency(race, r)->cpu_p99 > 0);
}

/* A time without an interval is taken for one. */
static struct el_interval interval(const struct race *race, const struct el_lab_result *r)
{
	const double time = el_lab_time_of(latency(race, r), race->time);
	const struct el_interval in = el_lab_time_in(latency(race, r), race->time);
	return in.high > 0 ? in : (struct el_interval){time, time};
}

static bool is_faster(const struct race *race, const struct el_lab_result *a,
                      const struct el_lab_result *b)
{
	static const double sure = 0.8;
	return el_lab_time_of(latency(race, a), race->time) <
	               sure * el_lab_time_of(latency(race, b), race->time) &&
	       interval(race, a).high < interval(race, b).low;
}

/* The smallest one larger than `last`, or as large and behind it; the first one where that is
   null. */
static struct el_lab_result *next_larger(const struct race *race, const struct el_lab_result *last)
{
	struct el_lab_result *best = NULL;
	for (struct el_lab_result *r = race->results; r < race->results + race->count; r++) {
		const bool behind = !last || r->bits_per_position > last->bits_per_position ||
		                    (r->bits_per_position == last->bits_per_position && r > last);
		if (has_figures(race, r) && behind &&
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
		if (best && !is_faster(&race, r, best))
			continue;
		if (best && best->bits_per_position == r->bits_per_position)
			best->pareto = false;
		r->pareto = true;
		best = r;
	}
}
