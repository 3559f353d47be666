/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the block inspector: a table as a candidate of Lab makes it, and one block of it. */
#ifndef TUI_VIEWS_LAB_INSPECTOR_H
#define TUI_VIEWS_LAB_INSPECTOR_H

#include "tui/shell/shell.h"

#include "core/lab/lab.h"

struct inspector {
	struct el_slice slice;
	const struct el_metric *metric;
	struct el_table_options options;

	struct question table;           /* about what `opened` is */
	unsigned tables;                 /* that were wanted so far */
	struct el_lab_inspector *opened; /* owned; null too while a job has it */
	char why[512];                   /* it could not be opened; empty: it could, or may be */
	uint64_t blocks;                 /* in the table, once it was opened */

	uint64_t block;      /* that is wanted */
	struct question ask; /* about it */
	bool has_block;
	struct el_lab_block shown; /* owned, when has_block */
	/* of positions; the first one shown. Where the codec predicts: of its tokens; the one that
	   is told */
	struct list rows;
};

struct inspector *inspector_of(const struct model *);
/* Opens the selected candidate of Lab, and shows the view. */
void inspector_open(struct model *);
/* Is the table being opened, rather than waiting for its turn? */
bool inspector_is_opening(const struct model *);
/* Positions in a row of cells. */
int inspector_row_cells(int cols);
void inspector_draw(const struct model *, struct pane);

/* ---- its bytes, as inspector_screen.c and inspector_forecast.c draw them ---- */

/* "W33" */
const char *inspector_value(const struct el_metric *, struct el_value, char out[16]);

/* Does the codec tell what it predicted? */
bool inspector_predicts(const struct inspector *);
/* The token of symbol `at`, where it does. */
size_t inspector_token(const struct el_lab_block *, size_t at);
/* What the values cost, row by row, and the one that is chosen in words. */
void inspector_draw_forecast(const struct inspector *, struct pane);

#endif
