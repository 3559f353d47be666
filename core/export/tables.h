/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by formats whose files hold the values of one metric: writes the requested tables one
   after the other. */
#ifndef CORE_EXPORT_TABLES_H
#define CORE_EXPORT_TABLES_H

#include "outputs.h"

#include "core/solve/solve.h"

struct table_form {
	/* Adds the files of a table before the table is read. */
	enum el_status (*add)(struct outputs *, const struct el_metric *, struct el_error *);
	/* Writes all of them. Broken indexes are marked in the planes. */
	enum el_status (*fill)(const struct outputs *, const struct el_planes *, struct el_error *);
};

/* Does what el_export promises, for each metric. */
enum el_status tables_write(const struct el_export *, const struct table_form *, struct el_error *);

/* Tells the watch that `done` positions, over all files of a table, are written. EL_STOPPED. */
enum el_status tables_tick(const struct outputs *, const struct el_planes *, uint64_t done,
                           uint64_t total, struct el_error *);

#endif
