/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions of a line at the `:` prompt. What the view on screen has comes first, then what works
   everywhere; slices, which are many, once something is typed. */
#include "line.h"
#include "line_command.h"

#include <stdio.h>
#include <string.h>

static void offer_verbs(struct words *w, const struct verb *verbs)
{
	for (const struct verb *v = verbs; v && v->word; v++)
		words_offer(w, v->word);
}

static void offer_bindings(struct words *w, const struct model *m, bool all)
{
	struct bindings_walk walk = {.model = m, .all = all};
	const struct binding *b;
	while ((b = bindings_next(&walk)))
		if (binding_runs(b))
			words_offer(w, b->name);
}

static void offer_moves(struct words *w, const struct model *m)
{
	const struct study *s = m->play.study;
	for (size_t i = 0; s && i < s->answer.count; i++)
		words_offer(w, s->answer.moves[i].san);
}

static void offer_views(struct words *w, const struct model *m)
{
	char name[32];
	for (const struct view *const *v = shell_views(m); *v; v++)
		if (line_view_word(*v, name))
			words_offer(w, name);
}

static void offer_first(struct words *w, const struct model *m)
{
	const struct view *here = shell_view(m);
	offer_verbs(w, here->verbs);
	if (here->words)
		here->words(m, "", w);
	offer_verbs(w, global_verbs);
	offer_views(w, m);
	for (const struct command *const *c = commands; *c; c++)
		words_offer(w, (*c)->name);
	offer_bindings(w, m, *w->prefix);
	offer_moves(w, m);
	if (*w->prefix)
		words_offer_slices(w, m);
}

/* Behind the first word of a line for a view, or behind one of its verbs. */
static void offer_of_view(struct words *w, const struct model *m, const struct view *view,
                          const char *line)
{
	const char *rest;
	const struct verb *verb = verb_of_line(view->verbs, line, &rest);
	if (verb && strchr(line, ' ')) {
		if (verb->complete)
			verb->complete(m, rest, w);
	} else {
		offer_verbs(w, view->verbs);
		if (view->words)
			view->words(m, line, w);
	}
}

char **line_complete(const struct model *m, const char *line, size_t word_start)
{
	struct words w = {.prefix = line + word_start};
	const char *rest;
	char name[64];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " "), line);
	const struct verb *global = verb_of_line(global_verbs, line, &rest);
	const struct view *view = line_view(m, name);
	if (!word_start)
		offer_first(&w, m);
	else if (verb_of_line(shell_view(m)->verbs, line, &rest))
		offer_of_view(&w, m, shell_view(m), line);
	else if (command_find(name))
		command_offer_words(command_find(name), line, word_start, words_take, &w);
	else if (view && verb_of_line(view->verbs, line, &rest))
		offer_of_view(&w, m, view, line);
	else if (view)
		offer_of_view(&w, m, view, line + strlen(name) + strspn(line + strlen(name), " "));
	else if (global && global->complete)
		global->complete(m, rest, &w);
	return w.list;
}
