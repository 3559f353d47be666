/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codecs from shared objects, as the command line names them. */
#ifndef TUI_CLI_PLUGINS_H
#define TUI_CLI_PLUGINS_H

#include "endlab/status.h"

/* Loads the shared objects of a list with commas or colons between them; a file of that very name
   goes first. EL_USAGE names what cannot be used. */
enum el_status plugins_load(const char *list, struct el_error *);

#endif
