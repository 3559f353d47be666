/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Lesson: the lessons found, and the one playing. A lesson is a text file of steps.
 * Each step has text, lines for the `:` prompt and perhaps a question; see
 * samples/lessons/README.md.
 *
 *     lesson_play -> lesson_go_on, after every update -> 'n' and 'N' -> lesson_end
 *                 -> quiz_open, once the step's lines have run -> quiz_update ... quiz_tell
 */
#ifndef TUI_VIEWS_LESSON_LESSON_H
#define TUI_VIEWS_LESSON_LESSON_H

#include "tui/screen/widgets/marks.h"
#include "tui/shell/kept.h"
#include "tui/shell/picker.h"
#include "tui/shell/shell.h"
#include "tui/text/carried.h"

#include <limits.h>

enum {
	LESSON_ROWS = 4,
	LESSON_COLS = 76, /* for a step's text, to fit 80 x 24 */
	LESSON_NAME_MAX = 64,
	LESSON_WHY_MAX = 512,
};

/* What a question asks for, and where its answer comes from. */
enum ask_kind {
	ASK_NOTHING,
	ASK_SQUARE,
	ASK_SQUARES,
	ASK_MOVE,
	ASK_NUMBER,
	ASK_VALUE,
	ASK_WHETHER,
};

enum ask_source {
	ASK_GIVEN, /* given in the file */
	ASK_YES,   /* given in the file: yes or no */
	ASK_NO,
	ASK_WIN, /* by value, of squares or of the position */
	ASK_DRAW,
	ASK_LOSS,
	ASK_BROKEN,
	ASK_LONGEST, /* the squares with the greatest depth, or the least */
	ASK_SHORTEST,
	ASK_NEXT, /* squares that the next pass decides */
	ASK_BEST, /* moves */
	ASK_WINNING,
	ASK_DRAWING,
	ASK_LOSING,
	ASK_PLIES, /* the depth of the position */
	ASK_MOVES,
	ASK_STONES, /* the stones that it gains or loses */
	ASK_WRONG,  /* positions that verify found wrong */
	ASK_ZUGZWANG,
	ASK_AT_LEAST_DRAW, /* squares, by bounds */
	ASK_AT_MOST_DRAW,
	ASK_UNKNOWN,
	ASK_MAX, /* of two values with bounds */
	ASK_NEGATE,
	ASK_FIGURE, /* what the view on screen shows: struct figure */
};

struct lesson_ask {
	enum ask_kind kind;
	enum ask_source source;
	long plies;                  /* depth of the squares; -1: any */
	const struct figure *figure; /* of one of the views that have it */
	const char *given;           /* words */
	const char *hint; /* shown after the first miss, beside the answer if that was yes or no */
	int line;         /* of the file, from 1 */
};

struct lesson_step {
	const char *text; /* paragraphs, separated by newlines */
	const char *note; /* for the presenter; null: none */
	struct lesson_ask ask;
	size_t commands_end; /* its commands start at the previous step's end */
};

struct lesson_command {
	const char *text; /* without the ':' */
	int line;         /* of the file, from 1 */
};

/* A lesson as read from its file. */
struct script {
	char *lines, *texts; /* owned: the text that the pointers point into */
	const char *title;
	struct lesson_step *steps;       /* owned */
	struct lesson_command *commands; /* owned */
	size_t step_count, command_count;
};

/* A lesson in a folder. */
struct lesson_entry {
	char name[LESSON_NAME_MAX], path[PATH_MAX];
	char title[LESSON_COLS + 1];
	size_t steps; /* 0: invalid, and `error` says why */
	struct el_error error;
	size_t at; /* the step that it goes on from; 0: from its beginning */
	bool finished;
	char score[48]; /* "5 of 7"; empty: no question was answered */
};

/* What is kept of a lesson between runs. */
struct lesson_place {
	char *path; /* owned; absolute, unless the lesson is built in */
	/* owned; a character for each step: '+' right at the first try, '-' wrong, '?' the answer
	   was shown without a try, '.' not asked */
	char *answers;
	size_t step;   /* where the reader is; 0: at the beginning */
	bool finished; /* it has been played to its end */
};

struct lesson_places {
	struct kept file;
	struct lesson_place *list; /* owned */
	size_t count;
};

/* The question of a step. */
struct quiz {
	enum { QUIZ_NONE, QUIZ_OPEN, QUIZ_RIGHT, QUIZ_TOLD, QUIZ_FAILED } state; /* none: not yet */
	unsigned misses;
	const struct el_game *game;
	struct el_position position;
	uint64_t right; /* squares */
	/* marks on squares, and the cursor; for a move, its squares once graded */
	struct marks marks;
	struct el_move moves[EL_MOVES_MAX]; /* the legal ones, right answers first */
	size_t move_count, right_moves;
	uint64_t number;      /* yes is 1, no is 0; a value as lattice_code has it */
	char typed[12];       /* a number or value being typed, or the word chosen, yes or no */
	struct picker picker; /* for a move */
};

struct lesson {
	struct lesson_entry *entries; /* owned */
	struct list list;             /* of the entries */
	struct lesson_places places;

	struct script script;    /* the one playing; no steps: none */
	struct lesson_place now; /* of the one playing; no path: nothing is kept of it */
	bool goes_on;            /* it begins at a later step, which the reader is to be told */
	char file[PATH_MAX];     /* its name in error messages */
	size_t step, next;       /* the step shown, the next command */
	/* where the last command led: the next one runs there */
	const struct view *view;
	const struct lesson_command *at_work; /* the lesson waits for it to end; or null */
	uint64_t awaited;                     /* the lesson waits for jobs up to this one */
	long long since;                      /* when the wait began, on the clock of model.now */
	unsigned job_failures;                /* failed jobs when last checked */
	bool was_flipped, was_in_moves;       /* when the lesson began */
	struct quiz quiz;                     /* the current step's */
	/* the step's text and the state of its question, as told to presenters; null: none */
	const char *presented;
	int presented_state;
};

/* ---- lesson_script.c ---- */

/* Reads and checks a lesson; the model knows which commands exist. EL_IO; EL_USAGE: "FILE:LINE:
   why", with `name` for the file. */
enum el_status script_read(const char *path, const char *name, const struct model *,
                           struct script *, struct el_error *);
/* The same for a text, malloc'ed, which it takes over; null: EL_MEMORY. */
enum el_status script_read_text(char *text, const char *name, const struct model *, struct script *,
                                struct el_error *);
void script_free(struct script *);
/* Reads a whole text file, malloc'ed; EL_IO; EL_USAGE if it is not text. */
enum el_status script_read_file(const char *path, const char *name, char **out, struct el_error *);

/* ---- lesson_ask.c ---- */

/* Parses what follows ":ask"; the model knows which figures views have. False, with the reason, on
   error. */
bool ask_read(const struct model *, const char *text, struct lesson_ask *out,
              char why[LESSON_WHY_MAX]);
enum { ASK_WORD_MAX = 32 };
/* Takes the next word of lesson_ask.given, cut to fit; false at the end. */
bool ask_next_word(const char **text, char word[ASK_WORD_MAX]);
/* The figure of that kind (enum figure_kind) and name among a view's; null if it has none. */
const struct figure *ask_figure(const struct view *, int kind, const char *name);
/* The character that a key adds to a typed answer; 0: none. */
char ask_letter(enum ask_kind, int key);
/* What was typed, as quiz.number. */
uint64_t ask_typed(enum ask_kind, const char *text);

/* ---- lesson_answer.c ---- */

enum ask_result { ASK_FOUND, ASK_WAITS, ASK_FAILS };
/* Finds the right answer from the board on screen and its tables. ASK_WAITS: they have not answered
   yet. ASK_FAILS, with the reason: they cannot. */
enum ask_result ask_answer(const struct model *, const struct lesson_ask *, struct quiz *out,
                           char why[LESSON_WHY_MAX]);
/* The right answer in words: "d6 e6 f6". */
void ask_words(const struct lesson_ask *, const struct quiz *, char *out, size_t size);

/* ---- lesson_quiz.c ---- */

/* The question of the current step; its kind may be ASK_NOTHING. */
const struct lesson_ask *quiz_ask(const struct model *);
/* Is the question waiting for an answer? */
bool quiz_is_open(const struct model *);
/* After every update: asks for what the question needs, and puts its marks on the board. */
void quiz_follow(struct model *);
/* Opens the question once its answer is known, and grades a move played on the board. True if
   anything changed. */
bool quiz_go_on(struct model *);
/* Handles a key or click; false if it is not an answer. */
bool quiz_update(struct model *, const struct event *);
/* Is the key an answer or part of one? */
bool quiz_takes_key(const struct model *, int key);
void quiz_forget(struct model *);
/* The columns available for a hint to such a question. */
int ask_hint_cols(enum ask_kind);
/* The rows that the question takes below the text at that many columns; 0: there is none. */
int quiz_rows(const struct lesson_ask *, int cols);
void quiz_draw(const struct model *, struct pane);

/* ---- lesson_play.c ---- */

/* Below every view while a lesson plays. */
extern const struct strip lesson_strip;
bool lesson_plays(const struct model *);
/* Plays a script, and takes ownership of it: from where the reader was, or `anew`. `file`: its
   name in error messages. */
void lesson_play(struct model *, const struct script *, const char *path, const char *file,
                 bool anew);

/* Stops, with a message. */
void lesson_end(struct model *);
/* Runs the next command once all work has finished; true if it ran one. */
bool lesson_go_on(struct model *);

/* ---- lesson_present.c ---- */

/* After every update: tells `endlab --notes` of what is new. */
void lesson_present(struct model *);
/* Leaves nothing behind. */
void lesson_present_end(struct model *);

/* ---- lesson_record.c ---- */

/* Is a lesson being recorded? */
bool lesson_is_recorded(const struct model *);

/* ---- lesson_kept.c ---- */

extern const struct state lesson_state;
struct lesson *lesson_of(const struct model *);
enum el_status lesson_places_open(struct model *, struct el_error *);
void lesson_places_close(struct lesson *);
/* What is kept of a lesson; not owned, zeros if nothing is. False: nothing is, or its file has
   changed so that only `finished` still holds. */
bool lesson_place(const struct model *, const char *path, const struct script *,
                  struct lesson_place *out);
/* Sets the place of the lesson that begins to play. */
void lesson_place_begin(struct model *, const char *path, const struct script *);
/* Keeps it, if it has changed. */
void lesson_place_keep(struct model *);
/* "5 of 7" questions right at the first try; false if none was answered. */
bool lesson_score(const char *answers, char *out, size_t size);

/* ---- lesson_list.c ---- */

/* Rereads the list of lessons. */
void lesson_list(struct model *);
void lesson_list_free(struct lesson *);
/* Selects the lesson after this file. */
void lesson_select_next(struct model *, const char *file);
/* Offers the names of all lessons. */
void lesson_offer(const struct model *, struct words *);
/* Looks up a name without a slash in the lesson folders. A name with a slash, or with the ending of
   lessons, is a path: a lesson if the file exists, or if its ending says so. */
bool lesson_find(const struct model *, const char *name, char path[PATH_MAX]);
/* Looks up a file of the folders by name. */
bool lesson_find_file(const struct model *, const char *file, char path[PATH_MAX]);
const char *lesson_file_of(const char *path);

#endif
