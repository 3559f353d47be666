/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each move of the game on the board was worth. A worker probes the tables a few moves at a
 * time, so that nothing else waits for it; the verdict on a move follows those on the moves before
 * it.
 */
#ifndef TUI_MODEL_VERDICTS_H
#define TUI_MODEL_VERDICTS_H

#include "core/tree/tree.h"
#include "job.h"

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

#endif
