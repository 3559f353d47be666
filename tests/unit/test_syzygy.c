/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Syzygy's depths to zeroing: real ones against what our solver makes of the same endings, position by
 * position, and against libfathom, where that is installed; made ones for what no table of few pieces
 * has. `TRUTH=all` compares every position of all 35 endings, as `make truth` does.
 */
#include "core/store/foreign/syzygy.h"
#include "endlab/library.h"
#include "foreign_fixture.h"
#include "positions.h"
#include "solved.h"
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#if __has_include(<tbprobe.h>)
#include <tbprobe.h>
#endif

static const struct el_metric *const dtz50 = &el_dtz_rule[EL_RULE_USUAL - 1];

static bool is_whole(void)
{
	const char *truth = getenv("TRUTH");
	return truth && *truth;
}

/* ---- against our solver ---- */

struct comparison {
	struct solved *solved;
	struct el_library *theirs;
	const struct el_planes *planes; /* ours */
	uint64_t compared, rounded, different;
	char first[1024]; /* that is different */
};

static struct el_value value_in(struct solved *solved, const struct el_position *position,
                                const struct el_metric *metric)
{
	struct el_value value = {.outcome = EL_DRAW};
	struct el_place place;
	struct el_slice slice;
	if (el_game_value(&el_chess, position, &value) || !el_chess.place(position, &place))
		return el_metric_read(&el_wdl, metric, value);
	assert_int_equal(el_chess.slice_of(position, &slice, NULL), EL_OK);
	return el_plane_value(&solved_of(solved, &slice, metric)->plane[place.plane], place.index);
}

/* With a right to capture en passant, by the moves. */
static struct el_value expected_of(struct solved *solved, const struct el_position *position,
                                   const struct el_metric *metric)
{
	struct el_value best = {.outcome = EL_BROKEN};
	struct el_move moves[EL_MOVES_MAX];
	if (position->en_passant == EL_NO_SQUARE)
		return value_in(solved, position, metric);
	const size_t count = el_chess.moves(position, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		el_chess.play(position, &moves[i], &after);
		const bool ends = el_chess.zeroes(position, &moves[i]);
		const struct el_value value = el_value_of_move(
			metric, expected_of(solved, &after, ends ? el_metric_entered(metric) : metric),
			ends);
		best = i ? el_value_max(metric, best, value) : value;
	}
	return best;
}

/* Exact, or within a ply where that is rounded. Endings of so few pieces have no cursed wins. */
static void compare(struct comparison *c, const struct el_position *position,
                    struct el_value expected)
{
	struct el_value found = {.outcome = EL_UNKNOWN};
	struct el_error error = {0};
	char fen[EL_FEN_MAX];
	enum el_status status = el_library_value(c->theirs, &el_chess, position, dtz50,
	                                         EL_PROBE_FULL, &found, &error);
#pragma omp atomic
	c->compared++;
#pragma omp atomic
	c->rounded += found.rounded;
	if (!status && el_value_matches(expected, found) && found.plies <= expected.plies)
		return;
#pragma omp critical
	if (c->different++ == 0) {
		el_chess.format(position, fen);
		snprintf(c->first, sizeof c->first, "%s: ours %s %u, theirs %s %u%s %s", fen,
		         el_outcome_name(expected.outcome), expected.plies,
		         el_outcome_name(found.outcome), found.plies, found.rounded ? " rounded" : "",
		         error.text);
	}
}

/* After a double step the right to capture en passant counts. */
static void compare_rights(struct comparison *c, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = el_chess.moves(position, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		el_chess.play(position, &moves[i], &after);
		if (after.en_passant != EL_NO_SQUARE)
			compare(c, &after, expected_of(c->solved, &after, dtz50));
	}
}

/* Every index of a plane, or one in `step` of them. */
static void compare_plane(struct comparison *c, unsigned plane, uint64_t step)
{
	const struct el_slice *slice = &c->planes->slice;
#pragma omp parallel for schedule(dynamic, 4096)
	for (uint64_t index = 0; index < slice->positions; index += step) {
		struct el_position position, image[IMAGES];
		if (!el_chess.unplace(slice, plane, index, &position))
			continue;
		const struct el_value expected = el_plane_value(&c->planes->plane[plane], index);
		images_of(&el_chess, &position, image);
		for (unsigned i = 0; i < (slice->pieces == 3 ? IMAGES : 1); i++)
			compare(c, &image[i], expected);
	}
	/* What is solved for these is not for many threads. */
	for (uint64_t index = 0; index < slice->positions && slice->pieces > 3; index += step) {
		struct el_position position;
		if (el_chess.unplace(slice, plane, index, &position))
			compare_rights(c, &position);
	}
}

static void compare_slice(struct el_library *theirs, const char *name, uint64_t step)
{
	struct comparison c = {.solved = solved_open(), .theirs = theirs};
	struct el_slice slice;
	struct el_error error;
	assert_int_equal(el_slice_parse(name, &slice, &error), EL_OK);
	c.planes = solved_of(c.solved, &slice, dtz50);
	for (unsigned plane = 0; plane < slice.planes; plane++)
		compare_plane(&c, plane, step);
	solved_close(c.solved);
	if (c.different)
		fail_msg("%s: %llu of %llu positions differ, first %s", name,
		         (unsigned long long)c.different, (unsigned long long)c.compared, c.first);
	assert_true(c.compared > 10000);
	if (is_whole())
		printf("%-8s %llu positions compared, %llu rounded\n", name,
		       (unsigned long long)c.compared, (unsigned long long)c.rounded);
}

static void compare_slices(unsigned pieces, uint64_t step)
{
	struct el_slice slices[64];
	struct el_library *theirs = fixture_library("/nonexistent", foreign_syzygy());
	const size_t count = el_chess.slices(pieces, slices, 64);
	for (size_t i = 0; i < count; i++)
		compare_slice(theirs, slices[i].name, step);
	el_library_close(theirs);
}

static void test_three(void **state)
{
	(void)state;
	compare_slices(3, 1);
}

/* One-sided for White and for Black, symmetric, in moves and in plies, with pawns of one side, of both. */
static void test_four(void **state)
{
	static const char *const names[] = {"KQvKR", "KRvKN", "KBNvK", "KNvKP", "KPvKP", "KRvKR"};
	enum { STEP = 37 };
	(void)state;
	if (is_whole()) {
		compare_slices(4, 1);
		return;
	}
	struct el_library *theirs = fixture_library("/nonexistent", foreign_syzygy());
	for (size_t i = 0; i < (tests_are_slow() ? 1 : sizeof names / sizeof *names); i++)
		compare_slice(theirs, names[i], STEP);
	el_library_close(theirs);
}

/* ---- against libfathom ---- */

#ifdef TBPROBE_H
static uint64_t sets_of(const struct el_position *p, char letter)
{
	const size_t kind = (size_t)(strchr(el_chess.kinds, letter) - el_chess.kinds);
	return p->set[0][kind] | p->set[1][kind];
}

static unsigned ask_theirs(const struct el_position *p, unsigned results[TB_MAX_MOVES])
{
	uint64_t side[2] = {0};
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		side[i / EL_KINDS] |= p->set[i / EL_KINDS][i % EL_KINDS];
	return tb_probe_root(side[0], side[1], sets_of(p, 'K'), sets_of(p, 'Q'), sets_of(p, 'R'),
	                     sets_of(p, 'B'), sets_of(p, 'N'), sets_of(p, 'P'), p->halfmove, 0,
	                     p->en_passant == EL_NO_SQUARE ? 0 : p->en_passant,
	                     p->side == EL_WHITE, results);
}

/* Their result for a move; TB_RESULT_FAILED: none. */
static unsigned result_of(const unsigned *results, const struct el_move *move, const char *uci)
{
	static const char promotions[] = "-qrbn";
	const char *becomes = strchr(promotions, uci[4] ? uci[4] : '-');
	for (; *results != TB_RESULT_FAILED; results++)
		if (TB_GET_FROM(*results) == move->from && TB_GET_TO(*results) == move->to &&
		    TB_GET_PROMOTES(*results) == (unsigned)(becomes - promotions))
			break;
	return *results;
}

/* Do they agree on who wins, though not on whether it is in time? */
static bool same_side(enum el_outcome a, enum el_outcome b)
{
	return a != EL_DRAW && b != EL_DRAW && (a > EL_DRAW) == (b > EL_DRAW);
}

/* They take a ply for two where it is rounded, and what is rounded for good on the last ply of the
   rule. */
static void expect_same(const struct el_position *position, const char *what, unsigned theirs,
                        enum el_outcome outcome, struct el_value value)
{
	static const enum el_outcome names[] = {EL_LOSS, EL_BLESSED_LOSS, EL_DRAW, EL_CURSED_WIN,
	                                        EL_WIN};
	const enum el_outcome wdl = names[TB_GET_WDL(theirs)];
	const unsigned dtz = TB_GET_DTZ(theirs), slack = value.plies <= 4 ? 1 : 0;
	const bool open = !el_outcome_exact(outcome) || (slack && position->halfmove > 95);
	char fen[EL_FEN_MAX];
	if ((outcome == wdl || (open && same_side(wdl, el_outcome_lower(outcome)))) &&
	    (outcome == EL_DRAW || (value.plies <= dtz + slack && dtz <= value.plies + slack)))
		return;
	el_chess.format(position, fen);
	fail_msg("%s %s: ours %s %u, libfathom %s %u", fen, what, el_outcome_name(outcome),
	         value.plies, el_outcome_name(wdl), dtz);
}

static uint64_t compare_root(struct el_library *library, const struct el_position *position)
{
	static struct el_answer answer;
	const struct el_question question = {.metric = dtz50, .rule = EL_RULE_USUAL};
	const size_t rank = dtz50->rank;
	unsigned results[TB_MAX_MOVES];
	assert_int_equal(el_library_answer(library, &el_chess, position, &question, &answer, NULL),
	                 EL_OK);
	if (answer.over || answer.run_out)
		return 0;
	const unsigned root = ask_theirs(position, results);
	assert_int_not_equal(root, TB_RESULT_FAILED);
	expect_same(position, "itself", root, answer.outcome, answer.value[rank]);
	for (size_t i = 0; i < answer.count; i++) {
		const struct el_ranked *move = &answer.moves[i];
		const unsigned theirs = result_of(results, &move->move, move->uci);
		assert_int_not_equal(theirs, TB_RESULT_FAILED);
		expect_same(position, move->san, theirs, move->outcome, move->value[rank]);
	}
	return 1 + answer.count;
}

static uint64_t compare_sample(struct el_library *library, const struct el_slice *slice,
                               unsigned positions)
{
	static const uint16_t clocks[] = {0, 0, 1, 50, 80, 90, 98, 99};
	uint64_t state = 1, compared = 0;
	for (unsigned n = 0; n < positions;) {
		struct el_position position;
		struct el_move moves[EL_MOVES_MAX];
		if (!el_chess.unplace(slice, (unsigned)(fixture_random(&state) % slice->planes),
		                      fixture_random(&state) % slice->positions, &position))
			continue;
		position.halfmove = clocks[n++ % (sizeof clocks / sizeof *clocks)];
		compared += compare_root(library, &position);
		for (size_t i = el_chess.moves(&position, moves); i-- > 0;) {
			struct el_position after;
			el_chess.play(&position, &moves[i], &after);
			if (after.en_passant != EL_NO_SQUARE)
				compared += compare_root(library, &after);
		}
	}
	return compared;
}

static void test_libfathom(void **state)
{
	struct el_slice slices[64];
	(void)state;
	const char *from = foreign_syzygy();
	struct el_library *library = fixture_library("/nonexistent", from);
	assert_true(tb_init(from) && TB_LARGEST >= 4);
	size_t count = el_chess.slices(3, slices, 64);
	count += el_chess.slices(4, slices + count, 64 - count);
	uint64_t compared = 0;
	for (size_t i = 0; i < count; i++)
		compared += compare_sample(library, &slices[i], is_whole() ? 20000 : 150);
	assert_true(compared > 10000);
	el_library_close(library);
}
#else
static void test_libfathom(void **state)
{
	(void)state;
	printf("note: libfathom-dev is not installed: not compared with it\n");
	skip();
}
#endif

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

/* King, queen and king: all constants. Outcomes by side to move; depths for White, by flags and lists. */
static void write_outcomes(uint8_t white, uint8_t black)
{
	const uint8_t bytes[] = {0x71, 0xe8, 0x23, 0x5d, 0x31, 0x00, 0xee,
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

/* Each list under each flag. A side that is not in the table has one ply more by its moves. */
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
	/* Cursed and blessed ones are in moves whatever the flags, and past the limit. */
	write_outcomes(3, 1);
	write_depths(SCALE_MAPPED | SCALE_WIDE | SCALE_WIN_PLIES, wide, sizeof wide);
	expect_depth(white_moves, EL_CURSED_WIN, 100 + 2 * 300 + 1, true);
	expect_depth(black_moves, EL_BLESSED_LOSS, 100 + 2 * 300 + 2, true);
	write_depths(SCALE_SIDE | SCALE_MAPPED | SCALE_LOSS_PLIES, narrow, sizeof narrow);
	expect_depth(black_moves, EL_BLESSED_LOSS, 201, true);
}

/* Without lists a value is the depth itself. The last ply of a rounded one is settled by the moves: no
   move mates here, or one does. */
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
	                                  &value, &error), expected);
	el_library_close(library);
	if (!strstr(error.text, words))
		fail_msg("expected '%s', found '%s'", words, error.text);
}

/* Depths that contradict the outcomes, are past the limit, or are in no list. */
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
	write_outcomes(4, 4); /* Black wins too: there is no move for White to win by */
	write_depths(SCALE_SIDE, NULL, 0);
	expect_error(white_moves, EL_DAMAGED, "no move keeps an outcome");
	unlink(fixture_path(folder, "KQvK.rtbw"));
	expect_error(white_moves, EL_NEGATIVE, "KQvK");
}

/* Four boards, narrow and wide lists in turn, one without: each stands at an even place. */
static void test_boards(void **state)
{
	static const uint8_t outcomes[] = {
		0x71, 0xe8, 0x23, 0x5d, 0x33, 0x00, 0x11, 0x66, 0xee, 0x00, 0x11, 0x66,
		0xee, 0x00, 0x11, 0x66, 0xee, 0x00, 0x11, 0x66, 0xee, 0x00, 0x80, 4,
		0x80, 0,    0x80, 4,    0x80, 0,    0x80, 4,    0x80, 0,    0x80, 4,
		0x80, 0,
	};
	static const uint8_t depths[] = {
		0xd7, 0x66, 0x0c, 0xa5, 0x33, 0x00, 0x01, 0x06, 0x0e, 0x00, 0x01, 0x06, 0x0e, 0x00,
		0x01, 0x06, 0x0e, 0x00, 0x01, 0x06, 0x0e, 0x00,
		0x80 | SCALE_MAPPED | SCALE_WIN_PLIES, 0,
		0x80 | SCALE_MAPPED | SCALE_WIN_PLIES | SCALE_WIDE, 0, 0x80 | SCALE_WIN_PLIES, 0,
		0x80 | SCALE_MAPPED, 0,
		/* a: narrow, five bytes, and one to be even */
		1, 10, 0, 0, 0, 0,
		/* b: wide */
		1, 0, 20, 0, 0, 0, 0, 0, 0, 0,
		/* d: narrow, in moves */
		1, 30, 0, 0, 0,
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
	static const uint8_t depths[] = {0xd7, 0x66, 0x0c, 0xa5, 0x71, 0x02,
	                                 0x05, 0x0d, 0x0e, 0x04, 0x03, 0x06, 0x0a, 0,
	                                 0x80 | SCALE_WIN_PLIES, 0};
	/* The black pawns lead, being fewer; the white ones are the second digit. */
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

/* A sound file under the name of another slice: what it says of its pieces tells. */
static void test_other_names(void **state)
{
	static const char *const files[][2] = {
		{"KRvK.rtbw", "KQvK.rtbw"}, {"KRvK.rtbz", "KQvK.rtbz"}, {"KQvK.rtbw", "KQvK.rtbz"},
		{"KQvK.rtbz", "KQvK.rtbw"}, {"KRvKN.rtbz", "KNvKR.rtbz"}, {"KPvK.rtbz", "KQvK.rtbz"},
		{"KQvKR.rtbz", "KRvKB.rtbz"}, {"KPvKP.rtbz", "KPvK.rtbz"}, {"KQvKQ.rtbz", "KRvKR.rtbz"},
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
	assert_true(el_value_of_move(m, win, false).rounded);
	assert_false(el_value_of_move(m, win, true).rounded);
	assert_true(el_value_matches(win, (struct el_value){.outcome = EL_WIN, .plies = 61}));
	assert_false(el_value_matches(win, (struct el_value){.outcome = EL_WIN, .plies = 59}));
}

/* Outcomes alone leave open whether a quiet move is in time; a won position that has one such move, and
   none that wins, is won by it. */
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
	assert_int_equal(el_chess.parse("k7/8/8/8/8/8/1Q6/1K2r3 w - - 0 1", &position, NULL), EL_OK);
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_make_folder, fixture_remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_three),       TEST(test_four),         TEST(test_libfathom), TEST(test_lists),
		TEST(test_single_plies), TEST(test_wrong_depths), TEST(test_boards),     TEST(test_seven),
		TEST(test_other_names), TEST(test_clock),        TEST(test_only_move),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
