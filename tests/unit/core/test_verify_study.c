/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proof of studies: sound ones pass, whole or stopped, and every kind of damage is found. Their
   statistics: the counts are those of the study in memory. */
#include "core/examine/verify.h"
#include "core/study/file.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
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

static bool covers(void *library, const struct el_position *p, const struct el_metric *m)
{
	return el_library_answers(library, &el_chess, p, m);
}

static enum el_status ask(void *library, const struct el_position *p, const struct el_metric *m,
                          struct el_value *out, struct el_error *error)
{
	return el_library_value(library, &el_chess, p, m, EL_PROBE_FULL, out, error);
}

/* Writes the study of a root, with the tables of the folder; returns what it says of its size. */
static struct el_study_size make(const char *path, const char *fen,
                                 const struct el_study_reach *reach, const struct el_metric *metric,
                                 const struct el_watch *watch)
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
	assert_int_equal(el_study_write(study, metric, path, NULL, NULL, &error), EL_OK);
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

/* ---- statistics ---- */

/* By side to move and outcome, of a study in memory, which knows no plies. */
struct counted {
	uint64_t count[2][EL_OUTCOMES];
};

static void count(void *context, const struct el_position *p, struct el_value v)
{
	struct counted *c = context;
	c->count[p->side][v.outcome]++;
}

static void counts_are_those_in_memory(void **state)
{
	static const struct {
		const char *root;
		const struct el_study_reach *reach;
	} roots[] = {
		{"8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1", NULL},
		{"8/8/8/2p5/8/1P6/k7/3K4 w - - 0 1", NULL},
		{locked, &queens},
	};
	const char *path = fixture_path(folder, "a.study");
	(void)state;
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		const struct el_study_room room = {.memory = UINT64_MAX, .folder = folder};
		struct el_position root;
		struct el_study *study;
		struct el_study_stats s;
		struct el_error error;
		struct el_value value;
		struct counted c = {0};
		assert_int_equal(el_chess.parse(roots[i].root, &root, &error), EL_OK);
		assert_int_equal(el_study_open(&el_chess, &root, &room, NULL, &study, &error),
		                 EL_OK);
		if (roots[i].reach)
			assert_int_equal(el_study_extend(study, roots[i].reach, NULL, &error),
			                 EL_OK);
		assert_int_equal(el_study_write(study, NULL, path, NULL, NULL, &error), EL_OK);
		assert_int_equal(el_study_stats_make(path, NULL, &s, &error), EL_OK);
		el_study_each(study, &c, count);
		for (unsigned side = 0; side < 2; side++) {
			const struct el_side_stats *got = &s.stats.side[side];
			const uint64_t *expected = c.count[side];
			uint64_t deep = got->at_most;
			assert_int_equal(got->all.win, expected[EL_WIN]);
			assert_int_equal(got->all.draw, expected[EL_DRAW]);
			assert_int_equal(got->all.loss, expected[EL_LOSS]);
			assert_int_equal(got->all.at_most_draw, expected[EL_AT_MOST_DRAW]);
			assert_int_equal(got->all.at_least_draw, expected[EL_AT_LEAST_DRAW]);
			assert_int_equal(got->all.unknown, expected[EL_UNKNOWN]);
			for (unsigned ply = 0; ply < got->plies; ply++)
				deep += got->histogram[0][ply] + got->histogram[1][ply];
			assert_int_equal(deep, got->all.win + got->all.loss);
		}
		const struct el_study_size size = el_study_size(study);
		assert_int_equal(s.frames, size.frames);
		assert_int_equal(s.positions, size.positions);
		assert_int_equal(s.exact, size.exact);
		assert_true(el_position_equal(&s.root, &root));
		assert_int_equal(el_study_value(study, &root, &value, &error), EL_OK);
		assert_int_equal(s.value.outcome, value.outcome);
		assert_int_equal(s.followed[1], roots[i].reach ? queens.kinds : 0);
		/* With the queen, the longest win is that of KQvK: 10 moves. */
		if (roots[i].reach)
			assert_int_equal(s.stats.side[EL_WHITE].longest[0], 19);
		el_stats_free(&s.stats);
		el_study_close(study);
	}
}

/* ---- sound ones ---- */

static void sound_ones_pass(void **state)
{
	static const struct {
		const char *root;
		const struct el_study_reach *reach;
		const struct el_metric *metric; /* null: dtz */
	} roots[] = {
		{locked, NULL, NULL},
		{locked, &queens, &el_dtm},
		{locked, NULL, &el_dtc},
		{"8/8/8/2p5/8/1P6/k7/3K4 w - - 0 1", NULL, NULL}, /* en passant */
		{"8/8/8/p1p5/P1P5/8/1k6/3K4 w - - 0 1", NULL, NULL},
		{"8/P7/8/8/8/2k5/8/4K3 b - - 0 1", &queens, NULL},
	};
	const struct el_verify_options options = {.sample = 0};
	(void)state;
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		const char *path = fixture_path(folder, "a.study");
		const struct el_study_size size =
			make(path, roots[i].root, roots[i].reach, roots[i].metric, NULL);
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
		make(path, locked, &queens, NULL, &(struct el_watch){&left, stop_solving});
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
	make(before, locked, NULL, NULL, NULL);
	assert_int_equal(verify(before, &options).verdict.loose, 0);
	fixture_build_in(folder, "KQvK", dtm);
	make(after, locked, NULL, NULL, NULL);
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
	make(path, "8/P7/8/8/8/2k5/8/4K3 b - - 0 1", NULL, NULL, NULL);
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

struct damage {
	unsigned outcomes;
	uint16_t least, most; /* of plies, among the positions that are damaged */
	uint8_t becomes;      /* an outcome; EL_BROKEN: the same */
	int plies;            /* added */
};

/* Damages two positions of a study for each kind of damage, one at a time. */
static void check_damage(const char *root, const struct damage *kinds, size_t count)
{
	const char *path = fixture_path(folder, "a.study"), *bad = fixture_path(folder, "b.study");
	struct open_study o;
	fixture_build_in(folder, "KQvK", dtm);
	make(path, root, NULL, NULL, NULL);
	open_study(path, &o);
	for (size_t i = 0; i < 2 * count; i++) {
		const struct damage *d = &kinds[i / 2];
		uint64_t address = 0;
		if (!find(&o, d->outcomes, d->least, d->most, 1000 * (i % 2) + 7, &address))
			fail_msg("%s: %zu: no such position", root, i / 2);
		struct el_value v = value_at(&o, address);
		if (d->becomes != EL_BROKEN)
			v = (struct el_value){.outcome = d->becomes};
		v.plies = (uint16_t)(v.plies + d->plies);
		write_with(&o, address, v, bad);
		const struct el_verify_result r = verify(bad, &(struct el_verify_options){0});
		assert_int_equal(r.status, EL_OK);
		/* Beside a promotion that is not followed, a table might have told. */
		if (!r.verdict.wrong && (d->outcomes == AT_LEAST || d->least >= ROUGH) &&
		    r.verdict.open)
			continue;
		if (!r.verdict.wrong || !r.verdict.first_fen[0])
			fail_msg("%s: %zu, %zu: not found: %llu loose, %llu open", root, i / 2,
			         i % 2, (unsigned long long)r.verdict.loose,
			         (unsigned long long)r.verdict.open);
	}
	close_study(&o);
}

static void damage_is_found(void **state)
{
	static const struct damage kinds[] = {
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
		{DRAWS | AT_LEAST, 0, 0, EL_UNKNOWN, 1}, /* not reached */
	};
	(void)state;
	check_damage(locked, kinds, sizeof kinds / sizeof *kinds);
}

/* Plies that something open could make fewer are not the least, whether a move tells or only a race. */
static void plies_that_are_not_the_least_are_found(void **state)
{
	static const struct damage kinds[] = {
		{WINS, ROUGH, ROUGH + 4, EL_BROKEN, -ROUGH},
		{WINS, ROUGH + 5, UINT16_MAX, EL_BROKEN, -ROUGH},
		{LOSSES, ROUGH, UINT16_MAX, EL_BROKEN, -ROUGH},
	};
	(void)state;
	check_damage("8/8/8/1p6/pP6/P7/k7/2K5 w - - 0 1", kinds, sizeof kinds / sizeof *kinds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(counts_are_those_in_memory),
		IN_FOLDER(sound_ones_pass),
		IN_FOLDER(stopped_ones_pass),
		IN_FOLDER(tables_are_asked),
		IN_FOLDER(samples_are_refused),
		IN_FOLDER(damage_is_found),
		IN_FOLDER(plies_that_are_not_the_least_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
