/* SPDX-License-Identifier: MIT */
/*
 * The two operators word by word, for the few positions that late passes are about. A word is a
 * placement of all pieces but the word piece; its quiet moves are listed, instead of those of all
 * words of a slab at once (sets_quiet.c).
 */
#include "sets.h"

/* A word of a unit: where its pieces stand. */
struct spot {
	const struct chess_sets *sets;
	uint64_t standing; /* pieces that are on the same squares in the whole unit */
	size_t slab;       /* its number; SIZE_MAX: none yet */
	unsigned layer;
	size_t word;                      /* in the layer */
	uint64_t group[CHESS_PIECES_MAX]; /* the squares of each group but the word piece */
	uint64_t occupied;                /* all of these */
};

static struct spot spot_in(const struct chess_sets *c, size_t unit)
{
	const struct chess_slab slab = chess_slab(c, unit, 0);
	struct spot s = {.sets = c,
	                 .standing = c->standing[EL_WHITE] | c->standing[EL_BLACK],
	                 .slab = SIZE_MAX};
	for (unsigned p = 0; p < c->pinned + c->fixed; p++)
		s.standing |= chess_bit(slab.piece[p].square);
	return s;
}

/* Words in ascending order are looked at slab by slab. */
static void spot_move(struct spot *s, size_t word)
{
	const struct chess_sets *c = s->sets;
	const unsigned row = c->groups - 2;
	s->layer = (unsigned)(word / c->layer_words);
	s->word = word % c->layer_words;
	size_t number = s->word / c->slab_words;
	if (number != s->slab) {
		s->slab = number;
		for (unsigned g = row; g-- > 0; number /= c->alike[g].placements) {
			const uint32_t rank = (uint32_t)(number % c->alike[g].placements);
			s->group[g] = c->alike[g].count == 1
			                      ? chess_bit(rank)
			                      : choose_unrank(rank, c->alike[g].count);
		}
	}
	s->group[row] = c->rows->set[s->word % c->slab_words];
	s->occupied = s->standing;
	for (unsigned g = 0; g <= row; g++)
		s->occupied |= s->group[g];
}

/* A quiet move between the spot's word and another one of the unit; `free`: it is possible if the
   word piece stands on one of these squares. */
typedef void each_move(void *context, size_t word, uint64_t free);

#define INLINE static inline __attribute__((always_inline))

INLINE void list_pawn_moves(const struct spot *s, unsigned group, bool back, each_move *each,
                            void *context)
{
	const struct chess_sets *c = s->sets;
	const unsigned pawn = c->alike[group].first, at = chess_first(s->group[group]);
	const bool white = c->piece[pawn].side == EL_WHITE, up = white != back;
	const unsigned one = up ? at + 8 : at - 8, two = up ? at + 16 : at - 16;
	const unsigned second = white ? 1 : 6, fourth = white ? 3 : 4;
	const size_t stride = c->alike[group].stride / 64, base = s->word - stride * at;
	if (s->occupied >> one & 1)
		return;
	/* A single step leads to layer 0, a double one to the layer of the pawn. */
	if (!back || !s->layer)
		each(context, base + stride * one, UINT64_MAX);
	if (chess_rank(at) != (back ? fourth : second) || s->occupied >> two & 1)
		return;
	if (!back)
		each(context, c->layer[pawn] * c->layer_words + base + stride * two,
		     ~chess_bit(one));
	else if (s->layer == c->layer[pawn])
		each(context, base + stride * two, ~chess_bit(one));
}

/* Calls `each` for the moves of a side's pieces, other than the word piece and kings that select the
   unit: from the spot or, `back`, to it. */
INLINE void list_moves(const struct spot *s, unsigned side, bool back, each_move *each,
                       void *context)
{
	const struct chess_sets *c = s->sets;
	for (unsigned g = 0; g + 1 < c->groups; g++) {
		const struct chess_piece piece = c->piece[c->alike[g].first];
		const size_t stride = c->alike[g].stride / 64;
		const size_t base = s->word - stride * choose_rank(s->group[g]);
		const bool slides = piece.kind != CHESS_KING && piece.kind != CHESS_KNIGHT;
		if (piece.side != side)
			continue;
		if (piece.kind == CHESS_PAWN) { /* alone in its group */
			list_pawn_moves(s, g, back, each, context);
			continue;
		}
		for (uint64_t left = back && s->layer ? 0 : s->group[g]; left;) {
			const unsigned from = chess_pop(&left);
			const uint64_t others = s->group[g] & ~chess_bit(from);
			uint64_t reach =
				chess_attacks(piece.kind, from, s->occupied) & ~s->occupied;
			while (reach) {
				const unsigned at = chess_pop(&reach);
				const uint32_t rank =
					others ? choose_rank(others | chess_bit(at)) : at;
				each(context, base + stride * rank,
				     slides ? ~chess_between(from, at) : UINT64_MAX);
			}
		}
	}
}

/* ---- which positions have a move into the set ---- */

struct pushing {
	uint64_t *from, *marks;
	size_t layers, layer_words;
	uint64_t bits;
};

/* The positions of all layers have the same quiet moves. */
static void push(void *context, size_t word, uint64_t free)
{
	const struct pushing *p = context;
	const uint64_t bits = p->bits & free;
	for (size_t l = 0; l < p->layers && bits; l++, word += p->layer_words) {
		p->from[word] |= bits;
		p->marks[word / 64] |= UINT64_C(1) << word % 64;
	}
}

void chess_some_few(const struct el_sets *sets, unsigned side, size_t unit, size_t link,
                    const struct el_word *to, size_t count, uint64_t *from, uint64_t *marks)
{
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const unsigned word = chess_word_piece(c);
	const struct chess_steps steps = chess_king_steps(c, side, unit);
	struct spot s = spot_in(c, link ? steps.unit[link - 1] : unit);
	struct pushing p = {from, marks, c->layers, c->layer_words, 0};
	for (size_t i = 0; i < count; i++) {
		p.bits = to[i].bits;
		spot_move(&s, to[i].word);
		if (link && !s.layer) {
			const unsigned symmetry = steps.symmetry[link - 1];
			size_t here = 0;
			for (unsigned g = 0; g + 1 < c->groups; g++)
				here += c->alike[g].stride / 64 *
				        choose_rank(chess_seen_through(symmetry, s.group[g]));
			p.bits = chess_seen_through(symmetry, p.bits);
			push(&p, here, UINT64_MAX);
		} else if (!link) {
			list_moves(&s, side, true, push, &p);
			if (c->piece[word].side != side)
				continue;
			p.bits = chess_word_pre(c->piece[word], s.layer ? 0 : to[i].bits,
			                        s.layer == c->layer[word] ? to[i].bits : 0,
			                        s.occupied);
			push(&p, s.word, UINT64_MAX);
		}
	}
}

/* ---- which have none ---- */

struct seeing {
	const uint64_t *to;
	uint64_t bits; /* that see the set */
};

static void see(void *context, size_t word, uint64_t free)
{
	struct seeing *s = context;
	s->bits |= s->to[word] & free;
}

void chess_none_few(const struct el_sets *sets, unsigned side, size_t unit,
                    const uint64_t *const to[EL_LINKS_MAX], struct el_word *among, size_t count)
{
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const unsigned word = chess_word_piece(c), row = c->groups - 2;
	const struct chess_steps steps = chess_king_steps(c, side, unit);
	struct spot s = spot_in(c, unit);
	for (size_t i = 0; i < count; i++) {
		spot_move(&s, among[i].word);
		struct seeing seen = {to[0], 0};
		if (to[0] && c->piece[word].side == side)
			seen.bits |= chess_word_pre(c->piece[word], to[0][s.word],
			                            to[0][c->layer[word] * c->layer_words + s.word],
			                            s.occupied);
		for (unsigned n = 0; n < steps.count && among[i].bits & ~seen.bits; n++) {
			const unsigned symmetry = steps.symmetry[n];
			if (!to[n + 1])
				continue;
			size_t there = c->rows->image[symmetry][s.word % c->slab_words];
			for (unsigned g = 0; g < row; g++)
				there += c->alike[g].stride / 64 *
				         choose_rank(chess_symmetric_set(symmetry, s.group[g]));
			seen.bits |= chess_seen_through(symmetry, to[n + 1][there]);
		}
		if (to[0] && among[i].bits & ~seen.bits)
			list_moves(&s, side, false, see, &seen);
		among[i].bits &= ~seen.bits;
	}
}
