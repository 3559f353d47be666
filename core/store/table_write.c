/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing a table: fill, encode, read back, and put in place whole or not at all. Blocks are
 * encoded a batch at a time on all threads and written in order, so the memory needed does not grow
 * with the file. Each batch is read back and decoded before the next: a codec with a fault,
 * whosever it is, costs no table.
 */
#include "endlab/temporary.h"
#include "table_view.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	/* Encoded between two writes; a block for each thread at least. */
	BATCH_POSITIONS = 1 << 20,
	SINGLES = 61, /* of so many symbols one is decoded alone; a prime, so that no pattern is
			 missed */
};

/* One block on its way to the file, and back. */
struct parcel {
	uint8_t *bytes;
	size_t size;
	uint64_t offset; /* in the file */
};

/* A block as the directory lists it. */
struct entry {
	uint32_t size, checksum;
};

struct writer {
	const struct el_planes *planes;
	const struct el_watch *watch;
	struct el_error *error;
	const char *path; /* the file to be */
	struct el_temporary file;
	struct table_header header;
	uint8_t *learned[2]; /* owned */
	struct view view;    /* of the plane that is written, after the fill as the codec sees it */
	struct entry *entries; /* owned */
	uint64_t offset;       /* the end of what has been written */
	uint64_t blocks;       /* how many of them have been written */
};

/* What one thread needs. */
struct hand {
	void *encoder, *decoder;
	uint16_t *symbols; /* of a block, decoded; owned */
};

/* The hands and the room for one batch of blocks. */
struct bench {
	struct el_codec_params params;
	uint64_t positions, blocks; /* of the plane */
	unsigned threads;
	size_t batch, room; /* parcels; bytes for each */
	struct hand *hands;
	struct parcel *parcels;
	uint8_t *bytes;
};

static enum el_status out_of_memory(const struct writer *w)
{
	return el_fail(w->error, EL_MEMORY, "%s: out of memory", w->path);
}

static enum el_status append(struct writer *w, const uint8_t *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t put =
			pwrite(w->file.fd, bytes + done, size - done, (off_t)(w->offset + done));
		if (put < 0)
			return el_fail(w->error, EL_IO, "%s: cannot write: %m", w->path);
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
	enum el_status status = el_fill_apply(options->fill, options->codec.codec, params, &view,
					      w->watch, w->error);
	if (!status && !view_is_true(w->planes, plane, &w->header.plane[plane], &w->view))
		status = el_fail(w->error, EL_DAMAGED,
				 "%s: the fill of codec %s changed values that count", w->path,
				 options->codec.codec->name);
	return status;
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
				 w->path, codec->name, size);
	w->header.plane[plane].learned = (uint32_t)size;
	return status;
}

/* ---- the bench ---- */

static void bench_close(const struct writer *w, struct bench *b)
{
	const struct el_codec *codec = w->header.info.options.codec.codec;
	for (unsigned t = 0; b->hands && t < b->threads; t++) {
		struct hand *hand = &b->hands[t];
		if (hand->encoder)
			codec->close(hand->encoder);
		if (hand->decoder)
			codec->close(hand->decoder);
		free(hand->symbols);
	}
	free(b->hands);
	free(b->parcels);
	free(b->bytes);
}

/* A coder for each way: what is read back is decoded by one that knows no more than a reader would.
 */
static enum el_status hand_open(const struct writer *w, unsigned plane, const struct bench *b,
				struct hand *hand)
{
	const struct el_codec *codec = w->header.info.options.codec.codec;
	const uint32_t learned = w->header.plane[plane].learned;
	hand->symbols = malloc(b->params.block_positions * sizeof *hand->symbols);
	if (!hand->symbols)
		return out_of_memory(w);
	enum el_status status =
		codec->open(&b->params, w->learned[plane], learned, &hand->encoder, w->error);
	if (!status)
		status = codec->open(&b->params, w->learned[plane], learned, &hand->decoder,
				     w->error);
	return status;
}

static enum el_status bench_open(struct writer *w, unsigned plane, struct bench *b)
{
	uint64_t blocks = blocks_in_plane(&w->header.info, plane);
	b->threads = (unsigned)omp_get_max_threads();
	if (b->threads > blocks)
		b->threads = (unsigned)blocks;
	b->batch = BATCH_POSITIONS / b->params.block_positions;
	b->batch = b->batch > b->threads ? b->batch : b->threads;
	b->room = w->header.info.options.codec.codec->bound(&b->params, b->params.block_positions);
	b->hands = calloc(b->threads, sizeof *b->hands);
	b->parcels = calloc(b->batch, sizeof *b->parcels);
	b->bytes = malloc(b->batch * b->room);
	if (!b->hands || !b->parcels || !b->bytes)
		return out_of_memory(w);
	enum el_status status = EL_OK;
	for (unsigned t = 0; t < b->threads && !status; t++)
		status = hand_open(w, plane, b, &b->hands[t]);
	return status;
}

/* ---- blocks, there and back ---- */

/* Where a block of the plane is among the symbols; sets how many it has. */
static const uint16_t *symbols_of(const struct writer *w, const struct bench *b, uint64_t block,
				  size_t *count)
{
	const uint64_t start = block * b->params.block_positions, rest = b->positions - start;
	*count = rest < b->params.block_positions ? (size_t)rest : b->params.block_positions;
	return w->view.symbols + start;
}

static enum el_status encode(const struct writer *w, const struct bench *b, uint64_t block,
			     struct parcel *parcel, struct el_error *error)
{
	size_t count;
	const uint16_t *symbols = symbols_of(w, b, block, &count);
	return w->header.info.options.codec.codec->encode(b->hands[omp_get_thread_num()].encoder,
							  symbols, count, parcel->bytes, b->room,
							  &parcel->size, error);
}

/* A probe may decode one symbol alone, by another way than whole blocks go: tried on a sample,
   others in each block, for all of them would take longer than to solve the slice. */
static enum el_status read_singles(const struct writer *w, const struct hand *hand, uint64_t block,
				   const struct parcel *parcel, const uint16_t *symbols,
				   size_t count, struct el_error *error)
{
	const struct el_codec *codec = w->header.info.options.codec.codec;
	enum el_status status = EL_OK;
	for (size_t i = block % SINGLES; i < count && !status && codec->decode_one; i += SINGLES) {
		uint16_t symbol = 0;
		status = codec->decode_one(hand->decoder, parcel->bytes, parcel->size, count, i,
					   &symbol, error);
		if (!status && symbol != symbols[i])
			status = el_fail(error, EL_DAMAGED,
					 "codec %s decodes symbol %zu alone to another value than "
					 "it encoded",
					 codec->name, i);
	}
	return status;
}

/* Reads a block from the file and decodes it, over the bytes that it was written from. */
static enum el_status read_back(const struct writer *w, const struct bench *b, uint64_t block,
				struct parcel *parcel, struct el_error *error)
{
	size_t count;
	const struct hand *hand = &b->hands[omp_get_thread_num()];
	const uint16_t *symbols = symbols_of(w, b, block, &count);
	const uint32_t checksum = table_block_checksum(parcel->bytes, parcel->size);
	const ssize_t got = pread(w->file.fd, parcel->bytes, parcel->size, (off_t)parcel->offset);
	if (got < 0)
		return el_fail(error, EL_IO, "cannot read what was written: %m");
	if ((size_t)got != parcel->size ||
	    table_block_checksum(parcel->bytes, parcel->size) != checksum)
		return el_fail(error, EL_IO, "read back otherwise than it was written");
	enum el_status status = w->header.info.options.codec.codec->decode(
		hand->decoder, parcel->bytes, parcel->size, hand->symbols, count, error);
	if (!status && memcmp(hand->symbols, symbols, count * sizeof *symbols))
		status = el_fail(error, EL_DAMAGED,
				 "codec %s decodes it to other values than it encoded",
				 w->header.info.options.codec.codec->name);
	return status ? status : read_singles(w, hand, block, parcel, symbols, count, error);
}

/* A step of the work on one block of a plane, on any thread. */
typedef enum el_status block_step(const struct writer *, const struct bench *, uint64_t block,
				  struct parcel *, struct el_error *);

/* Of several faults that of the first block is told. */
static enum el_status each_parcel(struct writer *w, struct bench *b, uint64_t first, size_t count,
				  block_step *step)
{
	enum el_status status = EL_OK;
	size_t worst = count;
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
	for (size_t i = 0; i < count; i++) {
		struct el_error error;
		enum el_status one = step(w, b, first + i, &b->parcels[i], &error);
		if (one) {
#pragma omp critical(table_write_error)
			if (i < worst) {
				worst = i;
				status = el_fail(w->error, one, "%s: block %" PRIu64 ": %s",
						 w->path, w->blocks + i, error.text);
			}
		}
	}
	return status;
}

static enum el_status append_batch(struct writer *w, const struct bench *b, size_t count)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status; i++) {
		struct parcel *parcel = &b->parcels[i];
		w->entries[w->blocks + i] = (struct entry){
			.size = (uint32_t)parcel->size,
			.checksum = table_block_checksum(parcel->bytes, parcel->size),
		};
		parcel->offset = w->offset;
		status = append(w, parcel->bytes, parcel->size);
	}
	return status;
}

static enum el_status write_batch(struct writer *w, struct bench *b, uint64_t first, size_t count)
{
	for (size_t i = 0; i < count; i++)
		b->parcels[i].bytes = b->bytes + i * b->room;
	enum el_status status = each_parcel(w, b, first, count, encode);
	if (!status)
		status = append_batch(w, b, count);
	if (!status)
		status = each_parcel(w, b, first, count, read_back);
	w->blocks += count;
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
		status = write_batch(w, b, first, count);
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
		all |= w->entries[i].size;
	return all >> 24 ? 4 : all >> 16 ? 3 : all >> 8 ? 2 : 1;
}

static void fill_directory(const struct writer *w, uint8_t *at)
{
	const struct table_header *h = &w->header;
	for (unsigned p = 0; p < 2; p++)
		if (h->plane[p].learned)
			at = (uint8_t *)mempcpy(at, w->learned[p], h->plane[p].learned);
	for (uint64_t i = 0; i < h->info.block_count; i++, at += entry_size(h)) {
		put_le(at, h->size_bytes, w->entries[i].size);
		put_le(at + h->size_bytes, BLOCK_CHECKSUM_SIZE, w->entries[i].checksum);
	}
}

static enum el_status write_directory(struct writer *w)
{
	struct table_header *h = &w->header;
	h->size_bytes = size_bytes(w);
	const size_t size = (size_t)directory_size(h);
	uint8_t *bytes = malloc(size);
	if (!bytes)
		return out_of_memory(w);
	fill_directory(w, bytes);
	h->directory = w->offset;
	h->directory_checksum = table_checksum(bytes, size);
	enum el_status status = append(w, bytes, size);
	free(bytes);
	h->info.bytes = w->offset;
	return status;
}

/* Last, because it tells the places of all others and the directory's checksum. */
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
	w->entries = malloc(info->block_count * sizeof *w->entries);
	if (!w->entries)
		return out_of_memory(w);
	w->offset = table_header_size(&w->header);
	for (unsigned p = 0; p < info->slice.planes && !status; p++)
		status = write_plane(w, p);
	if (!status)
		status = write_directory(w);
	return status ? status : write_header(w);
}

/* ---- the file as a whole ---- */

/* The blocks have been read back; so is what leads to them, as every reader will. */
static enum el_status open_again(const struct writer *w)
{
	struct el_table *table;
	uint8_t *bytes;
	size_t size;
	enum el_status status = el_table_open(w->file.path, &table, w->error);
	if (status)
		return status;
	status =
		el_table_read_bytes(table, w->header.info.block_count - 1, &bytes, &size, w->error);
	if (!status)
		free(bytes);
	el_table_close(table);
	return status;
}

static enum el_status write_table(struct writer *w)
{
	enum el_status status = el_temporary_file(w->path, &w->file, w->error);
	if (!status)
		status = write_parts(w);
	if (!status)
		status = open_again(w);
	if (!status)
		return el_temporary_publish(&w->file, w->path, w->error);
	el_temporary_remove(&w->file);
	return status;
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
	struct writer w = {.planes = planes, .watch = watch, .error = error, .path = path};
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
		status = write_table(&w);
	if (!status && bytes)
		*bytes = info->bytes;
	free(w.learned[0]);
	free(w.learned[1]);
	free(w.entries);
	table_header_free(&w.header);
	return status;
}
