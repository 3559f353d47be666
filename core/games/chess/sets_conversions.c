/* SPDX-License-Identifier: MIT */
/*
 * The conversions of a slice: the effects of captures and promotions, read from the tables they
 * enter, as events at the ply at which each takes effect.
 *
 * Lines are processed one by one. A line's positions are 64 x 64 cells, by the squares of the row
 * piece and the word piece, and each cell collects the effects of its conversions. These two pieces
 * are the axes; functions for one axis, with the other *across*, serve both. To a line, the others
 * of the row group are outer pieces.
 */
#include "sets.h"

enum axis { ROW, WORD };

struct cells {
	struct effect at[CHESS_LINE][64]; /* [row piece][word piece] */
};

/* A step of a pinned pawn, and the results of an earlier part for the positions after it. */
struct pawn_step {
	unsigned pawn;
	bool twice;
	size_t part;
	/* of the layer that the step leads to, by bit; borrowed until given back */
	const uint16_t *symbol;
};

/* The input for the conversions of one side in a line, and their effects. */
struct work {
	const struct chess_sets *sets;
	unsigned side; /* to move */
	unsigned steps;
	struct pawn_step step[2 * CHESS_PIECES_MAX];
	struct chess_slab line;
	struct lent *lent;
	struct cells cells;
};

/* The squares on an axis that matter in this line. */
static uint64_t axis_own(const struct work *w, enum axis axis)
{
	return axis == ROW ? w->line.own : ~UINT64_C(0);
}

static unsigned axis_piece(const struct chess_sets *c, enum axis axis)
{
	return axis == ROW ? chess_row_piece(c) : chess_word_piece(c);
}

/* Adds an effect to the cell for the squares of the piece on `axis` and of the one across. */
static void collect(struct cells *cells, enum axis axis, unsigned on, unsigned across,
                    struct effect effect)
{
	struct effect *cell = axis == ROW ? &cells->at[on][across] : &cells->at[across][on];
	*cell = effect_join(*cell, effect);
}

/* A piece captures another one, or (CHESS_NONE) promotes, with one piece free. */
struct arrival {
	unsigned mover, captured, free;
	/* the mover's destination: one square, or all squares asked about if it is free */
	uint64_t to;
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
		struct chess_piece piece = w->line.piece[p];
		if (p == a->mover) {
			piece.kind = (uint8_t)kind;
			piece.square = (uint8_t)chess_first(to);
		}
		if (p == a->free)
			row.free = row.pieces;
		row.piece[row.pieces++] = piece;
	}
	chess_successor_effects(w->sets->part.successors, &conversion, &row, w->side,
	                        a->free == a->mover ? to : ~UINT64_C(0), w->lent, out);
}

/* The joint effects of all kinds the mover may become, by the square of the free piece. Usually
   there is one kind, so nothing needs to be joined. */
static void effects(const struct work *w, const struct arrival *a, struct chess_effects *out)
{
	const unsigned own = w->sets->piece[a->mover].kind;
	const uint64_t last = CHESS_RANK_1 | CHESS_RANK_8;
	struct chess_effects more;
	unsigned kinds = 0;
	for (unsigned kind = 0; kind < CHESS_KINDS; kind++) {
		/* The squares on which the mover becomes `kind`. */
		const bool promotes = own == CHESS_PAWN && kind != CHESS_KING && kind != own;
		uint64_t to = kind == own || promotes ? a->to : 0;
		if (own == CHESS_PAWN)
			to &= promotes ? last : ~last;
		if (!to)
			continue;
		effects_as(w, a, kind, to, kinds ? &more : out);
		for (unsigned at = 0; at < 64 && kinds; at++)
			out->at[at] = effect_join(out->at[at], more.at[at]);
		kinds++;
	}
	for (unsigned at = 0; at < 64 && !kinds; at++)
		out->at[at] = effect_none;
}

static uint64_t attacks(struct chess_piece piece, unsigned from, uint64_t occupied)
{
	return chess_attacks_of(piece.side, piece.kind, from, occupied);
}

/* The square where a pawn on `from` promotes by a step; empty for anything else. */
static uint64_t promotes(struct chess_piece piece, unsigned from)
{
	if (piece.kind != CHESS_PAWN)
		return 0;
	return piece.side == EL_WHITE ? chess_bit(from) << 8 & CHESS_RANK_8
	                              : chess_bit(from) >> 8 & CHESS_RANK_1;
}

/* A piece on `axis` captures the one across: the effects depend only on the latter's square. */
static void axis_takes_across(struct work *w, enum axis axis)
{
	const unsigned mover = axis_piece(w->sets, axis), captured = axis_piece(w->sets, !axis);
	const struct chess_piece piece = w->sets->piece[mover];
	const uint64_t there = ~w->line.occupied;
	struct chess_effects by_target;
	effects(w, &(struct arrival){mover, captured, mover, there}, &by_target);
	for (uint64_t own = axis_own(w, axis); own;) {
		const unsigned from = chess_pop(&own);
		uint64_t targets = attacks(piece, from, w->line.occupied) & there;
		while (targets) {
			unsigned to = chess_pop(&targets);
			collect(&w->cells, axis, from, to, by_target.at[to]);
		}
	}
}

/* Adds effects to the cells of one square of `axis`, except those with the piece across in the
   way. */
static void collect_across(struct work *w, enum axis axis, unsigned on, uint64_t in_the_way,
                           const struct chess_effects *by_across)
{
	for (unsigned across = 0; across < 64; across++)
		if (!(in_the_way >> across & 1))
			collect(&w->cells, axis, on, across, by_across->at[across]);
}

/* A piece on `axis` moves to a square that does not depend on the one across: it captures an outer
   piece, or (captured CHESS_NONE) promotes. */
static void axis_arrives(struct work *w, enum axis axis, unsigned captured, unsigned to,
                         uint64_t from)
{
	const unsigned mover = axis_piece(w->sets, axis), across = axis_piece(w->sets, !axis);
	struct chess_effects by_across;
	from &= axis_own(w, axis);
	if (from)
		effects(w, &(struct arrival){mover, captured, across, chess_bit(to)}, &by_across);
	while (from) {
		unsigned at = chess_pop(&from);
		collect_across(w, axis, at, chess_between(at, to), &by_across);
	}
}

/* An outer piece captures the one on `axis`. */
static void outer_takes_axis(struct work *w, unsigned mover, enum axis axis)
{
	const unsigned captured = axis_piece(w->sets, axis), across = axis_piece(w->sets, !axis);
	const struct chess_piece piece = w->line.piece[mover];
	uint64_t targets = attacks(piece, piece.square, w->line.occupied) & ~w->line.occupied &
	                   axis_own(w, axis);
	while (targets) {
		unsigned to = chess_pop(&targets);
		struct chess_effects by_across;
		effects(w, &(struct arrival){mover, captured, across, chess_bit(to)}, &by_across);
		collect_across(w, axis, to, chess_between(piece.square, to), &by_across);
	}
}

/* An outer piece moves to a square that does not depend on the axes, unless they are in the way. */
static void outer_arrives(struct work *w, unsigned mover, unsigned captured, unsigned to)
{
	const unsigned row = chess_row_piece(w->sets), word = chess_word_piece(w->sets);
	const uint64_t in_the_way = chess_between(w->line.piece[mover].square, to);
	for (uint64_t rows = w->line.own & ~in_the_way; rows;) {
		const unsigned on = chess_pop(&rows);
		struct chess_effects by_word;
		w->line.piece[row].square = (uint8_t)on;
		effects(w, &(struct arrival){mover, captured, word, chess_bit(to)}, &by_word);
		collect_across(w, ROW, on, in_the_way, &by_word);
	}
}

static void outer_converts(struct work *w, unsigned mover)
{
	const struct chess_piece piece = w->line.piece[mover];
	const uint64_t targets = attacks(piece, piece.square, w->line.occupied);
	for (unsigned p = 0; p < chess_row_piece(w->sets); p++) {
		const struct chess_piece other = w->line.piece[p];
		if (other.side != piece.side && other.kind != CHESS_KING &&
		    (targets >> other.square & 1))
			outer_arrives(w, mover, p, other.square);
	}
	uint64_t to = promotes(piece, piece.square) & ~w->line.occupied;
	if (to)
		outer_arrives(w, mover, CHESS_NONE, chess_first(to));
}

static void line_conversions(struct work *w)
{
	const struct chess_sets *c = w->sets;
	const uint64_t occupied = w->line.occupied;
	for (uint64_t rows = w->line.own; rows;)
		for (unsigned a = chess_pop(&rows), x = 0; x < 64; x++)
			w->cells.at[a][x] = effect_none;
	for (enum axis axis = ROW; axis <= WORD; axis++) {
		const struct chess_piece on = c->piece[axis_piece(c, axis)];
		const struct chess_piece across = c->piece[axis_piece(c, !axis)];
		for (unsigned p = 0; p < chess_row_piece(c); p++) {
			bool mine = c->piece[p].side == w->side;
			if (mine && on.side != w->side && on.kind != CHESS_KING)
				outer_takes_axis(w, p, axis);
			if (mine || on.side != w->side || c->piece[p].kind == CHESS_KING)
				continue;
			/* Seen from the target, a pawn attacks like one of the other side. */
			const unsigned to = w->line.piece[p].square;
			const uint64_t from = chess_attacks_of(!on.side, on.kind, to, occupied);
			axis_arrives(w, axis, p, to, from & ~occupied);
		}
		if (on.side != w->side)
			continue;
		if (across.side != w->side && across.kind != CHESS_KING)
			axis_takes_across(w, axis);
		for (unsigned from = 0; from < 64; from++) {
			const uint64_t to = promotes(on, from) & ~occupied;
			if (to)
				axis_arrives(w, axis, CHESS_NONE, chess_first(to), chess_bit(from));
		}
	}
	for (unsigned p = 0; p < chess_row_piece(c); p++)
		if (c->piece[p].side == w->side)
			outer_converts(w, p);
}

/* ---- steps of pinned pawns, which lead to other parts of the slice ---- */

/* Every cell leads to the cell of the same squares in the part after the pawn's step. */
static void pawn_step(struct work *w, const struct pawn_step *step)
{
	const struct chess_piece pawn = w->sets->piece[step->pawn];
	const struct effect *entered = w->sets->entered[w->side];
	const unsigned over = pawn.side == EL_WHITE ? pawn.square + 8u : pawn.square - 8u;
	const uint64_t in_the_way = step->twice ? chess_bit(over) : 0;
	if (w->line.occupied & in_the_way)
		return;
	for (uint64_t rows = w->line.own & ~in_the_way; rows;) {
		const unsigned a = chess_pop(&rows);
		const uint16_t *symbol = step->symbol + (w->line.word + w->line.row[a]) * 64;
		for (unsigned x = 0; x < 64; x++)
			if (!(in_the_way >> x & 1))
				collect(&w->cells, ROW, a, x, entered[symbol[x]]);
	}
}

/* ---- en passant ---- */

/* The squares of a piece on an axis: a pawn just pushed is on the rank of double steps. */
static uint64_t axis_squares(const struct chess_sets *c, unsigned p, unsigned pushed)
{
	if (p != pushed)
		return ~UINT64_C(0);
	return c->piece[p].side == EL_WHITE ? CHESS_RANK_1 << 24 : CHESS_RANK_1 << 32;
}

/* Adds the en passant captures of `pushed` to the cell in which the axes stand on `a` and `x`. */
static void cell_en_passant(struct work *w, unsigned pushed, unsigned a, unsigned x)
{
	const struct chess_piece victim = w->line.piece[pushed];
	const uint64_t beside = chess_sideways(chess_bit(victim.square));
	const unsigned to = victim.side == EL_WHITE ? victim.square - 8u : victim.square + 8u;
	for (unsigned p = 0; p < w->sets->pieces; p++) {
		const struct chess_piece mover = w->line.piece[p];
		if (mover.kind != CHESS_PAWN || mover.side != w->side ||
		    !(beside >> mover.square & 1))
			continue;
		struct chess_effects by_square;
		effects(w, &(struct arrival){p, pushed, p, chess_bit(to)}, &by_square);
		collect(&w->cells, ROW, a, x, by_square.at[to]);
	}
}

/* Finds the positions in the layer of `pushed`, in which it may just have made a double step, and
   adds their en passant captures. */
static void line_en_passant(struct work *w, unsigned pushed, const uint64_t *legal, uint64_t *out)
{
	const unsigned row = chess_row_piece(w->sets), word = chess_word_piece(w->sets);
	const struct chess_piece *pawn = &w->line.piece[pushed];
	if (pushed < row && !chess_just_pushed(*pawn, w->line.occupied))
		return;
	for (uint64_t rows = w->line.own & axis_squares(w->sets, row, pushed); rows;) {
		const unsigned a = chess_pop(&rows);
		const size_t at = w->line.word + w->line.row[a];
		const uint64_t occupied = w->line.occupied | chess_bit(a);
		w->line.piece[row].square = (uint8_t)a;
		for (uint64_t words = legal[at] & axis_squares(w->sets, word, pushed); words;) {
			const unsigned x = chess_pop(&words);
			w->line.piece[word].square = (uint8_t)x;
			if (!chess_just_pushed(*pawn, occupied | chess_bit(x)))
				continue;
			out[at] |= chess_bit(x);
			cell_en_passant(w, pushed, a, x);
		}
	}
}

/* ---- all lines ---- */

/* Turns the cells of legal positions into events, and marks positions with a conversion as blocked.
   EL_DAMAGED if a conversion enters a position without a value. */
static enum el_status line_events(struct work *w, unsigned layer, struct el_unit *unit)
{
	const struct chess_sets *c = w->sets;
	const size_t first = layer * c->layer_words + w->line.word;
	enum el_status status = EL_OK;
	for (uint64_t rows = w->line.own; rows && !status;) {
		const unsigned a = chess_pop(&rows);
		const size_t word = first + w->line.row[a];
		if (unit->legal[word])
			status = events_of_word(unit, (uint32_t)word, unit->legal[word],
			                        w->cells.at[a]);
	}
	return status;
}

static enum el_status line_all_layers(struct work *w, struct el_unit *unit)
{
	const struct chess_sets *c = w->sets;
	line_conversions(w);
	for (unsigned n = 0; n < w->steps; n++)
		pawn_step(w, &w->step[n]);
	enum el_status status = line_events(w, 0, unit);
	if (c->layers == 1)
		return status;
	const struct cells plain = w->cells;
	for (unsigned p = 0; p < c->pieces && !status; p++) {
		if (!c->layer[p] || c->piece[p].side == w->side)
			continue;
		w->cells = plain;
		line_en_passant(w, p, unit->legal, unit->legal + c->layer[p] * c->layer_words);
		status = line_events(w, c->layer[p], unit);
	}
	return status;
}

enum el_status chess_conversions(const struct chess_sets *c, unsigned side, size_t unit,
                                 struct el_unit *out, struct el_error *error)
{
	struct work w;
	struct lent lent = {.lender = c->part.lender};
	w.sets = c;
	w.lent = &lent;
	w.side = side;
	w.steps = 0;
	/* Look up the unit's results in earlier parts. */
	const struct el_found *earlier = c->part.earlier;
	for (unsigned n = 0; n < 2 * c->pinned; n++) {
		struct pawn_step *step = &w.step[w.steps];
		struct chess_pawn_step to;
		*step = (struct pawn_step){.pawn = n / 2, .twice = n % 2};
		if (c->piece[step->pawn].side != side ||
		    !chess_part_step(c, step->pawn, step->twice, &to))
			continue;
		step->part = to.part;
		const uint16_t *symbols = earlier->look(earlier->context, to.part, !side, unit);
		if (!symbols)
			continue;
		step->symbol = symbols + to.layer * c->layer_words * 64;
		w.steps++;
	}
	enum el_status status = EL_OK;
	for (size_t number = 0; number < c->slabs * c->rows->lines && !status; number++) {
		w.line = chess_line(c, unit, number);
		for (uint64_t rows = w.line.own; rows;) {
			const unsigned a = chess_pop(&rows);
			if (!out->legal[w.line.word + w.line.row[a]])
				w.line.own &= ~chess_bit(a);
		}
		if (w.line.own)
			status = line_all_layers(&w, out);
	}
	for (unsigned n = 0; n < w.steps; n++)
		earlier->give_back(earlier->context, w.step[n].part, !side, unit);
	lent_let_go(&lent);
	return events_fail(status, &c->head.slice, error);
}
