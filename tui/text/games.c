/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games.h"

#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

const struct el_game *next_game(const struct el_game *game)
{
	size_t i = 0;
	while (el_games[i] != game)
		i++;
	return el_games[i + 1] ? el_games[i + 1] : el_games[0];
}

/* With few stones a slice has few positions, so not the smallest. */
unsigned game_example_group(const struct el_game *game)
{
	return game->sows ? game->group_few / 2u : game->group_min;
}

void game_example(const struct el_game *game, struct el_slice *slice, char fen[EL_FEN_MAX])
{
	struct el_position position;
	game->slices(game_example_group(game), slice, 1);
	/* With few stones on one side there is little to see, so take the middle. */
	uint64_t index = game->sows ? slice->positions / 2 : 0;
	while (!game->unplace(slice, EL_WHITE, index, &position) && index < slice->positions)
		index++;
	game->format(&position, fen);
}

const char *piece_word(const struct el_game *game)
{
	return game->kind_names[1] ? "piece" : game->kind_names[0];
}

const char *pieces_word(const struct el_game *game)
{
	return game->sows ? "stones" : strcmp(piece_word(game), "man") ? "pieces" : "men";
}

const char *square_word(const struct el_game *game)
{
	return game && game->sows ? "pit" : game && game->neighbours ? "point" : "square";
}

const char *on_square(const struct el_game *game)
{
	return game->sows ? "in" : "on";
}

const char *piece_text(const struct el_game *game, const struct el_position *position,
                       uint8_t square, char out[PIECE_TEXT_MAX])
{
	unsigned side = 0, kind = 0;
	char name[4];
	if (game->sows) {
		game->square_name(square, name);
		snprintf(out, PIECE_TEXT_MAX, "a stone from %s", name);
		return out;
	}
	el_piece_at(position, square, &side, &kind);
	snprintf(out, PIECE_TEXT_MAX, "the %s %s", side == EL_WHITE ? "white" : "black",
	         game->kind_names[kind]);
	return out;
}

const char *group_text(const struct el_game *game, unsigned least, unsigned most,
                       char out[GROUP_MAX])
{
	const bool bare = game == el_games[0];
	snprintf(out, GROUP_MAX, "%s%s%u", bare ? "" : game->name, bare ? "" : ":", least);
	if (most > least)
		el_text_add(out, GROUP_MAX, "-%u", most);
	return out;
}
