/* SPDX-License-Identifier: MIT */
/* Whole tables, block by block: checks their values and measures their speed. */
#include "core/whole/whole.h"
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>

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
		status = el_table_each_block(table, NULL, compare_singles, error);
	return status;
}
