/* SPDX-License-Identifier: MIT */
#include "fixpoint.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* fresh wins are few if fewer than one word in FEW has any: it then pays to drop positions
	   that see none of them first, with one more operator */
	FEW = 4,
	/* what a pass finds in a unit is a list if no more than one word in so many has any */
	FEW_OF_WORDS = 16,
};

/* The side that moves next. */
static unsigned other(const struct fixpoint *f, unsigned side)
{
	return f->initial->sets->sides == 1 ? side : !side;
}

/* ---- open and close ---- */

enum el_status fixpoint_open(struct fixpoint *f, struct initial_state *o)
{
	enum el_status status = EL_OK;
	*f = (struct fixpoint){.initial = o};
	f->most = o->sets->some_few ? o->sets->words / FEW_OF_WORDS : 0;
	for (unsigned side = 0; side < o->sets->sides && !status; side++) {
		struct half *h = &f->half[side];
		struct paged *const each[] = {&h->undecided, &h->blocked, &h->escapes};
		for (size_t i = 0; i < sizeof each / sizeof *each && !status; i++)
			status = paged_open_set(each[i], o->scratch, o->sets);
		for (unsigned i = 0; i < 2 && !status; i++) {
			status = front_open(&h->now[i], o->scratch, o->sets);
			if (!status)
				status = front_open(&h->before[i], o->scratch, o->sets);
			h->taken[i] = calloc(o->sets->units, sizeof *h->taken[i]);
			status = h->taken[i] ? status : EL_MEMORY;
		}
	}
	return status;
}

void fixpoint_free_sets(struct fixpoint *f)
{
	for (unsigned n = 0; n < 4; n++) {
		struct half *h = &f->half[n / 2];
		paged_close(&h->blocked);
		paged_close(&h->escapes);
		front_close(&h->now[n % 2]);
		front_close(&h->before[n % 2]);
	}
}

void fixpoint_close(struct fixpoint *f)
{
	fixpoint_free_sets(f);
	for (unsigned side = 0; side < 2; side++) {
		paged_close(&f->half[side].undecided);
		free(f->half[side].taken[0]);
		free(f->half[side].taken[1]);
	}
	*f = (struct fixpoint){.initial = NULL};
}

void fixpoint_take_out(struct paged *pages, size_t number, const uint64_t *set)
{
	const size_t words = pages->page[number].size / sizeof *set;
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

const uint64_t *fixpoint_turn(const struct fixpoint *f, unsigned side, size_t unit,
                              const uint64_t *set, uint64_t *room, size_t *number)
{
	const struct el_sets *sets = f->initial->sets;
	*number = sets->turn ? sets->turn(sets, side, unit, set, room) : unit;
	return sets->turn ? room : set;
}

/* `to` is empty. */
static void copy_page(struct paged *from, struct paged *to, size_t unit)
{
	const uint64_t *set = page_read(from, unit);
	if (!set)
		return;
	page_put(to, unit, set);
	page_release(from, unit);
}

static void begin_unit(void *context, struct workspace *space, size_t unit)
{
	struct fixpoint *f = context;
	struct initial_state *o = f->initial;
	for (unsigned side = 0; side < o->sets->sides; side++) {
		struct half *h = &f->half[side];
		h->taken[CONVERSION_WINS][unit] = h->taken[CONVERSION_FREES][unit] = 0;
		const uint64_t *legal = page_read(&o->legal[side], unit);
		if (legal) {
			size_t number;
			const uint64_t *set =
				fixpoint_turn(f, side, unit, legal, space->freed, &number);
			page_put(&h->escapes, number, set);
			page_release(&o->legal[side], unit);
		}
		if (f->last) {
			page_move(&o->legal[side], &h->undecided, unit);
			page_move(&o->blocked[side], &h->blocked, unit);
		} else {
			copy_page(&o->legal[side], &h->undecided, unit);
			copy_page(&o->blocked[side], &h->blocked, unit);
		}
	}
}

/* ---- among ranks ---- */

enum { SHARE_ESCAPES, SHARE_LOSSES, SHARE_WINS };

/* Encodes a page; nothing if it is empty. */
static void encode_page(struct encoder *e, struct paged *pages, size_t number)
{
	const uint64_t *set = page_read(pages, number);
	encoder_begin(e);
	if (!set)
		return;
	encoder_set(e, set, NULL, pages->page[number].size / sizeof *set);
	page_release(pages, number);
}

static void put_escapes(void *context, size_t item)
{
	struct fixpoint *f = context;
	struct shares *s = &f->initial->shares;
	struct encoder *e = &f->initial->workspaces->encoder;
	const size_t units = f->initial->sets->units, number = item % units;
	const unsigned side = item >= units;
	if (!shares_wanted(s, side, number))
		return;
	encode_page(e, &f->half[side].escapes, number);
	shares_put(s, e,
	           &(struct share){
			   .unit = (uint32_t)number, .kind = SHARE_ESCAPES, .side = (uint8_t)side});
}

static void put_fresh(void *context, size_t item)
{
	struct fixpoint *f = context;
	struct shares *s = &f->initial->shares;
	struct encoder *e = &f->initial->workspaces->encoder;
	const size_t units = f->initial->sets->units, number = item / 2 % units;
	const unsigned side = item >= 2 * units;
	const bool wins = item % 2;
	struct front *front = &f->half[side].before[wins];
	const struct el_word *few = front->few[number];
	if (!front->words[number] || !shares_wanted(s, side, number))
		return;
	encode_page(e, &front->pages, number); /* which has no page beside a list */
	for (size_t i = 0; few && i < front->words[number]; i++)
		encoder_word(e, few[i].word, few[i].bits);
	shares_put(s, e,
	           &(struct share){.unit = (uint32_t)number,
	                           .kind = wins ? SHARE_WINS : SHARE_LOSSES,
	                           .side = (uint8_t)side});
}

/* Takes into the copies what their owner sends. */
static void take_share(void *context, const struct share *share, const uint8_t *bytes)
{
	struct ledger_cursor cursor = {.at = bytes, .end = bytes + share->size};
	struct fixpoint *f = context;
	struct half *h = &f->half[share->side];
	struct el_word *list = f->initial->workspaces->list;
	const size_t number = share->unit;
	size_t word, count = 0;
	uint64_t bits;
	while (ledger_next(&cursor, &word, &bits))
		list[count++] = (struct el_word){bits, (uint32_t)word};
	if (share->kind == SHARE_ESCAPES) {
		uint64_t *page = NULL;
		page_drop(&h->escapes, number);
		if (count)
			page = page_write(&h->escapes, number);
		for (size_t i = 0; page && i < count; i++)
			page[list[i].word] = list[i].bits;
		if (page)
			page_release(&h->escapes, number);
		return;
	}
	const bool wins = share->kind == SHARE_WINS;
	struct front *front = &h->before[wins];
	front_keep_words(front, number, list, count, f->most);
	if (!wins)
		return;
	const uint64_t *won = front->few[number] ? NULL : page_read(&front->pages, number);
	if (!won) {
		page_clear(&h->escapes, number, list, count);
		return;
	}
	fixpoint_take_out(&h->escapes, number, won);
	page_release(&front->pages, number);
}

void fixpoint_share_escapes(struct fixpoint *f)
{
	const struct el_sets *sets = f->initial->sets;
	shares_exchange(&f->initial->shares, sets->sides * sets->units, NULL, f, put_escapes,
	                take_share);
}

void fixpoint_share_fresh(struct fixpoint *f)
{
	const struct el_sets *sets = f->initial->sets;
	uint32_t any = 0;
	for (unsigned side = 0; side < sets->sides; side++)
		any |= (uint32_t)(f->half[side].found[true] | f->half[side].found[false] << 1)
		       << 2 * side;
	shares_exchange(&f->initial->shares, 2 * sets->sides * sets->units, &any, f, put_fresh,
	                take_share);
	for (unsigned side = 0; side < sets->sides; side++) {
		f->half[side].found[true] = any >> 2 * side & 1;
		f->half[side].found[false] = any >> 2 * side & 2;
	}
}

/* ---- the beginning, continued ---- */

/* Forgets what the last pass found. */
static void forget_fresh(struct fixpoint *f)
{
	for (unsigned n = 0; n < 2 * f->initial->sets->sides; n++) {
		struct half *h = &f->half[n / 2];
		for (size_t unit = 0; unit < f->initial->sets->units; unit++)
			front_empty(&h->before[n % 2], unit);
		h->found[n % 2] = false;
	}
}

void fixpoint_begin(struct fixpoint *f, uint32_t threshold, bool last)
{
	f->last = last;
	f->threshold = threshold;
	f->ply = 0;
	f->due = 0;
	for (unsigned side = 0; side < f->initial->sets->sides; side++) {
		struct half *h = &f->half[side];
		for (size_t unit = 0; unit < f->initial->sets->units; unit++) {
			page_drop(&h->undecided, unit);
			page_drop(&h->blocked, unit);
			page_drop(&h->escapes, unit);
		}
	}
	forget_fresh(f);
	initial_units(f->initial, f, begin_unit);
	fixpoint_share_escapes(f);
}

/* ---- conversions ---- */

uint32_t fixpoint_due(const struct fixpoint *f)
{
	return f->threshold == FIXPOINT_BY_PLY ? f->ply + f->ahead : f->threshold;
}

static bool event_due(const struct fixpoint *f, unsigned side, enum conversion kind, size_t unit)
{
	const struct initial_state *o = f->initial;
	const struct ledger_list *list = &o->events.list[initial_list(o, side, kind, unit)];
	const uint32_t next = f->half[side].taken[kind][unit];
	return next < list->count && list->entry[next].ply <= fixpoint_due(f);
}

void fixpoint_take_events(struct fixpoint *f, struct workspace *space, unsigned side,
                          enum conversion kind, size_t unit, uint64_t *set, uint64_t *marks)
{
	struct initial_state *o = f->initial;
	const struct ledger_list *list = &o->events.list[initial_list(o, side, kind, unit)];
	for (; event_due(f, side, kind, unit); f->half[side].taken[kind][unit]++)
		if (!ledger_read_set(&o->events, &space->encoder,
		                     &list->entry[f->half[side].taken[kind][unit]], set, marks))
			return;
}

void fixpoint_block(struct fixpoint *f, unsigned side, size_t unit, const uint64_t *stuck)
{
	const size_t words = el_sets_words(f->initial->sets, unit);
	uint64_t *blocked = page_write(&f->half[side].blocked, unit);
	if (!blocked)
		return;
	for (size_t w = 0; w < words; w++)
		blocked[w] |= stuck[w];
	page_release(&f->half[side].blocked, unit);
}

/* ---- finding ---- */

/* The current unit and side to move. */
struct place {
	struct fixpoint *fixpoint;
	struct workspace *space;
	unsigned side;
	size_t unit, words; /* of the unit */
	const uint64_t *undecided;
	/* the units that its moves lead to, and their pages of a set */
	size_t links;
	uint32_t link[EL_LINKS_MAX];
	const uint64_t *to[EL_LINKS_MAX];
};

static void take_pages(struct place *p, struct paged *pages)
{
	for (size_t i = 0; i < p->links; i++)
		p->to[i] = page_read(pages, p->link[i]);
}

static void release_pages(const struct place *p, struct paged *pages)
{
	for (size_t i = 0; i < p->links; i++)
		if (p->to[i])
			page_release(pages, p->link[i]);
}

/* What a unit sees of a front: lists only, or pages too. */
enum sight { NOTHING, LISTS, PAGES };

static enum sight sight_of(const struct place *p, const struct front *front)
{
	enum sight sight = NOTHING;
	for (size_t i = 0; i < p->links; i++)
		if (front->words[p->link[i]] && front->few[p->link[i]])
			sight = sight == PAGES ? PAGES : LISTS;
		else if (front->words[p->link[i]])
			sight = PAGES;
	return sight;
}

/* Adds the positions that see the front's lists to a set, and marks their words. */
static void see_lists(const struct place *p, const struct front *front, uint64_t *set)
{
	const struct el_sets *sets = p->fixpoint->initial->sets;
	for (size_t i = 0; i < p->links; i++)
		if (front->few[p->link[i]])
			sets->some_few(sets, p->side, p->unit, i, front->few[p->link[i]],
			               front->words[p->link[i]], set, p->space->marks);
}

static void forget_marks(const struct place *p)
{
	memset(p->space->marks, 0, (p->words + 63) / 64 * sizeof *p->space->marks);
}

/* Sets space->found to the positions of `among` that see the front. */
static void see_all(struct place *p, struct front *front, const uint64_t *among)
{
	const struct el_sets *sets = p->fixpoint->initial->sets;
	uint64_t *found = p->space->found;
	take_pages(p, &front->pages);
	sets->pre(sets, p->side, p->unit, p->to, among, true, found, p->space->scratch);
	release_pages(p, &front->pages);
	see_lists(p, front, found);
	forget_marks(p);
	for (size_t w = 0; w < p->words; w++)
		found[w] &= among[w];
}

/* Moves the undecided positions of space->clean to space->list, but for those of `without`, which
   may be null. Returns the number of words. */
static size_t list_marked(const struct place *p, const uint64_t *without)
{
	const struct workspace *space = p->space;
	size_t count = 0;
	for (size_t m = 0; m < (p->words + 63) / 64; m++) {
		for (uint64_t left = space->marks[m]; left; left &= left - 1) {
			const size_t w = 64 * m + (unsigned)__builtin_ctzll(left);
			const uint64_t bits =
				space->clean[w] & p->undecided[w] & ~(without ? without[w] : 0);
			space->clean[w] = 0;
			space->list[count] = (struct el_word){bits, (uint32_t)w};
			count += bits != 0;
		}
		space->marks[m] = 0;
	}
	return count;
}

/* WIN[n]: a new win needs a fresh loss or a conversion. */
static void find_wins(struct place *p)
{
	struct fixpoint *f = p->fixpoint;
	struct workspace *space = p->space;
	struct front *found = &f->half[p->side].now[true];
	struct front *losses = &f->half[other(f, p->side)].before[false];
	const enum sight sight = sight_of(p, losses);
	const bool converts = event_due(f, p->side, CONVERSION_WINS, p->unit);
	if (sight == PAGES) {
		see_all(p, losses, p->undecided);
		if (converts)
			fixpoint_take_events(f, space, p->side, CONVERSION_WINS, p->unit,
			                     space->found, NULL);
		for (size_t w = 0; w < p->words && converts; w++)
			space->found[w] &= p->undecided[w];
		front_keep(found, p->unit, space->found, f->most);
	} else if (sight || converts) {
		see_lists(p, losses, space->clean);
		if (converts)
			fixpoint_take_events(f, space, p->side, CONVERSION_WINS, p->unit,
			                     space->clean, space->marks);
		front_keep_words(found, p->unit, space->list, list_marked(p, NULL), f->most);
	}
}

/* Removes freed positions from `blocked`, adds them to `set`, and marks their words. */
static void free_blocked(struct place *p, uint64_t *set)
{
	struct fixpoint *f = p->fixpoint;
	struct paged *pages = &f->half[p->side].blocked;
	const uint64_t *marks = p->space->marks;
	fixpoint_take_events(f, p->space, p->side, CONVERSION_FREES, p->unit, set, p->space->marks);
	uint64_t *blocked = page_filled(pages, p->unit) ? page_write(pages, p->unit) : NULL;
	if (!blocked)
		return;
	for (size_t w = 0; w < p->words; w++)
		if (marks[w / 64] >> w % 64 & 1)
			blocked[w] &= ~set[w];
	page_release(pages, p->unit);
}

/* The undecided positions that are not blocked. */
static void list_candidates(const struct place *p, uint64_t *among)
{
	struct paged *pages = &p->fixpoint->half[p->side].blocked;
	const uint64_t *blocked = page_read(pages, p->unit);
	for (size_t w = 0; w < p->words; w++)
		among[w] = p->undecided[w] & (blocked ? ~blocked[w] : UINT64_MAX);
	if (blocked)
		page_release(pages, p->unit);
}

/* Keeps only candidates that see a fresh win or have just been freed, if fresh wins are few. */
static void sort_out(struct place *p, struct front *wins, bool freed, uint64_t *among)
{
	uint64_t fresh = 0;
	for (size_t i = 0; i < p->links; i++)
		fresh += wins->words[p->link[i]];
	if (fresh * FEW > p->words)
		return;
	see_all(p, wins, among);
	for (size_t w = 0; w < p->words; w++)
		among[w] = p->space->found[w] | (freed ? among[w] & p->space->freed[w] : 0);
}

/* Removes the positions of space->among with a move to an escape, and keeps the rest. */
static void keep_lost(struct place *p)
{
	struct fixpoint *f = p->fixpoint;
	const struct el_sets *sets = f->initial->sets;
	struct paged *escapes = &f->half[other(f, p->side)].escapes;
	uint64_t *among = p->space->among;
	take_pages(p, escapes);
	sets->pre(sets, p->side, p->unit, p->to, among, false, among, p->space->scratch);
	release_pages(p, escapes);
	front_keep(&f->half[p->side].now[false], p->unit, among, f->most);
}

/* The same for the first words of space->list. */
static void keep_lost_words(struct place *p, size_t count)
{
	struct fixpoint *f = p->fixpoint;
	const struct el_sets *sets = f->initial->sets;
	struct paged *escapes = &f->half[other(f, p->side)].escapes;
	struct el_word *list = p->space->list;
	size_t left = 0;
	if (count > f->most) {
		memset(p->space->among, 0, p->words * sizeof *p->space->among);
		for (size_t i = 0; i < count; i++)
			p->space->among[list[i].word] = list[i].bits;
		keep_lost(p);
		return;
	}
	take_pages(p, escapes);
	sets->none_few(sets, p->side, p->unit, p->to, list, count);
	release_pages(p, escapes);
	for (size_t i = 0; i < count; i++) {
		list[left] = list[i];
		left += list[i].bits != 0;
	}
	front_keep_words(&f->half[p->side].now[false], p->unit, list, left, f->most);
}

/* LOSS[n]: a new loss needs a fresh win, or a conversion that no longer holds the position. */
static void find_losses(struct place *p)
{
	struct fixpoint *f = p->fixpoint;
	struct workspace *space = p->space;
	struct front *wins = &f->half[other(f, p->side)].before[true];
	const bool freed = event_due(f, p->side, CONVERSION_FREES, p->unit);
	const enum sight sight = sight_of(p, wins);
	if (sight == PAGES) {
		if (freed) {
			memset(space->freed, 0, p->words * sizeof *space->freed);
			free_blocked(p, space->freed);
			forget_marks(p);
		}
		list_candidates(p, space->among);
		sort_out(p, wins, freed, space->among);
		keep_lost(p);
	} else if (sight || freed) {
		struct paged *pages = &f->half[p->side].blocked;
		if (freed)
			free_blocked(p, space->clean);
		see_lists(p, wins, space->clean);
		const uint64_t *blocked = page_read(pages, p->unit);
		const size_t count = list_marked(p, blocked);
		if (blocked)
			page_release(pages, p->unit);
		if (count)
			keep_lost_words(p, count);
	}
}

/* Pass 0: a position without a move is lost now or never. */
static void find_lost(struct place *p)
{
	struct fixpoint *f = p->fixpoint;
	const struct el_sets *sets = f->initial->sets;
	struct paged *escapes = &f->half[other(f, p->side)].escapes;
	uint64_t *stuck = p->space->among, *lost = p->space->found, any = 0;
	list_candidates(p, stuck);
	take_pages(p, escapes);
	sets->pre(sets, p->side, p->unit, p->to, stuck, false, stuck, p->space->scratch);
	release_pages(p, escapes);
	memcpy(lost, stuck, p->words * sizeof *lost);
	if (sets->lost)
		sets->lost(sets, p->side, p->unit, lost);
	front_keep(&f->half[p->side].now[false], p->unit, lost, f->most);
	for (size_t w = 0; w < p->words; w++)
		any |= stuck[w] &= ~lost[w];
	if (!any)
		return;
	fixpoint_block(f, p->side, p->unit, stuck);
	if (f->decided)
		f->decided(f->context, p->space, p->side, p->unit, EL_DRAW, stuck, NULL);
}

/* Does the coming pass look at the unit? */
static bool is_due(const struct place *p)
{
	const struct fixpoint *f = p->fixpoint;
	const struct half *them = &f->half[other(f, p->side)];
	return !f->ply || event_due(f, p->side, CONVERSION_WINS, p->unit) ||
	       event_due(f, p->side, CONVERSION_FREES, p->unit) ||
	       sight_of(p, &them->before[false]) || sight_of(p, &them->before[true]);
}

static void find_unit(void *context, struct workspace *space, size_t unit)
{
	struct fixpoint *f = context;
	const struct el_sets *sets = f->initial->sets;
	for (unsigned side = 0; side < sets->sides; side++) {
		struct place p = {.fixpoint = f,
		                  .space = space,
		                  .side = side,
		                  .unit = unit,
		                  .words = el_sets_words(sets, unit)};
		struct paged *undecided = &f->half[side].undecided;
		p.links = sets->links(sets, side, unit, p.link);
		p.undecided = page_filled(undecided, unit) && is_due(&p)
		                      ? page_read(undecided, unit)
		                      : NULL;
		if (!p.undecided)
			continue;
		if (f->ply) {
			find_wins(&p);
			find_losses(&p);
		} else {
			find_lost(&p);
		}
		page_release(undecided, unit);
	}
}

/* ---- making known ---- */

/* A unit of which few words are made known. */
static void settle_words(struct fixpoint *f, struct workspace *space, unsigned side, size_t unit,
                         bool wins, const struct front *now)
{
	struct half *h = &f->half[side];
	struct paged *const sets[] = {&h->undecided, &h->escapes};
	const struct el_word *few = now->few[unit];
	const size_t count = now->words[unit];
	for (unsigned n = 0; n < (wins ? 2 : 1); n++)
		page_clear(sets[n], unit, few, count);
	if (!f->decided)
		return;
	for (size_t i = 0; i < count; i++) {
		space->clean[few[i].word] = few[i].bits;
		space->marks[few[i].word / 64] |= UINT64_C(1) << few[i].word % 64;
	}
	f->decided(f->context, space, side, unit, wins ? EL_WIN : EL_LOSS, space->clean,
	           space->marks);
	for (size_t i = 0; i < count; i++) {
		space->clean[few[i].word] = 0;
		space->marks[few[i].word / 64] = 0;
	}
}

static void settle(struct fixpoint *f, struct workspace *space, unsigned side, size_t unit,
                   bool wins)
{
	struct half *h = &f->half[side];
	const struct el_sets *sets = f->initial->sets;
	struct front *now = &h->now[wins], *before = &h->before[wins];
	size_t number = unit;
	if (!now->words[unit])
		return;
	if (now->few[unit]) {
		settle_words(f, space, side, unit, wins, now);
		front_move(now, before, unit);
		return;
	}
	const uint64_t *set = page_read(&now->pages, unit);
	if (!set)
		return;
	fixpoint_take_out(&h->undecided, unit, set);
	if (f->decided)
		f->decided(f->context, space, side, unit, wins ? EL_WIN : EL_LOSS, set, NULL);
	if (sets->turn) {
		number = sets->turn(sets, side, unit, set, space->freed);
		front_keep(before, number, space->freed, f->most);
	}
	page_release(&now->pages, unit);
	if (sets->turn)
		front_empty(now, unit);
	else
		front_move(now, before, unit);
	const uint64_t *won = wins ? page_read(&before->pages, number) : NULL;
	if (!won)
		return;
	fixpoint_take_out(&h->escapes, number, won);
	page_release(&before->pages, number);
}

static void settle_unit(void *context, struct workspace *space, size_t unit)
{
	struct fixpoint *f = context;
	for (unsigned side = 0; side < f->initial->sets->sides; side++) {
		struct half *h = &f->half[side];
		for (unsigned wins = 0; wins < 2; wins++) {
			/* Any thread may set these flags; all write the same value. */
			if (h->now[wins].words[unit])
#pragma omp atomic write
				h->found[wins] = true;
			settle(f, space, side, unit, wins);
		}
	}
}

/* A pass looks only at what the previous pass decided. */
void fixpoint_pass(struct fixpoint *f)
{
	initial_units(f->initial, f, find_unit);
	forget_fresh(f);
	if (f->ply)
		f->due = fixpoint_due(f);
	initial_units(f->initial, f, settle_unit);
	fixpoint_share_fresh(f);
	f->ply++;
}

bool fixpoint_alive(const struct fixpoint *f)
{
	bool any = f->ply == 0;
	for (unsigned side = 0; side < f->initial->sets->sides; side++)
		any |= f->half[side].found[true] || f->half[side].found[false];
	/* Do conversions wait for a later ply, or for the first pass? */
	return any ||
	       initial_next_ply(f->initial, f->due) <
	               (f->threshold < EL_THRESHOLD_ALL ? f->threshold + 1 : EL_THRESHOLD_ALL);
}
