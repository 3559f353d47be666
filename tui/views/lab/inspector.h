/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the block inspector: a table as a Lab candidate makes it, and one of its blocks. */
#ifndef TUI_VIEWS_LAB_INSPECTOR_H
#define TUI_VIEWS_LAB_INSPECTOR_H

#include "tui/shell/shell.h"

#include "core/lab/lab.h"

struct inspector {
	struct el_slice slice;
	const struct el_metric *metric;
	struct el_table_options options;

	struct question table;           /* which table `opened` should be */
	unsigned tables;                 /* requested so far */
	struct el_lab_inspector *opened; /* owned; also null while a job has it */
	char why[512];                   /* why opening failed; empty: it has not failed */
	uint64_t blocks;                 /* in the table, once opened */

	uint64_t block;      /* the one requested */
	struct question ask; /* for that block */
	bool has_block;
	struct el_lab_block shown; /* owned, when has_block */
	/* positions, `at` the first one shown; if the codec predicts, tokens, `at` the one
	   explained */
	struct list rows;
};

extern const struct state inspector_state;
struct inspector *inspector_of(const struct model *);
/* Opens Lab's selected candidate and shows the view. */
void inspector_open(struct model *);
/* Is the table being opened, rather than waiting for its turn? */
bool inspector_is_opening(const struct model *);
/* Positions per row of cells. */
int inspector_row_cells(int cols);
void inspector_draw(const struct model *, struct pane);

/* ---- its bytes, as inspector_screen.c and inspector_forecast.c draw them ---- */

/* An outcome as its mark, a depth as a letter: a capital for wins, a small one for losses. */
char inspector_letter(const struct el_metric *, struct el_value);
/* "W33" */
const char *inspector_value(const struct el_metric *, struct el_value, char out[16]);

/* Does the codec report its predictions? */
bool inspector_predicts(const struct inspector *);
/* The token of symbol `at`, if the codec does. */
size_t inspector_token(const struct el_lab_block *, size_t at);
/* Draws the cost of each value row by row, and the selected one in words. */
void inspector_draw_forecast(const struct inspector *, struct pane);

#endif
