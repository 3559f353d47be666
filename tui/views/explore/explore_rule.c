/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explore: the rule in force, and the metric that ranks the moves. */
#include "explore.h"

#include "tui/text/rule.h"
#include "tui/text/text.h"

#include <stdio.h>
#include <string.h>

/* ---- the rule ---- */

static void set_rule(struct model *m, unsigned moves)
{
	char text[32];
	play_set_rule(m, moves);
	model_note(m, moves ? "The %s is in force." : "%s: the clock does not count.",
	           moves ? rule_text(moves, text) : "Rule off");
}

void explore_switch_rule(struct model *m)
{
	set_rule(m, m->rule ? 0 : m->last_rule);
}

const char *explore_no_rule(const struct model *m)
{
	return play_game(m)->zeroes ? NULL : "No rule of this game counts moves.";
}

static void type_rule(struct model *m, const char *rest)
{
	struct el_error error;
	unsigned moves = m->last_rule;
	if (strcmp(rest, "on") && rule_parse(rest, &moves, &error))
		model_fail(m, "%s", error.text);
	else
		set_rule(m, moves);
}

static void offer_rules(const struct model *m, const char *rest, struct words *w)
{
	(void)m;
	(void)rest;
	words_offer(w, "50");
	words_offer(w, "off");
	words_offer(w, "on");
}

void explore_plain(struct model *m)
{
	m->rule = m->last_rule = EL_RULE_USUAL;
	m->metric = NULL;
	explore_of(m)->panel = PANEL_MOVES;
	play_ask_again(m);
}

/* ---- the metric ---- */

static void set_metric(struct model *m, const struct el_metric *metric)
{
	m->metric = el_metric_find(metric->name); /* whichever table answers here */
	if (metric->limit && m->rule && 2 * m->rule != metric->limit)
		set_rule(m, metric->limit / 2);
	play_ask_again(m);
	model_note(m, "Moves are ranked by %s: %s. Press x for what it counts.", metric->name,
	           metric->title);
}

/* The next depth metric known for the position; null: there is no other. */
static const struct el_metric *next_metric(const struct model *m)
{
	const struct el_answer *a = m->play.study ? &m->play.study->answer : NULL;
	const size_t at = a && a->metric ? el_metric_rank(a->metric) : 0;
	for (size_t i = 1; a && i < EL_METRICS; i++) {
		const size_t rank = (at + i) % EL_METRICS;
		const struct el_metric *metric = a->metrics[rank];
		if (metric && metric->has_depth && a->value[rank].outcome != EL_UNKNOWN)
			return metric;
	}
	return NULL;
}

void explore_next_metric(struct model *m)
{
	set_metric(m, next_metric(m));
}

const char *explore_no_metric(const struct model *m)
{
	return !m->play.study   ? "The position is still being looked up."
	       : next_metric(m) ? NULL
	                        : "No other depth is known here. Type :build SLICE --metric NAME "
	                          "to add one.";
}

static void type_metric(struct model *m, const char *rest)
{
	const struct el_metric *metric;
	struct el_error error;
	if (el_metric_parse(rest, &metric, &error) ||
	    el_game_check_metric(play_game(m), metric, &error))
		model_fail(m, "%s", error.text);
	else
		set_metric(m, metric);
}

static void offer_metrics(const struct model *m, const char *rest, struct words *w)
{
	(void)rest;
	for (const struct el_metric *const *metric = play_game(m)->metrics; *metric; metric++)
		words_offer(w, (*metric)->name);
}

const struct verb explore_verbs[] = {
	{"rule", "K|off|on", "set the rule: draw after K moves without a capture or a pawn move",
         type_rule, offer_rules},
	{"metric", "NAME", "rank moves by a metric, such as dtz50", type_metric, offer_metrics},
	{"open", "FILE", "open a file of games, in PGN or PDN", explore_type_open, NULL},
	{"save", "[FILE]", "save the game: to a new file, or in its place in its own",
         explore_type_save, NULL},
	{"append", "FILE", "add the game to the end of a file of games", explore_type_append, NULL},
	{"comment", "[TEXT]", "comment on the last move; without a text, remove the comment",
         explore_type_comment, NULL},
	{"delete-moves", "", "delete the last move and all that follows it", explore_type_delete,
         NULL},
	{.word = NULL},
};
