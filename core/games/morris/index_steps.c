/* SPDX-License-Identifier: MIT */
/* Works out the index step by step. */
#include "index.h"

#include "core/games/steps.h"

#include <stdio.h>

/* White's men are a class; Black's are a group of like pieces, as in any game. */
size_t morris_index_steps(const struct el_slice *slice, uint64_t index,
                          struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	const unsigned white = slice->count[0][0], black = slice->count[1][0];
	const uint32_t places = morris_places(white, black);
	const struct morris_classes *classes = morris_classes(white);
	const uint32_t class = (uint32_t)(index / places);
	const uint32_t men = classes ? classes->class[class].men : 0;
	const uint32_t squeezed = (uint32_t)choose_unrank((uint32_t)(index % places), black);
	out[0] = (struct el_index_step){
		.count = (uint8_t)white,
		.classed = true,
		.rank = class,
		.radix = (uint32_t)(slice->positions / places),
		.after = class,
	};
	snprintf(out[0].group, sizeof out[0].group, "%u white m%sn", white, white == 1 ? "a" : "e");
	unsigned count = 0;
	for (uint32_t left = men; left;)
		out[0].piece[count++] = (struct el_index_piece){
			.side = EL_WHITE, .square = (uint8_t)morris_pop(&left)};
	const struct step_group group = {
		.game = slice->game,
		.side = EL_BLACK,
		.set = spread(squeezed, men),
		.numbers = squeezed,
		.area = MORRIS_BOARD,
		.squares = (uint8_t)(MORRIS_POINTS - white),
		.skips = true,
	};
	step_write(&group, class, &out[1]);
	return 2;
}
