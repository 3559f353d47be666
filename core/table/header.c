/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header of a table file in memory, and as bytes. Reading one is header_read.c. */
#include "format.h"

#include <lzma.h>
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
		if (!status && looks && kept)
			status = board_make(&info->slice, p, order, &plane->numbering,
			                    &plane->board);
		info->positions[p] = kept ? plane->numbering.positions : 0;
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

static enum el_status put_names(const struct el_table_info *info, uint8_t *out,
                                struct el_error *error)
{
	enum el_status status = put_name(out + AT_GAME, NAME_SIZE, info->slice.game->name, error);
	if (!status)
		status = put_name(out + AT_METRIC, NAME_SIZE, info->metric->name, error);
	if (!status)
		status =
			put_name(out + AT_CODEC, NAME_SIZE, info->options.codec.codec->name, error);
	if (!status)
		status = put_name(out + AT_SLICE, EL_SLICE_MAX, info->slice.name, error);
	return status;
}

static void put_orders(const struct el_table_info *info, uint8_t *at)
{
	for (unsigned p = 0; p < info->slice.planes; p++)
		for (unsigned i = 0; i < info->options.order[p].count; i++)
			at[p * EL_DIGITS_MAX + i] = (uint8_t)(info->options.order[p].digit[i] + 1);
}

static void put_numbers(const struct table_header *header, uint8_t *out)
{
	const struct el_table_info *info = &header->info;
	const struct el_codec_choice *choice = &info->options.codec;
	memcpy(out + AT_MAGIC, TABLE_MAGIC, MAGIC_SIZE);
	put_le(out + AT_VERSION, 4, TABLE_VERSION);
	put_le(out + AT_HEADER_SIZE, 4, table_header_size(header));
	put_le(out + AT_FILE_SIZE, 8, info->bytes);
	put_le(out + AT_POSITIONS, 8, info->slice.positions);
	put_le(out + AT_DIRECTORY, 8, header->directory);
	put_le(out + AT_BLOCK_POSITIONS, 4, info->options.block_positions);
	put_le(out + AT_INDEX_VERSION, 4, info->slice.game->index_version);
	for (unsigned i = 0; i < option_room(choice->codec); i++)
		put_le(out + option_at(i), option_size(choice->codec), (uint32_t)choice->option[i]);
	put_le(out + AT_FILL, 1, info->options.fill);
	put_le(out + AT_DERIVE, 1,
	       info->options.derive | (info->options.left_out > 1 ? DERIVE_PLANE_1 : 0));
	put_le(out + AT_PLANES, 1, info->slice.planes);
	put_le(out + AT_SIZE_BYTES, 1, header->size_bytes);
	put_le(out + AT_PASSES, 4, info->passes);
	put_le(out + AT_DIRECTORY_CHECKSUM, CHECKSUM_SIZE, header->directory_checksum);
	put_orders(info, out + AT_ORDERS);
}

enum el_status table_header_write(const struct table_header *header, uint8_t *out,
                                  struct el_error *error)
{
	memset(out, 0, HEADER_FIXED);
	put_numbers(header, out);
	const size_t size = value_size(header->info.metric);
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
	enum el_status status = put_names(&header->info, out, error);
	table_seal(out, (size_t)(at - out));
	return status;
}
