/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The game on the board: a walk through it, and what is known of the position shown and of the
 * moves. Previous games are kept and can be taken up again.
 */
#ifndef TUI_MODEL_PLAY_H
#define TUI_MODEL_PLAY_H

#include "core/probe/probe.h"
#include "core/tree/tree.h"
#include "job.h"
#include "tui/text/text.h"
#include "walk.h"

/* ---- verdicts.c ---- */

/*
 * What each move of the game on the board was worth. A worker probes the tables a few moves at a
 * time, so that nothing else waits for it; the verdict on a move follows those on the moves before
 * it.
 */
struct verdicts {
	struct el_move_verdict *list; /* owned: by node */
	uint32_t known, room;         /* the first `known` nodes have verdicts */
	struct question ask;          /* for the next ones */
	struct el_judge *judge;       /* owned; null: in use by a job, or never needed */
	unsigned tables;              /* model.tables_version when they were made */
};

/* Null until it is known. */
const struct el_move_verdict *verdict_of(const struct model *, uint32_t node);
/* Are more to come? */
bool verdicts_are_open(const struct model *);
/* Forgets all, for another game, rule or metric. */
void verdicts_forget(struct model *);
/* Requests the next ones unless the worker has other work; called after every update. */
void verdicts_ask(struct model *);
void verdicts_free(struct verdicts *);

/* The nearest known mistake on the line shown, ahead (by = 1) or behind (-1), as a place in the
   line; 0: none. */
size_t verdicts_mistake(const struct model *, int by);

/* ---- needs.c ---- */

/* Tables that an opened game lacks and that this machine can make. */
struct needs {
	struct el_slice *slices; /* owned */
	size_t count;
	unsigned half_moves; /* of its main line, in these slices */
	char cost[PLAN_SUMMARY_MAX];
	struct question ask;
	unsigned tables; /* model.tables_version when they were looked for */
};

/* Looks what the game's main line lacks, says so, and shows its first position that tables know or
   could know. */
void needs_look(struct model *);
void needs_forget(struct model *);
/* Looks again if there are other tables than then. */
void needs_ask(struct model *);

/* ---- play.c ---- */

enum { GAMES_KEPT = 64 };

enum { LINE_MAX_MOVES = 64 };

/* The optimal line from the position shown, as text. */
struct best_line {
	char san[LINE_MAX_MOVES][EL_MOVE_MAX];
	size_t count;
	bool more;              /* the line continues */
	char end[LINE_END_MAX]; /* why it ends, unless obvious */
};

/* What a job found out about one position. */
struct study {
	struct el_answer answer;
	/* with the other side to move; only a reason if that is illegal */
	struct el_answer other;
	struct el_opinions opinions; /* owned: what each table says */
	struct el_error damage;      /* a damaged file; status EL_OK: none */
	char missing[256]; /* the tables that a build would make, "KRvKP KRvK"; empty: none */
	unsigned missing_count;
	char missing_cost[PLAN_COST_MAX]; /* of that build */
	char too_large[128];              /* why this machine cannot make them; empty: it can */
	/* no table can be built, or none worth its time, but the position can be solved by itself */
	bool solves;
	char refusal
		[REFUSAL_MAX]; /* why it cannot be solved: a sentence; empty: it can, or need not be */
};

struct play_state {
	struct walk walk;
	struct walk kept[GAMES_KEPT]; /* the most recent first */
	size_t kept_count;
	unsigned changes;         /* grows whenever the position shown changes */
	unsigned games;           /* grows whenever the game changes */
	struct verdicts verdicts; /* on the moves of `walk` */
	struct needs needs;       /* of its main line, if it was opened */
	struct study *study;      /* owned; null until the position shown is answered */
	struct best_line best;
	struct question ask_study, ask_best, ask_elsewhere;
};

/* Begins a game and keeps the previous one. Without memory says so and returns false. */
bool play_set(struct model *, const struct el_game *, const struct el_position *);
/* The same with a walk, which it takes over. */
void play_take(struct model *, struct walk *);
/* Plays a legal move; one not played from here before begins a variation. */
void play_move(struct model *, const struct el_move *);
/* Shows another position of the line; at < walk.length. */
void play_go(struct model *, size_t at);
/* Shows a node of the game. */
void play_go_to(struct model *, uint32_t node);
/* Deletes the last move, which must exist, and all that follows. */
void play_delete(struct model *);
/* Takes up the kept game left last (by = 1) or first (-1), which must exist. The current game is
   kept at the other end, so that repeating cycles through all. */
void play_other_game(struct model *, int by);
/* Keeps a game as the oldest, and takes it over, if there is room and no equal game. */
void play_keep(struct model *, struct walk *);
/* Drops the oldest kept game, which must exist. */
void play_forget_oldest(struct model *);
const struct el_game *play_game(const struct model *);
const struct el_position *play_position(const struct model *);
/* Puts a rule of `moves` moves in force, or none (0). A metric that depends on a rule follows
   it. */
void play_set_rule(struct model *, unsigned moves);
/* Asks again under the model's rule and metric; what is known stays on the screen meanwhile. */
void play_ask_again(struct model *);
/* Are the values exact, rather than bounds? */
bool study_is_exact(const struct study *);
/* Requests what is not known yet; called after every update. */
void play_ask(struct model *);
void play_free(struct play_state *);

#endif
