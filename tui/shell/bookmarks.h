/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions that the user wants to come back to, each with a name. The file `bookmarks` (kept.h):
 *
 *     endlab bookmarks 1
 *     8/8/1KP5/3r4/8/8/8/k7 w - - 0 1	Saavedra      a position, a tab, a name that may be empty
 *
 * Each change rereads the file and writes it, so that programs running side by side do not lose
 * each other's bookmarks. A worker writes; a change is reported once it is in the file.
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
	struct bookmark *deleted; /* owned; the most recently deleted is last */
	size_t deleted_count;
	unsigned changes; /* grows whenever the list changes */
	struct kept kept;
};

const struct bookmarks *bookmarks_of(const struct model *);
/* Keeps the position of the view on screen (shell_position). If it is already kept, renames it,
   unless the name is empty. */
void bookmarks_keep(struct model *, const char *name);
/* Deletes the i-th of the list. */
void bookmarks_delete(struct model *, size_t i);
/* Restores the one deleted last in this session, which must exist. */
void bookmarks_restore(struct model *);

/* ---- for the shell itself ---- */

void bookmarks_open(struct model *);
void bookmarks_close(struct model *);
/* Asks for a name. */
void bookmarks_ask_name(struct model *);

#endif
