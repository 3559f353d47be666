/* SPDX-License-Identifier: MIT */
/*
 * Reads the planes of other slices row by row: the parts of an index that do not depend on the free
 * piece are computed once per row.
 */
#include "sets.h"

#include <stdlib.h>
#include <string.h>

struct chess_successor {
	uint8_t count[2][EL_KINDS]; /* its material, by the colours of the slice being solved */
	uint8_t mover_side;
	bool drawn;   /* bare kings: the rest is not set */
	bool swapped; /* its colours differ from those of the slice being solved */
	const struct king_table *kings;
	struct entered entered;
	struct chess_groups groups;
	uint64_t stride[CHESS_GROUPS_MAX]; /* of a group's rank in the index */
	uint64_t king_stride;
	uint8_t group_of[2][CHESS_KINDS]; /* by the slice's own side and kind */
	const uint16_t *symbols;          /* of the plane entered; null: not in memory */
};

/* How two kings, by the slice's colours, map to their representative: computed once for all
   squares. */
struct kings {
	uint16_t class;
	uint8_t symmetry;
	bool twofold;
};

struct king_table {
	struct kings of[64][64]; /* [white][black]; zeros if adjacent */
};

struct chess_successors {
	struct king_table kings[2]; /* [with pawns] */
	size_t count;
	struct chess_successor list[2 * EL_SUCCESSORS_MAX + 1];
	/* By mover, captured piece (or none) and the kind the mover becomes: an index of `list`. */
	uint8_t which[CHESS_PIECES_MAX][CHESS_PIECES_MAX + 1][CHESS_KINDS];
};

/* ---- opening ---- */

static enum el_status successor_open(struct chess_successor *s, const struct el_problem *problem,
                                     struct el_error *error)
{
	if (s->drawn)
		return EL_OK;
	const struct el_slice slice = chess_slice(problem->slice.game, s->count);
	/* A slice of equal sides has one plane, with White to move: the opponent becomes its
	   White. */
	s->swapped = slice.planes == 1 ? s->mover_side == EL_WHITE
	                               : memcmp(slice.count, s->count, sizeof s->count);
	s->groups = chess_groups(&slice);
	uint64_t stride = 1;
	for (unsigned g = s->groups.count; g--;) {
		s->stride[g] = stride;
		stride *= s->groups.group[g].radix;
		s->group_of[s->groups.group[g].side][s->groups.group[g].kind] = (uint8_t)g;
	}
	s->king_stride = stride;
	const unsigned plane = !s->mover_side ^ s->swapped; /* in which the opponent moves */
	const enum el_status status =
		entered_open(&s->entered, &slice, plane, problem, s->mover_side, 0, error);
	if (!status)
		s->symbols = s->entered.planes->plane[plane].symbols;
	return status;
}

/* All conversions of one side into the same material share one entry of the list. */
static enum el_status add(struct chess_successors *all, const struct chess_sets *c,
                          const struct chess_conversion *conversion,
                          const struct el_problem *problem, struct el_error *error)
{
	struct chess_successor *s = &all->list[all->count];
	*s = (struct chess_successor){
		.mover_side = c->piece[conversion->mover].side,
		.drawn = c->pieces - (conversion->captured != CHESS_NONE) == 2,
	};
	for (unsigned p = 0; p < c->pieces; p++) {
		const struct chess_piece piece = c->piece[p];
		const bool moves = p == conversion->mover;
		if (p != conversion->captured)
			s->count[piece.side][moves ? conversion->becomes : piece.kind]++;
	}
	size_t known = 0;
	while (all->list[known].mover_side != s->mover_side ||
	       memcmp(all->list[known].count, s->count, sizeof s->count))
		known++;
	all->which[conversion->mover][conversion->captured][conversion->becomes] = (uint8_t)known;
	if (known < all->count)
		return EL_OK;
	all->count++;
	enum el_status status = successor_open(s, problem, error);
	s->kings = &all->kings[s->groups.pawns];
	return status;
}

/* Is it a conversion: a capture, a promotion, or both? */
static bool is_conversion(const struct chess_sets *c, const struct chess_conversion *way)
{
	const struct chess_piece mover = c->piece[way->mover];
	const bool stays = way->becomes == mover.kind;
	const bool promotes = mover.kind == CHESS_PAWN && way->becomes != CHESS_KING && !stays;
	if (way->captured == CHESS_NONE)
		return promotes;
	return way->captured < c->pieces && c->piece[way->captured].side != mover.side &&
	       c->piece[way->captured].kind != CHESS_KING && (promotes || stays);
}

enum el_status chess_successors_open(const struct chess_sets *c, const struct el_problem *problem,
                                     struct chess_successors **out, struct el_error *error)
{
	struct chess_successors *all = calloc(1, sizeof *all);
	if (!all)
		return el_fail(error, EL_MEMORY, "%s: out of memory", c->head.slice.name);
	for (unsigned n = 0; n < 2 * 64 * 64; n++) {
		const unsigned white = n / 64 % 64, black = n % 64;
		const bool pawns = n / 64 / 64;
		const unsigned symmetry = chess_king_symmetry(pawns, white, black);
		const unsigned w = chess_symmetric(symmetry, white);
		const unsigned b = chess_symmetric(symmetry, black);
		const int class = chess_king_class(pawns, w, b);
		if (class >= 0)
			all->kings[pawns].of[white][black] =
				(struct kings){(uint16_t) class, (uint8_t)symmetry,
			                       chess_kings_twofold(pawns, w, b)};
	}
	enum el_status status = EL_OK;
	struct chess_conversion way;
	for (way.mover = 0; way.mover < c->pieces; way.mover++)
		for (way.captured = 0; way.captured <= CHESS_NONE; way.captured++)
			for (way.becomes = 0; way.becomes < CHESS_KINDS && !status; way.becomes++)
				if (is_conversion(c, &way))
					status = add(all, c, &way, problem, error);
	if (status)
		chess_successors_close(all);
	else
		*out = all;
	return status;
}

void chess_successors_close(struct chess_successors *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < all->count; i++)
		entered_close(&all->list[i].entered);
	free(all);
}

/* ---- reading ---- */

/* The index of a row's positions under one symmetry, without the free piece's part. */
struct numbering {
	uint64_t base;     /* all other groups, not the kings */
	uint64_t partners; /* squares of the free piece's like, as the slice has them */
};

/* The ranks are flipped if the colours are swapped. */
static unsigned flip_of(const struct chess_successor *s)
{
	return s->swapped ? CHESS_FLIP : 0;
}

static unsigned group_of(const struct chess_successor *s, struct chess_piece piece)
{
	return s->group_of[piece.side ^ s->swapped][piece.kind];
}

/* `symmetry` maps squares, by the slice's colours, to those of its index. A king has no group. */
static struct numbering numbering(const struct chess_successor *s, const struct chess_row *row,
                                  unsigned symmetry)
{
	const struct chess_piece free = row->piece[row->free];
	const unsigned own = free.kind == CHESS_KING ? CHESS_GROUPS_MAX : group_of(s, free);
	uint64_t set[CHESS_GROUPS_MAX + 1] = {0};
	struct numbering n = {0, 0};
	symmetry ^= flip_of(s);
	for (unsigned p = 0; p < row->pieces; p++)
		if (p != row->free && row->piece[p].kind != CHESS_KING)
			set[group_of(s, row->piece[p])] |=
				chess_bit(chess_symmetric(symmetry, row->piece[p].square));
	for (unsigned g = 0; g < s->groups.count; g++)
		if (g != own)
			n.base += s->stride[g] * chess_rank_set(set[g], s->groups.group[g].first);
	n.partners = set[own];
	return n;
}

static void find_kings(const struct chess_successor *s, const struct chess_row *row,
                       unsigned king[2])
{
	for (unsigned p = 0; p < row->pieces; p++)
		if (row->piece[p].kind == CHESS_KING)
			king[row->piece[p].side ^ s->swapped] = row->piece[p].square ^ flip_of(s);
}

/* The symbols of positions with kings of a class, by the rest of the index; valid until the next
   call. Null if they cannot be read. */
static const uint16_t *symbols_of(const struct chess_successor *s, unsigned class,
                                  struct lent *lent)
{
	return s->symbols ? s->symbols + class * s->king_stride
	                  : lent_look(lent, s->entered.planes, s->entered.plane,
	                              class * s->king_stride, (size_t)s->king_stride);
}

/* If a symmetry maps the kings to themselves there are two numberings, and the smaller index
   counts. */
static void row_effects(const struct chess_successor *s, const struct chess_row *row,
                        uint64_t squares, struct lent *lent, struct chess_effects *out)
{
	unsigned king[2] = {0, 0};
	if (!squares)
		return;
	find_kings(s, row, king);
	const struct kings kings = s->kings->of[king[EL_WHITE]][king[EL_BLACK]];
	const unsigned own = group_of(s, row->piece[row->free]);
	const unsigned symmetry[2] = {kings.symmetry, kings.symmetry ^ CHESS_TRANSPOSE};
	const uint16_t *symbols = symbols_of(s, kings.class, lent);
	struct numbering n[2];
	for (unsigned v = 0; v <= kings.twofold; v++)
		n[v] = numbering(s, row, symmetry[v]);
	while (squares && !symbols)
		out->at[chess_pop(&squares)] = effect_unread;
	while (squares) {
		const unsigned square = chess_pop(&squares);
		uint64_t least = UINT64_MAX;
		for (unsigned v = 0; v <= kings.twofold; v++) {
			const uint64_t at =
				chess_bit(chess_symmetric(symmetry[v] ^ flip_of(s), square));
			const uint64_t index =
				n[v].base +
				s->stride[own] * chess_rank_set(n[v].partners | at,
			                                        s->groups.group[own].first);
			least = index < least ? index : least;
		}
		out->at[square] = s->entered.effects[symbols[least]];
	}
}

/* A free king changes the symmetry, so the rest is numbered once for each symmetry that occurs.
   Symbols are far apart in memory, so all addresses are found before the first is read: the cache
   misses then overlap. */
static void king_effects(const struct chess_successor *s, const struct chess_row *row,
                         uint64_t squares, struct lent *lent, struct chess_effects *out)
{
	uint64_t base[CHESS_SYMMETRIES];
	const uint16_t *symbol[64];
	uint64_t known[CHESS_SYMMETRIES / 64] = {0}; /* a bit for each symmetry */
	unsigned king[2] = {0, 0};
	find_kings(s, row, king);
	unsigned *free = &king[row->piece[row->free].side ^ s->swapped];
	for (uint64_t left = squares; left;) {
		const unsigned square = chess_pop(&left);
		*free = square ^ flip_of(s);
		const struct kings kings = s->kings->of[king[EL_WHITE]][king[EL_BLACK]];
		uint64_t least = UINT64_MAX;
		for (unsigned v = 0; v <= kings.twofold; v++) {
			const unsigned y = kings.symmetry ^ v * CHESS_TRANSPOSE;
			if (!(known[y / 64] >> y % 64 & 1))
				base[y] = numbering(s, row, y).base;
			known[y / 64] |= UINT64_C(1) << y % 64;
			least = base[y] < least ? base[y] : least;
		}
		const uint16_t *symbols = symbols_of(s, kings.class, lent);
		if (s->symbols) {
			symbol[square] = symbols + least;
			continue;
		}
		/* Read it now: the next piece of the plane may replace this one. */
		out->at[square] = symbols ? s->entered.effects[symbols[least]] : effect_unread;
		squares &= ~chess_bit(square);
	}
	while (squares) {
		const unsigned square = chess_pop(&squares);
		out->at[square] = s->entered.effects[*symbol[square]];
	}
}

void chess_successor_effects(const struct chess_successors *all, const struct chess_conversion *c,
                             const struct chess_row *row, unsigned side, uint64_t squares,
                             struct lent *lent, struct chess_effects *out)
{
	const struct chess_successor *s = &all->list[all->which[c->mover][c->captured][c->becomes]];
	for (unsigned at = 0; at < 64; at++)
		out->at[at] = effect_none;
	if (s->drawn) {
		const struct effect draw = {EFFECT_NEVER, EFFECT_NEVER};
		squares &= ~chess_king_attacks(row->piece[!row->free].square) &
		           ~chess_bit(row->piece[!row->free].square);
		while (squares)
			out->at[chess_pop(&squares)] = draw;
	} else {
		squares &= chess_row_legal(row, side);
		if (row->piece[row->free].kind == CHESS_KING)
			king_effects(s, row, squares, lent, out);
		else
			row_effects(s, row, squares, lent, out);
	}
}
