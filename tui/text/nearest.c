/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nearest.h"

#include <stdbool.h>
#include <string.h>

/* Levenshtein's distance, one row at a time; words longer than the row are far from everything. */
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
	size_t near_enough = strlen(word) < 4 ? 1 : strlen(word) / 2 < 3 ? strlen(word) / 2 : 3;
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
