/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of a table that is too large to be lent whole: its symbols are read as they are asked
   for. */
#ifndef CORE_LEND_LOAN_H
#define CORE_LEND_LOAN_H

#include "core/library/library.h"
#include "core/solve/paged.h"

struct loan {
	struct el_planes planes; /* without symbols */
	struct el_table *table;
	struct scratch *scratch; /* borrowed */
	_Atomic size_t count;    /* symbols asked for at a time; 0: none yet */
	struct loan_side {
		struct loan *loan;
		unsigned plane;
		struct paged chunks;
	} side[2];
};

/*
 * Of the library's own table of a metric that tells `metric`. EL_NEGATIVE where none can be read
 * piece by piece: it has another order than the index, leaves captures to be derived, holds bounds,
 * or there is none.
 */
enum el_status loan_open(struct loan *, struct el_library *, const struct el_slice *,
                         const struct el_metric *metric, struct scratch *, struct el_error *);
void loan_close(struct loan *);
/* As el_lender.look, of these planes. */
const uint16_t *loan_look(struct loan *, unsigned plane, uint64_t first, size_t count);
void loan_let_go(struct loan *, unsigned plane, uint64_t first, size_t count);

#endif
