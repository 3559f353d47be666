/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files and folders that are being made: see endlab/temporary.h for their names. */
#ifndef STORE_TEMPORARY_H
#define STORE_TEMPORARY_H

#include "endlab/status.h"
#include "endlab/temporary.h"

#include <stdbool.h>

struct temporary {
	char *path; /* owned; null: there is none */
	int fd;     /* locked; of a file: open for reading and writing */
	unsigned slot;
};

/*
 * A new file in the folder of `target`, or a new folder in `parent`; what others have left there is
 * swept out first. EL_IO, EL_MEMORY, with nothing made. End it with temporary_publish or
 * temporary_remove.
 */
enum el_status temporary_file(const char *target, struct temporary *out, struct el_error *);
enum el_status temporary_folder(const char *parent, struct temporary *out, struct el_error *);

/* Syncs the file and gives it its name, in place of an older file of that name; then it is as if
   removed here. EL_IO: nothing of it is left and the older file is untouched, unless it is only the
   folder that could not be synced. */
enum el_status temporary_publish(struct temporary *, const char *target, struct el_error *);

/* Removes the file, or the folder with the files in it; nothing where there is none. */
void temporary_remove(struct temporary *);

/* Is this the name (without folders) of something temporary? */
bool temporary_named(const char *name);

#endif
