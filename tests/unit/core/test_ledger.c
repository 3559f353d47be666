/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scratch files: the remains of a stopped build, forged (a correct checksum does not make a bitmap),
   and what the disk gives back changed. */
#include "core/base/hash.h"
#include "core/solve/ledger.h"
#include "core/solve/paged.h"
#include "tests/fixtures/scratch.h"

#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { LISTS = 2, WORDS = 100, FILE_HEAD = 16, HEAD = 24 };

static char folder[SCRATCH_PATH];

static int set_up(void **state)
{
	(void)state;
	scratch_make(folder);
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	scratch_remove(folder);
	return 0;
}

static uint16_t take(void *context, size_t list, const struct ledger_tag *tag)
{
	(void)context, (void)list, (void)tag;
	return 0;
}

/* The number of bitmaps found in a file that contains this one. */
static uint32_t recovered(const void *bitmap, uint32_t size)
{
	char path[2 * SCRATCH_PATH];
	uint8_t bytes[FILE_HEAD + HEAD + 64] = "endlabl2", *head = bytes + FILE_HEAD;
	const struct ledger_place place = {folder, "ledger", 0};
	struct ledger ledger;
	memcpy(head + 8, &size, 4);
	memcpy(head + HEAD, bitmap, size);
	const uint32_t checksum = lzma_crc32(head + 4, HEAD - 4 + size, 0);
	memcpy(head, &checksum, 4);
	snprintf(path, sizeof path, "%s/ledger", folder);
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, FILE_HEAD + HEAD + size, file), FILE_HEAD + HEAD + size);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(ledger_open(&ledger, LISTS, WORDS, &place, NULL), EL_OK);
	ledger_recover(&ledger, false, NULL, NULL, take);
	const uint32_t count = ledger.list[0].count;
	ledger_close(&ledger);
	return count;
}

static void test_no_bitmap(void **state)
{
	(void)state;
	/* two bytes of word 64 + 35 */
	static const uint8_t sound[] = {1, 0, 0, 0, 0, 8, 0, 0, 0, 0x81, 1, 2};
	uint8_t bytes[sizeof sound];
	assert_int_equal(recovered(sound, sizeof sound), 1);
	for (uint32_t size = 1; size < sizeof sound; size++)
		assert_int_equal(recovered(sound, size), 0);
	assert_int_equal(recovered(memcpy(bytes, sound, sizeof sound), sizeof sound), 1);
	bytes[5] = 16; /* word 64 + 36: there are 100 */
	assert_int_equal(recovered(bytes, sizeof sound), 0);
	bytes[5] = 0; /* 64 words of zeros */
	assert_int_equal(recovered(bytes, sizeof sound), 0);
	bytes[5] = 8;
	bytes[0] = 2; /* 64 words past the end */
	assert_int_equal(recovered(bytes, sizeof sound), 0);
	memset(bytes, 0xff, sizeof bytes); /* an endless gap */
	assert_int_equal(recovered(bytes, sizeof sound), 0);
}

/* Flips a bit of a file. */
static void flip(int fd, uint64_t at, unsigned bit)
{
	uint8_t byte;
	assert_int_equal(pread(fd, &byte, 1, (off_t)at), 1);
	byte ^= (uint8_t)(1u << bit);
	assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
}

static void test_a_bitmap_changes(void **state)
{
	(void)state;
	uint64_t set[WORDS] = {[3] = 5, [70] = 1, [99] = UINT64_MAX};
	const struct ledger_place place = {.folder = folder};
	struct encoder encoder;
	assert_int_equal(encoder_open(&encoder, WORDS), EL_OK);
	for (uint64_t at = FILE_HEAD, end = at + 1; at < end; at++) {
		struct ledger ledger;
		struct ledger_cursor cursor;
		assert_int_equal(ledger_open(&ledger, LISTS, WORDS, &place, NULL), EL_OK);
		encoder_set(&encoder, set, NULL, WORDS);
		ledger_add(&ledger, &encoder, 0, &(struct ledger_tag){.ply = 1});
		const struct ledger_entry *e = ledger.list[0].entry;
		assert_true(ledger_read(&ledger, &encoder, e, &cursor));
		flip(ledger.fd, at, at % 8);
		assert_false(ledger_read(&ledger, &encoder, e, &cursor));
		assert_int_equal(ledger_check(&ledger, "x", NULL), EL_IO);
		end = ledger.end;
		ledger_close(&ledger);
	}
	encoder_close(&encoder);
}

/* A large bitmap takes less room in the file. It is found by the next program, but not if it has changed. */
static void test_a_large_bitmap(void **state)
{
	(void)state;
	enum { MANY = 5000 };
	static uint64_t set[MANY];
	const struct ledger_place place = {folder, "large", 0};
	struct encoder encoder;
	struct ledger ledger;
	for (size_t w = 0; w < MANY; w++)
		set[w] = w % 7 * UINT64_C(0x0102030405060708);
	assert_int_equal(encoder_open(&encoder, MANY), EL_OK);
	for (unsigned changed = 0; changed < 2; changed++) {
		assert_int_equal(ledger_open(&ledger, LISTS, MANY, &place, NULL), EL_OK);
		encoder_set(&encoder, set, NULL, MANY);
		ledger_add(&ledger, &encoder, 0, &(struct ledger_tag){.ply = 1});
		assert_true(ledger.list[0].entry->size < sizeof set / 4);
		if (changed)
			flip(ledger.fd, ledger.list[0].entry->at + 40, 3);
		ledger_close(&ledger);
		assert_int_equal(ledger_open(&ledger, LISTS, MANY, &place, NULL), EL_OK);
		ledger_recover(&ledger, false, NULL, NULL, take);
		assert_int_equal(ledger.list[0].count, !changed);
		struct ledger_cursor cursor;
		size_t word, next = 0;
		uint64_t bits;
		if (!changed)
			assert_true(ledger_read(&ledger, &encoder, ledger.list[0].entry, &cursor));
		while (!changed && ledger_next(&cursor, &word, &bits)) {
			next += next % 7 == 0; /* a word of zeros */
			assert_int_equal(word, next);
			assert_int_equal(bits, set[next++]);
		}
		assert_int_equal(next, changed ? 0 : MANY);
		ledger_close(&ledger);
		ledger_remove(&place);
	}
	encoder_close(&encoder);
}

/* A flipped bit may be one that its format does not use. */
static void test_a_page_changes(void **state)
{
	(void)state;
	enum { PAGES = 3, PAGE = 8 * WORDS };
	unsigned refused = 0, tried = 0;
	for (uint64_t at = 0, end = 1; at < end; at++, tried++) {
		struct scratch *scratch;
		struct paged pages;
		assert_int_equal(scratch_open(folder, PAGE, &scratch, NULL), EL_OK);
		assert_int_equal(paged_open(&pages, scratch, PAGES, PAGE), EL_OK);
		for (size_t n = 0; n < PAGES; n++) {
			uint64_t *words = page_new(&pages, n);
			for (size_t w = 0; w < WORDS; w++)
				words[w] = (w + n) * (w % 3 ? UINT64_C(0x9e3779b97f4a7c15) : 1);
			page_release(&pages, n);
		}
		const struct page *out = pages.page[0].bytes ? &pages.page[1] : &pages.page[0];
		const size_t n = (size_t)(out - pages.page);
		assert_null(out->bytes);
		end = out->stored;
		flip(scratch->fd, out->place + at, at % 8);
		const uint64_t *words = page_read(&pages, n);
		for (size_t w = 0; words && w < WORDS; w++)
			assert_int_equal(words[w],
			                 (w + n) * (w % 3 ? UINT64_C(0x9e3779b97f4a7c15) : 1));
		refused += !words && scratch_check(scratch, NULL) == EL_IO;
		if (words)
			page_release(&pages, n);
		paged_close(&pages);
		scratch_close(scratch);
	}
	assert_true(tried > 100 && refused >= tried - 1);
}

/* Bits are cleared in pages that are in memory, that have left it, and that have changed since; a page
   is written again only if they are many. */
static void test_bits_are_cleared(void **state)
{
	(void)state;
	enum { PAGES = 7, MANY = 4096, ROUNDS = 3000, FEW = 9 };
	static uint64_t expected[PAGES][MANY];
	struct scratch *scratch;
	struct paged pages;
	uint64_t random = 1, out = 0;
	assert_int_equal(scratch_open(folder, 3 * 8 * MANY, &scratch, NULL), EL_OK);
	assert_int_equal(paged_open(&pages, scratch, PAGES, 8 * MANY), EL_OK);
	memset(expected, 0, sizeof expected);
	for (unsigned round = 0; round < ROUNDS; round++) {
		const size_t n = random_next(&random) % PAGES;
		const unsigned what = (unsigned)(random_next(&random) % 16);
		if (what < 2) {
			uint64_t *words = what ? page_write(&pages, n) : page_new(&pages, n);
			assert_non_null(words);
			for (size_t w = 0; w < MANY; w++)
				words[w] = expected[n][w] =
					what ? expected[n][w] | random_next(&random) : UINT64_MAX;
			page_release(&pages, n);
		} else if (what == 2) {
			page_drop(&pages, n);
			memset(expected[n], 0, sizeof expected[n]);
		} else if (what < 10) {
			struct el_word words[FEW];
			for (unsigned i = 0; i < FEW; i++) {
				words[i] =
					(struct el_word){random_next(&random),
				                         (uint32_t)(random_next(&random) % MANY)};
				expected[n][words[i].word] &= ~words[i].bits;
			}
			out += page_filled(&pages, n) && !pages.page[n].bytes;
			page_clear(&pages, n, words, FEW);
		} else {
			const uint64_t *words = page_read(&pages, n);
			if (!words) {
				assert_false(page_filled(&pages, n));
				continue;
			}
			assert_memory_equal(words, expected[n], sizeof expected[n]);
			page_release(&pages, n);
		}
		assert_true(scratch->memory <= 4 * 8 * MANY);
	}
	assert_true(out > 100);
	assert_int_equal(scratch_check(scratch, NULL), EL_OK);
	paged_close(&pages);
	assert_int_equal(scratch->memory, 0);
	scratch_close(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_bitmap),        cmocka_unit_test(test_a_bitmap_changes),
		cmocka_unit_test(test_a_large_bitmap),   cmocka_unit_test(test_a_page_changes),
		cmocka_unit_test(test_bits_are_cleared),
	};
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
