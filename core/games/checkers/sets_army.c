/* SPDX-License-Identifier: MIT */
/* The placements of one side's pieces, their groups, and the quiet moves between them. */
#include "sets.h"

#include <stdlib.h>

/* ---- ranks ---- */

uint32_t checkers_men_rank(const struct checkers_army *army, uint32_t men)
{
	const struct checkers_shape *s = &army->shape;
	if (army->side == EL_BLACK)
		return s->lead[1] ? choose_rank(men) - army->low
		                  : choose_rank(checkers_turn(men) >> CHECKERS_BOTTOM_SQUARES);
	const struct checkers_class *c = checkers_class_of(s, men);
	return c->white_base + (uint32_t)checkers_class_rank(s, c, men);
}

static uint32_t unrank_men(const struct checkers_army *army, uint32_t rank)
{
	const struct checkers_shape *s = &army->shape;
	if (army->side == EL_BLACK)
		return s->lead[1] ? (uint32_t)choose_unrank(rank + army->low, army->men)
		                  : checkers_turn((uint32_t)choose_unrank(rank, army->men)
		                                  << CHECKERS_BOTTOM_SQUARES);
	const struct checkers_class *c = checkers_class_at(s, rank);
	return checkers_class_men(s, c, rank - c->white_base);
}

size_t checkers_placement_bytes(unsigned men, unsigned kings)
{
	return sizeof(struct checkers_placement) + sizeof(uint32_t) +
	       (CHECKERS_MAN_DIRECTIONS * men + CHECKERS_DIRECTIONS * kings) *
	               sizeof(struct checkers_step);
}

/* ---- groups ---- */

static size_t divide_up(size_t a, size_t b)
{
	return (a + b - 1) / b;
}

/* The placements of a side's men with none in the row of its leading rank; 0 if it is not cut by it. */
static uint32_t men_behind(const struct checkers_shape *shape, unsigned side)
{
	const unsigned lead = shape->lead[side];
	return lead ? choose[CHECKERS_ROW_SQUARES * (lead - 1)][shape->men[side]] : 0;
}

/* The number of placements of all its pieces. */
static size_t placements_of(const struct checkers_shape *shape, unsigned side)
{
	const unsigned men = shape->men[side], lead = shape->lead[side];
	const unsigned squares = lead ? CHECKERS_ROW_SQUARES * lead : CHECKERS_MAN_SQUARES;
	return (size_t)(choose[squares][men] - men_behind(shape, side)) *
	       choose[CHECKERS_SQUARES - men][shape->kings[side]];
}

/* Makes groups of nearly equal size, with enough rows for a tile. */
void checkers_army_lay_out(struct checkers_army *army, const struct checkers_shape *shape,
                           unsigned side, size_t tile)
{
	const unsigned men = shape->men[side], kings = shape->kings[side];
	const size_t count = placements_of(shape, side), opposed = placements_of(shape, !side);
	const size_t all = tile * tile;
	size_t rows = opposed < tile ? all / opposed : tile;
	rows = rows < divide_up(count, EL_LINKS_MAX) ? divide_up(count, EL_LINKS_MAX) : rows;
	*army = (struct checkers_army){
		.side = side,
		.men = men,
		.kings = kings,
		.low = men_behind(shape, side),
		.shape = *shape,
		.count = count,
		.per_men = choose[CHECKERS_SQUARES - men][kings],
	};
	if (!men)
		for (army->group_rows = 64; army->group_rows < rows;)
			army->group_rows *= 2;
	else {
		const size_t ranks = count / army->per_men, each = divide_up(rows, army->per_men);
		army->group_rows = divide_up(ranks, divide_up(ranks, each)) * army->per_men;
	}
	if (army->group_rows > count)
		army->group_rows = count;
	army->groups = divide_up(count, army->group_rows);
}

size_t checkers_group_size(const struct checkers_army *army, size_t group)
{
	const size_t left = army->count - group * army->group_rows;
	return left < army->group_rows ? left : army->group_rows;
}

/* ---- steps ---- */

/* Called twice, to count (`out` is null) and to write. Returns how many. */
static size_t list_steps(const struct checkers_army *army, struct checkers_placement p,
                         struct checkers_step *out)
{
	const uint32_t own = p.men | p.kings, rows = (uint32_t)army->group_rows;
	const uint32_t exit = army->shape.exit[army->side];
	size_t count = 0;
	for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++) {
		const uint32_t men = d < CHECKERS_MAN_DIRECTIONS ? p.men : 0;
		uint32_t to =
			(checkers_shift(p.kings, d) | (checkers_shift(men, d) & ~exit)) & ~own;
		if (!out) {
			count += checkers_count(to);
			continue;
		}
		while (to) {
			const uint32_t arrives = checkers_bit(checkers_pop(&to));
			const uint32_t leaves = checkers_shift(arrives, checkers_opposite(d));
			struct checkers_placement after = p;
			*(p.kings & leaves ? &after.kings : &after.men) ^= arrives | leaves;
			const uint32_t rank =
				checkers_men_rank(army, after.men) * (uint32_t)army->per_men +
				choose_rank(squeeze(after.kings, after.men));
			out[count++] =
				(struct checkers_step){rank / rows & 0x3f, rank % rows & 0x3ffffff};
		}
	}
	return count;
}

enum el_status checkers_army_open(struct checkers_army *army)
{
	army->placement = malloc(army->count * sizeof *army->placement);
	army->first_step = malloc((army->count + 1) * sizeof *army->first_step);
	if (!army->placement || !army->first_step)
		return EL_MEMORY;
	for (size_t i = 0; i < army->count; i++) {
		const uint32_t men = unrank_men(army, (uint32_t)(i / army->per_men));
		const uint64_t kings = choose_unrank((uint32_t)(i % army->per_men), army->kings);
		army->placement[i] = (struct checkers_placement){men, spread((uint32_t)kings, men)};
	}
	uint32_t total = 0;
	for (size_t i = 0; i < army->count; i++) {
		army->first_step[i] = total;
		total += (uint32_t)list_steps(army, army->placement[i], NULL);
	}
	army->first_step[army->count] = total;
	army->steps = malloc((total + 1) * sizeof *army->steps);
	if (!army->steps)
		return EL_MEMORY;
#pragma omp parallel for
	for (size_t i = 0; i < army->count; i++)
		list_steps(army, army->placement[i], army->steps + army->first_step[i]);
	for (size_t i = 0; i < army->count; i++)
		for (uint32_t s = army->first_step[i]; s < army->first_step[i + 1]; s++)
			army->linked[i / army->group_rows] |= UINT64_C(1) << army->steps[s].group;
	return EL_OK;
}

void checkers_army_close(struct checkers_army *army)
{
	free(army->placement);
	free(army->first_step);
	free(army->steps);
}
