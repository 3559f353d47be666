/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A source of values: one table, of our own format or a foreign one, behind one interface. The
 * library (library.h) holds many and picks the best answer.
 */
#ifndef ENDLAB_SOURCE_H
#define ENDLAB_SOURCE_H

#include "endlab/cache.h"
#include "endlab/game.h"

struct stat;
struct el_source;
struct el_planes;     /* solve.h */
struct el_table_info; /* table.h */
struct el_table_options;

struct el_source_ops {
	const char *kind;      /* "egt", "gaviota", "syzygy" */
	const char *extension; /* files that are tried: ".egt", ".gtb.cp4", ".rtbw" */
	const char *unread;    /* why such files are not read; null where they are */
	/* Which slice and metric a file should hold, by its name alone; false when that does not
	   tell. */
	bool (*named)(const char *path, struct el_slice *, const struct el_metric **);
	/* Which slice and metric a file holds, from its name and header, cheaply. */
	enum el_status (*open)(const char *path, struct el_cache *, struct el_source **,
	                       struct el_error *);
	/*
	 * The value of a position that belongs to the source's slice, without its en passant right,
	 * for the side to move; where plies are all that the source knows (`plies_only`), *out holds
	 * the outcome already. With `soft` the disk is not touched: EL_NEGATIVE when the block is not
	 * in memory. EL_DAMAGED, EL_IO: this block could not be had; others may be. Thread-safe.
	 */
	enum el_status (*probe)(struct el_source *, const struct el_position *,
	                        const struct el_place *, bool soft, struct el_value *,
	                        struct el_error *);
	void (*close)(struct el_source *);
	/*
	 * Optional: is the file as a whole what its name says, and undamaged? For formats that do not
	 * tell this wherever a part of them is read. EL_DAMAGED: none of it is to be believed.
	 * EL_STOPPED when the watch says so, soon. Thread-safe beside probes.
	 */
	enum el_status (*check)(struct el_source *, const struct el_watch *, struct el_error *);
	/*
	 * Optional: all values of the file at `path`, in the order of the index, and what its header
	 * says. Tables of ours have it; others are probed for each index. Where the table leaves
	 * captures to be derived, so do these planes (el_library_complete).
	 */
	enum el_status (*read)(const char *path, struct el_table_info *, struct el_planes *,
	                       struct el_error *);
};

enum { EL_SOURCE_DETAIL = 96 }; /* with its terminator */

/* What el_source_ops.check has found. */
enum el_check {
	EL_CHECK_NONE,    /* the kind needs none: parts of a file are checked as they are read */
	EL_CHECK_WAITING, /* not yet made */
	EL_CHECK_SOUND,
	EL_CHECK_DAMAGED,
};

/* The head of every source; a kind puts its own members behind it. */
struct el_source {
	const struct el_source_ops *ops;
	struct el_slice slice;           /* what it covers */
	const struct el_metric *metric;
	/* `probe` may answer too low a value where a legal capture reaches a better one: whoever probes
	   takes the best of its answer and of the values of all captures, found in other tables. Where
	   captures are forced and there are any, `probe` must not be asked at all: the answer is what
	   these are worth. */
	bool without_captures;
	/* `probe` knows no outcomes: *out must hold that of the position under el_metric_entered, not a
	   draw and one that no zeroing move keeps for the side that has won, and it adds the plies; or
	   EL_UNKNOWN, where the file holds those of the other side to move: then they follow from the
	   moves; or EL_BROKEN, where it has none that fit the outcome. Of a place no more is looked at
	   than the plane. 0 plies and 1 may be taken for each other where the side to move has lost. */
	bool plies_only;
	/* Bit p: `probe` must not be asked of plane p. What such a position is worth is found by trying all
	   its moves, none of which leads to a plane of the same slice that is left out, too. */
	uint8_t left_out;
	bool partial;                    /* `probe` may answer with bounds */
	_Atomic bool rounded;            /* some plies are (value.h); not known before the first probe */
	unsigned users;                  /* catalogues that hold it: the library's own */
	char *path;                      /* owned */
	uint64_t bytes;                  /* of the file */
	uint64_t checksum;               /* of tables of ours: that of el_table_info; else 0 */
	const struct stat *is;           /* the file when it was opened; kinds with a check have it */
	char detail[EL_SOURCE_DETAIL];   /* for lists: "zstd:9 16K previous" */
	const struct el_table_options *form; /* of tables of ours (table.h); else null */
	_Atomic(enum el_check) check;    /* the library's: may change at any time */
	const char *fault;               /* what is wrong with it, once it is EL_CHECK_DAMAGED */
};

extern const struct el_source_ops el_source_egt, el_source_syzygy, el_source_syzygy_dtz;
/* Gaviota's compression schemes are kinds of their own; the first is .gtb.cp4, which most tables are in. */
extern const struct el_source_ops el_source_gaviota, el_source_gaviota_cp3, el_source_gaviota_cp2,
	el_source_gaviota_cp1;

/* All kinds that are read, null-terminated, preferred first. */
extern const struct el_source_ops *const el_source_kinds[];
/* Kinds that are known and not read: they have no functions. The last one has a null `kind`. */
extern const struct el_source_ops el_source_unread[];
/* The kind of a file by its name, of either list; null: nothing is known of such names. */
const struct el_source_ops *el_source_kind_of(const char *path);

#endif
