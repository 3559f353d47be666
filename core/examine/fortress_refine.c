/* SPDX-License-Identifier: MIT */
/*
 * The positions of a fortress one by one: those that can arise from the given one, numbered by
 * their squares rather than by an index that does without symmetric ones. A position taken out
 * takes others with it: all with the attacker to move that lead to it, and those with the defender
 * to move that have nothing else left.
 */
#include "fortress.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 1 << 26, NODES_MAX = 1 << 22, NO_NODE = UINT32_MAX };

struct graph {
	const struct el_fortress *fortress;
	const struct el_game *game;
	uint32_t *node_of; /* by number; NO_NODE: not reached */
	uint32_t *number;  /* by node; node 0 is the given position */
	uint32_t nodes;
	/* By node: where its successors begin in `to`; they end where the next node's begin. And
	   the same for its predecessors, in `from`. */
	uint32_t *first, *to;
	uint32_t edges;
	uint32_t *first_from, *from;
	/* By node; 0: taken out. The attacker to move: 1. The defender to move: the successors left,
	   and 1 more if a stalemate or another slice holds the draw. */
	uint16_t *left, *saved;
	uint32_t *stack;
};

/* The number of squares that a piece may stand on. */
static uint32_t radix(const struct el_fortress *f, unsigned side, unsigned kind)
{
	const bool stays = side == f->defender && f->kinds >> kind & 1;
	return stays ? (uint32_t)__builtin_popcountll(f->area) : 64;
}

/* Its place among these squares. */
static uint32_t digit(const struct el_fortress *f, unsigned side, unsigned kind, unsigned square)
{
	const bool stays = side == f->defender && f->kinds >> kind & 1;
	const uint64_t below = (UINT64_C(1) << square) - 1;
	return stays ? (uint32_t)__builtin_popcountll(f->area & below) : square;
}

uint32_t fortress_number(const struct el_fortress *f, const struct el_position *p)
{
	uint32_t number = 0;
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		for (uint64_t set = p->set[i / EL_KINDS][i % EL_KINDS]; set; set &= set - 1)
			number = number * radix(f, i / EL_KINDS, i % EL_KINDS) +
			         digit(f, i / EL_KINDS, i % EL_KINDS,
			               (unsigned)__builtin_ctzll(set));
	return 2 * number + p->side;
}

/* The inverse, for the material of the given position. */
static struct el_position position_of(const struct el_fortress *f, uint32_t number)
{
	struct el_position p = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
	p.side = number % 2;
	number /= 2;
	for (unsigned i = 2 * EL_KINDS; i-- > 0;) {
		const unsigned side = i / EL_KINDS, kind = i % EL_KINDS;
		const uint32_t squares = radix(f, side, kind);
		for (int n = __builtin_popcountll(f->position.set[side][kind]); n; n--) {
			unsigned square = number % squares;
			if (squares != 64) {
				uint64_t area = f->area;
				while (square--)
					area &= area - 1;
				square = (unsigned)__builtin_ctzll(area);
			}
			p.set[side][kind] |= UINT64_C(1) << square;
			number /= squares;
		}
	}
	return p;
}

/* ---- the graph ---- */

/* The node of a position; a new one if it has none. NO_NODE without memory. */
static uint32_t node_at(struct graph *g, const struct el_position *p)
{
	const uint32_t number = fortress_number(g->fortress, p);
	if (g->node_of[number] != NO_NODE)
		return g->node_of[number];
	if (!array_grow(&g->number, g->nodes, 1, sizeof *g->number) ||
	    !array_grow(&g->first, g->nodes, 2, sizeof *g->first)) /* with the end of the last */
		return NO_NODE;
	g->number[g->nodes] = number;
	return g->node_of[number] = g->nodes++;
}

/* Follows all moves of a node within the fortress. False without memory. */
static bool add_moves(struct graph *g, uint32_t node)
{
	struct el_move moves[EL_MOVES_MAX];
	const struct el_position p = position_of(g->fortress, g->number[node]);
	const size_t count = g->game->moves(&p, moves);
	if (!array_grow(&g->to, g->edges, EL_MOVES_MAX, sizeof *g->to))
		return false;
	g->first[node] = g->edges;
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		g->game->play(&p, &moves[i], &after);
		if (!el_fortress_holds(g->fortress, &after))
			continue;
		const uint32_t to = node_at(g, &after);
		if (to == NO_NODE)
			return false;
		g->to[g->edges++] = to;
	}
	return true;
}

/* Fills everything from first_from on. False without memory. */
static bool turn_edges(struct graph *g)
{
	const struct el_fortress *f = g->fortress;
	g->first[g->nodes] = g->edges;
	g->first_from = calloc(g->nodes + 2, sizeof *g->first_from);
	g->from = malloc((g->edges + 1) * sizeof *g->from);
	g->left = malloc(g->nodes * sizeof *g->left);
	g->saved = malloc(g->nodes * sizeof *g->saved);
	g->stack = malloc(g->nodes * sizeof *g->stack);
	if (!g->first_from || !g->from || !g->left || !g->saved || !g->stack)
		return false;
	for (uint32_t e = 0; e < g->edges; e++)
		g->first_from[g->to[e] + 2]++;
	for (uint32_t n = 2; n < g->nodes + 2; n++)
		g->first_from[n] += g->first_from[n - 1];
	for (uint32_t n = 0; n < g->nodes; n++) {
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
			g->from[g->first_from[g->to[e] + 1]++] = n;
		g->left[n] = 1;
		if (g->number[n] % 2 == f->defender) {
			const struct el_position p = position_of(f, g->number[n]);
			g->left[n] =
				(uint16_t)(g->first[n + 1] - g->first[n] + fortress_is_held(f, &p));
		}
	}
	return true;
}

/* Takes out what needs a square. False, with nothing changed, if the given position does. */
static bool take_away(struct graph *g, uint8_t square)
{
	const struct el_fortress *f = g->fortress;
	uint32_t height = 0;
	memcpy(g->saved, g->left, g->nodes * sizeof *g->left);
	for (uint32_t n = 0; n < g->nodes; n++) {
		const struct el_position p = position_of(f, g->number[n]);
		if (!g->left[n] || !(fortress_squares(&p, f->defender, f->kinds) >> square & 1))
			continue;
		g->left[n] = 0;
		g->stack[height++] = n;
	}
	while (height && g->left[0]) {
		const uint32_t out = g->stack[--height];
		for (uint32_t e = g->first_from[out]; e < g->first_from[out + 1]; e++) {
			const uint32_t n = g->from[e];
			if (g->left[n] && !--g->left[n])
				g->stack[height++] = n;
		}
	}
	if (!g->left[0])
		memcpy(g->left, g->saved, g->nodes * sizeof *g->left);
	return g->left[0];
}

/* Lists what can still arise from the given position, with its squares. */
static void list(struct graph *g, struct el_fortress *f)
{
	uint32_t height = 0;
	f->region = f->positions[0] = f->positions[1] = 0;
	memset(f->listed, 0, f->numbers / 8 + 1);
	memset(g->saved, 0, g->nodes * sizeof *g->saved); /* 1: listed */
	g->saved[0] = 1;
	g->stack[height++] = 0;
	while (height) {
		const uint32_t n = g->stack[--height], number = g->number[n];
		const struct el_position p = position_of(f, number);
		f->region |= fortress_squares(&p, f->defender, f->kinds);
		f->positions[p.side]++;
		f->listed[number / 8] |= (uint8_t)(1 << number % 8);
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
			if (g->left[g->to[e]] && !g->saved[g->to[e]]) {
				g->saved[g->to[e]] = 1;
				g->stack[height++] = g->to[e];
			}
	}
}

/* ---- the whole ---- */

static enum el_status refine(struct graph *g, struct el_fortress *f, const struct el_watch *watch,
                             struct el_error *error)
{
	const struct el_progress progress = {.stage = "fortress", .what = f->slice.name};
	memset(g->node_of, 0xff, f->numbers * sizeof *g->node_of);
	struct el_position root = f->position;
	bool all = node_at(g, &root) == 0;
	for (uint32_t n = 0; n < g->nodes && all; n++) {
		if (n % 4096 == 0 && !el_watch_tick(watch, &progress))
			return el_fail(error, EL_STOPPED, "%s: stopped", f->slice.name);
		all = add_moves(g, n);
	}
	if (!all || !turn_edges(g))
		return el_fail(error, EL_MEMORY, "%s: out of memory", f->slice.name);
	const uint64_t home = fortress_squares(&f->position, f->defender, f->kinds);
	uint64_t rest = f->region;
	for (int steps = 7; steps >= 0; steps--)
		for (uint8_t square = 0; square < 64; square++) {
			const uint64_t near = steps ? fortress_around(g->game, home, steps - 1) : 0;
			if (!(rest & ~near) || !((rest & ~near) >> square & 1))
				continue;
			if (!el_watch_tick(watch, &progress))
				return el_fail(error, EL_STOPPED, "%s: stopped", f->slice.name);
			rest &= ~(UINT64_C(1) << square);
			take_away(g, square);
		}
	list(g, f);
	return EL_OK;
}

enum el_status el_fortress_refine(struct el_fortress *f, const struct el_watch *watch,
                                  struct el_error *error)
{
	/* The fortress stays as it was until the end. */
	struct graph g = {.fortress = f, .game = f->slice.game};
	uint64_t numbers = 2;
	if (f->passes)
		return el_fail(error, EL_NEGATIVE, "%s: its pawns may be captured en passant",
		               f->slice.name);
	f->area = f->region;
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		for (uint64_t set = f->position.set[i / EL_KINDS][i % EL_KINDS];
		     set && numbers <= NUMBERS_MAX; set &= set - 1)
			numbers *= radix(f, i / EL_KINDS, i % EL_KINDS);
	if (numbers > NUMBERS_MAX || f->positions[0] + f->positions[1] > NODES_MAX)
		return el_fail(error, EL_NEGATIVE, "%s: %llu positions are too many to list",
		               f->slice.name,
		               (unsigned long long)(f->positions[0] + f->positions[1]));
	f->numbers = (uint32_t)numbers;
	g.node_of = malloc(numbers * sizeof *g.node_of);
	struct el_fortress refined = *f;
	refined.listed = malloc(numbers / 8 + 1);
	const enum el_status status =
		g.node_of && refined.listed
			? refine(&g, &refined, watch, error)
			: el_fail(error, EL_MEMORY, "%s: out of memory", f->slice.name);
	if (status)
		free(refined.listed);
	else
		*f = refined;
	free(g.node_of);
	free(g.number);
	free(g.first);
	free(g.to);
	free(g.first_from);
	free(g.from);
	free(g.left);
	free(g.saved);
	free(g.stack);
	return status;
}
