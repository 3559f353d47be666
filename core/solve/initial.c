/* SPDX-License-Identifier: MIT */
#include "initial.h"

#include "core/base/clock.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- threads ---- */

/* Sets of fewer words are not worth sharing: entering a parallel region costs as much as a thousand
   words, and the parts of a slice with pawns have a hundred. */
enum { SHARED_WORDS = 1 << 12 };

void initial_units(struct initial_state *o, void *context,
                   void (*work)(void *context, struct workspace *, size_t unit))
{
	const size_t first = o->shares.first, end = o->shares.end;
	if (o->threads == 1) {
		for (size_t unit = first; unit < end; unit++)
			work(context, o->workspaces, unit);
		return;
	}
	/* Small portions, so that a thread with less of its core's time takes fewer of them. */
	const int portion = (int)((end - first) / (32 * o->threads)) + 1;
#pragma omp parallel for schedule(dynamic, portion) num_threads(o->threads)
	for (size_t unit = first; unit < end; unit++)
		work(context, &o->workspaces[omp_get_thread_num()], unit);
}

/* ---- the events of a unit ---- */

static int event_order(const void *a, const void *b)
{
	const struct el_event *x = a, *y = b;
	if (x->ply != y->ply)
		return x->ply < y->ply ? -1 : 1;
	return x->word < y->word ? -1 : x->word > y->word;
}

static void note_ply(struct initial_state *o, uint32_t ply)
{
	const uint64_t bit = UINT64_C(1) << ply % 64;
	uint64_t known;
#pragma omp atomic read
	known = o->plies[ply / 64];
	if (known & bit)
		return;
#pragma omp atomic
	o->plies[ply / 64] |= bit;
}

/* Sorts by ply, and by word within a ply. Plies are few, so events that are in word order take a
   counting sort. False: out of memory. */
static bool sort_events(struct el_events *events)
{
	uint32_t deepest = 0;
	bool rising = true;
	for (size_t i = 0; i < events->count; i++)
		deepest = events->events[i].ply > deepest ? events->events[i].ply : deepest;
	for (size_t i = 1; i < events->count; i++)
		rising &= events->events[i - 1].word <= events->events[i].word;
	if (!rising) {
		qsort(events->events, events->count, sizeof *events->events, event_order);
		return true;
	}
	size_t *start = calloc(deepest + 2, sizeof *start);
	struct el_event *sorted = malloc(events->count * sizeof *sorted);
	if (start && sorted) {
		for (size_t i = 0; i < events->count; i++)
			start[events->events[i].ply + 1]++;
		for (uint32_t p = 0; p < deepest; p++)
			start[p + 1] += start[p];
		for (size_t i = 0; i < events->count; i++)
			sorted[start[events->events[i].ply]++] = events->events[i];
		memcpy(events->events, sorted, events->count * sizeof *sorted);
	}
	const bool good = start && sorted;
	free(start);
	free(sorted);
	return good;
}

static enum el_status keep_events(struct initial_state *o, struct workspace *h, size_t list,
                                  struct el_events *events)
{
	if (!events->count)
		return EL_OK;
	if (!sort_events(events))
		return EL_MEMORY;
	for (size_t i = 0; i < events->count;) {
		const uint32_t ply = events->events[i].ply;
		encoder_begin(&h->encoder);
		for (; i < events->count && events->events[i].ply == ply; i++)
			encoder_word(&h->encoder, events->events[i].word, events->events[i].bits);
		ledger_add(&o->events, &h->encoder, list,
		           &(struct ledger_tag){.ply = (uint16_t)ply});
		note_ply(o, ply);
	}
	events->count = 0;
	return EL_OK;
}

/* A unit whose events are stored. */
struct keeper {
	struct initial_state *initial;
	struct workspace *space;
	unsigned side;
	size_t number;
};

static enum el_status keep_unit(struct el_unit *unit)
{
	const struct keeper *k = unit->keeper;
	struct initial_state *o = k->initial;
	const size_t wins = initial_list(o, k->side, CONVERSION_WINS, k->number);
	const size_t frees = initial_list(o, k->side, CONVERSION_FREES, k->number);
	const enum el_status status = keep_events(o, k->space, wins, &unit->wins);
	return status ? status : keep_events(o, k->space, frees, &unit->frees);
}

static int entry_order(const void *a, const void *b)
{
	const struct ledger_entry *x = a, *y = b;
	return (x->ply > y->ply) - (x->ply < y->ply);
}

/* ---- resuming ---- */

/* The state of a unit before the first pass, from which a program resumes after this one was
   killed. START_DONE says that the unit is complete. */
enum start { START_LEGAL, START_BLOCKED, START_DONE, STARTS };

static size_t start_list(const struct initial_state *o, enum start start, unsigned side,
                         size_t unit)
{
	const struct el_sets *sets = o->sets;
	return ((2 + start) * sets->sides + side) * sets->units + unit;
}

static void keep_start(struct initial_state *o, struct workspace *h, unsigned side, size_t number,
                       const struct el_unit *unit)
{
	const uint64_t done = 1; /* any bit: ledger_add ignores empty bitmaps */
	const uint64_t *sets[STARTS] = {unit->legal, unit->blocked, &done};
	for (enum start s = START_LEGAL; s < STARTS && o->events.kept; s++) {
		const struct ledger_tag tag = {
			.stored = s == START_DONE ? (uint32_t)unit->decided[0] : 0};
		encoder_set(&h->encoder, sets[s], NULL,
		            s == START_DONE ? 1 : el_sets_words(o->sets, number));
		ledger_add(&o->events, &h->encoder, start_list(o, s, side, number), &tag);
	}
}

static uint16_t take_record(void *context, size_t list, const struct ledger_tag *tag)
{
	struct initial_state *o = context;
	if (list < start_list(o, START_LEGAL, 0, 0))
		note_ply(o, tag->ply);
	else if (list >= start_list(o, START_DONE, 0, 0))
		o->stage[0].decided += tag->stored;
	return 0;
}

static void read_start(struct initial_state *o, struct workspace *h, enum start start,
                       unsigned side, size_t number, struct paged *pages)
{
	const struct ledger_list *list = &o->events.list[start_list(o, start, side, number)];
	uint64_t *page = list->count ? page_write(pages, number) : NULL;
	if (!page)
		return;
	ledger_read_set(&o->events, &h->encoder, list->entry, page, NULL);
	page_release(pages, number);
}

/* True if the ledger has the complete unit; otherwise drops all that it has of it. */
static bool was_begun(struct initial_state *o, struct workspace *h, unsigned side, size_t number)
{
	if (o->events.list[start_list(o, START_DONE, side, number)].count) {
		read_start(o, h, START_LEGAL, side, number, &o->legal[side]);
		read_start(o, h, START_BLOCKED, side, number, &o->blocked[side]);
		return true;
	}
	o->events.list[initial_list(o, side, CONVERSION_WINS, number)].count = 0;
	o->events.list[initial_list(o, side, CONVERSION_FREES, number)].count = 0;
	o->events.list[start_list(o, START_LEGAL, side, number)].count = 0;
	o->events.list[start_list(o, START_BLOCKED, side, number)].count = 0;
	return false;
}

/* ---- all units ---- */

struct beginning {
	struct initial_state *initial;
	const struct initial_options *options;
	size_t done; /* units */
	_Atomic enum el_status status;
	struct el_error *error;
};

static void fail(struct beginning *b, enum el_status status, const struct el_error *error)
{
#pragma omp critical(initial)
	if (!b->status) {
		b->status = status;
		if (error)
			el_fail(b->error, status, "%s", error->text);
		else
			el_fail(b->error, status, "%s: out of memory",
			        b->initial->sets->slice.name);
	}
}

/* Stores a set as a page, unless it is empty. */
static void keep_page(struct paged *pages, size_t unit, const uint64_t *set)
{
	if (bitmap_any(set, pages->page[unit].size / sizeof *set))
		page_put(pages, unit, set);
}

static void begin_side(struct beginning *b, struct workspace *h, unsigned side, size_t number)
{
	struct initial_state *o = b->initial;
	const struct el_sets *sets = o->sets;
	const struct el_observer *observer = b->options->observer;
	struct keeper keeper = {o, h, side, number};
	struct el_unit unit = {
		.legal = h->found,
		.blocked = h->among,
		.keep = observer && observer->begin ? NULL : keep_unit,
		.keeper = &keeper,
	};
	struct el_error error;
	if (was_begun(o, h, side, number))
		return;
	memset(unit.legal, 0, el_sets_words(sets, number) * sizeof *unit.legal);
	memset(unit.blocked, 0, el_sets_words(sets, number) * sizeof *unit.blocked);
	const struct el_lender *lender = b->options->lender;
	enum el_status status = sets->begin(sets, side, number, &unit, h->scratch, &error);
	if (status) {
		struct el_error why;
		const enum el_status cause =
			lender && lender->check ? lender->check(lender->context, &why) : EL_OK;
		fail(b, cause ? cause : status, cause ? &why : &error);
	} else {
		if (observer && observer->begin)
#pragma omp critical(observer)
			observer->begin(observer->context, sets, side, number, &unit);
#pragma omp critical(initial)
		for (unsigned i = 0; i < EL_STAGES_MAX && sets->stages[i]; i++) {
			o->stage[i].decided += unit.decided[i];
			o->stage[i].seconds += unit.seconds[i];
		}
		keep_page(&o->legal[side], number, unit.legal);
		keep_page(&o->blocked[side], number, unit.blocked);
		if (keep_unit(&unit))
			fail(b, EL_MEMORY, NULL);
		else
			keep_start(o, h, side, number, &unit);
	}
	free(unit.wins.events);
	free(unit.frees.events);
}

static void begin_unit(void *context, struct workspace *h, size_t number)
{
	struct beginning *b = context;
	const struct el_sets *sets = b->initial->sets;
	size_t done;
	for (unsigned side = 0; side < sets->sides && !b->status; side++)
		begin_side(b, h, side, number);
#pragma omp atomic capture
	done = ++b->done;
	/* Only the caller's thread asks the watch. */
	if (!b->options->watch || h != b->initial->workspaces || b->status)
		return;
	const struct shares *shares = &b->initial->shares;
	const double bits = 64.0 * (double)(sets->stored_words * sets->sides);
	const struct el_progress progress = {"converting", sets->slice.name, bits * (double)done,
	                                     bits * (double)(shares->end - shares->first),
	                                     .unit = "positions"};
	if (!el_watch_tick(b->options->watch, &progress)) {
		struct el_error error;
		el_fail(&error, EL_STOPPED, "%s: stopped before the first pass", sets->slice.name);
		fail(b, EL_STOPPED, &error);
	}
}

static enum el_status allocate(struct initial_state *o, const struct initial_options *options,
                               struct el_error *error)
{
	const struct el_sets *sets = options->sets;
	const bool shared =
		!options->alone && sets->units > 1 && sets->units * sets->words >= SHARED_WORDS;
	o->threads = shared ? (unsigned)omp_get_max_threads() : 1;
	o->workspaces = calloc(o->threads, sizeof *o->workspaces);
	enum el_status status = o->workspaces ? EL_OK : EL_MEMORY;
	if (!status)
		status = shares_open(&o->shares, options->ranks, sets);
	for (unsigned t = 0; t < o->threads && !status; t++) {
		struct workspace *h = &o->workspaces[t];
		const size_t bitmap = sets->words * sizeof *h->found;
		h->scratch = sets->scratch ? scratch_memory(sets->scratch) : NULL;
		h->found = scratch_memory(bitmap);
		h->among = scratch_memory(bitmap);
		h->freed = scratch_memory(bitmap);
		h->clean = calloc(sets->words, sizeof *h->clean);
		h->marks = calloc(sets->words / 64 + 1, sizeof *h->marks);
		h->list = malloc(sets->words * sizeof *h->list);
		const bool all = (h->scratch || !sets->scratch) && h->found && h->among &&
		                 h->freed && h->clean && h->marks && h->list;
		status = all ? encoder_open(&h->encoder, sets->words) : EL_MEMORY;
	}
	for (unsigned side = 0; side < sets->sides && !status; side++) {
		status = paged_open_set(&o->legal[side], o->scratch, sets);
		if (!status)
			status = paged_open_set(&o->blocked[side], o->scratch, sets);
	}
	if (status)
		return el_fail(error, status, "%s: out of memory", sets->slice.name);
	const size_t lists = (2 + STARTS) * sets->sides * sets->units;
	return ledger_open(&o->events, lists, sets->words, options->place, error);
}

enum el_status initial_make(struct initial_state *o, const struct initial_options *options,
                            struct el_error *error)
{
	*o = (struct initial_state){
		.sets = options->sets, .scratch = options->scratch, .events.fd = -1};
	const double start = clock_seconds();
	enum el_status status = allocate(o, options, error);
	if (!status) {
		struct beginning b = {.initial = o, .options = options, .error = error};
		ledger_recover(&o->events, false, o, NULL, take_record);
		initial_units(o, &b, begin_unit);
		status = b.status;
		/* Events that were stored in several portions are taken in order of ply, too. */
		struct ledger_list *const end = o->events.list + start_list(o, START_LEGAL, 0, 0);
		for (struct ledger_list *l = o->events.list; l < end; l++)
			if (l->count)
				qsort(l->entry, l->count, sizeof *l->entry, entry_order);
	}
	if (!status)
		status = initial_check(o, error);
	/* Scale the threads' times to the time that passed. */
	const double seconds = clock_seconds() - start;
	double all = 0;
	for (unsigned i = 0; i < EL_STAGES_MAX; i++)
		all += o->stage[i].seconds;
	for (unsigned i = 0; i < EL_STAGES_MAX && o->sets->stages[i]; i++) {
		o->stage[i].seconds = all > 0 ? o->stage[i].seconds / all * seconds : 0;
		strncpy(o->stage[i].name, o->sets->stages[i], sizeof o->stage[i].name - 1);
	}
	if (status)
		initial_close(o);
	return status;
}

void initial_free_sets(struct initial_state *o)
{
	for (unsigned side = 0; side < 2; side++) {
		paged_close(&o->legal[side]);
		paged_close(&o->blocked[side]);
	}
}

void initial_close(struct initial_state *o)
{
	for (unsigned t = 0; o->workspaces && t < o->threads; t++) {
		struct workspace *h = &o->workspaces[t];
		free(h->scratch);
		free(h->found);
		free(h->among);
		free(h->freed);
		free(h->clean);
		free(h->marks);
		free(h->list);
		encoder_close(&h->encoder);
	}
	free(o->workspaces);
	initial_free_sets(o);
	ledger_close(&o->events);
	shares_close(&o->shares);
	*o = (struct initial_state){.events.fd = -1};
}

enum el_status initial_check(struct initial_state *o, struct el_error *error)
{
	enum el_status status = scratch_check(o->scratch, error);
	return status ? status : ledger_check(&o->events, o->sets->slice.name, error);
}

uint32_t initial_next_ply(const struct initial_state *o, uint32_t ply)
{
	for (uint32_t p = ply + 1; p < EL_THRESHOLD_ALL;) {
		const uint64_t rest = o->plies[p / 64] >> p % 64;
		if (rest) {
			p += (uint32_t)__builtin_ctzll(rest);
			return p < EL_THRESHOLD_ALL ? p : EL_THRESHOLD_ALL;
		}
		p = (p / 64 + 1) * 64;
	}
	return EL_THRESHOLD_ALL;
}
