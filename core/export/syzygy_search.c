/* SPDX-License-Identifier: MIT */
/*
 * Finds the order in which a table is smallest. It reads a sample in every possible order and
 * estimates the cost of each value given the previous one. In the cheapest orders, it compresses a
 * larger sample.
 */
#include "codecs/exact.h"
#include "core/base/hash.h"
#include "syzygy.h"

#include <stdlib.h>
#include <string.h>

enum {
	STRETCH = 512,       /* positions */
	STRETCHES_MAX = 256, /* most of them in a sample of a table */
	LEAST = 3,           /* one order of so many is weighed again */
	ORDERS_MAX = 5040,
	TYPES_MAX = SYZYGY_PIECES_MAX,
};

/* ---- the positions of a board ---- */

void board_read(const struct export_board *b, const struct cells *c, unsigned plane,
                const struct order *order, uint64_t first, uint64_t count, uint16_t *symbols,
                uint8_t *care)
{
	const struct el_game *game = b->slice->game;
	const uint16_t *cell = c->cell[plane];
	struct walk walk;
	walk_begin(&walk, order, &b->leads, first);
	for (uint64_t i = 0; i < count; i++) {
		struct el_position position = {.side = (uint8_t)plane, .en_passant = EL_NO_SQUARE};
		struct el_place place;
		if (i)
			walk_next(&walk);
		for (unsigned k = 0; k < order->pieces; k++)
			position.set[order->piece[k] >> 3][b->kind[order->piece[k] & 7]] |=
				UINT64_C(1) << walk.square[k];
		const bool placed = game->place(&position, &place);
		symbols[i] = placed ? cell[place.index] & SYMBOL_MASK : 0;
		care[i] = placed ? (uint8_t)(cell[place.index] >> CARE_SHIFT) : EL_CARE_NOT;
	}
}

/* ---- all orders ---- */

/* Equal pieces, by their number in files. */
struct type {
	uint8_t piece, count;
};

/* An order, and the bits of a table in it. */
struct candidate {
	struct order_places places;
	double bits;
};

struct lister {
	const struct export_board *board;
	struct type type[TYPES_MAX];
	unsigned types;
	struct candidate *out;
	size_t count;
	unsigned leaders; /* types that lead */
	unsigned lead;    /* the side whose pawns do */
	bool other;       /* the other side's pawns come second */
	unsigned chosen[TYPES_MAX];
};

static void choose_types(struct lister *l, unsigned place)
{
	if (place == l->types || place == TYPES_MAX) {
		struct order_places places = {.other = SYZYGY_NO_PLACE};
		const unsigned groups = l->types - l->leaders + 1;
		unsigned pieces = 0;
		for (unsigned i = 0; i < l->types; i++)
			for (unsigned k = 0; k < l->type[l->chosen[i]].count; k++)
				places.piece[pieces++] = l->type[l->chosen[i]].piece;
		for (unsigned i = 0; i < groups * (l->other ? groups : 1); i++) {
			const unsigned lead = l->other ? i / groups : i, other = i % groups;
			if (l->count == ORDERS_MAX || (l->other && lead == other))
				continue;
			places.lead = (uint8_t)lead;
			places.other = l->other ? (uint8_t)other : SYZYGY_NO_PLACE;
			l->out[l->count++].places = places;
		}
		return;
	}
	for (unsigned type = 0; type < l->types; type++) {
		/* Who may lead: a pawn of the side that has fewer, three single pieces, or the
		   kings. */
		const struct type *t = &l->type[type];
		const unsigned kind = t->piece & 7;
		bool is_free = l->leaders == 3 ? t->count == 1 : kind == SYZYGY_KING;
		if (l->board->pawns)
			is_free = place ? (kind == SYZYGY_PAWN) == (place == 1 && l->other)
			                : kind == SYZYGY_PAWN && t->piece >> 3 == l->lead;
		else
			is_free |= place >= l->leaders;
		for (unsigned i = 0; i < place; i++)
			is_free = is_free && l->chosen[i] != type;
		if (!is_free)
			continue;
		l->chosen[place] = type;
		choose_types(l, place + 1);
	}
}

/* Lists all orders, at most as many as six different pieces have; returns how many. */
static size_t orders_list(const struct export_board *b, struct candidate *out)
{
	struct lister l = {.board = b, .out = out, .leaders = b->pawns ? 1 : 2};
	unsigned unlike = 0;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned type = SYZYGY_PAWN; type <= SYZYGY_KING; type++) {
			const uint8_t count = b->material.count[side][type];
			unlike += count == 1;
			if (count)
				l.type[l.types++] =
					(struct type){(uint8_t)(side << 3 | type), count};
		}
	if (!b->pawns && unlike > 2)
		l.leaders = 3;
	const unsigned white = b->material.count[0][SYZYGY_PAWN];
	const unsigned black = b->material.count[1][SYZYGY_PAWN];
	l.other = white && black;
	l.lead = white && (!black || white <= black) ? 0 : 1;
	choose_types(&l, 0);
	return l.count;
}

enum el_status board_open(struct export_board *b, const struct el_slice *slice, unsigned file,
                          struct el_error *error)
{
	*b = (struct export_board){.slice = slice, .file = file};
	material_of(slice, &b->material, b->kind);
	b->pawns = material_has_pawns(&b->material);
	struct candidate *orders = malloc(ORDERS_MAX * sizeof *orders);
	struct order order;
	enum el_status status = orders ? EL_OK : EL_MEMORY;
	if (!status && orders_list(b, orders) &&
	    order_make(&order, &b->material, file, &orders[0].places))
		status = leads_list(&order, file, &b->leads);
	free(orders);
	return status ? el_fail(error, status, "%s: out of memory", slice->name) : EL_OK;
}

/* ---- weighing ---- */

struct balance {
	uint16_t symbols[STRETCHES_MAX * STRETCH];
	uint8_t care[STRETCHES_MAX * STRETCH];
	uint32_t *pairs;
};

/* Estimates from a sample of 32 stretches and the cost of each symbol given the previous one; if
   `fine`, by compressing a larger sample. False without memory. */
static bool weigh_order(const struct export_board *b, const struct cells *c, unsigned plane,
                        struct candidate *candidate, bool fine, struct balance *s)
{
	const uint32_t values = c->symbols;
	uint32_t last = 0;
	struct order order;
	candidate->bits = INFINITY;
	if (!order_make(&order, &b->material, b->file, &candidate->places))
		return true;
	double bits = 0;
	/* The sample: stretches of the table, or all of it. */
	const unsigned stretches = fine ? STRETCHES_MAX : 32;
	const bool whole = order.positions <= stretches * STRETCH;
	const size_t read = whole ? order.positions : (size_t)stretches * STRETCH;
	if (whole)
		board_read(b, c, plane, &order, 0, read, s->symbols, s->care);
	for (unsigned i = 0; i < stretches && !whole; i++)
		board_read(b, c, plane, &order,
		           sample_place(i, stretches, order.positions - STRETCH), STRETCH,
		           s->symbols + i * STRETCH, s->care + i * STRETCH);
	const struct code_task task = {.plane = {s->symbols, s->care, read, .row = 1},
	                               .symbols = c->symbols};
	if (fine && code_weigh(&task, &bits))
		return false;
	if (!fine)
		memset(s->pairs, 0, (size_t)values * values * sizeof *s->pairs);
	for (size_t i = 0; i < read && !fine; i++) {
		uint32_t now = s->symbols[i];
		if (s->care[i] == EL_CARE_NOT || (s->care[i] == EL_CARE_AT_MOST && last <= now))
			now = last; /* a free symbol repeats the one before */
		s->pairs[last * values + now]++;
		last = now;
	}
	for (uint32_t before = 0; before < values && !fine; before++) {
		const uint32_t *pairs = s->pairs + before * values;
		uint64_t all = 0;
		for (uint32_t now = 0; now < values; now++)
			all += pairs[now];
		for (uint32_t now = 0; now < values; now++)
			bits += pairs[now] ? pairs[now] * exact_log2((double)all / pairs[now]) : 0;
	}
	candidate->bits = bits * (double)order.positions / (double)read;
	return true;
}

static int by_weight(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	if (x->bits != y->bits)
		return x->bits < y->bits ? -1 : 1;
	return memcmp(&x->places, &y->places, sizeof x->places);
}

/* Weighs orders and sorts them. False without memory. */
static bool weigh_all(const struct export_board *b, const struct cells *c, unsigned plane,
                      struct candidate *candidates, size_t count, bool fine)
{
	int failed = 0;
#pragma omp parallel
	{
		struct balance *s = malloc(sizeof *s);
		uint32_t *pairs = malloc((size_t)c->symbols * c->symbols * sizeof *pairs);
		if (s)
			s->pairs = pairs;
#pragma omp for schedule(dynamic, 1)
		for (size_t i = 0; i < count; i++)
			if (!s || !pairs || !weigh_order(b, c, plane, &candidates[i], fine, s)) {
#pragma omp atomic write
				failed = 1;
			}
		free(s);
		free(pairs);
	}
	if (!failed)
		qsort(candidates, count, sizeof *candidates, by_weight);
	return !failed;
}

enum el_status board_search(const struct export_board *b, const struct cells *c, unsigned plane,
                            struct order_places *out, double *bits, struct el_error *error)
{
	struct candidate *candidates = malloc(ORDERS_MAX * sizeof *candidates);
	const size_t count = candidates ? orders_list(b, candidates) : 0;
	const bool have = candidates && weigh_all(b, c, plane, candidates, count, false) &&
	                  weigh_all(b, c, plane, candidates, (count + LEAST - 1) / LEAST, true);
	if (have) {
		*out = candidates[0].places;
		*bits = candidates[0].bits;
	}
	free(candidates);
	return have ? EL_OK : el_fail(error, EL_MEMORY, "%s: out of memory", b->slice->name);
}
