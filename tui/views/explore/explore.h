/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Explore: a line of positions, and what is known of the one shown. */
#ifndef ENDLAB_TUI_VIEWS_EXPLORE_H
#define ENDLAB_TUI_VIEWS_EXPLORE_H

#include "../../text/values.h"
#include "../../shell/view.h"
#include "../../shell/picker.h"

#include "endlab/build.h"

/* A position of the line played, and the move that led to it. */
struct node {
	struct el_position position;
	struct el_move move;       /* not in the first node */
	char san[EL_MOVE_MAX];
	struct quality quality;    /* of the move; its metric is null where it is not known */
};

enum { LINE_MAX_MOVES = 64 };

/* The optimal line in words, from the position shown. */
struct best_line {
	char san[LINE_MAX_MOVES][EL_MOVE_MAX];
	size_t count;
	bool more; /* it goes on */
};

/* What is known of one position, gathered by a job. */
struct study {
	struct el_answer answer;
	struct el_error damage;  /* of a file; status EL_OK: none */
	char source[360];        /* "KQvKR.dtm.egt  zstd:9 16K"; empty when no table answered */
	const struct el_metric *metric; /* of the source; null where there is none */
	char missing[256];       /* the tables that a build would make, "KRvKP KRvK"; empty: none */
	unsigned missing_count;
	uint64_t missing_bytes;  /* of memory, at the peak of that build */
};

struct explore {
	const struct el_game *game;
	struct node *nodes;        /* owned; at least one */
	size_t count, capacity, at;
	struct study *study;       /* owned; null until the answer to nodes[at] is there */
	struct best_line line;
	struct question ask_study, ask_line;
	struct list moves;         /* the moves of the study, best first */
	struct picker picker;      /* its cursor is the square that Set up and Map are at, too */
	bool flipped;
	struct autoplay play;      /* of the optimal line */
};

/* Starts a new line. False when memory is out (which is said). */
bool explore_set(struct model *, const struct el_game *, const struct el_position *);
/* Plays a legal move; what was played after this position is kept when it is the same move. */
void explore_play(struct model *, const struct el_move *);
const struct el_position *explore_position(const struct model *);
/* Asks for what is not known yet; called after every update. */
void explore_ask(struct model *);
/* What is known may have changed. */
void explore_forget(struct model *);
/* What a move is picked from; `room` is for the list in it. */
struct picker_moves explore_moves(const struct model *, struct el_move room[EL_MOVES_MAX]);
/* Back to Explore, as it was. */
void explore_show(struct model *);
/* Is the value known, rather than bounds of it? */
bool study_is_exact(const struct study *);
/* What the move to this node was worth, found among the moves of the position before it. */
void node_judge(struct node *, const struct el_answer *before);

#endif
