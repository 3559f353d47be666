/* SPDX-License-Identifier: MIT */
/* Works out the index step by step. */
#include "index.h"

#include <stdio.h>

/* The bars among the stones of a side's pits, as like pieces. */
static uint64_t write_row(const struct el_game *game, unsigned side, const uint8_t row[AWARI_ROW],
                          uint64_t before, uint64_t base, struct el_index_step *out)
{
	const unsigned stones = awari_row_sum(row);
	*out = (struct el_index_step){
		.count = AWARI_ROW - 1,
		.bars = true,
		.squares = (uint8_t)(stones + AWARI_ROW - 1),
		.rank = awari_rank(row),
		.radix = awari_rows(stones),
		.base = base,
		.base_is = base ? "boards with fewer stones in South's pits" : NULL,
		.before = before,
	};
	snprintf(out->group, sizeof out->group, "%u stone%s of %s", stones, stones == 1 ? "" : "s",
	         game->sides[side]);
	for (unsigned bar = 0, behind = 0; bar < AWARI_ROW - 1; bar++) {
		behind += row[bar];
		out->piece[bar] = (struct el_index_piece){
			.side = (uint8_t)side,
			.square = (uint8_t)(side * AWARI_ROW + bar),
			.number = (uint8_t)(behind + bar),
		};
	}
	return out->after = before * out->radix + out->rank + base;
}

size_t awari_index_steps(const struct el_slice *slice, uint64_t index,
                         struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	struct el_position position;
	if (!awari_unplace(slice, 0, index, &position))
		return 0;
	const uint64_t own = write_row(slice->game, EL_WHITE, position.pits, 0, 0, &out[0]);
	write_row(slice->game, EL_BLACK, position.pits + AWARI_ROW, own,
	          awari_first(slice->pieces, awari_row_sum(position.pits)), &out[1]);
	return 2;
}
