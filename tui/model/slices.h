/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slices that lists and completions offer: those solved in minutes, for every game. */
#ifndef TUI_MODEL_SLICES_H
#define TUI_MODEL_SLICES_H

#include "tui/text/slices.h"

/* The *count slices of a game. */
const struct el_slice *slices_of(const struct slices *, const struct el_game *, int *count);
/* The width of the names of a game's slices. */
int slices_cols(const struct slices *, const struct el_game *);
/* A pseudo-random number below `bound`; advances the generator's state. */
uint64_t seed_random(uint64_t *state, uint64_t bound);
/* A random legal position of a slice. False if none was found. */
bool slice_sample(uint64_t *random, const struct el_slice *, struct el_position *out);

#endif
