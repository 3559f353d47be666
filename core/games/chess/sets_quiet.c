/* SPDX-License-Identifier: MIT */
/*
 * The two operators on bitmaps: which positions have a quiet move into a set.
 *
 * Slabs are processed one by one: a position's bit is set if the bit of some position it reaches
 * is. A slab is eight vectors of eight words: vector r, lane f is the word with the row piece on
 * file f, rank r. So a step of the row piece moves vectors and lanes, a step of the word piece
 * shifts bits, and the same few lines slide either: along a ray, a square reaches its neighbour and
 * what that reaches, unless the neighbour is occupied.
 */
#include "sets.h"

#include <string.h>

typedef uint64_t vec __attribute__((vector_size(64), may_alias));

#define INLINE static inline __attribute__((always_inline))

/* Squares, as rows or as bits, without another piece. */
struct open {
	vec rows[8];  /* [a]: bit x: row piece may pass a while the word piece is on x */
	vec words[8]; /* [a]: bit x: word piece may pass x while the row piece is on a */
};

/* Lane f takes lane f+df, or zeros if there is none. */
INLINE vec lanes_from(vec v, int df)
{
	const vec none = {0};
	switch (df) {
	case -4:
		return __builtin_shufflevector(v, none, 8, 8, 8, 8, 0, 1, 2, 3);
	case -2:
		return __builtin_shufflevector(v, none, 8, 8, 0, 1, 2, 3, 4, 5);
	case -1:
		return __builtin_shufflevector(v, none, 8, 0, 1, 2, 3, 4, 5, 6);
	case 1:
		return __builtin_shufflevector(v, none, 1, 2, 3, 4, 5, 6, 7, 8);
	case 2:
		return __builtin_shufflevector(v, none, 2, 3, 4, 5, 6, 7, 8, 8);
	case 4:
		return __builtin_shufflevector(v, none, 4, 5, 6, 7, 8, 8, 8, 8);
	default:
		return v;
	}
}

/* Files from which a step of df files stays on the board. */
INLINE uint64_t files_before(int df)
{
	switch (df) {
	case -2:
		return ~(CHESS_FILE_A | CHESS_FILE_A << 1);
	case -1:
		return ~CHESS_FILE_A;
	case 1:
		return ~CHESS_FILE_H;
	case 2:
		return ~(CHESS_FILE_H | CHESS_FILE_H >> 1);
	default:
		return ~UINT64_C(0);
	}
}

/* Bit x takes bit x+n; the caller masks what crosses an edge. */
INLINE vec bits_shift(vec v, int n)
{
	return n > 0 ? v >> n : v << -n;
}

/* Bit x takes the bit of the square df files and dr ranks further. */
INLINE vec bits_from(vec v, int df, int dr)
{
	return bits_shift(v, 8 * dr + df) & files_before(df);
}

/* ---- the row piece ---- */

INLINE void rows_step(const vec to[8], vec out[8], int df, int dr)
{
	for (int r = 0; r < 8; r++)
		if (r + dr >= 0 && r + dr < 8)
			out[r] |= lanes_from(to[r + dr], df);
}

/* Along a rank each step doubles the reach: one, two, four squares. */
INLINE vec rank_slide(vec to, vec open, int df)
{
	vec reach = to & open;
	reach |= open & lanes_from(reach, df);
	open &= lanes_from(open, df);
	reach |= open & lanes_from(reach, 2 * df);
	open &= lanes_from(open, 2 * df);
	reach |= open & lanes_from(reach, 4 * df);
	return lanes_from(reach, df);
}

INLINE void rows_slide(const vec to[8], const vec open[8], vec out[8], int df, int dr)
{
	vec reach = {0};
	for (int i = 0; i < 8; i++) {
		int r = dr > 0 ? 7 - i : i;
		if (dr == 0) {
			out[r] |= rank_slide(to[r], open[r], df);
		} else {
			out[r] |= reach;
			reach = lanes_from((to[r] | reach) & open[r], df);
		}
	}
}

/* `twice` is the target of double pawn steps. */
static void rows_pre(struct chess_piece piece, const vec to[8], const vec twice[8],
                     const struct open *open, vec out[8])
{
	switch (piece.kind) {
	case CHESS_QUEEN:
	case CHESS_ROOK:
		rows_slide(to, open->rows, out, 0, 1);
		rows_slide(to, open->rows, out, 0, -1);
		rows_slide(to, open->rows, out, 1, 0);
		rows_slide(to, open->rows, out, -1, 0);
		if (piece.kind == CHESS_ROOK)
			break;
		/* fall through */
	case CHESS_BISHOP:
		rows_slide(to, open->rows, out, 1, 1);
		rows_slide(to, open->rows, out, 1, -1);
		rows_slide(to, open->rows, out, -1, 1);
		rows_slide(to, open->rows, out, -1, -1);
		break;
	case CHESS_KNIGHT:
		for (int df = -1; df <= 1; df += 2)
			for (int dr = -2; dr <= 2; dr += 4)
				rows_step(to, out, df, dr);
		for (int df = -2; df <= 2; df += 4)
			for (int dr = -1; dr <= 1; dr += 2)
				rows_step(to, out, df, dr);
		break;
	case CHESS_KING:
		for (int df = -1; df <= 1; df++)
			for (int dr = -1; dr <= 1; dr++)
				if (df || dr)
					rows_step(to, out, df, dr);
		break;
	default:
		if (piece.side == EL_WHITE) {
			rows_step(to, out, 0, 1);
			out[1] |= twice[3] & open->rows[2];
		} else {
			rows_step(to, out, 0, -1);
			out[6] |= twice[4] & open->rows[5];
		}
	}
}

/* ---- the word piece ---- */

INLINE vec word_slide(vec to, vec open, int df, int dr)
{
	const int n = 8 * dr + df;
	vec reach = to & open;
	open &= files_before(df);
	reach |= open & bits_shift(reach, n);
	open &= bits_shift(open, n);
	reach |= open & bits_shift(reach, 2 * n);
	open &= bits_shift(open, 2 * n);
	reach |= open & bits_shift(reach, 4 * n);
	return bits_from(reach, df, dr);
}

INLINE vec word_rook(vec to, vec open)
{
	return word_slide(to, open, 0, 1) | word_slide(to, open, 0, -1) |
	       word_slide(to, open, 1, 0) | word_slide(to, open, -1, 0);
}

INLINE vec word_bishop(vec to, vec open)
{
	return word_slide(to, open, 1, 1) | word_slide(to, open, 1, -1) |
	       word_slide(to, open, -1, 1) | word_slide(to, open, -1, -1);
}

INLINE vec word_knight(vec to)
{
	return bits_from(to, 1, 2) | bits_from(to, 1, -2) | bits_from(to, -1, 2) |
	       bits_from(to, -1, -2) | bits_from(to, 2, 1) | bits_from(to, 2, -1) |
	       bits_from(to, -2, 1) | bits_from(to, -2, -1);
}

INLINE vec word_king(vec to)
{
	const vec beside = bits_from(to, 1, 0) | bits_from(to, -1, 0), rank = to | beside;
	return beside | bits_from(rank, 0, 1) | bits_from(rank, 0, -1);
}

INLINE vec word_pawn(unsigned side, vec to, vec twice, vec open)
{
	if (side == EL_WHITE)
		return to >> 8 | ((twice >> 8 & open) >> 8 & (CHESS_RANK_1 << 8));
	return to << 8 | ((twice << 8 & open) << 8 & (CHESS_RANK_8 >> 8));
}

static void words_pre(struct chess_piece piece, const vec to[8], const vec twice[8],
                      const struct open *open, vec out[8])
{
	for (int r = 0; r < 8; r++) {
		switch (piece.kind) {
		case CHESS_QUEEN:
			out[r] |= word_rook(to[r], open->words[r]) |
			          word_bishop(to[r], open->words[r]);
			break;
		case CHESS_ROOK:
			out[r] |= word_rook(to[r], open->words[r]);
			break;
		case CHESS_BISHOP:
			out[r] |= word_bishop(to[r], open->words[r]);
			break;
		case CHESS_KNIGHT:
			out[r] |= word_knight(to[r]);
			break;
		case CHESS_KING:
			out[r] |= word_king(to[r]);
			break;
		default:
			out[r] |= word_pawn(piece.side, to[r], twice[r], open->words[r]);
		}
	}
}

/* ---- the outer pieces: they move between slabs ---- */

/* ORs in a slab, except positions whose row piece or word piece stands in `between`. */
static void slab_or(vec out[8], const uint64_t *words, uint64_t between)
{
	const vec *to = (const vec *)words;
	const vec file = {0, 1, 2, 3, 4, 5, 6, 7};
	for (int r = 0; r < 8; r++) {
		vec rank = (vec){0} + (between >> 8 * r);
		vec clear = (rank >> file & 1) - 1;
		out[r] |= to[r] & clear & ~between;
	}
}

/* The input of an operator on a unit. */
struct quiet {
	const struct chess_sets *sets;
	unsigned side;
	const uint64_t *const *to; /* by link */
	const uint64_t *here;      /* the first link, or null */
	struct chess_steps steps;  /* the other links */
	const bool *busy;          /* by slab: is `here` non-empty in any layer? */
};

/* The target of a pawn's double steps: the layer in which it can be captured en passant, if there
   is one. */
static const uint64_t *twice_of(const struct quiet *q, unsigned p)
{
	return q->here + q->sets->layer[p] * q->sets->layer_words;
}

static void outer_pre(const struct quiet *q, const struct chess_slab *slab, unsigned p, vec out[8])
{
	const struct chess_sets *c = q->sets;
	const struct chess_piece piece = slab->piece[p];
	const unsigned from = piece.square;
	const size_t base = slab->number - c->stride[p] * from;
	uint64_t reach;

	if (piece.kind == CHESS_PAWN) {
		bool white = piece.side == EL_WHITE;
		reach = white ? chess_bit(from) << 8 : chess_bit(from) >> 8;
		unsigned two = white ? from + 16 : from - 16;
		if (chess_rank(from) == (white ? 1 : 6) && !(reach & slab->occupied))
			slab_or(out, twice_of(q, p) + (base + c->stride[p] * two) * CHESS_SLAB,
			        reach);
	} else {
		reach = chess_attacks(piece.kind, from, slab->occupied);
	}
	reach &= ~slab->occupied;
	while (reach) {
		unsigned at = chess_pop(&reach);
		size_t number = base + c->stride[p] * at;
		if (q->busy[number])
			slab_or(out, q->here + number * CHESS_SLAB, chess_between(from, at));
	}
}

static void slab_add(vec out[8], const uint64_t *words)
{
	for (unsigned r = 0; r < 8; r++)
		out[r] |= ((const vec *)words)[r];
}

/* Moves of a king that selects the unit: they lead to other units. */
static void king_pre(const struct quiet *q, const struct chess_slab *slab, vec out[8])
{
	const struct chess_sets *c = q->sets;
	for (unsigned n = 0; n < q->steps.count; n++) {
		const unsigned symmetry = q->steps.symmetry[n];
		const uint64_t *words = q->to[n + 1];
		if (!words)
			continue;
		if (!symmetry) {
			slab_add(out, words + slab->number * CHESS_SLAB);
			continue;
		}
		for (unsigned p = chess_first_outer(c); p < chess_row_piece(c); p++)
			words += c->stride[p] * chess_symmetric(symmetry, slab->piece[p].square) *
			         CHESS_SLAB;
		if (chess_slab_empty(words))
			continue;
		/* The slab there, seen through the symmetry. */
		_Alignas(64) uint64_t image[CHESS_SLAB];
		for (unsigned a = 0; a < CHESS_SLAB; a++)
			image[a] = words[chess_symmetric(symmetry, a)];
		if (symmetry & CHESS_TRANSPOSE)
			for (unsigned a = 0; a < CHESS_SLAB; a++)
				image[a] = chess_transpose(image[a]);
		if (symmetry & CHESS_FLIP)
			for (unsigned a = 0; a < CHESS_SLAB; a++)
				image[a] = chess_flip_ranks(image[a]);
		if (symmetry & CHESS_MIRROR)
			for (unsigned a = 0; a < CHESS_SLAB; a++)
				image[a] = chess_mirror_files(image[a]);
		slab_add(out, image);
	}
}

/* ---- a slab, and all of them ---- */

static void slab_pre(const struct quiet *q, const struct chess_slab *slab, vec out[8])
{
	const struct chess_sets *c = q->sets;
	const unsigned row = chess_row_piece(c), word = chess_word_piece(c);
	const size_t at = slab->number * CHESS_SLAB;

	king_pre(q, slab, out);
	if (!q->here)
		return;
	for (unsigned p = chess_first_outer(c); p < row; p++)
		if (c->piece[p].side == q->side)
			outer_pre(q, slab, p, out);
	if (!q->busy[slab->number])
		return;
	struct open open;
	for (unsigned a = 0; a < CHESS_SLAB; a++) {
		((uint64_t *)open.rows)[a] = slab->occupied >> a & 1 ? 0 : ~chess_bit(a);
		((uint64_t *)open.words)[a] = ~(slab->occupied | chess_bit(a));
	}
	if (c->piece[row].side == q->side)
		rows_pre(c->piece[row], (const vec *)(q->here + at),
		         (const vec *)(twice_of(q, row) + at), &open, out);
	if (c->piece[word].side == q->side)
		words_pre(c->piece[word], (const vec *)(q->here + at),
		          (const vec *)(twice_of(q, word) + at), &open, out);
}

/* Is the slab empty in all layers? */
static bool empty_at(const struct chess_sets *c, const uint64_t *set, size_t number)
{
	bool empty = true;
	for (unsigned l = 0; l < c->layers && empty; l++)
		empty = chess_slab_empty(set + l * c->layer_words + number * CHESS_SLAB);
	return empty;
}

size_t chess_pre_scratch(const struct chess_sets *c)
{
	return c->slabs * sizeof(bool);
}

/* from = the positions in `among` with a quiet move into the set or, negated, without one. */
static void quiet_pre(const struct el_sets *sets, unsigned side, size_t unit,
                      const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, bool negate,
                      uint64_t *from, bool *busy)
{
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const struct quiet q = {
		.sets = c,
		.side = side,
		.to = to,
		.here = to[0],
		.steps = chess_king_steps(c, side, unit),
		.busy = busy,
	};
	/* Late in a solution most slabs of a set are empty and can be skipped. */
	for (size_t number = 0; number < c->slabs && q.here; number++)
		busy[number] = !empty_at(c, q.here, number);
	const vec flip = (vec){0} - (uint64_t)negate;
	for (size_t number = 0; number < c->slabs; number++) {
		vec pre[8] = {0};
		if (!empty_at(c, among, number)) {
			const struct chess_slab slab = chess_slab(c, unit, number);
			slab_pre(&q, &slab, pre);
		}
		/* The positions of all layers have the same quiet moves: en passant is a
		   conversion. */
		for (unsigned l = 0; l < c->layers; l++) {
			const size_t at = l * c->layer_words + number * CHESS_SLAB;
			const vec *asked = (const vec *)(among + at);
			for (unsigned r = 0; r < 8; r++)
				((vec *)(from + at))[r] = (pre[r] ^ flip) & asked[r];
		}
	}
}

void chess_pre_some(const struct el_sets *sets, unsigned side, size_t unit,
                    const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, uint64_t *from,
                    void *scratch)
{
	quiet_pre(sets, side, unit, to, among, false, from, scratch);
}

void chess_pre_none(const struct el_sets *sets, unsigned side, size_t unit,
                    const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, uint64_t *from,
                    void *scratch)
{
	quiet_pre(sets, side, unit, to, among, true, from, scratch);
}
