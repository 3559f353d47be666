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
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = 6 };

/* One side to move. */
struct half {
	uint64_t *undecided;  /* legal and not known */
	uint64_t *win;        /* all wins so far */
	uint64_t *fresh_win;  /* decided in the pass before: WIN[n-1] */
	uint64_t *fresh_loss; /* LOSS[n-1] */
	uint64_t *next_win;   /* WIN[n], while it is found */
	uint64_t *next_loss;
	bool any_win, any_loss; /* fresh_win, fresh_loss are not empty */
	size_t wins, frees;     /* events that have taken effect */
};

struct fixpoint {
	struct el_sets *sets;
	const struct el_observer *observers[2]; /* the recorder, the caller's */
	struct half half[2];
	uint64_t *memory[2]; /* of the halves */
};

static bool halves_open(struct fixpoint *f)
{
	const size_t words = f->sets->words;
	for (unsigned side = 0; side < 2; side++) {
		uint64_t *set = aligned_alloc(64, SETS * words * sizeof *set);
		if (!set)
			return false;
		memset(set, 0, SETS * words * sizeof *set);
		f->memory[side] = set;
		f->half[side] = (struct half){
			.undecided = set,
			.win = set + words,
			.fresh_win = set + 2 * words,
			.fresh_loss = set + 3 * words,
			.next_win = set + 4 * words,
			.next_loss = set + 5 * words,
		};
		memcpy(set, f->sets->legal[side], words * sizeof *set);
	}
	return true;
}

/* Tells the observers of a set, and says whether it holds anything. */
static bool report(const struct fixpoint *f, unsigned ply, unsigned side, enum el_outcome outcome,
                   const uint64_t *decided)
{
	uint64_t count = 0, beyond = 0;
	for (size_t w = 0; w < f->sets->stored_words; w++)
		count += (uint64_t)__builtin_popcountll(decided[w]);
	for (size_t w = f->sets->stored_words; w < f->sets->words; w++)
		beyond |= decided[w];
	const struct el_pass pass = {ply, side, outcome, decided, count};
	for (unsigned o = 0; o < 2; o++)
		if (f->observers[o] && f->observers[o]->pass)
			f->observers[o]->pass(f->observers[o]->context, f->sets, &pass);
	return count || beyond;
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

/* WIN[n] of one side. */
static void find_wins(struct fixpoint *f, unsigned side, unsigned ply)
{
	struct half *h = &f->half[side];
	const size_t words = f->sets->words;
	if (f->half[!side].any_loss)
		f->sets->pre_some(f->sets, side, f->half[!side].fresh_loss, h->undecided,
		                  h->next_win);
	else
		memset(h->next_win, 0, words * sizeof *h->next_win);
	if (take_events(&f->sets->wins[side], &h->wins, ply, h->next_win, false))
		for (size_t w = 0; w < words; w++)
			h->next_win[w] &= h->undecided[w];
}

/* LOSS[n] of one side: only a fresh win, or a conversion that no longer holds, can bring one. */
static void find_losses(struct fixpoint *f, unsigned side, unsigned ply)
{
	struct half *h = &f->half[side];
	const size_t words = f->sets->words;
	const uint64_t *blocked = f->sets->blocked[side], *stuck = f->sets->stuck[side];
	bool freed = take_events(&f->sets->frees[side], &h->frees, ply, f->sets->blocked[side],
	                         true);
	if (!freed && !f->half[!side].any_win) {
		memset(h->next_loss, 0, words * sizeof *h->next_loss);
		return;
	}
	/* The candidates are put where the answer comes: operators may work in place. */
	for (size_t w = 0; w < words; w++)
		h->next_loss[w] = h->undecided[w] & ~blocked[w] & ~stuck[w];
	f->sets->pre_all(f->sets, side, f->half[!side].win, h->next_loss, h->next_loss);
}

static void swap(uint64_t **a, uint64_t **b)
{
	uint64_t *t = *a;
	*a = *b;
	*b = t;
}

/* Makes WIN[n] and LOSS[n] known. */
static void commit(struct fixpoint *f, unsigned side, unsigned ply)
{
	struct half *h = &f->half[side];
	swap(&h->fresh_win, &h->next_win);
	swap(&h->fresh_loss, &h->next_loss);
	for (size_t w = 0; w < f->sets->words; w++) {
		h->win[w] |= h->fresh_win[w];
		h->undecided[w] &= ~(h->fresh_win[w] | h->fresh_loss[w]);
	}
	h->any_loss = report(f, ply, side, EL_LOSS, h->fresh_loss);
	h->any_win = report(f, ply, side, EL_WIN, h->fresh_win);
}

/* Does a later pass still have something to work on? */
static bool alive(const struct fixpoint *f)
{
	bool any = false;
	for (unsigned side = 0; side < 2; side++) {
		const struct half *h = &f->half[side];
		any |= h->any_win || h->any_loss || h->wins < f->sets->wins[side].count ||
		       h->frees < f->sets->frees[side].count;
	}
	return any;
}

static enum el_status run(struct fixpoint *f, const struct el_metric *metric,
                          const struct el_watch *watch, struct el_error *error)
{
	char what[EL_SLICE_MAX + 16];
	size_t length = strlen(f->sets->slice.name);
	memcpy(what, f->sets->slice.name, length);
	what[length] = ' ';
	strcpy(what + length + 1, metric->name);
	struct el_progress progress = {"solving", what, 0, 0, "plies"};

	for (unsigned side = 0; side < 2; side++) {
		memcpy(f->half[side].next_loss, f->sets->lost[side],
		       f->sets->words * sizeof(uint64_t));
		commit(f, side, 0);
	}
	for (unsigned ply = 1; alive(f); ply++) {
		progress.done = ply;
		if (!el_watch_tick(watch, &progress))
			return el_fail(error, EL_STOPPED, "%s: stopped at ply %u", what, ply);
		for (unsigned side = 0; side < 2; side++) {
			find_wins(f, side, ply);
			find_losses(f, side, ply);
		}
		for (unsigned side = 0; side < 2; side++)
			commit(f, side, ply);
	}
	return EL_OK;
}

enum el_status el_solve(const struct el_slice *slice, const struct el_metric *metric,
                        const struct el_lender *lender, const struct el_observer *observer,
                        const struct el_watch *watch, struct el_planes *out,
                        struct el_error *error)
{
	struct fixpoint f = {.observers = {NULL, observer}};
	struct recorder *recorder = NULL;
	enum el_status status =
		slice->game->sets_open(slice, metric, lender, &f.sets, error);
	if (status)
		return status;
	status = recorder_open(f.sets, metric, &recorder, error);
	if (!status && !halves_open(&f))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	if (!status) {
		f.observers[0] = recorder_observer(recorder);
		status = run(&f, metric, watch, error);
	}
	if (!status)
		status = recorder_finish(recorder, f.sets,
		                         (const uint64_t *[]){f.half[0].undecided,
		                                              f.half[1].undecided},
		                         out, error);
	recorder_close(recorder);
	free(f.memory[0]);
	free(f.memory[1]);
	f.sets->close(f.sets);
	return status;
}
