/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "try.h"

#include "endlab/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A source of plies alone is told an outcome: any but a draw, right or wrong. Tables of ours may keep
   bounds. */
static void probe_some(struct el_source *source)
{
	enum { POSITIONS = 100 }; /* of each plane */
	const bool exact = !source->plies_only && !source->ops->read;
	const struct el_slice *slice = &source->slice;
	const uint64_t step = slice->positions / POSITIONS + 1;
	struct el_error error;
	for (uint64_t i = 0; i < slice->planes * slice->positions; i += step) {
		struct el_position position;
		struct el_place place;
		struct el_value value = {.outcome = (uint8_t)(i % EL_UNKNOWN)};
		if ((source->plies_only && value.outcome == EL_DRAW) ||
		    !slice->game->unplace(slice, (unsigned)(i / slice->positions),
		                          i % slice->positions, &position) ||
		    !slice->game->place(&position, &place))
			continue;
		if (!source->ops->probe(source, &position, &place, false, &value, &error) &&
		    exact && !el_outcome_exact(value.outcome))
			abort();
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
	char folder[] = "/tmp/fuzz.XXXXXX", path[128];
	struct el_cache *cache;
	struct el_source *source;
	struct el_error error;
	if (!mkdtemp(folder) || el_cache_open(1 << 20, &cache, NULL))
		abort();
	snprintf(path, sizeof path, "%s/%s%s", folder, stem, kind->extension);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		abort();
	const bool opened = !kind->open(path, cache, &source, &error);
	if (opened) {
		probe_some(source);
		read_whole(source);
		kind->close(source);
	}
	unlink(path);
	rmdir(folder);
	el_cache_close(cache);
	return opened;
}
