/* SPDX-License-Identifier: MIT */
/* The list of positions to probe: the same for the same setup, whatever is measured. */
#ifndef CORE_LAB_WORKLOAD_H
#define CORE_LAB_WORKLOAD_H

#include "lab.h"

struct pace;

struct workload {
	struct el_position *positions; /* owned */
	size_t count;
	size_t distinct, elsewhere; /* el_lab_ground */
};

/* Makes a list of setup->probes positions, or fewer of a trace. EL_MEMORY, EL_STOPPED; EL_NEGATIVE if
   the slice has none; for walks also errors of el_library_answer; for traces errors as el_lab_run, and
   EL_IO. Call workload_free in any case. */
enum el_status workload_make(const struct el_lab_setup *, struct pace *, struct workload *out,
                             struct el_error *);
void workload_free(struct workload *);

#endif
