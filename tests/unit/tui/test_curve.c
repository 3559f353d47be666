/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve of a game, column by column against the brute-force solver. */
#include "tests/fixtures/shell_fixture.h"
#include "tests/oracles/brute.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* White wins until the queen is given away; Black wins until the rook is. Wins of different length, long
   ones too. */
#define OF_WHITE                                                                                \
	"[FEN \"8/8/8/8/8/2k5/8/K2Q4 w - - 0 1\"]\n\n1. Qd5 Kc2 2. Qh1 Kd3 3. Qb7 Kc4 4. Qb3+ " \
	"Kxb3 5. Kb1 Kc3 *\n"
#define OF_BLACK                                                                                \
	"[FEN \"8/8/8/8/8/2K5/8/k2r4 w - - 0 1\"]\n\n1. Kb3 Rd3+ 2. Kb4 Rd8 3. Kc3 Ka2 4. Kc2 " \
	"Rd3 5. Kxd3 Kb3 *\n"

struct column {
	uint32_t node;
	int above, below; /* half cells filled on each side of the middle line */
	bool wrong;       /* marked as a mistake */
};

/* The first column of each half-move. Below the graph's rows is one of marks. */
static size_t read_columns(const struct screens *s, struct column out[32])
{
	const struct canvas *c = &s->canvas;
	size_t count = 0;
	for (const struct zone *z = c->zones; z < c->zones + c->zone_count; z++) {
		if (z->kind != ZONE_NODE || z->rows < 3 ||
		    (count && out[count - 1].node == (uint32_t)z->value))
			continue;
		struct column *column = &out[count++];
		*column = (struct column){.node = (uint32_t)z->value};
		for (int y = 0; y < z->rows - 1; y++) {
			const uint32_t glyph = c->cells[(z->y + y) * c->cols + z->x].glyph;
			const int upper = 2 * y < z->rows - 1, lower = 2 * y + 1 < z->rows - 1;
			const int top = glyph == 0x2588 || glyph == 0x2580;
			const int low = glyph == 0x2588 || glyph == 0x2584;
			column->above += top * upper + low * lower;
			column->below += top * !upper + low * !lower;
		}
		for (int x = z->x; x < c->cols && x < z->x + 3; x++)
			column->wrong |= c->cells[(z->y + z->rows - 1) * c->cols + x].glyph == '?';
	}
	return count;
}

/* 1: White wins, -1: Black wins, 0: a draw; and how soon. */
static int truth(const struct brute *brute, const struct el_position *p, unsigned *plies)
{
	struct el_value v = {.outcome = EL_DRAW};
	if (el_piece_count(p) > 2)
		assert_true(brute_value(brute, p, &v));
	*plies = v.plies;
	return v.outcome == EL_DRAW ? 0 : (v.outcome == EL_WIN) == (p->side == EL_WHITE) ? 1 : -1;
}

static void check_game(const struct brute *brute, const char *pgn, int rows, int cols)
{
	struct column columns[32];
	struct screens s;
	int mistakes = 0;
	write_text("curve.pgn", pgn);
	screens_open(&s, library, NULL, false);
	screens_event(&s, (struct event){.kind = EVENT_RESIZE, .rows = rows, .cols = cols});
	type(&s, "open curve.pgn");
	press(&s, 'w');
	press(&s, K_HOME);
	screens_draw(&s);
	const struct el_tree *tree = s.model.play.walk.tree;
	const size_t count = read_columns(&s, columns);
	assert_int_equal(count, s.model.play.walk.length - 1);
	for (size_t i = 0; i < count; i++) {
		const struct column *c = &columns[i];
		const struct el_node *node = el_tree_node(tree, c->node);
		const struct el_position *before = &el_tree_node(tree, node->parent)->position;
		unsigned plies, other;
		const int winner = truth(brute, &node->position, &plies);
		assert_int_equal(c->node, s.model.play.walk.line[i + 1]);
		assert_int_equal(c->above > 0, winner > 0);
		assert_int_equal(c->below > 0, winner < 0);
		assert_int_equal(c->wrong, truth(brute, before, &other) != winner);
		mistakes += c->wrong;
		/* The sooner the end, the higher. */
		for (size_t k = 0; k < i; k++) {
			const struct el_position *p =
				&el_tree_node(tree, columns[k].node)->position;
			if (truth(brute, p, &other) != winner || !winner)
				continue;
			const int high = c->above + c->below,
				  over = columns[k].above + columns[k].below;
			assert_true(plies < other   ? high >= over
			            : plies > other ? high <= over
			                            : high == over);
			/* Below the sums a large screen has a half cell for every two plies. */
			const unsigned apart = plies > other ? plies - other : other - plies;
			assert_true(high != over || apart <= 2 || rows < 40);
		}
	}
	assert_int_equal(mistakes, 1);
	/* A click goes there. */
	const struct zone *zone = NULL;
	for (int i = 0; i < s.canvas.zone_count && !zone; i++)
		if (s.canvas.zones[i].kind == ZONE_NODE &&
		    s.canvas.zones[i].value == (int)columns[4].node)
			zone = &s.canvas.zones[i];
	screens_event(&s, (struct event){.kind = EVENT_CLICK, .zone = *zone});
	assert_int_equal(s.model.play.walk.at, 5);
	screens_close(&s);
}

static void a_curve_is_the_truth(void **state)
{
	static const char *const slices[] = {"KQvK", "KRvK", NULL};
	struct brute *brute = brute_solve(slices);
	(void)state;
	check_game(brute, OF_WHITE, 24, 80);
	check_game(brute, OF_WHITE, 50, 160);
	check_game(brute, OF_BLACK, 24, 80);
	check_game(brute, OF_BLACK, 50, 160);
	brute_free(brute);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_curve_is_the_truth),
	};
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}
