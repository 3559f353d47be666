/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Syzygy tables as a source. Orders, codes, spans and lengths are read when a table is opened;
 * blocks go through the cache.
 */
#include "syzygy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BOARDS_MAX = 4,
	HEAD_MAX = 128 << 10, /* more than eight orders and codes of 4096 symbols can need */
	MAGIC_BYTES = 4,
	FLAG_SIDES = 1, /* both sides to move are stored */
	FLAG_PAWNS = 2,
	SPAN_BYTES = 6,
	LENGTH_BYTES = 2,
	ALIGNMENT = 64,
	READ_BYTES = 1 << 20, /* of a chunk at a time: a check is stopped between two */
	LARGEST_VALUE = 4,
};

static const uint8_t magic[MAGIC_BYTES] = {0x71, 0xe8, 0x23, 0x5d};

struct syzygy {
	struct foreign foreign; /* first, so that a source is one */
	uint8_t kind[7];        /* of the game, by Syzygy's numbers 1 .. 6 */
	struct material material;
	bool swapped; /* the table's first side is not the slice's */
	unsigned boards, sides;
	uint8_t *tables; /* spans and lengths of all; owned */
	struct board {
		struct order order[2];
		struct pairs pairs[2];
	} board[BOARDS_MAX];
};

static enum el_status damaged(const struct syzygy *s, const char *what, struct el_error *error)
{
	return el_fail(error, EL_DAMAGED, "%s: damaged or not a Syzygy table: %s",
	               s->foreign.source.path, what);
}

static enum el_status no_memory(const struct syzygy *s, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: out of memory", s->foreign.source.path);
}

/* ---- opening ---- */

static void find_material(struct syzygy *s)
{
	const struct el_slice *slice = &s->foreign.source.slice;
	s->material.pieces = slice->pieces;
	for (unsigned type = 1; type <= 6; type++) {
		s->kind[type] = (uint8_t)foreign_kind(&s->foreign, " PNBRQK"[type]);
		for (unsigned side = 0; side < 2; side++)
			s->material.count[side][type] = slice->count[side][s->kind[type]];
	}
	s->boards = s->material.count[0][1] || s->material.count[1][1] ? BOARDS_MAX : 1;
	s->sides = slice->planes;
}

static enum el_status read_start(struct syzygy *s, struct bytes *bytes, struct el_error *error)
{
	unsigned expected = (s->sides == 2 ? FLAG_SIDES : 0) | (s->boards > 1 ? FLAG_PAWNS : 0);
	const uint8_t *start = bytes_take(bytes, MAGIC_BYTES + 1);
	if (!start || memcmp(start, magic, MAGIC_BYTES))
		return damaged(s, "expected 71 e8 23 5d in front", error);
	if ((start[MAGIC_BYTES] & (FLAG_SIDES | FLAG_PAWNS)) != expected)
		return damaged(s, "the flags do not fit the name", error);
	return EL_OK;
}

/* Parts of the head begin at even places of the file. */
static void align_to_word(struct bytes *bytes, const uint8_t *head)
{
	if ((bytes->at - head) & 1)
		bytes_take(bytes, 1);
}

static enum el_status read_codes(struct syzygy *s, struct bytes *bytes, struct el_error *error)
{
	for (unsigned b = 0; b < s->boards; b++)
		for (unsigned side = 0; side < s->sides; side++) {
			struct board *board = &s->board[b];
			uint64_t positions = board->order[side].positions;
			enum el_status status = pairs_read(bytes, positions, &board->pairs[side]);
			if (status == EL_MEMORY)
				return no_memory(s, error);
			if (status)
				return damaged(s, "a code makes no sense", error);
		}
	return EL_OK;
}

/* All orders must have the sides the same way round. */
static bool read_orders(struct syzygy *s, struct bytes *bytes)
{
	for (unsigned b = 0; b < s->boards; b++) {
		struct order *order = s->board[b].order;
		if (!order_read(bytes, &s->material, b, order))
			return false;
		if (b == 0)
			s->swapped = order_is_swapped(&order[0], &s->material);
		for (unsigned side = 0; side < 2; side++)
			if (order_is_swapped(&order[side], &s->material) != s->swapped)
				return false;
	}
	return true;
}

/* All that is in front of the spans; sets *size to how much that is. */
static enum el_status read_head(struct syzygy *s, const uint8_t *head, size_t *size,
                                struct el_error *error)
{
	struct bytes bytes = {head, *size};
	enum el_status status = read_start(s, &bytes, error);
	if (status)
		return status;
	if (!read_orders(s, &bytes))
		return damaged(s, "the pieces do not fit the name", error);
	align_to_word(&bytes, head);
	status = read_codes(s, &bytes, error);
	*size = (size_t)(bytes.at - head);
	return status;
}

/* Calls `visit` for each table of values in the order in which the file has their parts. */
static void each_pairs(struct syzygy *s, uint64_t *at,
                       void (*visit)(struct syzygy *, struct pairs *, uint64_t *))
{
	for (unsigned b = 0; b < s->boards; b++)
		for (unsigned side = 0; side < s->sides; side++)
			visit(s, &s->board[b].pairs[side], at);
}

static void place_spans(struct syzygy *s, struct pairs *p, uint64_t *at)
{
	p->span = s->tables + *at;
	*at += SPAN_BYTES * p->spans;
}

static void place_lengths(struct syzygy *s, struct pairs *p, uint64_t *at)
{
	p->length = s->tables + *at;
	*at += LENGTH_BYTES * (uint64_t)p->lengths;
}

static void count_tables(struct syzygy *s, struct pairs *p, uint64_t *bytes)
{
	(void)s;
	*bytes += SPAN_BYTES * p->spans + LENGTH_BYTES * (uint64_t)p->lengths;
}

static uint64_t aligned(uint64_t at)
{
	return (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void place_blocks(struct syzygy *s, struct pairs *p, uint64_t *at)
{
	(void)s;
	p->begin = aligned(*at);
	*at = p->begin + ((uint64_t)p->blocks << p->block_bits);
}

static void number_blocks(struct syzygy *s, struct pairs *p, uint64_t *block)
{
	(void)s;
	p->first_block = *block;
	*block += p->blocks;
}

/* Spans and lengths are kept in memory; with the blocks they must fill the file. */
static enum el_status read_tables(struct syzygy *s, uint64_t head, struct el_error *error)
{
	uint64_t bytes = 0, at = 0, blocks = 0;
	each_pairs(s, &bytes, count_tables);
	each_pairs(s, &blocks, number_blocks);
	uint64_t end = head + bytes;
	each_pairs(s, &end, place_blocks);
	if (aligned(end) + SUM_OF_FILE != s->foreign.source.bytes)
		return el_fail(error, EL_DAMAGED, "%s: expected %" PRIu64 " bytes, found %" PRIu64,
		               s->foreign.source.path, aligned(end) + SUM_OF_FILE,
		               s->foreign.source.bytes);
	s->tables = malloc((size_t)bytes + 1);
	if (!s->tables)
		return no_memory(s, error);
	each_pairs(s, &at, place_spans);
	each_pairs(s, &at, place_lengths);
	return foreign_read(&s->foreign, "spans", s->tables, (size_t)bytes, head, error);
}

static enum el_status set_up(struct syzygy *s, struct el_error *error)
{
	struct el_source *source = &s->foreign.source;
	size_t size = source->bytes < HEAD_MAX ? (size_t)source->bytes : HEAD_MAX;
	uint8_t *head = malloc(size + 1);
	if (!head)
		return no_memory(s, error);
	source->metric = &el_wdl_rule[EL_RULE_USUAL - 1];
	snprintf(source->detail, sizeof source->detail, "pairs");
	find_material(s);
	enum el_status status = foreign_read(&s->foreign, "header", head, size, 0, error);
	if (!status)
		status = read_head(s, head, &size, error);
	free(head);
	return status ? status : read_tables(s, size, error);
}

static void syzygy_close(struct el_source *source)
{
	struct syzygy *s = (struct syzygy *)source;
	for (unsigned b = 0; b < s->boards; b++)
		for (unsigned side = 0; side < s->sides; side++)
			pairs_free(&s->board[b].pairs[side]);
	foreign_close(&s->foreign);
	free(s->tables);
	free(s);
}

static enum el_status syzygy_open(const char *path, struct el_cache *cache, struct el_source **out,
                                  struct el_error *error)
{
	struct syzygy *s = calloc(1, sizeof *s);
	if (!s)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	enum el_status status = foreign_open(&s->foreign, &el_source_syzygy, path, cache, error);
	s->foreign.source.without_captures = true;
	if (!status)
		status = set_up(s, error);
	if (status)
		syzygy_close(&s->foreign.source);
	else
		*out = &s->foreign.source;
	return status;
}

/* ---- probing ---- */

/* A block of one table of values, as the cache asks for it. */
struct wanted {
	const struct syzygy *syzygy;
	const struct pairs *pairs;
};

static enum el_status load(void *context, uint64_t number, uint16_t *values, size_t count,
                           struct el_error *error)
{
	const struct wanted *wanted = context;
	const struct pairs *p = wanted->pairs;
	const struct syzygy *s = wanted->syzygy;
	size_t size = (size_t)1 << p->block_bits;
	uint64_t block = number - p->first_block;
	uint8_t *bytes = malloc(size);
	if (!bytes)
		return no_memory(s, error);
	enum el_status status = foreign_read(&s->foreign, "block", bytes, size,
	                                     p->begin + (block << p->block_bits), error);
	if (!status && !pairs_decode(p, bytes, values, count))
		status = el_fail(error, EL_DAMAGED,
		                 "%s: block %" PRIu64 ": expected %zu positions, found fewer",
		                 s->foreign.source.path, number, count);
	free(bytes);
	return status;
}

static enum el_status look_up(struct syzygy *s, const struct pairs *p, uint64_t index, bool soft,
                              uint16_t *value, struct el_error *error)
{
	struct wanted wanted = {s, p};
	const struct el_cache_loader loader = {.context = &wanted, .load = load};
	uint32_t block, offset;
	if (p->constant) {
		*value = p->value;
		return EL_OK;
	}
	if (!pairs_find(p, index, &block, &offset))
		return damaged(s, "a span leads to no block", error);
	return el_cache_symbol(s->foreign.cache, s->foreign.owner, p->first_block + block,
	                       pairs_count(p, block), offset, soft ? NULL : &loader, value, error);
}

/* The table of values for a position whose White is the table's first side, and the index in it. */
static const struct pairs *find_index(const struct syzygy *s, const struct el_position *position,
                                      uint64_t *index)
{
	uint64_t set[2][7] = {{0}};
	uint8_t square[SYZYGY_PIECES_MAX];
	for (unsigned side = 0; side < 2; side++)
		for (unsigned type = 1; type <= 6; type++)
			set[side][type] = position->set[side][s->kind[type]];
	const struct board *board = &s->board[0];
	uint64_t first[2][7];
	memcpy(first, set, sizeof set);
	order_squares(&board->order[0], first, square);
	if (s->boards > 1)
		board = &s->board[order_file(square)];
	order_squares(&board->order[position->side], set, square);
	*index = order_index(&board->order[position->side], square);
	return *index < board->order[position->side].positions ? &board->pairs[position->side]
	                                                       : NULL;
}

static enum el_status probe(struct el_source *source, const struct el_position *position,
                            const struct el_place *place, bool soft, struct el_value *out,
                            struct el_error *error)
{
	static const uint8_t outcomes[] = {EL_LOSS, EL_BLESSED_LOSS, EL_DRAW, EL_CURSED_WIN,
	                                   EL_WIN};
	struct syzygy *s = (struct syzygy *)source;
	struct el_position oriented, swapped;
	foreign_orient(&s->foreign, position, place, &oriented);
	if (s->swapped) {
		source->slice.game->swap_colours(&oriented, &swapped);
		oriented = swapped;
	}
	uint64_t index;
	uint16_t value;
	const struct pairs *pairs = find_index(s, &oriented, &index);
	if (!pairs)
		return damaged(s, "a position has no index", error);
	enum el_status status = look_up(s, pairs, index, soft, &value, error);
	if (status)
		return status;
	if (value > LARGEST_VALUE)
		return damaged(s, "expected a result from 0 to 4", error);
	*out = (struct el_value){.outcome = outcomes[value]};
	return EL_OK;
}

/* ---- the checksum ---- */

static enum el_status read_chunk(struct syzygy *s, uint64_t at, uint8_t *out, size_t size,
                                 const struct el_watch *watch, struct el_error *error)
{
	const struct el_source *source = &s->foreign.source;
	struct el_progress progress = {"checking", source->path, 0, (double)source->bytes, "bytes"};
	enum el_status status = EL_OK;
	for (size_t done = 0; done < size && !status;) {
		const size_t part = size - done < READ_BYTES ? size - done : READ_BYTES;
		progress.done = (double)(at + done);
		if (!el_watch_tick(watch, &progress))
			return el_fail(error, EL_STOPPED, "%s: stopped", source->path);
		status = foreign_read(&s->foreign, "checksum", out + done, part, at + done, error);
		done += part;
	}
	return status;
}

static enum el_status compare_sums(const struct syzygy *s, const uint8_t expected[SUM_OF_FILE],
                                   const uint8_t found[SUM_OF_FILE], struct el_error *error)
{
	char text[2][2 * SUM_OF_FILE + 1];
	if (!memcmp(expected, found, SUM_OF_FILE))
		return EL_OK;
	for (unsigned i = 0; i < SUM_OF_FILE; i++) {
		snprintf(text[0] + 2 * i, 3, "%02x", expected[i]);
		snprintf(text[1] + 2 * i, 3, "%02x", found[i]);
	}
	return el_fail(error, EL_DAMAGED, "%s: expected checksum %s, found %s",
	               s->foreign.source.path, text[0], text[1]);
}

/* The sums of all chunks, in order, from room for one of them. */
static enum el_status sum_chunks(struct syzygy *s, uint64_t bytes, uint8_t *chunk, uint8_t *sums,
                                 const struct el_watch *watch, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (uint64_t at = 0; at < bytes && !status; at += SUM_CHUNK, sums += SUM_OF_CHUNK) {
		const size_t size = bytes - at < SUM_CHUNK ? (size_t)(bytes - at) : SUM_CHUNK;
		status = read_chunk(s, at, chunk, size, watch, error);
		if (!status)
			sum_chunk(chunk, size, false, sums);
	}
	return status;
}

static enum el_status check(struct el_source *source, const struct el_watch *watch,
                            struct el_error *error)
{
	struct syzygy *s = (struct syzygy *)source;
	const uint64_t bytes = source->bytes - SUM_OF_FILE;
	const size_t count = (size_t)((bytes + SUM_CHUNK - 1) / SUM_CHUNK);
	uint8_t *chunk = malloc(bytes < SUM_CHUNK ? (size_t)bytes : SUM_CHUNK);
	uint8_t *sums = malloc(count * SUM_OF_CHUNK);
	uint8_t expected[SUM_OF_FILE], found[SUM_OF_FILE];
	enum el_status status =
		chunk && sums ? sum_chunks(s, bytes, chunk, sums, watch, error) : no_memory(s, error);
	if (!status)
		status = foreign_read(&s->foreign, "checksum", expected, sizeof expected, bytes,
		                      error);
	if (!status) {
		sum_join(sums, count, found);
		status = compare_sums(s, expected, found, error);
	}
	free(chunk);
	free(sums);
	return status;
}

static bool syzygy_named(const char *path, struct el_slice *slice, const struct el_metric **metric)
{
	*metric = &el_wdl_rule[EL_RULE_USUAL - 1];
	return foreign_named(&el_source_syzygy, path, slice);
}

const struct el_source_ops el_source_syzygy = {
	.kind = "syzygy",
	.extension = ".rtbw",
	.named = syzygy_named,
	.open = syzygy_open,
	.probe = probe,
	.close = syzygy_close,
	.check = check,
};
