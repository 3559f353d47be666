/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing a table: fill, encode, and put in place whole or not at all. Blocks are encoded a batch
 * at a time on all threads and written in order, so the memory needed does not grow with the file.
 */
#include "table_view.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	/* Encoded between two writes; a block for each thread at least. */
	BATCH_POSITIONS = 1 << 20,
};

/* One block on its way to the file. */
struct parcel {
	uint8_t *bytes;
	size_t size;
};

struct writer {
	const struct el_planes *planes;
	const struct el_watch *watch;
	struct el_error *error;
	char *temporary; /* the file's name until it is complete; owned */
	int fd;
	struct table_header header;
	uint8_t *learned[2];  /* owned */
	struct view view;     /* of the plane that is written, after the fill as the codec sees it */
	uint32_t *block_sizes; /* owned */
	uint64_t offset;      /* the end of what has been written */
	uint64_t blocks;      /* how many of them have been written */
};

/* The coders and the room for one batch of blocks. */
struct bench {
	struct el_codec_params params;
	uint64_t positions, blocks; /* of the plane */
	unsigned threads;
	size_t batch, room; /* parcels; bytes for each */
	void **coders;
	struct parcel *parcels;
	uint8_t *bytes;
};

static enum el_status out_of_memory(const struct writer *w)
{
	return el_fail(w->error, EL_MEMORY, "%s: out of memory", w->temporary);
}

static enum el_status append(struct writer *w, const uint8_t *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t put = pwrite(w->fd, bytes + done, size - done, (off_t)(w->offset + done));
		if (put < 0)
			return el_fail(w->error, EL_IO, "%s: cannot write: %m", w->temporary);
		done += (size_t)put;
	}
	w->offset += size;
	return EL_OK;
}

/* ---- a plane as the codec sees it ---- */

static enum el_status fill(struct writer *w, unsigned plane, const struct el_codec_params *params)
{
	const struct el_table_options *options = &w->header.info.options;
	const struct numbering *n = &w->header.plane[plane].numbering;
	const struct el_codec_plane view = {
		.symbols = w->view.symbols,
		.care = w->view.care,
		.positions = n->positions,
		.row = n->row,
	};
	return el_fill_apply(options->fill, options->codec.codec, params, &view, w->watch, w->error);
}

static enum el_status learn(struct writer *w, unsigned plane, const struct el_codec_params *params)
{
	const struct el_codec *codec = w->header.info.options.codec.codec;
	size_t size = 0;
	enum el_status status = EL_OK;
	if (codec->prepare)
		status = codec->prepare(params, w->view.symbols, w->header.info.positions[plane],
		                        w->watch, &w->learned[plane], &size, w->error);
	if (!status && size > UINT32_MAX)
		status = el_fail(w->error, EL_USAGE, "%s: codec %s learned %zu bytes: too many",
		                 w->temporary, codec->name, size);
	w->header.plane[plane].learned = (uint32_t)size;
	return status;
}

/* ---- the bench ---- */

static void bench_close(const struct writer *w, struct bench *b)
{
	for (unsigned t = 0; b->coders && t < b->threads; t++)
		if (b->coders[t])
			w->header.info.options.codec.codec->close(b->coders[t]);
	free(b->coders);
	free(b->parcels);
	free(b->bytes);
}

static enum el_status bench_open(struct writer *w, unsigned plane, struct bench *b)
{
	const struct el_codec *codec = w->header.info.options.codec.codec;
	uint64_t blocks = blocks_in_plane(&w->header.info, plane);
	b->threads = (unsigned)omp_get_max_threads();
	if (b->threads > blocks)
		b->threads = (unsigned)blocks;
	b->batch = BATCH_POSITIONS / b->params.block_positions;
	b->batch = b->batch > b->threads ? b->batch : b->threads;
	b->room = codec->bound(&b->params, b->params.block_positions) + BLOCK_CHECKSUM_SIZE;
	b->coders = calloc(b->threads, sizeof *b->coders);
	b->parcels = calloc(b->batch, sizeof *b->parcels);
	b->bytes = malloc(b->batch * b->room);
	if (!b->coders || !b->parcels || !b->bytes)
		return out_of_memory(w);
	enum el_status status = EL_OK;
	for (unsigned t = 0; t < b->threads && !status; t++)
		status = codec->open(&b->params, w->learned[plane], w->header.plane[plane].learned,
		                     &b->coders[t], w->error);
	return status;
}

/* Encodes a block of the plane and seals it. */
static enum el_status encode(const struct writer *w, const struct bench *b, uint64_t block,
                             struct parcel *parcel, struct el_error *error)
{
	uint64_t start = block * b->params.block_positions;
	uint64_t rest = b->positions - start;
	size_t count = rest < b->params.block_positions ? (size_t)rest : b->params.block_positions;
	enum el_status status = w->header.info.options.codec.codec->encode(
		b->coders[omp_get_thread_num()], w->view.symbols + start, count,
		parcel->bytes, b->room - BLOCK_CHECKSUM_SIZE, &parcel->size, error);
	if (!status)
		put_le(parcel->bytes + parcel->size, BLOCK_CHECKSUM_SIZE,
		       table_block_checksum(parcel->bytes, parcel->size));
	return status;
}

static enum el_status encode_batch(struct writer *w, struct bench *b, uint64_t first, size_t count)
{
	enum el_status status = EL_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
	for (size_t i = 0; i < count; i++) {
		struct el_error error;
		b->parcels[i].bytes = b->bytes + i * b->room;
		enum el_status one = encode(w, b, first + i, &b->parcels[i], &error);
		if (one) {
#pragma omp critical(table_write_error)
			status = el_fail(w->error, one, "%s: %s", w->temporary, error.text);
		}
	}
	return status;
}

static enum el_status append_batch(struct writer *w, const struct bench *b, size_t count)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status; i++) {
		w->block_sizes[w->blocks++] = (uint32_t)b->parcels[i].size;
		status = append(w, b->parcels[i].bytes, b->parcels[i].size + BLOCK_CHECKSUM_SIZE);
	}
	return status;
}

/* ---- the parts of the file ---- */

static enum el_status report(struct writer *w)
{
	const struct el_table_info *info = &w->header.info;
	char what[EL_SLICE_MAX + NAME_SIZE + 1];
	snprintf(what, sizeof what, "%s %s", info->slice.name, info->metric->name);
	const struct el_progress progress = {
		.stage = "writing",
		.what = what,
		.done = (double)w->blocks,
		.total = (double)info->block_count,
		.unit = "blocks",
	};
	if (el_watch_tick(w->watch, &progress))
		return EL_OK;
	return el_fail(w->error, EL_STOPPED, "%s: stopped", what);
}

static enum el_status write_blocks(struct writer *w, struct bench *b)
{
	enum el_status status = EL_OK;
	for (uint64_t first = 0; first < b->blocks && !status; first += b->batch) {
		uint64_t rest = b->blocks - first;
		size_t count = rest < b->batch ? (size_t)rest : b->batch;
		status = encode_batch(w, b, first, count);
		if (!status)
			status = append_batch(w, b, count);
		if (!status)
			status = report(w);
	}
	return status;
}

static enum el_status write_plane(struct writer *w, unsigned plane)
{
	struct bench bench = {
		.params = table_codec_params(&w->header, plane),
		.positions = w->header.info.positions[plane],
		.blocks = blocks_in_plane(&w->header.info, plane),
	};
	enum el_status status = view_make(w->planes, plane, &w->header.info.options,
	                                  &w->header.plane[plane], &w->view, w->error);
	if (!status)
		status = fill(w, plane, &bench.params);
	if (!status)
		status = learn(w, plane, &bench.params);
	if (!status)
		status = bench_open(w, plane, &bench);
	if (!status)
		status = write_blocks(w, &bench);
	bench_close(w, &bench);
	view_free(&w->view);
	return status;
}

/* As few bytes for each block's size as hold the largest. */
static unsigned size_bytes(const struct writer *w)
{
	uint32_t all = 0;
	for (uint64_t i = 0; i < w->header.info.block_count; i++)
		all |= w->block_sizes[i];
	return all >> 24 ? 4 : all >> 16 ? 3 : all >> 8 ? 2 : 1;
}

static enum el_status write_directory(struct writer *w)
{
	struct table_header *h = &w->header;
	h->size_bytes = size_bytes(w);
	size_t size = (size_t)h->plane[0].learned + h->plane[1].learned +
	              h->info.block_count * h->size_bytes;
	uint8_t *bytes = malloc(size + CHECKSUM_SIZE), *at = bytes;
	if (!bytes)
		return out_of_memory(w);
	for (unsigned p = 0; p < 2; p++)
		if (h->plane[p].learned)
			at = (uint8_t *)mempcpy(at, w->learned[p], h->plane[p].learned);
	for (uint64_t i = 0; i < h->info.block_count; i++, at += h->size_bytes)
		put_le(at, h->size_bytes, w->block_sizes[i]);
	table_seal(bytes, size);
	h->directory = w->offset;
	enum el_status status = append(w, bytes, size + CHECKSUM_SIZE);
	free(bytes);
	h->info.bytes = w->offset;
	return status;
}

/* Last, because it tells the sizes of all others. */
static enum el_status write_header(struct writer *w)
{
	size_t size = table_header_size(&w->header);
	uint8_t *bytes = malloc(size);
	if (!bytes)
		return out_of_memory(w);
	enum el_status status = table_header_write(&w->header, bytes, w->error);
	w->offset = 0;
	if (!status)
		status = append(w, bytes, size);
	free(bytes);
	return status;
}

/* What can be told of the planes before any is written: orders, positions, values. */
static enum el_status describe(struct writer *w)
{
	struct el_table_info *info = &w->header.info;
	struct el_table_options *options = &info->options;
	enum el_status status = EL_OK;
	for (unsigned p = 0; p < info->slice.planes && !status; p++)
		if (options->ordering == EL_ORDER_BEST)
			status = view_best_order(w->planes, p, options->derive, w->watch,
			                         &options->order[p], w->error);
	if (status)
		return status;
	if (options->ordering == EL_ORDER_BEST)
		options->ordering = options->order[0].count || options->order[1].count
		                            ? EL_ORDER_GIVEN
		                            : EL_ORDER_INDEX;
	if (!table_number(&w->header))
		return el_fail(w->error, EL_USAGE, "%s: the order names other pieces",
		               info->slice.name);
	for (unsigned p = 0; p < info->slice.planes && !status; p++)
		status = view_values(w->planes, p, options, &w->header.plane[p], w->error);
	return status;
}

static enum el_status write_parts(struct writer *w)
{
	const struct el_table_info *info = &w->header.info;
	enum el_status status = describe(w);
	if (status)
		return status;
	w->block_sizes = malloc(info->block_count * sizeof *w->block_sizes);
	if (!w->block_sizes)
		return out_of_memory(w);
	w->offset = table_header_size(&w->header);
	for (unsigned p = 0; p < info->slice.planes && !status; p++)
		status = write_plane(w, p);
	if (!status)
		status = write_directory(w);
	return status ? status : write_header(w);
}

/* ---- the file as a whole ---- */

enum el_status table_sync_directory(const char *path, struct el_error *error)
{
	char *copy = strdup(path);
	if (!copy)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool synced = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
	enum el_status status = synced ? EL_OK : el_fail(error, EL_IO, "%s: cannot sync: %m", copy);
	if (fd >= 0)
		close(fd);
	free(copy);
	return status;
}

/* Closes the temporary file in any case. */
static enum el_status put_in_place(struct writer *w, const char *path, enum el_status status)
{
	if (!status && fsync(w->fd))
		status = el_fail(w->error, EL_IO, "%s: cannot sync: %m", w->temporary);
	if (close(w->fd) && !status)
		status = el_fail(w->error, EL_IO, "%s: cannot close: %m", w->temporary);
	if (!status && rename(w->temporary, path))
		status =
			el_fail(w->error, EL_IO, "%s: cannot rename to %s: %m", w->temporary, path);
	if (status)
		unlink(w->temporary);
	return status ? status : table_sync_directory(path, w->error);
}

static enum el_status write_table(struct writer *w, const char *path)
{
	if (asprintf(&w->temporary, "%s.tmp.%ld", path, (long)getpid()) < 0) {
		w->temporary = NULL;
		return el_fail(w->error, EL_MEMORY, "%s: out of memory", path);
	}
	w->fd = open(w->temporary, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (w->fd < 0)
		return el_fail(w->error, EL_IO, "%s: cannot create: %m", w->temporary);
	return put_in_place(w, path, write_parts(w));
}

/* What nobody has looked for cannot be left out. */
static enum el_status check_derivable(const struct el_planes *planes,
                                      const struct el_table_options *options,
                                      struct el_error *error)
{
	for (unsigned p = 0; p < planes->slice.planes && options->derive; p++)
		if (!planes->plane[p].derivable)
			return el_fail(error, EL_USAGE, "%s: it is not known what is derivable",
			               planes->slice.name);
	return EL_OK;
}

/* Outcomes that are all known make the same file whether they were solved or read off depths. */
static unsigned passes_to_tell(const struct el_planes *planes)
{
	const bool tells = planes->metric->has_depth || el_planes_partial(planes);
	return tells && planes->passes <= EL_PLIES_MAX ? planes->passes : 0;
}

enum el_status el_table_write(const char *path, const struct el_planes *planes,
                              const struct el_table_options *options, const struct el_watch *watch,
                              uint64_t *bytes, struct el_error *error)
{
	struct writer w = {.planes = planes, .watch = watch, .error = error};
	struct el_table_info *info = &w.header.info;
	*info = (struct el_table_info){
		.slice = planes->slice,
		.metric = planes->metric,
		.options = *options,
		.passes = passes_to_tell(planes),
		.partial = el_planes_partial(planes),
	};
	enum el_status status = check_derivable(planes, options, error);
	if (!status)
		status = write_table(&w, path);
	if (!status && bytes)
		*bytes = info->bytes;
	free(w.temporary);
	free(w.learned[0]);
	free(w.learned[1]);
	free(w.block_sizes);
	table_header_free(&w.header);
	return status;
}
