/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of boards, cell by cell against a film: each half of a character is one position. */
#include "core/film/boards.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/shell_fixture.h"
#include "tui/views/teach/teach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROWS = 40, COLS = 120, TILE = 9, SQUARES = 64 };

/* Black's king on `tile`, White's on `cell`, the rook on d1: independent of the program's code. */
static bool position_of_kings(unsigned side, unsigned tile, unsigned cell, struct el_position *out)
{
	enum { D1 = 3 };
	if (tile == cell || tile == D1 || cell == D1)
		return false;
	*out = position_of("8/8/8/8/8/8/8/k1KR4 b - - 0 1");
	out->set[EL_BLACK][0] = UINT64_C(1) << tile;
	out->set[EL_WHITE][0] = UINT64_C(1) << cell;
	out->side = (uint8_t)side;
	return true;
}

/* The role of the half character at a place in half rows, below the title line. */
static enum role role_at(const struct canvas *c, int y, int x)
{
	const struct cell *at = &c->cells[(y / 2 + 1) * c->cols + x];
	const bool upper = y % 2 == 0;
	switch (at->glyph) {
	case 0x2580:
		return (enum role)(upper ? at->fg : at->bg);
	case 0x2584:
		return (enum role)(upper ? at->bg : at->fg);
	default:
		assert_int_equal(at->glyph, ' ');
		return (enum role)at->bg;
	}
}

static unsigned check_screen(const struct screens *s, const struct el_film *film, size_t step)
{
	const unsigned side = film->steps[step].decided[EL_WHITE] ? EL_WHITE : EL_BLACK;
	unsigned now = 0;
	for (unsigned tile = 0; tile < SQUARES; tile++)
		for (unsigned cell = 0; cell < SQUARES; cell++) {
			const int y = (int)((7 - tile / 8) * TILE + 7 - cell / 8);
			const int x = (int)(tile % 8 * TILE + cell % 8);
			const enum role shown = role_at(&s->canvas, y, x);
			struct el_position p;
			struct el_film_value v = {.value.outcome = EL_BROKEN};
			if (position_of_kings(side, tile, cell, &p))
				v = el_film_value(film, &p, step);
			if (v.value.outcome == EL_BROKEN)
				assert_int_equal(shown, ROLE_SQUARE_INK);
			else if (v.open)
				assert_int_equal(shown, ROLE_VALUE_UNKNOWN);
			else if (v.step == step)
				assert_int_equal(shown, ROLE_PIECE_WHITE);
			else
				assert_in_range(shown,
				                v.value.outcome == EL_WIN ? ROLE_VALUE_WIN
				                                          : ROLE_VALUE_LOSS,
				                (v.value.outcome == EL_WIN ? ROLE_VALUE_WIN
				                                           : ROLE_VALUE_LOSS) +
				                        SHADES - 1);
			now += v.value.outcome != EL_BROKEN && v.step == step;
		}
	return now;
}

static void every_cell_is_its_position(void **state)
{
	struct screens s;
	struct el_film *film;
	const struct el_film_wish wish = {.slice = slice_named("KRvK"), .metric = &el_dtm};
	(void)state;
	assert_int_equal(el_film_make(library, &wish, NULL, &film, NULL), EL_OK);
	screens_open(&s, library, ROOK, false);
	screens_event(&s, (struct event){.kind = EVENT_RESIZE, .rows = ROWS, .cols = COLS});
	type(&s, "teach 8/8/8/8/8/8/8/k1KR4 b - - 0 1");
	press(&s, 'w');
	size_t checked = 0, decided = 0;
	for (size_t step = EL_FILM_CONVERSIONS + 1; step + 1 < film->step_count; step++) {
		char line[32];
		snprintf(line, sizeof line, "pass %u", film->steps[step].ply);
		type(&s, line);
		screens_draw(&s);
		decided += check_screen(&s, film, step);
		checked++;
	}
	assert_int_equal(checked, 32);
	assert_true(decided > SQUARES * SQUARES); /* most of two boards of boards */
	screens_close(&s);
	el_film_free(film);
}

/* `o` goes to a board that has a position of this pass, `y` asks for the next pass and `g` grades it: all squares
   that the film says are right, and only they. */
static void passes_are_found_and_done_by_hand(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, ROOK, false);
	type(&s, "teach 8/8/8/8/1k6/8/2K5/4R3 b - - 0 1");
	type(&s, "pass 7");
	const struct teach *t = teach_of(&s.model);
	assert_int_equal(t->window.position.side, EL_WHITE); /* the side that the pass is about */
	assert_int_equal(teach_news(&s.model, t->step), 0);
	press(&s, 'o');
	assert_true(teach_news(&s.model, t->step) != 0);
	press(&s, 'y');
	const uint64_t expected = teach_news(&s.model, t->step + 1);
	const size_t step = t->step;
	assert_true(t->trying && expected);
	assert_int_equal(t->window.position.side, EL_BLACK);
	for (uint8_t square = 0; square < SQUARES; square++)
		if (expected >> square & 1)
			screens_event(
				&s, (struct event){.kind = EVENT_CLICK,
			                           .zone = {.kind = ZONE_SQUARE, .value = square}});
	press(&s, 'g');
	assert_int_equal(t->step, step + 1);
	assert_int_equal(t->marks.expected, expected);
	assert_int_equal(marks_percent(&t->marks), 100);
	press(&s, 'y'); /* and one without any mark */
	press(&s, 'g');
	assert_int_equal(marks_percent(&t->marks), 0);
	assert_int_equal(t->tries, 2);
	press(&s, ' ');
	assert_false(t->trying);
	/* Marks end with the board that they are on. */
	static const int others[] = {'t', K_TAB, 'w', 'a'};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		press(&s, 'y');
		assert_true(t->trying);
		press(&s, others[i]);
		s.model.now += 5000;
		screens_event(&s, (struct event){.kind = EVENT_TICK});
		assert_false(t->trying);
		if (t->tiled)
			press(&s, 'w');
	}
	screens_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_is_its_position),
		cmocka_unit_test(passes_are_found_and_done_by_hand),
	};
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}
