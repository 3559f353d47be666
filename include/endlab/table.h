/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Table files (.egt): one slice under one metric.
 *
 *     el_planes -> fill -> codec -> el_table_write         el_table_open -> el_table_block
 *
 * A reader trusts nothing in a file. The layout on disk is described at the top of
 * core/store/table_format.h.
 */
#ifndef ENDLAB_TABLE_H
#define ENDLAB_TABLE_H

#include "endlab/codec.h"
#include "endlab/solve.h"

enum {
	EL_BLOCK_MIN = 256,     /* positions in a table block: a power of two in this range */
	EL_BLOCK_MAX = 1 << 20,
	EL_BLOCK_DEFAULT = 16 << 10,
};

struct el_table_options {
	struct el_codec_choice codec;
	uint32_t block_positions;
	enum el_fill fill;
};

/* What `build` uses unless told otherwise. */
struct el_table_options el_table_options_default(void);

/* "16K", "4096", "1M" -> positions; EL_USAGE with the accepted range. */
enum el_status el_block_parse(const char *text, uint32_t *out, struct el_error *);

/* What a file's header says, all of it checked. */
struct el_table_info {
	struct el_slice slice;
	const struct el_metric *metric;
	struct el_table_options options;
	uint64_t bytes;       /* of the whole file */
	uint64_t block_count; /* of all planes */
};

/*
 * Writes PATH.tmp.PID beside `path`, syncs it, renames it, syncs the directory. On any failure
 * before the last of these, and when the watch stops it, nothing is left behind and an older file
 * under `path` is untouched; on a failure of the last the file is there, whole.
 * Blocks are encoded in parallel; the bytes do not depend on the number of threads.
 */
enum el_status el_table_write(const char *path, const struct el_planes *,
                              const struct el_table_options *, const struct el_watch *,
                              uint64_t *bytes, struct el_error *);

struct el_table;

/* Reads and checks the header; the blocks' places are read and checked with the first block, each
   block when it is read. EL_DAMAGED names the file, the place, what was expected and what was
   found. */
enum el_status el_table_open(const char *path, struct el_table **out, struct el_error *);
void el_table_close(struct el_table *);
const struct el_table_info *el_table_info(const struct el_table *);
const char *el_table_path(const struct el_table *);
/* What the symbols of a plane stand for. */
const struct el_value *el_table_values(const struct el_table *, unsigned plane, uint32_t *count);

/* Blocks of plane 0 come first. */
static inline uint64_t el_table_block_of(const struct el_table_info *info, unsigned plane,
                                         uint64_t index)
{
	uint64_t per_plane = info->block_count / info->slice.planes;
	return plane * per_plane + index / info->options.block_positions;
}

/* The positions in a block. */
size_t el_table_block_count(const struct el_table *, uint64_t block);
/* Reads, checks and decodes one block into `symbols` (el_table_block_count of them). Any number of
   threads at once. EL_DAMAGED names the file and the block; the rest stays readable. */
enum el_status el_table_read_block(struct el_table *, uint64_t block, uint16_t *symbols,
                                   struct el_error *);
/* The whole table. */
enum el_status el_table_read(struct el_table *, struct el_planes *out, struct el_error *);

#endif
