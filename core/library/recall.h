/* SPDX-License-Identifier: MIT */
/*
 * Lines of text remembered from one start of the program to the next, in a file to which any number
 * of processes may add. Only the presence of a line is trusted. A file that exceeds RECALL_BYTES is
 * begun anew.
 */
#ifndef CORE_LIBRARY_RECALL_H
#define CORE_LIBRARY_RECALL_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { RECALL_BYTES = 2 << 20 };

struct recall {
	const char *path;   /* null: nothing is remembered */
	char *text;         /* the file as it was read, a string for each line; owned */
	const char **lines; /* owned; sorted */
	size_t count;
};

/* Reads the file, which need not exist. After EL_IO and EL_MEMORY there are no lines, but lines may
   be added. recall_close in any case. */
enum el_status recall_open(const char *path, struct recall *out, struct el_error *);
void recall_close(struct recall *);

/* Was this line in the file when it was read? Lines have no control characters except tabs. */
bool recall_has(const struct recall *, const char *line);

/* Adds a line in one piece; creates the file and its folders if they are missing. EL_IO. Any number
   of threads. */
enum el_status recall_add(const struct recall *, const char *line, struct el_error *);

#endif
