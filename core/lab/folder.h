/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A private folder in which a candidate lies under its slice's name, beside links to the tables
 * that probes of it may need and to nothing else: a library opened there has no other table of the
 * slice.
 */
#ifndef LAB_FOLDER_H
#define LAB_FOLDER_H

#include "endlab/library.h"

struct folder {
	char *path;  /* absolute; owned; null: there is none */
	int lock;    /* held while the folder is in use; -1 where there is none */
	char *table; /* the candidate's file; owned */
};

/* Makes the folder in `parent` (null: the library's directory), for one table of a slice. EL_IO,
   EL_MEMORY; folder_remove in any case. Folders of runs that were killed are removed on the way. */
enum el_status folder_make(const char *parent, struct el_library *, const struct el_slice *,
                           const struct el_metric *, struct folder *out, struct el_error *);
/* With all that is in it; the tables that are linked stay. */
void folder_remove(struct folder *);

#endif
