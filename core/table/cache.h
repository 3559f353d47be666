/* SPDX-License-Identifier: MIT */
/*
 * One cache of table blocks with a byte budget, shared by all sources and all threads. A hit takes
 * no lock. The cache evicts roughly the least recently used block. A block is kept in the form that
 * its owner reads: decoded, or as in the file if single symbols can be decoded from that.
 */
#ifndef CORE_TABLE_CACHE_H
#define CORE_TABLE_CACHE_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct el_cache;

struct el_cache_counters {
	/* soft probes included; with more than 64 threads some hits may go uncounted */
	uint64_t hits, misses;
	uint64_t evictions;
	uint64_t bytes, budget; /* of the blocks kept now; at most */
	uint64_t blocks;        /* kept now */
};

enum el_status el_cache_open(size_t budget_bytes, struct el_cache **out, struct el_error *);
void el_cache_close(struct el_cache *);

/* A new number for an owner of blocks. */
uint64_t el_cache_owner(struct el_cache *);
/* Drops an owner's blocks, as each owner must before it closes; 0 drops all owners' blocks. */
void el_cache_forget(struct el_cache *, uint64_t owner);

/* How a block gets into the cache, and how a symbol of it is read. */
struct el_cache_reader {
	void *context;
	/* Sets *bytes to malloc'ed memory, which the cache takes over, and *size. Called on a miss,
	   with no lock held. Null: a soft probe, which reads only what is kept. */
	enum el_status (*load)(void *context, uint64_t block, uint8_t **bytes, size_t *size,
	                       struct el_error *);
	/* Reads symbol `at` of the block. EL_NEGATIVE: too little of the block was loaded; it is
	   loaded anew. Many threads call this at once; the block stays until they return. No
	   allocation. */
	enum el_status (*read)(void *context, uint64_t block, const uint8_t *bytes, size_t size,
	                       size_t at, uint16_t *symbol, struct el_error *);
};

/*
 * Symbol `at` of a block. On a miss the block is loaded and kept, and blocks not used recently make
 * room; a soft probe returns EL_NEGATIVE instead. A block that fails to load, or that exceeds the
 * budget, is not kept. Two threads may load the same block at once; one copy stays.
 */
enum el_status el_cache_read(struct el_cache *, uint64_t owner, uint64_t block, size_t at,
                             const struct el_cache_reader *, uint16_t *symbol, struct el_error *);

/* Fills `symbols` with the first `count` symbols of a block. Called on a miss, with no lock
   held. */
struct el_cache_loader {
	void *context;
	bool stops; /* `load` can be asked for fewer symbols than the block has */
	enum el_status (*load)(void *context, uint64_t block, uint16_t *symbols, size_t count,
	                       struct el_error *);
};

/* As el_cache_read, for a block of `count` symbols that is kept decoded, whole or as far as probes
   have needed it. A null loader makes a soft probe. */
enum el_status el_cache_symbol(struct el_cache *, uint64_t owner, uint64_t block, size_t count,
                               size_t offset, const struct el_cache_loader *, uint16_t *symbol,
                               struct el_error *);

void el_cache_count(struct el_cache *, struct el_cache_counters *out);

#endif
