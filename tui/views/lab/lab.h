/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Lab: the candidates, one a row, and what was measured of them.
 *
 *     lab_state.c   what is measured     lab_rows.c   the candidates: words, sorting, Pareto front
 *     lab_job.c     work on the worker   lab_line.c   the prompt, results as files
 *     lab_screen.c  drawing              lab_detail.c of one candidate
 *     lab.c         keys
 *     lab_form.c    one candidate, option by option      lab_slice.c   which slice
 */
#ifndef TUI_VIEWS_LAB_LAB_H
#define TUI_VIEWS_LAB_LAB_H

#include "tui/shell/shell.h"

#include "tui/text/slices.h"

#include "core/lab/lab.h"

struct lab_job;

/* What is known of a candidate under one workload. */
enum lab_state {
	LAB_NEW,     /* nothing */
	LAB_WAITING, /* its turn in the run will come */
	/* the result is there, without times as long as it is not `timed`; it may be an error */
	LAB_MEASURED,
};

struct lab_row {
	struct el_lab_candidate candidate; /* as asked */
	enum lab_state state[EL_WORKLOADS];
	struct el_lab_result result[EL_WORKLOADS];
};

/* Columns that the table can be sorted by. */
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
	struct el_slice slice; /* of several, the first one */
	/* owned: several that are measured together; empty: `slice` alone */
	struct slices group;
	/* owned: those of the group that the figures are sums over */
	struct slices summed[EL_WORKLOADS];
	const struct el_metric *metric;
	enum el_workload workload; /* shown, and measured next */
	enum el_regime regime;     /* shown */
	uint64_t seed;
	size_t probes;

	struct lab_row *rows; /* owned; list.count of them, `room` fit in */
	size_t room;
	struct list list;
	enum lab_column sort; /* what the rows were last sorted by */
	bool has_ground[EL_WORKLOADS];
	struct el_lab_ground ground[EL_WORKLOADS];
	enum el_lab_time time; /* shown by the chart; its front is marked */
	enum lab_page { LAB_TABLE, LAB_CHART, LAB_DETAIL, LAB_PAGES } page; /* where not all fits */

	struct lab_foreign {
		struct el_slice slice; /* of no game: none yet */
		const struct el_metric *metric;
		unsigned tables; /* which list of them */
	} foreign;               /* what the foreign files among the rows were looked up for */

	struct lab_job *running; /* submitted and not done; null otherwise */
	/* el_lab_run, except in tests, whose figures must be the same on every machine. */
	enum el_status (*measure)(const struct el_lab_setup *, const struct el_watch *,
	                          struct el_error *);
	struct {
		struct el_slice slice; /* of no game: nothing was offered */
		const struct el_metric *metric;
		struct el_table_options options;
	} offer; /* what `y` writes the real table with */

	struct {
		struct el_table_options options; /* of the candidate, as edited so far */
		int row;                         /* the row being edited; -1: a new one */
		struct list fields;
	} form;
	const struct el_game *slices_game; /* whose slices are listed to choose from */
	struct list slices;                /* of that game */
};

extern const struct state lab_state;
struct lab *lab_of(const struct model *);

void lab_set_slice(struct model *, const struct el_slice *);
/* The same, dropping all results of the slice before. */
void lab_change_slice(struct lab *, const struct el_slice *);
/* Measures all that the words name, "KQvKR", "all" or "KQvKR KRvKN": slices of one game. EL_USAGE,
   EL_NEGATIVE and EL_MEMORY leave what there was. */
enum el_status lab_set_slices(struct model *, const char *words, struct el_error *);
/* The slices that are measured: those of the group, or the one. Returns how many. */
size_t lab_slices(const struct lab *, const struct el_slice **);
/* Why what concerns a single slice cannot be done; null where only one is measured. */
const char *lab_several(const struct lab *);
/* "KQvKR", or "all" for several: for names of files. */
const char *lab_name(const struct lab *);
/* Can the values be read from a table of the metric, or from one that tells it, ours or foreign? */
bool lab_has_table(const struct model *, const struct el_slice *);
/* How many of them have none. */
size_t lab_missing(const struct model *);
/* Follows the slice that is explored, unless one was chosen or measured. */
void lab_find_slice(struct model *);
void lab_set_metric(struct model *, const struct el_metric *);
/* Why nothing can be changed now: a run is at work; else null. */
const char *lab_busy(const struct model *);
/* Why nothing can be measured now; null when something can. */
const char *lab_unbuilt(const struct model *);
/* Opens the prompt with a candidate in words, to go on from. */
void lab_type_words(struct model *, const struct el_table_options *);

/* ---- rows ---- */

/* The default candidates. EL_MEMORY. */
enum el_status lab_rows_open(struct lab *, struct el_error *);
/* The selected row; null where there is none. */
const struct lab_row *lab_selected(const struct lab *);
/* The result of a row under the shown workload; null when it has none, or an error. */
const struct el_lab_result *lab_figures(const struct lab *, const struct lab_row *);
/* What a row is of: as found, where it was measured. */
const struct el_lab_candidate *lab_candidate(const struct lab *, const struct lab_row *);
/* The options to go on from: of the selected row, or the usual ones where that is a foreign file,
   or none. */
struct el_table_options lab_options(const struct lab *);
/*
 * Adds the candidates that words name, as `build` shows them: "zstd:9 16K best order KkQr
 * captures"; lists with commas make one of each. Words left out are those of the selected row.
 * Returns how many; EL_USAGE names the word. The first one is selected; a single one that is there
 * already is selected and not added.
 */
enum el_status lab_rows_add(struct lab *, const char *words, size_t *count, struct el_error *);
/* Puts one at a place, and the selected row stays selected; false without memory. */
bool lab_row_insert(struct lab *, int at, const struct el_lab_candidate *);
/* Adds one behind the selected row, and selects it; false without memory. */
bool lab_row_add(struct lab *, const struct el_lab_candidate *);
void lab_row_change(struct lab *, int row, const struct el_table_options *);
void lab_row_remove(struct lab *, int row);
/* Sorts by a column; rows without figures come last, and the selected row stays selected. False
   without memory: they stand as they stood. */
bool lab_rows_sort(struct lab *, enum lab_column);
/* Marks the Pareto front of the shown workload and regime; nothing is marked without memory. */
void lab_rows_mark(struct lab *);
/* Drops every result: they were of another slice or metric. */
void lab_rows_forget(struct lab *);
/* The next row by bits a position (`front`: on the Pareto front alone); -1 where there is none. */
int lab_row_beside(const struct lab *, int by, bool front);

/* Sees to it that the foreign files of the slice are among the rows, and those of no other; those
   that were removed come back with another slice, metric or list of tables. */
void lab_follow_foreign(struct model *);

/* ---- work ---- */

/* Measures the rows without figures, or all where all have some. */
void lab_run(struct model *);
/* Takes over what the run has ready; true while the run is at work or waits. */
bool lab_take_results(struct model *);
void lab_cancel(struct model *);
/* The row that is being written; -1: none, or all are being timed. */
int lab_row_at_work(const struct model *);
/* The candidates of the run that are written, and all that are to be. */
size_t lab_run_counts(const struct model *, size_t *of);
/* The slices that are through, and all; 0 of 0 where the run is of one. */
size_t lab_run_slices(const struct model *, size_t *of);
/* What the run has said last; null where it has not begun. */
const struct job_progress *lab_progress(const struct model *);
/* What the callbacks of el_lab_setup are given as context; for tests that feed results. */
void lab_deliver(struct lab_job *, size_t candidate, const struct el_lab_result *);
void lab_deliver_ground(struct lab_job *, const struct el_lab_ground *);
const struct el_lab_setup *lab_job_setup(const struct lab_job *);
/* The number of the run's job. */
uint64_t lab_job_number(const struct lab_job *);
/* Writes the real table as `lab.offer` says. */
void lab_replace_table(struct model *);

/* ---- the views under it ---- */

void lab_slice_choose(struct model *);
void lab_form_add(struct model *);
void lab_form_edit(struct model *);

/* ---- files ---- */

/* Opens the prompt for the name. */
void lab_save_ask(struct model *);
/* Why there is nothing to be saved; null when there is. */
const char *lab_unsaved(const struct model *);

/* ---- the prompt, drawing ---- */

extern const struct verb lab_verbs[];
/* Do the table and the chart fit beside each other? */
bool lab_shows_all(const struct model *);
void lab_draw(const struct model *, struct pane);
void lab_draw_detail(const struct model *, struct pane);

#endif
