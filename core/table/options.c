/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How tables are written: the options in words. */
#include "core/base/text.h"
#include "table.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0 when the text is no number, or too great. */
static unsigned long parse_size(const char *text)
{
	char *end;
	unsigned long number = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
	if (number == 0 || number > EL_BLOCK_MAX)
		return 0;
	unsigned shift = *end == 'K' || *end == 'k' ? 10 : *end == 'M' || *end == 'm' ? 20 : 0;
	if (end[shift != 0])
		return 0;
	return number << shift;
}

enum el_status el_block_parse(const char *text, uint32_t *out, struct el_error *error)
{
	unsigned long size = parse_size(text);
	if (size < EL_BLOCK_MIN || size > EL_BLOCK_MAX || (size & (size - 1)))
		return el_fail(error, EL_USAGE,
		               "block size '%s': expected a power of two from %d to %dK positions",
		               text, EL_BLOCK_MIN, EL_BLOCK_MAX >> 10);
	*out = (uint32_t)size;
	return EL_OK;
}

const char *const el_derive_names[] = {
	[EL_DERIVE_NOTHING] = "nothing",
	[EL_DERIVE_CAPTURES] = "captures",
	[EL_DERIVE_SIDE] = "side",
	[EL_DERIVE_BOTH] = "captures+side",
	NULL,
};

enum el_status el_derive_parse(const char *text, enum el_derive *out, struct el_error *error)
{
	unsigned place;
	const enum el_status status = el_words_find(el_derive_names, text, "derive", &place, error);
	if (!status)
		*out = (enum el_derive)place;
	return status;
}

const char *el_table_side(const struct el_table_options *options)
{
	static const char *const words[] = {NULL, "only Black to move", "only White to move"};
	return words[options->left_out];
}

enum el_status el_side_check(const struct el_slice *slice, const struct el_metric *metric,
                             struct el_error *error)
{
	if (metric->wins_only)
		return el_fail(
			error, EL_USAGE,
			"%s: a side to move cannot be derived from %s, which does not tell losses "
			"from draws; build %s, which does",
			slice->name, metric->name, metric->entered->name);
	if (metric->has_phase || el_metric_chosen_by(metric) != metric)
		return el_fail(
			error, EL_USAGE,
			"%s: a side to move cannot be derived from %s: how long a phase lasts "
			"depends on the clock, and a ply of search does not tell",
			slice->name, metric->name);
	return EL_OK;
}

void el_table_options_format(const struct el_slice *slice, const struct el_table_options *options,
                             char *out, size_t size)
{
	char codec[EL_CODEC_TEXT], order[EL_ORDER_TEXT];
	uint32_t block = options->block_positions;
	el_codec_format(&options->codec, codec);
	el_order_format(slice, options, order);
	const char *derived = options->derive ? el_derive_names[options->derive] : "";
	snprintf(out, size, "%s %" PRIu32 "%s %s%s%s%s%s", codec,
	         block >= 1 << 20   ? block >> 20
	         : block >= 1 << 10 ? block >> 10
	                            : block,
	         block >= 1 << 20   ? "M"
	         : block >= 1 << 10 ? "K"
	                            : "",
	         el_fill_names[options->fill], options->ordering == EL_ORDER_INDEX ? "" : " order ",
	         options->ordering == EL_ORDER_INDEX ? "" : order, *derived ? " " : "", derived);
}
