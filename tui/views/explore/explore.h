/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Explore: how a game and its current position are shown. */
#ifndef TUI_VIEWS_EXPLORE_EXPLORE_H
#define TUI_VIEWS_EXPLORE_EXPLORE_H

#include "tui/shell/autoplay.h"
#include "tui/shell/overlay.h"
#include "tui/shell/picker.h"

/* What is shown beside the board, below the value. */
enum panel {
	PANEL_MOVES,
	PANEL_METRIC,   /* what the metric counts */
	PANEL_SOURCES,  /* what each table says */
	PANEL_ZUGZWANG, /* the value with the other side to move */
	PANEL_CURVE,    /* the value after each move of the line */
	PANEL_FORTRESS, /* where the defender stays */
};

struct explore {
	struct list moves; /* of the study, best first */
	struct picker picker;
	struct autoplay play;   /* of the optimal line */
	struct autoplay sowing; /* of the selected move, where stones are sown */
	unsigned stage;         /* the stage shown; 0: the board as it is */
	int sown;               /* the row of that move */
	unsigned seen;          /* play.changes when last checked */
	unsigned hurried;       /* best moves asked for before they were known */
	bool goes_on;           /* the change to come is a best move: more may follow */
	unsigned games;         /* play.games then */
	uint32_t nodes;         /* the game's number of nodes then */
	bool chosen;            /* a row of `moves` has been selected since */
	enum panel panel;
	bool sheet; /* the game's moves are shown above the position's */
};

/* ---- explore.c ---- */

extern const struct state explore_state;
struct explore *explore_of(const struct model *);
/* Where everything goes on this screen. */
struct layout explore_layout(const struct model *);
/* The moves to pick from; the result uses the array `room`. */
struct picker_moves explore_moves(const struct model *, struct el_move room[EL_MOVES_MAX]);

/* ---- explore_screen.c ---- */

void explore_next_second(struct model *);
const char *explore_no_second(const struct model *);
/* Counts the depths shown on screen. */
void explore_count_shown(struct model *);
void explore_draw(const struct model *, struct pane);

/* ---- explore_sow.c: a sowing move, stage by stage ---- */

/* Starts showing the selected move stage by stage, or shows the next stage. */
void explore_sow(struct model *);
const char *explore_no_sowing(const struct model *);
/* Shows the board as it is. */
void explore_stop_sowing(struct model *);
/* Advance when a stage is due; the milliseconds until the next one, or -1 if none follows. */
void explore_sow_tick(struct model *);
int explore_sow_wait(const struct model *);
/* What the board shows of the sowing; false, with both untouched, if nothing. */
bool explore_sown(const struct model *, struct el_position *made, uint64_t *last);

/* ---- explore_panels.c: what can replace the list of moves ---- */

void explore_open_example(struct model *);
void explore_draw_explanation(const struct model *, struct pane);
const char *explore_no_sources(const struct model *);
void explore_draw_sources(const struct model *, struct pane);
/* In one row: the table that answers, and whether others agree with or contradict it. */
void explore_draw_source(const struct model *, struct pane);
const char *explore_no_zugzwang(const struct model *);
void explore_draw_zugzwang(const struct model *, struct pane);

/* ---- explore_game.c: the game's moves, variations, mistakes and files ---- */

/* Updates the view after a change of position, which may belong to another game or begin a
   variation. */
void explore_follow_game(struct model *);
/* "game.pgn 3/17  " if the game is from a file, else nothing. */
void explore_game_name(const struct model *, char *out, size_t size);
/* The row selected first: the game's next move if no table ranks the moves, else the best move. */
int explore_first_choice(const struct model *);
void explore_to_mistake(struct model *, int by);
const char *explore_no_mistake(const struct model *, int by);
void explore_toggle_sheet(struct model *);
void explore_to_variation(struct model *, int by);
const char *explore_no_variation(const struct model *);
void explore_promote(struct model *);
const char *explore_no_promotion(const struct model *);
void explore_ask_to_delete(struct model *);
const char *explore_no_deletion(const struct model *);
void explore_ask_comment(struct model *);
const char *explore_no_comment(const struct model *);
void explore_copy(struct model *);
void explore_to_game(struct model *, int by);
const char *explore_no_game(const struct model *, int by);
void explore_type_open(struct model *, const char *rest);
void explore_type_save(struct model *, const char *rest);
void explore_type_append(struct model *, const char *rest);
void explore_type_comment(struct model *, const char *rest);
void explore_type_delete(struct model *, const char *rest);

/* ---- explore_curve.c ---- */

const char *explore_no_curve(const struct model *);
void explore_draw_curve(const struct model *, struct pane);

/* ---- explore_fortress.c ---- */

const char *explore_no_fortress(const struct model *);
/* `list`: of the position's moves. */
void explore_draw_fortress(const struct model *, const struct list *list, struct pane);
/* Marks the region once it is found. */
void explore_mark_region(const struct model *, struct square_mark marks[MAP_SQUARES]);

/* ---- explore_sheet.c ---- */

/* The game's moves around the current one, with their verdicts. */
void explore_draw_sheet(const struct model *, struct pane);
/* What the game says of its first position. */
void explore_caption(const struct model *, char *out, size_t size);
/* In one row: the last move's value and its place in the game. */
void explore_draw_last(const struct model *, struct pane);

#endif
