/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slices that the words of a command name, one by one or in groups. */
#ifndef ENDLAB_CLI_SLICES_H
#define ENDLAB_CLI_SLICES_H

#include "endlab/game.h"

/* What a group is, for the help of the commands that take one. */
#define SLICES_HELP \
	"A group names many slices at once: 3 and 4 are all slices of chess with that many pieces, 3-4 " \
	"is both and so is all; checkers:3 or checkers:2-4, which is checkers:all, are those of English " \
	"draughts."

struct slices {
	struct el_slice *list; /* owned; null at first */
	size_t count, room;
};

/* Adds what a word names: "KQvKR", "3", "3-4", "all", "checkers:KMvK", "checkers:2-4". EL_NEGATIVE: no
   such slice; EL_USAGE: no such group; EL_MEMORY. */
enum el_status slices_add(struct slices *, const char *word, struct el_error *);
/* Adds what "all" means, of every game: for completion. */
enum el_status slices_add_all(struct slices *, struct el_error *);
enum { NAME_COLS = 8 };
/* How wide a column of names is, NAME_COLS at first, once this one stands in it as well. */
int name_cols(int cols, const struct el_slice *);
void slices_free(struct slices *);
/* Is the word a group or a slice's name, rather than the name of a file? */
bool slices_named(const char *word);

#endif
