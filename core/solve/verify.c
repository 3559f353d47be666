/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The proof that a table is right: every position is played one move ahead by the rules of the
 * game, and must have the value of its best move. Nothing is shared with the set operators.
 *
 * With depths that settles it: by induction over the plies no win or loss can be too many, too few
 * or too early, so what is left are the draws. Outcomes alone only agree with each other: a table
 * without depths is fully proved by one with depths beside it.
 *
 * So do bounds. The solution is a fixpoint: each bound is the greatest that its moves have, also
 * where they go in circles. Equality is asked for therefore, as of outcomes, with two exceptions.
 * A table that came after this one may bring a derived value within the bounds stored here, which
 * are loose then but not wrong. And one that is gone since leaves the derived bounds wide, where
 * nobody can tell.
 */
#include "endlab/examine.h"

#include "lender.h"
#include "sweep.h"

#include <stdio.h>
#include <stdlib.h>

/* What one thread found in one plane; threads keep to their own cache lines. */
struct finding {
	_Alignas(128) uint64_t checked;
	uint64_t wrong, loose, open;
	uint64_t first; /* least wrong index; UINT64_MAX: none */
	struct el_value stored, derived;
};

struct verifier {
	const struct el_game *game;
	const struct el_metric *metric;
	const struct el_planes *planes;              /* under proof */
	struct el_planes others[EL_SUCCESSORS_MAX];  /* what its conversions enter */
	size_t other_count;
	unsigned plane;                              /* that is walked now */
	struct finding *findings;                    /* one a thread */
};

/* What moves are worth together; `open`: some of them by a table that is missing. */
struct derived {
	struct el_value value;
	bool open;
};

static struct derived derive(const struct verifier *v, const struct el_position *position);

static const struct el_planes *other_planes(const struct verifier *v, uint64_t key)
{
	for (size_t i = 0; i < v->other_count; i++)
		if (v->others[i].slice.key == key)
			return &v->others[i];
	return NULL;
}

/* What a reached position is worth for its side to move; *converts: it is in another slice. */
static struct derived stored_value(const struct verifier *v, const struct el_position *reached,
                                   bool *converts)
{
	struct el_place place;
	struct derived d = {.open = false};
	bool placed = v->game->place(reached, &place);
	*converts = !placed || place.key != v->planes->slice.key;
	const struct el_planes *planes = v->planes;
	if (!placed && el_game_value(v->game, reached, &d.value))
		return d;
	if (*converts)
		planes = placed ? other_planes(v, place.key) : NULL;
	if (planes)
		d.value = el_plane_value(&planes->plane[place.plane], place.index);
	else
		d = (struct derived){{.outcome = EL_UNKNOWN}, true};
	return d;
}

static struct derived value_of_move(const struct verifier *v, const struct el_position *position,
                                    const struct el_move *move)
{
	struct el_position reached;
	bool converts;
	v->game->play(position, move, &reached);
	struct derived d = stored_value(v, &reached, &converts);
	/* No table stores a right to capture en passant. Playing on from there ends soon: each
	   further such right takes the double step of one more pawn. */
	if (reached.en_passant != EL_NO_SQUARE)
		d = derive(v, &reached);
	d.value = el_value_of_move(v->metric, d.value, converts);
	return d;
}

static struct derived derive(const struct verifier *v, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	size_t count = v->game->moves(position, moves);
	if (!count)
		return (struct derived){.value.outcome = (uint8_t)v->game->stuck(position)};
	struct derived best = value_of_move(v, position, &moves[0]);
	for (size_t i = 1; i < count; i++) {
		struct derived d = value_of_move(v, position, &moves[i]);
		best.value = el_value_max(v->metric, best.value, d.value);
		best.open |= d.open;
	}
	return best;
}

/* Is there anything that both may be? */
static bool meet(enum el_outcome a, enum el_outcome b)
{
	return a != EL_BROKEN && el_outcome_lower(a) <= el_outcome_upper(b) &&
	       el_outcome_lower(b) <= el_outcome_upper(a);
}

/* Files do not keep which indexes are broken, so what is stored there means nothing. */
static void check_index(const struct verifier *v, uint64_t index, struct finding *f)
{
	struct el_position position;
	if (!v->game->unplace(&v->planes->slice, v->plane, index, &position))
		return;
	f->checked++;
	struct el_value stored = el_plane_value(&v->planes->plane[v->plane], index);
	struct derived d = derive(v, &position);
	if (el_value_equal(stored, d.value))
		return;
	const bool loose = el_outcome_bounded(stored.outcome) &&
	                   el_outcome_within(d.value.outcome, stored.outcome);
	const bool open = !loose && d.open && meet(stored.outcome, d.value.outcome);
	f->loose += loose;
	f->open += open;
	if (loose || open)
		return;
	f->wrong++;
	if (index < f->first) {
		f->first = index;
		f->stored = stored;
		f->derived = d.value;
	}
}

static void check_chunk(void *context, unsigned thread, uint64_t first, uint64_t end)
{
	const struct verifier *v = context;
	for (uint64_t i = first; i < end; i++)
		check_index(v, i, &v->findings[thread]);
}

/* Adds what the threads found in a plane; earlier planes keep the first wrong position. */
static void conclude(const struct verifier *v, unsigned threads, struct el_verdict *out)
{
	const struct finding *first = &v->findings[0];
	uint64_t wrong_before = out->wrong;
	for (unsigned t = 0; t < threads; t++) {
		const struct finding *f = &v->findings[t];
		out->checked += f->checked;
		out->wrong += f->wrong;
		out->loose += f->loose;
		out->open += f->open;
		if (f->first < first->first)
			first = f;
	}
	struct el_position position;
	if (wrong_before || !out->wrong ||
	    !v->game->unplace(&v->planes->slice, v->plane, first->first, &position))
		return;
	v->game->format(&position, out->first_fen);
	out->first_stored = first->stored;
	out->first_derived = first->derived;
}

static enum el_status check_planes(struct verifier *v, const struct el_watch *watch,
                                   struct el_verdict *out, struct el_error *error)
{
	const struct el_slice *slice = &v->planes->slice;
	char what[EL_SLICE_MAX + 16];
	snprintf(what, sizeof what, "%s %s", slice->name, v->metric->name);
	unsigned threads = sweep_threads();
	v->findings = aligned_alloc(_Alignof(struct finding), threads * sizeof *v->findings);
	if (!v->findings)
		return el_fail(error, EL_MEMORY, "out of memory for %u threads", threads);
	enum el_status status = EL_OK;
	for (v->plane = 0; v->plane < slice->planes && status == EL_OK; v->plane++) {
		for (unsigned t = 0; t < threads; t++)
			v->findings[t] = (struct finding){.first = UINT64_MAX};
		status = sweep_run(&(struct sweep){
			.count = slice->positions,
			.watch = watch,
			.progress = {"verifying", what, (double)(v->plane * slice->positions),
			             (double)(slice->planes * slice->positions), "positions"},
			.context = v,
			.chunk = check_chunk,
		}, error);
		conclude(v, threads, out);
	}
	free(v->findings);
	return status;
}

/* A table with bounds may have been made without some of its successors, or of such that have bounds.
   What is exact is proved by what is exact. */
static enum el_status obtain_others(struct verifier *v, struct el_library *library,
                                    struct el_verdict *out, struct el_error *error)
{
	struct el_slice slices[EL_SUCCESSORS_MAX];
	const bool partial = el_planes_partial(v->planes);
	size_t count = v->game->successors(&v->planes->slice, slices);
	for (size_t i = 0; i < count; i++) {
		struct el_planes *other = &v->others[v->other_count];
		enum el_status status =
			(partial ? planes_obtain_bounds : planes_obtain)(
				library, &slices[i], el_metric_entered(v->metric), other, error);
		if (status == EL_NEGATIVE && partial) {
			out->missing.slice[out->missing.count++] = slices[i];
			continue;
		}
		if (status != EL_OK)
			return status;
		v->other_count++;
	}
	return EL_OK;
}

enum el_status el_verify(struct el_library *library, const struct el_planes *planes,
                         const struct el_watch *watch, struct el_verdict *out,
                         struct el_error *error)
{
	*out = (struct el_verdict){0};
	struct verifier *v = malloc(sizeof *v);
	if (!v)
		return el_fail(error, EL_MEMORY, "out of memory");
	*v = (struct verifier){
		.game = planes->slice.game,
		.metric = planes->metric,
		.planes = planes,
	};
	enum el_status status = obtain_others(v, library, out, error);
	if (status == EL_OK)
		status = check_planes(v, watch, out, error);
	for (size_t i = 0; i < v->other_count; i++)
		el_planes_free(&v->others[i]);
	free(v);
	return status;
}
