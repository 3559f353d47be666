/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of planes that arrive piece by piece: byte for byte those of planes in memory. */
#include "core/table/writer.h"
#include "core/whole/whole.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <malloc.h>
#include <omp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- planes with a reader ---- */

struct source {
	const struct el_planes *planes; /* in memory */
	uint64_t next[2];               /* where the last piece ended, by plane */
	size_t largest;                 /* piece, positions */
	unsigned pieces, turns_back;
	unsigned fails_at;    /* this piece; 0: none */
	enum el_status fails; /* with this */
};

static enum el_status read_source(void *context, unsigned plane, uint64_t first, size_t count,
                                  uint16_t *symbols, struct el_error *error)
{
	struct source *s = context;
	assert_true(count > 0);
	assert_true(first + count <= s->planes->slice.positions);
	if (++s->pieces == s->fails_at)
		return el_fail(error, s->fails, "the reader fails");
	s->largest = count > s->largest ? count : s->largest;
	s->turns_back += first < s->next[plane];
	s->next[plane] = first + count;
	memcpy(symbols, s->planes->plane[plane].symbols + first, count * sizeof *symbols);
	return EL_OK;
}

/* The same planes without their symbols; the arguments keep ownership. */
static struct el_planes read_by(const struct el_planes *planes,
                                const struct el_plane_reader *reader)
{
	struct el_planes out = *planes;
	out.reader = reader;
	for (unsigned p = 0; p < 2; p++)
		out.plane[p].symbols = NULL;
	return out;
}

/* ---- forms ---- */

struct form {
	const char *codec, *order;
	enum el_fill fill;
	uint32_t block;
};

/* Those with blocks of 4096 leave out a side to move, those of 2048 captures. */
static struct el_table_options options_of(const struct el_slice *slice, const struct form *form)
{
	struct el_table_options o = fixture_options(form->codec, form->block, form->fill);
	struct el_error error;
	o.derive = form->block == 4096   ? EL_DERIVE_SIDE
	           : form->block == 2048 ? EL_DERIVE_CAPTURES
	                                 : EL_DERIVE_NOTHING;
	if (el_order_parse(form->order, slice, &o, &error))
		fail_msg("%s", error.text);
	return o;
}

static const char *words_of(const struct el_planes *planes, const struct el_table_options *o)
{
	static char text[200], options[160];
	el_table_options_format(&planes->slice, o, options, sizeof options);
	snprintf(text, sizeof text, "%s %s", planes->slice.name, options);
	return text;
}

/* A file of these planes; malloc'ed. */
static uint8_t *write_them(const struct el_planes *planes, const struct form *form,
                           struct write_limits limits, size_t *size)
{
	const struct el_table_options o = options_of(&planes->slice, form);
	const char *path = fixture_path(folder, "x.egt");
	struct el_error error = {.text = ""};
	if (table_write_within(&limits, path, planes, &o, NULL, NULL, &error))
		fail_msg("%s: %s", words_of(planes, &o), error.text);
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
	return fixture_read_file(path, size);
}

/* In memory in large windows on two threads, and by a reader in small ones on one. */
static void check_same(const struct el_planes *planes, const struct form *form, uint64_t whole,
                       size_t window)
{
	struct source source = {.planes = planes};
	const struct el_plane_reader reader = {.context = &source, .read = read_source};
	const struct el_planes apart = read_by(planes, &reader);
	size_t size[2];
	omp_set_num_threads(2);
	uint8_t *in_memory =
		write_them(planes, form, (struct write_limits){whole, 1 << 20, false}, &size[0]);
	omp_set_num_threads(1);
	uint8_t *by_reader =
		write_them(&apart, form, (struct write_limits){whole, window, false}, &size[1]);
	const struct el_table_options o = options_of(&planes->slice, form);
	if (size[0] != size[1] || memcmp(in_memory, by_reader, size[0]))
		fail_msg("%s: the files differ, of %zu and %zu bytes", words_of(planes, &o),
		         size[0], size[1]);
	free(in_memory);
	free(by_reader);
	assert_true(source.pieces > 0);
}

static void check_values(const struct el_planes *planes)
{
	struct el_table *table = fixture_open(fixture_path(folder, "x.egt"));
	struct el_planes back;
	assert_int_equal(el_table_read(table, &back, NULL), EL_OK);
	for (unsigned p = 0; p < planes->slice.planes; p++)
		if (el_table_keeps(&el_table_info(table)->options, p))
			assert_int_equal(fixture_differences(planes, &back, p, false), 0);
	el_planes_free(&back);
	el_table_close(table);
}

/* ---- the same bytes ---- */

static const char *const codecs[] = {"raw",  "rle",     "zstd:1",    "zstd:1:dict=4",
                                     "xz:0", "pairs:1", "rle-zstd:1"};
static const uint32_t blocks[] = {256, 4096, 65536};
enum {
	CODECS = sizeof codecs / sizeof *codecs,
	BLOCKS = sizeof blocks / sizeof *blocks,
	FILLS = 3
};

/* Every `step`th of all forms; `orders` are null-terminated. Each has its own window size. */
static void check_forms(const struct el_planes *planes, const char *const *orders, unsigned step)
{
	unsigned number = 0, count = 0;
	while (orders[count])
		count++;
	for (unsigned i = 0; i < CODECS * FILLS * BLOCKS * count; i++) {
		const struct form form = {
			.codec = codecs[i % CODECS],
			.fill = (enum el_fill)(i / CODECS % FILLS),
			.block = blocks[i / CODECS / FILLS % BLOCKS],
			.order = orders[i / CODECS / FILLS / BLOCKS],
		};
		if (i % step)
			continue;
		const size_t window = form.block * (1 + number % 5);
		check_same(planes, &form, EL_PLANE_WHOLE, window);
		check_same(planes, &form, 1 << 16, window);
		if (number++ % 10 == 0)
			check_values(planes);
	}
}

static void check_slice(const char *name, const struct el_metric *metric, const char *const *orders,
                        unsigned step)
{
	struct solved *solved = solved_open();
	const struct el_slice slice = slice_named(name);
	check_forms(solved_of(solved, &slice, metric), orders,
	            step * (tests_are_slow()       ? 10
	                    : tests_are_thorough() ? 1
	                                           : 4));
	solved_close(solved);
}

static void test_pawns(void **state)
{
	(void)state;
	check_slice("KPvK", &el_dtm, (const char *const[]){"index", "best", "kPK/PKk", NULL}, 8);
}

static void test_four_pieces(void **state)
{
	(void)state;
	check_slice("KQvKR", &el_wdl, (const char *const[]){"index", "best", "QrkK", NULL}, 53);
	check_slice("KQvKR", &el_dtm, (const char *const[]){"index", NULL}, 23);
}

static void test_draughts(void **state)
{
	(void)state;
	check_slice("checkers:KMvKM", &el_dtw, (const char *const[]){"index", "best", "mkMK", NULL},
	            20);
}

static void test_morris(void **state)
{
	(void)state;
	check_slice("morris:3v3", &el_dtw, (const char *const[]){"index", "best", "mM", NULL}, 20);
}

static void test_awari(void **state)
{
	(void)state;
	check_slice("awari:8", &el_score, (const char *const[]){"index", "best", "smallest", NULL},
	            20);
}

/* The symbol that a file of blocks of 256 has for an index. */
static uint16_t symbol_in_file(uint64_t index)
{
	struct el_table *table = fixture_open(fixture_path(folder, "x.egt"));
	uint16_t symbols[256];
	assert_int_equal(el_table_read_block(table, index / 256, symbols, NULL), EL_OK);
	el_table_close(table);
	return symbols[index % 256];
}

/* If a plane begins with windows of free positions, they take the symbol that follows. */
static void test_free_beginning(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 5);
	for (uint64_t i = 0; i < 20000; i++)
		planes.plane[0].symbols[i] = 0;
	memset(planes.plane[1].symbols, 0,
	       planes.slice.positions * sizeof *planes.plane[1].symbols);
	planes.plane[1].value_count = 1;
	assert_int_equal(el_plane_canonical(&planes.plane[0], planes.slice.positions, NULL), EL_OK);
	for (unsigned f = 0; f < FILLS; f++)
		for (unsigned i = 0; i < CODECS; i++)
			check_same(&planes,
			           &(struct form){codecs[i], "index", (enum el_fill)f, 256}, 1024,
			           512);
	uint64_t own = 0;
	while (!planes.plane[0].symbols[own])
		own++;
	assert_true(own >= 20000);
	check_same(&planes, &(struct form){"raw", "index", EL_FILL_PREVIOUS, 256}, 1024, 512);
	assert_true(symbol_in_file(own) > 0);
	for (uint64_t i = 0; i < own; i += 100)
		assert_int_equal(symbol_in_file(i), symbol_in_file(own));
	el_planes_free(&planes);
}

/* ---- a sample ---- */

struct stages {
	char seen[20][32];
	unsigned count;
};

static int note_stage(void *context, const struct el_progress *progress)
{
	struct stages *s = context;
	if ((!s->count || strcmp(s->seen[s->count - 1], progress->stage)) && s->count < 20)
		snprintf(s->seen[s->count++], sizeof *s->seen, "%s", progress->stage);
	return 1;
}

static bool takes_sample(const struct el_planes *planes, const char *codec, enum el_fill fill,
                         uint64_t whole)
{
	const struct form form = {codec, "index", fill, 256};
	const struct el_table_options o = options_of(&planes->slice, &form);
	const struct write_limits limits = {whole, 4096, false};
	struct stages stages = {.count = 0};
	const struct el_watch watch = {&stages, note_stage};
	assert_int_equal(table_write_within(&limits, fixture_path(folder, "x.egt"), planes, &o,
	                                    &watch, NULL, NULL),
	                 EL_OK);
	for (unsigned i = 0; i < stages.count; i++)
		if (!strcmp(stages.seen[i], "taking a sample"))
			return true;
	return false;
}

/* Only for larger planes, and only if something is learned: then the note says so. */
static void test_sample_is_told(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KPvK", &el_dtm, 6);
	const uint64_t whole = 1 << 14;
	assert_true(planes.slice.positions > whole);
	for (unsigned f = 0; f < FILLS; f += tests_are_slow() ? 2 : 1)
		for (unsigned i = 0; i < CODECS; i++) {
			const bool learns =
				!strncmp(codecs[i], "pairs", 5) || strchr(codecs[i], '=');
			const bool tries = f == EL_FILL_BEST && strncmp(codecs[i], "rle", 3);
			assert_int_equal(takes_sample(&planes, codecs[i], (enum el_fill)f, whole),
			                 learns || tries);
			assert_false(
				takes_sample(&planes, codecs[i], (enum el_fill)f, EL_PLANE_WHOLE));
		}
	el_planes_free(&planes);
}

/* A sample teaches nearly as much as the whole, or it is no sample. */
static void test_sample_serves(void **state)
{
	(void)state;
	struct solved *solved = solved_open();
	const struct el_slice slice = slice_named("KPvK");
	const struct el_planes *planes = solved_of(solved, &slice, &el_dtm);
	static const char *const learners[] = {"pairs:1", "zstd:9:dict=4", "zstd:9"};
	for (unsigned i = 0; i < 3; i++) {
		const struct form form = {learners[i], "index", EL_FILL_BEST, 1024};
		size_t whole, sampled;
		free(write_them(planes, &form,
		                (struct write_limits){EL_PLANE_WHOLE, 1 << 20, false}, &whole));
		free(write_them(planes, &form, (struct write_limits){1 << 16, 1 << 20, false},
		                &sampled));
		if (100 * sampled > 115 * whole)
			fail_msg("%s: %zu bytes by a sample, %zu by the whole", learners[i],
			         sampled, whole);
	}
	solved_close(solved);
}

/* ---- a side to move that samples choose ---- */

static int count_windows(void *context, const struct el_progress *progress)
{
	*(unsigned *)context += !strcmp(progress->stage, "writing");
	return 1;
}

/* Writes the planes in blocks of 4096; returns how many windows were written. */
static unsigned windows_of(const struct el_planes *planes, const char *order, uint64_t whole,
                           uint8_t **bytes, size_t *size)
{
	const struct form form = {"xz:1", order, EL_FILL_PREVIOUS, 4096};
	const struct el_table_options o = options_of(&planes->slice, &form);
	const struct write_limits limits = {whole, 1 << 12, false};
	unsigned windows = 0;
	const struct el_watch watch = {&windows, count_windows};
	const char *path = fixture_path(folder, "x.egt");
	assert_int_equal(table_write_within(&limits, path, planes, &o, &watch, NULL, NULL), EL_OK);
	*bytes = fixture_read_file(path, size);
	return windows;
}

/* Of large planes only the one that is kept is written, if they differ; the file is the same. */
static void test_side_is_foreseen(void **state)
{
	(void)state;
	struct solved *solved = solved_open();
	const struct el_slice slice = slice_named("KRvK");
	const struct el_planes *planes = solved_of(solved, &slice, &el_dtm);
	static const char *const orders[] = {"KkR", "index"};
	for (unsigned i = 0; i < 2; i++) {
		uint8_t *bytes[2];
		size_t size[2];
		const unsigned all =
			windows_of(planes, orders[i], EL_PLANE_WHOLE, &bytes[0], &size[0]);
		const unsigned foreseen =
			windows_of(planes, orders[i], 1 << 12, &bytes[1], &size[1]);
		assert_int_equal(foreseen, all / 2);
		assert_int_equal(size[0], size[1]);
		assert_memory_equal(bytes[0], bytes[1], size[0]);
		free(bytes[0]);
		free(bytes[1]);
	}
	solved_close(solved);
}

/* ---- memory, and the order of reading ---- */

static void test_pieces_are_small(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KPvK", &el_dtm, 7);
	struct source source = {.planes = &planes};
	const struct el_plane_reader reader = {.context = &source, .read = read_source};
	const struct el_planes apart = read_by(&planes, &reader);
	size_t size;
	free(write_them(&apart, &(struct form){"zstd:1", "index", EL_FILL_PREVIOUS, 256},
	                (struct write_limits){1 << 14, 1 << 12, false}, &size));
	assert_int_equal(source.largest, 1 << 12);
	assert_int_equal(source.turns_back, 0);
	for (unsigned p = 0; p < 2; p++)
		assert_true(source.next[p] == planes.slice.positions);
	source = (struct source){.planes = &planes};
	free(write_them(&apart, &(struct form){"zstd:1:dict=4", "index", EL_FILL_BEST, 256},
	                (struct write_limits){1 << 14, 1 << 12, false}, &size));
	assert_int_equal(source.largest, 1 << 12);
	assert_int_equal(source.turns_back, 2); /* behind the samples */
	el_planes_free(&planes);
}

/* Values of a plane that exists nowhere. */
static enum el_status make_up(void *context, unsigned plane, uint64_t first, size_t count,
                              uint16_t *symbols, struct el_error *error)
{
	(void)context;
	(void)error;
	for (size_t i = 0; i < count; i++)
		symbols[i] = (uint16_t)((first + i) * (plane + 1) / 1000 % 3);
	return EL_OK;
}

/* The bytes of this process that count against RLIMIT_DATA. */
static rlim_t data_bytes(void)
{
	char line[128];
	unsigned long kb = 0;
	FILE *f = fopen("/proc/self/status", "r");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "VmData: %lu", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return (rlim_t)kb << 10;
}

/* Exits with the status. */
static void write_with_little(const struct el_planes *planes, const char *codec, enum el_fill fill,
                              uint64_t whole)
{
	const struct el_table_options o = fixture_options(codec, 16384, fill);
	const struct write_limits limits = {whole, 1 << 18, false};
	struct el_error error = {.text = ""};
	mallopt(M_MMAP_THRESHOLD, 1 << 17); /* already free memory would not count */
	malloc_trim(0);
	const struct rlimit limit = {data_bytes() + (8 << 20), RLIM_INFINITY};
	if (setrlimit(RLIMIT_DATA, &limit))
		_exit(99);
	const enum el_status status = table_write_within(&limits, fixture_path(folder, "x.egt"),
	                                                 planes, &o, NULL, NULL, &error);
	if (status != EL_OK && status != EL_MEMORY)
		fprintf(stderr, "%s: %s\n", codec, error.text);
	_exit((int)status);
}

/* A plane would take 11 MB, and 5 more with its free positions. */
static void test_memory(void **state)
{
	(void)state;
	if (tests_are_slow())
		skip();
	struct el_value values[3] = {
		{.outcome = EL_BROKEN}, {.outcome = EL_DRAW}, {.outcome = EL_WIN}};
	const struct el_plane_reader reader = {.read = make_up};
	const struct el_planes planes = {
		.reader = &reader,
		.slice = slice_named("KQvKP"),
		.metric = &el_wdl,
		.plane = {{.values = values, .value_count = 3},
	                  {.values = values, .value_count = 3}},
	};
	static const struct form forms[] = {
		{"raw", NULL, EL_FILL_PREVIOUS, 0},
		{"rle", NULL, EL_FILL_BEST, 0},
		{"zstd:1", NULL, EL_FILL_NONE, 0},
		{"raw", NULL, EL_FILL_BEST, 0},
	};
	omp_set_num_threads(1);
	for (unsigned i = 0; i < 5; i++) {
		int status;
		const pid_t child = fork();
		assert_true(child >= 0);
		if (!child) /* the last one whose sample does not fit */
			write_with_little(&planes, forms[i < 4 ? i : 3].codec,
			                  forms[i < 4 ? i : 3].fill,
			                  i < 4 ? 1 << 18 : EL_PLANE_WHOLE);
		assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), i < 4 ? EL_OK : EL_MEMORY);
	}
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
}

/* ---- failures ---- */

/* Lets each piece fail in turn; returns their number. */
static unsigned fail_each(const struct el_planes *planes, const struct form *form,
                          enum el_status fails)
{
	const struct el_table_options o = options_of(&planes->slice, form);
	const struct write_limits limits = {1 << 12, 1 << 12, false};
	const char *path = fixture_path(folder, "failed.egt");
	for (unsigned n = 1;; n++) {
		struct source source = {.planes = planes, .fails_at = n, .fails = fails};
		const struct el_plane_reader reader = {.context = &source, .read = read_source};
		const struct el_planes apart = read_by(planes, &reader);
		struct el_error error = {.text = ""};
		enum el_status status =
			table_write_within(&limits, path, &apart, &o, NULL, NULL, &error);
		assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
		if (status == EL_OK) {
			assert_true(source.pieces < n);
			assert_int_equal(unlink(path), 0);
			return n - 1;
		}
		assert_int_equal(source.pieces, n); /* asks for nothing after that */
		assert_int_equal(status, fails);
		assert_string_equal(error.text, "the reader fails");
		assert_int_equal(scratch_count(folder, "failed"), 0);
	}
}

static void test_failing_reader(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 8);
	static const struct form forms[] = {
		{"zstd:1", "index", EL_FILL_PREVIOUS, 256},
		{"zstd:1", "index", EL_FILL_NONE, 256},
		{"zstd:1", "index", EL_FILL_BEST, 256},
		{"zstd:1:dict=4", "index", EL_FILL_NONE, 256},
		{"pairs:1", "index", EL_FILL_BEST, 256},
		{"rle", "index", EL_FILL_BEST, 256},
	};
	for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
		assert_true(fail_each(&planes, &forms[i], EL_IO) >= 14);
		if (!tests_are_slow())
			fail_each(&planes, &forms[i], EL_STOPPED);
	}
	assert_int_equal(
		fail_each(&planes, &(struct form){"raw", "QkK", EL_FILL_PREVIOUS, 256}, EL_IO), 2);
	assert_int_equal(
		fail_each(&planes, &(struct form){"raw", "best", EL_FILL_PREVIOUS, 256}, EL_IO), 4);
	el_planes_free(&planes);
}

static int stop_in_stage(void *context, const struct el_progress *progress)
{
	return strcmp(progress->stage, context) != 0;
}

static void test_stopped(void **state)
{
	(void)state;
	static char sample[] = "taking a sample", order[] = "putting in order";
	struct el_planes planes = fixture_planes("KQvKR", &el_dtm, 9);
	struct source source = {.planes = &planes};
	const struct el_plane_reader reader = {.context = &source, .read = read_source};
	const struct el_planes apart = read_by(&planes, &reader);
	const struct write_limits limits = {1 << 16, 1 << 16, false};
	for (unsigned i = 0; i < 2; i++) {
		const struct form form = {"zstd:1", i ? "QrkK" : "index", EL_FILL_BEST, 256};
		const struct el_table_options o = options_of(&planes.slice, &form);
		const struct el_watch watch = {i ? order : sample, stop_in_stage};
		struct el_error error = {.text = ""};
		assert_int_equal(table_write_within(&limits, fixture_path(folder, "x.egt"), &apart,
		                                    &o, &watch, NULL, &error),
		                 EL_STOPPED);
		assert_non_null(strstr(error.text, "KQvKR: stopped"));
		assert_int_equal(scratch_count(folder, "x.egt"), 0);
		assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
	}
	el_planes_free(&planes);
}

/* A limit on the size of files stands for a disk too full to reorder positions. */
static void test_full_disk(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 10);
	struct source source = {.planes = &planes};
	const struct el_plane_reader reader = {.context = &source, .read = read_source};
	const struct el_planes apart = read_by(&planes, &reader);
	const struct el_table_options o =
		options_of(&planes.slice, &(struct form){"raw", "QkK", EL_FILL_PREVIOUS, 256});
	struct el_error error = {.text = ""};
	struct rlimit before, small;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	small = (struct rlimit){50000, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	const enum el_status status =
		el_table_write(fixture_path(folder, "x.egt"), &apart, &o, NULL, NULL, &error);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(status, EL_IO);
	assert_non_null(strstr(error.text, "x.egt: no room beside it for 82 KB"));
	assert_int_equal(source.pieces, 0);
	assert_int_equal(scratch_count(folder, "x.egt"), 0);
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
	el_planes_free(&planes);
}

/* Derivable values are found piece by piece, and kept in unlinked files. */
static void test_captures(void **state)
{
	static const struct form forms[] = {
		{"raw", "index", EL_FILL_NONE, 2048},
		{"zstd:3", "best", EL_FILL_PREVIOUS, 2048},
		{"pairs:1", "index", EL_FILL_BEST, 2048},
	};
	const size_t count = tests_are_slow() ? 1 : tests_are_thorough() ? 3 : 2;
	(void)state;
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	struct el_planes planes = solved_planes(library, "KQvKR", &el_dtm);
	struct source source = {.planes = &planes};
	const struct el_plane_reader reader = {.context = &source, .read = read_source};
	struct el_planes apart = read_by(&planes, &reader);
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL),
	                 EL_OK);
	assert_int_equal(el_library_derive(library, &apart, EL_DERIVE_CAPTURES, NULL, NULL), EL_OK);
	assert_true(source.pieces > 2);
	assert_int_equal(scratch_count(small_test_tables(), ".endlab-tmp-"), 0);
	for (unsigned p = 0; p < 2; p++)
		assert_memory_equal(apart.plane[p].derivable, planes.plane[p].derivable,
		                    planes.slice.positions);
	for (size_t i = 0; i < count; i++) {
		size_t size[2];
		const struct write_limits limits = {1 << 24, 1 << 20, false};
		uint8_t *in_memory = write_them(&planes, &forms[i], limits, &size[0]);
		source.next[0] = source.next[1] = 0;
		uint8_t *by_reader = write_them(&apart, &forms[i], limits, &size[1]);
		assert_int_equal(size[0], size[1]);
		assert_memory_equal(in_memory, by_reader, size[0]);
		free(in_memory);
		free(by_reader);
	}
	for (unsigned p = 0; p < 2; p++)
		munmap(apart.plane[p].derivable, planes.slice.positions);
	el_library_close(library);
	el_planes_free(&planes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_pawns),
		IN_FOLDER(test_four_pieces),
		IN_FOLDER(test_draughts),
		IN_FOLDER(test_morris),
		IN_FOLDER(test_awari),
		IN_FOLDER(test_free_beginning),
		IN_FOLDER(test_sample_is_told),
		IN_FOLDER(test_sample_serves),
		IN_FOLDER(test_side_is_foreseen),
		IN_FOLDER(test_pieces_are_small),
		IN_FOLDER(test_memory),
		IN_FOLDER(test_failing_reader),
		IN_FOLDER(test_stopped),
		IN_FOLDER(test_full_disk),
		IN_FOLDER(test_captures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
