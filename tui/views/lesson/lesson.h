/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Lesson: the lessons found, and the one that plays. A lesson is a text file of steps,
 * each some text and some lines of the `:` prompt; samples/lessons/README.md describes it.
 *
 *     lesson_play -> lesson_go_on, after every update -> 'n' and 'N' -> lesson_stop
 */
#ifndef ENDLAB_TUI_VIEWS_LESSON_H
#define ENDLAB_TUI_VIEWS_LESSON_H

#include "../../shell/view.h"

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
	const char *folders;          /* the caller's: where lessons are, colon-separated; or null */
	struct lesson_entry *entries; /* owned */
	struct list list;             /* of the entries */

	struct script script;         /* that plays; without steps none does */
	char file[PATH_MAX];          /* its name for errors */
	size_t step, next;            /* the step shown, the command to be run next */
	const struct view *view;      /* where its commands have led */
	const struct lesson_command *at_work; /* whose end is waited for; or null */
	unsigned long_jobs;           /* submitted to the long lane when last looked, */
	unsigned job_failures;        /* and jobs that had failed by then */
	bool waits_long;              /* for the long lane: the lesson has put work into it */
	bool was_flipped, was_in_moves; /* when it began */
};

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

/* What works in every view while a lesson plays; ends with a null name. */
extern const struct binding lesson_bindings[];
bool lesson_plays(const struct model *);
/* Plays a script from its beginning; takes it over. */
void lesson_play(struct model *, const struct script *, const char *file);
void lesson_stop(struct model *);
/* The same, and says so. */
void lesson_end(struct model *);
/* Runs the next command once nothing is at work any more: true when it did, and all views are to be
   asked again. */
bool lesson_go_on(struct model *);
/* The rows of the lesson's pane on this screen; 0 when no lesson plays. */
int lesson_rows(const struct model *);
void lesson_draw(const struct model *, struct pane);

/* ---- lesson.c ---- */

/* Lists the lessons. */
void lesson_show(struct model *);
/* The lesson that plays has come to its end: lists them, the next one selected. */
void lesson_over(struct model *);

#endif
