/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probing a candidate through a library of its own. */
#ifndef LAB_PROBES_H
#define LAB_PROBES_H

#include "run.h"

/* A library on the folder of the candidate at hand, which answers for its slice and metric there, with
   every check of foreign files over. EL_DAMAGED when something else would answer. */
enum el_status probes_library(struct run *, size_t cache_bytes, struct el_library **out,
                              struct el_error *);

/* All three regimes and the blocks that probes read. Each answer is compared with the true value
   once, before any is timed. `bytes` is told what one kept block takes on average. */
enum el_status probes_measure(struct run *, struct el_lab_result *out, uint64_t *bytes,
                              struct el_error *);

/* The hit rates for budgets from `least` up to `most` bytes. */
enum el_status budgets_measure(struct run *, uint64_t least, uint64_t most,
                               struct el_lab_result *out, struct el_error *);

#endif
