/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slices that lists and completions offer: those that are solved in minutes, of every game. */
#ifndef TUI_MODEL_SLICES_H
#define TUI_MODEL_SLICES_H

#include "core/games/game.h"

struct model;

struct slices_known {
	struct el_slice *list; /* owned; each game's behind those of the game before it */
	size_t count;
};

enum el_status slices_open(struct slices_known *, struct el_error *);
void slices_close(struct slices_known *);
/* Those of a game, *count of them. */
const struct el_slice *slices_of(const struct slices_known *, const struct el_game *, int *count);
/* How wide the names of a game's slices are. */
int slices_cols(const struct slices_known *, const struct el_game *);
/* A pseudo-random number below `bound`, and the next state of what makes them. */
uint64_t seed_random(uint64_t *state, uint64_t bound);
/* A legal position of a slice, at random. False when none was found. */
bool slice_sample(uint64_t *random, const struct el_slice *, struct el_position *out);

#endif
