/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a Syzygy file of either kind: it opens or is refused, and every position has a value or
 * an error. Start it on a folder of real files of 3 and 4 pieces. The checksum is not looked at, so that
 * all that is behind it is reached.
 */
#include "endlab/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A source of plies alone is told an outcome: any may be wrong. */
static void probe_source(const struct el_source_ops *kind, const char *path,
                         struct el_cache *cache)
{
	enum { POSITIONS = 200 };
	struct el_source *source;
	struct el_error error;
	if (kind->open(path, cache, &source, &error))
		return;
	const struct el_slice *slice = &source->slice;
	const uint64_t step = slice->planes * slice->positions / POSITIONS + 1;
	for (uint64_t i = 0; i < slice->planes * slice->positions; i += step) {
		struct el_position position;
		struct el_place place;
		struct el_value value = {.outcome = (uint8_t)(i % EL_UNKNOWN)};
		if (value.outcome == EL_DRAW ||
		    !slice->game->unplace(slice, (unsigned)(i / slice->positions),
		                          i % slice->positions, &position) ||
		    !slice->game->place(&position, &place))
			continue;
		if (!kind->probe(source, &position, &place, false, &value, &error) &&
		    value.outcome > EL_WIN && !source->plies_only)
			abort();
	}
	kind->check(source, NULL, &error);
	kind->close(source);
}

static void try_as(const struct el_source_ops *kind, const char *folder, const char *stem,
                   const uint8_t *data, size_t size)
{
	char path[128];
	struct el_cache *cache;
	snprintf(path, sizeof path, "%s/%s%s", folder, stem, kind->extension);
	FILE *file = fopen(path, "wb");
	if (!file || el_cache_open(1 << 20, &cache, NULL))
		abort();
	fwrite(data, 1, size, file);
	fclose(file);
	probe_source(kind, path, cache);
	unlink(path);
	el_cache_close(cache);
}

/* What it holds is tried by its name: with pawns and without, of one side and of both, like pieces. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const stems[] = {"KQvK",  "KPvK",  "KRvKN", "KQvKR", "KBNvK",
	                                    "KBBvK", "KRvKR", "KNvKP", "KPPvK", "KPvKP"};
	char folder[] = "/tmp/fuzz_syzygy.XXXXXX";
	if (!mkdtemp(folder))
		abort();
	for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
		try_as(&el_source_syzygy, folder, stems[i], data, size);
		try_as(&el_source_syzygy_dtz, folder, stems[i], data, size);
	}
	rmdir(folder);
	return 0;
}
