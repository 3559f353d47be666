/* SPDX-License-Identifier: MIT */
/*
 * Table files (.egt): one slice under one metric.
 *
 *     el_planes -> fill -> codec -> el_table_write         el_table_open -> el_table_read_block
 *
 * A reader trusts nothing in a file. The layout on disk is described at the top of
 * core/table/format.h.
 */
#ifndef CORE_TABLE_TABLE_H
#define CORE_TABLE_TABLE_H

#include "codecs/codecs.h"
#include "codecs/fill.h"
#include "core/os/temporary.h"
#include "core/solve/solve.h"

struct el_cache; /* cache.h */

enum {
	EL_BLOCK_MIN = 256, /* positions in a table block: a power of two in this range */
	EL_BLOCK_MAX = 1 << 20,
	EL_BLOCK_DEFAULT = 16 << 10,
};

/* What a table leaves out because a probe finds it by other means: a set of these. */
enum el_derive {
	EL_DERIVE_NOTHING,
	/* A probe tries the captures and takes the best of them and of the table's value. If
	   captures are forced and there are any, it takes the best of them alone. */
	EL_DERIVE_CAPTURES,
	/* One side to move, whichever takes more bytes. For that side a probe tries all moves, each
	   of which leads to the other side to move or out of the slice. */
	EL_DERIVE_SIDE,
	EL_DERIVE_BOTH,
	/* The outcomes, of a table of the plies to the next zeroing move: another table of the slice
	   tells them (el_outcomes_check). Draws need no plies then, nor does a win that a zeroing move
	   keeps, which a probe finds by trying these (core/probe/plies.c). Captures are among them, so
	   this does not go with EL_DERIVE_CAPTURES. */
	EL_DERIVE_OUTCOMES = 4,
	EL_DERIVE_OUTCOMES_SIDE = EL_DERIVE_OUTCOMES | EL_DERIVE_SIDE,
};

/* Does a probe try moves of positions that the table holds? */
static inline bool el_derive_tries(enum el_derive derive)
{
	return derive & (EL_DERIVE_CAPTURES | EL_DERIVE_OUTCOMES);
}

/* All of them, and their names, null-terminated: "nothing", "captures", "side", "captures+side",
   "outcomes", "outcomes+side". */
extern const enum el_derive el_derives[];
extern const char *const el_derive_names[];
unsigned el_derive_place(enum el_derive); /* in both lists */
static inline const char *el_derive_name(enum el_derive derive)
{
	return el_derive_names[el_derive_place(derive)];
}
enum el_status el_derive_parse(const char *text, enum el_derive *out, struct el_error *);

/*
 * Options for users who do not care about codecs. Their meaning depends on the metric
 * (core/table/options.c). Values that probes cannot derive under the metric are kept.
 */
enum el_preset {
	EL_PRESET_NONE,
	EL_PRESET_USUAL, /* what a build uses by default */
	EL_PRESET_FAST,  /* the fastest probes; several times the bytes */
	EL_PRESET_SMALL, /* the smallest files */
	EL_PRESETS,
};

/* Indexed by enum el_preset: "", "usual", "fast", "small". */
extern const char *const el_preset_names[];
/* EL_PRESET_NONE if no preset has that name. */
enum el_preset el_preset_find(const char *name);

/*
 * The order of a plane's positions in the file: that of the game's dense index, or one given by its
 * digits, slowest first.
 */
struct el_order {
	uint8_t count;                /* of digits; 0: the index */
	uint8_t digit[EL_DIGITS_MAX]; /* places in el_digits, each once; zeros past the last */
};

/* How the orders of a table's planes are chosen. */
enum el_ordering {
	EL_ORDER_INDEX, /* the index */
	EL_ORDER_BEST,  /* for each plane, the order with the fewest runs */
	EL_ORDER_GIVEN, /* as el_table_options.order says */
	/* for each plane, the order that the codec encodes in the fewest bytes: of all orders for
	   up to four pieces, else of those that a search visits */
	EL_ORDER_SMALLEST,
};

enum { EL_ORDER_TEXT = 2 * EL_DIGITS_MAX + 2 };

struct el_table_options {
	struct el_codec_choice codec;
	uint32_t block_positions;
	enum el_fill fill;
	enum el_derive derive;
	enum el_ordering ordering; /* in an existing file EL_ORDER_INDEX or EL_ORDER_GIVEN */
	struct el_order order[2];  /* of each plane, if they are given; else zeros */
	/* in an existing file, 1 + the plane that is left out; 0: none is. Ignored when a file is
	   written: the plane is then chosen anew */
	uint8_t left_out;
	/* In a request to build or recode, any preset other than EL_PRESET_NONE replaces all other
	   members. */
	enum el_preset preset;
};

/* Is the plane in an existing file? */
static inline bool el_table_keeps(const struct el_table_options *options, unsigned plane)
{
	return plane + 1 != options->left_out;
}

/* "only White to move", for an existing file that leaves out Black; null if it has both sides. */
const char *el_table_side(const struct el_table_options *);

/*
 * May tables of a metric leave out a side? EL_USAGE, with the reason, if one ply of search among
 * its values does not determine a position's value: bitbases do not tell who has lost, and a phase
 * does not tell how the clock affects it.
 */
enum el_status el_side_check(const struct el_slice *, const struct el_metric *, struct el_error *);
/* May they leave out what captures tell? EL_USAGE, with the reason, if captures do not tell the metric. */
enum el_status el_captures_check(const struct el_slice *, const struct el_metric *,
                                 struct el_error *);
/* May tables of a metric leave out outcomes (EL_DERIVE_OUTCOMES)? EL_USAGE, with the reason, unless it
   counts the plies to a zeroing move and nothing else. */
enum el_status el_outcomes_check(const struct el_slice *, const struct el_metric *,
                                 struct el_error *);

/*
 * What a file stores for a value: the value itself or, if outcomes are left out, its plies, as the
 * value of a loss or, if none may have so many, of a blessed loss; EL_BROKEN if it needs none.
 */
struct el_value table_stored(enum el_derive, const struct el_metric *, struct el_value);
/* The value that an outcome, neither a draw nor EL_BROKEN, and stored plies make: EL_BROKEN if it cannot
   have them. */
struct el_value table_told(const struct el_metric *, struct el_value outcome,
                           struct el_value stored);

/* What `build` uses for depths by default, but with both sides: where nothing else is asked for. */
struct el_table_options el_table_options_default(void);
/* A preset, with the defaults for the other members, which apply once the preset is set to none. */
struct el_table_options el_table_options_preset(enum el_preset);
/* The options that a preset (not EL_PRESET_NONE) means for such a table. `partial`: it holds
   bounds. */
struct el_table_options el_preset_options(enum el_preset, const struct el_slice *,
                                          const struct el_metric *, bool partial);
/* The preset that an existing file matches. `partial`: the file holds bounds. If several match,
   small comes before fast, and fast before usual. */
enum el_preset el_preset_of(const struct el_table_options *file, const struct el_slice *,
                            const struct el_metric *, bool partial);

/*
 * Reads "index", "best", "smallest", or letters of pieces (el_digits) from the slowest to the
 * fastest: "KkQr", or one such order for each plane with a slash between them. Sets `ordering` and
 * `order`. Without a slice (null) it accepts only the three words. EL_USAGE lists what is accepted.
 */
enum el_status el_order_parse(const char *text, const struct el_slice *,
                              struct el_table_options *out, struct el_error *);
/* The inverse of el_order_parse. */
void el_order_format(const struct el_slice *, const struct el_table_options *,
                     char out[EL_ORDER_TEXT]);
/* "zstd:9 16K best order KkQr captures": all options on one line. */
void el_table_options_format(const struct el_slice *, const struct el_table_options *, char *out,
                             size_t size);

/* What a table is for, by what a probe takes that finds nothing in memory. Blocks that have been
   decoded answer in a fraction of a microsecond, whatever the table. */
enum el_tier {
	EL_TIER_UNKNOWN, /* the codec is a plug-in */
	/* a microsecond or a few, and no block is decoded: at every node of a search */
	EL_TIER_SEARCH,
	EL_TIER_ROOT,    /* tens of microseconds: for the moves at the root of a search */
	EL_TIER_ARCHIVE, /* a tenth of a millisecond and more: to keep, send and look up */
	EL_TIERS,
};
extern const char *const el_tier_names[]; /* null, "search", "root", "archive" */
/* Of an existing file, or of what these options (without a preset) would write. */
enum el_tier el_table_tier(const struct el_table_options *, const struct el_metric *);

/* A number of positions: "16K", "4096", "1M". EL_USAGE with the accepted range. */
enum el_status el_block_parse(const char *text, uint32_t *out, struct el_error *);

/* What the header of a file says, all of it checked. */
struct el_table_info {
	struct el_slice slice;
	const struct el_metric *metric;
	struct el_table_options options;
	uint64_t bytes; /* of the whole file */
	/* in each plane of the file: as many as its order or index has; 0 in a plane that is left
	   out */
	uint64_t positions[2];
	uint64_t block_count; /* of all planes */
	unsigned passes;      /* as in el_planes */
	bool partial;         /* some values are known only within bounds */
	/* Of the header. It covers the checksum of the directory, which covers those of all blocks:
	   two tables with the same checksum hold the same values, unless blocks are damaged. */
	uint64_t checksum;
};

/*
 * Gives symbol 0 to every broken index. Files do not say which indexes are broken; once they are
 * marked again, a fill may choose their values freely, so that the same values make the same file
 * wherever they came from.
 */
void el_planes_mark_broken(struct el_planes *planes);

/*
 * Writes a temporary file (temporary.h), reads each block back and decodes it, and renames it to
 * `path`. On any failure, and when the watch stops it, it leaves nothing behind and an older file
 * at `path` untouched; only if the folder cannot be synced does the new file stay, complete.
 * EL_DAMAGED if the codec does not reproduce its input.
 *
 * With EL_DERIVE_CAPTURES or EL_DERIVE_OUTCOMES, the planes must know what is derivable from
 * captures, or from zeroing moves (el_library_derive). With EL_DERIVE_SIDE, both planes are encoded
 * and the larger one is dropped. Both are kept, and the header says so, if the slice has one plane.
 * If some wins come too late for the rule, a ply of search, with a ply on the clock, need not tell
 * these from wins in time: then only a plane that el_library_derive has tried is dropped
 * (el_planes.told_late). EL_USAGE as el_side_check and el_outcomes_check; EL_NEGATIVE if some values
 * are bounds.
 *
 * Blocks are encoded in parallel. The bytes depend neither on the number of threads nor on whether
 * the symbols are in memory or have a reader. A reader's symbols are read in pieces, by rising
 * index except for a few times in a plane. The memory for them does not grow with the plane: a
 * window of about a million positions, or EL_PLANE_WHOLE where the codec or the fill learns
 * (codec.h). If the order is not that of the index, an unlinked temporary file beside `path` holds
 * them, 2 bytes per position.
 */
enum el_status el_table_write(const char *path, const struct el_planes *,
                              const struct el_table_options *, const struct el_watch *,
                              uint64_t *bytes, struct el_error *);
/* The same without the last step: the complete file, read back, still has its temporary name (in the
   folder of `path`, which errors name). The caller publishes or removes it. `proved`: a proof of all values
   follows, which reads all of the file, so that here a sample of its blocks is read back. */
enum el_status el_table_write_unnamed(const char *path, const struct el_planes *,
                                      const struct el_table_options *, bool proved,
                                      const struct el_watch *, struct el_temporary *out,
                                      uint64_t *bytes, struct el_error *);

/* ---- names of files ---- */

/* The slice and the metric of a file, by its name; false if el_table_file_name makes no such
   name. */
bool file_name_parse(const char *path, struct el_slice *, const struct el_metric **);

/* "DIRECTORY/KQvKR.dtm.egt", "DIRECTORY/checkers-KMvK.wdl.egt". */
void el_table_file_name(const char *directory, const struct el_slice *, const struct el_metric *,
                        char *out, size_t size);

/* ---- reading ---- */

struct el_table;

/* Reads and checks the header. The directory of blocks is read and checked with the first block,
   and each block when it is read. EL_DAMAGED names the file and the place, what was expected and
   what was found. */
enum el_status el_table_open(const char *path, struct el_table **out, struct el_error *);
void el_table_close(struct el_table *);
const struct el_table_info *el_table_info(const struct el_table *);
const char *el_table_path(const struct el_table *);
/* The values that the symbols of a plane stand for; only EL_BROKEN in a plane that is left out. */
const struct el_value *el_table_values(const struct el_table *, unsigned plane, uint32_t *count);

/* Where a position's symbol is: the block, its place there, and how many symbols the block has. */
struct el_table_spot {
	uint64_t block;
	size_t at, count;
};
void el_table_find(const struct el_table *, const struct el_place *, struct el_table_spot *out);

/* Reads all courses of a table and checks them, if its metric asks for the clock. EL_DAMAGED, EL_IO,
   EL_MEMORY. */
enum el_status el_table_check_courses(struct el_table *, struct el_error *);

/*
 * Makes a position's value, as the table has it for the clock at 0, the one with `clock` plies on it,
 * under a metric that asks for the clock; others stay. Where mate is due before the limit anyhow this
 * reads nothing. Blocks of courses are kept in the cache, in the table's name `owner`. EL_NEGATIVE if a
 * soft probe does not find them there; EL_DAMAGED, EL_IO, EL_MEMORY.
 */
enum el_status el_table_at_clock(struct el_table *, struct el_cache *, uint64_t owner,
                                 const struct el_place *, unsigned clock, bool soft,
                                 struct el_value *, struct el_error *);
/* The block that holds a number of a plane; blocks of plane 0 come first. */
uint64_t el_table_block_of(const struct el_table *, unsigned plane, uint64_t number);

/* The positions in a block. */
size_t el_table_block_count(const struct el_table *, uint64_t block);
/* The bytes of a block as the codec wrote them, checked against their checksum; malloc'ed, the
   caller's. */
enum el_status el_table_read_bytes(struct el_table *, uint64_t block, uint8_t **bytes, size_t *size,
                                   struct el_error *);
/* Where these bytes begin in the file; the block has been read. */
uint64_t el_table_block_offset(const struct el_table *, uint64_t block);
/* Reads, checks and decodes one block into `symbols`, el_table_block_count of them. Any number of
   threads at once. EL_DAMAGED names the file and the block; the others stay readable. */
enum el_status el_table_read_block(struct el_table *, uint64_t block, uint16_t *symbols,
                                   struct el_error *);
/* Reads every block on all threads, and calls `visit` with each. Both may be null. One of the failures, if
   there are any; EL_STOPPED. */
typedef enum el_status el_block_visit(struct el_table *, uint64_t block, const uint16_t *symbols,
                                      size_t count, struct el_error *);
enum el_status el_table_each_block(struct el_table *, const struct el_watch *, el_block_visit *,
                                   struct el_error *);
/* The first `count` symbols of a block; fewer than all only if el_codec.stops. */
enum el_status el_table_read_front(struct el_table *, uint64_t block, uint16_t *symbols,
                                   size_t count, struct el_error *);
/* Symbol `at` of a block, from the bytes that el_table_read_bytes gave, if the codec has
   `decode_one`. Any number of threads at once. EL_DAMAGED names the file and the block. */
enum el_status el_table_decode_one(struct el_table *, uint64_t block, const uint8_t *bytes,
                                   size_t size, size_t at, uint16_t *symbol, struct el_error *);
/*
 * The whole table in index order, as the file has it. If probes derive captures, it holds any worse
 * value where a capture has the position's value, and any value at all where captures are forced; a
 * side that is left out is EL_BROKEN everywhere. el_library_planes corrects these.
 */
enum el_status el_table_read(struct el_table *, struct el_planes *out, struct el_error *);

#endif
