/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From bitmaps to the index. The address of a bit in its unit is a sum over the pieces, so it is put
 * together from one table a group: the part of the address that each rank of the group contributes.
 *
 * A section is a class of kings where kings fill units; else it is a square of White's king, whose
 * classes share one. Bits are the same for both sides to move. The index has White's king on the files
 * a to d: a part with pinned pawns, which stand still, has its positions with the king elsewhere
 * mirrored.
 */
#include "sets.h"

#include <stdlib.h>

/* ---- tables ---- */

/* The first piece of a side and a kind. */
static unsigned piece_of(const struct chess_sets *c, unsigned side, unsigned kind)
{
	unsigned p = 0;
	while (c->piece[p].side != side || c->piece[p].kind != kind)
		p++;
	return p;
}

static uint32_t bit_of(const struct chess_sets *c, unsigned first, uint64_t set)
{
	uint64_t at = 0;
	for (unsigned p = first; set; p++)
		at += chess_bit_stride(c, p) * chess_pop(&set);
	return (uint32_t)at;
}

bool chess_fill_ranks(const struct chess_sets *c, const struct chess_groups *groups,
                      struct chess_ranks out[CHESS_GROUPS_MAX])
{
	for (unsigned g = 0; g < groups->count; g++) {
		const struct chess_group *group = &groups->group[g];
		const unsigned first = piece_of(c, group->side, group->kind);
		if (first < c->pinned)
			continue;
		for (unsigned image = 0; image < (c->pinned ? 2 : 1); image++)
			if (!(out[g].bit[image] = malloc(group->radix * sizeof(uint32_t))))
				return false;
		if (!groups->pawns && !(out[g].image = malloc(group->radix * sizeof(uint32_t))))
			return false;
		for (uint32_t rank = 0; rank < group->radix; rank++) {
			const uint64_t set = chess_unrank_set(rank, group->count, group->first);
			out[g].bit[0][rank] = bit_of(c, first, set);
			if (c->pinned)
				out[g].bit[1][rank] = bit_of(c, first, chess_mirror_files(set));
			if (out[g].image)
				out[g].image[rank] =
					chess_rank_set(chess_transpose(set), group->first);
		}
	}
	return true;
}

void chess_free_ranks(struct chess_ranks ranks[CHESS_GROUPS_MAX])
{
	for (unsigned g = 0; g < CHESS_GROUPS_MAX; g++) {
		free(ranks[g].bit[0]);
		free(ranks[g].bit[1]);
		free(ranks[g].image);
	}
}

/* ---- one class of kings ---- */

/* The ranks of a group that belong to the part, and where they are. */
struct gather_group {
	uint32_t begin, end;
	const uint32_t *bit;   /* by rank - begin */
	const uint32_t *image; /* by rank */
	uint64_t stride;       /* in the index */
};

struct gather {
	unsigned count;
	/* In the order of the index, but that the innermost one is not pinned where there is a choice. */
	struct gather_group group[CHESS_GROUPS_MAX];
};

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

/* The rank of pinned pieces, seen mirrored or as they are. */
static uint32_t pinned_rank(const struct chess_sets *c, const struct chess_group *group,
                            unsigned first, bool mirrored)
{
	uint64_t set = 0;
	for (unsigned p = first; p < first + group->count; p++)
		set |= chess_bit(c->piece[p].square);
	return chess_rank_set(mirrored ? chess_mirror_files(set) : set, group->first);
}

static struct gather open_gather(const struct chess_sets *c, bool mirrored)
{
	static const uint32_t nowhere = 0;
	const struct chess_groups *groups = c->part.groups;
	struct gather g = {.count = groups->count};
	uint64_t stride = 1;
	for (unsigned k = g.count; k-- > 0;) {
		const struct chess_group *group = &groups->group[k];
		const unsigned first = piece_of(c, group->side, group->kind);
		const bool pinned = first < c->pinned;
		const uint32_t begin = pinned ? pinned_rank(c, group, first, mirrored) : 0;
		g.group[k] = (struct gather_group){
			.begin = begin,
			.end = pinned ? begin + 1 : group->radix,
			.bit = pinned ? &nowhere : c->part.ranks[k].bit[mirrored],
			.image = c->part.ranks[k].image,
			.stride = stride,
		};
		stride *= group->radix;
	}
	order_groups(&g);
	return g;
}

/* The values of one class of kings. `twins`: the reflection in the diagonal maps the kings to
   themselves, so that of two reflected placements only the one with the smaller index is meant. */
static void gather_kings(const struct gather *g, const uint16_t *by_bit, bool twins,
                         uint16_t *by_index)
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
			at += group->bit[rank[k] - group->begin];
			base += group->stride * rank[k];
			image += twins ? group->stride * group->image[rank[k]] : 0;
		}
		for (uint32_t r = inner->begin; r < inner->end; r++) {
			const uint64_t i = base + inner->stride * r;
			const bool second = twins && image + inner->stride * inner->image[r] < i;
			by_index[i] = second ? 0 : by_bit[at + inner->bit[r - inner->begin]];
		}
		more = false;
		for (unsigned k = last; k-- > 0 && !more;) {
			more = ++rank[k] < g->group[k].end;
			rank[k] = more ? rank[k] : g->group[k].begin;
		}
	}
}

/* ---- sections ---- */

bool chess_mirror_is_a_part(const struct chess_sets *c)
{
	uint8_t files[2][8] = {{0}, {0}};
	bool same = true;
	for (unsigned p = 0; p < c->pinned; p++)
		files[c->piece[p].side][chess_file(c->piece[p].square)]++;
	for (unsigned n = 0; n < 16; n++)
		same &= files[n / 8][n % 8] == files[n / 8][7 - n % 8];
	return same;
}

size_t chess_sections(const struct chess_sets *c)
{
	return c->fixed == 2 ? c->part.groups->kings : c->part.kings->whites;
}

/* The first class of a section. */
static size_t first_class(const struct chess_sets *c, size_t section)
{
	return c->fixed == 2 ? section : c->part.kings->first[section];
}

static uint64_t class_positions(const struct chess_sets *c)
{
	return c->head.slice.positions / c->part.groups->kings;
}

uint64_t chess_section(const struct el_sets *sets, size_t section)
{
	const struct chess_sets *c = (const struct chess_sets *)sets;
	return first_class(c, section) * class_positions(c);
}

/* Where nothing but the pawns and the kings is there, a part and its image are in one unit. */
size_t chess_section_units(const struct el_sets *sets, unsigned side, size_t section,
                           uint32_t out[EL_LINKS_MAX])
{
	(void)side;
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const uint8_t *kings = c->part.kings->by_class[first_class(c, section)];
	const unsigned images = c->mirrored && c->fixed ? 2 : 1;
	out[0] = 0;
	for (unsigned n = 0; n < images && c->fixed; n++) {
		const unsigned symmetry = n ? CHESS_MIRROR : 0;
		const unsigned black = c->fixed == 2 ? chess_symmetric(symmetry, kings[EL_BLACK]) : 0;
		out[n] = c->part.kings->unit[chess_symmetric(symmetry, kings[EL_WHITE])][black];
	}
	return images;
}

/* Where in their unit kings are that do not say which. */
static uint64_t kings_bit(const struct chess_sets *c, const uint8_t kings[2], unsigned symmetry)
{
	uint64_t at = 0;
	for (unsigned side = c->fixed; side < 2; side++)
		at += chess_bit_stride(c, c->pinned + side) * chess_symmetric(symmetry, kings[side]);
	return at;
}

void chess_gather(const struct el_sets *sets, unsigned side, size_t section,
                  const uint16_t *const by_bit[EL_LINKS_MAX], uint16_t *by_index)
{
	(void)side;
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const uint64_t count = class_positions(c);
	const size_t begin = first_class(c, section), end = first_class(c, section + 1);
	for (unsigned image = 0; image < (c->mirrored ? 2 : 1); image++) {
		const struct gather g = open_gather(c, image);
		const uint16_t *symbols = by_bit[c->fixed ? image : 0];
		for (size_t class = begin; class < end; class++) {
			const uint8_t *kings = c->part.kings->by_class[class];
			const bool twins = chess_kings_twofold(c->part.groups->pawns,
			                                       kings[EL_WHITE], kings[EL_BLACK]);
			const uint64_t at = kings_bit(c, kings, image ? CHESS_MIRROR : 0);
			gather_kings(&g, symbols + at, twins, by_index + (class - begin) * count);
		}
	}
}
