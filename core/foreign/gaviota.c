/* SPDX-License-Identifier: MIT */
/*
 * Gaviota's files as sources. A source keeps little of its file: it reads a block's offset with the
 * block, so that hundreds of open tables cost no memory except the cache's.
 */
#include "gaviota.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	WORD = 4,
	BLOCK_POSITIONS = 16384,
	BLOCK_BYTES_MAX = 65536, /* packed */
	HEADER_BYTES = 40,
	AT_BLOCK_POSITIONS = 2 * WORD,
	AT_LIST_END = 8 * WORD,
	LIST_PART = 1024, /* entries that are checked at once */
};

struct gaviota {
	struct foreign foreign; /* first, so that a source is one */
	const struct scheme *scheme;
	struct gaviota_index index;
	uint32_t blocks; /* of one side */
};

/* File names tell the kind. */
static const struct {
	const struct el_source_ops *ops;
	const struct scheme *scheme;
} files[] = {
	{&el_source_gaviota, &scheme_lzma},
	{&el_source_gaviota_cp3, &scheme_zlib},
	{&el_source_gaviota_cp2, &scheme_lzf},
	{&el_source_gaviota_cp1, &scheme_huffman},
};

enum { FILES = sizeof files / sizeof *files };

/* The last one if the name has none of the extensions. */
static unsigned kind_of_file(const char *path)
{
	const struct el_source_ops *ops = el_source_kind_of(path);
	unsigned i = 0;
	while (i < FILES - 1 && files[i].ops != ops)
		i++;
	return i;
}

/* ---- blocks ---- */

static uint64_t list_end(const struct gaviota *g)
{
	return HEADER_BYTES + WORD * (2 * (uint64_t)g->blocks + 1);
}

/* Does the block lie where a block can be? */
static enum el_status check_block(const struct gaviota *g, uint32_t begin, uint32_t end,
                                  struct el_error *error)
{
	if (begin < list_end(g))
		return foreign_damaged(&g->foreign, "begin of a block, at least", list_end(g),
		                       begin, error);
	if (end <= begin)
		return foreign_damaged(&g->foreign, "end of a block, at least", (uint64_t)begin + 1,
		                       end, error);
	if (end - begin > BLOCK_BYTES_MAX)
		return foreign_damaged(&g->foreign, "end of a block, at most",
		                       (uint64_t)begin + BLOCK_BYTES_MAX, end, error);
	return EL_OK;
}

/* An el_cache_reader.load: a byte a position. */
static enum el_status load(void *context, uint64_t block, uint8_t **bytes, size_t *size,
                           struct el_error *error)
{
	enum { MARK = 1 };
	const struct gaviota *g = context;
	const char *path = g->foreign.source.path;
	/* The last block of a side has the rest. */
	const uint64_t rest = g->index.positions - block % g->blocks * BLOCK_POSITIONS;
	const size_t count = rest < BLOCK_POSITIONS ? (size_t)rest : BLOCK_POSITIONS;
	uint8_t entry[2 * WORD] = {0};
	enum el_status status = input_read(&g->foreign.input, "list of blocks", entry, sizeof entry,
	                                   HEADER_BYTES + WORD * block, error);
	const uint32_t begin = foreign_u32(entry), end = foreign_u32(entry + WORD);
	if (!status)
		status = check_block(g, begin, end, error);
	if (status)
		return status;
	/* The bytes of the file stand behind the positions that they become. */
	const size_t packed = end - begin;
	uint8_t *room = malloc(count + packed);
	if (!room)
		return foreign_no_memory(path, error);
	status = input_read(&g->foreign.input, "block", room + count, packed, begin, error);
	if (!status) {
		status = g->scheme->decode(room + count + MARK, packed - MARK, room, count);
		if (status == EL_MEMORY)
			foreign_no_memory(path, error);
		else if (status)
			el_fail(error, status,
			        "%s: block %" PRIu64
			        ": expected %zu positions in %s, found something else",
			        path, block, count, g->scheme->name);
	}
	if (status) {
		free(room);
		return status;
	}
	uint8_t *smaller = realloc(room, count);
	*bytes = smaller ? smaller : room;
	*size = count;
	return EL_OK;
}

static enum el_status read_one(void *context, uint64_t block, const uint8_t *bytes, size_t size,
                               size_t at, uint16_t *symbol, struct el_error *error)
{
	(void)context, (void)block, (void)size, (void)error;
	*symbol = bytes[at];
	return EL_OK;
}

/* ---- probing ---- */

/* A byte's value for the side to move; EL_BROKEN if it marks the position illegal. */
static struct el_value value_of(unsigned byte, unsigned side)
{
	enum { DRAW, WHITE_MATES, BLACK_MATES, ILLEGAL, SIX_BITS = 63 };
	unsigned result = byte & 3, moves = byte >> 2;
	unsigned mover_mates = side == EL_WHITE ? WHITE_MATES : BLACK_MATES;
	if (byte == DRAW)
		return (struct el_value){.outcome = EL_DRAW};
	if (byte == ILLEGAL)
		return (struct el_value){.outcome = EL_BROKEN};
	if (result == DRAW && side == EL_BLACK && moves == SIX_BITS)
		return (struct el_value){.outcome = EL_LOSS, .plies = 2 * (2 * SIX_BITS + 1)};
	if (result == DRAW || result == ILLEGAL)
		moves += SIX_BITS;
	if (result == DRAW || result == mover_mates)
		return (struct el_value){.outcome = EL_WIN, .plies = (uint16_t)(2 * moves + 1)};
	return (struct el_value){.outcome = EL_LOSS, .plies = (uint16_t)(2 * moves)};
}

static enum el_status probe(struct el_source *source, const struct el_position *position,
                            const struct el_place *place, bool soft, struct el_value *value,
                            struct el_error *error)
{
	struct gaviota *g = (struct gaviota *)source;
	const struct el_cache_reader reader = {
		.context = g, .load = soft ? NULL : load, .read = read_one};
	/* with the slice's first-named side as White: the side to move is then the plane */
	struct el_position oriented = *position;
	if (place->plane != position->side)
		source->slice.game->swap_colours(position, &oriented);
	uint32_t index = gaviota_index_of(&g->index, &oriented);
	if (index >= g->index.positions)
		return el_fail(error, EL_NEGATIVE, "%s: no such position", source->path);
	uint64_t block = oriented.side * (uint64_t)g->blocks + index / BLOCK_POSITIONS;
	uint16_t byte;
	enum el_status status = el_cache_read(g->foreign.cache, g->foreign.source.owner, block,
	                                      index % BLOCK_POSITIONS, &reader, &byte, error);
	if (status)
		return status;
	*value = value_of(byte, oriented.side);
	return value->outcome != EL_BROKEN
	               ? EL_OK
	               : el_fail(error, EL_DAMAGED,
	                         "%s: damaged, or not a table of %s: block %" PRIu64
	                         ": expected a value, found an illegal position",
	                         source->path, source->slice.name, block);
}

/* ---- the file as a whole ---- */

/* Checks that blocks follow each other; opening the file checked the ends of the list. */
static enum el_status check(struct el_source *source, const struct el_watch *watch,
                            struct el_error *error)
{
	const struct gaviota *g = (const struct gaviota *)source;
	uint8_t part[LIST_PART * WORD];
	const uint32_t entries = 2 * g->blocks + 1;
	uint32_t begin = 0;
	for (uint32_t first = 0; first < entries; first += LIST_PART) {
		const uint32_t count = entries - first < LIST_PART ? entries - first : LIST_PART;
		enum el_status status =
			input_read(&g->foreign.input, "list of blocks", part, WORD * (size_t)count,
		                   HEADER_BYTES + WORD * (uint64_t)first, error);
		for (uint32_t i = 0; i < count && !status; i++) {
			const uint32_t end = foreign_u32(part + WORD * (size_t)i);
			if (first + i > 0)
				status = check_block(g, begin, end, error);
			begin = end;
		}
		if (status)
			return status;
	}
	return foreign_sample(source, true, watch, error);
}

/* ---- opening ---- */

/* Checks the header and both ends of the list, so that a truncated file does not open. */
static enum el_status check_header(const struct gaviota *g, struct el_error *error)
{
	uint8_t header[HEADER_BYTES + WORD], last[WORD];
	const uint64_t bytes = g->foreign.source.bytes;
	enum el_status status =
		input_read(&g->foreign.input, "header", header, sizeof header, 0, error);
	if (status)
		return status;
	if (foreign_u32(header + AT_BLOCK_POSITIONS) != BLOCK_POSITIONS)
		return foreign_damaged(&g->foreign, "positions in a block", BLOCK_POSITIONS,
		                       foreign_u32(header + AT_BLOCK_POSITIONS), error);
	if (foreign_u32(header + AT_LIST_END) != list_end(g))
		return foreign_damaged(&g->foreign, "end of the list of blocks", list_end(g),
		                       foreign_u32(header + AT_LIST_END), error);
	if (foreign_u32(header + HEADER_BYTES) != list_end(g))
		return foreign_damaged(&g->foreign, "begin of the first block", list_end(g),
		                       foreign_u32(header + HEADER_BYTES), error);
	status = input_read(&g->foreign.input, "list of blocks", last, WORD, list_end(g) - WORD,
	                    error);
	if (!status && foreign_u32(last) != bytes)
		return foreign_damaged(&g->foreign, "bytes of the file", foreign_u32(last), bytes,
		                       error);
	return status;
}

static void gaviota_close(struct el_source *source)
{
	struct gaviota *g = (struct gaviota *)source;
	foreign_close(&g->foreign);
	free(g);
}

static enum el_status gaviota_open(const char *path, struct el_cache *cache, struct el_source **out,
                                   struct el_error *error)
{
	const unsigned file = kind_of_file(path);
	struct gaviota *g = calloc(1, sizeof *g);
	if (!g)
		return foreign_no_memory(path, error);
	g->scheme = files[file].scheme;
	struct el_source *source = &g->foreign.source;
	enum el_status status =
		foreign_open(&g->foreign, files[file].ops, path, NULL, cache, error);
	if (!status && !gaviota_index_make(&g->foreign, &g->index))
		status = el_fail(error, EL_NEGATIVE,
		                 "%s: Gaviota tables are read up to %d pieces, found %u", path,
		                 GAVIOTA_PIECES_MAX, source->slice.pieces);
	if (!status) {
		source->metric = &el_dtm;
		snprintf(source->detail, sizeof source->detail, "%s 16K", g->scheme->name);
		g->blocks = (g->index.positions + BLOCK_POSITIONS - 1) / BLOCK_POSITIONS;
		status = check_header(g, error);
	}
	if (status)
		gaviota_close(source);
	else
		*out = source;
	return status;
}

static bool gaviota_named(const char *path, struct el_slice *slice, const struct el_metric **metric)
{
	*metric = &el_dtm;
	return foreign_named(files[kind_of_file(path)].ops, path, slice);
}

#define GAVIOTA(ops_, extension_)           \
	const struct el_source_ops ops_ = { \
		.kind = "gaviota",          \
		.extension = extension_,    \
		.named = gaviota_named,     \
		.open = gaviota_open,       \
		.probe = probe,             \
		.close = gaviota_close,     \
		.check = check,             \
	}

GAVIOTA(el_source_gaviota, ".gtb.cp4");
GAVIOTA(el_source_gaviota_cp3, ".gtb.cp3");
GAVIOTA(el_source_gaviota_cp2, ".gtb.cp2");
GAVIOTA(el_source_gaviota_cp1, ".gtb.cp1");
