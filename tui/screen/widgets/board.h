/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A board of any game: squares, pieces, marks, coordinates. */
#ifndef TUI_SCREEN_WIDGETS_BOARD_H
#define TUI_SCREEN_WIDGETS_BOARD_H

#include "tui/screen/canvas.h"

#include "core/games/game.h"

/* What stands in a square besides its piece. */
struct square_mark {
	char text[6];  /* empty: nothing */
	uint8_t role;  /* enum role: the whole square is of that value, the first of its shades;
	                 ROLE_GROUND: the square has its own colour */
	uint8_t shade; /* below SHADES; 0 where the value has but one */
};

struct board {
	const struct el_game *game;
	const struct el_position *position;
	bool flipped;
	/* a square is 2 * scale columns by scale rows; see board_scale */
	int scale;
	uint64_t last;                   /* squares of the last move */
	uint64_t check;                  /* squares of a piece in check */
	uint64_t prey;                   /* squares of pieces one of which is to be taken */
	uint64_t targets;                /* squares that the piece taken up can go to */
	uint8_t picked, cursor;          /* EL_NO_SQUARE: none */
	const struct square_mark *marks; /* by square; may be null */
	/* the same, shown instead where it is not empty; may be null */
	const struct square_mark *over;
};

/* A board without marks of any kind. */
struct board board_plain(const struct el_game *, const struct el_position *, bool flipped);
/* The board of a legal position, with a check and the move that led to it marked (null: none):
   every square that it changed, where the position before is given, too. */
struct board board_played(const struct el_game *, const struct el_position *,
                          const struct el_move *last, const struct el_position *before,
                          bool flipped);

/* The size on the screen, with the coordinates. */
int board_rows(const struct el_game *, int scale);
int board_cols(const struct el_game *, int scale);
/* The greatest scale that fits; 0 when none does. */
int board_scale(const struct el_game *, int rows, int cols);

void board_draw(const struct board *, struct pane);
/* One piece by itself: its glyph or, with pieces in letters, its letter, capital for White. */
uint32_t piece_glyph(const struct el_game *, const struct canvas *, unsigned side, unsigned kind);
enum role piece_role(unsigned side);

enum direction { LEFT, RIGHT, UP, DOWN };
/* The square beside another one on the screen; the same one at the edge, and the nearest one beyond
   where no piece can stand. */
uint8_t square_beside(const struct el_game *, bool flipped, uint8_t square, enum direction);
/* What values say in the squares that they are of: "W33", "=". */
void board_mark_values(const struct el_metric *, const struct el_value value[64], bool in_moves,
                       struct square_mark out[64]);
/* The shade of a depth among those from `least` to `most`: the shortest have the first. */
uint8_t shade_of(unsigned depth, unsigned least, unsigned most);

#endif
