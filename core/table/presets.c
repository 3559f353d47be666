/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The presets: what each has for which kind of table, all of it in one list. */
#include "table.h"

#include <string.h>

/* Tables of one kind are compressed alike. */
enum kind { KIND_LEARNED, KIND_DEPTHS, KIND_OUTCOMES, KIND_BOUNDS, KINDS };

/* A network predicts depths from neighbours on a board. With few pieces, a block has most of them;
   with more, it has a smaller part, and long repetitions beat it (samples/compression.md). */
enum { LEARNED_PIECES = 4 };

/* As on the command line. What cannot be derived of some table is kept there; bounds have no side
   that could be left out. */
static const struct row {
	const char *codec, *block, *fill, *order, *derive;
} rows[][KINDS] = {
	/* clang-format off */
	[EL_PRESET_USUAL] = {
		[KIND_LEARNED]  = {"zstd",  "16K", "previous", "index", "nothing"},
		[KIND_DEPTHS]   = {"zstd",  "16K", "previous", "index", "nothing"},
		[KIND_OUTCOMES] = {"zstd",  "16K", "previous", "index", "nothing"},
		[KIND_BOUNDS]   = {"zstd",  "16K", "previous", "index", "nothing"},
	},
	[EL_PRESET_SMALL] = {
		[KIND_LEARNED]  = {"net",   "4K",  "best",     "best",  "captures+side"},
		[KIND_DEPTHS]   = {"xz",    "64K", "best",     "best",  "captures+side"},
		[KIND_OUTCOMES] = {"pairs", "64K", "best",     "best",  "captures+side"},
		[KIND_BOUNDS]   = {"pairs", "64K", "best",     "best",  "captures"},
	},
	[EL_PRESET_FAST] = {
		[KIND_LEARNED]  = {"pairs", "4K",  "best",     "best",  "captures"},
		[KIND_DEPTHS]   = {"pairs", "4K",  "best",     "best",  "captures"},
		[KIND_OUTCOMES] = {"pairs", "4K",  "best",     "best",  "nothing"},
		[KIND_BOUNDS]   = {"pairs", "4K",  "best",     "best",  "nothing"},
	},
	/* clang-format on */
};

const char *const el_preset_names[] = {
	[EL_PRESET_NONE] = "",
	[EL_PRESET_USUAL] = "usual",
	[EL_PRESET_SMALL] = "small",
	[EL_PRESET_FAST] = "fast",
};

enum el_preset el_preset_find(const char *name)
{
	int preset = EL_PRESETS - 1;
	while (preset > EL_PRESET_NONE && strcmp(el_preset_names[preset], name))
		preset--;
	return (enum el_preset)preset;
}

static struct el_table_options of_kind(enum el_preset preset, enum kind kind)
{
	const struct row *row = &rows[preset][kind];
	struct el_table_options options = {0};
	el_codec_parse(row->codec, &options.codec, NULL);
	el_block_parse(row->block, &options.block_positions, NULL);
	el_fill_parse(row->fill, &options.fill, NULL);
	el_order_parse(row->order, NULL, &options, NULL);
	el_derive_parse(row->derive, &options.derive, NULL);
	return options;
}

static enum kind kind_of(const struct el_slice *slice, const struct el_metric *metric, bool partial)
{
	if (partial || !metric->has_depth)
		return partial ? KIND_BOUNDS : KIND_OUTCOMES;
	return slice->game->look && slice->pieces <= LEARNED_PIECES ? KIND_LEARNED : KIND_DEPTHS;
}

/* Where digits do not show a board, orders of them are less dense than the index, and no better. */
struct el_table_options el_preset_options(enum el_preset preset, const struct el_slice *slice,
                                          const struct el_metric *metric, bool partial)
{
	struct el_table_options options = of_kind(preset, kind_of(slice, metric, partial));
	if (!slice->game->look)
		options.ordering = EL_ORDER_INDEX;
	return options;
}

struct el_table_options el_table_options_default(void)
{
	return of_kind(EL_PRESET_USUAL, KIND_DEPTHS);
}

struct el_table_options el_table_options_preset(enum el_preset preset)
{
	struct el_table_options options = el_table_options_default();
	options.preset = preset;
	return options;
}

/* A file has the orders that were found for it, and not how; and less left out than the preset
   would have it where that cannot be derived. */
static bool matches(const struct el_table_options *file, const struct el_table_options *preset)
{
	const bool in_order = file->ordering != EL_ORDER_INDEX;
	return file->codec.codec == preset->codec.codec &&
	       !memcmp(file->codec.option, preset->codec.option, sizeof preset->codec.option) &&
	       file->block_positions == preset->block_positions && file->fill == preset->fill &&
	       !(in_order && preset->ordering == EL_ORDER_INDEX) &&
	       !(file->derive & ~preset->derive);
}

enum el_preset el_preset_of(const struct el_table_options *file, const struct el_slice *slice,
                            const struct el_metric *metric, bool partial)
{
	for (int preset = EL_PRESETS - 1; preset > EL_PRESET_NONE; preset--) {
		const struct el_table_options options =
			el_preset_options((enum el_preset)preset, slice, metric, partial);
		if (matches(file, &options))
			return (enum el_preset)preset;
	}
	return EL_PRESET_NONE;
}
