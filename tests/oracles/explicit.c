/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explicit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edge {
	uint32_t to;
	bool zeroes;
};

struct node {
	bool open, in_check;
	uint8_t side;
	uint32_t first, end; /* its edges */
	/* By the side that unknown positions favour. */
	int8_t outcome[2];
	uint16_t plies[2];
};

struct slot {
	uint32_t number, mark; /* of a node, from 1; 0: free */
};

struct explicit_graph {
	struct node *node;
	struct explicit_board *board; /* by node */
	struct edge *edge;
	struct slot *slot; /* by hash */
	size_t nodes, node_room, edges, edge_room, slots;
};

static void need(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "explicit: %s\n", what);
	exit(1);
}

/* ---- the rules ---- */

static bool is_white(char piece)
{
	return piece >= 'A' && piece <= 'Z';
}

static bool is_of(char piece, unsigned side)
{
	return piece && is_white(piece) == !side;
}

static char letter(char piece)
{
	return is_white(piece) ? piece : (char)(piece - 'a' + 'A');
}

static int go(int square, int files, int ranks)
{
	const int file = square % 8 + files, rank = square / 8 + ranks;
	return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
}

static const int8_t steps[16][2] = {{0, 1},   {0, -1},  {1, 0},  {-1, 0}, {1, 1},  {1, -1},
                                    {-1, 1},  {-1, -1}, {1, 2},  {2, 1},  {2, -1}, {1, -2},
                                    {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static void way_of(char kind, int *first, int *end, bool *slides)
{
	*first = kind == 'B' ? 4 : kind == 'N' ? 8 : 0;
	*end = kind == 'R' ? 4 : kind == 'N' ? 16 : 8;
	*slides = kind != 'K' && kind != 'N';
}

static bool attacked(const char at[64], int square, unsigned by)
{
	for (int from = 0; from < 64; from++) {
		const char piece = at[from];
		int first, end;
		bool slides;
		if (!is_of(piece, by))
			continue;
		if (letter(piece) == 'P') {
			const int up = by ? -1 : 1;
			if (go(from, 1, up) == square || go(from, -1, up) == square)
				return true;
			continue;
		}
		way_of(letter(piece), &first, &end, &slides);
		for (int d = first; d < end; d++)
			for (int to = go(from, steps[d][0], steps[d][1]); to >= 0;
			     to = go(to, steps[d][0], steps[d][1])) {
				if (to == square)
					return true;
				if (at[to] || !slides)
					break;
			}
	}
	return false;
}

static bool in_check(const char at[64], unsigned side)
{
	int king = 0;
	while (at[king] != (side ? 'k' : 'K'))
		king++;
	return attacked(at, king, !side);
}

struct moves {
	struct explicit_board board[256];
	bool zeroes[256];
	char promoted[256]; /* the new piece; 0: no promotion */
	unsigned count;
};

/* Adds the position after a move, unless it leaves the king in check. */
static void add(struct moves *m, const struct explicit_board *b, int from, int to, char becomes,
                int taken, int passed)
{
	struct explicit_board next = *b;
	const bool pawn = letter(b->at[from]) == 'P';
	next.at[taken < 0 ? to : taken] = 0;
	next.at[from] = 0;
	next.at[to] = becomes;
	next.side = !b->side;
	next.passed = (int8_t)passed;
	if (in_check(next.at, b->side))
		return;
	m->promoted[m->count] = becomes != b->at[from] ? becomes : 0;
	m->zeroes[m->count] = pawn || b->at[to] || taken >= 0;
	m->board[m->count++] = next;
}

static void list_moves(const struct explicit_board *b, struct moves *m)
{
	const unsigned side = b->side;
	const int up = side ? -1 : 1;
	m->count = 0;
	for (int from = 0; from < 64; from++) {
		const char piece = b->at[from];
		int first, end;
		bool slides;
		if (!is_of(piece, side))
			continue;
		if (letter(piece) != 'P') {
			way_of(letter(piece), &first, &end, &slides);
			for (int d = first; d < end; d++)
				for (int to = go(from, steps[d][0], steps[d][1]); to >= 0;
				     to = go(to, steps[d][0], steps[d][1])) {
					if (!is_of(b->at[to], side))
						add(m, b, from, to, piece, -1, -1);
					if (b->at[to] || !slides)
						break;
				}
			continue;
		}
		for (int files = -1; files <= 1; files++) {
			const int to = go(from, files, up);
			if (to < 0)
				continue;
			const bool en_passant = files && to == b->passed;
			if (files ? !is_of(b->at[to], !side) && !en_passant : b->at[to] != 0)
				continue;
			if (to / 8 == (side ? 0 : 7)) {
				for (const char *kind = side ? "qrbn" : "QRBN"; *kind; kind++)
					add(m, b, from, to, *kind, -1, -1);
				continue;
			}
			add(m, b, from, to, piece, en_passant ? go(to, 0, -up) : -1, -1);
			const int two = go(to, 0, up);
			if (!files && from / 8 == (side ? 6 : 1) && !b->at[two])
				add(m, b, from, two, piece, -1, to);
		}
	}
}

/* The right to capture en passant counts only where a legal move uses it. */
static void settle(struct explicit_board *b)
{
	if (b->passed < 0)
		return;
	struct explicit_board without = *b;
	struct moves with, other;
	without.passed = -1;
	list_moves(b, &with);
	list_moves(&without, &other);
	if (with.count == other.count)
		*b = without;
}

/* ---- the graph ---- */

/* The slot of a position: a taken slot holds 1 + its number, and half of its hash, which tells most others
   apart. */
static struct slot *find(const struct explicit_graph *g, const struct explicit_board *b)
{
	uint64_t word[8],
		hash = (uint64_t)b->closed << 9 | (uint64_t)b->side << 8 | (uint8_t)b->passed;
	memcpy(word, b->at, sizeof word);
	for (size_t i = 0; i < 8; i++) {
		hash = (hash ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	const uint32_t mark = (uint32_t)(hash >> 32);
	for (size_t s = hash % g->slots;; s = (s + 1) % g->slots) {
		struct slot *slot = &g->slot[s];
		if (!slot->number)
			slot->mark = mark;
		if (!slot->number ||
		    (slot->mark == mark && !memcmp(&g->board[slot->number - 1], b, sizeof *b)))
			return slot;
	}
}

static void grow(struct explicit_graph *g)
{
	g->slots = g->slots ? 2 * g->slots : 1 << 16;
	g->node_room = g->slots / 2;
	free(g->slot);
	g->slot = calloc(g->slots, sizeof *g->slot);
	g->node = realloc(g->node, g->node_room * sizeof *g->node);
	g->board = realloc(g->board, g->node_room * sizeof *g->board);
	need(g->slot && g->node && g->board, "out of memory");
	for (uint32_t n = 0; n < g->nodes; n++)
		find(g, &g->board[n])->number = n + 1;
}

static uint32_t number_of(struct explicit_graph *g, const struct explicit_board *b)
{
	if (g->nodes == g->node_room)
		grow(g);
	struct slot *slot = find(g, b);
	if (!slot->number) {
		g->board[g->nodes] = *b;
		g->node[g->nodes] = (struct node){
			.side = b->side, .open = !b->closed, .in_check = in_check(b->at, b->side)};
		slot->number = (uint32_t)++g->nodes;
	}
	return slot->number - 1;
}

static void read_fen(const char *fen, struct explicit_board *b)
{
	int square = 56;
	memset(b, 0, sizeof *b);
	for (; *fen && *fen != ' '; fen++) {
		if (*fen == '/')
			square -= 16;
		else if (*fen >= '1' && *fen <= '8')
			square += *fen - '0';
		else {
			need(strchr("KQRBNPkqrbnp", *fen) && square >= 0 && square < 64,
			     "not a FEN");
			b->at[square++] = *fen;
		}
	}
	need(*fen == ' ', "a FEN without a side");
	b->side = fen[1] == 'b';
	b->passed = -1;
	const char *field = strchr(fen + 1, ' ');
	field = field ? strchr(field + 1, ' ') : NULL;
	if (field && field[1] >= 'a' && field[1] <= 'h')
		b->passed = (int8_t)((field[2] - '1') * 8 + field[1] - 'a');
	settle(b);
}

static void explore(struct explicit_graph *g, const char *fen, explicit_follows *follows)
{
	struct explicit_board root;
	read_fen(fen, &root);
	number_of(g, &root);
	for (uint32_t n = 0; n < g->nodes; n++) {
		struct moves m;
		const struct explicit_board board = g->board[n];
		m.count = 0;
		if (g->node[n].open)
			list_moves(&board, &m);
		if (g->edges + m.count > g->edge_room) {
			g->edge_room = 2 * g->edge_room + 256;
			g->edge = realloc(g->edge, g->edge_room * sizeof *g->edge);
			need(g->edge != NULL, "out of memory");
		}
		g->node[n].first = (uint32_t)g->edges;
		for (unsigned i = 0; i < m.count; i++) {
			settle(&m.board[i]);
			m.board[i].closed =
				m.promoted[i] && follows && !follows(&m.board[i], m.promoted[i]);
			g->edge[g->edges++] = (struct edge){number_of(g, &m.board[i]), m.zeroes[i]};
		}
		g->node[n].end = (uint32_t)g->edges;
	}
	/* What is not followed may lead to where other moves lead. */
	for (size_t e = 0; e < g->edges; e++) {
		struct explicit_board board = g->board[g->edge[e].to];
		if (!board.closed)
			continue;
		board.closed = false;
		const uint32_t open = find(g, &board)->number;
		if (open)
			g->edge[e].to = open - 1;
	}
}

/* ---- values ---- */

/* What the edges of a node make of it: `by_plies` counts only what is known within `plies` - 1 quiet
   plies, zeroing moves at once. */
static int outcome_of(const struct explicit_graph *g, const struct node *n, unsigned favour,
                      unsigned plies)
{
	bool all = true;
	for (uint32_t e = n->first; e < n->end; e++) {
		const struct node *to = &g->node[g->edge[e].to];
		const bool known = !plies || g->edge[e].zeroes ||
		                   (to->plies[favour] && to->plies[favour] < plies) ||
		                   (to->first == to->end && to->open);
		const int there = known ? to->outcome[favour] : 0;
		if (there < 0)
			return 1;
		all &= there > 0;
	}
	if (n->first == n->end)
		return n->in_check ? -1 : 0;
	return all ? -1 : 0;
}

static void solve(struct explicit_graph *g, unsigned favour)
{
	bool changed = true;
	for (size_t i = 0; i < g->nodes; i++)
		if (!g->node[i].open)
			g->node[i].outcome[favour] = g->node[i].side == favour ? 1 : -1;
	while (changed) {
		changed = false;
		for (size_t i = g->nodes; i--;) {
			struct node *n = &g->node[i];
			if (!n->open || n->outcome[favour])
				continue;
			n->outcome[favour] = (int8_t)outcome_of(g, n, favour, 0);
			changed |= n->outcome[favour] != 0;
		}
	}
	/* The plies to the next zeroing move: pass by pass, among positions whose outcome is known. */
	changed = true;
	for (unsigned plies = 1; changed; plies++) {
		changed = false;
		for (size_t i = 0; i < g->nodes; i++) {
			struct node *n = &g->node[i];
			if (!n->open || !n->outcome[favour] || n->plies[favour] ||
			    n->first == n->end)
				continue;
			if (outcome_of(g, n, favour, plies)) {
				n->plies[favour] = (uint16_t)plies;
				changed = true;
			}
		}
	}
}

struct explicit_graph *explicit_solve(const char *fen, explicit_follows *follows)
{
	struct explicit_graph *g = calloc(1, sizeof *g);
	need(g != NULL, "out of memory");
	explore(g, fen, follows);
	solve(g, 0);
	solve(g, 1);
	return g;
}

void explicit_free(struct explicit_graph *g)
{
	free(g->node);
	free(g->board);
	free(g->edge);
	free(g->slot);
	free(g);
}

size_t explicit_reached(const struct explicit_graph *g)
{
	size_t count = 0;
	for (size_t i = 0; i < g->nodes; i++)
		count += g->node[i].open;
	return count;
}

bool explicit_find(const struct explicit_graph *g, const char *fen, struct explicit_value *v)
{
	struct explicit_board board;
	read_fen(fen, &board);
	const uint32_t found = find(g, &board)->number;
	if (!found)
		return false;
	const struct node *n = &g->node[found - 1];
	v->lower = n->outcome[!board.side];
	v->upper = n->outcome[board.side];
	v->plies = v->lower == v->upper && n->plies[0] == n->plies[1] ? n->plies[0] : 0;
	return true;
}
