/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Metrics: one position under every metric of its game, and two players who know
 * different ones.
 *
 *     metrics.c           the view: keys, lines
 *     metrics_moves.c     what each metric says of a position and its moves
 *     metrics_race.c      the two players
 *     metrics_screen.c    drawing
 */
#ifndef TUI_VIEWS_METRICS_METRICS_H
#define TUI_VIEWS_METRICS_METRICS_H

#include "tui/shell/autoplay.h"
#include "tui/shell/shell.h"

/* A legal move and what it is worth for its mover. */
struct metrics_move {
	struct el_move move;
	char san[EL_MOVE_MAX];
	struct el_value value[EL_METRICS]; /* by el_metric_rank; of the game's metrics */
};

/* What a metric says of the position. */
struct metrics_row {
	const struct el_metric *metric;
	bool known;            /* its film is there: the following is set */
	struct el_value value; /* without the phase of one that has it */
	size_t count;          /* its best moves */
	/* The worst and the best that these are worth under each metric; not under one that is a
	   phase alone, which depends on the clock. */
	struct el_value worst[EL_METRICS], best[EL_METRICS];
	size_t values; /* different ones that a table of the slice stores; 0: not counted */
};

struct metrics_table {
	struct metrics_row row[EL_METRICS];
	size_t rows;
	struct metrics_move moves[EL_MOVES_MAX]; /* in the order of their names */
	size_t move_count;
};

/* How a player of the won side chooses. */
enum race_rule {
	RACE_OUTCOME, /* knows who wins and no more: every move that keeps the win is as good; takes
	                 the first of them by name */
	RACE_DEPTH,   /* knows the depth: takes a shortest way, of equal ones the first by name */
	RACE_RULES,
};

enum { RACE_TURNS = 100 };

/* A move of the player, and the answer. */
struct race_turn {
	struct el_move move, answer;
	/* the answer empty: none, the game is over */
	char san[EL_MOVE_MAX], answer_san[EL_MOVE_MAX];
	struct el_position after; /* both */
	unsigned left;            /* plies to the end of the game */
};

struct racer {
	enum race_rule rule;
	struct race_turn turn[RACE_TURNS];
	size_t count; /* turns that are known */
	bool over;    /* the last one ended the game */
	bool circles; /* the last one led to the position after turn `again` (0: the first one) */
	size_t again;
};

struct metrics {
	const struct el_game *game; /* null: no position yet */
	struct el_position position;
	struct el_slice slice;      /* of the position */
	struct el_position offered; /* that was studied when Metrics was last opened */
	bool was_offered;
	bool drawing; /* a won position of the slice is wanted */
	bool known;   /* the table is that of the position */
	struct metrics_table table;
	size_t at;   /* the row that is explained */
	bool racing; /* the players are shown rather than the table */
	struct racer racer[RACE_RULES];
	size_t turns;         /* that are shown */
	size_t wanted;        /* turns asked for; more than `turns` while a film is made */
	enum race_rule board; /* whose position the board shows */
	struct autoplay autoplay;
	bool flipped;
};

extern const struct state metrics_state;
struct metrics *metrics_of(const struct model *);

/* ---- values and players: know no screen ---- */

/* What the films say that are there, under the rule of so many moves. False as long as one is not,
   which is then asked for. */
bool metrics_find(struct model *, const struct el_slice *, const struct el_position *,
                  unsigned rule, struct metrics_table *out);
/* Is the move one of the best by the metric of a row that is known? */
bool metrics_is_best(const struct metrics_row *, const struct metrics_move *);
void racer_begin(struct racer *, enum race_rule);
/* Can it go on? */
bool racer_is_done(const struct racer *);
/* One turn from the last position, at first `start`, which is won. False as long as a film is not
   there. */
bool racer_go(struct racer *, struct model *, const struct el_game *,
              const struct el_position *start);
/* Turn number `i`, from 0; in a circle it comes again and again. Null when it is not known, or when
   the game was over before. */
const struct race_turn *racer_turn(const struct racer *, size_t i);
/* The position after so many turns, or after all there are. */
const struct el_position *racer_position(const struct racer *, const struct el_position *start,
                                         size_t turns);

/* ---- shared by the view and its drawing ---- */

void metrics_draw(const struct model *, struct pane);
/* Why there are no players; null when there are. */
const char *metrics_no_race(const struct model *);

#endif
