/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"
#include "line_command.h"
#include "../text/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- positions and slices ---- */

bool line_sample(struct model *m, const struct el_slice *slice, struct el_position *out)
{
	/* Broken indexes are a small part of a slice, so this ends soon. */
	for (int tries = 0; tries < 100000; tries++) {
		unsigned plane = (unsigned)model_random(m, slice->planes);
		if (slice->game->unplace(slice, plane, model_random(m, slice->positions), out))
			return true;
	}
	return false;
}

/* The text with one of its fields replaced; false when it has fewer. */
static bool replace_field(const char *text, int field, const char *with, char *out, size_t size)
{
	const char *at = text;
	for (int i = 0; i < field && *at; i++) {
		at += strcspn(at, " ");
		at += strspn(at, " ");
	}
	if (!*at)
		return false;
	const char *rest = at + strcspn(at, " ");
	return (size_t)snprintf(out, size, "%.*s%s%s", (int)(at - text), text, with, rest) < size;
}

/* Rights that no table covers (castling stands in the third field of a FEN): offers to drop them.
 */
static void offer_without_rights(struct model *m, const char *fen, const char *why)
{
	const struct el_game *game;
	struct el_position position;
	char without[EL_FEN_MAX];
	model_fail(m, "%s", why);
	if (!replace_field(fen, 2, "-", without, sizeof without) ||
	    el_position_parse(without, &game, &position, NULL))
		return;
	model_fail(m, "y drops the rights: %s", why);
	snprintf(m->offer, sizeof m->offer, "%s", without);
}

static void run_position(struct model *m, const char *fen)
{
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	if (el_position_parse(fen, &game, &position, &error)) {
		offer_without_rights(m, fen, error.text);
	} else if (game->check(&position, &error)) {
		model_fail(m, "%s", error.text);
	} else if (explore_set(m, game, &position)) {
		model_show(m, &explore_view);
	}
}

/* A single word is a move, a slice or a slip of the finger rather than a position, unless it has
   one of the signs that no word has. */
static bool is_position(const char *text)
{
	if (!strpbrk(text, " /:"))
		return false;
	for (const struct el_game *const *game = el_games; *game; game++)
		if ((*game)->looks_like(text))
			return true;
	return false;
}

/* ---- the line as a whole ---- */

static void first_word(const char *text, char *out, size_t size)
{
	snprintf(out, size, "%.*s", (int)strcspn(text, " "), text);
}

/* The view that one word names, whatever the case. */
static const struct view *view_named(const char *word)
{
	for (const struct view *const *v = views; *v; v++)
		if (((*v)->key || (*v)->line) && !strcasecmp((*v)->name, word))
			return *v;
	return NULL;
}

/* What a line asks for. */
struct meaning {
	enum {
		MEANS_NOTHING,
		MEANS_POSITION,
		MEANS_COMMAND,
		MEANS_VIEW_LINE, /* `rest` is a line for the view */
		MEANS_ACTION,
		MEANS_VIEW,
		MEANS_MOVE,
		MEANS_SLICE,
	} kind;
	char word[64];     /* the first one */
	const char *rest;  /* behind the first word; of a position the position */
	const struct command *command;
	const struct view *view; /* of an action the one that it belongs to */
	const struct binding *binding;
	struct el_move move;
	struct el_slice slice;
};

static struct meaning find_meaning(const struct model *m, const char *text)
{
	struct meaning found = {.kind = MEANS_NOTHING};
	size_t length = strcspn(text, " ");
	snprintf(found.word, sizeof found.word, "%.*s", (int)length, text);
	found.rest = text + length + strspn(text + length, " ");
	const struct view *view = view_named(found.word), *where;
	const struct binding *binding = binding_named(m->view, text, &where);
	if (!strcmp(found.word, "fen")) {
		found.kind = MEANS_POSITION;
	} else if (is_position(text)) {
		found.kind = MEANS_POSITION;
		found.rest = text;
	} else if ((found.command = command_find(found.word))) {
		found.kind = MEANS_COMMAND;
	} else if (view && view->line && *found.rest) {
		found.kind = MEANS_VIEW_LINE;
		found.view = view;
	} else if (binding && binding->run) {
		found.kind = MEANS_ACTION;
		found.binding = binding;
		found.view = where;
	} else if (view && !*found.rest) {
		found.kind = MEANS_VIEW;
		found.view = view;
	} else if (!m->explore.game->read_move(explore_position(m), text, &found.move, NULL)) {
		found.kind = MEANS_MOVE;
	} else if (!el_slice_parse(text, &found.slice, NULL)) {
		found.kind = MEANS_SLICE;
	}
	return found;
}

static void run_move(struct model *m, const struct el_move *move)
{
	explore_play(m, move);
	model_show(m, &explore_view);
}

static void run_slice(struct model *m, const struct el_slice *slice)
{
	struct el_position position;
	if (!line_sample(m, slice, &position))
		model_fail(m, "%s has no legal position", slice->name);
	else if (explore_set(m, slice->game, &position))
		model_show(m, &explore_view);
}

static void run_action(struct model *m, const struct view *where, const struct binding *binding)
{
	if (where != m->view)
		model_show(m, where);
	model_run(m, binding);
}

/* The word most like another, kept: a view may make up its words as it goes. */
struct guess {
	struct nearest nearest;
	char best[64];
};

static void offer_guess(void *context, const char *word)
{
	struct guess *g = context;
	nearest_offer(&g->nearest, word);
	if (g->nearest.best == word) {
		snprintf(g->best, sizeof g->best, "%s", word);
		g->nearest.best = g->best;
	}
}

static void fail_in_view(struct model *m, const struct view *view, const char *line)
{
	char word[64];
	first_word(line, word, sizeof word);
	struct guess guess = {.nearest = nearest_start(word)};
	if (view->words)
		view->words(m, word, offer_guess, &guess);
	if (guess.nearest.best)
		model_fail(m, "%s: '%s' is not known: did you mean '%s'?", view->name, word,
		           guess.best);
	else
		model_fail(m, "%s: '%s' is not known", view->name, word);
}

static void run_view_line(struct model *m, const struct view *view, const char *line)
{
	model_show(m, view);
	if (!view->line(m, line))
		fail_in_view(m, view, line);
}

/* With a digit in it, a word was meant as a move, or it is castling. */
static bool is_like_move(const char *word)
{
	return strpbrk(word, "0123456789") || !strncmp(word, "O-O", 3);
}

static bool is_like_slice(const char *word)
{
	return isupper((unsigned char)*word) || strchr(word, ':');
}

/* Names the nearest thing that the word could have been. */
static void explain_unknown(const struct model *m, const char *word, char why[LINE_WHY_MAX])
{
	struct el_slice slice;
	struct el_move move;
	struct el_error error = {.text = ""};
	struct nearest nearest = nearest_start(word);
	for (const struct command *const *c = commands; *c; c++)
		nearest_offer(&nearest, (*c)->name);
	for (const struct view *const *v = views; *v; v++) {
		if (view_named((*v)->name))
			nearest_offer(&nearest, (*v)->name);
		for (const struct binding *b = (*v)->bindings; b->name; b++)
			nearest_offer(&nearest, b->name);
	}
	for (const struct binding *b = global_bindings; b->name; b++)
		nearest_offer(&nearest, b->name);
	for (const struct binding *b = lesson_bindings; b->name; b++)
		nearest_offer(&nearest, b->name);
	if (nearest.best)
		snprintf(why, LINE_WHY_MAX, "'%s' is not known: did you mean '%s'?", word,
		         nearest.best);
	else if ((is_like_move(word) &&
	          m->explore.game->read_move(explore_position(m), word, &move, &error)) ||
	         (is_like_slice(word) && el_slice_parse(word, &slice, &error)))
		snprintf(why, LINE_WHY_MAX, "%s", error.text);
	else if (is_like_slice(word))
		snprintf(why, LINE_WHY_MAX, "'%s' is known, but not with more words", word);
	else
		snprintf(why, LINE_WHY_MAX, "'%s' is not known; ? lists what is", word);
}

/* Without the blanks around it: completion leaves one behind. */
static void trim(const char *text, char *out, size_t size)
{
	snprintf(out, size, "%s", text + strspn(text, " "));
	for (size_t end = strlen(out); end > 0 && out[end - 1] == ' ';)
		out[--end] = '\0';
}

void line_run(struct model *m, const char *line)
{
	char text[LINE_MAX_BYTES], why[LINE_WHY_MAX];
	trim(line, text, sizeof text);
	if (!*text)
		return;
	m->message.text[0] = '\0';
	if (m->view->line && m->view->line(m, text))
		return;
	struct meaning meant = find_meaning(m, text);
	switch (meant.kind) {
	case MEANS_POSITION: run_position(m, meant.rest); break;
	case MEANS_COMMAND: line_command(m, meant.command, text); break;
	case MEANS_VIEW_LINE: run_view_line(m, meant.view, meant.rest); break;
	case MEANS_ACTION: run_action(m, meant.view, meant.binding); break;
	case MEANS_VIEW: model_show(m, meant.view); break;
	case MEANS_MOVE: run_move(m, &meant.move); break;
	case MEANS_SLICE: run_slice(m, &meant.slice); break;
	case MEANS_NOTHING:
		explain_unknown(m, meant.word, why);
		model_fail(m, "%s", why);
	}
}

struct search {
	const char *word;
	bool found;
};

static void search_word(void *context, const char *word)
{
	struct search *s = context;
	s->found = s->found || !strcmp(s->word, word);
}

/* Would some view take a line that begins with this word, were it on screen? Bare names of lessons
   do not count: they are no lines for anything but a person. */
static bool is_word_of_view(const struct model *m, const char *word)
{
	struct search search = {word, false};
	struct el_slice slice;
	if (!el_slice_parse(word, &slice, NULL))
		return false; /* by itself it means something already */
	for (const struct view *const *v = views; *v; v++)
		if ((*v)->line && (*v)->words && *v != &lesson_view)
			(*v)->words(m, word, search_word, &search);
	return search.found;
}

bool line_is_known(const struct model *m, const char *line, char why[LINE_WHY_MAX])
{
	char text[LINE_MAX_BYTES];
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	trim(line, text, sizeof text);
	struct meaning meant = find_meaning(m, text);
	if (meant.kind == MEANS_POSITION && el_position_parse(meant.rest, &game, &position, &error)) {
		snprintf(why, LINE_WHY_MAX, "%s", error.text);
		return false;
	}
	if (meant.kind || is_word_of_view(m, meant.word) || is_like_move(meant.word))
		return true;
	explain_unknown(m, meant.word, why);
	return false;
}

/* ---- completion ---- */

struct words {
	char **list; /* ends with null once it is not empty */
	size_t count;
	const char *prefix;
	bool failed;
};

static void offer(struct words *w, const char *word)
{
	if (strncasecmp(word, w->prefix, strlen(w->prefix)))
		return;
	for (size_t i = 0; i < w->count; i++)
		if (!strcmp(w->list[i], word))
			return;
	char **list = realloc(w->list, (w->count + 2) * sizeof *list);
	if (list)
		w->list = list;
	char *copy = list ? strdup(word) : NULL;
	w->failed = w->failed || !copy;
	if (!list)
		return;
	list[w->count] = copy;
	w->count += copy != NULL;
	list[w->count] = NULL;
}

static void offer_of_view(void *context, const char *word)
{
	offer(context, word);
}

static void offer_actions(struct words *w)
{
	offer(w, "fen");
	for (const struct command *const *c = commands; *c; c++)
		offer(w, (*c)->name);
	for (const struct binding *b = global_bindings; b->name; b++)
		if (b->run)
			offer(w, b->name);
	for (const struct binding *b = lesson_bindings; b->name; b++)
		offer(w, b->name);
	for (const struct view *const *v = views; *v; v++)
		for (const struct binding *b = (*v)->bindings; b->name; b++)
			if (b->run)
				offer(w, b->name);
}

/* Those that take a line of their own; a line's first word is written small. */
static void offer_views(struct words *w)
{
	for (const struct view *const *v = views; *v; v++) {
		char name[32];
		size_t length = 0;
		for (; (*v)->name[length] && length + 1 < sizeof name; length++)
			name[length] = (char)tolower((unsigned char)(*v)->name[length]);
		name[length] = '\0';
		if ((*v)->line && !strchr(name, ' '))
			offer(w, name);
	}
}

static void offer_moves(struct words *w, const struct model *m)
{
	const struct study *s = m->explore.study;
	for (size_t i = 0; s && i < s->answer.count; i++)
		offer(w, s->answer.moves[i].san);
}

static void offer_slices(struct words *w, const struct model *m)
{
	for (int i = 0; i < m->build.row_count; i++)
		offer(w, m->build.rows[i].slice.name);
}

static void offer_options(struct words *w, const struct command *command)
{
	for (const struct option_help *o = command->options; o && o->name; o++)
		offer(w, o->name);
	offer(w, "--help");
}

char **line_complete(const struct model *m, const char *line, size_t word_start)
{
	struct words w = {.prefix = line + word_start};
	char name[64];
	first_word(line, name, sizeof name);
	const struct command *command = word_start ? command_find(name) : NULL;
	const struct view *view = word_start && !command ? view_named(name) : NULL;
	if (m->view->words)
		m->view->words(m, line, offer_of_view, &w);
	if (!word_start) {
		offer_actions(&w);
		offer_views(&w);
		offer_moves(&w, m);
		offer_slices(&w, m);
	} else if (command && w.prefix[0] == '-') {
		offer_options(&w, command);
	} else if (command && command->complete && !strcmp(command->complete, "slice")) {
		offer_slices(&w, m);
	} else if (view && view->words) {
		const char *rest = line + strlen(name);
		view->words(m, rest + strspn(rest, " "), offer_of_view, &w);
	}
	return w.list;
}
