/* SPDX-License-Identifier: MIT */
/* How tables are written: the options in words, and the presets. One list says what each preset
   means for each kind of table. */
#include "core/base/text.h"
#include "order.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

enum el_status el_block_parse(const char *text, uint32_t *out, struct el_error *error)
{
	char *end;
	unsigned long size = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
	if (size && size <= EL_BLOCK_MAX) {
		const unsigned shift = *end == 'K' || *end == 'k'   ? 10
		                       : *end == 'M' || *end == 'm' ? 20
		                                                    : 0;
		size = end[shift != 0] ? 0 : size << shift;
	}
	if (size < EL_BLOCK_MIN || size > EL_BLOCK_MAX || (size & (size - 1)))
		return el_fail(error, EL_USAGE,
		               "block size '%s': expected a power of two from %d to %dK positions",
		               text, EL_BLOCK_MIN, EL_BLOCK_MAX >> 10);
	*out = (uint32_t)size;
	return EL_OK;
}

const enum el_derive el_derives[] = {
	EL_DERIVE_NOTHING, EL_DERIVE_CAPTURES, EL_DERIVE_SIDE,
	EL_DERIVE_BOTH,    EL_DERIVE_OUTCOMES, EL_DERIVE_OUTCOMES_SIDE,
};

const char *const el_derive_names[] = {
	"nothing", "captures", "side", "captures+side", "outcomes", "outcomes+side", NULL,
};

unsigned el_derive_place(enum el_derive derive)
{
	unsigned place = 0;
	while (el_derives[place] != derive)
		place++;
	return place;
}

enum el_status el_derive_parse(const char *text, enum el_derive *out, struct el_error *error)
{
	unsigned place;
	const enum el_status status = el_words_find(el_derive_names, text, "derive", &place, error);
	if (!status)
		*out = el_derives[place];
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
	if (metric->by_clock)
		return el_fail(
			error, EL_USAGE,
			"%s: a side to move cannot be derived from %s: a ply of search tells "
			"one clock, not all",
			slice->name, metric->name);
	return EL_OK;
}

enum el_status el_captures_check(const struct el_slice *slice, const struct el_metric *metric,
                                 struct el_error *error)
{
	const struct el_metric *chooser = el_metric_chosen_by(metric);
	if (chooser != metric)
		return el_fail(error, EL_USAGE,
		               "%s: captures do not tell %s; build %s with captures derived, which "
		               "tells it",
		               slice->name, metric->name, chooser->name);
	if (metric->by_clock)
		return el_fail(
			error, EL_USAGE,
			"%s: captures cannot be derived from %s: what they tell depends on the "
			"clock",
			slice->name, metric->name);
	return EL_OK;
}

enum el_status el_outcomes_check(const struct el_slice *slice, const struct el_metric *metric,
                                 struct el_error *error)
{
	if (metric->end == EL_END_ZEROING && metric->join == EL_JOIN_ONE &&
	    !el_metric_entered(metric)->has_depth)
		return EL_OK;
	return el_fail(
		error, EL_USAGE,
		"%s: outcomes cannot be left out under %s, only under dtz and dtz with a rule, "
		"such as dtz50",
		slice->name, metric->name);
}

struct el_value table_stored(enum el_derive derive, const struct el_metric *metric,
                             struct el_value v)
{
	if (!(derive & EL_DERIVE_OUTCOMES) || v.outcome == EL_BROKEN)
		return v;
	if (v.outcome == EL_DRAW)
		return (struct el_value){.outcome = EL_BROKEN};
	v.outcome = EL_LOSS;
	if (!el_metric_has_value(metric, v))
		v.outcome = EL_BLESSED_LOSS;
	return v;
}

struct el_value table_told(const struct el_metric *metric, struct el_value outcome,
                           struct el_value stored)
{
	const struct el_value v = {.outcome = outcome.outcome, .plies = stored.plies};
	const bool fits = stored.outcome != EL_BROKEN && el_metric_has_value(metric, v) &&
	                  (v.plies || v.outcome < EL_DRAW);
	return fits ? v : (struct el_value){.outcome = EL_BROKEN};
}

static enum el_status wrong_order(const char *text, const struct el_slice *slice,
                                  struct el_error *error)
{
	struct el_digits digits = {0};
	if (slice && slice->game->digits)
		slice->game->digits(slice, &digits);
	if (!digits.count)
		return el_fail(error, EL_USAGE, "order '%s': expected index, best or smallest",
		               text);
	return el_fail(error, EL_USAGE,
	               "order '%s': expected index, best, smallest, or the pieces of %s from the "
	               "slowest to the fastest, such as %.*s",
	               text, slice->name, (int)digits.count, digits.letter);
}

/* One plane's order: "index" or letters. */
static bool read_order(const char *text, size_t length, const struct el_slice *slice,
                       struct el_order *out)
{
	struct el_digits digits;
	*out = (struct el_order){0};
	if (length == strlen("index") && !strncmp(text, "index", length))
		return true;
	if (!slice || !slice->game->digits)
		return false;
	slice->game->digits(slice, &digits);
	out->count = (uint8_t)digits.count;
	for (size_t i = 0; i < length && length == digits.count; i++) {
		const char *found = memchr(digits.letter, text[i], digits.count);
		if (!found || memchr(text, text[i], i))
			return false;
		out->digit[i] = (uint8_t)(found - digits.letter);
	}
	return length && length == digits.count;
}

enum el_status el_order_parse(const char *text, const struct el_slice *slice,
                              struct el_table_options *out, struct el_error *error)
{
	struct el_order order[2] = {0};
	size_t first = strcspn(text, "/");
	const bool smallest = !strcmp(text, "smallest");
	if (smallest || !strcmp(text, "best")) {
		out->ordering = smallest ? EL_ORDER_SMALLEST : EL_ORDER_BEST;
		memset(out->order, 0, sizeof out->order);
		return EL_OK;
	}
	if (!read_order(text, first, slice, &order[0]))
		return wrong_order(text, slice, error);
	order[1] = order[0];
	const bool two = slice && slice->planes == 2;
	if (text[first] &&
	    (!two || !read_order(text + first + 1, strlen(text + first + 1), slice, &order[1])))
		return wrong_order(text, slice, error);
	if (!two)
		order[1] = (struct el_order){0};
	memcpy(out->order, order, sizeof order);
	out->ordering = ordering_of(order);
	return EL_OK;
}

static char *write_order(const struct el_digits *digits, const struct el_order *order, char *out)
{
	if (!order->count)
		return stpcpy(out, "index");
	for (unsigned i = 0; i < order->count; i++)
		*out++ = digits->letter[order->digit[i]];
	*out = '\0';
	return out;
}

void el_order_format(const struct el_slice *slice, const struct el_table_options *options,
                     char out[EL_ORDER_TEXT])
{
	struct el_digits digits = {0};
	if (options->ordering != EL_ORDER_GIVEN) {
		strcpy(out, options->ordering == EL_ORDER_BEST       ? "best"
		            : options->ordering == EL_ORDER_SMALLEST ? "smallest"
		                                                     : "index");
		return;
	}
	slice->game->digits(slice, &digits);
	out = write_order(&digits, &options->order[0], out);
	if (slice->planes < 2 ||
	    !memcmp(&options->order[0], &options->order[1], sizeof *options->order))
		return;
	*out++ = '/';
	write_order(&digits, &options->order[1], out);
}

void el_table_options_format(const struct el_slice *slice, const struct el_table_options *options,
                             char *out, size_t size)
{
	char codec[EL_CODEC_TEXT], order[EL_ORDER_TEXT];
	const uint32_t block = options->block_positions;
	const unsigned shift = block >= 1 << 20 ? 20 : block >= 1 << 10 ? 10 : 0;
	el_codec_format(&options->codec, codec);
	el_order_format(slice, options, order);
	const char *derived = options->derive ? el_derive_name(options->derive) : "";
	snprintf(out, size, "%s %" PRIu32 "%s %s%s%s%s%s", codec, block >> shift,
	         shift == 20 ? "M"
	         : shift     ? "K"
	                     : "",
	         el_fill_names[options->fill], options->ordering == EL_ORDER_INDEX ? "" : " order ",
	         options->ordering == EL_ORDER_INDEX ? "" : order, *derived ? " " : "", derived);
}

/* ---- tiers ---- */

const char *const el_tier_names[] = {
	[EL_TIER_UNKNOWN] = NULL,
	[EL_TIER_SEARCH] = "search",
	[EL_TIER_ROOT] = "root",
	[EL_TIER_ARCHIVE] = "archive",
};

/*
 * What a probe takes whose block is in no cache of ours, but in the system's: a fixed time to read and
 * check it, and a time for each position of the block. Measured by the lab on KQvKR, DTM and WDL, in
 * blocks of 1K to 64K positions (p50 on a busy AMD EPYC; within a factor of 1.5). Where a side is left
 * out, a probe of it tries all moves: of depths 35 to 45 us more, whatever the codec; of outcomes 2 to
 * 15, since the first move that wins ends it. Where outcomes are left out, 35 to 40 us more as well.
 */
enum el_tier el_table_tier(const struct el_table_options *options, const struct el_metric *metric)
{
	static const struct {
		const char *codec;
		double outcome_ns, depth_ns; /* a position */
	} paces[] = {
		{"raw", 0.1, 0.43}, {"rle", 0.1, 0.3},     {"rle-zstd", 2, 5}, {"zstd", 1.6, 2.1},
		{"xz", 3, 16},      {"pairs", 0.03, 0.25}, {"rans", 12, 22},   {"net", 14, 28},
	};
	enum { PACES = sizeof paces / sizeof *paces };
	static const double READ_NS = 1500, SIDE_NS = 40e3, SIDE_OUTCOME_NS = 5e3, SEARCH_NS = 5e3,
			    ROOT_NS = 100e3;
	const struct el_codec *codec = options->codec.codec;
	size_t i = 0;
	while (i < PACES && strcmp(paces[i].codec, codec->name))
		i++;
	if (i == PACES)
		return EL_TIER_UNKNOWN;
	const double pace = metric->has_depth ? paces[i].depth_ns : paces[i].outcome_ns;
	const bool side = options->derive & EL_DERIVE_OUTCOMES_SIDE;
	const double ns = READ_NS + pace * options->block_positions +
	                  (!side               ? 0
	                   : metric->has_depth ? SIDE_NS
	                                       : SIDE_OUTCOME_NS);
	return codec->decode_one && !side && ns <= SEARCH_NS ? EL_TIER_SEARCH
	       : ns <= ROOT_NS                               ? EL_TIER_ROOT
	                                                     : EL_TIER_ARCHIVE;
}

/* ---- presets ---- */

/* Tables of one kind are compressed alike. Codecs see a board behind those that are `seen`. */
enum kind { KIND_SEEN_DEPTHS, KIND_DEPTHS, KIND_SEEN_OUTCOMES, KIND_OUTCOMES, KIND_BOUNDS, KINDS };

/* As on the command line. A table keeps what cannot be derived; bounds have no side to leave
   out. Fast is what a search's trace finds fastest, with blocks in memory or not: no coder takes less
   time than none, and no capture has to be tried (samples/compression.md). */
static const struct row {
	const char *codec, *block, *fill, *order, *derive;
} rows[][KINDS] = {
	/* clang-format off */
	[EL_PRESET_USUAL] = {
		[KIND_SEEN_DEPTHS]    = {"zstd",  "16K", "previous", "index", "side"},
		[KIND_DEPTHS]         = {"zstd",  "16K", "previous", "index", "side"},
		[KIND_SEEN_OUTCOMES]  = {"zstd",  "16K", "previous", "index", "side"},
		[KIND_OUTCOMES]       = {"zstd",  "16K", "previous", "index", "side"},
		[KIND_BOUNDS]         = {"zstd",  "16K", "previous", "index", "nothing"},
	},
	[EL_PRESET_SMALL] = {
		[KIND_SEEN_DEPTHS]    = {"net",   "4K",  "best",     "best",  "captures+side"},
		[KIND_DEPTHS]         = {"xz",    "64K", "best",     "best",  "captures+side"},
		[KIND_SEEN_OUTCOMES]  = {"net",   "64K", "best",     "best",  "captures+side"},
		[KIND_OUTCOMES]       = {"pairs", "64K", "best",     "best",  "captures+side"},
		[KIND_BOUNDS]         = {"pairs", "64K", "best",     "best",  "captures"},
	},
	[EL_PRESET_FAST] = {
		[KIND_SEEN_DEPTHS]    = {"raw",   "4K",  "previous", "index", "nothing"},
		[KIND_DEPTHS]         = {"raw",   "4K",  "previous", "index", "nothing"},
		[KIND_SEEN_OUTCOMES]  = {"raw",   "4K",  "previous", "index", "nothing"},
		[KIND_OUTCOMES]       = {"raw",   "4K",  "previous", "index", "nothing"},
		[KIND_BOUNDS]         = {"raw",   "4K",  "previous", "index", "nothing"},
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

struct el_table_options el_preset_options(enum el_preset preset, const struct el_slice *slice,
                                          const struct el_metric *metric, bool partial)
{
	const bool looks = slice->game->look, seen = looks && slice->pieces <= EL_BOARD_PIECES;
	/* A network predicts values from neighbours on a board (samples/compression.md). */
	const enum kind depths = seen ? KIND_SEEN_DEPTHS : KIND_DEPTHS;
	const enum kind outcomes = seen ? KIND_SEEN_OUTCOMES : KIND_OUTCOMES;
	struct el_table_options options = of_kind(preset, partial             ? KIND_BOUNDS
	                                                  : metric->has_depth ? depths
	                                                                      : outcomes);
	/* If digits do not show a board, their orders are less dense than the index and no
	   better. */
	if (!looks)
		options.ordering = EL_ORDER_INDEX;
	/* Other tables tell a forced capture whole: every second position of draughts has one. */
	if (preset == EL_PRESET_USUAL && !partial && slice->game->forced_captures)
		options.derive |= EL_DERIVE_CAPTURES;
	return options;
}

struct el_table_options el_table_options_default(void)
{
	struct el_table_options options = of_kind(EL_PRESET_USUAL, KIND_DEPTHS);
	options.derive = EL_DERIVE_NOTHING;
	return options;
}

struct el_table_options el_table_options_preset(enum el_preset preset)
{
	struct el_table_options options = el_table_options_default();
	options.preset = preset;
	return options;
}

enum el_preset el_preset_of(const struct el_table_options *file, const struct el_slice *slice,
                            const struct el_metric *metric, bool partial)
{
	for (int preset = EL_PRESETS - 1; preset > EL_PRESET_NONE; preset--) {
		const struct el_table_options options =
			el_preset_options((enum el_preset)preset, slice, metric, partial);
		/* A file records its orders, not how they were found, and leaves out less than the
		   preset says if the rest cannot be derived. */
		if (file->codec.codec == options.codec.codec &&
		    !memcmp(file->codec.option, options.codec.option,
		            sizeof options.codec.option) &&
		    file->block_positions == options.block_positions &&
		    file->fill == options.fill &&
		    (file->ordering == EL_ORDER_INDEX || options.ordering != EL_ORDER_INDEX) &&
		    !(file->derive & ~options.derive))
			return (enum el_preset)preset;
	}
	return EL_PRESET_NONE;
}
