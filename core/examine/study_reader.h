/* SPDX-License-Identifier: MIT */
/* A study's file, read address by address through a cache of its own: for proofs and statistics. */
#ifndef CORE_EXAMINE_STUDY_READER_H
#define CORE_EXAMINE_STUDY_READER_H

#include "core/study/file.h"
#include "core/table/cache.h"

/* Any number of threads may read at once. */
struct study_reader {
	struct study_file file;
	struct el_value root;
	struct el_cache *cache; /* of the file's blocks */
	uint64_t owner;
};

/* `memory`: bytes that the cache may take. Errors of study_file_open; EL_DAMAGED: the study does not
   reach its root. study_reader_close in any case. */
enum el_status study_reader_open(const char *path, uint64_t memory, struct study_reader *out,
                                 struct el_error *);
void study_reader_close(struct study_reader *);

/* The value at an address. EL_DAMAGED, EL_IO: the block cannot be read. */
enum el_status study_stored_at(const struct study_reader *, uint64_t address, struct el_value *,
                               struct el_error *);
/* Is there a legal position at an address of a frame, counted from 0 for each side to move? Values of
   other addresses mean nothing. */
bool study_position_at(const struct study_reader *, const struct el_sets *, unsigned side,
                       uint64_t at, struct el_position *out);

/* Addresses of one frame, and the position found last. */
struct study_part {
	const struct study_reader *reader;
	const struct filed *filed;
	struct el_sets *sets; /* of the frame, once a position has been asked for */
	uint64_t next, end;   /* addresses of the file that are left */
	uint64_t address, at; /* of the position: in the file, and as study_position_at takes it */
	unsigned side;        /* to move there */
	uint16_t symbol;      /* of its value */
	struct el_position position;
};

/* Finds the next legal position that the study reaches. */
enum el_status study_next(struct study_part *, bool *found, struct el_error *);
/* Takes the addresses of each frame apart from the others, of those from `first` to before `end`. */
enum el_status study_parts(const struct study_reader *, uint64_t first, uint64_t end,
                           enum el_status (*take)(void *context, unsigned thread,
                                                  struct study_part *, struct el_error *),
                           void *context, unsigned thread, struct el_error *);

#endif
