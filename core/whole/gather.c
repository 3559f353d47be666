/* SPDX-License-Identifier: MIT */
#include "gather.h"

#include "core/library/visit.h"
#include "core/solve/memory.h"
#include "lender.h"
#include "sweep.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 18 }; /* positions read at a time */

static uint64_t words_of(const struct gathered *g)
{
	return (g->slice.positions + 63) / 64;
}

static enum el_status out_of_memory(const struct gathered *g, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: out of memory", g->slice.name);
}

/* ---- marks ---- */

struct marking {
	struct gathered *to;
	const struct el_slice *from;
	unsigned plane;
};

static enum el_status mark_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                 struct el_error *error)
{
	const struct marking *m = context;
	const struct el_game *game = m->from->game;
	(void)thread;
	(void)error;
	for (uint64_t i = first; i < end; i++) {
		struct el_position position, after;
		struct el_move moves[EL_MOVES_MAX];
		struct el_place at;
		if (!game->unplace(m->from, m->plane, i, &position))
			continue;
		const size_t count = game->moves(&position, moves);
		for (size_t k = 0; k < count; k++) {
			game->play(&position, &moves[k], &after);
			if (after.castling == position.castling || !game->place(&after, &at) ||
			    at.key != m->to->slice.key)
				continue;
			atomic_fetch_or_explicit(&m->to->plane[at.plane].marks[at.index / 64],
			                         UINT64_C(1) << at.index % 64,
			                         memory_order_relaxed);
		}
	}
	return EL_OK;
}

static enum el_status mark(struct gathered *g, const struct el_slice *from,
                           const struct el_watch *watch, struct el_error *error)
{
	struct marking m = {.to = g, .from = from};
	enum el_status status = EL_OK;
	for (unsigned p = 0; p < g->slice.planes; p++) {
		g->plane[p].marks = calloc(words_of(g), sizeof *g->plane[p].marks);
		if (!g->plane[p].marks)
			return out_of_memory(g, error);
	}
	for (; m.plane < from->planes && !status; m.plane++)
		status = sweep_run(&(struct sweep){"looking for exits", from, NULL, from->positions,
		                                   m.plane * from->positions,
		                                   from->planes * from->positions, watch, &m,
		                                   mark_chunk},
		                   error);
	return status;
}

/* ---- values ---- */

struct reading {
	struct gathered *to;
	const struct el_planes *planes;
	const struct el_lender *lender;
	unsigned plane;
};

static enum el_status read_piece(void *context, unsigned thread, uint64_t first, uint64_t end,
                                 struct el_error *error)
{
	const struct reading *r = context;
	const struct gathered_plane *to = &r->to->plane[r->plane];
	const uint16_t *all = r->planes->plane[r->plane].symbols;
	(void)thread;
	for (uint64_t piece = first; piece < end; piece++) {
		const uint64_t from = piece * PIECE, rest = r->to->slice.positions - from;
		const uint64_t words = ((rest < PIECE ? rest : PIECE) + 63) / 64;
		const uint16_t *symbols =
			all ? all + from
			    : r->lender->look(r->lender->context, r->planes, r->plane, from, PIECE);
		if (!symbols)
			return r->lender->check(r->lender->context, error);
		for (uint64_t w = from / 64; w < from / 64 + words; w++) {
			uint16_t *out = to->symbols + to->before[w];
			for (uint64_t left = to->marks[w]; left; left &= left - 1)
				*out++ = symbols[w * 64 + (unsigned)__builtin_ctzll(left) - from];
		}
		if (!all)
			r->lender->let_go(r->lender->context, r->planes, r->plane, from, PIECE);
	}
	return EL_OK;
}

/* `planes`: in memory, or lent. */
static enum el_status read(struct gathered *g, const struct el_planes *planes,
                           const struct el_lender *lender, const struct el_watch *watch,
                           struct el_error *error)
{
	struct reading r = {g, planes, lender, 0};
	const uint64_t pieces = (g->slice.positions + PIECE - 1) / PIECE;
	enum el_status status = EL_OK;
	for (; r.plane < g->slice.planes && !status; r.plane++) {
		struct gathered_plane *p = &g->plane[r.plane];
		const struct el_plane *from = &planes->plane[r.plane];
		uint32_t count = 0;
		p->before = malloc(words_of(g) * sizeof *p->before);
		for (uint64_t w = 0; w < words_of(g) && p->before; w++) {
			p->before[w] = count;
			count += (uint32_t)__builtin_popcountll(p->marks[w]);
		}
		p->symbols = malloc((count + 1) * sizeof *p->symbols);
		struct el_value *values = malloc(from->value_count * sizeof *values);
		if (p->before && p->symbols && values)
			status = sweep_sections(
				&(struct sweep){"reading", &g->slice, planes->metric, pieces,
			                        r.plane * pieces, g->slice.planes * pieces, watch,
			                        &r, read_piece},
				PIECE, error);
		else
			status = out_of_memory(g, error);
		if (status)
			free(values);
		else
			p->values =
				memcpy(values, from->values, from->value_count * sizeof *values);
	}
	return status;
}

/* ---- the whole ---- */

/* The path of our table under just this metric; null: there is none. The caller frees it. */
static char *path_of(struct el_library *library, const struct el_slice *slice,
                     const struct el_metric *metric)
{
	const struct visit visit = library_enter(library);
	const struct el_source *source = catalogue_answering(
		catalogue_route(visit.catalogue, slice->game, slice->key), metric);
	const bool is_ours = source && source->ops == &el_source_egt && source->metric == metric &&
	                     !source->partial;
	char *path = is_ours ? strdup(source->path) : NULL;
	library_leave(visit);
	return path;
}

enum el_status gathered_make(struct gathered *g, struct el_library *library,
                             const struct el_slice *from, const struct el_metric *metric,
                             const struct el_planes *planes, const struct el_watch *watch,
                             struct el_error *error)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	from->game->successors(from, successors); /* itself without rights first */
	*g = (struct gathered){.slice = successors[0]};
	char *path = planes ? NULL : path_of(library, &g->slice, metric);
	if (!planes && !path)
		return EL_OK;
	struct lender *l = lender_open(library, watch);
	const struct el_planes *lent = NULL;
	enum el_status status =
		l ? lender_limit(l, memory_of_loans(&g->slice), error) : out_of_memory(g, error);
	if (!status && path)
		status = lender_lend_file(l, path, &lent, error);
	else if (!status && !planes->plane[0].symbols)
		status = lender_lend_read(l, planes, &lent, error);
	const bool is_there = !status;
	status = status == EL_NEGATIVE ? EL_OK : status;
	if (is_there) {
		const struct el_lender lender = lender_interface(l);
		status = mark(g, from, watch, error);
		if (!status)
			status = read(g, lent ? lent : planes, &lender, watch, error);
		if (lent)
			lender.give_back(lender.context, lent);
	}
	lender_close(l);
	free(path);
	return status;
}

void gathered_free(struct gathered *g)
{
	for (unsigned p = 0; p < 2; p++) {
		free((void *)g->plane[p].marks);
		free(g->plane[p].before);
		free(g->plane[p].symbols);
		free(g->plane[p].values);
	}
	*g = (struct gathered){0};
}
