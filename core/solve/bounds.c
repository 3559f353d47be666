/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "endlab/bounds.h"

#include <strings.h>

const struct el_bounds el_bounds_start = {EL_DRAW, true};

struct el_bounds el_bounds_negate(struct el_bounds b)
{
	return (struct el_bounds){(uint8_t)el_outcome_negate(b.outcome), b.undecided};
}

struct el_bounds el_bounds_max(struct el_bounds a, struct el_bounds b)
{
	const enum el_outcome outcome = el_outcome_max(a.outcome, b.outcome);
	return (struct el_bounds){(uint8_t)outcome,
	                          outcome != EL_WIN && (a.undecided || b.undecided)};
}

struct el_bounds el_bounds_decide(struct el_bounds b)
{
	return (struct el_bounds){b.outcome, false};
}

/* ---- names ---- */

/* Of a loss, a draw or a win. */
static char letter(enum el_outcome outcome)
{
	return outcome == EL_LOSS ? 'L' : outcome == EL_DRAW ? 'T' : 'W';
}

const char *el_bounds_name(struct el_bounds b, char out[EL_BOUNDS_NAME_MAX])
{
	char *at = out;
	if (b.undecided)
		*at++ = 'u';
	*at++ = letter(el_outcome_lower(b.outcome));
	*at++ = letter(el_outcome_upper(b.outcome));
	*at = '\0';
	return out;
}

bool el_bounds_read(const char *name, enum el_outcome *out)
{
	static const enum el_outcome outcomes[] = {EL_LOSS, EL_AT_MOST_DRAW,  EL_UNKNOWN,
	                                           EL_DRAW, EL_AT_LEAST_DRAW, EL_WIN};
	for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
		char known[EL_BOUNDS_NAME_MAX];
		el_bounds_name((struct el_bounds){(uint8_t)outcomes[i], false}, known);
		if (strcasecmp(name, known))
			continue;
		*out = outcomes[i];
		return true;
	}
	return false;
}

/* ---- the analysis ---- */

/* What a move is worth to its mover. */
static struct el_bounds value_of_move(const struct el_bounds_move *move,
                                      const struct el_bounds *value)
{
	const bool out = move->to == EL_BOUNDS_OUT;
	return el_bounds_negate(out ? (struct el_bounds){move->exit, false} : value[move->to]);
}

static struct el_bounds value_of_node(const struct el_bounds_graph *graph,
                                      const struct el_bounds *value, unsigned node)
{
	struct el_bounds best = {EL_LOSS, false};
	for (unsigned i = graph->first[node]; i < graph->first[node + 1]; i++)
		best = el_bounds_max(best, value_of_move(&graph->move[i], value));
	return best;
}

bool el_bounds_step(const struct el_bounds_graph *graph, struct el_bounds *value,
                    struct el_bounds_change *out)
{
	for (unsigned node = 0; node < graph->nodes; node++) {
		const struct el_bounds best = value_of_node(graph, value, node);
		if (!value[node].undecided || el_bounds_equal(best, value[node]))
			continue;
		*out = (struct el_bounds_change){node, value[node], best};
		value[node] = best;
		return true;
	}
	return false;
}
