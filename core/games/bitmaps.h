/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a game's sets. */
#ifndef ENDLAB_GAMES_BITMAPS_H
#define ENDLAB_GAMES_BITMAPS_H

#include <stddef.h>
#include <stdint.h>

/* An empty set, aligned for vectors; free() it. Null without memory. */
uint64_t *bitmap_open(size_t words);

#endif
