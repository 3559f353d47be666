/* SPDX-License-Identifier: MIT */
/*
 * From bitmaps to the index. The address of a bit in its unit is a sum over groups of like pieces,
 * so it is composed from one table for each group of the index, which holds what each rank of it
 * contributes. The index has one group where the bitmaps may have several (sets.h); its lowest
 * squares then belong to the first of those.
 *
 * A section is a class of kings if two kings select the unit; else it is a square of White's king,
 * whose classes share a unit. Bits are the same for both sides to move. The index has White's king
 * on the a- to d-files, so a part with pinned pawns also supplies mirrored positions, with the king
 * on the other files.
 */
#include "sets.h"

#include <stdlib.h>

/* ---- tables ---- */

/* The first piece of a side and kind. */
static unsigned piece_of(const struct chess_sets *c, unsigned side, unsigned kind)
{
	unsigned p = 0;
	while (c->piece[p].side != side || c->piece[p].kind != kind)
		p++;
	return p;
}

static uint64_t bit_of(const struct chess_sets *c, const struct chess_group *group, uint64_t set)
{
	uint64_t at = 0;
	for (unsigned g = 0; g < c->groups && set; g++) {
		const struct chess_alike *alike = &c->alike[g];
		const struct chess_piece piece = c->piece[alike->first];
		uint64_t own = 0;
		if (piece.side != group->side || piece.kind != group->kind)
			continue;
		for (unsigned n = 0; n < alike->count; n++)
			own |= chess_bit(chess_pop(&set));
		at += alike->stride * choose_rank(own);
	}
	return at;
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
			if (!(out[g].bit[image] = malloc(group->radix * sizeof(uint64_t))))
				return false;
		if (!groups->pawns && !(out[g].image = malloc(group->radix * sizeof(uint32_t))))
			return false;
		for (uint32_t rank = 0; rank < group->radix; rank++) {
			const uint64_t set = chess_unrank_set(rank, group->count, group->first);
			out[g].bit[0][rank] = bit_of(c, group, set);
			if (c->pinned)
				out[g].bit[1][rank] = bit_of(c, group, chess_mirror_files(set));
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

/* ---- opening ---- */

/* How far apart in the bitmaps a group's first two ranks are; 0: it has one. */
static uint64_t distance(const struct chess_gather_group *g)
{
	if (g->end - g->begin == 1)
		return 0;
	return g->bit[1] > g->bit[0] ? g->bit[1] - g->bit[0] : g->bit[0] - g->bit[1];
}

static int by_distance(const void *a, const void *b)
{
	const uint64_t x = distance(a), y = distance(b);
	return x < y ? 1 : x > y ? -1 : 0;
}

static struct chess_gather gather_of(const struct chess_sets *c, bool mirrored)
{
	static const uint64_t nowhere = 0;
	const struct chess_groups *groups = c->part.groups;
	struct chess_gather g = {.count = groups->count};
	uint64_t stride = 1;
	for (unsigned k = g.count; k-- > 0;) {
		const struct chess_group *group = &groups->group[k];
		const unsigned first = piece_of(c, group->side, group->kind);
		const bool pinned = first < c->pinned;
		uint64_t set = 0; /* the squares of pinned pieces */
		for (unsigned p = first; pinned && p < first + group->count; p++)
			set |= chess_bit(c->piece[p].square);
		set = mirrored ? chess_mirror_files(set) : set;
		const uint32_t begin = pinned ? chess_rank_set(set, group->first) : 0;
		g.group[k] = (struct chess_gather_group){
			.begin = begin,
			.end = pinned ? begin + 1 : group->radix,
			.bit = pinned ? &nowhere : c->part.ranks[k].bit[mirrored],
			.image = c->part.ranks[k].image,
			.stride = stride,
		};
		stride *= group->radix;
	}
	/* The last group with more than one rank becomes the innermost, so that values are written
	   in order. Of the others, those whose ranks are closer together in the bitmaps are further
	   inside: the same lines of memory are read again before they are gone. */
	unsigned last = g.count - 1;
	while (last && g.group[last].end - g.group[last].begin == 1)
		last--;
	const struct chess_gather_group inner = g.group[last];
	g.group[last] = g.group[g.count - 1];
	g.group[g.count - 1] = inner;
	qsort(g.group, g.count - 1, sizeof *g.group, by_distance);
	return g;
}

/* ---- one class of kings ---- */

/* What is fixed while the two innermost groups are gathered. `base` and `image`: the index of the outer
   groups, and of their images; `twins`: see gather_kings. */
struct outer {
	const struct chess_gather_group *inner, *next;
	const uint16_t *by_bit;
	uint16_t *by_index;
	uint64_t base, image;
	bool twins;
};

enum { TILE = 32, BLOCK = 64 }; /* ranks of the inner group, and of the next one */

/* The ranks from `tile` and from `block` on. */
static void gather_tile(const struct outer *o, uint32_t block, uint32_t tile)
{
	const uint32_t n_end = o->next->end - block < BLOCK ? o->next->end : block + BLOCK;
	const uint32_t r_end = o->inner->end - tile < TILE ? o->inner->end : tile + TILE;
	for (uint32_t n = block; n < n_end; n++) {
		const uint64_t first = o->base + o->next->stride * n;
		const uint64_t image =
			o->twins ? o->image + o->next->stride * o->next->image[n] : 0;
		const uint16_t *from = o->by_bit + o->next->bit[n - o->next->begin];
		for (uint32_t r = tile; r < r_end; r++) {
			const uint64_t i = first + o->inner->stride * r;
			const bool second =
				o->twins && image + o->inner->stride * o->inner->image[r] < i;
			o->by_index[i] = second ? 0 : from[o->inner->bit[r - o->inner->begin]];
		}
	}
}

/* Gathers the values of one class of kings. `twins`: reflection in the diagonal maps the kings to
   themselves, so of two reflected placements only the one with the smaller index counts. The two
   innermost groups are gathered in tiles, whose values are in the first cache, and in blocks, whose part
   of the index stays in the second one until all of its tiles are gathered. */
static void gather_kings(const struct chess_gather *g, const uint16_t *by_bit, bool twins,
                         uint16_t *by_index)
{
	static const uint64_t nothing = 0;
	static const uint32_t itself = 0;
	static const struct chess_gather_group alone = {0, 1, &nothing, &itself, 0};
	const struct chess_gather_group *inner = &g->group[g->count - 1];
	const struct chess_gather_group *next = g->count > 1 ? inner - 1 : &alone;
	const unsigned outer = g->count > 2 ? g->count - 2 : 0;
	uint32_t rank[CHESS_GROUPS_MAX];
	for (unsigned k = 0; k < outer; k++)
		rank[k] = g->group[k].begin;
	for (bool more = true; more;) {
		struct outer o = {inner, next, by_bit, by_index, 0, 0, twins};
		for (unsigned k = 0; k < outer; k++) {
			const struct chess_gather_group *group = &g->group[k];
			o.by_bit += group->bit[rank[k] - group->begin];
			o.base += group->stride * rank[k];
			o.image += twins ? group->stride * group->image[rank[k]] : 0;
		}
		for (uint32_t block = next->begin; block < next->end; block += BLOCK)
			for (uint32_t tile = inner->begin; tile < inner->end; tile += TILE)
				gather_tile(&o, block, tile);
		more = false;
		for (unsigned k = outer; k-- > 0 && !more;) {
			more = ++rank[k] < g->group[k].end;
			rank[k] = more ? rank[k] : g->group[k].begin;
		}
	}
}

/* ---- sections ---- */

/* The first class of a section. */
static size_t first_class(const struct chess_sets *c, size_t section)
{
	return c->fixed == 2 ? section : c->part.kings->first[section];
}

static uint64_t class_positions(const struct chess_sets *c)
{
	return c->head.slice.positions / c->part.groups->kings;
}

static uint64_t section_begin(const struct el_sets *sets, size_t section)
{
	const struct chess_sets *c = (const struct chess_sets *)sets;
	return first_class(c, section) * class_positions(c);
}

/* With only pawns and kings, a part and its image share one unit. */
static size_t section_units(const struct el_sets *sets, unsigned side, size_t section,
                            uint32_t out[EL_LINKS_MAX])
{
	(void)side;
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const uint8_t *kings = c->part.kings->by_class[first_class(c, section)];
	const unsigned images = c->fixed ? c->images : 1;
	out[0] = 0;
	for (unsigned n = 0; n < images && c->fixed; n++) {
		const unsigned symmetry = n ? CHESS_MIRROR : 0;
		const unsigned black =
			c->fixed == 2 ? chess_symmetric(symmetry, kings[EL_BLACK]) : 0;
		out[n] = c->part.kings->unit[chess_symmetric(symmetry, kings[EL_WHITE])][black];
	}
	return images;
}

static void gather(const struct el_sets *sets, unsigned side, size_t section,
                   const uint16_t *const by_bit[EL_LINKS_MAX], uint16_t *by_index)
{
	(void)side;
	const struct chess_sets *c = (const struct chess_sets *)sets;
	const size_t begin = first_class(c, section), end = first_class(c, section + 1);
	/* Kings that do not select the unit are the first groups. */
	uint64_t stride[2] = {0, 0};
	for (unsigned king = c->fixed; king < 2; king++)
		stride[king] = c->alike[king - c->fixed].stride;
	for (unsigned image = 0; image < c->images; image++)
		for (size_t class = begin; class < end; class ++) {
			const unsigned symmetry = image ? CHESS_MIRROR : 0;
			const uint8_t *kings = c->part.kings->by_class[class];
			const unsigned white = kings[EL_WHITE], black = kings[EL_BLACK];
			const uint64_t at = stride[EL_WHITE] * chess_symmetric(symmetry, white) +
			                    stride[EL_BLACK] * chess_symmetric(symmetry, black);
			gather_kings(&c->gather[image], by_bit[c->fixed ? image : 0] + at,
			             chess_kings_twofold(c->part.groups->pawns, white, black),
			             by_index + (class - begin) * class_positions(c));
		}
}

void chess_open_gather(struct chess_sets *c)
{
	/* If the mirror image of the pinned pawns belongs to the same family, it is gathered as a
	   part of its own. */
	uint8_t files[2][8] = {{0}, {0}};
	bool same = true;
	for (unsigned p = 0; p < c->pinned; p++)
		files[c->piece[p].side][chess_file(c->piece[p].square)]++;
	for (unsigned n = 0; n < 16; n++)
		same &= files[n / 8][n % 8] == files[n / 8][7 - n % 8];
	c->images = same ? 1 : 2;
	c->head.section = section_begin;
	c->head.section_units = section_units;
	c->head.gather = gather;
	c->head.sections = c->fixed == 2 ? c->part.groups->kings : c->part.kings->whites;
	for (unsigned image = 0; image < c->images; image++)
		c->gather[image] = gather_of(c, image);
}
