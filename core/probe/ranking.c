/* SPDX-License-Identifier: MIT */
/*
 * Better outcomes come first, so that no win is thrown away for a shorter count; then known depths
 * before unknown ones; then better depths. Among equals, moves that set problems come first: most
 * replies are mistakes, then mistakes hold out longest, then most is captured or promoted, then
 * most replies cost plies. With values in stones, the shortest way to a gain, or the longest to a
 * loss, comes before all that (soonest.c).
 */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

static bool is_known(const struct el_value values[EL_METRICS], const struct el_metric *metric)
{
	return values[el_metric_rank(metric)].outcome != EL_UNKNOWN;
}

bool ranking_has_value(const struct el_answer *answer, const struct el_metric *metric)
{
	return metric && el_metric_alike(answer->metrics[el_metric_rank(metric)], metric) &&
	       is_known(answer->value, metric);
}

const struct el_metric *ranking_finest(const struct el_answer *answer)
{
	const struct el_metric *found = NULL;
	for (size_t m = 0; m < EL_METRICS; m++) {
		const struct el_metric *metric = answer->metrics[m];
		if (ranking_has_value(answer, metric) &&
		    (!found || metric->has_depth > found->has_depth))
			found = metric;
	}
	return found;
}

/* ---- what a move demands of the opponent ---- */

/* The value of a step for its mover; EL_UNKNOWN if not known exactly. */
static struct el_value worth(const struct probe *p, const struct step *step)
{
	struct el_error error;
	struct el_value value;
	step_probe(step, p, &value, &error);
	return el_outcome_exact(value.outcome) ? value : (struct el_value){.outcome = EL_UNKNOWN};
}

/* What a move captures and promotes. A game's kinds are in order, strongest first. */
static int gain_of(const struct el_game *game, const struct el_position *before,
                   const struct el_move *move)
{
	int gain = move->kind - move->becomes + (int)el_move_gain(game, before, move);
	for (uint64_t rest = move->captured; rest; rest &= rest - 1) {
		unsigned side, kind;
		if (el_piece_at(before, (uint8_t)__builtin_ctzll(rest), &side, &kind))
			gain += EL_KINDS - (int)kind;
	}
	return gain;
}

/* The most that the mover can capture next while keeping the outcome. */
static int next_gain(const struct probe *p, const struct spot *from, enum el_outcome outcome)
{
	struct el_move captures[EL_MOVES_MAX];
	const size_t count = p->game->captures(from->position, captures);
	int most = 0;
	for (size_t i = 0; i < count; i++) {
		struct step step;
		const int gain = gain_of(p->game, from->position, &captures[i]);
		if (gain <= most)
			continue;
		step_take(p->game, from, &captures[i], &step);
		if (worth(p, &step).outcome == outcome)
			most = gain;
	}
	return most;
}

/* Looks at the replies to a move: the value of each for the opponent, and what the mover gains by
   the next capture, less what the reply captures. */
static void weigh_move(const struct probe *p, const struct spot *from, struct el_ranked *ranked)
{
	struct el_move moves[EL_MOVES_MAX];
	struct reply {
		struct el_value value;
		int gain;
	} replies[EL_MOVES_MAX];
	struct step step, next;
	struct el_value best = {.outcome = EL_BROKEN};
	size_t known = 0;
	int least = INT16_MAX;
	const enum el_outcome outcome = ranked->value[el_metric_rank(p->metric)].outcome;
	step_take(p->game, from, &ranked->move, &step);
	const size_t count = p->game->moves(step.to.position, moves);
	for (size_t i = 0; i < count; i++) {
		step_take(p->game, &step.to, &moves[i], &next);
		const struct el_value value = worth(p, &next);
		if (value.outcome == EL_UNKNOWN)
			continue;
		replies[known++] = (struct reply){
			value, next_gain(p, &next.to, outcome) -
				       gain_of(p->game, step.to.position, &moves[i])};
		value_raise(p->metric, &best, value);
	}

	struct el_demand *demand = &ranked->demand;
	*demand = (struct el_demand){.replies = (uint16_t)known};
	for (size_t i = 0; i < known; i++) {
		const struct el_value v = replies[i].value;
		if (v.outcome != best.outcome) {
			demand->mistakes++;
			demand->holds += v.plies;
			continue;
		}
		if (el_value_compare(p->metric, v, best) < 0)
			demand->slips++;
		least = replies[i].gain < least ? replies[i].gain : least;
	}
	demand->gain =
		(int16_t)(gain_of(p->game, from->position, &ranked->move) + (known ? least : 0));
}

/* Compares two shares, or two means, without dividing. */
static int compare_shares(uint32_t x, uint32_t of_x, uint32_t y, uint32_t of_y)
{
	const uint64_t left = (uint64_t)x * of_y, right = (uint64_t)y * of_x;
	return (left > right) - (left < right);
}

static int by_demand(const void *first, const void *second)
{
	const struct el_ranked *moves[2] = {first, second};
	const struct el_demand *x = &moves[1]->demand, *y = &moves[0]->demand;
	/* In stones, the gaining side goes the shortest way, the losing side the longest. */
	int order = (x->soonest != 0) - (y->soonest != 0);
	if (x->soonest != y->soonest && x->soonest && y->soonest)
		order = (x->soonest < y->soonest) == (moves[1]->outcome > EL_DRAW) ? 1 : -1;
	if (!order)
		order = compare_shares(x->mistakes, x->replies, y->mistakes, y->replies);
	if (!order)
		order = compare_shares(x->holds, x->mistakes, y->holds, y->mistakes);
	if (!order)
		order = (x->gain > y->gain) - (x->gain < y->gain);
	if (!order)
		order = compare_shares(x->slips, x->replies, y->slips, y->replies);
	return order ? order : strcmp(moves[0]->san, moves[1]->san);
}

/* ---- the order ---- */

/* Greater than 0: the first move is the better one. */
static int compare(const struct el_ranked *x, const struct el_ranked *y,
                   const struct el_metric *metric)
{
	const struct el_value ox = {.outcome = (uint8_t)x->outcome};
	const struct el_value oy = {.outcome = (uint8_t)y->outcome};
	int order = el_value_compare(&el_wdl, ox, oy);
	if (!order && metric)
		order = is_known(x->value, metric) - is_known(y->value, metric);
	if (!order && metric)
		order = el_value_compare(metric, x->value[el_metric_rank(metric)],
		                         y->value[el_metric_rank(metric)]);
	return order;
}

static int ranking(const void *a, const void *b, void *metric)
{
	const int order = compare(b, a, metric);
	return order ? order
	             : strcmp(((const struct el_ranked *)a)->san,
	                      ((const struct el_ranked *)b)->san);
}

static void sort_equals(struct el_answer *answer, const struct spot *spot, const struct probe *p)
{
	const size_t rank = el_metric_rank(p->metric);
	for (size_t first = 0, end; first < answer->count; first = end) {
		struct el_ranked *moves = &answer->moves[first];
		for (end = first + 1; end < answer->count; end++)
			if (compare(moves, &answer->moves[end], p->metric))
				break;
		if (end - first == 1 || !el_outcome_exact(moves->value[rank].outcome))
			continue;
		for (size_t i = 0; i < end - first; i++)
			weigh_move(p, spot, &moves[i]);
		const bool by_gains = p->metric->kind->adds_up && moves->outcome != EL_DRAW;
		for (size_t i = 0; i < end - first && by_gains; i++) {
			/* A capture now is the soonest; after a quiet move the search goes on. */
			struct step step;
			step_take(p->game, spot, &moves[i].move, &step);
			const bool now = el_move_gain(p->game, spot->position, &moves[i].move);
			const unsigned plies = now ? 0 : soonest_plies(p, &step.to);
			moves[i].demand.soonest = (uint16_t)(now || plies ? plies + 1 : 0);
		}
		qsort(moves, end - first, sizeof *moves, by_demand);
	}
}

void ranking_sort(struct el_answer *answer, const struct spot *spot, const struct probe *asks)
{
	/* If moves are known only within bounds under this metric, order them by the metric that
	   determines them. */
	const struct el_metric *metric = answer->metric;
	const struct el_metric *chooser = metric ? el_metric_chosen_by(metric) : NULL;
	struct el_ranked *moves = answer->moves;
	bool exact = answer->count > 0;
	if (chooser && is_known(answer->value, chooser))
		metric = chooser;
	qsort_r(moves, answer->count, sizeof *moves, ranking, (void *)(uintptr_t)metric);
	if (asks && metric) {
		struct probe probe = *asks;
		probe.metric = metric;
		sort_equals(answer, spot, &probe);
	}
	/* If the outcomes are known, one move may have a better one than all others. */
	for (size_t i = 0; i < answer->count; i++)
		exact = exact && el_outcome_exact(moves[i].outcome);
	if (exact)
		moves[0].only = answer->count == 1 || moves[1].outcome != moves[0].outcome;
}
