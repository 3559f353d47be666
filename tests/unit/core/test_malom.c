/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Malom's tables of Nine Men's Morris: made from slices that are solved here, with an index of their
   own, they are read back whole; damaged ones give one clear error. Real ones are in $ENDLAB_MALOM. */
#include "core/table/source.h"
#include "core/whole/whole.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { POINTS = 24, OPERATIONS = 16, IDENTITY = 15, HEADER = 64, WON = 299, IN_ENTRY = -2048 };

static struct el_cache *cache;
static struct solved *solved;

static int make_folder(void **state)
{
	return fixture_make_folder(state) || el_cache_open(4 << 20, &cache, NULL) != EL_OK;
}

static int remove_folder(void **state)
{
	el_cache_close(cache);
	return fixture_remove_folder(state);
}

/* ---- the index, from its description ---- */

static const char *const point_names[POINTS] = {
	"a4", "a7", "d7", "g7", "g4", "g1", "d1", "a1", "b4", "b6", "d6", "f6",
	"f4", "f2", "d2", "b2", "c4", "c5", "d5", "e5", "e4", "e3", "d3", "c3",
};

static uint8_t square_of[POINTS]; /* by point */

static void find_squares(void)
{
	for (uint8_t square = 0; square < POINTS; square++) {
		char name[4];
		el_morris.square_name(square, name);
		for (unsigned point = 0; point < POINTS; point++)
			if (!strcmp(name, point_names[point]))
				square_of[point] = square;
	}
}

/* A turn by so many points (below 8), or a reflection 8 + s, with the rings exchanged or not. */
static uint32_t turned(uint32_t set, unsigned operation)
{
	static const struct {
		int turn;
		bool reflects, exchanges;
	} all[OPERATIONS] = {
		{2, 0, 0}, {4, 0, 0}, {6, 0, 0}, {4, 1, 0}, {0, 1, 0}, {2, 1, 0},
		{6, 1, 0}, {0, 0, 1}, {2, 0, 1}, {4, 0, 1}, {6, 0, 1}, {4, 1, 1},
		{0, 1, 1}, {2, 1, 1}, {6, 1, 1}, {0, 0, 0},
	};
	uint32_t out = 0;
	for (unsigned point = 0; point < POINTS; point++) {
		const unsigned ring = all[operation].exchanges ? 2 - point / 8 : point / 8;
		const int place = (int)(point % 8), turn = all[operation].turn;
		const int to = all[operation].reflects ? turn - place + 8 : turn + place;
		out |= (set >> point & 1) << (8 * ring + (unsigned)to % 8);
	}
	return out;
}

static bool is_canonical(uint32_t set)
{
	for (unsigned o = 0; o < OPERATIONS; o++)
		if (turned(set, o) < set)
			return false;
	return true;
}

/* The next greater set of as many points. */
static uint32_t next_set(uint32_t set)
{
	const uint32_t low = set & -set, carried = set + low;
	return low ? carried | ((set ^ carried) / low >> 2) : UINT32_MAX;
}

/* ---- files ---- */

/* The men on the board and in hand of the side to move, then of the other: W, B, WF, BF. */
struct sector {
	unsigned own, other, own_hand, other_hand;
};

struct file {
	struct sector sector;
	struct el_slice slice;
	const struct el_planes *planes;
	const char *path;
	uint8_t *bytes;
	size_t size;
	uint32_t slots, entries;
};

static int value_of(const struct sector *s)
{
	return (int)(10 * s->own + s->own_hand) - (int)(10 * s->other + s->other_hand);
}

static struct el_slice slice_of(const struct sector *s)
{
	char name[64];
	const int length = snprintf(name, sizeof name, "morris:%uv%u", s->own, s->other);
	if (s->own_hand)
		snprintf(name + length, sizeof name - (size_t)length, "+%u+%u", s->own_hand,
		         s->other_hand);
	return slice_named(name);
}

static void put(uint8_t *at, unsigned bytes, uint32_t number)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (uint8_t)(number >> 8 * i);
}

static void put_slot(struct file *f, uint32_t slot, int first, int second)
{
	put(f->bytes + HEADER + 3 * (size_t)slot, 3,
	    ((uint32_t)first & 0xfff) | (uint32_t)second << 12);
}

/* Writes a number of the file, and the file. */
static void rewrite(struct file *f, size_t at, unsigned bytes, uint32_t number)
{
	put(f->bytes + at, bytes, number);
	fixture_write_file(f->path, f->bytes, f->size);
}

static uint64_t squares_of(uint32_t points)
{
	uint64_t squares = 0;
	for (unsigned point = 0; point < POINTS; point++)
		squares |= (uint64_t)(points >> point & 1) << square_of[point];
	return squares;
}

/* The two numbers of a position. Draws have any that draws can have. */
static void numbers_of(const struct file *f, uint32_t own, uint32_t other, uint64_t *random,
                       int *first, int *second)
{
	const int of_sector = value_of(&f->sector);
	const struct el_position position = {
		.set = {{squares_of(own)}, {squares_of(other)}},
		.hand = {(uint8_t)f->sector.own_hand, (uint8_t)f->sector.other_hand},
		.en_passant = EL_NO_SQUARE,
		.fullmove = 1,
	};
	struct el_place place;
	assert_true(el_morris.place(&position, &place));
	assert_int_equal(place.key, f->slice.key);
	const struct el_value value = el_plane_value(&f->planes->plane[place.plane], place.index);
	*first = value.outcome == EL_DRAW ? fixture_random(random) % 2 ? 0 : -of_sector
	                                  : (value.outcome == EL_WIN ? WON : -WON) - of_sector;
	*second = value.outcome == EL_DRAW
	                  ? (int)(fixture_random(random) % 500) - (*first ? 250 : 0)
	                  : value.plies;
}

/* Every so many slots the second number is in an entry; 0: none is. Slots of positions that are not
   the least of their images name the operation that leads to it. */
static void fill(struct file *f, unsigned every)
{
	const uint32_t end = UINT32_C(1) << POINTS, packed_end = end >> f->sector.own;
	uint8_t *entry = f->bytes + HEADER + 3 * (size_t)f->slots + 4;
	uint64_t random = 1;
	uint32_t slot = 0;
	for (uint32_t own = (1u << f->sector.own) - 1; own < end; own = next_set(own)) {
		unsigned same[OPERATIONS], count = 0;
		if (!is_canonical(own))
			continue;
		for (unsigned o = 0; o < OPERATIONS; o++)
			if (turned(own, o) == own)
				same[count++] = o;
		for (uint32_t packed = (1u << f->sector.other) - 1; packed < packed_end;
		     packed = next_set(packed), slot++) {
			uint32_t other = 0, least;
			int first = 0, second = -IDENTITY - 1;
			for (unsigned point = 0, n = 0; point < POINTS; point++)
				if (!(own >> point & 1))
					other |= (packed >> n++ & 1) << point;
			least = other;
			for (unsigned i = 0; i < count; i++)
				if (turned(other, same[i]) < least) {
					least = turned(other, same[i]);
					second = -(int)same[i] - 1;
				}
			if (least == other)
				numbers_of(f, own, other, &random, &first, &second);
			if (least == other && every && slot % every == 0) {
				put(entry, 4, slot);
				put(entry + 4, 4, (uint32_t)second);
				entry += 8;
				f->entries++;
				second = IN_ENTRY;
			}
			put_slot(f, slot, first, second);
		}
	}
	assert_int_equal(slot, f->slots);
}

static void write_values(const char *text)
{
	fixture_write_file(fixture_path(folder, "std.secval"), (const uint8_t *)text, strlen(text));
}

/* Values of all sectors with at most five men on a side. */
static void write_all_values(void)
{
	enum { ROOM = 1 << 16 };
	char *text = malloc(ROOM);
	int count = 0, length = 0;
	assert_non_null(text);
	for (unsigned pass = 0; pass < 2; pass++) {
		length =
			snprintf(text, ROOM, "virt_loss_val: -299\nvirt_win_val: 299\n%d\n", count);
		for (unsigned n = 0; n < 6 * 6 * 6 * 6; n++) {
			const struct sector s = {n % 6, n / 6 % 6, n / 36 % 6, n / 216};
			count += !pass;
			length +=
				snprintf(text + length, ROOM - (size_t)length, "%u %u %u %u  %d\n",
			                 s.own, s.other, s.own_hand, s.other_hand, value_of(&s));
		}
	}
	write_values(text);
	free(text);
}

/* Makes the file of a sector, and the values beside it. */
static struct file make_file(unsigned own, unsigned other, unsigned own_hand, unsigned other_hand,
                             unsigned every)
{
	static const uint32_t sets[] = {1, 4, 30, 158, 757, 2830};
	struct file f = {.sector = {own, other, own_hand, other_hand}};
	char name[64];
	f.slice = slice_of(&f.sector);
	f.planes = solved_of(solved, &f.slice, &el_dtw);
	f.slots = sets[own];
	for (unsigned i = 0; i < other; i++) /* C(24 - own, other) */
		f.slots = f.slots * (POINTS - own - i) / (i + 1);
	f.bytes = calloc(1, HEADER + 3 * (size_t)f.slots + 4 + 8 * (size_t)f.slots);
	assert_non_null(f.bytes);
	put(f.bytes, 4, 2);
	put(f.bytes + 4, 4, 3);
	put(f.bytes + 8, 4, 12);
	fill(&f, every);
	put(f.bytes + HEADER + 3 * (size_t)f.slots, 4, f.entries);
	f.size = HEADER + 3 * (size_t)f.slots + 4 + 8 * (size_t)f.entries;
	snprintf(name, sizeof name, "std_%u_%u_%u_%u.sec2", own, other, own_hand, other_hand);
	f.path = fixture_path(folder, name);
	fixture_write_file(f.path, f.bytes, f.size);
	write_all_values();
	return f;
}

/* ---- reading ---- */

static struct el_source *opened(const char *path)
{
	struct el_source *source;
	struct el_error error = {.text = ""};
	if (el_source_malom.open(path, cache, &source, &error))
		fail_msg("%s", error.text);
	return source;
}

/* The library's values of a slice, from the files of the folder, are those that were solved. */
static void expect_whole(const char *slice)
{
	const struct el_slice s = slice_named(slice);
	struct el_library *library = fixture_library(fixture_path(folder, "none"), folder);
	struct el_planes planes;
	struct el_error error = {.text = ""};
	if (el_library_planes(library, &s, &el_dtw, NULL, &planes, &error))
		fail_msg("%s", error.text);
	const struct el_planes *ours = solved_of(solved, &s, &el_dtw);
	for (unsigned plane = 0; plane < s.planes; plane++)
		assert_int_equal(fixture_differences(ours, &planes, plane, true), 0);
	el_planes_free(&planes);
	el_library_close(library);
}

/* Whole files, with men in hand and without, with entries and without. */
static void test_whole(void **state)
{
	static const struct {
		struct sector sector;
		unsigned every;
	} files[] = {
		{{3, 3, 0, 0}, 0},  {{0, 0, 3, 3}, 0}, {{0, 1, 3, 2}, 1}, {{1, 1, 2, 2}, 2},
		{{2, 2, 1, 1}, 37}, {{2, 2, 2, 1}, 5}, {{2, 3, 1, 0}, 0}, {{3, 2, 1, 1}, 99},
		{{2, 3, 1, 1}, 0},  {{4, 3, 0, 0}, 0}, {{3, 4, 0, 0}, 7},
	};
	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const struct sector *s = &files[i].sector;
		const struct file f =
			make_file(s->own, s->other, s->own_hand, s->other_hand, files[i].every);
		free(f.bytes);
	}
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		expect_whole(slice_of(&files[i].sector).name);
	struct el_source *source = opened(fixture_path(folder, "std_3_4_0_0.sec2"));
	assert_int_equal(source->left_out, 0);
	assert_int_equal(el_source_malom.check(source, NULL, NULL), EL_OK);
	el_source_malom.close(source);
}

/* Of a file alone, moves give the other plane. */
static void test_one_plane(void **state)
{
	(void)state;
	for (unsigned white = 0; white < 2; white++) {
		const struct file f = white ? make_file(4, 3, 0, 0, 0) : make_file(3, 4, 0, 0, 0);
		const struct file after = make_file(3, 3, 0, 0, 0);
		struct el_source *source = opened(f.path);
		assert_int_equal(source->left_out, white ? 2 : 1);
		assert_int_equal(el_source_malom.check(source, NULL, NULL), EL_OK);
		el_source_malom.close(source);
		if (white)
			expect_whole("morris:4v3");
		free(f.bytes);
		free(after.bytes);
		unlink(f.path);
	}
}

/* A soft probe reads no file. */
static void test_soft(void **state)
{
	const struct file f = make_file(2, 2, 1, 1, 3);
	struct el_source *source = opened(f.path);
	struct el_position position;
	struct el_place place;
	struct el_value value;
	(void)state;
	assert_true(el_morris.unplace(&f.slice, 0, 100, &position));
	assert_true(el_morris.place(&position, &place));
	for (unsigned soft = 0; soft < 3; soft++)
		assert_int_equal(
			el_source_malom.probe(source, &position, &place, soft != 1, &value, NULL),
			soft ? EL_OK : EL_NEGATIVE);
	assert_true(el_value_equal(value, el_plane_value(&f.planes->plane[0], 100)));
	el_source_malom.close(source);
	free(f.bytes);
}

/* A link to a table in another folder finds the values there. */
static void test_link(void **state)
{
	const struct file f = make_file(0, 1, 3, 2, 0);
	const char *apart = fixture_path(folder, "apart");
	const char *link = fixture_path(apart, "std_0_1_3_2.sec2");
	(void)state;
	assert_int_equal(mkdir(apart, 0700) | symlink(f.path, link), 0);
	el_source_malom.close(opened(link));
	assert_int_equal(unlink(link) | rmdir(apart), 0);
	free(f.bytes);
}

/* ---- what is not read ---- */

static void expect_refused(const char *path, enum el_status expected, const char *words)
{
	struct el_source *source;
	struct el_error error = {.text = ""};
	assert_int_equal(el_source_malom.open(path, cache, &source, &error), expected);
	if (!strstr(error.text, words))
		fail_msg("expected '%s', found '%s'", words, error.text);
	assert_null(strchr(error.text, '\n'));
}

static void test_names(void **state)
{
	static const struct {
		const char *name, *words;
	} cases[] = {
		{"lask_0_0_10_10.sec2", "tables of Lasker's variant are not read"},
		{"mora_3_3_0_0.sec2", "tables of Morabaraba are not read"},
		{"readme.sec2", "expected the name of a sector, as in std_4_3_0_0.sec2"},
		{"std_4_3_0.sec2", "expected the name of a sector"},
		{"std_04_3_0_0.sec2", "expected the name of a sector"},
		{"std_4_3_0_0_0.sec2", "expected the name of a sector"},
		{"std_+4_3_0_0.sec2", "expected the name of a sector"},
		{"std_3_3_1_2.sec2", "expected the name of a sector"},
		{"std_3_3_3_1.sec2", "expected the name of a sector"},
		{"std_10_3_0_0.sec2", "expected the name of a sector"},
		{"std_4_2_0_0.sec2", "2 men on one side, expected 3 to 9"},
		{"std_9_3_1_1.sec2", "10 men on one side, expected 3 to 9"},
	};
	struct el_slice slice;
	const struct el_metric *metric;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		expect_refused(fixture_path(folder, cases[i].name), EL_NEGATIVE, cases[i].words);
		assert_false(el_source_malom.named(cases[i].name, &slice, &metric));
	}
	assert_true(el_source_malom.named("a/std_3_4_0_0.sec2", &slice, &metric));
	assert_string_equal(slice.name, "morris:4v3");
	assert_true(el_source_malom.named("std_2_3_7_6.sec2", &slice, &metric));
	assert_string_equal(slice.name, "morris:3v2+6+7");
	assert_ptr_equal(metric, &el_dtw);
	expect_refused(fixture_path(folder, "std_4_3_0_0.sec2"), EL_IO, "cannot open");
}

static void test_header(void **state)
{
	static const struct {
		unsigned at, number, bytes;
		const char *words;
	} cases[] = {
		{0, 1, 4, "version: expected 2, found 1"},
		{0, 0x70000002, 4, "version: expected 2, found 1879048194"},
		{4, 2, 4, "bytes of a slot: expected 3, found 2"},
		{8, 14, 4, "bits of the first number: expected 12, found 14"},
		{12, 1, 1, "flag: expected 0, found 1"},
	};
	struct file f = make_file(1, 1, 2, 2, 0);
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const uint32_t before = f.bytes[cases[i].at];
		rewrite(&f, cases[i].at, cases[i].bytes, cases[i].number);
		expect_refused(f.path, EL_DAMAGED, cases[i].words);
		rewrite(&f, cases[i].at, cases[i].bytes, before);
	}
	rewrite(&f, HEADER + 3 * (size_t)f.slots, 4, f.slots + 1);
	expect_refused(f.path, EL_DAMAGED, "entries, at most: expected 92, found 93");
	rewrite(&f, HEADER + 3 * (size_t)f.slots, 4, 1);
	expect_refused(f.path, EL_DAMAGED, "bytes of the file: expected 352, found 344");
	free(f.bytes);
}

/* Neither a truncated file opens nor one with more bytes. */
static void test_cut_off(void **state)
{
	struct file f = make_file(2, 2, 1, 1, 37);
	struct el_source *source;
	(void)state;
	f.bytes = realloc(f.bytes, f.size + 1);
	assert_non_null(f.bytes);
	f.bytes[f.size] = 0;
	for (size_t i = 0; i < 300; i++) {
		const size_t size = i < 100   ? i
		                    : i < 199 ? f.size * (i - 99) / 100
		                    : i < 299 ? f.size + i - 299
		                              : f.size + 1;
		struct el_error error = {.text = ""};
		fixture_write_file(f.path, f.bytes, size);
		assert_int_equal(el_source_malom.open(f.path, cache, &source, &error), EL_DAMAGED);
		assert_non_null(strstr(error.text, f.path));
	}
	free(f.bytes);
}

/* ---- the values of sectors ---- */

#define HEAD "virt_loss_val: -299\nvirt_win_val: 299\n"

static void test_values(void **state)
{
	static const struct {
		const char *text, *words;
	} cases[] = {
		{"", "expected virt_loss_val, virt_win_val and a number of sectors"},
		{"virt_loss_val: x", "expected virt_loss_val, virt_win_val and a number"},
		{"virt_loss_val: -299\nvirt_win_val: 300\n1\n0 1 3 2 5\n", "found 300 and 299"},
		{"virt_loss_val: 0\nvirt_win_val: 0\n1\n0 1 3 2 5\n", "1 to 1024, found 0 and 0"},
		{"virt_loss_val: -1025\nvirt_win_val: 1025\n1\n0 1 3 2 5\n", "found 1025 and 1025"},
		{HEAD "2\n0 1 3 2 5\n", "expected 2 sectors, found 1"},
		{HEAD "1\n0 1 3 x 5\n", "expected 1 sectors, found 0"},
		{HEAD "1\n1 0 3 2 5\n", "expected a value of 0 1 3 2, found none"},
		{HEAD "-1\n0 1 3 2 5\n", "expected a value of 0 1 3 2, found none"},
		{HEAD "1\n0 1 3 2 299\n", "expected a value between -299 and 299, found 299"},
		{HEAD "1\n0 1 3 2 99999999999999999999\n", "expected a value between -299 and 299"},
	};
	const struct file f = make_file(0, 1, 3, 2, 0);
	const char *values = fixture_path(folder, "std.secval");
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_values(cases[i].text);
		expect_refused(f.path, EL_DAMAGED, cases[i].words);
	}
	write_values(HEAD "1\r\n 0 1 3 2 -1 ");
	el_source_malom.close(opened(f.path));
	uint8_t *large = calloc(1, (1 << 16) + 1);
	fixture_write_file(values, large, (1 << 16) + 1);
	expect_refused(f.path, EL_DAMAGED, "std.secval: expected at most 65536 bytes, found 65537");
	unlink(values);
	expect_refused(f.path, EL_IO, "std.secval with the values of sectors, found no such file");
	free(large);
	free(f.bytes);
}

/* ---- bad slots ---- */

/* Probes all positions. EL_OK, or the status of those that have no value, each with a reason; `words`
   of one of them. */
static enum el_status probe_all(struct el_source *source, const char *words)
{
	const struct el_slice *slice = &source->slice;
	enum el_status found = EL_OK;
	bool said = !words;
	for (unsigned plane = 0; plane < slice->planes; plane++)
		for (uint64_t index = 0; index < slice->positions; index++) {
			struct el_position position;
			struct el_place place;
			struct el_value value;
			struct el_error error = {.text = ""};
			if (source->left_out >> plane & 1 ||
			    !el_morris.unplace(slice, plane, index, &position))
				continue;
			assert_true(el_morris.place(&position, &place));
			const enum el_status status = source->ops->probe(source, &position, &place,
			                                                 false, &value, &error);
			if (!status) {
				assert_true(el_outcome_exact(value.outcome));
				continue;
			}
			assert_int_equal(status, EL_DAMAGED);
			assert_non_null(strstr(error.text, source->path));
			said |= words && strstr(error.text, words);
			found = status;
		}
	if (!said)
		fail_msg("no error says '%s'", words);
	return found;
}

/* The slot of a position, in a sector whose own value is 0. */
static void test_bad_slots(void **state)
{
	static const struct {
		int first, second;
		const char *words;
	} cases[] = {
		{WON + 1, 1, "slot 0: expected a value between a loss and a win, found 300"},
		{-WON - 1, 0, "slot 0: expected a value between a loss and a win, found -300"},
		{WON, 2, "slot 0: expected an odd number of plies, found 2"},
		{WON, -1, "slot 0: expected an odd number of plies, found -1"},
		{-WON, 1, "slot 0: expected an even number of plies, found 1"},
		{0, -16, "slot 0: expected a symmetry, -15 to -1, found -16"},
		{0, -1, "slot 0: expected a value, found a symmetry"},
		{0, IN_ENTRY, "slot 0: expected an entry, found none"},
	};
	struct file f = make_file(1, 1, 2, 2, 0);
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		put_slot(&f, 0, cases[i].first, cases[i].second);
		fixture_write_file(f.path, f.bytes, f.size);
		struct el_source *source = opened(f.path);
		assert_int_equal(probe_all(source, cases[i].words), EL_DAMAGED);
		el_source_malom.close(source);
	}
	free(f.bytes);
}

static void test_bad_entries(void **state)
{
	static const struct {
		unsigned at; /* in the first entry, or past it */
		uint32_t number;
		const char *probed, *checked;
	} cases[] = {
		{0, 1, "slot 0: expected an entry, found none", "slot of an entry, at least"},
		{0, 92, "slot 0: expected an entry, found none",
	         "slot of an entry, below: expected 92"},
		{0, UINT32_MAX, "slot 0: expected an entry, found none", "slot of an entry, below"},
		{4, 70000, "slot 0: expected an odd number of plies, found 70000", NULL},
		{4, 0x80000000, "slot 0: expected an odd number of plies, found -2147483648", NULL},
		{8, 0, "expected an entry, found none",
	         "slot of an entry, at least: expected 1, found 0"},
	};
	struct file f = make_file(1, 1, 2, 2, 1);
	const size_t entries = HEADER + 3 * (size_t)f.slots + 4;
	struct el_error error;
	(void)state;
	put_slot(&f, 0, WON, IN_ENTRY);
	put(f.bytes + entries + 4, 4, 9);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint8_t before[4];
		memcpy(before, f.bytes + entries + cases[i].at, sizeof before);
		rewrite(&f, entries + cases[i].at, 4, cases[i].number);
		struct el_source *source = opened(f.path);
		assert_int_equal(probe_all(source, cases[i].probed), EL_DAMAGED);
		assert_int_equal(el_source_malom.check(source, NULL, &error), EL_DAMAGED);
		assert_non_null(
			strstr(error.text, cases[i].checked ? cases[i].checked : cases[i].probed));
		el_source_malom.close(source);
		memcpy(f.bytes + entries + cases[i].at, before, sizeof before);
	}
	put_slot(&f, 0, WON, 9);
	fixture_write_file(f.path, f.bytes, f.size);
	struct el_source *source = opened(f.path);
	assert_int_equal(probe_all(source, "slot 0: expected no entry, found one"), EL_DAMAGED);
	el_source_malom.close(source);
	free(f.bytes);
}

/* Random bytes overwrite the file: it is refused, or each probe has a value or a reason. */
static void test_flipped(void **state)
{
	const unsigned times = tests_are_slow() ? 30 : 300;
	struct file f = make_file(2, 1, 2, 2, 20);
	uint8_t *bytes = malloc(f.size);
	uint64_t random = 1;
	unsigned found = 0;
	(void)state;
	assert_non_null(bytes);
	for (unsigned i = 0; i < times; i++) {
		struct el_source *source = NULL;
		struct el_error error;
		memcpy(bytes, f.bytes, f.size);
		const size_t range = i % 3 ? f.size : HEADER,
			     behind = i % 3 == 2 ? f.size - 200 : 0;
		for (uint64_t n = 1 + fixture_random(&random) % 4; n; n--)
			bytes[behind + fixture_random(&random) % (range - behind)] ^=
				(uint8_t)(1 + fixture_random(&random) % 255);
		fixture_write_file(f.path, bytes, f.size);
		const enum el_status status = el_source_malom.open(f.path, cache, &source, &error);
		if (status) {
			assert_int_equal(status, EL_DAMAGED);
			found++;
			continue;
		}
		const enum el_status checked = el_source_malom.check(source, NULL, &error);
		assert_true(!checked || checked == EL_DAMAGED);
		found += probe_all(source, NULL) || checked;
		el_source_malom.close(source);
	}
	assert_true(found > times / 3);
	free(bytes);
	free(f.bytes);
}

/* Each number can be, but they contradict the rules: every win takes two plies more. */
static void test_wrong(void **state)
{
	struct file f = make_file(3, 3, 0, 0, 0);
	struct el_error error;
	(void)state;
	for (uint32_t slot = 0; slot < f.slots; slot++) {
		uint8_t *at = f.bytes + HEADER + 3 * (size_t)slot;
		const uint32_t numbers = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
		if ((numbers & 0xfff) == WON)
			put(at, 3, numbers + (2 << 12));
	}
	fixture_write_file(f.path, f.bytes, f.size);
	struct el_source *source = opened(f.path);
	assert_int_equal(probe_all(source, NULL), EL_OK);
	assert_int_equal(el_source_malom.check(source, NULL, &error), EL_DAMAGED);
	assert_non_null(strstr(error.text, "damaged, or not a table of morris:3v3"));
	el_source_malom.close(source);
	free(f.bytes);
}

/* ---- real files ---- */

/* Has the folder both sides to move, if there are two, of each slice that moves lead to? */
static bool has_successors(struct el_library *library, const struct el_slice *slice)
{
	struct el_slice after[EL_SUCCESSORS_MAX];
	struct el_planes planes;
	const size_t count = slice->game->successors(slice, after);
	for (size_t i = 0; i < count; i++) {
		if (el_library_planes(library, &after[i], &el_dtw, NULL, &planes, NULL))
			return false;
		el_planes_free(&planes);
	}
	return true;
}

/* Few men are solved here; other files are proved if what their moves lead to is there. */
static void try_real(struct el_library *library, const struct el_slice *slice, unsigned *whole,
                     unsigned *proved)
{
	const bool solves = !slice->hand[0] && !slice->hand[1] &&
	                    slice->pieces <= (tests_are_thorough() ? 9 : 7);
	struct el_planes planes;
	struct el_error error;
	if (!solves && !has_successors(library, slice))
		return;
	if (el_library_planes(library, slice, &el_dtw, NULL, &planes, &error))
		fail_msg("%s", error.text);
	if (solves) {
		const struct el_planes *ours = solved_of(solved, slice, &el_dtw);
		for (unsigned plane = 0; plane < slice->planes; plane++)
			assert_int_equal(fixture_differences(ours, &planes, plane, true), 0);
	} else {
		assert_int_equal(fixture_verdict(library, &planes).wrong, 0);
	}
	*(solves ? whole : proved) += 1;
	el_planes_free(&planes);
}

static void test_real(void **state)
{
	const char *real = getenv("ENDLAB_MALOM");
	unsigned whole = 0, proved = 0;
	struct el_entry *entries;
	size_t count;
	(void)state;
	if (!real || !*real) {
		printf("note: no Malom tables: $ENDLAB_MALOM names none\n");
		skip();
	}
	struct el_library *library = fixture_library(fixture_path(folder, "none"), real);
	assert_int_equal(el_library_list(library, &entries, &count, NULL), EL_OK);
	for (const struct el_entry *e = entries; e < entries + count; e++)
		if (!e->ignored)
			try_real(library, &e->slice, &whole, &proved);
	printf("note: %u slices are as solved here, %u others are proved\n", whole, proved);
	assert_true(whole + proved);
	el_entries_free(entries, count);
	el_library_close(library);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_whole),   TEST(test_one_plane), TEST(test_soft),
		TEST(test_link),    TEST(test_names),     TEST(test_header),
		TEST(test_cut_off), TEST(test_values),    TEST(test_bad_slots),
		TEST(test_flipped), TEST(test_wrong),     TEST(test_bad_entries),
		TEST(test_real),
	};
	find_squares();
	solved = solved_open();
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	solved_close(solved);
	return failed;
}
