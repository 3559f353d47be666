/* SPDX-License-Identifier: MIT */
/*
 * The step: plays a move, finds and values its successor, and turns that into the move's value.
 * Proofs have a step of their own (core/examine/proof.c), on purpose.
 */
#include "inside.h"

/* Have both positions the same pieces? */
static bool is_same_material(const struct el_position *a, const struct el_position *b)
{
	bool same = el_piece_count(a) == el_piece_count(b);
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		same &= __builtin_popcountll(a->set[i / EL_KINDS][i % EL_KINDS]) ==
		        __builtin_popcountll(b->set[i / EL_KINDS][i % EL_KINDS]);
	return same;
}

void step_take(const struct el_game *game, const struct spot *from, const struct el_move *move,
               struct step *out)
{
	out->game = game;
	out->from = from;
	out->move = move;
	game->play(from->position, move, &out->after);
	spot_at(game, &out->after, &out->to);
	if (from->placed) {
		out->leaves =
			!out->to.placed || !el_keys_alike(game, out->to.place.key, from->place.key);
		return;
	}
	struct el_position before = *from->position, after = out->after;
	struct el_place left, entered;
	before.castling = after.castling = 0;
	/* Too many pieces for a slice: a study may know them. */
	out->leaves = game->place(&before, &left) && game->place(&after, &entered)
	                      ? left.key != entered.key
	                      : !is_same_material(&before, &after);
}

bool step_ends(const struct step *s, const struct el_metric *metric)
{
	return el_move_ends(s->game, metric, s->from->position, s->move, s->leaves);
}

const struct el_metric *step_metric(const struct step *s, const struct el_metric *metric)
{
	return step_ends(s, metric) ? el_metric_entered(metric) : metric;
}

struct el_value step_value(const struct step *s, const struct el_metric *metric,
                           struct el_value reached)
{
	if (metric->has_depth && !el_outcome_exact(reached.outcome))
		return (struct el_value){.outcome = EL_UNKNOWN};
	return el_value_of_move(metric, reached, step_ends(s, metric),
	                        el_move_gain(s->game, s->from->position, s->move));
}

enum el_status step_probe(const struct step *s, const struct probe *p, struct el_value *out,
                          struct el_error *error)
{
	struct probe entered = *p;
	struct el_value reached;
	entered.metric = step_metric(s, p->metric);
	const enum el_status status = probe_value(&entered, &s->to, &reached, error);
	*out = status ? (struct el_value){.outcome = EL_UNKNOWN}
	              : step_value(s, p->metric, reached);
	return status;
}

size_t el_library_moves(struct el_library *library, const struct el_game *game,
                        const struct el_position *position, const struct el_metric *metric,
                        const struct el_planes *own, struct el_move moves[EL_MOVES_MAX],
                        struct el_value values[EL_MOVES_MAX])
{
	const struct visit visit = library_enter(library);
	const struct probe p = {.catalogue = visit.catalogue, .game = game, .metric = metric};
	const size_t count = game->moves(position, moves);
	struct spot spot;
	spot_at(game, position, &spot);
	for (size_t m = 0; m < count; m++) {
		struct step step;
		struct el_error error;
		step_take(game, &spot, &moves[m], &step);
		const struct el_metric *entered = step_metric(&step, metric);
		if (own && step.to.placed && step.to.place.key == own->slice.key &&
		    step.after.en_passant == EL_NO_SQUARE && !metric->by_clock &&
		    el_metric_tells(metric, entered))
			values[m] = step_value(
				&step, metric,
				el_metric_read(metric, entered,
			                       el_plane_value(&own->plane[step.to.place.plane],
			                                      step.to.place.index)));
		else
			step_probe(&step, &p, &values[m], &error);
	}
	library_leave(visit);
	return count;
}
