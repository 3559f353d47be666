/* SPDX-License-Identifier: MIT */
#include "fixpoint.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* fresh wins are few if fewer than one word in FEW has any: it then pays to drop positions
	   that see none of them first, with one more operator */
	FEW = 4,
};

/* The side that moves next. */
static unsigned other(const struct fixpoint *f, unsigned side)
{
	return f->initial->sets->sides == 1 ? side : !side;
}

/* ---- open and close ---- */

enum el_status fixpoint_open(struct fixpoint *f, struct initial_state *o)
{
	const size_t units = o->sets->units, size = o->sets->words * sizeof(uint64_t);
	enum el_status status = EL_OK;
	*f = (struct fixpoint){.initial = o};
	for (unsigned side = 0; side < o->sets->sides && !status; side++) {
		struct half *h = &f->half[side];
		struct paged *const each[] = {&h->undecided,  &h->blocked, &h->win_now,
		                              &h->loss_now,   &h->escapes, &h->win_before,
		                              &h->loss_before};
		for (size_t i = 0; i < sizeof each / sizeof *each && !status; i++)
			status = paged_open(each[i], o->scratch, units, size);
		h->win_words = calloc(units, sizeof *h->win_words);
		h->taken[0] = calloc(units, sizeof *h->taken[0]);
		h->taken[1] = calloc(units, sizeof *h->taken[1]);
		if (!h->win_words || !h->taken[0] || !h->taken[1])
			status = EL_MEMORY;
	}
	return status;
}

void fixpoint_close(struct fixpoint *f)
{
	for (unsigned side = 0; side < 2; side++) {
		struct half *h = &f->half[side];
		struct paged *const each[] = {&h->undecided,  &h->blocked, &h->win_now,
		                              &h->loss_now,   &h->escapes, &h->win_before,
		                              &h->loss_before};
		for (size_t i = 0; i < sizeof each / sizeof *each; i++)
			paged_close(each[i]);
		free(h->win_words);
		free(h->taken[0]);
		free(h->taken[1]);
	}
	*f = (struct fixpoint){.initial = NULL};
}

void fixpoint_take_out(struct paged *pages, size_t number, const uint64_t *set, size_t words)
{
	uint64_t left = 0;
	uint64_t *page = page_filled(pages, number) ? page_write(pages, number) : NULL;
	for (size_t w = 0; w < words && page; w++)
		left |= page[w] &= ~set[w];
	if (page)
		page_release(pages, number);
	if (page && !left)
		page_drop(pages, number);
}

/* ---- the beginning ---- */

/* `to` is empty. */
static void copy_page(struct paged *from, struct paged *to, size_t unit, size_t words)
{
	const uint64_t *set = page_read(from, unit);
	if (!set)
		return;
	uint64_t *copy = page_new(to, unit);
	if (copy) {
		memcpy(copy, set, words * sizeof *copy);
		page_release(to, unit);
	}
	page_release(from, unit);
}

/* Copies a unit of a side's set to where the other side's operators read it. Returns its number
   there. */
static size_t turn_page(const struct fixpoint *f, unsigned side, size_t unit, struct workspace *h,
                        struct paged *from, struct paged *to)
{
	const struct el_sets *sets = f->initial->sets;
	if (!sets->turn) {
		copy_page(from, to, unit, sets->words);
		return unit;
	}
	const uint64_t *set = page_read(from, unit);
	if (!set)
		return unit;
	const size_t number = sets->turn(sets, side, unit, set, h->freed);
	uint64_t *copy = page_new(to, number);
	if (copy) {
		memcpy(copy, h->freed, sets->words * sizeof *copy);
		page_release(to, number);
	}
	page_release(from, unit);
	return number;
}

struct beginning {
	struct fixpoint *fixpoint;
	bool last;
};

static void begin_unit(void *context, struct workspace *space, size_t unit)
{
	const struct beginning *b = context;
	struct fixpoint *f = b->fixpoint;
	struct initial_state *o = f->initial;
	for (unsigned side = 0; side < o->sets->sides; side++) {
		struct half *h = &f->half[side];
		h->taken[CONVERSION_WINS][unit] = h->taken[CONVERSION_FREES][unit] = 0;
		turn_page(f, side, unit, space, &o->legal[side], &h->escapes);
		if (b->last) {
			page_move(&o->legal[side], &h->undecided, unit);
			page_move(&o->blocked[side], &h->blocked, unit);
		} else {
			copy_page(&o->legal[side], &h->undecided, unit, o->sets->words);
			copy_page(&o->blocked[side], &h->blocked, unit, o->sets->words);
		}
	}
}

void fixpoint_begin(struct fixpoint *f, uint32_t threshold, bool last)
{
	struct beginning b = {f, last};
	f->threshold = threshold;
	f->ply = 0;
	f->due = 0;
	for (unsigned side = 0; side < f->initial->sets->sides; side++) {
		struct half *h = &f->half[side];
		struct paged *const each[] = {&h->undecided, &h->blocked, &h->escapes,
		                              &h->win_before, &h->loss_before};
		for (size_t i = 0; i < sizeof each / sizeof *each; i++)
			for (size_t unit = 0; unit < f->initial->sets->units; unit++)
				page_drop(each[i], unit);
		h->wins = h->losses = false;
	}
	initial_units(f->initial, &b, begin_unit);
}

void fixpoint_raise(struct fixpoint *f, uint32_t threshold, unsigned ply)
{
	f->threshold = threshold;
	f->ply = ply;
}

/* ---- conversions ---- */

uint32_t fixpoint_due(const struct fixpoint *f)
{
	return f->threshold == FIXPOINT_BY_PLY ? f->ply : f->threshold;
}

static bool event_due(const struct fixpoint *f, unsigned side, enum conversion kind, size_t unit)
{
	const struct initial_state *o = f->initial;
	const struct ledger_list *list = &o->events.list[initial_list(o, side, kind, unit)];
	const uint32_t next = f->half[side].taken[kind][unit];
	return next < list->count && list->entry[next].ply <= fixpoint_due(f);
}

void fixpoint_take_events(struct fixpoint *f, struct workspace *space, unsigned side,
                          enum conversion kind, size_t unit, uint64_t *set)
{
	struct initial_state *o = f->initial;
	const struct ledger_list *list = &o->events.list[initial_list(o, side, kind, unit)];
	for (; event_due(f, side, kind, unit); f->half[side].taken[kind][unit]++) {
		struct ledger_cursor cursor;
		size_t word;
		uint64_t bits;
		const struct ledger_entry *e = &list->entry[f->half[side].taken[kind][unit]];
		if (!ledger_read(&o->events, &space->encoder, e, &cursor))
			return;
		while (ledger_next(&cursor, &word, &bits))
			set[word] |= bits;
	}
}

void fixpoint_block(struct fixpoint *f, unsigned side, size_t unit, const uint64_t *stuck)
{
	uint64_t *blocked = page_write(&f->half[side].blocked, unit);
	if (!blocked)
		return;
	for (size_t w = 0; w < f->initial->sets->words; w++)
		blocked[w] |= stuck[w];
	page_release(&f->half[side].blocked, unit);
}

/* ---- finding ---- */

/* The units of a set that a unit's moves lead to. */
struct reach {
	struct paged *pages;
	size_t count;
	uint32_t unit[EL_LINKS_MAX];
	const uint64_t *to[EL_LINKS_MAX];
};

static bool reach_any(const struct reach *r)
{
	bool any = false;
	for (size_t i = 0; i < r->count; i++)
		any |= page_filled(r->pages, r->unit[i]);
	return any;
}

static void reach_take(struct reach *r, struct paged *pages)
{
	r->pages = pages;
	for (size_t i = 0; i < r->count; i++)
		r->to[i] = page_read(pages, r->unit[i]);
}

static void reach_release(struct reach *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->to[i])
			page_release(r->pages, r->unit[i]);
}

/* The current unit and side to move. */
struct place {
	struct fixpoint *fixpoint;
	struct workspace *space;
	unsigned side;
	size_t unit;
	struct reach reach;
};

/* Stores the positions found, if there are any. */
static void keep_found(struct place *p, struct paged *pages, const uint64_t *found)
{
	const size_t words = p->fixpoint->initial->sets->words;
	uint64_t any = 0;
	for (size_t w = 0; w < words; w++)
		any |= found[w];
	uint64_t *page = any ? page_new(pages, p->unit) : NULL;
	if (page) {
		memcpy(page, found, words * sizeof *page);
		page_release(pages, p->unit);
	}
}

/* WIN[n]: a new win needs a fresh loss or a conversion. */
static void find_wins(struct place *p, const uint64_t *undecided)
{
	struct fixpoint *f = p->fixpoint;
	const struct el_sets *sets = f->initial->sets;
	struct half *h = &f->half[p->side];
	uint64_t *found = p->space->found;
	p->reach.pages = &f->half[other(f, p->side)].loss_before;
	const bool losses = reach_any(&p->reach);
	const bool converts = event_due(f, p->side, CONVERSION_WINS, p->unit);
	if (!losses && !converts)
		return;
	if (losses) {
		reach_take(&p->reach, p->reach.pages);
		sets->pre_some(sets, p->side, p->unit, p->reach.to, undecided, found,
		               p->space->scratch);
		reach_release(&p->reach);
	} else {
		memset(found, 0, sets->words * sizeof *found);
	}
	if (converts) {
		fixpoint_take_events(f, p->space, p->side, CONVERSION_WINS, p->unit, found);
		for (size_t w = 0; w < sets->words; w++)
			found[w] &= undecided[w];
	}
	keep_found(p, &h->win_now, found);
}

/* Removes freed positions from `blocked`, and leaves them in space->freed. */
static void free_blocked(struct place *p)
{
	struct fixpoint *f = p->fixpoint;
	const size_t words = f->initial->sets->words;
	uint64_t *freed = p->space->freed, *blocked;
	memset(freed, 0, words * sizeof *freed);
	fixpoint_take_events(f, p->space, p->side, CONVERSION_FREES, p->unit, freed);
	blocked = page_write(&f->half[p->side].blocked, p->unit);
	if (!blocked)
		return;
	for (size_t w = 0; w < words; w++)
		blocked[w] &= ~freed[w];
	page_release(&f->half[p->side].blocked, p->unit);
}

/* The undecided positions that are not blocked. */
static void list_candidates(const struct place *p, const uint64_t *undecided, uint64_t *among)
{
	const size_t words = p->fixpoint->initial->sets->words;
	struct paged *pages = &p->fixpoint->half[p->side].blocked;
	const uint64_t *blocked = page_read(pages, p->unit);
	for (size_t w = 0; w < words; w++)
		among[w] = undecided[w] & (blocked ? ~blocked[w] : UINT64_MAX);
	if (blocked)
		page_release(pages, p->unit);
}

/* Keeps only candidates that see a fresh win or have just been freed, if fresh wins are few. */
static void sort_out(struct place *p, bool freed, uint64_t *among)
{
	struct fixpoint *f = p->fixpoint;
	const struct el_sets *sets = f->initial->sets;
	const struct half *them = &f->half[other(f, p->side)];
	uint64_t fresh = 0;
	for (size_t i = 0; i < p->reach.count; i++)
		fresh += page_filled(p->reach.pages, p->reach.unit[i])
		                 ? them->win_words[p->reach.unit[i]]
		                 : 0;
	if (fresh * FEW > sets->words)
		return;
	uint64_t *seen = p->space->found;
	reach_take(&p->reach, p->reach.pages);
	sets->pre_some(sets, p->side, p->unit, p->reach.to, among, seen, p->space->scratch);
	reach_release(&p->reach);
	for (size_t w = 0; w < sets->words; w++)
		among[w] = seen[w] | (freed ? among[w] & p->space->freed[w] : 0);
}

/* LOSS[n]: a new loss needs a fresh win, or a conversion that no longer holds the position. */
static void find_losses(struct place *p, const uint64_t *undecided)
{
	struct fixpoint *f = p->fixpoint;
	const struct el_sets *sets = f->initial->sets;
	struct half *them = &f->half[other(f, p->side)];
	uint64_t *among = p->space->among;
	const bool freed = event_due(f, p->side, CONVERSION_FREES, p->unit);
	p->reach.pages = &them->win_before;
	if (!freed && !reach_any(&p->reach))
		return;
	if (freed)
		free_blocked(p);
	list_candidates(p, undecided, among);
	sort_out(p, freed, among);
	reach_take(&p->reach, &them->escapes);
	sets->pre_none(sets, p->side, p->unit, p->reach.to, among, among, p->space->scratch);
	reach_release(&p->reach);
	keep_found(p, &f->half[p->side].loss_now, among);
}

/* Pass 0: a position without a move is lost now or never. */
static void find_lost(struct place *p, const uint64_t *undecided)
{
	struct fixpoint *f = p->fixpoint;
	const struct el_sets *sets = f->initial->sets;
	struct half *h = &f->half[p->side];
	uint64_t *stuck = p->space->among, *lost = p->space->found, any = 0;
	list_candidates(p, undecided, stuck);
	reach_take(&p->reach, &f->half[other(f, p->side)].escapes);
	sets->pre_none(sets, p->side, p->unit, p->reach.to, stuck, stuck, p->space->scratch);
	reach_release(&p->reach);
	memcpy(lost, stuck, sets->words * sizeof *lost);
	if (sets->lost)
		sets->lost(sets, p->side, p->unit, lost);
	keep_found(p, &h->loss_now, lost);
	for (size_t w = 0; w < sets->words; w++)
		any |= stuck[w] &= ~lost[w];
	if (!any)
		return;
	fixpoint_block(f, p->side, p->unit, stuck);
	if (f->decided)
		f->decided(f->context, p->space, p->side, p->unit, EL_DRAW, stuck);
}

static void find_unit(void *context, struct workspace *space, size_t unit)
{
	struct fixpoint *f = context;
	const struct el_sets *sets = f->initial->sets;
	for (unsigned side = 0; side < sets->sides; side++) {
		struct place p = {.fixpoint = f, .space = space, .side = side, .unit = unit};
		const uint64_t *undecided = page_read(&f->half[side].undecided, unit);
		if (!undecided)
			continue;
		p.reach.count = sets->links(sets, side, unit, p.reach.unit);
		if (f->ply) {
			find_wins(&p, undecided);
			find_losses(&p, undecided);
		} else {
			find_lost(&p, undecided);
		}
		page_release(&f->half[side].undecided, unit);
	}
}

/* ---- making known ---- */

/* Moves new positions to where the other side's operators read them. Returns the unit's number
   there. */
static size_t hand_over(struct fixpoint *f, unsigned side, size_t unit, struct workspace *space,
                        struct paged *now, struct paged *before)
{
	size_t number = unit;
	if (f->initial->sets->turn) {
		number = turn_page(f, side, unit, space, now, before);
		page_empty(now, unit);
	} else {
		page_move(now, before, unit);
	}
	return number;
}

static void settle(struct fixpoint *f, struct workspace *space, unsigned side, size_t unit,
                   bool wins)
{
	struct half *h = &f->half[side];
	const size_t words = f->initial->sets->words;
	struct paged *now = wins ? &h->win_now : &h->loss_now;
	const uint64_t *set = page_read(now, unit);
	if (!set)
		return;
	fixpoint_take_out(&h->undecided, unit, set, words);
	if (f->decided)
		f->decided(f->context, space, side, unit, wins ? EL_WIN : EL_LOSS, set);
	page_release(now, unit);
	if (!wins) {
		hand_over(f, side, unit, space, now, &h->loss_before);
		return;
	}
	const size_t number = hand_over(f, side, unit, space, now, &h->win_before);
	const uint64_t *won = page_read(&h->win_before, number);
	if (!won)
		return;
	uint32_t filled = 0;
	for (size_t w = 0; w < words; w++)
		filled += won[w] != 0;
	h->win_words[number] = filled;
	fixpoint_take_out(&h->escapes, number, won, words);
	page_release(&h->win_before, number);
}

static void settle_unit(void *context, struct workspace *space, size_t unit)
{
	struct fixpoint *f = context;
	for (unsigned side = 0; side < f->initial->sets->sides; side++) {
		struct half *h = &f->half[side];
		/* Any thread may set these flags; all write the same value. */
		if (page_filled(&h->loss_now, unit))
#pragma omp atomic write
			h->losses = true;
		if (page_filled(&h->win_now, unit))
#pragma omp atomic write
			h->wins = true;
		settle(f, space, side, unit, false);
		settle(f, space, side, unit, true);
	}
}

/* A pass looks only at what the previous pass decided. */
void fixpoint_pass(struct fixpoint *f)
{
	initial_units(f->initial, f, find_unit);
	for (unsigned side = 0; side < f->initial->sets->sides; side++) {
		struct half *h = &f->half[side];
		for (size_t unit = 0; unit < f->initial->sets->units; unit++) {
			page_empty(&h->win_before, unit);
			page_empty(&h->loss_before, unit);
		}
		h->wins = h->losses = false;
	}
	if (f->ply)
		f->due = fixpoint_due(f);
	initial_units(f->initial, f, settle_unit);
	f->ply++;
}

bool fixpoint_alive(const struct fixpoint *f)
{
	bool any = f->ply == 0;
	for (unsigned side = 0; side < f->initial->sets->sides; side++)
		any |= f->half[side].wins || f->half[side].losses;
	/* Do conversions wait for a later ply, or for the first pass? */
	return any ||
	       initial_next_ply(f->initial, f->due) <
	               (f->threshold < EL_THRESHOLD_ALL ? f->threshold + 1 : EL_THRESHOLD_ALL);
}
