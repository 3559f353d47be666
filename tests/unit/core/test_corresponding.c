/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chapter on corresponding squares: its tables are compared with a study, and prove themselves by the
   rules alone. And what a file tells of its root. */
#include "core/study/study.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct el_study_room room = {.memory = 1 << 20, .folder = "/tmp"};

/* Lasker and Reichhelm, 1901. */
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
	assert_int_equal(el_study_open(&el_chess, &root, &room, NULL, &study, &error), EL_OK);
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

/* What a file tells of its root is what the study tells. */
static void a_file_tells_its_root(void **state)
{
	char path[] = "/tmp/endlab-root-XXXXXX";
	struct el_position root;
	struct el_study *study;
	struct el_study_size size;
	struct el_value value, told;
	uint64_t bytes;
	(void)state;
	const int file = mkstemp(path);
	assert_true(file >= 0 && !close(file));
	assert_int_equal(el_chess.parse("8/8/8/p1p5/P1P5/8/1k6/3K4 w - - 0 1", &root, NULL), EL_OK);
	assert_int_equal(el_study_open(&el_chess, &root, &room, NULL, &study, NULL), EL_OK);
	assert_int_equal(el_study_value(study, &root, &value, NULL), EL_OK);
	assert_int_equal(el_study_write(study, NULL, path, NULL, &bytes, NULL), EL_OK);
	assert_int_equal(el_study_known(path, &el_chess, &root, &size, &told, NULL), EL_OK);
	assert_int_equal(told.outcome, value.outcome);
	assert_int_equal(size.positions, el_study_size(study).positions);
	root.side ^= 1;
	assert_int_equal(el_study_known(path, &el_chess, &root, &size, &told, NULL), EL_NEGATIVE);
	el_study_close(study);
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(corresponding_squares),
		cmocka_unit_test(a_file_tells_its_root),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
