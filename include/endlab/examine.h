/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at whole slices: statistics, and the proof that a table is right. */
#ifndef ENDLAB_EXAMINE_H
#define ENDLAB_EXAMINE_H

#include "endlab/library.h"

/*
 * Counts of distinct placements; symmetric ones count separately. Under a rule, wins and losses are
 * those in time: what it makes a draw is in neither, nor in `draw`. A bitbase (metric.wins_only) has
 * wins, and all else is at most a draw.
 */
struct el_counts {
	uint64_t legal, win, draw, loss;
	uint64_t at_most_draw, at_least_draw, unknown; /* known only within bounds */
	uint64_t cursed_win, blessed_loss;             /* drawn by the rule of the metric */
};

/* How much is known of some positions: a decided one makes two points, one that is at most or at
   least a draw makes one. Half the points in a hundred positions are the percentage of the paper
   that core/solve/partial.c names. */
struct el_resolved {
	uint64_t positions, points;
};

/* Of one side to move. */
struct el_side_stats {
	struct el_counts all;
	struct el_counts no_capture; /* where there is none, in games where captures are forced */
	/* Of a partial table, where the game has leading ranks: positions without a capture, by that of
	   the side to move, then of the other side. Zeros elsewhere. */
	struct el_resolved resolved[EL_LEADING_RANKS][EL_LEADING_RANKS];
	uint64_t unique;         /* symmetry classes of legal positions */
	/* Cursed wins and blessed losses count in neither of these. */
	unsigned longest[2];     /* plies: [0] of a win, [1] of a loss; valid where the count is not 0 */
	char longest_fen[2][EL_FEN_MAX]; /* a position of that depth: the one of least index */
	unsigned plies;          /* length of the histograms: 1 + the greatest depth; 0 without depths */
	uint64_t *histogram[2];  /* [0] wins, [1] losses, by ply; owned */
};

/* Mutual zugzwang: neither side wants to be to move. */
enum el_zugzwang {
	EL_ZUGZWANG_FULL,       /* whoever is to move loses */
	EL_ZUGZWANG_WHITE_HALF, /* White to move draws, Black to move loses */
	EL_ZUGZWANG_BLACK_HALF, /* Black to move draws, White to move loses */
	EL_ZUGZWANGS,
};

/* Mutual zugzwangs are counted as placements, where both outcomes are known. */
struct el_stats {
	struct el_slice slice;
	const struct el_metric *metric;
	bool partial;    /* some values are known only within bounds */
	bool rounded;    /* some depths may be a ply more (value.h) */
	unsigned passes; /* as in el_planes */
	struct el_side_stats side[2];
	uint64_t mutual_full, mutual_white_half, mutual_black_half;
};

enum el_status el_stats_make(const struct el_planes *, const struct el_watch *,
                             struct el_stats *out, struct el_error *);
void el_stats_free(struct el_stats *);
/* The longest win of one side with a side to move: a position, and its depth in *plies. Null where that
   side wins nothing, or where there are no depths. */
const char *el_stats_record(const struct el_stats *, unsigned winner, unsigned to_move,
                            unsigned *plies);

/* The longest wins of a slice, without its other statistics: far quicker. */
struct el_longest {
	struct el_record {
		unsigned plies;
		char fen[EL_FEN_MAX]; /* the position of that depth that has the least index; empty: none */
	} win[2][2]; /* [winner][to move] */
};

/* EL_STOPPED when the watch said so. */
enum el_status el_longest_find(const struct el_planes *, const struct el_watch *,
                               struct el_longest *out, struct el_error *);

/* The mutual zugzwangs of a slice by kind: one position of each symmetry class, White to move. */
struct el_zugzwangs {
	struct el_slice slice;
	bool partial; /* some outcomes are known only within bounds: there may be more */
	uint64_t *index[EL_ZUGZWANGS]; /* of plane 0, ascending; owned */
	size_t count[EL_ZUGZWANGS];
	uint64_t placements[EL_ZUGZWANGS]; /* what these stand for, as in el_stats */
};

/* EL_STOPPED when the watch said so. */
enum el_status el_zugzwangs_find(const struct el_planes *, const struct el_watch *,
                                 struct el_zugzwangs *out, struct el_error *);
/* Number `i` of a kind, below its count. Returns `out`. */
const char *el_zugzwangs_fen(const struct el_zugzwangs *, enum el_zugzwang, size_t i,
                             char out[EL_FEN_MAX]);
/* May be called on zeros, and again. */
void el_zugzwangs_free(struct el_zugzwangs *);

/* How dense a slice's index is: [EL_WHITE] and [EL_BLACK], the side to move. Where both sides have
   the same material, they share their indexes. */
struct el_census {
	uint64_t legal[2];      /* indexes that are not broken; a gapless index has no others */
	uint64_t placements[2]; /* what these stand for; symmetric ones count separately */
};

/* Looks at every index of the slice; needs no table. EL_STOPPED when the watch said so. */
enum el_status el_census_take(const struct el_slice *, const struct el_watch *,
                              struct el_census *out, struct el_error *);

/* What `verify` found: each stored position re-derived by the rules alone. */
struct el_verdict {
	uint64_t checked, wrong;
	uint64_t loose; /* of bounds: those that tables made since would narrow; not wrong */
	/* Not wrong, but nobody can prove them, because they depend on tables that are missing: of bounds, on
	   what conversions enter; of outcomes under a rule, on the depths of the same slice, where a
	   capture en passant is about to be possible. */
	uint64_t open;
	uint64_t rounded; /* not wrong: they stand for a ply more, too (value.h) */
	struct el_missing missing;           /* what a table with bounds was checked without */
	const struct el_metric *beside;      /* a table of the same slice under it proves what is open;
	                                        null: another reason */
	char first_fen[EL_FEN_MAX];          /* the first wrong one, when wrong > 0 */
	struct el_value first_stored, first_derived;
};

/*
 * Checks every position of the planes. Values of positions outside the slice come from the library;
 * EL_NEGATIVE when a table that is needed for that is missing, unless the planes have bounds: then
 * its positions may be worth anything. A wrong position is not an error here: it is counted in the
 * verdict. Depths that agree with each other are right, and so is what is found under a rule;
 * outcomes without one and bounds could, in theory, agree in a circle. A phase alone (dtzr) is proved
 * with the dtr of the same slice, where pawns move in it. Foreign planes are proved like ours.
 */
enum el_status el_verify(struct el_library *, const struct el_planes *, const struct el_watch *,
                         struct el_verdict *out, struct el_error *);

/* ---- two tables of one slice ---- */

/* A position that is worth something else to both, each value as el_comparison.metric has it. */
struct el_difference {
	char fen[EL_FEN_MAX];
	struct el_value ours, theirs;
};

enum { EL_DIFFERENCES_MAX = 8 };

struct el_comparison {
	const struct el_metric *metric; /* el_metric_common: what both tell */
	uint64_t compared;              /* positions, up to symmetry */
	uint64_t different;
	uint64_t within;  /* not different, but a ply apart where one of the values is rounded */
	uint64_t bounded; /* not different: ours is a bound that holds theirs */
	struct el_difference first[EL_DIFFERENCES_MAX]; /* the first that differ, in index order */
	size_t count;
};

/*
 * Compares all positions of one slice. In `theirs`, broken indexes are marked (el_planes_mark_broken);
 * these are passed over. Where a rule is broken and only one of the two counts on past its limit
 * (el_metric.late), that one must lie past it, and the outcomes must agree. EL_MEMORY.
 */
enum el_status el_compare(const struct el_planes *ours, const struct el_planes *theirs,
                          struct el_comparison *out, struct el_error *);

#endif
