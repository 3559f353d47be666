/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Lesson: the lessons found, and the one that plays. A lesson is a text file of steps,
 * each some text and some lines of the `:` prompt; samples/lessons/README.md describes it.
 *
 *     lesson_play -> lesson_go_on, after every update -> 'n' and 'N' -> lesson_stop
 */
#ifndef ENDLAB_TUI_VIEWS_LESSON_H
#define ENDLAB_TUI_VIEWS_LESSON_H

#include "../../shell/shell.h"
#include "../../text/lessons.h"

#include <limits.h>

enum {
	LESSON_ROWS = 4, LESSON_COLS = 76, /* that a step's text may take: the room of 80 x 24 */
	LESSON_NAME_MAX = 64,
};

struct lesson_step {
	const char *text;    /* paragraphs, parted by newlines */
	size_t commands_end; /* its commands are those from the end of the step before to here */
};

struct lesson_command {
	const char *text; /* without the ':' */
	int line;         /* of the file, from 1 */
};

/* A lesson as it stands in its file. */
struct script {
	char *lines, *texts; /* owned: what the pointers point into */
	const char *title;
	struct lesson_step *steps;       /* owned */
	struct lesson_command *commands; /* owned */
	size_t step_count, command_count;
};

/* A lesson in a folder. */
struct lesson_entry {
	char name[LESSON_NAME_MAX], path[PATH_MAX];
	char title[LESSON_COLS + 1];
	size_t steps;           /* 0: it is not right, and `error` says why */
	struct el_error error;
};

struct lesson {
	struct lesson_entry *entries; /* owned */
	struct list list;             /* of the entries */

	struct script script;         /* that plays; without steps none does */
	char file[PATH_MAX];          /* its name for errors */
	size_t step, next;            /* the step shown, the command to be run next */
	const struct view *view;      /* where its commands have led: the next one runs there */
	const struct lesson_command *at_work; /* whose end is waited for; or null */
	uint64_t awaited;             /* work up to this job is waited for */
	long long since;              /* when the wait began, on the clock of model.now */
	unsigned job_failures;        /* jobs that had failed when it was last looked */
	bool was_flipped, was_in_moves; /* when it began */
};

extern const struct state lesson_state;
struct lesson *lesson_of(const struct model *);

/* ---- lesson_script.c ---- */

/* EL_IO; EL_USAGE: "FILE:LINE: why", with `name` for the file. The model tells whether its
   commands are known. */
enum el_status script_read(const char *path, const char *name, const struct model *,
                           struct script *, struct el_error *);
void script_free(struct script *);
/* The whole of a text file, malloc'ed; EL_IO, EL_USAGE when it is no text. */
enum el_status script_read_file(const char *path, const char *name, char **out,
                                struct el_error *);

/* ---- lesson_play.c ---- */

/* Below every view while a lesson plays. */
extern const struct strip lesson_strip;
bool lesson_plays(const struct model *);
/* Plays a script from its beginning; takes it over. */
void lesson_play(struct model *, const struct script *, const char *file);
void lesson_stop(struct model *);
/* The same, and says so. */
void lesson_end(struct model *);
/* Runs the next command once nothing is at work any more: true when it did. */
bool lesson_go_on(struct model *);

/* ---- lesson_list.c ---- */

/* Reads the list of lessons again. */
void lesson_list(struct model *);
void lesson_list_free(struct lesson *);
/* Selects the lesson that comes after this file. */
void lesson_select_next(struct model *, const char *file);
/* Offers the names of all lessons. */
void lesson_offer(const struct model *, struct words *);
/* A name without a slash is looked for in the folders. One with it is a lesson when there is such a
   file, or when it says of itself that it is one. */
bool lesson_find(const struct model *, const char *name, char path[PATH_MAX]);
/* A file of the folders, by its name. */
bool lesson_find_file(const struct model *, const char *file, char path[PATH_MAX]);
const char *lesson_file_of(const char *path);

#endif
