/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From roles to colours: dark, light and mono. */
#ifndef TUI_SCREEN_THEME_H
#define TUI_SCREEN_THEME_H

#include "canvas.h"

enum { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_REVERSE = 4, LOOK_UNDERLINE = 8 };

/* A role's colour on terminals of 256, 16 and 8 colours; -1 is the terminal's own. */
struct paint {
	int16_t c256, c16, c8;
	uint8_t look; /* LOOK_... */
	uint32_t rgb; /* 0xRRGGBB, better than c256 where a terminal has all colours; 0: none */
};

struct theme {
	const char *name, *summary;
	bool mono;
	const struct paint *paint; /* by enum role */
};

/* All themes, ending with a null name; the first is the default. */
extern const struct theme themes[];
/* Null if there is none of that name. */
const struct theme *theme_find(const char *name);

#endif
