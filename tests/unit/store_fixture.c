/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store_fixture.h"

#include "core/examine/proof.h"
#include "positions.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint64_t fixture_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* ---- folders and files ---- */

const char *fixture_path(const char *directory, const char *name)
{
	static char paths[32][512];
	static unsigned next;
	char *path = paths[next++ % 32];
	snprintf(path, sizeof *paths, "%s/%s", directory, name);
	return path;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	return remove(path);
}

void fixture_remove(const char *directory)
{
	assert_int_equal(nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

char folder[SCRATCH_PATH];

int fixture_make_folder(void **state)
{
	(void)state;
	scratch_make(folder);
	return 0;
}

int fixture_remove_folder(void **state)
{
	(void)state;
	fixture_remove(folder);
	return 0;
}

uint8_t *fixture_read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	*size = (size_t)ftell(f);
	rewind(f);
	uint8_t *bytes = malloc(*size + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	bytes[*size] = 0;
	fclose(f);
	return bytes;
}

void fixture_write_file(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

/* ---- planes ---- */

/* A value if the metric has it. */
static void add_value(struct el_plane *plane, const struct el_metric *metric, struct el_value value)
{
	if (el_metric_has_value(metric, value))
		plane->values[plane->value_count++] = value;
}

/* One outcome at many depths, with each phase that some of them have. */
static void add_values(struct el_plane *plane, const struct el_metric *metric,
                       enum el_outcome outcome, unsigned first)
{
	for (unsigned i = 0; i < (metric->has_depth ? 40 : 1); i++) {
		struct el_value v = {.outcome = (uint8_t)outcome};
		v.plies = (uint16_t)(metric->has_depth ? first + 2 * i : 0);
		v.phase = (uint16_t)(metric->has_phase ? v.plies - v.plies / 2 * (i % 3) / 2 : 0);
		add_value(plane, metric, v);
	}
}

static void make_values(struct el_plane *plane, const struct el_metric *metric)
{
	plane->values = calloc(200, sizeof *plane->values);
	assert_non_null(plane->values);
	plane->values[plane->value_count++] = (struct el_value){.outcome = EL_BROKEN};
	add_values(plane, metric, EL_LOSS, 0);
	add_values(plane, metric, EL_BLESSED_LOSS, 2);
	if (metric->wins_only)
		add_value(plane, metric, (struct el_value){.outcome = EL_AT_MOST_DRAW});
	add_value(plane, metric, (struct el_value){.outcome = EL_DRAW});
	add_values(plane, metric, EL_CURSED_WIN, 1);
	add_values(plane, metric, EL_WIN, 1);
}

static void make_plane(const struct el_slice *slice, unsigned side, const struct el_metric *metric,
                       uint64_t *seed, struct el_plane *plane)
{
	make_values(plane, metric);
	plane->symbols = malloc(slice->positions * sizeof *plane->symbols);
	assert_non_null(plane->symbols);
	uint64_t left = 0, symbol = 0;
	for (uint64_t i = 0; i < slice->positions; i++) {
		if (left-- == 0) {
			left = fixture_random(seed) % 20;
			symbol = 1 + fixture_random(seed) % (plane->value_count - 1);
		}
		struct el_position position;
		bool whole = slice->game->unplace(slice, side, i, &position);
		plane->symbols[i] = (uint16_t)(whole ? symbol : 0);
	}
}

struct el_planes fixture_planes(const char *name, const struct el_metric *metric, uint64_t seed)
{
	struct el_planes planes = {.metric = metric};
	struct el_error error;
	assert_int_equal(el_slice_parse(name, &planes.slice, &error), EL_OK);
	for (unsigned p = 0; p < planes.slice.planes; p++)
		make_plane(&planes.slice, p, metric, &seed, &planes.plane[p]);
	return planes;
}

int fixture_score(struct el_value value)
{
	const int depth = 16 * value.plies + value.phase;
	switch (value.outcome) {
	case EL_WIN:
		return 100000 - depth;
	case EL_CURSED_WIN:
		return 50000 - depth;
	case EL_DRAW:
		return 0;
	case EL_AT_MOST_DRAW:
		return -1;
	case EL_BLESSED_LOSS:
		return depth - 50000;
	case EL_LOSS:
		return depth - 100000;
	}
	return -1000000;
}

uint64_t fixture_differences(const struct el_planes *in, const struct el_planes *out,
                             unsigned plane, bool broken_too)
{
	const struct el_plane *a = &in->plane[plane], *b = &out->plane[plane];
	uint64_t different = 0;
	for (uint64_t i = 0; i < in->slice.positions; i++) {
		int expected = fixture_score(el_plane_value(a, i));
		int found = fixture_score(el_plane_value(b, i));
		bool any = !a->symbols[i] && !broken_too;
		bool less = a->symbols[i] && a->derivable && a->derivable[i];
		different += !any && (less ? found > expected : found != expected);
	}
	return different;
}

/* ---- tables ---- */

struct el_table_options fixture_options(const char *codec, uint32_t block, enum el_fill fill)
{
	struct el_table_options options = {.block_positions = block, .fill = fill};
	assert_int_equal(el_codec_parse(codec, &options.codec, NULL), EL_OK);
	return options;
}

void fixture_same_options(const struct el_table_options *a, const struct el_table_options *b)
{
	assert_ptr_equal(a->codec.codec, b->codec.codec);
	assert_memory_equal(a->codec.option, b->codec.option, sizeof a->codec.option);
	assert_int_equal(a->block_positions, b->block_positions);
	assert_int_equal(a->fill, b->fill);
	assert_int_equal(a->derive, b->derive);
	assert_int_equal(a->ordering, b->ordering);
	assert_memory_equal(a->order, b->order, sizeof a->order);
}

struct el_table *fixture_open(const char *path)
{
	struct el_table *table;
	struct el_error error = {.text = ""};
	enum el_status status = el_table_open(path, &table, &error);
	if (status)
		print_error("%s\n", error.text);
	assert_int_equal(status, EL_OK);
	return table;
}

uint64_t fixture_write(const char *path, const struct el_planes *planes,
                       const struct el_table_options *options)
{
	struct el_error error = {.text = ""};
	uint64_t bytes = 0;
	enum el_status status = el_table_write(path, planes, options, NULL, &bytes, &error);
	if (status)
		print_error("%s\n", error.text);
	assert_int_equal(status, EL_OK);
	return bytes;
}

/* ---- libraries ---- */

struct el_library *fixture_library(const char *directory, const char *paths)
{
	struct el_library *library;
	struct el_error error = {.text = ""};
	const struct el_library_options options = {.directory = directory, .paths = paths};
	assert_non_null(directory); /* test_tables could not make them */
	enum el_status status = el_library_open(&options, &library, &error);
	if (status)
		print_error("%s\n", error.text);
	assert_int_equal(status, EL_OK);
	return library;
}

void fixture_same_files(const char *a, const char *b)
{
	size_t size[2];
	uint8_t *bytes[2] = {fixture_read_file(a, &size[0]), fixture_read_file(b, &size[1])};
	assert_int_equal(size[0], size[1]);
	assert_memory_equal(bytes[0], bytes[1], size[0]);
	free(bytes[0]);
	free(bytes[1]);
}

struct el_plan fixture_plan(struct el_library *library, const char *names,
                            const struct el_metric *const *metrics)
{
	enum { MOST = 64 };
	struct el_slice slices[MOST];
	const size_t count = slices_listed(names, slices, MOST);
	struct el_plan plan;
	struct el_error error = {.text = ""};
	if (el_plan_make(library, slices, count, metrics, &plan, &error))
		fail_msg("%s: %s", names, error.text);
	return plan;
}

enum el_status fixture_build(struct el_library *library, const char *names,
                             const struct el_metric *const *metrics)
{
	struct el_plan plan = fixture_plan(library, names, metrics);
	const struct el_build_options options = {.table = el_table_options_default()};
	struct el_error error = {.text = ""};
	const enum el_status status = el_build(library, &plan, &options, NULL, &error);
	if (status)
		print_error("%s: %s\n", names, error.text);
	el_plan_free(&plan);
	return status;
}

void fixture_build_in(const char *directory, const char *names,
                      const struct el_metric *const *metrics)
{
	struct el_library *library = fixture_library(directory, NULL);
	assert_int_equal(fixture_build(library, names, metrics), EL_OK);
	el_library_close(library);
}

struct el_planes fixture_stored(struct el_library *library, const char *name,
                                const struct el_metric *metric)
{
	const struct el_slice slice = slice_named(name);
	struct el_planes planes;
	struct el_error error = {.text = ""};
	if (el_library_planes(library, &slice, metric, NULL, &planes, &error))
		fail_msg("%s", error.text);
	return planes;
}

uint64_t fixture_wrong_planes(struct el_library *library, const struct el_planes *planes)
{
	struct el_planes back = fixture_stored(library, planes->slice.name, planes->metric);
	uint64_t wrong = 0;
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint64_t i = 0; i < planes->slice.positions; i++)
			wrong += planes->plane[p].symbols[i] &&
			         !el_value_equal(el_plane_value(&planes->plane[p], i),
			                         el_plane_value(&back.plane[p], i));
	el_planes_free(&back);
	return wrong;
}

struct el_verdict fixture_verdict(struct el_library *library, const struct el_planes *planes)
{
	struct el_verdict verdict;
	struct el_error error = {.text = ""};
	if (proof_of_planes(library, planes, NULL, &verdict, NULL, &error))
		fail_msg("%s", error.text);
	return verdict;
}

struct el_stats fixture_stats(const struct el_planes *planes)
{
	struct el_stats stats;
	struct el_error error = {.text = ""};
	if (el_stats_make(planes, NULL, &stats, &error))
		fail_msg("%s", error.text);
	return stats;
}

struct el_planes fixture_table(const char *path, const char *slice, const struct el_metric *metric,
                               uint64_t seed)
{
	struct el_table_options options = el_table_options_default();
	options.block_positions = 4096;
	struct el_planes planes = fixture_planes(slice, metric, seed);
	fixture_write(path, &planes, &options);
	return planes;
}

void fixture_constant(const char *path, const struct el_metric *metric, struct el_value value)
{
	struct el_planes planes = fixture_planes("KQvK", metric, 1);
	const struct el_table_options o = fixture_options("raw", 4096, EL_FILL_NONE);
	for (unsigned p = 0; p < planes.slice.planes; p++)
		for (uint32_t s = 1; s < planes.plane[p].value_count; s++)
			planes.plane[p].values[s] = value;
	for (unsigned p = 0; p < planes.slice.planes; p++)
		assert_int_equal(el_plane_canonical(&planes.plane[p], planes.slice.positions, NULL),
		                 EL_OK);
	fixture_write(path, &planes, &o);
	el_planes_free(&planes);
}

void fixture_table_only(const char *path, const char *slice, const struct el_metric *metric)
{
	struct el_planes planes = fixture_table(path, slice, metric, 1);
	el_planes_free(&planes);
}

const struct el_game *fixture_parse(const char *fen, struct el_position *out)
{
	const struct el_game *game;
	struct el_error error = {.text = ""};
	enum el_status status = el_position_parse(fen, &game, out, &error);
	if (status)
		print_error("%s: %s\n", fen, error.text);
	assert_int_equal(status, EL_OK);
	return game;
}

enum el_status fixture_line(struct el_library *library, const struct el_game *game,
                            const struct el_position *position, const struct el_question *question,
                            struct el_move *moves, size_t max, size_t *count,
                            struct el_error *error)
{
	struct el_line line = {.moves = moves, .max = max};
	const enum el_status status =
		el_library_line(library, game, position, question, &line, error);
	*count = line.count;
	return status;
}
