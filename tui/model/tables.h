/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables found, and the results of examining them. */
#ifndef TUI_MODEL_TABLES_H
#define TUI_MODEL_TABLES_H

#include "job.h"

#include "core/examine/examine.h"

enum verified { NOT_VERIFIED, VERIFYING, VERIFIED, WRONG };

/* What this session found out about a slice under a metric, in addition to its entry. */
struct finding {
	struct finding *next;
	struct el_slice slice;
	const struct el_metric *metric;
	enum verified verified;
	struct el_verdict verdict; /* if VERIFIED or WRONG */
	struct question count;
	char why[160];                 /* why it could not be counted; else empty */
	bool stopped;                  /* the user stopped the count */
	struct el_stats stats;         /* if count.known; owned */
	struct question search;        /* for zugzwangs */
	char why_none[160];            /* why they could not be listed; else empty */
	struct el_zugzwangs zugzwangs; /* if search.known; owned */
};

struct tables {
	struct el_entry *entries; /* owned */
	size_t count;
	/* a view shows the list: set before each tables_ask */
	bool wanted;
	struct question ask;
	bool told_fault;          /* said that summaries of verifications are damaged */
	struct finding *findings; /* owned; their addresses never change */
	struct finding *shown;    /* whose counts were requested last; null: none yet */
};

/* Lists the files while wanted; called after every update. */
void tables_ask(struct model *);
/* Scans the folders again. */
void tables_rescan(struct model *);
/* A table's finding, made if new; without memory says so and returns null. */
struct finding *tables_find(struct model *, const struct el_slice *, const struct el_metric *);
/* The same; null if nothing has been found out. */
struct finding *tables_finding(const struct tables *, const struct el_slice *,
                               const struct el_metric *);
/* Counts a table, unless done or in progress; `unasked`: see struct job. */
void tables_count(struct model *, struct finding *, bool unasked);
/*
 * Is it among the tables whose depths are counted together? One per slice and metric is. Other
 * programs' tables are slow to read: one with more than UNASKED_PIECES joins once it was counted
 * alone.
 */
enum { UNASKED_PIECES = 4 };
bool tables_has_depths(const struct tables *, const struct el_entry *);
/* Counts the wanted ones of these, one after the other in the order of the list. */
void tables_count_all(struct model *,
                      bool (*is_wanted)(const struct model *, const struct el_entry *));
/* Tables that could not be counted may be tried again. */
void tables_retry(struct model *);
/* Lists the zugzwangs of a table, unless done or in progress. */
void tables_search(struct model *, struct finding *);
/* Verifies a table by deriving every position again. */
void tables_verify(struct model *, const struct el_slice *, const struct el_metric *);
/* Our own table of a slice under a metric, if it can be read in full; null if there is none or it
   is not known yet. */
const struct el_entry *tables_own(const struct tables *, const struct el_slice *,
                                  const struct el_metric *);
/* Why the file of a slice's table (null metric: of any) cannot be opened: "written by codec lz4,
   which is not loaded: ..."; null if there is none or it can. Valid as long as the list. */
const char *tables_hindrance(const struct tables *, const struct el_slice *,
                             const struct el_metric *);
/* Drops all findings: other tables answer now. */
void tables_forget(struct model *);
void tables_free(struct tables *);

#endif
