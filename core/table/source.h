/* SPDX-License-Identifier: MIT */
/*
 * A source of values: one table, of our own format or a foreign one, behind one interface. The
 * library (library.h) holds many and picks the best answer.
 */
#ifndef CORE_TABLE_SOURCE_H
#define CORE_TABLE_SOURCE_H

#include "cache.h"
#include "core/games/game.h"

struct stat;
struct el_source;
struct el_planes;     /* solve.h */
struct el_table_info; /* table.h */
struct el_table_options;

/* Moves that a source may leave to whoever asks it; each set includes the one before. */
enum el_beside {
	EL_BESIDE_NONE,
	EL_BESIDE_CAPTURES,
	EL_BESIDE_LEAVING, /* those that leave the slice */
};

struct el_source_ops {
	const char *
		kind; /* "egt", "study", "gaviota", "syzygy", "chesstb", "malom", "cake", "answers" */
	const char *extension; /* of the files to try: ".egt", ".gtb.cp4", ".rtbw" */
	const char *unread;    /* why such files are not read; null if they are */
	/* Which slice and metric a file should hold, by its name alone. False when the name does
	   not tell. */
	bool (*named)(const char *path, struct el_slice *, const struct el_metric **);
	/*
	 * Optional, for files of several slices: lists them; *out is malloc'ed. Each is a table of its own,
	 * whose path is that of the file, EL_SOURCE_PART, and the slice without its game:
	 * "FOLDER/db4.cpr#KMvK". `named` and `open` take such paths.
	 */
	enum el_status (*slices)(const char *path, struct el_slice **out, size_t *count,
	                         struct el_error *);
	/* Opens a file: which slice and metric it holds, from its name and header. Cheap. */
	enum el_status (*open)(const char *path, struct el_cache *, struct el_source **,
	                       struct el_error *);
	/*
	 * The value for the side to move of a position of the source's slice, without a right to
	 * capture en passant; under a metric that asks for the clock, with the position's. If the
	 * source knows only plies (`plies_only`), *out holds the outcome before. With `soft` the
	 * disk is not touched: EL_NEGATIVE when the block is not in memory. EL_DAMAGED, EL_IO: this
	 * block cannot be read; others may be. Any number of threads may call it at once.
	 */
	enum el_status (*probe)(struct el_source *, const struct el_position *,
	                        const struct el_place *, bool soft, struct el_value *,
	                        struct el_error *);
	void (*close)(struct el_source *);
	/*
	 * Optional, of outcomes under a rule, for sources that leave out a plane. Of a position of the
	 * other plane, as `probe`: *out is EL_WIN or EL_LOSS if it takes every ply that the rule allows,
	 * so that a quiet move to it comes too late; else EL_UNKNOWN. It may be any of these where
	 * `beside` leaves a move that reaches a better value, or the same win.
	 */
	enum el_status (*latest)(struct el_source *, const struct el_position *,
	                         const struct el_place *, bool soft, enum el_outcome *out,
	                         struct el_error *);
	/* Optional, for sources that cover positions rather than a slice. `probe` of a position that it
	   covers may still find that there is no value: EL_NEGATIVE. `probe` may return bounds, and
	   ignores the place. It knows en passant. */
	bool (*covers)(const struct el_source *, const struct el_position *);
	/*
	 * Optional, for formats whose parts cannot be checked when they are read. Is the whole file
	 * undamaged, and does it hold what its name says? EL_DAMAGED: trust none of it. EL_STOPPED
	 * soon after the watch asks to stop. Probes may go on meanwhile.
	 */
	enum el_status (*check)(struct el_source *, const struct el_watch *, struct el_error *);
	/*
	 * Optional: all values of the file at `path`, in index order, and what its header says. Our
	 * own tables have it; others are probed for each index. If probes of the table must derive
	 * captures, these planes lack them too (el_library_complete).
	 */
	enum el_status (*read)(const char *path, struct el_table_info *, struct el_planes *,
	                       struct el_error *);
};

enum {
	EL_SOURCE_DETAIL = 96, /* with its terminator */
	EL_SOURCE_PART = '#',
};

/* What el_source_ops.check has found. */
enum el_check {
	/* the kind has no such check: parts of a file are checked as they are read */
	EL_CHECK_NONE,
	EL_CHECK_WAITING, /* not checked yet */
	EL_CHECK_SOUND,
	EL_CHECK_DAMAGED,
};

/* The head of every source; each kind adds members of its own. */
struct el_source {
	const struct el_source_ops *ops;
	struct el_slice slice; /* what it covers */
	const struct el_metric *metric;
	/* By plane: where a legal move of the set reaches a better value, `probe` may answer with a
	   lower one. The caller then takes the best of that answer and of the values of all these
	   moves, which are in other tables or in the other plane. If a capture is left out and
	   forced, `probe` must not be called: captures alone give the value. */
	uint8_t beside[2]; /* enum el_beside */
	/* `probe` must not be called either where the other side could capture if it were to move, but only
	   in quiet positions. Moves determine the values of the others. */
	bool quiet_only;
	/*
	 * `probe` knows no outcomes and only adds the plies. *out must hold the outcome of the
	 * position under el_metric_outcome with the clock at 0, which must not be a draw. It becomes
	 * EL_UNKNOWN if the file lacks such positions (those of a side to move, or its wins), so that
	 * the value follows from the moves; EL_BROKEN if the file has no plies that fit the outcome.
	 * `probe` looks only at the plane of the place. Plies to a zeroing move: the outcome must not
	 * be one that the winner can keep by such a move, and if the side to move has lost, `probe` may
	 * confuse 0 plies with 1 ply.
	 */
	bool plies_only;
	/* Bit p: plane p is left out, and `probe` must not be called for it, unless it knows plies
	   alone. Moves determine the values there; none of them leads to a left-out plane of the
	   slice. */
	uint8_t left_out;
	bool partial; /* `probe` may answer with bounds */
	/* some depths are (el_value.rounded); known after the first probe */
	_Atomic bool rounded;
	unsigned users;    /* catalogues that hold it; only the library uses this */
	char *path;        /* owned */
	uint64_t bytes;    /* of the file */
	uint64_t checksum; /* el_table_info.checksum of a table of ours; else 0 */
	/* the file when it was opened; set by kinds with a check */
	const struct stat *is;
	char detail[EL_SOURCE_DETAIL]; /* for lists: "zstd:9 16K previous" */
	/* Of a source that covers positions: the one from which they can be reached, as FEN, and what is
	   not followed, "promotions to a rook or bishop". Owned; else null. */
	char *root, *open;
	/* Of a source of plies to zeroing moves: no phase of its wins is longer, so that all of them are in
	   time under a rule of as many plies; 0: not known. */
	unsigned longest;
	/* how a table of ours is written (table.h); else null */
	const struct el_table_options *form;
	_Atomic(enum el_check) check; /* set by the library, at any time */
	/* what is wrong with the file, once `check` is EL_CHECK_DAMAGED */
	const char *fault;
	/* of its blocks in the cache; 0 before there is one. Beside what kinds read in each probe */
	uint64_t owner;
};

/* Does a source leave moves of any plane to whoever asks? */
static inline bool source_leaves_moves(const struct el_source *s)
{
	return s->beside[0] || s->beside[1];
}

/* Does a study tell a metric with a rule because nothing in it comes too late? */
static inline bool source_in_time(const struct el_source *s, const struct el_metric *metric)
{
	return metric->limit && !metric->by_clock && s->longest && s->longest <= metric->limit;
}

extern const struct el_source_ops el_source_egt, el_source_study, el_source_syzygy,
	el_source_syzygy_dtz;
/* Each of Gaviota's compression schemes is a kind of its own. The first one is .gtb.cp4, the most
   common. */
extern const struct el_source_ops el_source_gaviota, el_source_gaviota_cp3, el_source_gaviota_cp2,
	el_source_gaviota_cp1;
extern const struct el_source_ops el_source_malom, el_source_cake, el_source_answers;

/* Of chesstb each kind of values has an extension of its own; the first one is .lzw, of outcomes. */
extern const struct el_source_ops el_source_chesstb, el_source_chesstb_dtz, el_source_chesstb_dtc,
	el_source_chesstb_dtm, el_source_chesstb_dtm50;

/* All kinds that are read, null-terminated, the preferred ones first. */
extern const struct el_source_ops *const el_source_kinds[];
/* The kind of a file by its name, including known kinds that are not read, which have no functions.
   Null: the name fits no kind. */
const struct el_source_ops *el_source_kind_of(const char *path);
/* The path of a slice in a file of several; malloc'ed, null without memory. */
char *el_source_part(const char *path, const struct el_slice *);
/* The length of a table's path without the slice that it may name in a file of several. */
size_t el_source_file_length(const char *path);
/* As stat(), of the file that has the table. */
int el_source_stat(const char *path, struct stat *out);
/* EL_NEGATIVE if the name is that of another program's table, sound or not. */
enum el_status el_source_check_ours(const char *path, struct el_error *);

#endif
