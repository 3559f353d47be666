/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tables of a directory are damaged: all of them are read. */
#ifndef CORE_BUILDER_REPAIR_H
#define CORE_BUILDER_REPAIR_H

#include "build.h"

/*
 * Looks at the tables of ours in the library's own directory that belong to the slices wished for
 * or, unless partial ones are, to what these depend on. damaged[i] is set for each of `entries`
 * that cannot be read to its end, or not even be opened. EL_STOPPED; EL_DAMAGED for a damaged table
 * that does not have its own name, and would lie beside the one that is made in its place.
 */
enum el_status repair_find(const struct el_entry *entries, size_t count,
                           const struct el_plan_wish *, bool *damaged, struct el_plan *plan,
                           struct el_error *);

#endif
