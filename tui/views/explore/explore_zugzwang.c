/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explore: what the position is worth with the other side to move, and which of its moves are
   mistakes. */
#include "explore.h"

#include "core/probe/probe.h"
#include "tui/screen/roles.h"
#include "tui/text/text.h"

#include <stdio.h>
#include <string.h>

void explore_show_zugzwang(struct model *m)
{
	struct explore *x = explore_of(m);
	x->panel = x->panel == PANEL_ZUGZWANG ? PANEL_MOVES : PANEL_ZUGZWANG;
}

const char *explore_no_zugzwang(const struct model *m)
{
	const struct study *s = m->play.study;
	return !s                   ? "The position is still being looked up."
	       : !study_is_exact(s) ? "No table covers this position exactly."
	       : s->answer.over     ? "The game is over."
	                            : NULL;
}

static enum el_outcome outcome_of(const struct el_answer *a)
{
	return a->value[el_metric_rank(&el_wdl)].outcome;
}

/* Neither side wants to move: each would do better if the other one had to. */
static bool is_zugzwang(const struct el_answer *now, const struct el_answer *other)
{
	return outcome_of(now) < el_outcome_negate(outcome_of(other));
}

static int draw_side(const struct model *m, const struct el_answer *a, struct pane p, int y)
{
	const size_t rank = el_metric_rank(a->metric);
	char depth[SENTENCE_MAX] = "", text[256];
	if (value_is_deep(a->metric, a->value[rank]))
		value_plain_sentence(a->metric, a->value[rank], m->in_moves, depth);
	snprintf(text, sizeof text, "%s to move %s%s%s", a->game->sides[a->position.side],
	         outcome_verb(a->outcome), *depth ? ": " : "", depth);
	return y +
	       pane_wrap(pane_sub(p, y, 0, p.rows - y, p.cols), 0, outcome_role(a->outcome), text);
}

/* Moves with a worse outcome than the best one has, each with what it leads to. */
static void draw_mistakes(const struct model *m, const struct el_answer *a, struct pane p)
{
	const size_t rank = el_metric_rank(a->metric);
	size_t good = 0;
	while (good < a->count && a->moves[good].outcome == a->moves[0].outcome)
		good++;
	const char *side = a->game->sides[a->position.side];
	if (good == a->count) {
		char text[64];
		snprintf(text, sizeof text,
		         !a->count              ? "%s would have no legal move."
		         : a->outcome < EL_DRAW ? "Every %s move would lose."
		                                : "No %s move would be a mistake.",
		         side);
		pane_wrap(p, 0, ROLE_DIM, text);
		return;
	}
	pane_print(p, 0, 0, ROLE_STRONG, "%zu of %zu %s moves would be mistakes", a->count - good,
	           a->count, side);
	const int room = p.rows - 1, mistakes = (int)(a->count - good);
	const int shown = mistakes <= room ? mistakes : room - 1;
	for (int i = 0; i < shown; i++) {
		const struct el_ranked *move = &a->moves[good + (size_t)i];
		char text[SENTENCE_MAX];
		pane_print(p, 1 + i, 2, ROLE_TEXT, "%-8s", move->san);
		pane_text(p, 1 + i, 11, outcome_role(move->outcome),
		          value_short(a->metric, move->value[rank], m->in_moves, text));
	}
	if (shown < mistakes && shown >= 0)
		pane_print(p, 1 + shown, 2, ROLE_DIM, "%d more", mistakes - shown);
}

void explore_draw_zugzwang(const struct model *m, struct pane p)
{
	const struct study *s = m->play.study;
	const struct el_answer *now = &s->answer, *other = &s->other;
	if (!other->metric) {
		pane_text(p, 0, 0, ROLE_STRONG, "the other side to move");
		pane_wrap(pane_sub(p, 1, 0, p.rows - 1, p.cols), 0, ROLE_TEXT, other->why_unknown);
		return;
	}
	const bool zugzwang = is_zugzwang(now, other);
	pane_text(p, 0, 0, zugzwang ? ROLE_NOTE : ROLE_STRONG,
	          zugzwang ? "mutual zugzwang" : "no zugzwang");
	int y = draw_side(m, now, p, 1);
	y = draw_side(m, other, p, y) + 1;
	draw_mistakes(m, other, pane_sub(p, y, 0, p.rows - y, p.cols));
}
