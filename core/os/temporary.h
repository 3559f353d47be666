/* SPDX-License-Identifier: MIT */
/*
 * A file has a temporary name until it is complete: .endlab-tmp-PID-N, in the folder where it will
 * stay. The process that makes it holds a lock on it, so that others can recognise what a killed
 * process has left behind.
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
 * Makes a new file in the folder of `target`, or a new folder in `parent`, after removing what
 * killed processes have left there. On EL_IO and EL_MEMORY nothing is made: EL_IO also if
 * something other than a regular file has the name of `target`.
 */
enum el_status el_temporary_file(const char *target, struct el_temporary *out, struct el_error *);
enum el_status el_temporary_folder(const char *parent, struct el_temporary *out, struct el_error *);

/* The parent of folders that no table needs: $TMPDIR, else /tmp. */
const char *el_temporary_parent(void);

/* Opens a file without a name in a folder. -1 on failure, with errno set. */
int el_temporary_unnamed(const char *folder);

/* Syncs the file and gives it its name, replacing an older file; the struct is then as after
   el_temporary_remove. EL_IO: the new file is gone and the older one untouched, unless only syncing
   the folder failed. */
enum el_status el_temporary_publish(struct el_temporary *, const char *target, struct el_error *);

/* The same without syncing, for files that can be made again and whose damage is noticed: a crash
   of the machine may destroy them. */
enum el_status el_temporary_rename(struct el_temporary *, const char *target, struct el_error *);

/* Removes the file, or the folder with its files, if there is one. */
void el_temporary_remove(struct el_temporary *);

/* Is this name, without folders, a temporary one? */
bool el_temporary_named(const char *name);

/* Removes what killed processes have left in a folder, if it exists, as far as possible: anything
   left costs only space. */
void el_temporaries_sweep(const char *folder);

/* Removes everything that this process is making. For a signal handler that is about to end the
   process, where it is safe to call; threads still at work find their files gone. */
void el_temporaries_remove(void);

#endif
