/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Lesson: the lessons found, and the one that plays. A lesson is a text file of steps,
 * each some text, some lines of the `:` prompt and perhaps a question; samples/lessons/README.md
 * describes it.
 *
 *     lesson_play -> lesson_go_on, after every update -> 'n' and 'N' -> lesson_stop
 *                 -> quiz_open, once the step's lines have run -> quiz_update ... quiz_tell
 */
#ifndef TUI_VIEWS_LESSON_LESSON_H
#define TUI_VIEWS_LESSON_LESSON_H

#include "tui/screen/widgets/marks.h"
#include "tui/shell/picker.h"
#include "tui/shell/shell.h"
#include "tui/text/carried.h"

#include <limits.h>

enum {
	LESSON_ROWS = 4,
	LESSON_COLS = 76, /* that a step's text may take: the room of 80 x 24 */
	LESSON_NAME_MAX = 64,
	LESSON_WHY_MAX = 512,
};

/* What is asked for, and where the right answer is found. */
enum ask_kind { ASK_NOTHING, ASK_SQUARE, ASK_SQUARES, ASK_MOVE, ASK_NUMBER, ASK_WHETHER };

enum ask_source {
	ASK_GIVEN, /* it stands in the file */
	ASK_YES,   /* the same of a yes and a no */
	ASK_NO,
	ASK_WIN, /* the value: of squares, of a position */
	ASK_DRAW,
	ASK_LOSS,
	ASK_BROKEN,
	ASK_LONGEST, /* the squares with the greatest depth, or the least */
	ASK_SHORTEST,
	ASK_NEXT, /* the squares that the next pass decides */
	ASK_BEST, /* moves */
	ASK_WINNING,
	ASK_DRAWING,
	ASK_LOSING,
	ASK_PLIES, /* the depth of the position */
	ASK_MOVES,
	ASK_STONES,  /* how many of them it is worth, gained or lost */
	ASK_DECIDED, /* positions in Teach */
	ASK_UNDECIDED,
	ASK_ZUGZWANG,
};

struct lesson_ask {
	enum ask_kind kind;
	enum ask_source source;
	long plies;        /* of the squares' depth; -1: any */
	const char *given; /* words */
	const char *hint;  /* after the first miss */
	int line;          /* of the file, from 1 */
};

struct lesson_step {
	const char *text; /* paragraphs, parted by newlines */
	const char *note; /* for who presents it; null: none */
	struct lesson_ask ask;
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
	size_t steps; /* 0: it is not right, and `error` says why */
	struct el_error error;
};

/* The question of a step. */
struct quiz {
	enum { QUIZ_NONE, QUIZ_OPEN, QUIZ_RIGHT, QUIZ_TOLD, QUIZ_FAILED } state; /* none: not yet */
	unsigned misses;
	const struct el_game *game;
	struct el_position position;
	uint64_t right; /* squares */
	/* of these, and the cursor; of a move its squares once it is graded */
	struct marks marks;
	struct el_move moves[EL_MOVES_MAX]; /* the legal ones; those that are right come first */
	size_t move_count, right_moves;
	uint64_t number;      /* 1 or 0 of a yes or no */
	char typed[12];       /* a number */
	struct picker picker; /* of a move */
};

struct lesson {
	struct lesson_entry *entries; /* owned */
	struct list list;             /* of the entries */

	struct script script; /* that plays; without steps none does */
	char file[PATH_MAX];  /* its name for errors */
	size_t step, next;    /* the step shown, the command to be run next */
	/* where its commands have led: the next one runs there */
	const struct view *view;
	const struct lesson_command *at_work; /* whose end is waited for; or null */
	uint64_t awaited;                     /* work up to this job is waited for */
	long long since;                      /* when the wait began, on the clock of model.now */
	unsigned job_failures;                /* jobs that had failed when it was last looked */
	bool was_flipped, was_in_moves;       /* when it began */
	struct quiz quiz;                     /* of the step shown */
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
enum el_status script_read_file(const char *path, const char *name, char **out, struct el_error *);

/* ---- lesson_ask.c ---- */

/* Reads what follows ":ask". False, with the reason. */
bool ask_read(const char *text, struct lesson_ask *out, char why[LESSON_WHY_MAX]);
/* The columns that a hint to such a question may take. */
int ask_hint_cols(enum ask_kind);

enum ask_result { ASK_FOUND, ASK_WAITS, ASK_FAILS };
/* Finds the right answer on the board on screen and in its tables. ASK_WAITS: they have not said
   yet. ASK_FAILS, with the reason: they cannot. */
enum ask_result ask_answer(const struct model *, const struct lesson_ask *, struct quiz *out,
                           char why[LESSON_WHY_MAX]);
/* The right answer in words: "d6 e6 f6". */
void ask_words(const struct lesson_ask *, const struct quiz *, char *out, size_t size);

/* ---- lesson_quiz.c ---- */

/* The question of the step shown, which may be of ASK_NOTHING. */
const struct lesson_ask *quiz_ask(const struct model *);
/* Is it waiting for an answer? */
bool quiz_is_open(const struct model *);
/* What must be known for the question is asked for, and its marks lie on the board; after every
   update. */
void quiz_follow(struct model *);
/* Opens the question once its answer is known, and takes a move that was played as an answer. True
   when something has changed. */
bool quiz_go_on(struct model *);
/* A key or a click that answers; false when it does not. */
bool quiz_update(struct model *, const struct event *);
/* Is the key an answer, or a part of one? */
bool quiz_takes_key(const struct model *, int key);
/* Shows the answer. */
void quiz_tell(struct model *);
void quiz_forget(struct model *);
/* The rows of its line below a step's text, of that many columns; 0: it asks nothing. */
int quiz_rows(const struct lesson_ask *, int cols);
void quiz_draw(const struct model *, struct pane);

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
