/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several slices, measured with the same candidates, come to: a report like that of a
   slice. */
#ifndef TUI_TEXT_LAB_TOTALS_H
#define TUI_TEXT_LAB_TOTALS_H

#include "report.h"

#define LAB_TOTALS_NAME "all" /* stands where a slice's name does */

struct lab_total;

/* Zero at first. */
struct lab_totals {
	struct lab_total *list; /* owned, as all behind it: one for each candidate */
	size_t count;
	struct el_slice *slices; /* those that were added */
	size_t slice_count;
	struct lab_report common; /* what the slices share; no results */
	bool mixed;               /* the metrics differ: there is nothing to be summed up */
};

/* Adds what holds for a run of one more slice to what holds for those before it. */
void lab_ground_add(struct el_lab_ground *sum, const struct el_lab_ground *one);

/* Adds a slice's report; candidates[i], as it was asked for, is what its result i is of. Those of
   ours stand in the same places for every slice. EL_MEMORY. */
enum el_status lab_totals_add(struct lab_totals *, const struct lab_report *,
                              const struct el_lab_candidate *candidates, struct el_error *);
/* EL_NEGATIVE where the metrics differ, EL_MEMORY; lab_report_free in any case. A candidate that is
   not there for every slice has an error instead of figures. The slices stay the totals'. */
enum el_status lab_totals_report(const struct lab_totals *, struct lab_report *out,
                                 struct el_error *);
void lab_totals_free(struct lab_totals *);

#endif
