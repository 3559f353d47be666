/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chesstb's numbering against lists of everything numbered; files made here in every form, read back
   through the library, a sample of most forms (all with TRUTH in the environment); and real ones, if
   $ENDLAB_CHESSTB names a folder, against our solver. */
#include "core/base/course.h"
#include "core/foreign/chesstb.h"
#include "core/probe/probe.h"
#include "core/whole/whole.h"
#include "tests/fixtures/chesstb_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct el_metric *const wdl50 = &el_wdl_rule[EL_RULE_USUAL - 1];
static const struct el_metric *const dtz50 = &el_dtz_rule[EL_RULE_USUAL - 1];
static const struct el_metric *const dtm50 = &el_dtm_rule[EL_RULE_USUAL - 1];

static struct solved *solved;

static struct el_slice slice_of(const char *name)
{
	struct el_slice slice;
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	return slice;
}

/* ---- the index ---- */

/* Both ends of the list of orders: classes as they come, and backwards. */
static void compare_numbers(const struct el_slice *slice, bool pair)
{
	enum { SAMPLE = 300 };
	const struct foreign f = {.source.slice = *slice};
	struct chesstb_index index;
	struct el_slice named;
	uint8_t count[2][EL_KINDS], order[2][CHESSTB_CLASSES_MAX];
	char name[EL_SLICE_MAX + 8];
	bool swapped;
	uint32_t last = 1;
	snprintf(name, sizeof name, "/x/%s.lzw", chesstb_name(slice, pair));
	assert_int_equal(chesstb_material(&el_source_chesstb, name, &named, count, &swapped, NULL),
	                 EL_OK);
	assert_true(el_slice_equal(&named, slice));
	assert_int_equal(chesstb_index_make(&f, (const uint8_t(*)[EL_KINDS])count, &index), EL_OK);
	assert_int_equal(index.positions, chesstb_count(slice, pair));
	for (unsigned i = 0; i < index.classes; i++) {
		last *= i + 1;
		order[0][i] = (uint8_t)i;
		order[1][i] = (uint8_t)(index.classes - 1 - i);
	}
	uint64_t random = slice->key;
	unsigned seen = 0;
	for (unsigned n = 0; n < SAMPLE; n++) {
		struct el_position position, image[IMAGES];
		struct el_place place;
		const uint64_t at = fixture_random(&random) % slice->positions;
		if (!el_chess.unplace(slice, n % slice->planes, at, &position))
			continue;
		images_of(&el_chess, &position, image);
		for (unsigned i = 0; i < IMAGES; i++) {
			struct el_position turned = image[i];
			assert_true(el_chess.place(&image[i], &place));
			if ((place.plane ^ image[i].side) ^ swapped)
				el_chess.swap_colours(&image[i], &turned);
			for (unsigned o = 0; o < 2; o++) {
				const uint64_t number =
					chesstb_number(slice, pair, &position, o ? last - 1 : 0);
				seen += number != UINT64_MAX;
				assert_int_equal(chesstb_index_of(&index, order[o], &turned),
				                 number != UINT64_MAX ? number : index.positions);
			}
		}
	}
	assert_true(seen > SAMPLE / 8);
	chesstb_index_free(&index);
}

static void test_index(void **state)
{
	enum { SLICES = 145 };
	static const char *const more[] = {"KQRBvKN", "KBBNvKR", "KRPvKBN", "KQvKPPP"};
	static const char *const pairs[] = {"KPvKP",   "KQPvKP",  "KPPvKP", "KPPPvKP",
	                                    "KPPvKPP", "KNPvKPP", "KBPvKRP"};
	struct el_slice slices[SLICES];
	(void)state;
	for (unsigned pieces = 3; pieces <= 5; pieces++) {
		const size_t count = el_chess.slices(pieces, slices, SLICES);
		const size_t step = tests_are_slow() ? 7 : 1;
		for (size_t i = 0; i < count; i += step)
			compare_numbers(&slices[i], false);
	}
	for (unsigned i = 0; i < sizeof more / sizeof *more; i++) {
		const struct el_slice slice = slice_of(more[i]);
		compare_numbers(&slice, false);
	}
	for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		const struct el_slice slice = slice_of(pairs[i]);
		compare_numbers(&slice, true);
	}
}

/* White is the side with the greater sum, whichever our slice names first. */
static void test_names(void **state)
{
	static const struct {
		const char *name, *slice;
		bool swapped;
	} good[] = {
		{"KQK", "KQvK", false},       {"KQKBN", "KBNvKQ", true},
		{"KRKPP", "KPPvKR", true},    {"KQKRB", "KRBvKQ", true},
		{"KRBKQ", "KRBvKQ", true},    {"KQvK", "KQvK", false},
		{"KNNNKQ", "KNNNvKQ", false}, {"KpKp", "KPvKP", false},
		{"KPpKp", "KPPvKP", false},   {"KQpKRBp", "KRBPvKQP", true},
	};
	static const char *const bad[] = {"KpK",    "KKpp",  "KpPKp",     "KpKQp", "KpKpp",
	                                  "kpk",    "KpvKp", "KKQ",       "KQ",    "KRvK+castling",
	                                  "readme", "",      "KQQQQQQKQ", "p",     "K"};
	(void)state;
	struct el_slice slice;
	uint8_t count[2][EL_KINDS];
	bool swapped;
	for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
		char path[64];
		snprintf(path, sizeof path, "x/%s.lzw", good[i].name);
		assert_int_equal(
			chesstb_material(&el_source_chesstb, path, &slice, count, &swapped, NULL),
			EL_OK);
		assert_string_equal(slice.name, good[i].slice);
		assert_int_equal(swapped, good[i].swapped);
	}
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		char path[64];
		struct el_error error;
		snprintf(path, sizeof path, "x/%s.lzw", bad[i]);
		assert_int_equal(
			chesstb_material(&el_source_chesstb, path, &slice, count, &swapped, &error),
			EL_NEGATIVE);
		assert_non_null(strstr(error.text, path));
	}
}

/* ---- whole slices ---- */

struct comparison {
	struct el_library *theirs;
	const struct el_slice *slice;
	const struct el_metric *metric;
	bool pair; /* pass over positions without opposing pawns */
	uint64_t compared, different;
	char first[1024];
};

static void compare(struct comparison *c, const struct el_position *position,
                    struct el_value expected)
{
	struct el_value found = {.outcome = EL_UNKNOWN};
	struct el_error error = {0};
	char fen[EL_FEN_MAX];
	if (c->pair && chesstb_number(c->slice, true, position, 0) == UINT64_MAX)
		return;
	const enum el_status status = el_library_value(c->theirs, &el_chess, position, c->metric,
	                                               EL_PROBE_FULL, &found, &error);
#pragma omp atomic
	c->compared++;
	if (!status && found.outcome == expected.outcome &&
	    (found.rounded ? el_value_matches(expected, found) : found.plies == expected.plies))
		return;
#pragma omp critical
	if (c->different++ == 0) {
		el_chess.format(position, fen);
		snprintf(c->first, sizeof c->first, "%s %s: ours %s %u, theirs %s %u%s %s", fen,
		         c->metric->name, el_outcome_name(expected.outcome), expected.plies,
		         el_outcome_name(found.outcome), found.plies,
		         found.rounded ? " rounded" : "", error.text);
	}
}

/* The values of a position with each of a few clocks. */
static void compare_clocks(struct comparison *c, const struct el_planes *planes, unsigned plane,
                           uint64_t index, struct el_position *position)
{
	const unsigned clocks[] = {0, 1, (unsigned)(index % 97), 98, 99, 100, 101};
	const struct el_value value = el_plane_value(&planes->plane[plane], index);
	const struct el_course course =
		el_courses_get(planes->courses, planes->plane[plane].course[index]);
	for (unsigned i = 0; i < sizeof clocks / sizeof *clocks; i++) {
		position->halfmove = (uint16_t)clocks[i];
		compare(c, position, el_course_at(course, value, clocks[i]));
	}
}

/* What the rules make of a position with a right to capture en passant. */
static struct el_value expected_of(const struct el_position *position,
                                   const struct el_metric *metric)
{
	struct el_value best = {.outcome = EL_DRAW};
	struct el_move moves[EL_MOVES_MAX];
	struct el_slice slice;
	struct el_place place;
	if (el_game_value(&el_chess, position, &best))
		return best;
	if (position->en_passant == EL_NO_SQUARE) {
		assert_int_equal(el_chess.slice_of(position, &slice, NULL), EL_OK);
		assert_true(el_chess.place(position, &place));
		return el_plane_value(&solved_of(solved, &slice, metric)->plane[place.plane],
		                      place.index);
	}
	const size_t count = el_chess.moves(position, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		el_chess.play(position, &moves[i], &after);
		const bool ends = el_chess.zeroes(position, &moves[i]) && metric->entered;
		const struct el_value value = el_value_of_move(
			metric, expected_of(&after, ends ? metric->entered : metric), ends, 0);
		best = i ? el_value_max(metric, best, value) : value;
	}
	return best;
}

/* After a double step the right to capture en passant counts. */
static void compare_rights(struct comparison *c, uint64_t step)
{
	const struct el_slice *slice = c->slice;
	for (unsigned plane = 0; plane < slice->planes && !c->metric->by_clock; plane++)
		for (uint64_t index = 0; index < slice->positions; index += step) {
			struct el_position position, after;
			struct el_move moves[EL_MOVES_MAX];
			const size_t count = el_chess.unplace(slice, plane, index, &position)
			                             ? el_chess.moves(&position, moves)
			                             : 0;
			for (size_t i = 0; i < count; i++) {
				el_chess.play(&position, &moves[i], &after);
				if (after.en_passant != EL_NO_SQUARE)
					compare(c, &after, expected_of(&after, c->metric));
			}
		}
}

/* `step`: every so many indexes; with a few clocks each, seven times as many are passed over. */
static void compare_slice(struct el_library *theirs, const struct el_slice *slice, bool pair,
                          const struct el_metric *metric, uint64_t step)
{
	step *= metric->by_clock && slice->pieces > 3 ? 7 : 1;
	const struct el_planes *planes = solved_of(solved, slice, metric);
	struct comparison c = {.theirs = theirs, .slice = slice, .pair = pair, .metric = metric};
	for (unsigned plane = 0; plane < slice->planes; plane++)
#pragma omp parallel for schedule(dynamic, 4096)
		for (uint64_t index = 0; index < slice->positions; index += step) {
			struct el_position position;
			if (!el_chess.unplace(slice, plane, index, &position))
				continue;
			if (metric->by_clock)
				compare_clocks(&c, planes, plane, index, &position);
			else
				compare(&c, &position,
				        el_plane_value(&planes->plane[plane], index));
		}
	compare_rights(&c, step);
	if (c.different)
		fail_msg("%s: %llu of %llu differ: %s", slice->name,
		         (unsigned long long)c.different, (unsigned long long)c.compared, c.first);
	assert_true(c.compared > 0);
}

/* ---- files made here ---- */

static const char *const needed[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK"};

/* With pawns, plies to zeroing are in a .lzdtc, else in a .lzdtz. */
static void write_kinds(const struct chesstb_file *form, const char *name)
{
	const struct el_slice slice = slice_of(name);
	for (unsigned kind = 0; kind < CHESSTB_KINDS; kind++) {
		struct chesstb_file f = *form;
		if (kind == (strchr(name, 'P') ? CHESSTB_DTZ : CHESSTB_DTC))
			continue;
		f.kind = (enum chesstb_kind)kind;
		f.slice = &slice;
		f.solved = solved;
		f.relaxed &= kind == CHESSTB_WDL;
		f.losses_only &= kind != CHESSTB_WDL;
		f.dropped = slice.planes > 1 ? f.dropped : 0;
		chesstb_write(folder, &f);
	}
}

/* Whole tables of the slices that those of a test lead to. */
static void write_needed(void)
{
	for (unsigned i = 0; i < sizeof needed / sizeof *needed; i++)
		write_kinds(&(struct chesstb_file){0}, needed[i]);
}

/* All kinds of a slice in a form. */
static void try_form(const struct chesstb_file *form, const char *name, uint64_t step)
{
	const struct el_slice slice = slice_of(name);
	write_kinds(form, name);
	struct el_library *theirs = fixture_library("/nonexistent", folder);
	compare_slice(theirs, &slice, false, wdl50, step);
	compare_slice(theirs, &slice, false, dtz50, step);
	compare_slice(theirs, &slice, false, &el_dtm, step);
	compare_slice(theirs, &slice, false, dtm50, step);
	el_library_close(theirs);
}

static const struct chesstb_file forms[] = {
	{.kind = CHESSTB_WDL},
	{.whole = true, .wide = true, .block_bytes = 998},
	{.dropped = 1, .block_bytes = 4096},
	{.dropped = 2},
	{.losses_only = true},
	{.relaxed = true},
	{.relaxed = true, .dropped = 1},
	{.relaxed = true, .dropped = 2},
};

enum { FORMS = sizeof forms / sizeof *forms };

static void test_three_pieces(void **state)
{
	static const char *const names[] = {"KQvK", "KRvK", "KPvK"};
	(void)state;
	write_needed();
	/* Files of one slice are read beside those of another in its last form. */
	for (unsigned n = 0; n < 3; n++)
		for (unsigned i = 0; i < FORMS; i++)
			try_form(&forms[i], names[n],
			         tests_are_thorough() || (!i && !tests_are_slow()) ? 1 : 11);
}

/* Both sides have the same material, so there is one frame. */
static void test_one_frame(void **state)
{
	(void)state;
	if (tests_are_slow())
		return;
	write_needed();
	try_form(&forms[0], "KRvKR", tests_are_thorough() ? 1 : 5);
	try_form(&(struct chesstb_file){.losses_only = true}, "KRvKR",
	         tests_are_thorough() ? 1 : 17);
}

/* A whole table in memory, with every clock. */
static void test_planes(void **state)
{
	const struct el_slice slice = slice_of("KRvK");
	const struct el_planes *ours = solved_of(solved, &slice, dtm50);
	struct el_planes planes;
	(void)state;
	write_needed();
	struct el_library *theirs = fixture_library("/nonexistent", folder);
	assert_int_equal(el_library_planes(theirs, &slice, dtm50, NULL, &planes, NULL), EL_OK);
	for (unsigned plane = 0; plane < slice.planes; plane++)
		for (uint64_t i = 0; i < slice.positions; i++) {
			const struct el_plane *a = &ours->plane[plane], *b = &planes.plane[plane];
			const struct el_course x = el_courses_get(ours->courses, a->course[i]);
			const struct el_course y = el_courses_get(planes.courses, b->course[i]);
			assert_true(el_value_equal(el_plane_value(a, i), el_plane_value(b, i)));
			assert_int_equal(x.count, y.count);
			for (size_t k = 0; k < x.count; k++) {
				assert_int_equal(x.step[k].until, y.step[k].until);
				assert_int_equal(x.step[k].plies, y.step[k].plies);
			}
		}
	el_planes_free(&planes);
	el_library_close(theirs);
}

/* ---- values of no real table of so few pieces ---- */

static uint8_t made_up_code;

static uint8_t made_up(uint64_t index)
{
	(void)index;
	return made_up_code;
}

static struct el_value library_value(const char *fen, const struct el_metric *metric)
{
	struct el_library *library = fixture_library("/nonexistent", folder);
	struct el_position position;
	struct el_value value = {.outcome = EL_BROKEN};
	struct el_error error;
	assert_int_equal(el_chess.parse(fen, &position, &error), EL_OK);
	if (el_library_value(library, &el_chess, &position, metric, EL_PROBE_FULL, &value, &error))
		fail_msg("%s: %s", fen, error.text);
	el_library_close(library);
	return value;
}

static void write_made_up(struct chesstb_file f, uint8_t code)
{
	const struct el_slice slice = slice_of("KQvK");
	f.slice = &slice;
	f.made_up = made_up;
	made_up_code = code;
	chesstb_write(folder, &f);
}

static const char white_moves[] = "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1";
static const char black_moves[] = "8/8/8/3k4/8/8/1Q6/K7 b - - 0 1";

/* Where a side is left out, the other side's code tells whether a ply more comes too late. */
static void test_last_ply_in_time(void **state)
{
	static const uint8_t outcome[] = {EL_WIN,  EL_CURSED_WIN, EL_DRAW,        EL_BLESSED_LOSS,
	                                  EL_LOSS, EL_CURSED_WIN, EL_BLESSED_LOSS};
	static const uint8_t same[] = {EL_LOSS, EL_BLESSED_LOSS, EL_DRAW, EL_CURSED_WIN,
	                               EL_WIN,  EL_LOSS,         EL_WIN};
	(void)state;
	for (uint8_t i = 0; i < 2 * sizeof outcome; i++) {
		const uint8_t code = i / 2;
		write_made_up((struct chesstb_file){.dropped = 2, .relaxed = i % 2}, code);
		assert_int_equal(library_value(black_moves, wdl50).outcome, outcome[code]);
		assert_int_equal(library_value(white_moves, wdl50).outcome, same[code]);
	}
}

static uint8_t any_outcome(uint64_t index)
{
	return (uint8_t)(index * 7 % (EL_WIN + 1));
}

/* A table of opposing pawns knows nothing of other positions. */
static void test_opposing_pawns(void **state)
{
	enum { STEP = 97 };
	static const char apart[] = "8/8/8/3k4/3p4/8/P7/K7 w - - 0 1";
	const struct el_slice slice = slice_of("KPvKP");
	struct chesstb_file f = {.slice = &slice, .pair = true, .made_up = any_outcome};
	struct el_error error;
	struct el_position p;
	struct el_value value;
	unsigned counts[2] = {0};
	(void)state;
	chesstb_write(folder, &f);
	struct el_library *library = fixture_library("/nonexistent", folder);
	for (uint64_t i = 0; i < slice.positions; i += STEP) {
		if (!el_chess.unplace(&slice, 0, i, &p))
			continue;
		const uint64_t number = chesstb_number(&slice, true, &p, 0);
		const bool has = number != UINT64_MAX;
		assert_int_equal(el_library_value(library, &el_chess, &p, wdl50, EL_PROBE_FULL,
		                                  &value, NULL),
		                 EL_OK);
		assert_int_equal(value.outcome, has ? any_outcome(number) : EL_UNKNOWN);
		counts[has]++;
	}
	assert_true(counts[0] > 1000 && counts[1] > 1000);
	el_library_close(library);
	/* Outcomes of the whole slice do not tell depths of what a table of depths lacks. */
	f = (struct chesstb_file){.slice = &slice, .made_up = made_up};
	made_up_code = EL_WIN;
	chesstb_write(folder, &f);
	f.kind = CHESSTB_DTZ;
	f.pair = true;
	chesstb_write(folder, &f);
	library = fixture_library("/nonexistent", folder);
	assert_int_equal(el_chess.parse(apart, &p, NULL), EL_OK);
	assert_int_equal(
		el_library_value(library, &el_chess, &p, dtz50, EL_PROBE_FULL, &value, &error),
		EL_NEGATIVE);
	assert_non_null(strstr(error.text, "opposing pawns"));
	el_library_close(library);
}

/* One byte has no room for plies past the limit, so they are halved. */
static void test_rounded(void **state)
{
	(void)state;
	write_made_up((struct chesstb_file){.kind = CHESSTB_WDL}, EL_CURSED_WIN);
	for (unsigned i = 0; i < 3; i++) {
		write_made_up(
			(struct chesstb_file){.kind = CHESSTB_DTZ, .whole = i > 0, .wide = i > 1},
			120);
		const struct el_value value = library_value(white_moves, dtz50);
		assert_int_equal(value.outcome, EL_CURSED_WIN);
		assert_int_equal(value.plies, i > 1 ? 120 : 239);
		assert_int_equal(value.rounded, i < 2);
	}
}

/* ---- parts ---- */

/* Made with another program, of the bytes below. */
static void test_sums(void **state)
{
	static const struct {
		size_t size;
		uint64_t sum;
	} known[] = {
		{0, UINT64_C(0xf775070d714456df)},    {1, UINT64_C(0xb7431916f10fe002)},
		{4, UINT64_C(0x8a7341231ebc9bac)},    {7, UINT64_C(0xc2284afc692baaba)},
		{8, UINT64_C(0x91069d12de703f03)},    {31, UINT64_C(0x3afcb99acc6b20b6)},
		{32, UINT64_C(0xa697b2f53149d5e1)},   {33, UINT64_C(0x08b4b1b18230596e)},
		{63, UINT64_C(0xd378ce5f4e99d23b)},   {64, UINT64_C(0x4027f65dbea244f5)},
		{100, UINT64_C(0x4a2e2b2ce1f72a1c)},  {1000, UINT64_C(0x10ba7fb1a7615b81)},
		{4096, UINT64_C(0x84baa386ea66c018)},
	};
	uint8_t bytes[4096];
	uint64_t random = 1;
	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++) {
		random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		bytes[i] = (uint8_t)(random >> 56);
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct chesstb_sum sum;
		const size_t size = known[i].size,
			     whole = size / CHESSTB_SUM_UNIT * CHESSTB_SUM_UNIT;
		chesstb_sum_begin(&sum);
		chesstb_sum_add(&sum, bytes, whole / 2 / CHESSTB_SUM_UNIT * CHESSTB_SUM_UNIT);
		const size_t done = (size_t)sum.bytes;
		chesstb_sum_add(&sum, bytes + done, whole - done);
		assert_int_equal(chesstb_sum_end(&sum, bytes + whole, size - whole), known[i].sum);
	}
}

/* Decodes to a room of its own, with these bytes before it; sanitizers watch its ends. */
static bool unpacked(const char *in, size_t size, const char *before, char *out, size_t count)
{
	const size_t room = strlen(before);
	uint8_t *from = malloc(size + !size), *to = malloc(room + count + 1);
	memcpy(from, in, size);
	memcpy(to, before, room);
	const bool good = chesstb_unpack_lz4(from, size, to + room, room, count);
	memcpy(out, to + room, good ? count : 0);
	out[good ? count : 0] = 0;
	free(from);
	free(to);
	return good;
}

static void test_lz4(void **state)
{
	/* "ab", four bytes from two before, a literal; then eight bytes from a dictionary; then "!" */
	static const char plain[] = "\x20"
				    "ab\x02\x00\x10"
				    "c";
	static const char with[] = "\x04\x06\x00\x10!";
	char out[64];
	(void)state;
	assert_true(unpacked(plain, sizeof plain - 1, "", out, 7));
	assert_string_equal(out, "abababc");
	assert_false(unpacked(plain, sizeof plain - 1, "", out, 6));
	assert_false(unpacked(plain, sizeof plain - 1, "", out, 8));
	for (size_t less = 0; less + 1 < sizeof plain; less++)
		assert_false(unpacked(plain, less, "", out, 7));
	assert_true(unpacked(with, sizeof with - 1, "xyzxyz", out, 9));
	assert_string_equal(out, "xyzxyzxy!");
	assert_false(unpacked(with, sizeof with - 1, "yzxyz", out, 9));
	assert_false(unpacked("\x20"
	                      "ab\x00\x00\x10"
	                      "c",
	                      7, "", out, 7));
	assert_false(unpacked("\xf0\xff\xff", 3, "", out, 7));
}

/* ---- real files ---- */

static const char *real_folder(void)
{
	const char *own = getenv("ENDLAB_CHESSTB");
	if (!own || !*own || access(own, R_OK)) {
		printf("note: no chesstb tables at $ENDLAB_CHESSTB: not checked\n");
		skip();
	}
	return own;
}

/* Every table of 3 and 4 pieces in the folder, whole; our tables are solved in memory. */
static void test_real(void **state)
{
	struct el_library *theirs = fixture_library("/nonexistent", real_folder());
	struct el_entry *entries;
	size_t count;
	(void)state;
	assert_int_equal(el_library_list(theirs, &entries, &count, NULL), EL_OK);
	for (size_t i = 0; i < count; i++) {
		const struct el_entry *e = &entries[i];
		if (e->ignored || strcmp(e->kind, "chesstb") || e->slice.pieces > 4)
			continue;
		compare_slice(theirs, &e->slice, e->partial, e->metric, 1);
		printf("%s %s%s: as ours\n", e->slice.name, e->metric->name,
		       e->partial ? ", opposing pawns" : "");
	}
	el_entries_free(entries, count);
	el_library_close(theirs);
}

static int open_solved(void **state)
{
	(void)state;
	solved = solved_open();
	return !solved;
}

static int close_solved(void **state)
{
	(void)state;
	solved_close(solved);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_index),   cmocka_unit_test(test_names),
		IN_FOLDER(test_three_pieces),   IN_FOLDER(test_one_frame),
		IN_FOLDER(test_planes),         IN_FOLDER(test_last_ply_in_time),
		IN_FOLDER(test_opposing_pawns), IN_FOLDER(test_rounded),
		cmocka_unit_test(test_sums),    cmocka_unit_test(test_lz4),
		cmocka_unit_test(test_real),
	};
	return cmocka_run_group_tests(tests, open_solved, close_solved);
}
