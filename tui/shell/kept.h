/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data kept between runs: each part of the program has its own text file in the folder of
 * shell_options.state.
 *
 *     kept_open -> kept_read -> (kept_put_aside) ... kept_write, or kept_write_soon
 *
 * No user data is lost: a file that cannot be parsed is put aside, and one that cannot be read is
 * not overwritten. Messages about it follow an error already shown.
 */
#ifndef TUI_SHELL_KEPT_H
#define TUI_SHELL_KEPT_H

#include "shell.h"

#include <limits.h>
#include <stdio.h>

struct kept {
	const char *what;    /* "The last session": how messages about it begin */
	char path[PATH_MAX]; /* empty: nothing is kept */
	/* the last job writing it; 0: the file is up to date */
	uint64_t job;
};

/* Opens the file of that name in the folder. `what` must stay valid. */
void kept_open(const struct model *, struct kept *, const char *name, const char *what);
/* The whole text, malloc'ed, with SUB (0x1a) for zero bytes; null if there is none. If it cannot be
   read, says so and keeps nothing from now on. */
char *kept_read(struct model *, struct kept *);
/* Renames the file to NAME.bad, or NAME.bad2 and so on if that exists, and says why it is not used.
   If it cannot be renamed, nothing is kept from now on. */
void kept_put_aside(struct model *, struct kept *, const struct el_error *why);
/* Why the file cannot be written, as far as that shows beforehand: an errno, 0 if it can. Makes its
   folders. */
int kept_hindrance(const struct kept *);
/* Rewrites the file and waits for the disk; does nothing if nothing is kept. EL_IO names the
   file. */
enum el_status kept_write(const struct kept *, void (*write)(const struct model *, FILE *),
                          const struct model *, struct el_error *);
/* The same by a worker. `note`, which may be empty, is shown once the file is written, or at once
   if nothing is kept; on failure the error is shown. While `job` is set the file is out of date: do
   not read it. */
void kept_write_soon(struct model *, struct kept *, void (*write)(const struct model *, FILE *),
                     const char *note);

#endif
