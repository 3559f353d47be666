/* SPDX-License-Identifier: MIT */
/* How a plug-in joins the list, or why it does not. */
#ifndef CODECS_REGISTRY_H
#define CODECS_REGISTRY_H

#include "codecs.h"

#include <sys/stat.h>

/* Is there room for one more codec? The last place is kept for an entry that says there is none. */
bool registry_has_room(void);
/* Adds a file that was loaded (its reason is null) or refused (its codec is null). Copies the
   texts. `about` is null if nothing is known of the file. If there is no room, one last entry says
   so as its reason. EL_MEMORY. */
enum el_status registry_add(const struct el_plugin *, const struct stat *about, struct el_error *);
/* Is this file on the list, under any path, and unchanged since? */
bool registry_has_file(const struct stat *);
bool registry_is_name(const char *name);
/* Like el_codec_load, but the reason does not name the file. */
enum el_status plugin_load(const char *path, struct el_error *);

#endif
