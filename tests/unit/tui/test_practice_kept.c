/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Practice keeps: when mistakes come back, scores, damaged files. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/shell_fixture.h"

#include "tui/views/practice/practice.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- the boxes ---- */

static long day;

static long fake_today(void)
{
	return day;
}

static struct practice_score try_at(const char *fen, unsigned percent)
{
	return (struct practice_score){.exercise = EXERCISE_GUESS,
	                               .start = position_of(fen),
	                               .end = PRACTICE_ANSWERED,
	                               .answer = percent};
}

static void add(struct practice_scores *s, const char *fen, unsigned percent)
{
	const struct practice_score score = try_at(fen, percent);
	const struct el_slice slice = slice_named("KQvK");
	assert_int_equal(practice_scores_add(s, &slice, &score, NULL), EL_OK);
}

/* Right each time: it comes back the same day, after 1, 3, 7 and 21 days, and no more. */
static void what_went_wrong_comes_back_ever_later(void **state)
{
	static const long pauses[] = {0, 1, 3, 7, 21};
	struct practice_scores s = {.today = fake_today};
	size_t count;
	(void)state;
	day = 20000;
	add(&s, ROOK, 100); /* a position solved at once never comes back */
	assert_int_equal(practice_next_due(&s, &count), -1);
	add(&s, QUEEN, 20);
	for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++) {
		assert_int_equal(practice_next_due(&s, &count), pauses[i]);
		assert_int_equal(count, 1);
		if (pauses[i] > 1) { /* right too early: it keeps its place */
			day += pauses[i] - 1;
			add(&s, QUEEN, 100);
			assert_int_equal(practice_next_due(&s, &count), 1);
			day++;
		} else {
			day += pauses[i];
		}
		add(&s, QUEEN, 100);
	}
	assert_int_equal(practice_next_due(&s, &count), -1);
	assert_int_equal(count, 0);
	practice_scores_free(&s);
}

static void wrong_again_begins_anew(void **state)
{
	struct practice_scores s = {.today = fake_today};
	size_t count;
	(void)state;
	day = 100;
	add(&s, QUEEN, 0);
	add(&s, ROOK, 79);
	assert_int_equal(practice_next_due(&s, &count), 0);
	assert_int_equal(count, 2);
	add(&s, QUEEN, 80);
	day++;
	add(&s, QUEEN, 80);
	assert_int_equal(s.again[0].box, 2);
	assert_int_equal(s.again[0].due, day + 3);
	add(&s, QUEEN, 10); /* not due, but wrong */
	assert_int_equal(s.again[0].box, 0);
	assert_int_equal(s.again[0].due, day);
	assert_int_equal(s.again_count, 2);
	day += 1000; /* a date long past counts as today */
	assert_int_equal(practice_next_due(&s, &count), 0);
	assert_int_equal(count, 2);
	const struct el_slice slice = slice_named("KQvK");
	const struct practice_tally *t = practice_tally(&s, EXERCISE_GUESS, &slice);
	assert_int_equal(t->tries, 5);
	assert_int_equal(t->right, 2);
	assert_int_equal(t->percent, 0 + 79 + 80 + 80 + 10);
	assert_null(practice_tally(&s, EXERCISE_WIN, &slice));
	practice_scores_free(&s);
}

/* ---- the file ---- */

static enum el_status read_text(struct practice_scores *s, const char *text, struct el_error *error)
{
	char *copy = strdup(text);
	const enum el_status status = practice_scores_read(s, copy, error);
	free(copy);
	return status;
}

static char *written(const struct practice_scores *s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	practice_scores_write(s, out);
	fclose(out);
	return text;
}

static void what_is_written_is_read(void **state)
{
	static const char text[] = "endlab practice 1\n"
				   "score KRvK win 12 9 1043\n"
				   "score checkers:KKvK squares 1 0 33\n"
				   "again 2026-11-23 0 win 8/8/8/8/8/2k5/8/K6R w - - 0 1\n"
				   "again 2028-02-29 4 squares W:WK3,K7:BK32\n"
				   "again 1969-12-31 2 only 8/8/8/8/8/2k5/8/K6R w - - 0 1\n";
	struct practice_scores s = {.today = fake_today};
	struct el_error error;
	(void)state;
	assert_int_equal(read_text(&s, text, &error), EL_OK);
	assert_int_equal(s.again_count, 3);
	assert_int_equal(s.again[0].due, 20780);
	assert_int_equal(s.again[2].due, -1);
	char *again = written(&s);
	assert_string_equal(again, text);
	free(again);
	practice_scores_free(&s);
}

/* A clock that the test sets. */
static void open_at(struct screens *s, long today)
{
	screens_open(s, library, QUEEN, false);
	day = today;
	practice_of(&s->model)->scores.today = fake_today;
}

static void a_damaged_file_is_put_aside(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{"", "practice:1: expected endlab practice 1"},
		{"endlab practice 2\n", "practice:1: "},
		{"endlab practice 1\nnonsense\n", "practice:2: expected score or again"},
		{"endlab practice 1\nscore KXvK win 1 1 100\n", "expected a slice, found 'KXvK'"},
		{"endlab practice 1\nscore KQvK lose 1 1 100\n", "expected an exercise"},
		{"endlab practice 1\nscore KQvK win 1 2 100\n", "expected tries"},
		{"endlab practice 1\nscore KQvK win 1 1 101\n", "expected tries"},
		{"endlab practice 1\nscore KQvK win 1 1\n", "expected tries"},
		{"endlab practice 1\nscore KQvK win 1 1 100 1\n", "expected tries"},
		{"endlab practice 1\nscore KQvK win 0 0 0\n", "expected tries"},
		{"endlab practice 1\nscore KQvK win -1 1 1\n", "expected tries"},
		{"endlab practice 1\nscore KQvK win 99999999999999999999 1 1\n", "expected tries"},
		{"endlab practice 1\nscore KQvK win 1 1 1\nscore KQvK win 1 1 1\n", "practice:3: "},
		{"endlab practice 1\nagain 2026-02-30 0 win " QUEEN "\n", "expected a day"},
		{"endlab practice 1\nagain 2026-1-1 0 win " QUEEN "\n", "expected a day"},
		{"endlab practice 1\nagain 2026-01-01 5 win " QUEEN "\n",
	         "expected the number of a box"},
		{"endlab practice 1\nagain 2026-01-01 0 win\n", "expected a position"},
		{"endlab practice 1\nagain 2026-01-01 0 win 8/8/8/8/8/8/8/8 w - - 0 1\n",
	         "expected a position"},
		{"endlab practice 1\nagain\n", "expected a day"},
		{"endlab practice 1\n\xff\xfe\x01\n", "practice:2: "},
	};
	struct screens s;
	struct stat there;
	(void)state;
	mkdir("state", 0700);
	mkdir("state/bad", 0700);
	screens_state("state/bad");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		unlink("state/bad/practice.bad");
		write_text("state/bad/practice", bad[i].text);
		screens_open(&s, library, QUEEN, false);
		if (!*bad[i].text) { /* nothing is nothing */
			assert_false(s.model.message.error);
			screens_close(&s);
			continue;
		}
		assert_true(s.model.message.error);
		assert_said(&s, "Practice scores cannot be used");
		assert_said(&s, bad[i].why);
		assert_said(&s, "state/bad/practice.bad");
		assert_int_equal(stat("state/bad/practice.bad", &there), 0);
		assert_int_not_equal(stat("state/bad/practice", &there), 0);
		assert_int_equal(practice_of(&s.model)->scores.again_count, 0);
		assert_int_equal(practice_of(&s.model)->scores.tally_count, 0);
		type(&s, "practice guess KQvK"); /* and it goes on */
		press(&s, 's');
		screens_close(&s);
		assert_int_equal(stat("state/bad/practice", &there), 0);
	}
	screens_state(NULL);
}

/* ---- from one run to the next ---- */

static void what_went_wrong_comes_back(void **state)
{
	struct screens s;
	const struct practice *p;
	(void)state;
	screens_state("state/again");
	open_at(&s, 20000);
	type(&s, "practice");
	type(&s, "last");
	press(&s, K_ENTER); /* nothing comes back yet */
	assert_said(&s, "Nothing comes back today");
	type(&s, "practice guess 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1");
	press(&s, K_DOWN); /* a draw, with mate in one on the board */
	press(&s, K_ENTER);
	press(&s, 's');
	screens_close(&s);

	open_at(&s, 20000); /* the same day: at the head of the exercise, and alone */
	p = practice_of(&s.model);
	assert_int_equal(p->scores.again_count, 1);
	type(&s, "practice guess KQvK");
	assert_true(el_position_equal(&p->play.now, &p->scores.again[0].position));
	press(&s, 'q');
	assert_true(shell_is_shown(&s.model, VIEW_PRACTICE));
	type(&s, "last");
	press(&s, K_ENTER);
	assert_true(shell_is_shown(&s.model, VIEW_PRACTICE_GUESS));
	assert_int_equal(p->round_count, 1);
	press(&s, K_ENTER); /* White wins in one */
	assert_int_equal(practice_percent(&p->play.score), 100);
	press(&s, ' ');
	assert_true(practice_is_over(p));
	press(&s, 'q');
	press(&s, K_ENTER); /* not before tomorrow */
	assert_said(&s, "Nothing comes back today");
	screens_close(&s);

	open_at(&s, 20001);
	type(&s, "practice guess KQvK");
	assert_true(el_position_equal(&practice_of(&s.model)->play.now,
	                              &practice_of(&s.model)->scores.again[0].position));
	screens_close(&s);
	open_at(&s, 20000);
	type(&s, "practice guess KQvK");
	assert_false(el_position_equal(&practice_of(&s.model)->play.now,
	                               &practice_of(&s.model)->scores.again[0].position));
	screens_close(&s);
	screens_state(NULL);
}

/* The first try counts, whatever the user takes back afterwards. */
static void the_first_try_counts(void **state)
{
	struct screens s;
	(void)state;
	screens_state("state/first");
	open_at(&s, 20000);
	const struct practice *p = practice_of(&s.model);
	type(&s, "practice win 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
	type(&s, "Qg6"); /* stalemate */
	assert_int_equal(p->play.score.end, PRACTICE_THROWN);
	assert_int_equal(p->scores.again_count, 1);
	press(&s, 'U');
	type(&s, "Qg7");
	assert_int_equal(p->play.score.end, PRACTICE_WON);
	assert_int_equal(practice_percent(&p->play.score), 90);
	press(&s, ' ');
	assert_int_equal(p->scores.tallies[0].tries, 1);
	assert_int_equal(p->scores.tallies[0].right, 0);
	assert_int_equal(p->scores.again_count, 1);
	screens_close(&s);
	screens_state(NULL);
}

/* Examining a position in Explore does not ask for another slice to practise. */
static void a_round_goes_on_after_a_look_elsewhere(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	press(&s, 'P');
	const struct practice *p = practice_of(&s.model);
	type(&s, "practice win KRvK");
	press(&s, 'e');
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	press(&s, 'q');
	for (int i = 0; i < PRACTICE_ROUND; i++)
		press(&s, 's');
	assert_true(practice_is_over(p));
	press(&s, ' ');
	assert_true(p->begun && p->play.game);
	assert_string_equal(p->slice.name, "KRvK");
	screens_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_went_wrong_comes_back_ever_later),
		cmocka_unit_test(wrong_again_begins_anew),
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(a_damaged_file_is_put_aside),
		cmocka_unit_test(what_went_wrong_comes_back),
		cmocka_unit_test(the_first_try_counts),
		cmocka_unit_test(a_round_goes_on_after_a_look_elsewhere),
	};
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}
