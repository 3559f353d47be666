/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as games: writing and reading each gives the same game, and writing that gives the same
   text. Reading in pieces gives the same again. */
#include "core/tree/tree.h"
#include "try.h"

#include <string.h>

/* Bytes that are read a few at a time. */
struct drops {
	const uint8_t *data;
	size_t left;
};

static ssize_t read_drop(void *context, char *out, size_t room)
{
	struct drops *drops = context;
	size_t n = 1 + drops->left % 7;
	n = n < drops->left ? n : drops->left;
	n = n < room ? n : room;
	memcpy(out, drops->data, n);
	drops->data += n;
	drops->left -= n;
	return (ssize_t)n;
}

static struct el_tree *read_one(const char *text, size_t length)
{
	struct el_games *games;
	struct el_tree *tree, *more;
	must(el_games_open_text("again", text, length, &games, NULL) == EL_OK);
	const enum el_status status = el_games_next(games, &tree, NULL);
	must(status <= EL_NEGATIVE && tree);
	must(el_games_next(games, &more, NULL) == EL_OK && !more);
	el_games_close(games);
	return tree;
}

/* After every edit, the game can be written and read again without a memory fault. */
static void edit(struct el_tree *tree, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size && i < 16; i++) {
		const uint32_t node = data[i] % tree->node_count;
		struct el_move moves[EL_MOVES_MAX];
		uint32_t added;
		if (node && tree->nodes[node].parent == EL_NO_NODE)
			continue;
		const size_t count = tree->game->moves(&tree->nodes[node].position, moves);
		if (i % 4 == 0 && count && !tree->unreadable)
			must(!el_tree_add(tree, node, &moves[data[i] % count], &added, NULL));
		else if (i % 4 == 1)
			el_tree_promote(tree, node);
		else if (i % 4 == 2)
			must(!el_tree_set_comment(tree, node, "a } b\nc", NULL));
		else if (tree->nodes[node].ply > 1) /* the first move may identify the game */
			el_tree_delete(tree, node);
	}
}

static void check(const struct el_tree *tree)
{
	char *text, *again;
	size_t length;
	must(el_tree_write(tree, &text, &length, NULL) == EL_OK && strlen(text) == length);
	struct el_tree *copy = read_one(text, length);
	must(el_tree_equal(tree, copy));
	must(el_tree_write(copy, &again, NULL, NULL) == EL_OK && !strcmp(text, again));
	el_tree_close(copy);
	free(text);
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct drops drops = {data, size};
	struct el_games *whole, *pieces;
	struct el_tree *tree, *same;
	struct el_error a, b;
	must(el_games_open_text("whole", (const char *)data, size, &whole, NULL) == EL_OK);
	must(el_games_open("whole", read_drop, &drops, &pieces, NULL) == EL_OK);
	do {
		a = b = (struct el_error){0};
		must(el_games_next(whole, &tree, &a) == el_games_next(pieces, &same, &b));
		must(!strcmp(a.text, b.text) && !tree == !same);
		if (!tree)
			break;
		must(el_tree_equal(tree, same));
		check(tree);
		edit(tree, data, size);
		check(tree);
		el_tree_close(tree);
		el_tree_close(same);
	} while (true);
	el_games_close(whole);
	el_games_close(pieces);
	return 0;
}
