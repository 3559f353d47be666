/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verbs.h"

#include "../model/model.h"

#include <stdlib.h>
#include <string.h>

void words_offer(struct words *w, const char *word)
{
	if (strncasecmp(word, w->prefix, strlen(w->prefix)))
		return;
	for (size_t i = 0; i < w->count; i++)
		if (!strcmp(w->list[i], word))
			return;
	char **list = realloc(w->list, (w->count + 2) * sizeof *list);
	if (!list)
		return; /* a completion less */
	w->list = list;
	list[w->count] = strdup(word);
	w->count += list[w->count] != NULL;
	list[w->count] = NULL;
}

void words_free(struct words *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->list[i]);
	free(w->list);
}

void words_take(void *words, const char *word)
{
	words_offer(words, word);
}

void words_offer_slices(struct words *w, const struct model *m)
{
	for (size_t i = 0; i < m->slices.count; i++)
		words_offer(w, m->slices.list[i].name);
}

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
