/* SPDX-License-Identifier: MIT */
/* The library's internal interface: the present catalogue, for its readers. */
#ifndef CORE_LIBRARY_VISIT_H
#define CORE_LIBRARY_VISIT_H

#include "catalogue.h"
#include "core/os/readers.h"
#include "library.h"

/* The library's present catalogue. It stays until library_leave, and a rescan waits for that before
   it ends. */
struct visit {
	const struct catalogue *catalogue;
	struct visitor visitor;
};
struct visit library_enter(struct el_library *);
void library_leave(struct visit);
/* After a probe that ended with `status`: have the folders been searched again, so that the probe
   is worth a retry? Do not call it between library_enter and library_leave. */
bool library_look_again(struct el_library *, enum el_status status);

/* The place-th file (from 0) that holds a slice under exactly this metric, ours before foreign ones, and
   its kind; the caller frees *path. Errors of the first as el_library_find; EL_NEGATIVE: no more. */
enum el_status library_path(struct el_library *, const struct el_slice *, const struct el_metric *,
                            unsigned place, const struct el_source_ops **kind, char **path,
                            struct el_error *);

/* Sets what el_library_summary_fault returns from now on. */
void library_note_summaries(struct el_library *, const struct el_error *);

#endif
