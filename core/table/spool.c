/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spool.h"

#include "core/base/text.h"
#include "core/os/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

enum el_status spool_piece(const struct el_planes *planes, unsigned plane, uint64_t first,
                           size_t count, uint16_t *room, const uint16_t **out,
                           struct el_error *error)
{
	const struct el_plane_reader *reader = planes->reader;
	*out = reader ? room : planes->plane[plane].symbols + first;
	return reader ? reader->read(reader->context, plane, first, count, room, error) : EL_OK;
}

/* ---- room ---- */

/* Zeros in memory; null without it. */
static void *map_memory(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return at == MAP_FAILED ? NULL : at;
}

/* A disk that is found full while a page is written has no other way to say so than a signal. */
enum el_status spool_map(const char *path, size_t bytes, void **out, struct el_error *error)
{
	struct el_temporary file;
	char room[EL_AMOUNT_MAX];
	enum el_status status = el_temporary_file(path, &file, error);
	if (status)
		return status;
	const int full = posix_fallocate(file.fd, 0, (off_t)bytes);
	void *at = full ? MAP_FAILED
	                : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0);
	errno = full ? full : errno;
	if (at == MAP_FAILED)
		status = el_fail(error, EL_IO,
		                 "%s: no room beside it for %s while it is written: %m", path,
		                 el_bytes((double)bytes, room));
	else
		*out = at;
	el_temporary_remove(&file); /* what is mapped stays */
	return status;
}

static enum el_status map(const struct spool_task *t, size_t bytes, void **out,
                          struct el_error *error)
{
	if (t->planes->reader)
		return spool_map(t->path, bytes, out, error);
	*out = map_memory(bytes);
	return *out ? EL_OK
	            : el_fail(error, EL_MEMORY, "%s: out of memory for %llu positions",
	                      t->planes->slice.name, (unsigned long long)t->numbering->positions);
}

static enum el_status make_room(const struct spool_task *t, struct spool *out,
                                struct el_error *error)
{
	const uint64_t positions = t->numbering->positions;
	void *symbols = NULL, *derivable = NULL;
	out->bytes[0] = positions * sizeof *out->symbols;
	out->bytes[1] = positions;
	enum el_status status = map(t, out->bytes[0], &symbols, error);
	if (!status && t->derives)
		status = map(t, out->bytes[1], &derivable, error);
	out->symbols = symbols;
	out->derivable = derivable;
	return status;
}

void spool_free(struct spool *s)
{
	if (s->symbols)
		munmap(s->symbols, s->bytes[0]);
	if (s->derivable)
		munmap(s->derivable, s->bytes[1]);
	*s = (struct spool){0};
}

/* ---- putting in order ---- */

static void put_piece(const struct spool_task *t, const uint16_t *symbols, uint64_t first,
                      size_t count, const struct spool *out)
{
	const uint8_t *derivable = t->planes->plane[t->plane].derivable;
#pragma omp parallel for
	for (size_t i = 0; i < count; i++) {
		const uint64_t n = numbering_of_index(t->numbering, &t->planes->slice, first + i);
		out->symbols[n] = symbols[i];
		if (t->derives)
			out->derivable[n] = derivable[first + i];
	}
}

static enum el_status put_all(const struct spool_task *t, uint16_t *room, const struct spool *out,
                              struct el_error *error)
{
	const struct el_slice *slice = &t->planes->slice;
	const uint64_t positions = slice->positions;
	enum el_status status = EL_OK;
	for (uint64_t first = 0; first < positions && !status; first += PIECE_POSITIONS) {
		const uint64_t rest = positions - first;
		const size_t count = rest < PIECE_POSITIONS ? (size_t)rest : PIECE_POSITIONS;
		const struct el_progress progress = {
			.stage = "putting in order",
			.what = slice->name,
			.done = (double)first,
			.total = (double)positions,
			.unit = "positions",
		};
		const uint16_t *symbols;
		if (first && !el_watch_tick(t->watch, &progress))
			return el_fail(error, EL_STOPPED, "%s: stopped", slice->name);
		status = spool_piece(t->planes, t->plane, first, count, room, &symbols, error);
		if (!status)
			put_piece(t, symbols, first, count, out);
	}
	return status;
}

enum el_status spool_make(const struct spool_task *t, struct spool *out, struct el_error *error)
{
	uint16_t *room = t->planes->reader ? malloc(PIECE_POSITIONS * sizeof *room) : NULL;
	*out = (struct spool){0};
	enum el_status status = make_room(t, out, error);
	if (!status && t->planes->reader && !room)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", t->planes->slice.name);
	if (!status)
		status = put_all(t, room, out, error);
	free(room);
	if (status)
		spool_free(out);
	return status;
}
