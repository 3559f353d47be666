/* SPDX-License-Identifier: MIT */
/* Verdicts: compares a move with the best one in the library's answer to the position before it. */
#include "core/probe/probe.h"
#include "tree.h"

#include <stdlib.h>

enum { GAMES_MAX = 8 };

struct el_judge {
	struct el_library *library;
	struct el_question question;
	unsigned pieces[GAMES_MAX]; /* by the game's place in el_games: the most in any table */
	struct el_answer answer;    /* to the position before the move */
};

static size_t place_of(const struct el_game *game)
{
	size_t place = 0;
	while (el_games[place] && el_games[place] != game)
		place++;
	return place;
}

enum el_status el_judge_open(struct el_library *library, const struct el_question *question,
                             struct el_judge **out, struct el_error *error)
{
	struct el_entry *entries;
	size_t count;
	struct el_judge *judge = calloc(1, sizeof *judge);
	*out = NULL;
	if (!judge)
		return el_fail(error, EL_MEMORY, "verdicts: out of memory");
	enum el_status status = el_library_list(library, &entries, &count, error);
	if (status) {
		free(judge);
		return status;
	}
	for (const struct el_entry *e = entries; e < entries + count; e++) {
		const bool is_table = e->metric && !e->slice.is_study;
		const size_t place = is_table ? place_of(e->slice.game) : GAMES_MAX;
		if (place < GAMES_MAX && judge->pieces[place] < e->slice.pieces)
			judge->pieces[place] = e->slice.pieces;
	}
	el_entries_free(entries, count);
	const struct el_elsewhere *elsewhere =
		question->asking ? el_library_elsewhere(library) : NULL;
	const size_t asked = elsewhere ? place_of(elsewhere->game) : GAMES_MAX;
	if (asked < GAMES_MAX && judge->pieces[asked] < elsewhere->pieces)
		judge->pieces[asked] = elsewhere->pieces;
	judge->library = library;
	judge->question = *question;
	judge->question.alone = false;
	*out = judge;
	return EL_OK;
}

void el_judge_close(struct el_judge *judge)
{
	free(judge);
}

bool el_judge_covers(const struct el_judge *judge, const struct el_game *game,
                     const struct el_position *position)
{
	const size_t place = place_of(game);
	const unsigned pieces = el_piece_count(position) + position->hand[0] + position->hand[1];
	return (place < GAMES_MAX && pieces <= judge->pieces[place]) ||
	       el_library_studies(judge->library, game, position);
}

/* ---- outcomes, with a win that comes too late as a draw ---- */

enum level { LOST, DRAWN, WON };

static enum level level_of(enum el_outcome exact)
{
	return exact == EL_LOSS ? LOST : exact == EL_WIN ? WON : DRAWN;
}

static enum el_outcome without_rule(enum el_outcome outcome)
{
	return el_outcome_lower(outcome) > EL_DRAW && outcome != EL_BROKEN ? EL_WIN
	       : el_outcome_upper(outcome) < EL_DRAW                       ? EL_LOSS
	                                                                   : outcome;
}

static void count_plies(const struct el_answer *answer, const struct el_ranked *best,
                        const struct el_ranked *move, struct el_move_verdict *out)
{
	const struct el_metric *metric = answer->metric;
	const bool within =
		metric && el_metric_chosen_by(metric)->has_phase && answer->position.halfmove;
	if (!metric || !metric->has_depth ||
	    within) /* within a phase, depths do not hold for this position */
		return;
	const size_t rank = el_metric_rank(metric);
	out->best = best->value[rank];
	out->got = move->value[rank];
	if (!el_outcome_exact(out->best.outcome) || !el_outcome_exact(out->got.outcome))
		return;
	out->metric = metric;
	const bool rough = el_ranked_is_rough(best, metric) || el_ranked_is_rough(move, metric);
	if (out->best.outcome != out->got.outcome || rough ||
	    el_value_matches(out->best, out->got) ||
	    el_value_compare(metric, out->got, out->best) >= 0)
		return;
	out->lost = (unsigned)abs((int)out->got.plies - (int)out->best.plies);
}

void el_judge_answer(const struct el_answer *answer, const struct el_ranked *move,
                     const struct el_move_verdict *previous, struct el_move_verdict *out)
{
	*out = (struct el_move_verdict){
		.before = answer->outcome, .after = move->outcome, .better = answer->moves[0].move};
	out->untimed = el_outcome_untimed(out->before) || el_outcome_untimed(out->after);
	if (out->untimed) {
		out->before = without_rule(out->before);
		out->after = without_rule(out->after);
	}
	/* Of bounds, what is sure: the least that there was, and the most that is left. */
	const enum level before = level_of(el_outcome_lower(out->before)),
			 most = level_of(el_outcome_upper(out->before)),
			 after = level_of(el_outcome_upper(out->after)),
			 least = level_of(el_outcome_lower(out->after));
	if (out->before == EL_BROKEN || out->after == EL_BROKEN ||
	    (after >= before && least < most))
		return;
	out->before =
		after < before ? el_outcome_lower(out->before) : el_outcome_upper(out->before);
	out->after = el_outcome_upper(out->after);
	bool only = answer->count > 1; /* no other move reaches the level before */
	for (const struct el_ranked *m = answer->moves; m < answer->moves + answer->count; m++)
		only &= m == move || level_of(el_outcome_upper(m->outcome)) < before;
	out->kind = EL_VERDICT_KEPT;
	count_plies(answer, &answer->moves[0], move, out);
	if (after < before) {
		const bool given = previous && (previous->kind == EL_VERDICT_THREW ||
		                                previous->kind == EL_VERDICT_MISSED);
		out->kind = given ? EL_VERDICT_MISSED : EL_VERDICT_THREW;
		out->lost = 0;
		out->mark = before == WON && after == LOST ? EL_MARK_BLUNDER : EL_MARK_MISTAKE;
	} else if (before > LOST && only) {
		out->only = true;
		out->mark = EL_MARK_GOOD;
	}
}

void el_line_sum_add(struct el_line_sum *sum, const struct el_tree *tree, uint32_t node,
                     const struct el_move_verdict *v)
{
	const struct el_position *before = &tree->nodes[tree->nodes[node].parent].position;
	sum->moves++;
	if (!v || v->kind == EL_VERDICT_UNKNOWN || v->kind == EL_VERDICT_BEYOND)
		return;
	if (!sum->from) {
		sum->from = before->fullmove;
		sum->first = before->side;
	}
	sum->side[before->side].judged++;
	sum->side[before->side].lost += v->lost;
	if (v->kind == EL_VERDICT_KEPT)
		return;
	sum->side[before->side].mistakes++;
	sum->side[before->side].halves += v->mark == EL_MARK_BLUNDER ? 2 : 1;
}

enum el_status el_judge_move(struct el_judge *j, const struct el_tree *tree, uint32_t at,
                             const struct el_move_verdict *previous, struct el_move_verdict *out,
                             struct el_error *error)
{
	const struct el_node *node = &tree->nodes[at];
	*out = (struct el_move_verdict){.before = EL_UNKNOWN, .after = EL_UNKNOWN};
	if (node->parent == EL_NO_NODE)
		return EL_OK;
	if (!el_judge_covers(j, tree->game, &node->position)) {
		out->kind = EL_VERDICT_BEYOND;
		return EL_OK;
	}
	const struct el_position *before = &tree->nodes[node->parent].position;
	enum el_status status =
		el_library_answer(j->library, tree->game, before, &j->question, &j->answer, error);
	for (size_t i = 0; i < j->answer.count; i++)
		if (el_move_equal(&j->answer.moves[i].move, &node->move)) {
			el_judge_answer(&j->answer, &j->answer.moves[i], previous, out);
			break;
		}
	return status;
}
