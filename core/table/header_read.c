/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the header of a table file: nothing in it is believed before it has been checked. */
#include "format.h"

#include "core/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_READ = 4096 }; /* holds most headers whole */

/* A header that is being taken apart. */
struct parser {
	const struct input *input;
	const char *path;
	uint64_t file_size;
	uint8_t *bytes; /* `size` of them; owned */
	size_t size;
	struct table_header *out;
	struct el_error *error;
};

static enum el_status expect(const struct parser *r, const char *what, uint64_t expected,
                             uint64_t found)
{
	if (expected == found)
		return EL_OK;
	return el_fail(r->error, EL_DAMAGED, "%s: %s: expected %" PRIu64 ", found %" PRIu64,
	               r->path, what, expected, found);
}

static enum el_status expect_range(const struct parser *r, const char *what, uint64_t least,
                                   uint64_t most, uint64_t found)
{
	if (found >= least && found <= most)
		return EL_OK;
	return el_fail(r->error, EL_DAMAGED,
	               "%s: %s: expected %" PRIu64 " to %" PRIu64 ", found %" PRIu64, r->path, what,
	               least, most, found);
}

static enum el_status read_more(struct parser *r, size_t size)
{
	uint8_t *bytes = realloc(r->bytes, size);
	if (!bytes)
		return el_fail(r->error, EL_MEMORY, "%s: header: out of memory", r->path);
	r->bytes = bytes;
	size_t old = r->size;
	r->size = size;
	return size > old ? input_read(r->input, "header", bytes + old, size - old, old, r->error)
	                  : EL_OK;
}

/* `found` is what the file has, `expected` what this program writes. */
static enum el_status check_version(const struct parser *r, const char *what, uint32_t expected,
                                    uint32_t found)
{
	if (found < expected)
		return el_fail(r->error, EL_OUTDATED,
		               "%s: %s: found %u, expected %u; run 'endlab build' to make it again",
		               r->path, what, found, expected);
	if (found > expected)
		return el_fail(r->error, EL_UNREADABLE,
		               "%s: %s: found %u, expected %u; a newer endlab reads it", r->path,
		               what, found, expected);
	return EL_OK;
}

/* Is it a table, and one of this version? Asked before anything else of the file is believed. */
static enum el_status check_kind(const struct parser *r)
{
	if (r->file_size == 0)
		return el_fail(r->error, EL_DAMAGED, "%s: expected a table, found an empty file",
		               r->path);
	if (r->size < MAGIC_SIZE || memcmp(r->bytes, TABLE_MAGIC, MAGIC_SIZE) != 0)
		return el_fail(r->error, EL_DAMAGED,
		               "%s: expected the first bytes of a table (89 45 47 54 0d 0a 1a 0a), "
		               "found another kind of file",
		               r->path);
	enum el_status status = EL_OK;
	if (r->size >= AT_VERSION + 4)
		status = check_version(r, "file version", TABLE_VERSION,
		                       get_u32(r->bytes + AT_VERSION));
	if (!status && r->size < HEADER_MIN)
		status = el_fail(r->error, EL_DAMAGED,
		                 "%s: size: expected at least %zu bytes, found %zu", r->path,
		                 (size_t)HEADER_MIN, r->size);
	return status;
}

/* Reads the rest of the header and checks it as a whole. */
static enum el_status check_whole(struct parser *r)
{
	uint64_t size = get_u32(r->bytes + AT_HEADER_SIZE);
	enum el_status status = expect_range(r, "header size", HEADER_MIN, HEADER_MAX, size);
	if (!status && size > r->file_size)
		status = el_fail(r->error, EL_DAMAGED,
		                 "%s: expected a header of %" PRIu64
		                 " bytes, found a file of %" PRIu64,
		                 r->path, size, r->file_size);
	if (!status)
		status = read_more(r, (size_t)size);
	if (status)
		return status;
	size_t body = r->size - CHECKSUM_SIZE;
	uint64_t stored = get_le(r->bytes + body, CHECKSUM_SIZE);
	uint64_t found = table_checksum(r->bytes, body);
	if (stored != found)
		return el_fail(r->error, EL_DAMAGED,
		               "%s: header: expected checksum %016" PRIx64 ", found %016" PRIx64,
		               r->path, stored, found);
	return expect(r, "size", get_le(r->bytes + AT_FILE_SIZE, 8), r->file_size);
}

/* A name and the zeros behind it; EL_DAMAGED where it does not end. */
static enum el_status get_name(const struct parser *r, const char *what, size_t at, size_t size,
                               const char **name)
{
	*name = (const char *)r->bytes + at;
	if (memchr(*name, '\0', size))
		return EL_OK;
	return el_fail(r->error, EL_DAMAGED, "%s: %s: expected a name, found no end", r->path,
	               what);
}

static const char newer[] = "a newer endlab may know it";

/* The checksum of the header was right, so it is not the file that is to blame. */
static enum el_status unknown_name(const struct parser *r, const char *what, const char *name,
                                   const char *known)
{
	return el_fail(r->error, EL_UNREADABLE, "%s: %s: found '%s', expected one of %s; %s",
	               r->path, what, name, known, newer);
}

enum { KNOWN_MAX = 256 };

static enum el_status unknown_game(const struct parser *r, const char *name)
{
	char known[KNOWN_MAX] = "";
	for (size_t i = 0; el_games[i]; i++)
		el_words_add(known, sizeof known, ", ", el_games[i]->name);
	return unknown_name(r, "game", name, known);
}

static enum el_status unknown_metric(const struct parser *r, const char *name)
{
	char known[KNOWN_MAX] = "";
	for (size_t i = 0; el_metrics[i]; i++)
		el_words_add(known, sizeof known, ", ", el_metrics[i]->name);
	return unknown_name(r, "metric", name, known);
}

static enum el_status unknown_codec(const struct parser *r, const char *name)
{
	struct el_error why;
	const enum el_status status = el_codec_missing(name, &why);
	return el_fail(r->error, status, "%s: %s", r->path, why.text);
}

static enum el_status read_slice(struct parser *r)
{
	const char *game_name, *name;
	enum el_status status = get_name(r, "game", AT_GAME, NAME_SIZE, &game_name);
	if (!status)
		status = get_name(r, "slice", AT_SLICE, EL_SLICE_MAX, &name);
	if (status)
		return status;
	const struct el_game *game = el_game_find(game_name);
	if (!game)
		return unknown_game(r, game_name);
	status = check_version(r, "index version", game->index_version,
	                       get_u32(r->bytes + AT_INDEX_VERSION));
	struct el_slice *slice = &r->out->info.slice;
	if (!status && (game->slice_parse(name, slice, NULL) || strcmp(slice->name, name) != 0))
		status = el_fail(r->error, EL_UNREADABLE,
		                 "%s: slice: found '%s', expected one of %s; %s", r->path, name,
		                 game->name, newer);
	if (!status)
		status = expect(r, "positions", slice->positions,
		                get_le(r->bytes + AT_POSITIONS, 8));
	if (!status)
		status = expect(r, "planes", slice->planes, r->bytes[AT_PLANES]);
	return status;
}

static enum el_status read_metric(struct parser *r)
{
	const char *name;
	enum el_status status = get_name(r, "metric", AT_METRIC, NAME_SIZE, &name);
	if (status)
		return status;
	const struct el_metric *metric = r->out->info.metric = el_metric_find(name);
	struct el_error why;
	if (!metric)
		return unknown_metric(r, name);
	if (el_game_check_metric(r->out->info.slice.game, metric, &why))
		return el_fail(r->error, EL_UNREADABLE, "%s: metric: %s; %s", r->path, why.text,
		               newer);
	return EL_OK;
}

/* Past its last option a codec has zeros. */
static enum el_status check_option(const struct parser *r, const struct el_codec *codec, unsigned i,
                                   int found)
{
	static const struct el_codec_option none = {"an option that is not there", "", 0, 0, 0};
	const struct el_codec_option *option = i < codec->option_count ? &codec->options[i] : &none;
	if (found >= option->least && found <= option->most)
		return EL_OK;
	return el_fail(r->error, EL_DAMAGED, "%s: %s of %s: expected %d to %d, found %d", r->path,
	               option->name, codec->name, option->least, option->most, found);
}

static enum el_status read_codec(struct parser *r)
{
	const char *name;
	enum el_status status = get_name(r, "codec", AT_CODEC, NAME_SIZE, &name);
	if (status)
		return status;
	const struct el_codec *codec = el_codec_find(name);
	if (!codec)
		return unknown_codec(r, name);
	struct el_codec_choice *choice = &r->out->info.options.codec;
	struct el_error why;
	*choice = (struct el_codec_choice){.codec = codec};
	for (unsigned i = 0; i < option_room(codec) && !status; i++) {
		const uint64_t found = get_le(r->bytes + option_at(i), option_size(codec));
		choice->option[i] = option_size(codec) == 2 ? (int16_t)found : (int32_t)found;
		status = check_option(r, codec, i, choice->option[i]);
	}
	if (!status && el_codec_agree(choice, &why))
		status =
			el_fail(r->error, EL_DAMAGED, "%s: %s: %s", r->path, codec->name, why.text);
	return status;
}

/* The last of `names`, which a number stands for. */
static unsigned last_name(const char *const *names)
{
	unsigned count = 0;
	while (names[count])
		count++;
	return count - 1;
}

/* What the slice and the metric leave to be derived. */
static enum el_status read_derive(struct parser *r)
{
	struct el_table_info *info = &r->out->info;
	const unsigned found = r->bytes[AT_DERIVE], derive = found & ~(unsigned)DERIVE_PLANE_1;
	const bool captures = el_metric_chosen_by(info->metric) == info->metric;
	const bool side =
		info->slice.planes == 2 && !el_side_check(&info->slice, info->metric, NULL);
	const bool good = derive <= EL_DERIVE_BOTH &&
	                  (captures || !(derive & EL_DERIVE_CAPTURES)) &&
	                  (side || !(derive & EL_DERIVE_SIDE)) &&
	                  (derive & EL_DERIVE_SIDE || found == derive);
	if (!good)
		return el_fail(r->error, EL_DAMAGED, "%s: derive: expected %s, found %u", r->path,
		               side       ? "0 to 3, 6 or 7"
		               : captures ? "0 to 1"
		                          : "0",
		               found);
	info->options.derive = (enum el_derive)derive;
	info->options.left_out = derive & EL_DERIVE_SIDE ? 1 + (found != derive) : 0;
	return EL_OK;
}

/* Has the file this plane? */
static bool is_used(const struct parser *r, unsigned plane)
{
	const struct el_table_info *info = &r->out->info;
	return plane < info->slice.planes && el_table_keeps(&info->options, plane);
}

static enum el_status read_blocks(struct parser *r)
{
	struct el_table_options *options = &r->out->info.options;
	uint32_t positions = get_u32(r->bytes + AT_BLOCK_POSITIONS);
	enum el_status status =
		expect_range(r, "positions in a block", EL_BLOCK_MIN, EL_BLOCK_MAX, positions);
	if (!status)
		status = expect(r, "bits set in the positions in a block", 1,
		                (unsigned)__builtin_popcount(positions));
	if (!status)
		status = expect_range(r, "fill", 0, last_name(el_fill_names), r->bytes[AT_FILL]);
	if (!status)
		status = read_derive(r);
	if (!status)
		status = expect_range(r, "bytes of a block's size", 1, 4, r->bytes[AT_SIZE_BYTES]);
	if (!status)
		status = expect_range(r, "passes", 0, EL_PLIES_MAX, get_u32(r->bytes + AT_PASSES));
	options->block_positions = positions;
	options->fill = (enum el_fill)r->bytes[AT_FILL];
	r->out->size_bytes = r->bytes[AT_SIZE_BYTES];
	r->out->info.passes = get_u32(r->bytes + AT_PASSES);
	return status;
}

/* Digits and then zeros. */
static bool read_order(const uint8_t *at, struct el_order *out)
{
	*out = (struct el_order){0};
	for (; out->count < EL_DIGITS_MAX && at[out->count]; out->count++)
		out->digit[out->count] = (uint8_t)(at[out->count] - 1);
	for (unsigned i = out->count; i < EL_DIGITS_MAX; i++)
		if (at[i])
			return false;
	return true;
}

static enum el_status read_orders(struct parser *r)
{
	struct el_table_info *info = &r->out->info;
	bool good = true;
	for (unsigned p = 0; p < 2; p++) {
		struct el_order *order = &info->options.order[p];
		good = good && read_order(r->bytes + AT_ORDERS + EL_DIGITS_MAX * p, order) &&
		       (is_used(r, p) || !order->count);
		if (order->count)
			info->options.ordering = EL_ORDER_GIVEN;
	}
	const enum el_status status = good ? table_number(r->out) : EL_NEGATIVE;
	if (status == EL_MEMORY)
		return el_fail(r->error, status, "%s: out of memory", r->path);
	if (status)
		return el_fail(r->error, EL_DAMAGED,
		               "%s: order: expected each digit of %s once, found another order",
		               r->path, info->slice.name);
	info->bytes = r->file_size;
	return EL_OK;
}

/* What the sizes of all parts leave for the blocks is checked when the directory is read. */
static enum el_status read_directory_place(struct parser *r)
{
	struct table_header *h = r->out;
	h->directory = get_le(r->bytes + AT_DIRECTORY, 8);
	h->directory_checksum = get_le(r->bytes + AT_DIRECTORY_CHECKSUM, CHECKSUM_SIZE);
	for (unsigned p = 0; p < 2; p++) {
		h->plane[p].learned = get_u32(r->bytes + AT_LEARNED + 4 * p);
		if (!el_table_keeps(&h->info.options, p) && h->plane[p].learned)
			return expect(r, "bytes learned from a plane that is left out", 0,
			              h->plane[p].learned);
	}
	const uint64_t size = directory_size(h);
	if (size > r->file_size - r->size)
		return expect_range(r, "size of the directory", 0, r->file_size - r->size, size);
	return expect(r, "place of the directory", r->file_size - size, h->directory);
}

/* Is it broken, as the first one may be? */
static bool is_broken(struct el_value v, uint32_t symbol)
{
	return symbol == 0 && el_value_equal(v, (struct el_value){.outcome = EL_BROKEN});
}

static struct el_value get_value(const uint8_t *at, const struct el_metric *metric)
{
	return (struct el_value){
		.outcome = at[0],
		.plies = (uint16_t)get_le(at + 1, 2),
		.phase = metric->has_phase ? (uint16_t)get_le(at + VALUE_SIZE, PHASE_SIZE) : 0,
	};
}

static enum el_status wrong_value(const struct parser *r, uint32_t symbol, struct el_value v)
{
	const struct el_metric *metric = r->out->info.metric;
	char phase[32] = "";
	if (metric->has_phase)
		snprintf(phase, sizeof phase, " and a phase of %u", v.phase);
	return el_fail(r->error, EL_DAMAGED,
	               "%s: value %u: expected one of metric %s, found outcome %u in %u plies%s",
	               r->path, symbol, metric->name, v.outcome, v.plies, phase);
}

static enum el_status read_values(const struct parser *r, struct table_plane *plane, uint32_t count,
                                  const uint8_t *at)
{
	const struct el_metric *metric = r->out->info.metric;
	plane->value_count = count;
	plane->values = malloc(((size_t)count + 1) * sizeof *plane->values);
	if (!plane->values)
		return el_fail(r->error, EL_MEMORY, "%s: values: out of memory", r->path);
	for (uint32_t s = 0; s < count; s++, at += value_size(metric)) {
		const struct el_value v = get_value(at, metric);
		if (!is_broken(v, s) && !el_metric_has_value(metric, v))
			return wrong_value(r, s, v);
		plane->values[s] = v;
		r->out->info.partial |= el_value_bounded(metric, v);
	}
	/* In memory, broken has a symbol in any case. */
	return expect_range(r, "number of values", 1, 65536u - table_symbol_base(plane), count);
}

static enum el_status read_planes(struct parser *r)
{
	uint32_t count[2];
	enum el_status status = EL_OK;
	for (unsigned p = 0; p < 2 && !status; p++) {
		count[p] = get_u32(r->bytes + AT_VALUE_COUNTS + 4 * p);
		const bool used = is_used(r, p);
		status = expect_range(r, "number of values", used, used ? 65536 : 0, count[p]);
	}
	if (!status)
		status = expect(r, "header size",
		                header_size_for(r->out->info.metric, (uint64_t)count[0] + count[1]),
		                r->size);
	const uint8_t *at = r->bytes + HEADER_FIXED;
	for (unsigned p = 0; p < 2 && !status; p++) {
		if (is_used(r, p))
			status = read_values(r, &r->out->plane[p], count[p], at);
		at += (size_t)count[p] * value_size(r->out->info.metric);
	}
	if (!status && r->out->info.partial && r->out->info.options.derive & EL_DERIVE_SIDE)
		status = el_fail(r->error, EL_DAMAGED,
		                 "%s: expected exact values with a side left out, found bounds",
		                 r->path);
	return status;
}

static enum el_status read_all(struct parser *r)
{
	size_t first = r->file_size < FIRST_READ ? (size_t)r->file_size : FIRST_READ;
	enum el_status status = first ? read_more(r, first) : EL_OK;
	if (!status)
		status = check_kind(r);
	if (!status)
		status = check_whole(r);
	enum el_status (*const parts[])(struct parser *) = {
		read_slice,  read_metric,          read_codec,  read_blocks,
		read_orders, read_directory_place, read_planes,
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts && !status; i++)
		status = parts[i](r);
	return status;
}

enum el_status table_header_read(const struct input *input, struct table_header *out,
                                 struct el_error *error)
{
	*out = (struct table_header){0};
	struct parser r = {
		.input = input,
		.path = input->path,
		.file_size = (uint64_t)input->is.st_size,
		.out = out,
		.error = error,
	};
	enum el_status status = read_all(&r);
	if (!status)
		out->info.checksum = get_le(r.bytes + r.size - CHECKSUM_SIZE, CHECKSUM_SIZE);
	free(r.bytes);
	return status;
}
