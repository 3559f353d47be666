/* SPDX-License-Identifier: MIT */
/*
 * Syzygy tables, as made by Ronald de Man's generator: of outcomes under the 50-move rule (.rtbw),
 * and of depths to zeroing (.rtbz).
 *
 *     magic, a byte of flags, then the parts below for each board: a single one, or one for each
 *     of the files a-d on which a leading pawn can stand. In tables of outcomes a board has both
 *     sides to move, unless both have the same material; in tables of depths it has one, which
 *     each board chooses.
 *
 *     orders      how pieces and their squares become an index      syzygy_index.c
 *     codes       how an index becomes a value                      syzygy_pairs.c
 *     scales      of depths: how a value becomes plies              syzygy_scale.c
 *     spans, lengths, blocks: of all boards and sides in turn; blocks begin at multiples of 64
 *     16 bytes of checksum                                          syzygy_sum.c
 *
 * Everything before the spans is the head (syzygy_head.c), which the first probe reads; spans,
 * lengths and blocks are in memory only as far as probes need them.
 *
 * If a capture wins or draws, a table of outcomes may hold any value up to the capture's: a probe
 * must value the captures as well. A table of depths may hold anything if a position is drawn or a
 * zeroing move keeps the win.
 */
#ifndef CORE_FOREIGN_SYZYGY_H
#define CORE_FOREIGN_SYZYGY_H

#include "foreign.h"

/* ---- the numbers of the format ---- */

enum {
	SYZYGY_PIECES_MAX = 7, /* of tables that are read and written */
	SYZYGY_BOARDS_MAX = 4,
	SYZYGY_MAGIC = 4,
	SYZYGY_ALIGNMENT = 64, /* of blocks, and of the checksum */
	SYZYGY_START = 64,     /* bytes; the first board's orders end within them */
	SYZYGY_PAWN = 1,       /* pieces: 1 .. 6 pawn, knight, bishop, rook, queen, king */
	SYZYGY_KING = 6,
	SYZYGY_NO_PLACE = 15, /* of other pawns in an order that has none */
	/* Of a file. Depths have the flag for both sides, but hold only one. */
	FLAG_SIDES = 1,
	FLAG_PAWNS = 2,
	/* Of a board and side to move. */
	PAIRS_CONSTANT = 0x80,
	BLOCK_POSITIONS_MAX = 65536, /* and the most values of a symbol */
};

extern const uint8_t syzygy_magic[2][SYZYGY_MAGIC]; /* of outcomes, of depths */

/* What the name of a table tells: pieces by side and number. */
struct material {
	uint8_t count[2][7]; /* [side][1 .. 6] */
	uint8_t pieces;
};
/* Of a slice of chess; `kind`: the game's, by number. */
void material_of(const struct el_slice *, struct material *out, uint8_t kind[7]);
static inline bool material_has_pawns(const struct material *m)
{
	return m->count[0][SYZYGY_PAWN] || m->count[1][SYZYGY_PAWN];
}

/* ---- a reader of bytes that are in memory ---- */

struct bytes {
	const uint8_t *at;
	size_t left;
};

/* The next `size` bytes, or null if there are fewer; then none are left. */
const uint8_t *bytes_take(struct bytes *, size_t size);

/* ---- from a position to an index ---- */

/* Pieces whose squares form one number: the leading ones, the other side's pawns, or like
   pieces. */
struct group {
	uint8_t count;
	uint64_t factor; /* multiplies the number */
};

/* How one board and side to move is numbered. */
struct order {
	uint8_t pieces;
	/* 1 .. 6 of the first side, 9 .. 14 of the second */
	uint8_t piece[SYZYGY_PIECES_MAX];
	struct group group[SYZYGY_PIECES_MAX];
	uint8_t groups;
	bool pawns;         /* group 0 is of pawns, all of one side */
	bool other_pawns;   /* and group 1 of the other side's pawns */
	bool three_leaders; /* without pawns, group 0 is three unlike pieces, or else two kings */
	uint64_t positions;
	int16_t kings[10][64]; /* the number of two leading kings; -1: none */
};

/*
 * Reads the orders of a board, of `sides` sides to move; `file` is the leading pawn's. False if
 * they make no sense, or do not fit this material either way round.
 */
bool order_read(struct bytes *, const struct material *, unsigned file, unsigned sides,
                struct order out[]);
/* Makes an order with the pieces in this sequence. False if they cannot be ordered so. */
struct order_places {
	uint8_t piece[SYZYGY_PIECES_MAX]; /* as in struct order */
	uint8_t lead, other;              /* the digits of groups 0 and, of other pawns, 1 */
};
bool order_make(struct order *, const struct material *, unsigned file,
                const struct order_places *);
/* Are the material's sides the reverse of the order's? */
bool order_is_swapped(const struct order *, const struct material *);

/*
 * The squares of a position's pieces in the order's sequence, a leading pawn first. `set` is by the
 * order's sides and pieces; it is used up.
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
/* The index, or `positions` if the squares have none. Changes the squares. */
uint64_t order_index(const struct order *, uint8_t square[SYZYGY_PIECES_MAX]);

/* ---- from an index to a position: syzygy_walk.c ---- */

/* Placements of group 0 by their numbers, for orders of the same leaders. */
struct leads {
	uint64_t count;
	uint8_t (*square)[SYZYGY_PIECES_MAX]; /* owned */
};
enum el_status leads_list(const struct order *, unsigned file, struct leads *out);
void leads_free(struct leads *);

/* Visits the positions of an order, index by index. */
struct walk {
	const struct order *order;
	const struct leads *leads;
	uint8_t fastest[SYZYGY_PIECES_MAX]; /* groups, the least factor first */
	uint32_t radix[SYZYGY_PIECES_MAX];  /* of groups */
	uint32_t digit[SYZYGY_PIECES_MAX];
	uint8_t square[SYZYGY_PIECES_MAX]; /* of the order's pieces */
};
void walk_begin(struct walk *, const struct order *, const struct leads *, uint64_t index);
/* Moves to the next index, which must exist. */
void walk_next(struct walk *);

/* ---- from an index to a value ---- */

/* A symbol of the code: a value, or two symbols one after the other. */
struct pair {
	uint16_t first, second; /* second: PAIR_NONE for a value, which is then `first` */
	uint16_t length;        /* values that it stands for */
};

enum { PAIR_NONE = 0xfff, CODE_BITS_MAX = 32, SPAN_BYTES = 6, LENGTH_BYTES = 2 };

/* The values of one board and side to move. */
struct pairs {
	uint8_t flags; /* as the file has them */
	bool constant; /* they are all `value` */
	uint8_t value;
	uint8_t block_bits;                 /* log2 of the bytes in a block */
	uint8_t span_bits;                  /* log2 of the positions in a span */
	uint8_t shortest, longest;          /* bits of a code */
	uint64_t least[CODE_BITS_MAX + 1];  /* by bits: the least code, from the top of the word */
	uint16_t symbol[CODE_BITS_MAX + 1]; /* by bits: the symbol of that code */
	uint32_t symbols;
	struct pair *pair; /* owned */
	uint64_t positions;
	/* entries of SPAN_BYTES: the block of a span's middle position, and its place there */
	uint64_t spans;
	uint32_t blocks; /* in the file */
	/* entries of LENGTH_BYTES: positions in a block, less one; some have no block */
	uint32_t lengths;
	/* Where they begin in the file. */
	uint64_t at_spans, at_lengths, at_blocks;
	uint64_t first_page; /* the number of the first page of positions among all of the file */
};

/* Reads the code. EL_DAMAGED, without text, if it makes no sense; EL_MEMORY. pairs_free in any
   case. */
enum el_status pairs_read(struct bytes *, uint64_t positions, struct pairs *out);
void pairs_free(struct pairs *);

/* The positions of a block, by its entry. */
static inline unsigned pairs_length(const uint8_t entry[LENGTH_BYTES])
{
	return foreign_u16(entry) + 1u;
}

/* Decodes the positions of a block of 1 << block_bits bytes from the `skip`-th on; false if it has
   too few. */
bool pairs_decode(const struct pairs *, const uint8_t *block, size_t skip, uint16_t *values,
                  size_t count);

/* ---- from a value to plies ---- */

/* Flags of tables of depths. */
enum {
	SCALE_SIDE = 1,       /* to move: the order's second side */
	SCALE_MAPPED = 2,     /* values are places in lists */
	SCALE_WIN_PLIES = 4,  /* wins are in plies, else in moves */
	SCALE_LOSS_PLIES = 8, /* losses, likewise */
	SCALE_WIDE = 16,      /* the lists are of words rather than bytes */
	SCALE_LISTS = 4,
};

struct scale {
	bool mapped;
	bool in_plies[EL_WIN + 1];                       /* by outcome; else in moves */
	uint16_t count[SCALE_LISTS], *list[SCALE_LISTS]; /* owned; null: empty */
};

/*
 * Reads the lists that `flags` announce. `head` is the start of the file: lists begin at even
 * offsets. EL_DAMAGED, without text; EL_MEMORY. scale_free in any case.
 */
enum el_status scale_read(struct bytes *, const uint8_t *head, uint8_t flags, struct scale *out);
void scale_free(struct scale *);
/* Are the plies of some value of this outcome rounded? */
bool scale_rounds(const struct scale *, unsigned outcome);
/* Sets the plies of a value whose outcome is known and not a draw, and whether they are rounded.
   False if the outcome can have no such value. */
bool scale_plies(const struct scale *, unsigned value, struct el_value *);

/* ---- the head ---- */

enum { SYZYGY_PAGE = 4096 }; /* positions decoded together */

/* What the name of a table says. */
struct syzygy_shape {
	bool depths; /* rather than outcomes */
	struct material material;
	uint8_t boards;
	bool symmetric; /* both sides have the same material */
};

struct head {
	bool swapped;   /* the table's first side is not the material's */
	unsigned sides; /* that have values: 1 or 2 */
	uint64_t size;  /* that the file should have */
	struct board {
		struct order order[2];
		struct pairs pairs[2];
		struct scale scale; /* of depths */
	} board[SYZYGY_BOARDS_MAX];
};

/* Null if this is the beginning of such a table, else what is wrong. `size`: up to SYZYGY_START. */
const char *head_refuse(const struct syzygy_shape *, const uint8_t *start, size_t size);
/* Reads all of it from the first bytes of the file. EL_DAMAGED with *why; EL_MEMORY. head_free in
   any case. */
enum el_status head_read(const struct syzygy_shape *, const uint8_t *bytes, size_t size,
                         struct head *out, const char **why);
void head_free(struct head *);

/* ---- the checksum of a file ---- */

enum { SUM_CHUNK = 1 << 24, SUM_OF_CHUNK = 32, SUM_OF_FILE = 16 };

/* Sums a chunk: SUM_CHUNK bytes, or the rest of the file. `by_table` avoids the machine's CRC
   instructions; the sum is the same. */
void sum_chunk(const uint8_t *bytes, size_t size, bool by_table, uint8_t out[SUM_OF_CHUNK]);
/* Sums a file from the sums of its chunks, one after the other; there is at least one. */
void sum_join(const uint8_t *chunks, size_t count, uint8_t out[SUM_OF_FILE]);

/* An el_source_ops.check. */
enum el_status syzygy_check(struct el_source *, const struct el_watch *, struct el_error *);

#endif
