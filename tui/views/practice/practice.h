/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Practice: rounds of positions, each an exercise graded by tables.
 *
 *     practice_menu.c       the list of exercises, and lines
 *     practice_views.c      a view for each way of answering: keys and clicks
 *     practice.c            a round: its positions, moves, automatic actions
 *     practice_exercises.c  the exercises: suitable positions, scores of answers
 *     practice_game.c       play from one position: moves, their judgement, the end
 *     practice_tables.c     table queries: positions, values of moves, lines
 *     practice_kept.c       scores and positions due again, kept between runs
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
	PRACTICE_RIGHT_PERCENT = 80, /* an answer counts as right from here */
	PRACTICE_HOLD_MOVES = 12,
	PRACTICE_PROOF_PLIES = 8,
	PRACTICE_PROOF = 152, /* bytes */
	PRACTICE_MISSING = 512,
};

/* ---- practice_exercises.c: independent of the screen ---- */

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
	const char *name;  /* "win": at the prompt and in the scores file */
	const char *title; /* "Win" */
	const char *task;  /* shown in the list */
	const char *how;   /* shown before the first move; BY_MARKS: "%s" is a square */
	const char *none;  /* completes "no position ...": "is won" */
	const char *unfit; /* completes "White ..." for an unsuitable position: "does not win" */
	enum exercise_kind kind;
	bool deep;         /* depths are needed */
	bool moves;        /* judging a position needs the values of its moves */
	unsigned outcomes; /* possible outcomes of its positions */
	/* Is a position suitable? *hard: its difficulty, which grows with the depth or the number
	   of choices; 0 if unknown. */
	bool (*takes)(const struct el_answer *, struct el_value, unsigned *hard);
};
extern const struct exercise exercises[EXERCISES];
/* `task` and `how` of the exercise for a game; null: any game. */
const char *exercise_task(enum exercise_name, const struct el_game *);
const char *exercise_how(enum exercise_name, const struct el_game *);
/* By name; EXERCISES if there is none. */
enum exercise_name exercise_find(const char *name, size_t length);

/* The result under the rule: 0 for a loss, 1 for a draw (cursed wins and blessed losses too), 2 for
   a win. */
int practice_level_of(enum el_outcome);
/* The value under the rule if known, else without it. False if no table has it, or, when `deep`,
   its depth. */
bool practice_value(const struct el_answer *, bool deep, struct el_value *out);
/* Is the value known for a move of an answer with a metric? For the position and all its moves? Of the moves
   in a study, some may be open. */
bool practice_tells_move(const struct el_answer *, size_t move);
bool practice_tells(const struct el_answer *, bool deep);

/* A range of difficulty, both ends included. */
struct range {
	unsigned from, to;
};
/* A level's range: a fifth of `hardest`, the first at most 5 wide; extended until it contains
   `any`. */
struct range practice_range(unsigned hardest, int level,
                            bool (*any)(const void *context, struct range), const void *context);

/* The score of a guess, in per cent, for the outcome and any depth, which is in the unit guessed
   in. */
unsigned practice_guess_percent(const struct el_metric *, struct el_value, enum el_outcome guessed,
                                unsigned depth, bool in_moves);

/* ---- one position ---- */

enum practice_end {
	PRACTICE_GOING,
	PRACTICE_WON,
	PRACTICE_LOST,  /* as was inevitable */
	PRACTICE_HELD,  /* for PRACTICE_HOLD_MOVES */
	PRACTICE_FOUND, /* the only move */
	PRACTICE_BARE,  /* neither side can win */
	PRACTICE_STALEMATE,
	PRACTICE_ANSWERED, /* with marks or a guess */
	PRACTICE_THROWN,   /* the last move gave away the win or the draw */
	PRACTICE_REPEATED, /* threefold repetition */
	/* too many moves by each side without a capture or a pawn's or man's move */
	PRACTICE_FIFTY,
	PRACTICE_GIVEN_UP,
};

/* One position of a round, and how the user did. */
struct practice_score {
	enum exercise_name exercise;
	const struct el_game *game;
	struct el_position start;
	enum practice_end end;
	/* plies of the shortest win or the longest defence; or stones */
	unsigned possible;
	unsigned gained; /* in sowing games, stones won or lost in the end */
	unsigned plies;  /* played and not taken back */
	/* plies, or stones, that the user's moves gave away */
	unsigned lost;
	unsigned taken_back, thrown; /* counts of the user's moves */
	unsigned answer;             /* per cent, for marks or a guess */
};

/* The score in per cent: of a position, of a whole round; then the level to try next. */
unsigned practice_percent(const struct practice_score *);
unsigned practice_total(const struct practice_score *round, size_t count);
int practice_next_level(int level, unsigned total);
/* Was the first try right? */
bool practice_is_right(const struct practice_score *);

/* A ply played. */
struct practice_ply {
	struct el_position before;
	struct el_move move;
	char san[EL_MOVE_MAX];
	const struct el_metric *metric; /* that ranked the moves */
	struct el_move_verdict verdict; /* its values have only an outcome if there is no depth */
};

/* The game being played from one position of a round. */
struct practice_game {
	const struct el_game *game; /* null: no position yet */
	struct el_position now;
	unsigned limit;             /* plies without progress that end it; 0: no limit */
	unsigned user;              /* the user's side */
	struct practice_ply *plies; /* owned */
	size_t count;
	/* `answer` belongs to `now`. Its outcomes are exact, under the rule if known, else without
	   it, and its values agree with them. Its metric is kept until the next answer. */
	bool known;
	struct el_answer answer;
	size_t by_name[EL_MOVES_MAX]; /* indices of its moves, sorted by name */
	struct practice_score score;
};

/* ---- practice_game.c: independent of the screen ---- */

void practice_begin(struct practice_game *, enum exercise_name, const struct el_game *,
                    const struct el_position *);
/* Takes over an answer; false if tables do not give each value. */
bool practice_take(struct practice_game *, const struct el_answer *);
/* A move, by its place in the order of names; the moves must be known. */
const struct el_ranked *practice_choice(const struct practice_game *, size_t move);
/* The best move's place in that order. */
size_t practice_best(const struct practice_game *);
/* Plays a move and judges it. False without memory. */
bool practice_play(struct practice_game *, size_t move);
/* The place by name of the table's move: the best; among draws, one that repeats no position if
   possible. The moves must be known. */
size_t practice_reply(const struct practice_game *);
/* From now on, this many plies without progress end a game; 0: no limit. */
void practice_limit(struct practice_game *, unsigned plies);
bool practice_is_users_turn(const struct practice_game *);
/* A move's name without check and mate signs, which the user should find. Returns `out`. */
const char *practice_name(const struct practice_game *, size_t move, char out[EL_MOVE_MAX]);
/* The user's last ply; null before the first. */
const struct practice_ply *practice_last(const struct practice_game *);
/* Returns to before the user's last move, which must exist. */
void practice_take_back(struct practice_game *);

/* ---- practice_kept.c: scores, and positions due again ---- */

/*
 * Leitner boxes: a position answered wrongly goes to the first box and comes back the same day.
 * Each right answer moves it to the next box, which comes back later; a wrong one returns it to the
 * first. After the last box it is dropped.
 */
enum { PRACTICE_BOXES = 5 };

struct practice_again {
	enum exercise_name exercise;
	struct el_slice slice;
	struct el_position position;
	unsigned box;
	long due; /* days since 1970-01-01 */
};

/* First tries of an exercise on a slice. */
struct practice_tally {
	enum exercise_name exercise;
	struct el_slice slice;
	unsigned tries, right, percent; /* `percent` is a sum */
};

struct practice_scores {
	struct kept file;
	long (*today)(void);            /* today as such a day, in local time */
	struct practice_again *again;   /* owned */
	struct practice_tally *tallies; /* owned */
	size_t again_count, tally_count;
};

void practice_scores_open(struct model *, struct practice_scores *);
/* Rereads a file that another program has changed; does nothing without a file, or while it is
   being written. */
void practice_scores_follow(struct model *, struct practice_scores *);
void practice_scores_free(struct practice_scores *);
/* Records a first try, today. EL_MEMORY. */
enum el_status practice_scores_add(struct practice_scores *, const struct el_slice *,
                                   const struct practice_score *, struct el_error *);
/* Parses the file's text; the scores must be empty, and stay so on failure. EL_MEMORY, EL_USAGE:
   "PATH:LINE: why". */
enum el_status practice_scores_read(struct practice_scores *, char *text, struct el_error *);
void practice_scores_write(const struct practice_scores *, FILE *);
/* Null: none yet. */
const struct practice_tally *practice_tally(const struct practice_scores *, enum exercise_name,
                                            const struct el_slice *);
/* Days until the next position is due, 0: today; -1: none is. *count: how many are due that day. */
long practice_next_due(const struct practice_scores *, size_t *count);

/* ---- the view ---- */

struct practice {
	bool chosen;    /* `slice` is practised */
	bool begun;     /* a round is in progress, or over */
	bool returning; /* it repeats positions answered wrongly */
	enum exercise_name exercise;
	struct el_slice slice;
	struct el_slice offered; /* the one studied when Practice was last opened */
	int level;               /* 1 .. PRACTICE_LEVELS */
	struct practice_scores scores;
	struct list menu; /* the exercises, then the positions due again */

	struct practice_score round[PRACTICE_ROUND];
	size_t at, round_count; /* `at` is round_count when the round is over */
	struct question draw, look, prove;
	const struct el_metric *metric; /* the model's, like the rule, when these were asked */
	unsigned rule;
	bool none; /* tables have no suitable position */
	/* which tables are missing, and how to build them; or empty */
	char missing[PRACTICE_MISSING];
	struct el_slice to_build; /* the missing one */
	bool has_given;           /* `given` is the next position, if suitable */
	struct el_position given;
	struct practice_game play;
	bool put_down;    /* the first try is in the scores */
	struct list list; /* the moves or outcomes; the round when it is over */
	struct picker picker;
	bool flipped;
	long long reply_at;             /* when the opponent replies */
	bool proving;                   /* `r` was pressed; the answer is pending */
	char proof[PRACTICE_PROOF + 8]; /* what `r` shows; empty: nothing */

	/* For exercises without play: the position's value, */
	const struct el_metric *told;
	struct el_value value;
	/* the square of the piece that is tried on others, */
	uint8_t piece;
	uint64_t expected;                     /* the squares where the value is equal, */
	struct el_value values[MARKS_SQUARES]; /* and the value on each */
	struct marks marks;
	unsigned guess; /* a depth, in the displayed unit */
};

/* ---- practice_tables.c: the state, and table queries, repeated only for another question ---- */

extern const struct state practice_state;
struct practice *practice_of(const struct model *);
/* Draws a position of the slice for the exercise, and starts the round's next position with it. */
void practice_ask_position(struct model *);
/* Looks up the values of the moves on the board. */
void practice_ask_moves(struct model *);
/* Looks up the best line under the metric that judged the user's last move. */
void practice_ask_proof(struct model *, const struct el_position *from, const struct el_metric *);

/* ---- practice.c ---- */

/* Begins a round of an exercise; another one of it, or of positions due again. */
void practice_begin_round(struct model *, enum exercise_name);
void practice_begin_again(struct model *, bool returning);
/* Has the studied slice changed since the last call? *slice has no game if there is none. */
bool practice_studies_another(struct model *, struct el_slice *);
void practice_choose_slice(struct model *, const struct el_slice *);
void practice_set_level(struct model *, int level);
void practice_change_level(struct model *, int by);
bool practice_is_over(const struct practice *);
/* Can the user move? If not, the reason. */
bool practice_can_move(const struct practice *);
const char *practice_no_move(const struct model *);
/* Why no answer of this kind is expected; null if one is. */
const char *practice_no_answer(const struct model *, enum exercise_kind);
/* The moves to pick from; the result uses the array `room`. */
struct picker_moves practice_moves(const struct model *, struct el_move room[EL_MOVES_MAX]);
/* Plays a move on the board. */
void practice_move(struct model *, int move);
void practice_undo(struct model *);
/* Scores an answer by marks or a guess as `percent` right. */
void practice_answer(struct model *, unsigned percent);
void practice_go_on(struct model *);
const char *practice_nowhere_on(const struct model *);
/* Goes to the next position, and gives up an unfinished one. */
void practice_next_position(struct model *);
/* The title line of every Practice view and no other, so it also identifies them. */
void practice_subject(const struct model *, char *out, size_t size);
void practice_ask(struct model *);
void practice_tick(struct model *);
int practice_next_tick(const struct model *);
/* The position on the board, and its game; null: none yet. After the round, the selected row's. */
const struct el_position *practice_position(const struct practice *);
const struct el_game *practice_board(const struct practice *);

/* ---- practice_words.c: questions and feedback in words ---- */

/* Bytes for a few lines of text. */
enum { PRACTICE_TEXT = 320 };

/* The question in one sentence; "You play White.", "Where is Black's king mated in 2 plies?" */
void practice_question_text(const struct model *, char out[PRACTICE_TEXT]);
/* The task; empty if there is nothing to add. */
void practice_task_text(const struct model *, char out[PRACTICE_TEXT]);
/* The value after the user's last move, which must exist, and the table's reply; may be empty. */
void practice_left_text(const struct model *, char out[PRACTICE_TEXT]);
/* How a finished position ended, its score, and which key to press. */
void practice_end_text(const struct model *, char out[PRACTICE_TEXT]);
/* "won", "thrown away" */
const char *practice_end_word(enum practice_end);
/* The last moves played, as many as surely fit. */
void practice_played_text(const struct practice_game *, char out[PRACTICE_TEXT]);
/* When positions are due again: "2 positions today"; empty: none are. */
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
/* Rows per column of the list of moves. */
int practice_list_rows(const struct model *);

#endif
