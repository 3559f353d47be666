/* SPDX-License-Identifier: MIT */
/* Whole slices: statistics, the proof that a table is right, and the comparison of two tables. */
#ifndef CORE_EXAMINE_EXAMINE_H
#define CORE_EXAMINE_EXAMINE_H

#include "core/foreign/published.h"
#include "core/games/frames.h"
#include "core/library/library.h"

/*
 * Counts of distinct placements; symmetric ones count separately. Under a rule, `win` and `loss`
 * count those in time; `cursed_win` and `blessed_loss`, not `draw`, count the others. In a bitbase
 * (el_metric.wins_only) every position is a win or at most a draw.
 */
struct el_counts {
	uint64_t legal, win, draw, loss;
	uint64_t at_most_draw, at_least_draw, unknown; /* known only within bounds */
	uint64_t cursed_win, blessed_loss;             /* drawn by the rule of the metric */
};

/* How much is known about some positions: two points for each decided one, one point for each that
   is at most or at least a draw. Points / (2 * positions) is the percentage in the paper cited in
   core/solve/partial.c. */
struct el_resolved {
	uint64_t positions, points;
};

/* How often a value occurs. */
struct el_tally {
	struct el_value value;
	uint64_t placements;
	/* the least index; of a slice with one plane, White to move. Valid if there is one */
	uint64_t first;
};

/* For one side to move. */
struct el_side_stats {
	struct el_counts all;
	struct el_tally *tallies; /* by symbol of the plane; owned. Null: a study */
	size_t values;
	/* positions without a capture, in games where captures are forced */
	struct el_counts no_capture;
	/* In a partial table of a game with leading ranks: positions without a capture, by the
	   leading rank of the side to move, then of the other side. Else zeros. */
	struct el_resolved resolved[EL_LEADING_RANKS][EL_LEADING_RANKS];
	uint64_t unique; /* symmetry classes of legal positions */
	/* These leave out cursed wins and blessed losses. */
	/* plies of the longest [0] win and [1] loss; valid if their count is not 0 */
	unsigned longest[2];
	char longest_fen[2][EL_FEN_MAX]; /* the position of that depth with the least index */
	/* length of the histograms: 1 + the greatest depth; 0 without depths */
	unsigned plies;
	uint64_t *histogram[2]; /* [0] wins, [1] losses, by ply; owned */
	/* Under a metric that asks for the clock: [0] wins and [1] losses that stand with so many plies
	   on the clock, 0 .. clocks-1; owned. Else null, and 0. */
	uint64_t *standing[2];
	unsigned clocks;
	/* Of a study: wins and losses that may be quicker than their plies say (el_value.at_most). They
	   are neither among the longest nor in the histograms. */
	uint64_t at_most;
};

/* Mutual zugzwang: each side would rather the other had to move. */
enum el_zugzwang {
	EL_ZUGZWANG_FULL,       /* the side to move loses */
	EL_ZUGZWANG_WHITE_HALF, /* White to move draws, Black to move loses */
	EL_ZUGZWANG_BLACK_HALF, /* Black to move draws, White to move loses */
	EL_ZUGZWANGS,
};

/* Mutual zugzwangs are counted as placements; both outcomes must be known. */
struct el_stats {
	struct el_slice slice;
	const struct el_metric *metric;
	bool partial;    /* some values are known only within bounds */
	bool rounded;    /* some depths may be a ply more than they say (el_value.rounded) */
	unsigned passes; /* as in el_planes */
	struct el_side_stats side[2];
	uint64_t mutual_full, mutual_white_half, mutual_black_half;
};

/* Of planes in memory. EL_MEMORY; EL_STOPPED when the watch says so. */
enum el_status el_stats_make(const struct el_planes *, const struct el_watch *,
                             struct el_stats *out, struct el_error *);
/* Counts the table that tells a slice's values under a metric: whole planes if they fit into `memory`
   bytes (0: three quarters of what is free), else piece by piece, if one of our tables can be read so.
   `briefly`: neither zugzwangs nor positions without a capture are counted, which need a look at every
   position, but values alone; their numbers are 0. Errors as el_library_planes_told. */
enum el_status el_stats_take(struct el_library *, const struct el_slice *, const struct el_metric *,
                             bool briefly, uint64_t memory, const struct el_watch *,
                             struct el_stats *out, struct el_error *);
void el_stats_free(struct el_stats *);
/* The longest win of one side with a given side to move: returns its FEN and sets *plies. Null if
   there is no such win, or there are no depths. */
const char *el_stats_record(const struct el_stats *, unsigned winner, unsigned to_move,
                            unsigned *plies);

/* Statistics of a study's file (core/study). Only what it reaches is counted, each position once. */
struct el_study_stats {
	struct el_stats stats; /* without zugzwangs; all positions are `unique` */
	uint64_t frames, positions;
	uint64_t exact; /* of the positions, with bounds that agree */
	struct el_position root;
	struct el_value value; /* of the root */
	/* Promotions, after which so many pieces move besides kings, up to `pieces`: bits of the kinds
	   that were followed, and of all kinds that there are. */
	unsigned followed[EL_FRAME_MOVERS + 1], pieces, kinds;
};

/* EL_DAMAGED, EL_IO, EL_MEMORY; EL_STOPPED when the watch says so. Free out->stats. */
enum el_status el_study_stats_make(const char *path, const struct el_watch *,
                                   struct el_study_stats *out, struct el_error *);

/* How often a symbol occurs. */
struct symbol_tally {
	uint64_t placements, indexes; /* of a study: positions, both */
	uint64_t no_capture;          /* placements without a capture, where captures are forced */
	uint64_t first;               /* least index, or address; valid when indexes > 0 */
};

/* Adds the tallies of all threads, `each` of them a thread, to those of the first. */
void tallies_join(struct symbol_tally *, size_t each, unsigned threads);
/* Sums up the tallies of one side to move, by symbol. Depths if the metric has any; first: where the
   longest win and loss are, UINT64_MAX if there are none. EL_MEMORY. */
enum el_status tallies_sum_up(const struct symbol_tally *, const struct el_value *values,
                              uint32_t count, bool has_depth, struct el_side_stats *out,
                              uint64_t first[2], struct el_error *);
/* The position of an index with this side to move: if that side moves in the other plane alone, with
   the colours swapped. False: none. */
bool index_format(const struct el_slice *, unsigned plane, uint64_t index, unsigned side,
                  char out[EL_FEN_MAX]);

/* The longest wins of a slice, which is much faster than el_stats_make. */
struct el_longest {
	struct el_record {
		unsigned plies;
		/* the position of that depth with the least index; empty: no win */
		char fen[EL_FEN_MAX];
	} win[2][2]; /* [winner][to move] */
};

/* EL_STOPPED when the watch says so. */
enum el_status el_longest_find(const struct el_planes *, const struct el_watch *,
                               struct el_longest *out, struct el_error *);

/* The mutual zugzwangs of a slice by kind: one position of each symmetry class, White to move. */
struct el_zugzwangs {
	struct el_slice slice;
	/* some outcomes are known only within bounds: there may be more zugzwangs */
	bool partial;
	uint64_t *index[EL_ZUGZWANGS]; /* of plane 0, ascending; owned */
	size_t count[EL_ZUGZWANGS];
	uint64_t placements[EL_ZUGZWANGS]; /* represented by these, as in el_stats */
};

/* EL_MEMORY; EL_STOPPED when the watch says so. */
enum el_status el_zugzwangs_find(const struct el_planes *, const struct el_watch *,
                                 struct el_zugzwangs *out, struct el_error *);
/* The FEN of number `i` of a kind. Returns `out`. */
const char *el_zugzwangs_fen(const struct el_zugzwangs *, enum el_zugzwang, size_t i,
                             char out[EL_FEN_MAX]);
/* May be called on all zeros, and twice. */
void el_zugzwangs_free(struct el_zugzwangs *);

/* How dense a slice's index is, by side to move. If both sides have the same material, both have
   the same indexes. */
struct el_census {
	uint64_t legal[2];      /* indexes that are not broken; a gapless index has no others */
	uint64_t placements[2]; /* represented by these; symmetric ones count separately */
};

/* Counts over all indexes of the slice; needs no table. EL_STOPPED when the watch says so. */
enum el_status el_census_take(const struct el_slice *, const struct el_watch *,
                              struct el_census *out, struct el_error *);

/* ---- published statistics ---- */

/* A published number that is not ours. */
struct el_figure {
	enum {
		EL_FIGURE_COUNT,   /* positions with this outcome */
		EL_FIGURE_DEPTH,   /* and of this many plies */
		EL_FIGURE_LATE,    /* of more plies than the rule allows; against our outcomes */
		EL_FIGURE_LONGEST, /* plies of the longest; `fen`: ours, empty if there is none */
		EL_FIGURE_VALUE,   /* the value of `fen`, theirs */
	} kind;
	uint8_t side, outcome; /* to move, and for that side */
	bool either;           /* as in el_published_record */
	unsigned plies;
	const struct el_metric *metric; /* of the plies, and of the values */
	char fen[EL_FEN_MAX];
	uint64_t ours, theirs;
	struct el_value our_value, their_value;
};

enum { EL_FIGURES_MAX = 8 };

struct el_figures {
	/* the finest in which anything was compared */
	const struct el_metric *metric;
	uint64_t compared, different;
	struct el_figure first[EL_FIGURES_MAX]; /* the first that differ */
	size_t count;
};

/* Compares an ending with our table of its slice: everything that the table's metric tells. How far
   past the limit of a rule a win comes is not compared: Syzygy counts such plies otherwise. EL_NEGATIVE
   if ours has bounds; EL_MEMORY; EL_STOPPED when the watch says so. */
enum el_status el_published_compare(const struct el_published_ending *,
                                    const struct el_planes *ours, const struct el_watch *,
                                    struct el_figures *out, struct el_error *);

/* ---- proofs ---- */

/*
 * The result of verification (verify.h), which derives each stored value again from those of its
 * successors. Depths that agree with each other are right; outcomes are proved by depths
 * (verify_outcomes.c); bounds could agree in a circle. A phase alone (dtzr) is proved with the help of
 * the dtr of the same slice if that has pawns.
 */
struct el_verdict {
	uint64_t checked, wrong;
	bool by_planes; /* proved by whole planes (core/games/best.h), not position by position */
	uint64_t loose; /* bounds that tables made since would narrow; not wrong */
	/* Bounds that are not wrong, but not proved, because a table that conversions enter is
	   missing. */
	uint64_t open;
	/* Some values are of wins that come too late for a rule, and were compared with one move ahead
	   alone: a sample (verify_sample.c). */
	bool late;
	/* not wrong: depths that may be a ply more than they say (el_value.rounded) */
	uint64_t rounded;
	/* the successors that were missing when a table with bounds was checked */
	struct el_missing missing;
	char first_fen[EL_FEN_MAX]; /* the first wrong position, if there is one */
	struct el_value first_stored, first_derived;
};

/* ---- two tables of one slice ---- */

/* A position that the two tables value differently. Both values are under el_comparison.metric. */
struct el_difference {
	char fen[EL_FEN_MAX];
	struct el_value ours, theirs;
};

enum { EL_DIFFERENCES_MAX = 8 };

struct el_comparison {
	const struct el_metric *metric; /* the metric that both determine: el_metric_common */
	uint64_t compared;              /* positions, up to symmetry */
	uint64_t different;
	/* not counted as different: a ply apart, and one of the values is rounded */
	uint64_t within;
	/* not counted as different: ours is a bound that includes theirs */
	uint64_t bounded;
	struct el_difference first[EL_DIFFERENCES_MAX]; /* the first that differ, in index order */
	size_t count;
};

/*
 * Compares all positions of a slice, except those whose index is broken, which must be marked in
 * `theirs` (el_planes_mark_broken). If only one of the two counts on past the limit of a rule
 * (el_metric.late), its cursed wins and blessed losses must lie past the limit, and the outcomes
 * must agree. EL_MEMORY.
 */
enum el_status el_compare(const struct el_planes *ours, const struct el_planes *theirs,
                          struct el_comparison *out, struct el_error *);

struct lent; /* core/games/lent.h */
/* The kind of a position of plane 0 with White to move and its value. EL_ZUGZWANGS: no zugzwang, or the
   value with Black to move cannot be read. `lent` may be null if the planes are in memory. */
enum el_zugzwang zugzwang_kind(struct lent *, const struct el_planes *, const struct el_position *,
                               struct el_value white);

/* ---- fortresses ---- */

/*
 * A fortress: why a side that cannot win is not beaten either.
 *
 *     el_fortress_find -> el_fortress_refine, if there are not too many positions -> el_fortress_free
 *
 * One side of a drawn position defends, the other attacks. The defender's king, or in games whose
 * pieces are all alike to the rules (el_game.single) each of his pieces, stays in a region, a set of
 * squares. The fortress of a region is the greatest set of drawn positions of the slice with these
 * pieces in the region, in which
 *
 *     the attacker to move   every move that stays in the slice leads into the set, or loses
 *     the defender to move   some move leads into the set or, by leaving the slice, to a draw; or
 *                            he is stalemated
 *
 * So whatever the attacker does, the defender has a move after which he is still in the fortress, or
 * in a drawn ending with other material. An attacker's move that leaves the slice never wins, since
 * the position is a draw.
 *
 * All draws together are the fortress of the whole board; the smallest region explains most. The
 * region found is minimal: the given position is in no fortress without one of its squares. To find
 * it, squares are added from the defender's pieces outwards until the position is in; then squares
 * are taken away, the farthest first. A smaller region has a smaller fortress, so a square that was
 * needed once stays needed, and one attempt for each is enough.
 *
 * el_fortress_find works on sets of the solver, whose symmetries take a square together with its
 * images. el_fortress_refine then goes by single squares, and leaves only positions that can arise
 * from the given one.
 */

/* Squares and sides are those of the board as given, even if the slice stores such positions with
   the colours swapped (`swapped`). */
struct el_fortress {
	struct el_slice slice;
	struct el_position position; /* the given one, without a right to capture en passant */
	unsigned defender;           /* enum el_side */
	unsigned kinds;              /* bit k: his pieces of kind k stay in the region */
	uint64_t region;             /* as far as these pieces can get within it */
	/* in the set, by side to move; without those with a right to capture en passant */
	uint64_t positions[2];
	bool swapped;
	bool passes; /* there are rights to capture en passant */
	/* by plane, bits by index: the position or an image of it is in the set; it is, and a
	   stalemate or a move to another slice holds the draw; owned */
	uint8_t *inside[2], *held[2];
	/* refined: bits by fortress_number; else null; owned */
	uint8_t *listed;
	uint32_t numbers; /* of bits there */
	uint64_t area;    /* the region on which these numbers are based */
};

enum { EL_FORTRESS_ANY = -1 }; /* the side that wins fewer positions of the slice defends */

/* Why a game has no fortresses of this kind; null if it has. */
const char *el_fortress_refused(const struct el_game *);
/*
 * Finds the fortress around a position that `defender` holds (enum el_side, or EL_FORTRESS_ANY).
 * The slice is solved, with the library's tables of the slices that its conversions enter.
 * EL_NEGATIVE if the position is no draw or in no slice, if both sides have the same material, if
 * the game has no regions (el_sets.keep), or if a table is missing; errors of el_solve.
 */
enum el_status el_fortress_find(struct el_library *, const struct el_game *,
                                const struct el_position *, int defender, const struct el_watch *,
                                struct el_fortress *out, struct el_error *);
/* EL_NEGATIVE, with the fortress as it was, if it has too many positions to list, or if rights to
   capture en passant tell positions apart that have the same squares. */
enum el_status el_fortress_refine(struct el_fortress *, const struct el_watch *, struct el_error *);
/* Is a legal position, of any game, in the set? A right to capture en passant is ignored. */
bool el_fortress_holds(const struct el_fortress *, const struct el_position *);
/* May be called on all zeros, and twice. */
void el_fortress_free(struct el_fortress *);

#endif
