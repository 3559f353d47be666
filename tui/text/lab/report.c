/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

enum el_status lab_report_make(struct lab_report *report, size_t room, struct el_error *error)
{
	report->results = calloc(room, sizeof *report->results);
	report->codec = calloc(room, sizeof *report->codec);
	report->room = room;
	if (!report->results || !report->codec)
		return el_fail(error, EL_MEMORY, "%zu results: out of memory", room);
	el_lab_machine(report->machine, sizeof report->machine);
	el_lab_libraries(report->libraries, sizeof report->libraries);
	return EL_OK;
}

void lab_report_free(struct lab_report *report)
{
	free(report->results);
	free(report->codec);
	*report = (struct lab_report){0};
}

const struct el_lab_references *lab_references(const struct el_lab_ground *ground)
{
	return ground->derived.known      ? &ground->derived
	       : ground->references.known ? &ground->references
	                                  : NULL;
}

const char *lab_time_text(enum el_lab_time time)
{
	return time == EL_LAB_CPU ? "CPU p99" : el_lab_time_names[time];
}

void lab_report_add(struct lab_report *report, const struct el_lab_result *result,
                    const char *codec)
{
	const struct el_source_ops *foreign = result->candidate.foreign;
	report->results[report->count] = *result;
	snprintf(report->codec[report->count], sizeof *report->codec, "%s",
	         foreign ? foreign->kind : codec);
	report->count++;
}

struct lab_total {
	struct el_lab_total sum;
	size_t place; /* among the candidates */
	char codec[EL_CODEC_TEXT];
};

/* ---- adding a slice ---- */

/* That of a candidate, new if there is none yet. Null without memory. */
static struct lab_total *total_of(struct lab_totals *totals, const struct lab_report *report,
                                  const struct el_lab_candidate *candidate, size_t place)
{
	struct lab_total *t = totals->list, *end = t + totals->count;
	while (t < end && !(t->sum.result.candidate.foreign == candidate->foreign &&
	                    (candidate->foreign || t->place == place)))
		t++;
	if (t < end)
		return t;
	if (!array_grow(&totals->list, totals->count, 1, sizeof *totals->list))
		return NULL;
	t = &totals->list[totals->count++];
	*t = (struct lab_total){.sum.result.candidate = *candidate, .place = place};
	memcpy(t->codec, report->codec[place], sizeof t->codec);
	return t;
}

static void add_references(struct el_lab_references *sum, const struct el_lab_references *one)
{
	sum->known &= one->known;
	sum->slow &= one->slow;
	sum->sampled |= one->sampled;
	for (unsigned p = 0; p < 2; p++) {
		sum->counted[p] += one->counted[p];
		if (sum->piece[p] != one->piece[p])
			sum->piece[p] = 0;
		for (unsigned c = 0; c < EL_LAB_CONTEXTS; c++) {
			sum->line[p][c].bytes += one->line[p][c].bytes;
			sum->line[p][c].adaptive_bytes += one->line[p][c].adaptive_bytes;
			sum->line[p][c].contexts += one->line[p][c].contexts;
		}
	}
}

void lab_ground_add(struct el_lab_ground *sum, const struct el_lab_ground *one)
{
	sum->positions += one->positions;
	sum->legal += one->legal;
	sum->derivable += one->derivable;
	sum->probes += one->probes;
	sum->distinct += one->distinct;
	sum->rounded |= one->rounded;
	sum->cold_checked &= one->cold_checked;
	sum->cold_note = sum->cold_note ? sum->cold_note : one->cold_note;
	add_references(&sum->references, &one->references);
	add_references(&sum->derived, &one->derived);
}

enum el_status lab_totals_add(struct lab_totals *totals, const struct lab_report *report,
                              const struct el_lab_candidate *candidates, struct el_error *error)
{
	if (!array_grow(&totals->slices, totals->slice_count, 1, sizeof *totals->slices))
		return el_fail(error, EL_MEMORY, "%s: out of memory", report->slice.name);
	totals->slices[totals->slice_count++] = report->slice;
	if (totals->slice_count == 1) {
		totals->common = *report;
		totals->common.results = NULL;
		totals->common.codec = NULL;
		totals->common.count = totals->common.room = 0;
		snprintf(totals->common.slice.name, sizeof totals->common.slice.name, "%s",
		         LAB_TOTALS_NAME);
	} else {
		lab_ground_add(&totals->common.ground, &report->ground);
		totals->mixed |= totals->common.metric != report->metric;
	}
	for (size_t i = 0; i < report->count; i++) {
		struct lab_total *t = total_of(totals, report, &candidates[i], i);
		if (!t)
			return el_fail(error, EL_MEMORY, "%s: out of memory", report->slice.name);
		el_lab_total_add(&t->sum, &report->results[i], &report->slice);
		if (candidates[i].foreign && !report->results[i].status)
			t->sum.result.candidate.options.derive =
				report->results[i].candidate.options.derive;
	}
	return EL_OK;
}

/* ---- the report ---- */

enum el_status lab_totals_report(const struct lab_totals *totals, struct lab_report *out,
                                 struct el_error *error)
{
	struct lab_report made = {0};
	*out = totals->common;
	if (totals->mixed)
		return el_fail(error, EL_NEGATIVE,
		               "the slices have tables of different metrics, which are not summed "
		               "up; name one with --metric");
	enum el_status status = lab_report_make(&made, totals->count, error);
	out->results = made.results;
	out->codec = made.codec;
	out->room = made.room;
	out->slices = totals->slices;
	out->slice_count = totals->slice_count;
	for (const struct lab_total *t = totals->list; t < totals->list + totals->count && !status;
	     t++) {
		struct el_lab_result result = t->sum.result;
		if (!result.status && t->sum.slices < totals->slice_count)
			result.status =
				el_fail(&result.error, EL_NEGATIVE, "there for %zu of %zu slices",
			                t->sum.slices, totals->slice_count);
		lab_report_add(out, &result, t->codec);
	}
	return status;
}

void lab_totals_free(struct lab_totals *totals)
{
	free(totals->list);
	free(totals->slices);
	*totals = (struct lab_totals){0};
}
