/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer_why.h"
#include "inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct why {
	const struct probe *probe;
	struct el_answer *out;
};

static bool is_exact(const struct el_value values[EL_METRICS])
{
	return el_outcome_exact(values[el_metric_rank(&el_wdl)].outcome);
}

__attribute__((format(printf, 2, 3))) static void say_why(const struct why *w, const char *format,
                                                          ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(w->out->why_unknown, sizeof w->out->why_unknown, format, arguments);
	va_end(arguments);
}

/* What answers for the outcomes of a slice; null when nothing does. */
static const struct el_source *answers_in(const struct why *w, uint64_t key)
{
	return catalogue_answering(catalogue_route(w->probe->catalogue, w->probe->game, key),
	                           &el_wdl);
}

/* The same of a position. */
static const struct el_source *answers_for(const struct why *w, const struct el_position *position)
{
	struct el_place place;
	return w->probe->game->place(position, &place) ? answers_in(w, place.key) : NULL;
}

/* The file that should have known an outcome of the slice, and why it does not. False where there
   is none. */
static bool fault_text(const struct why *w, uint64_t key, char *out, size_t size)
{
	const struct route *route = catalogue_route(w->probe->catalogue, w->probe->game, key);
	const struct holding *fault = route ? catalogue_fault(route, &el_wdl) : NULL;
	if (fault)
		snprintf(out, size, "%s: %s", basename(fault->file.path), fault->ignored);
	return fault;
}

/* What to look for: a slice as a file of the kind that `own` is of is called. Ours need no more
   than the name. */
static void write_needed(const struct el_source *own, const struct el_slice *slice,
                         char out[EL_SLICE_MAX + 16])
{
	snprintf(out, EL_SLICE_MAX + 16, "%s", slice->name);
	if (!own || own->ops == &el_source_egt)
		return;
	for (const struct el_source_ops *const *kind = el_source_kinds; *kind; kind++) {
		struct el_slice named;
		const struct el_metric *metric;
		char name[EL_SLICE_MAX + 16];
		snprintf(name, sizeof name, "%s%s", slice->name, (*kind)->extension);
		if (strcmp((*kind)->kind, own->ops->kind) || !(*kind)->named ||
		    !(*kind)->named(name, &named, &metric) || !el_metric_tells(metric, &el_wdl))
			continue;
		memcpy(out, name, sizeof name);
		return;
	}
}

/* Why nothing answers for a slice. A table of plies alone lacks the one of outcomes. */
static const char *lack_text(const struct why *w, const struct el_slice *slice,
                             char out[EL_WHY_MAX])
{
	const struct route *route =
		catalogue_route(w->probe->catalogue, w->probe->game, slice->key);
	const char *folders = w->probe->catalogue->folders;
	char name[EL_SLICE_MAX + 16];
	if (fault_text(w, slice->key, out, EL_WHY_MAX))
		return out;
	if (!route || !route->tables) {
		snprintf(out, EL_WHY_MAX, "no table of %s; looked in %s", slice->name, folders);
		return out;
	}
	write_needed(route->tables->source, slice, name);
	snprintf(out, EL_WHY_MAX, "%s needed beside %s; looked in %s", name,
	         basename(route->tables->source->path), folders);
	return out;
}

/* A move of the position enters a slice that nothing answers for. */
static void say_needed(const struct why *w, const struct el_move *move,
                       const struct el_slice *slice)
{
	const struct el_position *position = &w->out->position;
	char san[EL_MOVE_MAX], name[EL_SLICE_MAX + 16];
	if (fault_text(w, slice->key, w->out->why_unknown, EL_WHY_MAX))
		return;
	w->probe->game->write_move(position, move, EL_SAN, san);
	write_needed(answers_for(w, position), slice, name);
	say_why(w, "%s needed after %s; looked in %s", name, san, w->probe->catalogue->folders);
}

/* The slice that a move enters, when no table covers it. */
static bool enters_unbuilt(const struct why *w, const struct el_position *after,
                           struct el_slice *out)
{
	struct el_place place;
	return w->probe->game->place(after, &place) && !answers_for(w, after) &&
	       w->probe->game->slice_of(after, out, NULL) == EL_OK;
}

/* The first slice that conversions from a slice enter and that no table covers. */
static bool lacks_successor(const struct why *w, const struct el_slice *slice, struct el_slice *out)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, successors);
	size_t i = 0;
	while (i < count && answers_in(w, successors[i].key))
		i++;
	if (i < count)
		*out = successors[i];
	return i < count;
}

static void say_partial(const struct why *w, const struct el_source *partial)
{
	struct el_slice unbuilt;
	char lack[EL_WHY_MAX];
	if (lacks_successor(w, &partial->slice, &unbuilt))
		say_why(w, "%s.%s is partial: %s", partial->slice.name, partial->metric->name,
		        lack_text(w, &unbuilt, lack));
	else
		say_why(w, "%s.%s is partial: it was built without all its sub-tables",
		        partial->slice.name, partial->metric->name);
}

/* The moves that leave the outcome open, best first where they were looked at; else all there
   are. */
static size_t list_open(const struct why *w, struct el_move out[EL_MOVES_MAX])
{
	const struct el_answer *answer = w->out;
	size_t count = 0;
	if (!answer->count)
		return w->probe->game->moves(&answer->position, out);
	for (size_t i = 0; i < answer->count; i++)
		if (!is_exact(answer->moves[i].value))
			out[count++] = answer->moves[i].move;
	return count;
}

/*
 * A table answered, but not exactly, or could not for want of another. The best move that leads
 * where no table is names what is missing. Else that of the best inexact move is to blame, which is
 * the position's own where the move stays in the slice; or some table behind the captures that it
 * leaves to a probe.
 */
static void explain_bounds(const struct why *w)
{
	struct el_answer *out = w->out;
	struct el_move moves[EL_MOVES_MAX];
	const struct el_source *own = answers_for(w, &out->position), *partial = NULL;
	const size_t count = list_open(w, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		struct el_slice unbuilt;
		w->probe->game->play(&out->position, &moves[i], &after);
		if (enters_unbuilt(w, &after, &unbuilt)) {
			say_needed(w, &moves[i], &unbuilt);
			return;
		}
		const struct el_source *source = answers_for(w, &after);
		if (!partial && source && source->partial)
			partial = source;
	}
	if (!partial && own && own->partial)
		partial = own;
	if (partial)
		say_partial(w, partial);
	else if (!*out->why_unknown)
		say_why(w, "captures lead to a table that is partial");
}

void why_begin(const struct probe *probe, const char *said, struct el_answer *out)
{
	const struct why w = {probe, out};
	struct el_place place;
	const bool lacks = *said && out->has_slice && probe->game->place(&out->position, &place) &&
	                   !answers_in(&w, place.key);
	if (!lacks || !fault_text(&w, place.key, out->why_unknown, EL_WHY_MAX))
		say_why(&w, "%s", said);
}

void why_explain(const struct probe *probe, bool lacking, bool faulty, struct el_answer *out)
{
	const struct why w = {probe, out};
	if (is_exact(out->value))
		out->why_unknown[0] = '\0';
	else if (lacking && out->has_slice)
		lack_text(&w, &out->slice, out->why_unknown);
	else if (!*out->why_unknown || (!probe->soft && !faulty && answers_for(&w, &out->position)))
		explain_bounds(&w);
}
