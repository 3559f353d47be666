/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "films.h"

#include "model.h"
#include "../text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one film ---- */

/* What takes more is not made without being asked for once more. */
static const uint64_t MUCH_MEMORY = (uint64_t)1 << 30;

struct film_job {
	struct job job;
	unsigned version;
	struct el_film_wish wish;
	struct film_wanted *wanted; /* in the model, which outlives its jobs */
	struct el_film *film;       /* owned until it is taken */
};

static void film_run(struct job *job, const struct el_watch *watch)
{
	struct film_job *j = (struct film_job *)job;
	job->status = el_film_make(job->library, &j->wish, watch, &j->film, &job->error);
}

static void film_done(struct model *m, struct job *job)
{
	struct film_job *j = (struct film_job *)job;
	struct film_wanted *w = j->wanted;
	if (!question_answer(&w->ask, j->version))
		return;
	if (job->status) {
		snprintf(w->why, sizeof w->why, "%.*s", (int)sizeof w->why - 1, job->error.text);
		model_fail(m, "%s: %s", job->title, job->error.text);
		return;
	}
	w->film = j->film;
	j->film = NULL;
}

static void film_job_free(struct job *job)
{
	el_film_free(((struct film_job *)job)->film);
	free(job);
}

/* Nobody waits for what was wanted before: if it is being made, that stops. */
static void stop_former(struct model *m, const struct film_wanted *w)
{
	if (w->ask.out && w->sent != w->ask.version && !strcmp(m->progress.title, w->title))
		m->stop_job = true;
}

void film_ask(struct model *m, struct film_wanted *w)
{
	stop_former(m, w);
	if (!w->wanted || w->why[0] || !question_send(&w->ask))
		return;
	w->sent = w->ask.version;
	snprintf(w->title, sizeof w->title, "filming %s", w->wish.slice.name);
	struct film_job *j = model_new_job(m, sizeof *j, LANE_LONG, w->title);
	if (!j) {
		w->ask.out = false;
		return;
	}
	j->job.run = film_run;
	j->job.done = film_done;
	j->job.free = film_job_free;
	j->version = w->ask.version;
	j->wish = w->wish;
	j->wanted = w;
	model_submit(m, &j->job);
}

static bool same_wish(const struct el_film_wish *a, const struct el_film_wish *b)
{
	if (!el_slice_equal(&a->slice, &b->slice) || a->metric != b->metric || a->partial != b->partial)
		return false;
	if (!a->partial)
		return true;
	bool same = a->missing.count == b->missing.count;
	for (size_t i = 0; same && i < a->missing.count; i++)
		same = el_slice_equal(&a->missing.slice[i], &b->missing.slice[i]);
	return same;
}

void film_drop(struct film_wanted *w)
{
	el_film_free(w->film);
	w->film = NULL;
	w->wanted = false;
	w->why[0] = '\0';
	question_change(&w->ask);
}

void film_want(struct film_wanted *w, const struct el_film_wish *wish)
{
	if (w->wanted && same_wish(&w->wish, wish) && !w->why[0])
		return;
	const uint64_t bytes = el_film_bytes(wish);
	char size[16];
	film_drop(w);
	w->wish = *wish;
	w->wanted = true;
	if (bytes > MUCH_MEMORY)
		snprintf(w->why, sizeof w->why, "solving %s takes %s of memory: in Teach, Enter begins",
		         wish->slice.name, bytes_text(bytes, size));
}

void film_insist(struct film_wanted *w)
{
	w->why[0] = '\0';
	question_change(&w->ask);
}

/* ---- the shelf ---- */

static size_t place_on_shelf(struct film_shelf *s, const struct el_film_wish *wish)
{
	size_t oldest = 0;
	for (size_t i = 0; i < FILM_SHELF; i++) {
		if (s->film[i].wanted && same_wish(&s->film[i].wish, wish))
			return i;
		if (s->used[i] < s->used[oldest])
			oldest = i;
	}
	film_want(&s->film[oldest], wish);
	return oldest;
}

const struct film_wanted *film_shelf_get(struct film_shelf *s, const struct el_slice *slice,
                                         const struct el_metric *metric)
{
	struct el_film_wish wish = {.slice = *slice, .metric = metric};
	size_t at = place_on_shelf(s, &wish);
	s->used[at] = ++s->clock;
	return &s->film[at];
}

const struct el_film *film_shelf_at(struct film_shelf *s, const struct el_game *game,
                                    const struct el_position *position)
{
	struct el_slice slice;
	if (game->drawn(position) || game->slice_of(position, &slice, NULL))
		return NULL;
	return film_shelf_get(s, &slice, el_game_metric(game))->film;
}

void film_shelf_ask(struct model *m, struct film_shelf *s)
{
	for (size_t i = 0; i < FILM_SHELF; i++)
		film_ask(m, &s->film[i]);
}

void film_shelf_retry(struct film_shelf *s)
{
	for (size_t i = 0; i < FILM_SHELF; i++) {
		const struct el_film_wish wish = s->film[i].wish;
		if (s->film[i].wanted)
			film_want(&s->film[i], &wish);
	}
}

void film_shelf_drop(struct film_shelf *s)
{
	for (size_t i = 0; i < FILM_SHELF; i++)
		film_drop(&s->film[i]);
}

/* ---- positions ---- */

unsigned film_deepest(const struct el_film *film)
{
	unsigned deepest = 0;
	for (size_t i = 0; i < film->step_count; i++)
		if (film->steps[i].rule == EL_FILM_WIN && film->steps[i].ply > deepest)
			deepest = film->steps[i].ply;
	return deepest;
}

uint64_t film_wins(const struct el_film *film, struct film_range range)
{
	uint64_t wins = 0;
	for (size_t i = 0; i < film->step_count; i++) {
		const struct el_film_step *s = &film->steps[i];
		if (s->rule == EL_FILM_WIN && s->ply >= range.from && s->ply <= range.to)
			wins += s->decided[EL_WHITE] + s->decided[EL_BLACK];
	}
	return wins;
}

static bool try_place(const struct el_film *film, struct film_range range, uint64_t place,
                      struct el_position *out)
{
	const struct el_slice *slice = &film->wish.slice;
	const unsigned plane = (unsigned)(place / slice->positions);
	if (!slice->game->unplace(slice, plane, place % slice->positions, out))
		return false;
	const struct el_value v = el_film_value(film, out, film->step_count - 1).value;
	return v.outcome == EL_WIN && v.plies >= range.from && v.plies <= range.to;
}

/* At random as long as that finds some soon; the few of a rare depth are looked for in order. */
bool film_sample(struct model *m, const struct el_film *film, struct film_range range,
                 struct el_position *out)
{
	enum { TRIES = 1000 };
	const struct el_slice *slice = &film->wish.slice;
	const uint64_t all = slice->planes * slice->positions;
	bool found = false;
	for (int i = 0; i < TRIES && !found; i++)
		found = try_place(film, range, model_random(m, all), out);
	if (!found)
		found = el_film_find_win(film, range.from, range.to, model_random(m, all), out);
	struct el_position other = *out;
	if (found && model_random(m, 2))
		slice->game->swap_colours(&other, out);
	return found;
}
