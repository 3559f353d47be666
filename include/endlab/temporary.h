/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is being made has a name of its own until it is whole: .endlab-tmp-PID-N, in the folder of
 * the file that it will be. The process that makes it holds a lock on it, so that everybody else
 * can tell what was left behind by a process that was killed.
 *
 *     el_temporary_file -> write to its descriptor -> el_temporary_publish, or el_temporary_remove
 */
#ifndef ENDLAB_TEMPORARY_H
#define ENDLAB_TEMPORARY_H

#include "endlab/status.h"

#include <stdbool.h>

struct el_temporary {
	char *path; /* owned; null: there is none */
	int fd;     /* locked; of a file: open for reading and writing */
	unsigned slot;
};

/*
 * A new file in the folder of `target`, or a new folder in `parent`; what others have left there is
 * swept out first. EL_IO, EL_MEMORY, with nothing made.
 */
enum el_status el_temporary_file(const char *target, struct el_temporary *out, struct el_error *);
enum el_status el_temporary_folder(const char *parent, struct el_temporary *out, struct el_error *);

/* Syncs the file and gives it its name, in place of an older file of that name; then it is as if
   removed here. EL_IO: nothing of it is left and the older file is untouched, unless it is only the
   folder that could not be synced. */
enum el_status el_temporary_publish(struct el_temporary *, const char *target, struct el_error *);

/* The same without syncing, for what can be told from a damaged file and made again: a crash of the
   machine may leave nothing of it. */
enum el_status el_temporary_rename(struct el_temporary *, const char *target, struct el_error *);

/* Removes the file, or the folder with the files in it; nothing where there is none. */
void el_temporary_remove(struct el_temporary *);

/* Is this the name (without folders) of something temporary? */
bool el_temporary_named(const char *name);

/* Removes what killed processes have left in a folder. Best effort: what cannot be removed costs
   space and nothing else. A folder that is not there is no matter. */
void el_temporaries_sweep(const char *folder);

/* Removes what this process is making. For signal handlers, just before the process dies: safe to
   be called in them, and whoever is still at work finds its file gone. */
void el_temporaries_remove(void);

#endif
