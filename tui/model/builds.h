/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The builds at work and in the queue. */
#ifndef TUI_MODEL_BUILDS_H
#define TUI_MODEL_BUILDS_H

#include "core/builder/build.h"

struct model;

struct builds {
	struct build_job *jobs; /* unfinished builds, the newest first */
	enum el_preset preset;  /* how new tables are written */
};

/* Is the slice being built or in the queue? */
bool build_is_asked(const struct builds *, const struct el_slice *);
/* Builds these slices and what they depend on, on the worker: under their game's own metric, or
   under a given one. */
void build_start(struct model *, const struct el_slice *slices, size_t count);
void build_start_under(struct model *, const struct el_slice *slices, size_t count,
                       const struct el_metric *);
void builds_free(struct builds *);

#endif
