/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that is known of a position: its value and every legal move, ranked. */
#include "probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An answer while it is being given. */
struct asker {
	struct probe probe; /* its metric changes from question to question */
	struct el_answer *out;
	struct el_place place; /* of the position; valid when out->has_slice */
	enum el_status fault;  /* the first one that is no mere want of a table */
	struct el_error *error;
};

static void note_fault(struct asker *a, enum el_status status, const struct el_error *error)
{
	if (status <= EL_NEGATIVE || a->fault)
		return;
	a->fault = el_fail(a->error, status, "%s", error->text);
}

/* A value under each metric, or, where a conversion enters the position, what its count needs of
   it; bounds have no depth. `why`, which may be null, gets the words when nothing answers for the
   outcome, else none. */
static void ask_all(struct asker *a, const struct el_position *position, bool entered,
                    struct el_value values[EL_METRICS], struct el_error *why)
{
	for (size_t m = 0; m < EL_METRICS; m++) {
		struct el_error error = {.text = ""};
		a->probe.metric = entered ? el_metric_entered(el_metrics[m]) : el_metrics[m];
		enum el_status status = probe_value(&a->probe, position, &values[m], &error);
		if (status || (el_metrics[m]->has_depth && !el_outcome_exact(values[m].outcome)))
			values[m] = (struct el_value){.outcome = EL_UNKNOWN};
		note_fault(a, status, &error);
		if (why && el_metrics[m] == &el_wdl)
			*why = error;
	}
}

static bool leaves_slice(const struct asker *a, const struct el_position *after)
{
	struct el_place place;
	return !a->out->has_slice || !a->probe.game->place(after, &place) ||
	       place.key != a->place.key;
}

static void look_at_move(struct asker *a, const struct el_move *move, struct el_ranked *out)
{
	const struct el_game *game = a->probe.game;
	const struct el_position *position = &a->out->position;
	struct el_position after;
	out->move = *move;
	game->write_move(position, move, EL_SAN, out->san);
	game->write_move(position, move, EL_UCI, out->uci);
	game->play(position, move, &after);
	bool converts = leaves_slice(a, &after);
	ask_all(a, &after, converts, out->value, NULL);
	for (size_t m = 0; m < EL_METRICS; m++)
		out->value[m] = el_value_of_move(el_metrics[m], out->value[m], converts);
}

/* ---- ranking ---- */

/* The finest metric that is known: one with depths if there is one. Null when there is none. */
static const struct el_metric *finest(const struct el_value values[EL_METRICS])
{
	const struct el_metric *found = NULL;
	for (size_t m = 0; m < EL_METRICS; m++)
		if (values[m].outcome != EL_UNKNOWN && (!found || !found->has_depth))
			found = el_metrics[m];
	return found;
}

/* What moves are compared by: the value under the metric, else the outcome under any other. */
struct standing {
	struct el_value value;
	bool exact;
};

static struct standing standing_of(const struct el_ranked *r, const struct el_metric *metric)
{
	size_t rank = metric ? el_metric_rank(metric) : 0;
	const struct el_metric *other = finest(r->value);
	if (metric && r->value[rank].outcome != EL_UNKNOWN)
		return (struct standing){r->value[rank], true};
	uint8_t outcome = other ? r->value[el_metric_rank(other)].outcome : EL_UNKNOWN;
	return (struct standing){{.outcome = outcome}, false};
}

/* Better outcomes first, then known depths before unknown ones, then depths, then words. */
static int ranking(const void *a, const void *b, void *metric)
{
	const struct el_ranked *x = a, *y = b;
	struct standing sx = standing_of(x, metric), sy = standing_of(y, metric);
	int order = el_value_compare(&el_wdl, sy.value, sx.value);
	if (!order)
		order = sy.exact - sx.exact;
	if (!order && metric)
		order = el_value_compare(metric, sy.value, sx.value);
	return order ? order : strcmp(x->san, y->san);
}

/* ---- why an outcome is not exact ---- */

static bool is_exact(const struct el_value values[EL_METRICS])
{
	return el_outcome_exact(values[el_metric_rank(&el_wdl)].outcome);
}

__attribute__((format(printf, 2, 3)))
static void say_why(struct asker *a, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(a->out->why_unknown, sizeof a->out->why_unknown, format, arguments);
	va_end(arguments);
}

/* What answers for the outcomes of a slice; null when nothing does. */
static const struct el_source *answers_in(const struct asker *a, uint64_t key)
{
	const struct route *route = catalogue_route(a->probe.catalogue, a->probe.game, key);
	return route ? catalogue_answer(route, &el_wdl) : NULL;
}

/* The same of a position. */
static const struct el_source *answers_for(const struct asker *a,
                                           const struct el_position *position)
{
	struct el_place place;
	return a->probe.game->place(position, &place) ? answers_in(a, place.key) : NULL;
}

/* The file that should have known an outcome of the slice, and why it does not. False where there
   is none. */
static bool fault_text(const struct asker *a, uint64_t key, char *out, size_t size)
{
	const struct route *route = catalogue_route(a->probe.catalogue, a->probe.game, key);
	const struct holding *fault = route ? catalogue_fault(route, &el_wdl) : NULL;
	if (fault)
		snprintf(out, size, "%s: %s", basename(fault->file.path), fault->ignored);
	return fault;
}

/* Why nothing answers for a slice. */
static const char *lack_text(const struct asker *a, const struct el_slice *slice,
                             char out[EL_WHY_MAX])
{
	if (!fault_text(a, slice->key, out, EL_WHY_MAX))
		snprintf(out, EL_WHY_MAX, "%s is not built", slice->name);
	return out;
}

/* The slice that a move enters, when no table covers it. */
static bool enters_unbuilt(const struct asker *a, const struct el_position *after,
                           struct el_slice *out)
{
	struct el_place place;
	return a->probe.game->place(after, &place) && !answers_for(a, after) &&
	       a->probe.game->slice_of(after, out, NULL) == EL_OK;
}

/* The first slice that conversions from a slice enter and that no table covers. */
static bool lacks_successor(const struct asker *a, const struct el_slice *slice,
                            struct el_slice *out)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, successors);
	size_t i = 0;
	while (i < count && answers_in(a, successors[i].key))
		i++;
	if (i < count)
		*out = successors[i];
	return i < count;
}

static void say_partial(struct asker *a, const struct el_source *partial)
{
	struct el_slice unbuilt;
	char lack[EL_WHY_MAX];
	if (lacks_successor(a, &partial->slice, &unbuilt))
		say_why(a, "%s.%s is partial: %s", partial->slice.name, partial->metric->name,
		        lack_text(a, &unbuilt, lack));
	else
		say_why(a, "%s.%s is partial: it was built without all its sub-tables",
		        partial->slice.name, partial->metric->name);
}

/*
 * A table answered, but not exactly. The best move that leads where no table is names what is
 * missing. Else that of the best inexact move is to blame, which is the position's own where the
 * move stays in the slice; or some table behind the captures that it leaves to a probe.
 */
static void explain_bounds(struct asker *a)
{
	struct el_answer *out = a->out;
	const struct el_source *own = answers_for(a, &out->position), *partial = NULL;
	for (size_t i = 0; i < out->count; i++) {
		struct el_position after;
		struct el_slice unbuilt;
		if (is_exact(out->moves[i].value))
			continue;
		a->probe.game->play(&out->position, &out->moves[i].move, &after);
		if (enters_unbuilt(a, &after, &unbuilt)) {
			lack_text(a, &unbuilt, out->why_unknown);
			return;
		}
		const struct el_source *source = answers_for(a, &after);
		if (!partial && source && source->partial)
			partial = source;
	}
	if (!partial && own && own->partial)
		partial = own;
	if (partial)
		say_partial(a, partial);
	else
		say_why(a, "captures lead to a table that is partial");
}

/* ---- the answer ---- */

/* Texts are copied: the next rescan may close the source. */
static void name_source(const struct asker *a)
{
	struct el_answer *out = a->out;
	const struct el_metric *metric = out->metric ? out->metric : &el_wdl;
	const struct route *route = NULL;
	if (out->has_slice)
		route = catalogue_route(a->probe.catalogue, a->probe.game, a->place.key);
	const struct el_source *source = route ? catalogue_answer(route, metric) : NULL;
	out->source.metric = source ? source->metric : NULL;
	snprintf(out->source.file, sizeof out->source.file, "%s",
	         source ? basename(source->path) : "");
	snprintf(out->source.detail, sizeof out->source.detail, "%s", source ? source->detail : "");
}

static void look_at_position(struct asker *a)
{
	struct el_answer *out = a->out;
	const struct el_game *game = a->probe.game;
	struct el_error why = {.text = ""};
	out->in_check = game->in_check(&out->position);
	out->has_slice = game->slice_of(&out->position, &out->slice, NULL) == EL_OK &&
	                 game->place(&out->position, &a->place);
	ask_all(a, &out->position, false, out->value, &why);
	out->metric = finest(out->value);
	name_source(a);
	const bool lacks = *why.text && out->has_slice && !answers_in(a, a->place.key);
	if (!lacks || !fault_text(a, a->place.key, out->why_unknown, EL_WHY_MAX))
		say_why(a, "%s", why.text);
}

static void look_at_moves(struct asker *a)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_answer *out = a->out;
	out->count = a->probe.game->moves(&out->position, moves);
	out->over = out->count == 0;
	for (size_t i = 0; i < out->count; i++)
		look_at_move(a, &moves[i], &out->moves[i]);
}

enum el_status probe_answer(const struct catalogue *catalogue, const struct el_game *game,
                            const struct el_position *position, const struct el_metric *metric,
                            bool soft, struct el_answer *out, struct el_error *error)
{
	struct asker a = {
		.probe = {.catalogue = catalogue, .game = game, .soft = soft},
		.out = out,
		.error = error,
	};
	out->game = game;
	out->position = *position;
	look_at_position(&a);
	look_at_moves(&a);
	qsort_r(out->moves, out->count, sizeof *out->moves, ranking,
	        (void *)(uintptr_t)(metric ? metric : out->metric));
	if (!is_exact(out->value) && !*out->why_unknown)
		explain_bounds(&a);
	return a.fault;
}

enum el_status el_library_answer(struct el_library *library, const struct el_game *game,
                                 const struct el_position *position, enum el_probe_mode mode,
                                 struct el_answer *out, struct el_error *error)
{
	struct el_error why;
	enum el_status status = probe_admit(game, position, NULL, &why);
	if (status) {
		*out = (struct el_answer){.game = game, .position = *position};
		for (size_t m = 0; m < EL_METRICS; m++)
			out->value[m] = (struct el_value){.outcome = EL_UNKNOWN};
		snprintf(out->why_unknown, sizeof out->why_unknown, "%.*s",
		         (int)sizeof out->why_unknown - 1, why.text);
		return el_fail(error, status, "%s", why.text);
	}
	for (bool tried = false;; tried = true) {
		const struct catalogue *catalogue = library_enter(library);
		status = probe_answer(catalogue, game, position, NULL, mode == EL_PROBE_SOFT, out,
		                      error);
		library_leave(library);
		if (tried || !library_look_again(library, status))
			return status;
	}
}
