/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paper's partial information algorithm, over any graph. */
#include "draughts_bounds.h"

#include "draughts.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[BOUNDS_COUNT] = {
	[BOUNDS_WW] = "WW",   [BOUNDS_TT] = "TT",   [BOUNDS_LL] = "LL",   [BOUNDS_TW] = "TW",
	[BOUNDS_LT] = "LT",   [BOUNDS_LW] = "LW",   [BOUNDS_ULW] = "uLW", [BOUNDS_UTW] = "uTW",
	[BOUNDS_UTT] = "uTT", [BOUNDS_ULT] = "uLT",
};

static const uint8_t negated[BOUNDS_COUNT] = {
	[BOUNDS_WW] = BOUNDS_LL,   [BOUNDS_TT] = BOUNDS_TT,   [BOUNDS_LL] = BOUNDS_WW,
	[BOUNDS_TW] = BOUNDS_LT,   [BOUNDS_LT] = BOUNDS_TW,   [BOUNDS_LW] = BOUNDS_LW,
	[BOUNDS_ULW] = BOUNDS_ULW, [BOUNDS_UTW] = BOUNDS_ULT, [BOUNDS_UTT] = BOUNDS_UTT,
	[BOUNDS_ULT] = BOUNDS_UTW,
};

enum {
	WW = BOUNDS_WW,
	TT = BOUNDS_TT,
	LL = BOUNDS_LL,
	TW = BOUNDS_TW,
	LT = BOUNDS_LT,
	LW = BOUNDS_LW,
	uLW = BOUNDS_ULW,
	uTW = BOUNDS_UTW,
	uTT = BOUNDS_UTT,
	uLT = BOUNDS_ULT,
};

/* Table 2 of the paper, row by row. */
static const uint8_t table_2[BOUNDS_COUNT][BOUNDS_COUNT] = {
	/*         WW   TT   LL   TW   LT   LW  uLW  uTW  uTT  uLT */
	[WW] = {WW, WW, WW, WW, WW, WW, WW, WW, WW, WW},
	[TT] = {WW, TT, TT, TW, TT, TW, uTW, uTW, uTT, uTT},
	[LL] = {WW, TT, LL, TW, LT, LW, uLW, uTW, uTT, uLT},
	[TW] = {WW, TW, TW, TW, TW, TW, uTW, uTW, uTW, uTW},
	[LT] = {WW, TT, LT, TW, LT, LW, uLW, uTW, uTT, uLT},
	[LW] = {WW, TW, LW, TW, LW, LW, uLW, uTW, uTW, uLW},
	[uLW] = {WW, uTW, uLW, uTW, uLW, uLW, uLW, uTW, uTW, uLW},
	[uTW] = {WW, uTW, uTW, uTW, uTW, uTW, uTW, uTW, uTW, uTW},
	[uTT] = {WW, uTT, uTT, uTW, uTT, uTW, uTW, uTW, uTT, uTT},
	[uLT] = {WW, uTT, uLT, uTW, uLT, uLW, uLW, uTW, uTT, uLT},
};

const char *bounds_name(unsigned bounds)
{
	return names[bounds];
}

unsigned bounds_negate(unsigned bounds)
{
	return negated[bounds];
}

unsigned bounds_max(unsigned a, unsigned b)
{
	return table_2[a][b];
}

static bool completed(unsigned bounds)
{
	return bounds < BOUNDS_FINAL;
}

static unsigned decide(unsigned bounds)
{
	switch (bounds) {
	case BOUNDS_ULW:
		return BOUNDS_LW;
	case BOUNDS_UTW:
		return BOUNDS_TW;
	case BOUNDS_UTT:
		return BOUNDS_TT;
	case BOUNDS_ULT:
		return BOUNDS_LT;
	default:
		return bounds;
	}
}

/* LL is the least value: the maximum of nothing, for a side that cannot move. */
static unsigned max_of_children(const struct bounds_graph *graph, const uint8_t *value, size_t node)
{
	unsigned best = BOUNDS_LL;
	for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
		int32_t child = graph->child[i];
		unsigned found = child < 0 ? (unsigned)~child : value[child];
		best = bounds_max(best, bounds_negate(found));
	}
	return best;
}

/* The numbers below `count`, shuffled (Fisher and Yates) by a linear congruential generator with
   Knuth's constants for 64 bits. */
static void shuffle(uint32_t *order, size_t count, uint64_t seed)
{
	for (size_t i = count; i > 1; i--) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		size_t j = (size_t)(seed >> 32) % i;
		uint32_t other = order[j];
		order[j] = order[i - 1];
		order[i - 1] = other;
	}
}

static void *claim(size_t count, size_t size)
{
	void *memory = calloc(count, size);
	draughts_need(memory != NULL, "no memory");
	return memory;
}

/* The nodes in the order that a pass visits them. */
static uint32_t *order_of(size_t nodes, const struct bounds_sweeps *sweeps)
{
	uint32_t *order = claim(nodes + 1, sizeof *order);
	for (size_t i = 0; i < nodes; i++)
		order[i] = (uint32_t)(sweeps->order == BOUNDS_BACKWARDS ? nodes - 1 - i : i);
	if (sweeps->order == BOUNDS_SHUFFLED)
		shuffle(order, nodes, sweeps->seed);
	return order;
}

/* The same graph with order[i] as its node i, so that a pass reads memory in sequence. */
static struct bounds_graph renumbered(const struct bounds_graph *graph, const uint32_t *order)
{
	size_t nodes = graph->nodes;
	uint32_t *place = claim(nodes + 1, sizeof *place), filled = 0;
	struct bounds_graph out = {.nodes = nodes, .first = claim(nodes + 1, sizeof *out.first)};
	out.child = claim(graph->first[nodes] + (size_t)1, sizeof *out.child);
	for (size_t i = 0; i < nodes; i++)
		place[order[i]] = (uint32_t)i;
	for (size_t i = 0; i < nodes; i++) {
		for (uint32_t j = graph->first[order[i]]; j < graph->first[order[i] + 1]; j++) {
			int32_t child = graph->child[j];
			out.child[filled++] = child < 0 ? child : (int32_t)place[child];
		}
		out.first[i + 1] = filled;
	}
	free(place);
	return out;
}

static size_t sweep(const struct bounds_graph *graph, uint8_t *value)
{
	size_t updated = 0;
	for (size_t node = 0; node < graph->nodes; node++) {
		if (completed(value[node]))
			continue;
		unsigned best = max_of_children(graph, value, node);
		updated += best != value[node];
		value[node] = (uint8_t)best;
	}
	return updated;
}

void bounds_solve(const struct bounds_graph *graph, struct bounds_sweeps *sweeps, uint8_t *value)
{
	uint32_t *order = order_of(graph->nodes, sweeps);
	struct bounds_graph swept = renumbered(graph, order);
	uint8_t *found = claim(graph->nodes + 1, sizeof *found);
	memset(found, BOUNDS_UTT, graph->nodes);
	sweeps->passes = 1;
	while (sweep(&swept, found) > 0)
		sweeps->passes++;
	sweeps->undecided = 0;
	for (size_t i = 0; i < graph->nodes; i++) {
		sweeps->undecided += !completed(found[i]);
		value[order[i]] = (uint8_t)decide(found[i]);
	}
	free(order);
	free(found);
	bounds_graph_free(&swept);
}

void bounds_graph_free(struct bounds_graph *graph)
{
	free(graph->first);
	free(graph->child);
	*graph = (struct bounds_graph){0};
}
