/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conversions of a slice: what captures and promotions are worth, from the tables they enter,
 * as events at the ply at which each takes effect.
 *
 * The work goes slab by slab. A slab's positions are 64 x 64 cells, by the squares of the row piece
 * and the word piece, and each cell collects the effects of its conversions. These two pieces are
 * the axes; what is said below for one axis, with the other *across*, holds for both.
 */
#include "../../clock.h"
#include "../../shared_for.h"
#include "../events.h"
#include "sets_successor.h"

#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <string.h>

enum axis { ROW, WORD };

struct cells {
	struct effect at[CHESS_SLAB][64]; /* [row piece][word piece] */
};

/* Everything that the conversions of one side in a slab are computed from, and their effects. */
struct work {
	const struct chess_sets *sets;
	const struct chess_part *part;
	const struct chess_successors *successors;
	const struct effect *entered; /* by symbol, what entering an earlier part does */
	unsigned side; /* to move */
	struct chess_slab slab;
	struct cells cells;
};

static unsigned axis_piece(const struct chess_sets *c, enum axis axis)
{
	return axis == ROW ? chess_row_piece(c) : chess_word_piece(c);
}

static bool on_axis(const struct chess_sets *c, unsigned p)
{
	return p >= chess_row_piece(c);
}

/* Adds to the cell for the squares of the piece on `axis` and of the one across. */
static void collect(struct cells *cells, enum axis axis, unsigned on, unsigned across,
                    struct effect effect)
{
	struct effect *cell = axis == ROW ? &cells->at[on][across] : &cells->at[across][on];
	*cell = effect_join(*cell, effect);
}

/* A piece takes another one, or (CHESS_NONE) promotes, with one piece on any square. */
struct arrival {
	unsigned mover, captured, free;
	uint64_t to; /* where the mover arrives: one square, or all that are asked about if it is free */
};

/* The effects of arriving on `to` as a piece of `kind`. */
static void effects_as(const struct work *w, const struct arrival *a, unsigned kind, uint64_t to,
                         struct chess_effects *out)
{
	const struct chess_conversion conversion = {a->mover, a->captured, kind};
	struct chess_row row = {.pieces = 0};
	for (unsigned p = 0; p < w->sets->pieces; p++) {
		if (p == a->captured)
			continue;
		struct chess_piece piece = w->slab.piece[p];
		if (p == a->mover) {
			piece.kind = (uint8_t)kind;
			piece.square = (uint8_t)chess_first(to);
		}
		if (p == a->free)
			row.free = row.pieces;
		row.piece[row.pieces++] = piece;
	}
	chess_successor_effects(chess_successor(w->successors, &conversion), &row, w->side,
	                        a->free == a->mover ? to : ~UINT64_C(0), out);
}

/* Of the squares on which a piece arrives, those on which it becomes `kind`. */
static uint64_t arrivals(struct chess_piece piece, unsigned kind, uint64_t squares)
{
	const uint64_t last = CHESS_RANK_1 | CHESS_RANK_8;
	if (piece.kind != CHESS_PAWN)
		return kind == piece.kind ? squares : 0;
	if (kind == CHESS_PAWN)
		return squares & ~last;
	return kind == CHESS_KING ? 0 : squares & last;
}

static void join_all(struct chess_effects *out, const struct chess_effects *more)
{
	for (unsigned at = 0; at < 64; at++)
		out->at[at] = effect_join(out->at[at], more->at[at]);
}

/* The effects of all that the mover may become, together, by the square of the free piece. Mostly that
   is one kind, whose effects are not joined to anything. */
static void effects(const struct work *w, const struct arrival *a, struct chess_effects *out)
{
	struct chess_effects more;
	unsigned kinds = 0;
	for (unsigned kind = 0; kind < CHESS_KINDS; kind++) {
		const uint64_t to = arrivals(w->sets->piece[a->mover], kind, a->to);
		if (!to)
			continue;
		effects_as(w, a, kind, to, kinds ? &more : out);
		if (kinds++)
			join_all(out, &more);
	}
	for (unsigned at = 0; at < 64 && !kinds; at++)
		out->at[at] = effect_none;
}

static uint64_t attacks(struct chess_piece piece, unsigned from, uint64_t occupied)
{
	return chess_attacks_of(piece.side, piece.kind, from, occupied);
}

/* Where a pawn on `from` promotes by a step; empty for whatever does not. */
static uint64_t promotes(struct chess_piece piece, unsigned from)
{
	if (piece.kind != CHESS_PAWN)
		return 0;
	return piece.side == EL_WHITE ? chess_bit(from) << 8 & CHESS_RANK_8
	                              : chess_bit(from) >> 8 & CHESS_RANK_1;
}

/* A piece on `axis` takes the one across: `effects` depend on where that is alone. */
static void axis_takes_across(struct work *w, enum axis axis)
{
	const unsigned mover = axis_piece(w->sets, axis), captured = axis_piece(w->sets, !axis);
	const struct chess_piece piece = w->sets->piece[mover];
	const uint64_t there = ~w->slab.occupied;
	struct chess_effects by_target;
	effects(w, &(struct arrival){mover, captured, mover, there}, &by_target);
	for (unsigned from = 0; from < 64; from++) {
		uint64_t targets = attacks(piece, from, w->slab.occupied) & there;
		while (targets) {
			unsigned to = chess_pop(&targets);
			collect(&w->cells, axis, from, to, by_target.at[to]);
		}
	}
}

/* Spreads effects over the cells of one square of `axis`, but for squares across in the way. */
static void collect_across(struct work *w, enum axis axis, unsigned on, uint64_t in_the_way,
                           const struct chess_effects *by_across)
{
	for (unsigned across = 0; across < 64; across++)
		if (!(in_the_way >> across & 1))
			collect(&w->cells, axis, on, across, by_across->at[across]);
}

/* A piece on `axis` arrives on a square that does not depend on the one across: it takes an outer
   piece, or (captured none) it promotes. */
static void axis_arrives(struct work *w, enum axis axis, unsigned captured, unsigned to,
                         uint64_t from)
{
	const unsigned mover = axis_piece(w->sets, axis), across = axis_piece(w->sets, !axis);
	struct chess_effects by_across;
	if (from)
		effects(w, &(struct arrival){mover, captured, across, chess_bit(to)}, &by_across);
	while (from) {
		unsigned at = chess_pop(&from);
		collect_across(w, axis, at, chess_between(at, to), &by_across);
	}
}

static void axis_takes_outer(struct work *w, enum axis axis, unsigned captured)
{
	const struct chess_piece piece = w->sets->piece[axis_piece(w->sets, axis)];
	const unsigned to = w->slab.piece[captured].square;
	/* Seen from the target, a pawn attacks as one of the other side. */
	uint64_t from = chess_attacks_of(!piece.side, piece.kind, to, w->slab.occupied);
	axis_arrives(w, axis, captured, to, from & ~w->slab.occupied);
}

static void axis_promotes(struct work *w, enum axis axis)
{
	const struct chess_piece piece = w->sets->piece[axis_piece(w->sets, axis)];
	for (unsigned from = 0; from < 64; from++) {
		uint64_t to = promotes(piece, from) & ~w->slab.occupied;
		if (to)
			axis_arrives(w, axis, CHESS_NONE, chess_first(to), chess_bit(from));
	}
}

/* An outer piece takes the one on `axis`. */
static void outer_takes_axis(struct work *w, unsigned mover, enum axis axis)
{
	const unsigned captured = axis_piece(w->sets, axis), across = axis_piece(w->sets, !axis);
	const struct chess_piece piece = w->slab.piece[mover];
	uint64_t targets = attacks(piece, piece.square, w->slab.occupied) & ~w->slab.occupied;
	while (targets) {
		unsigned to = chess_pop(&targets);
		struct chess_effects by_across;
		effects(w, &(struct arrival){mover, captured, across, chess_bit(to)}, &by_across);
		collect_across(w, axis, to, chess_between(piece.square, to), &by_across);
	}
}

/* An outer piece arrives on a square whatever the axes do, unless they are in the way. */
static void outer_arrives(struct work *w, unsigned mover, unsigned captured, unsigned to)
{
	const unsigned row = chess_row_piece(w->sets), word = chess_word_piece(w->sets);
	const uint64_t in_the_way = chess_between(w->slab.piece[mover].square, to);
	for (unsigned on = 0; on < CHESS_SLAB; on++) {
		if (in_the_way >> on & 1)
			continue;
		struct chess_effects by_word;
		w->slab.piece[row].square = (uint8_t)on;
		effects(w, &(struct arrival){mover, captured, word, chess_bit(to)}, &by_word);
		collect_across(w, ROW, on, in_the_way, &by_word);
	}
}

static void outer_converts(struct work *w, unsigned mover)
{
	const struct chess_piece piece = w->slab.piece[mover];
	const uint64_t targets = attacks(piece, piece.square, w->slab.occupied);
	for (unsigned p = 0; p < chess_row_piece(w->sets); p++) {
		const struct chess_piece other = w->slab.piece[p];
		if (other.side != piece.side && other.kind != CHESS_KING &&
		    (targets >> other.square & 1))
			outer_arrives(w, mover, p, other.square);
	}
	uint64_t to = promotes(piece, piece.square) & ~w->slab.occupied;
	if (to)
		outer_arrives(w, mover, CHESS_NONE, chess_first(to));
}

static void slab_conversions(struct work *w)
{
	const struct chess_sets *c = w->sets;
	for (unsigned a = 0; a < CHESS_SLAB; a++)
		for (unsigned x = 0; x < 64; x++)
			w->cells.at[a][x] = effect_none;
	for (enum axis axis = ROW; axis <= WORD; axis++) {
		const struct chess_piece on = c->piece[axis_piece(c, axis)];
		const struct chess_piece across = c->piece[axis_piece(c, !axis)];
		for (unsigned p = 0; p < chess_row_piece(c); p++) {
			bool mine = c->piece[p].side == w->side;
			if (mine && on.side != w->side && on.kind != CHESS_KING)
				outer_takes_axis(w, p, axis);
			if (!mine && on.side == w->side && c->piece[p].kind != CHESS_KING)
				axis_takes_outer(w, axis, p);
		}
		if (on.side != w->side)
			continue;
		if (across.side != w->side && across.kind != CHESS_KING)
			axis_takes_across(w, axis);
		axis_promotes(w, axis);
	}
	for (unsigned p = 0; p < chess_row_piece(c); p++)
		if (c->piece[p].side == w->side)
			outer_converts(w, p);
}

/* ---- steps of pinned pawns, which lead to other parts of the slice ---- */

/* All cells lead where they are themselves, but that the pawn has gone on. */
static void pawn_steps(struct work *w, unsigned p, bool twice)
{
	const struct chess_sets *c = w->sets;
	const unsigned from = c->piece[p].square;
	const unsigned over = c->piece[p].side == EL_WHITE ? from + 8 : from - 8;
	const uint16_t *passed, *symbol = chess_part_step(w->part, c, p, twice, &passed);
	const uint64_t in_the_way = twice ? chess_bit(over) : 0;
	const size_t first = w->slab.number * CHESS_SLAB * 64;
	if (!symbol || (w->slab.occupied & in_the_way))
		return;
	for (unsigned a = 0; a < CHESS_SLAB; a++)
		for (unsigned x = 0; x < 64 && !(in_the_way >> a & 1); x++) {
			const size_t at = first + a * 64 + x;
			const uint16_t s = passed && passed[at] ? passed[at] : symbol[at];
			if (!(in_the_way >> x & 1))
				collect(&w->cells, ROW, a, x, w->entered[s]);
		}
}

static void slab_pawn_steps(struct work *w)
{
	for (unsigned p = 0; p < w->sets->pinned; p++)
		if (w->sets->piece[p].side == w->side)
			for (unsigned twice = 0; twice < 2; twice++)
				pawn_steps(w, p, twice);
}

/* By symbol of the positions in which the other side moves. Null without memory. */
static struct effect *effects_of_parts(const struct el_problem *problem,
                                       const struct chess_part *part, unsigned side)
{
	const uint32_t count = part->meanings->count[!side];
	struct effect *effects = malloc((count + 1) * sizeof *effects);
	for (uint32_t s = 0; effects && s < count; s++)
		effects[s] = s ? effect_of(problem, side, part->meanings->values[!side][s])
		               : effect_none;
	return effects;
}

/* ---- en passant ---- */

/* Is the enemy pawn `pushed` just past its double step, with both squares behind it empty? */
static bool just_pushed(const struct chess_piece *pushed, uint64_t occupied)
{
	bool white = pushed->side == EL_WHITE;
	uint64_t at = chess_bit(pushed->square);
	uint64_t behind = white ? at >> 8 | at >> 16 : at << 8 | at << 16;
	return chess_rank(pushed->square) == (white ? 3 : 4) && !(behind & occupied);
}

/* The effect of capturing `pushed` with `mover` in passing; none where that is not legal. */
static struct effect take_in_passing(const struct work *w, unsigned mover, unsigned pushed)
{
	const unsigned victim = w->slab.piece[pushed].square, from = w->slab.piece[mover].square;
	const unsigned to = w->slab.piece[pushed].side == EL_WHITE ? victim - 8 : victim + 8;
	if (!(chess_sideways(chess_bit(victim)) >> from & 1))
		return effect_none;
	struct chess_effects by_square;
	effects(w, &(struct arrival){mover, pushed, mover, chess_bit(to)}, &by_square);
	return by_square.at[to];
}

/* Where a piece of an axis may stand: a pawn just pushed is on the rank of double steps. */
static uint64_t axis_squares(const struct chess_sets *c, unsigned p, unsigned pushed)
{
	if (p != pushed)
		return ~UINT64_C(0);
	return c->piece[p].side == EL_WHITE ? CHESS_RANK_1 << 24 : CHESS_RANK_1 << 32;
}

/* Adds the captures of `pushed` in passing to one cell; true when there is a legal one. */
static bool cell_en_passant(struct work *w, unsigned pushed, unsigned a, unsigned x)
{
	const struct chess_sets *c = w->sets;
	bool any = false;
	w->slab.piece[chess_row_piece(c)].square = (uint8_t)a;
	w->slab.piece[chess_word_piece(c)].square = (uint8_t)x;
	if (!just_pushed(&w->slab.piece[pushed], w->slab.occupied | chess_bit(a) | chess_bit(x)))
		return false;
	for (unsigned p = 0; p < c->pieces; p++) {
		if (c->piece[p].kind != CHESS_PAWN || c->piece[p].side != w->side)
			continue;
		const struct effect effect = take_in_passing(w, p, pushed);
		any |= effect.free != 0;
		collect(&w->cells, ROW, a, x, effect);
	}
	return any;
}

/* The same for all cells; `right` is where there is a legal capture. */
static void slab_en_passant(struct work *w, unsigned pushed, uint64_t right[CHESS_SLAB])
{
	const struct chess_sets *c = w->sets;
	const uint64_t *legal = c->head.legal[w->side] + w->slab.number * CHESS_SLAB;
	memset(right, 0, CHESS_SLAB * sizeof *right);
	if (!on_axis(c, pushed) && !just_pushed(&w->slab.piece[pushed], w->slab.occupied))
		return;
	uint64_t rows = axis_squares(c, chess_row_piece(c), pushed);
	while (rows) {
		const unsigned a = chess_pop(&rows);
		uint64_t words = legal[a] & axis_squares(c, chess_word_piece(c), pushed);
		while (words) {
			const unsigned x = chess_pop(&words);
			right[a] |= (uint64_t)cell_en_passant(w, pushed, a, x) << x;
		}
	}
}

/* ---- all slabs ---- */

/* Turns the cells of legal positions into events, and blocks what has a conversion. EL_DAMAGED
   where a conversion enters a position without a value. */
static enum el_status slab_events(struct work *w, unsigned layer, struct event_lists *events)
{
	const struct chess_sets *c = w->sets;
	const size_t first = layer * c->layer_words + w->slab.number * CHESS_SLAB;
	enum el_status status = EL_OK;
	for (unsigned a = 0; a < CHESS_SLAB && !status; a++)
		status = events_of_word(events, (uint32_t)(first + a),
		                        c->head.legal[w->side][first + a], w->cells.at[a],
		                        &c->head.blocked[w->side][first + a]);
	return status;
}

static enum el_status slab_all_layers(struct work *w, struct event_lists *events)
{
	const struct chess_sets *c = w->sets;
	slab_conversions(w);
	slab_pawn_steps(w);
	enum el_status status = slab_events(w, 0, events);
	if (c->layers == 1)
		return status;
	const struct cells plain = w->cells;
	for (unsigned p = 0; p < c->pieces && !status; p++) {
		if (!c->layer[p] || c->piece[p].side == w->side)
			continue;
		size_t at = c->layer[p] * c->layer_words + w->slab.number * CHESS_SLAB;
		w->cells = plain;
		slab_en_passant(w, p, c->head.legal[w->side] + at);
		status = slab_events(w, c->layer[p], events);
	}
	return status;
}

/* Slabs in which nothing is legal have no conversions. */
static bool slab_idle(const struct chess_sets *c, unsigned side, size_t number)
{
	uint64_t any = 0;
	for (unsigned a = 0; a < CHESS_SLAB; a++)
		any |= c->head.legal[side][number * CHESS_SLAB + a];
	return !any;
}

/* Asks the watch, now and then, and on the one thread that may. */
static enum el_status look_up(const struct chess_sets *c, const struct el_problem *problem,
                              unsigned side, size_t number)
{
	const bool asks = !omp_get_thread_num() && !omp_get_ancestor_thread_num(1);
	const bool brief = c->pinned && c->slabs <= CHESS_SLAB; /* soon done: its part is watched */
	if (!asks || brief || number % 256)
		return EL_OK;
	const struct el_progress progress = {
		.stage = "converting",
		.what = problem->slice.name,
		.done = (double)(side * c->slabs + number) * CHESS_SLAB * 64,
		.total = 2.0 * (double)c->slabs * CHESS_SLAB * 64,
		.unit = "positions",
	};
	return el_watch_tick(problem->watch, &progress) ? EL_OK : EL_STOPPED;
}

static enum el_status side_conversions(struct chess_sets *c, const struct el_problem *problem,
                                       const struct work *common)
{
	const unsigned side = common->side;
	_Atomic enum el_status stopped = EL_OK;
	enum el_status failed = EL_OK;
	struct event_lists all = {{0}, {0}};
#pragma omp parallel if (c->head.words >= SHARED_WORDS)
	{
		struct event_lists events = {{0}, {0}};
		struct work w;
		memcpy(&w, common, offsetof(struct work, slab));
		enum el_status status = EL_OK;
#pragma omp for schedule(dynamic, 8)
		for (size_t number = 0; number < c->slabs; number++) {
			if (!stopped && look_up(c, problem, side, number))
				stopped = EL_STOPPED;
			if (status || stopped || slab_idle(c, side, number))
				continue;
			w.slab = chess_slab(c, number);
			status = slab_all_layers(&w, &events);
		}
#pragma omp critical
		{
			if (!status)
				status = events_move(&all, &events);
			if (status)
				failed = status;
		}
		events_free(&events);
	}
	if (!failed)
		failed = stopped;
	if (!failed)
		failed = events_sort(&all.wins, &c->head.wins[side]);
	if (!failed)
		failed = events_sort(&all.frees, &c->head.frees[side]);
	events_free(&all);
	return failed;
}

enum el_status chess_conversions(struct chess_sets *c, const struct el_problem *problem,
                                 const struct chess_part *part,
                                 const struct chess_successors *successors, struct el_error *error)
{
	struct el_phase *phase = &c->head.phase[0];
	const double start = clock_seconds();
	enum el_status status = EL_OK;
	for (unsigned side = 0; side < 2 && !status; side++) {
		struct effect *entered = effects_of_parts(problem, part, side);
		const struct work common = {c, part, successors, entered, side, {0}, {{{{0}}}}};
		status = entered ? side_conversions(c, problem, &common) : EL_MEMORY;
		free(entered);
	}
	*phase = (struct el_phase){"conversions", 0, clock_seconds() - start};
	for (unsigned side = 0; side < problem->slice.planes && !status; side++)
		phase->decided += events_count(&c->head.wins[side], c->head.stored_words);
	return events_fail(status, &c->head.slice, error);
}
