/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a plug-in joins the list, or why it does not. */
#ifndef CODECS_REGISTRY_H
#define CODECS_REGISTRY_H

#include "codecs.h"

#include <sys/stat.h>

/* Is there room for one more codec? One place is kept for saying that there is none. */
bool registry_has_room(void);
/* Adds a file that was loaded, or one that was refused; codec or reason is null. Texts are copied.
   `about` is null where nothing is known of it. Where there is no room, that takes the place of the
   reason, once. EL_MEMORY. */
enum el_status registry_add(const struct el_plugin *, const struct stat *about, struct el_error *);
/* Is this file on the list, whatever its path, and has not changed since? */
bool registry_has_file(const struct stat *);
bool registry_is_name(const char *name);

#endif
