/* SPDX-License-Identifier: MIT */
/*
 * Gaviota tables of depth to mate (.gtb.cp1 ... .gtb.cp4), as made by Miguel A. Ballicora's
 * generator, with 3 to 5 pieces; described by his probing code and by what Debian's package
 * gaviotatb contains. All numbers are little-endian words of 4 bytes:
 *
 *     ten words: word 2 is the positions in a block, 16384; word 8 the end of the list below
 *     where each block begins, and where the last one ends
 *     blocks: all for White to move, then all for Black to move; each has a byte not used here (0;
 *     1 and 2 in the last block of White and of Black if that is shorter), then a byte per
 *     position, packed in the scheme of the file's name                 gaviota_pack.c
 *
 * The file contains neither a name nor a checksum, except zlib's own in .gtb.cp3.
 *
 * A byte's lower two bits are a result and the upper six a number of moves; larger numbers use the
 * two results that need no number, draw and illegal.                              gaviota.c
 *
 * gaviota_index.c finds a position's byte. It ignores en passant: tables hold the value without the
 * right, and a probe looks at the capture as well.
 */
#ifndef CORE_FOREIGN_GAVIOTA_H
#define CORE_FOREIGN_GAVIOTA_H

#include "foreign.h"

enum { GAVIOTA_PIECES_MAX = 5 };

/* ---- from a position to an index ---- */

/* What comes first in an index: the kings, or the pawns (gaviota_index.c). */
struct anchor;

/* Like pieces that are one digit of an index. */
struct alike {
	uint8_t side, kind, count;
};

/* How the positions of a slice are numbered. */
struct gaviota_index {
	const struct anchor *anchor;
	uint8_t king, pawn;                         /* the game's kinds */
	struct alike alike[GAVIOTA_PIECES_MAX - 2]; /* behind the anchor, in the index's order */
	uint8_t digits;                             /* of `alike` */
	uint32_t positions;                         /* for one side to move */
	struct king_pairs kings;                    /* without pawns; Black's leads */
};

/* False when there are no tables of that material. */
bool gaviota_index_make(const struct foreign *, struct gaviota_index *out);
/* The index of a position with the slice's first-named side as White; `positions` if it has
   none. */
uint32_t gaviota_index_of(const struct gaviota_index *, const struct el_position *);

/* ---- from a block's bytes to a byte a position ---- */

struct scheme {
	const char *name; /* "lzma" */
	/* Decodes exactly `count` bytes from untrusted bytes. EL_DAMAGED, EL_MEMORY, without
	   text. */
	enum el_status (*decode)(const uint8_t *bytes, size_t size, uint8_t *out, size_t count);
};

extern const struct scheme scheme_huffman, scheme_lzf, scheme_zlib, scheme_lzma;

#endif
