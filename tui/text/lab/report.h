/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run of the lab found, and the forms in which it is told: text, JSON, CSV and a chart. The
 * command line and the lab's screen share them.
 */
#ifndef TUI_TEXT_LAB_REPORT_H
#define TUI_TEXT_LAB_REPORT_H

#include "core/lab/lab.h"

#include <stdio.h>

/* What holds unless something else is asked for: positions in the list, and the most seconds that
   one regime of one candidate takes. */
enum { LAB_PROBES = 100000, LAB_PROBES_MOST = 5000000 };
#define LAB_SECONDS 0.5

struct lab_report {
	struct el_slice slice;         /* its name, of several slices, is LAB_TOTALS_NAME */
	const struct el_slice *slices; /* borrowed: those that the results are sums of; null: one */
	size_t slice_count;
	const struct el_metric *metric;
	enum el_workload workload;
	enum el_lab_time front; /* by which time the front is marked */
	uint64_t seed;
	double seconds; /* the most that one regime of one candidate may take */
	char machine[256], libraries[256];
	struct el_lab_ground ground;
	struct el_lab_result *results; /* owned; in the order of the candidates */
	/* Owned; of each result, as it was asked for; of a foreign file its format, "syzygy". */
	char (*codec)[EL_CODEC_TEXT];
	size_t count; /* so many are there */
	size_t room;  /* so many may come */
};

/* Room for so many results; sets the machine and the libraries. EL_MEMORY; lab_report_free in any
   case. */
enum el_status lab_report_make(struct lab_report *, size_t room, struct el_error *);
void lab_report_free(struct lab_report *);
/* There is room. The codec of a foreign file is not asked. */
void lab_report_add(struct lab_report *, const struct el_lab_result *, const char *codec);

/* Those that a chart shows: of what captures do not tell, where that is known; null: none. */
const struct el_lab_references *lab_references(const struct el_lab_ground *);

/* "p99", "CPU p99": how a time is called in texts. */
const char *lab_time_text(enum el_lab_time);

/* ---- several slices, measured with the same candidates ---- */

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

/* ---- text (table.c) ---- */

void lab_text_head(FILE *, const struct lab_report *);
/* Column titles, and one result under them. */
void lab_text_titles(FILE *, const struct lab_report *);
void lab_text_row(FILE *, const struct lab_report *, size_t result);
/* What is to be said below: hit rates, and what filling bought each codec. */
void lab_text_tail(FILE *, const struct lab_report *);

/* ---- data (data.c) ---- */

/* As one line; false, with nothing written, without memory. */
bool lab_write_json(FILE *, const struct lab_report *);
/* With `titles` the machine and a line of titles come first; further reports go below them. */
void lab_write_csv(FILE *, const struct lab_report *, bool titles);

/* ---- the chart (svg.c) ---- */

/* Bits a position against a time of a regime, on log axes, with its Pareto front. */
void lab_write_svg(FILE *, struct lab_report *, enum el_regime, enum el_lab_time);

#endif
