/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The directory that a build writes to, which is one build's own at a time. */
#ifndef ENDLAB_SOLVE_DIRECTORY_H
#define ENDLAB_SOLVE_DIRECTORY_H

#include "endlab/status.h"

/* Creates a directory, with those above it, where it is missing. */
enum el_status directory_make(const char *path, struct el_error *);
/*
 * Creates the directory, with those above it, where it is missing; locks it; and sweeps
 * out what killed processes have left. EL_NEGATIVE when another build has the lock.
 */
enum el_status directory_take(const char *path, int *lock, struct el_error *);
/* The lock is let go in any case when the process ends. */
void directory_release(int lock);

#endif
