/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slices that the words of a command name, one by one or in groups. */
#ifndef ENDLAB_CLI_SLICES_H
#define ENDLAB_CLI_SLICES_H

#include "endlab/game.h"

/* What a group is, for the help of the commands that take one. */
#define SLICES_HELP \
	"A group names many slices at once: 3 and 4 are all slices with that many pieces, 3-4 is both " \
	"and so is all."

struct slices {
	struct el_slice *list; /* owned; null at first */
	size_t count, room;
};

/* Adds what a word names: "KQvKR", "3", "3-4", "all". EL_NEGATIVE: no such slice; EL_USAGE: no such
   group; EL_MEMORY. */
enum el_status slices_add(struct slices *, const char *word, struct el_error *);
void slices_free(struct slices *);
/* Is the word a group or a slice's name, rather than the name of a file? */
bool slices_named(const char *word);

#endif
