/* SPDX-License-Identifier: MIT */
#include "examine.h"

#include "core/whole/sweep.h"

#include <stdatomic.h>

/* Shared by the threads of one pass. */
struct counter {
	const struct el_slice *slice;
	unsigned plane;
	atomic_uint_fast64_t legal, placements;
};

static enum el_status count_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                  struct el_error *error)
{
	struct counter *c = context;
	const struct el_game *game = c->slice->game;
	uint64_t legal = 0, placements = 0;
	struct el_position position;
	for (uint64_t index = first; index < end; index++) {
		if (!game->unplace(c->slice, c->plane, index, &position))
			continue;
		legal++;
		placements += game->orbit(&position);
	}
	atomic_fetch_add(&c->legal, legal);
	atomic_fetch_add(&c->placements, placements);
	(void)thread, (void)error;
	return EL_OK;
}

enum el_status el_census_take(const struct el_slice *slice, const struct el_watch *watch,
                              struct el_census *out, struct el_error *error)
{
	struct el_census census = {.legal = {0}};
	for (unsigned plane = 0; plane < slice->planes; plane++) {
		struct counter c = {.slice = slice, .plane = plane};
		const enum el_status status = sweep_run(
			&(struct sweep){"counting", slice, NULL, slice->positions,
		                        plane * slice->positions, slice->planes * slice->positions,
		                        watch, &c, count_chunk},
			error);
		if (status)
			return status;
		for (unsigned side = 0; side < 2; side++) {
			if (side != el_slice_mover(slice, plane) && !el_slice_alike(slice))
				continue;
			census.legal[side] = atomic_load(&c.legal);
			census.placements[side] = atomic_load(&c.placements);
		}
	}
	*out = census;
	return EL_OK;
}
