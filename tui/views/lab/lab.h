/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Lab: the candidates, one per row, and their measurements.
 *
 *     lab_state.c   what is measured     lab_rows.c   the candidates: words, sorting, Pareto front
 *     lab_job.c     jobs                 lab_line.c   the prompt, results as files
 *     lab_screen.c  drawing              lab_detail.c drawing one candidate
 *     lab.c         keys
 *     lab_form.c    one candidate, option by option      lab_slice.c   which slice
 */
#ifndef TUI_VIEWS_LAB_LAB_H
#define TUI_VIEWS_LAB_LAB_H

#include "tui/shell/shell.h"

#include "tui/text/slices.h"

#include "core/lab/lab.h"

#include <limits.h>

struct lab_job;

/* How far the measurement of a candidate is, under one workload. */
enum lab_state {
	LAB_NEW,     /* nothing */
	LAB_WAITING, /* queued in the run */
	/* the result, or an error, is there; it has no times until it is `timed` */
	LAB_MEASURED,
};

struct lab_row {
	struct el_lab_candidate candidate; /* as requested */
	enum lab_state state[EL_WORKLOADS];
	struct el_lab_result result[EL_WORKLOADS];
};

/* The columns by which the table can be sorted. */
enum lab_column {
	LAB_CODEC,
	LAB_BLOCK,
	LAB_FILL,
	LAB_ORDER,
	LAB_DERIVE,
	LAB_BITS,
	LAB_BYTES,
	LAB_P50,
	LAB_P99,
	LAB_COLUMNS,
	LAB_UNSORTED = LAB_COLUMNS,
};

struct lab {
	bool chosen;           /* the slice is the user's choice, not the one explored */
	struct el_slice slice; /* the first one of a group */
	/* owned: slices measured together; empty: `slice` alone */
	struct slices group;
	/* owned: the slices of the group over which the figures are summed */
	struct slices summed[EL_WORKLOADS];
	const struct el_metric *metric;
	enum el_workload workload; /* the one shown, and measured next */
	/* the file of the workload `trace`; empty: none was named. A run reads it: see lab_busy */
	char trace[PATH_MAX];
	enum el_regime regime; /* shown */
	uint64_t seed;
	size_t probes;
	bool slow_references; /* runs find those as well */

	struct lab_row *rows; /* owned; list.count of them */
	struct list list;
	enum lab_column sort; /* by which the rows were last sorted */
	bool has_ground[EL_WORKLOADS];
	struct el_lab_ground ground[EL_WORKLOADS];
	enum el_lab_time time; /* on the chart, and in the marked Pareto front */
	enum lab_page { LAB_TABLE, LAB_CHART, LAB_DETAIL, LAB_PAGES } page; /* if not all fits */

	struct lab_foreign {
		struct el_slice slice; /* no game: none yet */
		const struct el_metric *metric;
		unsigned tables; /* version of the list of tables */
	} foreign;               /* for which the rows' foreign files were looked up */

	struct lab_job *running; /* submitted and not done; null otherwise */
	/* el_lab_run; tests substitute a function with the same figures on every machine. */
	enum el_status (*measure)(const struct el_lab_setup *, const struct el_watch *,
	                          struct el_error *);
	struct {
		struct el_slice slice; /* no game: nothing was offered */
		const struct el_metric *metric;
		struct el_table_options options;
	} offer; /* the options with which `y` writes the real table */

	struct {
		struct el_table_options options; /* of the candidate, as edited so far */
		int row;                         /* the row being edited; -1: a new one */
		struct list fields;
	} form;
	const struct el_game *slices_game; /* the game whose slices can be chosen */
	struct list slices;                /* of that game */
};

extern const struct state lab_state;
struct lab *lab_of(const struct model *);

void lab_set_slice(struct model *, const struct el_slice *);
/* Selects the slices, all of one game, that the words name: "KQvKR", "all" or "KQvKR KRvKN".
   EL_USAGE, EL_NEGATIVE and EL_MEMORY change nothing. */
enum el_status lab_set_slices(struct model *, const char *words, struct el_error *);
/* The slices to measure: the group, or the single one. Returns how many. */
size_t lab_slices(const struct lab *, const struct el_slice **);
/* Why an action on a single slice cannot be done; null when only one is measured. */
const char *lab_several(const struct lab *);
/* "KQvKR", or "all" for several: for file names. */
const char *lab_name(const struct lab *);
/* Can the values be read from a table, ours or foreign, of the metric or one that determines it? */
bool lab_has_table(const struct model *, const struct el_slice *);
/* How many of the slices have no such table. */
size_t lab_missing(const struct model *);
/* Takes over the explored slice, unless one was chosen or measured. */
void lab_find_slice(struct model *);
void lab_set_metric(struct model *, const struct el_metric *);
/* Why nothing can be changed now (a run is in progress); else null. */
const char *lab_busy(const struct model *);
/* Why nothing can be measured now; else null. */
const char *lab_unbuilt(const struct model *);
/* Opens the prompt with a candidate in words, for editing. */
void lab_type_words(struct model *, const struct el_table_options *);

/* ---- rows ---- */

/* The default candidates. EL_MEMORY. */
enum el_status lab_rows_open(struct lab *, struct el_error *);
/* The selected row; null if there is none. */
const struct lab_row *lab_selected(const struct lab *);
/* The result of a row under the shown workload; null if there is none, or it is an error. */
const struct el_lab_result *lab_figures(const struct lab *, const struct lab_row *);
/* The candidate of a row; after measurement, with its options as found. */
const struct el_lab_candidate *lab_candidate(const struct lab *, const struct lab_row *);
/* Options for a new candidate: the selected row's, or the defaults if it is a foreign file or no
   row is selected. */
struct el_table_options lab_options(const struct lab *);
/*
 * Adds the candidates that words name, as `build` shows them: "zstd:9 16K best order KkQr
 * captures"; comma-separated lists add one of each. Omitted words are taken from the selected row.
 * Sets *count; EL_USAGE names the word. The first one is selected; a single one that already exists
 * is selected, not added.
 */
enum el_status lab_rows_add(struct lab *, const char *words, size_t *count, struct el_error *);
/* Inserts one at a position; the selected row stays selected. False without memory. */
bool lab_row_insert(struct lab *, int at, const struct el_lab_candidate *);
/* Adds one after the selected row and selects it; false without memory. */
bool lab_row_add(struct lab *, const struct el_lab_candidate *);
void lab_row_change(struct lab *, int row, const struct el_table_options *);
void lab_row_remove(struct lab *, int row);
/* Sorts by a column; rows without figures come last, and the selected row stays selected. False
   without memory: the order is unchanged. */
bool lab_rows_sort(struct lab *, enum lab_column);
/* Marks the Pareto front of the shown workload and regime; nothing is marked without memory. */
void lab_rows_mark(struct lab *);
/* Drops every result, because the slice or metric has changed. */
void lab_rows_forget(struct lab *);
/* The next row by bits per position (`front`: on the Pareto front only); -1 if there is none. */
int lab_row_beside(const struct lab *, int by, bool front);

/* Keeps exactly the slice's foreign files among the rows. Files that the user removed come back
   when the slice, the metric or the list of tables changes. */
void lab_follow_foreign(struct model *);

/* ---- work ---- */

/* Measures the rows without figures, or all rows if each has some. */
void lab_run(struct model *);
/* Collects finished results; true while the run is running or queued. */
bool lab_take_results(struct model *);
void lab_cancel(struct model *);
/* The row being written; -1: none, or all are being timed. */
int lab_row_at_work(const struct model *);
/* Returns how many candidates of the run are written; *of: how many there are. */
size_t lab_run_counts(const struct model *, size_t *of);
/* Returns how many slices are finished; *of: how many there are. 0 of 0 for a single slice. */
size_t lab_run_slices(const struct model *, size_t *of);
/* The run's latest progress; null if it has not begun. */
const struct job_progress *lab_progress(const struct model *);
/* The callbacks of el_lab_setup, with the job as context; public for tests that feed results. */
void lab_deliver(struct lab_job *, size_t candidate, const struct el_lab_result *);
void lab_deliver_ground(struct lab_job *, const struct el_lab_ground *);
const struct el_lab_setup *lab_job_setup(const struct lab_job *);
/* The number of the run's job. */
uint64_t lab_job_number(const struct lab_job *);
/* Writes the real table with the options in `lab.offer`. */
void lab_replace_table(struct model *);

/* ---- the views under it ---- */

void lab_slice_choose(struct model *);
/* For a new candidate, or the selected one. */
void lab_form_open(struct model *, int is_new);

/* ---- files ---- */

/* Opens the prompt for the name. */
void lab_save_ask(struct model *);
/* Why there is nothing to save; else null. */
const char *lab_unsaved(const struct model *);

/* ---- the prompt, drawing ---- */

extern const struct verb lab_verbs[];
/* Do the table and the chart fit on the screen together? */
bool lab_shows_all(const struct model *);
void lab_draw(const struct model *, struct pane);
void lab_draw_detail(const struct model *, struct pane);

#endif
