/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slices that a command's words name, one by one or in groups. */
#ifndef TUI_TEXT_SLICES_H
#define TUI_TEXT_SLICES_H

#include "core/games/game.h"

/* Explains groups, for the help of commands that take them. */
#define SLICES_HELP                                                                           \
	"A group such as 4 or 3-4 names all slices with so many pieces (a game of men alone " \
	"counts those of the side "                                                           \
	"that has more, a game of stones those on the board; a plus sign, as in GAME:3-4+, "  \
	"adds slices with men in hand to a game that has them), 3v2 those with so many "      \
	"against so many; 'all' is short for 3-4, and GAME:all for the small groups of "      \
	"another game. Where slices are cut by the rank of each side's foremost man, the "    \
	"name without ranks means all of them."

struct slices {
	struct el_slice *list; /* owned; initially null */
	size_t count;
};

/* Adds what a word names: a slice, or a group such as "3", "3-4", "all", prefixed by its game
   unless that is the first. EL_NEGATIVE: no such slice; EL_USAGE: no such group; EL_MEMORY. */
enum el_status slices_add(struct slices *, const char *word, struct el_error *);
/* Adds the slices of the positions in the main lines of a file of games, each once, as far as they are
   solved in hours: with at most one piece more than the groups of "all". *beyond: how many positions
   have more. EL_NEGATIVE: no game in it; EL_IO, EL_DAMAGED, EL_MEMORY. */
enum el_status slices_add_games(struct slices *, const char *path, size_t *beyond,
                                struct el_error *);
/* For a word that must name one slice. EL_NEGATIVE: no such slice; EL_USAGE: a group. */
enum el_status slice_parse(const char *word, struct el_slice *out, struct el_error *);
/* Adds the slices of "all" for every game, in the order of games: those solved in minutes. EL_MEMORY. */
enum el_status slices_add_all(struct slices *, struct el_error *);
enum { SLICE_COLS = 8 };
/* Widens a column of names for one more; `cols` is its width so far, initially SLICE_COLS. */
int name_cols(int cols, const struct el_slice *);
void slices_free(struct slices *);
/* Is the word a group or the name of a slice, not of a file? */
bool slices_named(const char *word);

#endif
