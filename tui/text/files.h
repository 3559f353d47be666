/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that the program writes for itself and for the user: where they lie, and how they appear. */
#ifndef TUI_TEXT_FILES_H
#define TUI_TEXT_FILES_H

#include "core/os/temporary.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* $XDG_STATE_HOME/endlab/NAME, or ~/.local/state/endlab/NAME; the folder for the name "". False
   without a home directory, or when that is too long. */
bool place_of_state(const char *name, char out[PATH_MAX]);
/* $XDG_CACHE_HOME/endlab/NAME, or ~/.cache/endlab/NAME: what can be found out again. */
bool place_of_cache(const char *name, char out[PATH_MAX]);
/* Makes the folders of a file. What cannot be made shows when the file is written. */
void place_make_folders(const char *file);

/* A file of text that appears under its name whole, or not at all. */
struct whole_file {
	FILE *stream;
	const char *path;
	struct el_temporary temporary;
};

/* `path` stays valid until whole_file_close. EL_IO names the file. */
enum el_status whole_file_open(const char *path, struct whole_file *out, struct el_error *);
/* Puts it in place when `status` is EL_OK and all of it was written; removes it otherwise. Returns
   `status`, or why it could not be put in place. */
enum el_status whole_file_close(struct whole_file *, enum el_status status, struct el_error *);

#endif
