/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The games of a file or of a pasted text: where each begins, so that one at a time can be read
 * onto the board; files of positions; and saving games to files.
 */
#ifndef TUI_MODEL_GAMES_H
#define TUI_MODEL_GAMES_H

#include "core/tree/tree.h"
#include "job.h"
#include "tui/text/files.h"

#include <sys/stat.h>
#include <time.h>

struct game_row {
	uint64_t offset, length; /* bytes */
	const struct el_game *game;
	char *players; /* owned: "Adams - Brown", or the event */
	char result[EL_RESULT_MAX], date[16];
	unsigned moves; /* of the main line */
	/* owned: the first thing in it that is unreadable; null: none */
	char *fault;
	/* what the moves of its main line cost, once it is known */
	enum { SUM_OPEN, SUM_KNOWN, SUM_FAILED } summed;
	struct el_line_sum sum;
};

struct games {
	/* owned: the file, or another name; null: none opened */
	char *name;
	char *text;            /* owned: the pasted text; null: a file */
	unsigned paste;        /* pastes so far: the number of this one */
	struct game_row *rows; /* owned; of the games read so far */
	size_t count;
	bool stopped;         /* reading was stopped before the end */
	uint64_t size;        /* of the file when it was read */
	struct timespec time; /* when the file was last written */
	struct question ask;
	/* the rows whose sums are wanted until the next games_ask, and the job that makes them */
	size_t wanted, wanted_count;
	struct question ask_sums;
	struct el_question judged_by; /* the sums that are known */
	unsigned tables;              /* model.tables_version when they were made */
};

/* A line of a file of positions (EPD, or FEN in any game's form). */
struct position_row {
	char *fen, *words; /* owned; `words`: what follows the position, or null */
	size_t line;       /* from 1 */
};

enum { POSITIONS_MAX = 100000 };
/* The file of positions opened last. */
struct position_file {
	char *name; /* owned; null: none */
	struct position_row *rows;
	size_t count;    /* at most POSITIONS_MAX */
	bool is_cut;     /* the file has more */
	unsigned opened; /* how many were opened so far */
};

/* Opens a file, and puts its first game on the board once read, or makes it model.positions if it
   begins with a position. Errors are shown as messages. */
void games_open(struct model *, const char *path);
/* The same with a text, which is copied. */
void games_open_text(struct model *, const char *name, const char *text);
/* Reads a file's list of games again without touching the board. */
void games_look(struct model *, const char *path);
/* Puts a game on the board, by its row, and shows this position if its main line has it; null: the first. */
void games_show(struct model *, size_t row, const struct el_position *at);
/* The row of the game on the board if it is from this file; else the count. */
size_t games_row(const struct model *);
/* Requests the sums that are wanted and not known, unless the worker has other work; called after
   every update. */
void games_ask(struct model *);
void games_free(struct games *);
void position_file_free(struct position_file *);

/* ---- where games are read from: a file, or a text ---- */

struct games_input {
	char *name; /* owned */
	char *text; /* owned; null: a file */
	struct text_file file;
	uint64_t offset;
	struct stat about;
	struct el_games *games;
};

/* Copies its arguments; reading begins at the offset. False without memory. */
bool games_input_set(struct games_input *, const char *name, const char *text, uint64_t offset);
enum el_status games_input_open(struct games_input *, struct el_error *);
void games_input_free(struct games_input *);

/* ---- saving ---- */

enum save_how {
	SAVE_NEW,     /* the file must not be there */
	SAVE_APPEND,  /* after the games of a file */
	SAVE_REPLACE, /* in its place in the file, if the file has not changed */
};
/* Writes the game on the board; on an error says so and leaves the file as it was. SAVE_REPLACE
   ignores `path`, and needs a row for the game. */
void games_save(struct model *, const char *path, enum save_how);

#endif
