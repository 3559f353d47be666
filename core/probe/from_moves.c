/* SPDX-License-Identifier: MIT */
#include "inside.h"

const struct el_metric *from_moves_metric(const struct el_metric *metric)
{
	return metric->wins_only ? &el_wdl : el_metric_chosen_by(metric);
}

void from_moves_begin(struct from_moves *f, const struct el_metric *metric)
{
	*f = (struct from_moves){metric, {.outcome = EL_BROKEN}, {.outcome = EL_BROKEN}};
}

/* The soonest or latest value with that outcome. The position reached has at least a ply to go. */
static struct el_value extreme(const struct el_metric *metric, enum el_outcome outcome,
                               bool soonest, bool ends)
{
	const struct el_value reached = {
		.outcome = (uint8_t)el_outcome_negate(outcome),
		.plies = 1,
		.phase = metric->has_phase,
	};
	struct el_value v = {.plies = EL_PLIES_MAX};
	if (soonest)
		v = el_value_of_move(metric, reached, ends, 0);
	if (!metric->has_depth || outcome == EL_DRAW)
		v = (struct el_value){.plies = 0};
	v.outcome = (uint8_t)outcome;
	return v;
}

static void raise(struct from_moves *f, struct el_value least, struct el_value most)
{
	value_raise(f->metric, &f->least, least);
	value_raise(f->metric, &f->most, most);
}

void from_moves_add(struct from_moves *f, const struct step *step, struct el_value value,
                    enum el_outcome outcome)
{
	const struct el_metric *metric = f->metric;
	if (el_outcome_exact(value.outcome)) {
		raise(f, value, value);
		return;
	}
	outcome = el_value_in_time(&el_wdl, (struct el_value){.outcome = (uint8_t)outcome},
	                           metric->limit, 0);
	if (!metric->has_depth)
		outcome = el_outcome_both(value.outcome, outcome);
	const enum el_outcome lower = el_outcome_lower(outcome), upper = el_outcome_upper(outcome);
	const bool ends = step_ends(step, metric);
	raise(f, extreme(metric, lower, lower < EL_DRAW, ends),
	      extreme(metric, upper, upper > EL_DRAW, ends));
}

struct el_value from_moves_end(const struct from_moves *f)
{
	struct el_value v = f->least;
	if (v.outcome == EL_BROKEN)
		return (struct el_value){.outcome = EL_UNKNOWN};
	if (f->metric->has_depth)
		return el_value_equal(v, f->most) && v.plies < EL_PLIES_MAX
		               ? v
		               : (struct el_value){.outcome = EL_UNKNOWN};
	v.outcome = (uint8_t)el_outcome_between(v.outcome, f->most.outcome);
	return v;
}

enum el_status from_moves_value(const struct probe *p, const struct spot *spot,
                                struct el_value *out, struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	struct from_moves f;
	struct el_error why;
	enum el_status fault = EL_NEGATIVE;
	const size_t count = p->game->moves(spot->position, moves);
	from_moves_begin(&f, from_moves_metric(p->metric));
	for (size_t i = 0; i < count; i++) {
		struct probe inside = *p;
		struct step step;
		struct el_value value, plain = {.outcome = EL_UNKNOWN};
		step_take(p->game, spot, &moves[i], &step);
		inside.metric = f.metric;
		enum el_status status = step_probe(&step, &inside, &value, &why);
		if (status <= EL_NEGATIVE && !el_outcome_exact(value.outcome) &&
		    f.metric != &el_wdl) {
			inside.metric = &el_wdl;
			status = step_probe(&step, &inside, &plain, &why);
		}
		from_moves_add(&f, &step, value, plain.outcome);
		if (status > EL_NEGATIVE && fault == EL_NEGATIVE)
			fault = el_fail(error, status, "%s", why.text);
	}
	*out = el_metric_read(f.metric, p->metric, from_moves_end(&f));
	return out->outcome == EL_UNKNOWN ? fault : EL_OK;
}
