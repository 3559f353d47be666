/* SPDX-License-Identifier: MIT */
/* Writes and proves one candidate, which is a file like any other. */
#include "run.h"

#include "probes.h"
#include "timing.h"

#include <stdlib.h>

/* The best of several passes, so that a disturbed one does not count. */
static enum el_status time_decoding(struct run *run, struct el_table *table, double *seconds,
                                    struct el_error *error)
{
	enum { PASSES = 5 };
	const double started = clock_seconds();
	enum el_status status = EL_OK;
	*seconds = 0;
	for (int i = 0; i < PASSES && !status; i++) {
		const double start = clock_seconds();
		if (i && start - started > run->setup->seconds)
			break;
		status = pace_tick(&run->pace, "decoding", error);
		const double before = clock_seconds();
		if (!status)
			status = el_table_each_block(table, NULL, NULL, error);
		const double took = clock_seconds() - before;
		*seconds = i == 0 || took < *seconds ? took : *seconds;
	}
	return status;
}

static enum el_status prove(struct entrant *e, struct el_error *error)
{
	struct run *run = e->run;
	struct el_library *library;
	struct el_table *table;
	double seconds;
	enum el_status status = probes_library(e, 0, &library, error);
	if (status)
		return status;
	status = el_table_open(e->folder.table, &table, error);
	if (!status) {
		const struct el_table_info *info = el_table_info(table);
		const double symbols = 1e-6 * (double)(info->positions[0] + info->positions[1]);
		status = compare_table(library, table, &run->slice.planes, &run->pace, error);
		if (!status)
			status = time_decoding(run, table, &seconds, error);
		if (!status) {
			e->result.encode_mb_s = symbols / e->result.encode_mb_s;
			e->result.decode_mb_s = symbols / seconds;
		}
		el_table_close(table);
	}
	el_library_close(library);
	return status;
}

uint64_t candidate_decoded_bytes(const struct run *run)
{
	uint64_t bytes = 0;
	for (unsigned p = 0; p < run->setup->slice.planes; p++)
		bytes += run->setup->slice.positions *
		         (run->slice.planes.plane[p].value_count > UINT8_MAX ? 2 : 1);
	return bytes;
}

/* The most bytes that a coder of any plane holds. */
static uint64_t coder_bytes(const struct file *f)
{
	uint64_t most = 0;
	for (unsigned p = 0; p < f->header.info.slice.planes; p++) {
		if (!el_table_keeps(&f->header.info.options, p))
			continue;
		const struct el_codec_params params = table_codec_params(&f->header, p);
		const size_t bytes = f->header.info.options.codec.codec->memory(
			&params, f->header.plane[p].learned);
		most = bytes > most ? bytes : most;
	}
	return most;
}

enum el_status candidate_make(struct entrant *e, struct el_error *error)
{
	struct run *run = e->run;
	const struct el_lab_setup *setup = run->setup;
	const struct folder_use use = {
		.library = setup->library,
		.slice = &setup->slice,
		.metric = setup->metric,
		.outcomes = e->result.candidate.options.derive & EL_DERIVE_OUTCOMES,
	};
	struct el_table_options options;
	enum el_status status = folder_make(setup->directory, &use, &e->folder, error);
	if (!status)
		status = slice_options(&run->slice, &e->result.candidate.options, &run->pace.inner,
		                       &options, error);
	if (!status)
		status = pace_tick(&run->pace, "writing", error);
	if (status)
		return status;
	/* The writer reports progress after the last block, so the time until then excludes the
	   sync. */
	const double start = clock_seconds();
	status = el_table_write(e->folder.table, &run->slice.planes, &options, &run->pace.inner,
	                        &e->result.bytes, error);
	e->result.encode_mb_s = run->pace.told - start; /* seconds, until the table is proved */
	struct file file = {0};
	if (!status)
		status = file_read(e->folder.table, &file, error);
	if (!status) {
		e->result.candidate.options = file.header.info.options;
		e->result.coder_bytes = coder_bytes(&file);
		e->result.bytes_beside = e->folder.beside;
		e->result.bits_per_position =
			8.0 * (double)(e->result.bytes + e->result.bytes_beside) /
			((double)setup->slice.positions * setup->slice.planes);
	}
	file_free(&file);
	return status ? status : prove(e, error);
}

/* ---- a file ---- */

enum el_status file_read(const char *path, struct file *out, struct el_error *error)
{
	*out = (struct file){0};
	struct input input;
	enum el_status status = input_open(path, &input, error);
	if (!status)
		status = table_header_read(&input, &out->header, error);
	uint64_t at = out->header.directory;
	for (unsigned p = 0; !status && p < out->header.info.slice.planes; p++) {
		const uint32_t size = out->header.plane[p].learned;
		if (!size)
			continue;
		out->learned[p] = malloc(size);
		status = out->learned[p]
		                 ? input_read(&input, "directory", out->learned[p], size, at, error)
		                 : el_fail(error, EL_MEMORY, "%s: out of memory", path);
		at += size;
	}
	input_close(&input);
	return status;
}

void file_free(struct file *f)
{
	free(f->learned[0]);
	free(f->learned[1]);
	table_header_free(&f->header);
	*f = (struct file){0};
}
