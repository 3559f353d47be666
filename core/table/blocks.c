/* SPDX-License-Identifier: MIT */
/*
 * The blocks of a plane: encoded a window at a time on all threads and written in order. Each
 * window, or a sample of it, is read back and decoded before the next, so that a faulty codec, a
 * plug-in's or ours, costs no table.
 */
#include "writer.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	SINGLES = 61, /* one symbol in this many is decoded alone; a prime misses no pattern */
	SAMPLED = 17, /* one block in this many, where a sample is read back */
};

/* One block on its way to the file, and back. */
struct parcel {
	uint8_t *bytes;
	size_t size;
	uint64_t offset; /* in the file */
};

/* What one thread needs. */
struct workspace {
	void *encoder, *decoder;
	uint16_t *symbols; /* of a block, decoded; owned */
};

/* The workspaces and the room for one window of blocks. */
struct bench {
	struct el_codec_params params;
	uint32_t row;
	uint64_t positions, blocks; /* of the plane */
	unsigned threads;
	size_t batch, room; /* parcels; bytes for each */
	struct workspace *workspaces;
	struct parcel *parcels;
	uint8_t *bytes;
};

/* ---- the bench ---- */

static enum el_status bench_open(struct writer *w, unsigned plane, struct bench *b)
{
	const struct el_codec *codec = w->header.info.options.codec.codec;
	const uint32_t learned = w->header.plane[plane].learned;
	b->threads = (unsigned)omp_get_max_threads();
	if (b->threads > b->blocks)
		b->threads = (unsigned)b->blocks;
	b->batch = w->limits->window / b->params.block_positions;
	b->batch = b->batch > b->threads ? b->batch : b->threads;
	b->room = codec->bound(&b->params, b->params.block_positions);
	b->workspaces = calloc(b->threads, sizeof *b->workspaces);
	b->parcels = calloc(b->batch, sizeof *b->parcels);
	b->bytes = malloc(b->batch * b->room);
	if (!b->workspaces || !b->parcels || !b->bytes)
		return writer_out_of_memory(w);
	/* A coder for each direction: the decoder must know no more than a reader would. */
	enum el_status status = EL_OK;
	for (unsigned t = 0; t < b->threads && !status; t++) {
		struct workspace *workspace = &b->workspaces[t];
		workspace->symbols = malloc(b->params.block_positions * sizeof *workspace->symbols);
		if (!workspace->symbols)
			return writer_out_of_memory(w);
		status = codec->open(&b->params, w->learned[plane], learned, &workspace->encoder,
		                     w->error);
		if (!status)
			status = codec->open(&b->params, w->learned[plane], learned,
			                     &workspace->decoder, w->error);
	}
	return status;
}

/* ---- blocks, there and back ---- */

/* Where a block's symbols are in the window; sets their number. */
static uint16_t *symbols_of(const struct writer *w, const struct bench *b, uint64_t block,
                            size_t *count)
{
	const uint64_t start = block * b->params.block_positions;
	*count = piece_at(start, b->positions, b->params.block_positions);
	return window_symbols(&w->window, start);
}

/* This thread's encoder, told which block comes. */
static void *encoder_at(const struct writer *w, const struct bench *b, uint64_t block)
{
	const struct el_codec *codec = w->header.info.options.codec.codec;
	void *encoder = b->workspaces[omp_get_thread_num()].encoder;
	if (codec->begin)
		codec->begin(encoder, block * b->params.block_positions);
	return encoder;
}

/* Lets the codec fill the block if it could not see the whole plane. */
static enum el_status fill_block(const struct writer *w, const struct bench *b, uint64_t block,
                                 struct parcel *parcel, struct el_error *error)
{
	const struct el_codec *codec = w->header.info.options.codec.codec;
	size_t count;
	uint16_t *symbols = symbols_of(w, b, block, &count);
	const struct el_codec_plane part = {
		.symbols = symbols,
		.care = window_care(&w->window, block * b->params.block_positions),
		.positions = count,
		.row = b->row,
		.first = block * b->params.block_positions,
	};
	(void)parcel;
	return codec->fill_block ? codec->fill_block(encoder_at(w, b, block), &part, error)
	                         : codec->fill(&b->params, &part, NULL, error);
}

static enum el_status encode(const struct writer *w, const struct bench *b, uint64_t block,
                             struct parcel *parcel, struct el_error *error)
{
	size_t count;
	const uint16_t *symbols = symbols_of(w, b, block, &count);
	return w->header.info.options.codec.codec->encode(encoder_at(w, b, block), symbols, count,
	                                                  parcel->bytes, b->room, &parcel->size,
	                                                  error);
}

/* Reads a block from the file and decodes it, over the bytes that it was written from. */
static enum el_status read_back(const struct writer *w, const struct bench *b, uint64_t block,
                                struct parcel *parcel, struct el_error *error)
{
	size_t count;
	const struct workspace *workspace = &b->workspaces[omp_get_thread_num()];
	const uint16_t *symbols = symbols_of(w, b, block, &count);
	if (w->limits->samples && block % SAMPLED)
		return EL_OK;
	const uint32_t checksum = table_block_checksum(parcel->bytes, parcel->size);
	const ssize_t got = pread(w->file.fd, parcel->bytes, parcel->size, (off_t)parcel->offset);
	if (got < 0)
		return el_fail(error, EL_IO, "cannot read what was written: %m");
	if ((size_t)got != parcel->size ||
	    table_block_checksum(parcel->bytes, parcel->size) != checksum)
		return el_fail(error, EL_IO, "read back otherwise than it was written");
	const struct el_codec *codec = w->header.info.options.codec.codec;
	if (codec->begin)
		codec->begin(workspace->decoder, block * b->params.block_positions);
	enum el_status status = codec->decode(workspace->decoder, parcel->bytes, parcel->size,
	                                      workspace->symbols, count, error);
	if (!status && memcmp(workspace->symbols, symbols, count * sizeof *symbols))
		status =
			el_fail(error, EL_DAMAGED,
		                "codec %s decodes it to other values than it encoded", codec->name);
	/* A probe may decode a single symbol, by other code than whole blocks. Test it on a sample,
	   different in each block: testing every symbol would take longer than solving the
	   slice. */
	for (size_t i = block % SINGLES; i < count && !status && codec->decode_one; i += SINGLES) {
		uint16_t symbol = 0;
		status = codec->decode_one(workspace->decoder, parcel->bytes, parcel->size, count,
		                           i, &symbol, error);
		if (!status && symbol != symbols[i])
			status = el_fail(error, EL_DAMAGED,
			                 "codec %s decodes symbol %zu alone to another value than "
			                 "it encoded",
			                 codec->name, i);
	}
	return status;
}

/* A step of the work on one block of a plane; runs on any thread. */
typedef enum el_status block_step(const struct writer *, const struct bench *, uint64_t block,
                                  struct parcel *, struct el_error *);

/* If several blocks fail, reports the error of the first. */
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

enum el_status writer_append(struct writer *w, const uint8_t *bytes, size_t size)
{
	if (!file_transfer(w->file.fd, (void *)(uintptr_t)bytes, size, w->offset, true))
		return el_fail(w->error, EL_IO, "%s: cannot write: %m", w->path);
	w->offset += size;
	return EL_OK;
}

static enum el_status write_batch(struct writer *w, struct bench *b, uint64_t first, size_t count)
{
	for (size_t i = 0; i < count; i++)
		b->parcels[i].bytes = b->bytes + i * b->room;
	enum el_status status = each_parcel(w, b, first, count, encode);
	for (size_t i = 0; i < count && !status; i++) {
		struct parcel *parcel = &b->parcels[i];
		w->entries[w->blocks + i] = (struct entry){
			.size = (uint32_t)parcel->size,
			.checksum = table_block_checksum(parcel->bytes, parcel->size),
		};
		parcel->offset = w->offset;
		status = writer_append(w, parcel->bytes, parcel->size);
	}
	if (!status)
		status = each_parcel(w, b, first, count, read_back);
	w->blocks += count;
	return status;
}

enum el_status blocks_write(struct writer *w, unsigned plane, struct filling *filling)
{
	const struct el_table_info *info = &w->header.info;
	struct bench b = {
		.params = table_codec_params(&w->header, plane),
		.row = w->header.plane[plane].numbering.row,
		.positions = info->positions[plane],
		.blocks = blocks_in_plane(info, plane),
	};
	const uint64_t block = b.params.block_positions;
	const bool fills = filling->way == EL_WAY_CODEC && !filling->whole;
	char what[EL_SLICE_MAX + NAME_SIZE + 1];
	snprintf(what, sizeof what, "%s %s", info->slice.name, info->metric->name);
	enum el_status status = bench_open(w, plane, &b);
	for (uint64_t first = 0; first < b.blocks && !status; first += b.batch) {
		const size_t count = piece_at(first, b.blocks, b.batch);
		const size_t positions = piece_at(first * block, b.positions, count * block);
		status = filling_go_on(w, plane, filling, first * block, positions);
		if (!status && fills)
			status = each_parcel(w, &b, first, count, fill_block);
		if (!status && fills)
			status = window_check(w);
		if (!status)
			status = write_batch(w, &b, first, count);
		const struct el_progress progress = {"writing", what, (double)w->blocks,
		                                     (double)info->block_count, .unit = "blocks"};
		if (!status && !el_watch_tick(w->watch, &progress))
			status = el_fail(w->error, EL_STOPPED, "%s: stopped", what);
	}
	const struct el_codec *codec = info->options.codec.codec;
	for (unsigned t = 0; b.workspaces && t < b.threads; t++) {
		struct workspace *workspace = &b.workspaces[t];
		if (workspace->encoder)
			codec->close(workspace->encoder);
		if (workspace->decoder)
			codec->close(workspace->decoder);
		free(workspace->symbols);
	}
	free(b.workspaces);
	free(b.parcels);
	free(b.bytes);
	return status;
}
