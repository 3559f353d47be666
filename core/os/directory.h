/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The directory that a build writes to. */
#ifndef CORE_OS_DIRECTORY_H
#define CORE_OS_DIRECTORY_H

#include "endlab/status.h"

/* Creates a directory, with those above it, where it is missing. */
enum el_status directory_make(const char *path, struct el_error *);

#endif
