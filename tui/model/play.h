/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The game on the board: a walk through it, and what is known of the position shown and of the
 * moves. Games that were left for others are kept and can be taken up again.
 */
#ifndef TUI_MODEL_PLAY_H
#define TUI_MODEL_PLAY_H

#include "core/probe/probe.h"
#include "job.h"
#include "tui/text/text.h"
#include "verdicts.h"
#include "walk.h"

enum { GAMES_KEPT = 64 };

enum { LINE_MAX_MOVES = 64 };

/* The optimal line in words, from the position shown. */
struct best_line {
	char san[LINE_MAX_MOVES][EL_MOVE_MAX];
	size_t count;
	bool more;              /* it goes on */
	char end[LINE_END_MAX]; /* why it ends, where that is not plain */
};

/* What is known of one position, gathered by a job. */
struct study {
	struct el_answer answer;
	/* with the other side to move: nothing but a reason where that is not legal */
	struct el_answer other;
	struct el_opinions opinions; /* owned: what each table says */
	struct el_error damage;      /* of a file; status EL_OK: none */
	char missing[256]; /* the tables that a build would make, "KRvKP KRvK"; empty: none */
	unsigned missing_count;
	char missing_cost[PLAN_COST_MAX]; /* of that build */
	char too_large[128];              /* why this machine cannot make them; empty: it can */
};

struct play_state {
	struct walk walk;
	struct walk kept[GAMES_KEPT]; /* the one left last comes first */
	size_t kept_count;
	unsigned changes;         /* grows whenever another position is shown */
	unsigned games;           /* grows whenever another game is */
	struct verdicts verdicts; /* on the moves of `walk` */
	struct study *study;      /* owned; null until the answer to the position shown is there */
	struct best_line best;
	struct question ask_study, ask_best;
};

/* Begins a game, and keeps the one that is left. False when memory is out (which is said). */
bool play_set(struct model *, const struct el_game *, const struct el_position *);
/* The same with a walk that is taken over. */
void play_take(struct model *, struct walk *);
/* Plays a legal move: where it is not the one that was played from here, a variation begins. */
void play_move(struct model *, const struct el_move *);
/* Shows another position of the line; at < walk.length. */
void play_go(struct model *, size_t at);
/* Shows a node of the game. */
void play_go_to(struct model *, uint32_t node);
/* Puts the variation that is shown before those beside it. False: it is in the main line. */
bool play_promote(struct model *);
/* Deletes the last move, which there is, and all that follows. */
void play_delete(struct model *);
/* Takes up the game that was left last (by = 1), or the one left first (-1); there is one. The game
   that is left for it is kept at the other end, so that one comes round to it. */
void play_other_game(struct model *, int by);
/* Keeps a game behind all others, where there is room and none is equal; takes it over then. */
void play_keep(struct model *, struct walk *);
/* Drops the kept game that was left first; there is one. */
void play_forget_oldest(struct model *);
const struct el_game *play_game(const struct model *);
const struct el_position *play_position(const struct model *);
/* Puts a rule of so many moves in force, or none (0). A metric of a rule follows it. */
void play_set_rule(struct model *, unsigned moves);
/* Asks anew under the model's rule and metric; what is known stays on the screen meanwhile. */
void play_ask_again(struct model *);
/* What is known of it is exact, rather than bounds. */
bool study_is_exact(const struct study *);
/* Asks for what is not known yet; called after every update. */
void play_ask(struct model *);
void play_free(struct play_state *);

#endif
