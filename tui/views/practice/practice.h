/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Practice: rounds of won positions, played against perfect defence.
 *
 *     practice.c          the view: keys, lines, what happens by itself
 *     practice_tables.c   what is asked of tables: positions, the worth of moves, lines
 *     practice_game.c     one position: moves, their judgement, how it ends, what it scores; by films
 *     practice_input.c    clicks and the cursor on the board, lines
 *     practice_screen.c   drawing
 */
#ifndef ENDLAB_TUI_VIEWS_PRACTICE_H
#define ENDLAB_TUI_VIEWS_PRACTICE_H

#include "../../shell/picker.h"
#include "../../shell/shell.h"
#include "../../text/text.h"

enum {
	PRACTICE_ROUND = 5,
	PRACTICE_LEVELS = 5,
	PRACTICE_TAKE_BACK_PERCENT = 10,
	PRACTICE_PROOF_PLIES = 8,
	PRACTICE_PROOF = 152, /* bytes */
};

enum practice_end {
	PRACTICE_GOING,
	PRACTICE_WON,
	PRACTICE_THROWN,   /* the last move threw the win away */
	PRACTICE_REPEATED, /* the position is there for the third time */
	PRACTICE_FIFTY,    /* too many moves of each side without capture or move of a man or pawn */
	PRACTICE_GIVEN_UP,
};

/* A ply that was played. */
struct practice_ply {
	struct el_position before;
	struct el_move move;
	char san[EL_MOVE_MAX];
	struct quality quality;
	bool by_film; /* its values are a film's, not those of tables */
};

/* A legal move of the position on the board. */
struct practice_choice {
	struct el_film_move film;
	char san[EL_MOVE_MAX];
};

/* One position of a round, and what the user made of it. */
struct practice_score {
	struct el_position start;
	enum practice_end end;
	unsigned possible;   /* plies of the shortest win */
	unsigned plies;      /* played, without what was taken back */
	unsigned lost;       /* of these, plies that moves of the user's gave away */
	unsigned taken_back, thrown; /* moves of the user's */
};

/* The game that is played: one position of a round. */
struct practice_game {
	const struct el_game *game; /* null: no position yet */
	struct el_position now;
	unsigned limit;             /* so many plies without progress end it; 0: none do */
	unsigned user;              /* the side */
	struct practice_ply *plies; /* owned */
	size_t count, capacity;
	bool known;                 /* the moves below are those of `now`, with their values */
	const struct el_metric *metric; /* of the values that were known last */
	bool by_film;               /* these came from a film */
	struct practice_choice moves[EL_MOVES_MAX]; /* in the order of their names */
	size_t move_count, best;    /* best: the first of the best by name */
	struct practice_score score;
};

/* Where values come from. */
enum practice_source {
	PRACTICE_BY_TABLES, /* where they tell depths; else ... */
	PRACTICE_BY_FILMS,
};

struct practice {
	bool chosen;             /* `slice` is practised */
	enum practice_source source; /* of the next position; tables first */
	bool none;               /* tables have no won position */
	bool untold;             /* tables do not tell what the moves on the board are worth */
	struct question draw, look, prove;
	const struct el_metric *metric; /* of the model, when these were asked; as the rule is */
	unsigned rule;
	struct el_slice slice;
	bool has_given;          /* `given` is the next position, if it is won */
	struct el_position given;
	struct el_slice offered; /* that was studied when Practice was last opened */
	int level;               /* 1 .. PRACTICE_LEVELS */
	struct practice_score round[PRACTICE_ROUND];
	size_t at;               /* in the round; PRACTICE_ROUND: the round is over */
	struct practice_game play;
	struct list list;        /* of the moves; of the round when that is over */
	struct picker picker;
	bool flipped;
	long long reply_at;      /* when the other side moves */
	bool proving;            /* `r` was pressed, and an answer is waited for */
	char proof[PRACTICE_PROOF + 8]; /* what `r` shows; empty: nothing */
};

extern const struct state practice_state;
struct practice *practice_of(const struct model *);

/* ---- the game: knows no screen ---- */

/* The depths of a level: fifths of the deepest win, the first one of at most 3 moves; as many more
   as it takes to find one. */
struct film_range practice_range(const struct el_film *, int level);
/* The same where the deepest win is known, and whether there is any in a range. */
struct film_range practice_range_of(unsigned deepest, int level,
                                    bool (*any)(const void *context, struct film_range),
                                    const void *context);
/* A game begins with a position that the side to move wins. */
void practice_begin(struct practice_game *, const struct el_game *, const struct el_position *);
/* Finds the moves when the film is there that has them; false otherwise. */
bool practice_look(struct practice_game *, struct model *);
/* Takes them from an answer of tables; false when these do not tell what each is worth. */
bool practice_take(struct practice_game *, const struct el_answer *);
/* `count` moves have been found, in any order, with values under a metric. */
void practice_know(struct practice_game *, const struct el_metric *, size_t count, bool by_film);
/* Plays one of the moves, which are known, and judges it. False without memory. */
bool practice_play(struct practice_game *, size_t move);
/* So many plies without progress end a game from now on; 0: none do. */
void practice_limit(struct practice_game *, unsigned plies);
bool practice_is_users_turn(const struct practice_game *);
/* Without the signs of check and mate: these are for the user to see. Returns `out`. */
const char *practice_name(const struct practice_choice *, char out[EL_MOVE_MAX]);
/* The user's last ply; null before the first one. */
const struct practice_ply *practice_last(const struct practice_game *);
/* Back to where the user's last move was made, which there is. */
void practice_take_back(struct practice_game *);
/* The best line from a position in words, at most `plies` long; it ends where no film goes on. */
void practice_line(struct model *, const struct el_game *, const struct el_position *,
                   unsigned plies, char *out, size_t size);
/* What a position is worth, of 100. */
unsigned practice_percent(const struct practice_score *);
/* Of a whole round. */
unsigned practice_total(const struct practice_score round[PRACTICE_ROUND]);
/* The level to try after a round. */
int practice_next_level(int level, unsigned total);

/* ---- practice_tables.c: asked once, until the question changes ---- */

/* Draws a won position of the slice, or finds that films must: sets `source`. */
void practice_ask_position(struct model *);
/* What the moves on the board are worth, or that tables do not tell: `untold`. */
void practice_ask_moves(struct model *);
/* The best line, under the metric by which the user's last move was judged. */
void practice_ask_proof(struct model *, const struct el_position *from);

/* ---- shared by the view, its questions, lines and drawing ---- */

/* A position of the round begins with this one. */
void practice_start(struct model *, const struct el_position *);
/* Says that the side to move does not win the position that was asked for. */
void practice_say_given(struct model *, unsigned side);
void practice_show_proof(struct model *, const char *line);

void practice_choose_slice(struct model *, const struct el_slice *);
void practice_set_level(struct model *, int level);
/* Can the user move? Else why not. */
bool practice_can_move(const struct practice *);
const char *practice_no_move(const struct model *);
/* Plays one of the moves on the board. */
void practice_move(struct model *, int move);

/* Members of practice_view. */
extern const struct verb practice_verbs[];
bool practice_update(struct model *, const struct event *);
bool practice_typed(struct model *, const char *line);
void practice_words(const struct model *, const char *line, struct words *);

void practice_draw(const struct model *, struct pane);
/* What a move is picked from; `room` is for the list in it. */
struct picker_moves practice_moves(const struct model *, struct el_move room[EL_MOVES_MAX]);
/* What the board shows; null: nothing yet. When the round is over, the row selected. */
const struct el_position *practice_position(const struct practice *);
/* Rows of moves in a column of the list. */
int practice_list_rows(const struct model *);

#endif
