/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a table file of any kind: it opens or is refused, and every block is read or refused.
 * Start it on a folder of small real tables; checksums are the first wall, so bytes that pass them
 * are rare without such seeds.
 */
#include "endlab/source.h"
#include "endlab/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_blocks(const char *path)
{
	struct el_table *table;
	struct el_error error;
	static uint16_t symbols[EL_BLOCK_MAX];
	if (el_table_open(path, &table, &error))
		return;
	const uint64_t blocks = el_table_info(table)->block_count;
	for (uint64_t b = 0; b < blocks && b < 64; b++)
		el_table_read_block(table, b, symbols, &error);
	el_table_close(table);
}

/* A foreign file finds out what it holds by its name, so each kind is tried under one that fits. */
static void probe_source(const struct el_source_ops *kind, const char *path,
                         struct el_cache *cache)
{
	struct el_source *source;
	struct el_error error;
	if (kind->open(path, cache, &source, &error))
		return;
	for (uint64_t i = 0; i < source->slice.positions; i += source->slice.positions / 64 + 1) {
		struct el_position position;
		struct el_place place;
		struct el_value value;
		if (source->slice.game->unplace(&source->slice, 0, i, &position) &&
		    source->slice.game->place(&position, &place))
			source->ops->probe(source, &position, &place, false, &value, &error);
	}
	kind->close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const stems[] = {"KQvK.dtm", "kqk", "KQvK"};
	struct el_cache *cache;
	char folder[] = "/tmp/fuzz_table.XXXXXX";
	if (!mkdtemp(folder) || el_cache_open(1 << 20, &cache, NULL))
		return 0;
	for (const struct el_source_ops *const *kind = el_source_kinds; *kind; kind++)
		for (size_t s = 0; s < sizeof stems / sizeof *stems; s++) {
			char path[128];
			snprintf(path, sizeof path, "%s/%s%s", folder, stems[s], (*kind)->extension);
			FILE *file = fopen(path, "wb");
			if (!file)
				continue;
			fwrite(data, 1, size, file);
			fclose(file);
			read_blocks(path);
			probe_source(*kind, path, cache);
			unlink(path);
		}
	rmdir(folder);
	el_cache_close(cache);
	return 0;
}
