/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the program keeps what is its own. */
#ifndef TUI_TEXT_PLACES_H
#define TUI_TEXT_PLACES_H

#include <limits.h>
#include <stdbool.h>

/* $XDG_STATE_HOME/endlab/NAME, or ~/.local/state/endlab/NAME; the folder for the name "". False
   without a home directory, or when that is too long. */
bool place_of_state(const char *name, char out[PATH_MAX]);
/* $XDG_CACHE_HOME/endlab/NAME, or ~/.cache/endlab/NAME: what can be found out again. */
bool place_of_cache(const char *name, char out[PATH_MAX]);
/* Makes the folders of a file. What cannot be made shows when the file is written. */
void place_make_folders(const char *file);

#endif
