/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaviota's numbering, against lists of everything numbered, and its files: existing ones equal
   those that we would make, and ours are read back. */
#include "core/foreign/gaviota.h"
#include "core/whole/whole.h"
#include "tests/fixtures/foreign_fixture.h"
#include "tests/fixtures/gaviota_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK_POSITIONS = 16384, SLICES = 145 };

/* By scheme, from 1 on. */
static const struct el_source_ops *const kinds[] = {NULL, &el_source_gaviota_cp1,
                                                    &el_source_gaviota_cp2, &el_source_gaviota_cp3,
                                                    &el_source_gaviota};
static const struct scheme *const schemes[] = {NULL, &scheme_huffman, &scheme_lzf, &scheme_zlib,
                                               &scheme_lzma};

/* All slices of 3 to 5 pieces. */
static size_t all_slices(struct el_slice out[SLICES])
{
	size_t count = 0;
	for (unsigned pieces = 3; pieces <= GAVIOTA_PIECES_MAX; pieces++)
		count += el_chess.slices(pieces, out + count, SLICES - count);
	return count;
}

static struct gaviota_index index_of(const struct el_slice *slice)
{
	const struct foreign f = {.source.slice = *slice};
	struct gaviota_index index;
	assert_true(gaviota_index_make(&f, &index));
	return index;
}

/* ---- the index ---- */

/* Each index is that of its position, with the squares in any order. */
static void test_inverse(void **state)
{
	struct el_slice slices[SLICES];
	(void)state;
	assert_int_equal(all_slices(slices), SLICES);
	for (unsigned i = 0; i < SLICES; i++) {
		const struct gaviota_order *order = gaviota_order(&slices[i]);
		const struct gaviota_index index = index_of(&slices[i]);
		const uint32_t count = gaviota_count(order);
		const uint32_t step = tests_are_slow()  ? count / 5000 | 1
		                      : count > 5000000 ? count / 200000 | 1
		                                        : 1;
		uint32_t different = 0;
		assert_int_equal(index.positions, count);
#pragma omp parallel for reduction(+ : different)
		for (uint32_t n = 0; n < count; n += step) {
			struct el_position position;
			gaviota_position(order, n, &position);
			different += gaviota_index_of(&index, &position) != n;
		}
		if (different)
			fail_msg("%s: %u indexes of %u are others", slices[i].name, different,
			         count / step);
	}
}

/* A position and its reflections have indexes, whose positions are reflections of it. */
static void test_images(void **state)
{
	enum { SAMPLE = 2000 };
	struct el_slice slices[SLICES];
	uint64_t random = 1;
	(void)state;
	all_slices(slices);
	for (unsigned i = 0; i < SLICES; i++) {
		const struct gaviota_order *order = gaviota_order(&slices[i]);
		const struct gaviota_index index = index_of(&slices[i]);
		for (unsigned n = 0; n < SAMPLE; n++) {
			const uint64_t at = fixture_random(&random) % slices[i].positions;
			struct el_position position, image, found;
			if (!el_chess.unplace(&slices[i], 0, at, &position))
				continue;
			el_chess.mirror(&position, &image);
			const uint32_t one = gaviota_index_of(&index, &position);
			const uint32_t two = gaviota_index_of(&index, &image);
			assert_true(one < index.positions && two < index.positions);
			assert_true(gaviota_position(order, one, &found));
			assert_int_equal(gaviota_signature(&found), gaviota_signature(&position));
			assert_true(gaviota_position(order, two, &found));
			assert_int_equal(gaviota_signature(&found), gaviota_signature(&position));
		}
	}
}

static void test_no_such_table(void **state)
{
	struct gaviota_index index;
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const struct foreign f = {.source.slice = slice_named(i ? "KQQQvKQ" : "KQPPPvK")};
		assert_false(gaviota_index_make(&f, &index));
	}
}

/* ---- files of others ---- */

static struct el_planes planes_of(const char *directory, const struct el_slice *slice)
{
	struct el_library *library = fixture_library(directory, NULL);
	struct el_planes planes;
	assert_int_equal(el_library_planes(library, slice, &el_dtm, NULL, &planes, NULL), EL_OK);
	el_library_close(library);
	return planes;
}

/* A file's blocks, unpacked; free it. */
static uint8_t *unpacked(const char *path, unsigned scheme, uint32_t count)
{
	const uint32_t blocks = (count + BLOCK_POSITIONS - 1) / BLOCK_POSITIONS;
	size_t size;
	uint8_t *bytes = fixture_read_file(path, &size), *out = malloc(2 * (size_t)count);
	assert_non_null(out);
	for (uint32_t block = 0, at = 0; block < 2 * blocks; block++) {
		const uint32_t begin = foreign_u32(bytes + 40 + 4 * (size_t)block);
		const uint32_t end = foreign_u32(bytes + 44 + 4 * (size_t)block);
		const uint32_t rest = count - block % blocks * BLOCK_POSITIONS;
		const uint32_t here = rest < BLOCK_POSITIONS ? rest : BLOCK_POSITIONS;
		assert_true(begin < end && end <= size);
		assert_int_equal(bytes[begin], here < BLOCK_POSITIONS ? 1 + block / blocks : 0);
		assert_int_equal(
			schemes[scheme]->decode(bytes + begin + 1, end - begin - 1, out + at, here),
			EL_OK);
		at += here;
	}
	free(bytes);
	return out;
}

/* Debian's files equal ours byte by byte, even at illegal positions. */
static void test_as_others(void **state)
{
	(void)state;
	foreign_gaviota();
	struct el_slice slices[8];
	const size_t count = el_chess.slices(3, slices, 8);
	for (size_t i = 0; i < count; i++) {
		struct el_planes planes = planes_of(small_test_tables(), &slices[i]);
		struct gaviota_file file = {.order = gaviota_order(&slices[i]),
		                            .value = gaviota_value_in,
		                            .context = &planes};
		for (file.scheme = 1; file.scheme <= GAVIOTA_SCHEMES; file.scheme++) {
			char theirs[64];
			const char *path = gaviota_write(folder, &slices[i], &file);
			const uint32_t positions = gaviota_count(file.order);
			snprintf(theirs, sizeof theirs, "/usr/share/gaviotatb/gtb%u%s", file.scheme,
			         strrchr(path, '/'));
			uint8_t *one = unpacked(path, file.scheme, positions);
			uint8_t *two = unpacked(theirs, file.scheme, positions);
			assert_memory_equal(one, two, 2 * (size_t)positions);
			free(one);
			free(two);
		}
		el_planes_free(&planes);
	}
}

/* ---- ours, read back ---- */

/* A made-up value that a position shares with its reflections. The longest are White's win in 127
   moves, and Black's loss in 127; Black has no such win, because the loss takes its place. */
static struct el_value made_up(const void *context, const struct el_position *position)
{
	static const uint16_t wins[] = {1, 3, 25, 127, 129, 151, 251, 253};
	static const uint16_t losses[] = {0, 2, 24, 126, 128, 150, 250, 252};
	const uint64_t signature = gaviota_signature(position);
	const unsigned choice = signature >> 8 & 7;
	const bool longest = choice == 7 && position->side == EL_BLACK;
	(void)context;
	if (signature % 5 == 0)
		return (struct el_value){.outcome = EL_DRAW};
	if (signature % 5 > 2)
		return (struct el_value){.outcome = EL_WIN, .plies = wins[choice - longest]};
	return (struct el_value){.outcome = EL_LOSS, .plies = longest ? 254 : losses[choice]};
}

/* Probes positions in the blocks that the file has, each with either side as White. */
static unsigned read_back(struct el_source *source, const struct gaviota_file *file,
                          unsigned sample)
{
	const uint32_t count = gaviota_count(file->order);
	const uint32_t blocks = (count + BLOCK_POSITIONS - 1) / BLOCK_POSITIONS;
	uint64_t random = 1;
	unsigned asked = 0;
	for (unsigned n = 0; n < sample; n++) {
		const uint64_t block =
			fixture_random(&random) % (2 * blocks / file->every) * file->every;
		const uint64_t at = block % blocks * BLOCK_POSITIONS +
		                    fixture_random(&random) % BLOCK_POSITIONS;
		struct el_position position, swapped;
		struct el_place place;
		struct el_value value;
		struct el_error error = {0};
		if (at >= count || !gaviota_position(file->order, (uint32_t)at, &position))
			continue;
		position.side = (uint8_t)(block / blocks);
		if (!el_chess.place(&position, &place) || !el_chess.legal(&position, &place))
			continue;
		el_chess.swap_colours(&position, &swapped);
		for (unsigned colours = 0; colours < (source->slice.planes == 2 ? 2 : 1);
		     colours++) {
			const struct el_position *p = colours ? &swapped : &position;
			assert_true(el_chess.place(p, &place));
			if (source->ops->probe(source, p, &place, false, &value, &error))
				fail_msg("%s", error.text);
			assert_true(el_value_equal(value, made_up(NULL, &position)));
			asked++;
		}
	}
	return asked;
}

/* One file of each kind of numbering with five pieces in one scheme, and of one kind in all. */
static void test_five(void **state)
{
	static const char *const names[] = {
		"KQRvKB", "KRBNvK", "KRRvKN", "KBBNvK", "KQNNvK", "KRRRvK", "KRPvKB",
		"KQBvKP", "KQNPvK", "KPPvKQ", "KBPPvK", "KRPvKP", "KRRPvK", "KNNvKP",
		"KPPvKP", "KPPPvK", "KPPvKP", "KPPvKP", "KPPvKP", "KRRvKR",
	};
	enum { FIVE = sizeof names / sizeof *names, BLOCKS = 16, SAMPLE = 1500 };
	struct el_cache *cache;
	(void)state;
	assert_int_equal(el_cache_open(8 << 20, &cache, NULL), EL_OK);
	for (unsigned i = 0; i < FIVE; i++) {
		const struct el_slice slice = slice_named(names[i]);
		const struct gaviota_order *order = gaviota_order(&slice);
		const struct gaviota_file file = {.order = order,
		                                  .scheme = 1 + i % GAVIOTA_SCHEMES,
		                                  .value = made_up,
		                                  .every = gaviota_count(order) / BLOCK_POSITIONS *
		                                           2 / BLOCKS};
		const char *path = gaviota_write(folder, &slice, &file);
		struct el_source *source;
		struct el_error error = {0};
		if (kinds[file.scheme]->open(path, cache, &source, &error))
			fail_msg("%s", error.text);
		assert_ptr_equal(source->metric, &el_dtm);
		assert_string_equal(source->slice.name, names[i]);
		assert_true(read_back(source, &file, SAMPLE) > SAMPLE / 10);
		source->ops->close(source);
	}
	el_cache_close(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_inverse),   IN_FOLDER(test_images), IN_FOLDER(test_no_such_table),
		IN_FOLDER(test_as_others), IN_FOLDER(test_five),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
