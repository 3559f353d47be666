/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The block cache: what it keeps, the order in which it evicts, its counts, and many threads. */
#include "core/table/cache.h"

#include "tests/fixtures/store_fixture.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- blocks with known symbols ---- */

static uint16_t symbol_of(uint64_t block, size_t offset)
{
	return (uint16_t)(block * 31 + offset);
}

static enum el_status fill(void *context, uint64_t block, uint16_t *symbols, size_t count,
                           struct el_error *error)
{
	(void)error;
	atomic_fetch_add((_Atomic unsigned *)context, 1);
	for (size_t i = 0; i < count; i++)
		symbols[i] = symbol_of(block, i);
	return EL_OK;
}

static enum el_status refuse(void *context, uint64_t block, uint16_t *symbols, size_t count,
                             struct el_error *error)
{
	(void)context, (void)symbols, (void)count;
	return el_fail(error, EL_DAMAGED, "block %u is damaged", (unsigned)block);
}

static _Atomic unsigned loads;
static const struct el_cache_loader loader = {(void *)&loads, false, fill};

static struct el_cache *open_cache(size_t bytes)
{
	struct el_cache *cache;
	atomic_store(&loads, 0);
	assert_int_equal(el_cache_open(bytes, &cache, NULL), EL_OK);
	return cache;
}

enum { COUNT = 500 }; /* symbols of a block here */

/* Asks for a symbol of a block, checks it, and returns whether the block was in the cache. */
static bool was_there(struct el_cache *cache, uint64_t owner, uint64_t block)
{
	unsigned before = atomic_load(&loads);
	uint16_t symbol = 0;
	size_t offset = (size_t)(block * 7 % COUNT);
	assert_int_equal(
		el_cache_symbol(cache, owner, block, COUNT, offset, &loader, &symbol, NULL), EL_OK);
	assert_int_equal(symbol, symbol_of(block, offset));
	return atomic_load(&loads) == before;
}

/* Soft: neither loads nor keeps. */
static bool is_there(struct el_cache *cache, uint64_t owner, uint64_t block)
{
	uint16_t symbol;
	return el_cache_symbol(cache, owner, block, COUNT, 0, NULL, &symbol, NULL) == EL_OK;
}

/* The bytes that one block of COUNT takes, with the cache's overhead. */
static size_t block_bytes(void)
{
	struct el_cache *cache = open_cache(1 << 20);
	struct el_cache_counters counters;
	was_there(cache, 1, 1);
	el_cache_count(cache, &counters);
	el_cache_close(cache);
	assert_true(counters.bytes >= COUNT * sizeof(uint16_t));
	assert_true(counters.bytes <= COUNT * sizeof(uint16_t) + 128);
	return (size_t)counters.bytes;
}

/* ---- tests ---- */

static void test_least_recently_used_goes(void **state)
{
	(void)state;
	struct el_cache *cache = open_cache(3 * block_bytes());
	for (uint64_t b = 1; b <= 3; b++)
		assert_false(was_there(cache, 1, b));
	assert_true(was_there(cache, 1, 1)); /* now 2 is the oldest */
	assert_false(was_there(cache, 1, 4));
	assert_false(is_there(cache, 1, 2));
	assert_true(is_there(cache, 1, 3)); /* a soft probe counts as a use too: 1 is the oldest */
	assert_false(was_there(cache, 1, 5));
	assert_false(is_there(cache, 1, 1));
	assert_true(is_there(cache, 1, 4));
	assert_true(is_there(cache, 1, 3));
	assert_true(is_there(cache, 1, 5));
	el_cache_close(cache);
}

/* Against a model: a list in order of arrival, in which a used block gets a second round. */
static void test_second_chance(void **state)
{
	(void)state;
	enum { KEPT = 20, BLOCKS = 30 };
	struct el_cache *cache = open_cache(KEPT * block_bytes());
	uint64_t queue[KEPT], seed = 1, known = 0;
	bool marked[BLOCKS] = {false};
	for (unsigned i = 0; i < 20000; i++) {
		const uint64_t block = fixture_random(&seed) % BLOCKS;
		size_t at = 0;
		while (at < known && queue[at] != block)
			at++;
		assert_int_equal(was_there(cache, 1, block), at < known);
		marked[block] = at < known;
		if (at < known)
			continue;
		while (known == KEPT) {
			const uint64_t oldest = queue[0];
			memmove(queue, queue + 1, (KEPT - 1) * sizeof *queue);
			if (marked[oldest])
				queue[KEPT - 1] = oldest;
			else
				known--;
			marked[oldest] = false;
		}
		queue[known++] = block;
	}
	el_cache_close(cache);
}

static void test_counters(void **state)
{
	(void)state;
	size_t each = block_bytes();
	struct el_cache *cache = open_cache(10 * each + each / 2);
	for (uint64_t b = 0; b < 15; b++)
		was_there(cache, 1, b);
	for (uint64_t b = 5; b < 15; b++)
		assert_true(was_there(cache, 1, b));
	assert_false(is_there(cache, 1, 0));
	struct el_cache_counters c;
	el_cache_count(cache, &c);
	assert_int_equal(c.hits, 10);
	assert_int_equal(c.misses, 16);
	assert_int_equal(c.evictions, 5);
	assert_int_equal(c.blocks, 10);
	assert_int_equal(c.bytes, 10 * each);
	assert_int_equal(c.budget, 10 * each + each / 2);
	el_cache_close(cache);
}

static enum el_status fill_small(void *context, uint64_t block, uint16_t *symbols, size_t count,
                                 struct el_error *error)
{
	(void)context, (void)error;
	for (size_t i = 0; i < count; i++)
		symbols[i] = (uint16_t)((block + i) % 256);
	return EL_OK;
}

static size_t asked; /* symbols, by the last load */

static enum el_status fill_front(void *context, uint64_t block, uint16_t *symbols, size_t count,
                                 struct el_error *error)
{
	asked = count;
	return fill(context, block, symbols, count, error);
}

/* A small request decodes the front of a block; a second, larger one decodes the whole block. */
static void test_fronts(void **state)
{
	(void)state;
	enum { MANY = 4096 };
	static const struct {
		size_t offset, asks;
	} steps[] = {{10, 64}, {63, 0}, {64, MANY}, {4000, 0}, {10, 0}};
	struct el_cache *cache = open_cache(1 << 20);
	const struct el_cache_loader front = {(void *)&loads, true, fill_front};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		uint16_t symbol = 0;
		asked = 0;
		assert_int_equal(
			el_cache_symbol(cache, 1, 3, MANY, steps[i].offset, &front, &symbol, NULL),
			EL_OK);
		assert_int_equal(symbol, symbol_of(3, steps[i].offset));
		assert_int_equal(asked, steps[i].asks);
	}
	struct el_cache_counters c;
	el_cache_count(cache, &c);
	assert_int_equal(c.blocks, 1);
	assert_int_equal(c.hits, 3);
	assert_int_equal(c.misses, 2);
	uint16_t symbol = 0;
	assert_int_equal(el_cache_symbol(cache, 1, 4, MANY, MANY - 9, &front, &symbol, NULL),
	                 EL_OK);
	assert_int_equal(asked, MANY);
	assert_int_equal(el_cache_symbol(cache, 1, 5, MANY, 9, NULL, &symbol, NULL), EL_NEGATIVE);
	el_cache_close(cache);
}

static void test_small_symbols_take_a_byte(void **state)
{
	(void)state;
	struct el_cache *cache = open_cache(1 << 20);
	const struct el_cache_loader small = {NULL, false, fill_small};
	for (unsigned twice = 0; twice < 2; twice++)
		for (size_t i = 0; i < COUNT; i++) {
			uint16_t symbol = 0;
			assert_int_equal(
				el_cache_symbol(cache, 1, 9, COUNT, i, &small, &symbol, NULL),
				EL_OK);
			assert_int_equal(symbol, (9 + i) % 256);
		}
	struct el_cache_counters c;
	el_cache_count(cache, &c);
	assert_int_equal(c.bytes, block_bytes() - COUNT);
	el_cache_close(cache);
}

static void test_failed_load_is_not_kept(void **state)
{
	(void)state;
	struct el_cache *cache = open_cache(1 << 20);
	const struct el_cache_loader failing = {NULL, false, refuse};
	struct el_error error;
	uint16_t symbol;
	assert_int_equal(el_cache_symbol(cache, 1, 3, COUNT, 0, &failing, &symbol, &error),
	                 EL_DAMAGED);
	assert_string_equal(error.text, "block 3 is damaged");
	assert_false(is_there(cache, 1, 3));
	assert_false(was_there(cache, 1, 3));
	assert_true(was_there(cache, 1, 3));
	el_cache_close(cache);
}

static void test_too_large_for_the_budget(void **state)
{
	(void)state;
	struct el_cache *cache = open_cache(block_bytes() - 1);
	assert_false(was_there(cache, 1, 1));
	assert_false(was_there(cache, 1, 1));
	struct el_cache_counters c;
	el_cache_count(cache, &c);
	assert_int_equal(c.blocks, 0);
	assert_int_equal(c.bytes, 0);
	el_cache_close(cache);
}

static void test_owners(void **state)
{
	(void)state;
	struct el_cache *cache = open_cache(64 << 20);
	uint64_t a = el_cache_owner(cache), b = el_cache_owner(cache);
	assert_int_not_equal(a, b);
	for (uint64_t i = 0; i < 1000; i++) {
		assert_false(was_there(cache, a, i));
		assert_false(was_there(cache, b, i));
	}
	el_cache_forget(cache, a);
	for (uint64_t i = 0; i < 1000; i++) {
		assert_false(is_there(cache, a, i));
		assert_true(is_there(cache, b, i));
	}
	el_cache_forget(cache, b);
	struct el_cache_counters c;
	el_cache_count(cache, &c);
	assert_int_equal(c.blocks, 0);
	assert_int_equal(c.bytes, 0);
	el_cache_close(cache);
}

/* The largest block of a table fits into a shard of the default budget. */
static void test_large_blocks(void **state)
{
	(void)state;
	struct el_cache *cache = open_cache(64 << 20);
	uint16_t symbol;
	for (uint64_t b = 0; b < 8; b++)
		assert_int_equal(el_cache_symbol(cache, 1, b, 1 << 20, 9, &loader, &symbol, NULL),
		                 EL_OK);
	struct el_cache_counters c;
	el_cache_count(cache, &c);
	assert_true(c.blocks >= 4);
	assert_true(c.bytes <= c.budget);
	el_cache_close(cache);
}

/* ---- blocks kept as bytes ---- */

/* A block's bytes are its number and a countdown; reading a damaged one fails. */
struct shelf {
	_Atomic unsigned loads, reads;
	uint64_t damaged; /* block */
};

static enum el_status load_bytes(void *context, uint64_t block, uint8_t **bytes, size_t *size,
                                 struct el_error *error)
{
	(void)error;
	atomic_fetch_add(&((struct shelf *)context)->loads, 1);
	*bytes = malloc(*size = 100 + block % 7);
	for (size_t i = 0; i < *size; i++)
		(*bytes)[i] = (uint8_t)(block - i);
	return EL_OK;
}

static enum el_status refuse_bytes(void *context, uint64_t block, uint8_t **bytes, size_t *size,
                                   struct el_error *error)
{
	(void)context, (void)bytes, (void)size;
	return el_fail(error, EL_IO, "block %u cannot be read", (unsigned)block);
}

static enum el_status read_bytes(void *context, uint64_t block, const uint8_t *bytes, size_t size,
                                 size_t at, uint16_t *symbol, struct el_error *error)
{
	struct shelf *shelf = context;
	atomic_fetch_add(&shelf->reads, 1);
	if (block == shelf->damaged)
		return el_fail(error, EL_DAMAGED, "block %u makes no sense", (unsigned)block);
	if (size != 100 + block % 7)
		return el_fail(error, EL_USAGE, "another block");
	*symbol = (uint16_t)(bytes[at] + 1);
	return EL_OK;
}

/* The answers of read_bytes. */
static uint16_t byte_symbol(uint64_t block, size_t at)
{
	return (uint16_t)((uint8_t)(block - at) + 1);
}

static enum el_status ask_bytes(struct el_cache *cache, struct shelf *shelf, uint64_t block,
                                bool soft, struct el_error *error)
{
	const struct el_cache_reader reader = {shelf, soft ? NULL : load_bytes, read_bytes};
	const size_t at = (size_t)(block % 99);
	uint16_t symbol = 0;
	enum el_status status = el_cache_read(cache, 1, block, at, &reader, &symbol, error);
	if (!status)
		assert_int_equal(symbol, byte_symbol(block, at));
	return status;
}

static void test_bytes(void **state)
{
	(void)state;
	struct el_cache *cache = open_cache(1 << 20);
	struct shelf shelf = {.damaged = UINT64_MAX};
	struct el_cache_counters c;
	for (uint64_t b = 0; b < 10; b++) {
		assert_int_equal(ask_bytes(cache, &shelf, b, true, NULL), EL_NEGATIVE);
		assert_int_equal(atomic_load(&shelf.loads), b);
		assert_int_equal(ask_bytes(cache, &shelf, b, false, NULL), EL_OK);
		assert_int_equal(ask_bytes(cache, &shelf, b, false, NULL), EL_OK);
		assert_int_equal(ask_bytes(cache, &shelf, b, true, NULL), EL_OK);
	}
	assert_int_equal(atomic_load(&shelf.loads), 10);
	assert_int_equal(atomic_load(&shelf.reads), 30);
	el_cache_count(cache, &c);
	assert_int_equal(c.hits, 20);
	assert_int_equal(c.misses, 20);
	assert_int_equal(c.blocks, 10);
	assert_true(c.bytes >= 1000 && c.bytes <= 1000 + 10 * (6 + 128));
	el_cache_close(cache);
}

static void test_bytes_that_are_not_had(void **state)
{
	(void)state;
	struct el_cache *cache = open_cache(1 << 20);
	struct shelf shelf = {.damaged = UINT64_MAX};
	const struct el_cache_reader failing = {&shelf, refuse_bytes, read_bytes};
	struct el_error error;
	uint16_t symbol;
	assert_int_equal(el_cache_read(cache, 1, 3, 0, &failing, &symbol, &error), EL_IO);
	assert_string_equal(error.text, "block 3 cannot be read");
	assert_int_equal(atomic_load(&shelf.reads), 0);
	assert_int_equal(ask_bytes(cache, &shelf, 3, true, NULL), EL_NEGATIVE);
	assert_int_equal(ask_bytes(cache, &shelf, 3, false, NULL), EL_OK);
	el_cache_close(cache);
}

/* Senseless bytes are reported each time, and do not affect other blocks. */
static void test_damaged_bytes(void **state)
{
	(void)state;
	struct el_cache *cache = open_cache(1 << 20);
	struct shelf shelf = {.damaged = 4};
	struct el_error error;
	for (unsigned twice = 0; twice < 2; twice++)
		for (uint64_t b = 0; b < 8; b++) {
			error.text[0] = '\0';
			assert_int_equal(ask_bytes(cache, &shelf, b, false, &error),
			                 b == 4 ? EL_DAMAGED : EL_OK);
			assert_string_equal(error.text, b == 4 ? "block 4 makes no sense" : "");
		}
	shelf.damaged = UINT64_MAX;
	assert_int_equal(ask_bytes(cache, &shelf, 4, false, NULL), EL_OK);
	el_cache_close(cache);
}

/* A budget for three blocks. */
static void test_bytes_make_room(void **state)
{
	(void)state;
	struct shelf shelf = {.damaged = UINT64_MAX};
	struct el_cache *cache = open_cache(3 * 190);
	struct el_cache_counters c;
	for (uint64_t b = 0; b < 21; b += 7)
		assert_int_equal(ask_bytes(cache, &shelf, b, false, NULL), EL_OK);
	el_cache_count(cache, &c);
	assert_true(c.bytes <= c.budget && c.blocks > 0);
	for (uint64_t b = 21; b < 700; b += 7)
		assert_int_equal(ask_bytes(cache, &shelf, b, false, NULL), EL_OK);
	assert_int_equal(ask_bytes(cache, &shelf, 0, true, NULL), EL_NEGATIVE);
	assert_int_equal(ask_bytes(cache, &shelf, 693, true, NULL), EL_OK);
	el_cache_count(cache, &c);
	assert_int_equal(c.evictions, 100 - c.blocks);
	el_cache_close(cache);
}

/* No owner has number 0: it stands for all. */
static void test_forget_all(void **state)
{
	(void)state;
	struct el_cache *cache = open_cache(64 << 20);
	const uint64_t owners[] = {el_cache_owner(cache), el_cache_owner(cache)};
	struct shelf shelf = {.damaged = UINT64_MAX};
	struct el_cache_counters c;
	assert_true(owners[0] != 0 && owners[1] != 0);
	for (uint64_t b = 0; b < 500; b++) {
		was_there(cache, owners[b % 2], b);
		assert_int_equal(ask_bytes(cache, &shelf, 1000 + b, false, NULL), EL_OK);
	}
	el_cache_count(cache, &c);
	assert_int_equal(c.blocks, 1000);
	el_cache_forget(cache, 0);
	for (uint64_t b = 0; b < 500; b++) {
		assert_false(is_there(cache, owners[b % 2], b));
		assert_int_equal(ask_bytes(cache, &shelf, 1000 + b, true, NULL), EL_NEGATIVE);
	}
	el_cache_count(cache, &c);
	assert_int_equal(c.blocks, 0);
	assert_int_equal(c.bytes, 0);
	el_cache_close(cache);
}

/* ---- many threads ---- */

struct hammer {
	struct el_cache *cache;
	uint64_t owner, seed, wrong;
};

static void *hammer(void *context)
{
	struct hammer *h = context;
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t r = fixture_random(&h->seed), block = r % 300;
		size_t offset = (size_t)(r >> 32) % COUNT;
		const struct el_cache_loader *l = r >> 20 & 1 ? &loader : NULL;
		uint16_t symbol;
		enum el_status s =
			el_cache_symbol(h->cache, h->owner, block, COUNT, offset, l, &symbol, NULL);
		h->wrong += s ? s != EL_NEGATIVE || l : symbol != symbol_of(block, offset);
		if ((r >> 40) % 5000 == 0)
			el_cache_forget(h->cache, h->owner);
	}
	return NULL;
}

/* The same with blocks of bytes, some of them damaged. */
static void *hammer_bytes(void *context)
{
	struct hammer *h = context;
	struct shelf shelf = {.damaged = 17};
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t r = fixture_random(&h->seed), block = r % 300;
		size_t at = (size_t)(r >> 32) % 100;
		bool soft = r >> 20 & 1;
		const struct el_cache_reader reader = {&shelf, soft ? NULL : load_bytes,
		                                       read_bytes};
		uint16_t symbol;
		enum el_status s =
			el_cache_read(h->cache, h->owner, block, at, &reader, &symbol, NULL);
		if (s == EL_NEGATIVE)
			h->wrong += !soft;
		else if (block == 17)
			h->wrong += s != EL_DAMAGED;
		else
			h->wrong += s || symbol != byte_symbol(block, at);
		if ((r >> 40) % 5000 == 0)
			el_cache_forget(h->cache, (r >> 60) & 1 ? h->owner : 0);
	}
	return NULL;
}

static void hammer_cache(size_t budget, void *(*run)(void *), size_t each)
{
	enum { THREADS = 6 };
	struct el_cache *cache = open_cache(budget);
	struct hammer hammers[THREADS];
	pthread_t threads[THREADS];
	for (unsigned i = 0; i < THREADS; i++) {
		hammers[i] = (struct hammer){cache, 1 + i % 2, i, 0};
		assert_int_equal(pthread_create(&threads[i], NULL, run, &hammers[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(hammers[i].wrong, 0);
	}
	struct el_cache_counters c;
	el_cache_count(cache, &c);
	assert_int_equal(c.hits + c.misses, THREADS * 100000);
	assert_true(c.bytes <= c.budget);
	assert_true(each ? c.bytes == c.blocks * each : c.bytes >= c.blocks * 100);
	el_cache_close(cache);
}

static void test_many_threads(void **state)
{
	(void)state;
	size_t each = block_bytes();
	hammer_cache(100 * each, hammer, each); /* evicting all the time */
	hammer_cache(64 << 20, hammer, each);   /* many shards */
	hammer_cache(100 * 190, hammer_bytes, 0);
	hammer_cache(64 << 20, hammer_bytes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_least_recently_used_goes),
		cmocka_unit_test(test_second_chance),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_small_symbols_take_a_byte),
		cmocka_unit_test(test_fronts),
		cmocka_unit_test(test_failed_load_is_not_kept),
		cmocka_unit_test(test_too_large_for_the_budget),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_large_blocks),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_bytes_that_are_not_had),
		cmocka_unit_test(test_damaged_bytes),
		cmocka_unit_test(test_bytes_make_room),
		cmocka_unit_test(test_forget_all),
		cmocka_unit_test(test_many_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
