/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "proof.h"

#include <stdio.h>

/* ---- findings ---- */

void proof_wrong(struct finding *f, uint64_t index, struct el_value stored, struct el_value derived)
{
	f->wrong++;
	if (index >= f->first)
		return;
	f->first = index;
	f->stored = stored;
	f->derived = derived;
}

void proof_compare(struct finding *f, uint64_t index, struct el_value stored,
                   struct el_value derived)
{
	if (el_value_equal(stored, derived))
		return;
	if (stored.rounded && stored.outcome == derived.outcome &&
	    derived.plies == stored.plies + 1u)
		f->rounded++;
	else
		proof_wrong(f, index, stored, derived);
}

/* Is there anything that both may be? */
static bool meet(enum el_outcome a, enum el_outcome b)
{
	return a != EL_BROKEN && el_outcome_lower(a) <= el_outcome_upper(b) &&
	       el_outcome_lower(b) <= el_outcome_upper(a);
}

void proof_judge(struct finding *f, uint64_t index, struct el_value stored, struct derived d)
{
	f->checked++;
	if (el_value_equal(stored, d.value))
		return;
	const bool loose = el_outcome_bounded(stored.outcome) &&
	                   el_outcome_within(d.value.outcome, stored.outcome);
	const bool open = !loose && d.open && meet(stored.outcome, d.value.outcome);
	f->loose += loose;
	f->open += open;
	if (!loose && !open)
		proof_wrong(f, index, stored, d.value);
}

/* ---- passes ---- */

/* Adds what the threads found in a plane; earlier ones keep the first wrong position. */
static void conclude(const struct proof *p, unsigned threads)
{
	const struct finding *first = &p->findings[0];
	const uint64_t wrong_before = p->out->wrong;
	for (unsigned t = 0; t < threads; t++) {
		const struct finding *f = &p->findings[t];
		p->out->checked += f->checked;
		p->out->wrong += f->wrong;
		p->out->loose += f->loose;
		p->out->open += f->open;
		p->out->rounded += f->rounded;
		if (f->first < first->first)
			first = f;
	}
	struct el_position position;
	if (wrong_before || !p->out->wrong ||
	    !p->reach.game->unplace(&p->planes->slice, p->plane, first->first, &position))
		return;
	p->reach.game->format(&position, p->out->first_fen);
	p->out->first_stored = first->stored;
	p->out->first_derived = first->derived;
}

enum el_status proof_pass(struct proof *p, const struct proof_pass *pass, struct el_error *error)
{
	const struct el_slice *slice = &p->planes->slice;
	const uint64_t count = pass->count ? pass->count : slice->positions;
	const unsigned threads = sweep_threads();
	char what[EL_SLICE_MAX + 16];
	snprintf(what, sizeof what, "%s %s", slice->name, p->planes->metric->name);
	enum el_status status = EL_OK;
	for (p->plane = 0; p->plane < slice->planes && status == EL_OK; p->plane++) {
		for (unsigned t = 0; t < threads; t++)
			p->findings[t] = (struct finding){.first = UINT64_MAX};
		status = sweep_run(
			&(struct sweep){
				.count = count,
				.watch = p->watch,
				.progress = {pass->stage, what, (double)(p->plane * count),
		                             (double)(slice->planes * count), .unit = "positions"},
				.context = pass->context,
				.chunk = pass->chunk,
			},
			error);
		conclude(p, threads);
	}
	return status;
}
