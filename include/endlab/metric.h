/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a metric means, in one place: a row of data, and the few functions that read it. Solver,
 * prober, `verify`, films and plans ask here and know no metric by name; a new metric is one row in
 * core/metric.c and a place in the lists of the games that have it.
 *
 * The metrics that count moves under a rule, and how they hang together:
 *
 *     wdl     the outcome, whatever rule is in force       win     is it a win? one bit
 *     dtm     plies to mate                                dtw     plies until the game is won
 *     dtc     plies to the next capture or promotion, or the end of the game
 *     dtz     plies to the next zeroing move (any capture, any move of a pawn) or mate
 *     wdlK    the outcome under the K-move rule: a limit of 2K plies without a zeroing move
 *     dtzK    plies to the next zeroing move under that rule; for cursed wins and blessed losses,
 *             which the rule makes draws, the dtz without it
 *     dtr     the least limit under which the position is won, and the length of the present phase
 *     dtzr    the length of the present phase alone
 *     score   stones that the side to move gains on the other from here on, or loses
 *
 * A *phase* is a stretch of play from one zeroing move to the next, or to mate. dtr and dtzr are those
 * of a game in which both sides care about the longest phase of the whole game first, and about the
 * present one then (G. M'C. Haworth, "Strategy and Fifty", ICCA Journal 23(3), 2000). All are values
 * with nothing on the clock: after c plies without a zeroing move a win stands under a limit of N
 * exactly if dtzK <= N - c.
 */
#ifndef ENDLAB_METRIC_H
#define ENDLAB_METRIC_H

#include "endlab/value.h"

/* Which moves end the count of a metric. Their outcome is looked up before the first pass of a
   solution; all others are *quiet*. The end of the game always ends it. */
enum el_end {
	EL_END_CONVERSION, /* a move that leaves the slice */
	EL_END_ZEROING,    /* a move that puts the clock of a move-count rule back to zero */
};

/* What the plies are of a move that ends the count. */
enum el_join {
	EL_JOIN_NONE, /* none: the metric has no depth */
	EL_JOIN_ONE,  /* its own ply alone */
	EL_JOIN_SUM,  /* its own, and those of the position it enters: the count goes on */
	EL_JOIN_MAX,  /* the greater of the two: the longest phase */
};

struct el_metric {
	const char *name;  /* "dtm", as on the command line and in files */
	const char *title; /* "depth to mate" */
	uint8_t rank;      /* its place in el_metrics; the metrics of all rules share two places */
	bool has_depth;    /* values carry plies */
	bool has_phase;    /* and the length of the present phase beside them */
	bool wins_only;    /* values are EL_WIN and EL_AT_MOST_DRAW */
	bool stones;       /* plies are stones: the more the better to win, the fewer to lose. A move adds what it
	                      captures, and takes no ply */
	enum el_end end;
	enum el_join join;
	unsigned limit;    /* plies of the rule; 0: there is none */
	/* Where the rule comes too late: a move into what it has made a draw counts as the first ply past
	   the limit, so that all cursed and blessed values lie past it; else as any other. */
	bool late;
	/* What must be known of a position that a move which ends the count enters; null: its value
	   under the metric itself. */
	const struct el_metric *entered;
};

extern const struct el_metric el_wdl, el_win, el_dtm, el_dtw, el_dtc, el_dtz, el_dtr, el_dtzr, el_score;

/* The rules go from 1 to EL_RULE_MAX moves; [k-1] is that of k moves. */
enum { EL_RULE_MAX = 299, EL_RULE_USUAL = 50 };
extern const struct el_metric el_wdl_rule[EL_RULE_MAX], el_dtz_rule[EL_RULE_MAX];
/* What Syzygy's tables hold: dtz50, but that cursed wins and blessed losses are counted on past the
   limit (`late`). It has the name of dtz50 and tells it; no table of ours has it. */
extern const struct el_metric el_dtz_syzygy;

/* All metrics, null-terminated, in the order in which screens and files list them; of the rules, the
   usual one. */
extern const struct el_metric *const el_metrics[];
enum { EL_METRICS = 11 };

/* Null when no metric has that name. */
const struct el_metric *el_metric_find(const char *name);
/* The place of a metric in `el_metrics`: wdl20 and wdl50 share one. */
static inline size_t el_metric_rank(const struct el_metric *metric)
{
	return metric->rank;
}
/* Is it that metric, or a foreign one that goes by its name? */
static inline bool el_metric_named(const struct el_metric *metric, const struct el_metric *as)
{
	return metric->rank == as->rank && metric->limit == as->limit;
}
/* <0, 0, >0 as lists have them: by their places, and of two rules the shorter one first. */
int el_metric_compare(const struct el_metric *, const struct el_metric *);
/* The same, but perhaps for how they count past the limit (`late`)? */
static inline bool el_metric_alike(const struct el_metric *a, const struct el_metric *b)
{
	return a && b && a->rank == b->rank && a->limit == b->limit;
}
/* The metric at that place, under a rule of `moves` (1 .. EL_RULE_MAX) where it has one. */
const struct el_metric *el_metric_ruled(size_t rank, unsigned moves);
/* What must be known of a position that a move which ends the count enters. */
static inline const struct el_metric *el_metric_entered(const struct el_metric *metric)
{
	return metric->entered ? metric->entered : metric;
}
/* What is built for the slices that conversions enter, where no table of theirs tells that: the same
   metric if it does, so that all slices of an ending come to have one. */
const struct el_metric *el_metric_for_successors(const struct el_metric *);
/* By whose order moves are chosen: a phase alone goes with the least limit, and a shorter phase is
   no better where the limit is greater. */
static inline const struct el_metric *el_metric_chosen_by(const struct el_metric *metric)
{
	return metric->entered && metric->entered->has_phase ? metric->entered : metric;
}

/* Do the values of one metric tell those of another? Its own, of course; the outcome of a depth, the
   outcome under a rule of the least limit, and so on. */
bool el_metric_tells(const struct el_metric *have, const struct el_metric *want);
/* The most that both tell: one of them, the outcome under a rule of theirs, or the outcome. */
const struct el_metric *el_metric_common(const struct el_metric *, const struct el_metric *);
/* What is solved for the sake of a metric: what must be known of an entered position, where that tells
   it; else the metric itself. */
static inline const struct el_metric *el_metric_solved(const struct el_metric *metric)
{
	const struct el_metric *entered = el_metric_entered(metric);
	return el_metric_tells(entered, metric) ? entered : metric;
}
/* The value under `want` that goes with one under `have`, which tells it. */
struct el_value el_metric_read(const struct el_metric *have, const struct el_metric *want,
                               struct el_value);
/* Does one ply of search among values of `have` find those of `want`? Where it is known only who
   wins, the others have lost if each of their moves lets the opponent win. */
static inline bool el_metric_finds(const struct el_metric *have, const struct el_metric *want)
{
	return have->wins_only && have->entered == want;
}

/* Does a position have this value under the metric, or may it, where only bounds are known? Broken
   is none. */
bool el_metric_has_value(const struct el_metric *, struct el_value);
/* Does it leave open what the metric asks? EL_AT_MOST_DRAW does not, where that is wins alone. */
static inline bool el_value_bounded(const struct el_metric *metric, struct el_value v)
{
	return el_outcome_bounded(v.outcome) &&
	       !(metric->wins_only && v.outcome == EL_AT_MOST_DRAW);
}

/* ---- the order of values ---- */

/*
 * <0, 0, >0 as `a` is worse, as good or better than `b` for the side to move: outcome first, then,
 * where the metric has depths, the shorter win or the longer loss, then the phase in the same way.
 * Bounds are ordered by the lower one, then by the upper one, in keeping with every comparison of
 * outcomes: loss, [loss, draw], unknown, draw, [draw, win], win.
 */
int el_value_compare(const struct el_metric *, struct el_value a, struct el_value b);
/* The better of two for the side that chooses: of bounds what el_outcome_max says, which may
   be neither of them; else the one that compares greater. */
struct el_value el_value_max(const struct el_metric *, struct el_value a, struct el_value b);
/* No value is better: a search for the maximum may stop here. */
bool el_value_is_best(const struct el_metric *, struct el_value value);

/*
 * The value of a move for its mover, given that of the position it reaches for the opponent, with
 * nothing on the clock before the move. `ends`: it ends the count, and what is given is a value
 * under el_metric_entered; `gain`: the stones that it captures (el_move_gain). Of a quiet move:
 *   - under a rule, one that needs all of the limit and a ply is in time no longer: a cursed win or a
 *     blessed loss, whose plies are those under the rule;
 *   - the least limit is exact, but the phase that goes with it is not: the clock stands at one then,
 *     and what is stored is for zero. Where the limit stays, it is a lower bound; where it grows by the
 *     ply, nothing is known of it, and the whole limit is put there. So it is with a metric that
 *     is a phase alone.
 */
struct el_value el_value_of_move(const struct el_metric *, struct el_value reached, bool ends,
                                 unsigned gain);
/* A value in stones: 0 is a draw, what is less is lost. */
struct el_value el_value_of_stones(int stones);
static inline int el_value_stones(struct el_value v)
{
	return v.outcome == EL_LOSS ? -v.plies : v.plies;
}

/* ---- rules and their clock ---- */

/*
 * What one value of a position tells of its outcome under a rule of `limit` plies (0: there is none),
 * with `clock` plies gone since the last zeroing move: one of the five, or bounds where the metric
 * does not decide. All that is known together is what el_outcome_both leaves of them.
 */
enum el_outcome el_value_in_time(const struct el_metric *, struct el_value, unsigned limit,
                                 unsigned clock);
/* The same where the clock has run out, short of a checkmate on the board: nothing is won any more. */
enum el_outcome el_outcome_too_late(enum el_outcome);

#endif
