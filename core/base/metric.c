/* SPDX-License-Identifier: MIT */
#include "metric.h"

#include <stdlib.h>
#include <string.h>

/* ---- the rows ---- */

/* Places in el_metrics. */
enum { WDL, WIN, DTM, DTW, DTC, DTZ, WDL_RULE, DTZ_RULE, DTM_RULE, DTR, DTZR, SCORE };

/* A row: its place, name and title, and what else is not zero. */
#define OUTCOME(rank_, name_, title_, ...)                                               \
	{                                                                                \
		.name = name_, .title = title_, .rank = rank_, .kind = &el_kind_outcome, \
		__VA_ARGS__                                                              \
	}
#define DEPTH(rank_, name_, title_, ...)                                               \
	{                                                                              \
		.name = name_, .title = title_, .rank = rank_, .kind = &el_kind_depth, \
		.has_depth = true, __VA_ARGS__                                         \
	}

const struct el_metric el_wdl = OUTCOME(WDL, "wdl", "win, draw or loss");
const struct el_metric el_win =
	OUTCOME(WIN, "win", "win or not", .wins_only = true, .entered = &el_wdl);
const struct el_metric el_dtm = DEPTH(DTM, "dtm", "depth to mate", .join = EL_JOIN_SUM);
const struct el_metric el_dtw = DEPTH(DTW, "dtw", "depth to win", .join = EL_JOIN_SUM);
const struct el_metric el_dtc =
	DEPTH(DTC, "dtc", "depth to conversion", .join = EL_JOIN_ONE, .entered = &el_wdl);
const struct el_metric el_dtz = DEPTH(DTZ, "dtz", "depth to zeroing", .end = EL_END_ZEROING,
                                      .join = EL_JOIN_ONE, .entered = &el_wdl);
const struct el_metric el_dtr = DEPTH(DTR, "dtr", "depth by the rule", .has_phase = true,
                                      .end = EL_END_ZEROING, .join = EL_JOIN_MAX);
const struct el_metric el_dtzr =
	DEPTH(DTZR, "dtzr", "depth to zeroing by the rule", .end = EL_END_ZEROING,
              .join = EL_JOIN_ONE, .entered = &el_dtr);
const struct el_metric el_score = {
	.name = "score",
	.title = "stones gained",
	.rank = SCORE,
	.kind = &el_kind_stones,
	.has_depth = true,
	.join = EL_JOIN_SUM,
};

/* clang-format off */
/* One row per rule: RULE(5) RULE(6) ... */
#define TEN(RULE, tens) \
	RULE(tens##0) RULE(tens##1) RULE(tens##2) RULE(tens##3) RULE(tens##4) \
	RULE(tens##5) RULE(tens##6) RULE(tens##7) RULE(tens##8) RULE(tens##9)
#define HUNDRED(RULE, hundreds) \
	TEN(RULE, hundreds##0) TEN(RULE, hundreds##1) TEN(RULE, hundreds##2) \
	TEN(RULE, hundreds##3) TEN(RULE, hundreds##4) TEN(RULE, hundreds##5) \
	TEN(RULE, hundreds##6) TEN(RULE, hundreds##7) TEN(RULE, hundreds##8) \
	TEN(RULE, hundreds##9)
#define ALL_RULES(RULE) \
	RULE(1) RULE(2) RULE(3) RULE(4) RULE(5) RULE(6) RULE(7) RULE(8) RULE(9) \
	TEN(RULE, 1) TEN(RULE, 2) TEN(RULE, 3) TEN(RULE, 4) TEN(RULE, 5) TEN(RULE, 6) \
	TEN(RULE, 7) TEN(RULE, 8) TEN(RULE, 9) HUNDRED(RULE, 1) HUNDRED(RULE, 2)
/* clang-format on */

#define WDL_ROW(k)                                                                               \
	OUTCOME(WDL_RULE, "wdl" #k, "outcome under the " #k "-move rule", .end = EL_END_ZEROING, \
	        .limit = 2 * k),
#define ZEROING(k, ...)                                                          \
	DEPTH(DTZ_RULE, "dtz" #k, "depth to zeroing under the " #k "-move rule", \
	      .end = EL_END_ZEROING, .join = EL_JOIN_ONE, .limit = 2 * k,        \
	      .entered = &el_wdl_rule[k - 1], __VA_ARGS__)
#define DTZ_ROW(k) ZEROING(k),
const struct el_metric el_wdl_rule[EL_RULE_MAX] = {ALL_RULES(WDL_ROW)};
const struct el_metric el_dtz_rule[EL_RULE_MAX] = {ALL_RULES(DTZ_ROW)};
#define DTM_ROW(k)                                                            \
	DEPTH(DTM_RULE, "dtm" #k, "depth to mate under the " #k "-move rule", \
	      .end = EL_END_ZEROING, .join = EL_JOIN_SUM, .limit = 2 * k, .by_clock = true),
const struct el_metric el_dtm_rule[EL_RULE_MAX] = {ALL_RULES(DTM_ROW)};
const struct el_metric el_dtz_syzygy = ZEROING(50, .late = true);
_Static_assert(EL_RULE_USUAL == 50, "Syzygy's rule");

const struct el_metric *const el_metrics[] = {
	[WDL] = &el_wdl,
	[WIN] = &el_win,
	[DTM] = &el_dtm,
	[DTW] = &el_dtw,
	[DTC] = &el_dtc,
	[DTZ] = &el_dtz,
	[WDL_RULE] = &el_wdl_rule[EL_RULE_USUAL - 1],
	[DTZ_RULE] = &el_dtz_rule[EL_RULE_USUAL - 1],
	[DTM_RULE] = &el_dtm_rule[EL_RULE_USUAL - 1],
	[DTR] = &el_dtr,
	[DTZR] = &el_dtzr,
	[SCORE] = &el_score,
	[EL_METRICS] = NULL,
};

/* ---- finding one ---- */

int el_metric_compare(const struct el_metric *a, const struct el_metric *b)
{
	if (a->rank != b->rank)
		return a->rank - b->rank;
	return a->limit != b->limit ? (a->limit > b->limit) - (a->limit < b->limit)
	                            : a->late - b->late;
}

/* By rank: the metrics with a rule. */
static const struct el_metric *const with_rule[EL_METRICS] = {
	[WDL_RULE] = el_wdl_rule, [DTZ_RULE] = el_dtz_rule, [DTM_RULE] = el_dtm_rule};

const struct el_metric *el_metric_ruled(size_t rank, unsigned moves)
{
	return with_rule[rank] ? &with_rule[rank][moves - 1] : el_metrics[rank];
}

const struct el_metric *el_metric_without_rule(const struct el_metric *metric)
{
	static const struct el_metric *const freely[EL_METRICS] = {
		[WDL_RULE] = &el_wdl, [DTZ_RULE] = &el_dtz, [DTM_RULE] = &el_dtm};
	return freely[metric->rank] ? freely[metric->rank] : metric;
}

const struct el_metric *el_metric_find(const char *name)
{
	for (size_t rank = 0; rank < EL_METRICS; rank++)
		for (unsigned moves = 1; moves <= (with_rule[rank] ? EL_RULE_MAX : 1); moves++)
			if (!strcmp(el_metric_ruled(rank, moves)->name, name))
				return el_metric_ruled(rank, moves);
	return NULL;
}

/* ---- which values tell which ---- */

/* A metric that knows more also determines the outcome, or the phase. */
bool el_metric_tells(const struct el_metric *have, const struct el_metric *want)
{
	if (have == want)
		return true;
	if (have->late && want->has_depth)
		return have->rank == want->rank && have->limit == want->limit;
	if (have->wins_only || want->has_depth)
		return have->has_phase && want->entered == have;
	return !want->limit || have->limit == want->limit || have->has_phase;
}

const struct el_metric *el_metric_common(const struct el_metric *a, const struct el_metric *b)
{
	if (el_metric_tells(a, b) || el_metric_tells(b, a))
		return el_metric_tells(a, b) ? b : a;
	const unsigned limit = a->limit ? a->limit : b->limit;
	const struct el_metric *ruled = limit ? &el_wdl_rule[limit / 2 - 1] : &el_wdl;
	return el_metric_tells(a, ruled) && el_metric_tells(b, ruled) ? ruled : &el_wdl;
}

static enum el_outcome outcome_under(const struct el_metric *have, const struct el_metric *want,
                                     struct el_value v)
{
	const enum el_outcome lower = el_outcome_lower(v.outcome),
			      upper = el_outcome_upper(v.outcome);
	if (want->wins_only && lower <= EL_DRAW)
		return upper <= EL_DRAW ? EL_AT_MOST_DRAW : EL_UNKNOWN;
	if (want->wins_only)
		return EL_WIN;
	if (!want->limit)
		return v.outcome == EL_CURSED_WIN     ? EL_WIN
		       : v.outcome == EL_BLESSED_LOSS ? EL_LOSS
		                                      : (enum el_outcome)v.outcome;
	const bool late = !have->limit && v.plies > want->limit && !v.at_most;
	if (late && v.outcome == EL_WIN)
		return EL_CURSED_WIN;
	return late && v.outcome == EL_LOSS ? EL_BLESSED_LOSS : (enum el_outcome)v.outcome;
}

struct el_value el_metric_read(const struct el_metric *have, const struct el_metric *want,
                               struct el_value v)
{
	if (have == want || v.outcome == EL_BROKEN)
		return v;
	if (have->late && want->has_depth)
		return v;
	if (want->has_depth)
		return (struct el_value){.outcome = v.outcome, .plies = v.phase};
	return (struct el_value){.outcome = (uint8_t)outcome_under(have, want, v)};
}

/* ---- the values of one ---- */

static bool has_outcome(const struct el_metric *metric, enum el_outcome outcome)
{
	switch (outcome) {
	case EL_WIN:
		return true;
	case EL_LOSS:
	case EL_DRAW:
		return !metric->wins_only;
	case EL_CURSED_WIN:
	case EL_BLESSED_LOSS:
		return metric->limit;
	case EL_AT_MOST_DRAW:
		return !metric->has_depth;
	case EL_UNKNOWN:
	case EL_AT_LEAST_DRAW:
		return !metric->has_depth && !metric->wins_only;
	default:
		return false;
	}
}

bool el_metric_has_value(const struct el_metric *metric, struct el_value v)
{
	const bool counts =
		metric->has_depth && el_outcome_exact(v.outcome) && v.outcome != EL_DRAW;
	const bool in_time = v.outcome == EL_WIN || v.outcome == EL_LOSS;
	const unsigned most = !counts || (metric->by_clock && !in_time) ? 0u
	                      : metric->limit && in_time && !metric->by_clock
	                              ? metric->limit
	                              : (unsigned)EL_PLIES_MAX;
	return has_outcome(metric, v.outcome) && v.plies <= most &&
	       v.phase <= (metric->has_phase ? v.plies : 0);
}

/* ---- the order of values ---- */

/* All outcomes in one order. */
static int standing(enum el_outcome outcome)
{
	static const int standings[EL_OUTCOMES] = {
		[EL_LOSS] = 0,          [EL_AT_MOST_BLESSED] = 1, [EL_AT_MOST_DRAW] = 2,
		[EL_BLESSED_LOSS] = 3,  [EL_UNKNOWN] = 4,         [EL_DRAW] = 5,
		[EL_AT_LEAST_DRAW] = 6, [EL_CURSED_WIN] = 7,      [EL_AT_LEAST_CURSED] = 8,
		[EL_WIN] = 9,           [EL_BROKEN] = 10,
	};
	return standings[outcome];
}

int el_value_compare(const struct el_metric *metric, struct el_value a, struct el_value b)
{
	if (a.outcome != b.outcome)
		return standing(a.outcome) < standing(b.outcome) ? -1 : 1;
	return metric->kind->compare(a, b);
}

struct el_value el_value_max(const struct el_metric *metric, struct el_value a, struct el_value b)
{
	if (el_outcome_bounded(a.outcome) || el_outcome_bounded(b.outcome))
		return (struct el_value){.outcome = (uint8_t)el_outcome_max(a.outcome, b.outcome)};
	struct el_value max = el_value_compare(metric, a, b) < 0 ? b : a;
	/* The other win may be the quicker one. */
	if (max.outcome > EL_DRAW && a.outcome == b.outcome)
		max.at_most = (a.at_most || b.at_most) && max.plies > 1;
	return max;
}

bool el_value_is_best(const struct el_metric *metric, struct el_value value)
{
	return value.outcome == EL_WIN && !metric->has_depth;
}

/* ---- kinds of values ---- */

/* Outcomes, and bounds of them. */

static int compare_outcomes(struct el_value a, struct el_value b)
{
	(void)a, (void)b;
	return 0;
}

static struct el_value step_outcome(const struct el_metric *metric, struct el_value reached,
                                    bool ends, unsigned gain)
{
	(void)gain;
	const struct el_value v = {.outcome = (uint8_t)el_outcome_negate(reached.outcome)};
	return ends && metric->wins_only ? el_metric_read(metric->entered, metric, v) : v;
}

static bool no_number(struct el_value v, int *out)
{
	(void)v, (void)out;
	return false;
}

const struct el_value_kind el_kind_outcome = {
	.compare = compare_outcomes,
	.step = step_outcome,
	.number = no_number,
};

/* Depths in plies, which may be rounded, and phases. */

static int compare_depths(struct el_value a, struct el_value b)
{
	if (a.plies == b.plies && a.phase == b.phase)
		return b.at_most - a.at_most;
	const bool longer = a.plies != b.plies ? a.plies > b.plies : a.phase > b.phase;
	return longer == (a.outcome < EL_DRAW) ? 1 : -1;
}

static unsigned plies_of_move(const struct el_metric *metric, struct el_value reached, bool ends)
{
	const bool drawn = el_outcome_late(reached.outcome);
	if (ends && drawn && metric->late)
		return metric->limit + 1;
	if (!ends && metric->has_phase)
		return reached.plies + (reached.plies == reached.phase ? 1u : 0u);
	if (!ends || metric->join == EL_JOIN_SUM)
		return reached.plies + 1u;
	return metric->join == EL_JOIN_MAX && reached.plies > 1 ? reached.plies : 1;
}

static struct el_value step_depth(const struct el_metric *metric, struct el_value reached,
                                  bool ends, unsigned gain)
{
	(void)gain;
	struct el_value v = {.outcome = (uint8_t)el_outcome_negate(reached.outcome)};
	if (v.outcome == EL_DRAW || !el_outcome_exact(v.outcome))
		return v;
	v.plies = (uint16_t)plies_of_move(metric, reached, ends);
	v.rounded = reached.rounded && !ends;
	v.at_most = reached.at_most && (!ends || metric->join != EL_JOIN_ONE);
	v.phase = !metric->has_phase ? 0 : ends ? 1 : (uint16_t)(reached.phase + 1);
	if (metric->by_clock) {
		v.plies = v.outcome == EL_WIN || v.outcome == EL_LOSS ? v.plies : 0;
		return v;
	}
	const bool late = metric->limit && v.plies > metric->limit;
	if (late && v.outcome == EL_WIN)
		v.outcome = EL_CURSED_WIN;
	if (late && v.outcome == EL_LOSS)
		v.outcome = EL_BLESSED_LOSS;
	return v;
}

static bool number_of_plies(struct el_value v, int *out)
{
	const bool late = el_outcome_late(v.outcome);
	*out = v.plies;
	return el_outcome_exact(v.outcome) && v.outcome != EL_DRAW && (v.plies || !late);
}

const struct el_value_kind el_kind_depth = {
	.unit = "plies",
	.compare = compare_depths,
	.step = step_depth,
	.number = number_of_plies,
};

/* Stones gained or lost: a winner wants many, a loser few. */

struct el_value el_value_of_stones(int stones)
{
	return (struct el_value){
		.outcome = stones ? stones > 0 ? EL_WIN : EL_LOSS : EL_DRAW,
		.plies = (uint16_t)abs(stones),
	};
}

static int compare_stones(struct el_value a, struct el_value b)
{
	const int x = el_value_stones(a), y = el_value_stones(b);
	return (x > y) - (x < y);
}

static struct el_value step_stones(const struct el_metric *metric, struct el_value reached,
                                   bool ends, unsigned gain)
{
	return el_outcome_exact(reached.outcome)
	               ? el_value_of_stones((int)gain - el_value_stones(reached))
	               : step_depth(metric, reached, ends, gain);
}

static bool number_of_stones(struct el_value v, int *out)
{
	*out = el_value_stones(v);
	return el_outcome_exact(v.outcome);
}

const struct el_value_kind el_kind_stones = {
	.unit = "stones",
	.adds_up = true,
	.compare = compare_stones,
	.step = step_stones,
	.number = number_of_stones,
};
