/* SPDX-License-Identifier: MIT */
/*
 * The layout of a table file. Little-endian throughout; offsets and sizes are in bytes.
 * tui/man/endlab-table.5 describes it for other programs, with indexes and codecs: keep both in
 * step.
 *
 *     header      HEADER_FIXED bytes, then the planes' values, then a checksum
 *     blocks      of plane 0, then of plane 1: each the codec's bytes
 *     directory   what the codec learned from plane 0, then from plane 1; for each block the number of
 *                 bytes and a checksum
 *     courses     under a metric that asks for the clock (dtmK): courses.h
 *
 * Checksums form a chain, so that a part is valid only in its own place of its own table: the
 * header's is at its end and covers all bytes before it; the directory's is in the header, a
 * block's in the directory. The first two are CRC-64 (ECMA-182, as in .xz files) in 8 bytes; a
 * block's is CRC-32 (IEEE 802.3) in 4. The fixed part of the header, by offset and size:
 *
 *      0  8  magic
 *      8  4  version of this layout: 3, or 4 if outcomes are left out, or if the codec also sees the board
 *            behind a plane in index order, whose digits are the number of both kings and then those
 *            of the other pieces
 *     12  4  size of the header
 *     16  8  size of the file
 *     24  8  positions in a plane, by the slice's index
 *     32  8  where the directory begins
 *     40  4  positions in a block, a power of two; the last block of a plane may have fewer
 *     44  4  version of the game's index
 *     48 16  options of the codec, signed, 4 bytes each; if it has more than four, 2 bytes each in the
 *            order 0, 4, 1, 5, 2, 6, 3, 7
 *     64  1  fill, as enum el_fill
 *     65  1  derive: 1 captures, 2 a side to move, 3 both, 8 outcomes, 10 these and a side; plus 4 if
 *            the side left out is plane 1. A plane that is left out has no blocks, no order, nothing
 *            learned, no values
 *     66  1  planes: 1 or 2
 *     67  1  bytes of the size of a block in the directory: 1 to 4
 *     68  4  the last ply of the solution, 0 .. EL_PLIES_MAX; 0 if it is not known, and in tables of
 *            outcomes that are all known
 *     72  8  order of plane 0: each digit's place plus one, from the slowest to the fastest, then
 *            zeros; all zeros if the order is that of the index
 *     80  8  order of plane 1
 *     88 16  game      )
 *    104 16  metric    ) names in ASCII,
 *    120 16  codec     ) padded with zeros, at least one
 *    136 40  slice     )
 *    176  4  bytes learned from plane 0; 0 when nothing was
 *    180  4  bytes learned from plane 1
 *    184  4  values in plane 0: 1 .. 65536; 0 when it is left out
 *    188  4  values in plane 1; 0 when it is left out, or there is one plane
 *    192  8  checksum of the directory
 *
 * The values of plane 0 and then of plane 1 follow, worst first: the outcome in 1 byte, as enum
 * el_outcome, the plies in 2, and under a metric with phases (dtr) the phase in 2 more. The
 * metric's name gives the limit of a rule: dtz50 is under the 50-move rule. Bounds (EL_UNKNOWN is
 * [loss, win]) occur only in tables without depths, and make these partial; but in a bitbase
 * EL_AT_MOST_DRAW, [loss, draw], is simply the value of every position that is not won. Symbol s of
 * the codec stands for value s. Only the first value can be EL_BROKEN, and only if some positions
 * of the plane are broken after the fill; else no symbol is spent on it. Where outcomes are left out, a
 * value has plies alone (table_plies): that of a loss or, if it may not have so many, a blessed loss.
 * Under a metric that asks for the clock, the checksum of the courses' directory in 8 bytes follows the
 * values.
 */
#ifndef CORE_TABLE_FORMAT_H
#define CORE_TABLE_FORMAT_H

#include "core/os/files.h"
#include "order.h"

#include <string.h>

#define TABLE_MAGIC "\211EGT\r\n\x1a\n"
#define STUDY_MAGIC "\211EGS\r\n\x1a\n"

enum {
	TABLE_VERSION = 3,
	/* the same, but codecs that look at the board see that of planes in index order too, and
	   outcomes may be left out */
	TABLE_VERSION_BOARD = 4,
	MAGIC_SIZE = 8,
	CHECKSUM_SIZE = 8,
	BLOCK_CHECKSUM_SIZE = 4,
	NAME_SIZE = 16, /* of a game, a metric, a codec */
	VALUE_SIZE = 3,
	PHASE_SIZE = 2, /* after it, if the metric has phases */

	AT_MAGIC = 0,
	AT_VERSION = 8,
	AT_HEADER_SIZE = 12,
	AT_FILE_SIZE = 16,
	AT_POSITIONS = 24,
	AT_DIRECTORY = 32,
	AT_BLOCK_POSITIONS = 40,
	AT_INDEX_VERSION = 44,
	AT_OPTIONS = 48,
	OPTIONS_WIDE = 4, /* up to this many have 4 bytes each */
	AT_FILL = 64,
	AT_DERIVE = 65,
	AT_PLANES = 66,
	AT_SIZE_BYTES = 67,
	AT_PASSES = 68,
	AT_ORDERS = 72,
	AT_GAME = 88,
	AT_METRIC = 104,
	AT_CODEC = 120,
	AT_SLICE = 136,
	AT_LEARNED = 176,
	AT_VALUE_COUNTS = 184,
	AT_DIRECTORY_CHECKSUM = 192,
	DERIVE_PLANE_1 = 4, /* of AT_DERIVE */
	DERIVE_OUTCOMES = 8,
	HEADER_FIXED = 200,
	HEADER_MIN = HEADER_FIXED + VALUE_SIZE + CHECKSUM_SIZE,
	HEADER_MAX = HEADER_FIXED + 2 * 65536 * (VALUE_SIZE + PHASE_SIZE) + CHECKSUM_SIZE,
};

static inline void put_le(uint8_t *at, unsigned size, uint64_t number)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (uint8_t)(number >> 8 * i);
}

static inline uint64_t get_le(const uint8_t *at, unsigned size)
{
	uint64_t number = 0;
	for (unsigned i = 0; i < size; i++)
		number |= (uint64_t)at[i] << 8 * i;
	return number;
}

static inline uint32_t get_u32(const uint8_t *at)
{
	return (uint32_t)get_le(at, 4);
}

/* Bytes of one of a codec's options, and the number of options that fit. */
static inline unsigned option_size(const struct el_codec *codec)
{
	return codec->option_count > OPTIONS_WIDE ? 2 : 4;
}

static inline unsigned option_room(const struct el_codec *codec)
{
	return OPTIONS_WIDE * 4 / option_size(codec);
}

/* Where option i is. Files written before a codec had more than four options have zeros for the new
   ones. */
static inline unsigned option_at(unsigned i)
{
	return AT_OPTIONS + 4 * (i % OPTIONS_WIDE) + 2 * (i / OPTIONS_WIDE);
}

uint64_t table_checksum(const uint8_t *bytes, size_t size);
/* Writes the checksum of the `size` bytes before `bytes + size` there. */
void table_seal(uint8_t *bytes, size_t size);
uint32_t table_block_checksum(const uint8_t *bytes, size_t size);

/* One plane as a file describes it. EL_BROKEN is the first value or absent. */
struct table_plane {
	struct numbering numbering;
	/* owned; null if the codec does not look at it, or there is none */
	struct table_board *board;
	struct el_value *values; /* owned */
	uint32_t value_count;
	uint32_t learned;     /* bytes */
	uint64_t first_block; /* in the file */
};

/* A header in memory. */
struct table_header {
	struct el_table_info info; /* bytes, positions and block_count as well */
	struct table_plane plane[2];
	uint64_t directory; /* where it begins */
	uint64_t directory_checksum;
	uint64_t courses; /* where they begin (courses.h), if the metric asks for the clock */
	uint64_t courses_checksum;
	unsigned size_bytes; /* of a block's size in the directory */
	bool old_board;      /* codecs see no board behind planes in index order */
};

/* Bytes of a block's entry in the directory: its size and its checksum. */
static inline unsigned entry_size(const struct table_header *header)
{
	return header->size_bytes + BLOCK_CHECKSUM_SIZE;
}

/* Bytes of the directory: what was learned, and the entries of blocks. */
static inline uint64_t directory_size(const struct table_header *header)
{
	return (uint64_t)header->plane[0].learned + header->plane[1].learned +
	       header->info.block_count * entry_size(header);
}

/* The binary logarithm of the positions in a block: a division would take a good part of a probe's
   time. */
static inline unsigned block_shift(const struct el_table_info *info)
{
	return (unsigned)__builtin_ctz(info->options.block_positions);
}

/* How many blocks a plane has. */
static inline uint64_t blocks_in_plane(const struct el_table_info *info, unsigned plane)
{
	return (info->positions[plane] + info->options.block_positions - 1) >> block_shift(info);
}

/* Makes the numberings of all planes and their boards, and sets positions and block_count; a plane
   that is left out has none. EL_NEGATIVE if the slice has no such order, and EL_MEMORY, both
   without text. */
enum el_status table_number(struct table_header *);

/* 1 if a symbol in memory is that in the file plus one, else 0. */
static inline uint16_t table_symbol_base(const struct table_plane *plane)
{
	return plane->value_count && plane->values[0].outcome != EL_BROKEN;
}

static inline struct el_codec_params table_codec_params(const struct table_header *header,
                                                        unsigned plane)
{
	struct el_codec_params params = {
		.value_count = header->plane[plane].value_count,
		.block_positions = header->info.options.block_positions,
	};
	memcpy(params.option, header->info.options.codec.option, sizeof params.option);
	if (header->plane[plane].board)
		params.board = &header->plane[plane].board->seen;
	return params;
}

static inline size_t value_size(const struct el_metric *metric)
{
	return VALUE_SIZE + (metric->has_phase ? PHASE_SIZE : 0);
}

/* The bytes of a header with this many values in both planes together. */
static inline size_t header_size_for(const struct el_metric *metric, uint64_t values)
{
	return HEADER_FIXED + (size_t)values * value_size(metric) +
	       (metric->by_clock ? 2u : 1u) * CHECKSUM_SIZE;
}

size_t table_header_size(const struct table_header *);
/* Writes table_header_size bytes, checksum included. EL_USAGE when a name is too long. */
enum el_status table_header_write(const struct table_header *, uint8_t *out, struct el_error *);
/*
 * Reads and checks the header of a file. EL_DAMAGED with the place, what was expected and what was
 * found; EL_OUTDATED, EL_UNREADABLE if another version of endlab wrote it; EL_NEGATIVE if its name
 * is that of a foreign kind. table_header_free in any case.
 */
enum el_status table_header_read(const struct input *, struct table_header *out, struct el_error *);
void table_header_free(struct table_header *);

#endif
