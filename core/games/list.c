/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The games there are. A new one is a folder beside this file and a line in this list. Nothing else
 * is in this file: a test that adds a game of its own defines the list instead.
 */
#include "game.h"

const struct el_game *const el_games[] = {
	&el_chess, &el_checkers, &el_morris, &el_awari, NULL,
};
