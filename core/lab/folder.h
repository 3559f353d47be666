/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A private folder in which a candidate lies under its slice's name, beside links to the tables
 * that probes of it may need and to nothing else: a library opened there has no other table of the
 * slice that could answer. What captures lead to is answered by tables of the candidate's own kind,
 * where there are any: each format is measured as those have it who use no other.
 */
#ifndef CORE_LAB_FOLDER_H
#define CORE_LAB_FOLDER_H

#include "core/library/library.h"
#include "core/os/temporary.h"

struct folder {
	struct el_temporary made; /* its path is absolute; null: there is none */
	char *table;              /* the candidate's file; owned */
	char *from;               /* what that is a link to; null: nothing; owned */
};

/* What a folder is for. */
struct folder_use {
	struct el_library *library;
	const struct el_slice *slice;
	const struct el_metric *metric;
	const struct el_source_ops *foreign; /* the candidate is a file of this kind; null: ours */
};

/* Makes the folder in `parent` (null: the library's directory). EL_NEGATIVE when there is no such
   foreign file, EL_IO, EL_MEMORY; folder_remove in any case. */
enum el_status folder_make(const char *parent, const struct folder_use *, struct folder *out,
                           struct el_error *);
/* With all that is in it; the tables that are linked stay. */
void folder_remove(struct folder *);

#endif
