/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Anything that may happen to the explorer: keys, clicks, lines, pastes, sizes. What happens is up to whoever
   draws the numbers: at random, or a fuzzer. */
#ifndef ENDLAB_TESTS_MONKEY_H
#define ENDLAB_TESTS_MONKEY_H

#include "screens.h"

/* A number below `bound`, which is not 0. */
typedef size_t monkey_draw(size_t bound);

/* Opens the explorer over one of the libraries: the first one has KQvK and KRvK, the second has nothing. */
void monkey_open(struct screens *, monkey_draw *, struct el_library *full, struct el_library *empty);
/* One thing happens, and is drawn. False when nothing more should: what is made for long is about to begin. */
bool monkey_happen(struct screens *, monkey_draw *);

#endif
