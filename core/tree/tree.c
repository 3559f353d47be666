/* SPDX-License-Identifier: MIT */
/* The nodes of a game, and edits. */
#include "inside.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

enum el_status tree_grow(void *array, size_t count, size_t size, struct el_error *error)
{
	return count < EL_NO_NODE && array_grow(array, count, 1, size)
	               ? EL_OK
	               : el_fail(error, EL_MEMORY, "a game: out of memory");
}

static const struct el_node lone_node = {
	.parent = EL_NO_NODE,
	.child = EL_NO_NODE,
	.last_child = EL_NO_NODE,
	.next = EL_NO_NODE,
	.notes = EL_NO_NODE,
	.last_note = EL_NO_NODE,
};

static enum el_status new_node(struct el_tree *tree, const struct el_node *node,
                               struct el_error *error)
{
	enum el_status status =
		tree_grow(&tree->nodes, tree->node_count, sizeof *tree->nodes, error);
	if (!status)
		tree->nodes[tree->node_count++] = *node;
	return status;
}

/* ---- making ---- */

enum el_status el_tree_open(const struct el_game *game, const struct el_position *start,
                            struct el_tree **out, struct el_error *error)
{
	struct el_node root = lone_node;
	enum el_status status = EL_OK;
	struct el_tree *tree = calloc(1, sizeof *tree);
	*out = NULL;
	if (!tree)
		return el_fail(error, EL_MEMORY, "a game: out of memory");
	tree->game = game;
	strcpy(tree->result, "*");
	if (start)
		root.position = *start;
	else
		status = game->parse(game->first, &root.position, error);
	if (!status)
		status = new_node(tree, &root, error);
	if (!status && game->pdn_type)
		status = el_tree_set_tag(tree, TREE_TAG_TYPE, game->pdn_type, error);
	if (!status && !start && !game->pdn_type && game != el_games[0])
		status = el_tree_set_tag(tree, TREE_TAG_VARIANT, game->title, error);
	if (!status && start) {
		char fen[EL_FEN_MAX];
		game->format(start, fen);
		status = el_tree_set_tag(tree, TREE_TAG_SETUP, "1", error);
		if (!status)
			status = el_tree_set_tag(tree, TREE_TAG_FEN, fen, error);
	}
	if (status)
		el_tree_close(tree);
	else
		*out = tree;
	return status;
}

void el_tree_close(struct el_tree *tree)
{
	if (!tree)
		return;
	for (size_t i = 0; i < tree->tag_count; i++) {
		free(tree->tags[i].name);
		free(tree->tags[i].value);
	}
	for (uint32_t i = 0; i < tree->note_count; i++)
		free(tree->notes[i].text);
	free(tree->tags);
	free(tree->notes);
	free(tree->nodes);
	free(tree);
}

/* ---- walking ---- */

uint32_t el_tree_end(const struct el_tree *tree, uint32_t node)
{
	while (tree->nodes[node].child != EL_NO_NODE)
		node = tree->nodes[node].child;
	return node;
}

bool el_tree_is_first(const struct el_tree *tree, uint32_t node)
{
	const uint32_t parent = tree->nodes[node].parent;
	return parent == EL_NO_NODE || tree->nodes[parent].child == node;
}

uint32_t el_tree_variation(const struct el_tree *tree, uint32_t node)
{
	while (node != EL_TREE_ROOT && el_tree_is_first(tree, node))
		node = tree->nodes[node].parent;
	return node;
}

/* ---- changing ---- */

static bool is_rest(const struct el_note *note, const void *context)
{
	(void)context;
	return note->place == EL_PLACE_REST;
}

enum el_status tree_append(struct el_tree *tree, uint32_t parent, const struct el_move *move,
                           uint32_t *out, struct el_error *error)
{
	struct el_node node = lone_node;
	node.move = *move;
	node.ply = tree->nodes[parent].ply + 1;
	node.parent = parent;
	tree->game->play(&tree->nodes[parent].position, move, &node.position);
	enum el_status status = new_node(tree, &node, error);
	if (status)
		return status;
	if (tree->nodes[parent].unread) { /* becomes a comment, because moves now follow it */
		uint32_t note = tree->nodes[parent].notes;
		while (!is_rest(&tree->notes[note], NULL))
			note = tree->notes[note].next;
		status = tree_add_words(tree, parent, EL_NOTE_COMMENT, EL_PLACE_AFTER,
		                        tree->notes[note].text, error);
		if (!status)
			el_tree_drop_notes(tree, parent, is_rest, NULL);
		tree_settle_notes(tree, parent);
	}
	if (status) {
		tree->node_count--;
		return status;
	}
	*out = tree->node_count - 1;
	struct el_node *above = &tree->nodes[parent];
	*(above->child == EL_NO_NODE ? &above->child : &tree->nodes[above->last_child].next) = *out;
	above->last_child = *out;
	return EL_OK;
}

enum el_status el_tree_add(struct el_tree *tree, uint32_t parent, const struct el_move *move,
                           uint32_t *out, struct el_error *error)
{
	if (tree->unreadable)
		return el_fail(error, EL_NEGATIVE,
		               "the start of the game cannot be read: it takes no moves");
	*out = tree->nodes[parent].child;
	while (*out != EL_NO_NODE && !el_move_equal(&tree->nodes[*out].move, move))
		*out = tree->nodes[*out].next;
	return *out != EL_NO_NODE ? EL_OK : tree_append(tree, parent, move, out, error);
}

/* Removes a node from the list of its siblings. */
static void unlink_node(struct el_tree *tree, uint32_t node)
{
	struct el_node *parent = &tree->nodes[tree->nodes[node].parent];
	uint32_t *link = &parent->child, before = EL_NO_NODE;
	for (; *link != node; link = &tree->nodes[before].next)
		before = *link;
	*link = tree->nodes[node].next;
	if (parent->last_child == node)
		parent->last_child = before;
	tree->nodes[node].next = EL_NO_NODE;
}

bool el_tree_promote(struct el_tree *tree, uint32_t node)
{
	if (el_tree_is_first(tree, node))
		return false;
	struct el_node *parent = &tree->nodes[tree->nodes[node].parent];
	const uint32_t before = parent->child;
	unlink_node(tree, node);
	tree->nodes[node].next = before;
	parent->child = node;
	tree_settle_notes(tree, node);
	tree_settle_notes(tree, before);
	return true;
}

/* Deletes from the end of the first line upwards, each node once, without recursion. */
void el_tree_delete(struct el_tree *tree, uint32_t node)
{
	const uint32_t parent = tree->nodes[node].parent;
	unlink_node(tree, node);
	for (uint32_t at = el_tree_end(tree, node);;) {
		struct el_node *gone = &tree->nodes[at];
		const uint32_t above = gone->parent, beside = gone->next;
		el_tree_drop_notes(tree, at, NULL, NULL);
		gone->parent = EL_NO_NODE;
		gone->child = gone->last_child = EL_NO_NODE;
		gone->next = EL_NO_NODE;
		if (at == node)
			break;
		tree->nodes[above].child = beside;
		at = el_tree_end(tree, above);
	}
	if (tree->nodes[parent].child != EL_NO_NODE)
		tree_settle_notes(tree, tree->nodes[parent].child);
}

/* ---- comparing ---- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_notes(const struct el_tree *a, uint32_t i, const struct el_tree *b, uint32_t j)
{
	while (i != EL_NO_NODE && j != EL_NO_NODE) {
		const struct el_note *x = &a->notes[i], *y = &b->notes[j];
		if (x->kind != y->kind || x->place != y->place || x->mark != y->mark ||
		    !same_text(x->text, y->text))
			return false;
		i = x->next;
		j = y->next;
	}
	return i == j;
}

/* The next node in preorder: the first child, else the next sibling of the node or of an
   ancestor. */
static uint32_t next_node(const struct el_tree *tree, uint32_t node)
{
	if (tree->nodes[node].child != EL_NO_NODE)
		return tree->nodes[node].child;
	while (node != EL_NO_NODE && tree->nodes[node].next == EL_NO_NODE)
		node = tree->nodes[node].parent;
	return node == EL_NO_NODE ? node : tree->nodes[node].next;
}

bool el_tree_equal(const struct el_tree *a, const struct el_tree *b)
{
	if (a->game != b->game || a->tag_count != b->tag_count || strcmp(a->result, b->result))
		return false;
	for (size_t i = 0; i < a->tag_count; i++)
		if (!same_text(a->tags[i].name, b->tags[i].name) ||
		    !same_text(a->tags[i].value, b->tags[i].value))
			return false;
	uint32_t i = EL_TREE_ROOT, j = EL_TREE_ROOT;
	while (i != EL_NO_NODE && j != EL_NO_NODE) {
		const struct el_node *x = &a->nodes[i], *y = &b->nodes[j];
		if (!el_position_equal(&x->position, &y->position) || x->ply != y->ply ||
		    (x->ply && !el_move_equal(&x->move, &y->move)) ||
		    (x->child == EL_NO_NODE) != (y->child == EL_NO_NODE) ||
		    (x->next == EL_NO_NODE) != (y->next == EL_NO_NODE) ||
		    !same_notes(a, x->notes, b, y->notes))
			return false;
		i = next_node(a, i);
		j = next_node(b, j);
	}
	return i == j;
}
