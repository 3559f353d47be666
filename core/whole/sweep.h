/* SPDX-License-Identifier: MIT */
/* A pass over all indexes of a plane on all cores, watched and stopped by the caller's thread. */
#ifndef CORE_WHOLE_SWEEP_H
#define CORE_WHOLE_SWEEP_H

#include "core/games/game.h"

#include <stdint.h>

enum { SWEEP_CHUNK = 2048 }; /* indexes: a millisecond or so of work */

/* Processes indexes first .. end-1: SWEEP_CHUNK of them from a multiple of it, fewer only at the
   end. Chunks come in any order and in parallel, but one at a time for each thread (0 ..
   sweep_threads()-1). */
typedef enum el_status sweep_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                   struct el_error *);

struct sweep {
	const char *stage; /* of its progress */
	const struct el_slice *slice;
	const struct el_metric *metric; /* only named; may be null */
	uint64_t count;                 /* indexes 0 .. count-1 */
	/* items of the passes before this one, and of all; 0: not known */
	uint64_t before, total;
	const struct el_watch *watch; /* may be null */
	void *context;
	sweep_chunk *chunk;
};

unsigned sweep_threads(void);

/* The first chunk that fails ends the pass with its error; EL_STOPPED if the watch asked to
   stop. */
enum el_status sweep_run(const struct sweep *, struct el_error *);
/* The same if the items are not indexes but sections of about `each` positions: a chunk is one
   section. */
enum el_status sweep_sections(const struct sweep *, uint64_t each, struct el_error *);

#endif
