/* SPDX-License-Identifier: MIT */
/*
 * Several tables as one candidate: what they come to if what the codec learns (a dictionary, a grammar,
 * ranks) is learned once for each side to move, from all of them, and stored once. No file is written,
 * since a table has to hold what it needs: blocks are encoded as the writer would, and counted.
 */
#include "core/table/view.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

enum {
	SHARED_MOST = 1 << 27
}; /* positions: all 35 endings of three and four pieces have 125 million */

/* A plane of one of the slices, in its own order and with its own symbols. */
struct member {
	uint16_t *symbols; /* owned, like the others */
	uint8_t *care;
	struct el_value *values;
	uint32_t value_count;
	uint64_t positions;
	uint32_t row;
};

/* ---- reading ---- */

static enum el_status read_member(const struct slice_ground *ground, unsigned plane,
                                  const struct el_table_options *options,
                                  const struct el_watch *watch, struct member *m,
                                  struct el_error *error)
{
	const struct el_slice *slice = &ground->planes.slice;
	const struct view_task task = {&ground->planes, plane, options, ground->folder.table,
	                               watch};
	struct table_plane file = {0};
	struct view view = {0};
	numbering_make(slice, &options->order[plane], &file.numbering);
	enum el_status status = view_values(&ground->planes, plane, options, &file, error);
	if (!status)
		status = view_open(&task, &file, &view, error);
	m->values = file.values;
	m->value_count = file.value_count;
	m->positions = file.numbering.positions;
	m->row = file.numbering.row;
	m->symbols = malloc(m->positions * sizeof *m->symbols);
	m->care = malloc(m->positions);
	if (!status && (!m->symbols || !m->care))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	if (!status)
		status = view_read(&view, 0, (size_t)m->positions, m->symbols, m->care, error);
	view_close(&view);
	return status;
}

/* ---- encoding ---- */

/* Encodes the planes as one, in blocks that belong to one of them each. Adds the bytes of blocks and of
   what was learned. Each plane begins with a block of `all`. */
static enum el_status encode(const struct el_table_options *options,
                             const struct el_codec_params *params, const struct el_codec_plane *all,
                             const struct member *members, size_t count,
                             const struct el_watch *watch, uint64_t *bytes, struct el_error *error)
{
	const struct el_codec *codec = options->codec.codec;
	const size_t block = options->block_positions, room = codec->bound(params, block);
	const bool learns = codec->prepare && (!codec->prepares || codec->prepares(params));
	uint8_t *learned = NULL;
	size_t learned_size = 0;
	uint64_t sum = 0;
	enum el_way way;
	enum el_status status =
		el_fill_choose(options->fill, codec, params, all, watch, &way, error);
	if (!status && learns)
		status = codec->prepare(params, all, watch, &learned, &learned_size, error);
	const uint64_t blocks = (all->positions + block - 1) / block;
#pragma omp parallel reduction(+ : sum)
	{
		struct el_error one_error;
		void *coder = NULL;
		uint8_t *out = malloc(room + 1);
		enum el_status one =
			status ? status
			: out  ? codec->open(params, learned, learned_size, &coder, &one_error)
			       : el_fail(&one_error, EL_MEMORY, "shared: out of memory");
#pragma omp for schedule(dynamic, 16)
		for (uint64_t b = 0; b < blocks; b++) {
			/* The plane that has the block, and its positions there. */
			uint64_t first = 0, next;
			size_t i = 0, size, here;
			for (; i < count; i++, first = next) {
				next = first + (members[i].positions + block - 1) / block * block;
				if (b * block < next)
					break;
			}
			const uint64_t rest = members[i].positions - (b * block - first);
			here = rest < block ? (size_t)rest : block;
			if (!one)
				one = codec->encode(coder, all->symbols + b * block, here, out,
				                    room, &size, &one_error);
			sum += one ? 0 : size;
		}
		if (coder)
			codec->close(coder);
		free(out);
#pragma omp critical(lab_shared)
		if (one && !status)
			status = el_fail(error, one, "%s", one_error.text);
	}
	free(learned);
	*bytes += sum + learned_size;
	return status;
}

/* Broken before all others, then the worst first. */
static int worst_first(const void *one, const void *other, void *metric)
{
	const struct el_value a = *(const struct el_value *)one,
			      b = *(const struct el_value *)other;
	return a.outcome == EL_BROKEN || b.outcome == EL_BROKEN
	               ? (a.outcome != EL_BROKEN) - (b.outcome != EL_BROKEN)
	               : el_value_compare(metric, a, b);
}

/* Puts planes one after another, with symbols for the values of all of them, and adds their bytes. */
static enum el_status add_bytes(const struct el_table_options *options,
                                const struct el_metric *metric, const struct member *members,
                                size_t count, const struct el_watch *watch, uint64_t *bytes,
                                struct el_error *error)
{
	const uint64_t block = options->block_positions;
	uint64_t positions = 0, at = 0;
	size_t all = 0, different = 0;
	for (size_t i = 0; i < count; i++) {
		positions = (positions + block - 1) / block * block + members[i].positions;
		all += members[i].value_count;
	}
	struct el_value *values = malloc((all + 1) * sizeof *values);
	uint16_t *symbols = calloc(positions + 1, sizeof *symbols),
		 *becomes = malloc((all + 1) * sizeof *becomes);
	uint8_t *care = malloc(positions + 1);
	enum el_status status = values && symbols && becomes && care
	                                ? EL_OK
	                                : el_fail(error, EL_MEMORY, "shared: out of memory");
	for (size_t i = 0, n = 0; i < count && !status; n += members[i++].value_count)
		memcpy(values + n, members[i].values, members[i].value_count * sizeof *values);
	if (!status)
		qsort_r(values, all, sizeof *values, worst_first, (void *)(uintptr_t)metric);
	for (size_t i = 0; i < all && !status; i++)
		if (!different || !el_value_equal(values[different - 1], values[i]))
			values[different++] = values[i];
	if (!status && different > UINT16_MAX)
		status = el_fail(error, EL_USAGE, "shared: %zu values, expected at most %d",
		                 different, UINT16_MAX);
	if (!status)
		memset(care, EL_CARE_NOT, positions);
	for (size_t i = 0; i < count && !status; i++) {
		const struct member *m = &members[i];
		for (uint32_t v = 0, k = 0; v < m->value_count; v++) {
			while (!el_value_equal(values[k], m->values[v]))
				k++;
			becomes[v] = (uint16_t)k;
		}
		for (uint64_t k = 0; k < m->positions; k++)
			symbols[at + k] = becomes[m->symbols[k]];
		memcpy(care + at, m->care, m->positions);
		at += (m->positions + block - 1) / block * block;
	}
	struct el_codec_params params = {.value_count = (uint32_t)different,
	                                 .block_positions = options->block_positions};
	memcpy(params.option, options->codec.option, sizeof params.option);
	const struct el_codec_plane plane = {
		.symbols = symbols, .care = care, .positions = positions, .row = members->row};
	if (!status)
		status = encode(options, &params, &plane, members, count, watch, bytes, error);
	free(values);
	free(symbols);
	free(becomes);
	free(care);
	return status;
}

/* ---- all of it ---- */

enum el_status el_lab_share(struct el_library *library, const struct el_slice *slices, size_t count,
                            const struct el_metric *metric, const struct el_table_options *options,
                            const struct el_watch *watch, struct el_lab_shared *out,
                            struct el_error *error)
{
	/* Of one side to move, then of the other: their values differ, wins here and losses there. */
	struct member *members = calloc(2 * count, sizeof *members);
	struct el_table_options own = *options;
	uint64_t positions = 0;
	size_t n[2] = {0};
	enum el_status status =
		members ? EL_OK : el_fail(error, EL_MEMORY, "%zu slices: out of memory", count);
	*out = (struct el_lab_shared){0};
	own.derive &= EL_DERIVE_CAPTURES;
	if (!status && own.codec.codec->looks)
		status = el_fail(error, EL_USAGE,
		                 "codec %s learns from the board of each table, not from several",
		                 own.codec.codec->name);
	for (size_t i = 0; i < count && !status; i++) {
		struct slice_ground ground;
		struct el_table_options found;
		status = slice_open(library, &slices[i], metric, NULL, watch, &ground, error);
		if (!status)
			status = slice_options(&ground, &own, watch, &found, error);
		for (unsigned p = 0; p < slices[i].planes && !status; p++) {
			struct member *m = &members[p * count + n[p]++];
			status = read_member(&ground, p, &found, watch, m, error);
			positions += m->positions;
		}
		slice_close(&ground);
		if (!status && positions > SHARED_MOST)
			status = el_fail(error, EL_USAGE,
			                 "shared: found more than %d million positions, which are "
			                 "too many to learn from at once",
			                 SHARED_MOST >> 20);
	}
	for (unsigned p = 0; p < 2 && !status; p++) {
		const struct member *side = members + p * count;
		for (size_t i = 0; i < n[p] && !status; i++)
			status = add_bytes(&own, metric, &side[i], 1, watch, &out->apart, error);
		if (!status && n[p])
			status = add_bytes(&own, metric, side, n[p], watch, &out->together, error);
	}
	for (size_t i = 0; members && i < 2 * count; i++) {
		free(members[i].symbols);
		free(members[i].care);
		free(members[i].values);
	}
	free(members);
	return status;
}
