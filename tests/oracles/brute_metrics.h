/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the brute-force solver says under every metric that chess has: how long it is to the next
 * conversion or zeroing move, what a rule that limits the plies without one makes of it, and the
 * least limit that wins. By definition rather than by recursion: DTR runs rule after rule, DTZR
 * goes over every position at every clock.
 *
 *     brute_solve -> brute_measure -> brute_state_metric, brute_metric ... brute_metrics_free
 *
 * A failure (no memory, a contradiction within) ends the test program.
 */
#ifndef TESTS_ORACLES_BRUTE_METRICS_H
#define TESTS_ORACLES_BRUTE_METRICS_H

#include "brute.h"

/* WDLK and DTZK are those of a rule; its limit comes with them. */
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

/* What is to be known beside WDL, DTM and DTZ. */
enum { BRUTE_RULES = 12 };
struct brute_wish {
	bool dtc;
	bool dtr;                   /* DTR and DTZR: as slow as all the rules up to the greatest */
	unsigned rule[BRUTE_RULES]; /* limits in plies, until the first 0 */
};

struct brute_metrics;

/* Of all slices that were solved; the solution must stay. */
struct brute_metrics *brute_measure(const struct brute *, const struct brute_wish *);
void brute_metrics_free(struct brute_metrics *);

/* A state's value, which for WDL and WDLK has no plies. `limit` is read for WDLK and DTZK only.
   False where the state is no legal position; one that brute_state leaves out for its right to
   capture en passant has a value. Asking for what was not wished for ends the program. */
bool brute_state_metric(const struct brute_metrics *, const struct brute_table *, uint32_t state,
                        enum brute_metric, unsigned limit, struct el_value *);

/* That of a position, whatever its clock says: 0 plies are on it. False when it is not legal or its
   slice was not solved. */
bool brute_metric(const struct brute_metrics *, const struct el_position *, enum brute_metric,
                  unsigned limit, struct el_value *);

#endif
