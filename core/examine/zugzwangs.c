/* SPDX-License-Identifier: MIT */
/* The mutual zugzwangs of a slice. Each thread lists those that it finds; sorting comes last. */
#include "examine.h"

#include "core/base/array.h"
#include "core/games/lent.h"
#include "core/whole/sweep.h"

#include <stdlib.h>
#include <string.h>

/* The turn cannot pass while White is in check: Black to move would be able to take the king. */
enum el_zugzwang zugzwang_kind(struct lent *lent, const struct el_planes *planes,
                               const struct el_position *position, struct el_value white)
{
	const struct el_game *game = planes->slice.game;
	if (white.outcome > EL_DRAW || game->in_check(position))
		return EL_ZUGZWANGS;
	struct el_position passed = *position;
	struct el_place place;
	passed.side = EL_BLACK;
	if (!game->place(&passed, &place))
		return EL_ZUGZWANGS;
	const uint16_t *symbol = lent_symbol(lent, planes, place.plane, place.index);
	if (!symbol)
		return EL_ZUGZWANGS;
	const struct el_value black = planes->plane[place.plane].values[*symbol];
	const bool white_loses = white.outcome < EL_DRAW, black_loses = black.outcome < EL_DRAW;
	return white_loses && black_loses                ? EL_ZUGZWANG_FULL
	       : black_loses                             ? EL_ZUGZWANG_WHITE_HALF
	       : white_loses && black.outcome == EL_DRAW ? EL_ZUGZWANG_BLACK_HALF
	                                                 : EL_ZUGZWANGS;
}

/* Zugzwangs of one kind, in the order in which one thread found them. */
struct found {
	uint64_t *index; /* owned */
	size_t count;
	uint64_t placements;
};

struct search {
	const struct el_planes *planes;
	unsigned threads;
	struct found (*found)[EL_ZUGZWANGS]; /* [thread] */
};

/* Values need not mark broken indexes: `unplace` finds them. */
static enum el_status search_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                   struct el_error *error)
{
	const struct search *s = context;
	const struct el_slice *slice = &s->planes->slice;
	struct el_position position;
	for (uint64_t i = first; i < end; i++) {
		const struct el_value value = el_plane_value(&s->planes->plane[EL_WHITE], i);
		if (value.outcome > EL_DRAW || !slice->game->unplace(slice, EL_WHITE, i, &position))
			continue;
		const enum el_zugzwang kind = zugzwang_kind(NULL, s->planes, &position, value);
		if (kind == EL_ZUGZWANGS)
			continue;
		struct found *f = &s->found[thread][kind];
		if (!array_grow(&f->index, f->count, 1, sizeof *f->index))
			return el_fail(error, EL_MEMORY, "zugzwangs of %s: out of memory",
			               slice->name);
		f->index[f->count++] = i;
		f->placements += slice->game->orbit(&position);
	}
	return EL_OK;
}

static int index_order(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

enum el_status el_zugzwangs_find(const struct el_planes *planes, const struct el_watch *watch,
                                 struct el_zugzwangs *out, struct el_error *error)
{
	struct search s = {.planes = planes, .threads = sweep_threads()};
	*out = (struct el_zugzwangs){.slice = planes->slice, .partial = el_planes_partial(planes)};
	s.found = calloc(s.threads, sizeof *s.found);
	if (!s.found)
		return el_fail(error, EL_MEMORY, "out of memory for %u threads", s.threads);
	enum el_status status = sweep_run(
		&(struct sweep){"searching", &out->slice, planes->metric, out->slice.positions, 0,
	                        out->slice.positions, watch, &s, search_chunk},
		error);
	/* join and sort all threads' zugzwangs of each kind */
	for (int kind = 0; kind < EL_ZUGZWANGS && !status; kind++) {
		for (unsigned t = 0; t < s.threads && !status; t++) {
			const struct found *f = &s.found[t][kind];
			if (!f->count)
				continue;
			if (!array_grow(&out->index[kind], out->count[kind], f->count,
			                sizeof *f->index)) {
				status = el_fail(error, EL_MEMORY, "zugzwangs of %s: out of memory",
				                 out->slice.name);
				break;
			}
			memcpy(out->index[kind] + out->count[kind], f->index,
			       f->count * sizeof *f->index);
			out->count[kind] += f->count;
			out->placements[kind] += f->placements;
		}
		if (out->count[kind])
			qsort(out->index[kind], out->count[kind], sizeof **out->index, index_order);
	}
	for (unsigned t = 0; t < s.threads; t++)
		for (int kind = 0; kind < EL_ZUGZWANGS; kind++)
			free(s.found[t][kind].index);
	free(s.found);
	if (status)
		el_zugzwangs_free(out);
	return status;
}

const char *el_zugzwangs_fen(const struct el_zugzwangs *z, enum el_zugzwang kind, size_t i,
                             char out[EL_FEN_MAX])
{
	index_format(&z->slice, EL_WHITE, z->index[kind][i], EL_WHITE, out);
	return out;
}

void el_zugzwangs_free(struct el_zugzwangs *z)
{
	for (int kind = 0; kind < EL_ZUGZWANGS; kind++) {
		free(z->index[kind]);
		z->index[kind] = NULL;
		z->count[kind] = 0;
	}
}
