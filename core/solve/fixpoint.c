/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fixpoint.h"
#include "../shared_for.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = 7 };

/* Who moves next. */
static unsigned other(const struct fixpoint *f, unsigned side)
{
	return f->sets->sides == 1 ? side : !side;
}

enum el_status fixpoint_open(struct fixpoint *f, struct el_sets *sets)
{
	const size_t words = sets->words;
	*f = (struct fixpoint){.sets = sets};
	for (unsigned side = 0; side < sets->sides; side++) {
		uint64_t *set = aligned_alloc(64, (SETS * words * sizeof *set + 63) / 64 * 64);
		if (!set)
			return EL_MEMORY;
		f->memory[side] = set;
		f->half[side] = (struct half){
			.undecided = set,
			.win = set + words,
			.win_before.set = set + 2 * words,
			.loss_before.set = set + 3 * words,
			.win_now.set = set + 4 * words,
			.loss_now.set = set + 5 * words,
			.blocked = set + 6 * words,
		};
	}
	return EL_OK;
}

void fixpoint_close(struct fixpoint *f)
{
	free(f->memory[0]);
	free(f->memory[1]);
}

void fixpoint_begin(struct fixpoint *f, uint32_t level)
{
	const size_t words = f->sets->words;
	f->level = level;
	f->ply = 0;
	for (unsigned side = 0; side < f->sets->sides; side++) {
		struct half *h = &f->half[side];
		h->wins = h->frees = 0;
		h->win_before.any = h->loss_before.any = false;
		memcpy(h->undecided, f->sets->legal[side], words * sizeof *h->undecided);
		memset(h->win, 0, words * sizeof *h->win);
		memcpy(h->blocked, f->sets->blocked[side], words * sizeof *h->blocked);
	}
}

void fixpoint_raise(struct fixpoint *f, uint32_t level, unsigned ply)
{
	f->level = level;
	f->ply = ply;
}

/* ORs the events due at `ply` into a set, or takes their bits out of it; true if there were any. */
static bool take_events(const struct el_schedule *schedule, size_t *next, uint32_t ply,
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

static bool event_due(const struct el_schedule *schedule, size_t next, uint32_t ply)
{
	return next < schedule->count && schedule->events[next].ply <= ply;
}

/* Events of plies, or levels, up to this one take effect in the pass. */
static uint32_t due(const struct fixpoint *f)
{
	return f->level == FIXPOINT_BY_PLY ? f->ply : f->level;
}

/* WIN[n] of one side: only a fresh loss, or a conversion, can bring one. */
static void find_wins(struct fixpoint *f, unsigned side)
{
	struct half *h = &f->half[side];
	const struct fresh *losses = &f->half[other(f, side)].loss_before;
	const struct el_schedule *events = &f->sets->wins[side];
	const size_t words = f->sets->words;
	const uint32_t ply = due(f);
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
static void find_losses(struct fixpoint *f, unsigned side)
{
	struct half *h = &f->half[side];
	uint64_t *blocked = h->blocked, *found = h->loss_now.set;
	const uint64_t *stuck = f->sets->stuck[side];
	const bool freed =
		take_events(&f->sets->frees[side], &h->frees, due(f), blocked, true);

	h->loss_now.any = freed || f->half[other(f, side)].win_before.any;
	if (!h->loss_now.any)
		return;
	/* The candidates are put where the answer comes: operators may work in place. */
	SHARED_FOR(f->sets->words, w, f->sets->words, schedule(static), {
		found[w] = h->undecided[w] & ~blocked[w] & ~stuck[w];
	});
	f->sets->pre_all(f->sets, side, f->half[other(f, side)].win, found, found);
}

/* Makes a set known: takes it from the undecided, sees whether it is empty. */
static void settle(struct fixpoint *f, unsigned side, bool wins, struct fresh *fresh)
{
	fresh->stored = 0;
	if (!fresh->any)
		return;
	const uint64_t *set = fresh->set;
	const uint64_t win_mask = wins ? UINT64_MAX : 0;
	uint64_t *undecided = f->half[side].undecided, *win = f->half[side].win;
	const size_t stored = f->sets->stored_words;
	uint64_t any = 0, count = 0;
	SHARED_FOR(f->sets->words, w, f->sets->words, schedule(static) reduction(| : any) reduction(+ : count), {
		any |= set[w];
		count += w < stored ? (uint64_t)__builtin_popcountll(set[w]) : 0;
		undecided[w] &= ~set[w];
		win[w] |= set[w] & win_mask;
	});
	fresh->any = any != 0;
	fresh->stored = count;
}

static void swap(struct fresh *a, struct fresh *b)
{
	struct fresh t = *a;
	*a = *b;
	*b = t;
}

/* Makes WIN[n] and LOSS[n] known, and the sets of the pass before. */
static void commit(struct fixpoint *f, unsigned side)
{
	struct half *h = &f->half[side];
	settle(f, side, false, &h->loss_now);
	settle(f, side, true, &h->win_now);
	swap(&h->loss_before, &h->loss_now);
	swap(&h->win_before, &h->win_now);
}

static void find_lost(struct fixpoint *f, unsigned side)
{
	struct half *h = &f->half[side];
	memcpy(h->loss_now.set, f->sets->lost[side], f->sets->words * sizeof *h->loss_now.set);
	h->loss_now.any = true;
	h->win_now.any = false;
}

void fixpoint_pass(struct fixpoint *f)
{
	for (unsigned side = 0; side < f->sets->sides; side++) {
		if (f->ply == 0) {
			find_lost(f, side);
			continue;
		}
		find_wins(f, side);
		find_losses(f, side);
	}
	for (unsigned side = 0; side < f->sets->sides; side++)
		commit(f, side);
	f->ply++;
}

/* Conversions that wait for a later ply, or for the first pass. */
static bool waiting(const struct fixpoint *f, const struct el_schedule *events, size_t next)
{
	return event_due(events, next, f->level);
}

bool fixpoint_alive(const struct fixpoint *f)
{
	bool any = f->ply == 0;
	for (unsigned side = 0; side < f->sets->sides; side++) {
		const struct half *h = &f->half[side];
		any |= h->win_before.any || h->loss_before.any ||
		       waiting(f, &f->sets->wins[side], h->wins) ||
		       waiting(f, &f->sets->frees[side], h->frees);
	}
	return any;
}
