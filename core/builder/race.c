/* SPDX-License-Identifier: MIT */
/* One slice, built with one thread and with more, over and over. */
#include "build.h"

#include "core/os/files.h"
#include "core/os/temporary.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A folder with the slice's sub-tables, in which it is built. */
struct track {
	struct el_temporary folder;
	struct el_library *library;
	const struct el_slice *slice;
	const struct el_watch *watch;
	double seconds; /* of the last build */
};

static void note_built(void *context, const struct el_built *built)
{
	struct track *t = context;
	if (el_slice_equal(&built->task->slice, t->slice))
		t->seconds = built->solve_seconds + built->write_seconds;
}

/* With its sub-tables there, a table is the only one of its plan, and is given all threads. */
static enum el_status build(struct track *t, int threads, bool replace, struct el_error *error)
{
	const int before = omp_get_max_threads();
	const struct el_plan_wish wish = {
		.slices = t->slice, .count = 1, .replace = replace, .own = true, .watch = t->watch};
	const struct el_build_options options = {.table = el_table_options_preset(EL_PRESET_USUAL),
	                                         .context = t,
	                                         .built = note_built};
	struct el_plan plan = {.count = 0};
	omp_set_num_threads(threads);
	enum el_status status = el_plan_wished(t->library, &wish, &plan, error);
	if (!status)
		status = el_plan_estimate(t->library, &plan, error);
	if (!status)
		status = el_build(t->library, &plan, &options, t->watch, error);
	el_plan_free(&plan);
	omp_set_num_threads(before);
	return status;
}

/* Reads the table that was built, malloc'ed. */
static enum el_status read_table(const struct track *t, uint8_t **bytes, size_t *size,
                                 struct el_error *error)
{
	char path[PATH_MAX];
	struct input file;
	el_table_file_name(t->folder.path, t->slice, el_game_metric(t->slice->game), path,
	                   sizeof path);
	enum el_status status = input_open(path, &file, error);
	if (!status) {
		*size = (size_t)file.is.st_size;
		*bytes = malloc(*size + 1);
		status = *bytes ? input_read(&file, "table", *bytes, *size, 0, error)
		                : el_fail(error, EL_MEMORY, "%s: out of memory", t->slice->name);
	}
	input_close(&file);
	return status;
}

enum el_status el_build_race(const struct el_slice *slice, unsigned rounds, struct el_lap *laps,
                             size_t count, const struct el_watch *watch, struct el_error *error)
{
	struct track t = {.slice = slice, .watch = watch};
	uint8_t *first = NULL;
	size_t size = 0;
	enum el_status status = el_temporary_folder(el_temporary_parent(), &t.folder, error);
	if (!status) {
		const struct el_library_options options = {.directory = t.folder.path};
		status = el_library_open(&options, &t.library, error);
	}
	if (!status)
		status = build(&t, omp_get_max_threads(), false, error);
	if (!status)
		status = read_table(&t, &first, &size, error);
	/* In turns, so that whatever slows the machine down for a while slows all of them. */
	for (size_t i = 0; i < rounds * count && !status; i++) {
		struct el_lap *lap = &laps[i % count];
		uint8_t *bytes = NULL;
		size_t now = 0;
		status = build(&t, (int)lap->threads, true, error);
		if (!status)
			status = read_table(&t, &bytes, &now, error);
		const bool same = !status && now == size && !memcmp(bytes, first, size);
		lap->seconds = i < count || t.seconds < lap->seconds ? t.seconds : lap->seconds;
		lap->bytes = now;
		lap->same = same && (i < count || lap->same);
		free(bytes);
	}
	free(first);
	el_library_close(t.library);
	el_temporary_remove(&t.folder);
	return status;
}
