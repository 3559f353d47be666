/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outcomes of a slice that a test may loosen to bounds, and the tables around it. */
#ifndef TESTS_BOUNDS_FIXTURE_H
#define TESTS_BOUNDS_FIXTURE_H

#include "endlab/solve.h"

/* Exact outcomes of a slice, under the symbols of bounds_symbol; el_planes_free. */
struct el_planes bounds_planes(const char *slice);
/* The symbol of any outcome in such planes. */
uint16_t bounds_symbol(enum el_outcome);
/* Gives a plane of outcomes these symbols. */
void bounds_rename(struct el_plane *, uint64_t positions);

/* A folder with the tables that captures in KQvKR lead to, and no other; in that of the test. */
const char *bounds_captured(void);

#endif
