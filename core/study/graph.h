/* SPDX-License-Identifier: MIT */
/*
 * The frames of a study as a graph: which move leads from which frame to which, and what that is worth.
 *
 *     el_graph_open -> el_graph_look, frame by frame -> el_graph_close
 *
 * It is read from a study's file. Only the frame looked at and those beside it have their values
 * decoded, so a large study takes no longer than a small one to look at.
 */
#ifndef CORE_STUDY_GRAPH_H
#define CORE_STUDY_GRAPH_H

#include "core/games/game.h"

struct el_graph;

/* Positions by their outcome for one side (enum el_outcome), which may be within bounds. */
struct el_graph_count {
	uint64_t of[EL_OUTCOMES];
};

static inline uint64_t el_graph_all(const struct el_graph_count *c)
{
	uint64_t all = 0;
	for (unsigned o = 0; o < EL_OUTCOMES; o++)
		all += c->of[o];
	return all;
}

/* A kind of move between the frame looked at and another. A promotion names what is chosen. */
struct el_graph_step {
	char name[EL_MOVE_MAX]; /* "a5", "bxa5", "Kxb4", "b8=Q" */
	uint8_t side;           /* that makes the move */
	/* A promotion of which the study follows no kind: nothing can be looked at behind it. */
	bool is_open;
	bool is_legal; /* can be made in the position looked at */
	/* The positions that the move leads to from the whole frame, by the outcome for its side. */
	struct el_graph_count count;
	/* Of these, one with the pieces where they are in the position looked at, or nearly so. Of a
	   move that leads here: one that it is made in. */
	struct el_position position;
	uint64_t standing[2]; /* squares of the pieces that stand in the other frame, by side */
	/* How many frames of the study may still follow, the one entered included: at most, since not
	   every move can be made everywhere. */
	size_t below;
};

/* What there is around one frame. */
struct el_graph_view {
	struct el_graph_count count[2]; /* its positions that the study reaches, by side to move */
	uint64_t standing[2];           /* squares of the pieces that stand, by side */
	bool is_root;                   /* the frame is that of the study's root */
	size_t frames, below;           /* of the study; how many of them may follow at most */
	/* By side, in the game's order. Of `before` no counts are made. Both owned. */
	struct el_graph_step *after, *before;
	size_t after_count, before_count;
};

/* EL_DAMAGED, EL_OUTDATED, EL_UNREADABLE, EL_IO, EL_MEMORY. */
enum el_status el_graph_open(const char *path, struct el_graph **out, struct el_error *);
void el_graph_close(struct el_graph *); /* null is allowed */
const struct el_position *el_graph_root(const struct el_graph *);
/* EL_NEGATIVE: the study does not reach the position. Free *out with el_graph_view_free in any case. */
enum el_status el_graph_look(struct el_graph *, const struct el_position *, const struct el_watch *,
                             struct el_graph_view *out, struct el_error *);
void el_graph_view_free(struct el_graph_view *);

#endif
