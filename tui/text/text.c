/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *grouped(uint64_t number, char out[GROUPED_MAX])
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
	char *to = out;
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return out;
}

const char *depth_words(enum el_outcome outcome, unsigned plies, char out[VALUE_MAX])
{
	/* A winner to move makes the odd ply more; a loser waits for as many moves as he makes. */
	unsigned moves = outcome >= EL_CURSED_WIN ? (plies + 1) / 2 : plies / 2;
	snprintf(out, VALUE_MAX, "%u %s (%u %s)", plies, plies == 1 ? "ply" : "plies", moves,
	         moves == 1 ? "move" : "moves");
	return out;
}

const char *move_number(const struct el_game *game, unsigned side, unsigned number, bool begins,
                        char out[NUMBER_MAX])
{
	bool is_first = side == game->first_side;
	out[0] = '\0';
	if (is_first || begins)
		snprintf(out, NUMBER_MAX, "%u%s", number, is_first ? "." : "...");
	return out;
}

double seconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

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
	size_t d = distance(nearest->word, candidate);
	if (d < nearest->distance) {
		nearest->distance = d;
		nearest->best = candidate;
	}
}
