/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrays.h"

#include "describe.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	CHUNK = 1 << 14, /* positions that a thread writes at once */
	SPAN = 1 << 24,  /* and all of them, before the watch is asked */
};

const char *const array_side_names[] = {"white", "black"};
const char *const array_part_names[] = {"outcome", "plies", "phase", "stones"};

size_t arrays_list(const struct el_slice *slice, const struct el_metric *metric,
                   struct array out[ARRAYS_MAX])
{
	size_t count = 0;
	for (unsigned plane = 0; plane < slice->planes; plane++) {
		out[count++] = (struct array){plane, ARRAY_OUTCOME};
		if (metric->has_depth)
			out[count++] =
				(struct array){plane, metric->stones ? ARRAY_STONES : ARRAY_PLIES};
		if (metric->has_phase)
			out[count++] = (struct array){plane, ARRAY_PHASE};
	}
	return count;
}

enum el_status arrays_add(struct outputs *outputs, const struct el_metric *metric,
                          const char *ending, struct el_error *error)
{
	struct array list[ARRAYS_MAX];
	const size_t count = arrays_list(&outputs->export->slice, metric, list);
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status; i++) {
		char name[64];
		snprintf(name, sizeof name, ".%s.%s.%s.%s", metric->name,
		         array_side_names[list[i].plane], array_part_names[list[i].part], ending);
		status = outputs_add(outputs, name, error);
	}
	return status ? status : describe_add(outputs, metric, ending, error);
}

/* ---- numbers ---- */

int array_outcome(enum el_outcome outcome)
{
	static const int codes[EL_OUTCOMES] = {
		[EL_LOSS] = -2,
		[EL_BLESSED_LOSS] = -1,
		[EL_DRAW] = 0,
		[EL_CURSED_WIN] = 1,
		[EL_WIN] = 2,
		[EL_AT_MOST_DRAW] = -100,
		[EL_AT_LEAST_DRAW] = 100,
		[EL_AT_MOST_BLESSED] = -101,
		[EL_AT_LEAST_CURSED] = 101,
		[EL_UNKNOWN] = 127,
		[EL_BROKEN] = ARRAY_BROKEN_OUTCOME,
	};
	return codes[outcome];
}

/* What stands for a value in an array, as it is in the file. */
static uint16_t number_of(struct el_value v, enum array_part part)
{
	if (part == ARRAY_OUTCOME)
		return (uint8_t)array_outcome((enum el_outcome)v.outcome);
	if (part == ARRAY_STONES)
		return htole16((uint16_t)(v.outcome == EL_BROKEN ? ARRAY_BROKEN_STONES
		                                                 : el_value_stones(v)));
	if (v.outcome == EL_BROKEN)
		return ARRAY_BROKEN_PLIES;
	return htole16(part == ARRAY_PLIES ? v.plies : v.phase);
}

/* An array on its way to its file. */
struct job {
	const struct el_planes *planes;
	struct array array;
	const struct output *file;
	const uint16_t *number; /* of each symbol */
	uint64_t start;         /* of the numbers in the file */
};

static enum el_status write_chunk(const struct job *job, uint64_t first, uint64_t end,
                                  struct el_error *error)
{
	const uint16_t *symbols = job->planes->plane[job->array.plane].symbols;
	const unsigned width = array_width(job->array.part);
	const size_t count = (size_t)(end - first);
	union {
		uint8_t narrow[CHUNK];
		uint16_t wide[CHUNK];
	} bytes;
	for (size_t i = 0; i < count; i++)
		if (width == 1)
			bytes.narrow[i] = (uint8_t)job->number[symbols[first + i]];
		else
			bytes.wide[i] = job->number[symbols[first + i]];
	return output_write(job->file, &bytes, count * width, job->start + first * width, error);
}

static enum el_status write_span(const struct job *job, uint64_t first, uint64_t end,
                                 struct el_error *error)
{
	enum el_status status = EL_OK;
#pragma omp parallel for schedule(dynamic)
	for (uint64_t at = first; at < end; at += CHUNK) {
		struct el_error one_error;
		const enum el_status one =
			write_chunk(job, at, at + CHUNK < end ? at + CHUNK : end, &one_error);
		if (one) {
#pragma omp critical(export_error)
			status = el_fail(error, one, "%s", one_error.text);
		}
	}
	return status;
}

/* `done` of the `total` positions of all arrays are written. */
static enum el_status write_array(const struct outputs *outputs, const struct job *job,
                                  uint64_t done, uint64_t total, struct el_error *error)
{
	const uint64_t positions = job->planes->slice.positions;
	enum el_status status = EL_OK;
	for (uint64_t at = 0; at < positions && !status; at += SPAN) {
		const uint64_t end = at + SPAN < positions ? at + SPAN : positions;
		status = tables_tick(outputs, job->planes, done + at, total, error);
		if (!status)
			status = write_span(job, at, end, error);
	}
	return status;
}

static enum el_status fill_one(const struct outputs *outputs, struct job *job, uint64_t done,
                               uint64_t total, struct el_error *error)
{
	const struct el_plane *plane = &job->planes->plane[job->array.plane];
	uint16_t *number = malloc(plane->value_count * sizeof *number);
	if (!number)
		return el_fail(error, EL_MEMORY, "%s: out of memory", job->file->path);
	for (uint32_t s = 0; s < plane->value_count; s++)
		number[s] = number_of(plane->values[s], job->array.part);
	job->number = number;
	const enum el_status status = write_array(outputs, job, done, total, error);
	free(number);
	return status;
}

enum el_status arrays_fill(const struct outputs *outputs, const struct el_planes *planes,
                           array_header *header, struct el_error *error)
{
	struct array list[ARRAYS_MAX];
	const size_t count = arrays_list(&planes->slice, planes->metric, list);
	const uint64_t positions = planes->slice.positions;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status; i++) {
		struct job job = {.planes = planes, .array = list[i], .file = &outputs->file[i]};
		char head[ARRAY_HEADER_MAX];
		if (header) {
			job.start = header(&planes->slice, list[i].part, head);
			status = output_write(job.file, head, job.start, 0, error);
		}
		if (!status)
			status = fill_one(outputs, &job, i * positions, count * positions, error);
	}
	return status ? status : describe(outputs, planes, true, error);
}
