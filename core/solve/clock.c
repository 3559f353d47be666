/* SPDX-License-Identifier: MIT */
/*
 * Finds the course of each position (dtmK): plies to mate with every clock.
 *
 * Let b be the plies that are left before the rule draws, the *budget*, and f(b) the plies to mate of a
 * position with that budget. A quiet move leads to b - 1; a move that resets the clock, to a value that
 * is known. So the run of the fixpoint in which such a move takes effect s plies early, in pass n - s
 * if it wins in n, decides a position in its pass b for exactly those b from which f(b) <= b + s. Run s
 * is made for s = 0, 1, ... until the last of these moves takes effect in pass 1: a higher s then
 * changes nothing. No pass goes past the limit.
 *
 * As s rises by one, the pass T that decides a position stays or falls by one. (Whoever mates in b + s
 * plies with b left also does so with b + 1 left, and that is b + 1 + (s - 1); and T does not rise,
 * since more is allowed.) Where it falls, the position is still mated in as many plies with a smaller
 * budget, or in one ply more than before its last step. So courses grow at their end, and all that
 * has to be known of a position between two runs is the number of its course.
 */
#include "part.h"

#include "core/base/course.h"
#include "core/base/hash.h"

#include <stdlib.h>
#include <string.h>

/* A number that no course has: of a checkmate. */
#define MATED UINT32_MAX

/* How the course with a number changes in a pass, once it has been looked up. */
struct change {
	uint64_t pass; /* which one, of which run: 0 for none */
	uint32_t from, to;
};

enum { CHANGES = 1 << 14 }; /* that a thread remembers */

struct clock {
	struct part *part;
	unsigned limit;
	struct change *changes; /* CHANGES for each thread; owned */
	atomic_bool failed;     /* no memory */
};

/* ---- a run ---- */

/* The plies that a pass of the current run stands for. */
static unsigned plies_now(const struct clock *c)
{
	return c->part->fixpoint.ply + c->part->fixpoint.ahead;
}

/* The course after a pass has decided its position. */
static uint32_t change_course(struct clock *c, uint32_t from)
{
	struct el_courses *all = c->part->known_courses;
	struct el_course_step steps[EL_COURSE_MAX + 1];
	const struct el_course old = el_courses_get(all, from);
	const uint16_t until = (uint16_t)(c->limit - c->part->fixpoint.ply);
	const uint16_t plies = (uint16_t)plies_now(c);
	size_t count = old.count;
	if (count && old.step[count - 1].until == until) /* T stays */
		return from;
	if (count)
		memcpy(steps, old.step, count * sizeof *steps);
	if (!count || steps[count - 1].plies != plies)
		count++;
	steps[count - 1] = (struct el_course_step){until, plies};
	const uint32_t to = el_courses_add(all, steps, count);
	c->failed = c->failed || !to;
	return to;
}

static uint32_t changed(struct clock *c, struct change *changes, uint32_t from)
{
	const struct fixpoint *f = &c->part->fixpoint;
	const uint64_t pass = (uint64_t)plies_now(c) << 32 | f->ply;
	struct change *known = &changes[from * HASH_FACTOR >> 40 & (CHANGES - 1)];
	if (known->pass != pass || known->from != from) {
		*known = (struct change){.pass = pass, .from = from};
#pragma omp critical(clock)
		known->to = change_course(c, from);
	}
	return known->to;
}

static uint32_t number_at(const uint16_t *halves, size_t bits, size_t bit)
{
	return halves[bit] | (uint32_t)halves[bits + bit] << 16;
}

static void set_number(uint16_t *halves, size_t bits, size_t bit, uint32_t number)
{
	halves[bit] = (uint16_t)number;
	halves[bits + bit] = (uint16_t)(number >> 16);
}

/* Called by the fixpoint: fixpoint.decided. */
static void decided(void *context, struct workspace *space, unsigned side, size_t unit,
                    enum el_outcome outcome, const uint64_t *set, const uint64_t *marks)
{
	struct clock *c = context;
	struct part *p = c->part;
	struct change *changes = c->changes + CHANGES * (size_t)(space - p->initial.workspaces);
	const size_t words = el_sets_words(p->sets, unit), bits = 64 * p->sets->words;
	if (outcome == EL_DRAW || (!p->fixpoint.ply && p->fixpoint.ahead))
		return;
	uint16_t *halves = page_write(&p->courses[side], unit);
	for (size_t first = 0; first < words && halves; first += 64)
		for (uint64_t left = bitmap_words(set, marks, first, words); left;
		     left &= left - 1) {
			const size_t w = first + (unsigned)__builtin_ctzll(left);
			for (uint64_t word = set[w]; word; word &= word - 1) {
				const size_t bit = 64 * w + (unsigned)__builtin_ctzll(word);
				const uint32_t from = number_at(halves, bits, bit);
				const uint32_t to =
					p->fixpoint.ply ? changed(c, changes, from) : MATED;
				if (to != from)
					set_number(halves, bits, bit, to);
			}
		}
	if (halves)
		page_release(&p->courses[side], unit);
}

static enum el_status run(struct clock *c, unsigned ahead, struct el_error *error)
{
	struct part *p = c->part;
	struct fixpoint *f = &p->fixpoint;
	enum el_status status = EL_OK;
	fixpoint_begin(f, FIXPOINT_BY_PLY, false);
	f->ahead = ahead;
	f->context = c;
	f->decided = decided;
	while (!status && f->ply <= c->limit && fixpoint_alive(f)) {
		fixpoint_pass(f);
		status = part_tick(p, error);
	}
	if (!status && c->failed)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", p->progress->what);
	f->decided = NULL;
	return status;
}

/* ---- the end ---- */

/* Plies with the clock at 0 become symbols, and checkmates lose their number. */
static void finish_unit(void *context, struct workspace *space, size_t unit)
{
	struct clock *c = context;
	struct part *p = c->part;
	const size_t bits = 64 * p->sets->words, in_tables = 64 * el_sets_stored(p->sets, unit);
	(void)space;
	for (unsigned side = 0; side < p->sets->sides; side++) {
		if (!page_filled(&p->courses[side], unit))
			continue;
		uint16_t *halves = page_write(&p->courses[side], unit);
		uint16_t *symbols = page_write(&p->symbols[side], unit);
		const bool in_table = side < p->problem->slice.planes;
		uint64_t known = 0;
		unsigned most = 0;
		for (size_t i = 0; halves && symbols && i < 64 * el_sets_words(p->sets, unit);
		     i++) {
			const uint32_t number = number_at(halves, bits, i);
			const bool stored = in_table && i < in_tables;
			struct el_value v = {.outcome = EL_LOSS};
			if (!number)
				continue;
			if (number == MATED)
				set_number(halves, bits, i, 0);
			else
				v.plies = el_courses_get(p->known_courses, number).step[0].plies;
			if (v.plies % 2)
				v.outcome = EL_WIN;
			symbols[i] = recorder_symbol(p->recorder, side, v, stored);
			known += stored;
			most = stored && v.plies > most ? v.plies : most;
		}
		if (halves)
			page_release(&p->courses[side], unit);
		if (symbols)
			page_release(&p->symbols[side], unit);
#pragma omp critical(part)
		{
			p->known += known;
			p->passes = most > p->passes ? most : p->passes;
		}
	}
}

/* ---- all runs ---- */

enum el_status part_solve_clock(struct part *p, struct el_error *error)
{
	const struct el_sets *sets = p->sets;
	struct clock c = {.part = p, .limit = p->problem->metric->limit};
	c.changes = calloc((size_t)CHANGES * p->initial.threads, sizeof *c.changes);
	enum el_status status = c.changes ? EL_OK : EL_MEMORY;
	for (unsigned side = 0; side < sets->sides && !status; side++)
		status = paged_open(&p->courses[side], p->initial.scratch, sets->units,
		                    64 * sets->words * sizeof(uint32_t));
	if (status)
		el_fail(error, status, "%s: out of memory", sets->slice.name);
	uint32_t last = 0;
	for (uint32_t ply = 0; ply < EL_PLY_LATE; ply = initial_next_ply(&p->initial, ply))
		last = ply;
	const bool late = initial_next_ply(&p->initial, EL_PLY_LATE - 1) < EL_THRESHOLD_ALL;
	/* For the progress, each run decides its share of the positions. */
	const uint64_t bits = 64 * sets->units * sets->stored_words * p->problem->slice.planes;
	for (unsigned ahead = 0; !status && (!ahead || ahead < last); ahead++) {
		p->known = last ? bits * ahead / last : 0;
		status = run(&c, ahead, error);
	}
	p->known = 0;
	free(c.changes);
	/* Another part may add courses meanwhile, if threads share families. */
	if (!status)
#pragma omp critical(clock)
		initial_units(&p->initial, &c, finish_unit);
	/* What the rule takes away. */
	if (!status)
		status = late ? part_run_late(p, error)
		              : part_run(p, UINT16_MAX, EL_BLESSED_LOSS, EL_CURSED_WIN, error);
	p->fixpoint.ahead = 0;
	return status;
}
