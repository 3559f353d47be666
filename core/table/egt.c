/* SPDX-License-Identifier: MIT */
/* Our own tables as a source: their names, and their values through the block cache. */
#include "source.h"
#include "table.h"

#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names of files ---- */

enum { NAME_MAX_HERE = EL_SLICE_MAX + 32 };

/* Colons separate folders in lists, so no file name may contain one. */
static void swap_letters(char *text, char from, char to)
{
	for (; (text = strchr(text, from)); text++)
		*text = to;
}

/* Without a folder. */
static void write_name(const struct el_slice *slice, const struct el_metric *metric,
                       char out[NAME_MAX_HERE])
{
	snprintf(out, NAME_MAX_HERE, "%s.%s.egt", slice->name, metric->name);
	swap_letters(out, ':', '-');
}

void el_table_file_name(const char *directory, const struct el_slice *slice,
                        const struct el_metric *metric, char *out, size_t size)
{
	char name[NAME_MAX_HERE];
	write_name(slice, metric, name);
	snprintf(out, size, "%s/%s", directory, name);
}

bool file_name_parse(const char *path, struct el_slice *slice, const struct el_metric **metric)
{
	const char *name = basename(path);
	char parts[NAME_MAX_HERE], again[NAME_MAX_HERE];
	if (snprintf(parts, sizeof parts, "%s", name) >= (int)sizeof parts)
		return false;
	char *rest = parts, *first = strsep(&rest, "."), *second = strsep(&rest, ".");
	swap_letters(first, '-', ':');
	*metric = second ? el_metric_find(second) : NULL;
	if (!*metric || el_slice_parse(first, slice, NULL) || !el_game_has(slice->game, *metric))
		return false;
	write_name(slice, *metric, again);
	return !strcmp(name, again);
}

/* ---- the source ---- */

struct egt {
	struct el_source head;
	struct el_table *table;
	struct el_cache *cache;
	const struct el_value *values[2];
	bool one_by_one; /* blocks are kept as they are in the file */
	bool stops;      /* the codec need not decode all of a block */
};

static enum el_status load(void *context, uint64_t block, uint16_t *symbols, size_t count,
                           struct el_error *error)
{
	const struct egt *egt = context;
	return el_table_read_front(egt->table, block, symbols, count, error);
}

static enum el_status load_bytes(void *context, uint64_t block, uint8_t **bytes, size_t *size,
                                 struct el_error *error)
{
	const struct egt *egt = context;
	return el_table_read_bytes(egt->table, block, bytes, size, error);
}

static enum el_status read_one(void *context, uint64_t block, const uint8_t *bytes, size_t size,
                               size_t at, uint16_t *symbol, struct el_error *error)
{
	const struct egt *egt = context;
	return el_table_decode_one(egt->table, block, bytes, size, at, symbol, error);
}

static enum el_status probe(struct el_source *source, const struct el_position *position,
                            const struct el_place *place, bool soft, struct el_value *value,
                            struct el_error *error)
{
	struct egt *egt = (struct egt *)source;
	const struct el_cache_loader loader = {egt, egt->stops, load};
	const struct el_cache_reader reader = {egt, soft ? NULL : load_bytes, read_one};
	struct el_table_spot spot;
	uint16_t symbol;
	if (source->plies_only && source->left_out >> place->plane & 1) {
		value->outcome = EL_UNKNOWN;
		return EL_OK;
	}
	el_table_find(egt->table, place, &spot);
	enum el_status status =
		egt->one_by_one
			? el_cache_read(egt->cache, egt->head.owner, spot.block, spot.at, &reader,
	                                &symbol, error)
			: el_cache_symbol(egt->cache, egt->head.owner, spot.block, spot.count,
	                                  spot.at, soft ? NULL : &loader, &symbol, error);
	if (status)
		return status;
	const struct el_value stored = egt->values[place->plane][symbol];
	*value = source->plies_only ? table_told(source->metric, *value, stored) : stored;
	return el_table_at_clock(egt->table, egt->cache, egt->head.owner, place, position->halfmove,
	                         soft, value, error);
}

static void egt_close(struct el_source *source)
{
	struct egt *egt = (struct egt *)source;
	if (egt->head.owner)
		el_cache_forget(egt->cache, egt->head.owner);
	el_table_close(egt->table);
	free(source->path);
	free(egt);
}

static enum el_status egt_read(const char *path, struct el_table_info *info, struct el_planes *out,
                               struct el_error *error)
{
	struct el_table *table;
	enum el_status status = el_table_open(path, &table, error);
	if (status)
		return status;
	*info = *el_table_info(table);
	status = el_table_read(table, out, error);
	el_table_close(table);
	return status;
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
	const struct el_table_info *info = el_table_info(egt->table);
	if (info->slice.is_study) {
		egt_close(&egt->head);
		return el_fail(error, EL_DAMAGED, "%s: expected a table, found a study", path);
	}
	egt->head.slice = info->slice;
	egt->head.metric = info->metric;
	egt->head.form = &info->options;
	egt->head.bytes = info->bytes;
	egt->head.checksum = info->checksum;
	if (info->options.derive & EL_DERIVE_CAPTURES)
		memset(egt->head.beside, EL_BESIDE_CAPTURES, sizeof egt->head.beside);
	egt->head.plies_only = info->options.derive & EL_DERIVE_OUTCOMES;
	for (unsigned p = 0; p < info->slice.planes; p++)
		egt->head.left_out |= (uint8_t)(!el_table_keeps(&info->options, p) << p);
	egt->head.partial = info->partial;
	el_table_options_format(&info->slice, &info->options, egt->head.detail,
	                        sizeof egt->head.detail);
	const char *side = el_table_side(&info->options);
	if (info->partial)
		el_text_add(egt->head.detail, sizeof egt->head.detail, " partial");
	else if (side)
		el_text_add(egt->head.detail, sizeof egt->head.detail, ", %s", side);
	egt->cache = cache;
	egt->head.owner = el_cache_owner(cache);
	egt->one_by_one = info->options.codec.codec->decode_one;
	egt->stops = info->options.codec.codec->stops;
	for (unsigned p = 0; p < info->slice.planes; p++) {
		uint32_t count;
		egt->values[p] = el_table_values(egt->table, p, &count);
	}
	*out = &egt->head;
	return EL_OK;
}

const struct el_source_ops el_source_egt = {
	.kind = "egt",
	.extension = ".egt",
	.named = file_name_parse,
	.open = egt_open,
	.probe = probe,
	.close = egt_close,
	.read = egt_read,
};
