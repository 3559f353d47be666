/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions in lists. A source knows what is in its list; all else is the same for all of them:
 * rows, the filter, what positions are worth, exploring one.
 *
 *     source.follow -> source.count, source.row -> filter_holds -> the rows on screen
 */
#ifndef TUI_VIEWS_POSITIONS_POSITIONS_H
#define TUI_VIEWS_POSITIONS_POSITIONS_H

#include "filter.h"
#include "tui/text/findings.h"
#include "tui/views/views.h"

#include <string.h>

enum source_name { SAMPLES, RECORDS, ZUGZWANGS, BOOKMARKS, SOURCES };

struct source {
	const char *word;  /* "records": what is typed */
	const char *title; /* "Records" */
	const char *note;  /* the heading of listed.note */
	bool asks;         /* what positions are worth is looked up, rather than told by `row` */
	/* While the list is on screen, after every update: asks for what is not known. May be
	   null. */
	void (*follow)(struct model *);
	size_t (*count)(const struct model *);
	/* Fills `out`, which is of zeros: the position, and what else is known. */
	void (*row)(const struct model *, size_t i, struct listed *out);
	/* Grows when other positions are in the list. */
	unsigned (*version)(const struct model *);
	/* Why there is no row at all. */
	void (*empty)(const struct model *, char *out, size_t size);
	/* What is to be said of the list as a whole; may be null. */
	void (*about)(const struct model *, char *out, size_t size);
	/* Takes those words away from a filter that choose what is listed; false: that cannot be,
	   and has been said. May be null. */
	bool (*choose)(struct model *, struct filter *);
};

extern const struct source samples_source, records_source, zugzwangs_source, bookmarks_source;
extern const struct source *const positions_sources[SOURCES];

/* What a position is worth, as el_library_answer has it. */
struct worth {
	const struct el_metric *metric; /* null: not known */
	struct el_value value;
	bool asked; /* this is the answer, rather than the one before */
};

struct worths {
	struct worth *list; /* owned; one a position of the source */
	size_t count;
	unsigned changes; /* grows whenever some of them are others */
	struct question ask;
	/* What was asked: another source, list, metric or rule asks anew. */
	const struct source *source;
	unsigned version, tables, rule;
	const struct el_metric *metric;
};

struct positions {
	enum source_name source;
	struct list list;          /* of the rows that the filter lets through */
	size_t *rows;              /* owned: their places in the source */
	int slice_cols, note_cols; /* of the longest in these rows */
	/* What the rows were found for: a list may have thousands, and they are not found at every
	   key. */
	struct rows_of {
		const struct source *source; /* null: they are to be found */
		unsigned version, tables, worths;
		size_t count;
		bool in_moves;
	} found;
	struct filter filter[SOURCES];
	size_t selected[SOURCES]; /* the place of the selected row in the source */
	struct worths worths;     /* of the source that is shown */
	bool stopped;             /* of records: somebody stopped the counting */
	/* ---- of records ---- */
	struct records records;
	size_t counted, tables; /* of tables with depths that can be read as a whole */
};

/* The width of a column, `cols` so far, with one more text in it. */
static inline int positions_cols(int cols, const char *text)
{
	return (int)strlen(text) > cols ? (int)strlen(text) : cols;
}

extern const struct state positions_state;
struct positions *positions_of(const struct model *);
const struct source *positions_source(const struct model *);
/* Row `i` of the source, with what it is worth. */
struct listed positions_listed(const struct model *, size_t i);
/* The selected one; false where there is none. */
bool positions_selected(const struct model *, struct listed *out);
void positions_draw(const struct model *, struct pane);

/* Asks what the positions are worth, some at a time, those near the selected row first. */
void worths_follow(struct model *);
void worths_free(struct worths *);

/* ---- of sources ---- */

const char *records_not_stopped(const struct model *);

#endif
