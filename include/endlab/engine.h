/* SPDX-License-Identifier: MIT */
/*
 * Endgame tables for other programs. An engine probes with bitboards: no text is parsed and no
 * memory allocated. A script uses text, for positions and moves of any game.
 *
 *     struct el_engine_options options = {.size = sizeof options, .folders = "/tables:/syzygy"};
 *     struct el_engine *engine;
 *     struct el_error error;
 *     struct el_value value;
 *     if (el_engine_open(&options, &engine, &error))
 *             puts(error.text);
 *     const struct el_metric *wdl = el_engine_metric("wdl50");
 *     if (!el_engine_probe(engine, &board, wdl, 0, &value))
 *             score = value.outcome == EL_WIN ? ... : ...;
 *     el_engine_close(engine);
 *
 * Threads: any number of threads may call every function at once, except open and close. A probe
 * that finds its block in memory takes no lock, allocates nothing and writes nothing that another
 * thread reads. Ownership: what the library allocates is freed by the function named with it;
 * everything else belongs to the caller. The library keeps nothing that the caller passes. A null
 * pointer where an object is expected, an unknown flag or a number out of range is EL_USAGE; the
 * error, like what is said to be optional, may be null.
 * Stability: within one version of the library (libendlab.so.1) functions stay and structs keep
 * their layout, except that structs with a `size` may grow at their end: a library takes the sizes
 * of earlier versions, and of later ones, whose additions it ignores.
 *
 * C99 or later, C++11 or later. Link with `pkg-config --cflags --libs endlab`.
 */
#ifndef ENDLAB_ENGINE_H
#define ENDLAB_ENGINE_H

#include "endlab/status.h"
#include "endlab/value.h"

EL_API_BEGIN

struct el_engine; /* open folders of tables, and the blocks kept in memory */
struct el_metric; /* what a value counts: one of a few constants */

/* "1.0.0" */
const char *el_version(void);

struct el_engine_options {
	size_t size; /* sizeof (struct el_engine_options) */
	/* separated by colons, searched recursively for tables, those of other programs too; tables
	   in earlier folders are preferred */
	const char *folders;
	size_t cache_bytes; /* for blocks kept in memory; 0: 256 MiB */
};

/* EL_NEGATIVE if none of the folders exists; any other that does not has no tables. Files that
   cannot be used are skipped (`endlab list` says why). To use tables of a plug-in's codec, load the
   plug-in first (el_codec_load_places, endlab/codec.h). *out becomes null on failure. EL_USAGE: no
   options, no folders, or too small a size; EL_IO: a folder that cannot be read; EL_MEMORY. */
enum el_status el_engine_open(const struct el_engine_options *, struct el_engine **out,
                              struct el_error *);
void el_engine_close(struct el_engine *);
/* Looks at the folders again. Probes may go on meanwhile. */
enum el_status el_engine_rescan(struct el_engine *, struct el_error *);
/* The most pieces, kings included, of any open chess table or study; 0: there is none. */
unsigned el_engine_pieces(const struct el_engine *);

/* An open table. */
struct el_engine_table {
	char slice[40]; /* "KQvKR", "checkers:KKvK" */
	/* "egt", "study"; of other programs "syzygy", "gaviota", "chesstb", "malom", "cake" */
	char kind[16];
	const char *path;
	const struct el_metric *metric;
	uint64_t bytes;  /* of the file */
	unsigned pieces; /* stones in awari and oware */
	bool partial;    /* some of its values are bounds */
};

/* All open tables, in the order in which they answer; free the list with el_engine_tables_free. *count
   is 0 if there is none. EL_IO, EL_MEMORY. */
enum el_status el_engine_tables(struct el_engine *, struct el_engine_table **out, size_t *count,
                                struct el_error *);
void el_engine_tables_free(struct el_engine_table *);

/* A metric by its name: "wdl", "wdl50" (the outcome under the 50-move rule), "dtm", "dtc", "dtz",
   "dtz50", ... (`endlab --man`). Null if there is none. */
const struct el_metric *el_engine_metric(const char *name);
/* Null for null. */
const char *el_engine_metric_name(const struct el_metric *);

/* ---- for engines: chess, as bitboards ---- */

/* Bit s of a set is a piece on square s: a1 is 0, b1 is 1, h8 is 63. Any bits may be passed; a
   position that is not legal is refused. */
struct el_board {
	uint64_t white, black;
	uint64_t kings, queens, rooks, bishops, knights, pawns;
	uint8_t side; /* to move: 0 White, 1 Black */
	/* the square that a pawn has just passed over; 0: none. Ignored if no legal move captures
	   there */
	uint8_t en_passant;
	/* rights of ordinary chess: 1 White's kingside, 2 queenside; 4 and 8 Black's. Tables built with those without
	   cover them; else, with EL_ENGINE_MOVES, positions with rights are valued by their moves */
	uint8_t castling;
	/* half-moves since the last capture or pawn move; only el_engine_rank uses it, and values under
	   "dtm50" and the like */
	uint16_t halfmove;
};

enum {
	EL_ENGINE_SOFT = 1, /* look only in memory: EL_NEGATIVE instead of reading a file */
	/* Without a table of its own, a position is valued by the rules and by its moves, as far as
	   tables know these. This takes some hundred times as long as to find that there is no table. */
	EL_ENGINE_MOVES = 2,
};

/*
 * The value for the side to move under a metric, from the metric's own table or another that
 * determines it; without one, from studies that reach the position. Outcomes may be bounds
 * (value.h), and a study's depth the most that it can be (el_value.at_most). EL_NEGATIVE: no table
 * knows it; EL_USAGE: the position is not legal; EL_DAMAGED, EL_IO, EL_UNREADABLE: a file cannot be used,
 * and no other one tells the value. What `out` holds after an error means nothing.
 */
enum el_status el_engine_probe(struct el_engine *, const struct el_board *,
                               const struct el_metric *, unsigned flags, struct el_value *out);
/* Is there a table that answers for the board under the metric, or a study that may? It neither
   reads a file nor asks whether the position is legal. */
bool el_engine_covers(struct el_engine *, const struct el_board *, const struct el_metric *);

enum { EL_ROOT_MOVES = 256 };

/* A move in 16 bits: from, to << 6, promotion << 12 (0 none, 1 knight, 2 bishop, 3 rook, 4 queen).
   En passant is encoded as the pawn's move, castling as the king's. */
#define EL_MOVE_FROM(move)      ((move)&63u)
#define EL_MOVE_TO(move)        ((move) >> 6 & 63u)
#define EL_MOVE_PROMOTION(move) ((move) >> 12 & 7u)

struct el_root_move {
	uint16_t move;
	/* enum el_outcome for the side that moves, under the rule and from the present clock;
	   EL_UNKNOWN if no table knows */
	uint8_t outcome;
	bool bounded; /* the outcome is known only within bounds, or not at all */
	/* greater is better; moves of the same rank are equally good. A win that may come too late
	   under the rule ranks between a certain one and a cursed one. A move with an
	   unknown outcome ranks below a draw and above any loss */
	int32_t rank;
	/* for the side that moves, under the metric by which moves are ranked */
	struct el_value value;
};

/* How the moves of a position are ranked. */
struct el_root_options {
	size_t size; /* sizeof (struct el_root_options) */
	/* ranks moves of the same outcome if the value under it is known, else the finest known
	   metric does; null: plies to a zeroing move under the rule */
	const struct el_metric *metric;
	/* moves without a capture or pawn move after which the game is drawn, up to 299; 0: no such
	   rule, and the clock is ignored */
	uint16_t rule;
	/* Has a position occurred twice since the clock was last at zero? Then progress must be
	   made, and winning moves are ranked by their depth. Otherwise all moves that win within
	   the rule have the same rank, as do all that lose, and the engine may choose among them
	   freely. */
	bool repeated;
	/* becomes the metric that ranked moves of the same outcome, or null: none was known; may be
	   null. Not in version 1.0 */
	const struct el_metric **ranked_by;
};

/*
 * All legal moves, best first; `out` has room for EL_ROOT_MOVES. Null options: the 50-move rule,
 * nothing repeated. EL_NEGATIVE, with all moves, if too little is known for this order: a move might
 * be better than one before it. If a file cannot be used without which the order is not sound, or the
 * metric not known: its error, with all moves. Other errors as el_engine_probe, with a count of 0.
 */
enum el_status el_engine_rank(struct el_engine *, const struct el_board *,
                              const struct el_root_options *, struct el_root_move *out,
                              size_t *count);

/* The optimal line of a position under a metric, packed, cut after `max` moves or 65,536; *count becomes
   their number. EL_NEGATIVE if the position's value under the metric is not known; other errors as
   el_engine_probe. */
enum el_status el_engine_play(struct el_engine *, const struct el_board *, const struct el_metric *,
                              uint16_t *out, size_t max, size_t *count);

/* ---- for scripts: any game, as text ---- */

/* The value of a position, written as `endlab probe` reads it, though strictly: a FEN,
   "W:WK3:BK30", "W:Wa1,d1,g1:Ba7,d7,g4", ... Under "wdl50" and the like, the outcome is that from
   the clock of the FEN on, and may be a bound; under "dtm50" plies and outcome are. EL_USAGE, with
   the reason, if it is not a position; other errors as el_engine_probe. */
enum el_status el_engine_ask(struct el_engine *, const char *position, const struct el_metric *,
                             unsigned flags, struct el_value *out, struct el_error *);
/* The same for `count` positions, one on each line; fewer lines are followed by empty ones. `out` and
   `statuses` have room for `count`: a value is EL_UNKNOWN unless its status is EL_OK. Returns the first
   failure and names its line: one of a file before one of a position, that before a missing table. */
enum el_status el_engine_ask_lines(struct el_engine *, const char *lines, size_t count,
                                   const struct el_metric *, unsigned flags, struct el_value *out,
                                   uint8_t *statuses, struct el_error *);

struct el_text_move {
	char san[32], uci[32]; /* for people, and for programs */
	uint8_t outcome;       /* as in el_root_move; games without the rule ignore it */
	/* for the side that moves, under the metric by which moves are ranked */
	struct el_value value;
};

/*
 * All legal moves of a position, best first; `out` has room for EL_ROOT_MOVES. *metric is the
 * metric wanted for ranking and becomes the one used; either pointer may be null. `rule` is in
 * moves, up to 299; 0: none. If nothing is known of a move, its outcome is EL_UNKNOWN. A file that
 * cannot be used is an error if the position's value under *metric is lost with it, or any value.
 */
enum el_status el_engine_moves(struct el_engine *, const char *position,
                               const struct el_metric **metric, unsigned rule,
                               struct el_text_move *out, size_t *count, struct el_error *);

/* The optimal line, cut after `max` moves, or 65,536; *count becomes their number. EL_NEGATIVE if the
   position's value under the metric is not known. */
enum el_status el_engine_line(struct el_engine *, const char *position, const struct el_metric *,
                              struct el_text_move *out, size_t max, size_t *count,
                              struct el_error *);

/* ---- whole slices ---- */

/* One side to move. The value at an index is values[symbols[index]]; it is EL_BROKEN if no legal
   position has the index. */
struct el_engine_plane {
	const uint16_t *symbols;       /* `positions` of them */
	const struct el_value *values; /* `value_count` of them */
	uint64_t positions;
	uint32_t value_count;
};

/* All values of a slice ("KQvKR", "checkers:KKvK", "awari:5") under one metric. */
struct el_engine_slice {
	char slice[40];
	/* 2: White (the side named first) to move, then Black; 1 if the sides are alike */
	unsigned count;
	struct el_engine_plane plane[2];
};

/* Reads them into memory, two bytes per position; free them with el_engine_planes_free. EL_NEGATIVE
   if no table has them or memory is too small; EL_USAGE if no slice has the name. *out becomes null on
   failure. */
enum el_status el_engine_planes(struct el_engine *, const char *slice, const struct el_metric *,
                                struct el_engine_slice **out, struct el_error *);
void el_engine_planes_free(struct el_engine_slice *);

/* A position's place in the planes of its slice, and the inverse: EL_NEGATIVE for an index without
   a legal position, EL_USAGE for an index that is too large or a name that no slice has. */
enum el_status el_engine_index(const char *position, char slice[40], unsigned *plane,
                               uint64_t *index, struct el_error *);
enum el_status el_engine_position(const char *slice, unsigned plane, uint64_t index,
                                  char position[128], struct el_error *);

EL_API_END

#endif
