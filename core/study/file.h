/* SPDX-License-Identifier: MIT */
/*
 * Study files (.study): a table (core/table/format.h, with another magic) whose single plane holds the
 * values of all frames, one after the other, and behind it a list of the frames. Little-endian.
 *
 *      0    4  version of this layout
 *      4    4  number of frames, choices included
 *      8   36  for each number of movers, from 0 up, 4 bytes: bits of the kinds of promotions followed
 *               (from 0: 1 if the frames without promotions are solved, plus 2 if tables told wins that may come
 *               too late under the rule of 50 moves)
 *     44  128  the root as FEN, padded with zeros
 *    172    8  frames without choices
 *    180    8  positions in these
 *    188    8  positions among them whose bounds agree
 *    196       for each frame: its key (24 bytes), and 1 byte: 1 if it is solved, plus 2 if it is
 *               to be solved again
 *              a checksum (CRC-64) of all this
 *
 * A frame has as many addresses with each side to move as its sets have bits: first those with White
 * to move. Values are of the metric that the header names, or bounds, with two exceptions:
 *   - unknown in 1 ply: the study does not reach the position;
 *   - plies of 32768 or more: a win or a loss in at most as many plies as the rest.
 */
#ifndef CORE_STUDY_FILE_H
#define CORE_STUDY_FILE_H

#include "study.h"

#include "core/games/frames.h"
#include "core/table/table.h"

enum {
	STUDY_VERSION = 1,
	STUDY_ROUGH = 1 << 15,
	STUDY_LATE = 2, /* in the first of `followed` */
};

/* A frame of a file. */
struct filed {
	struct el_frame frame;
	uint64_t first; /* its first address */
	uint64_t half;  /* its addresses with one side to move */
	bool is_solved;
	bool is_fresh; /* bounds may come closer: the study was stopped before it was solved again */
};

/* A study's file in memory. */
struct study_file {
	struct el_table *table; /* owned */
	const struct el_table_info *info;
	struct el_value
		*values; /* of symbols; EL_BROKEN: the study does not reach the position. Owned */
	uint32_t value_count;
	const struct el_frames *frames;
	struct el_position root;
	unsigned followed[EL_FRAME_MOVERS + 1];
	struct el_study_size size;
	struct filed *list; /* `count`, in the order of the file; owned */
	uint32_t count;
	uint32_t *slot; /* by hash: a place in the list plus one; 0: free; owned */
	size_t slots;
};

/* EL_DAMAGED with the place, what was expected and what was found; EL_OUTDATED, EL_UNREADABLE: of
   another version; EL_IO, EL_MEMORY. study_file_close in any case. */
enum el_status study_file_open(const char *path, struct study_file *out, struct el_error *);
void study_file_close(struct study_file *);

/* The list as bytes, study_list_size of them. */
size_t study_list_size(size_t frames);
void study_list_write(const struct study_file *, uint8_t *out);

/* The metric that counts to the end of a frame, without a rule. */
const struct el_metric *study_metric(const struct el_game *);
/* Counts the pieces of the root, or of another position, and names them behind what the name begins with:
   "study:KPPPvKPP". `game` is set. */
void study_name(const struct el_position *, struct el_slice *);

static inline uint64_t study_hash(const struct el_frame *f)
{
	uint64_t hash = f->key[0] * UINT64_C(0x9e3779b97f4a7c15) ^
	                f->key[1] * UINT64_C(0xc2b2ae3d27d4eb4f) >> 7 ^
	                f->key[2] * UINT64_C(0x165667b19e3779f9);
	hash ^= hash >> 29;
	hash *= UINT64_C(0xbf58476d1ce4e5b9);
	return hash ^ hash >> 32;
}

/* The frame with an address. */
const struct filed *study_frame_at(const struct study_file *, uint64_t address);
/* A frame's place in the list; UINT32_MAX: the file does not have it. */
uint32_t study_file_frame(const struct study_file *, const struct el_frame *);
/* Where a position's value is. False: the file has no such frame, or it is not solved. */
bool study_file_find(const struct study_file *, const struct el_position *, uint64_t *address);
/* The symbol at an address, by way of a cache, in the name of `owner`. Any number of threads at once. A
   soft probe reads no file: EL_NEGATIVE; EL_DAMAGED, EL_IO: the block cannot be read. */
enum el_status study_file_symbol(const struct study_file *, struct el_cache *, uint64_t owner,
                                 uint64_t address, bool soft, uint16_t *symbol, struct el_error *);

#endif
