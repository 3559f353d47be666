/* SPDX-License-Identifier: MIT */
#include "inside.h"

#include "core/base/hash.h"

#include <stdlib.h>

enum { NODES_MAX = 1 << 12, SLOTS = 4 * NODES_MAX, EDGES_MAX = 16, UNKNOWN = UINT16_MAX };

/* A position of the slice, reached by best moves. */
struct node {
	struct el_position position;
	struct spot spot;
	bool gains;     /* the side to move gains */
	bool ends;      /* a best move captures, or there is no move */
	bool cut;       /* not all moves could be followed */
	uint16_t plies; /* until the next capture, if known */
	uint16_t count;
	uint16_t edge[EDGES_MAX]; /* nodes reached by quiet best moves */
};

struct search {
	const struct probe *probe;
	struct node node[NODES_MAX];
	size_t count;
	uint16_t slot[SLOTS];  /* 1 + node, by place; 0: empty */
	bool fresh[NODES_MAX]; /* found in this pass */
};

/* The node of a spot, new if it has none yet; -1: no room. Its index identifies it: for the side to
   move, an index always gains or always loses. */
static int node_of(struct search *s, const struct spot *spot, bool gains)
{
	size_t at = spot->place.index * HASH_FACTOR >> 40;
	for (;; at++) {
		const uint16_t found = s->slot[at % SLOTS];
		if (!found)
			break;
		if (s->node[found - 1].spot.place.index == spot->place.index)
			return found - 1;
	}
	if (s->count == NODES_MAX)
		return -1;
	struct node *node = &s->node[s->count];
	*node = (struct node){*spot->position, *spot, .gains = gains, .plies = UNKNOWN};
	node->spot.position = &node->position;
	s->slot[at % SLOTS] = (uint16_t)++s->count;
	return (int)s->count - 1;
}

/* Lists a node's best moves, those with this value. */
static void look_at_moves(struct search *s, size_t number, struct el_value best)
{
	const struct el_game *game = s->probe->game;
	struct el_move moves[EL_MOVES_MAX];
	struct node *node = &s->node[number];
	const size_t count = game->moves(node->spot.position, moves);
	node->ends = !count;
	for (size_t i = 0; i < count; i++) {
		struct step step;
		struct el_value value;
		struct el_error error;
		step_take(game, &node->spot, &moves[i], &step);
		step_probe(&step, s->probe, &value, &error);
		if (!step.to.placed || !el_outcome_exact(value.outcome)) {
			node->cut = true;
			continue;
		}
		if (!el_value_equal(value, best))
			continue;
		const bool gains = el_move_gain(game, node->spot.position, &moves[i]);
		const int next = gains ? -1 : node_of(s, &step.to, !node->gains);
		if (gains)
			node->ends = true;
		else if (next < 0 || node->count == EDGES_MAX)
			node->cut = true;
		else
			node->edge[node->count++] = (uint16_t)next;
	}
}

/* Pass n finds the nodes from which a capture comes in n plies, like the passes of the solver. */
static void run(struct search *s)
{
	bool found = true;
	for (uint16_t pass = 1; found && s->node[0].plies == UNKNOWN; pass++) {
		found = false;
		/* Two loops, so that no node sees what this pass found. */
		for (size_t n = 0; n < s->count; n++) {
			const struct node *node = &s->node[n];
			bool some = node->ends, all = !node->cut;
			for (unsigned i = 0; i < node->count; i++) {
				const bool known = s->node[node->edge[i]].plies != UNKNOWN;
				some |= known;
				all &= known;
			}
			s->fresh[n] = node->plies == UNKNOWN && (node->gains ? some : all);
		}
		for (size_t n = 0; n < s->count; n++)
			if (s->fresh[n]) {
				s->node[n].plies = pass;
				found = true;
			}
	}
}

unsigned soonest_plies(const struct probe *probe, const struct spot *spot)
{
	struct search *s = calloc(1, sizeof *s);
	struct el_value value;
	struct el_error error;
	unsigned plies = 0;
	if (s && spot->placed && !probe_value(probe, spot, &value, &error) &&
	    el_outcome_exact(value.outcome) && value.outcome != EL_DRAW) {
		s->probe = probe;
		node_of(s, spot, value.outcome == EL_WIN);
		const struct el_value other = el_value_of_move(probe->metric, value, false, 0);
		for (size_t n = 0; n < s->count; n++)
			look_at_moves(s, n, s->node[n].gains == s->node[0].gains ? value : other);
		run(s);
		plies = s->node[0].plies == UNKNOWN ? 0 : s->node[0].plies;
	}
	free(s);
	return plies;
}
