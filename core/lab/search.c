/* SPDX-License-Identifier: MIT */
/* A short search through a cache of few blocks: the library's own cache, with blocks that are one
   byte each. */
#include "lab.h"

#include "core/table/cache.h"
#include "core/table/order.h"

#include <stdlib.h>

/* ---- the probes ---- */

/* Where the table has its planes. */
struct plan {
	const struct el_lab_block *block;
	struct numbering numbering[2];
	uint64_t first_block[2];
};

/* Finds the block that has the position's value; false if the table has none. */
static bool find_block(const struct plan *plan, const struct el_position *p, uint64_t *out)
{
	const struct el_slice *slice = &plan->block->slice;
	struct el_slice found;
	struct el_place place;
	if (slice->game->slice_of(p, &found, NULL) || !el_slice_equal(&found, slice) ||
	    !slice->game->place(p, &place) || !el_table_keeps(&plan->block->options, place.plane))
		return false;
	const struct numbering *n = &plan->numbering[place.plane];
	*out = plan->first_block[place.plane] +
	       numbering_of(n, &place) / plan->block->options.block_positions;
	return true;
}

/* Probes the positions after each move, and after each reply to it. */
static void visit(const struct plan *plan, const struct el_position *from, unsigned depth,
                  struct el_lab_probe path, struct el_lab_probe *out, size_t *count)
{
	const struct el_game *game = plan->block->slice.game;
	struct el_move moves[EL_MOVES_MAX];
	const size_t all = game->moves(from, moves);
	for (size_t i = 0; i < all && *count < EL_LAB_SEARCH; i++) {
		struct el_position after;
		path.move[depth] = moves[i];
		path.plies = depth + 1;
		game->play(from, &moves[i], &after);
		if (!find_block(plan, &after, &path.block))
			continue;
		out[(*count)++] = path;
		if (depth + 1 < EL_LAB_SEARCH_PLIES)
			visit(plan, &after, depth + 1, path, out, count);
	}
}

/* ---- the cache ---- */

static enum el_status load(void *loaded, uint64_t block, uint8_t **bytes, size_t *size,
                           struct el_error *error)
{
	(void)block;
	*(bool *)loaded = true;
	*size = 1;
	*bytes = malloc(*size);
	return *bytes ? EL_OK : el_fail(error, EL_MEMORY, "block cache: out of memory");
}

static enum el_status read(void *loaded, uint64_t block, const uint8_t *bytes, size_t size,
                           size_t at, uint16_t *symbol, struct el_error *error)
{
	(void)loaded, (void)block, (void)bytes, (void)size, (void)at, (void)error;
	*symbol = 0;
	return EL_OK;
}

/* Probes a block; a soft probe loads none. EL_NEGATIVE: a soft probe did not find it. */
static enum el_status probe(struct el_cache *cache, uint64_t block, bool soft, bool *loaded,
                            struct el_error *error)
{
	const struct el_cache_reader reader = {loaded, soft ? NULL : load, read};
	uint16_t symbol;
	*loaded = false;
	return el_cache_read(cache, 1, block, 0, &reader, &symbol, error);
}

/* How many bytes of budget a block takes. */
static enum el_status find_cost(size_t *out, struct el_error *error)
{
	struct el_cache *cache;
	struct el_cache_counters counters;
	bool loaded;
	enum el_status status = el_cache_open(1 << 20, &cache, error);
	if (status)
		return status;
	status = probe(cache, 0, false, &loaded, error);
	el_cache_count(cache, &counters);
	*out = (size_t)counters.bytes;
	el_cache_close(cache);
	return status;
}

/* Runs the probes up to `last` through an empty cache, and finds what it then keeps, the latest use
   first. Each probe has a cache of its own, because asking what is kept counts as a use. */
static enum el_status run_to(struct el_lab_probe *probes, size_t last, size_t budget,
                             struct el_error *error)
{
	struct el_cache *cache;
	struct el_lab_probe *p = &probes[last];
	bool loaded;
	enum el_status status = el_cache_open(budget, &cache, error);
	if (status)
		return status;
	for (size_t i = 0; i <= last && !status; i++)
		status = probe(cache, probes[i].block, false, &p->loaded, error);
	p->kept_count = 0;
	for (size_t i = last + 1; i-- > 0 && !status;) {
		bool seen = false;
		for (size_t later = i + 1; later <= last; later++)
			seen = seen || probes[later].block == probes[i].block;
		if (!seen && !probe(cache, probes[i].block, true, &loaded, NULL) &&
		    p->kept_count < EL_LAB_KEEPS_MAX)
			p->kept[p->kept_count++] = probes[i].block;
	}
	el_cache_close(cache);
	return status;
}

enum el_status el_lab_search(const struct el_lab_block *block, const struct el_position *from,
                             unsigned keeps, struct el_lab_probe out[EL_LAB_SEARCH], size_t *count,
                             struct el_error *error)
{
	struct plan plan = {.block = block};
	size_t cost;
	*count = 0;
	for (unsigned p = 0; p < block->slice.planes; p++)
		if (numbering_make(&block->slice, &block->options.order[p], &plan.numbering[p]))
			return el_fail(error, EL_USAGE, "%s: no such order", block->slice.name);
	if (el_table_keeps(&block->options, 0))
		plan.first_block[1] =
			(plan.numbering[0].positions + block->options.block_positions - 1) /
			block->options.block_positions;
	visit(&plan, from, 0, (struct el_lab_probe){.plies = 0}, out, count);
	if (!*count)
		return el_fail(error, EL_NEGATIVE,
		               "no move of the position leads to one that this table of %s has",
		               block->slice.name);
	enum el_status status = find_cost(&cost, error);
	for (size_t i = 0; i < *count && !status; i++)
		status = run_to(out, i, keeps * cost, error);
	return status;
}
