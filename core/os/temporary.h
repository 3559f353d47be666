/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file has a temporary name until it is complete: .endlab-tmp-PID-N, in the folder where it will
 * stay. The process that makes it holds a lock on it, so that others can tell what a killed process
 * has left behind.
 *
 *     el_temporary_file -> write to its descriptor -> el_temporary_publish, or el_temporary_remove
 */
#ifndef CORE_OS_TEMPORARY_H
#define CORE_OS_TEMPORARY_H

#include "endlab/status.h"

#include <stdbool.h>

struct el_temporary {
	char *path;    /* owned; null: there is none */
	int fd;        /* locked; a file is open for reading and writing */
	unsigned slot; /* for el_temporaries_remove */
};

/*
 * Makes a new file in the folder of `target`, or a new folder in `parent`; what killed processes
 * have left there is removed first. EL_IO, EL_MEMORY, with nothing made.
 */
enum el_status el_temporary_file(const char *target, struct el_temporary *out, struct el_error *);
enum el_status el_temporary_folder(const char *parent, struct el_temporary *out, struct el_error *);

/* Syncs the file and gives it its name, replacing an older file; the struct is then as after
   el_temporary_remove. EL_IO: nothing is left of it and the older file is untouched, unless only
   the folder could not be synced. */
enum el_status el_temporary_publish(struct el_temporary *, const char *target, struct el_error *);

/* The same without syncing, for files whose damage is noticed and that can be made again: if the
   machine crashes, nothing may be left of them. */
enum el_status el_temporary_rename(struct el_temporary *, const char *target, struct el_error *);

/* Removes the file, or the folder with its files, if there is one. */
void el_temporary_remove(struct el_temporary *);

/* Is this name, without folders, a temporary one? */
bool el_temporary_named(const char *name);

/* Removes what killed processes have left in a folder, if that exists, as far as it can: what stays
   costs space and nothing else. */
void el_temporaries_sweep(const char *folder);

/* Removes everything that this process is making. For a signal handler that is about to end the
   process: safe to call there; threads still at work find their files gone. */
void el_temporaries_remove(void);

#endif
