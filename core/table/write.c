/* SPDX-License-Identifier: MIT */
/*
 * Writing a table: the parts of the file, put in place whole or not at all. writer.h describes how
 * planes are written.
 *
 * If a side to move is left out, both planes are encoded and written, and the larger is dropped. If
 * that would take long, because the codec weighs planes or because they are large, samples tell the
 * heavier, which is dropped before any is written.
 */
#include "writer.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const struct write_limits usual_limits = {
	.whole = EL_PLANE_WHOLE,
	.window = 1 << 20,
};
static const struct write_limits sampling_limits = {
	.whole = EL_PLANE_WHOLE,
	.window = 1 << 20,
	.samples = true,
};

/* The fewest bytes that hold the size of the largest block. */
static unsigned size_bytes(const struct entry *entries, uint64_t count)
{
	uint32_t all = 0;
	for (uint64_t i = 0; i < count; i++)
		all |= entries[i].size;
	return all >> 24 ? 4 : all >> 16 ? 3 : all >> 8 ? 2 : 1;
}

static uint64_t blocks_size(const struct writer *w, unsigned plane)
{
	const struct el_table_info *info = &w->header.info;
	const struct entry *entries = w->entries + w->header.plane[plane].first_block;
	uint64_t size = 0;
	for (uint64_t i = 0; i < blocks_in_plane(info, plane); i++)
		size += entries[i].size;
	return size;
}

/* ---- a side to move that is left out ---- */

/* Finds out in advance which plane to leave out, if the codec weighs planes, or if the planes are
   large and samples of them differ enough. */
static enum el_status foresee_side(struct writer *w)
{
	const struct el_table_options *options = &w->header.info.options;
	const bool weighs = options->codec.codec->weigh,
		   large = w->header.info.positions[0] > w->limits->whole;
	const unsigned late = w->planes->told_late;
	double bits[2] = {0};
	enum el_status status = EL_OK;
	if (w->foreseen) /* with the orders */
		return EL_OK;
	if (late == 1 || late == 2) { /* only this one may be left out */
		w->foreseen = true;
		w->drops = late - 1;
		return EL_OK;
	}
	if (!weighs && !large)
		return EL_OK;
	for (unsigned p = 0; p < 2 && !status; p++)
		status = view_weigh(&(struct view_task){w->planes, p, options, w->path, w->watch},
		                    &bits[p], w->error);
	w->foreseen = fabs(bits[0] - bits[1]) > (weighs ? 0 : 0.05 * (bits[0] + bits[1]));
	w->drops = bits[0] > bits[1] ? 0 : 1;
	return status;
}

/* The bytes that a plane adds to the file. */
static uint64_t cost(const struct writer *w, unsigned plane)
{
	const struct table_header *h = &w->header;
	const uint64_t blocks = blocks_in_plane(&h->info, plane);
	const struct entry *entries = w->entries + h->plane[plane].first_block;
	return blocks_size(w, plane) + h->plane[plane].learned +
	       blocks * (size_bytes(entries, blocks) + BLOCK_CHECKSUM_SIZE) +
	       h->plane[plane].value_count * value_size(h->info.metric);
}

/* Drops the plane chosen in advance, or the larger of the two written. Only blocks are in the file
   so far; those left move up behind the header, which becomes shorter. */
static enum el_status drop_side(struct writer *w)
{
	enum { CHUNK = 1 << 20 }; /* bytes that are moved at a time */
	struct table_header *h = &w->header;
	struct el_table_options *options = &h->info.options;
	const unsigned drop = w->foreseen ? w->drops : cost(w, 0) > cost(w, 1) ? 0 : 1;
	const uint64_t from = table_header_size(h) + (drop ? 0 : blocks_size(w, 0));
	const uint64_t size = blocks_size(w, !drop);
	if (!drop)
		memmove(w->entries, w->entries + blocks_in_plane(&h->info, 0),
		        blocks_in_plane(&h->info, 1) * sizeof *w->entries);
	free(w->learned[drop]);
	w->learned[drop] = NULL;
	h->plane[drop].learned = 0;
	h->plane[drop].value_count = 0;
	options->order[drop] = (struct el_order){0};
	options->ordering = ordering_of(options->order);
	options->derive |= EL_DERIVE_SIDE;
	options->left_out = (uint8_t)(drop + 1);
	table_number(h); /* the other plane's order stays valid */

	w->offset = table_header_size(h);
	uint8_t *bytes = malloc(CHUNK);
	enum el_status status = bytes ? EL_OK : writer_out_of_memory(w);
	for (uint64_t done = 0; done < size && !status;) {
		const size_t most = size - done < CHUNK ? (size_t)(size - done) : CHUNK;
		const ssize_t got = pread(w->file.fd, bytes, most, (off_t)(from + done));
		if (got <= 0)
			status = el_fail(w->error, EL_IO, "%s: cannot read what was written: %m",
			                 w->path);
		else
			status = writer_append(w, bytes, (size_t)got);
		done += got > 0 ? (uint64_t)got : 0;
	}
	free(bytes);
	return status;
}

/* ---- the parts of the file ---- */

/* Sets what is known of the planes before any is written: orders, positions, values. */
static enum el_status describe(struct writer *w)
{
	struct el_table_info *info = &w->header.info;
	struct el_table_options *options = &info->options;
	enum el_status status = EL_OK;
	if (options->ordering == EL_ORDER_BEST) {
		const unsigned late = w->leaves_side ? w->planes->told_late : 0;
		struct view_task task = {w->planes, 0, options, w->path, w->watch};
		struct el_order order;
		unsigned kept = PLANES_ALIKE;
		if (w->leaves_side && !late)
			status = view_lighter(&task, &kept, &order, w->error);
		w->foreseen = kept != PLANES_ALIKE;
		w->drops = !kept;
		for (unsigned p = 0; p < info->slice.planes && !status; p++) {
			task.plane = p;
			if (w->foreseen)
				options->order[p] = order;
			else if (late != p + 1) /* that one is left out */
				status = view_best_order(&task, &options->order[p], w->error);
		}
		if (status)
			return status;
		options->ordering = ordering_of(options->order);
	}
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

static enum el_status write_directory(struct writer *w)
{
	struct table_header *h = &w->header;
	h->size_bytes = size_bytes(w->entries, h->info.block_count);
	const size_t size = (size_t)directory_size(h);
	uint8_t *bytes = malloc(size), *at = bytes;
	if (!bytes)
		return writer_out_of_memory(w);
	for (unsigned p = 0; p < 2; p++)
		if (h->plane[p].learned)
			at = (uint8_t *)mempcpy(at, w->learned[p], h->plane[p].learned);
	for (uint64_t i = 0; i < h->info.block_count; i++, at += entry_size(h)) {
		put_le(at, h->size_bytes, w->entries[i].size);
		put_le(at + h->size_bytes, BLOCK_CHECKSUM_SIZE, w->entries[i].checksum);
	}
	h->directory = w->offset;
	h->directory_checksum = table_checksum(bytes, size);
	enum el_status status = writer_append(w, bytes, size);
	free(bytes);
	h->info.bytes = w->offset;
	return status;
}

/* The header comes last because it holds the places of all other parts and the directory's
   checksum. */
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
		status = foresee_side(w);
	for (unsigned p = 0; p < info->slice.planes && !status; p++) {
		struct filling filling;
		if (w->foreseen && p == w->drops) {
			w->blocks += blocks_in_plane(info, p);
			continue;
		}
		status = filling_begin(w, p, &filling);
		if (!status)
			status = blocks_write(w, p, &filling);
		window_close(&w->window);
		view_close(&w->view);
	}
	if (!status && w->leaves_side)
		status = drop_side(w);
	if (!status)
		status = write_directory(w);
	if (!status && info->metric->by_clock)
		status = courses_write(w);
	if (status)
		return status;

	const size_t size = table_header_size(&w->header);
	uint8_t *bytes = malloc(size);
	if (!bytes)
		return writer_out_of_memory(w);
	status = table_header_write(&w->header, bytes, w->error);
	w->offset = 0;
	if (!status)
		status = writer_append(w, bytes, size);
	free(bytes);
	return status;
}

/* ---- the file as a whole ---- */

/* The blocks have been read back; this opens the file as any reader would, to check the header and
   directory too. Blocks moved since are read once more. */
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
	if (!status)
		status = el_table_check_courses(table, w->error);
	el_table_close(table);
	return status;
}

/* Can everything that the options ask for be left out? Errors as el_table_write. */
static enum el_status check_derive(const struct el_planes *planes, enum el_derive derive,
                                   struct el_error *error)
{
	for (unsigned p = 0; p < planes->slice.planes; p++)
		if (el_derive_tries(derive) && !planes->plane[p].derivable)
			return el_fail(error, EL_USAGE, "%s: it is not known what is derivable",
			               planes->slice.name);
	if (planes->metric->by_clock && !planes->courses)
		return el_fail(error, EL_USAGE, "%s: it is not known how %s changes with the clock",
		               planes->slice.name, planes->metric->name);
	enum el_status status = el_derive_tries(derive)
	                                ? el_captures_check(&planes->slice, planes->metric, error)
	                                : EL_OK;
	if (!status && derive & EL_DERIVE_OUTCOMES)
		status = el_outcomes_check(&planes->slice, planes->metric, error);
	if (status || !(derive & EL_DERIVE_SIDE))
		return status;
	status = el_side_check(&planes->slice, planes->metric, error);
	if (!status && el_planes_partial(planes))
		status = el_fail(
			error, EL_NEGATIVE,
			"%s: a side to move cannot be derived from bounds; build it without "
			"--derive side",
			planes->slice.name);
	return status;
}

static void set_info(struct writer *w, const struct el_table_options *from)
{
	const struct el_planes *planes = w->planes;
	struct el_table_info *info = &w->header.info;
	struct el_table_options *options = &info->options;
	*info = (struct el_table_info){
		.slice = planes->slice,
		.metric = planes->metric,
		.options = *from,
		.partial = el_planes_partial(planes),
	};
	/* Outcomes that are all known must make the same file, whether solved or read off
	   depths. */
	if ((planes->metric->has_depth || info->partial) && planes->passes <= EL_PLIES_MAX)
		info->passes = planes->passes;
	/* Options of an existing file: no side is left out yet, and a plane that the file lacks
	   gets the order of the other one. */
	for (unsigned p = 0; p < 2; p++)
		if (!el_table_keeps(options, p))
			options->order[p] = options->order[!p];
	options->derive &= ~(unsigned)EL_DERIVE_SIDE;
	options->left_out = 0;
}

static void writer_free(struct writer *w)
{
	free(w->learned[0]);
	free(w->learned[1]);
	free(w->entries);
	table_header_free(&w->header);
}

enum el_status table_weigh(const char *path, const struct el_planes *planes,
                           const struct el_table_options *options, const struct el_watch *watch,
                           uint64_t bytes[2], struct el_error *error)
{
	struct writer w = {.limits = &sampling_limits,
	                   .planes = planes,
	                   .watch = watch,
	                   .error = error,
	                   .path = path};
	set_info(&w, options);
	enum el_status status =
		check_derive(planes, options->derive & ~(unsigned)EL_DERIVE_SIDE, error);
	if (!status)
		status = el_temporary_file(path, &w.file, error);
	if (!status)
		status = write_parts(&w);
	for (unsigned p = 0; p < planes->slice.planes && !status; p++)
		bytes[p] = w.header.plane[p].learned + blocks_size(&w, p);
	el_temporary_remove(&w.file);
	writer_free(&w);
	return status;
}

/* As el_table_write_unnamed, within limits. */
static enum el_status write_unnamed(const struct write_limits *limits, const char *path,
                                    const struct el_planes *planes,
                                    const struct el_table_options *options,
                                    const struct el_watch *watch, struct el_temporary *out,
                                    uint64_t *bytes, struct el_error *error)
{
	struct writer w = {
		.limits = limits, .planes = planes, .watch = watch, .error = error, .path = path};
	struct el_table_options settled = *options;
	*out = (struct el_temporary){.path = NULL};
	enum el_status status = check_derive(planes, options->derive, error);
	if (!status && options->ordering == EL_ORDER_SMALLEST) {
		status = table_smallest_orders(path, planes, options, watch, settled.order, error);
		settled.ordering = ordering_of(settled.order);
	}
	if (status)
		return status;
	set_info(&w, &settled);
	/* A ply of search may not tell wins that come too late for a rule: see el_table_write. */
	w.leaves_side = options->derive & EL_DERIVE_SIDE && planes->slice.planes == 2 &&
	                (!el_planes_late(planes) || planes->told_late);
	status = el_temporary_file(path, &w.file, error);
	if (!status)
		status = write_parts(&w);
	if (!status && w.leaves_side && ftruncate(w.file.fd, (off_t)w.header.info.bytes))
		status = el_fail(error, EL_IO, "%s: cannot make it shorter: %m", path);
	w.offset = w.header.info.bytes;
	if (!status && planes->appendix)
		status = writer_append(&w, planes->appendix, planes->appendix_size);
	if (!status)
		status = open_again(&w);
	if (status)
		el_temporary_remove(&w.file);
	*out = w.file;
	if (!status && bytes)
		*bytes = w.header.info.bytes;
	writer_free(&w);
	return status;
}

enum el_status table_write_within(const struct write_limits *limits, const char *path,
                                  const struct el_planes *planes,
                                  const struct el_table_options *options,
                                  const struct el_watch *watch, uint64_t *bytes,
                                  struct el_error *error)
{
	struct el_temporary file;
	const enum el_status status =
		write_unnamed(limits, path, planes, options, watch, &file, bytes, error);
	return status ? status : el_temporary_publish(&file, path, error);
}

enum el_status el_table_write_unnamed(const char *path, const struct el_planes *planes,
                                      const struct el_table_options *options, bool proved,
                                      const struct el_watch *watch, struct el_temporary *out,
                                      uint64_t *bytes, struct el_error *error)
{
	const struct write_limits *limits = proved ? &sampling_limits : &usual_limits;
	return write_unnamed(limits, path, planes, options, watch, out, bytes, error);
}

enum el_status el_table_write(const char *path, const struct el_planes *planes,
                              const struct el_table_options *options, const struct el_watch *watch,
                              uint64_t *bytes, struct el_error *error)
{
	return table_write_within(&usual_limits, path, planes, options, watch, bytes, error);
}
