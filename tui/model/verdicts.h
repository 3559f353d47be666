/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each move of the game on the board was worth. Tables are asked on a worker, a few moves at a
 * time, so that nothing else waits for it; the verdict on a move is there once those on the moves
 * before are.
 */
#ifndef TUI_MODEL_VERDICTS_H
#define TUI_MODEL_VERDICTS_H

#include "core/tree/tree.h"
#include "job.h"

struct verdicts {
	struct el_move_verdict *list; /* owned: by node */
	uint32_t known, room;         /* those of the first `known` nodes are there */
	struct question ask;          /* for those that follow */
	struct el_judge *judge;       /* owned; null: it is at work, or was never needed */
	unsigned tables;              /* model.tables_version that they are of */
};

/* Null as long as it is not there. */
const struct el_move_verdict *verdict_of(const struct model *, uint32_t node);
/* Are there more to come? */
bool verdicts_are_open(const struct model *);
/* Another game, rule or metric: none is known. */
void verdicts_forget(struct model *);
/* Asks for the next ones, unless the worker has something else to do; after every update. */
void verdicts_ask(struct model *);
void verdicts_free(struct verdicts *);

/* The nearest mistake on the line that is shown, ahead (by = 1) or behind (-1): a place in the
   line; 0: there is none that is known of. */
size_t verdicts_mistake(const struct model *, int by);

#endif
