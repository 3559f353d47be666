/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole table in memory: all blocks, in the order of the index. */
#include "format.h"

#include <stdlib.h>

static enum el_status no_room(const struct el_table *t, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: out of memory", el_table_path(t));
}

/* A plane in the order of the file. Of several damaged blocks the first is reported. */
static enum el_status read_blocks(struct el_table *t, unsigned plane, uint16_t *symbols,
                                  struct el_error *error)
{
	const struct el_table_info *info = el_table_info(t);
	uint64_t first = blocks_before_plane(info, plane), count = blocks_in_plane(info, plane);
	uint64_t worst = UINT64_MAX;
	enum el_status status = EL_OK;
#pragma omp parallel for schedule(dynamic, 1)
	for (uint64_t b = 0; b < count; b++) {
		struct el_error one_error;
		enum el_status one = el_table_read_block(
			t, first + b, symbols + b * info->options.block_positions, &one_error);
		if (one) {
#pragma omp critical(table_read_error)
			if (b < worst) {
				worst = b;
				status = el_fail(error, one, "%s", one_error.text);
			}
		}
	}
	return status;
}

/* Brings a plane into the order of the index. */
static enum el_status gather(const struct el_table *t, unsigned plane, uint16_t **symbols,
                             struct el_error *error)
{
	const struct el_table_info *info = el_table_info(t);
	const struct el_slice *slice = &info->slice;
	struct numbering n;
	/* The order was good when the table was opened. */
	numbering_make(slice, &info->options.order[plane], &n);
	if (!n.count)
		return EL_OK;
	uint16_t *by_index = malloc(slice->positions * sizeof *by_index);
	if (!by_index)
		return no_room(t, error);
#pragma omp parallel for
	for (uint64_t i = 0; i < slice->positions; i++)
		by_index[i] = (*symbols)[numbering_of_index(&n, slice, i)];
	free(*symbols);
	*symbols = by_index;
	return EL_OK;
}

static enum el_status read_plane(struct el_table *t, unsigned p, struct el_plane *plane,
                                 struct el_error *error)
{
	const struct el_table_info *info = el_table_info(t);
	const struct el_value *values = el_table_values(t, p, &plane->value_count);
	const bool kept = el_table_keeps(&info->options, p);
	plane->symbols = kept ? malloc(info->positions[p] * sizeof *plane->symbols)
	                      : calloc(info->slice.positions, sizeof *plane->symbols);
	plane->values = malloc(plane->value_count * sizeof *plane->values);
	if (!plane->symbols || !plane->values)
		return no_room(t, error);
	memcpy(plane->values, values, plane->value_count * sizeof *values);
	if (!kept)
		return EL_OK;
	enum el_status status = read_blocks(t, p, plane->symbols, error);
	if (!status)
		status = gather(t, p, &plane->symbols, error);
	return status ? status : el_plane_canonical(plane, info->slice.positions, error);
}

enum el_status el_table_read(struct el_table *t, struct el_planes *out, struct el_error *error)
{
	const struct el_table_info *info = el_table_info(t);
	*out = (struct el_planes){
		.slice = info->slice,
		.metric = info->metric,
		.passes = info->passes,
	};
	enum el_status status = EL_OK;
	for (unsigned p = 0; p < info->slice.planes && !status; p++)
		status = read_plane(t, p, &out->plane[p], error);
	if (status)
		el_planes_free(out);
	return status;
}
