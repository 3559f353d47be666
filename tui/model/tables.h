/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables found, and what was found out about them. */
#ifndef TUI_MODEL_TABLES_H
#define TUI_MODEL_TABLES_H

#include "job.h"

#include "core/examine/examine.h"

enum verified { NOT_VERIFIED, VERIFYING, VERIFIED, WRONG };

/* What this session found out, beside what stands in the entries, about a slice under a metric. */
struct finding {
	struct finding *next;
	struct el_slice slice;
	const struct el_metric *metric;
	enum verified verified;
	struct el_verdict verdict; /* when VERIFIED or WRONG */
	struct question count;
	char why[160];                 /* it could not be counted; else empty */
	bool stopped;                  /* somebody stopped the counting */
	struct el_stats stats;         /* when count.known; owned */
	struct question search;        /* for zugzwangs */
	char why_none[160];            /* they could not be listed; else empty */
	struct el_zugzwangs zugzwangs; /* when search.known; owned */
};

struct tables {
	struct el_entry *entries; /* owned */
	size_t count;
	/* somebody looks at the list: set before tables_ask, each time */
	bool wanted;
	struct question ask;
	bool told_fault;          /* that summaries of verifications are damaged */
	struct finding *findings; /* owned; they stay where they are */
	struct finding *shown;    /* whose counts were asked for last; null: none yet */
};

/* Lists the files, while that is wanted; called after every update. */
void tables_ask(struct model *);
/* Looks at the folders again. */
void tables_rescan(struct model *);
/* The finding of a table, made when it is new; null when memory is out, which is said. */
struct finding *tables_find(struct model *, const struct el_slice *, const struct el_metric *);
/* The same; null when nothing has been found out. */
const struct finding *tables_finding(const struct tables *, const struct el_slice *,
                                     const struct el_metric *);
/* Counts a table, unless that is done or at work. */
void tables_count(struct model *, struct finding *);
/*
 * Is it among the tables whose depths are counted together? One of each slice and metric is. Other
 * programs' tables are read slowly: one with more than UNASKED_PIECES joins once it was counted by
 * itself.
 */
enum { UNASKED_PIECES = 4 };
bool tables_has_depths(const struct tables *, const struct el_entry *);
/* Counts those of them that are wanted, one after the other in the order of the list. */
void tables_count_all(struct model *,
                      bool (*is_wanted)(const struct model *, const struct el_entry *));
/* What could not be counted may be tried again. */
void tables_retry(struct model *);
/* Lists the zugzwangs of a table, unless that is done or at work. */
void tables_search(struct model *, struct finding *);
/* Derives every position of a table again. */
void tables_verify(struct model *, const struct el_slice *, const struct el_metric *);
/* Our own table of a slice under a metric, that can be read as a whole; null when there is none, or
   when it is not known yet. */
const struct el_entry *tables_own(const struct tables *, const struct el_slice *,
                                  const struct el_metric *);
/* Why the file of a slice's table (null metric: of any) cannot be opened: "written by codec lz4,
   which is not loaded: ..."; null: there is none, or it can. As long as the list stays. */
const char *tables_hindrance(const struct tables *, const struct el_slice *,
                             const struct el_metric *);
void tables_free(struct tables *);

#endif
