/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that the program writes for itself and for the user: where they are, and how they
   appear. */
#ifndef TUI_TEXT_FILES_H
#define TUI_TEXT_FILES_H

#include "core/os/temporary.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* $XDG_STATE_HOME/endlab/NAME, or ~/.local/state/endlab/NAME; the folder for the name "". False
   without a home directory, or if the path is too long. */
bool place_of_state(const char *name, char out[PATH_MAX]);
/* $XDG_CACHE_HOME/endlab/NAME, or ~/.cache/endlab/NAME: data that can be computed again. */
bool place_of_cache(const char *name, char out[PATH_MAX]);
/* A path as the user writes it at a prompt: "~" and "~/..." are below the home. False if it is too long. */
bool place_of_typed(const char *typed, char out[PATH_MAX]);
/* Makes a file's folders. Failure shows when the file is written. */
void place_make_folders(const char *file);

/* A text file of the user's that appears under its name complete, or not at all. A link stays, and the file
   it names is replaced; the new file has the mode of the old one, and its owner where that is allowed. */
struct whole_file {
	FILE *stream;
	const char *path;
	char *real; /* owned; past links */
	struct el_temporary temporary;
};

/* `path` must stay valid until whole_file_close. EL_IO names the file. */
enum el_status whole_file_open(const char *path, struct whole_file *out, struct el_error *);
/* Puts the file in place if `status` is EL_OK and all was written; otherwise removes it. Returns
   `status`, or why the file could not be put in place. */
enum el_status whole_file_close(struct whole_file *, enum el_status status, struct el_error *);

#endif
