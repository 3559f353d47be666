/* SPDX-License-Identifier: MIT */
/*
 * Frames of chess: pawns stand, kings and officers move. The layout is that of sets.h, with pawns as
 * squares that are taken (chess_sets.standing) and with regular strides: the address of a position
 * is the sum of each piece's square times its stride, and what selects the unit is its most
 * significant part.
 *
 * The key of a frame: White's pawns, Black's, and the number of officers of each side and kind, four
 * bits each.
 */
#include "chess.h"
#include "core/games/frames.h"
#include "sets.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	/* Kings and officers. With a fifth piece, the sets of one side would take 128 MB. */
	MOVERS_MAX = 4,
};

struct frame_sets {
	struct chess_sets sets;
	struct el_frame frame;
	struct chess_rows rows;
	uint64_t stride[MOVERS_MAX + 1]; /* of each piece's square in an address */
};

/* ---- frames ---- */

static unsigned officers(const struct el_frame *f, unsigned side, unsigned kind)
{
	return f->key[2] >> 4 * (side * CHESS_KINDS + kind) & 15;
}

static void add_officers(struct el_frame *f, unsigned side, unsigned kind, int more)
{
	f->key[2] += (uint64_t)more << 4 * (side * CHESS_KINDS + kind);
}

static void frame_of(const struct el_position *p, struct el_frame *f)
{
	*f = (struct el_frame){.key = {p->set[EL_WHITE][CHESS_PAWN], p->set[EL_BLACK][CHESS_PAWN]}};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++)
			add_officers(f, side, kind, (int)chess_count(p->set[side][kind]));
}

static unsigned frame_movers(const struct el_frame *f)
{
	unsigned count = 0;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++)
			count += officers(f, side, kind);
	return count;
}

static unsigned frame_chooses(const struct el_frame *f)
{
	return f->key[EL_WHITE] & CHESS_RANK_8   ? EL_WHITE
	       : f->key[EL_BLACK] & CHESS_RANK_1 ? EL_BLACK
	                                         : 2;
}

/* A capture lowers the number of pieces, a promotion that of pawns, a step the ranks that pawns have
   before them. */
static unsigned frame_order(const struct el_frame *f)
{
	const unsigned pawns = chess_count(f->key[EL_WHITE]) + chess_count(f->key[EL_BLACK]);
	unsigned ahead = 0; /* at most 16 * 6 */
	for (unsigned side = 0; side < 2; side++)
		for (uint64_t set = f->key[side]; set;) {
			const unsigned rank = chess_rank(chess_pop(&set));
			ahead += side == EL_WHITE ? 7 - rank : rank;
		}
	return ((frame_movers(f) + pawns) * 17 + pawns) * 128 + ahead;
}

/* ---- en passant ---- */

/* The pawns of `side` that may just have made a double step, beside an enemy pawn. In layer l the l-th
   of them has. */
static uint64_t may_be_passed(const struct el_frame *f, unsigned side)
{
	const uint64_t all = f->key[EL_WHITE] | f->key[EL_BLACK];
	const uint64_t after = side == EL_WHITE ? CHESS_RANK_1 << 24 : CHESS_RANK_1 << 32;
	const uint64_t crossed = side == EL_WHITE ? all << 8 | all << 16 : all >> 8 | all >> 16;
	return f->key[side] & after & ~crossed & chess_sideways(f->key[!side]);
}

static unsigned layer_of(const struct el_frame *f, unsigned side, unsigned square)
{
	const uint64_t set = may_be_passed(f, side);
	return set >> square & 1 ? 1 + chess_count(set & (chess_bit(square) - 1)) : 0;
}

/* ---- addresses ---- */

static unsigned frame_layers(const struct el_frame *f)
{
	const unsigned white = chess_count(may_be_passed(f, EL_WHITE)),
		       black = chess_count(may_be_passed(f, EL_BLACK));
	return 1 + (white > black ? white : black);
}

static size_t frame_words(const struct el_frame *f)
{
	const unsigned movers = 2 + frame_movers(f);
	return movers > MOVERS_MAX ? 0 : frame_layers(f) * (size_t)CHESS_LINE << 6 * (movers - 2);
}

/* What the square of the n-th of some pieces counts in an address: the last one selects the bit of a
   word, the one before it the word, the others the unit, which has all layers. */
static uint64_t stride_of(unsigned n, unsigned pieces, unsigned layers)
{
	return n + 1 == pieces   ? 1
	       : n + 2 == pieces ? 64
	                         : (uint64_t)layers * CHESS_LINE * 64 << 6 * (pieces - 3 - n);
}

static uint64_t frame_address(const struct el_frame *f, const struct el_position *p)
{
	const unsigned pieces = 2 + frame_movers(f), layers = frame_layers(f);
	uint64_t address = 0;
	unsigned n = 0;
	for (; n < 2; n++)
		address += stride_of(n, pieces, layers) * chess_first(p->set[n][CHESS_KING]);
	for (unsigned side = 0; side < 2 && n < pieces; side++)
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++)
			for (uint64_t left = p->set[side][kind]; left;)
				address += stride_of(n++, pieces, layers) * chess_pop(&left);
	if (p->en_passant != EL_NO_SQUARE) {
		const unsigned pushed =
			p->side == EL_BLACK ? p->en_passant + 8u : p->en_passant - 8u;
		address += (uint64_t)layer_of(f, !p->side, pushed) * CHESS_LINE * 64;
	}
	return address;
}

/* ---- sets ---- */

static void frame_close(struct el_sets *sets)
{
	chess_free_rows(&((struct frame_sets *)sets)->rows);
	free(sets);
}

static enum el_status frame_open(const struct el_frame *f, struct el_sets **out,
                                 struct el_error *error)
{
	if (!frame_words(f))
		return el_fail(error, EL_NEGATIVE,
		               "%u pieces besides the pawns, expected at most %d",
		               frame_movers(f) + 2, MOVERS_MAX);
	struct frame_sets *o = calloc(1, sizeof *o);
	if (!o || !chess_fill_rows(1, &o->rows)) {
		if (o)
			frame_close(&o->sets.head);
		return el_fail(error, EL_MEMORY, "out of memory");
	}
	struct chess_sets *c = &o->sets;
	o->frame = *f;
	for (unsigned side = 0; side < 2; side++) {
		c->standing[side] = f->key[side];
		c->piece[c->pieces++] = (struct chess_piece){(uint8_t)side, CHESS_KING, 0};
	}
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN; kind++)
			for (unsigned n = officers(f, side, kind); n; n--)
				c->piece[c->pieces++] =
					(struct chess_piece){(uint8_t)side, (uint8_t)kind, 0};
	c->layers = frame_layers(f);
	c->fixed = c->pieces - 2; /* all but the row piece and the word piece: kings alone */
	for (unsigned g = 0; g < 2; g++)
		c->alike[g] = (struct chess_alike){(uint8_t)(c->fixed + g), 1, 64, g ? 1 : 64};
	c->groups = 2;
	c->rows = &o->rows;
	c->slabs = 1;
	c->slab_words = c->layer_words = CHESS_LINE;
	c->head = (struct el_sets){
		.game = &el_chess,
		.sides = 2,
		.units = (size_t)1 << 6 * c->fixed,
		.words = c->layers * c->layer_words,
		.stored_words = c->layer_words,
		.scratch = chess_pre_scratch(c),
		.lost = chess_lost,
		.links = chess_links,
		.pre = chess_pre,
		.close = frame_close,
	};
	for (unsigned n = 0; n < c->pieces; n++)
		o->stride[n] = stride_of(n, c->pieces, c->layers);
	*out = &c->head;
	return EL_OK;
}

static void frame_legal(const struct el_sets *sets, unsigned side, size_t unit, uint64_t *out)
{
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const struct chess_slab slab = chess_slab(c, unit, 0);
	for (unsigned a = 0; a < CHESS_LINE; a++) {
		const struct chess_row row = chess_slab_row(c, &slab, a);
		out[a] = chess_row_legal(&row, !side);
	}
	/* The squares behind a pawn that has just made a double step are empty. */
	uint64_t passed = may_be_passed(&((const struct frame_sets *)sets)->frame, !side);
	for (unsigned layer = 1; layer < c->layers; layer++) {
		uint64_t *words = out + layer * c->layer_words;
		if (!passed) {
			memset(words, 0, c->layer_words * sizeof *words);
			continue;
		}
		const uint64_t at = chess_bit(chess_pop(&passed));
		const uint64_t behind = side == EL_BLACK ? at >> 8 | at >> 16 : at << 8 | at << 16;
		for (unsigned a = 0; a < CHESS_LINE; a++)
			words[a] = (slab.occupied | chess_bit(a)) & behind ? 0 : out[a] & ~behind;
	}
}

/* ---- positions ---- */

static bool frame_position(const struct el_sets *sets, unsigned side, uint64_t address,
                           struct el_position *p)
{
	const struct frame_sets *o = (const struct frame_sets *)sets;
	const struct chess_sets *c = &o->sets;
	const uint64_t unit_bits = c->head.words * 64,
		       layer = address % unit_bits / (c->layer_words * 64);
	uint64_t occupied = c->standing[EL_WHITE] | c->standing[EL_BLACK];
	*p = (struct el_position){.side = (uint8_t)side, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned s = 0; s < 2; s++)
		p->set[s][CHESS_PAWN] = c->standing[s];
	for (unsigned n = 0; n < c->pieces; n++) {
		const uint64_t at = chess_bit(address / o->stride[n] % 64);
		if (occupied & at)
			return false;
		occupied |= at;
		p->set[c->piece[n].side][c->piece[n].kind] |= at;
	}
	uint64_t passed = may_be_passed(&o->frame, !side);
	for (unsigned l = 1; l < layer && passed; l++)
		passed &= passed - 1;
	if (!layer)
		return true;
	if (!passed)
		return false;
	p->en_passant =
		(uint8_t)(side == EL_BLACK ? chess_first(passed) - 8 : chess_first(passed) + 8);
	chess_settle_en_passant(p);
	return p->en_passant != EL_NO_SQUARE;
}

/* Positions in which some pieces have their squares, and the others may stand anywhere but between: the
   strides of these, before and after. */
struct box {
	uint64_t stride[MOVERS_MAX + 1], stride_after[MOVERS_MAX + 1];
	unsigned free;
	uint64_t between;
	const uint64_t *in;
	uint64_t *out;
	bool image; /* from before to after; else the other way */
};

/* Moves the positions in which the free pieces before the n-th have their squares. */
static void box_move(const struct box *b, unsigned n, uint64_t before, uint64_t after)
{
	const bool last = n + 1 == b->free;
	if (last && b->stride[n] == 1 && b->stride_after[n] == 1) {
		const uint64_t from = b->image ? before : after, to = b->image ? after : before;
		b->out[to / 64] |= b->in[from / 64] & ~b->between;
		return;
	}
	for (uint64_t squares = ~b->between; squares;) {
		const unsigned at = chess_pop(&squares);
		const uint64_t x = before + b->stride[n] * at, y = after + b->stride_after[n] * at;
		const uint64_t from = b->image ? x : y, to = b->image ? y : x;
		if (last)
			b->out[to / 64] |= (b->in[from / 64] >> from % 64 & 1) << to % 64;
		else
			box_move(b, n + 1, x, y);
	}
}

/* A pawn that may capture en passant by the pattern of pawns alone is kept from it only if it is pinned, for
   which the other side needs a queen, a rook or a bishop. Two like pieces have two orders. */
static size_t frame_settle(const struct el_sets *sets, unsigned side, const uint64_t *set,
                           uint64_t *out)
{
	const struct frame_sets *o = (const struct frame_sets *)sets;
	const struct chess_sets *c = &o->sets;
	const size_t words = c->head.words, first = c->layer_words, all = c->head.units * words;
	const bool pins = officers(&o->frame, !side, CHESS_QUEEN) ||
	                  officers(&o->frame, !side, CHESS_ROOK) ||
	                  officers(&o->frame, !side, CHESS_BISHOP);
	size_t count = 0;
	for (size_t w = 0; w < all && c->layers > 1 && pins; w++) {
		const size_t in_unit = w % words;
		for (uint64_t left = in_unit < first ? 0 : set[w]; left; left &= left - 1) {
			const uint64_t at = 64 * w + (uint64_t)chess_first(left);
			struct el_position p;
			if (frame_position(sets, side, at, &p))
				continue;
			count++;
			if (out)
				out[w - in_unit + in_unit % first] |= left & -left;
		}
	}
	const struct chess_piece *like = &c->piece[2];
	if (c->pieces < 4 || like[0].side != like[1].side || like[0].kind != like[1].kind)
		return count;
	size_t both = 0;
	for (size_t w = 0; w < all; w++)
		both += chess_count(set[w]);
	struct box b = {.free = c->pieces, .in = set, .out = out, .image = true};
	for (unsigned n = 0; n < c->pieces; n++) {
		b.stride[n] = o->stride[n];
		b.stride_after[n] = o->stride[n < 2 ? n : 5 - n];
	}
	for (unsigned layer = 0; layer < c->layers && out; layer++)
		box_move(&b, 0, layer * first * 64, layer * first * 64);
	return count + (both - count) / 2;
}

static void frame_choose(const struct el_exit *e, struct el_position *p)
{
	p->set[e->side][CHESS_PAWN] &= ~chess_bit(e->square);
	p->set[e->side][e->kind] |= chess_bit(e->square);
}

/* ---- exits ---- */

static size_t frame_exits(const struct el_sets *sets, unsigned side,
                          struct el_exit out[EL_EXITS_MAX])
{
	const struct frame_sets *o = (const struct frame_sets *)sets;
	const struct chess_sets *c = &o->sets;
	const struct el_frame *f = &o->frame;
	const struct el_exit plain = {.to = *f,
	                              .side = (uint8_t)side,
	                              .converts = true,
	                              .mover = CHESS_NONE,
	                              .captured = CHESS_NONE};
	const uint64_t mine = f->key[side], theirs = f->key[!side], all = mine | theirs;
	struct el_exit *e = out;
	if (frame_chooses(f) < 2) {
		const uint64_t last = mine & (side == EL_WHITE ? CHESS_RANK_8 : CHESS_RANK_1);
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_PAWN && last; kind++, e++) {
			*e = plain;
			e->chooses = true;
			e->kind = (uint8_t)kind;
			e->square = (uint8_t)chess_first(last);
			e->to.key[side] ^= last;
			add_officers(&e->to, side, kind, 1);
		}
		return (size_t)(e - out);
	}

	/* Pawns. */
	const unsigned up = side == EL_WHITE ? 8 : -8u, start = side == EL_WHITE ? 1 : 6;
	for (uint64_t pawns = mine; pawns;) {
		const unsigned at = chess_pop(&pawns), one = at + up, two = one + up;
		for (unsigned to = one; to == one || (to == two && chess_rank(at) == start);
		     to += up) {
			if (all >> to & 1)
				break;
			*e = plain;
			e->to.key[side] ^= chess_bit(at) | chess_bit(to);
			e->between = to == two ? chess_bit(one) : 0;
			e->layer_after = (uint8_t)(to == two ? layer_of(&e->to, side, to) : 0);
			e->converts = frame_chooses(&e->to) < 2;
			e++;
		}
		for (uint64_t targets = chess_pawn_attacks(side, at) & ~mine; targets;) {
			const unsigned to = chess_pop(&targets);
			struct el_exit capture = plain;
			capture.to.key[side] ^= chess_bit(at) | chess_bit(to);
			capture.square = (uint8_t)to;
			if (theirs >> to & 1) {
				*e = capture;
				e++->to.key[!side] ^= chess_bit(to);
				continue;
			}
			for (unsigned q = 2; q < c->pieces; q++) {
				if (c->piece[q].side == side)
					continue;
				*e = capture;
				e->captured = (uint8_t)q;
				add_officers(&e++->to, !side, c->piece[q].kind, -1);
			}
		}
	}
	uint64_t passed = may_be_passed(f, !side);
	for (unsigned layer = 1; passed; layer++) {
		const unsigned victim = chess_pop(&passed);
		for (uint64_t by = mine & chess_sideways(chess_bit(victim)); by;) {
			*e = plain;
			e->layer = (uint8_t)layer;
			e->to.key[!side] ^= chess_bit(victim);
			e++->to.key[side] ^= chess_bit(chess_pop(&by)) | chess_bit(victim + up);
		}
	}

	/* Kings and officers. */
	for (unsigned p = 0; p < c->pieces; p++) {
		for (uint64_t pawns = theirs; pawns && c->piece[p].side == side; e++) {
			*e = plain;
			e->mover = (uint8_t)p;
			e->square = (uint8_t)chess_pop(&pawns);
			e->to.key[!side] ^= chess_bit(e->square);
		}
		for (unsigned q = 2; q < c->pieces && c->piece[p].side == side; q++) {
			if (c->piece[q].side == side)
				continue;
			*e = plain;
			e->mover = (uint8_t)p;
			e->captured = (uint8_t)q;
			add_officers(&e++->to, !side, c->piece[q].kind, -1);
		}
	}
	return (size_t)(e - out);
}

/* ---- sets through an exit ---- */

static void exit_move(const struct el_exit *e, const struct el_sets *from_sets,
                      const struct el_sets *to_sets, bool image, const uint64_t *in, uint64_t *out)
{
	const struct frame_sets *from = (const struct frame_sets *)from_sets,
				*to = (const struct frame_sets *)to_sets;
	const struct chess_sets *c = &from->sets;
	struct box b = {.between = e->between, .in = in, .out = out, .image = image};
	const uint64_t layer_bits = c->layer_words * 64;
	uint64_t mover_stride[2] = {0, 0}, captured_stride = 0, after = e->layer_after * layer_bits;
	/* The pieces keep their order: the chosen one is the last of its kind. */
	for (unsigned p = 0, q = 0; p < c->pieces || q < to->sets.pieces; p++, q++) {
		const struct chess_piece *piece = &to->sets.piece[q];
		if (p == e->captured)
			captured_stride = from->stride[p++];
		if (e->chooses && piece->side == e->side && piece->kind == e->kind &&
		    (p == c->pieces || c->piece[p].side != e->side || c->piece[p].kind != e->kind))
			after += to->stride[q++] * e->square;
		if (p == c->pieces)
			break;
		if (p == e->mover) {
			mover_stride[0] = from->stride[p];
			mover_stride[1] = to->stride[q];
			continue;
		}
		b.stride[b.free] = from->stride[p];
		b.stride_after[b.free++] = to->stride[q];
	}
	const uint64_t standing = c->standing[EL_WHITE] | c->standing[EL_BLACK];
	/* Whatever the layer, the other moves are the same. */
	for (unsigned layer = e->layer; layer < (e->layer ? e->layer + 1u : c->layers); layer++) {
		const uint64_t before = layer * layer_bits;
		if (e->mover == CHESS_NONE) {
			box_move(&b, 0, before + captured_stride * e->square, after);
			continue;
		}
		uint64_t targets = e->captured == CHESS_NONE ? chess_bit(e->square) : ~standing;
		while (targets) {
			const unsigned target = chess_pop(&targets);
			uint64_t squares =
				chess_attacks(c->piece[e->mover].kind, target, standing) &
				~standing;
			while (squares) {
				const unsigned square = chess_pop(&squares);
				b.between = chess_between(square, target);
				box_move(&b, 0,
				         before + mover_stride[0] * square +
				                 captured_stride * target,
				         after + mover_stride[1] * target);
			}
		}
	}
}

static void frame_image(const struct el_exit *e, const struct el_sets *from,
                        const struct el_sets *to, const uint64_t *set, uint64_t *out)
{
	exit_move(e, from, to, true, set, out);
}

static void frame_pre(const struct el_exit *e, const struct el_sets *from, const struct el_sets *to,
                      const uint64_t *set, uint64_t *out)
{
	exit_move(e, from, to, false, set, out);
}

/* ---- for people ---- */

static uint64_t frame_standing(const struct el_frame *f, unsigned side)
{
	return f->key[side];
}

static void frame_name(const struct el_sets *sets, const struct el_exit *e, char out[EL_MOVE_MAX])
{
	const struct frame_sets *o = (const struct frame_sets *)sets;
	const uint64_t from = o->frame.key[e->side] & ~e->to.key[e->side],
		       to = e->to.key[e->side] & ~o->frame.key[e->side];
	const bool takes =
		e->captured != CHESS_NONE || o->frame.key[!e->side] != e->to.key[!e->side];
	char square[4];
	if (e->chooses) {
		snprintf(out, EL_MOVE_MAX, "=%c", el_chess.kinds[e->kind]);
	} else if (e->mover == CHESS_NONE) {
		chess_square_name((uint8_t)chess_first(to), square);
		const char file[] = {(char)('a' + chess_file(chess_first(from))), 'x', '\0'};
		snprintf(out, EL_MOVE_MAX, "%s%s", takes ? file : "", square);
	} else {
		chess_square_name(e->square, square);
		snprintf(out, EL_MOVE_MAX, "%cx%s", el_chess.kinds[o->sets.piece[e->mover].kind],
		         e->captured == CHESS_NONE
		                 ? square
		                 : (char[]){el_chess.kinds[o->sets.piece[e->captured].kind], 0});
	}
}

static bool frame_valid(const struct el_frame *f)
{
	const uint64_t white = f->key[EL_WHITE], black = f->key[EL_BLACK];
	const uint64_t last = (white & CHESS_RANK_8) | (black & CHESS_RANK_1);
	/* The numbers of officers, from queens to knights. */
	const uint64_t known = UINT64_C(0xffff0) | UINT64_C(0xffff0) << 4 * CHESS_KINDS;
	return !(white & black) && !(white & CHESS_RANK_1) && !(black & CHESS_RANK_8) &&
	       !(last & (last - 1)) && chess_count(white) <= 8 && chess_count(black) <= 8 &&
	       !(f->key[2] & ~known);
}

const struct el_frames chess_frames = {
	.movers_max = MOVERS_MAX - 2,
	.all_kinds = 1 << CHESS_QUEEN | 1 << CHESS_ROOK | 1 << CHESS_BISHOP | 1 << CHESS_KNIGHT,
	.usual_kinds = 1 << CHESS_QUEEN,
	.of = frame_of,
	.valid = frame_valid,
	.order = frame_order,
	.movers = frame_movers,
	.words = frame_words,
	.chooses = frame_chooses,
	.open = frame_open,
	.exits = frame_exits,
	.name = frame_name,
	.standing = frame_standing,
	.image = frame_image,
	.pre = frame_pre,
	.legal = frame_legal,
	.address = frame_address,
	.settle = frame_settle,
	.choose = frame_choose,
	.position = frame_position,
};
