/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies where a table is to be made: nothing is destroyed that a build was not told to. */
#ifndef CORE_BUILDER_TARGET_H
#define CORE_BUILDER_TARGET_H

#include "build.h"

/*
 * Looks at what has the path that a task's table will have. When the task may not replace it: its
 * status, with the file, the reason and the way out. EL_NEGATIVE for the sound table of another
 * slice or metric, or of just this one (EL_TARGET_WHOLE); EL_IO, in any case, for what is no file.
 */
enum el_status target_look(const char *path, const struct el_task *, enum el_target *out,
                           struct el_error *);

#endif
