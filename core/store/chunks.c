/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chunks.h"

enum { CHUNK = 1 << 16 }; /* indexes between two looks at the watch */

enum el_status chunks_run(const struct chunks *c, struct el_error *error)
{
	struct el_progress progress = c->progress;
	enum el_status status = EL_OK;
#pragma omp parallel for schedule(dynamic, 1)
	for (uint64_t first = 0; first < c->count; first += CHUNK) {
		struct el_error one_error;
		const uint64_t end = first + CHUNK < c->count ? first + CHUNK : c->count;
		enum el_status now;
#pragma omp atomic read
		now = status;
		const enum el_status one = now ? now : c->chunk(c->context, first, end, &one_error);
#pragma omp critical(store_chunks)
		{
			enum el_status next = status;
			progress.done += (double)(end - first);
			if (one && !next)
				next = el_fail(error, one, "%s", one_error.text);
			else if (!next && !el_watch_tick(c->watch, &progress))
				next = el_fail(error, EL_STOPPED, "%s: stopped", c->name);
#pragma omp atomic write
			status = next;
		}
	}
	return status;
}
