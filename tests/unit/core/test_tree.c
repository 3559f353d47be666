/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games as trees: adding moves, promoting, deleting, comments. */
#include "core/tree/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct el_tree *new_game(void)
{
	struct el_tree *tree;
	struct el_error error;
	if (el_tree_open(&el_chess, NULL, &tree, &error))
		fail_msg("%s", error.text);
	return tree;
}

static uint32_t add(struct el_tree *tree, uint32_t parent, const char *san)
{
	struct el_move move;
	struct el_error error;
	uint32_t node = EL_NO_NODE;
	if (el_chess.read_move(&tree->nodes[parent].position, san, &move, &error) ||
	    el_tree_add(tree, parent, &move, &node, &error))
		fail_msg("%s: %s", san, error.text);
	return node;
}

static void assert_written(const struct el_tree *tree, const char *moves)
{
	char *text;
	assert_int_equal(el_tree_write(tree, &text, NULL, NULL), EL_OK);
	const char *body = strstr(text, "\n\n");
	assert_string_equal(body && *text == '[' ? body + 2 : text, moves);
	free(text);
}

static void test_equal_moves_are_one(void **state)
{
	struct el_tree *tree = new_game();
	(void)state;
	const uint32_t e4 = add(tree, EL_TREE_ROOT, "e4"), d4 = add(tree, EL_TREE_ROOT, "d4");
	assert_int_not_equal(e4, d4);
	assert_int_equal(add(tree, EL_TREE_ROOT, "e4"), e4);
	assert_int_equal(add(tree, EL_TREE_ROOT, "d2d4"), d4);
	assert_int_equal(tree->node_count, 3);
	assert_int_equal(tree->nodes[EL_TREE_ROOT].child, e4);
	assert_int_equal(el_tree_variation(tree, e4), EL_TREE_ROOT);
	assert_int_equal(el_tree_variation(tree, add(tree, d4, "d5")), d4);
	assert_written(tree, "1. e4 (1. d4 d5) *\n\n");
	el_tree_close(tree);
}

static void test_promoting(void **state)
{
	struct el_tree *tree = new_game();
	(void)state;
	const uint32_t e4 = add(tree, EL_TREE_ROOT, "e4"), d4 = add(tree, EL_TREE_ROOT, "d4");
	const uint32_t c4 = add(tree, EL_TREE_ROOT, "c4");
	add(tree, e4, "e5");
	add(tree, c4, "c5");
	assert_int_equal(el_tree_set_comment(tree, c4, "English", NULL), EL_OK);
	assert_true(el_tree_promote(tree, c4));
	assert_false(el_tree_promote(tree, c4));
	assert_false(el_tree_promote(tree, EL_TREE_ROOT));
	assert_written(tree, "1. c4 {English} (1. e4 e5) (1. d4) 1... c5 *\n\n");
	assert_true(el_tree_is_first(tree, c4));
	assert_false(el_tree_is_first(tree, d4));
	el_tree_delete(tree, add(tree, EL_TREE_ROOT, "b3"));
	add(tree, EL_TREE_ROOT, "b4");
	assert_written(tree, "1. c4 {English} (1. e4 e5) (1. d4) (1. b4) 1... c5 *\n\n");
	el_tree_close(tree);
}

static void test_deleting(void **state)
{
	struct el_tree *tree = new_game();
	(void)state;
	const uint32_t e4 = add(tree, EL_TREE_ROOT, "e4"), e5 = add(tree, e4, "e5");
	const uint32_t c5 = add(tree, e4, "c5"), nf3 = add(tree, c5, "Nf3");
	add(tree, nf3, "d6");
	add(tree, nf3, "Nc6");
	const uint32_t nc3 = add(tree, e5, "Nc3");
	el_tree_delete(tree, c5);
	assert_written(tree, "1. e4 e5 2. Nc3 *\n\n");
	assert_int_equal(tree->nodes[nf3].parent, EL_NO_NODE);
	assert_int_equal(tree->nodes[nc3].parent, e5);
	assert_int_equal(el_tree_end(tree, EL_TREE_ROOT), nc3);
	el_tree_delete(tree, e4);
	assert_written(tree, "*\n\n");
	el_tree_close(tree);
}

/* Braces and empty lines come back unchanged, though a brace would end the comment. */
static void test_comments(void **state)
{
	struct el_tree *tree = new_game(), *again;
	struct el_games *games;
	char *text;
	size_t length;
	(void)state;
	const uint32_t e4 = add(tree, EL_TREE_ROOT, "e4");
	assert_int_equal(el_tree_set_comment(tree, e4, "first", NULL), EL_OK);
	assert_int_equal(el_tree_set_comment(tree, e4, "a } brace\nand a line", NULL), EL_OK);
	assert_string_equal(el_tree_comment(tree, tree->nodes[e4].notes)->text, "a } brace");
	assert_int_equal(el_tree_add_mark(tree, e4, EL_MARK_GOOD, NULL), EL_OK);
	assert_int_equal(el_tree_mark(tree, e4), EL_MARK_GOOD);
	assert_int_equal(el_tree_write(tree, &text, &length, NULL), EL_OK);
	assert_int_equal(el_games_open_text("written", text, length, &games, NULL), EL_OK);
	assert_int_equal(el_games_next(games, &again, NULL), EL_OK);
	assert_true(el_tree_equal(tree, again));
	assert_int_equal(el_tree_set_comment(tree, e4, NULL, NULL), EL_OK);
	assert_null(el_tree_comment(tree, tree->nodes[e4].notes));
	assert_false(el_tree_equal(tree, again));
	free(text);
	el_tree_close(again);
	el_games_close(games);
	el_tree_close(tree);
}

/* Tags give another starting position. */
static void test_start(void **state)
{
	static const char fen[] = "8/8/4k3/8/4K3/4P3/8/8 w - - 3 40";
	struct el_position start;
	struct el_tree *tree;
	(void)state;
	assert_int_equal(el_chess.parse(fen, &start, NULL), EL_OK);
	assert_int_equal(el_tree_open(&el_chess, &start, &tree, NULL), EL_OK);
	assert_string_equal(el_tree_tag(tree, "FEN"), fen);
	assert_string_equal(el_tree_tag(tree, "SetUp"), "1");
	add(tree, add(tree, EL_TREE_ROOT, "Kf4"), "Kf6");
	assert_written(tree, "40. Kf4 Kf6 *\n\n");
	assert_int_equal(el_tree_set_tag(tree, "SetUp", NULL, NULL), EL_OK);
	assert_null(el_tree_tag(tree, "SetUp"));
	el_tree_close(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_moves_are_one),
		cmocka_unit_test(test_promoting),
		cmocka_unit_test(test_deleting),
		cmocka_unit_test(test_comments),
		cmocka_unit_test(test_start),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
