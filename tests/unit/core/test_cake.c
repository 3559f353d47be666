/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cake's tables of draughts: made from slices that are solved here, with an index of their own and
   nonsense where a side could capture, they are read back whole; damaged ones give one clear error.
   Real ones are in $ENDLAB_CAKE. */
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

enum { SQUARES = 32, ROWS = 7, BLOCK = 1024, WIN = 0, LOSS, DRAW, ANY };

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

/* The square of el_position with so many squares before it in the rows of a side. */
static unsigned square_of(unsigned number, unsigned side)
{
	const unsigned row = number / 4, from_right = 3 - number % 4;
	return side == EL_BLACK ? 4 * row + from_right : SQUARES - 1 - 4 * row - from_right;
}

static uint64_t squares_of(uint32_t numbers, unsigned side)
{
	uint64_t squares = 0;
	for (unsigned n = 0; n < SQUARES; n++)
		squares |= (uint64_t)(numbers >> n & 1) << square_of(n, side);
	return squares;
}

/* The next greater set of as many squares: the order of ranks. */
static uint64_t next_set(uint64_t set)
{
	const uint64_t low = set & -set, carried = set + low;
	return low ? carried | ((set ^ carried) / low >> 2) : UINT64_MAX;
}

/* These squares of those that are free, in their order. */
static uint32_t spread_over(uint32_t set, uint32_t free)
{
	uint32_t out = 0;
	for (unsigned n = 0, number = 0; n < SQUARES; n++)
		if (free >> n & 1)
			out |= (set >> number++ & 1) << n;
	return out;
}

/* One of the file's slices: men and kings of the first side, then of the second. */
struct part {
	unsigned men[2], kings[2], row[2];
	bool second_moves;
};

static struct el_slice slice_of(const struct part *p)
{
	char name[64] = "checkers:";
	for (unsigned side = 0; side < 2; side++) {
		memset(name + strlen(name), 'K', p->kings[side]);
		memset(name + strlen(name), 'M', p->men[side]);
		strcat(name, side ? "" : "v");
	}
	return slice_named(name);
}

static bool can_capture(const struct el_position *position, unsigned side)
{
	struct el_position turned = *position;
	struct el_move moves[EL_MOVES_MAX];
	turned.side = (uint8_t)side;
	return el_checkers.captures(&turned, moves) > 0;
}

/* ANY if the file does not tell it. `first`: the colour of the first side. */
static unsigned value_of(const struct el_planes *planes, const struct part *p, unsigned first,
                         const uint32_t men[2], const uint32_t kings[2])
{
	struct el_position position = {
		.side = (uint8_t)(p->second_moves ? !first : first),
		.en_passant = EL_NO_SQUARE,
		.fullmove = 1,
	};
	struct el_place place;
	for (unsigned i = 0; i < 2; i++) {
		const unsigned side = i ? !first : first;
		position.set[side][0] = squares_of(kings[i], first);
		position.set[side][1] = squares_of(men[i], side);
	}
	if (position.set[0][1] & position.set[1][1])
		return ANY;
	if (can_capture(&position, 0) || can_capture(&position, 1))
		return ANY;
	assert_true(el_checkers.place(&position, &place));
	assert_int_equal(place.key, planes->slice.key);
	const struct el_value v = el_plane_value(&planes->plane[place.plane], place.index);
	return v.outcome == EL_WIN ? WIN : v.outcome == EL_LOSS ? LOSS : DRAW;
}

/* Squares of one side in the other one's view. */
static uint32_t turned(uint32_t set)
{
	uint32_t out = 0;
	for (unsigned n = 0; n < SQUARES; n++)
		out |= (set >> n & 1) << (SQUARES - 1 - n);
	return out;
}

static uint64_t least(unsigned count)
{
	return (UINT64_C(1) << count) - 1;
}

/* All values of a part, in the order of their indexes; malloc'ed. */
static uint8_t *values_of(const struct part *p, unsigned first, size_t *count)
{
	const struct el_slice slice = slice_of(p);
	const struct el_planes *planes = solved_of(solved, &slice, &el_wdl);
	const unsigned free = SQUARES - p->men[0] - p->men[1];
	uint8_t *values = malloc(2 * (size_t)slice.positions + 4);
	uint32_t end[2], top[2];
	*count = 0;
	assert_non_null(values);
	for (unsigned i = 0; i < 2; i++) { /* men of a side: below `end`, some of them in `top` */
		end[i] = p->men[i] ? 1u << 4 * (p->row[i] + 1) : 1;
		top[i] = p->men[i] ? 0xfu << 4 * p->row[i] : 0;
	}
	const uint64_t limit[2] = {UINT64_C(1) << free, UINT64_C(1) << (free - p->kings[0])};
	for (uint64_t b = least(p->kings[1]); b < limit[1]; b = next_set(b))
		for (uint64_t a = least(p->kings[0]); a < limit[0]; a = next_set(a))
			for (uint64_t y = least(p->men[1]); y < end[1]; y = next_set(y))
				for (uint64_t x = least(p->men[0]); x < end[0]; x = next_set(x)) {
					const uint32_t men[2] = {(uint32_t)x, (uint32_t)y};
					if ((top[0] && !(x & top[0])) || (top[1] && !(y & top[1])))
						continue;
					const uint32_t open = ~(men[0] | turned(men[1]));
					const uint32_t own = spread_over((uint32_t)a, open);
					const uint32_t kings[2] = {
						own, spread_over((uint32_t)b, open & ~own)};
					values[(*count)++] =
						(uint8_t)value_of(planes, p, first, men, kings);
				}
	return values;
}

/* ---- files ---- */

struct file {
	char path[SCRATCH_PATH + 64], text_path[SCRATCH_PATH + 64];
	uint8_t bytes[1 << 17];
	char text[1 << 16];
	size_t size, length;
};

/* The byte of the longest run of a value that is no longer than that; at least 5. */
static uint8_t run_byte(unsigned value, size_t longest, size_t *length)
{
	static const uint16_t lengths[] = {
		5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,  16,
		17,   18,   19,   20,   21,   22,   23,   24,   25,   26,   27,  28,
		29,   30,   31,   32,   36,   40,   44,   48,   52,   56,   60,  70,
		80,   90,   100,  150,  200,  250,  300,  400,  500,  650,  800, 1000,
		1200, 1400, 1600, 2000, 2400, 3200, 4000, 5000, 7500, 10000};
	unsigned i = 58;
	assert_int_equal(sizeof lengths / sizeof *lengths, i);
	while (lengths[--i] > longest)
		;
	*length = lengths[i];
	return (uint8_t)(81 + 58 * value + i);
}

/* Adds a part. Values that do not matter are random, so that no reader can use them. */
static void add_part(struct file *f, const struct part *p, unsigned first)
{
	size_t count;
	uint8_t *values = values_of(p, first, &count);
	uint64_t random = 7;
	bool seen[ANY + 1] = {0};
	f->length +=
		(size_t)snprintf(f->text + f->length, sizeof f->text - f->length,
	                         "BASE%u,%u,%u,%u,%u,%u,%c:", p->men[0], p->kings[0], p->men[1],
	                         p->kings[1], p->row[0], p->row[1], p->second_moves ? 'w' : 'b');
	for (size_t i = 0; i < count; i++)
		seen[values[i]] = true;
	const int kinds = seen[WIN] + seen[LOSS] + seen[DRAW];
	if (kinds == 1) {
		f->length +=
			(size_t)snprintf(f->text + f->length, sizeof f->text - f->length, "%c\r\n",
		                         seen[WIN]    ? '+'
		                         : seen[LOSS] ? '-'
		                                      : '=');
		free(values);
		return;
	}
	for (size_t i = 0; i < count + 4; i++)
		if (i >= count || values[i] == ANY)
			values[i] = (uint8_t)(fixture_random(&random) % 3);
	f->length += (size_t)snprintf(f->text + f->length, sizeof f->text - f->length,
	                              "%zu/%zu\r\n", f->size / BLOCK, f->size % BLOCK);
	for (size_t i = 0; i < count;) {
		size_t same = 1, length = 4;
		while (i + same < count && values[i + same] == values[i])
			same++;
		assert_true(f->size < sizeof f->bytes);
		f->bytes[f->size++] = same >= 5 ? run_byte(values[i], same, &length)
		                                : (uint8_t)(values[i] + 3 * values[i + 1] +
		                                            9 * values[i + 2] + 27 * values[i + 3]);
		i += length;
		/* also where the slice ends with the block */
		if (f->size % BLOCK == 0)
			f->length += (size_t)snprintf(f->text + f->length,
			                              sizeof f->text - f->length, "%zu\r\n", i);
	}
	free(values);
}

static void write_text(struct file *f, const char *text)
{
	fixture_write_file(f->text_path, (const uint8_t *)text, strlen(text));
}

/* Makes the file of all slices with so many pieces; or only with these of the second side, and so many
   kings or more of the first. Slices of either colour as the
   first side are the same. */
static struct file *make_file(unsigned pieces, const struct part *only, unsigned first)
{
	struct file *f = calloc(1, sizeof *f);
	assert_non_null(f);
	for (unsigned n = 0; n < 5 * 5 * 5 * 5 * ROWS * ROWS * 2; n++) {
		const unsigned rows = n / 2 % (ROWS * ROWS), material = n / 2 / (ROWS * ROWS);
		const struct part p = {
			{material % 5, material / 25 % 5},
			{material / 5 % 5, material / 125},
			{rows / ROWS, rows % ROWS},
			n % 2,
		};
		long order = 0; /* the first side is the stronger one, or to move */
		bool good = true;
		unsigned all = 0;
		for (unsigned i = 0; i < 2; i++) {
			const long sign = i ? -1 : 1;
			order += sign * (1000 * (long)(p.men[i] + p.kings[i]) +
			                 100 * (long)p.kings[i] + 10 * (long)p.row[i]);
			good = good && p.men[i] + p.kings[i] &&
			       (p.men[i] ? 4 * (p.row[i] + 1) >= p.men[i] : !p.row[i]);
			all += p.men[i] + p.kings[i];
			good = good && (!only || p.men[1] == only->men[1]) &&
			       (!only || p.kings[1] == only->kings[1]) &&
			       (!only || p.kings[0] >= only->kings[0]);
		}
		if (good && all == pieces && order - p.second_moves >= 0)
			add_part(f, &p, first);
	}
	snprintf(f->path, sizeof f->path, "%s/db%u.cpr", folder, pieces);
	snprintf(f->text_path, sizeof f->text_path, "%s/db%u.idx", folder, pieces);
	fixture_write_file(f->path, f->bytes, f->size);
	write_text(f, f->text);
	return f;
}

/* ---- reading ---- */

static const char *part_path(const char *path, const char *part)
{
	char name[64];
	snprintf(name, sizeof name, "%s#%s", strrchr(path, '/') + 1, part);
	return fixture_path(folder, name);
}

static struct el_source *opened(const char *path)
{
	struct el_source *source;
	struct el_error error = {.text = ""};
	if (el_source_cake.open(path, cache, &source, &error))
		fail_msg("%s", error.text);
	assert_string_equal(source->path, path);
	return source;
}

/* All the library's tables, of these folders, have the values that are solved here, and are proved. Returns
   how many there are. */
static size_t expect_whole(const char *paths)
{
	struct el_library *library = fixture_library(fixture_path(folder, "none"), paths);
	struct el_entry *entries;
	size_t count, tables = 0;
	struct el_error error = {.text = ""};
	assert_int_equal(el_library_list(library, &entries, &count, &error), EL_OK);
	for (size_t i = 0; i < count; i++) {
		const struct el_entry *e = &entries[i];
		struct el_planes planes;
		if (e->ignored)
			continue;
		assert_string_equal(e->kind, "cake");
		assert_int_equal(e->check, EL_CHECK_SOUND);
		if (el_library_planes(library, &e->slice, &el_wdl, NULL, &planes, &error))
			fail_msg("%s", error.text);
		const struct el_planes *ours = solved_of(solved, &e->slice, &el_wdl);
		for (unsigned plane = 0; plane < e->slice.planes; plane++)
			assert_int_equal(fixture_differences(ours, &planes, plane, true), 0);
		assert_int_equal(fixture_verdict(library, &planes).wrong, 0);
		el_planes_free(&planes);
		tables++;
	}
	el_entries_free(entries, count);
	el_library_close(library);
	return tables;
}

/* Whole files, with either colour as the first side. The third has several blocks in a slice. */
static void test_whole(void **state)
{
	static const struct part kings = {{0, 0}, {2, 2}, {0, 0}, false};
	(void)state;
	for (unsigned first = 0; first < 2; first++) {
		free(make_file(2, NULL, first));
		free(make_file(3, NULL, first));
		struct file *f = make_file(4, &kings, first);
		assert_true(f->size > 4 * BLOCK);
		free(f);
		assert_int_equal(expect_whole(folder), 3 + 6 + 1);
	}
}

/* Threats that are countered by threats go round in circles in 8 positions of this slice. */
static void test_circles(void **state)
{
	static const struct part slice = {{1, 0}, {2, 1}, {0, 0}, false};
	(void)state;
	if (tests_are_slow())
		skip();
	free(make_file(2, NULL, 0));
	free(make_file(3, NULL, 0));
	free(make_file(4, &slice, 0));
	assert_int_equal(expect_whole(folder), 3 + 6 + 2);
}

/* Without the smaller tables positions with captures have no value, and those where the other side
   threatens one may have none; all other values are right. */
static void test_alone(void **state)
{
	free(make_file(3, NULL, 0));
	struct el_library *library = fixture_library(fixture_path(folder, "none"), folder);
	const struct el_slice slice = slice_named("checkers:KMvK");
	const struct el_planes *ours = solved_of(solved, &slice, &el_wdl);
	uint64_t known[2] = {0}, unknown[2] = {0};
	(void)state;
	for (unsigned plane = 0; plane < 2; plane++)
		for (uint64_t index = 0; index < slice.positions; index++) {
			struct el_position position;
			struct el_value value;
			struct el_error error;
			assert_true(el_checkers.unplace(&slice, plane, index, &position));
			const bool quiet = !can_capture(&position, 0) && !can_capture(&position, 1);
			const enum el_status status =
				el_library_value(library, &el_checkers, &position, &el_wdl,
			                         EL_PROBE_FULL, &value, &error);
			assert_true(status == EL_OK || (status == EL_NEGATIVE && !quiet));
			(status ? unknown : known)[quiet]++;
			if (!status && el_outcome_exact(value.outcome))
				assert_int_equal(
					value.outcome,
					el_plane_value(&ours->plane[plane], index).outcome);
		}
	assert_true(known[true] && unknown[false]);
	assert_int_equal(unknown[true], 0);
	el_library_close(library);
}

/* A soft probe reads no file. */
static void test_soft(void **state)
{
	struct file *f = make_file(2, NULL, 0);
	struct el_source *source = opened(part_path(f->path, "KvK"));
	struct el_position position = position_of("W:WK1:BK32");
	struct el_place place;
	struct el_value value;
	(void)state;
	assert_true(el_checkers.place(&position, &place));
	for (unsigned soft = 0; soft < 3; soft++)
		assert_int_equal(
			source->ops->probe(source, &position, &place, soft != 1, &value, NULL),
			soft ? EL_OK : EL_NEGATIVE);
	assert_int_equal(value.outcome, EL_DRAW);
	source->ops->close(source);
	free(f);
}

/* A link to a table in another folder finds the text there. */
static void test_link(void **state)
{
	struct file *f = make_file(2, NULL, 0);
	const char *apart = fixture_path(folder, "apart");
	const char *link = fixture_path(apart, "db2.cpr");
	(void)state;
	assert_int_equal(mkdir(apart, 0700) | symlink(f->path, link), 0);
	struct el_source *source = opened(fixture_path(apart, "db2.cpr#KvM"));
	source->ops->close(source);
	assert_int_equal(unlink(link) | rmdir(apart), 0);
	free(f);
}

/* Slices of eight pieces are cut by the rows of foremost men, as the file's own are. */
static void test_rows(void **state)
{
	static const char text[] = "BASE2,2,2,2,5,4,b:=\nBASE2,2,2,2,5,4,w:=\n"
				   "BASE2,2,2,2,6,6,b:+\nBASE1,3,0,4,0,0,b:-\n";
	const char *const found[] = {"checkers:KKMM6vKKMM5", "checkers:KKMM7vKKMM7"};
	const char *path = fixture_path(folder, "db8_2222.cpr");
	const char *text_path = fixture_path(folder, "db8_2222.idx");
	struct el_slice *slices;
	size_t count;
	struct el_place place;
	struct el_value value;
	(void)state;
	fixture_write_file(path, (const uint8_t *)"", 1);
	fixture_write_file(text_path, (const uint8_t *)text, strlen(text));
	assert_int_equal(el_source_cake.slices(path, &slices, &count, NULL), EL_OK);
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(slices[i].name, found[i]);
	free(slices);
	struct el_position position = position_of("W:WK1,K2,9,21:BK31,K32,20,18");
	struct el_source *source = opened(fixture_path(folder, "db8_2222.cpr#KKMM7vKKMM7"));
	source->ops->close(source);
	source = opened(fixture_path(folder, "db8_2222.cpr#KKMM6vKKMM5"));
	assert_true(el_checkers.place(&position, &place));
	assert_int_equal(source->ops->check(source, NULL, NULL), EL_OK);
	assert_int_equal(place.key, source->slice.key);
	assert_int_equal(source->ops->probe(source, &position, &place, false, &value, NULL), EL_OK);
	assert_int_equal(value.outcome, EL_DRAW);
	source->ops->close(source);
}

/* ---- what is not read ---- */

static void expect_refused(const char *path, enum el_status expected, const char *words)
{
	struct el_source *source;
	struct el_error error = {.text = ""};
	if (el_source_cake.open(path, cache, &source, &error) != expected ||
	    !strstr(error.text, words))
		fail_msg("expected '%s', found '%s'", words, error.text);
	assert_null(strchr(error.text, '\n'));
}

static void test_names(void **state)
{
	static const struct {
		const char *name, *words;
	} cases[] = {
		{"readme.cpr", "expected the name of a table, as in db4.cpr or db8_2222.cpr"},
		{"readme.cpr#KvK", "expected the name of a table"},
		{"db.cpr", "expected the name of a table"},
		{"db12.cpr", "expected the name of a table"},
		{"db8_222.cpr", "expected the name of a table"},
		{"db2.cpr", "has 3 slices: name one of them, as in "},
		{"db2.cpr#", "expected a slice of draughts behind the #"},
		{"db2.cpr#KvQ", "expected a slice of draughts behind the #"},
		{"db2.cpr#MvK", "expected a slice of draughts behind the #"},
		{"db2.cpr#KKvK", "db2.idx: no slice of checkers:KKvK is in it"},
	};
	struct file *f = make_file(2, NULL, 0);
	struct el_slice slice;
	const struct el_metric *metric;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect_refused(fixture_path(folder, cases[i].name), EL_NEGATIVE, cases[i].words);
	assert_true(el_source_cake.named("a#b/db4.cpr#KKvKM", &slice, &metric));
	assert_string_equal(slice.name, "checkers:KKvKM");
	assert_ptr_equal(metric, &el_wdl);
	assert_false(el_source_cake.named("db4.cpr", &slice, &metric));
	assert_ptr_equal(el_source_kind_of("a/db4.cpr#KKvKM"), &el_source_cake);
	assert_int_equal(el_source_file_length("a/db4.cpr#KKvKM"), strlen("a/db4.cpr"));
	assert_int_equal(el_source_file_length("a#b.egt"), strlen("a#b.egt"));
	unlink(f->text_path);
	expect_refused(part_path(f->path, "KvK"), EL_IO, "db2.idx: cannot open");
	expect_refused(f->path, EL_IO, "db2.idx: cannot open");
	unlink(f->path);
	expect_refused(part_path(f->path, "KvK"), EL_IO, "db2.cpr: cannot open");
	free(f);
}

static void test_text(void **state)
{
	static const struct {
		const char *text, *words;
	} cases[] = {
		{"BASE0,1,0,1,0,0", "line 1: expected a slice, as in BASE1,2,0,1,6,0,b:17/1014"},
		{"BASE0,1,0,1,0,0,b\n", "line 1: expected a slice, as in"},
		{"\n\nBASE0,1,0,1,0,7,b:=", "line 3: expected a slice, as in"},
		{"BASE0,13,0,1,0,0,b:=", "line 1: expected a slice, as in"},
		{"BASE0,-1,0,1,0,0,b:=", "line 1: expected a slice, as in"},
		{"BASE0,1,0,1,0,0,x:=", "found BASE0,1,0,1,0,0,x:="},
		{"BASE0,1,0,1,0,0,b:?", "expected +, -, = or a block and byte, as in b:17/1014"},
		{"BASE0,1,0,1,0,0,b:", "expected +, -, = or a block and byte"},
		{"BASE0,1,0,1,0,0,b:0/1024", "expected +, -, = or a block and byte"},
		{"BASE0,1,0,1,0,0,b:4294967296/0", "expected +, -, = or a block and byte"},
		{"BASE0,1,0,1,0,0,b:4294967295/1023", "a place before the table's end"},
		{"BASE0,1,0,1,0,0,b:1/0", "expected a place before the table's end"},
		{"BASE0,1,0,1,0,0,b:0/0\n5", "for a block before the table's end"},
		{"BASE0,1,0,1,0,0,b:0/0\n0", "line 2: expected a number from 1 to 991"},
		{"BASE0,1,0,1,0,0,b:0/0\n996", "before the table's end, found 996"},
		{"BASE0,1,0,1,0,0,b:0/0\n992\n993", "line 3: expected a number from 993 to 991"},
		{"BASE0,1,0,1,0,0,b:0/0\n-5", "expected a number from 1 to 991, for"},
		{"BASE0,1,0,1,0,0,b:0/0\n99999999999999999999", "expected a number from 1 to 991"},
		{"BASE0,1,0,1,0,0,b:0/0 x", "found x"},
		{"BASE0,1,0,1,0,0,b:=\nBASE0,1,0,1,0,0,b:=", "expected each slice once"},
	};
	struct file *f = make_file(2, NULL, 0);
	const char *path = part_path(f->path, "KvK");
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_text(f, cases[i].text);
		expect_refused(path, EL_DAMAGED, cases[i].words);
	}
	write_text(f, "");
	expect_refused(path, EL_NEGATIVE, "no slice of checkers:KvK is in it");
	expect_refused(f->path, EL_DAMAGED, "db2.idx: expected slices of draughts, found none");
	write_text(f, "BASE0,1,1,0,0,6,b:=");
	expect_refused(part_path(f->path, "KvM"), EL_DAMAGED,
	               "expected a slice BASE0,1,1,0,0,0,b, found none");
	/* A text that is cut off anywhere is refused, or lacks only the last numbers. */
	for (size_t length = 0; length < f->length; length += 7) {
		struct el_source *source;
		struct el_error error = {.text = ""};
		fixture_write_file(f->text_path, (const uint8_t *)f->text, length);
		const char *cut = part_path(f->path, "MvM");
		if (!el_source_cake.open(cut, cache, &source, &error))
			source->ops->close(source);
		else if (!strstr(error.text, "db2.idx: "))
			fail_msg("%s", error.text);
	}
	free(f);
}

/* ---- damaged values ---- */

/* Probes all positions: each has a value or a reason. EL_OK, or the status of those without. */
static enum el_status probe_all(struct el_source *source)
{
	const struct el_slice *slice = &source->slice;
	enum el_status found = EL_OK;
	for (unsigned plane = 0; plane < slice->planes; plane++)
		for (uint64_t index = 0; index < slice->positions; index++) {
			struct el_position position;
			struct el_place place;
			struct el_value value;
			struct el_error error = {.text = ""};
			assert_true(el_checkers.unplace(slice, plane, index, &position));
			assert_true(el_checkers.place(&position, &place));
			const enum el_status status = source->ops->probe(source, &position, &place,
			                                                 false, &value, &error);
			if (!status) {
				assert_true(el_outcome_exact(value.outcome));
				continue;
			}
			assert_int_equal(status, EL_DAMAGED);
			assert_non_null(strstr(error.text, ".cpr#"));
			found = status;
		}
	return found;
}

/* A byte that is none, and a file that is cut off. */
static void test_damage(void **state)
{
	static const struct part kings = {{0, 0}, {2, 2}, {0, 0}, false};
	struct file *f = make_file(4, &kings, 0);
	const char *path = part_path(f->path, "KKvKK");
	struct el_error error;
	(void)state;
	f->bytes[BLOCK + 9] = 255;
	fixture_write_file(f->path, f->bytes, f->size);
	struct el_source *source = opened(path);
	assert_int_equal(probe_all(source), EL_DAMAGED);
	assert_int_equal(source->ops->check(source, NULL, &error), EL_DAMAGED);
	assert_non_null(strstr(error.text, "db4.cpr#KKvKK: damaged: block 1: expected "));
	assert_non_null(strstr(error.text, " values of a slice, found "));
	source->ops->close(source);
	fixture_write_file(f->path, f->bytes, BLOCK + 1);
	expect_refused(path, EL_DAMAGED, "for a block before the table's end");
	fixture_write_file(f->path, f->bytes, f->size - 1);
	source = opened(path);
	assert_int_equal(source->ops->check(source, NULL, &error), EL_DAMAGED);
	source->ops->close(source);
	free(f);
}

/* Random bytes overwrite the table, the text, or both. */
static void test_flipped(void **state)
{
	const unsigned times = tests_are_slow() ? 30 : 300;
	struct file *f = make_file(2, NULL, 0);
	uint64_t random = 1;
	(void)state;
	for (unsigned n = 0; n < times; n++) {
		uint8_t *bytes = malloc(f->size + f->length);
		struct el_slice *slices;
		struct el_error error = {.text = ""};
		size_t count;
		assert_non_null(bytes);
		memcpy(bytes, f->bytes, f->size);
		memcpy(bytes + f->size, f->text, f->length);
		for (unsigned i = 0; i <= n % 4; i++)
			bytes[fixture_random(&random) % (f->size + f->length)] =
				(uint8_t)fixture_random(&random);
		fixture_write_file(f->path, bytes, f->size);
		fixture_write_file(f->text_path, bytes + f->size, f->length);
		free(bytes);
		if (el_source_cake.slices(f->path, &slices, &count, &error)) {
			assert_non_null(strstr(error.text, "db2.idx: "));
			continue;
		}
		for (size_t i = 0; i < count; i++) {
			struct el_source *source;
			char *path = el_source_part(f->path, &slices[i]);
			assert_non_null(path);
			if (el_source_cake.open(path, cache, &source, &error)) {
				assert_non_null(strstr(error.text, "db2."));
			} else {
				const enum el_status whole =
					source->ops->check(source, NULL, &error);
				if (probe_all(source))
					assert_int_equal(whole, EL_DAMAGED);
				source->ops->close(source);
			}
			free(path);
		}
		free(slices);
	}
	free(f);
}

/* ---- real files ---- */

static void test_real(void **state)
{
	const char *directory = getenv("ENDLAB_CAKE");
	(void)state;
	if (!directory || !*directory) {
		printf("note: no Cake tables: $ENDLAB_CAKE names none\n");
		skip();
	}
	const size_t tables = expect_whole(directory);
	printf("note: %zu tables of Cake's are right\n", tables);
	assert_true(tables > 0);
}

static int open_solved(void **state)
{
	(void)state;
	solved = solved_open();
	return 0;
}

static int close_solved(void **state)
{
	(void)state;
	solved_close(solved);
	return 0;
}

#define MADE(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MADE(test_whole),  MADE(test_circles), MADE(test_alone), MADE(test_soft),
		MADE(test_link),   MADE(test_rows),    MADE(test_names), MADE(test_text),
		MADE(test_damage), MADE(test_flipped), MADE(test_real),
	};
	return cmocka_run_group_tests(tests, open_solved, close_solved);
}
