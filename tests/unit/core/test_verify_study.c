/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proof of studies: sound ones pass, whole or stopped, and every kind of damage is found. */
#include "core/examine/verify.h"
#include "core/study/file.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A locked pair of pawns, which White's king wins. */
static const char locked[] = "8/8/8/p7/P2K4/8/8/6k1 w - - 0 1";
static const struct el_study_reach queens = {1, 1 << 1};
static const struct el_metric *const dtm[] = {&el_dtm, NULL};

/* ---- studies in files ---- */

/* Ends the work of an extension after some frames have been solved. */
static int stop_solving(void *context, const struct el_progress *progress)
{
	unsigned *left = context;
	return strcmp(progress->stage, "solving") || (*left && (*left)--);
}

static bool covers(void *library, const struct el_position *p)
{
	return el_library_answers(library, &el_chess, p, &el_wdl);
}

static enum el_status ask(void *library, const struct el_position *p, struct el_value *out,
                          struct el_error *error)
{
	return el_library_value(library, &el_chess, p, &el_wdl, EL_PROBE_FULL, out, error);
}

/* Writes the study of a root, with the tables of the folder; returns what it says of its size. */
static struct el_study_size make(const char *path, const char *fen,
                                 const struct el_study_reach *reach, const struct el_watch *watch)
{
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_study_tables tables = {library, covers, ask};
	const struct el_study_room room = {
		.memory = UINT64_MAX, .folder = folder, .tables = &tables};
	struct el_position root;
	struct el_study *study;
	struct el_error error;
	assert_int_equal(el_chess.parse(fen, &root, &error), EL_OK);
	assert_int_equal(el_study_open(&el_chess, &root, &room, NULL, &study, &error), EL_OK);
	const enum el_status status = reach ? el_study_extend(study, reach, watch, &error) : EL_OK;
	assert_true(!status || (watch && status == EL_STOPPED));
	assert_int_equal(el_study_write(study, path, NULL, NULL, &error), EL_OK);
	const struct el_study_size size = el_study_size(study);
	el_study_close(study);
	el_library_close(library);
	return size;
}

static void take(void *context, const struct el_verify_result *result)
{
	*(struct el_verify_result *)context = *result;
}

static struct el_verify_result verify(const char *path, const struct el_verify_options *options)
{
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_verify_task task = {.path = path};
	struct el_verify_result result = {.status = EL_MEMORY};
	struct el_error error;
	assert_int_equal(el_verify_tables(library, &task, 1, options, NULL, take, &result, &error),
	                 EL_OK);
	el_library_close(library);
	return result;
}

/* ---- sound ones ---- */

static void sound_ones_pass(void **state)
{
	static const struct {
		const char *root;
		const struct el_study_reach *reach;
	} roots[] = {
		{locked, NULL},
		{"8/8/8/2p5/8/1P6/k7/3K4 w - - 0 1", NULL}, /* en passant */
		{"8/8/8/p1p5/P1P5/8/1k6/3K4 w - - 0 1", NULL},
		{"8/P7/8/8/8/2k5/8/4K3 b - - 0 1", &queens},
	};
	const struct el_verify_options options = {.sample = 0};
	(void)state;
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		const char *path = fixture_path(folder, "a.study");
		const struct el_study_size size = make(path, roots[i].root, roots[i].reach, NULL);
		const struct el_verify_result r = verify(path, &options);
		assert_int_equal(r.status, EL_OK);
		assert_int_equal(r.verdict.checked, size.positions);
		assert_int_equal(r.verdict.wrong, 0);
		assert_int_equal(r.verdict.open, 0);
		assert_int_equal(r.verdict.loose, 0);
		/* It is remembered. */
		const struct el_verify_result again = verify(path, &options);
		assert_true(el_summary_holds(&again.before));
		assert_int_equal(again.before.positions, size.positions);
	}
}

/* A study that was stopped claims no more than what it has solved. */
static void stopped_ones_pass(void **state)
{
	(void)state;
	for (unsigned frames = 0; frames < 8; frames += 3) {
		const char *path = fixture_path(folder, "a.study");
		unsigned left = frames;
		make(path, locked, &queens, &(struct el_watch){&left, stop_solving});
		const struct el_verify_result r = verify(path, &(struct el_verify_options){0});
		assert_int_equal(r.status, EL_OK);
		if (r.verdict.wrong)
			fail_msg("stopped after %u frames: %s", frames, r.verdict.first_fen);
	}
}

/* Tables behind promotions: those that a study was made with, and others that come later. */
static void tables_are_asked(void **state)
{
	const struct el_verify_options options = {.sample = 0};
	const char *before = fixture_path(folder, "a.study"),
		   *after = fixture_path(folder, "b.study");
	(void)state;
	make(before, locked, NULL, NULL);
	assert_int_equal(verify(before, &options).verdict.loose, 0);
	fixture_build_in(folder, "KQvK", dtm);
	make(after, locked, NULL, NULL);
	const struct el_verify_result late = verify(before, &options);
	assert_int_equal(late.before.verified, EL_NOT_VERIFIED); /* what it rests on has changed */
	assert_true(late.verdict.loose > 0);
	assert_int_equal(late.verdict.wrong + late.verdict.open, 0);
	struct el_verify_result r = verify(after, &options);
	assert_int_equal(r.verdict.wrong + r.verdict.open + r.verdict.loose, 0);
	assert_int_equal(remove(fixture_path(folder, "KQvK.dtm.egt")), 0);
	r = verify(after, &options);
	assert_int_equal(r.status, EL_OK);
	assert_true(r.verdict.open > 0);
	assert_int_equal(r.verdict.wrong, 0);
}

static void samples_are_refused(void **state)
{
	(void)state;
	const char *path = fixture_path(folder, "a.study");
	make(path, "8/P7/8/8/8/2k5/8/4K3 b - - 0 1", NULL, NULL);
	const struct el_verify_result r = verify(path, &(struct el_verify_options){.sample = 9});
	assert_int_equal(r.status, EL_NEGATIVE);
	assert_non_null(strstr(r.error.text, "cannot be verified on a sample"));
}

/* ---- damage ---- */

/* A study whose symbols can be changed. */
struct open_study {
	struct study_file file;
	struct el_planes planes;
	uint64_t root;
};

static void open_study(const char *path, struct open_study *o)
{
	struct el_error error;
	uint32_t count;
	assert_int_equal(study_file_open(path, &o->file, &error), EL_OK);
	const struct el_table_info *info = o->file.info;
	const struct el_value *values = el_table_values(o->file.table, 0, &count);
	o->planes = (struct el_planes){
		.slice = info->slice, .metric = info->metric, .passes = info->passes};
	struct el_plane *plane = &o->planes.plane[0];
	plane->symbols = malloc(info->slice.positions * sizeof *plane->symbols);
	plane->values = malloc((count + 1) * sizeof *plane->values); /* room for one more */
	plane->value_count = count;
	memcpy(plane->values, values, count * sizeof *values);
	uint16_t *at = plane->symbols;
	for (uint64_t block = 0; block < info->block_count; block++) {
		assert_int_equal(el_table_read_block(o->file.table, block, at, &error), EL_OK);
		at += info->options.block_positions;
	}
	assert_true(study_file_find(&o->file, &o->file.root, &o->root));
}

static void close_study(struct open_study *o)
{
	free(o->planes.plane[0].symbols);
	free(o->planes.plane[0].values);
	study_file_close(&o->file);
}

static struct el_value value_at(const struct open_study *o, uint64_t address)
{
	return el_plane_value(&o->planes.plane[0], address);
}

/* The study with one other value, as the project's own writer writes it. */
static void write_with(struct open_study *o, uint64_t address, struct el_value v, const char *path)
{
	struct el_plane *plane = &o->planes.plane[0];
	const uint16_t before = plane->symbols[address];
	const size_t size = study_list_size(o->file.count);
	uint8_t *list = malloc(size);
	uint32_t symbol = 0;
	study_list_write(&o->file, list);
	o->planes.appendix = list;
	o->planes.appendix_size = size;
	while (symbol < plane->value_count && !el_value_equal(plane->values[symbol], v))
		symbol++;
	const uint32_t count = plane->value_count;
	if (symbol == count)
		plane->values[plane->value_count++] = v;
	plane->symbols[address] = (uint16_t)symbol;
	const struct el_table_options options = el_table_options_default();
	struct el_error error;
	const enum el_status status =
		el_table_write(path, &o->planes, &options, NULL, NULL, &error);
	if (status)
		fail_msg("%s", error.text);
	plane->value_count = count;
	plane->symbols[address] = before;
	free(list);
}

/* The n-th reached position, from 0, whose value has these bits of outcomes and plies in a range. */
static bool find(const struct open_study *o, unsigned outcomes, unsigned least, unsigned most,
                 size_t n, uint64_t *out)
{
	const struct el_frames *frames = o->file.frames;
	bool found = false;
	for (uint32_t i = 0; i < o->file.count && !found; i++) {
		const struct filed *f = &o->file.list[i];
		const uint64_t half = 64 * (uint64_t)frames->words(&f->frame);
		struct el_position position;
		struct el_sets *sets;
		if (frames->chooses(&f->frame) < 2)
			continue;
		assert_int_equal(frames->open(&f->frame, &sets, NULL), EL_OK);
		for (uint64_t at = 0; at < 2 * half && !found; at++) {
			const struct el_value v = value_at(o, f->first + at);
			if (!(outcomes >> v.outcome & 1) || v.plies < least || v.plies > most ||
			    !frames->position(sets, at >= half, at % half, &position) ||
			    !el_chess.legal(&position, NULL))
				continue;
			found = f->first + at != o->root && !n--;
			*out = f->first + at;
		}
		sets->close(sets);
	}
	return found;
}

enum {
	WINS = 1 << EL_WIN,
	LOSSES = 1 << EL_LOSS,
	DRAWS = 1 << EL_DRAW,
	AT_LEAST = 1 << EL_AT_LEAST_DRAW,
	AT_MOST = 1 << EL_AT_MOST_DRAW,
	ROUGH = 1 << 15,
};

static void damage_is_found(void **state)
{
	static const struct {
		unsigned outcomes;
		uint16_t least, most; /* of plies, among the positions that are damaged */
		uint8_t becomes;      /* an outcome; EL_BROKEN: the same */
		int plies;            /* added */
	} kinds[] = {
		{DRAWS, 0, 0, EL_LOSS, 4},
		{DRAWS, 0, 0, EL_WIN, 5},
		{AT_LEAST, 0, 0, EL_DRAW, 0},
		{AT_LEAST, 0, 0, EL_WIN, 1},
		{AT_MOST, 0, 0, EL_LOSS, 2},
		{WINS, 3, 99, EL_BROKEN, -2},
		{WINS, 1, 99, EL_BROKEN, 2},
		{WINS, 1, 99, EL_DRAW, 0},
		{LOSSES, 2, 99, EL_BROKEN, -2},
		{LOSSES, 0, 99, EL_BROKEN, 2},
		{WINS | LOSSES, ROUGH, UINT16_MAX, EL_BROKEN,
	         -ROUGH},                                /* at most so many: the least */
		{DRAWS | AT_LEAST, 0, 0, EL_UNKNOWN, 1}, /* not reached */
	};
	const char *path = fixture_path(folder, "a.study"), *bad = fixture_path(folder, "b.study");
	struct open_study o;
	(void)state;
	fixture_build_in(folder, "KQvK", dtm);
	make(path, locked, NULL, NULL);
	open_study(path, &o);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (size_t n = 0; n < 2; n++) {
			uint64_t address = 0;
			if (!find(&o, kinds[k].outcomes, kinds[k].least, kinds[k].most,
			          1000 * n + 7, &address))
				fail_msg("kind %zu: no such position", k);
			struct el_value v = value_at(&o, address);
			if (kinds[k].becomes != EL_BROKEN)
				v = (struct el_value){.outcome = kinds[k].becomes};
			v.plies = (uint16_t)(v.plies + kinds[k].plies);
			write_with(&o, address, v, bad);
			const struct el_verify_result r =
				verify(bad, &(struct el_verify_options){0});
			assert_int_equal(r.status, EL_OK);
			/* Beside a promotion that is not followed, a table might have told. */
			if (!r.verdict.wrong && kinds[k].outcomes == AT_LEAST && r.verdict.open)
				continue;
			if (!r.verdict.wrong || !r.verdict.first_fen[0])
				fail_msg("kind %zu, %zu: not found: %llu loose, %llu open", k, n,
				         (unsigned long long)r.verdict.loose,
				         (unsigned long long)r.verdict.open);
		}
	close_study(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(sound_ones_pass),  IN_FOLDER(stopped_ones_pass),
		IN_FOLDER(tables_are_asked), IN_FOLDER(samples_are_refused),
		IN_FOLDER(damage_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
