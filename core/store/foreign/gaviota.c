/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gaviota tables of depth to mate (.gtb.cp4), as made by Miguel A. Ballicora's generator,
 * with 3 and 4 pieces. All numbers are little-endian words of 4 bytes:
 *
 *     ten words: word 2 is the positions in a block, 16384; word 8 the end of the list below
 *     where each block begins, and where the last one ends
 *     blocks, all for White to move first: a byte of no use here, a zero (no filter), then a stream
 *     in LZMA's old "alone" format, a byte a position
 *
 * A byte's lower two bits are a result and the upper six a number of moves; what does not fit in
 * them is told by the two results, draw and illegal, that need no number.
 *
 * A position's index is that of its anchor, whose symmetries are reduced, then the other pieces'
 * squares, 64 each. The anchor is the pair of kings, or, with pawns, one or two pawns.
 */
#include "foreign.h"

#include <inttypes.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

enum {
	BLOCK_POSITIONS = 16384,
	BLOCK_BYTES_MAX = 65536, /* compressed */
	HEADER_BYTES = 40,
	AT_BLOCK_POSITIONS = 8,
	AT_LIST_END = 32,
	LZMA_MEMORY = 1 << 20,
	PIECES_MAX_HERE = 4,
	KING_PAIRS = 462,
	PAWN_SQUARES = 48,
	HALF_PAWN_SQUARES = 24,
	PAWN_PAIRS = 576,
	LIKE_PAIRS = 64 * 63 / 2,
};

/* The kinds by their letters; `others` are all between king and pawn, as the game orders them. */
struct kinds {
	unsigned king, pawn;
	uint8_t other[EL_KINDS];
	unsigned others;
};

/* What stands first in an index. */
enum anchor { KINGS, WHITE_PAWN, BLACK_PAWN, WHITE_PAWNS, PAWN_EACH };

static const uint32_t anchor_size[] = {
	[KINGS] = KING_PAIRS,
	[WHITE_PAWN] = HALF_PAWN_SQUARES,
	[BLACK_PAWN] = HALF_PAWN_SQUARES,
	[WHITE_PAWNS] = PAWN_PAIRS,
	[PAWN_EACH] = HALF_PAWN_SQUARES * PAWN_SQUARES,
};

struct gaviota {
	struct foreign foreign; /* first, so that a source is one */
	struct kinds kinds;
	enum anchor anchor;
	uint32_t positions;                                 /* for one side to move */
	uint32_t blocks;                                    /* of one side */
	uint32_t *begin;                                    /* 2 * blocks + 1 of them */
	int16_t king_pair[64][64];                          /* [black][white]; -1: none */
	int16_t pawn_pair[HALF_PAWN_SQUARES][PAWN_SQUARES]; /* [anchor][other] */
};

static unsigned mirror_files(unsigned square)
{
	return square ^ 7;
}

static unsigned mirror_ranks(unsigned square)
{
	return square ^ 56;
}

static unsigned transpose(unsigned square)
{
	return file_of(square) << 3 | rank_of(square);
}

/* ---- numbering ---- */

/* How to bring the board's first square to files a-d, ranks 1-4 and below the diagonal. */
struct turn {
	bool files, ranks, diagonal;
};

static unsigned turned(struct turn turn, unsigned square)
{
	if (turn.files)
		square = mirror_files(square);
	if (turn.ranks)
		square = mirror_ranks(square);
	return turn.diagonal ? transpose(square) : square;
}

/* Where the first square is on the diagonal, the second one decides. */
static struct turn turn_for(unsigned first, unsigned second)
{
	struct turn turn = {.files = file_of(first) > 3, .ranks = rank_of(first) > 3};
	first = turned(turn, first);
	second = turned(turn, second);
	turn.diagonal = rank_of(first) > file_of(first) ||
	                (rank_of(first) == file_of(first) && rank_of(second) > file_of(second));
	return turn;
}

/* Pairs are numbered in the order in which their least turned image comes up. */
static void number_king_pairs(struct gaviota *g)
{
	int16_t next = 0;
	memset(g->king_pair, -1, sizeof g->king_pair);
	for (unsigned black = 0; black < 64; black++)
		for (unsigned white = 0; white < 64; white++) {
			struct turn turn = turn_for(black, white);
			int16_t *number = &g->king_pair[turned(turn, black)][turned(turn, white)];
			if (kings_apart(black, white) && *number < 0)
				*number = next++;
		}
}

/* White pawns from rank 7 downwards: of files a-d, and of all files. */
static unsigned half_pawn_number(unsigned square)
{
	return (6 - rank_of(square)) * 4 + file_of(square);
}

static unsigned pawn_number(unsigned square)
{
	return mirror_ranks(square) - 8;
}

/* Of two pawns the more advanced one is the anchor, else the one nearer to an edge, else the lower
   square. Swaps them if need be. */
static void anchor_first(unsigned pawn[2])
{
	unsigned edge[2];
	for (unsigned i = 0; i < 2; i++)
		edge[i] = file_of(pawn[i]) < 4 ? file_of(pawn[i]) : 7 - file_of(pawn[i]);
	bool second = rank_of(pawn[1]) != rank_of(pawn[0]) ? rank_of(pawn[1]) > rank_of(pawn[0])
	              : edge[1] != edge[0]                 ? edge[1] < edge[0]
	                                                   : pawn[1] < pawn[0];
	if (second) {
		unsigned swapped = pawn[0];
		pawn[0] = pawn[1];
		pawn[1] = swapped;
	}
}

/* The anchor on files a-d; true when that took a mirror. */
static bool place_pawns(unsigned pawn[2])
{
	anchor_first(pawn);
	if (file_of(pawn[0]) < 4)
		return false;
	pawn[0] = mirror_files(pawn[0]);
	pawn[1] = mirror_files(pawn[1]);
	return true;
}

static void number_pawn_pairs(struct gaviota *g)
{
	enum { A2 = 8, H7 = 55 };
	int16_t next = 0;
	memset(g->pawn_pair, -1, sizeof g->pawn_pair);
	for (unsigned a = H7; a >= A2; a--)
		for (unsigned b = a - 1; b >= A2 && file_of(a) > 3; b--) {
			unsigned pawn[2] = {a, b};
			place_pawns(pawn);
			int16_t *number =
				&g->pawn_pair[half_pawn_number(pawn[0])][pawn_number(pawn[1])];
			if (*number < 0)
				*number = next++;
		}
}

/* ---- the index of a position ---- */

/* The squares of a set, in order. */
static unsigned squares_of(uint64_t set, unsigned out[2])
{
	unsigned count = 0;
	for (; set && count < 2; set &= set - 1)
		out[count++] = (unsigned)__builtin_ctzll(set);
	return count;
}

/* Both squares of two like pieces as one number. */
static uint32_t like_pair(unsigned a, unsigned b)
{
	unsigned low = a < b ? a : b, high = a < b ? b : a;
	return low * 63 - low * (low - 1) / 2 + (high - low - 1);
}

/* A position, how its anchor turns the board, and the anchor's number. */
struct view {
	const struct el_position *position;
	struct turn turn;
	int32_t anchor; /* its number; negative: a position that the table does not have */
};

static void see_pawns(const struct gaviota *g, struct view *v)
{
	unsigned white[2] = {0}, black[2] = {0};
	squares_of(v->position->set[EL_WHITE][g->kinds.pawn], white);
	squares_of(v->position->set[EL_BLACK][g->kinds.pawn], black);
	if (g->anchor == WHITE_PAWNS) {
		v->turn.files = place_pawns(white);
		v->anchor = g->pawn_pair[half_pawn_number(white[0])][pawn_number(white[1])];
		return;
	}
	v->turn.files = file_of(g->anchor == BLACK_PAWN ? black[0] : white[0]) > 3;
	unsigned first = turned(v->turn, white[0]), second = turned(v->turn, black[0]);
	if (g->anchor == BLACK_PAWN)
		v->anchor = (int32_t)half_pawn_number(mirror_ranks(second));
	else if (g->anchor == WHITE_PAWN)
		v->anchor = (int32_t)half_pawn_number(first);
	else
		v->anchor = (int32_t)(half_pawn_number(first) * PAWN_SQUARES + second - 8);
}

static struct view view_of(const struct gaviota *g, const struct el_position *position)
{
	struct view v = {.position = position};
	unsigned white[2] = {0}, black[2] = {0};
	if (g->anchor != KINGS) {
		see_pawns(g, &v);
		return v;
	}
	squares_of(position->set[EL_WHITE][g->kinds.king], white);
	squares_of(position->set[EL_BLACK][g->kinds.king], black);
	v.turn = turn_for(black[0], white[0]);
	v.anchor = g->king_pair[turned(v.turn, black[0])][turned(v.turn, white[0])];
	return v;
}

static uint32_t add_piece(const struct view *v, unsigned side, unsigned kind, uint32_t index)
{
	unsigned square[2];
	unsigned count = squares_of(v->position->set[side][kind], square);
	if (count == 2)
		return index * LIKE_PAIRS +
		       like_pair(turned(v->turn, square[0]), turned(v->turn, square[1]));
	return count ? index * 64 + turned(v->turn, square[0]) : index;
}

/* The position's place among `positions`, or `positions` when it has none. */
static uint32_t index_of(const struct gaviota *g, const struct el_position *position)
{
	struct view v = view_of(g, position);
	if (v.anchor < 0)
		return g->positions;
	uint32_t index = (uint32_t)v.anchor;
	if (g->anchor != KINGS)
		for (unsigned side = 0; side < 2; side++)
			index = add_piece(&v, side, g->kinds.king, index);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned i = 0; i < g->kinds.others; i++)
			index = add_piece(&v, side, g->kinds.other[i], index);
	return index;
}

/* ---- blocks ---- */

/* The positions in a block; the last one of a side has what is left. */
static size_t block_count(const struct gaviota *g, uint64_t block)
{
	uint64_t first = block % g->blocks * BLOCK_POSITIONS;
	uint64_t rest = g->positions - first;
	return rest < BLOCK_POSITIONS ? (size_t)rest : BLOCK_POSITIONS;
}

/* Decodes exactly `count` bytes. EL_DAMAGED, EL_MEMORY, without words. */
static enum el_status decode(const uint8_t *bytes, size_t size, uint8_t *out, size_t count)
{
	enum { PREFIX = 2 };
	if (size <= PREFIX || bytes[1])
		return EL_DAMAGED;
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret ret = lzma_alone_decoder(&stream, LZMA_MEMORY);
	stream.next_in = bytes + PREFIX;
	stream.avail_in = size - PREFIX;
	stream.next_out = out;
	stream.avail_out = count;
	if (ret == LZMA_OK)
		ret = lzma_code(&stream, LZMA_FINISH);
	lzma_end(&stream);
	if (ret == LZMA_MEM_ERROR)
		return EL_MEMORY;
	const bool whole = stream.avail_out == 0;
	return whole && (ret == LZMA_OK || ret == LZMA_STREAM_END) ? EL_OK : EL_DAMAGED;
}

/* Words for what decode says of a block. */
static enum el_status not_decoded(const struct gaviota *g, uint64_t block, size_t count,
                                  enum el_status status, struct el_error *error)
{
	const char *path = g->foreign.source.path;
	if (status == EL_MEMORY)
		return el_fail(error, status, "%s: out of memory", path);
	return el_fail(error, status,
	               "%s: block %" PRIu64 ": expected %zu positions in LZMA, found something else",
	               path, block, count);
}

static enum el_status load(void *context, uint64_t block, uint16_t *symbols, size_t count,
                           struct el_error *error)
{
	const struct gaviota *g = context;
	uint32_t begin = g->begin[block], size = g->begin[block + 1] - begin;
	uint8_t *bytes = malloc(size + (size_t)BLOCK_POSITIONS);
	if (!bytes)
		return el_fail(error, EL_MEMORY, "%s: out of memory", g->foreign.source.path);
	enum el_status status = foreign_read(&g->foreign, "block", bytes, size, begin, error);
	if (!status) {
		status = decode(bytes, size, bytes + size, count);
		if (status)
			not_decoded(g, block, count, status, error);
	}
	for (size_t i = 0; !status && i < count; i++)
		symbols[i] = bytes[size + i];
	free(bytes);
	return status;
}

/* A byte's value for the side to move; EL_BROKEN where it says that the position is illegal. */
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

static enum el_status no_value(const struct gaviota *g, uint64_t block, struct el_error *error)
{
	const struct el_source *source = &g->foreign.source;
	return el_fail(error, EL_DAMAGED,
	               "%s: damaged, or not a table of %s: block %" PRIu64
	               ": expected a value, found an illegal position",
	               source->path, source->slice.name, block);
}

static enum el_status probe(struct el_source *source, const struct el_position *position,
                            const struct el_place *place, bool soft, struct el_value *value,
                            struct el_error *error)
{
	struct gaviota *g = (struct gaviota *)source;
	const struct el_cache_loader loader = {.context = g, .load = load};
	struct el_position oriented;
	foreign_orient(&g->foreign, position, place, &oriented);
	uint32_t index = index_of(g, &oriented);
	if (index >= g->positions)
		return el_fail(error, EL_NEGATIVE, "%s: no such position", source->path);
	uint64_t block = oriented.side * g->blocks + index / BLOCK_POSITIONS;
	uint16_t symbol;
	enum el_status status =
		el_cache_symbol(g->foreign.cache, g->foreign.owner, block, block_count(g, block),
	                        index % BLOCK_POSITIONS, soft ? NULL : &loader, &symbol, error);
	if (status)
		return status;
	*value = value_of(symbol, oriented.side);
	return value->outcome == EL_BROKEN ? no_value(g, block, error) : EL_OK;
}

/* ---- opening ---- */

static void find_kinds(struct gaviota *g)
{
	struct kinds *k = &g->kinds;
	k->king = foreign_kind(&g->foreign, 'K');
	k->pawn = foreign_kind(&g->foreign, 'P');
	for (unsigned kind = 0; kind < EL_KINDS; kind++)
		if (kind != k->king && kind != k->pawn)
			k->other[k->others++] = (uint8_t)kind;
}

static enum anchor anchor_of(const struct gaviota *g)
{
	const struct el_slice *slice = &g->foreign.source.slice;
	unsigned white = slice->count[EL_WHITE][g->kinds.pawn];
	unsigned black = slice->count[EL_BLACK][g->kinds.pawn];
	if (white && black)
		return PAWN_EACH;
	if (black)
		return BLACK_PAWN;
	return white == 2 ? WHITE_PAWNS : white ? WHITE_PAWN : KINGS;
}

static uint32_t count_positions(const struct gaviota *g)
{
	const struct el_slice *slice = &g->foreign.source.slice;
	uint32_t positions = anchor_size[g->anchor] * (g->anchor == KINGS ? 1 : 64 * 64);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned i = 0; i < g->kinds.others; i++) {
			unsigned count = slice->count[side][g->kinds.other[i]];
			positions *= count == 2 ? LIKE_PAIRS : count ? 64 : 1;
		}
	return positions;
}

static enum el_status damaged(const struct gaviota *g, const char *what, uint64_t expected,
                              uint64_t found, struct el_error *error)
{
	const struct el_source *source = &g->foreign.source;
	return el_fail(error, EL_DAMAGED,
	               "%s: damaged, or not a table of %s: %s: expected %" PRIu64
	               ", found %" PRIu64,
	               source->path, source->slice.name, what, expected, found);
}

/* The list of blocks: in order, none too long, the last one ending with the file. */
static enum el_status check_list(const struct gaviota *g, uint64_t list_end, struct el_error *error)
{
	uint32_t count = 2 * g->blocks;
	if (g->begin[0] != list_end)
		return damaged(g, "begin of the first block", list_end, g->begin[0], error);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t begin = g->begin[i], end = g->begin[i + 1];
		if (end < begin || end - begin > BLOCK_BYTES_MAX)
			return damaged(g, "end of a block, at most",
			               (uint64_t)begin + BLOCK_BYTES_MAX, end, error);
	}
	if (g->begin[count] != g->foreign.source.bytes)
		return damaged(g, "bytes of the file", g->begin[count], g->foreign.source.bytes,
		               error);
	return EL_OK;
}

static enum el_status read_list(struct gaviota *g, struct el_error *error)
{
	uint8_t header[HEADER_BYTES];
	size_t count = 2 * (size_t)g->blocks + 1;
	uint64_t list_end = HEADER_BYTES + 4 * count;
	enum el_status status =
		foreign_read(&g->foreign, "header", header, sizeof header, 0, error);
	if (status)
		return status;
	if (foreign_u32(header + AT_BLOCK_POSITIONS) != BLOCK_POSITIONS)
		return damaged(g, "positions in a block", BLOCK_POSITIONS,
		               foreign_u32(header + AT_BLOCK_POSITIONS), error);
	if (foreign_u32(header + AT_LIST_END) != list_end)
		return damaged(g, "end of the list of blocks", list_end,
		               foreign_u32(header + AT_LIST_END), error);
	g->begin = malloc(count * sizeof *g->begin);
	if (!g->begin)
		return el_fail(error, EL_MEMORY, "%s: out of memory", g->foreign.source.path);
	status = foreign_read(&g->foreign, "list of blocks", g->begin, 4 * count, HEADER_BYTES,
	                      error);
	for (size_t i = 0; !status && i < count; i++)
		g->begin[i] = foreign_u32((const uint8_t *)&g->begin[i]);
	return status ? status : check_list(g, list_end, error);
}

static enum el_status set_up(struct gaviota *g, struct el_error *error)
{
	struct el_source *source = &g->foreign.source;
	if (source->slice.pieces > PIECES_MAX_HERE)
		return el_fail(error, EL_NEGATIVE,
		               "%s: Gaviota tables are read up to %d pieces, found %u",
		               source->path, PIECES_MAX_HERE, source->slice.pieces);
	source->metric = &el_dtm;
	strcpy(source->detail, "lzma 16K");
	find_kinds(g);
	g->anchor = anchor_of(g);
	g->positions = count_positions(g);
	g->blocks = (g->positions + BLOCK_POSITIONS - 1) / BLOCK_POSITIONS;
	number_king_pairs(g);
	number_pawn_pairs(g);
	return read_list(g, error);
}

static void gaviota_close(struct el_source *source)
{
	struct gaviota *g = (struct gaviota *)source;
	foreign_close(&g->foreign);
	free(g->begin);
	free(g);
}

static enum el_status gaviota_open(const char *path, struct el_cache *cache, struct el_source **out,
                                   struct el_error *error)
{
	struct gaviota *g = calloc(1, sizeof *g);
	if (!g)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	enum el_status status = foreign_open(&g->foreign, &el_source_gaviota, path, cache, error);
	if (!status)
		status = set_up(g, error);
	if (status)
		gaviota_close(&g->foreign.source);
	else
		*out = &g->foreign.source;
	return status;
}

static bool gaviota_named(const char *path, struct el_slice *slice, const struct el_metric **metric)
{
	*metric = &el_dtm;
	return foreign_named(&el_source_gaviota, path, slice);
}

const struct el_source_ops el_source_gaviota = {
	.kind = "gaviota",
	.extension = ".gtb.cp4",
	.named = gaviota_named,
	.open = gaviota_open,
	.probe = probe,
	.close = gaviota_close,
	.check = foreign_sample, /* there is neither a checksum nor a name in the file */
};
