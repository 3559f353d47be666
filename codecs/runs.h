/* SPDX-License-Identifier: MIT */
/* The fill with the fewest runs. */
#ifndef CODECS_RUNS_H
#define CODECS_RUNS_H

#include "endlab/codec.h"

/* Chooses the free symbols of a plane so that it has the fewest runs: each run continues as long as
   one symbol is allowed for all of it. */
void runs_fill(const struct el_codec_plane *, uint32_t value_count);
/* The same; if several symbols are allowed for all of a run, it takes the one of least `cost` (by
   symbol), the greatest of equals. */
void runs_fill_cheapest(const struct el_codec_plane *, uint32_t value_count, const uint32_t *cost);

#endif
