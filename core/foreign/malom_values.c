/* SPDX-License-Identifier: MIT */
/* The values of sectors, from the text beside Malom's tables (malom.h). */
#include "malom.h"

#include <string.h>
#include <unistd.h>

enum {
	BYTES_MAX = 1 << 16,
	WON_MAX = 1024, /* so that 12 bits hold the difference of two values */
};

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
                                  const struct sector *const sector[2], int *won, int value[2],
                                  struct el_error *error)
{
	long lines = 0, line[5] = {0};
	bool found[2] = {!sector[0], !sector[1]};
	enum el_status status = take_head(path, &text, won, &lines, error);
	for (long i = 0; i < lines && !status; i++) {
		for (unsigned k = 0; k < 5; k++)
			if (!take(&text, "", &line[k]))
				return el_fail(error, EL_DAMAGED,
				               "%s: expected %ld sectors, found %ld", path, lines,
				               i);
		for (unsigned n = 0; n < 2; n++) {
			const struct sector *s = sector[n];
			if (!s || line[0] != s->board[0] || line[1] != s->board[1] ||
			    line[2] != s->hand[0] || line[3] != s->hand[1])
				continue;
			if (line[4] <= -*won || line[4] >= *won)
				return el_fail(error, EL_DAMAGED,
				               "%s: expected a value between %d and %d, found %ld",
				               path, -*won, *won, line[4]);
			value[n] = (int)line[4];
			found[n] = true;
		}
	}
	for (unsigned n = 0; n < 2 && !status; n++)
		if (!found[n])
			status = el_fail(error, EL_DAMAGED,
			                 "%s: expected a value of %u %u %u %u, found none", path,
			                 sector[n]->board[0], sector[n]->board[1],
			                 sector[n]->hand[0], sector[n]->hand[1]);
	return status;
}

enum el_status malom_values(const char *table, const struct sector *const sector[2], int *won,
                            int value[2], struct el_error *error)
{
	char *values = foreign_companion(table, "std.secval"), *text = NULL;
	size_t size;
	enum el_status status;
	if (!values)
		status = foreign_no_memory(table, error);
	else if (access(values, F_OK))
		status = el_fail(error, EL_IO,
		                 "%s: expected %s with the values of sectors, found "
		                 "no such file",
		                 table, values);
	else
		status = foreign_text(values, "values of sectors", BYTES_MAX, &text, &size, error);
	if (!status)
		status = take_values(values, text, sector, won, value, error);
	free(text);
	free(values);
	return status;
}
