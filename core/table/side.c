/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A side to move that is left out: the one that takes more bytes, once both planes have been
 * encoded and written; or, where the codec weighs planes because it takes long to encode them, the
 * heavier one before any is written. The file closes up behind the header, which has become
 * shorter.
 */
#include "writer.h"

#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 1 << 20 }; /* bytes that are moved at a time */

/* ---- whether ---- */

enum el_status side_plan(const struct el_planes *planes, const struct el_table_options *options,
                         bool *leaves, struct el_error *error)
{
	*leaves = false;
	if (!(options->derive & EL_DERIVE_SIDE))
		return EL_OK;
	enum el_status status = el_side_check(&planes->slice, planes->metric, error);
	if (!status && el_planes_partial(planes))
		status = el_fail(
			error, EL_NEGATIVE,
			"%s: a side to move cannot be derived from bounds; build it without "
			"--derive side",
			planes->slice.name);
	/* Of wins that a rule comes too late for a ply of search does not tell enough: see
	   el_table_write. */
	*leaves = !status && planes->slice.planes == 2 && !el_planes_late(planes);
	return status;
}

void side_forget(struct el_table_options *options)
{
	for (unsigned p = 0; p < 2; p++)
		if (!el_table_keeps(options, p))
			options->order[p] = options->order[!p];
	options->derive &= ~(unsigned)EL_DERIVE_SIDE;
	options->left_out = 0;
}

/* ---- which ---- */

static uint64_t blocks_size(const struct writer *w, unsigned plane)
{
	const struct el_table_info *info = &w->header.info;
	const struct entry *entries = w->entries + blocks_before_plane(info, plane);
	uint64_t size = 0;
	for (uint64_t i = 0; i < blocks_in_plane(info, plane); i++)
		size += entries[i].size;
	return size;
}

/* All that a plane adds to the file. */
static uint64_t cost(const struct writer *w, unsigned plane)
{
	const struct table_header *h = &w->header;
	const uint64_t blocks = blocks_in_plane(&h->info, plane);
	const struct entry *entries = w->entries + blocks_before_plane(&h->info, plane);
	return blocks_size(w, plane) + h->plane[plane].learned +
	       blocks * (writer_size_bytes(entries, blocks) + BLOCK_CHECKSUM_SIZE) +
	       h->plane[plane].value_count * value_size(h->info.metric);
}

/* ---- leaving it out ---- */

/* Of the header and the directory; the blocks stay where they are. */
static void forget_plane(struct writer *w, unsigned plane)
{
	struct table_header *h = &w->header;
	struct el_table_options *options = &h->info.options;
	if (!plane)
		memmove(w->entries, w->entries + blocks_in_plane(&h->info, 0),
		        blocks_in_plane(&h->info, 1) * sizeof *w->entries);
	free(w->learned[plane]);
	w->learned[plane] = NULL;
	h->plane[plane].learned = 0;
	h->plane[plane].value_count = 0;
	options->order[plane] = (struct el_order){0};
	options->ordering = options->order[!plane].count ? EL_ORDER_GIVEN : EL_ORDER_INDEX;
	options->derive |= EL_DERIVE_SIDE;
	options->left_out = (uint8_t)(plane + 1);
	table_number(h); /* the other plane's order is as good as it was */
}

/* Moves bytes of the file to where it is written next. */
static enum el_status move_down(struct writer *w, uint64_t from, uint64_t size)
{
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

enum el_status side_foresee(struct writer *w)
{
	const struct el_table_options *options = &w->header.info.options;
	double bits[2] = {0};
	enum el_status status = EL_OK;
	if (!options->codec.codec->weigh || !options->order[0].count || !options->order[1].count)
		return EL_OK;
	for (unsigned p = 0; p < 2 && !status; p++)
		status = view_weigh(&(struct view_task){w->planes, p, options, w->path, w->watch},
		                    &bits[p], w->error);
	w->foreseen = bits[0] != bits[1];
	w->drops = bits[0] > bits[1] ? 0 : 1;
	return status;
}

enum el_status side_drop(struct writer *w)
{
	const unsigned drop = w->foreseen ? w->drops : cost(w, 0) > cost(w, 1) ? 0 : 1;
	const uint64_t begin = table_header_size(&w->header) + (drop ? 0 : blocks_size(w, 0));
	const uint64_t size = blocks_size(w, !drop);
	forget_plane(w, drop);
	w->offset = table_header_size(&w->header);
	return move_down(w, begin, size);
}
