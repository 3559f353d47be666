/* SPDX-License-Identifier: MIT */
/* Whole tables, block by block: checks their values and measures their speed. */
#include "core/whole/whole.h"
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- each block ---- */

enum el_status each_block(struct el_table *table, block_visit *visit, struct el_error *error)
{
	const struct el_table_info *info = el_table_info(table);
	enum el_status status = EL_OK;
#pragma omp parallel
	{
		uint16_t *symbols = malloc(info->options.block_positions * sizeof *symbols);
#pragma omp for schedule(dynamic, 1)
		for (uint64_t b = 0; b < info->block_count; b++) {
			struct el_error one_error;
			enum el_status now;
#pragma omp atomic read
			now = status;
			if (now)
				continue;
			enum el_status one =
				symbols ? el_table_read_block(table, b, symbols, &one_error)
					: el_fail(&one_error, EL_MEMORY, "%s: out of memory",
			                          el_table_path(table));
			if (!one && visit)
				one = visit(table, b, symbols, el_table_block_count(table, b),
				            &one_error);
			if (!one)
				continue;
#pragma omp critical(lab_blocks)
			{
				el_fail(error, one, "%s", one_error.text);
#pragma omp atomic write
				status = one;
			}
		}
		free(symbols);
	}
	return status;
}

/* ---- comparing ---- */

static enum el_status compare_singles(struct el_table *table, uint64_t block,
                                      const uint16_t *symbols, size_t count, struct el_error *error)
{
	uint8_t *bytes;
	size_t size, different = 0;
	enum el_status status = el_table_read_bytes(table, block, &bytes, &size, error);
	if (status)
		return status;
	for (size_t i = 0; i < count && !status; i++) {
		uint16_t symbol;
		status = el_table_decode_one(table, block, bytes, size, i, &symbol, error);
		different += !status && symbol != symbols[i];
	}
	free(bytes);
	if (!status && different)
		status =
			el_fail(error, EL_DAMAGED,
		                "block %" PRIu64 ": %zu of %zu positions decoded one by one differ "
		                "from the block decoded as a whole",
		                block, different, count);
	return status;
}

enum el_status compare_table(struct el_library *library, struct el_table *table,
                             const struct el_planes *truth, struct pace *pace,
                             struct el_error *error)
{
	enum el_status status = pace_tick(pace, "comparing", error);
	struct el_planes found;
	if (!status)
		status = el_table_read(table, &found, error);
	if (status)
		return status;
	status = el_library_complete(library, &found, el_table_path(table), el_table_info(table),
	                             NULL, &pace->inner, error);
	uint64_t different = 0; /* legal positions with different values */
	for (unsigned p = 0; p < truth->slice.planes && !status; p++)
		for (uint64_t i = 0; i < truth->slice.positions; i++)
			different += truth->plane[p].symbols[i] &&
			             !el_value_equal(el_plane_value(&truth->plane[p], i),
			                             el_plane_value(&found.plane[p], i));
	el_planes_free(&found);
	if (different)
		status =
			el_fail(error, EL_DAMAGED,
		                "%" PRIu64 " positions read back differently from what was written",
		                different);
	if (!status)
		status = pace_tick(pace, "comparing", error);
	if (!status && el_table_info(table)->options.codec.codec->decode_one)
		status = each_block(table, compare_singles, error);
	return status;
}
