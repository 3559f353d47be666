/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of a lab run, and their forms: text, JSON, CSV and a chart. The command line and the
 * lab's screen share them.
 */
#ifndef TUI_TEXT_LAB_REPORT_H
#define TUI_TEXT_LAB_REPORT_H

#include "core/lab/lab.h"

#include <stdio.h>

/* Defaults: the number of positions in the list, and the most seconds that one regime of one
   candidate takes. */
enum { LAB_PROBES = 100000, LAB_PROBES_MOST = 5000000 };
#define LAB_SECONDS 0.5

struct lab_report {
	struct el_slice slice;         /* for several slices its name is LAB_TOTALS_NAME */
	const struct el_slice *slices; /* borrowed: the slices summed in the results; null: one */
	size_t slice_count;
	const struct el_metric *metric;
	enum el_workload workload;
	const char *trace;      /* borrowed: the file of a trace, else null */
	enum el_lab_time front; /* the time that defines the Pareto front */
	uint64_t seed;
	double seconds; /* the most that one regime of one candidate may take */
	char machine[256], libraries[256];
	struct el_lab_ground ground;
	struct el_lab_result *results; /* owned; in the order of the candidates */
	/* Owned: each result's codec as requested; for a foreign file its format, "syzygy". */
	char (*codec)[EL_CODEC_TEXT];
	size_t count; /* results present */
	size_t room;  /* results that fit */
};

/* Makes room for so many results; sets the machine and the libraries. EL_MEMORY. Call
   lab_report_free in any case. */
enum el_status lab_report_make(struct lab_report *, size_t room, struct el_error *);
void lab_report_free(struct lab_report *);
/* There must be room. The codec of a foreign file is ignored. */
void lab_report_add(struct lab_report *, const struct el_lab_result *, const char *codec);

/* The references that a chart shows: those without the values that captures derive, if known; null:
   none. */
const struct el_lab_references *lab_references(const struct el_lab_ground *);

/* "p99", "CPU p99": the name of a time in texts. */
const char *lab_time_text(enum el_lab_time);

/* ---- several slices, measured with the same candidates ---- */

#define LAB_TOTALS_NAME "all" /* in place of a slice's name */

struct lab_total;

/* Starts as zeros. */
struct lab_totals {
	struct lab_total *list; /* owned, as are the others: one per candidate */
	size_t count;
	struct el_slice *slices; /* the slices added */
	size_t slice_count;
	struct lab_report common; /* what the slices share; no results */
	bool mixed;               /* the metrics differ: nothing can be summed */
};

/* Adds one more slice's ground to the sum of those before it. */
void lab_ground_add(struct el_lab_ground *sum, const struct el_lab_ground *one);

/* Adds a slice's report, whose result i is that of candidates[i]. Our own candidates have the same
   places for every slice. EL_MEMORY. */
enum el_status lab_totals_add(struct lab_totals *, const struct lab_report *,
                              const struct el_lab_candidate *candidates, struct el_error *);
/* EL_NEGATIVE if the metrics differ, EL_MEMORY. Call lab_report_free in any case. A candidate
   missing for some slice has an error instead of figures. The totals still own the slices. */
enum el_status lab_totals_report(const struct lab_totals *, struct lab_report *out,
                                 struct el_error *);
void lab_totals_free(struct lab_totals *);

/* ---- text (table.c) ---- */

void lab_text_head(FILE *, const struct lab_report *);
/* Column titles, and one result under them. */
void lab_text_titles(FILE *, const struct lab_report *);
void lab_text_row(FILE *, const struct lab_report *, size_t result);
/* The notes below the rows: hit rates, and what filling gained each codec. */
void lab_text_tail(FILE *, const struct lab_report *);

/* ---- data (data.c) ---- */

/* Writes one line; without memory it writes nothing and returns false. */
bool lab_write_json(FILE *, const struct lab_report *);
/* With `titles`, the machine and a line of titles come first; append further reports without. */
void lab_write_csv(FILE *, const struct lab_report *, bool titles);

/* ---- the chart (svg.c) ---- */

/* Plots bits per position against a regime's time, on log axes, with the Pareto front. */
void lab_write_svg(FILE *, struct lab_report *, enum el_regime, enum el_lab_time);

#endif
