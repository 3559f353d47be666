/* SPDX-License-Identifier: MIT */
/*
 * A part is solved by one or more runs of the fixpoint:
 *
 *     the game's end, a conversion     one run, in which each conversion takes effect at its ply
 *     a zeroing move                   one run
 *     a zeroing move, under a rule     one run up to the limit, and a second without it, which
 *                                      finds the positions that are won or lost too late; if the
 *                                      metric counts on past the limit (el_metric.late), the first
 *                                      run goes on instead
 *     every limit (dtr)                limits.c
 *     every clock (dtmK)               clock.c
 *     stones                           a run for each number of them, the greatest first; whoever
 *                                      can gain more can gain as many, so each run continues the
 *                                      last
 */
#include "part.h"

#include "core/base/clock.h"

#include <omp.h>
#include <string.h>

/* ---- results ---- */

typedef uint16_t lanes __attribute__((vector_size(32), may_alias, aligned(2)));

/* Sets the symbols of the positions in a word: sixteen at once if they are many. */
static inline void write_word(uint16_t *symbols, uint64_t bits, uint16_t symbol)
{
	enum { MANY = 16 };
	if (__builtin_popcountll(bits) < MANY) {
		for (; bits; bits &= bits - 1)
			symbols[__builtin_ctzll(bits)] = symbol;
		return;
	}
	const lanes bit = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
	                   1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
	for (unsigned n = 0; n < 4; n++) {
		lanes *at = (lanes *)(symbols + 16 * n);
		const lanes set = (lanes)((bit & (uint16_t)(bits >> 16 * n)) == bit);
		*at = (*at & ~set) | (set & symbol);
	}
}

/* Sets the symbol of positions of a unit. */
static void write_symbol(struct paged *pages, size_t unit, const uint64_t *set,
                         const uint64_t *marks, size_t words, uint16_t symbol)
{
	uint16_t *symbols = page_write(pages, unit);
	if (!symbols)
		return;
	for (size_t first = 0; first < words; first += 64)
		for (uint64_t left = bitmap_words(set, marks, first, words); left;
		     left &= left - 1) {
			const size_t w = first + (unsigned)__builtin_ctzll(left);
			write_word(symbols + 64 * w, set[w], symbol);
		}
	page_release(pages, unit);
}

static void observe(const struct part *p, const struct el_pass *pass)
{
	const struct el_observer *observer = p->problem->observer;
	if (observer && observer->pass)
#pragma omp critical(observer)
		observer->pass(observer->context, p->sets, pass);
}

void part_note(struct part *p, struct workspace *space, unsigned side, size_t unit,
               const uint64_t *set, const uint64_t *marks, struct el_value value)
{
	const unsigned ply = !p->stones ? value.plies
	                     : !p->fixpoint.ply
	                             ? 0
	                             : el_threshold_of_stones(&p->sets->slice, p->stones);
	const size_t in_tables = el_sets_stored(p->sets, unit);
	uint64_t stored = 0;
	for (size_t first = 0; first < in_tables; first += 64)
		for (uint64_t left = bitmap_words(set, marks, first, in_tables); left;
		     left &= left - 1)
			stored += (uint64_t)__builtin_popcountll(
				set[first + (unsigned)__builtin_ctzll(left)]);
	if (!p->problem->metric->has_depth)
		value.plies = 0;
	const bool in_table = side < p->problem->slice.planes && stored;
	/* A ledger that cannot be resumed needs only results that the table stores. */
	const bool all = p->symbols || p->found.kept;
	if (in_table || all) {
		const struct ledger_tag tag = {
			.ply = (uint16_t)ply,
			.symbol = recorder_symbol(p->recorder, side, value, in_table),
			.stored = (uint32_t)stored,
			.value = value,
		};
		const size_t words = all ? el_sets_words(p->sets, unit) : in_tables;
		if (p->symbols) {
			write_symbol(&p->symbols[side], unit, set, marks, words, tag.symbol);
		} else {
			encoder_set(&space->encoder, set, marks, words);
			ledger_add(&p->found, &space->encoder, part_list(p, side, unit), &tag);
		}
	}
	if (in_table)
#pragma omp critical(part)
	{
		part_count(p, side, value.outcome, stored);
		p->passes = ply > p->passes ? ply : p->passes;
	}
	observe(p, &(struct el_pass){ply, side, value.outcome, unit, set});
}

/* Called by the fixpoint: fixpoint.decided. */
static void decided(void *context, struct workspace *space, unsigned side, size_t unit,
                    enum el_outcome outcome, const uint64_t *set, const uint64_t *marks)
{
	struct part *p = context;
	const size_t words = el_sets_words(p->sets, unit);
	if (outcome == EL_DRAW) { /* stuck */
		if (p->found.kept) {
			encoder_set(&space->encoder, set, marks, words);
			ledger_add(&p->found, &space->encoder, part_stuck_list(p, side, unit),
			           &(struct ledger_tag){.ply = 0});
		}
		observe(p, &(struct el_pass){0, side, EL_DRAW, unit, set});
		return;
	}
	struct el_value v = {.plies = (uint16_t)(p->stones ? p->stones : p->fixpoint.ply)};
	v.outcome = (uint8_t)(outcome == EL_WIN ? p->win : p->loss);
	if (p->problem->metric->by_clock) /* too late */
		v.plies = 0;
	v.phase = p->problem->metric->has_phase ? v.plies : 0;
	if (!p->left) {
		part_note(p, space, side, unit, set, marks, v);
		return;
	}
	const uint64_t *left = page_read(&p->left[side], unit);
	uint64_t any = 0;
	for (size_t w = 0; w < words && left; w++)
		any |= space->among[w] = set[w] & left[w];
	if (left)
		page_release(&p->left[side], unit);
	if (any)
		part_note(p, space, side, unit, space->among, NULL, v);
}

bool part_symbols(struct part *p, struct encoder *encoder, unsigned side, size_t unit,
                  const uint16_t *renamed, uint16_t *by_bit)
{
	const size_t words = el_sets_stored(p->sets, unit);
	const struct ledger_list *list = &p->found.list[part_list(p, side, unit)];
	struct paged *undecided = &p->fixpoint.half[side].undecided;
	memset(by_bit, 0, words * 64 * sizeof *by_bit);
	const uint64_t *drawn = page_read(undecided, unit);
	if (!drawn && page_filled(undecided, unit))
		return false;
	if (drawn) {
		const uint16_t draw = recorder_symbol(p->recorder, side,
		                                      (struct el_value){.outcome = EL_DRAW}, false);
		for (size_t w = 0; w < words; w++)
			if (drawn[w])
				write_word(by_bit + 64 * w, drawn[w], renamed[draw]);
		page_release(undecided, unit);
	}
	for (uint32_t i = 0; i < list->count; i++) {
		struct ledger_cursor cursor;
		size_t word;
		uint64_t bits;
		const uint16_t symbol = renamed[list->entry[i].symbol];
		if (!ledger_read(&p->found, encoder, &list->entry[i], &cursor))
			return false;
		while (ledger_next(&cursor, &word, &bits) && word < words)
			write_word(by_bit + 64 * word, bits, symbol);
	}
	return true;
}

/* ---- runs ---- */

static enum el_status check(struct part *p, struct el_error *error)
{
	enum el_status status = initial_check(&p->initial, error);
	return status ? status : ledger_check(&p->found, p->problem->slice.name, error);
}

enum el_status part_agree(struct part *p, enum el_status status, struct el_error *error)
{
	uint64_t known = p->known;
	if (!p->ranks)
		return status;
	if (!status && p->initial.shares.lacks_memory)
		status = el_fail(error, EL_MEMORY, "%s: out of memory for what ranks exchange",
		                 p->progress->what);
	status = ranks_agree(p->ranks, status, &known, 1, error);
	p->by_others = known - p->known;
	return status;
}

enum el_status part_tick(struct part *p, struct el_error *error)
{
	struct progress *shared = p->progress;
	const bool mine = !shared->families || omp_get_ancestor_thread_num(1) <= 0;
	const uint64_t done = shared->done + p->known + p->by_others;
	const struct el_progress progress = {
		.stage = "solving",
		.what = shared->what,
		.done = (double)(done < shared->total ? done : shared->total),
		.total = (double)shared->total,
		.unit = "positions",
		.pass = p->fixpoint.ply,
	};
	if (mine && !shared->stopped && !el_watch_tick(shared->watch, &progress))
		shared->stopped = true;
	if (shared->stopped)
		return el_fail(error, EL_STOPPED, "%s: stopped at ply %u%s", shared->what,
		               p->fixpoint.ply,
		               p->found.kept ? "; the next build of it goes on there" : "");
	return p->initial.sets ? check(p, error) : EL_OK;
}

enum el_status part_run(struct part *p, unsigned limit, enum el_outcome loss, enum el_outcome win,
                        struct el_error *error)
{
	struct fixpoint *f = &p->fixpoint;
	enum el_status status = EL_OK;
	p->loss = loss;
	p->win = win;
	f->context = p;
	f->decided = decided;
	while (!status && fixpoint_alive(f) && f->ply <= limit) {
		fixpoint_pass(f);
		status = check(p, error);
		/* No mark after a pass that failed to read something: it cannot be resumed from. */
		if (!status)
			ledger_mark(&p->found, f->ply - 1);
		if (!status && f->ply > EL_PLIES_MAX)
			status = el_fail(error, EL_MEMORY, "%s: more than %d plies",
			                 p->progress->what, EL_PLIES_MAX);
		if (!status && fixpoint_alive(f))
			status = part_tick(p, error);
		status = part_agree(p, status, error);
	}
	f->decided = NULL;
	return status;
}

static void keep_left(void *context, struct workspace *space, size_t unit)
{
	struct part *p = context;
	(void)space;
	for (unsigned side = 0; side < p->sets->sides; side++)
		page_move(&p->fixpoint.half[side].undecided, &p->left[side], unit);
}

/* Positions that neither run has decided are draws. */
static void take_known(void *context, struct workspace *space, size_t unit)
{
	struct part *p = context;
	(void)space;
	for (unsigned side = 0; side < p->sets->sides; side++) {
		struct paged *undecided = &p->fixpoint.half[side].undecided;
		uint64_t *now = page_filled(undecided, unit) ? page_write(undecided, unit) : NULL;
		if (!now)
			continue;
		const uint64_t *left = page_read(&p->left[side], unit);
		for (size_t w = 0; w < el_sets_words(p->sets, unit); w++)
			now[w] &= left ? left[w] : 0;
		if (left)
			page_release(&p->left[side], unit);
		page_release(undecided, unit);
	}
}

/* A run without the limit. Conversions that are too late may bring positions closer to their
   zeroing move than the rule did, so it starts from the beginning, but decides only positions that
   the run under the rule left undecided. */
enum el_status part_run_late(struct part *p, struct el_error *error)
{
	struct paged left[2] = {{0}, {0}};
	enum el_status status = EL_OK;
	for (unsigned side = 0; side < p->sets->sides && !status; side++)
		status = paged_open_set(&left[side], p->initial.scratch, p->sets);
	if (status)
		el_fail(error, status, "%s: out of memory", p->progress->what);
	status = part_agree(p, status, error);
	p->left = left;
	if (!status) {
		initial_units(&p->initial, p, keep_left);
		fixpoint_begin(&p->fixpoint, EL_THRESHOLD_ALL, true);
		status = part_run(p, UINT16_MAX, EL_BLESSED_LOSS, EL_CURSED_WIN, error);
	}
	if (!status)
		initial_units(&p->initial, p, take_known);
	p->left = NULL;
	paged_close(&left[0]);
	paged_close(&left[1]);
	return status;
}

static enum el_status run_rule(struct part *p, struct el_error *error)
{
	const struct el_metric *metric = p->problem->metric;
	const bool late = initial_next_ply(&p->initial, EL_THRESHOLD_LATE - 1) < EL_THRESHOLD_ALL;
	fixpoint_begin(&p->fixpoint, EL_THRESHOLD_IN_TIME, metric->late || !late);
	enum el_status status = part_run(p, metric->limit, EL_LOSS, EL_WIN, error);
	if (status)
		return status;
	if (late && !metric->late)
		return part_run_late(p, error);
	if (metric->late) {
		p->fixpoint.threshold = EL_THRESHOLD_LATE;
		p->fixpoint.ply = metric->limit + 1;
	}
	return part_run(p, UINT16_MAX, EL_BLESSED_LOSS, EL_CURSED_WIN, error);
}

static enum el_status run(struct part *p, struct el_error *error)
{
	const struct el_metric *metric = p->problem->metric;
	if (metric->by_clock)
		return part_solve_clock(p, error);
	if (metric->has_phase)
		return part_solve_limits(p, error);
	if (metric->limit)
		return run_rule(p, error);
	if (!metric->kind->adds_up) {
		const bool all = metric->end == EL_END_ZEROING;
		fixpoint_begin(&p->fixpoint, all ? EL_THRESHOLD_ALL : FIXPOINT_BY_PLY, true);
		part_go_on(p);
		return part_run(p, UINT16_MAX, EL_LOSS, EL_WIN, error);
	}
	enum el_status status = EL_OK;
	fixpoint_begin(&p->fixpoint, 0, true);
	for (p->stones = p->sets->slice.pieces; p->stones && !status; p->stones--) {
		p->fixpoint.threshold = el_threshold_of_stones(&p->sets->slice, p->stones);
		status = part_run(p, UINT16_MAX, EL_LOSS, EL_WIN, error);
	}
	return status;
}

/* ---- the whole ---- */

/* Gives draws a symbol; a ledger does not need to list them. */
static void note_draws(void *context, struct workspace *space, size_t unit)
{
	struct part *p = context;
	(void)space;
	for (unsigned side = 0; side < p->sets->sides; side++) {
		struct paged *pages = &p->fixpoint.half[side].undecided;
		const uint64_t *drawn = page_read(pages, unit);
		uint64_t stored = 0;
		uint16_t symbol = 0;
		if (!drawn)
			continue;
		for (size_t w = 0; w < el_sets_stored(p->sets, unit); w++)
			stored |= drawn[w];
		if (stored || p->symbols)
			symbol = recorder_symbol(p->recorder, side,
			                         (struct el_value){.outcome = EL_DRAW}, stored);
		if (p->symbols)
			write_symbol(&p->symbols[side], unit, drawn, NULL,
			             el_sets_words(p->sets, unit), symbol);
		page_release(pages, unit);
	}
}

enum el_status part_solve(struct part *p, struct el_division *division, struct scratch *scratch,
                          struct el_error *error)
{
	const struct initial_options options = {
		.sets = p->sets,
		.ranks = p->ranks,
		.scratch = scratch,
		.place = p->initial_place,
		.alone = p->progress->families,
		/* soon done: solve_part asks the watch before each part */
		.watch = division->parts > 1 ? NULL : p->problem->watch,
		.observer = p->problem->observer,
		.lender = p->problem->lender,
	};
	enum el_status status = initial_make(&p->initial, &options, error);
	if (!status && division->begun)
		division->begun(division, p->sets);
	scratch_tidy(scratch);
	if (!status && !p->symbols)
		status = ledger_open(&p->found, 2 * p->sets->sides * p->sets->units, p->sets->words,
		                     p->found_place, error);
	for (unsigned side = 0; side < p->sets->sides && p->symbols && !status; side++)
		if (paged_open(&p->symbols[side], scratch, p->sets->units,
		               64 * p->sets->words * sizeof(uint16_t)))
			status = el_fail(error, EL_MEMORY, "%s: out of memory",
			                 p->problem->slice.name);
	if (!status && fixpoint_open(&p->fixpoint, &p->initial))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", p->problem->slice.name);
	status = part_agree(p, status, error);
	const double start = clock_seconds();
	if (!status) {
		shares_unite(&p->initial.shares, p->initial.plies,
		             sizeof p->initial.plies / sizeof *p->initial.plies);
		status = run(p, error);
	}
	p->seconds = clock_seconds() - start;
	if (!status) {
		part_collect(p);
		status = part_agree(p, check(p, error), error);
	}
	if (!status) {
		initial_units(&p->initial, p, note_draws);
		status = part_tick(p, error);
	}
	if (!status) { /* free all but the draws */
		fixpoint_free_sets(&p->fixpoint);
		initial_free_sets(&p->initial);
		ledger_close(&p->initial.events);
	}
	scratch_tidy(scratch);
	return status;
}

void part_close(struct part *p)
{
	fixpoint_close(&p->fixpoint);
	initial_close(&p->initial);
	if (p->found.list)
		ledger_close(&p->found);
	if (p->sets)
		p->sets->close(p->sets);
	p->sets = NULL;
}
