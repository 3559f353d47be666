/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verdict.h"
#include "values.h"

#include <stdio.h>

/* "win", "draw", "loss"; a win that comes too late is a draw. */
static const char *level_word(enum el_outcome outcome)
{
	return outcome == EL_WIN ? "win" : outcome == EL_LOSS ? "loss" : "draw";
}

/* "mate in 12 moves (23 plies)"; empty where there is no depth. */
static const char *depth_of(const struct el_move_verdict *v, struct el_value value, bool in_moves,
                            char out[SENTENCE_MAX])
{
	out[0] = '\0';
	if (v->metric && value_is_deep(v->metric, value))
		value_sentence(v->metric, value, in_moves, out);
	return out;
}

static const char *late_words(enum el_outcome outcome)
{
	if (outcome == EL_CURSED_WIN)
		return " (the win takes too long)";
	return outcome == EL_BLESSED_LOSS ? " (the loss takes too long)" : "";
}

/* "threw the win: Kc5 keeps it, mate in 12 moves (23 plies)" */
static void thrown_text(const struct el_game *game, const struct el_position *before,
                        const struct el_move_verdict *v, bool in_moves, char *out)
{
	char depth[SENTENCE_MAX], san[EL_MOVE_MAX];
	game->write_move(before, &v->better, EL_SAN, san);
	depth_of(v, v->best, in_moves, depth);
	snprintf(out, VERDICT_MAX, "%s the %s%s%s: %s %s%s%s",
	         v->kind == EL_VERDICT_MISSED ? "missed" : "threw", level_word(v->before),
	         v->mark == EL_MARK_BLUNDER ? " and now loses" : "", late_words(v->after), san,
	         v->before == EL_WIN ? "wins" : "draws", *depth ? ", " : "", depth);
}

/* ", cost 4 plies" */
static void cost_text(const struct el_move_verdict *v, char out[64])
{
	out[0] = '\0';
	if (v->lost)
		snprintf(out, 64, v->before == EL_LOSS ? ", %u %s sooner than need be" : ", cost %u %s",
		         v->lost, depth_unit_of(v->lost, false));
}

static void kept_text(const struct el_move_verdict *v, bool in_moves, char *out)
{
	char depth[SENTENCE_MAX], cost[64];
	depth_of(v, v->got, in_moves, depth);
	cost_text(v, cost);
	if (v->before == EL_LOSS)
		snprintf(out, VERDICT_MAX, "lost%s%s%s", cost, *depth ? ": " : "", depth);
	else
		snprintf(out, VERDICT_MAX, "%s the %s%s%s%s%s", v->only ? "only move to keep" : "kept",
		         level_word(v->before), late_words(v->after), cost, *depth ? ": " : "", depth);
}

const char *verdict_text(const struct el_game *game, const struct el_position *before,
                         const struct el_move_verdict *v, bool in_moves, char out[VERDICT_MAX])
{
	out[0] = '\0';
	if (v->kind == EL_VERDICT_KEPT)
		kept_text(v, in_moves, out);
	else if (v->kind != EL_VERDICT_UNKNOWN)
		thrown_text(game, before, v, in_moves, out);
	return out;
}
