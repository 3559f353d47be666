/* SPDX-License-Identifier: MIT */
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

size_t checkers_index_steps(const struct el_slice *slice, uint64_t index,
                            struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	const struct checkers_shape shape = checkers_shape(slice);
	const struct checkers_board board = checkers_unindex(&shape, index);
	struct writer w = {.out = out};
	const uint32_t white = board.men[0], low = white & CHECKERS_BOTTOM;
	/* The base goes into the last step for men. */
	const uint64_t base = shape.base[checkers_count(low)];
	const char *const base_is = "fewer white men in the bottom row";
	struct step_group men = {.game = slice->game, .kind = CHECKERS_MAN, .base_is = base_is};
	if (white) {
		men.where = " in the bottom row";
		men.area = CHECKERS_BOTTOM;
		write_group(&w, men, low, 0);
		men.where = " above it";
		men.area = (uint32_t) ~(CHECKERS_BOTTOM | CHECKERS_TOP);
		men.base = shape.men[1] ? 0 : base;
		write_group(&w, men, white & ~CHECKERS_BOTTOM, low);
	}
	men.side = EL_BLACK;
	men.where = NULL;
	men.area = (uint32_t)~CHECKERS_BOTTOM;
	men.base = base;
	if (shape.men[1])
		write_group(&w, men, board.men[1], white);
	uint32_t taken = white | board.men[1];
	for (uint8_t side = 0; side < 2; side++) {
		const struct step_group kings = {.game = slice->game,
		                                 .side = side,
		                                 .kind = CHECKERS_KING,
		                                 .area = UINT32_MAX};
		if (shape.kings[side])
			write_group(&w, kings, board.kings[side], taken);
		taken |= board.kings[side];
	}
	return w.count;
}

unsigned checkers_symmetry(const struct el_position *position)
{
	struct el_place place;
	return checkers_place(position, &place) && place.plane != position->side ? EL_SWAPPED : 0;
}
