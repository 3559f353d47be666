/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of text that are remembered from one start to the next, in a file that any number of
 * processes add to. Nothing in it is trusted but that a line is there; when it has grown past
 * RECALL_BYTES it is begun anew.
 */
#ifndef STORE_RECALL_H
#define STORE_RECALL_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { RECALL_BYTES = 2 << 20 };

struct recall {
	const char *path;   /* null: nothing is remembered */
	char *text;         /* owned; the file when it was read, a string for each line */
	const char **lines; /* owned; sorted */
	size_t count;
};

/* Reads the file, which need not be there. EL_IO, EL_MEMORY: then there are no lines,
   but some may be added. recall_close in any case. */
enum el_status recall_open(const char *path, struct recall *out, struct el_error *);
void recall_close(struct recall *);

/* Was it there when the file was read? A line has no control characters but tabs. */
bool recall_has(const struct recall *, const char *line);

/* Adds a line, in one piece, and makes the file and its folders where there are none. EL_IO. Any
   number of threads. */
enum el_status recall_add(const struct recall *, const char *line, struct el_error *);

#endif
