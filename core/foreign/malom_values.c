/* SPDX-License-Identifier: MIT */
/* The values of sectors, from the text beside Malom's tables (malom.h). */
#include "malom.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BYTES_MAX = 1 << 16,
	WON_MAX = 1024, /* so that 12 bits hold the difference of two values */
};

/* The whole text; owned. */
static enum el_status read_text(const char *path, char **text, struct el_error *error)
{
	struct input input;
	enum el_status status = input_open(path, &input, error);
	const size_t size = status ? 0 : (size_t)input.is.st_size;
	*text = NULL;
	if (size > BYTES_MAX)
		status = el_fail(error, EL_DAMAGED, "%s: expected at most %d bytes, found %zu",
		                 path, BYTES_MAX, size);
	if (!status && !(*text = calloc(1, size + 1)))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", path);
	if (!status)
		status = input_read(&input, "values of sectors", *text, size, 0, error);
	input_close(&input);
	return status;
}

/* Takes a word, if there is one, and a number. */
static bool take(const char **at, const char *word, long *number)
{
	char *end;
	*at += strspn(*at, " \t\r\n");
	if (strncmp(*at, word, strlen(word)))
		return false;
	*at += strlen(word);
	*number = strtol(*at, &end, 10);
	const bool found = end > *at;
	*at = end;
	return found;
}

/* Takes V and the number of lines. */
static enum el_status take_head(const char *path, const char **text, int *won, long *count,
                                struct el_error *error)
{
	long lost, winning;
	if (!take(text, "virt_loss_val:", &lost) || !take(text, "virt_win_val:", &winning) ||
	    !take(text, "", count))
		return el_fail(error, EL_DAMAGED,
		               "%s: expected virt_loss_val, virt_win_val and a number of sectors, "
		               "found something else",
		               path);
	if (winning <= 0 || winning > WON_MAX || lost != -winning)
		return el_fail(error, EL_DAMAGED,
		               "%s: expected the same virt_win_val and -virt_loss_val, 1 to %d, "
		               "found %ld and %ld",
		               path, WON_MAX, winning, -lost);
	*won = (int)winning;
	return EL_OK;
}

static enum el_status take_values(const char *path, const char *text,
                                  const struct sector *const sector[], unsigned count,
                                  struct malom_values *out, struct el_error *error)
{
	long lines = 0, line[5] = {0};
	bool found[2] = {false};
	enum el_status status = take_head(path, &text, &out->won, &lines, error);
	for (long i = 0; i < lines && !status; i++) {
		for (unsigned k = 0; k < 5; k++)
			if (!take(&text, "", &line[k]))
				return el_fail(error, EL_DAMAGED,
				               "%s: expected %ld sectors, found %ld", path, lines,
				               i);
		for (unsigned n = 0; n < count; n++) {
			const struct sector *s = sector[n];
			if (line[0] != s->board[0] || line[1] != s->board[1] ||
			    line[2] != s->hand[0] || line[3] != s->hand[1])
				continue;
			if (line[4] <= -out->won || line[4] >= out->won)
				return el_fail(error, EL_DAMAGED,
				               "%s: expected a value between %d and %d, found %ld",
				               path, -out->won, out->won, line[4]);
			out->of[n] = (int)line[4];
			found[n] = true;
		}
	}
	for (unsigned n = 0; n < count && !status; n++)
		if (!found[n])
			status = el_fail(error, EL_DAMAGED,
			                 "%s: expected a value of %u %u %u %u, found none", path,
			                 sector[n]->board[0], sector[n]->board[1],
			                 sector[n]->hand[0], sector[n]->hand[1]);
	return status;
}

enum el_status malom_values(const char *table, const struct sector *const sector[], unsigned count,
                            struct malom_values *out, struct el_error *error)
{
	char *values = foreign_companion(table, "std.secval"), *text = NULL;
	enum el_status status;
	if (!values)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", table);
	else if (access(values, F_OK))
		status = el_fail(error, EL_IO,
		                 "%s: expected %s with the values of sectors, found "
		                 "no such file",
		                 table, values);
	else
		status = read_text(values, &text, error);
	if (!status)
		status = take_values(values, text, sector, count, out, error);
	free(text);
	free(values);
	return status;
}
