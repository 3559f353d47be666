/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board behind a plane of a table (codec.h), for codecs that look at it. */
#ifndef STORE_TABLE_BOARD_H
#define STORE_TABLE_BOARD_H

#include "table_order.h"

struct table_board {
	struct el_codec_board seen;
	struct el_slice slice;
	unsigned plane;
	uint8_t piece[EL_BOARD_PIECES]; /* by place on the board: that in the order of the digits */
};

/* Null in `out` where the order is the index, or the game shows nothing, or
   more than codecs are shown. EL_MEMORY, without words. */
enum el_status board_make(const struct el_slice *, unsigned plane, const struct el_order *,
                          const struct numbering *, struct table_board **out);
void board_free(struct table_board *);

#endif
