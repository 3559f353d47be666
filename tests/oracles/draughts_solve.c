/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds who wins at draughts, and in how many plies: rounds over the graph of all positions decide
   who has lost, then who wins in 1 ply, then who loses in 2, and so on. */
#include "draughts_inside.h"

#include <stdlib.h>

/* The depth of an undecided position, and finally of a draw. */
enum { OPEN = UINT16_MAX };

/* ---- rounds ---- */

static bool is_won(uint16_t dtw)
{
	return dtw != OPEN && dtw % 2 == 1;
}

static bool is_lost(uint16_t dtw)
{
	return dtw != OPEN && dtw % 2 == 0;
}

/* One count, with `depth` as dtw or dtc: in dtc, a move out of the slice ends the count. */
struct count {
	const struct draughts *d;
	uint16_t *depth;
	bool converts;
	uint32_t *decided; /* the nodes, in the order of the rounds */
	size_t decisions;
};

/* The depth to count for a child: 0 after a conversion that ends the count. */
static uint16_t depth_after(const struct count *c, uint32_t node, uint32_t child)
{
	return c->converts && c->d->slice_of[node] != c->d->slice_of[child] ? 0 : c->depth[child];
}

/* Some move leads to a loss that was decided before round n. */
static bool wins(const struct count *c, uint32_t node, uint16_t n)
{
	const struct edges *children = &c->d->children;
	for (uint32_t i = children->first[node]; i < children->first[node + 1]; i++) {
		uint32_t child = children->node[i];
		if (is_lost(c->d->dtw[child]) && depth_after(c, node, child) < n)
			return true;
	}
	return false;
}

/* All moves, if there are any, lead to wins that were decided before round n. */
static bool loses(const struct count *c, uint32_t node, uint16_t n)
{
	const struct edges *children = &c->d->children;
	for (uint32_t i = children->first[node]; i < children->first[node + 1]; i++) {
		uint32_t child = children->node[i];
		if (!is_won(c->d->dtw[child]) || depth_after(c, node, child) >= n)
			return false;
	}
	return true;
}

/* Decides the node if its depth is n; smaller depths have been found before. */
static void look_at(struct count *c, uint32_t node, uint16_t n)
{
	if (c->depth[node] != OPEN || (!wins(c, node, n) && !loses(c, node, n)))
		return;
	c->depth[node] = n;
	c->decided[c->decisions++] = node;
}

/* From the third on, a round only looks at positions with a move to one that the previous round
   decided. The first two look at all positions, because stuck sides and conversions need no such
   move. */
static void look_around(struct count *c, size_t before, size_t end, uint16_t n)
{
	const struct edges *parents = &c->d->parents;
	for (uint32_t node = 0; n < 2 && node < c->d->nodes; node++)
		look_at(c, node, n);
	for (; before < end; before++) {
		uint32_t child = c->decided[before];
		for (uint32_t i = parents->first[child]; i < parents->first[child + 1]; i++)
			look_at(c, parents->node[i], n);
	}
}

static void count_up(struct draughts *d, uint16_t *depth, bool converts)
{
	struct count c = {.d = d, .depth = depth, .converts = converts};
	size_t before = 0; /* where those of the last round begin */
	c.decided = draughts_claim(d->nodes, sizeof *c.decided);
	for (uint32_t node = 0; node < d->nodes; node++)
		depth[node] = OPEN;
	for (uint16_t n = 0; n < 2 || before < c.decisions; n++) {
		size_t end = c.decisions;
		look_around(&c, before, end, n);
		before = end;
	}
	free(c.decided);
}

struct draughts *draughts_solve(const char *const *names)
{
	struct draughts *d = draughts_claim(1, sizeof *d);
	draughts_list_positions(d, names);
	d->dtw = draughts_claim(d->nodes, sizeof *d->dtw);
	d->dtc = draughts_claim(d->nodes, sizeof *d->dtc);
	count_up(d, d->dtw, false);
	count_up(d, d->dtc, true);
	for (uint32_t node = 0; node < d->nodes; node++)
		draughts_need((d->dtw[node] == OPEN) == (d->dtc[node] == OPEN),
		              "dtw and dtc disagree");
	return d;
}

static void free_edges(struct edges *e)
{
	free(e->first);
	free(e->node);
}

void draughts_free(struct draughts *d)
{
	for (unsigned i = 0; i < d->slices; i++)
		free(d->slice[i].placement);
	free_edges(&d->children);
	free_edges(&d->parents);
	free(d->slice_of);
	free(d->dtw);
	free(d->dtc);
	free(d);
}

/* ---- answers ---- */

static struct draughts_value value_of(const struct draughts *d, uint32_t node)
{
	if (d->dtw[node] == OPEN)
		return (struct draughts_value){.outcome = DRAUGHTS_DRAW};
	return (struct draughts_value){
		.outcome = is_won(d->dtw[node]) ? DRAUGHTS_WIN : DRAUGHTS_LOSS,
		.dtw = d->dtw[node],
		.dtc = d->dtc[node],
	};
}

bool draughts_lookup(const struct draughts *d, const struct draughts_board *board,
                     struct draughts_value *out)
{
	uint32_t node;
	if (!draughts_find_node(d, board, &node))
		return false;
	*out = value_of(d, node);
	return true;
}

struct visit {
	const struct draughts *d;
	uint32_t node;
	draughts_visit *visit;
	void *context;
};

static void visit_placement(const struct draughts_board *placed, const struct draughts_value *none,
                            void *context)
{
	(void)none;
	struct visit *v = context;
	struct draughts_board board = *placed;
	for (int side = DRAUGHTS_WHITE; side <= DRAUGHTS_BLACK; side++) {
		struct draughts_value value = value_of(v->d, v->node++);
		board.side = (char)side;
		v->visit(&board, &value, v->context);
	}
}

void draughts_each(const struct draughts *d, const char *name, draughts_visit *visit, void *context)
{
	struct visit v = {d, draughts_find_slice(d, name)->first, visit, context};
	draughts_placements(name, visit_placement, &v);
}

/* ---- the graph of one slice ---- */

/* A child in the form of bounds_graph. */
static int32_t edge_to(const struct draughts *d, const struct slice *s, uint32_t child,
                       draughts_missing *missing)
{
	if (child >= s->first && child < s->end)
		return (int32_t)(child - s->first);
	if (child != HAS_LOST && missing && missing(s->name, d->slice[d->slice_of[child]].name))
		return ~BOUNDS_LW;
	uint16_t dtw = d->dtw[child];
	return is_won(dtw) ? ~BOUNDS_WW : is_lost(dtw) ? ~BOUNDS_LL : ~BOUNDS_TT;
}

struct bounds_graph draughts_graph(const struct draughts *d, const char *name,
                                   draughts_missing *missing)
{
	const struct slice *s = draughts_find_slice(d, name);
	const uint32_t *first = d->children.first;
	uint32_t begin = first[s->first], children = first[s->end] - begin;
	struct bounds_graph graph = {.nodes = s->end - s->first};
	graph.first = draughts_claim(graph.nodes + 1, sizeof *graph.first);
	graph.child = draughts_claim(children + (size_t)1, sizeof *graph.child);
	for (size_t i = 0; i <= graph.nodes; i++)
		graph.first[i] = first[s->first + i] - begin;
	for (uint32_t i = 0; i < children; i++)
		graph.child[i] = edge_to(d, s, d->children.node[begin + i], missing);
	return graph;
}
