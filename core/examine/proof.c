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

/* ---- where moves lead ---- */

static const struct el_planes *other_planes(const struct reach *r, uint64_t key)
{
	for (size_t i = 0; i < r->others->count; i++)
		if (r->others->planes[i].slice.key == key)
			return &r->others->planes[i];
	return NULL;
}

static struct derived stored(const struct el_planes *planes, const struct el_place *place)
{
	if (!planes)
		return (struct derived){{.outcome = EL_UNKNOWN}, true};
	return (struct derived){.value =
	                                el_plane_value(&planes->plane[place->plane], place->index)};
}

/* The outcome under a rule where each quiet move takes one ply too many. */
static enum el_outcome if_late(const struct reach *r, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = r->game->moves(position, moves);
	enum el_outcome best = count ? EL_LOSS : r->game->stuck(position).outcome;
	for (size_t i = 0; i < count; i++) {
		struct reached to;
		reach_by_move(r, position, &moves[i], &to);
		enum el_outcome outcome = el_outcome_negate(to.value.outcome);
		if (!to.ends && outcome == EL_WIN)
			outcome = EL_CURSED_WIN;
		if (!to.ends && outcome == EL_LOSS)
			outcome = EL_BLESSED_LOSS;
		best = outcome > best ? outcome : best;
	}
	return best;
}

/*
 * No table stores a right to capture en passant. Playing on from there ends soon: each further such
 * right takes the double step of one more pawn. After a quiet move from there the clock stands at
 * one, of which an outcome under a rule may say nothing.
 */
static struct derived with_right(const struct reach *r, const struct el_position *position)
{
	struct derived d = reach_derive(r, position);
	if (r->metric->limit && !r->metric->has_depth)
		d.open |= if_late(r, position) != d.value.outcome;
	return d;
}

static bool has_planes(const struct reach *r)
{
	return r->planes || r->prober;
}

/* What is stored of a position without the right; `metric` is that of `planes`. */
static struct derived look_up(const struct reach *r, const struct el_planes *planes,
                              const struct el_metric *metric, const struct el_position *reached,
                              const struct el_place *place)
{
	if (!r->prober)
		return stored(planes, place);
	struct el_position without = *reached;
	without.en_passant = EL_NO_SQUARE;
	return r->prober->value(r->prober->context, metric, &without, place);
}

static struct derived inside(const struct reach *r, const struct el_position *reached,
                             const struct el_place *place, bool ends)
{
	const struct reach *where = ends ? r->ended : r;
	struct derived d = has_planes(where) && reached->en_passant != EL_NO_SQUARE
	                           ? with_right(where, reached)
	                           : look_up(where, where->planes, where->metric, reached, place);
	if (ends && has_planes(where))
		d.value = el_metric_read(where->metric, el_metric_entered(r->metric), d.value);
	return d;
}

static struct derived outside(const struct reach *r, const struct el_position *reached, bool placed,
                              const struct el_place *place)
{
	struct derived d = {.open = false};
	if (!placed && el_game_value(r->game, reached, &d.value))
		return d;
	const struct el_planes *planes = placed && !r->prober ? other_planes(r, place->key) : NULL;
	return look_up(r, planes, el_metric_entered(r->metric), reached, placed ? place : NULL);
}

void reach_by_move(const struct reach *r, const struct el_position *position,
                   const struct el_move *move, struct reached *out)
{
	struct el_position reached;
	r->game->play(position, move, &reached);
	const bool placed = r->game->place(&reached, &out->place);
	const bool leaves = !placed || out->place.key != r->key;
	out->ends = el_move_ends(r->game, r->metric, position, move, leaves);
	const struct derived d = leaves ? outside(r, &reached, placed, &out->place)
	                                : inside(r, &reached, &out->place, out->ends);
	out->gain = el_move_gain(r->game, position, move);
	out->value = d.value;
	out->open = d.open;
}

struct derived reach_derive(const struct reach *r, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = r->game->moves(position, moves);
	struct derived best = {.open = false};
	if (!count)
		best.value = r->game->stuck(position);
	for (size_t i = 0; i < count; i++) {
		struct reached to;
		reach_by_move(r, position, &moves[i], &to);
		const struct el_value v = el_value_of_move(r->metric, to.value, to.ends, to.gain);
		best.value = i ? el_value_max(r->metric, best.value, v) : v;
		best.open |= to.open;
	}
	return best;
}
