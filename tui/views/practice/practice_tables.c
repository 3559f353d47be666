/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Practice's table queries: a position of a slice, drawn at random and probed, so that no slice is
 * too large; the values of all moves under the rule in force; the best line.
 */
#include "practice.h"

#include "tui/model/window.h"

#include "core/base/clock.h"
#include "core/builder/build.h"
#include "core/probe/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* How many suitable positions to find before levels are set, and how many to try; fewer if
	   their moves are probed too. */
	FOUND_ENOUGH = 400,
	TRIES_MAX = 20000,
	MOVES_FOUND_ENOUGH = 100,
	MOVES_TRIES_MAX = 4000,
	TRIES_TELL = 16, /* tries after which it is clear whether tables suffice */
	DRAW_MS = 500,   /* time limit, since a disk may be slow */
};

OWN_STATE(, practice, struct practice);

static struct el_question question_of(const struct model *m, bool alone)
{
	return (struct el_question){
		.metric = m->metric, .rule = m->rule, .by_demand = !alone, .alone = alone};
}

/* ---- what is missing ---- */

/* Finds a slice's first file that cannot be opened. */
static enum el_status find_hindrance(struct el_library *library, const struct el_slice *slice,
                                     struct el_error *error)
{
	const struct el_metric *metric = NULL;
	enum el_status status = EL_OK;
	while ((!status || status == EL_NEGATIVE) &&
	       (metric = el_library_next_metric(library, slice, metric)))
		status = el_library_find(library, slice, metric, error);
	return status == EL_NEGATIVE ? EL_OK : status;
}

/* Says why a slice's tables are insufficient, and what to do. */
static void say_missing(struct el_library *library, const struct el_slice *slice, char *out)
{
	const struct el_plan_wish wish = {.slices = slice, .count = 1, .proves = EL_PROVE_CHEAP};
	struct el_plan plan = {.count = 0};
	struct el_error error;
	char cost[PLAN_COST_MAX], others[32] = "";
	if (find_hindrance(library, slice, &error)) {
		snprintf(out, PRACTICE_MISSING, "%.*s", PRACTICE_MISSING - 1, error.text);
		return;
	}
	const bool any = el_library_next_metric(library, slice, NULL);
	snprintf(out, PRACTICE_MISSING, any ? "No table of %s tells this. " : "%s is not built. ",
	         slice->name);
	enum el_status status = el_plan_wished(library, &wish, &plan, &error);
	if (!status)
		status = el_plan_check_memory(&plan, &error);
	if (!status)
		status = el_plan_estimate(library, &plan, &error);
	if (plan.count > 1)
		snprintf(others, sizeof others, " and %zu %s", plan.count - 1,
		         plural(plan.count - 1, "other", "others"));
	if (status)
		el_text_add(out, PRACTICE_MISSING, "A table cannot be built: %s.", error.text);
	else if (plan.count)
		el_text_add(out, PRACTICE_MISSING, "Press b to build it%s (%s).", others,
		            plan_cost(&plan, cost));
	el_plan_free(&plan);
}

/* ---- drawing a position: a job ---- */

struct found {
	struct el_position position;
	struct el_value value;
	unsigned hard;
};

struct draw_job {
	struct job job;
	struct el_slice slice;
	enum exercise_name exercise;
	struct el_question question;
	uint64_t random; /* seed_random */
	int level;
	bool unhurried, has_given, unfit;
	struct el_position given;
	bool told;                      /* tables know enough here */
	const struct el_metric *metric; /* of the values */
	size_t count, of_level[3];      /* by practice_level_of */
	struct found found[FOUND_ENOUGH];
	size_t chosen; /* of these, when there are any */
	struct el_value values[MARKS_SQUARES];
	char missing[PRACTICE_MISSING];
};

/* Ignores values known from moves alone, which are sporadic: the slice's own table counts. */
static bool value_of(struct draw_job *j, const struct el_position *position, struct el_answer *a,
                     struct el_value *value)
{
	el_library_answer(j->job.library, j->slice.game, position, &j->question, a, &j->job.error);
	return !a->from_moves && practice_value(a, exercises[j->exercise].deep, value);
}

/* How many positions of one outcome to keep. */
static size_t most_kept(const struct exercise *e)
{
	return (e->moves ? MOVES_FOUND_ENOUGH : FOUND_ENOUGH) / e->outcomes;
}

/* The piece to try on squares: the side to move's first, by kind, then by square. EL_NO_SQUARE: it has none on the
   board. */
static uint8_t piece_of(const struct el_game *game, const struct el_position *p)
{
	unsigned side;
	for (uint8_t square = 0; game->sows && square < MARKS_SQUARES; square++)
		if (el_square_taken(game, p, square, &side) && side == p->side)
			return square;
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		if (p->set[p->side][kind])
			return (uint8_t)__builtin_ctzll(p->set[p->side][kind]);
	return EL_NO_SQUARE;
}

/* Probes a position, and keeps it if it is suitable. */
static void look_at(struct draw_job *j, const struct el_position *position, struct el_answer *a)
{
	const struct exercise *e = &exercises[j->exercise];
	struct found found = {.position = *position};
	if (!value_of(j, position, a, &found.value))
		return;
	j->told = true;
	j->metric = a->metric;
	size_t *kept = &j->of_level[practice_level_of(found.value.outcome)];
	if (e->kind == BY_MARKS && piece_of(j->slice.game, position) == EL_NO_SQUARE)
		return;
	if (*kept == most_kept(e) || !e->takes(a, found.value, &found.hard))
		return;
	++*kept;
	j->found[j->count++] = found;
}

static bool is_within(const struct found *found, struct range range)
{
	return found->hard >= range.from && found->hard <= range.to;
}

static bool any_within(const void *context, struct range range)
{
	const struct draw_job *j = context;
	size_t i = 0;
	while (i < j->count && !is_within(&j->found[i], range))
		i++;
	return i < j->count;
}

static bool is_enough(const struct draw_job *j, unsigned tries, long long since)
{
	const struct exercise *e = &exercises[j->exercise];
	return j->count == most_kept(e) * e->outcomes ||
	       tries == (e->moves ? MOVES_TRIES_MAX : TRIES_MAX) ||
	       (tries >= TRIES_TELL && !j->told) ||
	       (j->count && !j->unhurried && clock_ms() - since > DRAW_MS);
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
		look_at(j, &j->given, a);
		j->unfit = j->told && !j->count && !j->slice.is_study;
	}
	if (!j->count && !j->slice.is_study) {
		/* Try positions with either colour as the stronger side. */
		const struct el_progress progress = {
			.stage = "looking at positions",
			.what = j->slice.name,
			.done = 0,
			.total = 0,
			.unit = "positions",
		};
		const long long since = clock_ms();
		struct el_position position, other;
		for (unsigned tries = 0;
		     !is_enough(j, tries, since) && el_watch_tick(watch, &progress) &&
		     slice_sample(&j->random, &j->slice, &position);
		     tries++) {
			other = position;
			if (seed_random(&j->random, 2))
				j->slice.game->swap_colours(&other, &position);
			look_at(j, &position, a);
		}
	}
	if (j->count) {
		/* If there are positions with and without a depth, a third are without. */
		const struct range shallow = {0, 0};
		unsigned hardest = 0;
		for (size_t i = 0; i < j->count; i++)
			hardest = j->found[i].hard > hardest ? j->found[i].hard : hardest;
		const bool flat =
			!hardest || (any_within(j, shallow) && !seed_random(&j->random, 3));
		const struct range range =
			flat ? shallow : practice_range(hardest, j->level, any_within, j);
		size_t i = (size_t)seed_random(&j->random, j->count);
		while (!is_within(&j->found[i], range))
			i = (i + 1) % j->count;
		j->chosen = i;
		if (exercises[j->exercise].kind == BY_MARKS) {
			/* the values with the piece on each square */
			const struct el_position *position = &j->found[j->chosen].position;
			const uint8_t piece = piece_of(j->slice.game, position);
			for (uint8_t square = 0; square < MARKS_SQUARES; square++) {
				struct el_position p;
				struct el_value *value = &j->values[square];
				*value = (struct el_value){.outcome = EL_BROKEN};
				if (window_try(j->slice.game, position, piece, square, &p) &&
				    !j->slice.game->check(&p, NULL) && !value_of(j, &p, a, value))
					value->outcome = EL_UNKNOWN;
			}
		}
	} else if (!j->told && !j->slice.is_study)
		say_missing(job->library, &j->slice, j->missing);
	free(a);
}

static void draw_done(struct model *m, struct job *job)
{
	struct draw_job *j = (struct draw_job *)job;
	struct practice *p = practice_of(m);
	if (!question_answer(&p->draw, job))
		return;
	p->has_given = false;
	p->none = !j->count && (j->told || j->slice.is_study);
	p->to_build = j->slice;
	memcpy(p->missing, j->missing, sizeof p->missing);
	if (job->status)
		model_fail(m, "%s: %s", j->slice.name, job->error.text);
	if (j->unfit)
		model_fail(m, "%s %s that position; here is another.",
		           j->slice.game->sides[j->given.side], exercises[j->exercise].unfit);
	if (!j->count)
		return;
	p->told = j->metric;
	p->value = j->found[j->chosen].value;
	p->piece = piece_of(j->slice.game, &j->found[j->chosen].position);
	/* The squares with the same value as the piece's own. */
	const struct el_value wanted = j->found[j->chosen].value;
	uint64_t set = 0;
	for (uint8_t square = 0; square < MARKS_SQUARES; square++)
		if (j->values[square].outcome == wanted.outcome &&
		    j->values[square].plies == wanted.plies)
			set |= (uint64_t)1 << square;
	p->expected = set;
	memcpy(p->values, j->values, sizeof p->values);
	const struct el_position *position = &j->found[j->chosen].position;
	practice_begin(&p->play, p->exercise, p->slice.game, position);
	p->flipped = position->side == EL_BLACK;
	p->guess = 1;
	p->list = (struct list){.count = exercises[p->exercise].kind == BY_GUESS ? 3 : 0};
	marks_begin(&p->marks, p->slice.game);
}

void practice_ask_position(struct model *m)
{
	struct practice *p = practice_of(m);
	struct draw_job *j = question_is_open(&p->draw) ? model_new_job(m, sizeof *j, LANE_PROBE,
	                                                                "looking for a position",
	                                                                draw_run, draw_done, NULL)
	                                                : NULL;
	if (!j)
		return;
	j->slice = p->slice;
	j->exercise = p->exercise;
	j->question = question_of(m, !exercises[p->exercise].moves);
	j->question.by_demand = false;
	j->random = model_random(m, UINT64_MAX);
	j->level = p->level;
	j->unhurried = m->unhurried;
	j->has_given = p->has_given;
	j->given = p->given;
	question_ask(m, &p->draw, &j->job);
}

/* ---- the values of the moves: a job ---- */

struct look_job {
	struct job job;
	const struct el_game *game;
	struct el_position position;
	struct el_question question;
	bool deep;
	struct el_answer answer;
	struct el_slice lacking;
	char missing[PRACTICE_MISSING];
};

static void look_run(struct job *job, const struct el_watch *watch)
{
	struct look_job *j = (struct look_job *)job;
	(void)watch;
	job->status = el_library_answer(job->library, j->game, &j->position, &j->question,
	                                &j->answer, &job->error);
	if (practice_tells(&j->answer, j->deep))
		return;
	/* Find the slice whose table is missing: the position's own, or that of the first unknown
	   move. */
	const struct el_answer *a = &j->answer;
	struct el_position next = j->position;
	struct el_value value;
	for (size_t i = 0; practice_value(a, j->deep, &value) && i < a->count; i++)
		if (!practice_tells_move(a, i)) {
			j->game->play(&j->position, &a->moves[i].move, &next);
			break;
		}
	if (!j->game->slice_of(&next, &j->lacking, NULL))
		say_missing(job->library, &j->lacking, j->missing);
	else
		snprintf(j->missing, sizeof j->missing,
		         "No table tells what these moves are worth.");
}

static void look_done(struct model *m, struct job *job)
{
	struct look_job *j = (struct look_job *)job;
	struct practice *p = practice_of(m);
	if (!question_answer(&p->look, job) || !p->play.game)
		return;
	memcpy(p->missing, j->missing, sizeof p->missing);
	if (practice_take(&p->play, &j->answer))
		return;
	p->to_build = j->lacking;
	if (job->status)
		model_fail(m, "%s", job->error.text);
}

void practice_ask_moves(struct model *m)
{
	struct practice *p = practice_of(m);
	struct look_job *j = question_is_open(&p->look)
	                             ? model_new_job(m, sizeof *j, LANE_PROBE, "probing", look_run,
	                                             look_done, NULL)
	                             : NULL;
	if (!j)
		return;
	j->game = p->play.game;
	j->position = p->play.now;
	j->question = question_of(m, false);
	j->deep = exercises[p->exercise].deep;
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
	(void)watch;
	job->status =
		el_library_line(job->library, j->game, &now, &j->question, &line, &job->error);
	if (!j->game->drawn(&now))
		snprintf(j->line, sizeof j->line, "no move is left: stalemate");
	else
		snprintf(j->line, sizeof j->line, "nothing is left to win with");
	for (size_t i = 0; i < line.count && !j->game->drawn(&now); i++) {
		char number[NUMBER_MAX], san[EL_MOVE_MAX];
		move_number(j->game, now.side, now.fullmove, i == 0, number);
		j->game->write_move(&now, &moves[i], EL_SAN, san);
		if (!i)
			*j->line = '\0';
		el_text_add(j->line, sizeof j->line, "%s%s%s%s", i ? " " : "", number,
		            *number ? " " : "", san);
		j->game->play(&now, &moves[i], &next);
		now = next;
	}
}

static void proof_done(struct model *m, struct job *job)
{
	struct proof_job *j = (struct proof_job *)job;
	struct practice *p = practice_of(m);
	if (!question_answer(&p->prove, job))
		return;
	const bool thrown = p->play.score.end == PRACTICE_THROWN;
	snprintf(p->proof, sizeof p->proof, "%s  %s", thrown ? "proof" : "best", j->line);
	p->proving = false;
}

void practice_ask_proof(struct model *m, const struct el_position *from,
                        const struct el_metric *metric)
{
	struct practice *p = practice_of(m);
	struct proof_job *j =
		question_is_open(&p->prove)
			? model_new_job(m, sizeof *j, LANE_PROBE, "following the line", proof_run,
	                                proof_done, NULL)
			: NULL;
	if (!j)
		return;
	j->game = p->play.game;
	j->position = *from;
	j->question = question_of(m, false);
	j->question.metric = metric; /* a line needs one */
	question_ask(m, &p->prove, &j->job);
}
