/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The placements of one side's pieces, and the quiet moves between them. */
#include "sets.h"

#include "index.h"

#include <stdlib.h>

/* The number of a placement. */
static size_t rank_of(const struct checkers_army *army, struct checkers_placement p)
{
	return (size_t)choose_rank(p.men) * choose[CHECKERS_SQUARES - army->men][army->kings] +
	       choose_rank(checkers_squeeze(p.kings, p.men));
}

size_t checkers_army_size(unsigned men, unsigned kings)
{
	return (size_t)choose[CHECKERS_MAN_SQUARES][men] * choose[CHECKERS_SQUARES - men][kings];
}

static struct checkers_placement unrank(const struct checkers_army *army, size_t rank)
{
	const uint32_t per_men = choose[CHECKERS_SQUARES - army->men][army->kings];
	const uint32_t men = (uint32_t)choose_unrank((uint32_t)(rank / per_men), army->men);
	const uint32_t kings = (uint32_t)choose_unrank((uint32_t)(rank % per_men), army->kings);
	return (struct checkers_placement){men, checkers_spread(kings, men)};
}

/* Called twice, to count and to write: `out` is null the first time. Returns how many. */
static size_t list_steps(const struct checkers_army *army, struct checkers_placement p,
                         struct checkers_step *out)
{
	const uint32_t own = p.men | p.kings;
	size_t count = 0;
	for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++) {
		const uint32_t men = d < CHECKERS_MAN_DIRECTIONS ? p.men : 0;
		uint32_t to = (checkers_shift(p.kings, d) | (checkers_shift(men, d) & ~CHECKERS_TOP)) &
		              ~own;
		while (to) {
			const unsigned square = checkers_pop(&to);
			const uint32_t arrives = checkers_bit(square);
			const uint32_t leaves = checkers_shift(arrives, checkers_opposite(d));
			struct checkers_placement after = p;
			*(p.kings & leaves ? &after.kings : &after.men) ^= arrives | leaves;
			if (out)
				out[count] = (struct checkers_step){
					(uint32_t)rank_of(army, after), square};
			count++;
		}
	}
	return count;
}

static bool open_steps(struct checkers_army *army)
{
	army->first_step = malloc((army->count + 1) * sizeof *army->first_step);
	if (!army->first_step)
		return false;
	uint32_t total = 0;
	for (size_t i = 0; i < army->count; i++) {
		army->first_step[i] = total;
		total += (uint32_t)list_steps(army, army->placement[i], NULL);
	}
	army->first_step[army->count] = total;
	army->steps = malloc((total + 1) * sizeof *army->steps);
	if (!army->steps)
		return false;
#pragma omp parallel for
	for (size_t i = 0; i < army->count; i++)
		list_steps(army, army->placement[i], army->steps + army->first_step[i]);
	return true;
}

enum el_status checkers_army_open(struct checkers_army *army, unsigned men, unsigned kings)
{
	*army = (struct checkers_army){
		.men = men,
		.kings = kings,
		.count = checkers_army_size(men, kings),
	};
	army->placement = malloc(army->count * sizeof *army->placement);
	if (!army->placement)
		return EL_MEMORY;
	for (size_t i = 0; i < army->count; i++)
		army->placement[i] = unrank(army, i);
	return open_steps(army) ? EL_OK : EL_MEMORY;
}

void checkers_army_close(struct checkers_army *army)
{
	free(army->placement);
	free(army->first_step);
	free(army->steps);
}
