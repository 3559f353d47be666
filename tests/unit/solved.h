/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices solved in memory, with all that they depend on: no table file takes part. */
#ifndef TESTS_SOLVED_H
#define TESTS_SOLVED_H

#include "endlab/solve.h"

struct solved;

struct solved *solved_open(void);
void solved_close(struct solved *);
/* The planes of a slice under a metric, solved once. A failure ends the test program. */
const struct el_planes *solved_of(struct solved *, const struct el_slice *,
                                      const struct el_metric *);

/* Lends these, as long as they are open. */
struct el_lender solved_lender(struct solved *);

#endif
