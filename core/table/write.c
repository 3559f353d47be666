/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing a table: the parts of the file, put in place whole or not at all. writer.h says what
 * becomes of the planes.
 */
#include "writer.h"

#include <stdlib.h>
#include <unistd.h>

static const struct write_limits usual_limits = {
	.whole = EL_PLANE_WHOLE,
	.window = 1 << 20,
};

enum el_status writer_out_of_memory(const struct writer *w)
{
	return el_fail(w->error, EL_MEMORY, "%s: out of memory", w->path);
}

enum el_status writer_append(struct writer *w, const uint8_t *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t put =
			pwrite(w->file.fd, bytes + done, size - done, (off_t)(w->offset + done));
		if (put < 0)
			return el_fail(w->error, EL_IO, "%s: cannot write: %m", w->path);
		done += (size_t)put;
	}
	w->offset += size;
	return EL_OK;
}

/* ---- the parts of the file ---- */

static enum el_status write_plane(struct writer *w, unsigned plane)
{
	struct filling filling;
	enum el_status status = filling_begin(w, plane, &filling);
	if (!status)
		status = blocks_write(w, plane, &filling);
	window_close(&w->window);
	view_close(&w->view);
	return status;
}

unsigned writer_size_bytes(const struct entry *entries, uint64_t count)
{
	uint32_t all = 0;
	for (uint64_t i = 0; i < count; i++)
		all |= entries[i].size;
	return all >> 24 ? 4 : all >> 16 ? 3 : all >> 8 ? 2 : 1;
}

static void fill_directory(const struct writer *w, uint8_t *at)
{
	const struct table_header *h = &w->header;
	for (unsigned p = 0; p < 2; p++)
		if (h->plane[p].learned)
			at = (uint8_t *)mempcpy(at, w->learned[p], h->plane[p].learned);
	for (uint64_t i = 0; i < h->info.block_count; i++, at += entry_size(h)) {
		put_le(at, h->size_bytes, w->entries[i].size);
		put_le(at + h->size_bytes, BLOCK_CHECKSUM_SIZE, w->entries[i].checksum);
	}
}

static enum el_status write_directory(struct writer *w)
{
	struct table_header *h = &w->header;
	h->size_bytes = writer_size_bytes(w->entries, h->info.block_count);
	const size_t size = (size_t)directory_size(h);
	uint8_t *bytes = malloc(size);
	if (!bytes)
		return writer_out_of_memory(w);
	fill_directory(w, bytes);
	h->directory = w->offset;
	h->directory_checksum = table_checksum(bytes, size);
	enum el_status status = writer_append(w, bytes, size);
	free(bytes);
	h->info.bytes = w->offset;
	return status;
}

/* Last, because it tells the places of all others and the directory's checksum. */
static enum el_status write_header(struct writer *w)
{
	size_t size = table_header_size(&w->header);
	uint8_t *bytes = malloc(size);
	if (!bytes)
		return writer_out_of_memory(w);
	enum el_status status = table_header_write(&w->header, bytes, w->error);
	w->offset = 0;
	if (!status)
		status = writer_append(w, bytes, size);
	free(bytes);
	return status;
}

/* What can be told of the planes before any is written: orders, positions, values. */
static enum el_status describe(struct writer *w)
{
	struct el_table_info *info = &w->header.info;
	struct el_table_options *options = &info->options;
	enum el_status status = EL_OK;
	for (unsigned p = 0; p < info->slice.planes && !status; p++)
		if (options->ordering == EL_ORDER_BEST)
			status = view_best_order(
				&(struct view_task){w->planes, p, options, w->path, w->watch},
				&options->order[p], w->error);
	if (status)
		return status;
	if (options->ordering == EL_ORDER_BEST)
		options->ordering = options->order[0].count || options->order[1].count
		                            ? EL_ORDER_GIVEN
		                            : EL_ORDER_INDEX;
	status = table_number(&w->header);
	if (status == EL_MEMORY)
		return writer_out_of_memory(w);
	if (status)
		return el_fail(w->error, EL_USAGE, "%s: the order names other pieces",
		               info->slice.name);
	for (unsigned p = 0; p < info->slice.planes && !status; p++)
		status = view_values(w->planes, p, options, &w->header.plane[p], w->error);
	return status;
}

static enum el_status write_parts(struct writer *w)
{
	const struct el_table_info *info = &w->header.info;
	enum el_status status = describe(w);
	if (status)
		return status;
	w->entries = calloc(info->block_count, sizeof *w->entries);
	if (!w->entries)
		return writer_out_of_memory(w);
	w->offset = table_header_size(&w->header);
	if (w->leaves_side)
		status = side_foresee(w);
	for (unsigned p = 0; p < info->slice.planes && !status; p++) {
		if (!w->foreseen || p != w->drops)
			status = write_plane(w, p);
		else
			w->blocks += blocks_in_plane(info, p);
	}
	if (!status && w->leaves_side)
		status = side_drop(w);
	if (!status)
		status = write_directory(w);
	return status ? status : write_header(w);
}

/* ---- the file as a whole ---- */

/* The blocks have been read back; so is what leads to them, as every reader will. Blocks that were
   moved since are read once more. */
static enum el_status open_again(const struct writer *w)
{
	struct el_table *table;
	const uint64_t count = w->header.info.block_count;
	enum el_status status = el_table_open(w->file.path, &table, w->error);
	if (status)
		return status;
	for (uint64_t i = w->leaves_side ? 0 : count - 1; i < count && !status; i++) {
		uint8_t *bytes;
		size_t size;
		status = el_table_read_bytes(table, i, &bytes, &size, w->error);
		if (!status)
			free(bytes);
	}
	el_table_close(table);
	return status;
}

static enum el_status write_table(struct writer *w)
{
	enum el_status status = el_temporary_file(w->path, &w->file, w->error);
	if (!status)
		status = write_parts(w);
	if (!status && w->leaves_side && ftruncate(w->file.fd, (off_t)w->header.info.bytes))
		status = el_fail(w->error, EL_IO, "%s: cannot make it shorter: %m", w->path);
	if (!status)
		status = open_again(w);
	if (!status)
		return el_temporary_publish(&w->file, w->path, w->error);
	el_temporary_remove(&w->file);
	return status;
}

/* What nobody has looked for cannot be left out. */
static enum el_status check_derivable(const struct el_planes *planes,
                                      const struct el_table_options *options,
                                      struct el_error *error)
{
	for (unsigned p = 0; p < planes->slice.planes; p++)
		if (options->derive & EL_DERIVE_CAPTURES && !planes->plane[p].derivable)
			return el_fail(error, EL_USAGE, "%s: it is not known what is derivable",
			               planes->slice.name);
	return EL_OK;
}

/* Outcomes that are all known make the same file whether they were solved or read off depths. */
static unsigned passes_to_tell(const struct el_planes *planes)
{
	const bool tells = planes->metric->has_depth || el_planes_partial(planes);
	return tells && planes->passes <= EL_PLIES_MAX ? planes->passes : 0;
}

static void writer_free(struct writer *w)
{
	free(w->learned[0]);
	free(w->learned[1]);
	free(w->entries);
	table_header_free(&w->header);
}

static void set_info(struct writer *w, const struct el_table_options *options)
{
	w->header.info = (struct el_table_info){
		.slice = w->planes->slice,
		.metric = w->planes->metric,
		.options = *options,
		.passes = passes_to_tell(w->planes),
		.partial = el_planes_partial(w->planes),
	};
	side_forget(&w->header.info.options);
}

enum el_status table_weigh(const char *path, const struct el_planes *planes,
                           const struct el_table_options *options, const struct el_watch *watch,
                           uint64_t bytes[2], struct el_error *error)
{
	struct writer w = {.planes = planes, .watch = watch, .error = error, .path = path};
	w.limits = &usual_limits;
	set_info(&w, options);
	enum el_status status = check_derivable(planes, options, error);
	if (!status)
		status = el_temporary_file(path, &w.file, error);
	if (!status)
		status = write_parts(&w);
	const struct el_table_info *info = &w.header.info;
	uint64_t block = 0;
	for (unsigned p = 0; p < planes->slice.planes && !status; p++) {
		const uint64_t blocks = (info->positions[p] + options->block_positions - 1) /
		                        options->block_positions;
		bytes[p] = w.header.plane[p].learned;
		for (uint64_t end = block + blocks; block < end; block++)
			bytes[p] += w.entries[block].size;
	}
	el_temporary_remove(&w.file);
	writer_free(&w);
	return status;
}

/* The options with an order in place of a wish for the smallest. */
static enum el_status settle(const char *path, const struct el_planes *planes,
                             const struct el_table_options *options, const struct el_watch *watch,
                             struct el_table_options *out, struct el_error *error)
{
	*out = *options;
	if (options->ordering != EL_ORDER_SMALLEST)
		return EL_OK;
	enum el_status status =
		table_smallest_orders(path, planes, options, watch, out->order, error);
	out->ordering =
		out->order[0].count || out->order[1].count ? EL_ORDER_GIVEN : EL_ORDER_INDEX;
	return status;
}

enum el_status table_write_within(const struct write_limits *limits, const char *path,
                                  const struct el_planes *planes,
                                  const struct el_table_options *options,
                                  const struct el_watch *watch, uint64_t *bytes,
                                  struct el_error *error)
{
	struct writer w = {.planes = planes, .watch = watch, .error = error, .path = path};
	struct el_table_options settled;
	w.limits = limits;
	enum el_status status = check_derivable(planes, options, error);
	if (!status)
		status = side_plan(planes, options, &w.leaves_side, error);
	if (!status)
		status = settle(path, planes, options, watch, &settled, error);
	if (!status) {
		set_info(&w, &settled);
		status = write_table(&w);
	}
	if (!status && bytes)
		*bytes = w.header.info.bytes;
	writer_free(&w);
	return status;
}

enum el_status el_table_write(const char *path, const struct el_planes *planes,
                              const struct el_table_options *options, const struct el_watch *watch,
                              uint64_t *bytes, struct el_error *error)
{
	return table_write_within(&usual_limits, path, planes, options, watch, bytes, error);
}
