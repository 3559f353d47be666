/* SPDX-License-Identifier: MIT */
#include "steps.h"

#include "choose.h"

#include <stdio.h>
#include <string.h>

uint64_t step_write(const struct step_group *g, uint64_t before, struct el_index_step *out)
{
	const unsigned count = (unsigned)__builtin_popcountll(g->set);
	*out = (struct el_index_step){
		.count = (uint8_t)count,
		.squares = g->squares,
		.skips = g->skips,
		.rank = choose_rank(g->numbers) - g->low,
		.radix = choose[g->squares][count] - g->low,
		.low = g->low,
		.base = g->base,
		.base_is = g->base ? g->base_is : NULL,
		.before = before,
	};
	/* "white queen", "2 black men above it", "no white men in the bottom row". */
	const char *kind = g->game->kind_names[g->kind];
	const size_t length = strlen(kind);
	const bool is_man = length >= 3 && !strcmp(kind + length - 3, "man");
	char number[8] = "no ", kinds[16];
	if (count)
		snprintf(number, sizeof number, "%u ", count);
	if (is_man && count != 1)
		snprintf(kinds, sizeof kinds, "%.*smen", (int)length - 3, kind);
	else
		snprintf(kinds, sizeof kinds, "%s%s", kind, count == 1 ? "" : "s");
	snprintf(out->group, EL_INDEX_GROUP_MAX, "%s%s %s%s", count == 1 ? "" : number,
	         g->side == EL_WHITE ? "white" : "black", kinds, g->where ? g->where : "");
	for (uint64_t area = g->area; area; area &= area - 1)
		out->area[out->area_count++] = (uint8_t)__builtin_ctzll(area) ^ g->turned;
	uint64_t set = g->set, numbers = g->numbers;
	for (unsigned i = 0; i < count; i++, set &= set - 1, numbers &= numbers - 1)
		out->piece[i] = (struct el_index_piece){
			.side = g->side,
			.kind = g->kind,
			.square = (uint8_t)__builtin_ctzll(set) ^ g->turned,
			.number = (uint8_t)__builtin_ctzll(numbers),
		};
	return out->after = before * out->radix + out->rank + out->base;
}
