/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slices that the words of a command name, one by one or in groups. */
#ifndef TUI_TEXT_SLICES_H
#define TUI_TEXT_SLICES_H

#include "core/games/game.h"

/* What a group is, for the help of the commands that take one. */
#define SLICES_HELP                                                                           \
	"A group such as 4 or 3-4 names all slices with so many pieces (a game of men alone " \
	"counts those of the side "                                                           \
	"that has more, a game of stones those on the board); 'all' is short for 3-4, and "   \
	"GAME:all for the "                                                                   \
	"small groups of another game."

struct slices {
	struct el_slice *list; /* owned; null at first */
	size_t count;
};

/* Adds what a word names: a slice, or a group such as "3", "3-4", "all", with its game before it
   where that is not the first one. EL_NEGATIVE: no such slice; EL_USAGE: no such group;
   EL_MEMORY. */
enum el_status slices_add(struct slices *, const char *word, struct el_error *);
/* Where a word is to name one slice. EL_NEGATIVE: no such slice; EL_USAGE: it is a group. */
enum el_status slice_parse(const char *word, struct el_slice *out, struct el_error *);
/* Adds what "all" means, of every game: for completion. EL_MEMORY. */
enum el_status slices_add_all(struct slices *);
enum { NAME_COLS = 8 };
/* The width of a column of names with one more in it; `cols` is its width so far, NAME_COLS at
   first. */
int name_cols(int cols, const struct el_slice *);
void slices_free(struct slices *);
/* Is the word a group or a slice's name, rather than the name of a file? */
bool slices_named(const char *word);

#endif
