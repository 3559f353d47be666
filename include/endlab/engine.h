/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Endgame tables for other programs. An engine asks with bitboards, without text and without memory of
 * its own; a script asks with positions and moves as they are written, of any game.
 *
 *     struct el_engine_options options = {.size = sizeof options, .folders = "/tables:/syzygy"};
 *     struct el_engine *engine;
 *     struct el_error error;
 *     struct el_value value;
 *     if (el_engine_open(&options, &engine, &error))
 *             puts(error.text);
 *     const struct el_metric *wdl = el_engine_metric("wdl");
 *     if (!el_engine_probe(engine, &board, wdl, 0, &value))
 *             score = value.outcome == EL_WIN ? ... : ...;
 *     el_engine_close(engine);
 *
 * Threads: every function but open and close may be called by any number of threads at once. A probe that
 * finds its block in memory takes no lock, allocates nothing and writes nothing that another thread reads.
 * Ownership: what the library gives is freed by the function that is named with it; all else is the
 * caller's. Nothing is kept of what the caller passes.
 * Stability: within one version of the library (libendlab.so.0) functions stay and structs keep their
 * layout. Structs with a `size` may grow at their end.
 *
 * C99 or later, C++11 or later. Link with `pkg-config --cflags --libs endlab`.
 */
#ifndef ENDLAB_ENGINE_H
#define ENDLAB_ENGINE_H

#include "endlab/status.h"
#include "endlab/value.h"

EL_API_BEGIN

struct el_engine; /* open folders of tables, and the blocks that are kept in memory */
struct el_metric; /* what a value counts: one of a few constants */

/* "0.9.0" */
const char *el_version(void);

struct el_engine_options {
	size_t size;          /* sizeof (struct el_engine_options) */
	const char *folders;  /* separated by colons, searched with all that is below them: tables of Endlab,
	                         Syzygy and Gaviota; those of the first folder are preferred */
	size_t cache_bytes;   /* of blocks that are kept in memory; 0: 256 MiB */
};

/* Tables that a plug-in's codec wrote are used if the plug-in is loaded before (el_codec_load_places,
   endlab/codec.h). A missing folder has no tables. EL_USAGE: no options, no folders, or a size that is not known; EL_IO: a
   folder that cannot be read. Files that cannot be used are passed over (`endlab list` says why). */
enum el_status el_engine_open(const struct el_engine_options *, struct el_engine **out,
                              struct el_error *);
void el_engine_close(struct el_engine *);
/* Looks at the folders again. Probes go on meanwhile. */
enum el_status el_engine_rescan(struct el_engine *, struct el_error *);
/* The most pieces, kings included, of any chess table that is open; 0: there is none. */
unsigned el_engine_pieces(const struct el_engine *);

/* By name; null where there is none: "wdl", "wdl50" (the outcome under the 50-move rule), "dtm", "dtc",
   "dtz", "dtz50", ... (`endlab --man`). */
const struct el_metric *el_engine_metric(const char *name);
const char *el_engine_metric_name(const struct el_metric *);

/* ---- for engines: chess, as bitboards ---- */

/* Bit s of a set is a piece on square s: a1 is 0, b1 1, h8 63. Any bits may be passed: what is not a legal
   position is refused. */
struct el_board {
	uint64_t white, black;
	uint64_t kings, queens, rooks, bishops, knights, pawns;
	uint8_t side;       /* to move: 0 White, 1 Black */
	uint8_t en_passant; /* the square that a pawn has just passed over; 0: none. A right that no legal
	                       move makes use of changes nothing */
	uint8_t castling;   /* rights: 1 White's kingside, 2 queenside, 4 and 8 Black's. Tables know none: moves
	                       are looked up then, as far as these tell */
	uint16_t halfmove;  /* half-moves since a capture or a pawn move; matters to el_engine_rank alone */
};

enum {
	EL_ENGINE_SOFT = 1, /* only what is in memory: EL_NEGATIVE instead of reading a file */
};

/*
 * The value for the side to move, under a metric: its own table or one that tells it. Outcomes may be
 * bounds (value.h), depths never are. EL_NEGATIVE: no table tells it; EL_USAGE: no legal position, no
 * metric, or an unknown flag; EL_DAMAGED, EL_IO, EL_UNREADABLE: a file cannot be used.
 */
enum el_status el_engine_probe(struct el_engine *, const struct el_board *, const struct el_metric *,
                               unsigned flags, struct el_value *out);

enum { EL_ROOT_MOVES = 256 };

/* A move in 16 bits: from, to << 6, promotion << 12 (0 none, 1 knight, 2 bishop, 3 rook, 4 queen). A
   capture en passant is the pawn's move, castling the king's. */
#define EL_MOVE_FROM(move)      ((move)&63u)
#define EL_MOVE_TO(move)        ((move) >> 6 & 63u)
#define EL_MOVE_PROMOTION(move) ((move) >> 12 & 7u)

struct el_root_move {
	uint16_t move;
	uint8_t outcome;  /* enum el_outcome for the side that moves, under the rule, with what is on the
	                     clock; EL_UNKNOWN where no table tells */
	int32_t rank;     /* the greater the better; moves of the same rank are as good as each other. INT32_MIN
	                     where the outcome is not known exactly */
	struct el_value value; /* for the side that moves, under the metric that moves are ranked by */
};

/* How the moves of a position are ranked. */
struct el_root_options {
	size_t size;      /* sizeof (struct el_root_options) */
	const struct el_metric *metric; /* ranks moves of the same outcome, where it is known, else the finest
	                                   that is; null: plies to a zeroing move under the rule */
	uint16_t rule;    /* a draw after so many moves, up to 299, without a capture or a pawn move; 0: there is no
	                     such rule, and the clock counts for nothing */
	/* A position has occurred twice since the clock was last at zero. Then progress has to be made: moves
	   that win are ranked by their depth. Else all moves that win within the rule have the same rank, and
	   so have all that lose: the engine may choose among them as it likes. */
	bool repeated;
};

/*
 * All legal moves, best first; `out` has room for EL_ROOT_MOVES. Without options by the 50-move rule, with
 * nothing repeated. EL_NEGATIVE when some move's outcome is not known: those are listed with EL_UNKNOWN, or
 * with bounds. Other errors as el_engine_probe, with a count of 0.
 */
enum el_status el_engine_rank(struct el_engine *, const struct el_board *,
                              const struct el_root_options *, struct el_root_move *out, size_t *count);

/* ---- for scripts: any game, as text ---- */

/* The value of a position as `endlab probe` reads it: a FEN, "W:WK3:BK30", "W:Wa1,d1,g1:Ba7,d7,g4", ...
   EL_USAGE, with the reason, where it is none; else as el_engine_probe. */
enum el_status el_engine_ask(struct el_engine *, const char *position, const struct el_metric *,
                             unsigned flags, struct el_value *out, struct el_error *);

struct el_text_move {
	char san[32], uci[32]; /* for people, and for programs */
	uint8_t outcome;       /* as in el_root_move; in games without the rule, without it */
	struct el_value value; /* under *metric, for the side that moves */
};

/*
 * All legal moves of a position, best first; `out` has room for EL_ROOT_MOVES. *metric, which may be null
 * or null before, is what they are to be ranked by; then what they are. `rule`: in moves, 0: none. Where
 * nothing is known of a move its outcome is EL_UNKNOWN.
 */
enum el_status el_engine_moves(struct el_engine *, const char *position,
                               const struct el_metric **metric, unsigned rule,
                               struct el_text_move *out, size_t *count, struct el_error *);

/* The optimal line, at most `max` moves of it. *count: how many it has. EL_NEGATIVE when the position's
   value under the metric is not known. */
enum el_status el_engine_line(struct el_engine *, const char *position, const struct el_metric *,
                              struct el_text_move *out, size_t max, size_t *count, struct el_error *);

/* ---- whole slices ---- */

/* One side to move: the value at an index is values[symbols[index]]. An index that no legal position has
   is EL_BROKEN. */
struct el_engine_plane {
	const uint16_t *symbols;       /* `positions` of them */
	const struct el_value *values; /* `value_count` of them */
	uint64_t positions;
	uint32_t value_count;
};

/* All values of a slice ("KQvKR", "checkers:KKvK", "awari:5") under one metric. */
struct el_engine_planes {
	char slice[40];
	unsigned count; /* 2: White (the side named first) to move, then Black; 1 where both are alike */
	struct el_engine_plane plane[2];
};

/* In memory: two bytes a position. EL_NEGATIVE when no table has them, or memory is too small. Free them
   with el_engine_planes_free. */
enum el_status el_engine_planes(struct el_engine *, const char *slice, const struct el_metric *,
                                struct el_engine_planes **out, struct el_error *);
void el_engine_planes_free(struct el_engine_planes *);

/* Where a position is in the planes of its slice, and which position is there: EL_NEGATIVE for an index of
   no legal position, EL_USAGE for one that is too large. */
enum el_status el_engine_index(const char *position, char slice[40], unsigned *plane, uint64_t *index,
                               struct el_error *);
enum el_status el_engine_position(const char *slice, unsigned plane, uint64_t index,
                                  char position[128], struct el_error *);

EL_API_END

#endif
