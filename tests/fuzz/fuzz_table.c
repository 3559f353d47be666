/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a table file of any kind: it opens or is refused, and every block is read or refused.
 * Start it on a folder of small real tables. Checksums are the first wall: what looks like a table
 * of ours is tried a second time with all of them set right.
 */
#include "core/store/table_format.h"
#include "endlab/source.h"

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

static void probe_source(const struct el_source_ops *kind, const char *path,
                         struct el_cache *cache)
{
	struct el_source *source;
	struct el_error error;
	if (kind->open(path, cache, &source, &error))
		return;
	const struct el_slice *slice = &source->slice;
	const uint64_t step = slice->positions / 64 + 1;
	for (uint64_t i = 0; i < slice->planes * slice->positions; i += step) {
		const unsigned plane = (unsigned)(i / slice->positions);
		struct el_position position;
		struct el_place place;
		struct el_value value;
		if (slice->game->unplace(slice, plane, i % slice->positions, &position) &&
		    slice->game->place(&position, &place))
			source->ops->probe(source, &position, &place, false, &value, &error);
	}
	kind->close(source);
}

/* Sets the size of the file and every checksum right, as far as the parts can be told; false when
   that is nowhere. */
static bool seal(uint8_t *bytes, size_t size)
{
	if (size < HEADER_FIXED + CHECKSUM_SIZE || memcmp(bytes, TABLE_MAGIC, MAGIC_SIZE))
		return false;
	const size_t header = get_u32(bytes + AT_HEADER_SIZE);
	const uint64_t directory = get_le(bytes + AT_DIRECTORY, 8);
	if (header < HEADER_FIXED + CHECKSUM_SIZE || header > size)
		return false;
	put_le(bytes + AT_FILE_SIZE, 8, size);
	if (directory < header || directory > size) {
		table_seal(bytes, header - CHECKSUM_SIZE);
		return true;
	}
	const unsigned width = bytes[AT_SIZE_BYTES], entry = width + BLOCK_CHECKSUM_SIZE;
	uint64_t entries = directory, at = header;
	for (unsigned p = 0; p < 2; p++)
		entries += get_u32(bytes + AT_LEARNED + 4 * p);
	for (; width >= 1 && width <= 4 && entries + entry <= size; entries += entry) {
		const uint64_t block = get_le(bytes + entries, width);
		if (at + block > directory)
			break;
		put_le(bytes + entries + width, BLOCK_CHECKSUM_SIZE,
		       table_block_checksum(bytes + at, block));
		at += block;
	}
	put_le(bytes + AT_DIRECTORY_CHECKSUM, CHECKSUM_SIZE,
	       table_checksum(bytes + directory, size - directory));
	table_seal(bytes, header - CHECKSUM_SIZE);
	return true;
}

/* A foreign file tells by its name what it holds. */
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
	if (kind == &el_source_egt)
		read_blocks(path);
	probe_source(kind, path, cache);
	unlink(path);
	el_cache_close(cache);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/fuzz_table.XXXXXX";
	uint8_t *sealed = malloc(size + 1);
	if (!sealed || !mkdtemp(folder))
		abort();
	if (size)
		memcpy(sealed, data, size);
	try_as(&el_source_egt, folder, "KQvK.dtm", data, size);
	try_as(&el_source_gaviota, folder, "kqk", data, size);
	try_as(&el_source_syzygy, folder, "KQvK", data, size);
	if (seal(sealed, size))
		try_as(&el_source_egt, folder, "KQvK.dtm", sealed, size);
	rmdir(folder);
	free(sealed);
	return 0;
}
