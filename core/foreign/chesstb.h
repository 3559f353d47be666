/* SPDX-License-Identifier: MIT */
/*
 * Tables of chesstb, as made by the generator of that name (github.com/noobpwnftw/chesstb): outcomes
 * under the 50-move rule (.lzw), plies to zeroing under it (.lzdtz, .lzdtc), to mate without it (.lzdtm),
 * and to mate under it with every clock (.lzdtm50). All numbers are little-endian:
 *
 *     a magic of 4 bytes; the material's key, shifted left by two, and how many frames there are
 *     a head for each frame, that is, for each side to move                    chesstb_head.c
 *     outcomes: the dictionary of each frame that has blocks
 *     where the blocks of each such frame begin, as packed numbers
 *     from the next multiple of 64 on: the blocks of each, again up to such a multiple
 *     XXH64 of all that                                                        chesstb_sum.c
 *
 * A frame holds a cell for each index, perhaps in an order of its own          chesstb_index.c
 * in blocks that LZ4 or LZMA pack                                              chesstb_pack.c
 *
 * Frames come in several forms: one value for all (singular); none, as the other frame tells them
 * (dropped); of depths, those of losses alone; of outcomes, some lowered where a capture or promotion
 * is as good (relaxed). Only depths that cannot be told without an outcome are stored, so each kind
 * but the first needs one from elsewhere.
 *
 * A name with a p on each side, KQpKp, is that of a table of opposing pawns: it has only those positions
 * of KQPvKP in which pawns of both sides face each other on a file.
 *
 * .lzdtc has values in 30 layers. The first layer is that of .lzdtz. In the others the winner may move
 * pawns only so many more times before a capture or promotion, 28 times to none, and plies to zeroing are
 * counted among such play. No metric of ours asks that, so they are not read.
 *
 * White is the side with the greater sum of pieces' worth, which need not be the one that our slices
 * name first.
 */
#ifndef CORE_FOREIGN_CHESSTB_H
#define CORE_FOREIGN_CHESSTB_H

#include "foreign.h"

enum {
	CHESSTB_CLASSES_MAX = 8,
	CHESSTB_START = 8,
	CHESSTB_SUM = 8,
	CHESSTB_ALIGNMENT = 64,
	CHESSTB_CLOCKS = 101,       /* layers of .lzdtm50: without the rule, then with each clock */
	CHESSTB_BUDGETS = 30,       /* layers of .lzdtc */
	CHESSTB_DRAWN = 0xffff,     /* in place of a rank: a draw from that layer on */
	CHESSTB_ABSENT = 0xfffe,    /* in place of a cell: its block is left out */
	CHESSTB_ELSEWHERE = 0xfffd, /* the table is of opposing pawns, and there are none */
};

/* ---- from a position to an index ---- */

/* Like pieces, which are one digit of an index. */
struct chesstb_class {
	uint8_t side, kind;
	uint32_t sets; /* of squares */
};

/* How the positions of a slice are numbered; White is that of the file. */
struct chesstb_index {
	uint8_t king, pawn; /* the game's kinds */
	bool has_pawns;
	uint8_t pawns[2]; /* without those of the pair */
	/* A table of opposing pawns: by where the others stand, the places counted before; cells + 1 of
	   them. Else null. Owned. */
	uint64_t *pairs_of_pawns;
	uint8_t classes; /* of other pieces, in the order that numbers of symmetric boards are compared in */
	struct chesstb_class class[CHESSTB_CLASSES_MAX];
	struct king_pairs kings; /* White's leads */
	uint64_t sets;           /* of squares of all classes together */
	uint64_t positions;
};

/* `count`: the pieces of the file's White and Black, without a pair of opposing pawns, which the slice then
   has besides. EL_NEGATIVE if there are too many positions; EL_MEMORY. */
enum el_status chesstb_index_make(const struct foreign *, const uint8_t (*count)[EL_KINDS],
                                  struct chesstb_index *out);
void chesstb_index_free(struct chesstb_index *);
/* The index of a position with the file's White as White; `positions` if it has none. `order`: the
   classes, the fastest first. */
uint64_t chesstb_index_of(const struct chesstb_index *, const uint8_t *order,
                          const struct el_position *);

/* ---- the head ---- */

/* What sets the kinds of files apart. */
struct chesstb_format {
	const struct el_source_ops *ops;
	const struct el_metric *metric;
	uint32_t magic;
	bool outcomes;   /* two cells in a byte, in LZ4; else ranks of values, in LZMA */
	unsigned layers; /* of values, if each cell has a course; else 0 */
};

struct chesstb_frame {
	bool is_singular, is_dropped, losses_only, is_relaxed;
	uint8_t value; /* of a singular one */
	/* The rest is of a frame with blocks. */
	uint8_t order[CHESSTB_CLASSES_MAX]; /* of the classes */
	uint8_t entry_bytes;                /* of a rank */
	uint32_t block_positions;
	uint32_t block_bytes; /* unpacked; 0: each block's own */
	uint64_t blocks, data_bytes;
	uint16_t ranks;
	uint16_t *value_of; /* by rank; owned */
	uint16_t dictionary_bytes;
	/* A block begins at the sum of a sample, of which there is one for 2^sample_bits blocks, and its
	   own number. The third list has the sizes of blocks. All are packed to a width of bits. */
	uint8_t sample_bits, width[3];
	uint64_t at_dictionary, at[3], at_data;
	uint64_t first_block; /* in the cache */
};

enum { CHESSTB_SAMPLES, CHESSTB_OFFSETS, CHESSTB_SIZES };

struct chesstb {
	struct foreign foreign; /* first, so that a source is one */
	const struct chesstb_format *format;
	uint8_t count[2][EL_KINDS]; /* of the file's White and Black, without a pair */
	bool is_swapped;            /* the file's White is the side that our slice names second */
	struct chesstb_index index;
	unsigned frames;
	struct chesstb_frame frame[2];
};

/* Finds the slice, and which way round the file has it. `count`: without a pair of opposing pawns. EL_NEGATIVE
   if the name is not one of a table. */
enum el_status chesstb_material(const struct el_source_ops *, const char *path,
                                struct el_slice *slice, uint8_t count[2][EL_KINDS],
                                bool *is_swapped, struct el_error *);
/* Reads everything before the blocks. EL_DAMAGED; EL_NEGATIVE if the form is not read. */
enum el_status chesstb_head_read(struct chesstb *, struct el_error *);
/* Where a block begins, counted from at_data, how many bytes it has, and how many positions. No bytes: it
   is left out. *unpacked: its bytes once unpacked. */
enum el_status chesstb_find_block(const struct chesstb *, const struct chesstb_frame *,
                                  uint64_t block, uint64_t *begin, size_t *packed, size_t *unpacked,
                                  struct el_error *);
/* The positions of a block. */
uint32_t chesstb_block_positions(const struct chesstb *, const struct chesstb_frame *,
                                 uint64_t block);

/* An el_source_ops.check. */
enum el_status chesstb_check(struct el_source *, const struct el_watch *, struct el_error *);
/* XXH64, piece by piece. All pieces but the last have a multiple of CHESSTB_SUM_UNIT bytes. */
enum { CHESSTB_SUM_UNIT = 32 };
struct chesstb_sum {
	uint64_t lane[4];
	uint64_t bytes; /* so far */
};
void chesstb_sum_begin(struct chesstb_sum *);
void chesstb_sum_add(struct chesstb_sum *, const uint8_t *bytes, size_t size);
/* `rest`: what follows the last whole unit. */
uint64_t chesstb_sum_end(const struct chesstb_sum *, const uint8_t *rest, size_t size);

/* ---- blocks: all take any bytes ---- */

/* Decodes exactly `count` bytes to `out`; matches may begin in the `before` bytes in front of it. */
bool chesstb_unpack_lz4(const uint8_t *bytes, size_t size, uint8_t *out, size_t before,
                        size_t count);
/* Decodes exactly `count` bytes. EL_DAMAGED, EL_MEMORY, without text. */
enum el_status chesstb_unpack_lzma(const uint8_t *bytes, size_t size, uint8_t *out, size_t count);
/*
 * Values in layers: how many bytes to keep in front of an unpacked block so that any cell is found
 * soon, and those bytes. `bytes` has room for them, then `size` bytes of the block. False if a record
 * is not as it should be: then no cell may be read.
 */
size_t chesstb_courses_room(uint32_t positions);
bool chesstb_courses_begin(uint8_t *bytes, size_t size, uint32_t positions, unsigned entry_bytes,
                           unsigned layers);
/* The rank of a cell in a layer; CHESSTB_DRAWN. */
uint16_t chesstb_courses_rank(const uint8_t *bytes, uint32_t position, unsigned entry_bytes,
                              unsigned layer);

#endif
