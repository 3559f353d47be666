/* SPDX-License-Identifier: MIT */
/*
 * A folder for copies of tables whose values take long to find: those that a table leaves to be derived are found
 * once. It exists while somebody holds it. A build that is stopped or killed leaves its copies to the next one. Any
 * thread may call these.
 */
#ifndef CORE_LIBRARY_COPIES_H
#define CORE_LIBRARY_COPIES_H

#include "library.h"

struct copies;
struct copies *copies_new(void); /* null: out of memory */
void copies_free(struct copies *);
/* Of the library. */
struct copies *library_copies(struct el_library *);

/* Nothing is made yet. */
void copies_hold(struct copies *);
/* The last holder removes the folder. */
void copies_let_go(struct copies *);
/* Makes the folder inside `parent`, unless there is one. EL_IO, EL_MEMORY. */
enum el_status copies_make(struct copies *, const char *parent, struct el_error *);
/* Makes or takes over the folder of builds inside `parent`. The last holder removes it if it is empty; what
   else is in it is for the next build. Several builds may have it at once. EL_IO, EL_MEMORY. */
enum el_status copies_keep(struct copies *, const char *parent, struct el_error *);
/* For a holder: its path; null: there is none. */
const char *copies_folder(struct copies *);

#endif
