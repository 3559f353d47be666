/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A walk through a game: its tree, the line that the arrows follow, and the node shown. The line
 * runs from the root through that node to a leaf; entering another variation changes it.
 *
 *     walk_open or walk_take -> walk_play, walk_to, walk_promote ... -> walk_free
 */
#ifndef TUI_MODEL_WALK_H
#define TUI_MODEL_WALK_H

#include "core/tree/tree.h"

struct walk {
	struct el_tree *tree; /* owned */
	uint32_t *line;       /* owned: nodes, the root first; there is room for the whole tree */
	size_t length;        /* of the line */
	size_t at;            /* the place of the node shown: plies from the root */
	char *file;           /* owned: where it was read or saved; null: nowhere */
	size_t number;        /* of the game in the file or the paste, from 1 */
	unsigned paste;       /* the paste it was in (games.h); 0: none */
	/* changed since it was read or saved */
	bool edited;
};

/* Begins a game without moves. EL_MEMORY is the only error. */
enum el_status walk_open(struct walk *, const struct el_game *, const struct el_position *,
                         struct el_error *);
/* Begins with a game that was read; takes the tree over in any case. EL_MEMORY. */
enum el_status walk_take(struct walk *, struct el_tree *, struct el_error *);
/* May be called on a zeroed walk. */
void walk_free(struct walk *);
/* Names its file; null: none. On EL_MEMORY it has none. */
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
/* Shows a node; the line stays if it contains the node. */
void walk_to(struct walk *, uint32_t node);
/* Plays a legal move and shows the result. Errors as el_tree_add. */
enum el_status walk_play(struct walk *, const struct el_move *, struct el_error *);
/* The nearest node of the line with siblings, from the node shown backwards; the root if there is
   none. */
uint32_t walk_fork(const struct walk *);
/* Its next sibling (by = 1) or the one before (-1), wrapping around. */
uint32_t walk_sibling(const struct walk *, uint32_t node, int by);
/* Moves the variation of the node shown ahead of its siblings. False: it is in the main line. */
bool walk_promote(struct walk *);
/* Deletes the node shown, which is not the root, with all that follows, and shows its parent. */
void walk_delete(struct walk *);
/* The number of nodes that walk_delete removes. */
size_t walk_count_from(const struct walk *);

/* A node's place in the order of writing: the root is 0, and a first child and all its descendants
   come before its siblings. Writing and reading a tree keeps the order. */
size_t walk_place(const struct walk *, uint32_t node);
/* Shows the node at that place, or the root if there is none. */
void walk_to_place(struct walk *, size_t place);
bool walk_equal(const struct walk *, const struct walk *);

#endif
