/* SPDX-License-Identifier: MIT */
#include "frames.h"

#include "chess.h"
#include "sets_successor.h"

#include <string.h>

unsigned chess_frame_order(const struct chess_frame *f)
{
	/* Each capture lowers the number of pieces, each promotion that of pawns, each step the
	   ranks that pawns have before them. */
	unsigned pieces = 0, pawns = 0, left = 0;
	for (unsigned side = 0; side < 2; side++) {
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++)
			pieces += f->officers[side][kind];
		for (uint64_t set = f->pawns[side]; set; pawns++) {
			const unsigned rank = chess_rank(chess_pop(&set));
			left += side == EL_WHITE ? 7 - rank : rank;
		}
	}
	return ((pieces + pawns) * 17 + pawns) * 128 + left;
}

/* ---- layout ---- */

/* Pawns of `side` that the enemy may capture en passant after a double step. */
static uint64_t may_be_passed(const struct chess_frame *f, unsigned side)
{
	const uint64_t all = f->pawns[EL_WHITE] | f->pawns[EL_BLACK];
	const uint64_t there = f->pawns[side] & (side == EL_WHITE ? CHESS_RANK_1 << 24 : CHESS_RANK_1 << 32);
	const uint64_t taken = side == EL_WHITE ? all << 8 | all << 16 : all >> 8 | all >> 16;
	return there & ~taken & chess_sideways(f->pawns[!side]);
}

static unsigned layer_of(const struct chess_layout *l, unsigned side, unsigned square)
{
	uint64_t set = may_be_passed(&l->frame, side);
	for (unsigned layer = 1; set; layer++)
		if (chess_pop(&set) == square)
			return layer;
	return 0;
}

static struct chess_kings regular[3]; /* by the number of kings that select the unit */

__attribute__((constructor)) static void fill_regular(void)
{
	for (unsigned fixed = 1; fixed < 3; fixed++)
		for (unsigned n = 0; n < 64 * 64; n++) {
			const unsigned w = n / 64, b = n % 64;
			struct chess_kings *k = &regular[fixed];
			k->unit[w][b] = CHESS_NO_UNIT;
			if (fixed == 1 && b)
				continue;
			const uint16_t unit = (uint16_t)(fixed == 1 ? w : n);
			k->by_unit[unit][0] = (uint8_t)w;
			k->by_unit[unit][1] = (uint8_t)b;
			if (fixed == 2 && ((chess_king_attacks(w) | chess_bit(w)) >> b & 1))
				continue;
			k->unit[w][b] = unit;
			k->by_unit[unit][0] = (uint8_t)w;
			k->by_unit[unit][1] = (uint8_t)b;
		}
}
bool chess_layout_open(const struct chess_frame *f, struct chess_layout *l)
{
	struct chess_sets *c = &l->sets;
	memset(l, 0, sizeof *l);
	l->frame = *f;
	for (unsigned side = 0; side < 2; side++) {
		c->piece[c->pieces++] = (struct chess_piece){(uint8_t)side, CHESS_KING, 0};
		c->standing[side] = f->pawns[side];
	}
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++)
			for (unsigned n = f->officers[side][kind]; n; n--) {
				if (c->pieces == CHESS_FRAME_PIECES_MAX)
					return false;
				c->piece[c->pieces++] = (struct chess_piece){(uint8_t)side, (uint8_t)kind, 0};
			}
	c->fixed = c->pieces < 4 ? c->pieces - 2 : 2;
	c->part.kings = &regular[c->fixed];
	c->layers = 1;
	for (unsigned side = 0; side < 2; side++) {
		const unsigned n = chess_count(may_be_passed(f, side));
		c->layers = n + 1 > c->layers ? n + 1 : c->layers;
	}
	c->slabs = 1;
	for (unsigned p = chess_row_piece(c); p-- > chess_first_outer(c);) {
		c->stride[p] = c->slabs;
		c->slabs *= 64;
	}
	c->layer_words = c->slabs * CHESS_SLAB;
	c->head.units = c->fixed == 0 ? 1 : c->fixed == 1 ? 64 : 4096;
	c->head.words = c->layers * c->layer_words;
	c->head.stored_words = c->head.words;
	for (unsigned p = c->fixed; p < c->pieces; p++)
		l->stride[p] = chess_bit_stride(c, p);
	for (unsigned k = 0; k < c->fixed; k++)
		l->stride[k] = c->head.words * 64 * (c->fixed - k == 2 ? 64 : 1);
	return true;
}

/* ---- positions ---- */

void chess_frame_of(const struct el_position *p, struct chess_frame *f)
{
	*f = (struct chess_frame){.pawns = {0, 0}};
	for (unsigned side = 0; side < 2; side++) {
		f->pawns[side] = p->set[side][CHESS_PAWN];
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++)
			f->officers[side][kind] = (uint8_t)chess_count(p->set[side][kind]);
	}
}

uint64_t chess_frame_address(const struct chess_layout *l, const struct el_position *p)
{
	uint64_t left[2][CHESS_KINDS], address = 0;
	memcpy(left, p->set, sizeof left);
	for (unsigned n = 0; n < l->sets.pieces; n++) {
		const struct chess_piece piece = l->sets.piece[n];
		address += l->stride[n] * chess_pop(&left[piece.side][piece.kind]);
	}
	if (p->en_passant != EL_NO_SQUARE) {
		const unsigned pushed = p->side == EL_BLACK ? p->en_passant + 8u : p->en_passant - 8u;
		address += layer_of(l, !p->side, pushed) * l->sets.layer_words * 64;
	}
	return address;
}

bool chess_frame_position(const struct chess_layout *l, unsigned side, uint64_t address,
                          struct el_position *p)
{
	const struct chess_sets *c = &l->sets;
	const uint64_t unit = address / (c->head.words * 64), rest = address % (c->head.words * 64);
	const uint64_t layer = rest / (c->layer_words * 64), at = rest % (c->layer_words * 64);
	uint64_t occupied = c->standing[0] | c->standing[1];
	*p = (struct el_position){.side = (uint8_t)side, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned s = 0; s < 2; s++)
		p->set[s][CHESS_PAWN] = c->standing[s];
	for (unsigned n = 0; n < c->pieces; n++) {
		const unsigned square =
			n < c->fixed ? c->part.kings->by_unit[unit][n] : (unsigned)(at / l->stride[n] & 63);
		if (occupied >> square & 1)
			return false;
		occupied |= chess_bit(square);
		p->set[c->piece[n].side][c->piece[n].kind] |= chess_bit(square);
	}
	if (layer) {
		uint64_t set = may_be_passed(&l->frame, !side);
		for (uint64_t k = 1; k < layer && set; k++)
			set &= set - 1;
		if (!set)
			return false;
		const unsigned pushed = chess_first(set);
		p->en_passant = (uint8_t)(side == EL_BLACK ? pushed - 8 : pushed + 8);
	}
	return true;
}

void chess_frame_legal(const struct chess_layout *l, unsigned side, size_t unit, uint64_t *out)
{
	const struct chess_sets *c = &l->sets;
	memset(out, 0, c->layer_words * sizeof *out);
	for (size_t number = 0; number < c->slabs; number++) {
		const struct chess_slab slab = chess_slab(c, unit, number);
		struct chess_row row = {.pieces = c->pieces,
		                        .free = chess_word_piece(c),
		                        .standing = {c->standing[0], c->standing[1]}};
		memcpy(row.piece, slab.piece, sizeof row.piece);
		for (unsigned a = 0; a < CHESS_SLAB; a++) {
			row.piece[chess_row_piece(c)].square = (uint8_t)a;
			const uint64_t possible = chess_row_possible(&row);
			if (possible)
				out[number * CHESS_SLAB + a] = possible & ~chess_row_check(&row, !side);
		}
	}
}

/* ---- exits ---- */

unsigned chess_frame_exits(const struct chess_layout *l, unsigned side,
                           struct chess_exit out[CHESS_EXITS_MAX])
{
	const struct chess_sets *c = &l->sets;
	const struct chess_frame *f = &l->frame;
	const uint64_t all = f->pawns[0] | f->pawns[1], choice = chess_frame_choice(f);
	unsigned count = 0;
	struct chess_exit e;
#define NEW (e = (struct chess_exit){.to = *f, .side = (uint8_t)side, .mover = CHESS_NONE, .captured = CHESS_NONE})
	if (choice) {
		if (!(choice & f->pawns[side]))
			return 0;
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++) {
			NEW;
			e.chooses = true;
			e.square = (uint8_t)chess_first(choice);
			e.to.pawns[side] ^= choice;
			e.to.officers[side][kind]++;
			out[count++] = e;
		}
		return count;
	}
	const int up = side == EL_WHITE ? 8 : -8;
	for (uint64_t pawns = f->pawns[side]; pawns;) {
		const unsigned at = chess_pop(&pawns);
		const uint64_t one = chess_bit((unsigned)((int)at + up));
		if (!(all & one)) {
			NEW;
			e.to.pawns[side] ^= chess_bit(at) | one;
			out[count++] = e;
			const unsigned two = (unsigned)((int)at + 2 * up);
			if (chess_rank(at) == (side == EL_WHITE ? 1 : 6) && !(all >> two & 1)) {
				NEW;
				e.to.pawns[side] ^= chess_bit(at) | chess_bit(two);
				e.between = one;
				struct chess_layout to = {.frame = e.to};
				e.layer_after = (uint8_t)layer_of(&to, side, two);
				out[count++] = e;
			}
		}
		for (uint64_t targets = chess_pawn_attacks(side, at); targets;) {
			const unsigned to = chess_pop(&targets);
			if (f->pawns[!side] >> to & 1) {
				NEW;
				e.to.pawns[side] ^= chess_bit(at) | chess_bit(to);
				e.to.pawns[!side] ^= chess_bit(to);
				out[count++] = e;
			}
			for (unsigned q = 2; q < c->pieces && !(all >> to & 1); q++)
				if (c->piece[q].side != side) {
					NEW;
					e.captured = (uint8_t)q;
					e.square = (uint8_t)to;
					e.to.pawns[side] ^= chess_bit(at) | chess_bit(to);
					e.to.officers[!side][c->piece[q].kind]--;
					out[count++] = e;
				}
		}
	}
	/* en passant */
	uint64_t passed = may_be_passed(f, !side);
	for (unsigned layer = 1; passed; layer++) {
		const unsigned victim = chess_pop(&passed);
		for (uint64_t by = f->pawns[side] & chess_sideways(chess_bit(victim)); by;) {
			const unsigned at = chess_pop(&by);
			NEW;
			e.layer = (uint8_t)layer;
			e.to.pawns[!side] ^= chess_bit(victim);
			e.to.pawns[side] ^= chess_bit(at) | chess_bit((unsigned)((int)victim + up));
			out[count++] = e;
		}
	}
	for (unsigned p = 0; p < c->pieces; p++) {
		if (c->piece[p].side != side)
			continue;
		for (uint64_t pawns = f->pawns[!side]; pawns;) {
			NEW;
			e.mover = (uint8_t)p;
			e.square = (uint8_t)chess_pop(&pawns);
			e.to.pawns[!side] ^= chess_bit(e.square);
			out[count++] = e;
		}
		for (unsigned q = 2; q < c->pieces; q++)
			if (c->piece[q].side != side) {
				NEW;
				e.mover = (uint8_t)p;
				e.captured = (uint8_t)q;
				e.to.officers[!side][c->piece[q].kind]--;
				out[count++] = e;
			}
	}
	return count;
}

/* ---- moving sets through an exit ---- */

/* Positions in which some pieces are fixed: their addresses before and after, and the strides of
   the others, which may stand anywhere but between. */
struct box {
	uint64_t stride[CHESS_FRAME_PIECES_MAX], stride_after[CHESS_FRAME_PIECES_MAX];
	unsigned free;
	uint64_t between;
	const uint64_t *in;
	uint64_t *out;
	bool image;
};

static void box_move(const struct box *b, unsigned n, uint64_t before, uint64_t after)
{
	const bool last = n + 1 == b->free;
	if (last && b->stride[n] == 1 && b->stride_after[n] == 1) {
		const uint64_t in = b->in[(b->image ? before : after) / 64] & ~b->between;
		b->out[(b->image ? after : before) / 64] |= in;
		return;
	}
	for (uint64_t squares = ~b->between; squares;) {
		const unsigned at = chess_pop(&squares);
		const uint64_t x = before + b->stride[n] * at, y = after + b->stride_after[n] * at;
		if (!last) {
			box_move(b, n + 1, x, y);
			continue;
		}
		const uint64_t from = b->image ? x : y, to = b->image ? y : x;
		b->out[to / 64] |= (b->in[from / 64] >> from % 64 & 1) << to % 64;
	}
}

static void exit_move(const struct chess_exit *e, const struct chess_layout *from,
                      const struct chess_layout *to, bool image, const uint64_t *in, uint64_t *out)
{
	const struct chess_sets *c = &from->sets;
	struct box b = {.between = e->between, .in = in, .out = out, .image = image};
	unsigned added = CHESS_NONE; /* the piece after a choice */
	for (unsigned p = 2; p < to->sets.pieces && e->chooses; p++) {
		const struct chess_piece piece = to->sets.piece[p];
		if (piece.side == e->side && to->frame.officers[e->side][piece.kind] >
		                                    from->frame.officers[e->side][piece.kind])
			added = p;
	}
	uint64_t mover_after = 0;
	for (unsigned p = 0, q = 0; p < c->pieces; p++) {
		if (p == e->captured)
			continue;
		if (q == added)
			q++;
		if (p == e->mover) {
			mover_after = to->stride[q++];
			continue;
		}
		b.stride[b.free] = from->stride[p];
		b.stride_after[b.free++] = to->stride[q++];
	}
	const uint64_t after = e->layer_after * to->sets.layer_words * 64 +
	                       (added == CHESS_NONE ? 0 : to->stride[added] * e->square);
	const uint64_t standing = c->standing[0] | c->standing[1];
	for (unsigned layer = e->layer; layer < c->layers; layer++) {
		const uint64_t before = layer * c->layer_words * 64;
		if (e->mover == CHESS_NONE) {
			box_move(&b, 0,
			         before + (e->captured == CHESS_NONE ? 0 : from->stride[e->captured] * e->square),
			         after);
		} else {
			uint64_t targets = e->captured == CHESS_NONE ? chess_bit(e->square) : ~standing;
			while (targets) {
				const unsigned t = chess_pop(&targets);
				uint64_t squares = chess_attacks(c->piece[e->mover].kind, t, standing & ~chess_bit(t)) & ~standing;
				while (squares) {
					const unsigned s = chess_pop(&squares);
					b.between = chess_between(s, t);
					box_move(&b, 0,
					         before + from->stride[e->mover] * s +
					                 (e->captured == CHESS_NONE ? 0 : from->stride[e->captured] * t),
					         after + mover_after * t);
				}
			}
		}
		if (e->layer)
			break;
	}
}

void chess_exit_image(const struct chess_exit *e, const struct chess_layout *from,
                      const struct chess_layout *to, const uint64_t *set, uint64_t *out)
{
	exit_move(e, from, to, true, set, out);
}

void chess_exit_pre(const struct chess_exit *e, const struct chess_layout *from,
                    const struct chess_layout *to, const uint64_t *set, uint64_t *out)
{
	exit_move(e, from, to, false, set, out);
}
