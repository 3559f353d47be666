/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theme.h"

#include <string.h>

/*
 * White and black pieces are the same solid glyphs, distinguished only by colour. So their squares
 * have a luminance between 0.1 and 0.3, where both white and black keep a contrast of at least 3:1,
 * whatever the terminal's background.
 *
 * Red-green colour blindness leaves yellow, blue and brightness. So wins are blue, losses orange to
 * red, draws light grey and unknown values dark grey; brown squares are marked in blue, magenta and
 * greys, not red and green. The longer a win or a loss, the darker: a depth has one colour wherever
 * it stands, and on all shades white numbers have a contrast of at least 3:1.
 */
#define SHADED(role, c16, c8, a, ra, b, rb, c, rc, d, rd, e, re, f, rf)         \
	[role] = {a, c16, c8, 0, ra}, [(role) + 1] = {b, c16, c8, 0, rb},       \
	[(role) + 2] = {c, c16, c8, 0, rc}, [(role) + 3] = {d, c16, c8, 0, rd}, \
	[(role) + 4] = {e, c16, c8, 0, re}, [(role) + 5] = {f, c16, c8, 0, rf}
#define BOARD_PAINT                                                                                \
	[ROLE_SQUARE_LIGHT] = {137, 6, 6, 0, 0}, [ROLE_SQUARE_DARK] = {94, 8, 5, 0, 0},            \
	[ROLE_SQUARE_LAST] = {103, 2, 2, 0, 0}, [ROLE_SQUARE_CHECK] = {201, 1, 1, 0, 0},           \
	[ROLE_SQUARE_CURSOR] = {25, 4, 4, 0, 0}, [ROLE_SQUARE_PICKED] = {59, 5, 3, 0, 0},          \
	[ROLE_PIECE_WHITE] = {231, 15, 7, LOOK_BOLD, 0}, [ROLE_PIECE_BLACK] = {16, 0, 0, 0, 0},    \
	[ROLE_SQUARE_MARK] = {231, 15, 7, LOOK_BOLD, 0}, [ROLE_SQUARE_INK] = {16, 0, 0, 0, 0},     \
	[ROLE_SQUARE_NUMBER] = {223, 7, 7, 0, 0},                                                  \
	SHADED(ROLE_VALUE_WIN, 4, 4, 33, 0x3B90F8, 27, 0x3379DB, 20, 0x265EB7, 19, 0x1B4395, 18,   \
	       0x112974, 17, 0x0A0E54),                                                            \
	SHADED(ROLE_VALUE_CURSED, 12, 4, 110, 0x96BEE1, 110, 0x86B2D5, 74, 0x76A6C9, 74, 0x669ABD, \
	       67, 0x568EB1, 67, 0x4682A5),                                                        \
	SHADED(ROLE_VALUE_BLESSED, 3, 1, 180, 0xDEB88C, 180, 0xD3AD82, 173, 0xC9A278, 173,         \
	       0xBF976E, 137, 0xB48D64, 137, 0xAA825A),                                            \
	SHADED(ROLE_VALUE_LOSS, 1, 1, 202, 0xF56814, 166, 0xD35417, 160, 0xB14118, 124, 0x912E17,  \
	       88, 0x721B14, 52, 0x540810),                                                        \
	[ROLE_VALUE_DRAW] = {250, 7, 2, 0, 0}, [ROLE_VALUE_AT_LEAST] = {122, 6, 6, 0, 0},          \
	[ROLE_VALUE_AT_MOST] = {89, 5, 5, 0, 0}, [ROLE_VALUE_UNKNOWN] = {243, 8, 5, 0, 0},         \
	[ROLE_VALUE_NOW] = {226, 11, 7, 0, 0}, [ROLE_VALUE_BROKEN] = {-1, -1, -1, 0, 0}

static const struct paint dark[ROLES] = {
	[ROLE_GROUND] = {-1, -1, -1, 0, 0},
	[ROLE_TEXT] = {-1, -1, -1, 0, 0},
	[ROLE_DIM] = {245, 7, 7, 0, 0},
	[ROLE_STRONG] = {-1, -1, -1, LOOK_BOLD, 0},
	[ROLE_TITLE] = {238, 4, 4, 0, 0},
	[ROLE_TITLE_TEXT] = {252, 15, 7, 0, 0},
	[ROLE_TITLE_HERE] = {222, 11, 3, LOOK_BOLD, 0},
	[ROLE_HINT_KEY] = {222, 11, 3, LOOK_BOLD, 0},
	[ROLE_HINT] = {250, 7, 7, 0, 0},
	[ROLE_NOTE] = {117, 14, 6, 0, 0},
	[ROLE_ERROR] = {210, 9, 1, LOOK_BOLD, 0},
	[ROLE_BUSY] = {157, 10, 2, LOOK_BOLD, 0},
	[ROLE_SELECTED] = {237, 4, 4, 0, 0},
	[ROLE_WIN] = {75, 12, 6, 0, 0},
	[ROLE_CURSED] = {110, 12, 6, LOOK_DIM, 0},
	[ROLE_DRAW] = {252, 15, 7, 0, 0},
	[ROLE_BLESSED] = {180, 11, 3, LOOK_DIM, 0},
	[ROLE_LOSS] = {208, 11, 3, 0, 0},
	[ROLE_UNKNOWN] = {245, 7, 7, 0, 0},
	[ROLE_BROKEN] = {246, 8, 7, 0, 0},
	[ROLE_AT_LEAST] = {116, 14, 6, 0, 0},
	[ROLE_AT_MOST] = {182, 13, 5, 0, 0},
	[ROLE_LESSON] = {236, 0, 0, 0, 0},
	BOARD_PAINT,
};

static const struct paint light[ROLES] = {
	[ROLE_GROUND] = {-1, -1, -1, 0, 0},
	[ROLE_TEXT] = {-1, -1, -1, 0, 0},
	[ROLE_DIM] = {243, 8, 0, 0, 0},
	[ROLE_STRONG] = {-1, -1, -1, LOOK_BOLD, 0},
	[ROLE_TITLE] = {252, 7, 7, 0, 0},
	[ROLE_TITLE_TEXT] = {236, 0, 0, 0, 0},
	[ROLE_TITLE_HERE] = {25, 4, 4, LOOK_BOLD, 0},
	[ROLE_HINT_KEY] = {25, 4, 4, LOOK_BOLD, 0},
	[ROLE_HINT] = {239, 8, 0, 0, 0},
	[ROLE_NOTE] = {25, 4, 4, 0, 0},
	[ROLE_ERROR] = {160, 1, 1, LOOK_BOLD, 0},
	[ROLE_BUSY] = {28, 2, 2, LOOK_BOLD, 0},
	[ROLE_SELECTED] = {254, 7, 7, 0, 0},
	[ROLE_WIN] = {25, 4, 4, 0, 0},
	[ROLE_CURSED] = {60, 4, 4, LOOK_UNDERLINE, 0},
	[ROLE_DRAW] = {236, 0, 0, 0, 0},
	[ROLE_BLESSED] = {130, 1, 1, LOOK_UNDERLINE, 0},
	[ROLE_LOSS] = {88, 1, 1, 0, 0},
	[ROLE_UNKNOWN] = {243, 8, 0, 0, 0},
	[ROLE_BROKEN] = {243, 8, 7, 0, 0},
	[ROLE_AT_LEAST] = {30, 6, 6, 0, 0},
	[ROLE_AT_MOST] = {133, 5, 5, 0, 0},
	[ROLE_LESSON] = {255, 15, 7, 0, 0},
	BOARD_PAINT,
};

/* No colours: the terminal's own, with a look. */
#define LOOK(look)                    \
	{                             \
		-1, -1, -1, (look), 0 \
	}
static const struct paint mono[ROLES] = {
	[ROLE_GROUND... ROLE_DIM] = LOOK(0),
	[ROLE_STRONG] = LOOK(LOOK_BOLD),
	[ROLE_TITLE] = LOOK(LOOK_REVERSE),
	[ROLE_TITLE_TEXT] = LOOK(0),
	[ROLE_TITLE_HERE] = LOOK(LOOK_BOLD | LOOK_UNDERLINE),
	[ROLE_HINT_KEY] = LOOK(LOOK_BOLD),
	[ROLE_HINT... ROLE_NOTE] = LOOK(0),
	[ROLE_ERROR... ROLE_BUSY] = LOOK(LOOK_BOLD),
	[ROLE_SELECTED] = LOOK(LOOK_REVERSE),
	[ROLE_WIN] = LOOK(LOOK_BOLD),
	[ROLE_CURSED... ROLE_BLESSED] = LOOK(0),
	[ROLE_LOSS] = LOOK(LOOK_UNDERLINE),
	[ROLE_UNKNOWN... ROLE_SQUARE_DARK] = LOOK(0),
	[ROLE_SQUARE_LAST] = LOOK(LOOK_UNDERLINE),
	[ROLE_SQUARE_CHECK] = LOOK(LOOK_REVERSE | LOOK_BOLD),
	[ROLE_SQUARE_CURSOR... ROLE_SQUARE_PICKED] = LOOK(LOOK_REVERSE),
	[ROLE_PIECE_WHITE... ROLE_PIECE_BLACK] = LOOK(LOOK_BOLD),
	[ROLE_SQUARE_MARK... ROLE_SQUARE_INK] = LOOK(0),
	[ROLE_SQUARE_NUMBER] = LOOK(LOOK_DIM),
	[ROLE_AT_LEAST... ROLES - 1] = LOOK(0),
};

const struct theme themes[] = {
	{"dark", "for a dark terminal", false, dark},
	{"light", "for a light terminal", false, light},
	{"mono", "without colours", true, mono},
	{0},
};

const struct theme *theme_find(const char *name)
{
	for (const struct theme *t = themes; t->name; t++)
		if (!strcmp(t->name, name))
			return t;
	return NULL;
}
