/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fill stage: what a codec sees where a position's symbol is free to be chosen. */
#include "endlab/codec.h"

#include "names.h"

#include <stdlib.h>

const char *const el_fill_names[] = {
	[EL_FILL_NONE] = "none",
	[EL_FILL_PREVIOUS] = "previous",
	[EL_FILL_BEST] = "best",
	NULL,
};

enum el_status el_fill_parse(const char *text, enum el_fill *out, struct el_error *error)
{
	char known[128] = "";
	for (unsigned i = 0; el_fill_names[i]; i++) {
		if (!strcmp(el_fill_names[i], text)) {
			*out = (enum el_fill)i;
			return EL_OK;
		}
		names_add(known, sizeof known, el_fill_names[i]);
	}
	return el_fail(error, EL_USAGE, "unknown fill '%s': expected one of %s", text, known);
}

static bool allowed(uint16_t symbol, uint16_t own, uint8_t care)
{
	return care == EL_CARE_NOT || symbol == own || (care == EL_CARE_AT_MOST && symbol < own);
}

/* What each position would best be: the symbol before it, or the one a row before it. Those free
   ones before the first that is not take its symbol. */
static void fill_from(const struct el_codec_plane *plane, uint64_t distance)
{
	uint16_t *s = plane->symbols;
	uint64_t first = 0;
	while (first < plane->positions && plane->care[first] == EL_CARE_NOT)
		first++;
	uint16_t last = first < plane->positions ? s[first] : 0;
	for (uint64_t i = 0; i < plane->positions; i++) {
		if (i >= distance && allowed(s[i - distance], s[i], plane->care[i]))
			s[i] = s[i - distance];
		else if (allowed(last, s[i], plane->care[i]))
			s[i] = last;
		last = s[i];
	}
}

/* ---- the best of several ---- */

/* The bytes that a plane takes, learned ones included. */
static enum el_status measure(const struct el_codec *codec, const struct el_codec_params *params,
                              const struct el_codec_plane *plane, const struct el_watch *watch,
                              uint64_t *bytes, struct el_error *error)
{
	uint8_t *learned = NULL;
	size_t learned_size = 0, room = codec->bound(params, params->block_positions);
	uint8_t *out = malloc(room + !room);
	void *coder = NULL;
	enum el_status status = out ? EL_OK : el_fail(error, EL_MEMORY, "fill: out of memory");
	if (!status && codec->prepare)
		status = codec->prepare(params, plane->symbols, plane->positions, watch, &learned,
		                        &learned_size, error);
	if (!status)
		status = codec->open(params, learned, learned_size, &coder, error);
	*bytes = learned_size;
	for (uint64_t i = 0; i < plane->positions && !status; i += params->block_positions) {
		uint64_t rest = plane->positions - i;
		size_t size, count = rest < params->block_positions ? (size_t)rest
		                                                    : params->block_positions;
		status = codec->encode(coder, plane->symbols + i, count, out, room, &size, error);
		*bytes += size;
	}
	if (coder)
		codec->close(coder);
	free(learned);
	free(out);
	return status;
}

/* Along the run, or along the row before: whichever the codec makes less of. */
static enum el_status fill_best(const struct el_codec *codec, const struct el_codec_params *params,
                                const struct el_codec_plane *plane, const struct el_watch *watch,
                                struct el_error *error)
{
	if (codec->fill)
		return codec->fill(params, plane, watch, error);
	size_t size = plane->positions * sizeof *plane->symbols;
	struct el_codec_plane row = *plane;
	row.symbols = malloc(size);
	if (!row.symbols)
		return el_fail(error, EL_MEMORY, "fill: out of memory");
	memcpy(row.symbols, plane->symbols, size);
	fill_from(plane, 1);
	fill_from(&row, row.row);
	uint64_t run_bytes, row_bytes;
	enum el_status status = measure(codec, params, plane, watch, &run_bytes, error);
	if (!status)
		status = measure(codec, params, &row, watch, &row_bytes, error);
	if (!status && row_bytes < run_bytes)
		memcpy(plane->symbols, row.symbols, size);
	free(row.symbols);
	return status;
}

enum el_status el_fill_apply(enum el_fill fill, const struct el_codec *codec,
                             const struct el_codec_params *params,
                             const struct el_codec_plane *plane, const struct el_watch *watch,
                             struct el_error *error)
{
	if (fill == EL_FILL_PREVIOUS)
		fill_from(plane, 1);
	return fill == EL_FILL_BEST ? fill_best(codec, params, plane, watch, error) : EL_OK;
}
