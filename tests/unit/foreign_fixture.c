/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "foreign_fixture.h"

#include "core/store/foreign/syzygy.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

const uint8_t all_draws[ALL_DRAWS_BYTES] = {
	0x71, 0xe8, 0x23, 0x5d, 0x31,        0x00, 0xee, 0x66, 0x33, 0x00,
	0x80, 0x02, 0x80, 0x02, [64] = 0x4b, 0x37, 0xef, 0x62, 0x3e, 0x69,
	0xea, 0xdb, 0x67, 0x56, 0x77,        0x7c, 0x16, 0x03, 0x4e, 0x6f,
};

/* ---- a large file ---- */

enum { LEAD = 10, HEAD = 36, BLOCK = 1 << 20, ALIGNMENT = 64 };

/* For White to move: blocks of 2^20 bytes, spans of 2^15 positions, no more lengths than blocks;
   codes of one bit, of which 0 is the only symbol, a draw. For Black to move a constant. Then the
   span, whose middle is the 16,384th position of block 0. */
static void make_head(uint32_t blocks, uint8_t out[HEAD])
{
	static const uint8_t rest[HEAD - LEAD] = {
		0, 20,   15,   0,    0, 0,    0, 0, 1, 1, 0, 0, 1,
		0, 0x02, 0xf0, 0xff, 0, 0x80, 2, 0, 0, 0, 0, 0, 0x40,
	};
	memcpy(out, all_draws, LEAD);
	memcpy(out + LEAD, rest, sizeof rest);
	for (unsigned i = 0; i < 4; i++)
		out[LEAD + 4 + i] = (uint8_t)(blocks >> 8 * i);
}

static void sum_file(int fd, uint64_t bytes, uint8_t out[SUM_OF_FILE])
{
	const size_t count = (size_t)((bytes + SUM_CHUNK - 1) / SUM_CHUNK);
	uint8_t *chunk = malloc(SUM_CHUNK), *sums = malloc(count * SUM_OF_CHUNK);
	assert_true(chunk && sums);
	for (size_t i = 0; i < count; i++) {
		const uint64_t at = (uint64_t)i * SUM_CHUNK;
		const size_t size = bytes - at < SUM_CHUNK ? (size_t)(bytes - at) : SUM_CHUNK;
		assert_int_equal(pread(fd, chunk, size, (off_t)at), size);
		sum_chunk(chunk, size, false, sums + i * SUM_OF_CHUNK);
	}
	sum_join(sums, count, out);
	free(chunk);
	free(sums);
}

bool foreign_write_large(const char *path, uint32_t blocks, bool good)
{
	uint8_t head[HEAD], sum[SUM_OF_FILE] = {1};
	const size_t lengths = 2 * (size_t)blocks;
	const uint64_t begin = (HEAD + lengths + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	const uint64_t bytes = begin + (uint64_t)blocks * BLOCK;
	uint8_t *length = malloc(lengths);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(length && fd >= 0);
	memset(length, 0xff, lengths);
	make_head(blocks, head);
	const bool made = !ftruncate(fd, (off_t)(bytes + SUM_OF_FILE));
	if (made) {
		assert_int_equal(pwrite(fd, head, HEAD, 0), HEAD);
		assert_int_equal(pwrite(fd, length, lengths, HEAD), lengths);
		if (good)
			sum_file(fd, bytes, sum);
		assert_int_equal(pwrite(fd, sum, SUM_OF_FILE, (off_t)bytes), SUM_OF_FILE);
	}
	close(fd);
	free(length);
	return made;
}

/* ---- many pieces ---- */

void foreign_write_draws(const char *path, const char *pieces)
{
	static const char letters[] = ".PNBRQK..pnbrqk";
	uint8_t bytes[ALL_DRAWS_BYTES] = {0x71, 0xe8, 0x23, 0x5d};
	const size_t count = strlen(pieces), constants = (6 + count + 1) / 2 * 2;
	bytes[4] = (uint8_t)(count << 4 | 1);
	for (size_t i = 0; i < count; i++) {
		const unsigned piece = (unsigned)(strchr(letters, pieces[i]) - letters);
		bytes[6 + i] = (uint8_t)(piece << 4 | piece);
	}
	for (unsigned side = 0; side < 2; side++) {
		bytes[constants + 2 * side] = 0x80;
		bytes[constants + 2 * side + 1] = 2;
	}
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes, sizeof bytes, 0), sizeof bytes);
	sum_file(fd, sizeof bytes - SUM_OF_FILE, bytes + sizeof bytes - SUM_OF_FILE);
	assert_int_equal(pwrite(fd, bytes, sizeof bytes, 0), sizeof bytes);
	close(fd);
}

/* ---- real files ---- */

static const char *need(const char *directory, const char *what)
{
	if (access(directory, R_OK)) {
		printf("note: no %s at %s: not checked\n", what, directory);
		skip();
	}
	return directory;
}

const char *foreign_syzygy(void)
{
	const char *own = getenv("ENDLAB_SYZYGY");
	return need(own && *own ? own : "../shared/data/syzygy", "Syzygy tables");
}

const char *foreign_gaviota(void)
{
	return need("/usr/share/gaviotatb/gtb4", "Gaviota tables");
}
