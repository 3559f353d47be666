/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Tables: the files found, and what was found out about them. */
#ifndef ENDLAB_TUI_VIEWS_TABLES_H
#define ENDLAB_TUI_VIEWS_TABLES_H

#include "../../shell/view.h"

#include "endlab/examine.h"

enum verified { NOT_VERIFIED, VERIFYING, VERIFIED, WRONG };

/* What this session found out about a slice under a metric. */
struct finding {
	struct el_slice slice;
	const struct el_metric *metric;
	enum verified verified;
	struct el_verdict verdict;  /* when VERIFIED or WRONG */
	bool counted;
	struct el_stats stats;      /* when counted; owned */
};

struct tables {
	struct el_entry *entries;   /* owned */
	size_t count;
	struct question ask;
	struct list list;           /* of entries */
	struct finding *findings;   /* owned */
	size_t finding_count;
	size_t shown;               /* the finding whose statistics are on screen */
	struct list histogram;      /* its rows */
};

/* Counts a table on the worker; where Explore has no room for it, the statistics are then shown. */
void tables_count(struct model *, const struct el_slice *, const struct el_metric *);
/* Our own table of a slice under a metric, that can be read as a whole; null when there is none, or
   when it is not known yet. */
const struct el_entry *tables_own(const struct tables *, const struct el_slice *,
                                  const struct el_metric *);
/* Null when nothing has been found out. */
const struct finding *tables_finding(const struct tables *, const struct el_slice *,
                                     const struct el_metric *);

#endif
