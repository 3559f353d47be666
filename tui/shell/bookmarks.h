/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions that somebody wants to come back to, each with a name. The file `bookmarks` (kept.h):
 *
 *     endlab bookmarks 1
 *     8/8/1KP5/3r4/8/8/8/k7 w - - 0 1	Saavedra      a position, a tab, a name that may be empty
 *
 * It is read before every change and written after it, so that programs that run side by side do
 * not lose each other's. A worker writes it; a change is said to be kept once it is in the file.
 */
#ifndef TUI_SHELL_BOOKMARKS_H
#define TUI_SHELL_BOOKMARKS_H

#include "kept.h"

enum { BOOKMARK_NAME_MAX = 64 };

struct bookmark {
	char fen[EL_FEN_MAX]; /* of a legal position, as its game writes it */
	char name[BOOKMARK_NAME_MAX];
};

struct bookmarks {
	struct bookmark *list; /* owned; in the order in which they were kept */
	size_t count;
	struct bookmark *deleted; /* owned; the one deleted last is the last */
	size_t deleted_count;
	unsigned changes; /* grows whenever the list has changed */
	struct kept kept;
};

const struct bookmarks *bookmarks_of(const struct model *);
/* Keeps the position that the views are about (shell_position). One that is kept already gets the
   name, unless that is empty. */
void bookmarks_keep(struct model *, const char *name);
/* By its place in the list. */
void bookmarks_delete(struct model *, size_t i);
/* Brings back the one deleted last in this session; there is one. */
void bookmarks_restore(struct model *);

/* ---- for the shell itself ---- */

void bookmarks_open(struct model *);
void bookmarks_close(struct model *);
/* Asks for a name. */
void bookmarks_ask_name(struct model *);

#endif
