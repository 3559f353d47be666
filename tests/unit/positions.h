/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions for the tests: given ones, and random ones that come again. */
#ifndef ENDLAB_TESTS_POSITIONS_H
#define ENDLAB_TESTS_POSITIONS_H

#include "endlab/game.h"

/* The next number of a xorshift generator (Marsaglia 2003); *state starts anywhere but at 0. */
uint64_t random_next(uint64_t *state);

/* The position of a FEN that is right. */
struct el_position position_of(const char *fen);

/* The position as it is, mirrored, with the colours swapped, and both: all are worth the same. */
enum { IMAGES = 4 };
void images_of(const struct el_game *, const struct el_position *, struct el_position out[IMAGES]);

/* The slice of a name that is right. */
struct el_slice slice_named(const char *name);
/* Those of names with spaces between them; at most `max`. */
size_t slices_listed(const char *names, struct el_slice *out, size_t max);

/* A legal position of a slice with White as the first-named side, or with the colours swapped. */
struct el_position random_position(const struct el_slice *slice, uint64_t *state);

/* Exhaustive tests look at every n-th position where they run slowly, under sanitizers or valgrind,
   and at all of them (1) otherwise. */
unsigned test_stride(void);

#endif
