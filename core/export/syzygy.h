/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Syzygy tables on their way into files. core/foreign/syzygy.h says what these look like.
 *
 *     planes -> cells        syzygy_cells.c   what is stored of each of our indexes, how freely
 *     cells -> orders        syzygy_search.c  in which order it is smallest
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

/* Win, loss, and both too late for the 50-move rule, as files have their values. */
enum { CLASS_WIN, CLASS_LOSS, CLASS_CURSED, CLASS_BLESSED, CLASSES };

enum { SYMBOLS_MAX = 4095 }; /* values and rules of a code together */

/*
 * What a table holds of each index of ours: a symbol, and above it enum el_care. Of outcomes the
 * symbol is the place among those that occur, the worst first; of depths the place among the values
 * of the position's class, the most frequent first.
 */
struct cells {
	uint16_t *cell[2]; /* [plane]; owned */
	uint32_t symbols;
	uint16_t value[CLASSES][SYMBOLS_MAX]; /* of a symbol; of outcomes the first row alone */
	uint32_t values[CLASSES];
	bool plies[CLASSES]; /* the values are of plies, else of moves */
};

enum { CARE_SHIFT = 12, SYMBOL_MASK = (1 << CARE_SHIFT) - 1 };

/* From planes of the outcome under the rule, with what is derivable. EL_MEMORY. */
enum el_status cells_of_outcomes(const struct el_planes *, struct cells *out, struct el_error *);
/* From planes of depths as Syzygy counts. EL_MEMORY; EL_NEGATIVE where there are too many
   values. */
enum el_status cells_of_depths(const struct el_planes *, struct cells *out, struct el_error *);
void cells_free(struct cells *);

/* ---- syzygy_search.c ---- */

/* A board of a slice's table: all positions, or those with the leading pawn on a file. */
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
void board_close(struct export_board *);

/* Reads `count` positions of an order from `first` on: symbols, and how freely they are chosen. */
void board_read(const struct export_board *, const struct cells *, unsigned plane,
                const struct order *, uint64_t first, uint64_t count, uint16_t *symbols,
                uint8_t *care);
/* The order that promises least, and how many bits it promises. */
enum el_status board_search(const struct export_board *, const struct cells *, unsigned plane,
                            struct order_places *out, double *bits, struct el_error *);

/* ---- syzygy_code.c ---- */

/* Bytes in the making. */
struct buffer {
	uint8_t *bytes; /* owned */
	size_t size, room;
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
	uint8_t block_bits;    /* log2 of the bytes in a block, at most */
	bool constant_any;     /* a constant may be any symbol, else 0 alone */
	const uint16_t *value; /* of a symbol, in the file */
	const struct el_watch *watch;
};
/* About how many bits the blocks take; the plane is filled. One core. EL_MEMORY. */
enum el_status code_weigh(const struct code_task *, double *bits);
enum el_status code_make(const struct code_task *, struct code *out, struct el_error *);
void code_free(struct code *);

#endif
