/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search through a small cache: its probes, their blocks, and what is loaded and kept, against
   lists kept by hand. */
#include "tests/fixtures/positions.h"

#include "core/lab/lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct el_lab_block block_of(const char *slice, const char *order, uint32_t positions)
{
	struct el_lab_block block = {.slice = slice_named(slice),
	                             .options = el_table_options_default()};
	struct el_error error;
	assert_int_equal(el_order_parse(order, &block.slice, &block.options, &error), EL_OK);
	block.options.block_positions = positions;
	return block;
}

static struct el_position parsed(const struct el_game *game, const char *fen)
{
	struct el_position p;
	struct el_error error;
	assert_int_equal(game->parse(fen, &p, &error), EL_OK);
	return p;
}

/* The least recently used block goes, with the blocks in a row by their last use. Returns the
   loads. */
static unsigned assert_lru(const struct el_lab_probe *probes, size_t count, size_t keeps)
{
	uint64_t row[EL_LAB_KEEPS_MAX] = {0};
	size_t used = 0;
	unsigned loads = 0;
	for (const struct el_lab_probe *p = probes; p < probes + count; p++) {
		size_t at = 0;
		while (at < used && row[at] != p->block)
			at++;
		assert_int_equal(p->loaded, at == used);
		loads += p->loaded;
		used += p->loaded && used < keeps;
		at = at < used ? at : used - 1;
		memmove(row + 1, row, at * sizeof *row);
		row[0] = p->block;
		assert_int_equal(p->kept_count, used);
		assert_memory_equal(p->kept, row, used * sizeof *row);
	}
	return loads;
}

/* The searches of the lesson on caches, where second chance and LRU agree. */
static void the_cache_of_the_lesson_is_lru(void **state)
{
	static const struct {
		const char *order;
		uint32_t positions;
		unsigned keeps, loads;
	} tried[] = {
		{"kRK", 4096, 3, 12}, {"kRK", 4096, 8, 5}, {"kRK", 256, 3, 20}, {"RKk", 256, 3, 5}};
	const struct el_position root = parsed(&el_chess, "8/4k3/8/8/8/8/8/1KR5 w - - 0 1");
	(void)state;
	for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
		const struct el_lab_block block =
			block_of("KRvK", tried[i].order, tried[i].positions);
		struct el_lab_probe probe[EL_LAB_SEARCH];
		struct el_error error;
		size_t count;
		assert_int_equal(
			el_lab_search(&block, &root, tried[i].keeps, probe, &count, &error), EL_OK);
		assert_int_equal(count, EL_LAB_SEARCH);
		assert_int_equal(assert_lru(probe, count, tried[i].keeps), tried[i].loads);
	}
}

/* In the order of the index a block is a stretch of indexes, Black to move after White's. */
static void probes_are_moves_and_replies(void **state)
{
	enum { POSITIONS = 1024, WHITE = (29568 + POSITIONS - 1) / POSITIONS };
	const struct el_position root = parsed(&el_chess, "8/4k3/8/8/8/8/8/1KR5 w - - 0 1");
	const struct el_lab_block block = block_of("KRvK", "index", POSITIONS);
	struct el_lab_probe probe[EL_LAB_SEARCH];
	struct el_error error;
	size_t count;
	(void)state;
	assert_int_equal(el_lab_search(&block, &root, 3, probe, &count, &error), EL_OK);
	for (size_t i = 0; i < count; i++) {
		struct el_position p = root, after;
		struct el_place place;
		for (unsigned ply = 0; ply < probe[i].plies; ply++, p = after)
			el_chess.play(&p, &probe[i].move[ply], &after);
		assert_int_equal(p.side, probe[i].plies % 2 ? EL_BLACK : EL_WHITE);
		assert_true(el_chess.place(&p, &place));
		assert_int_equal(probe[i].block,
		                 (p.side == EL_BLACK ? WHITE : 0) + place.index / POSITIONS);
		/* each reply stands behind its move */
		assert_true(probe[i].plies == 1 ||
		            (i && el_move_equal(&probe[i].move[0], &probe[i - 1].move[0])));
	}
}

/* A side that is left out is not in the file, and stops the search behind it; nor is another
   slice. Other games do as well. */
static void only_the_table_is_probed(void **state)
{
	struct el_lab_block block = block_of("KRvK", "index", 256);
	const struct el_position root = parsed(&el_chess, "8/4k3/8/8/8/8/8/1KR5 w - - 0 1");
	const struct el_position queen = parsed(&el_chess, "8/4k3/8/8/8/8/8/1KQ5 w - - 0 1");
	struct el_lab_probe probe[EL_LAB_SEARCH];
	struct el_error error;
	size_t count;
	(void)state;
	block.options.left_out = 1 + EL_BLACK;
	assert_int_equal(el_lab_search(&block, &root, 3, probe, &count, &error), EL_NEGATIVE);
	block.options.left_out = 0;
	assert_int_equal(el_lab_search(&block, &queen, 3, probe, &count, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "KRvK"));
	block = block_of("awari:5", "index", 256);
	const struct el_position pits = parsed(&el_awari, "1-0-0-0-0-1-1-0-0-0-1-1-22-21-S");
	assert_int_equal(el_lab_search(&block, &pits, 1, probe, &count, &error), EL_OK);
	assert_lru(probe, count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cache_of_the_lesson_is_lru),
		cmocka_unit_test(probes_are_moves_and_replies),
		cmocka_unit_test(only_the_table_is_probed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
