/* SPDX-License-Identifier: MIT */
/* Works out the index step by step. */
#include "checkers.h"
#include "index.h"

#include "core/games/steps.h"

#include <stdio.h>
#include <string.h>

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
	group.squares = (uint8_t)(CHECKERS_SQUARES - checkers_count(removed));
	w->after = step_write(&group, w->after, &w->out[w->count++]);
}

size_t checkers_index_steps(const struct el_slice *slice, uint64_t index,
                            struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	const struct checkers_shape shape = checkers_shape(slice);
	const struct checkers_board board = checkers_unindex(&shape, index);
	struct writer w = {.out = out};
	const uint32_t white = board.men[0];
	const struct checkers_class *c = checkers_class_of(&shape, white);
	const bool cut = shape.lead[1];
	struct step_group men = {
		.game = slice->game,
		.kind = CHECKERS_MAN,
		.turned = CHECKERS_SQUARES - 1,
		.base_is = cut ? "fewer white men below that rank, or as many and fewer on it"
	                       : "fewer white men in the bottom row",
	};
	for (unsigned i = 0; white && i < CHECKERS_AREAS; i++) {
		if (!shape.area[i])
			continue;
		/* As far as black men have come is a rank, as White counts them; without black men
		   there is but one area. */
		char where[24] = " above it";
		if (cut && i < 2)
			snprintf(where, sizeof where, " %s rank %u", i ? "on" : "below",
			         9 - shape.lead[1]);
		else if (i < 2)
			strcpy(where, " in the bottom row");
		men.where = cut || !shape.lead[0] ? where : NULL;
		men.area = shape.area[i];
		men.low = c->low[i];
		/* The base goes into the last step for men; one area has none. */
		men.base = i == CHECKERS_AREAS - 1 && !shape.men[1] ? c->base : 0;
		write_group(&w, men, white & shape.area[i], 0);
	}
	if (shape.men[1]) {
		men.side = EL_BLACK;
		men.where = NULL;
		men.low = c->black_low;
		men.base = c->base;
		men.area = (uint32_t)~shape.closed;
		if (cut) { /* ranked in its own view */
			men.turned = 0;
			men.area = checkers_turn(~shape.closed);
			write_group(&w, men, checkers_turn(board.men[1]), checkers_turn(white));
		} else {
			write_group(&w, men, board.men[1], white);
		}
	}
	uint32_t taken = white | board.men[1];
	for (uint8_t side = 0; side < 2; side++) {
		const struct step_group kings = {.game = slice->game,
		                                 .side = side,
		                                 .kind = CHECKERS_KING,
		                                 .turned = CHECKERS_SQUARES - 1,
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
