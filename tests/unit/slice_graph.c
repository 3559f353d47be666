/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slice_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A graph that grows. */
struct growth {
	const struct el_slice *slice;
	slice_entered *entered;
	void *context;
	struct bounds_graph graph;
	size_t first_room, children, child_room;
	struct el_position *rights; /* positions with a right to capture en passant, yet to be nodes */
	size_t right_count, right_room;
};

/* Room for one more of `size` bytes. */
static void *room(void *array, size_t count, size_t *limit, size_t size)
{
	if (count < *limit)
		return array;
	*limit = 2 * *limit + 1024;
	array = realloc(array, *limit * size);
	if (!array) {
		fputs("slice_graph: no memory\n", stderr);
		abort();
	}
	return array;
}

static unsigned bounds_of(enum el_outcome outcome)
{
	static const unsigned bounds[] = {
		[EL_LOSS] = BOUNDS_LL,         [EL_DRAW] = BOUNDS_TT,
		[EL_WIN] = BOUNDS_WW,          [EL_UNKNOWN] = BOUNDS_LW,
		[EL_AT_MOST_DRAW] = BOUNDS_LT, [EL_AT_LEAST_DRAW] = BOUNDS_TW,
	};
	return bounds[outcome];
}

enum el_outcome slice_graph_outcome(unsigned bounds)
{
	static const enum el_outcome outcomes[BOUNDS_FINAL] = {
		[BOUNDS_LL] = EL_LOSS,         [BOUNDS_TT] = EL_DRAW,
		[BOUNDS_WW] = EL_WIN,          [BOUNDS_LW] = EL_UNKNOWN,
		[BOUNDS_LT] = EL_AT_MOST_DRAW, [BOUNDS_TW] = EL_AT_LEAST_DRAW,
	};
	return outcomes[bounds];
}

static void add_child(struct growth *g, int32_t child)
{
	g->graph.child = room(g->graph.child, g->children, &g->child_room, sizeof child);
	g->graph.child[g->children++] = child;
}

static void add_value(struct growth *g, enum el_outcome outcome)
{
	add_child(g, ~(int32_t)bounds_of(outcome));
}

/* From now on children are those of a new node. */
static void begin_node(struct growth *g)
{
	g->graph.first = room(g->graph.first, g->graph.nodes, &g->first_room, sizeof(uint32_t));
	g->graph.first[g->graph.nodes++] = (uint32_t)g->children;
}

static void add_right(struct growth *g, const struct el_position *position)
{
	g->rights = room(g->rights, g->right_count, &g->right_room, sizeof *position);
	add_child(g, (int32_t)(g->slice->planes * g->slice->positions + g->right_count));
	g->rights[g->right_count++] = *position;
}

static void add_reached(struct growth *g, const struct el_position *reached)
{
	const struct el_game *game = g->slice->game;
	struct el_move moves[EL_MOVES_MAX];
	struct el_place place;
	if (reached->en_passant != EL_NO_SQUARE)
		add_right(g, reached);
	else if (game->drawn(reached))
		add_value(g, EL_DRAW);
	else if (!game->place(reached, &place))
		add_value(g, game->moves(reached, moves) ? EL_UNKNOWN : game->stuck(reached));
	else if (place.key == g->slice->key)
		add_child(g, (int32_t)(place.plane * g->slice->positions + place.index));
	else
		add_value(g, g->entered(g->context, &place));
}

/* A node without children is a loss to the algorithm: stalemate is a draw that a move leads to. */
static void add_node(struct growth *g, const struct el_position *position)
{
	const struct el_game *game = g->slice->game;
	struct el_move moves[EL_MOVES_MAX];
	size_t count = game->moves(position, moves);
	begin_node(g);
	if (!count && game->stuck(position) == EL_DRAW)
		add_value(g, EL_DRAW);
	for (size_t i = 0; i < count; i++) {
		struct el_position reached;
		game->play(position, &moves[i], &reached);
		add_reached(g, &reached);
	}
}

struct bounds_graph slice_graph(const struct el_slice *slice, slice_entered *entered, void *context)
{
	struct growth g = {.slice = slice, .entered = entered, .context = context};
	for (unsigned plane = 0; plane < slice->planes; plane++)
		for (uint64_t i = 0; i < slice->positions; i++) {
			struct el_position position;
			if (slice->game->unplace(slice, plane, i, &position)) {
				add_node(&g, &position);
			} else {
				begin_node(&g);
				add_value(&g, EL_DRAW);
			}
		}
	for (size_t i = 0; i < g.right_count; i++) {
		const struct el_position position = g.rights[i];
		add_node(&g, &position);
	}
	begin_node(&g);
	g.graph.nodes--; /* the end of the last */
	free(g.rights);
	return g.graph;
}

void slice_graph_free(struct bounds_graph *graph)
{
	free(graph->first);
	free(graph->child);
	*graph = (struct bounds_graph){0};
}
