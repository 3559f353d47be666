/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of positions. A source supplies the contents of its list; everything else is shared: rows,
 * the filter, values, exploring a position.
 *
 *     source.follow -> source.count, source.row -> filter_holds -> the rows on screen
 */
#ifndef TUI_VIEWS_POSITIONS_POSITIONS_H
#define TUI_VIEWS_POSITIONS_POSITIONS_H

#include "filter.h"
#include "tui/text/findings.h"
#include "tui/text/slices.h"
#include "tui/views/views.h"

#include <string.h>

/* The last one is there only once a file of positions was opened. */
enum source_name { SAMPLES, RECORDS, ZUGZWANGS, BOOKMARKS, FOUND, OPENED, SOURCES };

struct source {
	const char *title; /* "Records" */
	const char *note;  /* the heading of listed.note */
	bool asks;         /* values are looked up; `row` does not fill them in */
	/* Called after every update while the list is on screen: requests what is not known. May be
	   null. */
	void (*follow)(struct model *);
	size_t (*count)(const struct model *);
	/* Fills in `out`, which is zeroed: the position and whatever else is known. */
	void (*row)(const struct model *, size_t i, struct listed *out);
	/* Grows when the list's positions change. */
	unsigned (*version)(const struct model *);
	/* Says why the list is empty. */
	void (*empty)(const struct model *, char *out, size_t size);
	/* Describes the list as a whole; may be null. */
	void (*about)(const struct model *, char *out, size_t size);
	/* Removes from a filter the words that choose what is listed, and acts on them. False, with
	   a message, if it cannot. May be null. */
	bool (*choose)(struct model *, struct filter *);
};

extern const struct source samples_source, records_source, zugzwangs_source, asked_source,
	bookmarks_source, opened_source;
extern const struct source *const positions_sources[SOURCES];

/* A position's value, from el_library_answer. */
struct worth {
	const struct el_metric *metric; /* null: not known */
	struct el_value value;
	bool asked; /* this answer is current, not the previous one */
};

struct worths {
	struct worth *list; /* owned; one per position of the source */
	size_t count;
	unsigned changes; /* grows whenever a value changes */
	struct question ask;
	/* What was asked; a change of source, list, metric or rule asks anew. */
	const struct source *source;
	unsigned version, tables, rule;
	const struct el_metric *metric;
};

/* A question and its answers. Starts as zeros. */
enum { ASKED_MAX = 512 };
struct asked {
	char text[ASKED_MAX]; /* slices and question, as typed */
	struct question ask;
	struct asked_row {
		const struct el_game *game;
		struct el_position position;
		const struct el_metric *metric; /* null: no value */
		struct el_value value;
	} * list; /* owned */
	size_t count;
	bool is_cut;          /* there are more than are listed */
	uint64_t open;        /* positions not decided for want of a table */
	unsigned missing;     /* slices without a table */
	char why[512];        /* why there is no answer; else empty */
	unsigned changes;     /* grows with each question and each answer */
	struct slices slices; /* of the question; owned */
};

struct positions {
	enum source_name source;
	struct list list;          /* the rows that pass the filter */
	size_t *rows;              /* owned: their indices in the source */
	int slice_cols, note_cols; /* widest in these rows */
	/* What the rows depend on. A list may have thousands, so they are not found again at every
	   key. */
	struct rows_of {
		const struct source *source; /* null: rows must be found */
		unsigned version, tables, worths;
		size_t count;
		bool in_moves;
	} found;
	struct filter filter[SOURCES];
	size_t selected[SOURCES]; /* the selected row's index in the source */
	struct worths worths;     /* of the source shown */
	unsigned opened;          /* model.positions.opened when it was last shown */
	bool stopped;             /* of records: the user stopped the counting */
	struct asked asked;
	/* ---- of records ---- */
	struct records records;
	size_t counted, tables; /* tables with depths that can be read whole */
};

/* Widens a column of `cols` to fit one more text. */
static inline int positions_cols(int cols, const char *text)
{
	return (int)strlen(text) > cols ? (int)strlen(text) : cols;
}

extern const struct state positions_state;
struct positions *positions_of(const struct model *);
const struct source *positions_source(const struct model *);
/* How many sources there are now. */
int positions_source_count(const struct model *);
/* Row `i` of the source, with its value. */
struct listed positions_listed(const struct model *, size_t i);
/* The selected row; false if there is none. */
bool positions_selected(const struct model *, struct listed *out);
void positions_draw(const struct model *, struct pane);

/* Looks up the positions' values a few at a time, nearest the selected row first. */
void worths_follow(struct model *);
void worths_free(struct worths *);

/* ---- of sources ---- */

const char *records_not_stopped(const struct model *);
/* Asks a question in place of the former one, or says what is wrong with it. */
void asked_find(struct model *, const char *text);
void asked_free(struct asked *);

#endif
