/* SPDX-License-Identifier: MIT */
/*
 * All knowledge of metrics, in one place: a row of data each, and the few functions that read it.
 * Solver, prober, `verify`, films and plans ask here and know no metric by name. A new metric is
 * one row in core/base/metric.c and an entry in the list of each game that has it.
 *
 * The metrics:
 *
 *     wdl     the outcome, without any rule                 win     won or not: one bit
 *     dtm     plies to mate                                dtw     plies until the game is won
 *     dtc     plies to the next capture or promotion, or the end of the game
 *     dtz     plies to the next zeroing move (any capture, any pawn move) or mate
 *     wdlK    the outcome under the K-move rule: a limit of 2K plies without a zeroing move
 *     dtzK    plies to the next zeroing move under that rule; for cursed wins and blessed losses,
 *             which the rule makes draws, the dtz without it
 *     dtmK    plies to mate under that rule, which depend on the clock
 *     dtr     the least limit under which the position is won, and the length of the present phase
 *     dtzr    the length of the present phase alone
 *     score   stones that the side to move gains on the other from here on, or loses
 *
 * A *phase* is a stretch of play from one zeroing move to the next, or to mate. dtr and dtzr assume
 * that both sides care first about the longest phase of the whole game, then about the present one
 * (G. M'C. Haworth, "Strategy and Fifty", ICCA Journal 23(3), 2000). Every value assumes that the
 * clock is at zero: with c plies on it, a win still stands under the K-move rule if and only if
 * dtzK <= 2K - c. Only dtmK has values for every clock (core/base/course.h).
 */
#ifndef CORE_BASE_METRIC_H
#define CORE_BASE_METRIC_H

#include "endlab/value.h"

/* The moves that end the count of a metric: their outcome is looked up before the first pass of a
   solution. All other moves are *quiet*. The end of the game always ends the count. */
enum el_end {
	EL_END_CONVERSION, /* a move that leaves the slice */
	EL_END_ZEROING,    /* a move that resets the clock of a move-count rule to zero */
};

/* How many plies a move that ends the count contributes. */
enum el_join {
	EL_JOIN_NONE, /* none: the metric has no depth */
	EL_JOIN_ONE,  /* one, its own */
	EL_JOIN_SUM,  /* its own and those of the position it enters: the count goes on */
	EL_JOIN_MAX,  /* the greater of the two: the longest phase */
};

struct el_metric;

/*
 * A kind of value: how values compare, how a move changes them, what their number counts. A metric
 * names its kind; solver, prober, proofs, exports and texts call the kind and never ask which it
 * is. A new kind is a row in metric.c, and a row of words in tui/text/values.c.
 */
struct el_value_kind {
	/* What el_value.plies counts: "plies" or "stones"; null: nothing, the value is an outcome
	   alone. */
	const char *unit;
	/* A move adds what it captures and costs nothing. So values do not fall along a line, and
	   best moves alone may go round in circles. Therefore the solver works threshold by
	   threshold (sets.h), a line searches for the way to the next capture, and a proof that
	   each value comes from a move must also prove that it is reached. */
	bool adds_up;
	/* As el_value_compare, for two values with the same outcome. */
	int (*compare)(struct el_value, struct el_value);
	/* As el_value_of_move. */
	struct el_value (*step)(const struct el_metric *, struct el_value reached, bool ends,
	                        unsigned gain);
	/* Sets *out to the number of a value, with its sign if any; false if the value has no
	   number. */
	bool (*number)(struct el_value, int *out);
};

extern const struct el_value_kind el_kind_outcome, el_kind_depth, el_kind_stones;

struct el_metric {
	const char *name;                 /* "dtm", as on the command line and in files */
	const char *title;                /* "depth to mate" */
	uint8_t rank;                     /* its place in el_metrics; all rules share two */
	const struct el_value_kind *kind; /* of its values */
	bool has_depth;                   /* values carry plies */
	bool has_phase;                   /* and the length of the present phase */
	bool wins_only;                   /* the only values are EL_WIN and EL_AT_MOST_DRAW */
	enum el_end end;
	enum el_join join;
	unsigned limit; /* of the rule, in plies; 0: there is no rule */
	/* How to count the plies of a win that comes too late when a move enters a position that
	   the rule has made a draw. True: as the first ply past the limit, so that all cursed wins
	   and blessed losses lie past it. False: as after any other move. */
	bool late;
	/* The value depends on the clock, and a table has a course for each position. Wins that the rule
	   takes away have no depth. */
	bool by_clock;
	/* When a move ends the count, the metric whose value must be known for the position it
	   enters; null: this one. */
	const struct el_metric *entered;
};

extern const struct el_metric el_wdl, el_win, el_dtm, el_dtw, el_dtc, el_dtz, el_dtr, el_dtzr,
	el_score;

/* Rules of 1 to EL_RULE_MAX moves; [k - 1] is that of k moves. */
enum { EL_RULE_MAX = 299, EL_RULE_USUAL = 50 };
extern const struct el_metric el_wdl_rule[EL_RULE_MAX], el_dtz_rule[EL_RULE_MAX],
	el_dtm_rule[EL_RULE_MAX];
/* The metric of Syzygy's tables: dtz50, except that cursed wins and blessed losses are counted on
   past the limit (`late`). It shares the name dtz50 and determines its values; no table of ours has
   it. */
extern const struct el_metric el_dtz_syzygy;

/* All metrics, null-terminated, in the order that screens and files list them; the usual rule
   represents all rules. */
extern const struct el_metric *const el_metrics[];
enum { EL_METRICS = 12 };

/* Null if no metric has that name. */
const struct el_metric *el_metric_find(const char *name);
/* The place of a metric in `el_metrics`: wdl20 and wdl50 share one. */
static inline size_t el_metric_rank(const struct el_metric *metric)
{
	return metric->rank;
}
/* The order for lists, <0, 0 or >0: by place in `el_metrics`, then the shorter rule first. */
int el_metric_compare(const struct el_metric *, const struct el_metric *);
/* Do two metrics share a name? They may count differently past the limit of a rule (`late`). False
   if either is null. */
static inline bool el_metric_alike(const struct el_metric *a, const struct el_metric *b)
{
	return a && b && a->rank == b->rank && a->limit == b->limit;
}
/* The metric at a place in `el_metrics`; if it has a rule, under a rule of `moves` (1 ..
   EL_RULE_MAX). */
const struct el_metric *el_metric_ruled(size_t rank, unsigned moves);
/* The metric that counts the same without a rule: dtz for dtz50. */
const struct el_metric *el_metric_without_rule(const struct el_metric *);
/* el_metric.entered, or the metric itself if that is null. */
static inline const struct el_metric *el_metric_entered(const struct el_metric *metric)
{
	return metric->entered ? metric->entered : metric;
}
/* The outcome under the same rule, or without one. */
static inline const struct el_metric *el_metric_outcome(const struct el_metric *metric)
{
	return metric->limit ? &el_wdl_rule[metric->limit / 2 - 1] : &el_wdl;
}
/* The metric that ranks moves. A phase alone (dtzr) cannot: a shorter phase is no better if the
   limit is greater, so dtr decides. */
static inline const struct el_metric *el_metric_chosen_by(const struct el_metric *metric)
{
	return metric->entered && metric->entered->has_phase ? metric->entered : metric;
}

/* Does the value under `have` determine the value of the same position under `want`? A depth
   determines the outcome, dtr the outcome under any rule, and so on; every metric determines
   itself. */
bool el_metric_tells(const struct el_metric *have, const struct el_metric *want);
/* The finest metric that both determine: one of them, the outcome under a rule of theirs, or the
   outcome. */
const struct el_metric *el_metric_common(const struct el_metric *, const struct el_metric *);
/* The metric to solve to obtain this one: el_metric_entered if that determines it, so that no
   second solution is needed; else the metric itself. */
static inline const struct el_metric *el_metric_solved(const struct el_metric *metric)
{
	const struct el_metric *entered = el_metric_entered(metric);
	return el_metric_tells(entered, metric) ? entered : metric;
}
/* Converts a value under `have` to `want`, which `have` must determine. */
struct el_value el_metric_read(const struct el_metric *have, const struct el_metric *want,
                               struct el_value);
/* Does a one-ply search among values of `have` find the value under `want`? True for bitbases,
   which know only who wins: a side has lost if each of its moves lets the opponent win. */
static inline bool el_metric_finds(const struct el_metric *have, const struct el_metric *want)
{
	return have->wins_only && have->entered == want;
}

/* Can a position have this value under the metric? Bounds count if the metric may have them;
   EL_BROKEN never counts. */
bool el_metric_has_value(const struct el_metric *, struct el_value);
/* Does the value leave the metric's question open? A bitbase asks no more than EL_AT_MOST_DRAW. */
static inline bool el_value_bounded(const struct el_metric *metric, struct el_value v)
{
	return el_outcome_bounded(v.outcome) &&
	       !(metric->wins_only && v.outcome == EL_AT_MOST_DRAW);
}

/* ---- the order of values ---- */

/*
 * <0, 0 or >0: `a` is worse than, as good as or better than `b` for the side to move. The outcome
 * decides; then, under metrics with depths, the shorter win or the longer loss (with stones the
 * greater win or the smaller loss); then the phase in the same way; then a depth that may not be less
 * (el_value.at_most). The order of outcomes: loss,
 * [loss, blessed loss], [loss, draw], blessed loss, unknown, draw, [draw, win], cursed win, [cursed
 * win, win], win.
 */
int el_value_compare(const struct el_metric *, struct el_value a, struct el_value b);
/* The value for a side that may choose between two: if one is a bound, el_outcome_max, which may be
   neither of them; else the one that compares greater. A win is `at_most` if either is. */
struct el_value el_value_max(const struct el_metric *, struct el_value a, struct el_value b);
/* Is no value better? If so, a search for the maximum may stop. */
bool el_value_is_best(const struct el_metric *, struct el_value value);

/*
 * The value of a move for its mover, with the clock at zero before the move. `reached`: the
 * opponent's value of the position after it; `ends`: the move ends the count, and `reached` is a
 * value under el_metric_entered; `gain`: the stones that the move captures (el_move_gain). For
 * quiet moves:
 *   - Under a rule, a win that needs the whole limit after the move comes one ply too late: the
 *     move is a cursed win (or blessed loss), with plies counted as under the rule.
 *   - Under dtr the limit is exact and the phase is not, because `reached` was stored for a clock
 *     at zero and the clock now stands at one. If the move leaves the limit as it is, the phase is
 *     a lower bound. If the move raises the limit, the phase is unknown, and it is set to the whole
 *     limit. The plies of dtzr are inexact in the same way.
 */
static inline struct el_value el_value_of_move(const struct el_metric *metric,
                                               struct el_value reached, bool ends, unsigned gain)
{
	return metric->kind->step(metric, reached, ends, gain);
}
/* A gain in stones as a value, and back: 0 is a draw, a negative gain a loss. */
struct el_value el_value_of_stones(int stones);
static inline int el_value_stones(struct el_value v)
{
	return v.outcome == EL_LOSS ? -v.plies : v.plies;
}

/* ---- rules and their clock ---- */

/*
 * The outcome that one value of a position implies under a rule of `limit` plies (0: no rule) with
 * `clock` plies played since the last zeroing move: one of the five outcomes, or bounds if the
 * metric does not decide. If several values are known, el_outcome_both combines the results.
 */
enum el_outcome el_value_in_time(const struct el_metric *, struct el_value, unsigned limit,
                                 unsigned clock);
/* The outcome once the clock has run out, except after checkmate: wins are cursed, losses
   blessed. */
enum el_outcome el_outcome_too_late(enum el_outcome);

#endif
