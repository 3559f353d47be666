/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words.h"

#include "core/base/array.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Copies one word over itself without its quotes. Returns where the line continues, null for an
   open quote. `to` never overtakes `from`. */
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
		return; /* one completion is lost */
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

/* ---- what the user may have meant ---- */

/* Levenshtein distance, one row at a time; words longer than the row count as far from
   everything. */
static size_t distance(const char *a, const char *b)
{
	enum { LONGEST = 32 };
	size_t rows = strlen(a), columns = strlen(b), row[LONGEST + 1];
	if (rows > LONGEST || columns > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= columns; j++)
		row[j] = j;
	for (size_t i = 1; i <= rows; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= columns; j++) {
			size_t replace = diagonal + (a[i - 1] != b[j - 1]);
			size_t shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
			diagonal = row[j];
			row[j] = replace < shorter + 1 ? replace : shorter + 1;
		}
	}
	return row[columns];
}

struct nearest nearest_start(const char *word)
{
	const size_t length = strlen(word);
	/* Any letter is one letter from any other. */
	const size_t near_enough = length < 4 ? length > 1 : length / 2 < 3 ? length / 2 : 3;
	return (struct nearest){.word = word, .distance = near_enough + 1};
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
	const size_t length = strlen(nearest->word);
	const bool begins = length && !strncmp(candidate, nearest->word, length);
	const size_t d = begins ? 0 : distance(nearest->word, candidate);
	if (d < nearest->distance) {
		nearest->distance = d;
		nearest->best = candidate;
	}
}
