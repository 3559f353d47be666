/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "slices.h"

#include "core/base/array.h"
#include "core/tree/tree.h"
#include "files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum el_status make_room(struct slices *slices, size_t more, struct el_error *error)
{
	return array_grow(&slices->list, slices->count, more, sizeof *slices->list)
	               ? EL_OK
	               : el_fail(error, EL_MEMORY, "%zu slices: out of memory",
	                         slices->count + more);
}

/* A range of groups. */
struct group {
	const struct el_game *game;
	unsigned least, most;
	bool in_hand;     /* with men in hand as well */
	unsigned side[2]; /* pieces of either side, in any order; 0: any number */
};

/* Is the slice one of a group of that many pieces? */
static bool has_sides(const struct el_slice *slice, const unsigned side[2])
{
	unsigned count[2] = {0};
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		count[i / EL_KINDS] += slice->count[i / EL_KINDS][i % EL_KINDS];
	return !side[0] || (count[0] == side[0] && count[1] == side[1]) ||
	       (count[0] == side[1] && count[1] == side[0]);
}

static enum el_status add_group(struct slices *slices, const struct group *group,
                                struct el_error *error)
{
	enum el_status status = EL_OK;
	const struct el_game *game = group->game;
	size_t (*const list)(unsigned, struct el_slice *, size_t) =
		group->in_hand ? game->slices_in_hand : game->slices;
	for (unsigned n = group->least; n <= group->most && !status; n++) {
		const size_t count = list(n, NULL, 0);
		status = make_room(slices, count, error);
		if (status)
			break;
		struct el_slice *const all = slices->list + slices->count;
		list(n, all, count);
		for (size_t i = 0; i < count; i++)
			if (has_sides(&all[i], group->side))
				slices->list[slices->count++] = all[i];
	}
	return status;
}

static struct group all_of(const struct el_game *game)
{
	return (struct group){game, game->group_min, game->group_few, false, {0}};
}

/* The game that a prefix names; advances *word past it. The first game has no prefix. */
static const struct el_game *take_prefix(const char **word)
{
	for (size_t i = 1; el_games[i]; i++) {
		size_t length = strlen(el_games[i]->name);
		if (strncmp(*word, el_games[i]->name, length) || (*word)[length] != ':')
			continue;
		*word += length + 1;
		return el_games[i];
	}
	return el_games[0];
}

/* "3", "3-4", "all"; with a prefix except for the first game. By the pieces of both sides if groups are
   of pieces: "4v3". With a plus sign if the game has slices with men in hand: "morris:3-4+". */
static bool group_parse(const char *word, struct group *out)
{
	*out = all_of(take_prefix(&word));
	if (!strcmp(word, "all"))
		return true;
	char *end;
	if (word[0] < '0' || word[0] > '9')
		return false;
	out->least = out->most = (unsigned)strtoul(word, &end, 10);
	if (!*end && out->game->sows) /* the name of a slice */
		return false;
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		out->most = (unsigned)strtoul(end + 1, &end, 10);
	if (*end == 'v' && end[1] >= '1' && end[1] <= '9' && !out->game->side_min &&
	    !out->game->sows) {
		out->side[0] = out->least;
		out->side[1] = (unsigned)strtoul(end + 1, &end, 10);
		out->least = out->most = out->side[0] + out->side[1];
		return !*end && out->side[0];
	}
	out->in_hand = *end == '+' && out->game->slices_in_hand;
	return !end[out->in_hand];
}

/* The name of a study, or of its file, is no slice's. */
static enum el_status refuse_study(const char *word, struct el_error *error)
{
	const char *dot = strrchr(word, '.');
	return strncmp(word, "study:", strlen("study:")) && !(dot && !strcmp(dot, ".study"))
	               ? EL_OK
	               : el_fail(error, EL_NEGATIVE,
	                         "'%.99s' is a study, which 'endlab probe FEN' asks; expected a "
	                         "slice such as %s",
	                         word, el_games[0]->example);
}

/* As el_game.slices_of, of any game. */
static size_t slices_of(const char *word, struct el_slice *out, size_t max)
{
	const char *rest = word;
	const struct el_game *game = take_prefix(&rest);
	return game->slices_of ? game->slices_of(word, out, max) : 0;
}

enum el_status slices_add(struct slices *slices, const char *word, struct el_error *error)
{
	struct group group;
	if (group_parse(word, &group)) {
		const unsigned least = group.game->group_min, most = group.game->group_max;
		if (group.least > group.most)
			return el_fail(error, EL_USAGE,
			               "group '%s': expected the smaller number first", word);
		if (group.least < least || group.most > most)
			return el_fail(error, EL_USAGE, "group '%s': expected %u to %u %s", word,
			               least, most, group.game->group_is);
		return add_group(slices, &group, error);
	}
	const size_t cut = slices_of(word, NULL, 0);
	enum el_status status = refuse_study(word, error);
	if (!status)
		status = make_room(slices, cut ? cut : 1, error);
	if (!status && cut)
		slices->count += slices_of(word, slices->list + slices->count, cut);
	if (status || cut)
		return status;
	status = el_slice_parse(word, &slices->list[slices->count], error);
	if (!status)
		slices->count++;
	return status;
}

enum el_status slices_add_games(struct slices *slices, const char *path, size_t *beyond,
                                struct el_error *error)
{
	if (refuse_study(path, error))
		return error->status;
	struct text_file file = {.fd = open(path, O_RDONLY | O_CLOEXEC), .name = path};
	struct el_games *games = NULL;
	struct el_tree *tree = NULL;
	size_t count = 0;
	*beyond = 0;
	if (file.fd < 0)
		return el_fail(error, EL_IO, "%s: %m", path);
	enum el_status status = el_games_open(path, text_read, &file, &games, error);
	/* EL_NEGATIVE comes with a game that was not understood in full. */
	while (games && status <= EL_NEGATIVE) {
		status = el_games_next(games, &tree, error);
		if (!tree)
			break;
		const struct el_game *game = tree->game;
		count++;
		for (uint32_t i = EL_TREE_ROOT; i != EL_NO_NODE && status <= EL_NEGATIVE;
		     i = el_tree_node(tree, i)->child) {
			struct el_slice slice;
			size_t known = 0;
			if (game->slice_of(&el_tree_node(tree, i)->position, &slice, NULL))
				continue;
			const unsigned men[2] = {slice.count[0][0] + slice.hand[0],
			                         slice.count[1][0] + slice.hand[1]};
			const unsigned group = !game->side_min   ? slice.pieces
			                       : men[0] > men[1] ? men[0]
			                                         : men[1];
			while (known < slices->count &&
			       !el_slice_equal(&slices->list[known], &slice))
				known++;
			if (group > game->group_few + 1u)
				++*beyond;
			else if (known == slices->count && !(status = make_room(slices, 1, error)))
				slices->list[slices->count++] = slice;
		}
		el_tree_close(tree);
	}
	el_games_close(games);
	text_free(&file);
	close(file.fd);
	if (status > EL_NEGATIVE)
		return status;
	if (!count)
		return el_fail(error, EL_NEGATIVE, "%s: no game in it", path);
	if (!slices->count)
		return el_fail(error, EL_NEGATIVE,
		               "%s: no position of its games has few enough pieces for a build",
		               path);
	return EL_OK;
}

enum el_status slice_parse(const char *word, struct el_slice *out, struct el_error *error)
{
	struct el_slice first;
	struct group group;
	/* In some games a number is a slice, the only one of its group. */
	if (!el_slice_parse(word, out, NULL))
		return EL_OK;
	if (group_parse(word, &group) && group.most <= group.game->group_max)
		return el_fail(error, EL_USAGE,
		               "'%s' is a group of slices; expected one slice, such as %s", word,
		               group.game->example);
	if (slices_of(word, &first, 1))
		return el_fail(
			error, EL_USAGE,
			"'%s' is a group of slices, cut by the rank of each side's foremost man; "
			"expected one, such as %s",
			word, first.name);
	return el_slice_parse(word, out, error);
}

enum el_status slices_add_all(struct slices *slices, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; el_games[i] && !status; i++) {
		struct group group = all_of(el_games[i]);
		status = add_group(slices, &group, error);
	}
	return status;
}

int name_cols(int cols, const struct el_slice *slice)
{
	int length = (int)strlen(slice->name);
	return length > cols ? length : cols;
}

void slices_free(struct slices *slices)
{
	free(slices->list);
	*slices = (struct slices){0};
}

bool slices_named(const char *word)
{
	struct group group;
	return !strpbrk(word, "/.") || group_parse(word, &group);
}
