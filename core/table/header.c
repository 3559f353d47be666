/* SPDX-License-Identifier: MIT */
/* The header of a table file, in memory and as bytes. Nothing that is read is trusted before it has
   been checked. */
#include "format.h"

#include "core/base/text.h"

#include <inttypes.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

uint64_t table_checksum(const uint8_t *bytes, size_t size)
{
	return lzma_crc64(bytes, size, 0);
}

uint32_t table_block_checksum(const uint8_t *bytes, size_t size)
{
	return lzma_crc32(bytes, size, 0);
}

void table_seal(uint8_t *bytes, size_t size)
{
	put_le(bytes + size, CHECKSUM_SIZE, table_checksum(bytes, size));
}

void table_header_free(struct table_header *header)
{
	for (unsigned p = 0; p < 2; p++) {
		free(header->plane[p].values);
		header->plane[p].values = NULL;
		board_free(header->plane[p].board);
		header->plane[p].board = NULL;
	}
}

enum el_status table_number(struct table_header *header)
{
	struct el_table_info *info = &header->info;
	const bool looks = info->options.codec.codec->looks;
	enum el_status status = EL_OK;
	info->block_count = 0;
	for (unsigned p = 0; p < info->slice.planes && !status; p++) {
		struct table_plane *plane = &header->plane[p];
		const struct el_order *order = &info->options.order[p];
		const bool kept = el_table_keeps(&info->options, p);
		status = numbering_make(&info->slice, order, &plane->numbering);
		board_free(plane->board);
		plane->board = NULL;
		if (!status && looks && kept && (order->count || !header->old_board))
			status = board_make(&info->slice, p, order, &plane->numbering,
			                    &plane->board);
		info->positions[p] = kept ? plane->numbering.positions : 0;
		plane->first_block = info->block_count;
		info->block_count += blocks_in_plane(info, p);
	}
	return status;
}

size_t table_header_size(const struct table_header *header)
{
	return header_size_for(header->info.metric, (uint64_t)header->plane[0].value_count +
	                                                    header->plane[1].value_count);
}

/* ---- as bytes ---- */

static enum el_status put_name(uint8_t *at, size_t size, const char *name, struct el_error *error)
{
	size_t length = strlen(name);
	if (length >= size)
		return el_fail(error, EL_USAGE, "name '%s': expected fewer than %zu letters", name,
		               size);
	memcpy(at, name, length);
	return EL_OK;
}

enum el_status table_header_write(const struct table_header *header, uint8_t *out,
                                  struct el_error *error)
{
	const struct el_table_info *info = &header->info;
	const struct el_table_options *options = &info->options;
	const struct el_codec *codec = options->codec.codec;
	/* The lowest version that can say it, for the sake of older readers. */
	bool sees = options->derive & EL_DERIVE_OUTCOMES;
	for (unsigned p = 0; p < info->slice.planes; p++)
		sees |= header->plane[p].board && !options->order[p].count;
	memset(out, 0, HEADER_FIXED);
	memcpy(out + AT_MAGIC, info->slice.is_study ? STUDY_MAGIC : TABLE_MAGIC, MAGIC_SIZE);
	put_le(out + AT_VERSION, 4, sees ? TABLE_VERSION_BOARD : TABLE_VERSION);
	put_le(out + AT_HEADER_SIZE, 4, table_header_size(header));
	put_le(out + AT_FILE_SIZE, 8, info->bytes);
	put_le(out + AT_POSITIONS, 8, info->slice.positions);
	put_le(out + AT_DIRECTORY, 8, header->directory);
	put_le(out + AT_BLOCK_POSITIONS, 4, options->block_positions);
	put_le(out + AT_INDEX_VERSION, 4, info->slice.game->index_version);
	for (unsigned i = 0; i < option_room(codec); i++)
		put_le(out + option_at(i), option_size(codec), (uint32_t)options->codec.option[i]);
	put_le(out + AT_FILL, 1, options->fill);
	out[AT_DERIVE] = (uint8_t)((options->derive & EL_DERIVE_BOTH) |
	                           (options->derive & EL_DERIVE_OUTCOMES ? DERIVE_OUTCOMES : 0) |
	                           (options->left_out > 1 ? DERIVE_PLANE_1 : 0));
	put_le(out + AT_PLANES, 1, info->slice.planes);
	put_le(out + AT_SIZE_BYTES, 1, header->size_bytes);
	put_le(out + AT_PASSES, 4, info->passes);
	put_le(out + AT_DIRECTORY_CHECKSUM, CHECKSUM_SIZE, header->directory_checksum);
	for (unsigned p = 0; p < info->slice.planes; p++)
		for (unsigned i = 0; i < options->order[p].count; i++)
			out[AT_ORDERS + p * EL_DIGITS_MAX + i] =
				(uint8_t)(options->order[p].digit[i] + 1);
	const size_t size = value_size(info->metric);
	uint8_t *at = out + HEADER_FIXED;
	for (unsigned p = 0; p < 2; p++) {
		const struct table_plane *plane = &header->plane[p];
		put_le(out + AT_LEARNED + 4 * p, 4, plane->learned);
		put_le(out + AT_VALUE_COUNTS + 4 * p, 4, plane->value_count);
		for (uint32_t s = 0; s < plane->value_count; s++, at += size) {
			put_le(at, 1, plane->values[s].outcome);
			put_le(at + 1, 2, plane->values[s].plies);
			if (size > VALUE_SIZE)
				put_le(at + VALUE_SIZE, PHASE_SIZE, plane->values[s].phase);
		}
	}
	if (info->metric->by_clock) {
		put_le(at, CHECKSUM_SIZE, header->courses_checksum);
		at += CHECKSUM_SIZE;
	}
	enum el_status status = put_name(out + AT_GAME, NAME_SIZE, info->slice.game->name, error);
	if (!status)
		status = put_name(out + AT_METRIC, NAME_SIZE, info->metric->name, error);
	if (!status)
		status = put_name(out + AT_CODEC, NAME_SIZE, codec->name, error);
	if (!status)
		status = put_name(out + AT_SLICE, EL_SLICE_MAX, info->slice.name, error);
	table_seal(out, (size_t)(at - out));
	return status;
}

/* ---- reading ---- */

enum { FIRST_READ = 4096 }; /* holds most headers whole */

/* A header that is being taken apart. */
struct reader {
	const struct input *input;
	const char *path;
	uint64_t file_size;
	uint8_t *bytes; /* `size` of them; owned */
	size_t size;
	bool is_study;
	struct table_header *out;
	enum el_status status; /* of the first thing that was wrong: nothing more is checked then */
	struct el_error *error;
};

/* Keeps the first failure, with the file's name in front. */
__attribute__((format(printf, 3, 4))) static void fail(struct reader *r, enum el_status status,
                                                       const char *format, ...)
{
	char text[sizeof r->error->text];
	va_list list;
	if (r->status)
		return;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	r->status = el_fail(r->error, status, "%s: %s", r->path, text);
}

static void expect(struct reader *r, const char *what, uint64_t expected, uint64_t found)
{
	if (expected != found)
		fail(r, EL_DAMAGED, "%s: expected %" PRIu64 ", found %" PRIu64, what, expected,
		     found);
}

static void expect_range(struct reader *r, const char *what, uint64_t least, uint64_t most,
                         uint64_t found)
{
	if (found < least || found > most)
		fail(r, EL_DAMAGED, "%s: expected %" PRIu64 " to %" PRIu64 ", found %" PRIu64, what,
		     least, most, found);
}

static void read_more(struct reader *r, size_t size)
{
	uint8_t *bytes = r->status ? NULL : realloc(r->bytes, size);
	if (!bytes)
		fail(r, EL_MEMORY, "header: out of memory");
	if (r->status)
		return;
	const size_t old = r->size;
	r->bytes = bytes;
	r->size = size;
	if (size > old)
		r->status = input_read(r->input, "header", bytes + old, size - old, old, r->error);
}

/* `found` is what the file has, `expected` what this program writes. */
static void check_version(struct reader *r, const char *what, uint32_t expected, uint32_t found)
{
	if (found < expected)
		fail(r, EL_OUTDATED,
		     "%s: found %u, expected %u; run 'endlab build' to make it again", what, found,
		     expected);
	if (found > expected)
		fail(r, EL_UNREADABLE, "%s: found %u, expected %u; a newer endlab reads it", what,
		     found, expected);
}

/* Reads the whole header, but first checks that the file is a table of this version: until then it
   trusts nothing else. */
static void read_bytes(struct reader *r)
{
	if (r->file_size == 0)
		fail(r, EL_DAMAGED, "expected a table, found an empty file");
	read_more(r, r->file_size < FIRST_READ ? (size_t)r->file_size : FIRST_READ);
	if (r->status)
		return;
	r->is_study = r->size >= MAGIC_SIZE && !memcmp(r->bytes, STUDY_MAGIC, MAGIC_SIZE);
	if (r->size < MAGIC_SIZE ||
	    (!r->is_study && memcmp(r->bytes, TABLE_MAGIC, MAGIC_SIZE) != 0))
		fail(r, EL_DAMAGED,
		     "expected the first bytes of a table (89 45 47 54 0d 0a 1a 0a) or a study "
		     "(89 45 47 53 0d 0a 1a 0a), found another kind of file");
	const uint32_t version = r->size < AT_VERSION + 4 ? 0 : get_u32(r->bytes + AT_VERSION);
	if (r->size >= AT_VERSION + 4)
		check_version(r, "file version",
		              version == TABLE_VERSION ? version : TABLE_VERSION_BOARD, version);
	r->out->old_board = version == TABLE_VERSION;
	if (r->size < HEADER_MIN)
		fail(r, EL_DAMAGED, "size: expected at least %zu bytes, found %zu",
		     (size_t)HEADER_MIN, r->size);
	if (r->status)
		return;

	const uint64_t size = get_u32(r->bytes + AT_HEADER_SIZE);
	expect_range(r, "header size", HEADER_MIN, HEADER_MAX, size);
	if (size > r->file_size)
		fail(r, EL_DAMAGED,
		     "expected a header of %" PRIu64 " bytes, found a file of %" PRIu64, size,
		     r->file_size);
	read_more(r, (size_t)size);
	if (r->status)
		return;
	const size_t body = r->size - CHECKSUM_SIZE;
	const uint64_t stored = get_le(r->bytes + body, CHECKSUM_SIZE);
	const uint64_t found = table_checksum(r->bytes, body);
	r->out->info.checksum = stored;
	if (stored != found)
		fail(r, EL_DAMAGED, "header: expected checksum %016" PRIx64 ", found %016" PRIx64,
		     stored, found);
	/* What follows the table of a study is another's to check. */
	const uint64_t own = get_le(r->bytes + AT_FILE_SIZE, 8);
	if (r->is_study)
		expect_range(r, "size of the table", size, r->file_size, own);
	else
		expect(r, "size", own, r->file_size);
	r->file_size = own;
}

/* A name and the zeros after it; EL_DAMAGED if it does not end. */
static const char *get_name(struct reader *r, const char *what, size_t at, size_t size)
{
	const char *name = (const char *)r->bytes + at;
	if (!r->status && !memchr(name, '\0', size))
		fail(r, EL_DAMAGED, "%s: expected a name, found no end", what);
	return name;
}

/* The header's checksum was right, so the file is not to blame. */
static void unknown_name(struct reader *r, const char *what, const char *name, const char *known)
{
	fail(r, EL_UNREADABLE, "%s: found '%s', expected one of %s; a newer endlab may know it",
	     what, name, known);
}

enum { KNOWN_MAX = 256 };

static void read_slice(struct reader *r)
{
	const char *game_name = get_name(r, "game", AT_GAME, NAME_SIZE);
	const char *name = get_name(r, "slice", AT_SLICE, EL_SLICE_MAX);
	const struct el_game *game = r->status ? NULL : el_game_find(game_name);
	if (!r->status && !game) {
		char known[KNOWN_MAX] = "";
		for (size_t i = 0; el_games[i]; i++)
			el_words_add(known, sizeof known, ", ", el_games[i]->name);
		unknown_name(r, "game", game_name, known);
	}
	if (r->status)
		return;
	struct el_slice *slice = &r->out->info.slice;
	check_version(r, "index version", game->index_version,
	              get_u32(r->bytes + AT_INDEX_VERSION));
	if (r->is_study) {
		*slice = (struct el_slice){.game = game,
		                           .key = r->out->info.checksum,
		                           .planes = 1,
		                           .positions = get_le(r->bytes + AT_POSITIONS, 8),
		                           .is_study = true};
		memcpy(slice->name, name, EL_SLICE_MAX);
		const char *end = name + strcspn(name, ":");
		while (*end && (*end == ':' || *end == 'v' || strchr(game->kinds, *end)))
			end++;
		if (strncmp(name, "study:", 6) || *end)
			fail(r, EL_DAMAGED, "slice: expected a name such as study:%s, found '%s'",
			     game->example, name);
		expect_range(r, "positions", 1, UINT64_MAX >> 16, slice->positions);
		expect(r, "planes", slice->planes, r->bytes[AT_PLANES]);
		return;
	}
	struct el_error why;
	if (!r->status && game->slice_parse(name, slice, &why))
		fail(r, EL_UNREADABLE, "slice: %s; another endlab may know it", why.text);
	else if (!r->status && strcmp(slice->name, name) != 0)
		fail(r, EL_UNREADABLE, "slice: found '%.40s', expected %s", name, slice->name);
	expect(r, "positions", slice->positions, get_le(r->bytes + AT_POSITIONS, 8));
	expect(r, "planes", slice->planes, r->bytes[AT_PLANES]);
}

static void read_metric(struct reader *r)
{
	const char *name = get_name(r, "metric", AT_METRIC, NAME_SIZE);
	if (r->status)
		return;
	const struct el_metric *metric = r->out->info.metric = el_metric_find(name);
	struct el_error why;
	if (!metric) {
		char known[KNOWN_MAX] = "";
		for (size_t i = 0; el_metrics[i]; i++)
			el_words_add(known, sizeof known, ", ", el_metrics[i]->name);
		unknown_name(r, "metric", name, known);
	} else if (el_game_check_metric(r->out->info.slice.game, metric, &why)) {
		fail(r, EL_UNREADABLE, "metric: %s; a newer endlab may know it", why.text);
	}
}

static void read_codec(struct reader *r)
{
	/* Past its last option a codec has zeros. */
	static const struct el_codec_option none = {"an option that is not there", "", 0, 0, 0};
	const char *name = get_name(r, "codec", AT_CODEC, NAME_SIZE);
	struct el_error why;
	const struct el_codec *codec = r->status ? NULL : el_codec_find(name);
	if (!r->status && !codec)
		fail(r, el_codec_missing(name, &why), "%s", why.text);
	if (r->status)
		return;
	struct el_codec_choice *choice = &r->out->info.options.codec;
	*choice = (struct el_codec_choice){.codec = codec};
	for (unsigned i = 0; i < option_room(codec) && !r->status; i++) {
		const struct el_codec_option *option =
			i < codec->option_count ? &codec->options[i] : &none;
		const uint64_t bits = get_le(r->bytes + option_at(i), option_size(codec));
		const int found = option_size(codec) == 2 ? (int16_t)bits : (int32_t)bits;
		if (found < option->least || found > option->most)
			fail(r, EL_DAMAGED, "%s of %s: expected %d to %d, found %d", option->name,
			     codec->name, option->least, option->most, found);
		choice->option[i] = found;
	}
	if (!r->status && el_codec_agree(choice, &why))
		fail(r, EL_DAMAGED, "%s: %s", codec->name, why.text);
}

/* Does the file have this plane? */
static bool is_used(const struct reader *r, unsigned plane)
{
	const struct el_table_info *info = &r->out->info;
	return plane < info->slice.planes && el_table_keeps(&info->options, plane);
}

static void read_blocks(struct reader *r)
{
	struct el_table_info *info = &r->out->info;
	struct el_table_options *options = &info->options;
	const uint32_t positions = get_u32(r->bytes + AT_BLOCK_POSITIONS);
	unsigned fills = 0;
	while (el_fill_names[fills])
		fills++;
	expect_range(r, "positions in a block", EL_BLOCK_MIN, EL_BLOCK_MAX, positions);
	expect(r, "bits set in the positions in a block", 1,
	       (unsigned)__builtin_popcount(positions));
	expect_range(r, "fill", 0, fills - 1, r->bytes[AT_FILL]);

	/* What the table leaves to be derived, as far as slice and metric allow. */
	const unsigned found = r->bytes[AT_DERIVE];
	const unsigned derive =
		(found & EL_DERIVE_BOTH) | (found & DERIVE_OUTCOMES ? EL_DERIVE_OUTCOMES : 0);
	const bool captures = !el_captures_check(&info->slice, info->metric, NULL);
	const bool outcomes = !el_outcomes_check(&info->slice, info->metric, NULL);
	const bool side =
		info->slice.planes == 2 && !el_side_check(&info->slice, info->metric, NULL);
	const bool second = found & DERIVE_PLANE_1;
	const bool good = found < 2 * DERIVE_OUTCOMES &&
	                  (captures || !(derive & EL_DERIVE_CAPTURES)) &&
	                  (side || !(derive & EL_DERIVE_SIDE)) &&
	                  (!(derive & EL_DERIVE_OUTCOMES) ||
	                   (outcomes && !r->out->old_board && !(derive & EL_DERIVE_CAPTURES))) &&
	                  (derive & EL_DERIVE_SIDE || !second);
	if (!good)
		fail(r, EL_DAMAGED, "derive: expected %s%s, found %u",
		     side       ? "0 to 3, 6 or 7"
		     : captures ? "0 to 1"
		                : "0",
		     !outcomes || r->out->old_board ? ""
		     : side                         ? "; 8, 10 or 14"
		                                    : "; 8",
		     found);
	expect_range(r, "bytes of a block's size", 1, 4, r->bytes[AT_SIZE_BYTES]);
	expect_range(r, "passes", 0, EL_PLIES_MAX, get_u32(r->bytes + AT_PASSES));
	options->derive = (enum el_derive)derive;
	options->left_out = derive & EL_DERIVE_SIDE ? 1 + second : 0;
	options->block_positions = positions;
	options->fill = (enum el_fill)r->bytes[AT_FILL];
	r->out->size_bytes = r->bytes[AT_SIZE_BYTES];
	info->passes = get_u32(r->bytes + AT_PASSES);
}

/* Each plane has digits and then zeros. */
static void read_orders(struct reader *r)
{
	struct el_table_info *info = &r->out->info;
	bool good = true;
	for (unsigned p = 0; p < 2; p++) {
		const uint8_t *at = r->bytes + AT_ORDERS + EL_DIGITS_MAX * p;
		struct el_order *order = &info->options.order[p];
		*order = (struct el_order){0};
		for (; order->count < EL_DIGITS_MAX && at[order->count]; order->count++)
			order->digit[order->count] = (uint8_t)(at[order->count] - 1);
		for (unsigned i = order->count; i < EL_DIGITS_MAX; i++)
			good = good && !at[i];
		good = good && (is_used(r, p) || !order->count);
		if (order->count)
			info->options.ordering = EL_ORDER_GIVEN;
	}
	const enum el_status status = good ? table_number(r->out) : EL_NEGATIVE;
	info->bytes = r->file_size;
	if (status == EL_MEMORY)
		fail(r, status, "out of memory");
	else if (status)
		fail(r, EL_DAMAGED, "order: expected each digit of %s once, found another order",
		     info->slice.name);
}

/* Loading the directory checks that the blocks fill the space between header and directory. */
static void read_directory_place(struct reader *r)
{
	struct table_header *h = r->out;
	h->directory = get_le(r->bytes + AT_DIRECTORY, 8);
	h->directory_checksum = get_le(r->bytes + AT_DIRECTORY_CHECKSUM, CHECKSUM_SIZE);
	for (unsigned p = 0; p < 2; p++) {
		h->plane[p].learned = get_u32(r->bytes + AT_LEARNED + 4 * p);
		if (!el_table_keeps(&h->info.options, p))
			expect(r, "bytes learned from a plane that is left out", 0,
			       h->plane[p].learned);
	}
	const uint64_t size = directory_size(h), rest = r->file_size - r->size;
	expect_range(r, "size of the directory", 0, rest, size);
	if (!h->info.metric->by_clock) {
		expect(r, "place of the directory", r->file_size - size, h->directory);
		return;
	}
	expect_range(r, "place of the directory", r->size, r->file_size - size, h->directory);
	h->courses = h->directory + size;
	h->courses_checksum = get_le(r->bytes + r->size - 2 * CHECKSUM_SIZE, CHECKSUM_SIZE);
}

static void read_values(struct reader *r, struct table_plane *plane, uint32_t count,
                        const uint8_t *at)
{
	const struct el_metric *metric = r->out->info.metric;
	plane->value_count = count;
	plane->values = malloc(((size_t)count + 1) * sizeof *plane->values);
	if (!plane->values)
		fail(r, EL_MEMORY, "values: out of memory");
	for (uint32_t s = 0; s < count && !r->status; s++, at += value_size(metric)) {
		struct el_value v = {.outcome = at[0], .plies = (uint16_t)get_le(at + 1, 2)};
		if (metric->has_phase)
			v.phase = (uint16_t)get_le(at + VALUE_SIZE, PHASE_SIZE);
		const bool broken =
			s == 0 && el_value_equal(v, (struct el_value){.outcome = EL_BROKEN});
		const bool bounds = r->is_study && el_outcome_bounded(v.outcome);
		const bool plies = !(r->out->info.options.derive & EL_DERIVE_OUTCOMES) ||
		                   v.outcome == EL_LOSS || v.outcome == EL_BLESSED_LOSS;
		if (!broken && !bounds && !(plies && el_metric_has_value(metric, v))) {
			char phase[32] = "";
			if (metric->has_phase)
				snprintf(phase, sizeof phase, " and a phase of %u", v.phase);
			fail(r, EL_DAMAGED,
			     "value %u: expected one of metric %s, found outcome %u in %u plies%s",
			     s, metric->name, v.outcome, v.plies, phase);
		}
		plane->values[s] = v;
		r->out->info.partial |= el_value_bounded(metric, v);
	}
	/* In memory, broken always has a symbol. */
	if (!r->status)
		expect_range(r, "number of values", 1, 65536u - table_symbol_base(plane), count);
}

static void read_planes(struct reader *r)
{
	const struct el_table_info *info = &r->out->info;
	uint32_t count[2];
	for (unsigned p = 0; p < 2; p++) {
		count[p] = get_u32(r->bytes + AT_VALUE_COUNTS + 4 * p);
		const bool used = is_used(r, p);
		expect_range(r, "number of values", used, used ? 65536 : 0, count[p]);
	}
	expect(r, "header size", header_size_for(info->metric, (uint64_t)count[0] + count[1]),
	       r->size);
	const uint8_t *at = r->bytes + HEADER_FIXED;
	for (unsigned p = 0; p < 2 && !r->status; p++) {
		if (is_used(r, p))
			read_values(r, &r->out->plane[p], count[p], at);
		at += (size_t)count[p] * value_size(info->metric);
	}
	if (info->partial && info->options.derive & EL_DERIVE_SIDE)
		fail(r, EL_DAMAGED, "expected exact values with a side left out, found bounds");
}

enum el_status table_header_read(const struct input *input, struct table_header *out,
                                 struct el_error *error)
{
	void (*const parts[])(struct reader *) = {
		read_bytes,  read_slice,  read_metric,          read_codec,
		read_blocks, read_orders, read_directory_place, read_planes,
	};
	*out = (struct table_header){0};
	struct reader r = {
		.input = input,
		.path = input->path,
		.file_size = (uint64_t)input->is.st_size,
		.out = out,
		.error = error,
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts && !r.status; i++)
		parts[i](&r);
	free(r.bytes);
	return r.status;
}
