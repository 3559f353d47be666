/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a chess slice as bitmaps, and the sets that are known before the first pass. */
#include "sets.h"
#include "../bitmaps.h"
#include "chess.h"
#include "../../shared_for.h"

#include <stdlib.h>
#include <string.h>

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
	SHARED_FOR(c->head.words, number, c->slabs, schedule(dynamic, 16), {
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
	});
}

/* Stuck: no quiet move, no conversion. Lost: and in check. */
static void mark_ends(struct chess_sets *c, unsigned side)
{
	uint64_t *stuck = c->head.stuck[side], *lost = c->head.lost[side];
	const uint64_t *blocked = c->head.blocked[side];
	c->head.pre_some(&c->head, side, c->head.legal[!side], c->head.legal[side], stuck);
	SHARED_FOR(c->head.words, number, c->head.words / CHESS_SLAB, schedule(dynamic, 16), {
		const struct chess_slab slab = chess_slab(c, number % c->slabs);
		for (unsigned a = 0; a < CHESS_SLAB; a++) {
			const size_t w = number * CHESS_SLAB + a;
			stuck[w] = c->head.legal[side][w] & ~stuck[w] & ~blocked[w];
			if (!stuck[w])
				continue;
			const struct chess_row row = slab_row(c, &slab, a);
			lost[w] = stuck[w] & chess_row_check(&row, side);
		}
	});
}

/* ---- open and close ---- */

static bool allocate(struct chess_sets *c)
{
	bool all = bitmaps_open(&c->head);
	all &= (c->scratch = bitmap_open(c->head.words)) != NULL;
	all &= (c->busy = calloc(c->slabs, sizeof *c->busy)) != NULL;
	if (c->layers > 1 && !c->pinned)
		all &= (c->twice = bitmap_open(c->head.words - c->layer_words)) != NULL;
	return all;
}

static void chess_sets_close(struct el_sets *sets)
{
	struct chess_sets *c = (struct chess_sets *)sets;
	bitmaps_close(sets);
	free(c->scratch);
	free(c->busy);
	free(c->twice);
	free(c);
}

uint64_t chess_set_bits(const struct el_slice *slice, uint64_t *bytes)
{
	*bytes = 0;
	struct chess_sets c = {.head.slice = *slice};
	chess_lay_out(&c, &(struct chess_pinned){0});
	return 64 * c.head.words;
}

enum el_status chess_sets_open(const struct el_problem *problem, const struct chess_part *part,
                               const struct chess_successors *successors, struct el_sets **out,
                               struct el_error *error)
{
	const struct el_slice *slice = &problem->slice;
	struct chess_sets *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	c->head = (struct el_sets){
		.game = slice->game,
		.slice = *slice,
		.sides = 2,
		.pre_some = chess_pre_some,
		.pre_all = chess_pre_all,
		.gather = chess_gather,
		.close = chess_sets_close,
	};
	chess_lay_out(c, &part->pinned);
	c->kings = part->kings;
	enum el_status status = EL_OK;
	if (!allocate(c))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	if (!status) {
		mark_legal(c);
		status = chess_conversions(c, problem, part, successors, error);
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
