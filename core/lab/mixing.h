/* SPDX-License-Identifier: MIT */
/* The size of a plane's values in a coder that mixes the predictions of many contexts. */
#ifndef CORE_LAB_MIXING_H
#define CORE_LAB_MIXING_H

#include "run.h"

/* A plane in the order of its digits. */
struct mix_plane {
	const uint16_t *symbols; /* `positions` of them; 0: no position, or one that is not coded */
	uint64_t positions;
	uint32_t values; /* symbols are below this */
	const struct el_digits *digits;
	const uint64_t *weight; /* of each digit */
	/* of the stretches of so many positions, the first of every `step` is coded */
	uint64_t stretch, step;
};

/* Sets the bits of all coded symbols, and how many these are. The coder learns on the way, from
   one end of the plane to the other, so no part of it could be decoded by itself. EL_MEMORY,
   EL_STOPPED. */
enum el_status mixing_count(const struct mix_plane *, struct pace *, double *bits,
                            uint64_t *counted, struct el_error *);

#endif
