/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slices.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_PIECES = 3, ALL_PIECES = 4 };

static enum el_status make_room(struct slices *slices, size_t more, struct el_error *error)
{
	if (slices->count + more <= slices->room)
		return EL_OK;
	size_t room = 2 * slices->room + more;
	struct el_slice *list = realloc(slices->list, room * sizeof *list);
	if (!list)
		return el_fail(error, EL_MEMORY, "no memory for %zu slices", room);
	slices->list = list;
	slices->room = room;
	return EL_OK;
}

static enum el_status add_pieces(struct slices *slices, unsigned pieces, struct el_error *error)
{
	const struct el_game *game = el_games[0]; /* the one whose slices have no prefix */
	size_t count = game->slices(pieces, NULL, 0);
	enum el_status status = make_room(slices, count, error);
	if (status)
		return status;
	slices->count += game->slices(pieces, slices->list + slices->count, count);
	return EL_OK;
}

/* "3", "3-4", "all" */
static bool group_parse(const char *word, unsigned *least, unsigned *most)
{
	*least = LEAST_PIECES;
	*most = ALL_PIECES;
	if (!strcmp(word, "all"))
		return true;
	char *end;
	if (word[0] < '0' || word[0] > '9')
		return false;
	*least = *most = (unsigned)strtoul(word, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		*most = (unsigned)strtoul(end + 1, &end, 10);
	return !*end;
}

enum el_status slices_add(struct slices *slices, const char *word, struct el_error *error)
{
	unsigned least, most;
	if (group_parse(word, &least, &most)) {
		const unsigned limit = el_games[0]->pieces_max;
		if (least < LEAST_PIECES || most > limit || least > most)
			return el_fail(error, EL_USAGE, "group '%s': slices have %d to %u pieces", word,
			               LEAST_PIECES, limit);
		enum el_status status = EL_OK;
		for (unsigned pieces = least; pieces <= most && !status; pieces++)
			status = add_pieces(slices, pieces, error);
		return status;
	}
	enum el_status status = make_room(slices, 1, error);
	if (!status)
		status = el_slice_parse(word, &slices->list[slices->count], error);
	if (!status)
		slices->count++;
	return status;
}

void slices_free(struct slices *slices)
{
	free(slices->list);
	*slices = (struct slices){0};
}

bool slices_named(const char *word)
{
	unsigned least, most;
	return !strpbrk(word, "/.") || group_parse(word, &least, &most);
}
