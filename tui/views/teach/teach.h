/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Teach: a film of retrograde analysis, and a board as a window on its table. */
#ifndef TUI_VIEWS_TEACH_TEACH_H
#define TUI_VIEWS_TEACH_TEACH_H

#include "tui/shell/autoplay.h"
#include "tui/shell/overlay.h"
#include "tui/shell/shell.h"

/* What the board shows: a position, which of its pieces is tried on every square, and where the
   cursor is. */
struct window {
	struct el_position position;
	uint8_t free, cursor; /* squares */
};

enum { TRAIL_MAX = 64 };

/* What stands at the right, below the numbers. */
enum teach_panel { TEACH_ALGORITHM, TEACH_CLASSIC, TEACH_HISTOGRAM, TEACH_PANELS };

struct teach {
	const struct el_game *game;
	bool wanted; /* the film below is */
	struct el_film_wish wish;
	struct window window;
	size_t step;       /* of the film */
	uint64_t explored; /* the slice that Explore had when it was last looked at */
	uint8_t held;      /* a fixed piece that was taken up; EL_NO_SQUARE */
	bool comparing;    /* both sides to move, on two boards */
	enum teach_panel panel;
	unsigned rule; /* moves of the metrics that have one; 0: those of the model */
	struct autoplay play;
	size_t until;                      /* the step that teach_run_to is on its way to */
	char pending[32];                  /* "pass 4": a line that waits for the film */
	struct window trail[TRAIL_MAX];    /* where reasons were followed from */
	char said[TRAIL_MAX][EL_MOVE_MAX]; /* and by which move */
	unsigned trail_count;
};

/* ---- teach_state.c ---- */

extern const struct state teach_state;
struct teach *teach_of(const struct model *);
/* Shows another position; films its slice when that is another one. False when it is of no slice,
   which is said. */
bool teach_set(struct model *, const struct el_game *, const struct el_position *);
/* The film, once it is made; null before. */
const struct el_film *teach_film(const struct model *);
/* Why it is not made; empty while it may be. */
const char *teach_refusal(const struct model *);
/* The free piece where the cursor is; the window's position where that is not legal. */
struct el_position teach_position(const struct model *);
/* The side of the slice that is White: the window may have the colours the other way round. */
unsigned teach_side_of(const struct model *, unsigned side);

/* The same for some position of the slice of that name; false when it is no slice's name. */
bool teach_set_slice(struct model *, const char *name);
/* view.facts: the values at the film's end of the free piece on every square. */
bool teach_facts(const struct model *, struct board_facts *);
/* Lets go of a piece that is taken up. */
void teach_set_window(struct teach *, const struct window *);
/* Another film, from its beginning. */
void teach_film_again(struct model *, const struct el_film_wish *);
/* The film of the slice under a metric, with every table there. */
void teach_film_under(struct model *, const struct el_metric *);
/* Does the position belong to the slice that is filmed? */
bool teach_is_filmed(const struct model *, const struct el_position *);

/* To a step of the film, or to its last one, which is step 0 as long as there is no film. */
void teach_go(struct model *, size_t step);
size_t teach_last(const struct model *);

/* The same by way of the steps between, one after the other; back at once. */
void teach_run_to(struct model *, size_t step);
/* To where teach_run_to leads, at once. */
void teach_finish(struct model *);

/* ---- teach_line.c: members of teach_view ---- */

extern const struct verb teach_verbs[];
bool teach_line(struct model *, const char *text);
void teach_words(const struct model *, const char *text, struct words *);

/* ---- teach_words.c ---- */

enum { TEACH_TEXT = 384 };
/* "WIN in 5", "draws" */
void teach_step_name(const struct el_film *, size_t step, char out[32]);
/* "pass 5 of 32", "before pass 1" */
void teach_place_name(const struct el_film *, size_t step, char out[48]);
/* Why the position with the free piece on a square is worth what it is worth after the step. */
void teach_why(const struct model *, char out[TEACH_TEXT]);
/* The mark of a value in a square of a board, `wide` where there is room for more than a letter. */
struct square_mark;
void teach_mark(const struct model *, const struct el_film_value *, bool wide,
                struct square_mark *out);

/* What the marks mean, in a line. */
const char *teach_legend(const struct model *);

/* ---- teach_rules.c ---- */

/* What the step did, in a sentence. */
void teach_rule(const struct model *, char out[TEACH_TEXT]);
/* "zeroing move": which moves end the count. */
const char *teach_ending(const struct el_metric *);

/* ---- teach_algorithm.c ---- */

enum { ALGORITHM_ROWS = 7 };
struct pane;
/* The loop as pseudo-code, the line of the step lit, the sets with their sizes. */
void teach_draw_algorithm(const struct model *, struct pane);

/* ---- teach_screen.c ---- */

void teach_draw(const struct model *, struct pane);

#endif
