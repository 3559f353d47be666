/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The games of a file, or of a text that was pasted: where each begins, so that one at a time is
 * read onto the board; and games written to files.
 */
#ifndef TUI_MODEL_GAMES_H
#define TUI_MODEL_GAMES_H

#include "job.h"

#include <time.h>

struct game_row {
	uint64_t offset, length; /* bytes */
	char *label;             /* owned: players, result, date, length */
	/* owned: the first thing in it that could not be read; null: none */
	char *fault;
};

struct games {
	/* owned: the file, or what else it is called; null: none was opened */
	char *name;
	char *text;            /* owned: that was pasted; null: it is a file */
	unsigned paste;        /* pastes so far: the number of this one */
	struct game_row *rows; /* owned; once `ask.known` */
	size_t count;
	bool stopped;         /* there are more, which nobody waited for */
	uint64_t size;        /* of the file when it was read, */
	struct timespec time; /* and when it was written */
	struct question ask;
};

/* Opens a file, and puts its first game on the board when that has been read. What cannot be read
   is said. */
void games_open(struct model *, const char *path);
/* The same with a text, which is copied. */
void games_open_text(struct model *, const char *name, const char *text);
/* Reads a file again without touching the board: which games there are. */
void games_look(struct model *, const char *path);
/* Puts a game on the board, by its row. */
void games_show(struct model *, size_t row);
/* The row of the game on the board, where it is of this file; else the count. */
size_t games_row(const struct model *);
void games_free(struct games *);

enum save_how {
	SAVE_NEW,     /* the file must not be there */
	SAVE_APPEND,  /* behind the games of a file */
	SAVE_REPLACE, /* in the place that it was read from, if the file is what it was then */
};
/* Writes the game on the board; what goes wrong is said, and the file is as it was then. `path` is
   not used by SAVE_REPLACE, for which the game has a row. */
void games_save(struct model *, const char *path, enum save_how);

#endif
