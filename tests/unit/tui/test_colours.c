/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The themes' colours: text is legible, and different meanings look different, even to people who
   cannot tell red from green. */
#include "tests/fixtures/colours.h"
#include "tui/screen/roles.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- eyes: Machado, Oliveira and Fernandes, 'A Physiologically-based Model for Simulation of Color Vision
   Deficiency' (2009), severity 1 ---- */

enum { EYES = 3 };
static const double eyes[EYES][3][3] = {
	{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	{{0.152286, 1.052583, -0.204868},
         {0.114503, 0.786281, 0.099216},
         {-0.003882, -0.048116, 1.051998}},
	{{0.367322, 0.860646, -0.227968},
         {0.280085, 0.672501, 0.047413},
         {-0.011820, 0.042940, 0.968881}},
};

static struct light seen(struct light l, const double eye[3][3])
{
	struct light out = {{0}};
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++)
			out.rgb[i] += eye[i][j] * l.rgb[j];
		out.rgb[i] = fmin(1, fmax(0, out.rgb[i]));
	}
	return out;
}

/* ---- distances: CIE 1976, in L*a*b* ---- */

static double lab_part(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

static void lab_of(struct light l, double out[3])
{
	const double *c = l.rgb;
	const double x = lab_part((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047);
	const double y = lab_part(luminance(l));
	const double z = lab_part((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883);
	out[0] = 116 * y - 16;
	out[1] = 500 * (x - y);
	out[2] = 200 * (y - z);
}

/* For the eyes that see the least of it. */
static double distance(int a, int b)
{
	double least = INFINITY;
	for (int e = 0; e < EYES; e++) {
		double p[3], q[3], sum = 0;
		lab_of(seen(light_of(a), eyes[e]), p);
		lab_of(seen(light_of(b), eyes[e]), q);
		for (int i = 0; i < 3; i++)
			sum += (p[i] - q[i]) * (p[i] - q[i]);
		least = fmin(least, sqrt(sum));
	}
	return least;
}

/* ---- distinct colours: groups of roles that are side by side on a board ---- */

struct group {
	const char *name;
	int first, count;
};

static const struct group values[] = {
	{"win", ROLE_VALUE_WIN, SHADES},
	{"draw", ROLE_VALUE_DRAW, 1},
	{"loss", ROLE_VALUE_LOSS, SHADES},
	{"cursed win", ROLE_VALUE_CURSED, SHADES},
	{"blessed loss", ROLE_VALUE_BLESSED, SHADES},
	{"unknown", ROLE_VALUE_UNKNOWN, 1},
	{"just decided", ROLE_VALUE_NOW, 1},
	{"at most a draw", ROLE_VALUE_AT_MOST, 1},
	{"at least a draw", ROLE_VALUE_AT_LEAST, 1},
	{0},
};

static const struct group squares[] = {
	{"plain", ROLE_SQUARE_LIGHT, 2},   {"last move", ROLE_SQUARE_LAST, 1},
	{"check", ROLE_SQUARE_CHECK, 1},   {"cursor", ROLE_SQUARE_CURSOR, 1},
	{"picked", ROLE_SQUARE_PICKED, 1}, {0},
};

static const struct group words[] = {
	{"win", ROLE_WIN, 1},
	{"cursed win", ROLE_CURSED, 1},
	{"draw", ROLE_DRAW, 1},
	{"blessed loss", ROLE_BLESSED, 1},
	{"loss", ROLE_LOSS, 1},
	{"unknown", ROLE_UNKNOWN, 1},
	{0},
};

static void check_pair(const struct theme *t, const struct group *a, const struct group *b,
                       double least)
{
	for (int i = 0; i < 2 * a->count; i++)
		for (int j = 0; j < b->count; j++) {
			const double d = distance(colour_of_role(t, a->first + i / 2, i % 2),
			                          colour_of_role(t, b->first + j, i % 2));
			if (d < least)
				fail_msg("%s: %s %d and %s %d are only %.1f apart", t->name,
				         a->name, i / 2, b->name, j, d);
		}
}

static void check_apart(const struct group *groups, double least)
{
	for (const struct theme *t = themes; t->name; t++)
		for (const struct group *a = groups; a->name && !t->mono; a++)
			for (const struct group *b = groups; b < a; b++)
				check_pair(t, a, b, least);
}

static void values_are_apart_to_all_eyes(void **state)
{
	(void)state;
	check_apart(values, 15);
}

static void marked_squares_are_apart_to_all_eyes(void **state)
{
	(void)state;
	check_apart(squares, 20);
}

static void words_of_values_are_apart_to_all_eyes(void **state)
{
	(void)state;
	check_apart(words, 15);
}

/* Wins, losses and draws on the palettes of 16 and 8 colours; everything else has a letter. */
static void few_colours_tell_the_outcomes_apart(void **state)
{
	static const int outcomes[] = {ROLE_VALUE_WIN, ROLE_VALUE_DRAW, ROLE_VALUE_LOSS,
	                               ROLE_VALUE_NOW};
	(void)state;
	for (const struct theme *t = themes; t->name && !t->mono; t++)
		for (int i = 0; i < 4; i++)
			for (int j = 0; j < i; j++) {
				const struct paint *a = &t->paint[outcomes[i]],
						   *b = &t->paint[outcomes[j]];
				assert_true(distance(a->c16, b->c16) >= 20);
				assert_true(distance(a->c8, b->c8) >= 20);
			}
}

/* The longer, the darker: with 256 colours the shades of late wins and losses come in pairs. */
static void longer_is_darker(void **state)
{
	static const int shaded[] = {ROLE_VALUE_WIN, ROLE_VALUE_LOSS, ROLE_VALUE_CURSED,
	                             ROLE_VALUE_BLESSED};
	(void)state;
	for (const struct theme *t = themes; t->name && !t->mono; t++)
		for (int i = 0; i < 4; i++)
			for (int shade = 1; shade < SHADES; shade++) {
				const int here = shaded[i] + shade;
				for (int all = 0; all < 2; all++) {
					const double light = luminance(light_of(
							     colour_of_role(t, here, all))),
						     before = luminance(light_of(
							     colour_of_role(t, here - 1, all)));
					const bool pair = !all && i > 1 && shade % 2;
					assert_true(pair ? light == before : light < before);
				}
			}
}

/* ---- legible colours ---- */

static void both_sides_are_seen_on_every_square(void **state)
{
	static const int on[] = {
		ROLE_SQUARE_LIGHT,  ROLE_SQUARE_DARK,   ROLE_SQUARE_LAST,   ROLE_SQUARE_CHECK,
		ROLE_SQUARE_CURSOR, ROLE_SQUARE_PICKED, ROLE_VALUE_UNKNOWN,
	};
	(void)state;
	for (const struct theme *t = themes; t->name && !t->mono; t++)
		for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
			const int ground = t->paint[on[i]].c256;
			assert_true(contrast(ground, t->paint[ROLE_PIECE_WHITE].c256) >= 3);
			assert_true(contrast(ground, t->paint[ROLE_PIECE_BLACK].c256) >= 3);
		}
}

static void marks_can_be_read_on_every_value(void **state)
{
	(void)state;
	for (const struct theme *t = themes; t->name && !t->mono; t++)
		for (int role = ROLE_VALUE_WIN; role < ROLE_VALUE_BROKEN; role++) {
			const int ink = t->paint[ground_ink((enum role)role)].c256;
			for (int all = 0; all < 2; all++)
				if (contrast(colour_of_role(t, role, all), ink) < 3)
					fail_msg("%s: role %d", t->name, role);
		}
}

static void every_role_tells_its_squares_apart_with_few_colours(void **state)
{
	(void)state;
	for (const struct theme *t = themes; t->name && !t->mono; t++) {
		assert_int_not_equal(t->paint[ROLE_SQUARE_LIGHT].c8, t->paint[ROLE_SQUARE_DARK].c8);
		assert_int_not_equal(t->paint[ROLE_SQUARE_LIGHT].c16,
		                     t->paint[ROLE_SQUARE_DARK].c16);
		assert_int_not_equal(t->paint[ROLE_PIECE_WHITE].c8, t->paint[ROLE_PIECE_BLACK].c8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_apart_to_all_eyes),
		cmocka_unit_test(marked_squares_are_apart_to_all_eyes),
		cmocka_unit_test(words_of_values_are_apart_to_all_eyes),
		cmocka_unit_test(few_colours_tell_the_outcomes_apart),
		cmocka_unit_test(longer_is_darker),
		cmocka_unit_test(both_sides_are_seen_on_every_square),
		cmocka_unit_test(marks_can_be_read_on_every_value),
		cmocka_unit_test(every_role_tells_its_squares_apart_with_few_colours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
