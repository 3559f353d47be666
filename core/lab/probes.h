/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probing a candidate through a library of its own. */
#ifndef CORE_LAB_PROBES_H
#define CORE_LAB_PROBES_H

#include "run.h"

/* A library on the candidate's folder, which answers for its slice and metric there, with every
   check of foreign files over. EL_DAMAGED when something else would answer. */
enum el_status probes_library(struct entrant *, size_t cache_bytes, struct el_library **out,
                              struct el_error *);

/* Opens the candidate's library and brings into its memory what hot probes need. Each answer is
   compared with the true value once, before any is timed. probes_close in any case. */
enum el_status probes_open(struct entrant *, struct el_error *);
void probes_close(struct entrant *);
/* One turn of a round: the part of the list that is the round's, as far as time allows, one sample
   at least. */
enum el_status probes_turn(struct entrant *, enum el_regime, unsigned round, struct el_error *);
/* Sets the result's latencies. EL_MEMORY. */
enum el_status probes_sum_up(struct entrant *, struct el_error *);

/* The hit rates for budgets from one kept block to the decoded slice. */
enum el_status budgets_measure(struct entrant *, struct el_error *);

#endif
