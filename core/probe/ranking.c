/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Better outcomes come first, so that nothing won is thrown away for a shorter count; then known
 * depths before unknown ones, then depths. Among equals those come first that set the opponent
 * problems: where most replies are mistakes, where these hold longest, then where most is captured
 * or promoted, then where most replies cost plies. Of values in stones, before all that, the
 * shortest way to a gain comes first, or the longest to a loss (soonest.h).
 */
#include "ranking.h"

#include "from_moves.h"
#include "soonest.h"

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

/* Under a metric of which moves know bounds alone, that by which they are known is the better
   order. */
static const struct el_metric *order_of(const struct el_answer *answer)
{
	const struct el_metric *metric = answer->metric;
	const struct el_metric *chooser = metric ? el_metric_chosen_by(metric) : NULL;
	return chooser && is_known(answer->value, chooser) ? chooser : metric;
}

/* ---- what a move asks of the opponent ---- */

struct weigher {
	struct probe probe;
	const struct el_metric *metric;
	const struct el_game *game;
};

/* A position with its place. */
struct placed {
	struct el_position position;
	struct el_place place;
	bool has_place;
};

static void move_to(const struct weigher *w, const struct placed *from, const struct el_move *move,
                    struct placed *out)
{
	w->game->play(&from->position, move, &out->position);
	out->has_place = w->game->place(&out->position, &out->place);
}

/* What a move is worth for its mover; EL_UNKNOWN where that is not known exactly. */
static struct el_value worth(const struct weigher *w, const struct placed *before,
                             const struct el_move *move, const struct placed *after)
{
	const bool leaves =
		before->has_place && after->has_place
			? before->place.key != after->place.key
			: from_moves_leaves(w->game, &before->position, &after->position);
	const bool ends = el_move_ends(w->game, w->metric, &before->position, move, leaves);
	struct el_value reached;
	struct el_error error;
	struct probe probe = w->probe;
	probe.metric = ends ? el_metric_entered(w->metric) : w->metric;
	if (probe_placed(&probe, &after->position, after->has_place ? &after->place : NULL,
	                 &reached, &error) ||
	    !el_outcome_exact(reached.outcome))
		return (struct el_value){.outcome = EL_UNKNOWN};
	return el_value_of_move(w->metric, reached, ends,
	                        el_move_gain(w->game, &before->position, move));
}

/* What a move takes and promotes; the kinds of a game stand in order, the strongest first. */
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

/* The most that the mover can take next and keep the outcome. */
static int next_gain(const struct weigher *w, const struct placed *from, enum el_outcome outcome)
{
	struct el_move captures[EL_MOVES_MAX];
	const size_t count = w->game->captures(&from->position, captures);
	int most = 0;
	for (size_t i = 0; i < count; i++) {
		struct placed after;
		const int gain = gain_of(w->game, &from->position, &captures[i]);
		if (gain <= most)
			continue;
		move_to(w, from, &captures[i], &after);
		if (worth(w, from, &captures[i], &after).outcome == outcome)
			most = gain;
	}
	return most;
}

/* A reply and what it is worth for the opponent. */
struct reply {
	struct el_value value;
	int gain; /* of the mover, by the next capture, less what the reply takes */
};

static void count_replies(const struct weigher *w, const struct reply *replies, size_t count,
                          struct el_demand *out)
{
	struct el_value best = {.outcome = EL_BROKEN};
	int least = INT16_MAX;
	for (size_t i = 0; i < count; i++)
		best = best.outcome == EL_BROKEN ? replies[i].value
		                                 : el_value_max(w->metric, best, replies[i].value);
	for (size_t i = 0; i < count; i++) {
		const struct el_value v = replies[i].value;
		if (v.outcome != best.outcome) {
			out->mistakes++;
			out->holds += v.plies;
			continue;
		}
		out->slips = (uint16_t)(out->slips + (el_value_compare(w->metric, v, best) < 0));
		least = replies[i].gain < least ? replies[i].gain : least;
	}
	out->replies = (uint16_t)count;
	out->gain = (int16_t)(out->gain + (count ? least : 0));
}

static void weigh_move(const struct weigher *w, const struct placed *from, struct el_ranked *ranked)
{
	struct el_move moves[EL_MOVES_MAX];
	struct reply replies[EL_MOVES_MAX];
	struct placed after;
	size_t known = 0;
	const enum el_outcome outcome = ranked->value[el_metric_rank(w->metric)].outcome;
	move_to(w, from, &ranked->move, &after);
	const size_t count = w->game->moves(&after.position, moves);
	ranked->demand = (struct el_demand){
		.gain = (int16_t)gain_of(w->game, &from->position, &ranked->move)};
	for (size_t i = 0; i < count; i++) {
		struct placed next;
		move_to(w, &after, &moves[i], &next);
		const struct el_value value = worth(w, &after, &moves[i], &next);
		if (value.outcome == EL_UNKNOWN)
			continue;
		replies[known++] =
			(struct reply){value, next_gain(w, &next, outcome) -
		                                      gain_of(w->game, &after.position, &moves[i])};
	}
	count_replies(w, replies, known, &ranked->demand);
}

/* A capture now is soonest; after a quiet move the search goes on. */
static void look_ahead(const struct weigher *w, const struct placed *from, struct el_ranked *ranked)
{
	struct placed after;
	struct probe probe = w->probe;
	probe.metric = w->metric;
	move_to(w, from, &ranked->move, &after);
	const bool captures = el_move_gain(w->game, &from->position, &ranked->move);
	const unsigned plies = captures ? 0 : soonest_plies(&probe, &after.position);
	ranked->demand.soonest = (uint16_t)(captures || plies ? plies + 1 : 0);
}

/* The shares of two numbers, or their means, without dividing. */
static int compare_shares(uint32_t x, uint32_t of_x, uint32_t y, uint32_t of_y)
{
	const uint64_t left = (uint64_t)x * of_y, right = (uint64_t)y * of_x;
	return (left > right) - (left < right);
}

static int compare_demands(const struct el_demand *x, const struct el_demand *y)
{
	int order = compare_shares(x->mistakes, x->replies, y->mistakes, y->replies);
	if (!order)
		order = compare_shares(x->holds, x->mistakes, y->holds, y->mistakes);
	if (!order)
		order = (x->gain > y->gain) - (x->gain < y->gain);
	return order ? order : compare_shares(x->slips, x->replies, y->slips, y->replies);
}

/* In stones, who gains goes the shortest way, who loses the longest. */
static int compare_ways(const struct el_ranked *x, const struct el_ranked *y)
{
	const unsigned a = x->demand.soonest, b = y->demand.soonest;
	if (a == b || !a || !b)
		return (a != 0) - (b != 0);
	return (a < b) == (x->outcome > EL_DRAW) ? 1 : -1;
}

static int by_demand(const void *a, const void *b)
{
	const struct el_ranked *x = a, *y = b;
	int order = compare_ways(y, x);
	if (!order)
		order = compare_demands(&y->demand, &x->demand);
	return order ? order : strcmp(x->san, y->san);
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

static void sort_equals(struct el_answer *answer, const struct weigher *w)
{
	const size_t rank = el_metric_rank(w->metric);
	struct placed from = {.position = answer->position};
	from.has_place = w->game->place(&from.position, &from.place);
	for (size_t first = 0, end; first < answer->count; first = end) {
		struct el_ranked *moves = &answer->moves[first];
		for (end = first + 1; end < answer->count; end++)
			if (compare(moves, &answer->moves[end], w->metric))
				break;
		if (end - first == 1 || !el_outcome_exact(moves->value[rank].outcome))
			continue;
		for (size_t i = 0; i < end - first; i++)
			weigh_move(w, &from, &moves[i]);
		for (size_t i = 0;
		     i < end - first && w->metric->stones && moves->outcome != EL_DRAW; i++)
			look_ahead(w, &from, &moves[i]);
		qsort(moves, end - first, sizeof *moves, by_demand);
	}
}

/* One move that is better than all others by its outcome, and these are known. */
static void mark_only(struct el_answer *answer)
{
	struct el_ranked *moves = answer->moves;
	bool exact = answer->count > 0;
	for (size_t i = 0; i < answer->count; i++)
		exact = exact && el_outcome_exact(moves[i].outcome);
	if (exact)
		moves[0].only = answer->count == 1 || moves[1].outcome != moves[0].outcome;
}

void ranking_sort(struct el_answer *answer, const struct probe *asks)
{
	const struct el_metric *metric = order_of(answer);
	qsort_r(answer->moves, answer->count, sizeof *answer->moves, ranking,
	        (void *)(uintptr_t)metric);
	if (asks && metric)
		sort_equals(answer, &(struct weigher){*asks, metric, answer->game});
	mark_only(answer);
}
