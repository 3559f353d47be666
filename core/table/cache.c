/* SPDX-License-Identifier: MIT */
/*
 * The block cache: shards by hash, each a hash table of chains and a ring of its blocks. A hit
 * takes no lock and writes nothing that another thread reads, except to mark a block at its first
 * use since the ring passed it. Code that changes a shard holds its mutex; evicted blocks are freed
 * once no thread can be reading them. Only a miss allocates.
 */
#include "cache.h"
#include "core/base/hash.h"
#include "core/os/readers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
	SHARDS_MAX = 16,
	/* A shard keeps at least this many bytes, several times the largest block of a table. */
	SHARD_BYTES_MIN = 8 << 20,
	BYTES_A_BUCKET = 2048, /* of the budget: fewer than most blocks have */
	/* A shard looks for blocks to free once those waiting exceed this part of its budget. */
	RETIRED_PART = 32,
	BUCKETS_MAX = 1 << 20, /* of a shard, however large the budget */
};

/* A place in the ring of a shard. */
struct link {
	struct link *newer, *older;
};

/* Once readers see a block, only `chain` and `used` change. */
struct block {
	struct link link;            /* first, so that a link is its block */
	struct block *_Atomic chain; /* the next of the same bucket */
	uint64_t owner, number;
	uint8_t *bytes; /* owned */
	size_t size;
	_Atomic bool used; /* since the ring last passed it */
	uint64_t epoch;    /* in which it left the table */
};

struct shard {
	_Alignas(64) pthread_mutex_t lock;
	/* ring.older is the newest block, ring.newer the next to be evicted */
	struct link ring;
	/* likewise, of blocks that have left the table and are not freed yet */
	struct link retired;
	struct block *_Atomic *buckets; /* a power of two of them, `mask` + 1 */
	size_t mask;
	uint64_t evictions, bytes, budget, blocks, retired_bytes;
	_Atomic uint64_t misses; /* counted without the lock */
};

struct el_cache {
	size_t shard_count; /* a power of two */
	_Atomic uint64_t owners;
	struct readers readers; /* they count the hits */
	struct shard shards[SHARDS_MAX];
};

/* The block that is asked for. */
struct key {
	uint64_t owner, number, hash;
};

static struct key key_of(uint64_t owner, uint64_t number)
{
	return (struct key){owner, number, hash_mix(owner * HASH_FACTOR + number)};
}

static size_t size_of(const struct block *block)
{
	return sizeof *block + block->size;
}

static void block_free(struct block *block)
{
	free(block->bytes);
	free(block);
}

/* ---- finding a block, with or without the lock ---- */

static struct block *_Atomic *bucket_of(const struct shard *shard, const struct key *key)
{
	return &shard->buckets[key->hash & shard->mask];
}

static struct block *find(const struct shard *shard, const struct key *key)
{
	struct block *b = *bucket_of(shard, key);
	while (b && (b->number != key->number || b->owner != key->owner))
		b = b->chain;
	return b;
}

/* ---- one shard, its lock held ---- */

static void ring_leave(struct link *link)
{
	link->newer->older = link->older;
	link->older->newer = link->newer;
}

static void ring_enter(struct link *ring, struct link *link)
{
	*link = (struct link){.newer = ring, .older = ring->older};
	link->older->newer = link;
	ring->older = link;
}

/* Frees blocks that no thread reads any more. */
static void reclaim(struct readers *readers, struct shard *shard)
{
	if (shard->retired_bytes > shard->budget / RETIRED_PART)
		readers_advance(readers);
	while (shard->retired.newer != &shard->retired) {
		struct block *block = (struct block *)shard->retired.newer;
		if (!readers_gone(readers, block->epoch))
			return;
		ring_leave(&block->link);
		shard->retired_bytes -= size_of(block);
		block_free(block);
	}
}

/* Takes a block out of the table; threads that have found it go on reading. */
static void drop(struct readers *readers, struct shard *shard, struct block *block)
{
	struct key key = key_of(block->owner, block->number);
	struct block *_Atomic *at = bucket_of(shard, &key);
	while (*at != block)
		at = &(*at)->chain;
	*at = block->chain;
	ring_leave(&block->link);
	shard->bytes -= size_of(block);
	shard->blocks--;
	block->epoch = readers_epoch(readers);
	ring_enter(&shard->retired, &block->link);
	shard->retired_bytes += size_of(block);
}

/* Evicts the ring's oldest block; one used since its last turn goes round once more (second
   chance). */
static void evict(struct readers *readers, struct shard *shard)
{
	struct block *oldest = (struct block *)shard->ring.newer;
	while (atomic_exchange_explicit(&oldest->used, false, memory_order_relaxed)) {
		ring_leave(&oldest->link);
		ring_enter(&shard->ring, &oldest->link);
		oldest = (struct block *)shard->ring.newer;
	}
	drop(readers, shard, oldest);
	shard->evictions++;
}

/* Keeps a block in place of a shorter copy, or frees it if another thread was first or the budget
   is too small. */
static void keep(struct readers *readers, struct shard *shard, const struct key *key,
                 struct block *block)
{
	struct block *before = find(shard, key);
	if (size_of(block) > shard->budget || (before && before->size >= block->size)) {
		block_free(block);
		return;
	}
	if (before)
		drop(readers, shard, before);
	while (shard->bytes + size_of(block) > shard->budget)
		evict(readers, shard);
	struct block *_Atomic *at = bucket_of(shard, key);
	block->chain = *at;
	*at = block;
	ring_enter(&shard->ring, &block->link);
	shard->bytes += size_of(block);
	shard->blocks++;
	reclaim(readers, shard);
}

/* ---- the cache ---- */

static void free_ring(struct link *ring)
{
	while (ring->newer != ring) {
		struct block *block = (struct block *)ring->newer;
		ring_leave(&block->link);
		block_free(block);
	}
}

enum el_status el_cache_open(size_t budget_bytes, struct el_cache **out, struct el_error *error)
{
	struct el_cache *cache = aligned_alloc(_Alignof(struct el_cache), sizeof *cache);
	if (!cache)
		return el_fail(error, EL_MEMORY, "block cache: out of memory");
	*cache = (struct el_cache){0};
	size_t wanted = 1, buckets = 64; /* shards, and of each shard */
	while (wanted < SHARDS_MAX && budget_bytes / (2 * wanted) >= SHARD_BYTES_MIN)
		wanted *= 2;
	const uint64_t budget = budget_bytes / wanted;
	while (buckets < budget / BYTES_A_BUCKET && buckets < BUCKETS_MAX)
		buckets *= 2;
	for (; cache->shard_count < wanted; cache->shard_count++) {
		struct shard *shard = &cache->shards[cache->shard_count];
		shard->buckets = calloc(buckets, sizeof *shard->buckets);
		if (!shard->buckets) {
			el_cache_close(cache);
			return el_fail(error, EL_MEMORY, "block cache: out of memory");
		}
		shard->mask = buckets - 1;
		shard->budget = budget;
		shard->ring.newer = shard->ring.older = &shard->ring;
		shard->retired.newer = shard->retired.older = &shard->retired;
		pthread_mutex_init(&shard->lock, NULL);
	}
	*out = cache;
	return EL_OK;
}

void el_cache_close(struct el_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < cache->shard_count; i++) {
		struct shard *shard = &cache->shards[i];
		free_ring(&shard->ring);
		free_ring(&shard->retired);
		free(shard->buckets);
		pthread_mutex_destroy(&shard->lock);
	}
	free(cache);
}

uint64_t el_cache_owner(struct el_cache *cache)
{
	return atomic_fetch_add(&cache->owners, 1) + 1;
}

void el_cache_forget(struct el_cache *cache, uint64_t owner)
{
	for (size_t i = 0; i < cache->shard_count; i++) {
		struct shard *shard = &cache->shards[i];
		pthread_mutex_lock(&shard->lock);
		for (struct link *l = shard->ring.older, *next; l != &shard->ring; l = next) {
			next = l->older;
			if (!owner || ((struct block *)l)->owner == owner)
				drop(&cache->readers, shard, (struct block *)l);
		}
		readers_advance(&cache->readers);
		reclaim(&cache->readers, shard);
		pthread_mutex_unlock(&shard->lock);
	}
}

/* EL_NEGATIVE if the block was not there, or not enough of it. */
static enum el_status hit(struct el_cache *cache, struct shard *shard, const struct key *key,
                          size_t at, const struct el_cache_reader *reader, uint16_t *symbol,
                          struct el_error *error)
{
	enum el_status status = EL_NEGATIVE;
	const struct visitor visitor = readers_enter(&cache->readers);
	struct block *block = find(shard, key);
	if (block)
		status = reader->read(reader->context, key->number, block->bytes, block->size, at,
		                      symbol, error);
	if (status != EL_NEGATIVE) {
		if (!atomic_load_explicit(&block->used, memory_order_relaxed))
			atomic_store_explicit(&block->used, true, memory_order_relaxed);
		readers_count(visitor);
	}
	readers_leave(visitor);
	return status;
}

enum el_status el_cache_read(struct el_cache *cache, uint64_t owner, uint64_t number, size_t at,
                             const struct el_cache_reader *reader, uint16_t *symbol,
                             struct el_error *error)
{
	struct key key = key_of(owner, number);
	/* The shard comes from the high bits of the hash, the bucket from the low ones. */
	struct shard *shard = &cache->shards[key.hash >> 32 & (cache->shard_count - 1)];
	enum el_status status = hit(cache, shard, &key, at, reader, symbol, error);
	if (status != EL_NEGATIVE)
		return status;
	atomic_fetch_add_explicit(&shard->misses, 1, memory_order_relaxed);
	if (!reader->load)
		return status;
	struct block *block = malloc(sizeof *block); /* which no shard knows yet */
	if (!block)
		return el_fail(error, EL_MEMORY, "block cache: out of memory");
	*block = (struct block){.owner = owner, .number = number};
	status = reader->load(reader->context, number, &block->bytes, &block->size, error);
	if (status) {
		free(block);
		return status;
	}
	status =
		reader->read(reader->context, number, block->bytes, block->size, at, symbol, error);
	pthread_mutex_lock(&shard->lock);
	keep(&cache->readers, shard, &key, block);
	pthread_mutex_unlock(&shard->lock);
	return status;
}

/* ---- decoded blocks ---- */

/* Bytes of each symbol; stored in front of them. */
typedef uint16_t width;

enum { NEAR = 64 }; /* symbols: decodes up to this far past the one asked for */

struct decoded {
	const struct el_cache_loader *loader;
	size_t count;  /* symbols of the block */
	size_t wanted; /* of them */
};

static enum el_status load_decoded(void *context, uint64_t block, uint8_t **bytes, size_t *size,
                                   struct el_error *error)
{
	const struct decoded *d = context;
	width *symbols = malloc(sizeof *symbols + d->wanted * sizeof(uint16_t));
	if (!symbols)
		return el_fail(error, EL_MEMORY, "a block of %zu positions: out of memory",
		               d->wanted);
	enum el_status status =
		d->loader->load(d->loader->context, block, symbols + 1, d->wanted, error);
	if (status) {
		free(symbols);
		return status;
	}
	/* Most tables have small symbols: in a byte each, twice as many positions fit. */
	uint16_t all = 0;
	for (size_t i = 1; i <= d->wanted; i++)
		all |= symbols[i];
	*symbols = all > UINT8_MAX ? sizeof *symbols : 1;
	*size = sizeof *symbols + d->wanted * *symbols;
	*bytes = (uint8_t *)symbols;
	if (all > UINT8_MAX)
		return EL_OK;
	uint8_t *narrow = (uint8_t *)(symbols + 1);
	for (size_t i = 0; i < d->wanted; i++)
		narrow[i] = (uint8_t)symbols[i + 1];
	uint8_t *smaller = realloc(symbols, *size);
	*bytes = smaller ? smaller : *bytes;
	return EL_OK;
}

/* A second request past the decoded prefix decodes the whole block. */
static enum el_status read_decoded(void *context, uint64_t block, const uint8_t *bytes, size_t size,
                                   size_t at, uint16_t *symbol, struct el_error *error)
{
	struct decoded *d = context;
	const width wide = *(const width *)bytes;
	const uint8_t *symbols = bytes + sizeof wide;
	(void)block, (void)error;
	d->wanted = d->count;
	if (at >= (size - sizeof wide) / wide)
		return EL_NEGATIVE;
	*symbol = wide == 1 ? symbols[at] : ((const uint16_t *)symbols)[at];
	return EL_OK;
}

enum el_status el_cache_symbol(struct el_cache *cache, uint64_t owner, uint64_t number,
                               size_t count, size_t offset, const struct el_cache_loader *loader,
                               uint16_t *symbol, struct el_error *error)
{
	const size_t front = (offset / NEAR + 1) * NEAR;
	const bool whole = !loader || !loader->stops || front > count;
	struct decoded decoded = {loader, count, whole ? count : front};
	const struct el_cache_reader reader = {&decoded, loader ? load_decoded : NULL,
	                                       read_decoded};
	return el_cache_read(cache, owner, number, offset, &reader, symbol, error);
}

void el_cache_count(struct el_cache *cache, struct el_cache_counters *out)
{
	*out = (struct el_cache_counters){.hits = readers_tally(&cache->readers)};
	for (size_t i = 0; i < cache->shard_count; i++) {
		struct shard *shard = &cache->shards[i];
		pthread_mutex_lock(&shard->lock);
		out->misses += shard->misses;
		out->evictions += shard->evictions;
		out->bytes += shard->bytes;
		out->budget += shard->budget;
		out->blocks += shard->blocks;
		pthread_mutex_unlock(&shard->lock);
	}
}
