/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file.h"

#include <stdlib.h>

static enum el_status read_learned(const struct input *input, struct file *f,
                                   struct el_error *error)
{
	uint64_t at = f->header.directory;
	enum el_status status = EL_OK;
	for (unsigned p = 0; p < f->header.info.slice.planes && !status; p++) {
		const uint32_t size = f->header.plane[p].learned;
		if (!size)
			continue;
		f->learned[p] = malloc(size);
		status = f->learned[p]
		                 ? input_read(input, "directory", f->learned[p], size, at, error)
		                 : el_fail(error, EL_MEMORY, "%s: out of memory", input->path);
		at += size;
	}
	return status;
}

enum el_status file_read(const char *path, struct file *out, struct el_error *error)
{
	*out = (struct file){0};
	struct input input;
	enum el_status status = input_open(path, &input, error);
	if (!status)
		status = table_header_read(&input, &out->header, error);
	if (!status)
		status = read_learned(&input, out, error);
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

uint64_t file_coder_bytes(const struct file *f)
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
