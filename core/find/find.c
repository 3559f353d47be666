/* SPDX-License-Identifier: MIT */
/*
 * The search: spans of a plane one after the other, each shared out among threads. What they find in a
 * span is put in order; then it is taken, or kept as long as it is among the first that are wanted.
 */
#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/whole/sweep.h"
#include "core/whole/whole.h"
#include "query.h"

#include <stdlib.h>
#include <string.h>

/* What is found in a span is in memory until it is taken or dropped: some 60 MB at the most. */
enum { SPAN = 128 * SWEEP_CHUNK };

/* A match, before it is one of those wanted. */
struct found {
	int64_t key;   /* the least are wanted */
	int64_t order; /* among those wanted: the number under the metric to sort by, or 0 */
	const struct el_slice *slice;
	const struct el_metric *metric;
	struct el_value value;
	uint64_t index;
	unsigned number; /* of the slice, in the order of searches */
	uint8_t plane, placements;
	struct el_position position;
};

struct founds {
	struct found *list; /* owned */
	size_t count;
};

struct worker {
	struct block block;
	struct holds holds;
	struct founds founds; /* in this span */
	struct el_find_counts counts;
};

struct el_finder {
	struct el_library *library;
	const struct el_query *query;
	struct el_find_options options;
	struct founds kept;
	unsigned slices; /* searched so far */
	uint64_t taken;
	bool done;
	/* Found keys above this are not wanted any more. */
	int64_t most;
};

/* ---- what is wanted ---- */

static bool is_kept(const struct el_finder *f)
{
	return f->options.sort || f->options.sample;
}

static int by_place(const void *x, const void *y)
{
	const struct found *a = x, *b = y;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->plane != b->plane)
		return a->plane < b->plane ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static int by_key(const void *x, const void *y)
{
	const struct found *a = x, *b = y;
	return a->key != b->key ? (a->key < b->key ? -1 : 1) : by_place(a, b);
}

static void take(struct el_finder *f, const struct found *from)
{
	const struct el_match match = {from->slice,      from->metric, from->value, from->position,
	                               from->placements, from->index,  from->plane};
	f->taken++;
	f->done = !f->options.take(f->options.context, &match) ||
	          (f->options.limit && f->taken == f->options.limit);
}

/* ---- one slice ---- */

struct search {
	struct el_finder *finder;
	struct known known;
	struct el_planes planes[QUERY_METRICS + 2]; /* owned: the main ones first */
	unsigned count;
	int sort;                 /* the place of the planes to sort by; -1: none */
	struct block_plane plane; /* the current one */
	uint64_t first;           /* index of the current span */
	struct worker *workers;
	unsigned threads;
};

static enum el_status load(struct search *s, const struct el_metric *metric, unsigned *place,
                           struct el_error *error)
{
	for (*place = 0; *place < s->count; ++*place)
		if (el_metric_alike(s->planes[*place].metric, metric))
			return EL_OK;
	const enum el_status status =
		el_library_planes_told(s->finder->library, s->known.slice, metric,
	                               s->finder->options.watch, &s->planes[s->count], error);
	s->count += !status;
	return status;
}

/* The metric of outcomes: null if the question needs none. */
static enum el_status choose_metric(const struct el_finder *f, const struct el_slice *slice,
                                    const struct el_metric **out, struct el_error *error)
{
	const struct el_query *q = f->query;
	const struct el_metric *const *m = slice->game->metrics;
	*out = f->options.metric ? f->options.metric
	       : q->metrics      ? q->metric[0]
	       : f->options.sort ? f->options.sort
	       : el_library_teller(f->library, slice, el_game_metric(slice->game))
	               ? el_game_metric(slice->game)
	               : NULL;
	while (!*out && *m && !el_library_teller(f->library, slice, *m))
		m++;
	if (!*out)
		*out = *m;
	if (!*out && !q->outcomes && !q->lines)
		return EL_OK;
	if (!*out)
		return el_fail(error, EL_NEGATIVE, "%s: no table tells its outcomes", slice->name);
	if (q->rule && !(*out)->limit)
		return el_fail(error, EL_USAGE,
		               "cursed-win and blessed-loss need a metric with a rule, such as "
		               "--metric dtz50; this is %s",
		               (*out)->name);
	if (q->lines && (!(*out)->has_depth || (*out)->kind != &el_kind_depth))
		return el_fail(error, EL_USAGE, "only-line needs a metric with depths, not %s",
		               (*out)->name);
	return EL_OK;
}

static enum el_status load_all(struct search *s, struct el_error *error)
{
	struct el_finder *f = s->finder;
	const struct el_metric *main;
	unsigned place = 0;
	enum el_status status = choose_metric(f, s->known.slice, &main, error);
	if (!status && main)
		status = load(s, main, &place, error);
	for (unsigned m = 0; m < f->query->metrics && !status; m++)
		status = load(s, f->query->metric[m], &s->known.of_metric[m], error);
	s->sort = -1;
	if (!status && f->options.sort) {
		status = load(s, f->options.sort, &place, error);
		s->sort = (int)place;
	}
	for (unsigned p = 0; p < s->count; p++)
		s->known.planes[p] = &s->planes[p];
	return status ? status : known_prepare(&s->known, error);
}

static enum el_status find_one(struct search *s, struct worker *w, unsigned i, unsigned image,
                               unsigned placements, struct el_error *error)
{
	const struct el_finder *f = s->finder;
	const unsigned plane = s->plane.plane;
	struct found found = {
		.slice = s->known.slice,
		.index = w->block.index + i,
		.number = f->slices,
		.plane = (uint8_t)plane,
		.placements = (uint8_t)placements,
	};
	int number;
	if (s->sort >= 0) {
		const struct el_planes *by = &s->planes[s->sort];
		if (!by->metric->kind->number(el_plane_value(&by->plane[plane], found.index),
		                              &number))
			return EL_OK;
		found.key = found.order = f->options.shortest ? number : -number;
	}
	if (f->options.sample)
		found.key =
			(int64_t)(hash_mix(hash_mix(hash_mix(f->options.seed) ^ found.slice->key) +
		                           2 * found.index + plane) >>
		                  1);
	if (found.key > f->most)
		return EL_OK;
	if (s->count) {
		found.metric = s->planes[0].metric;
		found.value = el_plane_value(&s->planes[0].plane[plane], found.index);
	}
	if (image != w->block.image)
		block_show(&w->block, image);
	found.position = *block_position(&w->block, i);
	if (!array_grow(&w->founds.list, w->founds.count, 1, sizeof found))
		return el_fail(error, EL_MEMORY, "out of memory");
	w->founds.list[w->founds.count++] = found;
	return EL_OK;
}

static enum el_status search_block(struct search *s, struct worker *w, struct el_error *error)
{
	const struct el_finder *f = s->finder;
	const bool alike = el_slice_alike(s->known.slice);
	const bool by_image = s->known.turns[f->query->root];
	const unsigned images = by_image ? s->plane.images : 1;
	const unsigned mover = el_slice_mover(s->known.slice, s->plane.plane);
	struct block *b = &w->block;
	uint64_t any = 0;
	uint8_t first[BLOCK_MAX], placements[BLOCK_MAX];
	for (unsigned image = 0; image < images; image++) {
		const bool swapped = s->plane.image[image] & EL_SWAPPED;
		block_show(b, image);
		holds_begin(&w->holds, image);
		for (uint64_t bits = holds_of(&w->holds, b->legal); bits; bits &= bits - 1) {
			const unsigned i = (unsigned)__builtin_ctzll(bits);
			if (block_repeats(b, i))
				continue;
			const unsigned here = by_image ? 1 : block_orbit(b, i);
			w->counts.placements[swapped ? !mover : mover] += here;
			if (alike && !by_image)
				w->counts.placements[!mover] += here;
			if (!(any >> i & 1)) {
				first[i] = (uint8_t)image;
				placements[i] = 0;
			}
			placements[i] += (uint8_t)(here << (alike && !by_image));
			any |= UINT64_C(1) << i;
		}
	}
	w->counts.searched += (uint64_t)__builtin_popcountll(b->legal);
	w->counts.unique += (uint64_t)__builtin_popcountll(any);
	if (w->holds.unknown && !w->counts.unknown)
		w->counts.missing = w->holds.missing;
	w->counts.unknown += (uint64_t)__builtin_popcountll(w->holds.unknown);
	enum el_status status = EL_OK;
	for (; any && !f->options.count && !status; any &= any - 1) {
		const unsigned i = (unsigned)__builtin_ctzll(any);
		status = find_one(s, w, i, first[i], placements[i], error);
	}
	return status;
}

static enum el_status search_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                   struct el_error *error)
{
	struct search *s = context;
	struct worker *w = &s->workers[thread];
	enum el_status status = EL_OK;
	for (block_begin(&w->block, &s->plane, s->first + first);
	     w->block.index < s->first + end && !status; block_next(&w->block)) {
		block_make(&w->block, s->first + end);
		status = search_block(s, w, error);
	}
	return status;
}

/* Takes or keeps what the threads found in a span. */
static enum el_status gather(struct search *s, struct el_error *error)
{
	struct el_finder *f = s->finder;
	struct founds all = {NULL, 0}, *to = is_kept(f) ? &f->kept : &all;
	enum el_status status = EL_OK;
	for (unsigned t = 0; t < s->threads && !status; t++) {
		struct founds *from = &s->workers[t].founds;
		if (!array_grow(&to->list, to->count, from->count, sizeof *to->list)) {
			status = el_fail(error, EL_MEMORY,
			                 "out of memory for %zu positions; --limit keeps fewer",
			                 to->count + from->count);
		} else if (from->count) {
			memcpy(to->list + to->count, from->list, from->count * sizeof *to->list);
			to->count += from->count;
			from->count = 0;
		}
	}
	const uint64_t limit = f->options.limit;
	if (is_kept(f) && limit && f->kept.count > limit) { /* leaves only what is wanted */
		qsort(f->kept.list, f->kept.count, sizeof *f->kept.list, by_key);
		f->kept.count = limit;
		f->most = f->kept.list[limit - 1].key;
	}
	if (all.count)
		qsort(all.list, all.count, sizeof *all.list, by_place);
	for (size_t i = 0; i < all.count && !f->done && !status; i++)
		take(f, &all.list[i]);
	free(all.list);
	return status;
}

static enum el_status search_plane(struct search *s, unsigned plane, struct el_error *error)
{
	struct el_finder *f = s->finder;
	const struct el_slice *slice = s->known.slice;
	const uint64_t span = f->options.count ? slice->positions : SPAN;
	enum el_status status = block_plane_open(slice, plane, &s->plane, error);
	if (!status)
		known_see(&s->known, &s->plane);
	for (s->first = 0; s->first < slice->positions && !status && !f->done; s->first += span) {
		const uint64_t rest = slice->positions - s->first;
		status = sweep_run(&(struct sweep){"searching", slice,
		                                   s->count ? s->planes[0].metric : NULL,
		                                   rest < span ? rest : span,
		                                   plane * slice->positions + s->first,
		                                   slice->planes * slice->positions,
		                                   f->options.watch, s, search_chunk},
		                   error);
		if (!status && !f->options.count)
			status = gather(s, error);
	}
	block_plane_close(&s->plane);
	return status;
}

enum el_status el_finder_search(struct el_finder *f, const struct el_slice *slice,
                                struct el_find_counts *out, bool *done, struct el_error *error)
{
	struct search s = {
		.finder = f,
		.known = {.library = f->library, .query = f->query, .slice = slice},
		.threads = sweep_threads(),
	};
	*out = (struct el_find_counts){.searched = 0};
	s.workers = calloc(s.threads, sizeof *s.workers);
	enum el_status status =
		s.workers ? load_all(&s, error)
			  : el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	for (unsigned t = 0; t < s.threads && s.workers; t++) {
		s.workers[t].holds.known = &s.known;
		s.workers[t].holds.block = &s.workers[t].block;
	}
	for (unsigned p = 0; p < slice->planes && !status && !f->done; p++)
		status = search_plane(&s, p, error);
	for (unsigned t = 0; t < s.threads && s.workers; t++) {
		const struct el_find_counts *from = &s.workers[t].counts;
		out->placements[0] += from->placements[0];
		out->placements[1] += from->placements[1];
		out->unique += from->unique;
		out->searched += from->searched;
		if (from->unknown && !out->unknown)
			out->missing = from->missing;
		out->unknown += from->unknown;
		free(s.workers[t].founds.list);
	}
	free(s.workers);
	known_free(&s.known);
	for (unsigned p = 0; p < s.count; p++)
		el_planes_free(&s.planes[p]);
	f->slices++;
	*done = f->done;
	return status;
}

/* ---- all of them ---- */

enum el_status el_finder_open(struct el_library *library, const struct el_query *query,
                              const struct el_find_options *options, struct el_finder **out,
                              struct el_error *error)
{
	struct el_finder *f = *out = calloc(1, sizeof *f);
	if (!f)
		return el_fail(error, EL_MEMORY, "out of memory");
	*f = (struct el_finder){
		.library = library, .query = query, .options = *options, .most = INT64_MAX};
	return EL_OK;
}

void el_finder_finish(struct el_finder *f)
{
	for (size_t i = 0; i < f->kept.count; i++)
		f->kept.list[i].key = f->kept.list[i].order;
	if (f->kept.count)
		qsort(f->kept.list, f->kept.count, sizeof *f->kept.list, by_key);
	for (size_t i = 0; i < f->kept.count && !f->done; i++)
		take(f, &f->kept.list[i]);
	f->kept.count = 0;
}

void el_finder_close(struct el_finder *f)
{
	if (f)
		free(f->kept.list);
	free(f);
}
