/* SPDX-License-Identifier: MIT */
/*
 * The orders of a table's planes. The number of a position is the sum of its digits, each times a
 * weight; or its index, if that is the order. Codecs may look at the board behind the number
 * (codec.h).
 */
#ifndef CORE_TABLE_ORDER_H
#define CORE_TABLE_ORDER_H

#include "codecs/board/view.h"
#include "table.h"

/* Of `all` positions, those from `first` on that a piece of up to `most` has. */
static inline size_t piece_at(uint64_t first, uint64_t all, size_t most)
{
	return all - first < most ? (size_t)(all - first) : most;
}

/* Is one of these orders other than that of the index? */
static inline enum el_ordering ordering_of(const struct el_order order[2])
{
	return order[0].count || order[1].count ? EL_ORDER_GIVEN : EL_ORDER_INDEX;
}

/* An order made ready for numbering. */
struct numbering {
	unsigned count;                 /* of digits; 0: by the index */
	uint64_t weight[EL_DIGITS_MAX]; /* of each digit */
	uint64_t positions;             /* numbers are below this */
	uint32_t row;                   /* positions that differ only in the fastest digit */
	/* From a multiple of `run` on, so many indexes have numbers that are `step` apart. */
	uint32_t run;
	uint64_t step;
};

/* EL_NEGATIVE, without text, if the order does not name each digit of the slice once. */
enum el_status numbering_make(const struct el_slice *, const struct el_order *,
                              struct numbering *out);

/* The permutation of `count` digits with this number, in lexicographic order; and how many there
   are. */
struct el_order order_numbered(unsigned count, unsigned number);
unsigned orders_of(unsigned count);

static inline uint64_t numbering_of(const struct numbering *n, const struct el_place *place)
{
	if (!n->count)
		return place->index;
	uint64_t number = 0;
	for (unsigned i = 0; i < n->count; i++)
		number += n->weight[i] * place->digit[i];
	return number;
}

/* The number of an index. */
static inline uint64_t numbering_of_index(const struct numbering *n, const struct el_slice *slice,
                                          uint64_t index)
{
	struct el_place place;
	if (!n->count)
		return index;
	slice->game->take_apart(slice, index, place.digit);
	return numbering_of(n, &place);
}

struct table_board {
	struct el_codec_board seen;
	struct el_slice slice;
	unsigned plane;
	/* by number on the board: the piece's number in the order of the digits */
	uint8_t piece[EL_BOARD_PIECES];
};

/* *out becomes null if the game shows no board, or one too large for codecs, or none in index order.
   EL_MEMORY, without text. */
enum el_status board_make(const struct el_slice *, unsigned plane, const struct el_order *,
                          const struct numbering *, struct table_board **out);
void board_free(struct table_board *);
/* The same in index order, with a view of it. *out becomes null, and the view zero, if there is none; free
   both. EL_MEMORY, without text. */
enum el_status board_see(const struct el_slice *, unsigned plane, struct table_board **out,
                         struct board_view *);

#endif
