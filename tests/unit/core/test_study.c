/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies: every position of many roots compared with a solver that knows no frames and no sets. */
#include "core/study/study.h"
#include "tests/oracles/explicit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct el_study_room memory = {UINT64_MAX, "/tmp"}, little = {1 << 20, "/tmp"};

static unsigned most_movers; /* of positions that the other solver opens */

static bool opens(const struct explicit_board *b)
{
	unsigned movers = 0;
	for (unsigned i = 0; i < 64; i++)
		movers += b->at[i] && !strchr("KkPp", b->at[i]);
	return movers <= most_movers;
}

struct comparison {
	const struct explicit_graph *graph;
	size_t count, wrong, open; /* positions; wider bounds than the other solver's */
	char first[EL_FEN_MAX];    /* that is wrong */
};

static int bound(enum el_outcome outcome)
{
	return outcome == EL_WIN ? 1 : outcome == EL_LOSS ? -1 : 0;
}

static void compare(void *context, const struct el_position *p, struct el_value v)
{
	struct comparison *c = context;
	const int lower = bound(el_outcome_lower(v.outcome)),
		  upper = bound(el_outcome_upper(v.outcome));
	struct explicit_value truth;
	char fen[EL_FEN_MAX];
	el_chess.format(p, fen);
	const bool found = explicit_find(c->graph, fen, &truth);
	c->count++;
	if (found && lower == truth.lower && upper == truth.upper)
		return;
	c->open++;
	if (found && lower <= truth.lower && truth.upper <= upper)
		return;
	if (!c->wrong++)
		snprintf(c->first, sizeof c->first, "%s", fen);
}

/* Solves a root and compares all its positions; with promotions, bounds may be wider where they do not
   matter to the root. */
static void check_root(const char *fen, unsigned movers, const struct el_study_reach *reach,
                       const struct el_study_room *room)
{
	struct el_position root;
	struct el_study *study;
	struct el_error error;
	struct el_value value;
	struct explicit_value truth;
	most_movers = movers;
	struct explicit_graph *graph = explicit_solve(fen, opens);
	struct comparison c = {.graph = graph};
	assert_int_equal(el_chess.parse(fen, &root, &error), EL_OK);
	assert_int_equal(el_study_open(&el_chess, &root, room, NULL, &study, &error), EL_OK);
	if (reach)
		assert_int_equal(el_study_extend(study, reach, NULL, &error), EL_OK);
	el_study_each(study, &c, compare);
	if (c.wrong)
		fail_msg("%s: %zu of %zu positions are wrong, first %s", fen, c.wrong, c.count,
		         c.first);
	assert_true(explicit_find(graph, fen, &truth));
	assert_int_equal(el_study_value(study, &root, &value, &error), EL_OK);
	assert_int_equal(bound(el_outcome_lower(value.outcome)), truth.lower);
	assert_int_equal(bound(el_outcome_upper(value.outcome)), truth.upper);
	if (!reach) {
		assert_int_equal(c.open, 0);
		assert_int_equal(c.count, el_study_size(study).positions);
		assert_int_equal(el_study_size(study).positions, explicit_opened(graph));
	}
	el_study_close(study);
	explicit_free(graph);
}

static void pawns_alone(void **state)
{
	static const char *const roots[] = {
		"8/8/8/2p5/8/1P6/k7/3K4 w - - 0 1",    /* en passant for Black */
		"8/2p5/8/1P6/8/8/k7/3K4 b - - 0 1",    /* and for White */
		"8/8/8/p1p5/P1P5/8/1k6/3K4 w - - 0 1", /* two locked pairs */
		"4k3/p7/8/1P6/8/8/8/4K3 b - - 0 1",    "8/8/8/1p1p4/1P1P4/8/k7/2K5 b - - 0 1",
		"8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1",  "6k1/8/8/6p1/6P1/7P/8/6K1 w - - 0 1",
	};
	(void)state;
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		check_root(roots[i], 0, NULL, i % 2 ? &little : &memory);
}

static void promotions_are_followed(void **state)
{
	static const struct el_study_reach all = {1, ~0u}, queens = {1, 1 << 1};
	(void)state;
	check_root("8/P7/8/8/8/8/2k5/4K3 b - - 0 1", 1, &all, &memory);
	(void)queens;
}

/* ---- Lasker and Reichhelm, 1901, as samples/studies.md has it ---- */

static const char lasker[] = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";

static unsigned square_named(const char *name)
{
	return (unsigned)(name[0] - 'a' + 8 * (name[1] - '1'));
}

static struct el_position kings_on(unsigned white, unsigned black)
{
	struct el_position p;
	assert_int_equal(el_chess.parse(lasker, &p, NULL), EL_OK);
	p.set[0][0] = (uint64_t)1 << white;
	p.set[1][0] = (uint64_t)1 << black;
	return p;
}

static struct el_position after(const struct el_position *p, const char *san)
{
	struct el_position next;
	struct el_move move;
	assert_int_equal(el_chess.read_move(p, san, &move, NULL), EL_OK);
	el_chess.play(p, &move, &next);
	return next;
}

static enum el_outcome outcome_in(const struct el_study *study, const struct el_position *p)
{
	struct el_value value;
	assert_int_equal(el_study_value(study, p, &value, NULL), EL_OK);
	return value.outcome;
}

/* The rows of the chapter's tables: for each square of White's king those of Black's that hold, and the
   values and answers of moves, which are compared at once. */
static unsigned read_chapter(const struct el_study *study, uint64_t holds[64])
{
	const struct el_position root = kings_on(square_named("a1"), square_named("a7")),
				 kb1 = after(&root, "Kb1");
	char line[256], left[64], right[64];
	unsigned rows = 0;
	FILE *file = fopen("samples/studies.md", "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		if (sscanf(line, "| %63[^|]| %63[^|]|", left, right) != 2)
			continue;
		left[strcspn(left, " ")] = '\0';
		if (left[0] >= 'a' && left[0] <= 'h' && !left[2]) {
			rows++;
			for (char *name = strtok(right, " "); name; name = strtok(NULL, " "))
				holds[square_named(left)] |= (uint64_t)1 << square_named(name);
		} else if (left[0] == 'K' && right[0] == 'K') {
			/* One move alone is no draw. */
			const struct el_position p = after(&kb1, left);
			struct el_move moves[EL_MOVES_MAX];
			const size_t count = el_chess.moves(&p, moves);
			for (size_t i = 0; i < count; i++) {
				struct el_position next;
				char san[EL_MOVE_MAX];
				el_chess.play(&p, &moves[i], &next);
				el_chess.write_move(&p, &moves[i], EL_SAN, san);
				assert_int_equal(outcome_in(study, &next) == EL_AT_MOST_DRAW,
				                 !strncmp(san, right, strlen(san)));
			}
			rows++;
		} else if (left[0] == 'K' && !left[3]) {
			const struct el_position p = after(&root, left);
			assert_int_equal(outcome_in(study, &p),
			                 !strncmp(right, "draw", 4) ? EL_DRAW : EL_AT_MOST_DRAW);
			rows++;
		}
	}
	fclose(file);
	return rows;
}

/* Black's king has an answer to every move of White's that holds again: so the rules alone prove a
   draw. */
static void check_answers(const struct el_position *p, const uint64_t holds[64])
{
	struct el_move moves[EL_MOVES_MAX], answers[EL_MOVES_MAX];
	const size_t count = el_chess.moves(p, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position next, last;
		el_chess.play(p, &moves[i], &next);
		const uint64_t squares = holds[__builtin_ctzll(next.set[0][0])];
		const size_t replies = el_chess.moves(&next, answers);
		bool held = false;
		for (size_t j = 0; j < replies; j++) {
			el_chess.play(&next, &answers[j], &last);
			held = held ||
			       (last.set[1][0] & squares && last.set[0][5] == p->set[0][5] &&
			        last.set[1][5] == p->set[1][5]);
		}
		assert_true(held);
	}
}

static void corresponding_squares(void **state)
{
	struct el_study *study;
	struct el_error error;
	uint64_t holds[64] = {0};
	unsigned white_squares = 0;
	(void)state;
	const struct el_position root = kings_on(square_named("a1"), square_named("a7")),
				 ka2 = after(&root, "Ka2"), kb2 = after(&root, "Kb2"),
				 kb1 = after(&root, "Kb1");
	assert_int_equal(el_study_open(&el_chess, &root, &little, NULL, &study, &error), EL_OK);
	/* The solution, as published: one move wins. */
	assert_int_equal(outcome_in(study, &ka2), EL_DRAW);
	assert_int_equal(outcome_in(study, &kb2), EL_DRAW);
	assert_int_equal(outcome_in(study, &kb1), EL_AT_MOST_DRAW);
	const unsigned rows = read_chapter(study, holds);
	for (unsigned white = 0; white < square_named("a5"); white++) {
		bool stands = false;
		for (unsigned black = square_named("a6"); black < 64; black++) {
			const struct el_position p = kings_on(white, black);
			struct el_value value;
			if (el_chess.check(&p, NULL) || el_study_value(study, &p, &value, NULL))
				continue; /* or White's king cannot get there */
			const bool is_drawn = el_outcome_upper(value.outcome) <= EL_DRAW;
			stands = true;
			assert_int_equal(is_drawn, holds[white] >> black & 1);
			if (is_drawn)
				check_answers(&p, holds);
		}
		white_squares += stands;
		assert_true(stands || !holds[white]);
	}
	assert_int_equal(rows, white_squares + 3 + 3);
	el_study_close(study);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pawns_alone),
		cmocka_unit_test(promotions_are_followed),
		cmocka_unit_test(corresponding_squares),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
