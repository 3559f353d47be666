/* SPDX-License-Identifier: MIT */
#include "loan.h"

#include "core/table/table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static enum el_status open_table(struct loan *l, const char *path, const struct el_metric *metric,
                                 struct el_error *error)
{
	if (el_table_open(path, &l->table, error))
		return EL_NEGATIVE; /* reading the planes whole will give the reason */
	const struct el_table_info *info = el_table_info(l->table);
	/* Does the file hold all values, in the order of the index? */
	if (info->options.derive != EL_DERIVE_NOTHING || info->options.ordering != EL_ORDER_INDEX ||
	    info->partial) {
		el_table_close(l->table);
		l->table = NULL;
		return EL_NEGATIVE;
	}
	metric = metric ? metric : info->metric;
	l->planes = (struct el_planes){
		.slice = info->slice,
		.metric = metric,
		.origin = {.metric = info->metric, .identity = info->checksum},
	};
	for (unsigned p = 0; p < info->slice.planes; p++) {
		struct el_plane *plane = &l->planes.plane[p];
		const struct el_value *values = el_table_values(l->table, p, &plane->value_count);
		plane->values = malloc(plane->value_count * sizeof *plane->values);
		if (!plane->values)
			return el_fail(error, EL_MEMORY, "%s: out of memory", info->slice.name);
		for (uint32_t v = 0; v < plane->value_count; v++)
			plane->values[v] = el_metric_read(info->metric, metric, values[v]);
		l->side[p].loan = l;
		l->side[p].plane = p;
	}
	return EL_OK;
}

enum el_status loan_open(struct loan *l, struct el_library *library, const struct el_slice *slice,
                         const struct el_metric *metric, struct scratch *scratch,
                         struct el_error *error)
{
	char path[PATH_MAX];
	const char *folder = el_library_directory(library);
	const struct el_metric *from = NULL;
	*l = (struct loan){.scratch = scratch};
	el_table_file_name(folder, slice, metric, path, sizeof path);
	enum el_status status = open_table(l, path, metric, error);
	while (status == EL_NEGATIVE && (from = el_library_next_metric(library, slice, from))) {
		el_table_file_name(folder, slice, from, path, sizeof path);
		if (el_metric_tells(from, metric))
			status = open_table(l, path, metric, error);
	}
	if (status)
		loan_close(l);
	return status;
}

enum el_status loan_open_file(struct loan *l, const char *path, struct scratch *scratch,
                              struct el_error *error)
{
	*l = (struct loan){.scratch = scratch};
	const enum el_status status = open_table(l, path, NULL, error);
	if (status)
		loan_close(l);
	return status;
}

void loan_close(struct loan *l)
{
	for (unsigned p = 0; p < 2; p++)
		paged_close(&l->side[p].chunks);
	el_planes_free(&l->planes);
	if (l->table)
		el_table_close(l->table);
	*l = (struct loan){.table = NULL};
}

/* ---- chunks ---- */

static enum el_status load(void *context, size_t chunk, void *bytes, struct el_error *error)
{
	const struct loan_side *side = context;
	const struct loan *l = side->loan;
	const struct el_table_info *info = el_table_info(l->table);
	const size_t block_count = info->options.block_positions;
	/* positions from the start of the chunk on */
	const uint64_t after = info->slice.positions - chunk * l->count;
	const size_t count = after < l->count ? (size_t)after : l->count;
	uint16_t *out = bytes, *block = malloc(block_count * sizeof *block);
	enum el_status status =
		block ? EL_OK : el_fail(error, EL_MEMORY, "%s: out of memory", info->slice.name);
	for (size_t done = 0; done < count && !status;) {
		const uint64_t index = chunk * l->count + done;
		const size_t at = (size_t)(index % block_count);
		const size_t rest = count - done, there = block_count - at;
		const size_t now = rest < there ? rest : there;
		status = el_table_read_block(
			l->table, el_table_block_of(l->table, side->plane, index), block, error);
		if (!status)
			memcpy(out + done, block + at, now * sizeof *out);
		done += now;
	}
	free(block);
	return status;
}

const uint16_t *loan_look(struct loan *l, unsigned plane, uint64_t first, size_t count)
{
	bool good = true;
	/* The first request sets the size of all chunks. */
	if (!l->count)
#pragma omp critical(loan)
		if (!l->count) {
			const size_t chunks =
				(size_t)((l->planes.slice.positions + count - 1) / count);
			for (unsigned p = 0; p < l->planes.slice.planes && good; p++)
				good = l->side[p].chunks.page ||
				       !paged_open_from(&l->side[p].chunks, l->scratch, chunks,
				                        count * sizeof(uint16_t), load,
				                        &l->side[p]);
			if (good)
				l->count = count;
			else
				scratch_refuse(l->scratch);
		}
	return !good ? NULL : page_read(&l->side[plane].chunks, (size_t)(first / count));
}

void loan_let_go(struct loan *l, unsigned plane, uint64_t first, size_t count)
{
	page_release(&l->side[plane].chunks, (size_t)(first / count));
}
