/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One cache of table blocks, with a byte budget, shared by all sources and all threads. A hit takes no
 * lock; what has not been used for longest goes first, or nearly so. A block is kept in the form that its owner
 * answers from: decoded, or as it is in the file where one symbol can be decoded alone.
 */
#ifndef ENDLAB_CACHE_H
#define ENDLAB_CACHE_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct el_cache;

struct el_cache_counters {
	uint64_t hits, misses;   /* soft ones included; with more than 64 threads some hits may be missed */
	uint64_t evictions;
	uint64_t bytes, budget;
	uint64_t blocks;
};

enum el_status el_cache_open(size_t budget_bytes, struct el_cache **out, struct el_error *);
void el_cache_close(struct el_cache *);

/* A number that no other owner of blocks has had. */
uint64_t el_cache_owner(struct el_cache *);
/* Forgets the blocks of an owner, before it closes; of all owners when it is 0. */
void el_cache_forget(struct el_cache *, uint64_t owner);

/* How a block comes into the cache, and how a symbol of it is read. */
struct el_cache_reader {
	void *context;
	/* Sets *bytes to malloc'ed memory, which the cache takes over, and *size. Called on a miss,
	   outside all locks. */
	enum el_status (*load)(void *context, uint64_t block, uint8_t **bytes, size_t *size,
	                       struct el_error *);
	/* Symbol `at` of the block; EL_NEGATIVE where too little of it was loaded, and is loaded anew.
	   Called by many threads at once; the block stays until they return. No allocation. */
	enum el_status (*read)(void *context, uint64_t block, const uint8_t *bytes, size_t size,
	                       size_t at, uint16_t *symbol, struct el_error *);
};

/*
 * Symbol `at` of a block; on a miss the block is loaded and kept, and those that were not used of late
 * make room. A soft probe does not load: EL_NEGATIVE on a miss. A block that fails to load is not
 * kept. Blocks beyond the budget are answered and not kept. Two threads may load the same block at
 * once; one copy stays.
 */
enum el_status el_cache_read(struct el_cache *, uint64_t owner, uint64_t block, size_t at,
                             const struct el_cache_reader *, bool soft, uint16_t *symbol,
                             struct el_error *);

/* Fills `symbols` with the first `count` symbols of a block: called on a miss, outside all locks. */
struct el_cache_loader {
	void *context;
	bool stops; /* it may be asked for fewer than the block has */
	enum el_status (*load)(void *context, uint64_t block, uint16_t *symbols, size_t count,
	                       struct el_error *);
};

/* The same for a block of `count` symbols that is kept decoded, all of it or as far as somebody asked.
   A null loader is a soft probe. */
enum el_status el_cache_symbol(struct el_cache *, uint64_t owner, uint64_t block, size_t count,
                               size_t offset, const struct el_cache_loader *, uint16_t *symbol,
                               struct el_error *);

void el_cache_count(struct el_cache *, struct el_cache_counters *out);

#endif
