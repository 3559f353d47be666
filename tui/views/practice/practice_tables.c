/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What Practice asks of tables: a won position of a slice, drawn at random and probed, so that no slice
 * is too large; the worth of all moves under the rule in force; the best line. Where tables do not tell
 * how deep wins are, films do (practice_game.c).
 */
#include "practice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	WINS_ENOUGH = 400,  /* among which the depths of levels are told */
	TRIES_MAX = 20000,  /* positions looked at for them */
	TRIES_TELL = 16,    /* after so many it is plain whether depths are known */
	DRAW_MS = 500,      /* after that what was found will do: a disk may be slow */
};

static struct el_question question_of(const struct model *m, bool alone)
{
	return (struct el_question){
		.metric = m->metric, .rule = m->rule, .by_demand = !alone, .alone = alone};
}

/* Of a position or one of its moves: by the rule where that is known, else without it. */
static struct el_value value_under(enum el_outcome outcome, struct el_value value)
{
	if (el_outcome_exact(outcome))
		value.outcome = (uint8_t)outcome;
	return value;
}

/* False where no table tells how deep it is. */
static bool answer_value(const struct el_answer *a, struct el_value *out)
{
	if (!a->metric || !a->metric->has_depth)
		return false;
	*out = value_under(a->outcome, a->value[el_metric_rank(a->metric)]);
	return el_outcome_exact(out->outcome);
}

/* ---- a position is drawn: a job ---- */

struct win {
	struct el_position position;
	unsigned plies;
};

struct draw_job {
	struct job job;
	struct el_slice slice;
	struct el_question question;
	uint64_t random;     /* seed_random */
	int level;
	bool has_given, given_lost;
	struct el_position given;
	bool told;           /* tables tell depths here */
	size_t count;
	struct win wins[WINS_ENOUGH];
	size_t chosen;       /* of these, when there are any */
};

/* Looks at a position, and keeps it when it is won. False when its depth is not known. */
static bool look_at(struct draw_job *j, const struct el_position *position, struct el_answer *a)
{
	struct el_value value;
	el_library_answer(j->job.library, j->slice.game, position, &j->question, a, &j->job.error);
	if (!answer_value(a, &value))
		return false;
	if (value.outcome == EL_WIN)
		j->wins[j->count++] = (struct win){*position, value.plies};
	return true;
}

static bool is_within(const struct win *win, struct film_range range)
{
	return win->plies >= range.from && win->plies <= range.to;
}

static bool any_within(const void *context, struct film_range range)
{
	const struct draw_job *j = context;
	size_t i = 0;
	while (i < j->count && !is_within(&j->wins[i], range))
		i++;
	return i < j->count;
}

static void choose(struct draw_job *j)
{
	unsigned deepest = 0;
	for (size_t i = 0; i < j->count; i++)
		deepest = j->wins[i].plies > deepest ? j->wins[i].plies : deepest;
	const struct film_range range = practice_range_of(deepest, j->level, any_within, j);
	size_t i = (size_t)seed_random(&j->random, j->count);
	while (!is_within(&j->wins[i], range))
		i = (i + 1) % j->count;
	j->chosen = i;
}

static long long now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool is_enough(const struct draw_job *j, unsigned tries, long long since)
{
	return j->count == WINS_ENOUGH || tries == TRIES_MAX || (tries >= TRIES_TELL && !j->told) ||
	       (j->count && now_ms() - since > DRAW_MS);
}

/* Either colour may be the stronger side. */
static void look_around(struct draw_job *j, const struct el_watch *watch, struct el_answer *a)
{
	const struct el_progress progress = {"looking at positions", j->slice.name, 0, 0, "positions"};
	const long long since = now_ms();
	struct el_position position, other;
	for (unsigned tries = 0; !is_enough(j, tries, since) && el_watch_tick(watch, &progress) &&
	                         slice_sample(&j->random, &j->slice, &position); tries++) {
		other = position;
		if (seed_random(&j->random, 2))
			j->slice.game->swap_colours(&other, &position);
		j->told |= look_at(j, &position, a);
	}
}

static void draw_run(struct job *job, const struct el_watch *watch)
{
	struct draw_job *j = (struct draw_job *)job;
	struct el_answer *a = malloc(sizeof *a);
	if (!a) {
		job->status = el_fail(&job->error, EL_MEMORY, "out of memory");
		return;
	}
	if (j->has_given) {
		j->told = look_at(j, &j->given, a);
		j->given_lost = j->told && !j->count;
	}
	if (!j->count)
		look_around(j, watch, a);
	free(a);
	if (j->count)
		choose(j);
}

static void draw_done(struct model *m, struct job *job)
{
	struct draw_job *j = (struct draw_job *)job;
	struct practice *p = practice_of(m);
	if (!question_answer(&p->draw, job))
		return;
	p->has_given = p->has_given && !j->told; /* else for a film to judge */
	p->source = j->told ? PRACTICE_BY_TABLES : PRACTICE_BY_FILMS;
	p->none = j->told && !j->count;
	if (job->status)
		model_fail(m, "%s: %s", j->slice.name, job->error.text);
	if (j->given_lost)
		practice_say_given(m, j->given.side);
	if (j->count)
		practice_start(m, &j->wins[j->chosen].position);
}

void practice_ask_position(struct model *m)
{
	struct practice *p = practice_of(m);
	struct draw_job *j = question_is_open(&p->draw)
	                             ? model_new_job(m, sizeof *j, LANE_PROBE, "looking for a position")
	                             : NULL;
	if (!j)
		return;
	j->job.run = draw_run;
	j->job.done = draw_done;
	j->slice = p->slice;
	j->question = question_of(m, true);
	j->random = model_random(m, UINT64_MAX);
	j->level = p->level;
	j->has_given = p->has_given;
	j->given = p->given;
	question_ask(m, &p->draw, &j->job);
}

/* ---- what the moves are worth: a job ---- */

struct look_job {
	struct job job;
	const struct el_game *game;
	struct el_position position;
	struct el_question question;
	struct el_answer answer;
};

static void look_run(struct job *job, const struct el_watch *watch)
{
	struct look_job *j = (struct look_job *)job;
	(void)watch;
	job->status = el_library_answer(job->library, j->game, &j->position, &j->question, &j->answer,
	                                &job->error);
}

bool practice_take(struct practice_game *g, const struct el_answer *a)
{
	struct el_value value;
	if (!answer_value(a, &value))
		return false;
	const size_t rank = el_metric_rank(a->metric);
	for (size_t i = 0; i < a->count; i++) {
		const struct el_ranked *r = &a->moves[i];
		g->moves[i].film = (struct el_film_move){
			.move = r->move, .value = value_under(r->outcome, r->value[rank])};
		memcpy(g->moves[i].san, r->san, sizeof g->moves[i].san);
		if (el_outcome_bounded(g->moves[i].film.value.outcome))
			return false;
	}
	practice_know(g, a->metric, a->count, false);
	return true;
}

static void look_done(struct model *m, struct job *job)
{
	struct look_job *j = (struct look_job *)job;
	struct practice *p = practice_of(m);
	if (!question_answer(&p->look, job) || !p->play.game)
		return;
	p->untold = !practice_take(&p->play, &j->answer);
	if (p->untold && job->status)
		model_fail(m, "%s", job->error.text);
}

void practice_ask_moves(struct model *m)
{
	struct practice *p = practice_of(m);
	struct look_job *j = question_is_open(&p->look)
	                             ? model_new_job(m, sizeof *j, LANE_PROBE, "probing")
	                             : NULL;
	if (!j)
		return;
	j->job.run = look_run;
	j->job.done = look_done;
	j->game = p->play.game;
	j->position = p->play.now;
	j->question = question_of(m, false);
	question_ask(m, &p->look, &j->job);
}

/* ---- the best line: a job ---- */

struct proof_job {
	struct job job;
	const struct el_game *game;
	struct el_position position;
	struct el_question question;
	char line[PRACTICE_PROOF];
};

static void proof_run(struct job *job, const struct el_watch *watch)
{
	struct proof_job *j = (struct proof_job *)job;
	struct el_move moves[PRACTICE_PROOF_PLIES];
	struct el_line line = {.moves = moves, .max = PRACTICE_PROOF_PLIES};
	struct el_position now = j->position, next;
	size_t used = 0;
	(void)watch;
	job->status = el_library_line(job->library, j->game, &now, &j->question, &line, &job->error);
	if (!j->game->drawn(&now))
		snprintf(j->line, sizeof j->line, "no move is left: stalemate");
	else
		snprintf(j->line, sizeof j->line, "nothing is left to win with");
	for (size_t i = 0; i < line.count && used < sizeof j->line && !j->game->drawn(&now); i++) {
		char number[NUMBER_MAX], san[EL_MOVE_MAX];
		move_number(j->game, now.side, now.fullmove, i == 0, number);
		j->game->write_move(&now, &moves[i], EL_SAN, san);
		used += (size_t)snprintf(j->line + used, sizeof j->line - used, "%s%s%s%s",
		                         i ? " " : "", number, *number ? " " : "", san);
		j->game->play(&now, &moves[i], &next);
		now = next;
	}
}

static void proof_done(struct model *m, struct job *job)
{
	struct proof_job *j = (struct proof_job *)job;
	struct practice *p = practice_of(m);
	if (question_answer(&p->prove, job))
		practice_show_proof(m, j->line);
}

void practice_ask_proof(struct model *m, const struct el_position *from)
{
	struct practice *p = practice_of(m);
	struct proof_job *j = question_is_open(&p->prove)
	                              ? model_new_job(m, sizeof *j, LANE_PROBE, "following the line")
	                              : NULL;
	if (!j)
		return;
	j->job.run = proof_run;
	j->job.done = proof_done;
	j->game = p->play.game;
	j->position = *from;
	j->question = question_of(m, false);
	j->question.metric = practice_last(&p->play)->quality.metric; /* a line needs one */
	question_ask(m, &p->prove, &j->job);
}
