/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a part of the program keeps from one run to the next: a text file of its own in the folder
 * of shell_options.state.
 *
 *     kept_open -> kept_read -> (kept_put_aside) ... kept_write, or kept_write_soon
 *
 * Nothing of the user's is lost: a file that cannot be understood is put aside, and one that cannot
 * be read is not written over. What is said about it comes behind an error that stands already.
 */
#ifndef TUI_SHELL_KEPT_H
#define TUI_SHELL_KEPT_H

#include "shell.h"

#include <limits.h>
#include <stdio.h>

struct kept {
	const char *what;    /* "The last session": how messages about it begin */
	char path[PATH_MAX]; /* empty: nothing is kept */
	/* that writes it, the last one; 0: what is to be kept is in the file */
	uint64_t job;
};

/* By the file's name in the folder. `what` stays valid. */
void kept_open(const struct model *, struct kept *, const char *name, const char *what);
/* The whole text, malloc'ed, with SUB (0x1a) for zero bytes; null when there is none. When there is
   one that cannot be read, that is said, and nothing is kept from now on. */
char *kept_read(struct model *, struct kept *);
/* Renames the file to NAME.bad, or NAME.bad2 where there is one already and so on, and says why it
   is not used. Where it cannot be renamed, nothing is kept from now on. */
void kept_put_aside(struct model *, struct kept *, const struct el_error *why);
/* Writes the file anew, and waits for the disk; does nothing where nothing is kept. EL_IO names the
   file. */
enum el_status kept_write(const struct kept *, void (*write)(const struct model *, FILE *),
                          const struct model *, struct el_error *);
/* The same by a worker. `note`, which may be empty, is said once the file is there, or at once
   where nothing is kept; else why it cannot be. While `job` is set the file is older than what is
   to be kept: it is not to be read. */
void kept_write_soon(struct model *, struct kept *, void (*write)(const struct model *, FILE *),
                     const char *note);

#endif
