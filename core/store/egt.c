/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our own tables as a source: values by way of the block cache. */
#include "endlab/source.h"
#include "endlab/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct egt {
	struct el_source head;
	struct el_table *table;
	struct el_cache *cache;
	uint64_t owner; /* of the blocks in the cache */
	const struct el_value *values[2];
	uint64_t blocks_in_plane;
	unsigned block_shift; /* log2 of the positions in a block */
};

static enum el_status load(void *context, uint64_t block, uint16_t *symbols, size_t count,
                           struct el_error *error)
{
	const struct egt *egt = context;
	(void)count;
	return el_table_read_block(egt->table, block, symbols, error);
}

static enum el_status probe(struct el_source *source, const struct el_position *position,
                            const struct el_place *place, bool soft, struct el_value *value,
                            struct el_error *error)
{
	struct egt *egt = (struct egt *)source;
	const struct el_cache_loader loader = {.context = egt, .load = load};
	uint64_t in_plane = place->index >> egt->block_shift;
	uint64_t offset = place->index - (in_plane << egt->block_shift);
	uint64_t block = place->plane * egt->blocks_in_plane + in_plane;
	uint64_t rest = source->slice.positions - (in_plane << egt->block_shift);
	uint64_t size = UINT64_C(1) << egt->block_shift;
	uint16_t symbol;
	(void)position;
	enum el_status status =
		el_cache_symbol(egt->cache, egt->owner, block, (size_t)(rest < size ? rest : size),
	                        (size_t)offset, soft ? NULL : &loader, &symbol, error);
	if (!status)
		*value = egt->values[place->plane][symbol];
	return status;
}

static void egt_close(struct el_source *source)
{
	struct egt *egt = (struct egt *)source;
	if (egt->owner)
		el_cache_forget(egt->cache, egt->owner);
	el_table_close(egt->table);
	free(source->path);
	free(egt);
}

/* "zstd:9 16K previous" */
static void describe(const struct el_table_options *options, char *out, size_t size)
{
	char codec[64];
	uint32_t positions = options->block_positions;
	el_codec_format(&options->codec, codec);
	snprintf(out, size, "%s %" PRIu32 "%s %s", codec,
	         positions >= 1024 ? positions / 1024 : positions, positions >= 1024 ? "K" : "",
	         el_fill_names[options->fill]);
}

static void fill_in(struct egt *egt, struct el_cache *cache)
{
	const struct el_table_info *info = el_table_info(egt->table);
	egt->head.slice = info->slice;
	egt->head.metric = info->metric;
	egt->head.bytes = info->bytes;
	describe(&info->options, egt->head.detail, sizeof egt->head.detail);
	egt->cache = cache;
	egt->owner = el_cache_owner(cache);
	egt->blocks_in_plane = info->block_count / info->slice.planes;
	egt->block_shift = (unsigned)__builtin_ctz(info->options.block_positions);
	for (unsigned p = 0; p < info->slice.planes; p++) {
		uint32_t count;
		egt->values[p] = el_table_values(egt->table, p, &count);
	}
}

static enum el_status egt_open(const char *path, struct el_cache *cache, struct el_source **out,
                               struct el_error *error)
{
	struct egt *egt = calloc(1, sizeof *egt);
	if (!egt || !(egt->head.path = strdup(path))) {
		free(egt);
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	}
	egt->head.ops = &el_source_egt;
	enum el_status status = el_table_open(path, &egt->table, error);
	if (status) {
		egt_close(&egt->head);
		return status;
	}
	fill_in(egt, cache);
	*out = &egt->head;
	return EL_OK;
}

const struct el_source_ops el_source_egt = {
	.kind = "egt",
	.extension = ".egt",
	.open = egt_open,
	.probe = probe,
	.close = egt_close,
};
