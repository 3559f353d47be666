/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The brute-force solver under every metric of chess: the distance to the next conversion or
 * zeroing move, the effect of a rule that limits the plies without one, and the least limit that
 * wins. Computed by definition, not by recursion: DTR tries rule after rule, DTZR every position at
 * every clock.
 *
 *     brute_solve -> brute_measure -> brute_state_metric, brute_metric ... brute_metrics_free
 *
 * A failure (no memory, a contradiction within) ends the test program.
 */
#ifndef TESTS_ORACLES_BRUTE_METRICS_H
#define TESTS_ORACLES_BRUTE_METRICS_H

#include "brute.h"

/* WDLK and DTZK depend on a rule, whose limit is passed with them. */
enum brute_metric {
	BRUTE_WDL,
	BRUTE_DTM,
	BRUTE_DTC,
	BRUTE_DTZ,
	BRUTE_WDLK,
	BRUTE_DTZK,
	BRUTE_DTR,
	BRUTE_DTZR,
};

/* What to compute besides WDL, DTM and DTZ. */
enum { BRUTE_RULES = 12 };
struct brute_wish {
	bool dtc;
	bool dtr;                   /* DTR and DTZR: as slow as all rules up to the greatest */
	unsigned rule[BRUTE_RULES]; /* limits in plies, until the first 0 */
};

struct brute_metrics;

/* Measures all solved slices; the solution must outlive the result. */
struct brute_metrics *brute_measure(const struct brute *, const struct brute_wish *);
void brute_metrics_free(struct brute_metrics *);

/* A state's value, without plies for WDL and WDLK. `limit` is used only for WDLK and DTZK. False if
   the state is not legal; one that brute_state rejects for its right to capture en passant has a
   value. Requesting what was not wished for ends the program. */
bool brute_state_metric(const struct brute_metrics *, const struct brute_table *, uint32_t state,
                        enum brute_metric, unsigned limit, struct el_value *);

/* A position's value, as if its clock were at 0 plies. False if it is not legal or its slice was
   not solved. */
bool brute_metric(const struct brute_metrics *, const struct el_position *, enum brute_metric,
                  unsigned limit, struct el_value *);

#endif
