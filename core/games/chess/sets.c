/* SPDX-License-Identifier: MIT */
/* Opens a chess slice as bitmaps, and the sets that the rules alone decide. */
#include "sets.h"
#include "chess.h"
#include "core/base/clock.h"
#include "core/games/plain.h"

#include <stdlib.h>
#include <string.h>

/* ---- pieces of which one is free ---- */

/* The squares where the free piece can stand; empty if the others are already illegal. Ignores
   checks. */
static uint64_t row_possible(const struct chess_row *row)
{
	uint64_t occupied = row->standing[EL_WHITE] | row->standing[EL_BLACK], kings[2] = {0, 0};
	bool broken = false;
	for (unsigned p = 0; p < row->pieces; p++) {
		if (p == row->free)
			continue;
		const struct chess_piece piece = row->piece[p];
		const uint64_t at = chess_bit(piece.square);
		broken |= (occupied & at) != 0;
		broken |= piece.kind == CHESS_PAWN && (at & (CHESS_RANK_1 | CHESS_RANK_8));
		if (piece.kind == CHESS_KING) {
			broken |= (kings[!piece.side] & chess_king_attacks(piece.square)) != 0;
			kings[piece.side] |= at;
		}
		occupied |= at;
	}
	if (broken)
		return 0;
	const struct chess_piece free = row->piece[row->free];
	if (free.kind == CHESS_PAWN)
		occupied |= CHESS_RANK_1 | CHESS_RANK_8;
	if (free.kind == CHESS_KING)
		occupied |= chess_king_attacks(chess_first(kings[!free.side]));
	return ~occupied;
}

/* The squares of the free piece for which the king of `side` is attacked. */
static uint64_t row_check(const struct chess_row *row, unsigned side)
{
	const struct chess_piece free = row->piece[row->free];
	unsigned king = 0;
	uint64_t occupied = row->standing[EL_WHITE] | row->standing[EL_BLACK], check = 0;
	for (unsigned p = 0; p < row->pieces; p++) {
		if (p == row->free)
			continue;
		occupied |= chess_bit(row->piece[p].square);
		if (row->piece[p].kind == CHESS_KING && row->piece[p].side == side)
			king = row->piece[p].square;
	}
	/* If the king itself is free: the squares that enemy pieces attack. */
	if (free.kind == CHESS_KING && free.side == side) {
		for (unsigned p = 0; p < row->pieces; p++) {
			const struct chess_piece piece = row->piece[p];
			if (piece.side != side)
				check |= chess_attacks_of(piece.side, piece.kind, piece.square,
				                          occupied);
		}
		const uint64_t beside = chess_sideways(row->standing[!side]);
		return check | (side == EL_WHITE ? beside >> 8 : beside << 8);
	}
	if (chess_pawn_attacks(side, king) & row->standing[!side])
		return ~UINT64_C(0);
	for (unsigned p = 0; p < row->pieces; p++) {
		const struct chess_piece piece = row->piece[p];
		if (piece.side == side)
			continue;
		/* Attacks are seen from the king, so a pawn counts as one of the king's side. */
		uint64_t from = chess_attacks_of(side, piece.kind, king, occupied);
		if (p == row->free)
			check |= from;
		else if (from >> piece.square & 1)
			check |= ~chess_between(king, piece.square);
	}
	return check;
}

uint64_t chess_row_legal(const struct chess_row *row, unsigned side)
{
	const uint64_t possible = row_possible(row);
	return possible ? possible & ~row_check(row, side) : 0;
}

/* ---- members ---- */

struct chess_row chess_slab_row(const struct chess_sets *c, const struct chess_slab *slab,
                                size_t number)
{
	struct chess_row row = {.pieces = c->pieces,
	                        .free = chess_word_piece(c),
	                        .standing = {c->standing[EL_WHITE], c->standing[EL_BLACK]}};
	memcpy(row.piece, slab->piece, sizeof row.piece);
	uint64_t set = c->rows->set[number];
	for (unsigned p = chess_first_row(c); set; p++)
		row.piece[p].square = (uint8_t)chess_pop(&set);
	return row;
}

static enum el_status chess_begin(const struct el_sets *sets, unsigned side, size_t unit,
                                  struct el_unit *out, void *scratch, struct el_error *error)
{
	(void)scratch;
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const double start = clock_seconds();
	/* The legal positions of layer 0. */
	for (size_t number = 0; number < c->slabs; number++) {
		const struct chess_slab slab = chess_slab(c, unit, number);
		for (size_t r = 0; r < c->slab_words; r++) {
			const struct chess_row row = chess_slab_row(c, &slab, r);
			out->legal[slab.word + r] = chess_row_legal(&row, !side);
		}
	}
	enum el_status status = chess_conversions(c, side, unit, out, error);
	if (side < sets->slice.planes)
		out->decided[0] += events_count(&out->wins, sets->stored_words);
	out->seconds[0] += clock_seconds() - start;
	return status;
}

/* Checkmate is lost, stalemate is not. */
void chess_lost(const struct el_sets *sets, unsigned side, size_t unit, uint64_t *stuck)
{
	const struct chess_sets *c = (const struct chess_sets *)sets;
	for (size_t w = 0; w < sets->words; w++) {
		if (!stuck[w])
			continue;
		const struct chess_slab slab = chess_slab(c, unit, w / c->slab_words % c->slabs);
		const struct chess_row row = chess_slab_row(c, &slab, w % c->slab_words);
		stuck[w] &= row_check(&row, side);
	}
}

size_t chess_links(const struct el_sets *sets, unsigned side, size_t unit,
                   uint32_t out[EL_LINKS_MAX])
{
	const struct chess_steps steps =
		chess_king_steps((const struct chess_sets *)sets, side, unit);
	out[0] = (uint32_t)unit;
	for (unsigned n = 0; n < steps.count; n++)
		out[n + 1] = steps.unit[n];
	return steps.count + 1;
}

/* ---- regions ---- */

static uint64_t chess_images(const struct el_sets *sets, unsigned square)
{
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const unsigned count = c->part.groups->pawns ? 2 : 8;
	uint64_t images = 0;
	for (unsigned n = 0; n < count; n++)
		images |= chess_bit(chess_symmetric(chess_symmetry_of(n), square));
	return images;
}

static void chess_keep(const struct el_sets *sets, unsigned side, size_t unit, unsigned owner,
                       unsigned kinds, uint64_t squares, uint64_t *set)
{
	(void)side;
	const struct chess_sets *c = (const struct chess_sets *)sets;
	for (size_t w = 0; w < sets->words; w += c->slab_words) {
		const struct chess_slab slab = chess_slab(c, unit, w / c->slab_words % c->slabs);
		uint64_t rows = UINT64_MAX, bits = UINT64_MAX;
		for (unsigned p = 0; p < c->pieces; p++) {
			if (slab.piece[p].side != owner || !(kinds >> slab.piece[p].kind & 1))
				continue;
			if (p == chess_word_piece(c))
				bits = squares;
			else if (p >= chess_first_row(c))
				rows &= squares;
			else if (!(squares >> slab.piece[p].square & 1))
				rows = 0;
		}
		for (size_t r = 0; r < c->slab_words; r++)
			set[w + r] &= c->rows->set[r] & ~rows ? 0 : bits;
	}
}

/* ---- open and close ---- */

static void chess_sets_close(struct el_sets *sets)
{
	struct chess_sets *c = (struct chess_sets *)sets;
	free(c->entered[EL_WHITE]);
	free(c->entered[EL_BLACK]);
	free(c);
}

struct el_measure chess_measure(const struct el_slice *slice)
{
	if (el_slice_has_rights(slice)) /* it has no sets, but moves in memory */
		return plain_measure(slice);
	struct chess_sets c = {.head.slice = *slice};
	chess_lay_out(&c, &(struct chess_pinned){0});
	const uint64_t bits = 64 * c.head.words;
	/* The files of the pawns make a family, and their ranks its parts. */
	const unsigned pawns =
		slice->count[EL_WHITE][CHESS_PAWN] + slice->count[EL_BLACK][CHESS_PAWN];
	struct chess_sets part = {.head.slice = *slice};
	chess_lay_out(&part, &(struct chess_pinned){.count = pawns});
	uint64_t family_bits = 64 * part.head.units * part.head.words;
	for (unsigned p = 0; p < pawns; p++)
		family_bits *= CHESS_PAWN_RANKS;
	/* A section lies in at most two units, and has at most as many positions as one. */
	return (struct el_measure){
		.bits = c.head.units * bits,
		.family_bits = family_bits,
		.unit_bits = bits,
		.desk = 3 * 2 * bits,
	};
}

enum el_status chess_sets_open(const struct el_problem *problem, const struct chess_part *part,
                               struct el_sets **out, struct el_error *error)
{
	const struct el_slice *slice = &problem->slice;
	struct chess_sets *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	c->head = (struct el_sets){
		.game = slice->game,
		.slice = *slice,
		.sides = 2,
		.stages = {"conversions"},
		.begin = chess_begin,
		.lost = chess_lost,
		.links = chess_links,
		.pre = chess_pre,
		.some_few = chess_some_few,
		.none_few = chess_none_few,
		.images = chess_images,
		.keep = chess_keep,
		.close = chess_sets_close,
	};
	c->part = *part;
	c->rows = part->rows;
	chess_lay_out(c, &part->pinned);
	chess_open_gather(c);
	c->head.scratch = chess_pre_scratch(c);
	for (unsigned side = 0; side < 2 && part->pinned.count; side++) {
		/* Effects by symbol of the positions with the other side to move. */
		const struct el_meanings *m = part->meanings;
		struct effect *effects = malloc((m->count[!side] + 1) * sizeof *effects);
		c->entered[side] = effects;
		if (!effects) {
			chess_sets_close(&c->head);
			return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
		}
		for (uint32_t s = 0; s < m->count[!side]; s++)
			effects[s] =
				s ? effect_of(problem, side, m->values[!side][s], 0) : effect_none;
	}
	*out = &c->head;
	return EL_OK;
}
