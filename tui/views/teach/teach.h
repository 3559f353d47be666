/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Teach: a film (the solver's values, pass by pass), and a board as a window on it. */
#ifndef TUI_VIEWS_TEACH_TEACH_H
#define TUI_VIEWS_TEACH_TEACH_H

#include "tui/screen/widgets/marks.h"
#include "tui/shell/autoplay.h"
#include "tui/shell/overlay.h"
#include "tui/shell/shell.h"

#include "core/film/boards.h"

/* What the board shows: a position, the piece that is tried on every square, and the cursor. */
struct window {
	struct el_position position;
	uint8_t free, cursor; /* squares */
};

enum { TRAIL_MAX = 64 };

/* What is shown at the right, below the numbers. */
enum teach_panel { TEACH_ALGORITHM, TEACH_CLASSIC, TEACH_HISTOGRAM, TEACH_PANELS };

struct teach {
	const struct el_game *game;
	bool wanted; /* a film, given by `wish`, is wanted */
	struct el_film_wish wish;
	struct window window;
	size_t step;       /* of the film */
	bool keeps_side;   /* a lesson chose the side to move: passes do not change it */
	uint64_t explored; /* Explore's slice when last checked */
	/* Frames comes first for a position of a study: it will be shown, unless it was on screen before */
	bool frames_due, from_frames;
	uint8_t held;   /* the square of a fixed piece picked up; EL_NO_SQUARE: none */
	bool comparing; /* two boards, one for each side to move */
	bool tiled;     /* a board of boards, instead; the cursor is at a tile */
	struct el_boards tiles;
	/* the next pass done by hand: the squares that it decides are marked, then it runs */
	bool trying;
	struct marks marks;
	struct marks_count score; /* of all such passes of this film */
	unsigned tries;
	enum teach_panel panel;
	unsigned rule; /* move limit of metrics with a rule; 0: the model's */
	struct autoplay play;
	size_t until;                      /* the step that teach_run_to is playing to */
	char pending[32];                  /* "pass 4": a line waiting for the film */
	struct window trail[TRAIL_MAX];    /* where the user followed a reason */
	char said[TRAIL_MAX][EL_MOVE_MAX]; /* and the move followed */
	unsigned trail_count;
};

/* ---- teach_state.c ---- */

extern const struct state teach_state;
struct teach *teach_of(const struct model *);
/* Shows a position, and films its slice if that has changed. False, with a message, if the position
   is in no slice. */
bool teach_set(struct model *, const struct el_game *, const struct el_position *);
/* The film; null until it is made. */
const struct el_film *teach_film(const struct model *);
/* Why the film cannot be made; empty while it may be. */
const char *teach_refusal(const struct model *);
/* The position with the free piece at the cursor; the window's position if that is not legal. */
struct el_position teach_position(const struct model *);
/* Converts a side between window and slice: the window may have the colours swapped. */
unsigned teach_side_of(const struct model *, unsigned side);

/* As teach_set, with some position of the named slice; false if there is no such slice. */
bool teach_set_slice(struct model *, const char *name);
/* view.facts: the final values with the free piece on every square. */
bool teach_facts(const struct model *, struct board_facts *);
/* Changes the window, and drops a piece picked up. */
void teach_set_window(struct teach *, const struct window *);
/* Changes the film, from its beginning. */
void teach_film_again(struct model *, const struct el_film_wish *);
/* Films the slice under a metric, with no table missing. */
void teach_film_under(struct model *, const struct el_metric *);
/* Does the piece on a square stand in the frame filmed? */
bool teach_stands(const struct teach *, uint8_t square);
/* Why a frame's film cannot be changed. */
extern const char teach_one_way[];
/* Is the position in the filmed slice or frame? There must be a film. */
bool teach_is_filmed(const struct model *, const struct el_position *);

/* Goes to a step of the film, or returns its last one; step 0 until there is a film. */
void teach_go(struct model *, size_t step);
size_t teach_last(const struct model *);
/* Gives the move to the side for which the step decides something, if it is one side only. */
void teach_turn(struct model *);
/* The squares of the board that a step decides, for the side to move. */
uint64_t teach_news(const struct model *, size_t step);

/* Plays the steps up to this one in turn; jumps if it lies before the current one. */
void teach_run_to(struct model *, size_t step);
/* Jumps to the target of teach_run_to. */
void teach_finish(struct model *);

/* ---- teach_line.c: members of teach_view ---- */

extern const struct verb teach_verbs[];
void teach_lines(const struct model *, FILE *out);
bool teach_line(struct model *, const char *text);
void teach_words(const struct model *, const char *text, struct words *);

/* ---- teach_words.c ---- */

/* How a film finds values, in words: under each kind of value its steps count something else. */
struct teach_method {
	const char *step;    /* what a step is called: "pass" */
	const char *heading; /* over what it decides: "this pass" */
	const char *last;    /* the last step */
	const char *rest;    /* what that decides, in the histogram */
			     /* around a number: "pass", "decides it at the latest" */
	const char *before, *behind;
	const char *by;   /* before the number of a value: "in" */
	const char *draw; /* why a position is a draw */
	const char *end;  /* why the last step decides the rest */
	bool in_stones;   /* steps are thresholds */
};
const struct teach_method *teach_method(const struct el_film *);

enum { TEACH_TEXT = 384 };
/* "WIN in 5", "draws" */
void teach_step_name(const struct el_film *, size_t step, char out[32]);
/* "pass 5 of 32", "before pass 1" */
void teach_place_name(const struct el_film *, size_t step, char out[48]);
/* Why the position at the cursor has its value after the current step. */
void teach_why(const struct model *, char out[TEACH_TEXT]);
/* The mark for a value on a square; `wide`: there is room for more than a letter. */
struct square_mark;
void teach_mark(const struct model *, const struct el_film_value *, bool wide,
                struct square_mark *out);

/* The meaning of the marks, in one line. */
const char *teach_legend(const struct model *);

/* ---- teach_rules.c ---- */

/* What the current step did, in one sentence. */
void teach_rule(const struct model *, char out[TEACH_TEXT]);
/* "zeroing move": which moves end the count. */
const char *teach_ending(const struct el_metric *);

/* ---- teach_algorithm.c ---- */

enum { ALGORITHM_ROWS = 7 };
struct pane;
/* The loop as pseudocode, with the step's line highlighted and the sizes of the sets. */
void teach_draw_algorithm(const struct model *, struct pane);

/* ---- teach_boards.c ---- */

/* The width of the board of boards in a pane of that size. */
int teach_boards_cols(const struct el_game *, int rows, int cols);
void teach_draw_boards(const struct model *, struct pane);
/* How many of its positions the step decides. */
unsigned teach_boards_news(const struct model *);

/* ---- teach_screen.c ---- */

void teach_draw(const struct model *, struct pane);

#endif
