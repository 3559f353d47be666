/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that are refused, and why. */
#ifndef REFUSALS_H
#define REFUSALS_H

#include "endlab/game.h"

#include <stddef.h>

struct refusal {
	const char *text;
	const char *why; /* is in the error's words */
};

/* Each is taken for a position of this game and refused; what was to be filled stays as it was. */
void assert_positions_refused(const struct el_game *, const struct refusal *, size_t count);
/* Each is refused as a slice; how a slice is written instead is said only where the words have it. */
void assert_slices_refused(const struct refusal *, size_t count);

#endif
