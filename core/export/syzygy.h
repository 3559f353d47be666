/* SPDX-License-Identifier: MIT */
/*
 * Writes Syzygy tables. core/foreign/syzygy.h describes the files.
 *
 *     planes -> cells        syzygy_cells.c   what to store for each of our indexes, how freely
 *     cells -> orders        syzygy_search.c  the order that makes the table smallest
 *     cells, order -> code   syzygy_code.c    compressed
 *     codes -> file          syzygy.c
 */
#ifndef CORE_EXPORT_SYZYGY_H
#define CORE_EXPORT_SYZYGY_H

#include "core/foreign/syzygy.h"
#include "core/solve/solve.h"
#include "endlab/codec.h"
#include "outputs.h"

/* ---- syzygy_cells.c ---- */

/* The classes of values in files: wins and losses, in time or too late for the 50-move rule. */
enum { CLASS_WIN, CLASS_LOSS, CLASS_CURSED, CLASS_BLESSED, CLASSES };

enum { SYMBOLS_MAX = 4095 }; /* values and rules of a code together */

/*
 * What a table holds for each of our indexes: a symbol, and above it enum el_care. The symbol of an
 * outcome is its place among the outcomes that occur, the worst first; of a depth, its place among
 * the values of the position's class, the most frequent first.
 */
struct cells {
	uint16_t *cell[2]; /* [plane]; owned */
	uint32_t symbols;
	uint16_t value[CLASSES][SYMBOLS_MAX]; /* of a symbol; outcomes use only the first row */
	uint32_t values[CLASSES];
	bool plies[CLASSES]; /* the values count plies, else moves */
};

enum { CARE_SHIFT = 12, SYMBOL_MASK = (1 << CARE_SHIFT) - 1 };

/* From planes of outcomes under the rule, which mark derivable values. EL_MEMORY. */
enum el_status cells_of_outcomes(const struct el_planes *, struct cells *out, struct el_error *);
/* From planes of depths as Syzygy counts them. EL_MEMORY; EL_NEGATIVE if there are too many
   values. */
enum el_status cells_of_depths(const struct el_planes *, struct cells *out, struct el_error *);
void cells_free(struct cells *);

/* ---- syzygy_search.c ---- */

/* A board of a slice's table: all positions, or the ones with the leading pawn on one file. */
struct export_board {
	const struct el_slice *slice;
	struct material material;
	uint8_t kind[7]; /* of the game, by Syzygy's numbers 1 .. 6 */
	bool pawns;
	unsigned file;
	struct leads leads; /* the same for all orders; owned */
};
enum el_status board_open(struct export_board *, const struct el_slice *, unsigned file,
                          struct el_error *);

/* Reads `count` positions of an order from `first` on: their symbols, and how freely each may be
   chosen. */
void board_read(const struct export_board *, const struct cells *, unsigned plane,
                const struct order *, uint64_t first, uint64_t count, uint16_t *symbols,
                uint8_t *care);
/* Finds the order with the smallest estimate, and that estimate in bits. */
enum el_status board_search(const struct export_board *, const struct cells *, unsigned plane,
                            struct order_places *out, double *bits, struct el_error *);

/* ---- syzygy_code.c ---- */

/* A growing array of bytes. */
struct buffer {
	uint8_t *bytes; /* owned */
	size_t size;
	bool failed; /* memory is out */
};
void buffer_add(struct buffer *, const void *bytes, size_t size);
void buffer_number(struct buffer *, unsigned bytes, uint64_t number); /* little-endian */

/* A board with one side to move, compressed: its parts of the file. */
struct code {
	struct buffer head, spans, lengths, blocks;
};
struct code_task {
	struct el_codec_plane plane;
	uint32_t symbols;
	uint8_t flags;         /* of the head */
	uint8_t block_bits;    /* log2 of the most bytes in a block */
	bool constant_any;     /* a constant may be any symbol, else 0 alone */
	const uint16_t *value; /* of a symbol, in the file */
	const struct el_watch *watch;
};
/* Estimates how many bits the blocks take, and fills the plane. Uses one core. EL_MEMORY. */
enum el_status code_weigh(const struct code_task *, double *bits);
enum el_status code_make(const struct code_task *, struct code *out, struct el_error *);
void code_free(struct code *);

#endif
