/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verdict.h"
#include "games.h"
#include "values.h"

#include <stdio.h>
#include <string.h>

/* "win", "draw", "loss"; a win that comes too late is a draw. */
static const char *level_word(enum el_outcome outcome)
{
	return outcome == EL_WIN ? "win" : outcome == EL_LOSS ? "loss" : "draw";
}

/*
 * "mate in 12 moves (23 plies)" behind `before`; where the metric counts to what has been said
 * already ("win in 42 moves"), what is left of it behind `said`. Empty where there is no depth.
 */
static const char *depth_of(const struct el_move_verdict *v, struct el_value value, bool in_moves,
                            const char *before, const char *said, char out[SENTENCE_MAX])
{
	char sentence[SENTENCE_MAX - 8];
	out[0] = '\0';
	if (!v->metric || !value_is_deep(v->metric, value))
		return out;
	snprintf(sentence, sizeof sentence, "%s",
	         value_sentence(v->metric, value, in_moves, (char[SENTENCE_MAX]){""}));
	const char *word = level_word(value.outcome), *rest = sentence + strlen(word);
	if (!strncmp(sentence, word, strlen(word)) && !strncmp(rest, " in ", 4))
		snprintf(out, SENTENCE_MAX, "%s%s", said, rest + 4);
	else
		snprintf(out, SENTENCE_MAX, "%s%s", before, sentence);
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
	depth_of(v, v->best, in_moves, ", ", " in ", depth);
	snprintf(out, VERDICT_MAX, "%s the %s%s%s: %s %s%s",
	         v->kind == EL_VERDICT_MISSED ? "missed" : "threw", level_word(v->before),
	         v->mark == EL_MARK_BLUNDER ? " and now loses" : "", late_words(v->after), san,
	         v->before == EL_WIN ? "wins" : "draws", depth);
}

static bool is_in_stones(const struct el_move_verdict *v)
{
	return v->metric && v->metric->stones;
}

/* ", cost 4 plies" */
static void cost_text(const struct el_move_verdict *v, char out[64])
{
	out[0] = '\0';
	if (v->lost && v->before == EL_LOSS)
		snprintf(out, 64, ", %u %s %s than need be", v->lost,
		         depth_unit_of(v->metric, v->lost, false),
		         is_in_stones(v) ? "more" : "sooner");
	else if (v->lost)
		snprintf(out, 64, ", cost %u %s", v->lost,
		         depth_unit_of(v->metric, v->lost, false));
}

static void kept_text(const struct el_move_verdict *v, bool in_moves, char *out)
{
	char depth[SENTENCE_MAX], cost[64];
	cost_text(v, cost);
	depth_of(v, v->got, in_moves, ": ", *cost ? ": " : " in ", depth);
	if (v->before == EL_LOSS)
		snprintf(out, VERDICT_MAX, "lost%s%s", cost, depth);
	else
		snprintf(out, VERDICT_MAX, "%s the %s%s%s%s",
		         v->only ? "only move to keep" : "kept", level_word(v->before),
		         late_words(v->after), cost, depth);
}

const char *verdict_text(const struct el_game *game, const struct el_position *before,
                         const struct el_move_verdict *v, bool in_moves, char out[VERDICT_MAX])
{
	out[0] = '\0';
	switch (v->kind) {
	case EL_VERDICT_UNKNOWN:
		snprintf(out, VERDICT_MAX, "what it kept is unknown");
		break;
	case EL_VERDICT_BEYOND:
		snprintf(out, VERDICT_MAX, "no table here has so many %s", pieces_word(game));
		break;
	case EL_VERDICT_KEPT:
		kept_text(v, in_moves, out);
		break;
	case EL_VERDICT_THREW:
	case EL_VERDICT_MISSED:
		thrown_text(game, before, v, in_moves, out);
		break;
	}
	return out;
}

/* ---- in a few words ---- */

static void brief_depth(const struct el_move_verdict *v, bool in_moves, char out[64])
{
	const bool lost = v->before == EL_LOSS, won = v->before == EL_WIN;
	const bool deep = v->metric && (won || lost) && value_is_deep(v->metric, v->got);
	size_t used = (size_t)snprintf(out, 64, "%s", lost ? "lost" : level_word(v->before));
	if (deep)
		used += (size_t)snprintf(out + used, 64 - used, " %u",
		                         depth_shown(v->metric, v->got.plies, in_moves));
	if (deep && v->lost)
		snprintf(out + used, 64 - used, ", %u %s %s", v->lost,
		         depth_unit_of(v->metric, v->lost, false),
		         is_in_stones(v) ? lost ? "more" : "fewer"
		         : lost          ? "sooner"
		                         : "longer");
	else if (v->only)
		snprintf(out + used, 64 - used, ", only move");
}

const char *verdict_brief(const struct el_game *game, const struct el_position *before,
                          const struct el_move_verdict *v, bool in_moves, char out[VERDICT_MAX])
{
	char san[EL_MOVE_MAX], brief[64];
	out[0] = '\0';
	if (v->kind == EL_VERDICT_KEPT) {
		brief_depth(v, in_moves, brief);
		snprintf(out, VERDICT_MAX, "%s", brief);
	} else if (v->kind == EL_VERDICT_THREW || v->kind == EL_VERDICT_MISSED) {
		game->write_move(before, &v->better, EL_SAN, san);
		snprintf(out, VERDICT_MAX, "%s: %s %s",
		         v->after == EL_LOSS            ? "loses"
		         : v->kind == EL_VERDICT_MISSED ? "misses the win"
		                                        : "throws the win",
		         san, v->before == EL_WIN ? "wins" : "draws");
	}
	return out;
}
