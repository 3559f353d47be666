/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

/* Copies one word over itself without its quotes. Returns where the line goes on, null when a quote
   is left open. `to` never overtakes `from`. */
static char *take_word(char *from)
{
	char *to = from, quote = '\0';
	for (; *from && (quote || !strchr(" \t", *from)); from++) {
		if (*from == quote)
			quote = '\0';
		else if (!quote && (*from == '"' || *from == '\''))
			quote = *from;
		else if (*from == '\\' && quote != '\'' && from[1])
			*to++ = *++from;
		else
			*to++ = *from;
	}
	char *next = quote ? NULL : *from ? from + 1 : from;
	*to = '\0';
	return next;
}

enum el_status words_split(char *line, char *words[WORDS_MAX], int *count, struct el_error *error)
{
	*count = 0;
	for (;;) {
		line += strspn(line, " \t\r\n");
		if (!*line || *line == '#')
			break;
		if (*count == WORDS_MAX - 1)
			return el_fail(error, EL_USAGE, "more than %d words in a line",
			               WORDS_MAX - 1);
		words[(*count)++] = line;
		line = take_word(line);
		if (!line)
			return el_fail(error, EL_USAGE, "the quote is not closed in %s",
			               words[*count - 1]);
	}
	words[*count] = NULL;
	return EL_OK;
}

void words_offer(struct words *w, const char *word)
{
	if (strncasecmp(word, w->prefix, strlen(w->prefix)))
		return;
	for (size_t i = 0; i < w->count; i++)
		if (!strcmp(w->list[i], word))
			return;
	if (!array_grow(&w->list, w->count, 2, sizeof *w->list))
		return; /* a completion less */
	w->list[w->count] = strdup(word);
	w->count += w->list[w->count] != NULL;
	w->list[w->count] = NULL;
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
