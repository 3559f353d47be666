/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests' own Nine Men's Morris against known facts, before anything is compared with it. */
#include "tests/fixtures/tables.h"
#include "tests/oracles/merels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT = 1024 };

/* ---- the board ---- */

/* 32 pairs of neighbours; every image keeps them and the lines, and all images differ. */
static void test_board(void **state)
{
	unsigned pairs = 0;
	(void)state;
	for (unsigned a = 0; a < MERELS_POINTS; a++)
		for (unsigned b = 0; b < MERELS_POINTS; b++) {
			pairs += merels_beside(a, b);
			for (unsigned i = 0; i < MERELS_IMAGES; i++)
				assert_int_equal(
					merels_beside(merels_image(i, a), merels_image(i, b)),
					merels_beside(a, b));
		}
	assert_int_equal(pairs, 2 * 32);
	for (unsigned i = 0; i < MERELS_IMAGES; i++)
		for (unsigned j = 0; j < i; j++) {
			unsigned same = 0;
			for (unsigned point = 0; point < MERELS_POINTS; point++)
				same += merels_image(i, point) == merels_image(j, point);
			assert_true(same < MERELS_POINTS);
		}
}

/* ---- rules ---- */

/* Placements use free points. The fifth may close a mill: on 16 lines, in any of 6 orders, against
   two men on any of 21 points; then either man is taken, and one way becomes two. */
static void test_perft(void **state)
{
	(void)state;
	static const unsigned long long known[] = {
		1,
		24,
		24 * 23,
		24 * 23 * 22,
		24 * 23 * 22 * 21,
		24 * 23 * 22 * 21 * 20 + 16 * 6 * 21 * 20,
	};
	const struct merels_board board = merels_opening();
	for (unsigned plies = 0; plies < sizeof known / sizeof *known; plies++)
		assert_int_equal(merels_perft(&board, plies), known[plies]);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* In the order of their words. */
static void write_moves(const struct merels_board *board, char out[TEXT])
{
	struct merels_move moves[MERELS_MOVES];
	char text[MERELS_MOVES][MERELS_MOVE_TEXT], *p = out;
	const size_t count = merels_moves(board, moves);
	for (size_t i = 0; i < count; i++)
		merels_write_move(&moves[i], text[i]);
	qsort(text, count, sizeof *text, compare_texts);
	*out = '\0';
	for (size_t i = 0; i < count; i++)
		p += snprintf(p, (size_t)(out + TEXT - p), "%s%s", i ? " " : "", text[i]);
}

static void test_moves(void **state)
{
	(void)state;
	static const struct {
		const char *position, *moves;
	} known[] = {
		/* Along the lines. */
		{"W:Wa1,d1,g1,b4:Bd2,a4,g4,e5", "b4-b2 b4-b6 b4-c4"},
		/* Of men in and out of mills, only those out of mills are taken. */
		{"W:Wa1,d1,g4,e3:Bb2,b4,b6,g7", "a1-a4 d1-d2 d1-g1 e3-d3 e3-e4 g4-f4 g4-g1xg7"},
		/* If all are in mills, any is taken. */
		{"B:Wa1,d1,g1:Ba7,d7,g4,f6",
	         "a7-a4 d7-d6 d7-g7 f6-d6 f6-f4 g4-f4 g4-g7xa1 g4-g7xd1 g4-g7xg1"},
		/* A man that leaves a mill and closes another. */
		{"W:Wa1,a4,a7,b2,b6:Bg1,g4,f6,d1",
	         "a4-b4xd1 a4-b4xf6 a4-b4xg1 a4-b4xg4 a7-d7 b2-b4 b2-d2 b6-b4 b6-d6"},
		/* Nowhere to go; two men have lost. */
		{"W:Wa1,a4,a7,d1:Bb4,d2,d7,g1", ""},
		{"W:Wa1,a4:Bb4,d2,d7,g1", ""},
	};
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		const struct merels_board board = merels_read(known[i].position);
		char found[TEXT];
		write_moves(&board, found);
		assert_string_equal(found, known[i].moves);
	}
}

static void test_counts(void **state)
{
	(void)state;
	static const struct {
		const char *position;
		unsigned moves;
	} known[] = {
		/* Three men fly: to 17 points each; to 16, and one way closes a mill and takes one
		   of five. */
		{"W:Wa1,d5,f4:Bb4,d2,d7,g1", 3 * 17},
		{"W:Wa1,d1,f4:Bb4,d2,d7,e5,g4", 3 * 16 - 1 + 5},
		/* They do not fly while one is in hand; it makes a mill of two, or two mills, and
		   takes one. */
		{"W:Wa1,a4,d5+1:Bb4,d2,d7+1", 17 + 3},
		{"W:Wa1,d1,g4,g7+1:Bb4,b6+1", 17 + 2},
		/* Men in hand count among the three that a side needs. */
		{"W:Wa1+2:Bb4,d2,d7+2", 20},
		{"W:Wa1+1:Bb4,d2,d7+1", 0},
		/* There is no man to take. */
		{"W:Wa1,a4+7:B+7", 22},
	};
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		const struct merels_board board = merels_read(known[i].position);
		struct merels_move moves[MERELS_MOVES];
		assert_int_equal(merels_moves(&board, moves), known[i].moves);
	}
}

/* ---- moves taken back ---- */

static bool same_board(const struct merels_board *a, const struct merels_board *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

/* How often a move leads from one board to the other. */
static unsigned ways(const struct merels_board *from, const struct merels_board *to)
{
	struct merels_move moves[MERELS_MOVES];
	const size_t count = merels_moves(from, moves);
	unsigned found = 0;
	for (size_t i = 0; i < count; i++)
		found += same_board(&moves[i].after, to);
	return found;
}

struct back {
	const struct merels_board *from, *to;
	unsigned met; /* how often `from` is among the boards before `to` */
};

static void meet(const struct merels_board *before, void *context)
{
	struct back *b = context;
	assert_int_equal(ways(before, b->to), 1);
	b->met += same_board(before, b->from);
}

/* A board with so many men, White to move, by a linear congruential generator. */
static struct merels_board scatter(unsigned white, unsigned black, uint64_t *seed)
{
	struct merels_board board = merels_read("W:W:B");
	for (unsigned men = 0; men < white + black;) {
		*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		const unsigned point = (unsigned)(*seed >> 33) % MERELS_POINTS;
		if (board.at[point] != '.')
			continue;
		board.at[point] = men++ < white ? 'W' : 'B';
	}
	return board;
}

/* Taking back each move's result finds that move, and nothing else. */
static void test_before(void **state)
{
	uint64_t seed = 18;
	(void)state;
	for (unsigned n = 0; n < (tests_are_slow() ? 20 : 400); n++) {
		const struct merels_board board = scatter(3 + n % 4, 3 + n / 4 % 4, &seed);
		struct merels_move moves[MERELS_MOVES];
		const size_t count = merels_moves(&board, moves);
		for (size_t i = 0; i < count; i += 5) {
			struct back back = {&board, &moves[i].after, 0};
			merels_before(&moves[i].after, meet, &back);
			assert_int_equal(back.met, 1);
		}
	}
}

/* ---- the solver: under sanitizers and valgrind it takes minutes and tests nothing of the program
   ---- */

static int solve(void **state)
{
	if (!tests_are_slow())
		*state = merels_solve(tests_are_thorough() ? 4 : 3, 3);
	return 0;
}

static int let_go(void **state)
{
	merels_free(*state);
	return 0;
}

static void assert_value(const struct merels *m, const char *text, struct merels_value known)
{
	const struct merels_board board = merels_read(text);
	struct merels_value found = {0};
	assert_true(merels_lookup(m, &board, &found));
	assert_int_equal(found.outcome, known.outcome);
	assert_int_equal(found.dtw, known.dtw);
	assert_int_equal(found.dtc, known.dtc);
}

/* Positions whose value anyone can see. */
static void test_positions(void **state)
{
	const struct merels *m = *state;
	if (!m)
		skip();
	assert_value(m, "W:Wa1,a4:Bb4,d2,d7", (struct merels_value){MERELS_LOSS, 0, 0});
	/* Whoever is to move closes a mill. */
	assert_value(m, "W:Wb2,b4,g7:Bd1,g1,a7", (struct merels_value){MERELS_WIN, 1, 1});
	assert_value(m, "B:Wb2,b4,g7:Bd1,g1,a7", (struct merels_value){MERELS_WIN, 1, 1});
	/* White stops one of two mills. */
	assert_value(m, "W:Wb2,d6,e4:Bd1,g1,g4", (struct merels_value){MERELS_LOSS, 2, 2});
}

struct tally {
	unsigned count[3]; /* by outcome */
	unsigned longest[3];
};

static void count_one(const struct merels_board *board, const struct merels_value *value,
                      void *context)
{
	struct tally *t = context;
	(void)board;
	t->count[value->outcome]++;
	if (value->dtw > t->longest[value->outcome])
		t->longest[value->outcome] = value->dtw;
}

static void assert_tally(const struct merels *m, unsigned men, unsigned others, struct tally known)
{
	struct tally found = {0};
	merels_each(m, men, others, 0, 0, count_one, &found);
	assert_memory_equal(&found, &known, sizeof found);
}

/* Three against three: as the database of Gevay and Danner's Malom has them. */
static void test_published(void **state)
{
	const struct merels *m = *state;
	if (!m)
		skip();
	assert_tally(m, 3, 3, (struct tally){{28736, 269, 140621}, {26, 0, 25}});
	if (!tests_are_thorough())
		return;
	struct tally found = {0};
	merels_each(m, 3, 4, 0, 0, count_one, &found);
	assert_int_equal(found.count[MERELS_WIN], 102281);
	assert_int_equal(found.count[MERELS_LOSS], 0);
	assert_int_equal(found.longest[MERELS_WIN], 33);
}

struct values {
	const struct merels *m;
	unsigned long positions; /* positions seen */
};

/* A position valued from outside, by its moves. */
struct judged {
	const struct merels *m;
	struct merels_value win, loss;
	bool won, lost;
};

static bool judge_move(const struct merels_move *move, void *context)
{
	struct judged *j = context;
	struct merels_value v;
	assert_true(merels_lookup(j->m, &move->after, &v));
	const unsigned dtw = v.dtw + 1, dtc = move->taken == MERELS_NOWHERE ? v.dtc + 1 : 1;
	if (v.outcome == MERELS_LOSS) {
		j->win.dtw = !j->won || dtw < j->win.dtw ? dtw : j->win.dtw;
		j->win.dtc = !j->won || dtc < j->win.dtc ? dtc : j->win.dtc;
		j->won = true;
	}
	if (v.outcome != MERELS_WIN)
		j->lost = false;
	j->loss.dtw = dtw > j->loss.dtw ? dtw : j->loss.dtw;
	j->loss.dtc = dtc > j->loss.dtc ? dtc : j->loss.dtc;
	return true;
}

static bool same_value(struct merels_value a, struct merels_value b)
{
	return a.outcome == b.outcome && a.dtw == b.dtw && a.dtc == b.dtc;
}

/* Values follow from the moves, which determines them: each depth has a smaller one behind it, and
   a drawn side has no way to win. Colours and images make no difference. */
static void judge(const struct merels_board *board, const struct merels_value *value, void *context)
{
	struct values *v = context;
	struct judged j = {.m = v->m,
	                   .win = {.outcome = MERELS_WIN},
	                   .loss = {.outcome = MERELS_LOSS},
	                   .lost = true};
	struct merels_board other = *board;
	struct merels_value found;
	merels_each_move(board, judge_move, &j);
	found = j.won ? j.win : j.lost ? j.loss : (struct merels_value){.outcome = MERELS_DRAW};
	assert_true(same_value(found, *value));
	const unsigned image = (unsigned)(v->positions++ % MERELS_IMAGES);
	for (unsigned point = 0; point < MERELS_POINTS; point++) {
		const char man = board->at[point];
		other.at[merels_image(image, point)] = man == 'W' ? 'B' : man == 'B' ? 'W' : '.';
	}
	other.side = MERELS_BLACK;
	assert_true(merels_lookup(j.m, &other, &found));
	assert_true(same_value(found, *value));
}

static void test_values(void **state)
{
	struct values v = {.m = *state};
	if (!v.m)
		skip();
	merels_each(*state, 3, 3, 0, 0, judge, &v);
	if (!tests_are_thorough())
		return;
	merels_each(*state, 3, 4, 0, 0, judge, &v);
	merels_each(*state, 4, 3, 0, 0, judge, &v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_board),     cmocka_unit_test(test_perft),
		cmocka_unit_test(test_moves),     cmocka_unit_test(test_counts),
		cmocka_unit_test(test_before),    cmocka_unit_test(test_positions),
		cmocka_unit_test(test_published), cmocka_unit_test(test_values),
	};
	return cmocka_run_group_tests(tests, solve, let_go);
}
