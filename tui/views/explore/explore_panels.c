/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can replace the moves beside the board: what the metric counts, what each table says, and
   the value with the other side to move. */
#include "explore.h"

#include "core/probe/probe.h"
#include "tui/screen/roles.h"
#include "tui/screen/widgets/paragraphs.h"
#include "tui/text/explain.h"
#include "tui/text/opinions.h"
#include "tui/text/text.h"
#include "tui/text/utf8.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- the metric that moves are ranked by, explained ---- */

/* The metric explained: the one that ranks the moves. */
static const struct el_metric *shown_metric(const struct model *m)
{
	const struct study *s = m->play.study;
	return s && s->answer.metric ? s->answer.metric
	       : m->metric           ? m->metric
	                             : el_game_metric(play_game(m));
}

void explore_open_example(struct model *m)
{
	const struct el_metric *metric = shown_metric(m);
	const struct el_game *game = play_game(m);
	const struct explanation *e = explanation_of(metric, game);
	struct el_position position;
	m->metric = el_metric_find(metric->name);
	if (!game->parse(e->example, &position, NULL) && play_set(m, game, &position))
		model_note(m, "%s", e->look);
}

void explore_draw_explanation(const struct model *m, struct pane p)
{
	const struct el_metric *metric = shown_metric(m);
	const struct explanation *e = explanation_of(metric, play_game(m));
	char name[16], text[512];
	const int end = pane_text(p, 0, 0, ROLE_STRONG, metric_text(metric, name)) + 2;
	const int y = pane_wrap(pane_sub(p, 0, end, 2, p.cols - end), 0, ROLE_DIM, metric->title);
	const struct pane below = pane_sub(p, y, 0, p.rows - y, p.cols - 1);
	/* The text, an example and the keys, more closely spaced if they do not fit. */
	for (int spaced = 1; spaced >= 0; spaced--) {
		const char *blank = spaced ? "\n" : "";
		snprintf(text, sizeof text, "%s%s\n%s%s\n%sPress Enter to open it, x to go back.",
		         blank, e->text, blank, e->example, blank);
		if (paragraphs_rows(text, below.cols) <= below.rows)
			break;
	}
	paragraphs_draw(below, ROLE_TEXT, text);
}

/* ---- which table answers, and what the others say ---- */

const char *explore_no_sources(const struct model *m)
{
	const struct study *s = m->play.study;
	return !s                      ? "The position is still being looked up."
	       : s->answer.why_bare    ? NULL
	       : !s->opinions.count    ? s->answer.source.is_study
	                                         ? "Only a study covers this position."
	                                         : "No table covers this position."
	       : s->opinions.count < 2 ? "Only one table covers this position."
	                               : NULL;
}

void explore_draw_sources(const struct model *m, struct pane p)
{
	const struct study *s = m->play.study;
	const struct el_opinions *o = &s->opinions;
	char text[OPINION_MAX], name[16];
	const int room = (p.rows - 1) / 2, count = (int)o->count;
	const int shown = count <= room ? count : room - 1;
	pane_print(p, 0, 0, ROLE_STRONG,
	           o->contradict ? "sources  %d, which contradict each other" : "sources  %d",
	           count);
	for (int i = 0; i < shown; i++) {
		const struct el_opinion *one = &o->list[i];
		const bool wrong = one->against != (size_t)i;
		const enum role role = wrong ? ROLE_ERROR : outcome_role(one->value.outcome);
		pane_print(p, 1 + 2 * i, 0, role, "%c %-5s %s", wrong ? '!' : ' ',
		           metric_text(one->metric, name), opinion_text(one, m->in_moves, text));
		/* Cut a long path at its beginning, because its end is the file's name. */
		const char *path = one->path;
		enum { AT = 8 };
		const int over = utf8_length(path) - (p.cols - AT);
		for (int cut = 0; over > 0 && cut < over + 3; cut++)
			utf8_decode(&path);
		pane_print(p, 2 + 2 * i, AT, ROLE_DIM, "%s%s", over > 0 ? "..." : "", path);
	}
	if (shown < count)
		pane_print(p, 1 + 2 * shown, 2, ROLE_DIM, "%d more", count - shown);
	const int y = 1 + 2 * shown + (shown < count);
	if (s->answer.why_bare) /* of what is missing, the folders are left to tell */
		pane_wrap(pane_sub(p, y, 2, p.rows - y, p.cols - 2), 0, ROLE_TEXT,
		          s->answer.why_unknown + s->answer.why_bare + strlen("; "));
}

void explore_draw_source(const struct model *m, struct pane p)
{
	const struct study *s = m->play.study;
	const struct el_answer *a = &s->answer;
	const bool wrong = s->opinions.contradict;
	char text[PATH_MAX] = "";
	if (wrong)
		snprintf(text, sizeof text, "The tables contradict each other. Press o.");
	else if (a->from_moves && a->position.castling && !a->has_slice)
		snprintf(text, sizeof text, "source moves; tables do not cover such castling");
	else if (a->from_moves)
		snprintf(text, sizeof text, "source moves; %s is not built",
		         a->has_slice ? a->slice.name : "this material");
	else if (a->source.metric && s->opinions.count > 1)
		snprintf(text, sizeof text, "%zu sources: press o  %s", s->opinions.count,
		         a->source.file);
	else if (a->source.metric)
		snprintf(text, sizeof text, "source %s  %s", a->source.file, a->source.detail);
	pane_text(p, 0, 0, wrong ? ROLE_ERROR : ROLE_DIM, text);
}

/* ---- the other side to move: its value, and which of its moves are mistakes ---- */

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

static int draw_side(const struct model *m, const struct el_answer *a, struct pane p, int y)
{
	const size_t rank = el_metric_rank(a->metric);
	char predicate[PREDICATE_MAX];
	value_predicate(a->metric, a->value[rank], a->outcome, m->in_moves, predicate);
	return y + pane_print_wrapped(p, y, outcome_role(a->outcome), "%s to move %s",
	                              a->game->sides[a->position.side], predicate);
}

/* Moves with a worse outcome than the best one's, each with its result. */
static void draw_mistakes(const struct model *m, const struct el_answer *a, struct pane p)
{
	const size_t rank = el_metric_rank(a->metric);
	size_t good = 0;
	while (good < a->count && a->moves[good].outcome == a->moves[0].outcome)
		good++;
	const char *side = a->game->sides[a->position.side];
	if (good == a->count) {
		pane_print_wrapped(p, 0, ROLE_DIM,
		                   !a->count              ? "%s would have no legal move."
		                   : a->outcome < EL_DRAW ? "Every %s move would lose."
		                                          : "No %s move would be a mistake.",
		                   side);
		return;
	}
	pane_print(p, 0, 0, ROLE_STRONG, "%zu of %zu %s moves are mistakes", a->count - good,
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
		pane_wrap(p, 1, ROLE_TEXT, other->why_unknown);
		return;
	}
	/* Neither side wants to move: each would do better if the other had to. */
	const bool zugzwang = outcome_of(now) < el_outcome_negate(outcome_of(other));
	pane_text(p, 0, 0, zugzwang ? ROLE_NOTE : ROLE_STRONG,
	          zugzwang ? "mutual zugzwang" : "no zugzwang");
	int y = draw_side(m, now, p, 1);
	y = draw_side(m, other, p, y) + 1;
	draw_mistakes(m, other, pane_from(p, y));
}
