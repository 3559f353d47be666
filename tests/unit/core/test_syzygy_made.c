/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Syzygy files made here for features that no real one of few pieces has, real ones under other
   names, and what rounded depths leave open under the clock. */
#include "core/foreign/syzygy.h"
#include "core/probe/probe.h"
#include "tests/fixtures/foreign_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct el_metric *const dtz50 = &el_dtz_rule[EL_RULE_USUAL - 1];

/* ---- made tables ---- */

/* Writes bytes, zeros up to a multiple of 64, and the checksum. */
static void write_table(const char *name, const uint8_t *bytes, size_t size)
{
	enum { ROOM = 1024 };
	uint8_t file[ROOM] = {0}, chunk[SUM_OF_CHUNK];
	const size_t end = (size + 63) / 64 * 64;
	assert_true(end + SUM_OF_FILE <= ROOM);
	memcpy(file, bytes, size);
	sum_chunk(file, end, false, chunk);
	sum_join(chunk, 1, file + end);
	fixture_write_file(fixture_path(folder, name), file, end + SUM_OF_FILE);
}

/* King, queen and king: all constants. Outcomes by side to move; depths for White, by flags and
   lists. */
static void write_outcomes(uint8_t white, uint8_t black)
{
	const uint8_t bytes[] = {0x71, 0xe8, 0x23, 0x5d, 0x31,  0x00, 0xee,
	                         0x66, 0x55, 0x00, 0x80, white, 0x80, black};
	write_table("KQvK.rtbw", bytes, sizeof bytes);
}

static void write_depths(uint8_t flags, const uint8_t *lists, size_t size)
{
	uint8_t bytes[256] = {0xd7, 0x66, 0x0c, 0xa5, 0x31, 0x00, 0x0e, 0x06, 0x05, 0x00};
	bytes[10] = 0x80 | flags;
	if (size)
		memcpy(bytes + 12, lists, size);
	write_table("KQvK.rtbz", bytes, 12 + size);
}

static struct el_value value_of(struct el_library *library, const char *fen)
{
	struct el_position position;
	struct el_value value = {.outcome = EL_BROKEN};
	struct el_error error;
	assert_int_equal(el_chess.parse(fen, &position, &error), EL_OK);
	if (el_library_value(library, &el_chess, &position, dtz50, EL_PROBE_FULL, &value, &error))
		fail_msg("%s: %s", fen, error.text);
	return value;
}

static void expect_depth(const char *fen, enum el_outcome outcome, unsigned plies, bool rounded)
{
	struct el_library *library = fixture_library("/nonexistent", folder);
	const struct el_value value = value_of(library, fen);
	el_library_close(library);
	assert_int_equal(value.outcome, outcome);
	assert_int_equal(value.plies, plies);
	assert_int_equal(value.rounded, rounded);
}

static const char white_moves[] = "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1";
static const char black_moves[] = "8/8/8/3k4/8/8/1Q6/K7 b - - 0 1";

/* Each list under each flag. A side that is not in the table has one ply more, through its
   moves. */
static void test_lists(void **state)
{
	static const uint8_t narrow[] = {1, 20, 1, 30, 1, 40, 1, 50, 0};
	static const uint8_t wide[] = {1, 0, 20, 0, 1, 0, 30, 0, 1, 0, 0x2c, 1, 1, 0, 50, 0};
	(void)state;
	write_outcomes(4, 0);
	write_depths(SCALE_MAPPED, narrow, sizeof narrow);
	expect_depth(white_moves, EL_WIN, 41, true);
	expect_depth(black_moves, EL_LOSS, 42, true);
	write_depths(SCALE_MAPPED | SCALE_WIN_PLIES, narrow, sizeof narrow);
	expect_depth(white_moves, EL_WIN, 21, false);
	expect_depth(black_moves, EL_LOSS, 22, false);
	write_depths(SCALE_MAPPED | SCALE_WIN_PLIES | SCALE_WIDE, wide, sizeof wide);
	expect_depth(white_moves, EL_WIN, 21, false);
	write_depths(SCALE_SIDE | SCALE_MAPPED | SCALE_LOSS_PLIES | SCALE_WIDE, wide, sizeof wide);
	expect_depth(black_moves, EL_LOSS, 31, false);
	expect_depth(white_moves, EL_WIN, 32, false);
	write_depths(SCALE_SIDE | SCALE_MAPPED | SCALE_WIN_PLIES, narrow, sizeof narrow);
	expect_depth(black_moves, EL_LOSS, 61, true);
	/* Cursed and blessed depths are in moves whatever the flags, and past the limit. */
	write_outcomes(3, 1);
	write_depths(SCALE_MAPPED | SCALE_WIDE | SCALE_WIN_PLIES, wide, sizeof wide);
	expect_depth(white_moves, EL_CURSED_WIN, 100 + 2 * 300 + 1, true);
	expect_depth(black_moves, EL_BLESSED_LOSS, 100 + 2 * 300 + 2, true);
	write_depths(SCALE_SIDE | SCALE_MAPPED | SCALE_LOSS_PLIES, narrow, sizeof narrow);
	expect_depth(black_moves, EL_BLESSED_LOSS, 201, true);
}

/* Without lists a value is the depth itself. Moves settle the last ply of a rounded one: no move
   mates here, or one does. */
static void test_single_plies(void **state)
{
	(void)state;
	write_outcomes(4, 0);
	write_depths(0, NULL, 0);
	expect_depth(white_moves, EL_WIN, 2, false);
	expect_depth("k7/8/1K6/8/8/8/7Q/8 w - - 0 1", EL_WIN, 1, false);
	write_depths(SCALE_WIN_PLIES, NULL, 0);
	expect_depth(white_moves, EL_WIN, 1, false);
	write_depths(SCALE_SIDE | SCALE_LOSS_PLIES, NULL, 0);
	expect_depth("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", EL_LOSS, 0, false);
	expect_depth(black_moves, EL_LOSS, 1, false);
	write_depths(SCALE_SIDE, NULL, 0);
	expect_depth(black_moves, EL_LOSS, 2, false);
}

static void expect_error(const char *fen, enum el_status expected, const char *words)
{
	struct el_library *library = fixture_library("/nonexistent", folder);
	struct el_position position;
	struct el_value value;
	struct el_error error = {0};
	assert_int_equal(el_chess.parse(fen, &position, &error), EL_OK);
	assert_int_equal(el_library_value(library, &el_chess, &position, dtz50, EL_PROBE_FULL,
	                                  &value, &error),
	                 expected);
	el_library_close(library);
	if (!strstr(error.text, words))
		fail_msg("expected '%s', found '%s'", words, error.text);
}

/* Depths that contradict the outcomes, exceed the limit, or are in no list. */
static void test_wrong_depths(void **state)
{
	static const uint8_t late[] = {1, 90, 1, 90, 0, 0};
	static const uint8_t empty[] = {0, 0, 0, 0};
	static const uint8_t cut[] = {200, 1, 1};
	(void)state;
	write_outcomes(4, 0);
	write_depths(SCALE_MAPPED, late, sizeof late);
	expect_error(white_moves, EL_DAMAGED, "a depth that its outcome cannot have");
	write_depths(SCALE_MAPPED, empty, sizeof empty);
	expect_error(white_moves, EL_DAMAGED, "a depth that its outcome cannot have");
	write_depths(SCALE_MAPPED, cut, sizeof cut);
	expect_error(white_moves, EL_DAMAGED, "the lists of depths end too early");
	write_depths(0, NULL, 0);
	write_outcomes(4, 4); /* Black wins too: White has no winning move */
	write_depths(SCALE_SIDE, NULL, 0);
	expect_error(white_moves, EL_DAMAGED, "no move keeps an outcome");
	unlink(fixture_path(folder, "KQvK.rtbw"));
	expect_error(white_moves, EL_NEGATIVE, "KQvK");
}

/* Four boards, alternately with narrow and wide lists, one without: each is at an even place. */
static void test_boards(void **state)
{
	static const uint8_t outcomes[] = {
		0x71, 0xe8, 0x23, 0x5d, 0x33, 0x00, 0x11, 0x66, 0xee, 0x00, 0x11, 0x66, 0xee,
		0x00, 0x11, 0x66, 0xee, 0x00, 0x11, 0x66, 0xee, 0x00, 0x80, 4,    0x80, 0,
		0x80, 4,    0x80, 0,    0x80, 4,    0x80, 0,    0x80, 4,    0x80, 0,
	};
	static const uint8_t depths[] = {
		0xd7,
		0x66,
		0x0c,
		0xa5,
		0x33,
		0x00,
		0x01,
		0x06,
		0x0e,
		0x00,
		0x01,
		0x06,
		0x0e,
		0x00,
		0x01,
		0x06,
		0x0e,
		0x00,
		0x01,
		0x06,
		0x0e,
		0x00,
		0x80 | SCALE_MAPPED | SCALE_WIN_PLIES,
		0,
		0x80 | SCALE_MAPPED | SCALE_WIN_PLIES | SCALE_WIDE,
		0,
		0x80 | SCALE_WIN_PLIES,
		0,
		0x80 | SCALE_MAPPED,
		0,
		/* a: narrow, five bytes, and one to make it even */
		1,
		10,
		0,
		0,
		0,
		0,
		/* b: wide */
		1,
		0,
		20,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		/* d: narrow, in moves */
		1,
		30,
		0,
		0,
		0,
	};
	(void)state;
	write_table("KPvK.rtbw", outcomes, sizeof outcomes);
	write_table("KPvK.rtbz", depths, sizeof depths);
	/* The pawn cannot move: its moves would keep the win. */
	struct el_library *library = fixture_library("/nonexistent", folder);
	static const struct {
		const char *fen;
		unsigned plies;
		bool rounded;
	} expected[] = {
		{"8/8/8/8/k7/8/K7/8 w - - 0 1", 0, false}, /* no table */
		{"8/8/8/K7/P6k/8/8/8 w - - 0 1", 11, false},
		{"8/8/8/7K/k6P/8/8/8 w - - 0 1", 11, false},
		{"8/8/8/1K6/1P5k/8/8/8 w - - 0 1", 21, false},
		{"8/8/8/3K4/3P3k/8/8/8 w - - 0 1", 61, true},
	};
	for (size_t i = 1; i < sizeof expected / sizeof *expected; i++) {
		const struct el_value value = value_of(library, expected[i].fen);
		assert_int_equal(value.outcome, EL_WIN);
		assert_int_equal(value.plies, expected[i].plies);
		assert_int_equal(value.rounded, expected[i].rounded);
	}
	el_library_close(library);
}

/* Every position of seven pieces has an index, in both kinds of file. */
static void expect_indexes(const char *name, enum el_outcome outcome)
{
	enum { POSITIONS = 20000 };
	struct el_cache *cache;
	struct el_source *source;
	struct el_error error;
	uint64_t state = 1;
	assert_int_equal(el_cache_open(1 << 20, &cache, NULL), EL_OK);
	const char *path = fixture_path(folder, name);
	if (el_source_kind_of(path)->open(path, cache, &source, &error))
		fail_msg("%s", error.text);
	assert_int_equal(source->slice.pieces, SYZYGY_PIECES_MAX);
	for (unsigned n = 0; n < POSITIONS;) {
		struct el_position position;
		struct el_place place;
		struct el_value value = {.outcome = (uint8_t)outcome};
		if (!el_chess.unplace(&source->slice, 0,
		                      fixture_random(&state) % source->slice.positions, &position))
			continue;
		assert_true(el_chess.place(&position, &place));
		if (source->ops->probe(source, &position, &place, false, &value, &error))
			fail_msg("%s", error.text);
		assert_int_equal(value.outcome, outcome);
		assert_int_equal(value.plies, source->plies_only);
		n++;
	}
	source->ops->close(source);
	el_cache_close(cache);
}

static void test_seven(void **state)
{
	static const uint8_t outcomes[] = {0x71, 0xe8, 0x23, 0x5d, 0x71, 0x00, 0x66, 0xee, 0x55,
	                                   0x44, 0x33, 0xdd, 0xaa, 0,    0x80, 4,    0x80, 0};
	static const uint8_t depths[] = {0xd7, 0x66, 0x0c, 0xa5, 0x71,
	                                 0x02, 0x05, 0x0d, 0x0e, 0x04,
	                                 0x03, 0x06, 0x0a, 0,    0x80 | SCALE_WIN_PLIES,
	                                 0};
	/* The black pawns lead, because they are fewer; the white ones are the second digit. */
	uint8_t pawns[58] = {0x71, 0xe8, 0x23, 0x5d, 0x73};
	static const uint8_t board[] = {0x00, 0x11, 0x99, 0x99, 0x11, 0x11, 0x11, 0x66, 0xee};
	(void)state;
	for (unsigned b = 0; b < 4; b++)
		memcpy(pawns + 5 + b * sizeof board, board, sizeof board);
	for (unsigned i = 42; i < 58; i += 2)
		memcpy(pawns + i, (const uint8_t[]){0x80, 4}, 2);
	write_table("KQRBvKQN.rtbw", outcomes, sizeof outcomes);
	write_table("KQRBvKQN.rtbz", depths, sizeof depths);
	write_table("KPPPvKPP.rtbw", pawns, sizeof pawns);
	expect_indexes("KQRBvKQN.rtbw", EL_WIN);
	expect_indexes("KQRBvKQN.rtbz", EL_WIN);
	expect_indexes("KPPPvKPP.rtbw", EL_WIN);
}

/* ---- names ---- */

/* Its path in the test's folder. */
static const char *copy_file(const char *from, const char *name, const char *as)
{
	size_t size;
	const char *path = fixture_path(folder, as);
	uint8_t *bytes = fixture_read_file(fixture_path(from, name), &size);
	fixture_write_file(path, bytes, size);
	free(bytes);
	return path;
}

/* A sound file under the name of another slice: its pieces give it away. */
static void test_other_names(void **state)
{
	static const char *const files[][2] = {
		{"KRvK.rtbw", "KQvK.rtbw"},   {"KRvK.rtbz", "KQvK.rtbz"},
		{"KQvK.rtbw", "KQvK.rtbz"},   {"KQvK.rtbz", "KQvK.rtbw"},
		{"KRvKN.rtbz", "KNvKR.rtbz"}, {"KPvK.rtbz", "KQvK.rtbz"},
		{"KQvKR.rtbz", "KRvKB.rtbz"}, {"KPvKP.rtbz", "KPvK.rtbz"},
		{"KQvKQ.rtbz", "KRvKR.rtbz"},
	};
	(void)state;
	const char *from = foreign_syzygy();
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct el_cache *cache;
		struct el_source *source;
		struct el_error error = {0};
		const char *path = copy_file(from, files[i][0], files[i][1]);
		assert_int_equal(el_cache_open(1 << 20, &cache, NULL), EL_OK);
		const struct el_source_ops *kind = el_source_kind_of(path);
		if (kind->open(path, cache, &source, &error) == EL_OK)
			fail_msg("%s is taken for %s", files[i][0], files[i][1]);
		assert_non_null(strstr(error.text, path));
		el_cache_close(cache);
		unlink(path);
	}
}

/* ---- rounding and the clock ---- */

static void test_clock(void **state)
{
	const struct el_metric *m = &el_dtz_syzygy;
	const struct el_value win = {.outcome = EL_WIN, .plies = 60, .rounded = true};
	const struct el_value loss = {.outcome = EL_LOSS, .plies = 60, .rounded = true};
	const struct el_value edge = {.outcome = EL_WIN, .plies = 100, .rounded = true};
	const struct el_value late = {.outcome = EL_CURSED_WIN, .plies = 103, .rounded = true};
	(void)state;
	assert_int_equal(el_value_in_time(m, win, 100, 39), EL_WIN);
	assert_int_equal(el_value_in_time(m, win, 100, 40), EL_AT_LEAST_CURSED);
	assert_int_equal(el_value_in_time(m, win, 100, 41), EL_CURSED_WIN);
	assert_int_equal(el_value_in_time(m, loss, 100, 39), EL_LOSS);
	assert_int_equal(el_value_in_time(m, loss, 100, 40), EL_AT_MOST_BLESSED);
	assert_int_equal(el_value_in_time(m, edge, 100, 0), EL_WIN);
	assert_int_equal(el_value_in_time(m, late, 100, 0), EL_CURSED_WIN);
	assert_true(el_value_of_move(m, win, false, 0).rounded);
	assert_false(el_value_of_move(m, win, true, 0).rounded);
	/* Moves into a late win: its table counts them past the limit, ours does not. */
	const struct el_value blessed = {.outcome = EL_BLESSED_LOSS};
	assert_int_equal(el_value_of_move(m, blessed, true, 0).plies, 101);
	assert_int_equal(el_value_of_move(dtz50, blessed, true, 0).plies, 1);
	assert_true(el_value_matches(win, (struct el_value){.outcome = EL_WIN, .plies = 61}));
	assert_false(el_value_matches(win, (struct el_value){.outcome = EL_WIN, .plies = 59}));
}

/* Our values for every position, and the made ones: can both be right? */
static void expect_clash(struct el_value ours, bool expected)
{
	struct el_position position;
	struct el_opinions opinions;
	fixture_constant(fixture_path(folder, "KQvK.dtz50.egt"), dtz50, ours);
	struct el_library *library = fixture_library(folder, folder);
	assert_int_equal(el_chess.parse(white_moves, &position, NULL), EL_OK);
	assert_int_equal(
		el_library_opinions(library, &el_chess, &position, EL_PROBE_FULL, &opinions, NULL),
		EL_OK);
	assert_int_equal(opinions.count, 3);
	assert_int_equal(opinions.contradict, expected);
	el_opinions_free(&opinions);
	el_library_close(library);
}

/* A rounded depth may be a ply more; past the limit the plies differ. */
static void test_opinions(void **state)
{
	static const uint8_t lists[] = {1, 20, 1, 30, 1, 40, 1, 50, 0};
	(void)state;
	write_outcomes(4, 0);
	write_depths(SCALE_MAPPED, lists, sizeof lists);
	for (uint16_t plies = 40; plies <= 43; plies++)
		expect_clash((struct el_value){.outcome = EL_WIN, .plies = plies},
		             plies != 41 && plies != 42);
	write_outcomes(3, 1);
	write_depths(SCALE_MAPPED, lists, sizeof lists);
	expect_clash((struct el_value){.outcome = EL_CURSED_WIN, .plies = 5}, false);
}

/* Outcomes alone leave open whether a quiet move is in time; but if a won position has only one
   such move, and no winning one, that move wins. */
static void test_only_move(void **state)
{
	static struct el_answer answer;
	const struct el_question question = {.rule = EL_RULE_USUAL};
	struct el_position position;
	(void)state;
	const char *from = foreign_syzygy();
	static const char *const names[] = {"KQvKR.rtbw", "KQvK.rtbw", "KRvK.rtbw"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		copy_file(from, names[i], names[i]);
	struct el_library *library = fixture_library("/nonexistent", folder);
	assert_int_equal(el_chess.parse("k7/8/8/8/8/8/1Q6/1K2r3 w - - 0 1", &position, NULL),
	                 EL_OK);
	assert_int_equal(el_library_answer(library, &el_chess, &position, &question, &answer, NULL),
	                 EL_OK);
	assert_int_equal(answer.outcome, EL_WIN);
	assert_string_equal(answer.moves[0].san, "Ka2");
	assert_int_equal(answer.moves[0].outcome, EL_WIN);
	assert_int_equal(answer.moves[1].outcome, EL_DRAW);
	assert_int_equal(el_chess.parse("8/8/8/3kr3/8/8/1KQ5/8 b - - 0 1", &position, NULL), EL_OK);
	assert_int_equal(el_library_answer(library, &el_chess, &position, &question, &answer, NULL),
	                 EL_OK);
	assert_int_equal(answer.outcome, EL_LOSS);
	for (size_t i = 0; i < answer.count; i++)
		assert_int_equal(answer.moves[i].outcome, EL_LOSS);
	position.halfmove = 1;
	assert_int_equal(el_library_answer(library, &el_chess, &position, &question, &answer, NULL),
	                 EL_OK);
	assert_int_equal(answer.outcome, EL_AT_MOST_BLESSED);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_lists),  IN_FOLDER(test_single_plies), IN_FOLDER(test_wrong_depths),
		IN_FOLDER(test_boards), IN_FOLDER(test_seven),        IN_FOLDER(test_other_names),
		IN_FOLDER(test_clock),  IN_FOLDER(test_opinions),     IN_FOLDER(test_only_move),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
