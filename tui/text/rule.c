/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rule.h"
#include "core/base/text.h"
#include "core/probe/probe.h"
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum el_status rule_parse(const char *text, unsigned *moves, struct el_error *error)
{
	char *end;
	const long n = strtol(text, &end, 10);
	const bool is_number = *text >= '0' && *text <= '9' && !*end && n >= 1 && n <= EL_RULE_MAX;
	if (!is_number && strcmp(text, "off"))
		return el_fail(error, EL_USAGE,
		               "rule '%.40s': expected a number of moves (1 to %d) or off", text,
		               EL_RULE_MAX);
	*moves = is_number ? (unsigned)n : 0;
	return EL_OK;
}

const char *rule_text(unsigned moves, char out[32])
{
	if (moves)
		snprintf(out, 32, "%u-move rule", moves);
	else
		snprintf(out, 32, "rule off");
	return out;
}

/* The metric that would decide: one with depths under the rule. */
static const char *wanted_metric(const struct el_answer *a)
{
	for (size_t m = 0; m < EL_METRICS; m++)
		if (a->metrics[m] && a->metrics[m]->limit && kind_words(a->metrics[m])->has_number)
			return a->metrics[m]->name;
	return "";
}

static void untimed_text(const struct el_answer *a, char out[RULE_WORDS_MAX])
{
	const unsigned limit = 2 * a->rule, clock = a->position.halfmove;
	const unsigned left = limit > clock ? limit - clock : 0;
	const struct el_value value = a->value[el_metric_rank(a->metric)];
	static const char outcomes[] = ".rtbw";
	const size_t length = strlen(a->source.file), end = sizeof outcomes - 1;
	char what[2 * SENTENCE_MAX], add[64] = "";
	/* An outcome file may have a companion with the depths. */
	if (length > end && !strcmp(a->source.file + length - end, outcomes))
		snprintf(add, sizeof add, "add %.*s.rtbz or ", (int)(length - end), a->source.file);
	if (value_is_deep(a->metric, value))
		value_short(a->metric, value, false, what);
	else
		snprintf(what, sizeof what, "a %s without the rule",
		         outcome_words(a->outcome == EL_AT_LEAST_CURSED ? EL_WIN : EL_LOSS));
	/* No table can be built that knows it of so many pieces. */
	if (a->has_slice && !a->source.is_study)
		snprintf(out, RULE_WORDS_MAX,
		         "%.*s, %u left on the clock: %sbuild %s to know whether that is in time",
		         80, what, left, add, wanted_metric(a));
	else
		snprintf(out, RULE_WORDS_MAX,
		         "%.*s, %u left on the clock: whether the rest is in time is not known", 80,
		         what, left);
}

/* The metric that no table tells and that would count to a mate in time, where the shortest mate comes too
   late though the win does not; else null. */
static const struct el_metric *mate_in_time(const struct el_answer *a)
{
	const unsigned limit = 2 * a->rule, clock = a->position.halfmove;
	const struct el_metric *metric = a->metric;
	if (!metric || metric->join != EL_JOIN_SUM || metric->limit || !a->has_slice || a->over ||
	    !value_is_deep(metric, a->value[el_metric_rank(metric)]) ||
	    a->value[el_metric_rank(metric)].plies + clock <= limit)
		return NULL;
	for (size_t m = 0; m < EL_METRICS; m++)
		if (a->metrics[m] && a->metrics[m]->by_clock && a->value[m].outcome == EL_UNKNOWN)
			return a->metrics[m];
	return NULL;
}

const char *rule_sentence(const struct el_answer *a, char out[RULE_WORDS_MAX])
{
	const unsigned clock = a->position.halfmove;
	out[0] = '\0';
	if (!a->rule)
		return out;
	if (a->run_out)
		snprintf(out, RULE_WORDS_MAX, "halfmove clock %u: a draw %s the %u-move rule",
		         clock, a->rule == EL_RULE_USUAL ? "can be claimed by" : "by", a->rule);
	else if (a->outcome == EL_AT_LEAST_CURSED || a->outcome == EL_AT_MOST_BLESSED)
		untimed_text(a, out);
	else if (a->outcome == EL_CURSED_WIN || a->outcome == EL_BLESSED_LOSS)
		snprintf(out, RULE_WORDS_MAX,
		         "halfmove clock %u: the %s takes too long under the %u-move rule", clock,
		         outcome_words(a->outcome == EL_CURSED_WIN ? EL_WIN : EL_LOSS), a->rule);
	else if (mate_in_time(a))
		snprintf(out, RULE_WORDS_MAX, "clock %u of %u: build %s to mate in time", clock,
		         2 * a->rule, mate_in_time(a)->name);
	else if (clock && !a->over)
		snprintf(out, RULE_WORDS_MAX, "halfmove clock %u of %u", clock, 2 * a->rule);
	return out;
}

const char *clock_sentence(const struct el_answer *a, bool in_moves, char out[RULE_WORDS_MAX])
{
	out[0] = '\0';
	for (unsigned i = 0; i < a->steps; i++) {
		const struct el_course_step *step = &a->step[i];
		if (step->until < a->position.halfmove)
			continue;
		const bool first = !*out;
		const unsigned shown = depth_shown(NULL, step->plies, in_moves);
		el_text_add(out, RULE_WORDS_MAX, "%u ", shown);
		if (first)
			el_text_add(out, RULE_WORDS_MAX, "%s to clock ",
			            depth_unit_of(NULL, shown, in_moves));
		el_text_add(out, RULE_WORDS_MAX, first ? "%u, " : "to %u, ", step->until);
	}
	if (*out)
		el_text_add(out, RULE_WORDS_MAX, "%s",
		            a->steps < EL_ANSWER_STEPS ? "then a draw" : "...");
	return out;
}
