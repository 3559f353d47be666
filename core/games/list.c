/* SPDX-License-Identifier: MIT */
/*
 * The list of games. A new game is a folder beside this file and a line in this list. This file
 * contains nothing else, so that a test can define the list with a game of its own.
 */
#include "game.h"

const struct el_game *const el_games[] = {
	&el_chess, &el_checkers, &el_morris, &el_awari, &el_oware, NULL,
};
