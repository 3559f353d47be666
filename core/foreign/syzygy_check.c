/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a Syzygy file what it was when it was made? */
#include "syzygy.h"

#include <stdio.h>
#include <string.h>

enum { READ_BYTES = 1 << 20 }; /* of a chunk at a time: a check is stopped between two */

static enum el_status read_chunk(struct foreign *f, uint64_t at, uint8_t *out, size_t size,
                                 const struct el_watch *watch, struct el_error *error)
{
	const struct el_source *source = &f->source;
	struct el_progress progress = {
		.stage = "checking",
		.what = source->path,
		.done = 0,
		.total = (double)source->bytes,
		.unit = "bytes",
	};
	enum el_status status = EL_OK;
	for (size_t done = 0; done < size && !status;) {
		const size_t part = size - done < READ_BYTES ? size - done : READ_BYTES;
		progress.done = (double)(at + done);
		if (!el_watch_tick(watch, &progress))
			return el_fail(error, EL_STOPPED, "%s: stopped", source->path);
		status = foreign_read(f, "checksum", out + done, part, at + done, error);
		done += part;
	}
	return status;
}

static enum el_status compare_sums(const struct foreign *f, const uint8_t expected[SUM_OF_FILE],
                                   const uint8_t found[SUM_OF_FILE], struct el_error *error)
{
	char text[2][2 * SUM_OF_FILE + 1];
	if (!memcmp(expected, found, SUM_OF_FILE))
		return EL_OK;
	for (unsigned i = 0; i < SUM_OF_FILE; i++) {
		snprintf(text[0] + 2 * i, 3, "%02x", expected[i]);
		snprintf(text[1] + 2 * i, 3, "%02x", found[i]);
	}
	return el_fail(error, EL_DAMAGED, "%s: expected checksum %s, found %s", f->source.path,
	               text[0], text[1]);
}

/* The sums of all chunks, in order, from room for one of them. */
static enum el_status sum_chunks(struct foreign *f, uint64_t bytes, uint8_t *chunk, uint8_t *sums,
                                 const struct el_watch *watch, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (uint64_t at = 0; at < bytes && !status; at += SUM_CHUNK, sums += SUM_OF_CHUNK) {
		const size_t size = bytes - at < SUM_CHUNK ? (size_t)(bytes - at) : SUM_CHUNK;
		status = read_chunk(f, at, chunk, size, watch, error);
		if (!status)
			sum_chunk(chunk, size, false, sums);
	}
	return status;
}

enum el_status syzygy_check(struct el_source *source, const struct el_watch *watch,
                            struct el_error *error)
{
	struct foreign *f = (struct foreign *)source;
	const uint64_t bytes = source->bytes - SUM_OF_FILE;
	const size_t count = (size_t)((bytes + SUM_CHUNK - 1) / SUM_CHUNK);
	uint8_t *chunk = malloc(bytes < SUM_CHUNK ? (size_t)bytes : SUM_CHUNK);
	uint8_t *sums = malloc(count * SUM_OF_CHUNK);
	uint8_t expected[SUM_OF_FILE], found[SUM_OF_FILE];
	enum el_status status =
		chunk && sums ? sum_chunks(f, bytes, chunk, sums, watch, error)
			      : el_fail(error, EL_MEMORY, "%s: out of memory", source->path);
	if (!status)
		status = foreign_read(f, "checksum", expected, sizeof expected, bytes, error);
	if (!status) {
		sum_join(sums, count, found);
		status = compare_sums(f, expected, found, error);
	}
	free(chunk);
	free(sums);
	return status;
}
