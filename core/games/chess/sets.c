/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a chess slice as bitmaps: the layout, and the sets that are known before the first pass. */
#include "sets.h"
#include "chess.h"

#include <stdlib.h>
#include <string.h>

unsigned chess_king_symmetry(bool pawns, unsigned white_king)
{
	unsigned symmetry = chess_file(white_king) > 3 ? CHESS_MIRROR : 0;
	if (pawns)
		return symmetry;
	symmetry |= chess_rank(white_king) > 3 ? CHESS_FLIP : 0;
	const unsigned at = chess_symmetric(symmetry, white_king);
	return symmetry | (chess_rank(at) > chess_file(at) ? CHESS_TRANSPOSE : 0);
}

struct chess_slab chess_slab(const struct chess_sets *c, size_t number)
{
	struct chess_slab slab = {.number = number};
	memcpy(slab.piece, c->piece, sizeof slab.piece);
	slab.piece[0].square = c->white_king[number / c->stride[0]];
	slab.occupied = chess_bit(slab.piece[0].square);
	for (unsigned p = 1; p < chess_row_piece(c); p++) {
		slab.piece[p].square = number / c->stride[p] & 63;
		slab.occupied |= chess_bit(slab.piece[p].square);
	}
	return slab;
}

/* ---- layout ---- */

static void lay_pieces(struct chess_sets *c)
{
	const struct el_slice *slice = &c->head.slice;
	for (unsigned side = 0; side < 2; side++)
		c->piece[c->pieces++] = (struct chess_piece){(uint8_t)side, CHESS_KING, 0};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_KINDS; kind++)
			for (unsigned n = slice->count[side][kind]; n; n--)
				c->piece[c->pieces++] =
					(struct chess_piece){(uint8_t)side, (uint8_t)kind, 0};
	c->pawns = slice->count[EL_WHITE][CHESS_PAWN] || slice->count[EL_BLACK][CHESS_PAWN];
}

static void lay_white_kings(struct chess_sets *c)
{
	for (unsigned at = 0; at < 64; at++) {
		if (chess_king_symmetry(c->pawns, at))
			continue;
		c->white_king_row[at] = (uint8_t)c->white_kings;
		c->white_king[c->white_kings++] = (uint8_t)at;
	}
}

static void lay_layers(struct chess_sets *c)
{
	const struct el_slice *slice = &c->head.slice;
	unsigned pawns[2] = {0, 0};
	c->layers = 1;
	if (!slice->count[EL_WHITE][CHESS_PAWN] || !slice->count[EL_BLACK][CHESS_PAWN])
		return;
	for (unsigned p = 0; p < c->pieces; p++) {
		if (c->piece[p].kind != CHESS_PAWN)
			continue;
		c->layer[p] = (uint8_t)++pawns[c->piece[p].side];
		c->layers = c->layer[p] >= c->layers ? c->layer[p] + 1u : c->layers;
	}
}

static void lay_out(struct chess_sets *c)
{
	lay_pieces(c);
	lay_white_kings(c);
	lay_layers(c);
	c->slabs = 1;
	for (unsigned p = chess_row_piece(c); p-- > 0;) {
		c->stride[p] = c->slabs;
		c->slabs *= p ? 64 : c->white_kings;
	}
	c->layer_words = c->slabs * CHESS_SLAB;
	c->head.words = c->layers * c->layer_words;
	c->head.stored_words = c->layer_words;
}

/* ---- the sets that the rules alone decide ---- */

/* Row `a` of a slab, with the word piece free. */
static struct chess_row slab_row(const struct chess_sets *c, const struct chess_slab *slab,
                                 unsigned a)
{
	struct chess_row row = {.pieces = c->pieces, .free = chess_word_piece(c)};
	memcpy(row.piece, slab->piece, sizeof row.piece);
	row.piece[chess_row_piece(c)].square = (uint8_t)a;
	return row;
}

static void mark_legal(struct chess_sets *c)
{
#pragma omp parallel for schedule(dynamic, 16)
	for (size_t number = 0; number < c->slabs; number++) {
		const struct chess_slab slab = chess_slab(c, number);
		for (unsigned a = 0; a < CHESS_SLAB; a++) {
			const struct chess_row row = slab_row(c, &slab, a);
			const uint64_t possible = chess_row_possible(&row);
			if (!possible)
				continue;
			for (unsigned side = 0; side < 2; side++)
				c->head.legal[side][number * CHESS_SLAB + a] =
					possible & ~chess_row_check(&row, !side);
		}
	}
}

/* Stuck: no quiet move, no conversion. Lost: and in check. */
static void mark_ends(struct chess_sets *c, unsigned side)
{
	uint64_t *stuck = c->head.stuck[side], *lost = c->head.lost[side];
	const uint64_t *blocked = c->head.blocked[side];
	c->head.pre_some(&c->head, side, c->head.legal[!side], c->head.legal[side], stuck);
#pragma omp parallel for schedule(dynamic, 16)
	for (size_t number = 0; number < c->head.words / CHESS_SLAB; number++) {
		const struct chess_slab slab = chess_slab(c, number % c->slabs);
		for (unsigned a = 0; a < CHESS_SLAB; a++) {
			const size_t w = number * CHESS_SLAB + a;
			stuck[w] = c->head.legal[side][w] & ~stuck[w] & ~blocked[w];
			if (!stuck[w])
				continue;
			const struct chess_row row = slab_row(c, &slab, a);
			lost[w] = stuck[w] & chess_row_check(&row, side);
		}
	}
}

/* ---- open and close ---- */

static uint64_t *bitmap(size_t words)
{
	uint64_t *set = aligned_alloc(64, words * sizeof *set);
	if (set)
		memset(set, 0, words * sizeof *set);
	return set;
}

static bool allocate(struct chess_sets *c)
{
	bool all = true;
	uint64_t **each[] = {c->head.legal, c->head.lost, c->head.stuck, c->head.blocked};
	for (size_t i = 0; i < sizeof each / sizeof *each; i++)
		for (unsigned side = 0; side < 2; side++)
			all &= (each[i][side] = bitmap(c->head.words)) != NULL;
	all &= (c->scratch = bitmap(c->head.words)) != NULL;
	all &= (c->busy = calloc(c->slabs, sizeof *c->busy)) != NULL;
	if (c->layers > 1)
		all &= (c->twice = bitmap(c->head.words - c->layer_words)) != NULL;
	return all;
}

static void chess_sets_close(struct el_sets *sets)
{
	struct chess_sets *c = (struct chess_sets *)sets;
	for (unsigned side = 0; side < 2; side++) {
		free(sets->legal[side]);
		free(sets->lost[side]);
		free(sets->stuck[side]);
		free(sets->blocked[side]);
		free(sets->wins[side].events);
		free(sets->frees[side].events);
	}
	free(c->scratch);
	free(c->busy);
	free(c->twice);
	free(c);
}

enum el_status chess_sets_open(const struct el_slice *slice, const struct el_metric *metric,
                               const struct el_lender *lender, struct el_sets **out,
                               struct el_error *error)
{
	struct chess_sets *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	c->head = (struct el_sets){
		.game = slice->game,
		.slice = *slice,
		.pre_some = chess_pre_some,
		.pre_all = chess_pre_all,
		.gather = chess_gather,
		.close = chess_sets_close,
	};
	lay_out(c);
	enum el_status status = EL_OK;
	if (!allocate(c))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	if (!status) {
		mark_legal(c);
		status = chess_conversions(c, metric, lender, error);
	}
	if (status) {
		chess_sets_close(&c->head);
		return status;
	}
	for (unsigned side = 0; side < 2; side++)
		mark_ends(c, side);
	*out = &c->head;
	return EL_OK;
}
