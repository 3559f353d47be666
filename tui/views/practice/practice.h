/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Practice: rounds of positions, each an exercise, graded by tables.
 *
 *     practice_menu.c       the list of exercises, and lines
 *     practice_views.c      a view for each way of answering: keys and clicks
 *     practice.c            a round: positions one after the other, moves, what happens by itself
 *     practice_exercises.c  the exercises: which positions they take, what an answer scores
 *     practice_game.c       one position that is played: moves, their judgement, how it ends
 *     practice_tables.c     what is asked of tables: positions, the worth of moves, lines
 *     practice_kept.c       scores, and what went wrong and comes back, from one run to the next
 *     practice_screen.c     drawing; practice_words.c the sentences
 */
#ifndef TUI_VIEWS_PRACTICE_PRACTICE_H
#define TUI_VIEWS_PRACTICE_PRACTICE_H

#include "core/tree/tree.h"
#include "tui/screen/widgets/marks.h"
#include "tui/shell/kept.h"
#include "tui/shell/picker.h"
#include "tui/text/text.h"

enum {
	PRACTICE_ROUND = 5,
	PRACTICE_LEVELS = 5,
	PRACTICE_TAKE_BACK_PERCENT = 10,
	PRACTICE_RIGHT_PERCENT = 80, /* from here on an answer counts as right */
	PRACTICE_HOLD_MOVES = 12,
	PRACTICE_PROOF_PLIES = 8,
	PRACTICE_PROOF = 152, /* bytes */
	PRACTICE_MISSING = 512,
};

/* ---- practice_exercises.c: knows no screen ---- */

enum exercise_name {
	EXERCISE_WIN,
	EXERCISE_HOLD,
	EXERCISE_SURVIVE,
	EXERCISE_ONLY,
	EXERCISE_SQUARES,
	EXERCISE_GUESS,
	EXERCISES
};

enum exercise_kind { BY_MOVES, BY_MARKS, BY_GUESS };

struct exercise {
	const char *name;  /* "win": in lines and in the kept file */
	const char *title; /* "Win" */
	const char *task;  /* a line of the list */
	const char *how;   /* said before the first move; of BY_MARKS with "%s": a square */
	const char *none;  /* completes "no position ...": "is won" */
	const char
		*unfit; /* completes "White ...", of a position that does not fit: "does not win" */
	enum exercise_kind kind;
	bool deep;         /* depths are needed */
	bool moves;        /* what its moves are worth tells whether a position will do */
	unsigned outcomes; /* that its positions can have */
	/* Will a position do? *hard grows with its depth, or with what there is to choose from; 0
	   where that is not told. */
	bool (*takes)(const struct el_answer *, struct el_value, unsigned *hard);
};
extern const struct exercise exercises[EXERCISES];
/* What it is about, and how it is done, in a game; null: in any. */
const char *exercise_task(enum exercise_name, const struct el_game *);
const char *exercise_how(enum exercise_name, const struct el_game *);
/* By its name; EXERCISES when there is none. */
enum exercise_name exercise_find(const char *name, size_t length);

/* What counts in a game: 0 of a loss, 1 of a draw or what the rule makes one, 2 of a win. */
int practice_level_of(enum el_outcome);
/* By the rule where that is known, else without it. False where no table tells it, or, if that is
   needed, how deep it is. */
bool practice_value(const struct el_answer *, bool deep, struct el_value *out);
/* Is it known of a move, of an answer with a metric? Of the position and of all its moves? */
bool practice_tells_move(const struct el_answer *, size_t move);
bool practice_tells(const struct el_answer *, bool deep);

/* A range of what makes positions hard, both ends included. */
struct range {
	unsigned from, to;
};
/* Those of a level: fifths of the hardest, the first one of at most 5; as many more as it takes to
   find `any`. */
struct range practice_range(unsigned hardest, int level,
                            bool (*any)(const void *context, struct range), const void *context);

/* Of 100, for the outcome and, where there is one, the depth in the unit it was guessed in. */
unsigned practice_guess_percent(const struct el_metric *, struct el_value, enum el_outcome guessed,
                                unsigned depth, bool in_moves);

/* ---- one position ---- */

enum practice_end {
	PRACTICE_GOING,
	PRACTICE_WON,
	PRACTICE_LOST,  /* as it had to be */
	PRACTICE_HELD,  /* for so many moves */
	PRACTICE_FOUND, /* the only move */
	PRACTICE_BARE,  /* nobody can win any more */
	PRACTICE_STALEMATE,
	PRACTICE_ANSWERED, /* with marks or a guess */
	PRACTICE_THROWN,   /* the last move threw the win or the draw away */
	PRACTICE_REPEATED, /* the position is there for the third time */
	/* too many moves of each side without capture or move of a man or pawn */
	PRACTICE_FIFTY,
	PRACTICE_GIVEN_UP,
};

/* One position of a round, and what the user made of it. */
struct practice_score {
	enum exercise_name exercise;
	const struct el_game *game;
	struct el_position start;
	enum practice_end end;
	/* plies of the shortest win, or of the longest defence; or stones */
	unsigned possible;
	unsigned gained; /* in games that sow, stones won or lost in the end */
	unsigned plies;  /* played, without what was taken back */
	/* of these, plies that moves of the user's gave away; or stones */
	unsigned lost;
	unsigned taken_back, thrown; /* moves of the user's */
	unsigned answer;             /* of 100: of marks or a guess */
};

/* What it is worth, of 100; of a whole round; the level to try then. */
unsigned practice_percent(const struct practice_score *);
unsigned practice_total(const struct practice_score *round, size_t count);
int practice_next_level(int level, unsigned total);
/* Was it right at the first try? */
bool practice_is_right(const struct practice_score *);

/* A ply that was played. */
struct practice_ply {
	struct el_position before;
	struct el_move move;
	char san[EL_MOVE_MAX];
	const struct el_metric *metric; /* by which moves were ranked */
	struct el_move_verdict
		verdict; /* its values tell the outcome alone where there is no depth */
};

/* The game that is played: one position of a round. */
struct practice_game {
	const struct el_game *game; /* null: no position yet */
	struct el_position now;
	unsigned limit;             /* so many plies without progress end it; 0: none do */
	unsigned user;              /* the side */
	struct practice_ply *plies; /* owned */
	size_t count, capacity;
	/* `answer` is to `now`. Its outcomes are exact, by the rule where that is known, else without
	   it, and its values tell them too. Its metric stays until there is another answer. */
	bool known;
	struct el_answer answer;
	size_t by_name[EL_MOVES_MAX]; /* the places of its moves in the order of their names */
	struct practice_score score;
};

/* ---- practice_game.c: knows no screen ---- */

void practice_begin(struct practice_game *, enum exercise_name, const struct el_game *,
                    const struct el_position *);
/* Takes an answer; false when tables do not tell what each is worth. */
bool practice_take(struct practice_game *, const struct el_answer *);
/* One of the moves, which are known, by its place in the order of names. */
const struct el_ranked *practice_choice(const struct practice_game *, size_t move);
/* The place there of the best one. */
size_t practice_best(const struct practice_game *);
/* Plays one of them, and judges it. False without memory. */
bool practice_play(struct practice_game *, size_t move);
/* The place by name of what the table plays, of moves that are known: the best; of draws one that repeats no position,
   if it can. */
size_t practice_reply(const struct practice_game *);
/* So many plies without progress end a game from now on; 0: none do. */
void practice_limit(struct practice_game *, unsigned plies);
bool practice_is_users_turn(const struct practice_game *);
/* Without the signs of check and mate: these are for the user to see. Returns `out`. */
const char *practice_name(const struct practice_game *, size_t move, char out[EL_MOVE_MAX]);
/* The user's last ply; null before the first one. */
const struct practice_ply *practice_last(const struct practice_game *);
/* Back to where the user's last move was made, which there is. */
void practice_take_back(struct practice_game *);

/* ---- practice_kept.c: scores, and what comes back ---- */

/*
 * Boxes after Leitner: what went wrong is in the first, and comes back the same day; each time it
 * is right it moves on, and comes back later; wrong, it goes back to the first. Behind the last box
 * it is done with.
 */
enum { PRACTICE_BOXES = 5 };

struct practice_again {
	enum exercise_name exercise;
	struct el_slice slice;
	struct el_position position;
	unsigned box;
	long due; /* a day, counted from 1970-01-01 */
};

/* First tries of an exercise on a slice. */
struct practice_tally {
	enum exercise_name exercise;
	struct el_slice slice;
	unsigned tries, right, percent; /* the last: a sum */
};

struct practice_scores {
	struct kept file;
	long (*today)(void);            /* that day, where the user is */
	struct practice_again *again;   /* owned */
	struct practice_tally *tallies; /* owned */
	size_t again_count, tally_count;
};

void practice_scores_open(struct model *, struct practice_scores *);
/* Takes in what another program has written meanwhile; without a file, or while it is being
   written, all stays. */
void practice_scores_follow(struct model *, struct practice_scores *);
void practice_scores_free(struct practice_scores *);
/* Puts a first try down, today. EL_MEMORY. */
enum el_status practice_scores_add(struct practice_scores *, const struct el_slice *,
                                   const struct practice_score *, struct el_error *);
/* Reads a text of the file; the scores are to be empty, and are so on failure. EL_USAGE:
   "PATH:LINE: why"; EL_MEMORY. */
enum el_status practice_scores_read(struct practice_scores *, char *text, struct el_error *);
void practice_scores_write(const struct practice_scores *, FILE *);
/* Null: none yet. */
const struct practice_tally *practice_tally(const struct practice_scores *, enum exercise_name,
                                            const struct el_slice *);
/* Days until something comes back, 0: today; -1: nothing does. *count: that comes on that day. */
long practice_next_due(const struct practice_scores *, size_t *count);

/* ---- the view ---- */

struct practice {
	bool chosen;    /* `slice` is practised */
	bool begun;     /* a round is at work, or over */
	bool returning; /* it is one of what went wrong */
	enum exercise_name exercise;
	struct el_slice slice;
	struct el_slice offered; /* that was studied when Practice was last opened */
	int level;               /* 1 .. PRACTICE_LEVELS */
	struct practice_scores scores;
	struct list menu; /* of exercises, and what went wrong behind them */

	struct practice_score round[PRACTICE_ROUND];
	size_t at, round_count; /* in the round; `at` is round_count when the round is over */
	struct question draw, look, prove;
	const struct el_metric *metric; /* of the model, when these were asked; as the rule is */
	unsigned rule;
	bool none; /* tables have no position that will do */
	/* which tables are missing, and how to build them; else empty */
	char missing[PRACTICE_MISSING];
	struct el_slice to_build; /* of these */
	bool has_given;           /* `given` is the next position, if it will do */
	struct el_position given;
	struct practice_game play;
	bool put_down;    /* the first try at the position is in the scores */
	struct list list; /* of the moves, or outcomes; of the round when that is over */
	struct picker picker;
	bool flipped;
	long long reply_at;             /* when the other side moves */
	bool proving;                   /* `r` was pressed, and an answer is waited for */
	char proof[PRACTICE_PROOF + 8]; /* what `r` shows; empty: nothing */

	/* Of an exercise that is not played: what the position is worth, ... */
	const struct el_metric *told;
	struct el_value value;
	/* ... where the piece that is put on squares stands, */
	uint8_t piece;
	uint64_t expected;                     /* the squares where it is worth as much, */
	struct el_value values[MARKS_SQUARES]; /* and what it is worth on each */
	struct marks marks;
	unsigned guess; /* a depth, in the unit that is shown */
};

/* ---- practice_tables.c: the state, and what is asked of tables, once until the question changes ---- */

extern const struct state practice_state;
struct practice *practice_of(const struct model *);
/* Draws a position of the slice for the exercise; a position of the round begins with it. */
void practice_ask_position(struct model *);
/* What the moves on the board are worth. */
void practice_ask_moves(struct model *);
/* The best line, under the metric by which the user's last move was judged. */
void practice_ask_proof(struct model *, const struct el_position *from, const struct el_metric *);

/* ---- practice.c ---- */

/* Begins a round of an exercise, or of what went wrong. */
void practice_begin_round(struct model *, enum exercise_name);
void practice_begin_returning(struct model *);
/* Is another slice studied than when this was asked last? *slice is of no game where there is
   none. */
bool practice_studies_another(struct model *, struct el_slice *);
void practice_choose_slice(struct model *, const struct el_slice *);
void practice_set_level(struct model *, int level);
void practice_change_level(struct model *, int by);
bool practice_is_over(const struct practice *);
/* The file of the scores (kept.h). */
void practice_write_scores(const struct model *, FILE *);
/* Can the user move? Else why not. */
bool practice_can_move(const struct practice *);
const char *practice_no_move(const struct model *);
/* Null: an answer of this kind is waited for. */
const char *practice_no_answer(const struct model *, enum exercise_kind);
/* What a move is picked from; `room` is for the list in it. */
struct picker_moves practice_moves(const struct model *, struct el_move room[EL_MOVES_MAX]);
/* Plays one of the moves on the board. */
void practice_move(struct model *, int move);
void practice_undo(struct model *);
/* Answers with marks or a guess, which are that much of 100 right. */
void practice_answer(struct model *, unsigned percent);
void practice_go_on(struct model *);
const char *practice_nowhere_on(const struct model *);
/* Gives up a position that has not come to an end. */
void practice_next_position(struct model *);
/* What the title line says in all views of Practice, and in no other. */
void practice_subject(const struct model *, char *out, size_t size);
void practice_ask(struct model *);
void practice_tick(struct model *);
int practice_next_tick(const struct model *);
/* What the board shows, and its game; null: nothing yet. When the round is over, the row
   selected. */
const struct el_position *practice_position(const struct practice *);
const struct el_game *practice_board(const struct practice *);

/* ---- practice_words.c: what is asked, and what is said of an answer ---- */

/* A text for a few lines. */
enum { PRACTICE_TEXT = 320 };

/* The question in one sentence; "You play White.", "Where is the black king lost in 2 plies?" */
void practice_question_text(const struct model *, char out[PRACTICE_TEXT]);
/* What it is about; empty where there is nothing more to say. */
void practice_task_text(const struct model *, char out[PRACTICE_TEXT]);
/* What the user's last move, which there is, left, and what the table answered; may be empty. */
void practice_left_text(const struct model *, char out[PRACTICE_TEXT]);
/* How the position ended, what that scores, and what to press; of one that has. */
void practice_end_text(const struct model *, char out[PRACTICE_TEXT]);
/* "won", "thrown away" */
const char *practice_end_word(enum practice_end);
/* The last moves played, as many as are sure to fit. */
void practice_played_text(const struct practice_game *, char out[PRACTICE_TEXT]);
/* When what went wrong comes back: "2 positions today"; empty: nothing does. */
void practice_due_text(const struct practice_scores *, char out[PRACTICE_TEXT]);

/* ---- practice_menu.c and practice_screen.c: members of the views ---- */

/* clang-format off */
#define PRACTICE_LEVEL_KEYS \
	{{'+', '='}, "harder", "level", "ask for harder positions", \
	 .apply = practice_change_level, .argument = 1}, \
	{{'-'}, "easier", NULL, "ask for easier positions", \
	 .apply = practice_change_level, .argument = -1}
/* clang-format on */

extern const struct verb practice_verbs[];
bool practice_typed(struct model *, const char *line);
void practice_words(const struct model *, const char *line, struct words *);
void practice_draw(const struct model *, struct pane);
/* Rows of moves in a column of the list. */
int practice_list_rows(const struct model *);

#endif
