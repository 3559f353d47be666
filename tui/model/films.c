/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include "tui/text/text.h"

#include <stdio.h>
#include <stdlib.h>

/* A film that takes more is made only on a second request. */
static const uint64_t MUCH_MEMORY = (uint64_t)1 << 30;
/* The memory of films on the shelf that are not on screen. */
static const uint64_t SHELF_MEMORY = (uint64_t)1 << 30;

/* ---- places ---- */

static bool same_wish(const struct el_film_wish *a, const struct el_film_wish *b)
{
	if (!el_slice_equal(&a->slice, &b->slice) || a->partial != b->partial ||
	    el_metric_solved(a->metric) != el_metric_solved(b->metric))
		return false;
	if (!a->partial)
		return true;
	bool same = a->missing.count == b->missing.count;
	for (size_t i = 0; same && i < a->missing.count; i++)
		same = el_slice_equal(&a->missing.slice[i], &b->missing.slice[i]);
	return same;
}

/* Null if there is none of that wish. */
static struct filmed *find(const struct films *s, const struct el_film_wish *wish)
{
	for (size_t i = 0; i < FILMS_MAX; i++)
		if (s->place[i].taken && same_wish(&s->place[i].wish, wish))
			return (struct filmed *)&s->place[i];
	return NULL;
}

const struct filmed *films_find(const struct model *m, const struct el_film_wish *wish)
{
	return find(&m->films, wish);
}

/* Empties a place. */
static void drop(struct model *m, struct filmed *f)
{
	question_change(m, &f->ask);
	el_film_free(f->film);
	*f = (struct filmed){.taken = false};
}

/* Notes why a film is too large, unless the user insists. */
static void say_memory(struct filmed *f)
{
	uint64_t solving;
	const uint64_t bytes = el_film_bytes(&f->wish, &solving);
	char size[16], more[16];
	f->why[0] = '\0';
	if (bytes > MUCH_MEMORY && !f->insisted)
		snprintf(f->why, sizeof f->why,
		         "Solving %s needs %s of memory, and its film %s more.", f->wish.slice.name,
		         bytes_text(solving, size), bytes_text(bytes - solving, more));
}

const struct filmed *films_want(struct model *m, const struct el_film_wish *wish)
{
	struct filmed *f = find(&m->films, wish);
	if (!f) {
		/* Free the least recently used place. */
		f = m->films.place;
		for (struct filmed *other = f; other < m->films.place + FILMS_MAX; other++)
			if (other->used < f->used)
				f = other;
		drop(m, f);
		f->taken = true;
		f->wish = *wish;
		say_memory(f);
	}
	f->wanted = true;
	f->used = ++m->films.clock;
	return f;
}

const struct el_film *films_at(struct model *m, const struct el_game *game,
                               const struct el_position *position)
{
	struct el_film_wish wish = {.metric = el_game_metric(game)};
	if (game->drawn(position) || game->slice_of(position, &wish.slice, NULL))
		return NULL;
	return films_want(m, &wish)->film;
}

void films_insist(struct model *m, const struct el_film_wish *wish)
{
	struct filmed *f = find(&m->films, wish);
	if (!f)
		return;
	f->insisted = true;
	f->why[0] = '\0';
}

void films_retry(struct model *m)
{
	for (struct filmed *f = m->films.place; f < m->films.place + FILMS_MAX; f++)
		if (f->taken && !f->film)
			say_memory(f);
}

void films_forget(struct model *m)
{
	for (struct filmed *f = m->films.place; f < m->films.place + FILMS_MAX; f++)
		drop(m, f);
}

void films_free(struct films *s)
{
	for (size_t i = 0; i < FILMS_MAX; i++)
		el_film_free(s->place[i].film);
}

/* ---- making one: a job ---- */

struct film_job {
	struct job job;
	struct el_film_wish wish;
	struct el_film *film; /* owned until it is taken */
};

static void film_run(struct job *job, const struct el_watch *watch)
{
	struct film_job *j = (struct film_job *)job;
	job->status = el_film_make(job->library, &j->wish, watch, &j->film, &job->error);
}

static uint64_t held(const struct films *s)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < FILMS_MAX; i++)
		bytes += s->place[i].film ? el_film_held(s->place[i].film) : 0;
	return bytes;
}

static void film_done(struct model *m, struct job *job)
{
	struct film_job *j = (struct film_job *)job;
	struct filmed *f = find(&m->films, &j->wish);
	if (!f || f->ask.job != job->number)
		return;
	f->ask.job = 0;
	if (job->status) {
		/* A sentence: Teach goes on with another. */
		snprintf(f->why, sizeof f->why, "%.*s.", (int)sizeof f->why - 2,
		         job->status == EL_STOPPED ? "Stopped" : job->error.text);
		const char *name = j->wish.slice.name;
		if (strncmp(f->why, name, strlen(name)))
			model_fail(m, "%s: %s", name, f->why);
		else
			model_fail(m, "%s", f->why);
		return;
	}
	f->ask.known = true;
	f->film = j->film;
	j->film = NULL;
	/* Drop films that are not on screen until the shelf is within its limit. */
	struct films *s = &m->films;
	for (struct filmed *oldest = s->place; oldest && held(s) > SHELF_MEMORY;) {
		oldest = NULL;
		for (struct filmed *other = s->place; other < s->place + FILMS_MAX; other++)
			if (other->film && other->used <= s->asked &&
			    (!oldest || other->used < oldest->used))
				oldest = other;
		if (oldest)
			drop(m, oldest);
	}
}

static void film_job_free(struct job *job)
{
	el_film_free(((struct film_job *)job)->film);
	free(job);
}

void films_ask(struct model *m)
{
	uint64_t first = m->films.clock;
	for (size_t i = 0; i < FILMS_MAX; i++)
		if (m->films.place[i].wanted && m->films.place[i].used <= first)
			first = m->films.place[i].used - 1;
	m->films.asked = first;
	for (struct filmed *f = m->films.place; f < m->films.place + FILMS_MAX; f++) {
		if (f->wanted && !f->why[0] && question_is_open(&f->ask)) {
			char title[64];
			snprintf(title, sizeof title, "solving %s", f->wish.slice.name);
			struct film_job *j = model_new_job(m, sizeof *j, LANE_LOOK, title, film_run,
			                                   film_done, film_job_free);
			if (j) {
				j->wish = f->wish;
				question_ask(m, &f->ask, &j->job);
			}
		}
		if (!f->wanted && f->ask.job)
			question_change(m, &f->ask);
		f->wanted = false;
	}
}

/* ---- positions ---- */

/* Random places usually find a win at once. If wins are rare, searches in order. */
bool film_sample(struct model *m, const struct el_film *film, struct el_position *out)
{
	enum { TRIES = 1000 };
	const struct el_slice *slice = &film->wish.slice;
	const uint64_t all = slice->planes * slice->positions;
	bool found = false;
	for (int i = 0; i < TRIES && !found; i++) {
		const uint64_t place = model_random(m, all);
		const unsigned plane = (unsigned)(place / slice->positions);
		found = slice->game->unplace(slice, plane, place % slice->positions, out) &&
		        el_film_value(film, out, film->step_count - 1).value.outcome == EL_WIN;
	}
	if (!found)
		found = el_film_find(film, 0, film->step_count, true, model_random(m, all), out);
	struct el_position other = *out;
	if (found && model_random(m, 2))
		slice->game->swap_colours(&other, out);
	return found;
}
