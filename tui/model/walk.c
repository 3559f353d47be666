/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "walk.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

/* ---- the line ---- */

/* Extends the line from its last node by first children. */
static void follow(struct walk *w)
{
	uint32_t child;
	while ((child = el_tree_node(w->tree, w->line[w->length - 1])->child) != EL_NO_NODE)
		w->line[w->length++] = child;
}

bool walk_is_on_line(const struct walk *w, uint32_t node)
{
	const uint32_t ply = el_tree_node(w->tree, node)->ply;
	return ply < w->length && w->line[ply] == node;
}

void walk_to(struct walk *w, uint32_t node)
{
	const uint32_t ply = el_tree_node(w->tree, node)->ply;
	uint32_t i = node;
	w->at = ply;
	if (walk_is_on_line(w, node))
		return;
	for (; !walk_is_on_line(w, i); i = el_tree_node(w->tree, i)->parent)
		w->line[el_tree_node(w->tree, i)->ply] = i;
	w->length = ply + 1;
	follow(w);
}

const struct el_move *walk_move(const struct walk *w)
{
	return w->at ? &walk_shown(w)->move : NULL;
}

const struct el_position *walk_before(const struct walk *w)
{
	return w->at ? &el_tree_node(w->tree, walk_shown(w)->parent)->position : NULL;
}

/* ---- life ---- */

enum el_status walk_take(struct walk *w, struct el_tree *tree, struct el_error *error)
{
	*w = (struct walk){.tree = tree};
	if (!array_grow(&w->line, 0, tree->node_count, sizeof *w->line)) {
		walk_free(w);
		return el_fail(error, EL_MEMORY, "a game: out of memory");
	}
	w->line[0] = EL_TREE_ROOT;
	w->length = 1;
	follow(w);
	return EL_OK;
}

enum el_status walk_open(struct walk *w, const struct el_game *game,
                         const struct el_position *position, struct el_error *error)
{
	struct el_tree *tree;
	enum el_status status = el_tree_open(game, position, &tree, error);
	return status ? status : walk_take(w, tree, error);
}

void walk_free(struct walk *w)
{
	el_tree_close(w->tree);
	free(w->line);
	free(w->file);
	*w = (struct walk){.tree = NULL};
}

enum el_status walk_set_file(struct walk *w, const char *file, size_t number,
                             struct el_error *error)
{
	char *copy = file ? strdup(file) : NULL;
	free(w->file);
	w->file = copy;
	w->number = number;
	return file && !copy ? el_fail(error, EL_MEMORY, "%s: out of memory", file) : EL_OK;
}

/* ---- moves and variations ---- */

enum el_status walk_play(struct walk *w, const struct el_move *move, struct el_error *error)
{
	const uint32_t count = w->tree->node_count;
	uint32_t node;
	if (!array_grow(&w->line, count, 1, sizeof *w->line))
		return el_fail(error, EL_MEMORY, "a move: out of memory");
	enum el_status status = el_tree_add(w->tree, walk_node(w), move, &node, error);
	if (status)
		return status;
	w->edited = w->edited || w->tree->node_count > count;
	walk_to(w, node);
	return EL_OK;
}

uint32_t walk_fork(const struct walk *w)
{
	size_t at = w->at;
	while (at > 0 && el_tree_node(w->tree, w->line[at])->next == EL_NO_NODE &&
	       el_tree_is_first(w->tree, w->line[at]))
		at--;
	return w->line[at];
}

uint32_t walk_sibling(const struct walk *w, uint32_t node, int by)
{
	const uint32_t first = el_tree_node(w->tree, el_tree_node(w->tree, node)->parent)->child;
	uint32_t before = first;
	if (by > 0) {
		const uint32_t next = el_tree_node(w->tree, node)->next;
		return next == EL_NO_NODE ? first : next;
	}
	while (el_tree_node(w->tree, before)->next != EL_NO_NODE &&
	       el_tree_node(w->tree, before)->next != node)
		before = el_tree_node(w->tree, before)->next;
	return before;
}

bool walk_promote(struct walk *w)
{
	const bool moved = el_tree_promote(w->tree, el_tree_variation(w->tree, walk_node(w)));
	w->edited = w->edited || moved;
	return moved;
}

/* The next node in the order of writing; EL_NO_NODE at the end of the subtree of `top`. */
static uint32_t next_node(const struct el_tree *tree, uint32_t top, uint32_t node)
{
	if (el_tree_node(tree, node)->child != EL_NO_NODE)
		return el_tree_node(tree, node)->child;
	while (node != top && el_tree_node(tree, node)->next == EL_NO_NODE)
		node = el_tree_node(tree, node)->parent;
	return node == top ? EL_NO_NODE : el_tree_node(tree, node)->next;
}

size_t walk_count_from(const struct walk *w)
{
	size_t count = 0;
	for (uint32_t i = walk_node(w); i != EL_NO_NODE; i = next_node(w->tree, walk_node(w), i))
		count++;
	return count;
}

void walk_delete(struct walk *w)
{
	const uint32_t gone = walk_node(w);
	w->at--;
	w->length = w->at + 1;
	el_tree_delete(w->tree, gone);
	w->edited = true;
	follow(w);
}

/* ---- places ---- */

size_t walk_place(const struct walk *w, uint32_t node)
{
	size_t place = 0;
	uint32_t i = EL_TREE_ROOT;
	for (; i != node; i = next_node(w->tree, EL_TREE_ROOT, i))
		place++;
	return place;
}

void walk_to_place(struct walk *w, size_t place)
{
	uint32_t i = EL_TREE_ROOT;
	for (; place > 0 && i != EL_NO_NODE; place--)
		i = next_node(w->tree, EL_TREE_ROOT, i);
	walk_to(w, i == EL_NO_NODE ? EL_TREE_ROOT : i);
}

bool walk_equal(const struct walk *a, const struct walk *b)
{
	return el_tree_equal(a->tree, b->tree);
}
