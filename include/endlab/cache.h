/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One least-recently-used cache of decoded blocks, with a byte budget, shared by all sources and
 * all threads. Sharded by key so that threads seldom meet.
 */
#ifndef ENDLAB_CACHE_H
#define ENDLAB_CACHE_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct el_cache;

struct el_cache_counters {
	uint64_t hits, misses;   /* of el_cache_symbol, soft ones included */
	uint64_t evictions;
	uint64_t bytes, budget;
	uint64_t blocks;
};

enum el_status el_cache_open(size_t budget_bytes, struct el_cache **out, struct el_error *);
void el_cache_close(struct el_cache *);

/* A number that no other owner of blocks has had. */
uint64_t el_cache_owner(struct el_cache *);
/* Forgets the blocks of an owner, before it closes. */
void el_cache_forget(struct el_cache *, uint64_t owner);

/* Fills `symbols` with the `count` symbols of a block: called on a miss, outside all locks. */
struct el_cache_loader {
	void *context;
	enum el_status (*load)(void *context, uint64_t block, uint16_t *symbols, size_t count,
	                       struct el_error *);
};

/*
 * Symbol `offset` of a block that has `count` symbols; on a miss the block is loaded and kept, the
 * least recently used ones making room. A null loader is a soft probe: EL_NEGATIVE on a miss. A
 * block that fails to load is not kept. Blocks beyond the budget are answered and not kept. Two
 * threads may load the same block at once; one copy stays.
 */
enum el_status el_cache_symbol(struct el_cache *, uint64_t owner, uint64_t block, size_t count,
                               size_t offset, const struct el_cache_loader *, uint16_t *symbol,
                               struct el_error *);

void el_cache_count(struct el_cache *, struct el_cache_counters *out);

#endif
