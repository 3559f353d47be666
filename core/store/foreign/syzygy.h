/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Syzygy tables of win, draw and loss (.rtbw), as made by Ronald de Man's generator.
 *
 *     magic, a byte of flags, then what follows for each board: one, or one for each of the files
 *     a-d on which a leading pawn can stand; and in it for each side to move, unless both sides
 *     have the same material
 *
 *     orders      how pieces and their squares become an index      syzygy_index.c
 *     codes       how an index becomes a value                      syzygy_pairs.c
 *     spans, lengths, blocks: of all boards and sides in turn; blocks begin at multiples of 64
 *     16 bytes of checksum                                  syzygy_sum.c
 *
 * Where a capture wins or draws, a table may hold any value up to the capture's: the values of
 * captures have to be looked at as well.
 */
#ifndef STORE_SYZYGY_H
#define STORE_SYZYGY_H

#include "foreign.h"

/* ---- a reader of bytes that are in memory ---- */

struct bytes {
	const uint8_t *at;
	size_t left;
};

/* The next `size` bytes, or null when there are not as many; then none are left. */
const uint8_t *bytes_take(struct bytes *, size_t size);

/* ---- from a position to an index ---- */

/* Pieces whose squares are one number: the leading ones, the other side's pawns, or like pieces. */
enum { SYZYGY_PIECES_MAX = 6 }; /* of tables that are read */

struct group {
	uint8_t count;
	uint64_t factor; /* what the number is multiplied with */
};

/* How one board and side to move counts. */
struct order {
	uint8_t pieces;
	/* 1 .. 6: pawn, knight, bishop, rook, queen, king of the first side; 9 .. 14: second */
	uint8_t piece[SYZYGY_PIECES_MAX];
	struct group group[SYZYGY_PIECES_MAX];
	uint8_t groups;
	bool pawns;         /* group 0 is of pawns, all of one side */
	bool other_pawns;   /* and group 1 of those of the other side */
	bool three_leaders; /* without pawns, group 0 is three unlike pieces, or else two kings */
	uint64_t positions;
	int16_t kings[10][64]; /* the number of two leading kings; -1: none */
};

/* What is known of a table before its orders: pieces by side and kind as in struct order. */
struct material {
	uint8_t count[2][7]; /* [side][1 .. 6] */
	uint8_t pieces;
};

/*
 * Reads the orders of both sides to move of a board; `file` is that of the leading pawn. False when
 * they do not make sense, or are not of this material or of it with the sides exchanged.
 */
bool order_read(struct bytes *, const struct material *, unsigned file, struct order out[2]);
/* Makes one of these pieces in turn. False when they cannot be ordered so. */
struct order_places {
	uint8_t piece[SYZYGY_PIECES_MAX]; /* as in struct order */
	uint8_t lead, other;              /* the digits of groups 0 and, of other pawns, 1 */
};
bool order_make(struct order *, const struct material *, unsigned file, const struct order_places *);
/* The material has its sides the other way round than the order's pieces. */
bool order_is_swapped(const struct order *, const struct material *);

/*
 * The squares of a position's pieces in the order's order, a leading pawn first. `set` is by the
 * order's sides and pieces and is used up.
 */
void order_squares(const struct order *, uint64_t set[2][7], uint8_t square[SYZYGY_PIECES_MAX]);
/* The file of the leading pawn, or of its mirror image: 0 .. 3. */
unsigned order_file(const uint8_t square[SYZYGY_PIECES_MAX]);
/* May a pawn stand behind this leader? */
bool order_follows(unsigned square, unsigned leader);
/* The number of placements of group 0. */
uint64_t order_leads(const struct order *, unsigned file);
/* The number of group 0; else as order_index. */
uint64_t order_lead(const struct order *, uint8_t square[SYZYGY_PIECES_MAX]);
/* The index, or `positions` where the squares have none. Changes the squares. */
uint64_t order_index(const struct order *, uint8_t square[SYZYGY_PIECES_MAX]);

/* ---- from an index to a position: syzygy_walk.c ---- */

/* Placements of group 0 by their numbers, for orders of the same leaders. */
struct leads {
	uint64_t count;
	uint8_t (*square)[SYZYGY_PIECES_MAX]; /* owned */
};
enum el_status leads_list(const struct order *, unsigned file, struct leads *out);
void leads_free(struct leads *);

/* Goes through the positions of an order, index by index. */
struct walk {
	const struct order *order;
	const struct leads *leads;
	uint8_t fastest[SYZYGY_PIECES_MAX]; /* groups, that of the least factor first */
	uint32_t radix[SYZYGY_PIECES_MAX];  /* of groups */
	uint32_t digit[SYZYGY_PIECES_MAX];
	uint8_t square[SYZYGY_PIECES_MAX];  /* of the order's pieces */
};
void walk_begin(struct walk *, const struct order *, const struct leads *, uint64_t index);
/* To the next index, which must be there. */
void walk_next(struct walk *);

/* ---- from an index to a value ---- */

/* A symbol of the code: a value, or two symbols one after the other. */
struct pair {
	uint16_t first, second; /* second: PAIR_NONE for a value, which is then `first` */
	uint16_t length;        /* values that it stands for */
};

enum { PAIR_NONE = 0xfff, CODE_BITS_MAX = 32 };

/* The values of one board and side to move. */
struct pairs {
	bool constant; /* they are all `value` */
	uint8_t value;
	uint8_t block_bits;                 /* log2 of the bytes in a block */
	uint8_t span_bits;                  /* log2 of the positions in a span */
	uint8_t shortest, longest;          /* bits of a code */
	uint64_t least[CODE_BITS_MAX + 1];  /* by bits: the least code, from the top of the word */
	uint16_t symbol[CODE_BITS_MAX + 1]; /* by bits: the symbol of that code */
	uint32_t symbols;
	struct pair *pair; /* owned */
	uint64_t spans;
	uint32_t blocks;       /* in the file */
	uint32_t lengths;      /* entries in `length`: some are not of a block */
	const uint8_t *span;   /* 6 bytes each: its middle position's block and place there */
	const uint8_t *length; /* 2 bytes each: the positions in a block, less one */
	uint64_t begin;        /* of the blocks in the file */
	uint64_t first_block;  /* the number of the first block among all of the file */
};

/* Reads the code. EL_DAMAGED, without words, when it makes no sense; EL_MEMORY. pairs_free in any
   case. */
enum el_status pairs_read(struct bytes *, uint64_t positions, struct pairs *out);
void pairs_free(struct pairs *);

/* Where an index is. False when the spans and lengths say nothing that makes sense. */
bool pairs_find(const struct pairs *, uint64_t index, uint32_t *block, uint32_t *offset);
/* The positions of a block. */
size_t pairs_count(const struct pairs *, uint32_t block);
/* Decodes a block of 1 << block_bits bytes; false when it is no such block. */
bool pairs_decode(const struct pairs *, const uint8_t *block, uint16_t *values, size_t count);

/* ---- the checksum of a file ---- */

enum { SUM_CHUNK = 1 << 24, SUM_OF_CHUNK = 32, SUM_OF_FILE = 16 };

/* Of a chunk: SUM_CHUNK bytes, or what is left at the end of the file. With `by_table` no
   instruction of the machine's own is used; the sum is the same. */
void sum_chunk(const uint8_t *bytes, size_t size, bool by_table, uint8_t out[SUM_OF_CHUNK]);
/* Of a file, from those of its chunks, one behind the other; there is at least one. */
void sum_join(const uint8_t *chunks, size_t count, uint8_t out[SUM_OF_FILE]);

#endif
