/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk over all indexes of a plane on all cores, whose steps may fail. */
#ifndef STORE_CHUNKS_H
#define STORE_CHUNKS_H

#include "endlab/status.h"

#include <stdint.h>

struct chunks {
	const char *name;             /* "KQvKR": in errors */
	uint64_t count;               /* indexes 0 .. count-1 */
	const struct el_watch *watch; /* may be null */
	struct el_progress progress;  /* `done` is where this walk starts */
	void *context;
	/* Indexes first .. end-1, a few tens of thousands; several at once, in any order. */
	enum el_status (*chunk)(void *context, uint64_t first, uint64_t end, struct el_error *);
};

/* The first failure ends the walk and is told; EL_STOPPED when the watch said so. */
enum el_status chunks_run(const struct chunks *, struct el_error *);

#endif
