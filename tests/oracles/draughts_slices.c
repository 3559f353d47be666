/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The draughts solver's positions, numbered, and the positions that their moves lead to. */
#include "draughts_inside.h"

#include <stdlib.h>
#include <string.h>

static const char kinds[KINDS + 1] = "KMkm";

void *draughts_claim(size_t count, size_t size)
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
		draughts_need(*c == 'K' || *c == 'M' || (*c == 'v' && side == 0),
		              "no name of a slice");
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

/* Places the pieces from number `piece` on, like ones on ascending squares. */
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

const struct slice *draughts_find_slice(const struct draughts *d, const char *name)
{
	struct material m = read_name(name);
	const struct slice *s = find_material(d, &m);
	draughts_need(s != NULL, "a slice was not solved");
	return s;
}

static unsigned kind_of(char piece)
{
	const char *kind = memchr(kinds, piece, KINDS);
	draughts_need(kind != NULL, "no piece of draughts");
	return (unsigned)(kind - kinds);
}

/* The material of a board, and its squares as digits of one number: White's kings from the lowest
   square up, and so on. The number means nothing if a slice cannot have so many pieces. */
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

bool draughts_find_node(const struct draughts *d, const struct draughts_board *board,
                        uint32_t *node)
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
	s->placement = draughts_claim(addresses, sizeof *s->placement);
	for (size_t i = 0; i < addresses; i++)
		s->placement[i] = NO_PLACEMENT;
	s->first = s->end = d->nodes;
	draughts_placements(s->name, number_one, s);
	d->nodes = s->end;
}

/* Adds the slice and all slices that losing a piece or crowning a man leads to. */
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
	d->slice_of = draughts_claim(d->nodes, sizeof *d->slice_of);
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

/* Lists the moves of a placement with either side to move; placements come in the order of the
   nodes. */
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
		draughts_find_node(d, &board, &node);
		d->children.first[node] = (uint32_t)d->children.count;
		size_t count = draughts_moves(&board, moves);
		for (size_t i = 0; i < count; i++) {
			uint32_t child = HAS_LOST;
			draughts_need(draughts_find_node(d, &moves[i].after, &child),
			              "a move leads nowhere");
			add_child(&d->children, child);
		}
	}
}

static void list_children(struct draughts *d)
{
	d->children.first = draughts_claim(d->nodes + (size_t)1, sizeof *d->children.first);
	for (unsigned i = 0; i < d->slices; i++)
		draughts_placements(d->slice[i].name, add_children, d);
	d->children.first[d->nodes] = (uint32_t)d->children.count;
}

/* The same edges by destination: counted, then filled in from the back. */
static void list_parents(struct draughts *d)
{
	const struct edges *children = &d->children;
	struct edges *parents = &d->parents;
	parents->first = draughts_claim(d->nodes + (size_t)1, sizeof *parents->first);
	parents->node = draughts_claim(children->count + 1, sizeof *parents->node);
	for (size_t i = 0; i < children->count; i++)
		parents->first[children->node[i]]++;
	for (uint32_t node = 1; node <= d->nodes; node++)
		parents->first[node] += parents->first[node - 1];
	for (uint32_t node = 0; node < d->nodes; node++)
		for (uint32_t i = children->first[node]; i < children->first[node + 1]; i++)
			parents->node[--parents->first[children->node[i]]] = node;
}

void draughts_list_positions(struct draughts *d, const char *const *names)
{
	d->nodes = HAS_LOST + 1;
	for (; *names; names++)
		add_slice(d, read_name(*names));
	note_slices(d);
	list_children(d);
	list_parents(d);
}
