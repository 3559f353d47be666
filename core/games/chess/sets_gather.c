/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From bitmaps to the index. The address of a bit is a sum over the pieces, so it is put together
 * from one table a group: the part of the address that each rank of the group contributes.
 */
#include "index.h"
#include "sets.h"

#include <stdlib.h>

struct gather {
	struct chess_groups groups;
	uint64_t *address[CHESS_GROUPS_MAX]; /* by rank: the group's part of a bit's address */
	uint32_t *image[CHESS_GROUPS_MAX];   /* by rank: the rank reflected in the a1-h8 diagonal */
	uint64_t stride[CHESS_GROUPS_MAX];   /* in the index */
};

/* How far apart two bits are in which piece p stands on neighbouring squares. */
static uint64_t bit_stride(const struct chess_sets *c, unsigned p)
{
	if (p == chess_word_piece(c))
		return 1;
	return p == chess_row_piece(c) ? 64 : c->stride[p] * 64 * CHESS_SLAB;
}

static void fill_group(const struct chess_sets *c, const struct chess_group *group,
                       unsigned first_piece, uint64_t *address, uint32_t *image)
{
	for (uint32_t rank = 0; rank < group->radix; rank++) {
		uint64_t set = chess_unrank_set(rank, group->count, group->first);
		uint64_t at = 0;
		if (image)
			image[rank] = chess_rank_set(chess_transpose(set), group->first);
		for (unsigned p = first_piece; set; p++)
			at += bit_stride(c, p) * chess_pop(&set);
		address[rank] = at;
	}
}

/* The values of one class of kings. `twins`: the reflection in the diagonal maps the kings to
   themselves, so that of two reflected placements only the one with the smaller index is meant. */
static void gather_kings(const struct gather *g, const uint16_t *by_bit, bool twins,
                         uint16_t broken, uint16_t *by_index, uint64_t count)
{
	uint32_t rank[CHESS_GROUPS_MAX] = {0};
	const unsigned last = g->groups.count - 1;
	for (uint64_t i = 0; i < count;) {
		uint64_t at = 0, image = 0;
		for (unsigned k = 0; k < last; k++) {
			at += g->address[k][rank[k]];
			image += twins ? g->stride[k] * g->image[k][rank[k]] : 0;
		}
		for (uint32_t r = 0; r < g->groups.group[last].radix; r++, i++) {
			bool second = twins && image + g->image[last][r] < i;
			by_index[i] = second ? broken : by_bit[at + g->address[last][r]];
		}
		for (unsigned k = last; k-- > 0 && ++rank[k] == g->groups.group[k].radix;)
			rank[k] = 0;
	}
}

static bool gather_open(struct gather *g, const struct chess_sets *c)
{
	unsigned first_piece = 2;
	uint64_t stride = 1;
	bool all = true;
	for (unsigned k = g->groups.count; k-- > 0;) {
		g->stride[k] = stride;
		stride *= g->groups.group[k].radix;
	}
	for (unsigned k = 0; k < g->groups.count; k++) {
		const struct chess_group *group = &g->groups.group[k];
		g->address[k] = malloc(group->radix * sizeof **g->address);
		g->image[k] = malloc(group->radix * sizeof **g->image);
		all &= g->address[k] && g->image[k];
		if (all)
			fill_group(c, group, first_piece, g->address[k],
			           c->pawns ? NULL : g->image[k]);
		first_piece += group->count;
	}
	return all;
}

static void gather_close(struct gather *g)
{
	for (unsigned k = 0; k < g->groups.count; k++) {
		free(g->address[k]);
		free(g->image[k]);
	}
}

/* Bits are the same for both sides to move. */
enum el_status chess_gather(const struct el_sets *sets, unsigned side, const uint16_t *by_bit,
                            uint16_t broken, uint16_t *by_index, struct el_error *error)
{
	(void)side;
	const struct chess_sets *c = (const struct chess_sets *)sets;
	struct gather g = {.groups = chess_groups(&sets->slice)};
	enum el_status status = EL_OK;
	if (!gather_open(&g, c))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", sets->slice.name);
	const uint64_t count = sets->slice.positions / g.groups.kings;
	if (!status) {
#pragma omp parallel for schedule(static)
		for (unsigned class = 0; class < g.groups.kings; class++) {
			uint8_t white, black;
			chess_king_squares(c->pawns, class, &white, &black);
			const bool twins = chess_kings_twofold(c->pawns, white, black);
			const uint64_t at = bit_stride(c, 0) * c->white_king_row[white] +
			              bit_stride(c, 1) * black;
			gather_kings(&g, by_bit + at, twins, broken, by_index + class * count,
			             count);
		}
	}
	gather_close(&g);
	return status;
}
