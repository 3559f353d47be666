/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of an export that belong together: each has a name of its own until all are whole.
 *
 *     outputs_add for each -> output_write from any thread -> outputs_publish, or outputs_remove
 */
#ifndef CORE_EXPORT_OUTPUTS_H
#define CORE_EXPORT_OUTPUTS_H

#include "core/os/temporary.h"
#include "export.h"

enum { OUTPUTS_MAX = 8 };

struct output {
	char *path; /* that it will have; owned */
	struct el_temporary temporary;
};

/* Begins with the export alone. */
struct outputs {
	const struct el_export *export;
	size_t count;
	struct output file[OUTPUTS_MAX];
};

/* A new file in the export's directory, named after the slice: "KQvK" and `ending`. EL_USAGE when
   there is one already that must not be replaced. On failure outputs_remove is still due. */
enum el_status outputs_add(struct outputs *, const char *ending, struct el_error *);
/* Any number of threads, at different places. EL_IO. */
enum el_status output_write(const struct output *, const void *bytes, size_t size, uint64_t offset,
                            struct el_error *);
/* Puts all files in place and tells of each, after which there are none. What fails is removed. */
enum el_status outputs_publish(struct outputs *, struct el_error *);
void outputs_remove(struct outputs *);

#endif
