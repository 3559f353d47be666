/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "values.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	char mark;
	const char *group;
} outcomes[] = {
	[EL_LOSS] = {'L', "losing"},
	[EL_BLESSED_LOSS] = {'l', "blessed losses"},
	[EL_DRAW] = {'=', "drawing"},
	[EL_CURSED_WIN] = {'w', "cursed wins"},
	[EL_WIN] = {'W', "winning"},
	[EL_UNKNOWN] = {'?', "unknown"},
	[EL_BROKEN] = {'x', "broken"},
	[EL_AT_MOST_DRAW] = {'-', "at most drawing"},
	[EL_AT_LEAST_DRAW] = {'+', "at least drawing"},
};

char outcome_mark(enum el_outcome outcome)
{
	return outcomes[outcome].mark;
}

const char *outcome_group(enum el_outcome outcome)
{
	return outcomes[outcome].group;
}

const char *outcome_words(enum el_outcome outcome)
{
	return outcome == EL_AT_MOST_DRAW    ? "at most a draw"
	       : outcome == EL_AT_LEAST_DRAW ? "at least a draw"
	                                     : el_outcome_name(outcome);
}

bool value_is_deep(const struct el_metric *metric, struct el_value value)
{
	return metric && metric->has_depth && value.outcome <= EL_WIN && value.outcome != EL_DRAW;
}

unsigned depth_shown(unsigned plies, bool in_moves)
{
	return in_moves ? (plies + 1) / 2 : plies;
}

const char *depth_unit(bool in_moves)
{
	return in_moves ? "moves" : "plies";
}

/* "depth to mate" -> "mate"; a win is a loss to the loser. */
static const char *goal(const struct el_metric *metric, struct el_value value)
{
	static const char prefix[] = "depth to ";
	size_t length = sizeof prefix - 1;
	if (strncmp(metric->title, prefix, length))
		return metric->title;
	const char *what = metric->title + length;
	bool is_outcome = !strcmp(what, el_outcome_name(EL_WIN));
	return is_outcome && value.outcome < EL_DRAW ? el_outcome_name(EL_LOSS) : what;
}

static const char *plural(unsigned n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

const char *value_sentence(const struct el_metric *metric, struct el_value value, bool in_moves,
                           char out[SENTENCE_MAX])
{
	if (!value_is_deep(metric, value))
		return value_short(metric, value, in_moves, out);
	unsigned plies = value.plies, moves = depth_shown(plies, true);
	const char *ply_word = plural(plies, "ply", "plies"),
		   *move_word = plural(moves, "move", "moves");
	if (in_moves)
		snprintf(out, SENTENCE_MAX, "%s in %u %s (%u %s)", goal(metric, value), moves, move_word,
			 plies, ply_word);
	else
		snprintf(out, SENTENCE_MAX, "%s in %u %s (%u %s)", goal(metric, value), plies, ply_word,
			 moves, move_word);
	return out;
}

const char *value_short(const struct el_metric *metric, struct el_value value, bool in_moves,
                        char out[SENTENCE_MAX])
{
	if (value_is_deep(metric, value))
		snprintf(out, SENTENCE_MAX, "%s in %u", goal(metric, value),
			 depth_shown(value.plies, in_moves));
	else
		snprintf(out, SENTENCE_MAX, "%s", outcome_words(value.outcome));
	return out;
}

/* "mate in 5" needs none, "a win in 5" does. */
static const char *article(const char *value)
{
	return strncmp(value, "mate", 4) ? "a " : "";
}

void quality_text(const struct quality *q, const char *san, bool in_moves, char *out, size_t size)
{
	char best[SENTENCE_MAX];
	value_short(q->metric, q->best, in_moves, best);
	unsigned lost = (unsigned)abs((int)depth_shown(q->got.plies, in_moves) -
	                              (int)depth_shown(q->best.plies, in_moves));
	if (!el_outcome_exact(q->best.outcome) || !el_outcome_exact(q->got.outcome)) {
		snprintf(out, size, "%s: not known what it kept", san);
		return;
	}
	if (el_value_equal(q->best, q->got))
		snprintf(out, size, "%s kept %s%s", san,
		         q->best.outcome == EL_DRAW ? "the " : article(best), best);
	else if (q->best.outcome == q->got.outcome)
		snprintf(out, size, "%s lost %u %s: it was %s%s", san, lost, depth_unit(in_moves),
		         article(best), best);
	else
		snprintf(out, size, "%s threw away the %s: it was %s%s", san,
		         el_outcome_name(q->best.outcome), article(best), best);
}

const char *metric_text(const struct el_metric *metric, char out[16])
{
	size_t i = 0;
	for (; metric->name[i] && i < 15; i++)
		out[i] = (char)toupper((unsigned char)metric->name[i]);
	out[i] = '\0';
	return out;
}

const struct el_game *next_game(const struct el_game *game)
{
	size_t i = 0;
	while (el_games[i] != game)
		i++;
	return el_games[i + 1] ? el_games[i + 1] : el_games[0];
}

const char *side_name(unsigned side)
{
	return side == EL_WHITE ? "White" : "Black";
}

const char *bytes_text(uint64_t bytes, char out[16])
{
	static const char units[] = "\0KMGT";
	unsigned unit = 0;
	double size = (double)bytes;
	for (; size >= 9999.5 && unit < 4; unit++)
		size /= 1024;
	if (unit)
		snprintf(out, 16, size < 9.95 ? "%.1f%c" : "%.0f%c", size, units[unit]);
	else
		snprintf(out, 16, "%llu", (unsigned long long)bytes);
	return out;
}
