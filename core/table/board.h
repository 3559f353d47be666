/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board behind a plane of a table (codec.h), for codecs that look at it. */
#ifndef CORE_TABLE_BOARD_H
#define CORE_TABLE_BOARD_H

#include "order.h"

struct table_board {
	struct el_codec_board seen;
	struct el_slice slice;
	unsigned plane;
	/* by number on the board: the piece's number in the order of the digits */
	uint8_t piece[EL_BOARD_PIECES];
};

/* *out becomes null if the order is the index, or if the game shows no board or a larger one than
   codecs take. EL_MEMORY, without text. */
enum el_status board_make(const struct el_slice *, unsigned plane, const struct el_order *,
                          const struct numbering *, struct table_board **out);
void board_free(struct table_board *);

#endif
