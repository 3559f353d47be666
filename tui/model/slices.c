/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include "core/base/hash.h"

const struct el_slice *slices_of(const struct slices *s, const struct el_game *game, int *count)
{
	size_t first = 0, end;
	while (first < s->count && s->list[first].game != game)
		first++;
	for (end = first; end < s->count && s->list[end].game == game;)
		end++;
	*count = (int)(end - first);
	return s->list + first;
}

int slices_cols(const struct slices *s, const struct el_game *game)
{
	int cols = 0, count;
	const struct el_slice *slices = slices_of(s, game, &count);
	for (int i = 0; i < count; i++)
		cols = name_cols(cols, &slices[i]);
	return cols;
}

uint64_t seed_random(uint64_t *state, uint64_t bound)
{
	return random_next(state) % bound;
}

uint64_t model_random(struct model *m, uint64_t bound)
{
	return seed_random(&m->random, bound);
}

/* Few indexes of a slice are broken, so this ends soon. */
bool slice_sample(uint64_t *random, const struct el_slice *slice, struct el_position *out)
{
	for (int tries = 0; tries < 100000; tries++) {
		unsigned plane = (unsigned)seed_random(random, slice->planes);
		if (slice->game->unplace(slice, plane, seed_random(random, slice->positions), out))
			return true;
	}
	return false;
}
