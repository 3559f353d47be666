/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The draughts solver: all positions of all slices are the nodes of one graph whose edges are the
 * moves, and rounds over it decide who has lost, then who wins in 1 ply, then who loses in 2, ...
 */
#include "draughts.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS = 4, SLICES = 64, HAS_LOST = 0, NO_PLACEMENT = UINT32_MAX, OPEN = UINT16_MAX };

static const char kinds[KINDS + 1] = "KMkm";

/* How many pieces there are of each of `kinds`. */
struct material {
	unsigned char count[KINDS];
};

/* The placements are numbered as draughts_placements finds them; placement p is the two nodes
   first + 2 * p and first + 2 * p + 1, with White and with Black to move. */
struct slice {
	struct material material;
	char name[DRAUGHTS_NAME];
	uint32_t first, end; /* nodes */
	uint32_t *placement; /* by the squares in a mixed radix; or NO_PLACEMENT */
};

/* For each node, some others: those of node i begin at first[i] and end before first[i + 1]. */
struct edges {
	uint32_t *first; /* nodes + 1 of them */
	uint32_t *node;
	size_t count, room;
};

/* Node HAS_LOST stands for all boards on which the side to move has no pieces. */
struct draughts {
	struct slice slice[SLICES];
	unsigned slices;
	uint32_t nodes;
	struct edges children, parents;
	uint8_t *slice_of;   /* by node; SLICES for HAS_LOST */
	uint16_t *dtw, *dtc; /* by node; OPEN where not decided: draws, in the end */
};

static void *claim(size_t count, size_t size)
{
	void *memory = calloc(count, size);
	draughts_need(memory != NULL, "no memory");
	return memory;
}

/* ---- material ---- */

static unsigned pieces_of(const struct material *m)
{
	return (unsigned)(m->count[0] + m->count[1] + m->count[2] + m->count[3]);
}

static bool has_side(const struct material *m, int side)
{
	return m->count[2 * side] + m->count[2 * side + 1] > 0;
}

static struct material read_name(const char *name)
{
	struct material m = {{0}};
	int side = 0;
	for (const char *c = name; *c; c++) {
		draughts_need(*c == 'K' || *c == 'M' || (*c == 'v' && side == 0), "no name of a slice");
		if (*c == 'v')
			side = 1;
		else
			m.count[2 * side + (*c == 'M')]++;
	}
	draughts_need(side == 1 && pieces_of(&m) <= DRAUGHTS_PIECES, "no name of a slice");
	return m;
}

static void write_name(const struct material *m, char name[DRAUGHTS_NAME])
{
	for (unsigned kind = 0; kind < KINDS; kind++) {
		if (kind == 2)
			*name++ = 'v';
		for (unsigned i = 0; i < m->count[kind]; i++)
			*name++ = kind % 2 == 0 ? 'K' : 'M';
	}
	*name = '\0';
}

/* ---- placements ---- */

struct placing {
	char piece[DRAUGHTS_PIECES]; /* like ones together */
	unsigned pieces;
	struct draughts_board board;
	draughts_visit *visit;
	void *context;
	size_t found;
};

/* Puts the pieces from number `piece` on, like ones on ever higher squares. */
static void place_from(struct placing *p, unsigned piece, unsigned last)
{
	if (piece == p->pieces) {
		p->found++;
		if (p->visit)
			p->visit(&p->board, NULL, p->context);
		return;
	}
	bool like = piece > 0 && p->piece[piece] == p->piece[piece - 1];
	for (unsigned square = like ? last + 1 : 1; square <= DRAUGHTS_SQUARES; square++) {
		if (p->board.at[square] != '.' || !draughts_can_stand(p->piece[piece], square))
			continue;
		p->board.at[square] = p->piece[piece];
		place_from(p, piece + 1, square);
		p->board.at[square] = '.';
	}
}

size_t draughts_placements(const char *name, draughts_visit *visit, void *context)
{
	struct material m = read_name(name);
	struct placing p = {.visit = visit, .context = context};
	memset(p.board.at, '.', sizeof p.board.at);
	for (unsigned kind = 0; kind < KINDS; kind++)
		for (unsigned i = 0; i < m.count[kind]; i++)
			p.piece[p.pieces++] = kinds[kind];
	place_from(&p, 0, 0);
	return p.found;
}

/* ---- nodes ---- */

static const struct slice *find_material(const struct draughts *d, const struct material *m)
{
	for (unsigned i = 0; i < d->slices; i++)
		if (memcmp(&d->slice[i].material, m, sizeof *m) == 0)
			return &d->slice[i];
	return NULL;
}

static const struct slice *find_slice(const struct draughts *d, const char *name)
{
	struct material m = read_name(name);
	const struct slice *s = find_material(d, &m);
	draughts_need(s != NULL, "a slice was not solved");
	return s;
}

static unsigned kind_of(char piece)
{
	return (unsigned)(strchr(kinds, piece) - kinds);
}

/* The material of a board, and its squares as digits of one number: White's kings from the lowest
   square up, and so on. Of more pieces than a slice can have the number says nothing. */
static struct material take_apart(const struct draughts_board *board, size_t *address)
{
	struct material m = {{0}};
	unsigned squares[KINDS][DRAUGHTS_SQUARES];
	for (unsigned square = 1; square <= DRAUGHTS_SQUARES; square++)
		if (board->at[square] != '.') {
			unsigned kind = kind_of(board->at[square]);
			squares[kind][m.count[kind]++] = square - 1;
		}
	*address = 0;
	for (unsigned kind = 0; kind < KINDS; kind++)
		for (unsigned i = 0; i < m.count[kind]; i++)
			*address = *address * DRAUGHTS_SQUARES + squares[kind][i];
	return m;
}

/* False when the slice of the board was not solved. */
static bool node_of(const struct draughts *d, const struct draughts_board *board, uint32_t *node)
{
	size_t address;
	struct material m = take_apart(board, &address);
	if (!has_side(&m, board->side)) {
		*node = HAS_LOST;
		return true;
	}
	const struct slice *s = find_material(d, &m);
	if (!s)
		return false;
	draughts_need(s->placement[address] != NO_PLACEMENT, "a man where men are crowned");
	*node = s->first + 2 * s->placement[address] + (board->side == DRAUGHTS_BLACK);
	return true;
}

static void number_one(const struct draughts_board *board, const struct draughts_value *none,
                       void *context)
{
	(void)none;
	struct slice *s = context;
	size_t address;
	take_apart(board, &address);
	s->placement[address] = (s->end - s->first) / 2;
	s->end += 2;
}

static void number_nodes(struct draughts *d, struct slice *s)
{
	size_t addresses = 1;
	for (unsigned i = 0; i < pieces_of(&s->material); i++)
		addresses *= DRAUGHTS_SQUARES;
	s->placement = claim(addresses, sizeof *s->placement);
	for (size_t i = 0; i < addresses; i++)
		s->placement[i] = NO_PLACEMENT;
	s->first = s->end = d->nodes;
	draughts_placements(s->name, number_one, s);
	d->nodes = s->end;
}

/* Adds the slice and all that comes of it when a piece is lost or a man is crowned. */
static void add_slice(struct draughts *d, struct material m)
{
	if (!has_side(&m, DRAUGHTS_WHITE) || !has_side(&m, DRAUGHTS_BLACK) || find_material(d, &m))
		return;
	draughts_need(d->slices < SLICES, "too many slices");
	struct slice *s = &d->slice[d->slices++];
	s->material = m;
	write_name(&m, s->name);
	number_nodes(d, s);
	for (unsigned kind = 0; kind < KINDS; kind++) {
		if (m.count[kind] == 0)
			continue;
		struct material next = m;
		next.count[kind]--;
		add_slice(d, next);
		if (kind % 2 == 1) {
			next.count[kind - 1]++;
			add_slice(d, next);
		}
	}
}

static void note_slices(struct draughts *d)
{
	d->slice_of = claim(d->nodes, sizeof *d->slice_of);
	d->slice_of[HAS_LOST] = SLICES;
	for (unsigned i = 0; i < d->slices; i++)
		for (uint32_t node = d->slice[i].first; node < d->slice[i].end; node++)
			d->slice_of[node] = (uint8_t)i;
}

/* ---- edges ---- */

static void add_child(struct edges *e, uint32_t node)
{
	if (e->count == e->room) {
		e->room = e->room ? 2 * e->room : 1024;
		e->node = realloc(e->node, e->room * sizeof *e->node);
		draughts_need(e->node != NULL, "no memory");
	}
	e->node[e->count++] = node;
	draughts_need(e->count < UINT32_MAX, "too many moves");
}

/* The moves of a placement with either side to move; placements come in the order of the nodes. */
static void add_children(const struct draughts_board *placed, const struct draughts_value *none,
                         void *context)
{
	(void)none;
	struct draughts *d = context;
	struct draughts_board board = *placed;
	struct draughts_move moves[DRAUGHTS_MOVES];
	for (int side = DRAUGHTS_WHITE; side <= DRAUGHTS_BLACK; side++) {
		uint32_t node = HAS_LOST;
		board.side = (char)side;
		node_of(d, &board, &node);
		d->children.first[node] = (uint32_t)d->children.count;
		size_t count = draughts_moves(&board, moves);
		for (size_t i = 0; i < count; i++) {
			uint32_t child = HAS_LOST;
			draughts_need(node_of(d, &moves[i].after, &child), "a move leads nowhere");
			add_child(&d->children, child);
		}
	}
}

static void list_children(struct draughts *d)
{
	d->children.first = claim(d->nodes + (size_t)1, sizeof *d->children.first);
	for (unsigned i = 0; i < d->slices; i++)
		draughts_placements(d->slice[i].name, add_children, d);
	d->children.first[d->nodes] = (uint32_t)d->children.count;
}

/* The same edges by where they lead: counted, then filled in from the back. */
static void list_parents(struct draughts *d)
{
	const struct edges *children = &d->children;
	struct edges *parents = &d->parents;
	parents->first = claim(d->nodes + (size_t)1, sizeof *parents->first);
	parents->node = claim(children->count + 1, sizeof *parents->node);
	for (size_t i = 0; i < children->count; i++)
		parents->first[children->node[i]]++;
	for (uint32_t node = 1; node <= d->nodes; node++)
		parents->first[node] += parents->first[node - 1];
	for (uint32_t node = 0; node < d->nodes; node++)
		for (uint32_t i = children->first[node]; i < children->first[node + 1]; i++)
			parents->node[--parents->first[children->node[i]]] = node;
}

/* ---- rounds ---- */

static bool is_won(uint16_t dtw)
{
	return dtw != OPEN && dtw % 2 == 1;
}

static bool is_lost(uint16_t dtw)
{
	return dtw != OPEN && dtw % 2 == 0;
}

/* What is counted, `depth` being dtw or dtc: in dtc, a move out of the slice ends the count. */
struct count {
	const struct draughts *d;
	uint16_t *depth;
	bool converts;
	uint32_t *decided; /* the nodes, in the order of the rounds */
	size_t decisions;
};

/* The plies that a child adds to the move that leads to it. */
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

/* Decides the node if its depth is n; smaller ones have been found before. */
static void look_at(struct count *c, uint32_t node, uint16_t n)
{
	if (c->depth[node] != OPEN || (!wins(c, node, n) && !loses(c, node, n)))
		return;
	c->depth[node] = n;
	c->decided[c->decisions++] = node;
}

/* From the third on, a round can only decide what has a move to something that the round before
   has decided. The first two look at all: who cannot move, and who converts, is told by nobody. */
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
	c.decided = claim(d->nodes, sizeof *c.decided);
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
	struct draughts *d = claim(1, sizeof *d);
	d->nodes = HAS_LOST + 1;
	for (; *names; names++)
		add_slice(d, read_name(*names));
	note_slices(d);
	list_children(d);
	list_parents(d);
	d->dtw = claim(d->nodes, sizeof *d->dtw);
	d->dtc = claim(d->nodes, sizeof *d->dtc);
	count_up(d, d->dtw, false);
	count_up(d, d->dtc, true);
	for (uint32_t node = 0; node < d->nodes; node++)
		draughts_need((d->dtw[node] == OPEN) == (d->dtc[node] == OPEN), "dtw and dtc disagree");
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
	if (!node_of(d, board, &node))
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
	struct visit v = {d, find_slice(d, name)->first, visit, context};
	draughts_placements(name, visit_placement, &v);
}

/* ---- the graph of one slice ---- */

/* A child as bounds_graph has it. */
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
	const struct slice *s = find_slice(d, name);
	const uint32_t *first = d->children.first;
	uint32_t begin = first[s->first], children = first[s->end] - begin;
	struct bounds_graph graph = {.nodes = s->end - s->first};
	graph.first = claim(graph.nodes + 1, sizeof *graph.first);
	graph.child = claim(children + (size_t)1, sizeof *graph.child);
	for (size_t i = 0; i <= graph.nodes; i++)
		graph.first[i] = first[s->first + i] - begin;
	for (uint32_t i = 0; i < children; i++)
		graph.child[i] = edge_to(d, s, d->children.node[begin + i], missing);
	return graph;
}

void draughts_graph_free(struct bounds_graph *graph)
{
	free(graph->first);
	free(graph->child);
	*graph = (struct bounds_graph){0};
}
