/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines typed in Teach: slices, positions, "pass 5", "at b2", "missing KQvK". */
#include "teach.h"

#include "tui/model/window.h"
#include "tui/shell/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void line_cursor(struct model *m, const char *name)
{
	const uint8_t square = window_square(teach_of(m)->game, name);
	if (square == EL_NO_SQUARE)
		model_fail(m, "'%s' is not a %s", name, square_word(teach_of(m)->game));
	else
		teach_of(m)->window.cursor = square;
}

static void line_free(struct model *m, const char *name)
{
	struct window *w = &teach_of(m)->window;
	const uint8_t square = window_square(teach_of(m)->game, name);
	unsigned side;
	if (square == EL_NO_SQUARE)
		model_fail(m, "'%s' is not a %s", name, square_word(teach_of(m)->game));
	else if (!el_square_taken(teach_of(m)->game, &w->position, square, &side))
		model_fail(m, "no %s is on %s", piece_word(teach_of(m)->game), name);
	else if (teach_stands(teach_of(m), square))
		model_fail(m, "%s: this piece stands in the whole frame", name);
	else
		w->free = w->cursor = square;
}

/* Keeps a line until the film is made. */
static void wait_for_film(struct model *m, const char *word, const char *rest)
{
	snprintf(teach_of(m)->pending, sizeof teach_of(m)->pending, "%s %s", word, rest);
}

/* The first step of that pass, or of a later one if it decides nothing. */
static size_t step_of_ply(const struct model *m, const struct el_film *film, unsigned long ply)
{
	size_t step = EL_FILM_CONVERSIONS + 1;
	while (step < teach_last(m) && film->steps[step].ply < ply)
		step++;
	return step;
}

static unsigned last_ply(const struct model *m, const struct el_film *film)
{
	unsigned last = 0; /* steps after it, such as that of the draws, have none */
	for (size_t step = 0; step <= teach_last(m); step++)
		last = film->steps[step].ply > last ? film->steps[step].ply : last;
	return last;
}

static void line_pass(struct model *m, const char *number)
{
	teach_of(m)->keeps_side |= line_of_file(m);
	const struct el_film *film = teach_film(m);
	char *end;
	const unsigned long ply = strtoul(number, &end, 10);
	if (end == number || *end)
		model_fail(m, "pass: expected a number, found '%s'", number);
	else if (!film)
		wait_for_film(m, "pass", number);
	else if (ply > last_ply(m, film))
		model_fail(m, "pass: the last one is %u, found '%s'", last_ply(m, film), number);
	else
		teach_go(m, step_of_ply(m, film, ply));
}

static const struct {
	const char *name;
	enum el_film_rule rule;
} named_steps[] = {
	{"start", EL_FILM_START},
	{"terminal", EL_FILM_TERMINAL},
	{"conversions", EL_FILM_CONVERSIONS},
	{"limit", EL_FILM_LIMIT},
	{"draws", EL_FILM_DRAWS},
};
enum { STEPS = sizeof named_steps / sizeof *named_steps };

/* False, with a message, if the film has no such step. */
static bool step_of_rule(struct model *m, const struct el_film *film, enum el_film_rule rule,
                         size_t *out)
{
	size_t step = 0;
	while (step < film->step_count && film->steps[step].rule != rule)
		step++;
	if (step == film->step_count)
		model_fail(m, "step limit: %s has none", film->solved->name);
	*out = step;
	return step < film->step_count;
}

/* Its index in `named_steps`; STEPS if there is none. */
static size_t find_name(const char *name)
{
	size_t i = 0;
	while (i < STEPS && strcmp(name, named_steps[i].name))
		i++;
	return i;
}

/* The free piece stands on some square where the position is legal, its own if that is one; the cursor
   may then be where it is not. */
void teach_lines(const struct model *m, FILE *out)
{
	const struct teach *t = teach_of(m);
	const struct el_film *film = teach_film(m);
	struct el_position p;
	uint8_t square = t->window.free;
	char fen[EL_FEN_MAX], name[8];
	if (!t->game)
		return;
	for (int i = 0;
	     i < 64 && (!window_try(t->game, &t->window.position, t->window.free, square, &p) ||
	                t->game->check(&p, NULL));
	     i++)
		square = (uint8_t)i;
	t->game->format(&p, fen);
	fprintf(out, "teach %s\n", fen);
	if (t->wish.partial)
		fputs("missing", out);
	else
		fprintf(out, "metric %s", t->wish.metric->name);
	for (size_t i = 0; t->wish.partial && i < t->wish.missing.count; i++)
		fprintf(out, " %s", t->wish.missing.slice[i].name);
	t->game->square_name(square, name);
	fprintf(out, "\nfree %s\n", name);
	if (film) {
		const struct el_film_step *step = &film->steps[t->step];
		size_t i = 0;
		while (i < STEPS && named_steps[i].rule != step->rule)
			i++;
		if (i < STEPS)
			fprintf(out, "step %s\n", named_steps[i].name);
		else
			fprintf(out, "pass %u\n", step->ply);
	}
	t->game->square_name(t->window.cursor, name);
	if (t->window.cursor != square)
		fprintf(out, "at %s\n", name);
}

static void line_step(struct model *m, const char *name)
{
	teach_of(m)->keeps_side |= line_of_file(m);
	const struct el_film *film = teach_film(m);
	const size_t i = find_name(name);
	size_t step;
	if (i == STEPS)
		model_fail(
			m,
			"step: expected start, terminal, conversions, limit or draws, found '%s'",
			name);
	else if (!film)
		wait_for_film(m, "step", name);
	else if (step_of_rule(m, film, named_steps[i].rule, &step))
		teach_go(m, step);
}

/* Plays to a pass by number, to a step by name, or to the next step. */
static void line_play(struct model *m, const char *to)
{
	teach_of(m)->keeps_side |= line_of_file(m);
	const struct el_film *film = teach_film(m);
	const size_t i = find_name(to);
	char *end;
	const unsigned long ply = strtoul(to, &end, 10);
	size_t step;
	if (i == STEPS && *end)
		model_fail(m,
		           "play: found '%s', expected the number of a pass, or start, terminal, "
		           "conversions, limit or draws",
		           to);
	else if (!film)
		wait_for_film(m, "play", to);
	else if (!*to)
		teach_run_to(m, teach_of(m)->step + 1);
	else if (i == STEPS)
		teach_run_to(m, step_of_ply(m, film, ply));
	else if (step_of_rule(m, film, named_steps[i].rule, &step))
		teach_run_to(m, step);
}

static void line_metric(struct model *m, const char *name)
{
	const bool was_partial = teach_of(m)->wish.partial;
	const struct el_metric *metric;
	struct el_error error;
	if (teach_of(m)->wish.slice.is_study) {
		model_fail(m, "%s", teach_one_way);
	} else if (el_metric_parse(name, &metric, &error) ||
	           el_game_check_metric(teach_of(m)->game, metric, &error)) {
		model_fail(m, "%s", error.text);
	} else if (!el_film_shows(metric)) {
		model_fail(m,
		           "%s has no passes: the clock changes its values. In Explore, > lets "
		           "it run.",
		           metric->name);
	} else {
		teach_film_under(m, metric);
		if (was_partial)
			model_note(m, "No table is treated as missing any more.");
	}
}

/* "KQvK KRvK"; false, with a message, if one is not a successor. */
static bool read_missing(struct model *m, struct el_film_wish *wish, const char *names)
{
	struct el_slice named, successors[EL_SUCCESSORS_MAX];
	struct el_error error;
	const size_t count = teach_of(m)->game->successors(&wish->slice, successors);
	while (*names && wish->missing.count < EL_SUCCESSORS_MAX) {
		char name[EL_SLICE_MAX];
		const size_t length = strcspn(names, " ");
		size_t i = 0;
		snprintf(name, sizeof name, "%.*s", (int)length, names);
		names += length + strspn(names + length, " ");
		if (el_slice_parse(name, &named, &error)) {
			model_fail(m, "missing: %s", error.text);
			return false;
		}
		while (i < count && !el_slice_equal(&successors[i], &named))
			i++;
		if (i == count) {
			model_fail(m, "missing: no move of %s leads to %s", wish->slice.name,
			           named.name);
			return false;
		}
		wish->missing.slice[wish->missing.count++] = named;
	}
	return true;
}

/* "none", "all", or names of slices. */
static void line_missing(struct model *m, const char *names)
{
	struct el_film_wish wish = teach_of(m)->wish;
	struct el_missing *missing = &wish.missing;
	missing->count = 0;
	if (wish.slice.is_study) {
		model_fail(m, "%s", teach_one_way);
		return;
	}
	if (!*names) {
		model_fail(m, "missing: expected all, none or names of slices, found nothing");
		return;
	}
	if (!strcmp(names, "all"))
		missing->count = teach_of(m)->game->successors(&wish.slice, missing->slice);
	else if (strcmp(names, "none") && !read_missing(m, &wish, names))
		return;
	wish.partial = missing->count > 0;
	wish.metric = wish.partial ? &el_wdl : el_game_metric(teach_of(m)->game);
	teach_film_again(m, &wish);
}

bool teach_line(struct model *m, const char *text)
{
	const struct el_game *game;
	struct el_position position;
	teach_of(m)->frames_due = false;
	if (!el_position_is_meant(text) || model_read(m, text, &game, &position, NULL))
		return teach_set_slice(m, text);
	teach_set(m, game, &position);
	return true;
}

/* ---- completions ---- */

static void complete_missing(const struct model *m, const char *rest, struct words *w)
{
	const struct teach *t = teach_of(m);
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = t->game && !t->wish.slice.is_study
	                             ? t->game->successors(&t->wish.slice, successors)
	                             : 0;
	(void)rest;
	words_offer(w, "all");
	words_offer(w, "none");
	for (size_t i = 0; i < count; i++)
		words_offer(w, successors[i].name);
}

static void complete_metric(const struct model *m, const char *rest, struct words *w)
{
	const struct el_game *game = teach_of(m)->game;
	(void)rest;
	for (const struct el_metric *const *metric = el_metrics; *metric; metric++)
		if (game && el_game_has(game, *metric) && el_film_shows(*metric))
			words_offer(w, (*metric)->name);
}

static void complete_step(const struct model *m, const char *rest, struct words *w)
{
	(void)m;
	(void)rest;
	for (size_t i = 0; i < STEPS; i++)
		words_offer(w, named_steps[i].name);
}

void teach_words(const struct model *m, const char *text, struct words *w)
{
	if (!strchr(text, ' ') && *w->prefix)
		words_offer_slices(w, m);
}

const struct verb teach_verbs[] = {
	{"pass", "N", "go to a pass by its number", .run = line_pass},
	{"step", "NAME", "go to start, terminal, conversions, limit or draws", .run = line_step,
         .complete = complete_step},
	{"play", "[N|NAME]", "run to a pass or step, or to the next one", .run = line_play,
         .complete = complete_step},
	{"at", "SQUARE", "put the cursor on a square", .run = line_cursor},
	{"free", "SQUARE", "try the piece on that square on every other", .run = line_free},
	{"metric", "METRIC", "solve the slice under a metric: dtz, wdl20", .run = line_metric,
         .complete = complete_metric},
	{"missing", "none|all|SLICE...", "solve the slice as if tables were missing",
         .run = line_missing, .complete = complete_missing},
	{.word = NULL},
};
