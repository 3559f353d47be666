/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From bitmaps to the index. The address of a bit is a sum over the pieces, so it is put together
 * from one table a group: the part of the address that each rank of the group contributes.
 */
#include "index.h"
#include "sets.h"
#include "../../shared_for.h"

#include <stdlib.h>

/* The ranks of a group that belong to the part, and their addresses. */
struct gather_group {
	uint32_t begin, end;
	uint64_t *address; /* by rank - begin: the group's part of a bit's address */
	uint32_t *image;   /* by rank: the rank reflected in the a1-h8 diagonal; null with pawns */
	uint64_t stride;   /* in the index */
};

struct gather {
	unsigned symmetry; /* that takes the squares of the index to those of the bits */
	unsigned count;
	/* In the order of the index, but that the innermost one is not pinned where there is a choice. */
	struct gather_group group[CHESS_GROUPS_MAX];
};

/* How far apart two bits are in which piece p stands on neighbouring squares. */
static uint64_t bit_stride(const struct chess_sets *c, unsigned p)
{
	if (p < c->pinned)
		return 0;
	if (p == chess_word_piece(c))
		return 1;
	return p == chess_row_piece(c) ? 64 : c->stride[p] * 64 * CHESS_SLAB;
}

/* The first piece of a side and a kind. */
static unsigned piece_of(const struct chess_sets *c, unsigned side, unsigned kind)
{
	unsigned p = 0;
	while (c->piece[p].side != side || c->piece[p].kind != kind)
		p++;
	return p;
}

static uint64_t set_symmetric(unsigned symmetry, uint64_t set)
{
	return symmetry ? chess_mirror_files(set) : set;
}

static bool fill_group(const struct chess_sets *c, const struct chess_group *from, unsigned symmetry,
                       struct gather_group *group)
{
	const unsigned first = piece_of(c, from->side, from->kind);
	uint64_t pinned = 0;
	for (unsigned p = first; p < first + from->count && p < c->pinned; p++)
		pinned |= chess_bit(c->piece[p].square);
	group->begin = 0;
	group->end = from->radix;
	if (pinned) {
		group->begin = chess_rank_set(set_symmetric(symmetry, pinned), from->first);
		group->end = group->begin + 1;
	}
	group->address = malloc((group->end - group->begin) * sizeof *group->address);
	group->image = c->pawns ? NULL : malloc(from->radix * sizeof *group->image);
	if (!group->address || (!c->pawns && !group->image))
		return false;
	for (uint32_t rank = group->begin; rank < group->end; rank++) {
		uint64_t set = chess_unrank_set(rank, from->count, from->first);
		uint64_t at = 0;
		if (group->image)
			group->image[rank] = chess_rank_set(chess_transpose(set), from->first);
		set = set_symmetric(symmetry, set);
		for (unsigned p = first; set; p++)
			at += bit_stride(c, p) * chess_pop(&set);
		group->address[rank - group->begin] = at;
	}
	return true;
}

/* Puts the last group that has more than one rank innermost. */
static void order_groups(struct gather *g)
{
	unsigned last = g->count - 1;
	while (last && g->group[last].end - g->group[last].begin == 1)
		last--;
	const struct gather_group inner = g->group[last];
	for (; last + 1 < g->count; last++)
		g->group[last] = g->group[last + 1];
	g->group[last] = inner;
}

static bool gather_open(struct gather *g, const struct chess_sets *c,
                        const struct chess_groups *groups, unsigned symmetry)
{
	uint64_t stride = 1;
	bool all = true;
	*g = (struct gather){.symmetry = symmetry, .count = groups->count};
	for (unsigned k = g->count; k-- > 0;) {
		g->group[k].stride = stride;
		stride *= groups->group[k].radix;
	}
	for (unsigned k = 0; k < g->count && all; k++)
		all = fill_group(c, &groups->group[k], symmetry, &g->group[k]);
	if (all)
		order_groups(g);
	return all;
}

static void gather_close(struct gather *g)
{
	for (unsigned k = 0; k < g->count; k++) {
		free(g->group[k].address);
		free(g->group[k].image);
	}
}

/* The values of one class of kings. `twins`: the reflection in the diagonal maps the kings to
   themselves, so that of two reflected placements only the one with the smaller index is meant. */
static void gather_kings(const struct gather *g, const uint16_t *by_bit, bool twins,
                         uint16_t broken, uint16_t *by_index)
{
	uint32_t rank[CHESS_GROUPS_MAX];
	const unsigned last = g->count - 1;
	const struct gather_group *inner = &g->group[last];
	for (unsigned k = 0; k < last; k++)
		rank[k] = g->group[k].begin;
	for (bool more = true; more;) {
		uint64_t at = 0, image = 0, base = 0;
		for (unsigned k = 0; k < last; k++) {
			const struct gather_group *group = &g->group[k];
			at += group->address[rank[k] - group->begin];
			base += group->stride * rank[k];
			image += twins ? group->stride * group->image[rank[k]] : 0;
		}
		for (uint32_t r = inner->begin; r < inner->end; r++) {
			const uint64_t i = base + inner->stride * r;
			const bool second = twins && image + inner->stride * inner->image[r] < i;
			by_index[i] = second ? broken : by_bit[at + inner->address[r - inner->begin]];
		}
		more = false;
		for (unsigned k = last; k-- > 0 && !more;) {
			more = ++rank[k] < g->group[k].end;
			rank[k] = more ? rank[k] : g->group[k].begin;
		}
	}
}

static void gather_all(const struct gather *g, const struct chess_sets *c, unsigned kings,
                       const uint16_t *by_bit, uint16_t broken, uint16_t *by_index)
{
	const uint64_t count = c->head.slice.positions / kings;
	const unsigned white_king = c->pinned, black_king = c->pinned + 1;
	const bool is_row = white_king == chess_row_piece(c);
	SHARED_FOR(c->head.words, class, kings, schedule(static), {
		const unsigned white = c->kings[class][EL_WHITE], black = c->kings[class][EL_BLACK];
		const bool twins = chess_kings_twofold(c->pawns, white, black);
		const unsigned at_white = chess_symmetric(g->symmetry, white);
		const uint64_t at = bit_stride(c, white_king) *
		                            (is_row ? at_white : c->white_king_row[at_white]) +
		                    bit_stride(c, black_king) * chess_symmetric(g->symmetry, black);
		gather_kings(g, by_bit + at, twins, broken, by_index + class * count);
	});
}

/* Is the mirror image of the pinned pawns another part, which gathers for itself? So it is where their
   files are their own image. */
static bool mirror_is_a_part(const struct chess_sets *c)
{
	uint8_t files[2][8] = {{0}, {0}};
	bool same = true;
	for (unsigned p = 0; p < c->pinned; p++)
		files[c->piece[p].side][chess_file(c->piece[p].square)]++;
	for (unsigned n = 0; n < 16; n++)
		same &= files[n / 8][n % 8] == files[n / 8][7 - n % 8];
	return same;
}

/* Bits are the same for both sides to move. The index has White's king on the files a to d: a part with
   pinned pawns is gathered twice, as it is and as its mirror image. */
enum el_status chess_gather(const struct el_sets *sets, unsigned side, const uint16_t *by_bit,
                            uint16_t broken, uint16_t *by_index, struct el_error *error)
{
	(void)side;
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const struct chess_groups groups = chess_groups(&sets->slice);
	const unsigned images = c->pinned && !mirror_is_a_part(c) ? 2 : 1;
	enum el_status status = EL_OK;
	for (unsigned image = 0; image < images && !status; image++) {
		struct gather g;
		if (gather_open(&g, c, &groups, image ? CHESS_MIRROR : 0))
			gather_all(&g, c, groups.kings, by_bit, broken, by_index);
		else
			status = el_fail(error, EL_MEMORY, "%s: out of memory", sets->slice.name);
		gather_close(&g);
	}
	return status;
}
