/* SPDX-License-Identifier: MIT */
/* Planes of a table that is too large to be lent whole: its symbols are read on request. */
#ifndef CORE_LEND_LOAN_H
#define CORE_LEND_LOAN_H

#include "core/library/library.h"
#include "core/solve/paged.h"

struct loan {
	struct el_planes planes; /* without symbols */
	struct el_table *table;
	struct scratch *scratch; /* borrowed */
	_Atomic size_t count;    /* symbols of a request; 0: no request yet */
	struct loan_side {
		struct loan *loan;
		unsigned plane;
		struct paged chunks;
	} side[2];
};

/*
 * Opens one of our tables in the library's directory whose metric is or determines `metric`.
 * EL_NEGATIVE if none can be read piece by piece: there is none, or it is not in index order,
 * leaves values to be derived, or holds bounds.
 */
enum el_status loan_open(struct loan *, struct el_library *, const struct el_slice *,
                         const struct el_metric *metric, struct scratch *, struct el_error *);
/* The same for one of our tables anywhere, under its own metric. */
enum el_status loan_open_file(struct loan *, const char *path, struct scratch *, struct el_error *);
void loan_close(struct loan *);
/* el_lender.look and let_go for these planes. */
const uint16_t *loan_look(struct loan *, unsigned plane, uint64_t first, size_t count);
void loan_let_go(struct loan *, unsigned plane, uint64_t first, size_t count);

#endif
