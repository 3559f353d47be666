/* SPDX-License-Identifier: MIT */
/*
 * Raw arrays of numbers, and arrays for NumPy, in its format version 1.0 (documented in
 * numpy.lib.format): a magic number, the version, the length of the rest of the header in 16 bits,
 * and a Python literal, padded with blanks and ended by a newline, so that the numbers begin at a
 * multiple of 64.
 */
#include "arrays.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "\x93NUMPY\x01"; /* its terminating zero is the minor version */

enum {
	LENGTH_AT = sizeof magic,
	TEXT_AT = LENGTH_AT + 2,
	HEADER_MAX = 128, /* of an .npy file */
	CHUNK = 1 << 14,  /* positions that a thread writes at once */
	SPAN = 1 << 24,   /* that all threads write between calls of the watch */
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
			out[count++] = (struct array){plane, metric->kind->adds_up ? ARRAY_STONES
			                                                           : ARRAY_PLIES};
		if (metric->has_phase)
			out[count++] = (struct array){plane, ARRAY_PHASE};
	}
	return count;
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

/* An array being written to its file. */
struct job {
	const struct el_planes *planes;
	struct array array;
	const struct output *file;
	const uint16_t *number; /* of each symbol */
	uint64_t start;         /* of the numbers in the file */
};

static enum el_status write_span(const struct job *job, uint64_t first, uint64_t end,
                                 struct el_error *error)
{
	const uint16_t *symbols = job->planes->plane[job->array.plane].symbols;
	const unsigned width = array_width(job->array.part);
	enum el_status status = EL_OK;
#pragma omp parallel for schedule(dynamic)
	for (uint64_t at = first; at < end; at += CHUNK) {
		const size_t count = end - at < CHUNK ? (size_t)(end - at) : CHUNK;
		struct el_error one_error;
		union {
			uint8_t narrow[CHUNK];
			uint16_t wide[CHUNK];
		} bytes;
		for (size_t i = 0; i < count; i++)
			if (width == 1)
				bytes.narrow[i] = (uint8_t)job->number[symbols[at + i]];
			else
				bytes.wide[i] = job->number[symbols[at + i]];
		const enum el_status one = output_write(job->file, &bytes, count * width,
		                                        job->start + at * width, &one_error);
		if (one) {
#pragma omp critical(export_error)
			status = el_fail(error, one, "%s", one_error.text);
		}
	}
	return status;
}

/* Makes the number of each symbol of a plane, as bytes of the file; null without memory. */
static uint16_t *make_numbers(const struct el_plane *plane, enum array_part part)
{
	uint16_t *number = malloc(plane->value_count * sizeof *number);
	for (uint32_t s = 0; number && s < plane->value_count; s++) {
		const struct el_value v = plane->values[s];
		const bool broken = v.outcome == EL_BROKEN;
		if (part == ARRAY_OUTCOME)
			number[s] = (uint8_t)array_outcome((enum el_outcome)v.outcome);
		else if (part == ARRAY_STONES)
			number[s] = htole16(
				(uint16_t)(broken ? ARRAY_BROKEN_STONES : el_value_stones(v)));
		else
			number[s] = htole16(broken                ? ARRAY_BROKEN_PLIES
			                    : part == ARRAY_PLIES ? v.plies
			                                          : v.phase);
	}
	return number;
}

/* Writes the arrays of a table one after the other. */
static enum el_status arrays_fill(const struct outputs *outputs, const struct el_planes *planes,
                                  bool with_header, struct el_error *error)
{
	enum { ROOM = HEADER_MAX - TEXT_AT };
	struct array list[ARRAYS_MAX];
	const size_t count = arrays_list(&planes->slice, planes->metric, list);
	const uint64_t positions = planes->slice.positions;
	char sizes[ROOM / 2] = "";
	uint64_t shape[EL_INDEX_STEPS_MAX];
	const size_t shapes = describe_shape(&planes->slice, shape);
	for (size_t i = 0, used = 0; i < shapes; i++)
		used += (size_t)snprintf(sizes + used, sizeof sizes - used, "%llu,%s",
		                         (unsigned long long)shape[i], i + 1 < shapes ? " " : "");
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status; i++) {
		struct job job = {.planes = planes, .array = list[i], .file = &outputs->file[i]};
		char head[HEADER_MAX], text[ROOM];
		if (with_header) {
			const int length =
				snprintf(text, sizeof text,
			                 "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
			                 array_type(list[i].part), sizes);
			memset(head, ' ', HEADER_MAX);
			memcpy(head, magic, sizeof magic);
			head[LENGTH_AT] = ROOM;
			head[LENGTH_AT + 1] = 0;
			memcpy(head + TEXT_AT, text, (size_t)length);
			head[HEADER_MAX - 1] = '\n';
			job.start = HEADER_MAX;
			status = output_write(job.file, head, HEADER_MAX, 0, error);
		}
		uint16_t *number = make_numbers(&planes->plane[list[i].plane], list[i].part);
		if (!number && !status)
			status = el_fail(error, EL_MEMORY, "%s: out of memory", job.file->path);
		job.number = number;
		for (uint64_t at = 0; at < positions && !status; at += SPAN) {
			const uint64_t end = at + SPAN < positions ? at + SPAN : positions;
			status = tables_tick(outputs, planes, i * positions + at, count * positions,
			                     error);
			if (!status)
				status = write_span(&job, at, end, error);
		}
		free(number);
	}
	return status;
}

/* ---- the formats ---- */

const struct el_export_format export_npy = {
	.name = "npy",
	.title = "NumPy arrays",
	.write = tables_write,
	.with_arrays = true,
	.with_header = true,
	.fill = arrays_fill,
};

const struct el_export_format export_raw = {
	.name = "raw",
	.title = "little-endian arrays without a header",
	.write = tables_write,
	.with_arrays = true,
	.fill = arrays_fill,
};
