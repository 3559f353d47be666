/* SPDX-License-Identifier: MIT */
/* One line for each legal position: its FEN, and its value in words and numbers. */
#include "arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CHUNK = 1 << 12, /* positions that a thread writes at once */
	SPAN = 1 << 20,  /* that all threads write between calls of the watch */
	WORDS_MAX = 48,  /* of a value, with its terminator */
	LINE_MAX_HERE = EL_FEN_MAX + 2 + WORDS_MAX,
};

struct words {
	char text[WORDS_MAX]; /* ",win,17\n" */
	size_t length;
};

/* A plane being written to the file. */
struct job {
	const struct outputs *outputs;
	const struct el_planes *planes;
	unsigned side;
	const struct words *words; /* of each symbol */
	uint64_t end;              /* of the output so far */
};

/* All threads make lines; they are written in order. */
static enum el_status write_span(struct job *job, uint64_t first, uint64_t end,
                                 struct el_error *error)
{
	const struct output *file = &job->outputs->file[0];
	const struct el_slice *slice = &job->planes->slice;
	const uint16_t *symbols = job->planes->plane[job->side].symbols;
	enum el_status status = EL_OK;
#pragma omp parallel
	{
		char *lines = malloc(CHUNK * LINE_MAX_HERE);
#pragma omp for ordered schedule(static, 1)
		for (uint64_t at = first; at < end; at += CHUNK) {
			const uint64_t last = at + CHUNK < end ? at + CHUNK : end;
			size_t size = 0;
			for (uint64_t i = at; lines && i < last; i++) {
				struct el_position position;
				char fen[EL_FEN_MAX];
				if (!slice->game->unplace(slice, job->side, i, &position))
					continue;
				slice->game->format(&position, fen);
				/* A field with commas is quoted. */
				const struct words *words = &job->words[symbols[i]];
				const char *quote = strchr(fen, ',') ? "\"" : "";
				char *to = stpcpy(stpcpy(stpcpy(lines + size, quote), fen), quote);
				memcpy(to, words->text, words->length);
				size = (size_t)(to - lines) + words->length;
			}
#pragma omp ordered
			{
				if (!lines)
					status = el_fail(error, EL_MEMORY, "%s: out of memory",
					                 file->path);
				else if (!status)
					status = output_write(file, lines, size, job->end, error);
				job->end += size;
			}
		}
		free(lines);
	}
	return status;
}

static enum el_status fill(const struct outputs *outputs, const struct el_planes *planes,
                           bool with_header, struct el_error *error)
{
	const struct el_metric *metric = planes->metric;
	const uint64_t positions = planes->slice.positions, all = planes->slice.planes * positions;
	struct job job = {.outputs = outputs, .planes = planes};
	char heading[64];
	(void)with_header;
	job.end = (uint64_t)snprintf(
		heading, sizeof heading, "fen,outcome%s%s%s\n", metric->kind->unit ? "," : "",
		metric->kind->unit ? metric->kind->unit : "", metric->has_phase ? ",phase" : "");
	enum el_status status = output_write(&outputs->file[0], heading, job.end, 0, error);
	for (job.side = 0; job.side < planes->slice.planes && !status; job.side++) {
		const struct el_plane *plane = &planes->plane[job.side];
		struct words *words = malloc(plane->value_count * sizeof *words);
		if (!words)
			return el_fail(error, EL_MEMORY, "%s: out of memory", planes->slice.name);
		/* Draws and bounds have no depth: the fields are empty. A number of stones has its
		   sign. */
		for (uint32_t s = 0; s < plane->value_count; s++) {
			const struct el_value v = plane->values[s];
			int number = 0;
			const bool counted = metric->kind->number(v, &number);
			char plies[8] = "", phase[8] = "";
			if (metric->has_depth)
				snprintf(plies, sizeof plies, counted ? ",%d" : ",", number);
			if (metric->has_phase)
				snprintf(phase, sizeof phase, counted ? ",%u" : ",", v.phase);
			words[s].length = (size_t)snprintf(
				words[s].text, WORDS_MAX, ",%s%s%s\n",
				el_outcome_name((enum el_outcome)v.outcome), plies, phase);
		}
		job.words = words;
		for (uint64_t at = 0; at < positions && !status; at += SPAN) {
			const uint64_t end = at + SPAN < positions ? at + SPAN : positions;
			status =
				tables_tick(outputs, planes, job.side * positions + at, all, error);
			if (!status)
				status = write_span(&job, at, end, error);
		}
		free(words);
	}
	return status;
}

const struct el_export_format export_csv = {
	.name = "csv",
	.title = "one line for each legal position, with its FEN",
	.write = tables_write,
	.fill = fill,
};
