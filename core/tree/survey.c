/* SPDX-License-Identifier: MIT */
#include "survey.h"

#include "core/base/array.h"
#include "core/base/clock.h"
#include "core/base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists with an index ---- */

/* Places in a list plus 1, by the hash of what is there; 0: free. */
struct places {
	uint32_t *slot; /* owned */
	size_t room;    /* a power of two, at least twice what is in it */
};

struct survey_hash {
	struct places endings, mistakes;
};

static uint64_t hash_of_ending(const struct el_slice *slice)
{
	uint64_t name = 0;
	for (const char *c = slice->game->name; *c; c++)
		name = name * 31 + (unsigned char)*c;
	return hash_mix(slice->key ^ name << 32);
}

static uint64_t hash_of_mistake(const struct el_survey_mistake *m)
{
	return hash_mix(hash_mix(m->index * 2 + m->plane) + m->ending);
}

static void put(struct places *p, uint64_t hash, size_t at)
{
	size_t i = hash & (p->room - 1);
	while (p->slot[i])
		i = (i + 1) & (p->room - 1);
	p->slot[i] = (uint32_t)at + 1;
}

/* Makes room for one more of `count`. */
static bool places_fit(const struct el_survey *s, struct places *p, size_t count)
{
	size_t room = p->room ? p->room : 1024;
	while (room <= 2 * count + 2)
		room *= 2;
	if (room == p->room)
		return true;
	uint32_t *slot = calloc(room, sizeof *slot);
	if (!slot)
		return false;
	free(p->slot);
	*p = (struct places){slot, room};
	for (size_t i = 0; i < count; i++)
		put(p,
		    p == &s->hash->endings ? hash_of_ending(&s->endings[i].slice)
		                           : hash_of_mistake(&s->mistakes[i]),
		    i);
	return true;
}

/* The ending of a slice, new if need be; null: out of memory. */
static struct el_survey_ending *ending_of(struct el_survey *s, const struct el_slice *slice)
{
	struct places *p = &s->hash->endings;
	if (!places_fit(s, p, s->count))
		return NULL;
	const uint64_t hash = hash_of_ending(slice);
	for (size_t i = hash & (p->room - 1); p->slot[i]; i = (i + 1) & (p->room - 1))
		if (el_slice_equal(&s->endings[p->slot[i] - 1].slice, slice))
			return &s->endings[p->slot[i] - 1];
	if (!array_grow(&s->endings, s->count, 1, sizeof *s->endings))
		return NULL;
	s->endings[s->count] = (struct el_survey_ending){.slice = *slice};
	put(p, hash, s->count);
	return &s->endings[s->count++];
}

/* Adds a mistake, or counts it. */
static bool add_mistake(struct el_survey *s, const struct el_survey_mistake *mistake)
{
	struct places *p = &s->hash->mistakes;
	/* Most positions occur once in many games, so those make room. */
	if (s->mistake_count == EL_SURVEY_MISTAKES) {
		size_t kept = 0;
		for (size_t i = 0; i < s->mistake_count; i++)
			if (s->mistakes[i].count > 1)
				s->mistakes[kept++] = s->mistakes[i];
		s->mistake_count = kept;
		s->dropped = true;
		p->room = 0; /* their places have changed */
	}
	if (s->mistake_count == EL_SURVEY_MISTAKES)
		return true; /* all of them were made more than once */
	if (!places_fit(s, p, s->mistake_count))
		return false;
	const uint64_t hash = hash_of_mistake(mistake);
	for (size_t i = hash & (p->room - 1); p->slot[i]; i = (i + 1) & (p->room - 1)) {
		struct el_survey_mistake *m = &s->mistakes[p->slot[i] - 1];
		if (m->ending != mistake->ending || m->plane != mistake->plane ||
		    m->index != mistake->index)
			continue;
		const uint32_t count = m->count + mistake->count;
		if (mistake->game < m->game)
			*m = *mistake;
		m->count = count;
		return true;
	}
	if (!array_grow(&s->mistakes, s->mistake_count, 1, sizeof *s->mistakes))
		return false;
	s->mistakes[s->mistake_count] = *mistake;
	put(p, hash, s->mistake_count++);
	return true;
}

/* ---- one game ---- */

/* A thread's own survey, and what it needs. */
struct worker {
	struct el_survey *survey;
	struct el_judge *judge;
	struct el_error *error;
	enum el_status fault; /* of a table */
};

enum { LOSES, DRAWS, WINS, OPEN };

static unsigned level_of(enum el_outcome outcome)
{
	return !el_outcome_exact(outcome) ? OPEN
	       : outcome == EL_WIN        ? WINS
	       : outcome == EL_LOSS       ? LOSES
	                                  : DRAWS;
}

/* The result for White. */
static unsigned result_of(const struct el_tree *tree)
{
	return !strcmp(tree->result, "1-0") || !strcmp(tree->result, "2-0")       ? WINS
	       : !strcmp(tree->result, "0-1") || !strcmp(tree->result, "0-2")     ? LOSES
	       : !strncmp(tree->result, "1/2", 3) || !strcmp(tree->result, "1-1") ? DRAWS
	                                                                          : OPEN;
}

/* From the other side. */
static unsigned turned(unsigned level, bool turn)
{
	return level == OPEN || !turn ? level : WINS - level;
}

/* A move in an ending: the position before it, its place, and the verdict. */
static bool add_move(struct worker *w, const struct el_tree *tree, uint64_t game, uint32_t n,
                     unsigned side, const struct el_place *place, struct el_survey_ending *e,
                     const struct el_move_verdict *v)
{
	const struct el_node *node = &tree->nodes[n], *before = &tree->nodes[node->parent];
	struct el_survey_side *of = &e->side[side];
	e->moves++;
	if (v->kind == EL_VERDICT_UNKNOWN || v->kind == EL_VERDICT_BEYOND)
		return true;
	of->judged++;
	if (v->kind == EL_VERDICT_KEPT) {
		of->lost += v->lost;
		return true;
	}
	of->mistakes++;
	of->halves += level_of(v->before) - level_of(v->after);
	struct el_survey_mistake mistake = {
		.ending = (uint32_t)(e - w->survey->endings),
		.count = 1,
		.game = game,
		.index = place->index,
		.plane = place->plane,
		.before = (uint8_t)v->before,
		.after = (uint8_t)v->after,
		.position = before->position,
		.move = node->move,
		.better = v->better,
	};
	const char *white = el_tree_tag(tree, "White"), *black = el_tree_tag(tree, "Black");
	snprintf(mistake.players, sizeof mistake.players, "%.22s - %.22s", white ? white : "?",
	         black ? black : "?");
	return add_mistake(w->survey, &mistake);
}

/* EL_MEMORY. */
static enum el_status add_game(struct worker *w, const struct el_tree *tree, uint64_t game)
{
	struct el_move_verdict verdict = {0}, previous;
	uint64_t key = 0;
	bool counted = false, inside = false, fresh = false;
	for (uint32_t n = tree->nodes[EL_TREE_ROOT].child; n != EL_NO_NODE;
	     n = tree->nodes[n].child) {
		const struct el_node *before = &tree->nodes[tree->nodes[n].parent];
		struct el_survey_ending *e;
		struct el_place place;
		struct el_slice slice;
		struct el_error error;
		previous = verdict;
		verdict = (struct el_move_verdict){0};
		if (!el_judge_covers(w->judge, tree->game, &before->position) ||
		    !tree->game->place(&before->position, &place) ||
		    tree->game->slice_of(&before->position, &slice, NULL))
			continue;
		const enum el_status status =
			el_judge_move(w->judge, tree, n, &previous, &verdict, &error);
		if (status && !w->fault)
			w->fault = el_fail(w->error, status, "%s", error.text);
		e = ending_of(w->survey, &slice);
		if (!e)
			return EL_MEMORY;
		/* With the first-named side as White, the side to move is the plane, unless one plane is
		   for both. */
		const unsigned side = el_slice_alike(&slice) ? before->position.side : place.plane;
		/* Material never returns, so a game is in an ending once. */
		if (!inside || key != slice.key) {
			inside = fresh = true;
			key = slice.key;
			e->games++;
			e->ended[turned(result_of(tree), side != before->position.side)]++;
		}
		const bool judged =
			verdict.kind != EL_VERDICT_UNKNOWN && verdict.kind != EL_VERDICT_BEYOND;
		if (fresh)
			e->entered[judged ? turned(level_of(verdict.before), side == EL_BLACK)
			                  : OPEN]++;
		fresh = false;
		counted = counted || judged;
		if (!add_move(w, tree, game, n, side, &place, e, &verdict))
			return EL_MEMORY;
	}
	w->survey->with_endings += counted;
	return EL_OK;
}

/* ---- many ---- */

/* Adds what another survey found. */
static enum el_status join(struct el_survey *to, const struct el_survey *from)
{
	uint32_t *place = malloc((from->count + 1) * sizeof *place);
	enum el_status status = place ? EL_OK : EL_MEMORY;
	to->with_endings += from->with_endings;
	to->dropped = to->dropped || from->dropped;
	for (size_t i = 0; i < from->count && !status; i++) {
		const struct el_survey_ending *e = &from->endings[i];
		struct el_survey_ending *sum = ending_of(to, &e->slice);
		if (!sum) {
			status = EL_MEMORY;
			break;
		}
		place[i] = (uint32_t)(sum - to->endings);
		sum->games += e->games;
		sum->moves += e->moves;
		for (unsigned k = 0; k < 4; k++) {
			sum->entered[k] += e->entered[k];
			sum->ended[k] += e->ended[k];
		}
		for (unsigned side = 0; side < 2; side++) {
			sum->side[side].judged += e->side[side].judged;
			sum->side[side].mistakes += e->side[side].mistakes;
			sum->side[side].halves += e->side[side].halves;
			sum->side[side].lost += e->side[side].lost;
		}
	}
	for (size_t i = 0; i < from->mistake_count && !status; i++) {
		struct el_survey_mistake mistake = from->mistakes[i];
		mistake.ending = place[mistake.ending];
		if (!add_mistake(to, &mistake))
			status = EL_MEMORY;
	}
	free(place);
	return status;
}

/* What threads share. */
struct survey_reading {
	struct el_survey *survey;
	struct el_games *games;
	uint64_t bytes;
	const struct el_watch *watch;
	struct el_error *error;
	enum el_status status; /* the first failure */
	bool ended;
	double shown; /* when progress was shown last */
};

/* The next game; null: no more. One thread at a time. */
static struct el_tree *next_game(struct survey_reading *r, uint64_t *number)
{
	enum { TICK_MS = 100 };
	struct el_survey *s = r->survey;
	struct el_tree *tree = NULL;
	struct el_error error;
	const double now = clock_seconds();
	if (r->status || r->ended)
		return NULL;
	if (now - r->shown > TICK_MS / 1000.0) {
		const struct el_progress progress = {"surveying", "games",
		                                     (double)el_games_bytes(r->games),
		                                     (double)r->bytes, .unit = "bytes"};
		r->shown = now;
		if (!el_watch_tick(r->watch, &progress)) {
			r->status = el_fail(r->error, EL_STOPPED, "stopped after %llu games",
			                    (unsigned long long)s->games);
			return NULL;
		}
	}
	const enum el_status status = el_games_next(r->games, &tree, &error);
	if (status && !tree) {
		r->status = el_fail(r->error, status, "%s", error.text);
		return NULL;
	}
	r->ended = !tree;
	if (!tree)
		return NULL;
	if (status) {
		s->faulty++;
		if (s->faults < EL_SURVEY_FAULTS && (s->fault[s->faults] = strdup(error.text)))
			s->faults++;
	}
	*number = ++s->games;
	return tree;
}

enum el_status el_survey_read(struct el_survey *s, struct el_library *library,
                              const struct el_question *question, struct el_games *games,
                              uint64_t bytes, const struct el_watch *watch, struct el_error *error)
{
	struct survey_reading r = {s, games, bytes, watch, error, EL_OK, false, 0};
	struct el_error fault;
	enum el_status faulty = EL_OK;
#pragma omp parallel
	{
		struct el_error own, failure;
		struct worker w = {.error = &own};
		enum el_status status = el_survey_open(&w.survey, &failure);
		if (!status)
			status = el_judge_open(library, question, &w.judge, &failure);
		while (!status) {
			struct el_tree *tree;
			uint64_t number;
#pragma omp critical(survey)
			tree = next_game(&r, &number);
			if (!tree)
				break;
			status = add_game(&w, tree, number);
			el_tree_close(tree);
		}
#pragma omp critical(survey)
		{
			if (!status)
				status = join(s, w.survey);
			if (status && !r.status)
				r.status = el_fail(error, status, "out of memory");
			if (w.fault && !faulty)
				faulty = el_fail(&fault, w.fault, "%s", own.text);
		}
		el_judge_close(w.judge);
		el_survey_close(w.survey);
	}
	if (!r.status && faulty)
		r.status = el_fail(error, faulty, "%s", fault.text);
	return r.status;
}

/* ---- the result ---- */

enum el_status el_survey_open(struct el_survey **out, struct el_error *error)
{
	struct el_survey *s = *out = calloc(1, sizeof *s);
	if (s)
		s->hash = calloc(1, sizeof *s->hash);
	if (s && s->hash)
		return EL_OK;
	free(s);
	*out = NULL;
	return el_fail(error, EL_MEMORY, "out of memory");
}

static int by_games(const void *x, const void *y)
{
	const struct el_survey_ending *const *a = x, *const *b = y;
	if ((*a)->games != (*b)->games)
		return (*a)->games > (*b)->games ? -1 : 1;
	return strcmp((*a)->slice.name, (*b)->slice.name);
}

static int by_count(const void *x, const void *y)
{
	const struct el_survey_mistake *a = x, *b = y;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	if (a->game != b->game)
		return a->game < b->game ? -1 : 1;
	return (a->position.fullmove > b->position.fullmove) -
	       (a->position.fullmove < b->position.fullmove);
}

enum el_status el_survey_sort(struct el_survey *s, struct el_error *error)
{
	const struct el_survey_ending **order = malloc((s->count + 1) * sizeof *order);
	struct el_survey_ending *sorted = malloc((s->count + 1) * sizeof *sorted);
	uint32_t *place = malloc((s->count + 1) * sizeof *place);
	const bool room = order && sorted && place;
	for (size_t i = 0; i < s->count && room; i++)
		order[i] = &s->endings[i];
	if (room)
		qsort(order, s->count, sizeof *order, by_games);
	for (size_t i = 0; i < s->count && room; i++) {
		sorted[i] = *order[i];
		place[order[i] - s->endings] = (uint32_t)i;
	}
	for (size_t i = 0; i < s->mistake_count && room; i++)
		s->mistakes[i].ending = place[s->mistakes[i].ending];
	if (room) {
		free(s->endings);
		s->endings = sorted;
		sorted = NULL;
	}
	if (room && s->mistake_count)
		qsort(s->mistakes, s->mistake_count, sizeof *s->mistakes, by_count);
	free(order);
	free(sorted);
	free(place);
	return room ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
}

void el_survey_close(struct el_survey *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->faults; i++)
		free(s->fault[i]);
	free(s->endings);
	free(s->mistakes);
	free(s->hash->endings.slot);
	free(s->hash->mistakes.slot);
	free(s->hash);
	free(s);
}
