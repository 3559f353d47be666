/* SPDX-License-Identifier: MIT */
/* Why an outcome is unknown or a bound, in words. */
#include "inside.h"

#include <stdio.h>
#include <string.h>

struct why {
	const struct probe *probe;
	const struct spot *spot;
	struct el_answer *out;
	bool looked; /* a table is missing: name the folders searched */
};

static bool is_exact(const struct el_value values[EL_METRICS])
{
	return el_outcome_exact(values[el_metric_rank(&el_wdl)].outcome);
}

/* The source that answers for the outcomes of a position's slice; null if there is none. */
static const struct el_source *answers_for(const struct why *w, const struct spot *spot)
{
	return catalogue_answering(spot_route(w->probe->catalogue, w->probe->game, spot), &el_wdl);
}

/* Names the file that should know outcomes of the slice, and why it does not. False if there is
   none. */
static bool fault_text(const struct why *w, uint64_t key, char *out, size_t size)
{
	const struct route *route = catalogue_route(w->probe->catalogue, w->probe->game, key);
	const struct holding *fault = catalogue_fault(route, &el_wdl);
	if (fault)
		snprintf(out, size, "%s: %s", basename(fault->file.path), fault->ignored);
	return fault;
}

/* What to look for: the file name that a slice has in `own`'s kind. For ours, the slice's name
   suffices, unless it is the same one's outcomes. */
static void write_needed(const struct el_source *own, const struct el_slice *slice,
                         char out[EL_SLICE_MAX + 16])
{
	const bool ours = own && own->ops == &el_source_egt;
	snprintf(out, EL_SLICE_MAX + 16, "%s", slice->name);
	if (ours && own->plies_only && own->slice.key == slice->key)
		snprintf(out, EL_SLICE_MAX + 16, "%s.%s.egt", slice->name,
		         el_metric_outcome(own->metric)->name);
	if (!own || ours)
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

/* Why nothing answers for a slice. A table that has only plies needs one of outcomes. */
static const char *lack_text(struct why *w, const struct el_slice *slice, char out[EL_WHY_MAX])
{
	const struct route *route =
		catalogue_route(w->probe->catalogue, w->probe->game, slice->key);
	char name[EL_SLICE_MAX + 16];
	if (fault_text(w, slice->key, out, EL_WHY_MAX))
		return out;
	w->looked = true;
	if (!route->tables) {
		snprintf(out, EL_WHY_MAX, "%s is not built", slice->name);
		return out;
	}
	write_needed(route->tables->source, slice, name);
	snprintf(out, EL_WHY_MAX, "%s needed beside %s", name,
	         basename(route->tables->source->path));
	return out;
}

/* Blames the first slice without a table among those that conversions from this one enter. */
static void say_partial(struct why *w, const struct el_source *partial)
{
	const struct el_slice *slice = &partial->slice;
	struct el_slice successors[EL_SUCCESSORS_MAX];
	char lack[EL_WHY_MAX];
	const size_t count = slice->game->successors(slice, successors);
	size_t i = 0;
	while (i < count && catalogue_answering(catalogue_route(w->probe->catalogue, slice->game,
	                                                        successors[i].key),
	                                        &el_wdl))
		i++;
	snprintf(w->out->why_unknown, EL_WHY_MAX, "%s.%s is partial: %s", slice->name,
	         partial->metric->name,
	         !partial->ops->read ? "it has only some of the positions"
	         : i < count         ? lack_text(w, &successors[i], lack)
	                             : "it was built without all its sub-tables");
}

/*
 * A table answered, but not exactly, or could not for lack of another. Names what is missing after
 * the best move that leads to no table. Otherwise blames the partial table of the best inexact
 * move, which is the position's own if the move stays in the slice; or some table that captures
 * lead to.
 */
static void explain_bounds(struct why *w)
{
	struct el_answer *out = w->out;
	const struct el_game *game = w->probe->game;
	struct el_move moves[EL_MOVES_MAX];
	const struct el_source *own = answers_for(w, w->spot), *partial = NULL;
	/* The moves that leave the outcome open, best first if they were ranked; else all moves. */
	size_t count = out->count ? 0 : game->moves(&out->position, moves);
	for (size_t i = 0; i < out->count; i++)
		if (!is_exact(out->moves[i].value))
			moves[count++] = out->moves[i].move;
	for (size_t i = 0; i < count; i++) {
		struct step step;
		struct el_slice entered;
		char san[EL_MOVE_MAX], name[EL_SLICE_MAX + 16];
		step_take(game, w->spot, &moves[i], &step);
		const struct el_source *source = answers_for(w, &step.to);
		if (!source && step.to.placed &&
		    game->slice_of(step.to.position, &entered, NULL) == EL_OK) {
			if (fault_text(w, entered.key, out->why_unknown, EL_WHY_MAX))
				return;
			game->write_move(&out->position, &moves[i], EL_SAN, san);
			write_needed(own, &entered, name);
			snprintf(out->why_unknown, EL_WHY_MAX, "%s needed after %s", name, san);
			w->looked = true;
			return;
		}
		if (!partial && source && source->partial)
			partial = source;
	}
	if (!partial && own && own->partial)
		partial = own;
	if (partial)
		say_partial(w, partial);
	else if (!*out->why_unknown)
		snprintf(out->why_unknown, EL_WHY_MAX, "captures lead to a table that is partial");
}

void why_begin(const struct probe *probe, const struct spot *spot, const char *said,
               struct el_answer *out)
{
	const struct why w = {probe, spot, out, false};
	const bool lacks = *said && out->has_slice && spot->placed && !answers_for(&w, spot);
	if (!lacks || !fault_text(&w, spot->place.key, out->why_unknown, EL_WHY_MAX))
		snprintf(out->why_unknown, EL_WHY_MAX, "%s", said);
}

void why_explain(const struct probe *probe, const struct spot *spot, bool lacking, bool faulty,
                 struct el_answer *out)
{
	struct why w = {probe, spot, out, false};
	const struct holding *silent = NULL, *study = answers_for(&w, spot)
	                                                      ? NULL
	                                                      : study_telling(probe, spot, &silent);
	if (is_exact(out->value))
		out->why_unknown[0] = '\0';
	else if (study && study->source->open && !*out->why_unknown)
		snprintf(out->why_unknown, EL_WHY_MAX, "%s does not follow %s",
		         basename(study->file.path), study->source->open);
	else if (silent && !*out->why_unknown)
		snprintf(out->why_unknown, EL_WHY_MAX, "%s does not reach this position",
		         basename(silent->file.path));
	else if (lacking && out->has_slice && !((study || silent) && (probe->soft || faulty)))
		lack_text(&w, &out->slice, out->why_unknown);
	else if (!*out->why_unknown || (!probe->soft && !faulty && answers_for(&w, spot)))
		explain_bounds(&w);
	if (!w.looked)
		return;
	const size_t bare = strlen(out->why_unknown);
	snprintf(out->why_unknown + bare, EL_WHY_MAX - bare, "; looked in %s",
	         probe->catalogue->folders);
	out->why_bare = bare;
}
