/* SPDX-License-Identifier: MIT */
/*
 * The two operators on bitmaps: which positions have a quiet move into a set.
 *
 * Slabs are processed one by one: a position's bit is set if the bit of some position it reaches
 * is. A line is eight vectors of eight words: vector r, lane f is the word with the row piece on
 * file f, rank r. So a step of the row piece moves vectors and lanes, a step of the word piece
 * shifts bits, and the same few lines of code slide either: along a ray, a square reaches its
 * neighbour and what that reaches, unless the neighbour is occupied. If the row group has several
 * pieces, the words of each line are first gathered from the slab.
 */
#include "sets.h"

#include <string.h>

typedef uint64_t vec __attribute__((vector_size(64), may_alias));
/* For loops over words alone. Compilers keep a vec in memory, and compare its lanes one by one, where
   the processor's vectors are shorter. */
typedef uint64_t half __attribute__((vector_size(32), may_alias));

#define INLINE static inline __attribute__((always_inline))

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

/* `open`: see fill_open. `twice` is the target of double pawn steps. */
static void line_pre(struct chess_piece piece, const vec to[8], const vec twice[8],
                     const vec open[8], vec out[8])
{
	switch (piece.kind) {
	case CHESS_QUEEN:
	case CHESS_ROOK:
		rows_slide(to, open, out, 0, 1);
		rows_slide(to, open, out, 0, -1);
		rows_slide(to, open, out, 1, 0);
		rows_slide(to, open, out, -1, 0);
		if (piece.kind == CHESS_ROOK)
			break;
		/* fall through */
	case CHESS_BISHOP:
		rows_slide(to, open, out, 1, 1);
		rows_slide(to, open, out, 1, -1);
		rows_slide(to, open, out, -1, 1);
		rows_slide(to, open, out, -1, -1);
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
			out[1] |= twice[3] & open[2];
		} else {
			rows_step(to, out, 0, -1);
			out[6] |= twice[4] & open[5];
		}
	}
}

/* ---- the word piece ---- */

/* Is there no position in these words? */
static inline bool slab_empty(const uint64_t *slab, size_t words)
{
	for (size_t w = 0; w < words; w += 8) {
		uint64_t any = 0;
		for (size_t a = w; a < w + 8; a++)
			any |= slab[a];
		if (any)
			return false;
	}
	return true;
}

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

/* For `count` vectors of words, whose row groups stand on `rows`. */
static void words_pre(struct chess_piece piece, const vec *to, const vec *twice, const vec *rows,
                      uint64_t occupied, size_t count, vec *out)
{
	for (size_t r = 0; r < count; r++) {
		const vec open = ~(rows[r] | occupied);
		/* A pawn's double steps may lead elsewhere; a slab of one line is rarely empty. */
		if (count > 8 && piece.kind != CHESS_PAWN &&
		    slab_empty((const uint64_t *)&to[r], 8))
			continue;
		switch (piece.kind) {
		case CHESS_QUEEN:
			out[r] |= word_rook(to[r], open) | word_bishop(to[r], open);
			break;
		case CHESS_ROOK:
			out[r] |= word_rook(to[r], open);
			break;
		case CHESS_BISHOP:
			out[r] |= word_bishop(to[r], open);
			break;
		case CHESS_KNIGHT:
			out[r] |= word_knight(to[r]);
			break;
		case CHESS_KING:
			out[r] |= word_king(to[r]);
			break;
		default:
			out[r] |= word_pawn(piece.side, to[r], twice[r], open);
		}
	}
}

uint64_t chess_word_pre(struct chess_piece piece, uint64_t to, uint64_t twice, uint64_t occupied)
{
	const vec one = {to}, two = {twice}, none = {0};
	vec out = {0};
	words_pre(piece, &one, &two, &none, occupied, 1, &out);
	return out[0];
}

/* ---- the outer pieces: they move between slabs ---- */

/* The input of an operator on a unit. */
struct quiet {
	const struct chess_sets *sets;
	unsigned side;
	const uint64_t *const *to; /* by link */
	const uint64_t *here;      /* the first link, or null */
	struct chess_steps steps;  /* the other links */
	const bool *busy;          /* by slab: is `here` non-empty in any layer? */
	size_t vectors;            /* of a slab */
	const vec *rows;           /* the squares of the row group, by word of a slab */
};

/* ORs in a slab, except positions whose row group or word piece stands in `between`. */
static void slab_or(const struct quiet *q, const uint64_t *words, uint64_t between, vec *out)
{
	const half *to = (const half *)words, *rows = (const half *)q->rows;
	half *into = (half *)out;
	for (size_t h = 0; h < 2 * q->vectors && !between; h++)
		into[h] |= to[h];
	for (size_t h = 0; h < 2 * q->vectors && between; h++)
		into[h] |= to[h] & (half)((rows[h] & between) == 0) & ~between;
}

/* The target of a pawn's double steps: the layer in which it can be captured en passant, if there
   is one. */
static const uint64_t *twice_of(const struct quiet *q, unsigned p)
{
	return q->here + q->sets->layer[p] * q->sets->layer_words;
}

static uint64_t squares_of(const struct chess_slab *slab, const struct chess_alike *group)
{
	uint64_t set = 0;
	for (unsigned p = group->first; p < group->first + group->count; p++)
		set |= chess_bit(slab->piece[p].square);
	return set;
}

/* Moves of an outer group, piece by piece. */
static void outer_pre(const struct quiet *q, const struct chess_slab *slab,
                      const struct chess_alike *group, vec *out)
{
	const struct chess_sets *c = q->sets;
	const size_t words = group->stride / 64;
	const uint64_t all = squares_of(slab, group);
	const size_t base = slab->word - words * choose_rank(all);
	for (unsigned p = group->first; p < group->first + group->count; p++) {
		const struct chess_piece piece = slab->piece[p];
		const unsigned from = piece.square;
		const uint64_t others = all & ~chess_bit(from);
		uint64_t reach;
		if (piece.kind == CHESS_PAWN) {
			bool white = piece.side == EL_WHITE;
			reach = white ? chess_bit(from) << 8 : chess_bit(from) >> 8;
			unsigned two = white ? from + 16 : from - 16;
			if (chess_rank(from) == (white ? 1 : 6) && !(reach & slab->occupied))
				slab_or(q, twice_of(q, p) + base + words * two, reach, out);
		} else {
			reach = chess_attacks(piece.kind, from, slab->occupied);
		}
		reach &= ~slab->occupied;
		while (reach) {
			const unsigned at = chess_pop(&reach);
			const size_t word = base + words * choose_rank(others | chess_bit(at));
			if (q->busy[word / c->slab_words])
				slab_or(q, q->here + word, chess_between(from, at), out);
		}
	}
}

/* Moves of a king that selects the unit: they lead to other units. */
static void king_pre(const struct quiet *q, const struct chess_slab *slab, vec *out)
{
	const struct chess_sets *c = q->sets;
	for (unsigned n = 0; n < q->steps.count; n++) {
		const unsigned symmetry = q->steps.symmetry[n];
		const uint64_t *words = q->to[n + 1];
		if (!words)
			continue;
		if (!symmetry && slab_empty(words + slab->word, c->slab_words))
			continue;
		if (!symmetry) {
			slab_or(q, words + slab->word, 0, out);
			continue;
		}
		for (unsigned g = 0; g + 2 < c->groups; g++)
			words += c->alike[g].stride / 64 *
			         choose_rank(chess_symmetric_set(symmetry,
			                                         squares_of(slab, &c->alike[g])));
		if (slab_empty(words, c->slab_words))
			continue;
		/* The slab there, seen through the symmetry. */
		const uint32_t *image = c->rows->image[symmetry];
		for (size_t r = 0; r < c->slab_words; r++) {
			const uint64_t word = words[image[r]];
			if (word)
				((uint64_t *)out)[r] |= chess_seen_through(symmetry, word);
		}
	}
}

/* ---- a slab, and all of them ---- */

/* Bit x of word a: the row piece may pass a while the word piece is on x. */
static void fill_open(uint64_t taken, uint64_t open[CHESS_LINE])
{
	for (unsigned a = 0; a < CHESS_LINE; a++)
		open[a] = taken >> a & 1 ? 0 : ~chess_bit(a);
}

/* The moves of a row group of several pieces: each line with a position asked about and one to
   reach. */
static void lines_pre(const struct quiet *q, const struct chess_slab *slab, const uint64_t *among,
                      vec *out)
{
	const struct chess_sets *c = q->sets;
	const struct chess_rows *rows = c->rows;
	const uint64_t *to = q->here + slab->word;
	uint64_t seen[2] = {0, 0}; /* squares of row groups with positions */
	for (size_t r = 0; r < c->slab_words; r++) {
		seen[0] |= to[r] ? rows->set[r] : 0;
		seen[1] |= among[r] ? rows->set[r] : 0;
	}
	for (size_t line = 0; line < rows->lines; line++) {
		const uint64_t others = rows->others[line], taken = others | slab->occupied;
		const uint32_t *row = rows->row + line * CHESS_LINE;
		_Alignas(64) uint64_t there[CHESS_LINE], open[CHESS_LINE];
		vec pre[8] = {0};
		if ((others & ~(seen[0] & seen[1])) || (others & slab->occupied))
			continue;
		fill_open(taken, open);
		for (unsigned a = 0; a < CHESS_LINE; a++)
			there[a] = taken >> a & 1 ? 0 : to[row[a]];
		line_pre(c->piece[chess_row_piece(c)], (const vec *)there, (const vec *)there,
		         (const vec *)open, pre);
		for (uint64_t free = ~taken; free;) {
			const unsigned a = chess_pop(&free);
			((uint64_t *)out)[row[a]] |= ((uint64_t *)pre)[a];
		}
	}
}

/* `among`: the slab's words of the positions asked about. */
static void slab_pre(const struct quiet *q, const struct chess_slab *slab, const uint64_t *among,
                     vec *out)
{
	const struct chess_sets *c = q->sets;
	const unsigned row = chess_row_piece(c), word = chess_word_piece(c);

	king_pre(q, slab, out);
	if (!q->here)
		return;
	for (unsigned g = 0; g + 2 < c->groups; g++)
		if (c->piece[c->alike[g].first].side == q->side)
			outer_pre(q, slab, &c->alike[g], out);
	if (!q->busy[slab->word / c->slab_words])
		return;
	if (c->piece[row].side == q->side && c->rows->pieces > 1) {
		lines_pre(q, slab, among, out);
	} else if (c->piece[row].side == q->side) {
		_Alignas(64) uint64_t open[CHESS_LINE];
		fill_open(slab->occupied, open);
		line_pre(c->piece[row], (const vec *)(q->here + slab->word),
		         (const vec *)(twice_of(q, row) + slab->word), (const vec *)open, out);
	}
	if (c->piece[word].side == q->side)
		words_pre(c->piece[word], (const vec *)(q->here + slab->word),
		          (const vec *)(twice_of(q, word) + slab->word), q->rows, slab->occupied,
		          q->vectors, out);
}

/* Is the slab empty in all layers? */
static bool empty_at(const struct chess_sets *c, const uint64_t *set, size_t number)
{
	bool empty = true;
	for (unsigned l = 0; l < c->layers && empty; l++)
		empty = slab_empty(set + l * c->layer_words + number * c->slab_words,
		                   c->slab_words);
	return empty;
}

/* Scratch memory holds a slab, and whether each slab is busy. */
size_t chess_pre_scratch(const struct chess_sets *c)
{
	return c->slab_words * sizeof(uint64_t) + c->slabs * sizeof(bool);
}

void chess_pre(const struct el_sets *sets, unsigned side, size_t unit,
               const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, bool some,
               uint64_t *from, void *scratch)
{
	const struct chess_sets *c = (const struct chess_sets *)sets;
	vec *pre = scratch;
	bool *busy = (bool *)((uint64_t *)scratch + c->slab_words);
	const struct quiet q = {
		.sets = c,
		.side = side,
		.to = to,
		.here = to[0],
		.steps = chess_king_steps(c, side, unit),
		.busy = busy,
		.vectors = c->slab_words / 8,
		.rows = (const vec *)c->rows->set,
	};
	/* Late in a solution most slabs of a set are empty and can be skipped. */
	for (size_t number = 0; number < c->slabs && q.here; number++)
		busy[number] = !empty_at(c, q.here, number);
	const half flip = (half){0} - (uint64_t)!some;
	for (size_t number = 0; number < c->slabs; number++) {
		memset(pre, 0, q.vectors * sizeof *pre);
		if (!empty_at(c, among, number)) {
			const struct chess_slab slab = chess_slab(c, unit, number);
			slab_pre(&q, &slab, among + slab.word, pre);
		}
		/* The positions of all layers have the same quiet moves: en passant is a
		   conversion. */
		for (unsigned l = 0; l < c->layers; l++) {
			const size_t at = l * c->layer_words + number * c->slab_words;
			const half *asked = (const half *)(among + at);
			for (size_t h = 0; h < 2 * q.vectors; h++)
				((half *)(from + at))[h] = (((half *)pre)[h] ^ flip) & asked[h];
		}
	}
}
