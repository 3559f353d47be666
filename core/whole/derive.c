/* SPDX-License-Identifier: MIT */
/*
 * Deriving a slice's values from moves: which values a table need not store, and the values that it
 * did not store. Captures determine some values of both planes; all moves together determine a
 * whole plane; zeroing moves and outcomes known beforehand determine some plies (outcomes.c).
 *
 * The game finds the best capture, or move, of a section's positions at once (core/games/best.h). Values
 * that no score says (bounds, phases, rounded plies) are derived position by position, as a probe does;
 * so are those that lead where no table tells all values, but a probe finds them (outcomes under a rule,
 * from depths that it never cuts short), or finds out which table is missing.
 */
#include "core/games/best.h"
#include "core/probe/inside.h"
#include "core/table/view.h"
#include "lender.h"
#include "sweep.h"
#include "whole.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { BOTH_PLANES = 3 };           /* bits */
enum { DERIVED_AT_ONCE = 1 << 18 }; /* positions of planes that are not in memory */
enum { LENT_BYTES = 256 << 20 };    /* of large tables that moves lead to, at once in memory */

/* For planes that are not in memory, the marks are in a file. */
static enum el_status make_marks(const struct el_library *library, const struct el_planes *planes,
                                 struct el_plane *plane, struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	char path[PATH_MAX];
	void *marks = NULL;
	enum el_status status = EL_OK;
	if (plane->derivable)
		return EL_OK;
	snprintf(path, sizeof path, "%s/%s", el_library_directory(library), slice->name);
	if (planes->reader)
		status = spool_map(path, slice->positions, &marks, error);
	else if (!(marks = malloc(slice->positions)))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	plane->derivable = marks;
	return status;
}

/* ---- by whole planes ---- */

struct bulk {
	struct el_planes *planes;
	struct el_best_problem problem;
	_Atomic bool differs; /* a value is not that of the best move */
	struct el_best *best;
	struct best_team team;
	unsigned plane;
	/* The sections at work: all if the planes are in memory. */
	size_t section;
	uint64_t first;           /* index */
	const uint16_t *symbols;  /* null: forced captures, whatever their values */
	_Atomic uint16_t *symbol; /* by score; 0: none yet. Owned; null if nothing is stored */
};

/* The best captures or moves of a section; sets its first index and the index past its last. */
static enum el_status best_moves(struct bulk *b, unsigned thread, uint64_t *section, uint64_t *end,
                                 struct el_error *error)
{
	const size_t number = b->section + (size_t)*section;
	*section = b->best->section(b->best, number);
	*end = b->best->section(b->best, number + 1);
	return b->best->of(b->best, b->plane, number, b->team.out[thread], b->team.scratch[thread],
	                   error);
}

/* Marks what has the value of the best capture or zeroing move; or finds out whether a value is not that of the
   best of all moves: a position without a move needs none. */
static enum el_status compare_section(void *context, unsigned thread, uint64_t first, uint64_t end,
                                      struct el_error *error)
{
	struct bulk *b = context;
	const enum el_status status = best_moves(b, thread, &first, &end, error);
	const int16_t *score = b->team.out[thread], *own = b->team.own[b->plane];
	const uint16_t *symbols = b->symbols ? b->symbols + (first - b->first) : NULL;
	uint8_t *marks = b->problem.moves ? b->planes->plane[b->plane].derivable + first : NULL;
	for (uint64_t i = 0; i < end - first && !status; i++) {
		const bool has_move = score[i] > BEST_STUCK;
		const bool same = !symbols || score[i] == own[symbols[i]];
		if (marks)
			marks[i] = has_move && same;
		else if (has_move && !same)
			b->differs = true;
	}
	return status;
}

/* Adds the value of a score to the plane at work; 0: there is no room. */
static uint16_t symbol_of(struct bulk *b, int16_t score)
{
	uint16_t symbol = atomic_load_explicit(&b->symbol[score], memory_order_relaxed);
	if (symbol)
		return symbol;
#pragma omp critical(derived_symbol)
	{
		symbol = atomic_load_explicit(&b->symbol[score], memory_order_relaxed);
		if (!symbol)
			symbol = el_plane_add_value(&b->planes->plane[b->plane],
			                            best_value(b->planes->metric, score));
		atomic_store_explicit(&b->symbol[score], symbol, memory_order_relaxed);
	}
	return symbol;
}

/* Puts the best captures, or zeroing moves, in place of what is stored, where they are better or nothing
   else counts; and the best moves where nothing is stored. */
static enum el_status complete_section(void *context, unsigned thread, uint64_t first, uint64_t end,
                                       struct el_error *error)
{
	struct bulk *b = context;
	const struct el_slice *slice = &b->planes->slice;
	enum el_status status = best_moves(b, thread, &first, &end, error);
	const int16_t *score = b->team.out[thread], *own = b->team.own[b->plane];
	uint16_t *symbols = b->planes->plane[b->plane].symbols + first;
	for (uint64_t i = 0; i < end - first && !status; i++) {
		int16_t best = score[i];
		struct el_position position;
		if (best == BEST_STUCK && b->problem.moves == BEST_ALL &&
		    slice->game->unplace(slice, b->plane, first + i, &position))
			best = best_score(b->planes->metric, slice->game->stuck(&position));
		if (best <= BEST_STUCK ||
		    (!slice->game->forced_captures && best <= own[symbols[i]]))
			continue;
		if (best == BEST_HOLE)
			return el_fail(error, EL_NEGATIVE, "%s: a move leads to no value",
			               slice->name);
		if (!(symbols[i] = symbol_of(b, best)))
			return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	}
	return status;
}

static const char *const stages[] = {
	[BEST_ALL] = "trying moves",
	[BEST_CAPTURES] = "trying captures",
	[BEST_ZEROING] = "trying zeroing moves",
};

/* The plane at work, section by section. If the planes are not in memory, `room` takes the symbols of
   so many sections. */
static enum el_status bulk_plane(struct bulk *b, const struct el_watch *watch, uint16_t *room,
                                 size_t sections, struct el_error *error)
{
	const struct el_planes *planes = b->planes;
	const struct el_best *best = b->best;
	const uint64_t each = planes->slice.positions / best->sections + 1;
	enum el_status status = EL_OK;
	for (b->section = 0; b->section < best->sections && !status && !b->differs;
	     b->section += sections) {
		const size_t rest = best->sections - b->section;
		const size_t count = rest < sections ? rest : sections;
		const struct sweep sweep = {
			.stage = stages[b->problem.moves],
			.slice = &planes->slice,
			.metric = planes->metric,
			.count = count,
			.before = b->section,
			.total = best->sections,
			.watch = watch,
			.context = b,
			.chunk = b->symbol ? complete_section : compare_section,
		};
		b->first = best->section(best, b->section);
		const uint64_t end = best->section(best, b->section + count);
		if (b->problem.lender)
			status = spool_piece(planes, b->plane, b->first, (size_t)(end - b->first),
			                     room, &b->symbols, error);
		if (!status)
			status = sweep_sections(&sweep, each, error);
	}
	return status;
}

/* What becomes of the scores. */
enum use { MARK, TEST, PUT };

/*
 * Marks what the moves tell; or finds out whether they tell all of a plane (el_planes.told_late); or puts
 * what they tell into planes, which are then in memory. `which`: bits of planes; `lent`: what the moves
 * themselves look at, the same planes or, for zeroing moves, their outcomes. EL_NEGATIVE if this takes
 * positions one by one.
 */
static enum el_status derive_lent(struct el_library *library, struct el_planes *planes,
                                  enum use use, enum el_best_moves moves, unsigned which,
                                  const struct el_planes *lent, const struct el_lender *lender,
                                  const struct el_watch *watch, struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	struct bulk b = {.planes = planes, .problem = {lent, lender, moves}};
	uint16_t *room = NULL;
	/* Where captures are forced, marks ask neither tables nor the planes. */
	if (use == MARK && slice->game->forced_captures)
		b.problem.lender = NULL;
	if (planes->rounded || el_planes_partial(planes))
		return el_fail(error, EL_NEGATIVE, "%s: no scores tell its values", slice->name);
	enum el_status status = el_best_open(&b.problem, &b.best, error);
	if (status)
		return status;
	status = best_team_open(&b.team, b.best, planes, sweep_threads(), error);
	size_t sections = b.best->sections;
	if (planes->reader && b.problem.lender && !status) {
		sections = DERIVED_AT_ONCE / b.best->longest + sweep_threads();
		room = malloc(sections * b.best->longest * sizeof *room);
		status = room ? EL_OK : el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	}
	for (b.plane = 0; b.plane < slice->planes && !status; b.plane++) {
		struct el_plane *plane = &planes->plane[b.plane];
		if (!(which >> b.plane & 1))
			continue;
		if (use == PUT && !(b.symbol = calloc(BEST_HOLE, sizeof *b.symbol)))
			status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
		for (uint32_t s = 1; s < plane->value_count && b.symbol; s++)
			if (b.team.own[b.plane][s] > BEST_STUCK)
				b.symbol[b.team.own[b.plane][s]] = (uint16_t)s;
		if (!status && use == MARK)
			status = make_marks(library, planes, plane, error);
		b.differs = false;
		if (!status)
			status = bulk_plane(&b, watch, room, sections, error);
		if (!status && use == TEST && !b.differs)
			planes->told_late |= (uint8_t)(1u << b.plane);
		if (!status && use == PUT)
			status = el_plane_canonical(plane, slice->positions, error);
		free(b.symbol);
		b.symbol = NULL;
	}
	free(room);
	best_team_close(&b.team);
	el_best_close(b.best);
	return status;
}

/* The same; a null lender is one of the library's tables. `lent`: null for the planes themselves. */
static enum el_status derive_planes(struct el_library *library, struct el_planes *planes,
                                    enum use use, enum el_best_moves moves, unsigned which,
                                    const struct el_planes *lent, const struct el_lender *lender,
                                    const struct el_watch *watch, struct el_error *error)
{
	const bool lends_own = !lent && moves != BEST_CAPTURES && planes->reader;
	lent = lent ? lent : planes;
	enum el_status status = EL_OK;
	if (lender && !lends_own) {
		status =
			derive_lent(library, planes, use, moves, which, lent, lender, watch, error);
		/* To complete a table, other programs' tables may serve, which the lender may not read. */
		if (status != EL_NEGATIVE || use != PUT)
			return status;
	}
	struct lender *own = lender_open(library, watch);
	status = own ? lender_limit(own, LENT_BYTES, error)
	             : el_fail(error, EL_MEMORY, "out of memory");
	if (!status && lends_own)
		status = lender_lend_read(own, planes, &lent, error);
	if (!status) {
		const struct el_lender lends = lender_interface(own);
		status =
			derive_lent(library, planes, use, moves, which, lent, &lends, watch, error);
		if (lends_own)
			lends.give_back(lends.context, lent);
	}
	lender_close(own);
	return status;
}

/* ---- position by position ---- */

struct deriver {
	struct el_library *library;
	struct el_planes *planes;
	/* Uses the best captures of the positions at work once all are found. */
	enum el_status (*use)(const struct deriver *, struct el_error *);
	bool partial; /* the planes were made without some tables that captures lead to */
	/* The positions at work: a whole plane that is in memory, else a piece of it. */
	unsigned plane;
	uint64_t first;
	size_t count;
	const uint16_t *symbols;
	struct el_value *found; /* EL_BROKEN without a capture, or if an index has no position */
};

/* The catalogue is released after each chunk, so that a pending rescan, and probes queued behind it,
   are not blocked. */
static enum el_status derive_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                   struct el_error *error)
{
	const struct deriver *d = context;
	const struct el_slice *slice = &d->planes->slice;
	const struct visit visit = library_enter(d->library);
	const struct probe probe = {
		.catalogue = visit.catalogue,
		.game = slice->game,
		.metric = d->planes->metric,
		.partial = d->partial,
	};
	enum el_status status = EL_OK;
	for (uint64_t i = first; i < end && !status; i++) {
		struct el_position position;
		struct el_move captures[EL_MOVES_MAX];
		const struct spot spot = {&position, {.key = slice->key}, .placed = true};
		d->found[i] = (struct el_value){.outcome = EL_BROKEN};
		if (slice->game->unplace(slice, d->plane, d->first + i, &position))
			status = probe_moves(&probe, &spot, captures,
			                     slice->game->captures(&position, captures),
			                     &d->found[i], error);
	}
	library_leave(visit);
	(void)thread;
	return status;
}

/* ---- what need not be stored ---- */

static enum el_status mark_piece(const struct deriver *d, struct el_error *error)
{
	const struct el_slice *slice = &d->planes->slice;
	struct el_plane *plane = &d->planes->plane[d->plane];
	const enum el_status status = make_marks(d->library, d->planes, plane, error);
	if (status)
		return status;
	/* If captures are forced there are no other moves, so the best one has the position's
	   value. */
	for (size_t i = 0; i < d->count; i++)
		plane->derivable[d->first + i] =
			d->found[i].outcome != EL_BROKEN &&
			(slice->game->forced_captures ||
		         el_value_equal(d->found[i], plane->values[d->symbols[i]]));
	return EL_OK;
}

/* ---- what was not stored ---- */

/* What a probe would find at an index. */
static struct el_value with_capture(const struct deriver *d, uint64_t i)
{
	const struct el_planes *planes = d->planes;
	const struct el_value stored = el_plane_value(&planes->plane[d->plane], i);
	if (d->found[i].outcome == EL_BROKEN)
		return stored;
	return planes->slice.game->forced_captures
	               ? d->found[i]
	               : el_value_max(planes->metric, d->found[i], stored);
}

static enum el_status complete_plane(const struct deriver *d, struct el_error *error)
{
	const struct el_slice *slice = &d->planes->slice;
	struct el_plane *plane = &d->planes->plane[d->plane];
	for (uint64_t i = 0; i < slice->positions; i++) {
		const struct el_value best = with_capture(d, i);
		if (el_value_equal(best, el_plane_value(plane, i)))
			continue;
		uint32_t s = 1;
		while (s < plane->value_count && !el_value_equal(plane->values[s], best))
			s++;
		plane->symbols[i] =
			s < plane->value_count ? (uint16_t)s : el_plane_add_value(plane, best);
		if (!plane->symbols[i]) /* no symbol is left */
			return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	}
	return el_plane_canonical(plane, slice->positions, error);
}

/* Tables made since may narrow the bounds. Fails if tables have gone and captures tell less than
   the planes. */
static enum el_status narrow_plane(const struct deriver *d, struct el_error *error)
{
	const struct el_plane *plane = &d->planes->plane[d->plane];
	for (uint64_t i = 0; i < d->planes->slice.positions; i++)
		if (!el_outcome_within(with_capture(d, i).outcome,
		                       el_plane_value(plane, i).outcome))
			return el_fail(error, EL_NEGATIVE,
			               "%s: tables that captures lead to are missing, or know less "
			               "than it does",
			               d->planes->slice.name);
	enum el_status status = complete_plane(d, error);
	return status ? status : mark_piece(d, error);
}

/* ---- all of it ---- */

/* `d` is set except for the positions at work. `keeps`: bits of planes. */
static enum el_status each_plane(struct deriver *d, unsigned keeps, const struct el_watch *watch,
                                 struct el_error *error)
{
	const struct el_slice *slice = &d->planes->slice;
	const bool in_memory = !d->planes->reader;
	const uint64_t positions = slice->positions;
	const uint64_t most = in_memory ? positions : DERIVED_AT_ONCE;
	uint16_t *room = in_memory ? NULL : malloc(most * sizeof *room);
	enum el_status status = EL_OK;
	d->found = malloc(most * sizeof *d->found);
	if (!d->found || !(room || in_memory))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	for (d->plane = 0; d->plane < slice->planes && !status; d->plane++) {
		if (!(keeps >> d->plane & 1))
			continue;
		for (d->first = 0; d->first < positions && !status; d->first += most) {
			const uint64_t rest = positions - d->first;
			d->count = (size_t)(rest < most ? rest : most);
			const struct sweep sweep = {
				.stage = "trying captures",
				.slice = slice,
				.metric = d->planes->metric,
				.count = d->count,
				.before = d->first,
				.total = positions,
				.watch = watch,
				.context = d,
				.chunk = derive_chunk,
			};
			status = spool_piece(d->planes, d->plane, d->first, d->count, room,
			                     &d->symbols, error);
			if (!status)
				status = sweep_run(&sweep, error);
			if (!status)
				status = d->use(d, error);
		}
	}
	free(d->found);
	free(room);
	return status;
}

/* Leaving out a side fails here if a probe would lack a table. */
static enum el_status check_side(struct el_library *library, const struct el_planes *planes,
                                 struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	const struct el_metric *entered = el_metric_entered(planes->metric);
	struct el_slice successors[EL_SUCCESSORS_MAX];
	enum el_status status = el_side_check(slice, planes->metric, error);
	if (status || slice->planes == 1)
		return status;
	const struct visit visit = library_enter(library);
	const size_t count = slice->game->successors(slice, successors);
	for (size_t i = 0; i < count && !status; i++)
		if (!catalogue_answering(
			    catalogue_route(visit.catalogue, slice->game, successors[i].key),
			    entered))
			status = el_fail(
				error, EL_NEGATIVE,
				"%s: a side to move cannot be derived without a table of %s that "
				"tells %s",
				slice->name, successors[i].name, entered->name);
	library_leave(visit);
	return status;
}

/* As el_library_derive. `lender`: null reads the tables that captures enter whole. */
static enum el_status derive(struct el_library *library, struct el_planes *planes,
                             enum el_derive what, const struct el_lender *lender,
                             const struct el_watch *watch, struct el_error *error)
{
	enum el_status status = what & EL_DERIVE_SIDE ? check_side(library, planes, error) : EL_OK;
	if (!status && what & EL_DERIVE_SIDE && planes->slice.planes > 1 && !planes->told_late &&
	    el_planes_late(planes)) {
		status = derive_planes(library, planes, TEST, BEST_ALL, BOTH_PLANES, NULL, lender,
		                       watch, error);
		status = status == EL_NEGATIVE ? EL_OK : status; /* both sides stay */
	}
	if (!status && what & EL_DERIVE_OUTCOMES) {
		status = outcomes_check(library, planes, error);
		return status ? status
		              : derive_planes(library, planes, MARK, BEST_ZEROING, BOTH_PLANES,
		                              NULL, lender, watch, error);
	}
	if (status || !(what & EL_DERIVE_CAPTURES))
		return status;
	status = el_captures_check(&planes->slice, planes->metric, error);
	if (status)
		return status;
	const bool partial = el_planes_partial(planes);
	if (partial && planes->reader)
		return el_fail(error, EL_NEGATIVE,
		               "%s: bounds are narrowed by captures in memory alone",
		               planes->slice.name);
	if (!partial)
		status = derive_planes(library, planes, MARK, BEST_CAPTURES, BOTH_PLANES, NULL,
		                       lender, watch, error);
	if (!partial && status != EL_NEGATIVE)
		return status;
	struct deriver d = {
		.library = library,
		.planes = planes,
		.use = partial ? narrow_plane : mark_piece,
		.partial = partial,
	};
	return each_plane(&d, BOTH_PLANES, watch, error);
}

enum el_status el_library_derive(struct el_library *library, struct el_planes *planes,
                                 enum el_derive what, const struct el_watch *watch,
                                 struct el_error *error)
{
	return derive(library, planes, what, NULL, watch, error);
}

enum el_status el_library_complete(struct el_library *library, struct el_planes *planes,
                                   const char *path, const struct el_table_info *info,
                                   const struct el_lender *lender, const struct el_watch *watch,
                                   struct el_error *error)
{
	const struct el_table_options *options = &info->options;
	struct deriver d = {
		.library = library,
		.planes = planes,
		.use = complete_plane,
		.partial = info->partial,
	};
	unsigned kept = 0;
	for (unsigned p = 0; p < 2; p++)
		kept |= (unsigned)el_table_keeps(options, p) << p;
	enum el_status status = EL_OK;
	if (options->derive & EL_DERIVE_OUTCOMES) {
		struct el_planes told;
		status = outcomes_join(library, planes, path, kept, watch, &told, error);
		if (!status)
			status = derive_planes(library, planes, PUT, BEST_ZEROING, kept, &told,
			                       lender, watch, error);
		el_planes_free(&told);
	} else if (options->derive & EL_DERIVE_CAPTURES) {
		status = derive_planes(library, planes, PUT, BEST_CAPTURES, kept, NULL, lender,
		                       watch, error);
		if (status == EL_NEGATIVE)
			status = each_plane(&d, kept, watch, error);
	}
	if (status || !options->left_out)
		return status;
	const unsigned plane = options->left_out - 1u;
	status = derive_planes(library, planes, PUT, BEST_ALL, 1u << plane, NULL, lender, watch,
	                       error);
	return status == EL_NEGATIVE ? probe_left_out(library, path, plane, watch, planes, error)
	                             : status;
}

/* ---- before writing ---- */

enum el_status el_library_prepare(struct el_library *library, const struct el_lender *lender,
                                  struct el_planes *planes, struct el_table_options *options,
                                  const struct el_watch *watch, struct el_error *error)
{
	if (!options->preset)
		return derive(library, planes, options->derive, lender, watch, error);
	*options = el_preset_options(options->preset, &planes->slice, planes->metric,
	                             el_planes_partial(planes));
	/* Derives as much as possible: tries the subsets of what is wanted, the largest first. */
	const unsigned wanted = options->derive;
	unsigned now = wanted;
	enum el_status status;
	while ((status = derive(library, planes, now, lender, watch, error)) == EL_USAGE ||
	       status == EL_NEGATIVE)
		now = (now - 1) & wanted;
	options->derive = now;
	return status;
}
