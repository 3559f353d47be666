/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A private folder in which a candidate lies under its slice's name, beside links to the tables
 * that probes of it may need and to nothing else: a library opened there has no other table of the
 * slice.
 */
#ifndef LAB_FOLDER_H
#define LAB_FOLDER_H

#include "endlab/library.h"
#include "endlab/temporary.h"

struct folder {
	struct el_temporary made; /* its path is absolute; null: there is none */
	char *table;           /* the candidate's file; owned */
};

/* Makes the folder in `parent` (null: the library's directory), for one table of a slice. EL_IO,
   EL_MEMORY; folder_remove in any case. */
enum el_status folder_make(const char *parent, struct el_library *, const struct el_slice *,
                           const struct el_metric *, struct folder *out, struct el_error *);
/* With all that is in it; the tables that are linked stay. */
void folder_remove(struct folder *);

#endif
