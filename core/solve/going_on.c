/* SPDX-License-Identifier: MIT */
/*
 * Resumes where another program was stopped: makes all that a part's ledger has before its last
 * mark known to the fixpoint, which is then in the state after that pass.
 */
#include "part.h"

#include <stdlib.h>
#include <string.h>

/* ---- the fixpoint ---- */

/* Sets what the last pass found in a unit, if anything. */
static void make_found(struct fixpoint *f, struct workspace *space, unsigned side, size_t unit,
                       bool wins, const uint64_t *set)
{
	struct half *h = &f->half[side];
	size_t number;
	if (!bitmap_any(set, el_sets_words(f->initial->sets, unit)))
		return;
	set = fixpoint_turn(f, side, unit, set, space->freed, &number);
	front_keep(&h->before[wins], number, set, f->most);
	/* Any thread may set this flag; all write the same value. */
#pragma omp atomic write
	h->found[wins] = true;
}

static void skip_events(void *context, struct workspace *space, size_t unit)
{
	struct fixpoint *f = context;
	const size_t words = el_sets_words(f->initial->sets, unit);
	for (unsigned side = 0; side < f->initial->sets->sides; side++) {
		memset(space->found, 0, words * sizeof *space->found);
		fixpoint_take_events(f, space, side, CONVERSION_WINS, unit, space->found, NULL);
		memset(space->found, 0, words * sizeof *space->found);
		fixpoint_take_events(f, space, side, CONVERSION_FREES, unit, space->found, NULL);
		fixpoint_take_out(&f->half[side].blocked, unit, space->found);
	}
}

/* ---- the ledger ---- */

static uint16_t take_found(void *context, size_t list, const struct ledger_tag *tag)
{
	struct part *p = context;
	const unsigned side = (unsigned)(list / p->sets->units);
	if (side >= p->sets->sides)
		return 0;
	const bool in_table = side < p->problem->slice.planes && tag->stored;
	if (in_table) {
		part_count(p, side, tag->value.outcome, tag->stored);
		p->passes = tag->ply > p->passes ? tag->ply : p->passes;
	}
	return recorder_symbol(p->recorder, side, tag->value, in_table);
}

/* Reads a list into two sets, wins and everything else. `ply`: only from that pass; -1: from all.
   False if there is nothing. */
static bool read_found(struct part *p, struct workspace *space, const struct ledger_list *list,
                       int ply, unsigned side, uint64_t *won, uint64_t *lost)
{
	const struct el_meanings meanings = recorder_meanings(p->recorder);
	bool any = false;
	memset(won, 0, p->sets->words * sizeof *won);
	memset(lost, 0, p->sets->words * sizeof *lost);
	for (const struct ledger_entry *e = list->entry; e < list->entry + list->count; e++) {
		uint64_t *set = meanings.values[side][e->symbol].outcome == EL_WIN ? won : lost;
		any |= (ply < 0 || e->ply == ply) &&
		       ledger_read_set(&p->found, &space->encoder, e, set, NULL);
	}
	return any;
}

static void go_on_unit(void *context, struct workspace *space, size_t unit)
{
	struct part *p = context;
	for (unsigned side = 0; side < p->sets->sides; side++) {
		const struct ledger_list *found = &p->found.list[part_list(p, side, unit)];
		const struct ledger_list *stuck = &p->found.list[part_stuck_list(p, side, unit)];
		/* make all that the ledger has of the unit known */
		if (read_found(p, space, found, -1, side, space->found, space->among)) {
			struct half *h = &p->fixpoint.half[side];
			size_t number;
			fixpoint_take_out(&h->undecided, unit, space->found);
			fixpoint_take_out(&h->undecided, unit, space->among);
			const uint64_t *won = fixpoint_turn(&p->fixpoint, side, unit, space->found,
			                                    space->freed, &number);
			fixpoint_take_out(&h->escapes, number, won);
		}
		if (read_found(p, space, found, (int)p->fixpoint.ply, side, space->found,
		               space->among)) {
			make_found(&p->fixpoint, space, side, unit, true, space->found);
			make_found(&p->fixpoint, space, side, unit, false, space->among);
		}
		if (read_found(p, space, stuck, -1, side, space->found, space->among))
			fixpoint_block(&p->fixpoint, side, unit, space->among);
	}
}

/* The last pass that all ranks have finished: one that was killed may be a pass behind the others. */
static int agree(void *context, int ply)
{
	struct part *p = context;
	struct shares *s = &p->initial.shares;
	if (!s->ranks)
		return ply;
	uint64_t *plies = calloc(s->ranks->count, sizeof *plies), least = 0;
	s->lacks_memory |= !plies;
	if (plies)
		plies[s->ranks->rank] = (uint64_t)(ply + 1);
	shares_unite(s, plies, plies ? s->ranks->count : 0);
	for (unsigned r = 0; plies && r < s->ranks->count; r++)
		least = !r || plies[r] < least ? plies[r] : least;
	free(plies);
	return (int)least - 1;
}

void part_go_on(struct part *p)
{
	struct fixpoint *f = &p->fixpoint;
	const int ply = ledger_recover(&p->found, true, p, agree, take_found);
	if (ply < 0)
		return;
	f->ply = (unsigned)ply;
	initial_units(&p->initial, p, go_on_unit);
	fixpoint_share_escapes(f);
	fixpoint_share_fresh(f);
	/* the pass after that ply is the next one */
	if (f->ply) {
		f->due = fixpoint_due(f);
		initial_units(f->initial, f, skip_events);
	}
	f->ply++;
}
