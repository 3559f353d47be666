/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A private folder that holds a candidate under its slice's name, and links to the tables that its
 * probes may need, but nothing else: a library opened there has no other table of the slice that
 * could answer. Captures use tables of the candidate's own kind if there are any, so each format is
 * measured as for users who have no other.
 */
#ifndef CORE_LAB_FOLDER_H
#define CORE_LAB_FOLDER_H

#include "core/library/library.h"
#include "core/os/temporary.h"

struct folder {
	struct el_temporary made; /* its path is absolute; null: no folder */
	char *table;              /* the candidate's file; owned */
	char *from;               /* the target if that is a link, else null; owned */
};

/* What a folder is for. */
struct folder_use {
	struct el_library *library;
	const struct el_slice *slice;
	const struct el_metric *metric;
	const struct el_source_ops *foreign; /* the candidate is a file of this kind; null: ours */
};

/* Makes the folder in `parent` (null: the library's directory). EL_NEGATIVE if there is no such
   foreign file, EL_IO, EL_MEMORY; call folder_remove in any case. */
enum el_status folder_make(const char *parent, const struct folder_use *, struct folder *out,
                           struct el_error *);
/* Removes the folder with its contents. The tables that its links point to stay. */
void folder_remove(struct folder *);

#endif
