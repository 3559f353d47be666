/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A walk through a game: its tree, and the line of it that the arrows follow, with the node that is
 * shown. The line goes from the root through that node to an end; it changes when another variation
 * is entered.
 *
 *     walk_open or walk_take -> walk_play, walk_to, walk_promote ... -> walk_free
 */
#ifndef TUI_MODEL_WALK_H
#define TUI_MODEL_WALK_H

#include "core/tree/tree.h"

struct walk {
	struct el_tree *tree; /* owned */
	uint32_t *line;       /* owned: nodes, the root first */
	size_t length, room;  /* of the line */
	size_t at;            /* the place in it of the node shown: plies from the root */
	char *file;           /* owned: where it was read or saved; null: nowhere */
	size_t number;        /* of the game in the file or the paste, from 1 */
	unsigned paste;       /* which paste it was in (games.h); 0: none */
	/* since it was read or saved: something in it is kept nowhere else */
	bool edited;
};

/* A game without moves. Only EL_MEMORY. */
enum el_status walk_open(struct walk *, const struct el_game *, const struct el_position *,
                         struct el_error *);
/* One that was read: the tree is taken over, whatever happens. EL_MEMORY. */
enum el_status walk_take(struct walk *, struct el_tree *, struct el_error *);
/* May be called on zeros. */
void walk_free(struct walk *);
/* Names the file that it is in; null: none. EL_MEMORY, and it is in none. */
enum el_status walk_set_file(struct walk *, const char *file, size_t number, struct el_error *);

static inline uint32_t walk_node(const struct walk *w)
{
	return w->line[w->at];
}
static inline const struct el_node *walk_shown(const struct walk *w)
{
	return el_tree_node(w->tree, walk_node(w));
}
/* The move that led to the node shown; null at the root. */
const struct el_move *walk_move(const struct walk *);
/* The position that it was played from; null at the root. */
const struct el_position *walk_before(const struct walk *);
bool walk_is_on_line(const struct walk *, uint32_t node);
/* Shows a node: the line stays where the node is on it. */
void walk_to(struct walk *, uint32_t node);
/* Plays a legal move, and shows where it leads. As el_tree_add. */
enum el_status walk_play(struct walk *, const struct el_move *, struct el_error *);
/* The nearest node of the line, from the one shown back, that has siblings; the root: none has. */
uint32_t walk_fork(const struct walk *);
/* The next of its siblings (by = 1), or the one before (-1), around. */
uint32_t walk_sibling(const struct walk *, uint32_t node, int by);
/* Puts the variation that the node shown is in before those beside it. False: it is in the main
   line. */
bool walk_promote(struct walk *);
/* Deletes the node shown, which is not the root, with all that follows, and shows the one
   before. */
void walk_delete(struct walk *);
/* Nodes that walk_delete takes. */
size_t walk_count_from(const struct walk *);

/* A node's place in the order of writing, its first child and what follows before what is beside
   it: the root's is 0. A tree that was written and read again has the same order. */
size_t walk_place(const struct walk *, uint32_t node);
/* Shows the node of that place, or the root where there is none. */
void walk_to_place(struct walk *, size_t place);
bool walk_equal(const struct walk *, const struct walk *);

#endif
