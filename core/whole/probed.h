/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole planes of tables that can only be probed. */
#ifndef CORE_WHOLE_PROBED_H
#define CORE_WHOLE_PROBED_H

#include "core/library/visit.h"
#include "core/whole/whole.h"

/*
 * All values of a file that can only be probed. It is checked as a whole first, and then probed for
 * each index; what captures lead to comes from the library. *info has no order and no blocks.
 * EL_NEGATIVE when the machine has too little memory, or when a table is missing.
 */
enum el_status probe_planes(struct el_library *, const struct el_source_ops *, const char *path,
                            const struct el_watch *, struct el_table_info *info,
                            struct el_planes *out, struct el_error *);

/*
 * Finds the values of a plane that a file leaves out, from the other plane and from the library;
 * there must be room for its symbols. `path` is the file's, for errors. EL_NEGATIVE names a table
 * that is missing.
 */
enum el_status probe_left_out(struct el_library *, const char *path, unsigned plane,
                              const struct el_watch *, struct el_planes *, struct el_error *);

#endif
