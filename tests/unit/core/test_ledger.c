/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The remains of a stopped build, forged: a correct checksum does not make a bitmap. */
#include "core/solve/ledger.h"
#include "tests/fixtures/scratch.h"

#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

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
	uint8_t bytes[FILE_HEAD + HEAD + 64] = "endlabl1", *head = bytes + FILE_HEAD;
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
	ledger_recover(&ledger, false, NULL, take);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_bitmap),
	};
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
