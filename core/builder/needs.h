/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tables of a plan wait for which: what can be made at the same time, and elsewhere. */
#ifndef CORE_BUILDER_NEEDS_H
#define CORE_BUILDER_NEEDS_H

#include "build.h"

/* Fills in `needs` of all tasks, which stand in build order. EL_MEMORY. */
enum el_status needs_find(struct el_plan *, struct el_error *);

#endif
