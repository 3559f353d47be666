/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A round of Practice: a sequence of positions, each graded as soon as it is answered. */
#include "practice.h"

#include "tui/text/rule.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>

/* How long the opponent waits before its move. */
enum { REPLY_MS = 700 };

static enum exercise_kind kind_of(const struct practice *p)
{
	return exercises[p->exercise].kind;
}

/* ---- rounds ---- */

static void position_changed(struct model *m)
{
	struct practice *p = practice_of(m);
	p->list = (struct list){0, 0};
	p->proof[0] = p->missing[0] = '\0';
	p->proving = false;
	question_change(m, &p->look);
	question_change(m, &p->prove);
	picker_drop(&p->picker);
}

/* A position that is due and fits the round; null if none. */
static const struct practice_again *due(const struct practice *p)
{
	const struct practice_scores *s = &p->scores;
	const long today = s->today();
	for (const struct practice_again *a = s->again; a < s->again + s->again_count; a++) {
		bool asked = false; /* in this round */
		for (size_t i = 0; i < p->at; i++)
			asked = asked || (p->round[i].exercise == a->exercise &&
			                  el_position_equal(&p->round[i].start, &a->position));
		if (a->due <= today && !asked &&
		    (p->returning ||
		     (a->exercise == p->exercise && el_slice_equal(&a->slice, &p->slice))))
			return a;
	}
	return NULL;
}

bool practice_studies_another(struct model *m, struct el_slice *slice)
{
	struct practice *p = practice_of(m);
	struct el_position studied;
	if (shell_position(m, &studied)->slice_of(&studied, slice, NULL)) {
		slice->game = NULL;
		return false;
	}
	const bool same = el_slice_equal(slice, &p->offered);
	p->offered = *slice;
	return !same;
}

void practice_subject(const struct model *m, char *out, size_t size)
{
	const struct practice *p = practice_of(m);
	const struct el_game *game = p->chosen ? p->slice.game : play_game(m);
	char rule[32];
	const bool usual = !game->zeroes || m->rule == EL_RULE_USUAL;
	snprintf(out, size, "%s%s%s", p->chosen ? p->slice.name : "", p->chosen ? "  " : "",
	         usual ? "practice" : rule_text(m->rule, rule));
}

/* Shows the exercise above the list of exercises, without other Practice views between. Ignores
   slices looked at meanwhile. */
static void show(struct model *m)
{
	static const enum view_name names[] = {
		[BY_MOVES] = VIEW_PRACTICE_MOVES,
		[BY_MARKS] = VIEW_PRACTICE_SQUARES,
		[BY_GUESS] = VIEW_PRACTICE_GUESS,
	};
	struct el_slice slice;
	practice_studies_another(m, &slice);
	while (shell_below(m) && shell_below(m)->subject == practice_subject)
		shell_back(m);
	shell_visit(m, (int)names[exercises[practice_of(m)->exercise].kind]);
}

/* Positions due again come before drawn ones. */
static void want_position(struct model *m)
{
	struct practice *p = practice_of(m);
	const struct practice_again *again = p->has_given ? NULL : due(p);
	p->play.game = NULL;
	p->none = p->put_down = false;
	question_change(m, &p->draw);
	position_changed(m);
	if (!again)
		return;
	p->exercise = again->exercise;
	p->slice = again->slice;
	p->chosen = true;
	p->given = again->position;
	p->has_given = true;
	show(m);
}

void practice_begin_again(struct model *m, bool returning)
{
	struct practice *p = practice_of(m);
	size_t count;
	memset(p->round, 0, sizeof p->round);
	p->begun = true;
	p->returning = returning;
	p->at = 0;
	p->round_count = PRACTICE_ROUND;
	if (p->slice.is_study && !returning) { /* one position, again and again */
		p->round_count = 1;
		p->has_given = true;
	}
	if (returning && practice_next_due(&p->scores, &count) == 0 && count < p->round_count)
		p->round_count = count;
	want_position(m);
	show(m);
}

void practice_begin_round(struct model *m, enum exercise_name exercise)
{
	practice_of(m)->exercise = exercise;
	practice_of(m)->menu.at = (int)exercise;
	practice_begin_again(m, false);
}

void practice_choose_slice(struct model *m, const struct el_slice *slice)
{
	struct practice *p = practice_of(m);
	p->slice = *slice;
	p->chosen = true;
	p->has_given = p->begun = false;
	p->play.game = NULL;
}

bool practice_is_over(const struct practice *p)
{
	return p->begun && p->at == p->round_count;
}

static void write_scores(const struct model *m, FILE *out)
{
	practice_scores_write(&practice_of(m)->scores, out);
}

/* Records a first try in the scores as soon as it ends. */
static void put_down(struct model *m)
{
	struct practice *p = practice_of(m);
	struct el_error error = {.text = ""};
	if (p->put_down || !p->play.game || p->play.score.end == PRACTICE_GOING)
		return;
	p->put_down = true;
	if (p->slice.is_study) /* scores are kept by slice */
		return;
	practice_scores_follow(m, &p->scores);
	if (practice_scores_add(&p->scores, &p->slice, &p->play.score, &error))
		model_fail(m, "%s", error.text);
	else
		kept_write_soon(m, &p->scores.file, write_scores, "");
}

void practice_next_position(struct model *m)
{
	struct practice *p = practice_of(m);
	if (p->play.score.end == PRACTICE_GOING)
		p->play.score.end = PRACTICE_GIVEN_UP;
	put_down(m);
	p->round[p->at++] = p->play.score;
	if (practice_is_over(p)) {
		p->play.game = NULL;
		position_changed(m);
		p->list.count = (int)p->round_count;
	} else {
		want_position(m);
	}
}

/* ---- moves and other answers ---- */

bool practice_can_move(const struct practice *p)
{
	return p->play.game && kind_of(p) == BY_MOVES && p->play.known &&
	       p->play.score.end == PRACTICE_GOING && practice_is_users_turn(&p->play);
}

const char *practice_no_answer(const struct model *m, enum exercise_kind kind)
{
	const struct practice *p = practice_of(m);
	return !p->play.game || kind_of(p) != kind ? "There is no position to answer."
	       : p->play.score.end ? "This position is finished. Press space to go on."
	                           : NULL;
}

const char *practice_no_move(const struct model *m)
{
	const struct practice *p = practice_of(m);
	const char *why = practice_no_answer(m, BY_MOVES);
	return why || practice_can_move(p) ? why
	       : p->play.known             ? "The other side is to move."
	                                   : "The values are still being worked out.";
}

struct picker_moves practice_moves(const struct model *m, struct el_move room[EL_MOVES_MAX])
{
	const struct practice *p = practice_of(m);
	const struct practice_game *g = &p->play;
	struct picker_moves moves = {g->game, &g->now, room, 0, p->flipped};
	for (; practice_can_move(p) && moves.count < g->answer.count; moves.count++)
		room[moves.count] = practice_choice(g, moves.count)->move;
	return moves;
}

static void play(struct model *m, size_t move)
{
	struct practice *p = practice_of(m);
	if (!practice_play(&p->play, move))
		model_fail(m, "out of memory");
	position_changed(m);
	put_down(m);
}

void practice_move(struct model *m, int move)
{
	play(m, (size_t)move);
	practice_of(m)->reply_at = m->now + REPLY_MS;
}

void practice_answer(struct model *m, unsigned percent)
{
	struct practice_score *s = &practice_of(m)->play.score;
	s->answer = percent;
	s->end = PRACTICE_ANSWERED;
	put_down(m);
}

void practice_undo(struct model *m)
{
	practice_take_back(&practice_of(m)->play);
	position_changed(m);
}

static bool is_replying(const struct practice *p)
{
	return p->play.game && p->play.known && p->play.score.end == PRACTICE_GOING &&
	       !practice_is_users_turn(&p->play);
}

static void reply(struct model *m)
{
	play(m, practice_reply(&practice_of(m)->play));
}

void practice_tick(struct model *m)
{
	if (is_replying(practice_of(m)) && m->now >= practice_of(m)->reply_at)
		reply(m);
}

int practice_next_tick(const struct model *m)
{
	const struct practice *p = practice_of(m);
	if (!is_replying(p))
		return -1;
	return p->reply_at > m->now ? (int)(p->reply_at - m->now) : 0;
}

/* ---- going on ---- */

void practice_go_on(struct model *m)
{
	struct practice *p = practice_of(m);
	size_t count;
	if (practice_is_over(p))
		practice_begin_again(m, p->returning && !practice_next_due(&p->scores, &count));
	else if (is_replying(p))
		reply(m);
	else
		practice_next_position(m);
}

const char *practice_nowhere_on(const struct model *m)
{
	const struct practice *p = practice_of(m);
	return practice_is_over(p) || is_replying(p) ? NULL
	       : !p->play.game                       ? "There is no position to play."
	       : p->play.score.end                   ? NULL
	       : kind_of(p) == BY_MOVES ? "It is your move. Press s to give up the position."
	                                : "Answer first, or press s to give up the position.";
}

void practice_set_level(struct model *m, int level)
{
	struct practice *p = practice_of(m);
	if (level < 1 || level > PRACTICE_LEVELS) {
		model_fail(m, "level: expected 1 to %d, found %d", PRACTICE_LEVELS, level);
		return;
	}
	const bool untouched =
		!p->begun ||
		(p->at == 0 && (!p->play.game || (!p->play.count && !p->play.score.end)));
	p->level = level;
	if (p->begun && untouched)
		want_position(m);
	model_note(m, "Level %d%s.", level,
	           untouched             ? ""
	           : practice_is_over(p) ? ". Press space to begin"
	                                 : " from the next position on");
}

void practice_change_level(struct model *m, int by)
{
	practice_set_level(m, practice_of(m)->level + by);
}

/* ---- requests for what is not known yet ---- */

const struct el_position *practice_position(const struct practice *p)
{
	if (practice_is_over(p))
		return &p->round[p->list.at].start;
	return p->play.game ? &p->play.now : NULL;
}

const struct el_game *practice_board(const struct practice *p)
{
	return practice_is_over(p) ? p->round[p->list.at].game : p->slice.game;
}

void practice_ask(struct model *m)
{
	struct practice *p = practice_of(m);
	if (!p->begun || practice_is_over(p))
		return;
	/* Follow the explorer's rule and metric. */
	const struct el_game *game = p->play.game ? p->play.game : p->slice.game;
	if (p->play.game)
		practice_limit(&p->play, game->zeroes ? 2 * m->rule : 2 * EL_RULE_USUAL);
	if (p->rule != m->rule || p->metric != m->metric) {
		p->rule = m->rule;
		p->metric = m->metric;
		p->play.known = false;
		question_change(m, &p->look);
		question_change(m, &p->draw);
	}
	if (p->missing[0])
		question_follow_tables(m, p->play.game ? &p->look : &p->draw);
	if (!p->play.game)
		practice_ask_position(m);
	if (!p->play.game)
		return;
	const enum practice_end end = p->play.score.end;
	const bool goes_on = !end || end == PRACTICE_REPEATED || end == PRACTICE_FIFTY;
	if (kind_of(p) == BY_MOVES && !p->play.known && goes_on)
		practice_ask_moves(m);
	if (practice_can_move(p))
		p->list.count = (int)p->play.answer.count;
	if (p->proving) {
		/* from before the user's last move, or after it if it gave the position away */
		const struct practice_ply *last = practice_last(&p->play);
		practice_ask_proof(m,
		                   !last || end == PRACTICE_THROWN ? &p->play.now : &last->before,
		                   last ? last->metric : p->told);
	}
}
