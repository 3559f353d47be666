/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "typed.h"

#include "shell.h"
#include "tui/cli/command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- the table ---- */

static void add(struct typed_words *t, const char *word, struct typed row)
{
	if (t->count == TYPED_MAX)
		return;
	snprintf(row.word, sizeof row.word, "%s", word);
	t->list[t->count++] = row;
}

static void add_verbs(struct typed_words *t, const struct view *view, const struct verb *verbs,
                      bool is_here)
{
	for (const struct verb *v = verbs; v && v->word; v++)
		add(t, v->word,
		    (struct typed){.kind = TYPED_VERB,
		                   .arguments = *v->arguments ? v->arguments : NULL,
		                   .help = v->help,
		                   .view = view,
		                   .is_here = is_here,
		                   .verb = v});
}

/* Adds the actions in force, or all others. */
static void add_actions(struct typed_words *t, const struct model *m, bool in_force)
{
	const size_t before = t->count;
	struct bindings_walk walk = {.model = m, .all = !in_force};
	const struct binding *b;
	while ((b = bindings_next(&walk))) {
		size_t i = 0;
		while (i < before && t->list[i].binding != b)
			i++;
		if (i == before && binding_runs(b))
			add(t, b->name,
			    (struct typed){.kind = TYPED_ACTION,
			                   .help = b->help,
			                   .view = walk.view,
			                   .is_here = in_force,
			                   .binding = b});
	}
}

void typed_words(const struct model *m, struct typed_words *out)
{
	const struct view *here = shell_view(m);
	out->count = 0;
	add_verbs(out, here, here->verbs, true);
	add_verbs(out, NULL, global_verbs, true);
	for (const struct view *const *v = shell_views(m); *v; v++)
		if ((*v)->strip)
			add_verbs(out, NULL, (*v)->strip->verbs, true);
	for (const struct command *const *c = commands; *c; c++)
		add(out, (*c)->name,
		    (struct typed){.kind = TYPED_COMMAND,
		                   .arguments = (*c)->arguments,
		                   .help = (*c)->summary,
		                   .is_here = true,
		                   .command = *c});
	for (const struct view *const *v = shell_views(m); *v; v++) {
		/* Add the name in lower case. A view that is not in the title line and takes no
		   lines is opened from others, and a name of several words cannot begin a line. */
		const struct view *view = *v;
		const bool takes_lines = view->line || view->verbs;
		const size_t first = out->count;
		if (!strchr(view->name, ' ') && (view->key || takes_lines)) {
			add(out, view->name,
			    (struct typed){.kind = TYPED_VIEW,
			                   .arguments = takes_lines ? "" : NULL,
			                   .help = view->summary,
			                   .view = view,
			                   .is_here = true});
			for (char *c = out->list[first].word; first < out->count && *c; c++)
				*c = (char)tolower((unsigned char)*c);
		}
		if (*v != here)
			add_verbs(out, *v, (*v)->verbs, false);
	}
	add_actions(out, m, true);
	add_actions(out, m, false);
}

/* ---- the row of a line ---- */

const struct verb *verb_of_line(const struct verb *table, const char *line, const char **rest)
{
	const size_t length = strcspn(line, " ");
	for (const struct verb *v = table; v && v->word; v++) {
		if (strlen(v->word) != length || strncasecmp(v->word, line, length))
			continue;
		*rest = line + length + strspn(line + length, " ");
		return v;
	}
	return NULL;
}

void verb_run(const struct verb *verb, struct model *m, const char *rest)
{
	if (verb->apply)
		verb->apply(m, verb->argument, rest);
	else
		verb->run(m, rest);
}

/* Precedence of the rows that match a line. */
enum turn {
	TURN_OWN_VERB,
	TURN_VERB_LIKE_COMMAND,
	TURN_COMMAND,
	TURN_GLOBAL_VERB,
	TURN_VERB_LIKE_VIEW,
	TURN_VIEW_LINE,
	TURN_ACTION,
	TURN_VIEW,
	TURN_VERB,
	TURN_NEVER, /* the line is not for the row */
};

static enum turn turn_of(const struct typed *t, const struct view *here, const char *line)
{
	const size_t length = strcspn(line, " ");
	const bool stands_alone = !line[length], has_options = strstr(line, " -");
	const bool is_exact = t->kind == TYPED_COMMAND || t->kind == TYPED_ACTION;
	const bool is_command = command_find(t->word);
	if (strlen(t->word) != length || (is_exact ? strncmp : strncasecmp)(t->word, line, length))
		return TURN_NEVER;
	switch (t->kind) {
	case TYPED_COMMAND:
		return TURN_COMMAND;
	case TYPED_ACTION:
		return stands_alone ? TURN_ACTION : TURN_NEVER;
	case TYPED_VIEW:
		return stands_alone ? TURN_VIEW : TURN_VIEW_LINE;
	case TYPED_VERB:
		if (is_command && has_options)
			return TURN_NEVER;
		return !t->view                              ? TURN_GLOBAL_VERB
		       : t->view == here                     ? TURN_OWN_VERB
		       : is_command                          ? TURN_VERB_LIKE_COMMAND
		       : !strcasecmp(t->word, t->view->name) ? TURN_VERB_LIKE_VIEW
		                                             : TURN_VERB;
	}
	return TURN_NEVER;
}

const struct typed *typed_find(const struct model *m, const struct typed_words *all,
                               const char *line, const char **rest)
{
	const struct typed *found = NULL;
	enum turn first = TURN_NEVER;
	for (const struct typed *t = all->list; t < all->list + all->count; t++) {
		const enum turn turn = turn_of(t, shell_view(m), line);
		if (turn < first) {
			first = turn;
			found = t;
		}
	}
	*rest = line + strcspn(line, " ");
	*rest += strspn(*rest, " ");
	return found;
}

/* ---- completion ---- */

void words_offer_slices(struct words *w, const struct model *m)
{
	for (size_t i = 0; i < m->slices.count; i++)
		words_offer(w, m->slices.list[i].name);
}

/* Offers a view's words for the beginning of a line. */
static void offer_of_view(struct words *w, const struct model *m, const struct view *view,
                          const char *line)
{
	for (const struct verb *v = view->verbs; v && v->word; v++)
		words_offer(w, v->word);
	if (view->words)
		view->words(m, line, w);
}

char **typed_complete(const struct model *m, const char *line, size_t word_start)
{
	struct words w = {.prefix = line + word_start};
	struct typed_words all;
	const char *rest, *behind;
	typed_words(m, &all);
	const struct typed *found = typed_find(m, &all, line, &rest);
	const struct verb *verb = found ? found->verb : NULL;
	if (found && found->kind == TYPED_VIEW && strchr(rest, ' '))
		verb = verb_of_line(found->view->verbs, rest, &behind);
	else
		behind = rest;
	if (!word_start) {
		/* Words of the view on screen come first, then global ones; the many actions of
		   other views and slices only once something is typed. */
		const struct study *s = m->play.study;
		offer_of_view(&w, m, shell_view(m), "");
		for (const struct typed *t = all.list; t < all.list + all.count; t++)
			if (t->kind == TYPED_VIEW
			            ? t->arguments != NULL
			            : t->is_here || (t->kind == TYPED_ACTION && *w.prefix))
				words_offer(&w, t->word);
		for (size_t i = 0; s && i < s->answer.count; i++)
			words_offer(&w, s->answer.moves[i].san);
		if (*w.prefix)
			words_offer_slices(&w, m);
	} else if (verb && verb->complete)
		verb->complete(m, behind, &w);
	else if (found && found->command)
		command_offer_words(found->command, line, word_start, words_take, &w);
	else if (found && found->kind == TYPED_VIEW && !verb)
		offer_of_view(&w, m, found->view, rest);
	return w.list;
}
