/* SPDX-License-Identifier: MIT */
/*
 * The files of an export that belong together. Each keeps a temporary name until all are complete.
 *
 *     outputs_add for each -> output_write from any thread -> outputs_publish
 */
#ifndef CORE_EXPORT_OUTPUTS_H
#define CORE_EXPORT_OUTPUTS_H

#include "core/os/temporary.h"
#include "core/solve/solve.h"
#include "export.h"

enum { OUTPUTS_MAX = 8 };

struct output {
	char *path; /* the final one; owned */
	struct el_temporary temporary;
};

/* Initialise only `export`. */
struct outputs {
	const struct el_export *export;
	size_t count;
	struct output file[OUTPUTS_MAX];
};

/* Adds a file in the export's directory, named after the slice: "KQvK" and `ending`. EL_USAGE if
   the file exists and must not be replaced. After a failure, too, call outputs_publish. */
enum el_status outputs_add(struct outputs *, const char *ending, struct el_error *);
/* Any number of threads may write at different places. EL_IO. */
enum el_status output_write(const struct output *, const void *bytes, size_t size, uint64_t offset,
                            struct el_error *);
/* If `status` is EL_OK, puts all files in place and calls `written` for each; else, or where one fails,
   removes them. Returns whether all is well. */
enum el_status outputs_publish(struct outputs *, enum el_status status, struct el_error *);

/* ---- tables of one metric ---- */

/* An el_export_format.write: for each metric, one table after the other. */
enum el_status tables_write(const struct el_export_format *, const struct el_export *,
                            struct el_error *);

/* EL_NEGATIVE: there is no table of the metric; null: of any. */
enum el_status tables_lack(const struct el_export *, const struct el_metric *, struct el_error *);

/* Tells the watch that `done` positions, over all files of a table, are written. EL_STOPPED. */
enum el_status tables_tick(const struct outputs *, const struct el_planes *, uint64_t done,
                           uint64_t total, struct el_error *);

/* ---- the formats of this folder, for their list ---- */

extern const struct el_export_format export_npy, export_raw, export_csv, export_syzygy;

#endif
