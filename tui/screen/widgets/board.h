/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A board of any game: squares, pieces, marks, coordinates. */
#ifndef TUI_SCREEN_WIDGETS_BOARD_H
#define TUI_SCREEN_WIDGETS_BOARD_H

#include "tui/screen/canvas.h"

#include "core/games/game.h"

/* What a square shows besides its piece. */
struct square_mark {
	char text[6];  /* empty: nothing */
	uint8_t role;  /* enum role: the whole square is of that value, the first of its shades;
	                 ROLE_GROUND: the square has its own colour */
	uint8_t shade; /* below SHADES; 0 if the value has only one */
};

struct board {
	const struct el_game *game;
	const struct el_position *position;
	bool flipped;
	/* a square is 2 * scale columns by scale rows; see board_scale */
	int scale;
	uint64_t last;                   /* squares of the last move */
	uint64_t check;                  /* squares of a piece in check */
	uint64_t prey;                   /* squares of pieces of which one will be taken */
	uint64_t targets;                /* destinations of the piece picked up */
	uint8_t picked, cursor;          /* EL_NO_SQUARE: none */
	const struct square_mark *marks; /* by square; may be null */
	/* shown instead where not empty; may be null */
	const struct square_mark *over;
};

/* A board without marks of any kind. */
struct board board_plain(const struct el_game *, const struct el_position *, bool flipped);
/* The board of a legal position with any check marked, and the last move (null: none): with
   `before`, the position before it, every square that it changed. */
struct board board_played(const struct el_game *, const struct el_position *,
                          const struct el_move *last, const struct el_position *before,
                          bool flipped);

/* The size on the screen, including coordinates. */
int board_rows(const struct el_game *, int scale);
int board_cols(const struct el_game *, int scale);
/* The greatest scale that fits; 0 if none does. */
int board_scale(const struct el_game *, int rows, int cols);

void board_draw(const struct board *, struct pane);
/* A single piece: its glyph or, with pieces as letters, its letter, a capital for White. */
uint32_t piece_glyph(const struct el_game *, const struct canvas *, unsigned side, unsigned kind);
enum role piece_role(unsigned side);

enum direction { LEFT, RIGHT, UP, DOWN };
/* The adjacent square on the screen, skipping places where no piece can stand; the same square at
   the edge. */
uint8_t square_beside(const struct el_game *, bool flipped, uint8_t square, enum direction);
/* Marks each square with its value: "W33", "=". */
void board_mark_values(const struct el_metric *, const struct el_value value[64], bool in_moves,
                       struct square_mark out[64]);
/* The shade of a depth between `least` and `most`: the shortest have the first. */
uint8_t shade_of(unsigned depth, unsigned least, unsigned most);

#endif
