/* SPDX-License-Identifier: MIT */
#include "proof.h"

#include <stdlib.h>
#include <string.h>

/* ---- findings ---- */

struct finding *findings_new(unsigned threads)
{
	struct finding *findings =
		aligned_alloc(_Alignof(struct finding), threads * sizeof *findings);
	for (unsigned t = 0; t < threads && findings; t++)
		findings[t] = (struct finding){.first = UINT64_MAX};
	return findings;
}

static void add_finding(struct finding *sum, const struct finding *f)
{
	sum->checked += f->checked;
	sum->wrong += f->wrong;
	sum->loose += f->loose;
	sum->open += f->open;
	sum->rounded += f->rounded;
	if (f->first >= sum->first)
		return;
	sum->first = f->first;
	sum->stored = f->stored;
	sum->derived = f->derived;
}

struct finding findings_sum(const struct finding *findings, unsigned threads)
{
	struct finding sum = {.first = UINT64_MAX};
	for (unsigned t = 0; t < threads; t++)
		add_finding(&sum, &findings[t]);
	return sum;
}

void verdict_add(struct el_verdict *v, const struct finding *f)
{
	v->checked += f->checked;
	v->wrong += f->wrong;
	v->loose += f->loose;
	v->open += f->open;
	v->rounded += f->rounded;
}

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

void proof_judge(struct finding *f, uint64_t index, struct el_value stored, struct derived d)
{
	const enum el_outcome a = stored.outcome, b = d.value.outcome;
	f->checked++;
	/* A legal position without a value is wrong even if its moves lead to others without one. */
	if (el_value_equal(stored, d.value) && a != EL_BROKEN)
		return;
	const bool loose = el_outcome_bounded(a) && el_outcome_within(b, a);
	/* Is there an outcome that both allow? */
	const bool open = !loose && d.open && a != EL_BROKEN &&
	                  el_outcome_lower(a) <= el_outcome_upper(b) &&
	                  el_outcome_lower(b) <= el_outcome_upper(a);
	f->loose += loose;
	f->open += open;
	if (!loose && !open)
		proof_wrong(f, index, stored, d.value);
}

/* ---- passes ---- */

/* The sections of this rank: they begin at number `by`. */
struct own_sections {
	sweep_chunk *chunk;
	void *context;
	uint64_t by;
};

static enum el_status check_own(void *context, unsigned thread, uint64_t first, uint64_t end,
                                struct el_error *error)
{
	const struct own_sections *own = context;
	return own->chunk(own->context, thread, first + own->by, end + own->by, error);
}

/* Adds up what all ranks have found. */
static enum el_status join_findings(struct ranks *ranks, struct finding *sum, enum el_status status,
                                    struct el_error *error)
{
	bool good = true;
	status = ranks_agree(ranks, status, NULL, 0, error);
	for (unsigned r = 0; r < ranks->count && !status; r++)
		good &= message_add(&ranks->out[r], sum, sizeof *sum);
	if (!status)
		status = ranks_swap(ranks, error);
	*sum = (struct finding){.first = UINT64_MAX};
	for (unsigned r = 0; r < ranks->count && !status && good; r++) {
		struct finding one;
		good = ranks->in[r].size == sizeof one;
		if (!good)
			break;
		memcpy(&one, ranks->in[r].bytes, sizeof one);
		add_finding(sum, &one);
	}
	return status || good ? status : el_fail(error, EL_MEMORY, "out of memory for a message");
}

enum el_status proof_pass(struct proof *p, const char *stage, uint64_t count, uint64_t each,
                          sweep_chunk *chunk, void *context, struct el_error *error)
{
	const struct el_slice *slice = &p->planes->slice;
	const unsigned threads = sweep_threads();
	enum el_status status = EL_OK;
	for (p->plane = 0; p->plane < slice->planes && !status; p->plane++) {
		struct ranks *const ranks = each ? p->ranks : NULL;
		const uint64_t rank = ranks ? ranks->rank : 0, all = ranks ? ranks->count : 1;
		struct own_sections own = {chunk, context, count * rank / all};
		const uint64_t mine = count * (rank + 1) / all - own.by;
		const struct sweep sweep = {stage,
		                            slice,
		                            p->planes->metric,
		                            mine,
		                            p->plane * mine,
		                            slice->planes * mine,
		                            p->watch,
		                            &own,
		                            check_own};
		p->findings = findings_new(threads);
		status = !p->findings ? el_fail(error, EL_MEMORY, "%s: out of memory", slice->name)
		         : each       ? sweep_sections(&sweep, each, error)
		                      : sweep_run(&sweep, error);
		struct finding sum = findings_sum(p->findings, p->findings ? threads : 0);
		free(p->findings);
		if (ranks)
			status = join_findings(ranks, &sum, status, error);
		/* The first wrong position of an earlier plane stays. */
		const uint64_t wrong_before = p->out->wrong;
		verdict_add(p->out, &sum);
		if (wrong_before || !p->out->wrong ||
		    !index_format(slice, p->plane, sum.first, el_slice_mover(slice, p->plane),
		                  p->out->first_fen))
			continue;
		p->out->first_stored = sum.stored;
		p->out->first_derived = sum.derived;
	}
	return status;
}

/* ---- where moves lead ---- */

static bool has_planes(const struct reach *r)
{
	return r->planes || r->prober;
}

/* The stored value of a position without that right; `metric` is that of `planes`. */
static struct derived look_up(const struct reach *r, const struct el_planes *planes,
                              const struct el_metric *metric, const struct el_position *reached,
                              const struct el_place *place)
{
	if (!r->prober && !planes)
		return (struct derived){{.outcome = EL_UNKNOWN}, true};
	if (!r->prober)
		return (struct derived){
			.value = el_plane_value(&planes->plane[place->plane], place->index)};
	struct el_position without = *reached;
	without.en_passant = EL_NO_SQUARE;
	return r->prober->value(r->prober->context, metric, &without, place);
}

void reach_by_move(const struct reach *r, const struct el_position *position,
                   const struct el_move *move, struct reached *out)
{
	struct el_position reached;
	r->game->play(position, move, &reached);
	const bool placed = r->game->place(&reached, &out->place);
	const bool leaves = !placed || out->place.key != r->key;
	/* Losing the right to castle does not. */
	const bool ends = leaves && !(placed && el_keys_alike(r->game, out->place.key, r->key));
	out->ends = el_move_ends(r->game, r->metric, position, move, ends);
	struct derived d = {.open = false};
	if (leaves && (placed || !el_game_value(r->game, &reached, &d.value))) {
		const struct el_planes *planes = NULL;
		for (size_t i = 0; placed && !r->prober && i < r->others->count; i++)
			if (r->others->planes[i].slice.key == out->place.key)
				planes = &r->others->planes[i];
		d = look_up(r, planes, out->ends ? el_metric_entered(r->metric) : r->metric,
		            &reached, placed ? &out->place : NULL);
	} else if (!leaves) {
		const struct reach *where = out->ends ? r->ended : r;
		/* No table stores a right to capture en passant, so such a position is played on.
		   That ends soon: each further right takes the double step of another pawn. */
		d = has_planes(where) && reached.en_passant != EL_NO_SQUARE
		            ? reach_derive(where, &reached)
		            : look_up(where, where->planes, where->metric, &reached, &out->place);
		if (out->ends && has_planes(where))
			d.value = el_metric_read(where->metric, el_metric_entered(r->metric),
			                         d.value);
	}
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
