/* SPDX-License-Identifier: MIT */
/* Works out the index step by step, and the symmetry behind a position's place. */
#include "chess.h"
#include "index.h"

#include "core/games/steps.h"

size_t chess_index_steps(const struct el_slice *slice, uint64_t index,
                         struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	if (el_slice_has_rights(slice))
		return chess_castling_steps(slice, index, out);
	const struct chess_groups groups = chess_groups(slice);
	uint32_t rank[CHESS_GROUPS_MAX];
	for (unsigned i = groups.count; i-- > 0; index /= groups.group[i].radix)
		rank[i] = (uint32_t)(index % groups.group[i].radix);
	const unsigned class = (unsigned)index;
	const struct chess_king_numbers n = chess_king_numbers(groups.pawns, class);
	uint8_t white, black;
	chess_king_squares(groups.pawns, class, &white, &black);
	out[0] = (struct el_index_step){
		.group = "kings",
		.count = 2,
		.piece = {{EL_WHITE, CHESS_KING, white, n.white},
	                  {EL_BLACK, CHESS_KING, black, n.black}},
		.first = n.first,
		.rank = class,
		.radix = groups.kings,
		.after = class,
	};
	for (unsigned i = 0; i < groups.count; i++) {
		const struct chess_group *group = &groups.group[i];
		const uint64_t set = chess_unrank_set(rank[i], group->count, group->first);
		const struct step_group like = {
			.game = slice->game,
			.side = group->side,
			.kind = group->kind,
			.set = set,
			.numbers = set >> group->first,
			.area = ~UINT64_C(0) >> 2 * group->first << group->first,
			.squares = (uint8_t)(64 - 2 * group->first),
		};
		step_write(&like, out[i].after, &out[i + 1]);
	}
	return groups.count + 1;
}

/* ---- symmetry ---- */

/* Tries all symmetries, fewest changes first; one of them fits. */
unsigned chess_symmetry(const struct el_position *position)
{
	static const uint8_t order[8] = {0, 1, 2, 4, 3, 5, 6, 7};
	struct el_position seen = *position, representative = *position;
	struct el_place place;
	struct el_slice slice;
	if (!chess_place(position, &place) || chess_slice_of(position, &slice, NULL) ||
	    !chess_unplace(&slice, place.plane, place.index, &representative))
		return 0;
	const unsigned swapped = place.plane == position->side ? 0 : EL_SWAPPED;
	if (swapped)
		chess_swap_colours(position, &seen);
	unsigned i = 0;
	while (i < 7 && !chess_is_image(&seen, chess_symmetry_of(order[i]), &representative))
		i++;
	return swapped | order[i] * EL_MIRRORED;
}
