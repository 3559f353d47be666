/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void study_free(struct study *s)
{
	if (s)
		el_opinions_free(&s->opinions);
	free(s);
}

/* ---- another position is shown ---- */

const struct el_position *play_position(const struct model *m)
{
	return &m->play.line.nodes[m->play.line.at].position;
}

/* Nothing is known of it. */
static void position_changed(struct model *m)
{
	struct play_state *p = &m->play;
	study_free(p->study);
	p->study = NULL;
	p->best = (struct best_line){.count = 0};
	p->changes++;
	question_change(m, &p->ask_study);
	question_change(m, &p->ask_best);
}

void play_ask_again(struct model *m)
{
	struct play_state *p = &m->play;
	p->best = (struct best_line){.count = 0};
	question_change(m, &p->ask_study);
	question_change(m, &p->ask_best);
}

void play_set_rule(struct model *m, unsigned moves)
{
	m->last_rule = moves ? moves : m->last_rule;
	m->rule = moves;
	if (m->metric && moves)
		m->metric = el_metric_ruled(el_metric_rank(m->metric), moves);
	play_ask_again(m);
}

void play_go(struct model *m, size_t at)
{
	m->play.line.at = at;
	position_changed(m);
}

/* ---- lines that were left ---- */

static void remove_line(struct play_state *p, size_t i)
{
	free(p->kept[i].nodes);
	p->kept_count--;
	memmove(&p->kept[i], &p->kept[i + 1], (p->kept_count - i) * sizeof *p->kept);
}

/* Of those that nobody has played in, the oldest is dropped; the oldest of all where there is none. */
static void drop_line(struct play_state *p)
{
	size_t i = p->kept_count;
	while (i > 0 && p->kept[i - 1].count > 1)
		i--;
	remove_line(p, i ? i - 1 : p->kept_count - 1);
}

static bool same_line(const struct line_of_play *a, const struct line_of_play *b)
{
	const struct el_position *from = &a->nodes[0].position, *other = &b->nodes[0].position;
	bool same = a->game == b->game && a->count == b->count && el_position_equal(from, other) &&
	            from->fullmove == other->fullmove;
	for (size_t i = 1; i < a->count && same; i++)
		same = !strcmp(a->nodes[i].san, b->nodes[i].san);
	return same;
}

/* What is left twice, as by a lesson that starts over, is kept once. */
static void keep_line(struct play_state *p, const struct line_of_play *line)
{
	for (size_t i = p->kept_count; i-- > 0;)
		if (same_line(&p->kept[i], line))
			remove_line(p, i);
	if (p->kept_count == LINES_KEPT)
		drop_line(p);
	memmove(&p->kept[1], &p->kept[0], p->kept_count * sizeof *p->kept);
	p->kept[0] = *line;
	p->kept_count++;
}

void play_forget_oldest(struct model *m)
{
	free(m->play.kept[--m->play.kept_count].nodes);
}

void play_other_line(struct model *m, int by)
{
	struct play_state *p = &m->play;
	const struct line_of_play left = p->line;
	const size_t last = p->kept_count - 1;
	if (by > 0) {
		p->line = p->kept[0];
		memmove(&p->kept[0], &p->kept[1], last * sizeof *p->kept);
		p->kept[last] = left;
	} else {
		p->line = p->kept[last];
		memmove(&p->kept[1], &p->kept[0], last * sizeof *p->kept);
		p->kept[0] = left;
	}
	position_changed(m);
}

/* ---- the line ---- */

static bool make_room(struct model *m, struct line_of_play *l, size_t count)
{
	if (count <= l->capacity)
		return true;
	size_t capacity = l->capacity ? l->capacity * 2 : 16;
	capacity = capacity < count ? count : capacity;
	struct node *nodes = realloc(l->nodes, capacity * sizeof *nodes);
	if (!nodes) {
		model_fail(m, "out of memory");
		return false;
	}
	l->nodes = nodes;
	l->capacity = capacity;
	return true;
}

bool play_set(struct model *m, const struct el_game *game, const struct el_position *position)
{
	struct play_state *p = &m->play;
	struct line_of_play next = {.game = game, .count = 1};
	if (!make_room(m, &next, 1))
		return false;
	next.nodes[0] = (struct node){.position = *position};
	if (p->line.count)
		keep_line(p, &p->line);
	p->line = next;
	position_changed(m);
	return true;
}

/* Moves that the clock tells apart are worth what it leaves them. */
static struct quality quality_of(const struct el_answer *a, const struct el_ranked *best,
                                 const struct el_ranked *got)
{
	const size_t rank = el_metric_rank(a->metric);
	struct quality q = {a->metric, best->value[rank], got->value[rank]};
	if (best->outcome != got->outcome) {
		q.best.outcome = (uint8_t)best->outcome;
		q.got.outcome = (uint8_t)got->outcome;
	}
	return q;
}

/* Within a phase the values, which are for a clock of zero, do not tell how good a move was. */
static bool is_judged(const struct el_answer *a, const struct quality *q)
{
	const bool within = el_metric_chosen_by(a->metric)->has_phase && a->position.halfmove;
	return !within || q->best.outcome != q->got.outcome;
}

/* What the move to this node was worth, found among the moves of the position before it. */
static void node_judge(struct node *node, const struct el_answer *a)
{
	for (size_t i = 0; a->metric && i < a->count; i++) {
		if (strcmp(a->moves[i].san, node->san) != 0)
			continue;
		const struct quality q = quality_of(a, &a->moves[0], &a->moves[i]);
		node->quality = is_judged(a, &q) ? q : (struct quality){.metric = NULL};
	}
}

/* What was played from here otherwise goes on in a line of its own. */
static bool branch(struct model *m)
{
	struct line_of_play *l = &m->play.line, next = {.game = l->game, .at = l->at};
	if (!make_room(m, &next, l->count))
		return false;
	next.count = l->at + 1;
	memcpy(next.nodes, l->nodes, next.count * sizeof *next.nodes);
	keep_line(&m->play, l);
	*l = next;
	return true;
}

void play_move(struct model *m, const struct el_move *move)
{
	struct line_of_play *l = &m->play.line;
	struct node next = {.move = *move};
	const struct el_position *now = play_position(m);
	l->game->write_move(now, move, EL_SAN, next.san);
	l->game->play(now, move, &next.position);
	if (m->play.study)
		node_judge(&next, &m->play.study->answer);
	const bool goes_on = l->at + 1 < l->count;
	const bool again = goes_on && !strcmp(l->nodes[l->at + 1].san, next.san);
	if (!again && ((goes_on && !branch(m)) || !make_room(m, l, l->at + 2)))
		return;
	if (!again) {
		l->nodes[l->at + 1] = next;
		l->count = l->at + 2;
	}
	l->at++;
	position_changed(m);
}

void play_free(struct play_state *p)
{
	free(p->line.nodes);
	study_free(p->study);
	for (size_t i = 0; i < p->kept_count; i++)
		free(p->kept[i].nodes);
}

/* ---- the value, its source, and what a build would make ---- */

bool study_is_exact(const struct study *s)
{
	const struct el_answer *a = &s->answer;
	return a->metric && el_outcome_exact(a->value[el_metric_rank(a->metric)].outcome);
}

struct study_job {
	struct job job;
	const struct el_game *game;
	struct el_position position;
	struct el_question question;
	struct study *study; /* owned until it is taken */
};

static void find_missing(struct study *s, struct el_library *library)
{
	struct el_plan plan;
	struct el_error error;
	if ((study_is_exact(s) && !s->answer.from_moves) || !s->answer.has_slice ||
	    el_plan_make(library, &s->answer.slice, 1, NULL, &plan, NULL))
		return;
	size_t used = 0;
	s->missing_count = (unsigned)plan.count;
	for (size_t i = 0; i < plan.count; i++)
		if (plan.tasks[i].bytes > s->missing_bytes)
			s->missing_bytes = plan.tasks[i].bytes;
	if (el_plan_check_memory(&plan, &error))
		snprintf(s->too_large, sizeof s->too_large, "%.*s", (int)sizeof s->too_large - 1,
		         error.text);
	/* The slice itself is the last of the plan, and the first to be named. */
	for (size_t i = plan.count; i-- > 0 && used < sizeof s->missing;)
		used += (size_t)snprintf(s->missing + used, sizeof s->missing - used, "%s%s",
		                         used ? " " : "", plan.tasks[i].slice.name);
	el_plan_free(&plan);
}

static void study_run(struct job *job, const struct el_watch *watch)
{
	struct study_job *j = (struct study_job *)job;
	(void)watch;
	el_library_answer(job->library, j->game, &j->position, &j->question, &j->study->answer,
	                  &j->study->damage);
	struct el_position other = j->position;
	other.side ^= 1;
	other.en_passant = EL_NO_SQUARE;
	el_library_answer(job->library, j->game, &other, &j->question, &j->study->other, NULL);
	el_library_opinions(job->library, j->game, &j->position, j->question.mode,
	                    &j->study->opinions, NULL);
	find_missing(j->study, job->library);
}

/* Has it been said of this position already? What was said since is not to be lost. */
static bool is_told(const struct study *before, const struct study *now)
{
	return before && el_position_equal(&before->answer.position, &now->answer.position) &&
	       !strcmp(before->damage.text, now->damage.text);
}

static void study_done(struct model *m, struct job *job)
{
	struct study_job *j = (struct study_job *)job;
	struct play_state *p = &m->play;
	if (!question_answer(&p->ask_study, job))
		return;
	const bool told = is_told(p->study, j->study);
	study_free(p->study);
	p->study = j->study;
	j->study = NULL;
	if (p->line.at + 1 < p->line.count)
		node_judge(&p->line.nodes[p->line.at + 1], &p->study->answer);
	if (p->study->damage.status && !told)
		model_fail(m, "%s", p->study->damage.text);
}

static void study_job_free(struct job *job)
{
	study_free(((struct study_job *)job)->study);
	free(job);
}

static void ask_study(struct model *m)
{
	struct study_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "probing");
	struct study *study = j ? calloc(1, sizeof *study) : NULL;
	if (!study) {
		free(j);
		model_fail(m, "out of memory");
		return;
	}
	j->job.run = study_run;
	j->job.done = study_done;
	j->job.free = study_job_free;
	j->game = m->play.line.game;
	j->position = *play_position(m);
	j->question = (struct el_question){.metric = m->metric, .rule = m->rule, .by_demand = true};
	j->study = study;
	question_ask(m, &m->play.ask_study, &j->job);
}

/* ---- the optimal line ---- */

struct line_job {
	struct job job;
	const struct el_game *game;
	struct el_position position;
	struct el_question question;
	struct best_line line;
};

static void line_job_run(struct job *job, const struct el_watch *watch)
{
	struct line_job *j = (struct line_job *)job;
	struct el_move moves[LINE_MAX_MOVES + 1];
	struct el_line line = {.moves = moves, .max = LINE_MAX_MOVES + 1};
	(void)watch;
	job->status = el_library_line(job->library, j->game, &j->position, &j->question, &line,
	                              &job->error);
	j->line.more = line.count > LINE_MAX_MOVES;
	j->line.count = j->line.more ? LINE_MAX_MOVES : line.count;
	struct el_position now = j->position, next;
	for (size_t i = 0; i < j->line.count; i++) {
		j->game->write_move(&now, &moves[i], EL_SAN, j->line.san[i]);
		j->game->play(&now, &moves[i], &next);
		now = next;
	}
	if (!j->line.more)
		line_end_text(j->game, line.end, &now, j->question.rule, j->line.end);
}

static void line_job_done(struct model *m, struct job *job)
{
	struct line_job *j = (struct line_job *)job;
	if (question_answer(&m->play.ask_best, job))
		m->play.best = j->line;
}

static void ask_best(struct model *m)
{
	struct line_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "following the line");
	if (!j)
		return;
	j->job.run = line_job_run;
	j->job.done = line_job_done;
	j->game = m->play.line.game;
	j->position = *play_position(m);
	j->question = (struct el_question){.metric = m->play.study->answer.metric,
	                                   .rule = m->play.study->answer.rule,
	                                   .by_demand = true};
	question_ask(m, &m->play.ask_best, &j->job);
}

void play_ask(struct model *m)
{
	struct play_state *p = &m->play;
	question_follow_tables(m, &p->ask_study);
	question_follow_tables(m, &p->ask_best);
	if (question_is_open(&p->ask_study))
		ask_study(m);
	const bool has_line = p->ask_study.known && study_is_exact(p->study);
	if (has_line && question_is_open(&p->ask_best))
		ask_best(m);
}
