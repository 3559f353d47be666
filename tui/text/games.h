/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games as help describes them, without special cases for any. */
#ifndef TUI_TEXT_GAMES_H
#define TUI_TEXT_GAMES_H

#include "core/games/game.h"

/* The next game in the list, wrapping around to the first. */
const struct el_game *next_game(const struct el_game *);
/* A small group of the game's slices, for examples. */
unsigned game_example_group(const struct el_game *);
/* One of the game's smallest slices, and a position in it with White to move. */
void game_example(const struct el_game *, struct el_slice *, char fen[EL_FEN_MAX]);

/* "piece", "pieces" and "square", or the game's own words: "man" and "men", "stones", "point",
   "pit". */
const char *piece_word(const struct el_game *);
const char *pieces_word(const struct el_game *);
const char *square_word(const struct el_game *);
/* "on" a square, "in" a pit. */
const char *on_square(const struct el_game *);

enum { PIECE_TEXT_MAX = 32 };
/* "the white king": the piece on an occupied square. Returns `out`. */
const char *piece_text(const struct el_game *, const struct el_position *, uint8_t square,
                       char out[PIECE_TEXT_MAX]);

enum { GROUP_MAX = 32 };
/* The groups of slices from `least` to `most`, as commands take them: "3-4", or "GAME:2" if the
   game must be named. Returns `out`. */
const char *group_text(const struct el_game *, unsigned least, unsigned most, char out[GROUP_MAX]);

#endif
