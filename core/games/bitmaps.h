/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a game's sets. */
#ifndef ENDLAB_GAMES_BITMAPS_H
#define ENDLAB_GAMES_BITMAPS_H

#include "endlab/sets.h"

/* An empty set, aligned for vectors; free() it. Null without memory. */
uint64_t *bitmap_open(size_t words);
/* The sets that every game has, empty, for each of `sides`. False without memory: close them. */
bool bitmaps_open(struct el_sets *);
/* These, and the schedules. */
void bitmaps_close(struct el_sets *);

#endif
