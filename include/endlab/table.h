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

#include "endlab/codecs.h"
#include "endlab/fill.h"
#include "endlab/solve.h"

enum {
	EL_BLOCK_MIN = 256,     /* positions in a table block: a power of two in this range */
	EL_BLOCK_MAX = 1 << 20,
	EL_BLOCK_DEFAULT = 16 << 10,
};

/* What a probe finds out without the table, so that a table need not keep it: a set. */
enum el_derive {
	EL_DERIVE_NOTHING,
	/* A probe tries the captures, and takes the best of them and the table; where captures are
	   forced and there are any, the best of them alone. */
	EL_DERIVE_CAPTURES,
	/* One side to move is left out, whichever takes more bytes: there a probe tries all moves, each of
	   which leads to the side that is kept or out of the slice. */
	EL_DERIVE_SIDE,
	EL_DERIVE_BOTH,
};

/* Null-terminated, indexed by enum el_derive: "nothing", "captures", "side", "captures+side". */
extern const char *const el_derive_names[];
enum el_status el_derive_parse(const char *text, enum el_derive *out, struct el_error *);

/*
 * How tables are written for whom codecs are no matter. What a preset has for a table depends on the metric
 * (core/store/preset.c), and what cannot be derived there is kept.
 */
enum el_preset {
	EL_PRESET_NONE,
	EL_PRESET_USUAL, /* as a build does unless told otherwise */
	EL_PRESET_FAST,  /* for the fastest probes */
	EL_PRESET_SMALL, /* for the smallest files */
	EL_PRESETS,
};

/* Indexed by enum el_preset: "", "usual", "fast", "small". */
extern const char *const el_preset_names[];
/* EL_PRESET_NONE when none has that name. */
enum el_preset el_preset_find(const char *name);

/*
 * The order in which a plane's positions follow each other in the file: by the game's own dense
 * index, or by its digits, from the slowest to the fastest.
 */
struct el_order {
	uint8_t count; /* of digits; 0: the index */
	uint8_t digit[EL_DIGITS_MAX]; /* places in el_digits, each once; zeros behind them */
};

/* How the orders of a table's planes are chosen. */
enum el_ordering {
	EL_ORDER_INDEX, /* the index */
	EL_ORDER_BEST,  /* for each plane: of all that there are the one with the fewest runs */
	EL_ORDER_GIVEN, /* as `order` says */
	EL_ORDER_SMALLEST, /* for each plane: the one that takes the fewest bytes, tried with the codec: all
	                      of up to four pieces, of more those that a search meets */
};

enum { EL_ORDER_TEXT = 2 * EL_DIGITS_MAX + 2 };

struct el_table_options {
	struct el_codec_choice codec;
	uint32_t block_positions;
	enum el_fill fill;
	enum el_derive derive;
	enum el_ordering ordering; /* of an existing file: index or given */
	struct el_order order[2];  /* of each plane, where given; zeros elsewhere */
	uint8_t left_out; /* of an existing file: one more than the plane that is not in it. Else 0: where one
	                     is written, that is found out anew */
	/* Of what is asked of a build, or of el_recode: if there is one, it decides, and nothing else here
	   does. */
	enum el_preset preset;
};

/* Is the plane in an existing file? */
static inline bool el_table_keeps(const struct el_table_options *options, unsigned plane)
{
	return plane + 1 != options->left_out;
}

/* "only White to move", of an existing file that leaves out Black; null where both sides are in it. */
const char *el_table_side(const struct el_table_options *);

/*
 * May tables of a metric leave out a side? EL_USAGE, with the reason, where a ply of search among its
 * values does not find those of the position: wins alone do not tell who has lost, nor a phase what the
 * clock makes of it.
 */
enum el_status el_side_check(const struct el_slice *, const struct el_metric *, struct el_error *);

/* What `build` uses for depths by default. */
struct el_table_options el_table_options_default(void);
/* A preset; beside it what applies by default once it is set to none. */
struct el_table_options el_table_options_preset(enum el_preset);
/* The preset that an existing file may have come of; `partial`: it holds bounds. Where several have the same
   the one with the most to it: small, then fast. */
enum el_preset el_preset_of(const struct el_table_options *file, const struct el_slice *,
                            const struct el_metric *, bool partial);

/*
 * "index", "best", "smallest", or the pieces from the slowest to the fastest as el_digits has them, "KkQr"; with
 * a slash between them one for each plane. Sets `ordering` and `order`. A null slice takes only
 * "index", "best" and "smallest". EL_USAGE with what is accepted.
 */
enum el_status el_order_parse(const char *text, const struct el_slice *,
                              struct el_table_options *out, struct el_error *);
/* As el_order_parse reads it. */
void el_order_format(const struct el_slice *, const struct el_table_options *,
                     char out[EL_ORDER_TEXT]);
/* "zstd:9 16K best order KkQr captures": all of it in a line. */
void el_table_options_format(const struct el_slice *, const struct el_table_options *, char *out,
                             size_t size);

/* "16K", "4096", "1M" -> positions; EL_USAGE with the accepted range. */
enum el_status el_block_parse(const char *text, uint32_t *out, struct el_error *);

/* What a file's header says, all of it checked. */
struct el_table_info {
	struct el_slice slice;
	const struct el_metric *metric;
	struct el_table_options options;
	uint64_t bytes;       /* of the whole file */
	uint64_t positions[2]; /* in each plane of the file: those of the order, or of the index; 0 in one
	                          that is left out */
	uint64_t block_count;  /* of all planes */
	unsigned passes;       /* as in el_planes */
	bool partial;          /* some values are known only within bounds */
	/* Of the header. It covers the directory's checksum, and that those of all blocks: two tables with the
	   same one hold the same values, as far as their blocks are undamaged. */
	uint64_t checksum;
};

/*
 * With EL_DERIVE_CAPTURES the planes know what is derivable (el_library_derive). With EL_DERIVE_SIDE both
 * are encoded, and the larger one is dropped. Both are kept, and the header says so, in a slice of one
 * plane, and under a rule that comes too late for some of its wins: a ply of search, with a ply on the
 * clock, does not tell these from those that are in time. EL_USAGE where el_side_check says so, EL_NEGATIVE
 * where some values are bounds.
 *
 * Writes a temporary file (temporary.h), reads each block back and decodes it, and puts the file in
 * place. On any failure, and when the watch stops it, nothing is left behind and an older file under
 * `path` is untouched; only a folder that cannot be synced leaves the new file there, whole. EL_DAMAGED
 * when the codec decodes other values than it was given.
 * Blocks are encoded in parallel; the bytes do not depend on the number of threads, nor on whether the
 * symbols are in memory or have a reader. These are read in pieces, indexes rising but for a few times
 * per plane, and what is held of them does not grow with the plane: a window of about a million
 * positions; up to EL_PLANE_WHOLE where the codec or the fill learns (codec.h). In an order other than
 * the index they lie in an unlinked temporary file beside `path` meanwhile, 2 bytes a position.
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
/* What the symbols of a plane stand for; broken alone in one that is left out. */
const struct el_value *el_table_values(const struct el_table *, unsigned plane, uint32_t *count);

/* A position's number in its plane of the file. */
uint64_t el_table_number(const struct el_table *, const struct el_place *);
/* Blocks of plane 0 come first. */
uint64_t el_table_block_of(const struct el_table *, unsigned plane, uint64_t number);

/* The positions in a block. */
size_t el_table_block_count(const struct el_table *, uint64_t block);
/* The bytes of a block as the codec wrote them, checked; malloc'ed, the caller frees them. */
enum el_status el_table_read_bytes(struct el_table *, uint64_t block, uint8_t **bytes, size_t *size,
                                   struct el_error *);
/* Reads, checks and decodes one block into `symbols` (el_table_block_count of them). Any number of
   threads at once. EL_DAMAGED names the file and the block; the rest stays readable. */
enum el_status el_table_read_block(struct el_table *, uint64_t block, uint16_t *symbols,
                                   struct el_error *);
/* The first `count` symbols of a block: all of them, or fewer where the codec stops. */
enum el_status el_table_read_front(struct el_table *, uint64_t block, uint16_t *symbols, size_t count,
                                   struct el_error *);
/* Symbol `at` of a block from the bytes that el_table_read_bytes gave, where the codec decodes one
   alone. Any number of threads at once; EL_DAMAGED names the file and the block. */
enum el_status el_table_decode_one(struct el_table *, uint64_t block, const uint8_t *bytes,
                                   size_t size, size_t at, uint16_t *symbol, struct el_error *);
/*
 * The whole table, in the order of the index. A table that derives captures holds any worse value
 * where a capture has the position's, or any at all where captures are forced; a side that is left out
 * is broken everywhere: el_library_planes corrects these.
 */
enum el_status el_table_read(struct el_table *, struct el_planes *out, struct el_error *);

#endif
