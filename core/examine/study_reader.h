/* SPDX-License-Identifier: MIT */
/* A study's file, read address by address through a cache of its own: for proofs and statistics. */
#ifndef CORE_EXAMINE_STUDY_READER_H
#define CORE_EXAMINE_STUDY_READER_H

#include "core/study/file.h"
#include "core/table/cache.h"

/* Any number of threads may read at once. */
struct study_reader {
	struct study_file file;
	const struct el_value *values; /* of symbols */
	uint32_t value_count;
	struct el_cache *cache; /* of the file's blocks */
	uint64_t owner;
};

/* `memory`: bytes that the cache may take. Errors of study_file_open; EL_DAMAGED: the study does not
   reach its root. study_reader_close in any case. */
enum el_status study_reader_open(const char *path, uint64_t memory, struct study_reader *out,
                                 struct el_error *);
void study_reader_close(struct study_reader *);

/* EL_DAMAGED, EL_IO: the block cannot be read. */
enum el_status study_symbol_at(struct study_reader *, uint64_t address, uint16_t *symbol,
                               struct el_error *);
/* The value of a symbol; EL_BROKEN: the study does not reach such a position. */
struct el_value study_symbol_value(const struct study_reader *, uint16_t symbol);
/* The frame of an address. */
const struct filed *study_frame_at(const struct study_reader *, uint64_t address);
/* Is there a legal position at an address of a frame, counted from 0 for each side to move? Values of
   other addresses mean nothing. */
bool study_position_at(const struct study_reader *, const struct el_sets *, unsigned side,
                       uint64_t at, struct el_position *out);

#endif
