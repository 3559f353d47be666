/* SPDX-License-Identifier: MIT */
/* The layout: which bit stands for which position. */
#include "sets.h"

#include <stdlib.h>
#include <string.h>

struct chess_slab chess_slab(const struct chess_sets *c, size_t unit, size_t number)
{
	struct chess_slab slab = {.word = number * c->slab_words,
	                          .occupied = c->standing[EL_WHITE] | c->standing[EL_BLACK]};
	memcpy(slab.piece, c->piece, sizeof slab.piece);
	for (unsigned k = 0; k < c->fixed; k++)
		slab.piece[c->pinned + k].square =
			c->part.kings ? c->part.kings->by_unit[unit][k]
				      : (uint8_t)(c->fixed - k == 2 ? unit / 64 : unit % 64);
	for (unsigned g = c->groups - 2; g-- > 0; number /= c->alike[g].placements) {
		const struct chess_alike *group = &c->alike[g];
		const uint32_t rank = (uint32_t)(number % group->placements);
		uint64_t set = choose_unrank(rank, group->count);
		for (unsigned p = group->first; set; p++)
			slab.piece[p].square = (uint8_t)chess_pop(&set);
	}
	for (unsigned p = 0; p < chess_first_row(c); p++)
		slab.occupied |= chess_bit(slab.piece[p].square);
	return slab;
}

struct chess_slab chess_line(const struct chess_sets *c, size_t unit, size_t number)
{
	const struct chess_rows *rows = c->rows;
	const size_t line = number % rows->lines;
	struct chess_slab slab = chess_slab(c, unit, number / rows->lines);
	slab.row = rows->row + line * CHESS_LINE;
	/* A word belongs to the line whose row piece is the lowest of its row group: so the words of
	   all lines come in order. */
	slab.own = rows->others[line] ? (rows->others[line] & -rows->others[line]) - 1 : UINT64_MAX;
	slab.occupied |= rows->others[line];
	for (uint64_t set = rows->others[line]; set;) {
		const unsigned p = chess_row_piece(c) - chess_count(set);
		slab.piece[p].square = (uint8_t)chess_pop(&set);
	}
	return slab;
}

/* ---- rows ---- */

bool chess_fill_rows(unsigned pieces, struct chess_rows *out)
{
	*out = (struct chess_rows){
		.pieces = pieces,
		.count = choose[64][pieces],
		.lines = choose[64][pieces - 1],
	};
	out->set = aligned_alloc(64, out->count * sizeof *out->set);
	out->others = malloc(out->lines * sizeof *out->others);
	out->row = calloc(out->lines * CHESS_LINE, sizeof *out->row);
	if (!out->set || !out->others || !out->row)
		return false;
	for (uint32_t row = 0; row < out->count; row++)
		out->set[row] = choose_unrank(row, pieces);
	for (unsigned n = 0; n < 8; n++) {
		const unsigned symmetry = chess_symmetry_of(n);
		uint32_t *image = out->image[symmetry] = malloc(out->count * sizeof *image);
		if (!image)
			return false;
		for (uint32_t row = 0; row < out->count; row++)
			image[row] = choose_rank(chess_symmetric_set(symmetry, out->set[row]));
	}
	for (uint32_t line = 0; line < out->lines; line++) {
		const uint64_t others = out->others[line] = choose_unrank(line, pieces - 1);
		for (uint64_t squares = ~others; squares;) {
			const unsigned square = chess_pop(&squares);
			out->row[line * CHESS_LINE + square] =
				choose_rank(others | chess_bit(square));
		}
	}
	return true;
}

void chess_free_rows(struct chess_rows *rows)
{
	free(rows->set);
	free(rows->others);
	free(rows->row);
	for (unsigned symmetry = 0; symmetry < CHESS_SYMMETRIES; symmetry++)
		free(rows->image[symmetry]);
	*rows = (struct chess_rows){.pieces = 0};
}

/* ---- pieces ---- */

/* Numbers a side's kinds: [side * CHESS_KINDS + kind]. */
enum { SIDE_KINDS = 2 * CHESS_KINDS };

/* The number of pieces of a kind in the next group. */
static unsigned next_group(const unsigned *left, unsigned k)
{
	return left[k] && k % CHESS_KINDS == CHESS_PAWN ? 1 : left[k];
}

/* The kind of the smallest group: of several the last, so that slices without like pieces have
   their pieces in order. */
static unsigned smallest_group(const unsigned *left)
{
	unsigned best = SIDE_KINDS;
	for (unsigned k = 0; k < SIDE_KINDS; k++)
		if (left[k] &&
		    (best == SIDE_KINDS || next_group(left, k) <= next_group(left, best)))
			best = k;
	return best;
}

static void lay_group(struct chess_sets *c, unsigned k, unsigned count)
{
	c->alike[c->groups++] = (struct chess_alike){
		.first = (uint8_t)c->pieces,
		.count = (uint8_t)count,
		.placements = choose[64][count],
	};
	while (count--)
		c->piece[c->pieces++] = (struct chess_piece){(uint8_t)(k / CHESS_KINDS),
		                                             (uint8_t)(k % CHESS_KINDS), 0};
}

/* Can a pawn ever be captured en passant? A pinned one can if it may have made a double step and
   stands beside an enemy pawn. */
static bool may_be_passed(const struct chess_sets *c, unsigned p)
{
	const struct chess_piece pawn = c->piece[p];
	const uint64_t at = chess_bit(pawn.square);
	uint64_t beside = 0, occupied = 0;
	if (p >= c->pinned)
		return true;
	for (unsigned q = 0; q < c->pinned; q++) {
		occupied |= chess_bit(c->piece[q].square);
		if (c->piece[q].side != pawn.side)
			beside |= chess_bit(c->piece[q].square);
	}
	return chess_just_pushed(pawn, occupied) && (chess_sideways(at) & beside);
}

void chess_lay_out(struct chess_sets *c, const struct chess_pinned *pinned)
{
	const struct el_slice *slice = &c->head.slice;

	/* The pieces: those that are pinned, kings, outer groups, row group, word piece. */
	unsigned left[SIDE_KINDS] = {0}, others = 0;
	for (unsigned k = 0; k < SIDE_KINDS; k++) {
		const unsigned side = k / CHESS_KINDS, kind = k % CHESS_KINDS;
		const unsigned count = kind == CHESS_KING ? 0 : slice->count[side][kind];
		if (pinned->count && kind == CHESS_PAWN)
			for (unsigned n = 0; n < count; n++, c->pieces++)
				c->piece[c->pieces] = (struct chess_piece){
					(uint8_t)side, CHESS_PAWN, pinned->square[c->pieces]};
		else
			others += left[k] = count;
	}
	c->pinned = pinned->count;
	c->fixed = others < 2 ? others : 2;
	for (unsigned side = 0; side < 2; side++)
		if (side < c->fixed)
			c->piece[c->pieces++] = (struct chess_piece){(uint8_t)side, CHESS_KING, 0};
		else
			lay_group(c, side * CHESS_KINDS + CHESS_KING, 1);
	/* The last groups are chosen first. Kings may be among them. */
	unsigned kind[2], count[2], last = 0;
	for (; last < c->fixed; last++) {
		kind[last] = smallest_group(left);
		const unsigned all = next_group(left, kind[last]);
		count[last] = last && all <= CHESS_ROW_MAX ? all : 1;
		left[kind[last]] -= count[last];
	}
	for (unsigned k = 0; k < SIDE_KINDS; k++)
		for (; left[k]; left[k] -= next_group(left, k))
			lay_group(c, k, next_group(left, k));
	while (last--)
		lay_group(c, kind[last], count[last]);

	/* The layers, if both sides have pawns. */
	const bool passing =
		slice->count[EL_WHITE][CHESS_PAWN] && slice->count[EL_BLACK][CHESS_PAWN];
	unsigned pawns[2] = {0, 0};
	c->layers = 1;
	for (unsigned p = 0; p < c->pieces && passing; p++) {
		if (c->piece[p].kind != CHESS_PAWN || !may_be_passed(c, p))
			continue;
		c->layer[p] = (uint8_t)++pawns[c->piece[p].side];
		c->layers = c->layer[p] >= c->layers ? c->layer[p] + 1u : c->layers;
	}

	/* The sizes. */
	uint64_t bits = 1;
	for (unsigned g = c->groups; g-- > 0; bits *= c->alike[g].placements)
		c->alike[g].stride = bits;
	c->slab_words = c->alike[c->groups - 2].placements;
	c->layer_words = bits / 64;
	c->slabs = c->layer_words / c->slab_words;
	const struct chess_groups groups = chess_groups(slice);
	const unsigned whites = groups.pawns ? CHESS_WHITES_PAWNS : CHESS_WHITES_PAWNLESS;
	c->head.units = 1;
	if (c->fixed == 1)
		c->head.units = c->pinned ? 64 : whites;
	if (c->fixed == 2)
		c->head.units = c->pinned ? CHESS_PAIRS : groups.kings;
	c->head.words = c->layers * c->layer_words;
	c->head.stored_words = c->layer_words;
}

/* ---- kings ---- */

void chess_fill_kings(const struct chess_sets *c, struct chess_kings *out)
{
	const struct chess_groups groups = chess_groups(&c->head.slice);
	*out = (struct chess_kings){.whites = 0};
	for (unsigned class = 0; class < groups.kings; class ++) {
		uint8_t *at = out->by_class[class];
		chess_king_squares(groups.pawns, class, &at[EL_WHITE], &at[EL_BLACK]);
		if (!class || at[EL_WHITE] != out->by_class[class - 1][EL_WHITE])
			out->first[out->whites++] = (uint16_t) class;
	}
	out->first[out->whites] = (uint16_t)groups.kings;
	if (!c->fixed)
		return;

	/* Units are numbered by White's square, then by Black's, like classes. */
	unsigned count = 0;
	for (unsigned n = 0; n < 64 * 64; n++) {
		const unsigned white = n / 64, black = n % 64, seen = c->fixed == 2 ? black : white;
		const uint64_t near = chess_king_attacks(white) | chess_bit(white);
		out->unit[white][black] = CHESS_NO_UNIT;
		if (c->fixed == 2 ? near >> black & 1 : black)
			continue;
		const unsigned symmetry =
			c->pinned ? 0 : chess_king_symmetry(groups.pawns, white, seen);
		out->symmetry[white][black] = (uint8_t)symmetry;
		if (symmetry)
			continue;
		out->by_unit[count][EL_WHITE] = (uint8_t)white;
		out->by_unit[count][EL_BLACK] = (uint8_t)black;
		out->unit[white][black] = (uint16_t)count++;
	}
	for (unsigned n = 0; n < 64 * 64; n++) {
		const unsigned white = n / 64, black = n % 64;
		const unsigned symmetry = out->symmetry[white][black];
		const unsigned there = c->fixed == 2 ? chess_symmetric(symmetry, black) : black;
		if (symmetry)
			out->unit[white][black] =
				out->unit[chess_symmetric(symmetry, white)][there];
	}
	for (unsigned n = 0; n < c->fixed * count; n++) {
		const unsigned side = n / count;
		struct chess_steps *steps = &out->steps[side][n % count];
		uint8_t at[2] = {out->by_unit[n % count][EL_WHITE],
		                 out->by_unit[n % count][EL_BLACK]};
		for (uint64_t reach = chess_king_attacks(at[side]); reach;) {
			at[side] = (uint8_t)chess_pop(&reach);
			const uint16_t to = out->unit[at[EL_WHITE]][at[EL_BLACK]];
			if (to == CHESS_NO_UNIT)
				continue;
			steps->unit[steps->count] = to;
			steps->symmetry[steps->count++] = out->symmetry[at[EL_WHITE]][at[EL_BLACK]];
		}
	}
}

struct chess_steps chess_king_steps(const struct chess_sets *c, unsigned side, size_t unit)
{
	struct chess_steps steps = {.count = 0};
	if (c->part.kings)
		return c->part.kings->steps[side][unit];
	if (side >= c->fixed)
		return steps;
	const unsigned stride = c->fixed - side == 2 ? 64 : 1;
	const unsigned from = (unsigned)unit / stride % 64;
	for (uint64_t reach = chess_king_attacks(from); reach;)
		steps.unit[steps.count++] = (uint16_t)(unit + (chess_pop(&reach) - from) * stride);
	return steps;
}
