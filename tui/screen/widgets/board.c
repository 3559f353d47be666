/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "board.h"

#include "../roles.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_ROWS = 1 };

/* Squares too small for their own number share that of the first one in their row. */
static int label_cols(const struct el_game *game, int scale)
{
	return game->labelled_squares && scale == 1 ? 3 : 2;
}

struct board board_plain(const struct el_game *game, const struct el_position *position,
			 bool flipped)
{
	return (struct board){
		.game = game,
		.position = position,
		.flipped = flipped,
		.picked = EL_NO_SQUARE,
		.cursor = EL_NO_SQUARE,
	};
}

struct board board_played(const struct el_game *game, const struct el_position *position,
                          const struct el_move *last, bool flipped)
{
	struct board b = board_plain(game, position, flipped);
	if (last)
		b.last = UINT64_C(1) << last->from | UINT64_C(1) << last->to | last->captured;
	if (game->in_check(position))
		b.check = position->set[position->side][0];
	return b;
}

/* ---- geometry ---- */

int board_rows(const struct el_game *game, int scale)
{
	return game->ranks * scale + LABEL_ROWS;
}

int board_cols(const struct el_game *game, int scale)
{
	return label_cols(game, scale) + game->files * scale * 2;
}

int board_scale(const struct el_game *game, int rows, int cols)
{
	int scale = 0;
	while (board_rows(game, scale + 1) <= rows && board_cols(game, scale + 1) <= cols)
		scale++;
	return scale;
}

uint8_t square_beside(const struct el_game *game, bool flipped, uint8_t square, enum direction way)
{
	const int files = way == LEFT ? -1 : way == RIGHT, ranks = way == DOWN ? -1 : way == UP;
	unsigned file, rank;
	if (!el_square_find(game, square, &file, &rank))
		return square;
	int sign = flipped ? -1 : 1, beside = rank % 2 ? -1 : 1;
	int f = (int)file + sign * files, r = (int)rank + sign * ranks;
	for (; f >= 0 && r >= 0 && f < game->files && r < game->ranks;
	     f += sign * files, r += sign * ranks) {
		uint8_t found = game->square_at((unsigned)f, (unsigned)r);
		/* Where only every second square is played on, a step up or down goes aslant, and the
		   next one back: two of them keep the file. */
		if (found == EL_NO_SQUARE && ranks && f + beside >= 0 && f + beside < game->files)
			found = game->square_at((unsigned)(f + beside), (unsigned)r);
		if (found != EL_NO_SQUARE)
			return found;
	}
	return square;
}

/* ---- pieces ---- */

enum role piece_role(unsigned side)
{
	return side == EL_WHITE ? ROLE_PIECE_WHITE : ROLE_PIECE_BLACK;
}

uint32_t piece_glyph(const struct el_game *game, const struct canvas *canvas, unsigned side,
                     unsigned kind)
{
	if (canvas->ascii || canvas->mono) {
		int letter = game->kinds[kind];
		return (uint32_t)(side == EL_WHITE ? letter : tolower(letter));
	}
	const char *glyph = game->glyphs[kind];
	return utf8_decode(&glyph);
}

/* ---- marks ---- */

struct square_mark square_mark_of(const struct el_metric *metric, struct el_value value, bool in_moves)
{
	struct square_mark mark = {.role = (uint8_t)outcome_mark_role(value.outcome)};
	const char letter = outcome_mark(value.outcome);
	if (value_is_deep(metric, value))
		snprintf(mark.text, sizeof mark.text, "%c%u", letter,
		         depth_shown(value.plies, in_moves) % 1000);
	else
		snprintf(mark.text, sizeof mark.text, "%c", letter);
	return mark;
}

/* ---- drawing ---- */

struct square {
	struct pane pane;
	uint8_t number; /* EL_NO_SQUARE where no piece can stand */
	bool is_dark;
};

static bool has(uint64_t set, uint8_t square)
{
	return square < 64 && (set >> square & 1);
}

static enum role square_role(const struct board *b, const struct square *s)
{
	if (s->number == EL_NO_SQUARE)
		return s->is_dark ? ROLE_SQUARE_DARK : ROLE_SQUARE_LIGHT;
	if (s->number == b->cursor)
		return ROLE_SQUARE_CURSOR;
	if (s->number == b->picked)
		return ROLE_SQUARE_PICKED;
	if (has(b->check, s->number))
		return ROLE_SQUARE_CHECK;
	if (has(b->last, s->number))
		return ROLE_SQUARE_LAST;
	return s->is_dark ? ROLE_SQUARE_DARK : ROLE_SQUARE_LIGHT;
}

/* Without colours the dark squares are dotted, and brackets stand for the special backgrounds. */
static const char brackets[ROLES][2] = {
	[ROLE_SQUARE_CURSOR] = {'[', ']'},
	[ROLE_SQUARE_PICKED] = {'{', '}'},
	[ROLE_SQUARE_CHECK] = {'!', '!'},
	[ROLE_SQUARE_LAST] = {'(', ')'},
};

static void draw_ground(const struct board *b, const struct square *s, enum role role)
{
	pane_fill(s->pane, role);
	if (!s->pane.canvas->mono)
		return;
	for (int y = 0; y < s->pane.rows && s->is_dark; y++)
		for (int x = 0; x < s->pane.cols; x++)
			pane_put(s->pane, y, x, ROLE_DIM, ':');
	int y = (b->scale - 1) / 2;
	if (!brackets[role][0])
		return;
	pane_put(s->pane, y, b->scale == 1 ? 1 : 0, ROLE_STRONG,
		 (uint32_t)brackets[role][b->scale == 1]);
	pane_put(s->pane, y, s->pane.cols - 1, ROLE_STRONG, (uint32_t)brackets[role][1]);
}

static void draw_piece(const struct board *b, const struct square *s)
{
	unsigned side, kind;
	int y = (b->scale - 1) / 2, x = b->scale == 1 ? 0 : b->scale - 1;
	if (el_piece_at(b->position, s->number, &side, &kind)) {
		if (s->pane.canvas->mono && b->scale > 1)
			pane_put(s->pane, y, x + 1, ROLE_TEXT, ' ');
		if (s->pane.canvas->mono && x > 1)
			pane_put(s->pane, y, x - 1, ROLE_TEXT, ' ');
		pane_put(s->pane, y, x, piece_role(side),
			 piece_glyph(b->game, s->pane.canvas, side, kind));
	} else if (has(b->targets, s->number)) {
		pane_put(s->pane, y, x, ROLE_SQUARE_MARK, s->pane.canvas->ascii ? '*' : 0x2022);
	}
}

/* Null where there is none. */
static const struct square_mark *mark_of(const struct board *b, uint8_t number)
{
	if (number < 64 && b->over && b->over[number].text[0])
		return &b->over[number];
	return number < 64 && b->marks && b->marks[number].text[0] ? &b->marks[number] : NULL;
}

/* The mark stands in the last row; in squares of one row there is room for its first letter. */
static void draw_mark(const struct board *b, const struct square *s)
{
	const struct square_mark *mark = mark_of(b, s->number);
	if (!mark)
		return;
	struct pane row = pane_sub(s->pane, b->scale - 1, b->scale == 1, 1, s->pane.cols);
	if (mark->role != ROLE_GROUND || s->pane.canvas->mono)
		pane_fill(row,
			  mark->role != ROLE_GROUND ? (enum role)mark->role : square_role(b, s));
	if (b->scale == 1)
		pane_put(row, 0, 0, ROLE_SQUARE_MARK, (uint32_t)mark->text[0]);
	else
		pane_text(row, 0, (row.cols - (int)strlen(mark->text)) / 2, ROLE_SQUARE_MARK,
			  mark->text);
}

/* The number stands in a corner that neither the piece nor the mark needs; where that is too much to
   ask it is left out. */
static void draw_number(const struct board *b, const struct square *s)
{
	char name[4];
	unsigned side, kind;
	int y = b->scale == 2 && !b->marks ? 1 : 0;
	bool is_full = s->pane.canvas->mono && y == (b->scale - 1) / 2 &&
	               (el_piece_at(b->position, s->number, &side, &kind) ||
	                brackets[square_role(b, s)][0]);
	if (!b->game->labelled_squares || s->number == EL_NO_SQUARE || b->scale == 1 || is_full)
		return;
	b->game->square_name(s->number, name);
	pane_right(s->pane, y, s->pane.cols, ROLE_SQUARE_NUMBER, name);
}

static void draw_square(const struct board *b, const struct square *s)
{
	draw_ground(b, s, square_role(b, s));
	draw_number(b, s);
	draw_piece(b, s);
	draw_mark(b, s);
	if (s->number != EL_NO_SQUARE)
		pane_zone(s->pane, ZONE_SQUARE, s->number);
}

/* The square that is drawn at a place on the screen. */
static uint8_t square_shown(const struct board *b, int row, int col)
{
	int file = b->flipped ? b->game->files - 1 - col : col;
	int rank = b->flipped ? row : b->game->ranks - 1 - row;
	return b->game->square_at((unsigned)file, (unsigned)rank);
}

/* Ranks at the left, files below. */
static void draw_coordinates(const struct board *b, struct pane p)
{
	int ranks = b->game->ranks, files = b->game->files, left = label_cols(b->game, b->scale);
	for (int row = 0; row < ranks; row++)
		pane_print(p, row * b->scale + (b->scale - 1) / 2, 0, ROLE_DIM, "%d",
		           b->flipped ? row + 1 : ranks - row);
	for (int col = 0; col < files; col++)
		pane_put(p, ranks * b->scale,
			 left + col * b->scale * 2 + (b->scale == 1 ? 0 : b->scale - 1), ROLE_DIM,
			 (uint32_t)('a' + (b->flipped ? files - 1 - col : col)));
}

/* The number of each row's first square, where the squares have no room for theirs. */
static void draw_first_numbers(const struct board *b, struct pane p)
{
	for (int row = 0; row < b->game->ranks; row++) {
		int col = 0;
		char name[4];
		while (col + 1 < b->game->files && square_shown(b, row, col) == EL_NO_SQUARE)
			col++;
		b->game->square_name(square_shown(b, row, col), name);
		pane_right(p, row, 2, ROLE_DIM, name);
	}
}

void board_draw(const struct board *b, struct pane p)
{
	int ranks = b->game->ranks, files = b->game->files, k = b->scale;
	int left = label_cols(b->game, k);
	if (!b->game->labelled_squares)
		draw_coordinates(b, p);
	else if (k == 1)
		draw_first_numbers(b, p);
	for (int row = 0; row < ranks; row++) {
		for (int col = 0; col < files; col++) {
			struct square s = {
				.pane = pane_sub(p, row * k, left + col * k * 2, k, k * 2),
				.number = square_shown(b, row, col),
				/* The corner at either side's left is dark. */
				.is_dark = (ranks - 1 - row + col) % 2 == 0,
			};
			draw_square(b, &s);
		}
	}
}
