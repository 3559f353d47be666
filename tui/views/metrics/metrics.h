/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of Metrics: one position under every metric of its game, and two players who each know
 * a different one.
 *
 *     metrics.c           the view: keys, lines
 *     metrics_moves.c     the values of a position and its moves
 *     metrics_race.c      the two players
 *     metrics_screen.c    drawing
 */
#ifndef TUI_VIEWS_METRICS_METRICS_H
#define TUI_VIEWS_METRICS_METRICS_H

#include "tui/shell/autoplay.h"
#include "tui/shell/shell.h"

/* A legal move and its values for the mover. */
struct metrics_move {
	struct el_move move;
	char san[EL_MOVE_MAX];
	struct el_value value[EL_METRICS]; /* of the game's metrics, by el_metric_rank */
};

/* The position under one metric. */
struct metrics_row {
	const struct el_metric *metric;
	bool known;            /* its film is ready: the fields below are set */
	struct el_value value; /* any phase left out */
	size_t count;          /* its best moves */
	/* The worst and the best value of these moves under each metric. Not set for a metric that
	   is a phase alone, since that depends on the clock. */
	struct el_value worst[EL_METRICS], best[EL_METRICS];
	size_t values; /* distinct values in a table of the slice; 0: not counted */
};

struct metrics_table {
	struct metrics_row row[EL_METRICS];
	size_t rows;
	struct metrics_move moves[EL_MOVES_MAX]; /* sorted by name */
	size_t move_count;
};

/* How the player with the won position chooses a move. */
enum race_rule {
	RACE_OUTCOME, /* knows only the outcome: plays the first move by name that keeps the win */
	RACE_DEPTH,   /* knows the depth: plays a shortest win, the first by name among equals */
	RACE_RULES,
};

enum { RACE_TURNS = 100 };

/* A move of the player, and the answer. */
struct race_turn {
	struct el_move move, answer;
	/* no answer (empty): the game is over */
	char san[EL_MOVE_MAX], answer_san[EL_MOVE_MAX];
	struct el_position after; /* both moves */
	unsigned left;            /* plies to the end of the game */
};

struct racer {
	enum race_rule rule;
	struct race_turn turn[RACE_TURNS];
	size_t count; /* turns known so far */
	bool over;    /* the last one ended the game */
	bool circles; /* the last one led back to the position after turn `again` (0: the start) */
	size_t again;
};

struct metrics {
	const struct el_game *game; /* null: no position yet */
	struct el_position position;
	struct el_slice slice;      /* of the position */
	struct el_position offered; /* the one studied when Metrics was last opened */
	bool was_offered;
	bool drawing; /* a won position of the slice is being sought */
	bool known;   /* the table belongs to the position */
	struct metrics_table table;
	size_t at;   /* the row explained */
	bool racing; /* the players are shown, not the table */
	struct racer racer[RACE_RULES];
	size_t turns;         /* turns shown */
	size_t wanted;        /* turns asked for; more than `turns` while a film is being made */
	enum race_rule board; /* whose position the board shows */
	struct autoplay autoplay;
	bool flipped;
};

extern const struct state metrics_state;
struct metrics *metrics_of(const struct model *);

/* ---- values and players: independent of the screen ---- */

/* Fills `out` from the films, under a rule of that many moves. Returns false, and asks for the
   film, while one is missing. */
bool metrics_find(struct model *, const struct el_slice *, const struct el_position *,
                  unsigned rule, struct metrics_table *out);
/* Is the move among the best by the metric of this row, which must be known? */
bool metrics_is_best(const struct metrics_row *, const struct metrics_move *);
void racer_begin(struct racer *, enum race_rule);
/* Has the race ended: game over, a cycle, or RACE_TURNS played? */
bool racer_is_done(const struct racer *);
/* Plays one turn from the last position (initially `start`, which must be won). Returns false while
   a film is missing. */
bool racer_go(struct racer *, struct model *, const struct el_game *,
              const struct el_position *start);
/* Turn `i`, from 0; turns of a cycle repeat for ever. Null if it is not known, or the game ended
   before it. */
const struct race_turn *racer_turn(const struct racer *, size_t i);
/* The position after that many turns, or after the last one known. */
const struct el_position *racer_position(const struct racer *, const struct el_position *start,
                                         size_t turns);

/* ---- shared by the view and its drawing ---- */

void metrics_draw(const struct model *, struct pane);
/* Why the players cannot race; null if they can. */
const char *metrics_no_race(const struct model *);

#endif
