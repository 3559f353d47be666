/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"
#include "line_command.h"
#include "shell_inside.h"

#include "tui/text/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- positions and slices ---- */

/* Of a position that would be in a slice but for its rights to castle. */
static void offer_without_rights(struct model *m, const struct el_game *game,
                                 const struct el_position *position)
{
	struct el_position without = *position;
	struct el_slice slice;
	char fen[EL_FEN_MAX];
	without.castling = 0;
	if (!position->castling || game->slice_of(&without, &slice, NULL))
		return;
	game->format(&without, fen);
	model_fail(m, "Tables do not cover castling. Press y to continue without castling rights.");
	shell_offer(m, fen);
}

/* What is no position is said. */
static void set_position(struct model *m, const char *fen)
{
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	if (el_position_parse(fen, &game, &position, &error) || game->check(&position, &error)) {
		model_fail(m, "%s", error.text);
	} else if (play_set(m, game, &position)) {
		shell_show(m, 0);
		offer_without_rights(m, game, &position);
	}
}

void line_slice(struct model *m, const struct el_slice *slice)
{
	struct el_position position;
	if (!slice_sample(&m->random, slice, &position))
		model_fail(m, "%s has no legal position", slice->name);
	else if (play_set(m, slice->game, &position))
		shell_show(m, 0);
}

void line_visit(struct model *m, const char *fen)
{
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	if (el_position_parse(fen, &game, &position, &error)) {
		model_fail(m, "%s", error.text);
		return;
	}
	shell_visit(m, 0);
	if (play_set(m, game, &position))
		model_note(m, "Press ^O to come back to the list.");
}

/* ---- verbs of all views ---- */

static void find(struct model *m, const char *text)
{
	const char *why = search_disabled(m);
	if (*text)
		shell_set_pattern(m, text);
	if (why)
		model_fail(m, "%s", why);
	else
		search_step(m, 1);
}

const struct verb global_verbs[] = {
	{"fen", "POSITION", "set up a position", set_position, NULL},
	{"bookmark", "NAME", "keep the position as a bookmark", bookmarks_keep, NULL},
	{"find", "TEXT", "search the list on screen", find, NULL},
	{.word = NULL},
};

/* ---- views ---- */

const char *line_view_word(const struct view *view, char out[32])
{
	size_t i = 0;
	for (; view->name[i] && i < 31; i++)
		out[i] = (char)tolower((unsigned char)view->name[i]);
	out[i] = '\0';
	return (view->line || view->verbs) && !strchr(out, ' ') ? out : NULL;
}

const struct view *line_view(const struct model *m, const char *word)
{
	char known[32];
	for (const struct view *const *v = shell_views(m); *v; v++)
		if (((*v)->key || line_view_word(*v, known)) && !strcasecmp((*v)->name, word))
			return *v;
	return NULL;
}

/* The verb of a view that is not on screen, the first that has one. */
static const struct verb *verb_of_any(const struct model *m, const char *text,
                                      const struct view **view, const char **rest)
{
	const struct verb *verb = NULL;
	for (const struct view *const *v = shell_views(m); *v && !verb; v++) {
		verb = verb_of_line((*v)->verbs, text, rest);
		*view = *v;
	}
	return verb;
}

/* A line that is for a view, which is on screen. */
static bool run_in_view(struct model *m, const struct view *view, const char *line)
{
	const char *rest;
	const struct verb *verb = verb_of_line(view->verbs, line, &rest);
	if (verb)
		verb->run(m, rest);
	return verb || (view->line && view->line(m, line));
}

/* ---- the line as a whole ---- */

/* What a line asks for. */
struct meaning {
	enum {
		MEANS_NOTHING,
		MEANS_POSITION,
		MEANS_COMMAND,
		MEANS_VERB,
		MEANS_VIEW_LINE, /* `rest` is a line for the view */
		MEANS_ACTION,
		MEANS_VIEW,
		MEANS_MOVE,
		MEANS_SLICE,
	} kind;
	char word[64];    /* the first one */
	const char *rest; /* behind the first word; of a position the position */
	const struct command *command;
	const struct view *view; /* of an action or a verb the one that it belongs to; null: all */
	const struct verb *verb;
	const struct binding *binding;
	struct el_move move;
	struct el_slice slice;
};

/* The first word may be a verb of a view, too; with options it is the command. */
static bool has_options(const char *text)
{
	return strstr(text, " -");
}

static struct meaning find_meaning(const struct model *m, const char *text)
{
	struct meaning found = {.kind = MEANS_NOTHING};
	size_t length = strcspn(text, " ");
	snprintf(found.word, sizeof found.word, "%.*s", (int)length, text);
	found.rest = text + length + strspn(text + length, " ");
	const struct view *view = line_view(m, found.word);
	const struct command *command = command_find(found.word);
	if (!(command && has_options(text)) &&
	    (found.verb = verb_of_line(shell_view(m)->verbs, text, &found.rest))) {
		found.kind = MEANS_VERB;
		found.view = shell_view(m);
	} else if (el_position_is_meant(text)) {
		found.kind = MEANS_POSITION;
		found.rest = text;
	} else if (command && !has_options(text) &&
	           (found.verb = verb_of_any(m, text, &found.view, &found.rest))) {
		found.kind = MEANS_VERB;
	} else if (command) {
		found.kind = MEANS_COMMAND;
		found.command = command;
	} else if ((found.verb = verb_of_line(global_verbs, text, &found.rest))) {
		found.kind = MEANS_VERB;
	} else if (view && (found.verb = verb_of_line(view->verbs, text, &found.rest))) {
		found.kind = MEANS_VERB; /* named as its view is */
		found.view = view;
	} else if (view && *found.rest) {
		found.kind = MEANS_VIEW_LINE;
		found.view = view;
	} else if ((found.binding = binding_named(m, text, &found.view))) {
		found.kind = MEANS_ACTION;
	} else if (view) {
		found.kind = MEANS_VIEW;
		found.view = view;
	} else if ((found.verb = verb_of_any(m, text, &found.view, &found.rest))) {
		found.kind = MEANS_VERB;
	} else if (!play_game(m)->read_move(play_position(m), text, &found.move, NULL)) {
		found.kind = MEANS_MOVE;
	} else if (!el_slice_parse(text, &found.slice, NULL)) {
		found.kind = MEANS_SLICE;
	}
	return found;
}

static void run_move(struct model *m, const struct el_move *move)
{
	play_move(m, move);
	shell_show(m, 0);
}

/* In the view that it belongs to. */
static void come_to(struct model *m, const struct view *view)
{
	if (view && view != shell_view(m))
		shell_show_view(m, view);
}

static void run_verb(struct model *m, const struct meaning *meant)
{
	come_to(m, meant->view);
	meant->verb->run(m, meant->rest);
}

static void run_action(struct model *m, const struct meaning *meant)
{
	come_to(m, meant->view);
	binding_run(m, meant->binding);
}

/* ---- what is not known ---- */

/* A word is never mistaken for itself. */
static void offer_other(struct nearest *nearest, const char *word)
{
	if (word && strcmp(word, nearest->word))
		nearest_offer(nearest, word);
}

static void offer_verbs(struct nearest *nearest, const struct verb *verbs)
{
	for (const struct verb *v = verbs; v && v->word; v++)
		offer_other(nearest, v->word);
}

static void run_view_line(struct model *m, const struct view *view, const char *line)
{
	char word[64];
	shell_visit_view(m, view);
	if (run_in_view(m, view, line))
		return;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " "), line);
	struct nearest nearest = nearest_start(word);
	struct words words = {.prefix = ""};
	offer_verbs(&nearest, view->verbs);
	if (view->words)
		view->words(m, "", &words);
	for (size_t i = 0; i < words.count; i++)
		offer_other(&nearest, words.list[i]);
	if (nearest.best)
		model_fail(m, "%s: '%s' is not known. Did you mean '%s'?", view->name, word,
		           nearest.best);
	else
		model_fail(m, "%s: '%s' is not known", view->name, word);
	words_free(&words);
}

/* With a digit in it, a word was meant as a move, or it is castling; where pits are sown, one
   letter. */
static bool is_like_move(const struct el_game *game, const char *word)
{
	if (game->sows)
		return !word[1];
	return strpbrk(word, "0123456789") || !strncmp(word, "O-O", 3);
}

static bool is_like_slice(const char *word)
{
	return isupper((unsigned char)*word) || strchr(word, ':');
}

enum { VIEWS_MAX = 64 };

/* Names the nearest thing that the word could have been. */
static void explain_unknown(const struct model *m, const char *word, char why[LINE_WHY_MAX])
{
	struct el_slice slice;
	struct el_move move;
	struct el_error error = {.text = ""};
	struct nearest nearest = nearest_start(word);
	struct bindings_walk walk = {.model = m, .all = true};
	const struct binding *b;
	const struct view *where;
	char name[VIEWS_MAX][32]; /* the best may be one of them */
	if (binding_named(m, word, &where)) {
		snprintf(why, LINE_WHY_MAX, "'%s' stands alone, without more words.", word);
		return;
	}
	offer_verbs(&nearest, shell_view(m)->verbs);
	offer_verbs(&nearest, global_verbs);
	for (const struct command *const *c = commands; *c; c++)
		offer_other(&nearest, (*c)->name);
	const struct view *const *views = shell_views(m);
	for (size_t i = 0; views[i] && i < VIEWS_MAX; i++) {
		offer_other(&nearest, line_view_word(views[i], name[i]));
		offer_verbs(&nearest, views[i]->verbs);
	}
	while ((b = bindings_next(&walk)))
		if (binding_runs(b))
			offer_other(&nearest, b->name);
	if (nearest.best)
		snprintf(why, LINE_WHY_MAX, "'%s' is not known. Did you mean '%s'?", word,
		         nearest.best);
	else if ((is_like_move(play_game(m), word) &&
	          play_game(m)->read_move(play_position(m), word, &move, &error)) ||
	         (is_like_slice(word) && el_slice_parse(word, &slice, &error)))
		snprintf(why, LINE_WHY_MAX, "%s", error.text);
	else if (is_like_slice(word))
		snprintf(why, LINE_WHY_MAX, "'%s' is known, but not with more words after it",
		         word);
	else
		snprintf(why, LINE_WHY_MAX, "'%s' is not known. Press ? for a list of commands.",
		         word);
}

/* Without the blanks around it: completion leaves one behind. */
static void trim(const char *text, char *out, size_t size)
{
	snprintf(out, size, "%s", text + strspn(text, " "));
	for (size_t end = strlen(out); end > 0 && out[end - 1] == ' ';)
		out[--end] = '\0';
}

static void run(struct model *m, const char *line, bool is_quiet)
{
	char text[LINE_MAX_BYTES], why[LINE_WHY_MAX];
	trim(line, text, sizeof text);
	if (!*text)
		return;
	model_hush(m);
	struct meaning meant = find_meaning(m, text);
	const bool is_command = meant.kind == MEANS_COMMAND && has_options(text);
	if (!is_command && run_in_view(m, shell_view(m), text))
		return;
	switch (meant.kind) {
	case MEANS_POSITION:
		set_position(m, meant.rest);
		break;
	case MEANS_COMMAND:
		line_command(m, meant.command, text, is_quiet);
		break;
	case MEANS_VERB:
		run_verb(m, &meant);
		break;
	case MEANS_VIEW_LINE:
		run_view_line(m, meant.view, meant.rest);
		break;
	case MEANS_ACTION:
		run_action(m, &meant);
		break;
	case MEANS_VIEW:
		shell_show_view(m, meant.view);
		break;
	case MEANS_MOVE:
		run_move(m, &meant.move);
		break;
	case MEANS_SLICE:
		line_slice(m, &meant.slice);
		break;
	case MEANS_NOTHING:
		explain_unknown(m, meant.word, why);
		model_fail(m, "%s", why);
	}
}

void line_run(struct model *m, const char *line)
{
	run(m, line, false);
}

void line_run_quietly(struct model *m, const char *line)
{
	run(m, line, true);
}

bool line_is_known(const struct model *m, const char *line, char why[LINE_WHY_MAX])
{
	char text[LINE_MAX_BYTES];
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	trim(line, text, sizeof text);
	struct meaning meant = find_meaning(m, text);
	const bool is_fen = meant.kind == MEANS_POSITION ||
	                    (meant.kind == MEANS_VERB && meant.verb->run == set_position);
	if (is_fen && el_position_parse(meant.rest, &game, &position, &error)) {
		snprintf(why, LINE_WHY_MAX, "%s", error.text);
		return false;
	}
	if (meant.kind || is_like_move(play_game(m), meant.word))
		return true;
	explain_unknown(m, meant.word, why);
	return false;
}
