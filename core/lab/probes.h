/* SPDX-License-Identifier: MIT */
/* Probing a candidate through a library of its own. */
#ifndef CORE_LAB_PROBES_H
#define CORE_LAB_PROBES_H

#include "run.h"

/* Opens a library on the candidate's folder in which the candidate answers for its slice and metric
   and every check of foreign files is over. EL_DAMAGED if something else would answer. */
enum el_status probes_library(struct entrant *, size_t cache_bytes, struct el_library **out,
                              struct el_error *);

/* Opens the candidate's library and loads what hot probes need. Compares each answer with the true
   value once, before any is timed. Call probes_close in any case. */
enum el_status probes_open(struct entrant *, struct el_error *);
void probes_close(struct entrant *);
/* One turn of a round: probes the round's part of the list as far as time allows, for at least one
   sample. */
enum el_status probes_turn(struct entrant *, enum el_regime, unsigned round, struct el_error *);
/* Sets the result's latencies. EL_MEMORY. */
enum el_status probes_sum_up(struct entrant *, struct el_error *);

/* Measures how many hot probes several threads make. The candidate's library is still open. */
enum el_status threads_measure(struct entrant *, struct el_error *);
/* Measures hit rates for budgets from one kept block to the whole decoded slice. */
enum el_status budgets_measure(struct entrant *, struct el_error *);

#endif
