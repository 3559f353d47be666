/* SPDX-License-Identifier: MIT */
/*
 * Statistics of a slice. Each thread tallies symbols, which are few; their values are looked up at
 * the end. A position is weighted by its symmetries, so that placements are counted, not indexes.
 */
#include "examine.h"

#include "core/base/course.h"
#include "core/games/lent.h"
#include "core/solve/memory.h"
#include "core/whole/lender.h"
#include "core/whole/sweep.h"
#include "core/whole/whole.h"

#include <stdlib.h>
#include <string.h>

/* A thread's findings that do not depend on symbols alone. */
struct extras {
	uint64_t mutual[EL_ZUGZWANGS]; /* placements; of plane 0 */
	/* of the current plane */
	struct el_resolved resolved[EL_LEADING_RANKS][EL_LEADING_RANKS];
};

struct counter {
	const struct el_game *game;
	const struct el_planes *planes;
	/* of planes without symbols; null: they are in memory */
	const struct el_lender *lender;
	bool briefly;         /* values alone */
	bool ranks;           /* count positions without a capture by leading ranks */
	unsigned plane;       /* the current one */
	uint32_t value_count; /* of that plane */
	unsigned threads;
	struct symbol_tally *tallies; /* [thread][symbol] */
	struct extras *extras;        /* [thread] */
	struct lent *lents;           /* [thread] */
	/* [thread][outcome][clock]: placements that are won, or lost, with up to so many plies on the
	   clock; null: the metric does not ask for it */
	uint64_t *last;
};

/* Numbers of a thread in `last`. */
static unsigned last_size(const struct counter *c)
{
	return 2 * c->planes->metric->limit;
}

/* `position`: null if its game is dense and values alone are counted. */
static void count_position(const struct counter *c, const struct el_position *position,
                           uint64_t index, uint16_t symbol, struct lent *lent,
                           struct symbol_tally *tallies, struct extras *extras, uint64_t *last)
{
	const struct el_value value = c->planes->plane[c->plane].values[symbol];
	struct symbol_tally *t = &tallies[symbol];
	const uint64_t placements = position ? c->game->orbit(position) : 1;
	struct el_move captures[EL_MOVES_MAX];
	if (!t->indexes || index < t->first)
		t->first = index;
	t->indexes++;
	t->placements += placements;
	if (last && (value.outcome == EL_WIN || value.outcome == EL_LOSS)) {
		const unsigned limit = c->planes->metric->limit;
		const struct el_course course = el_courses_get(
			c->planes->courses, c->planes->plane[c->plane].course[index]);
		const unsigned clock =
			course.count ? course.step[course.count - 1].until : limit - 1;
		last[(value.outcome == EL_LOSS) * limit + clock] += placements;
	}
	if (c->briefly)
		return;
	/* Positions with White to move cover every placement once, even if the table has one plane
	   for both sides. */
	if (c->plane == EL_WHITE) {
		const enum el_zugzwang kind = zugzwang_kind(lent, c->planes, position, value);
		if (kind != EL_ZUGZWANGS)
			extras->mutual[kind] += placements;
	}
	const bool forced = c->game->forced_captures;
	if ((!forced && !c->ranks) || c->game->captures(position, captures))
		return;
	t->no_capture += forced ? placements : 0;
	if (!c->ranks)
		return;
	/* Positions without a capture are counted by their leading ranks. */
	const unsigned own = c->game->leading_rank(position, position->side);
	const unsigned others = c->game->leading_rank(position, !position->side);
	struct el_resolved *r = &extras->resolved[own][others];
	r->positions += placements;
	if (value.outcome != EL_UNKNOWN)
		r->points += el_outcome_exact(value.outcome) ? 2 * placements : placements;
}

static void add_extras(struct extras *to, const struct extras *from)
{
	for (int kind = 0; kind < EL_ZUGZWANGS; kind++)
		to->mutual[kind] += from->mutual[kind];
	for (unsigned own = 0; own < EL_LEADING_RANKS; own++)
		for (unsigned others = 0; others < EL_LEADING_RANKS; others++) {
			const struct el_resolved *r = &from->resolved[own][others];
			to->resolved[own][others].positions += r->positions;
			to->resolved[own][others].points += r->points;
		}
}

/* A thread collects its extras in a local variable: those in the array share cache lines. */
static enum el_status count_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                  struct el_error *error)
{
	const struct counter *c = context;
	struct lent *lent = &c->lents[thread];
	struct symbol_tally *tallies = c->tallies + (size_t)thread * c->value_count;
	struct extras extras = {.mutual = {0}};
	uint64_t *last = c->last ? c->last + thread * (size_t)last_size(c) : NULL;
	const bool unseen = c->briefly && c->game->dense;
	struct el_position position;
	for (uint64_t i = first; i < end; i++) {
		const uint16_t *symbol = lent_symbol(lent, c->planes, c->plane, i);
		if (symbol &&
		    (unseen || c->game->unplace(&c->planes->slice, c->plane, i, &position)))
			count_position(c, unseen ? NULL : &position, i, *symbol, lent, tallies,
			               &extras, last);
	}
	add_extras(&c->extras[thread], &extras);
	return c->lender ? c->lender->check(c->lender->context, error) : EL_OK;
}

/* ---- from tallies to statistics ---- */

void tallies_join(struct symbol_tally *tallies, size_t each, unsigned threads)
{
	for (size_t i = each; i < threads * each; i++) {
		const struct symbol_tally *from = &tallies[i];
		struct symbol_tally *to = &tallies[i % each];
		if (from->indexes && (!to->indexes || from->first < to->first))
			to->first = from->first;
		to->indexes += from->indexes;
		to->placements += from->placements;
		to->no_capture += from->no_capture;
	}
}

static void counts_add(struct el_counts *counts, enum el_outcome outcome, uint64_t placements)
{
	uint64_t *const by_outcome[] = {
		[EL_LOSS] = &counts->loss,
		[EL_BLESSED_LOSS] = &counts->blessed_loss,
		[EL_DRAW] = &counts->draw,
		[EL_CURSED_WIN] = &counts->cursed_win,
		[EL_WIN] = &counts->win,
		[EL_UNKNOWN] = &counts->unknown,
		[EL_BROKEN] = NULL,
		[EL_AT_MOST_DRAW] = &counts->at_most_draw,
		[EL_AT_LEAST_DRAW] = &counts->at_least_draw,
	};
	counts->legal += placements;
	if (by_outcome[outcome])
		*by_outcome[outcome] += placements;
}

enum el_status tallies_sum_up(const struct symbol_tally *tallies, const struct el_value *values,
                              uint32_t count, bool has_depth, struct el_side_stats *out,
                              uint64_t first[2], struct el_error *error)
{
	for (uint32_t s = 0; s < count; s++) {
		const struct symbol_tally *t = &tallies[s];
		const struct el_value v = values[s];
		const bool decided = t->indexes && (v.outcome == EL_WIN || v.outcome == EL_LOSS);
		out->unique += t->indexes;
		counts_add(&out->all, v.outcome, t->placements);
		counts_add(&out->no_capture, v.outcome, t->no_capture);
		out->at_most += decided && v.at_most ? t->placements : 0;
		if (decided && has_depth && !v.at_most && v.plies >= out->plies)
			out->plies = v.plies + 1u;
	}
	first[0] = first[1] = UINT64_MAX;
	for (int i = 0; i < 2 && out->plies; i++) {
		out->histogram[i] = calloc(out->plies, sizeof *out->histogram[i]);
		if (!out->histogram[i])
			return el_fail(error, EL_MEMORY, "out of memory for %u plies", out->plies);
		for (uint32_t s = 0; s < count; s++) {
			const struct symbol_tally *t = &tallies[s];
			const struct el_value v = values[s];
			if (!t->indexes || v.outcome != (i ? EL_LOSS : EL_WIN) || v.at_most)
				continue;
			out->histogram[i][v.plies] += t->placements;
			if (first[i] == UINT64_MAX || v.plies > out->longest[i] ||
			    (v.plies == out->longest[i] && t->first < first[i])) {
				out->longest[i] = v.plies;
				first[i] = t->first;
			}
		}
	}
	return EL_OK;
}

bool index_format(const struct el_slice *slice, unsigned plane, uint64_t index, unsigned side,
                  char out[EL_FEN_MAX])
{
	const bool swaps = side != el_slice_mover(slice, plane);
	struct el_position position, swapped;
	if (!slice->game->unplace(slice, plane, index, &position))
		return false;
	if (swaps)
		slice->game->swap_colours(&position, &swapped);
	slice->game->format(swaps ? &swapped : &position, out);
	return true;
}

static enum el_status summarize(const struct counter *c, unsigned side, struct el_side_stats *out,
                                struct el_error *error)
{
	const struct el_planes *planes = c->planes;
	const struct el_value *values = planes->plane[c->plane].values;
	uint64_t first[2];
	out->tallies = malloc(c->value_count * sizeof *out->tallies);
	if (!out->tallies)
		return el_fail(error, EL_MEMORY, "out of memory for %u values", c->value_count);
	for (; out->values < c->value_count; out->values++) {
		const struct symbol_tally *t = &c->tallies[out->values];
		out->tallies[out->values] =
			(struct el_tally){values[out->values], t->placements, t->first};
	}
	const enum el_status status = tallies_sum_up(c->tallies, values, c->value_count,
	                                             planes->metric->has_depth, out, first, error);
	for (int i = 0; i < 2 && !status; i++)
		if (first[i] != UINT64_MAX)
			index_format(&planes->slice, c->plane, first[i], side, out->longest_fen[i]);
	return status;
}

/* Adds the threads' counts, and from the last clock down, since what stands later stood before. */
static enum el_status summarize_clock(const struct counter *c, struct el_side_stats *out,
                                      struct el_error *error)
{
	const unsigned limit = c->planes->metric->limit;
	for (unsigned i = 0; i < 2; i++) {
		uint64_t *standing = calloc(limit, sizeof *standing);
		out->standing[i] = standing;
		if (!standing)
			return el_fail(error, EL_MEMORY, "out of memory for %u clocks", limit);
		for (unsigned t = 0; t < c->threads; t++)
			for (unsigned clock = 0; clock < limit; clock++)
				standing[clock] += c->last[t * last_size(c) + i * limit + clock];
		for (unsigned clock = limit - 1; clock > 0; clock--)
			standing[clock - 1] += standing[clock];
	}
	out->clocks = limit;
	return EL_OK;
}

/* If one plane is for both sides, Black to move is White to move with the colours swapped. */
static enum el_status count_plane(struct counter *c, const struct el_watch *watch,
                                  struct el_side_stats out[2], struct el_error *error)
{
	const struct el_slice *slice = &c->planes->slice;
	c->value_count = c->planes->plane[c->plane].value_count;
	c->tallies = calloc((size_t)c->threads * c->value_count, sizeof *c->tallies);
	c->last = c->planes->courses ? calloc((size_t)c->threads * last_size(c), sizeof *c->last)
	                             : NULL;
	if (!c->tallies || (c->planes->courses && !c->last)) {
		free(c->tallies);
		return el_fail(error, EL_MEMORY, "out of memory for %u values", c->value_count);
	}
	enum el_status status =
		sweep_run(&(struct sweep){"counting", slice, c->planes->metric, slice->positions,
	                                  c->plane * slice->positions,
	                                  slice->planes * slice->positions, watch, c, count_chunk},
	                  error);
	tallies_join(c->tallies, c->value_count, c->threads);
	/* Add their extras of this plane to its side, before the next plane begins. */
	struct extras all = {.mutual = {0}};
	for (unsigned t = 0; t < c->threads; t++) {
		add_extras(&all, &c->extras[t]);
		memset(c->extras[t].resolved, 0, sizeof c->extras[t].resolved);
	}
	for (unsigned side = 0; side < 2 && !status; side++) {
		if (side != el_slice_mover(slice, c->plane) && !el_slice_alike(slice))
			continue;
		memcpy(out[side].resolved, all.resolved, sizeof all.resolved);
		status = summarize(c, side, &out[side], error);
		if (!status && c->last)
			status = summarize_clock(c, &out[side], error);
	}
	free(c->last);
	free(c->tallies);
	return status;
}

/* `lender`: of planes without symbols; else null. */
static enum el_status count(const struct el_planes *planes, const struct el_lender *lender,
                            bool briefly, const struct el_watch *watch, struct el_stats *out,
                            struct el_error *error)
{
	const struct el_game *game = planes->slice.game;
	*out = (struct el_stats){
		.slice = planes->slice,
		.metric = planes->metric,
		.partial = el_planes_partial(planes),
		.rounded = planes->rounded,
		.passes = planes->passes,
	};
	struct counter c = {
		.game = game,
		.planes = planes,
		.lender = lender,
		.briefly = briefly,
		.ranks = out->partial && game->leading_rank,
		.threads = sweep_threads(),
	};
	c.extras = calloc(c.threads, sizeof *c.extras);
	c.lents = calloc(c.threads, sizeof *c.lents);
	enum el_status status = EL_OK;
	if (!c.extras || !c.lents)
		status = el_fail(error, EL_MEMORY, "out of memory for %u threads", c.threads);
	for (unsigned t = 0; t < c.threads && !status; t++)
		c.lents[t].lender = lender;
	for (; c.plane < planes->slice.planes && !status; c.plane++)
		status = count_plane(&c, watch, out->side, error);
	for (unsigned t = 0; t < c.threads && c.extras && c.lents; t++) {
		lent_let_go(&c.lents[t]);
		out->mutual_full += c.extras[t].mutual[EL_ZUGZWANG_FULL];
		out->mutual_white_half += c.extras[t].mutual[EL_ZUGZWANG_WHITE_HALF];
		out->mutual_black_half += c.extras[t].mutual[EL_ZUGZWANG_BLACK_HALF];
	}
	free(c.extras);
	free(c.lents);
	if (status)
		el_stats_free(out);
	return status;
}

enum el_status el_stats_make(const struct el_planes *planes, const struct el_watch *watch,
                             struct el_stats *out, struct el_error *error)
{
	return count(planes, NULL, false, watch, out, error);
}

/* Counts one of our tables piece by piece. EL_NEGATIVE if there is none that can be read so. */
static enum el_status count_pieces(struct el_library *library, const struct el_slice *slice,
                                   const struct el_metric *metric, bool briefly, uint64_t memory,
                                   const struct el_watch *watch, struct el_stats *out,
                                   struct el_error *error)
{
	struct el_entry *entries;
	size_t entry_count;
	enum el_status status = el_library_list(library, &entries, &entry_count, error);
	if (status)
		return status;
	struct lender *l = lender_open(library, watch);
	status =
		l ? lender_limit(l, memory / 2, error) : el_fail(error, EL_MEMORY, "out of memory");
	const struct el_planes *planes = NULL;
	const struct el_entry *e = entries;
	while (e < entries + entry_count &&
	       (e->ignored || e->metric != metric || strcmp(e->kind, "egt") ||
	        !el_slice_equal(&e->slice, slice)))
		e++;
	if (!status)
		status = e < entries + entry_count
		                 ? lender_lend_file(l, e->path, &planes, error)
		                 : el_fail(error, EL_NEGATIVE, "%s: no table", slice->name);
	if (!status) {
		const struct el_lender lender = lender_interface(l);
		status = count(planes, &lender, briefly, watch, out, error);
		lender.give_back(lender.context, planes);
	}
	lender_close(l);
	el_entries_free(entries, entry_count);
	return status;
}

enum el_status el_stats_take(struct el_library *library, const struct el_slice *slice,
                             const struct el_metric *metric, bool briefly, uint64_t memory,
                             const struct el_watch *watch, struct el_stats *out,
                             struct el_error *error)
{
	enum el_status status = EL_NEGATIVE;
	struct el_planes planes;
	memory = memory ? memory : memory_usual();
	/* Pieces are lent without courses. */
	if (memory_of_loan(slice) > memory && !metric->by_clock)
		status = count_pieces(library, slice, metric, briefly, memory, watch, out, error);
	if (status != EL_NEGATIVE)
		return status;
	status = el_library_planes_told(library, slice, metric, watch, &planes, error);
	if (!status) {
		status = count(&planes, NULL, briefly, watch, out, error);
		el_planes_free(&planes);
	}
	return status;
}

void el_stats_free(struct el_stats *stats)
{
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < 2; i++) {
			free(stats->side[side].histogram[i]);
			stats->side[side].histogram[i] = NULL;
			free(stats->side[side].standing[i]);
			stats->side[side].standing[i] = NULL;
		}
		free(stats->side[side].tallies);
		stats->side[side].tallies = NULL;
	}
}

const char *el_stats_record(const struct el_stats *stats, unsigned winner, unsigned to_move,
                            unsigned *plies)
{
	const struct el_side_stats *side = &stats->side[to_move];
	const int i = winner == to_move ? 0 : 1;
	*plies = side->longest[i];
	return side->longest_fen[i][0] ? side->longest_fen[i] : NULL;
}
