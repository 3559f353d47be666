/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works out the index step by step. */
#include "checkers.h"
#include "index.h"

#include "core/games/steps.h"

/* The steps written so far. */
struct writer {
	struct el_index_step *out;
	size_t count;
	uint64_t after;
};

/* Writes a group, on the squares of its area that earlier groups leave free; `group` has the
   rest. */
static void write_group(struct writer *w, struct step_group group, uint32_t set, uint32_t taken)
{
	const uint32_t removed = ~(uint32_t)group.area | taken;
	group.skips = true;
	group.set = set;
	group.numbers = squeeze(set, removed);
	group.turned = CHECKERS_SQUARES - 1;
	group.squares = (uint8_t)(CHECKERS_SQUARES - checkers_count(removed));
	w->after = step_write(&group, w->after, &w->out[w->count++]);
}

/* The base goes into the last step for men. */
static void write_men(struct writer *w, const struct el_game *game,
                      const struct checkers_shape *shape, const struct checkers_board *board)
{
	const uint32_t white = board->men[0], low = white & CHECKERS_BOTTOM;
	const uint64_t base = shape->base[checkers_count(low)];
	const char *const base_is = "fewer white men in the bottom row";
	struct step_group group = {.game = game, .kind = CHECKERS_MAN, .base_is = base_is};
	if (white) {
		group.where = " in the bottom row";
		group.area = CHECKERS_BOTTOM;
		write_group(w, group, low, 0);
		group.where = " above it";
		group.area = (uint32_t) ~(CHECKERS_BOTTOM | CHECKERS_TOP);
		group.base = shape->men[1] ? 0 : base;
		write_group(w, group, white & ~CHECKERS_BOTTOM, low);
	}
	group.side = EL_BLACK;
	group.where = NULL;
	group.area = (uint32_t)~CHECKERS_BOTTOM;
	group.base = base;
	if (shape->men[1])
		write_group(w, group, board->men[1], white);
}

size_t checkers_index_steps(const struct el_slice *slice, uint64_t index,
                            struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	const struct checkers_shape shape = checkers_shape(slice);
	const struct checkers_board board = checkers_unindex(&shape, index);
	struct writer w = {.out = out};
	uint32_t taken = board.men[0] | board.men[1];
	write_men(&w, slice->game, &shape, &board);
	for (uint8_t side = 0; side < 2; side++) {
		const struct step_group group = {.game = slice->game,
		                                 .side = side,
		                                 .kind = CHECKERS_KING,
		                                 .area = UINT32_MAX};
		if (shape.kings[side])
			write_group(&w, group, board.kings[side], taken);
		taken |= board.kings[side];
	}
	return w.count;
}

unsigned checkers_symmetry(const struct el_position *position)
{
	struct el_place place;
	return checkers_place(position, &place) && place.plane != position->side ? EL_SWAPPED : 0;
}
