/* SPDX-License-Identifier: MIT */
/* Only the longest wins: a position is set up only if its value would be a record. */
#include "examine.h"

#include "core/whole/sweep.h"

#include <stdlib.h>

enum kind { WON, LOST, KINDS };

/* A value for the side to move. */
struct depth {
	enum kind kind;
	uint32_t length; /* plies + 1; 0: neither a win nor a loss */
};

struct best {
	uint32_t length; /* 0: none yet */
	uint64_t index;
};

struct search {
	const struct el_planes *planes;
	unsigned plane;       /* the current one */
	struct depth *depths; /* of its symbols; owned */
	struct best best[KINDS];
};

static bool is_better(const struct best *b, uint32_t length, uint64_t index)
{
	return length > b->length || (length && length == b->length && index < b->index);
}

/* Broken indexes have values too, so unplace decides. */
static enum el_status search_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                   struct el_error *error)
{
	struct search *s = context;
	const struct el_slice *slice = &s->planes->slice;
	const uint16_t *symbols = s->planes->plane[s->plane].symbols;
	struct best best[KINDS];
	struct el_position position;
#pragma omp critical(longest)
	for (int kind = 0; kind < KINDS; kind++)
		best[kind] = s->best[kind];
	for (uint64_t i = first; i < end; i++) {
		const struct depth d = s->depths[symbols[i]];
		if (is_better(&best[d.kind], d.length, i) &&
		    slice->game->unplace(slice, s->plane, i, &position))
			best[d.kind] = (struct best){d.length, i};
	}
#pragma omp critical(longest)
	for (int kind = 0; kind < KINDS; kind++)
		if (is_better(&s->best[kind], best[kind].length, best[kind].index))
			s->best[kind] = best[kind];
	(void)thread, (void)error;
	return EL_OK;
}

enum el_status el_longest_find(const struct el_planes *planes, const struct el_watch *watch,
                               struct el_longest *out, struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	enum el_status status = EL_OK;
	*out = (struct el_longest){0};
	for (unsigned p = 0; p < slice->planes && !status; p++) {
		const struct el_plane *plane = &planes->plane[p];
		struct search s = {.planes = planes, .plane = p};
		s.depths = calloc(plane->value_count, sizeof *s.depths);
		if (!s.depths)
			return el_fail(error, EL_MEMORY, "out of memory for %u values",
			               plane->value_count);
		for (uint32_t v = 0; v < plane->value_count && planes->metric->has_depth; v++) {
			const struct el_value value = plane->values[v];
			if (value.outcome == EL_WIN || value.outcome == EL_LOSS)
				s.depths[v] = (struct depth){value.outcome == EL_WIN ? WON : LOST,
				                             value.plies + 1u};
		}
		status = sweep_run(&(struct sweep){"searching", slice, planes->metric,
		                                   slice->positions, p * slice->positions,
		                                   slice->planes * slice->positions, watch, &s,
		                                   search_chunk},
		                   error);
		free(s.depths);
		/* One plane may be for both sides to move, or for one. */
		for (unsigned i = 0; i < 2 * KINDS && !status; i++) {
			const unsigned side = i / KINDS, kind = i % KINDS;
			const struct best *best = &s.best[kind];
			struct el_record *record = &out->win[kind == WON ? side : !side][side];
			if (best->length &&
			    (side == el_slice_mover(slice, p) || el_slice_alike(slice)) &&
			    index_format(slice, p, best->index, side, record->fen))
				record->plies = best->length - 1;
		}
	}
	return status;
}
