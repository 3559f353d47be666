/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "try.h"

#include "core/base/text.h"
#include "core/study/study.h"
#include "core/table/table.h"

#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- texts and files ---- */

char *try_text(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size);
	must(text);
	return text;
}

static char folder[64];

static void remove_folder(void)
{
	char *roots[] = {folder, NULL};
	FTS *all = fts_open(roots, FTS_PHYSICAL, NULL);
	for (FTSENT *e; all && (e = fts_read(all));)
		if (e->fts_info != FTS_D)
			remove(e->fts_accpath);
	fts_close(all);
}

const char *try_folder(void)
{
	if (!*folder) {
		const bool in_memory = !access("/dev/shm", W_OK);
		snprintf(folder, sizeof folder, "%s/endlab-fuzz.XXXXXX",
		         in_memory ? "/dev/shm" : "/tmp");
		must(mkdtemp(folder) && !atexit(remove_folder));
	}
	return folder;
}

const char *try_path(const char *name)
{
	static char path[256];
	snprintf(path, sizeof path, "%s/%s", try_folder(), name);
	return path;
}

void try_write(const char *name, const void *data, size_t size)
{
	FILE *file = fopen(try_path(name), "wb");
	must(file && fwrite(data, 1, size, file) == size && !fclose(file));
}

void try_clean(const char *text, size_t size)
{
	for (size_t at = 0, taken; at < size; at += taken) {
		char shown[EL_SHOWN_MAX];
		if (text[at] == '\n' || text[at] == '\t') {
			taken = 1;
			continue;
		}
		const size_t length = el_show_first(text + at, size - at, &taken, shown);
		must(taken && length == taken && !memcmp(shown, text + at, taken));
	}
}

/* ---- tables ---- */

/* A source that has only plies is given an outcome: any except a draw, right or wrong. Our tables, and
   partial ones, may have bounds. A plane that was left out is never probed. */
static void probe_some(struct el_source *source)
{
	enum { POSITIONS = 16 }; /* of each plane */
	const bool exact = !source->plies_only && !source->ops->read && !source->partial;
	const struct el_slice *slice = &source->slice;
	const uint64_t step = slice->positions / POSITIONS + 1;
	struct el_error error;
	for (uint64_t i = 0; i < slice->planes * slice->positions; i += step) {
		struct el_position position;
		struct el_place place;
		struct el_value value = {.outcome = (uint8_t)(i % EL_UNKNOWN)};
		const unsigned plane = (unsigned)(i / slice->positions);
		if ((source->plies_only && value.outcome == EL_DRAW) ||
		    source->left_out >> plane & 1 ||
		    !slice->game->unplace(slice, plane, i % slice->positions, &position) ||
		    !slice->game->place(&position, &place))
			continue;
		if (!source->ops->probe(source, &position, &place, false, &value, &error) &&
		    exact && !el_outcome_exact(value.outcome))
			abort();
	}
}

/* The seeds are studies of the first position. */
static void probe_study(struct el_source *source)
{
	static const char *const fens[] = {"8/8/8/8/p7/P7/8/k1K5 w - - 0 1",
	                                   "8/8/8/8/p7/P7/8/K1k5 b - - 0 1",
	                                   "8/8/8/p7/8/P7/8/k1K5 w - - 0 1"};
	for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
		const struct el_game *game;
		struct el_position position;
		struct el_place place = {.plane = 0};
		struct el_value value;
		struct el_error error;
		must(!el_position_parse(fens[i], &game, &position, &error));
		if (source->slice.game == game && source->ops->covers(source, &position) &&
		    !source->ops->probe(source, &position, &place, false, &value, &error))
			must(value.outcome != EL_BROKEN);
		const struct el_study_room room = {.memory = 1 << 24, .folder = try_folder()};
		struct el_study *study;
		if (!el_study_resume(source->path, game, &position, &room, NULL, &study, &error))
			el_study_close(study);
	}
}

static void read_whole(struct el_source *source)
{
	struct el_table_info info;
	struct el_planes planes;
	struct el_error error;
	if (source->ops->check)
		source->ops->check(source, NULL, &error);
	if (source->ops->read && source->slice.positions <= 1 << 22 &&
	    !source->ops->read(source->path, &info, &planes, &error))
		el_planes_free(&planes);
}

bool try_as(const struct el_source_ops *kind, const char *stem, const uint8_t *data, size_t size)
{
	char name[64];
	struct el_cache *cache;
	struct el_source *source;
	struct el_error error;
	snprintf(name, sizeof name, "%s%s", stem, kind->extension);
	try_write(name, data, size);
	must(!el_cache_open(1 << 20, &cache, NULL));
	struct el_slice *slices = NULL;
	size_t count = 1;
	bool opened = false;
	if (kind->slices && kind->slices(try_path(name), &slices, &count, &error))
		count = 0;
	for (size_t i = 0; i < count; i++) {
		char *path = slices ? el_source_part(try_path(name), &slices[i])
		                    : strdup(try_path(name));
		must(path);
		if (!kind->open(path, cache, &source, &error)) {
			opened = true;
			(kind->covers ? probe_study : probe_some)(source);
			read_whole(source);
			kind->close(source);
		}
		free(path);
	}
	free(slices);
	unlink(try_path(name));
	el_cache_close(cache);
	return opened;
}
