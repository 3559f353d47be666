/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include <stdlib.h>

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
