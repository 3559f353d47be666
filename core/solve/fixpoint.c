/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Retrograde analysis as the fixpoint of two operators. Nothing here knows a game.
 *
 *     LOSS[0] = lost on the board
 *     WIN[n]  = (pre_some(LOSS[n-1]) or converts to a loss in n-1)             and not known
 *     LOSS[n] = (pre_all(WIN[1] .. WIN[n-1]), every conversion to a win by then) and not known
 *
 * until neither grows and no conversion is waiting; what is left is a draw. Both sides to move go
 * side by side. An observer sees each pass; the recorder of values is one.
 */
#include "endlab/solve.h"
#include "../clock.h"
#include "recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 6 };

/* A set that one pass decides. Where there is nothing in it, its words are not looked at. */
struct fresh {
	uint64_t *set;
	bool any;
};

/* One side to move. */
struct half {
	uint64_t *undecided;      /* legal and not known */
	uint64_t *win;            /* all wins so far */
	struct fresh win_before;  /* WIN[n-1] */
	struct fresh loss_before; /* LOSS[n-1] */
	struct fresh win_now;     /* WIN[n], while it is found */
	struct fresh loss_now;
	size_t wins, frees;       /* events that have taken effect */
};

struct fixpoint {
	struct el_sets *sets;
	const struct el_observer *observers[2]; /* the recorder, the caller's */
	struct half half[2];
	uint64_t *memory[2];    /* of the halves */
	uint64_t total, known;  /* positions that the table stores; those decided so far */
	unsigned passes;        /* the last ply that decided any of them */
};

/* Who moves next. */
static unsigned other(const struct fixpoint *f, unsigned side)
{
	return f->sets->sides == 1 ? side : !side;
}

static uint64_t count_bits(const uint64_t *set, size_t words)
{
	uint64_t count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
	for (size_t w = 0; w < words; w++)
		count += (uint64_t)__builtin_popcountll(set[w]);
	return count;
}

static bool halves_open(struct fixpoint *f)
{
	const size_t words = f->sets->words;
	for (unsigned side = 0; side < f->sets->sides; side++) {
		uint64_t *set = aligned_alloc(64, (SETS * words * sizeof *set + 63) / 64 * 64);
		if (!set)
			return false;
		f->memory[side] = set;
		f->half[side] = (struct half){
			.undecided = set,
			.win = set + words,
			.win_before.set = set + 2 * words,
			.loss_before.set = set + 3 * words,
			.win_now.set = set + 4 * words,
			.loss_now.set = set + 5 * words,
		};
		memcpy(set, f->sets->legal[side], words * sizeof *set);
		memset(f->half[side].win, 0, words * sizeof *set);
		if (side < f->sets->slice.planes)
			f->total += count_bits(set, f->sets->stored_words);
	}
	return true;
}

/* ORs the events due at `ply` into a set, or takes their bits out of it; true if there were any. */
static bool take_events(const struct el_schedule *schedule, size_t *next, unsigned ply,
                        uint64_t *set, bool clear)
{
	const size_t before = *next;
	for (; *next < schedule->count && schedule->events[*next].ply <= ply; ++*next) {
		const struct el_event *event = &schedule->events[*next];
		if (clear)
			set[event->word] &= ~event->bits;
		else
			set[event->word] |= event->bits;
	}
	return *next != before;
}

static bool event_due(const struct el_schedule *schedule, size_t next, unsigned ply)
{
	return next < schedule->count && schedule->events[next].ply <= ply;
}

/* WIN[n] of one side: only a fresh loss, or a conversion, can bring one. */
static void find_wins(struct fixpoint *f, unsigned side, unsigned ply)
{
	struct half *h = &f->half[side];
	const struct fresh *losses = &f->half[other(f, side)].loss_before;
	const struct el_schedule *events = &f->sets->wins[side];
	const size_t words = f->sets->words;
	uint64_t *found = h->win_now.set;

	h->win_now.any = losses->any || event_due(events, h->wins, ply);
	if (!h->win_now.any)
		return;
	if (losses->any)
		f->sets->pre_some(f->sets, side, losses->set, h->undecided, found);
	else
		memset(found, 0, words * sizeof *found);
	if (take_events(events, &h->wins, ply, found, false))
		for (size_t w = 0; w < words; w++)
			found[w] &= h->undecided[w];
}

/* LOSS[n] of one side: only a fresh win, or a conversion that no longer holds, can bring one. */
static void find_losses(struct fixpoint *f, unsigned side, unsigned ply)
{
	struct half *h = &f->half[side];
	uint64_t *blocked = f->sets->blocked[side], *found = h->loss_now.set;
	const uint64_t *stuck = f->sets->stuck[side];
	bool freed = take_events(&f->sets->frees[side], &h->frees, ply, blocked, true);

	h->loss_now.any = freed || f->half[other(f, side)].win_before.any;
	if (!h->loss_now.any)
		return;
	/* The candidates are put where the answer comes: operators may work in place. */
#pragma omp parallel for schedule(static)
	for (size_t w = 0; w < f->sets->words; w++)
		found[w] = h->undecided[w] & ~blocked[w] & ~stuck[w];
	f->sets->pre_all(f->sets, side, f->half[other(f, side)].win, found, found);
}

/* Makes a set known: takes it from the undecided, tells the observers, sees whether it is empty. */
static void settle(struct fixpoint *f, unsigned ply, unsigned side, enum el_outcome outcome,
                   struct fresh *fresh)
{
	if (!fresh->any)
		return;
	const uint64_t *set = fresh->set;
	const uint64_t win_mask = outcome == EL_WIN ? UINT64_MAX : 0;
	uint64_t *undecided = f->half[side].undecided, *win = f->half[side].win;
	const size_t stored = f->sets->stored_words;
	uint64_t any = 0, count = 0;
#pragma omp parallel for schedule(static) reduction(| : any) reduction(+ : count)
	for (size_t w = 0; w < f->sets->words; w++) {
		any |= set[w];
		count += w < stored ? (uint64_t)__builtin_popcountll(set[w]) : 0;
		undecided[w] &= ~set[w];
		win[w] |= set[w] & win_mask;
	}
	fresh->any = any != 0;
	f->known += side < f->sets->slice.planes ? count : 0;
	f->passes = count ? ply : f->passes;
	const struct el_pass pass = {ply, side, outcome, set, count};
	for (unsigned o = 0; o < 2; o++)
		if (f->observers[o] && f->observers[o]->pass)
			f->observers[o]->pass(f->observers[o]->context, f->sets, &pass);
}

static void swap(struct fresh *a, struct fresh *b)
{
	struct fresh t = *a;
	*a = *b;
	*b = t;
}

/* Makes WIN[n] and LOSS[n] known, and the sets of the pass before. */
static void commit(struct fixpoint *f, unsigned side, unsigned ply)
{
	struct half *h = &f->half[side];
	settle(f, ply, side, EL_LOSS, &h->loss_now);
	settle(f, ply, side, EL_WIN, &h->win_now);
	swap(&h->loss_before, &h->loss_now);
	swap(&h->win_before, &h->win_now);
}

/* Does a later pass still have something to work on? */
static bool alive(const struct fixpoint *f)
{
	bool any = false;
	for (unsigned side = 0; side < f->sets->sides; side++) {
		const struct half *h = &f->half[side];
		any |= h->win_before.any || h->loss_before.any ||
		       h->wins < f->sets->wins[side].count ||
		       h->frees < f->sets->frees[side].count;
	}
	return any;
}

static enum el_status run(struct fixpoint *f, const struct el_problem *problem,
                          struct el_error *error)
{
	char what[EL_SLICE_MAX + 16];
	snprintf(what, sizeof what, "%s %s", problem->slice.name, problem->metric->name);
	/* Draws are never decided, so this rises to what is won or lost, and then the slice is done. */
	struct el_progress progress = {"solving", what, 0, (double)f->total, "positions"};

	for (unsigned side = 0; side < f->sets->sides; side++) {
		struct fresh *lost = &f->half[side].loss_now;
		memcpy(lost->set, f->sets->lost[side], f->sets->words * sizeof *lost->set);
		lost->any = true;
		commit(f, side, 0);
	}
	for (unsigned ply = 1; alive(f); ply++) {
		progress.done = (double)f->known;
		if (!el_watch_tick(problem->watch, &progress))
			return el_fail(error, EL_STOPPED, "%s: stopped at ply %u", what, ply);
		for (unsigned side = 0; side < f->sets->sides; side++) {
			find_wins(f, side, ply);
			find_losses(f, side, ply);
		}
		for (unsigned side = 0; side < f->sets->sides; side++)
			commit(f, side, ply);
	}
	return EL_OK;
}

/* What is known and was not before the first pass, the passes have found. */
static void note_phases(const struct fixpoint *f, double seconds, struct el_planes *out)
{
	uint64_t left = f->known;
	out->passes = f->passes;
	unsigned last = 0;
	memcpy(out->phase, f->sets->phase, sizeof out->phase);
	for (; out->phase[last].name[0]; last++)
		left -= out->phase[last].decided;
	out->phase[last] = (struct el_phase){"quiet moves", left, seconds};
}

enum el_status el_solve(const struct el_problem *problem, struct el_planes *out,
                        struct el_error *error)
{
	struct fixpoint f = {.observers = {NULL, problem->observer}};
	struct recorder *recorder = NULL;
	double start, seconds = 0;
	enum el_status status = problem->slice.game->sets_open(problem, &f.sets, error);
	if (status)
		return status;
	status = recorder_open(f.sets, problem->metric, &recorder, error);
	if (!status && !halves_open(&f))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", problem->slice.name);
	if (!status) {
		f.observers[0] = recorder_observer(recorder);
		start = clock_seconds();
		status = run(&f, problem, error);
		seconds = clock_seconds() - start;
	}
	if (!status)
		status = recorder_finish(recorder, f.sets,
		                         (const uint64_t *[]){f.half[0].undecided,
		                                              f.half[1].undecided},
		                         out, error);
	if (!status)
		note_phases(&f, seconds, out);
	if (!status && problem->observer && problem->observer->done)
		problem->observer->done(problem->observer->context, f.sets);
	recorder_close(recorder);
	free(f.memory[0]);
	free(f.memory[1]);
	f.sets->close(f.sets);
	return status;
}
