/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "partial_fixture.h"

#include "core/lend/lender.h"
#include "positions.h"
#include "slice_graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

bool set_has(const char *set, const char *name)
{
	const size_t length = strlen(name);
	if (!strcmp(set, "*"))
		return true;
	while (*set) {
		const size_t word = strcspn(set, " ");
		if (word == length && !strncmp(set, name, length))
			return true;
		set += word + (set[word] == ' ');
	}
	return false;
}

struct el_planes exact_outcomes(struct el_library *library, const char *name)
{
	const struct el_slice slice = slice_named(name);
	struct el_planes planes;
	struct el_error error = {.text = ""};
	if (planes_obtain(library, &slice, &el_wdl, &planes, &error))
		fail_msg("%s", error.text);
	return planes;
}

/* ---- lenders that hide ---- */

struct hiding {
	const struct el_lender *whole;
	const char *hidden;
	outcome_made_up *make_up; /* null: what is hidden is missing */
	uint64_t seed;
};

static struct el_planes *made_up(const struct hiding *h, const struct el_slice *slice)
{
	static const enum el_outcome outcomes[] = {EL_BROKEN, EL_LOSS, EL_DRAW, EL_WIN};
	struct el_planes *planes = calloc(1, sizeof *planes);
	assert_non_null(planes);
	*planes = (struct el_planes){.slice = *slice, .metric = &el_wdl};
	for (unsigned p = 0; p < slice->planes; p++) {
		struct el_plane *plane = &planes->plane[p];
		plane->symbols = malloc(slice->positions * sizeof *plane->symbols);
		plane->values = malloc(sizeof outcomes / sizeof *outcomes * sizeof *plane->values);
		plane->value_count = sizeof outcomes / sizeof *outcomes;
		assert_true(plane->symbols && plane->values);
		for (unsigned s = 0; s < plane->value_count; s++)
			plane->values[s] = (struct el_value){.outcome = (uint8_t)outcomes[s]};
		for (uint64_t i = 0; i < slice->positions; i++) {
			uint16_t symbol = 1;
			while (outcomes[symbol] != h->make_up(h->seed, p, i))
				symbol++;
			plane->symbols[i] = symbol;
		}
	}
	return planes;
}

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	const struct hiding *h = context;
	if (!set_has(h->hidden, slice->name))
		return h->whole->lend(h->whole->context, slice, metric, out, error);
	if (!h->make_up)
		return el_fail(error, EL_NEGATIVE, "%s is hidden", slice->name);
	*out = made_up(h, slice);
	return EL_OK;
}

static void give_back(void *context, const struct el_planes *planes)
{
	const struct hiding *h = context;
	if (!set_has(h->hidden, planes->slice.name)) {
		h->whole->give_back(h->whole->context, planes);
		return;
	}
	struct el_planes *own = (struct el_planes *)(uintptr_t)planes;
	el_planes_free(own);
	free(own);
}

static struct el_planes solve(struct el_library *library, const char *name, struct hiding *h,
                              struct el_missing *missing)
{
	struct lender *lender = lender_open(library);
	const struct el_lender whole = lender_interface(lender), hides = {.context = h, .lend = lend, .give_back = give_back};
	const struct el_problem problem = {
		.slice = slice_named(name),
		.metric = &el_wdl,
		.lender = &hides,
	};
	struct el_planes planes;
	struct el_error error = {.text = ""};
	h->whole = &whole;
	enum el_status status = h->make_up ? el_solve(&problem, &planes, &error)
	                                   : el_solve_partial(&problem, &planes, missing, &error);
	lender_close(lender);
	if (status)
		fail_msg("%s", error.text);
	return planes;
}

struct el_planes solved_without(struct el_library *library, const char *name, const char *hidden,
                                struct el_missing *missing)
{
	struct hiding h = {.hidden = hidden};
	return solve(library, name, &h, missing);
}

struct el_planes solved_with(struct el_library *library, const char *name, const char *hidden,
                             outcome_made_up *make_up, uint64_t seed)
{
	struct hiding h = {.hidden = hidden, .make_up = make_up, .seed = seed};
	return solve(library, name, &h, NULL);
}

/* ---- comparing ---- */

bool bounds_within(enum el_outcome inner, enum el_outcome outer)
{
	/* The worst and the best that an outcome may turn out to be. */
	static const struct {
		int worst, best;
	} spans[] = {
		[EL_LOSS] = {-1, -1},        [EL_DRAW] = {0, 0},          [EL_WIN] = {1, 1},
		[EL_AT_MOST_DRAW] = {-1, 0}, [EL_AT_LEAST_DRAW] = {0, 1}, [EL_UNKNOWN] = {-1, 1},
	};
	assert_true(el_outcome_exact(inner) || el_outcome_bounded(inner));
	return spans[inner].worst >= spans[outer].worst && spans[inner].best <= spans[outer].best;
}

void assert_within(const struct el_planes *inner, const struct el_planes *outer)
{
	const struct el_slice *slice = &inner->slice;
	for (unsigned p = 0; p < slice->planes; p++)
		for (uint64_t i = 0; i < slice->positions; i++) {
			struct el_position position;
			char fen[EL_FEN_MAX];
			if (!slice->game->unplace(slice, p, i, &position))
				continue;
			const enum el_outcome a = el_plane_value(&inner->plane[p], i).outcome;
			const enum el_outcome b = el_plane_value(&outer->plane[p], i).outcome;
			if (bounds_within(a, b))
				continue;
			slice->game->format(&position, fen);
			fail_msg("%s: %s is not within %s", fen, el_outcome_name(a),
			         el_outcome_name(b));
		}
}

void assert_same_planes(const struct el_planes *a, const struct el_planes *b)
{
	assert_int_equal(a->passes, b->passes);
	for (unsigned p = 0; p < a->slice.planes; p++) {
		const struct el_plane *x = &a->plane[p], *y = &b->plane[p];
		assert_int_equal(x->value_count, y->value_count);
		for (uint32_t s = 0; s < x->value_count; s++)
			assert_true(el_value_equal(x->values[s], y->values[s]));
		if (memcmp(x->symbols, y->symbols, a->slice.positions * sizeof *x->symbols))
			fail_msg("%s: the symbols of plane %u differ", a->slice.name, p);
	}
}

uint64_t count_bounded(const struct el_planes *planes)
{
	uint64_t count = 0;
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint64_t i = 0; i < planes->slice.positions; i++)
			count += el_outcome_bounded(el_plane_value(&planes->plane[p], i).outcome);
	return count;
}

/* ---- the published algorithm ---- */

/* What the graph's moves enter. */
struct world {
	const char *hidden;
	struct el_planes planes[EL_SUCCESSORS_MAX];
	size_t count;
};

static void open_world(struct world *w, struct el_library *library, const struct el_slice *slice,
                       const char *hidden)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	w->hidden = hidden;
	w->count = slice->game->successors(slice, successors);
	for (size_t i = 0; i < w->count; i++)
		w->planes[i] = exact_outcomes(library, successors[i].name);
}

static void close_world(struct world *w)
{
	for (size_t i = 0; i < w->count; i++)
		el_planes_free(&w->planes[i]);
}

static enum el_outcome entered(void *context, const struct el_place *place)
{
	const struct world *w = context;
	for (size_t i = 0; i < w->count; i++) {
		const struct el_planes *planes = &w->planes[i];
		if (planes->slice.key == place->key)
			return set_has(w->hidden, planes->slice.name)
			               ? EL_UNKNOWN
			               : el_plane_value(&planes->plane[place->plane], place->index)
			                         .outcome;
	}
	fail_msg("a move enters a slice that is no successor");
	return EL_UNKNOWN;
}

static void assert_bounds(const struct el_planes *planes, const uint8_t *bounds)
{
	const struct el_slice *slice = &planes->slice;
	for (unsigned p = 0; p < slice->planes; p++)
		for (uint64_t i = 0; i < slice->positions; i++) {
			struct el_position position;
			char fen[EL_FEN_MAX];
			if (!slice->game->unplace(slice, p, i, &position))
				continue;
			const enum el_outcome ours = el_plane_value(&planes->plane[p], i).outcome;
			const unsigned node = bounds[p * slice->positions + i];
			if (slice_graph_outcome(node) == ours)
				continue;
			slice->game->format(&position, fen);
			fail_msg("%s: expected %s, found %s", fen, bounds_name(node),
			         el_outcome_name(ours));
		}
}

void assert_published(struct el_library *library, const char *name, const char *hidden)
{
	const struct el_slice slice = slice_named(name);
	struct world world;
	struct bounds_sweeps sweeps = {.order = BOUNDS_BACKWARDS};
	open_world(&world, library, &slice, hidden);
	struct bounds_graph graph = slice_graph(&slice, entered, &world);
	uint8_t *bounds = malloc(graph.nodes);
	assert_non_null(bounds);
	bounds_solve(&graph, &sweeps, bounds);
	struct el_planes planes = solved_without(library, name, hidden, NULL);
	assert_bounds(&planes, bounds);
	el_planes_free(&planes);
	free(bounds);
	slice_graph_free(&graph);
	close_world(&world);
}

/* ---- completions ---- */

static enum el_outcome for_white(uint64_t seed, unsigned plane, uint64_t index)
{
	(void)seed;
	(void)index;
	return plane == EL_WHITE ? EL_WIN : EL_LOSS;
}

static enum el_outcome for_black(uint64_t seed, unsigned plane, uint64_t index)
{
	return for_white(seed, !plane, index);
}

/* The mixing function of "splitmix64" (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
   Generators", 2014). */
static enum el_outcome at_random(uint64_t seed, unsigned plane, uint64_t index)
{
	static const enum el_outcome outcomes[] = {EL_LOSS, EL_DRAW, EL_WIN};
	uint64_t z = (2 * index + plane) * UINT64_C(0x9e3779b97f4a7c15) + seed;
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return outcomes[(z ^ z >> 31) % 3];
}

/* The bound of each position that is the best for White, or for Black, is what it comes to. */
static void assert_attained(const struct el_planes *bounds, const struct el_planes *attained,
                            unsigned favoured)
{
	const struct el_slice *slice = &bounds->slice;
	for (unsigned p = 0; p < slice->planes; p++)
		for (uint64_t i = 0; i < slice->positions; i++) {
			struct el_position position;
			if (!slice->game->unplace(slice, p, i, &position))
				continue;
			const enum el_outcome b = el_plane_value(&bounds->plane[p], i).outcome;
			assert_int_equal(el_plane_value(&attained->plane[p], i).outcome,
			                 p == favoured ? el_outcome_upper(b) : el_outcome_lower(b));
		}
}

void assert_completions(struct el_library *library, const char *slice, const char *hidden)
{
	struct el_planes bounds = solved_without(library, slice, hidden, NULL);
	struct el_planes whites = solved_with(library, slice, hidden, for_white, 0);
	struct el_planes blacks = solved_with(library, slice, hidden, for_black, 0);
	/* Where the sides are equal, what White enters Black enters too, with the colours swapped. */
	if (bounds.slice.planes == 2) {
		assert_attained(&bounds, &whites, EL_WHITE);
		assert_attained(&bounds, &blacks, EL_BLACK);
	}
	assert_within(&whites, &bounds);
	assert_within(&blacks, &bounds);
	for (uint64_t seed = 1; seed < 4; seed++) {
		struct el_planes any = solved_with(library, slice, hidden, at_random, seed);
		assert_within(&any, &bounds);
		el_planes_free(&any);
	}
	el_planes_free(&whites);
	el_planes_free(&blacks);
	el_planes_free(&bounds);
}

/* ---- tables in a folder ---- */

struct el_plan partial_plan(struct el_library *library, const char *names,
                            const struct el_metric *const *metrics)
{
	struct el_slice slices[8];
	struct el_plan plan;
	struct el_error error = {.text = ""};
	const size_t count = slices_listed(names, slices, 8);
	const struct el_plan_wish wish = {
		.slices = slices, .count = count, .metrics = metrics, .partial = !metrics};
	if (el_plan_wished(library, &wish, &plan, &error))
		fail_msg("%s", error.text);
	return plan;
}

static void note(void *context, const struct el_built *built)
{
	struct partial_record *r = context;
	r->passes = built->passes;
	snprintf(r->missing, sizeof r->missing, "%s", built->missing ? "" : "-");
	for (size_t i = 0; built->missing && i < built->missing->count; i++)
		strcat(strcat(r->missing, built->missing->slice[i].name), " ");
}

struct partial_record partial_build(struct el_library *library, const char *names,
                                    const struct el_metric *const *metrics)
{
	struct partial_record record = {.missing = ""};
	struct el_error error = {.text = ""};
	struct el_plan plan = partial_plan(library, names, metrics);
	const struct el_build_options options = {.table = el_table_options_default(), .context = &record, .built = note};
	if (el_build(library, &plan, &options, NULL, &error))
		fail_msg("%s", error.text);
	el_plan_free(&plan);
	return record;
}
