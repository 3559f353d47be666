/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "board_inside.h"

#include "pictures.h"
#include "tui/screen/roles.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_ROWS = 1 };

/* Squares too small for their number share that of the first one in their row. */
static int label_cols(const struct el_game *game, int scale)
{
	if (game->sows)
		return STORE_COLS;
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
                          const struct el_move *last, const struct el_position *before,
                          bool flipped)
{
	struct board b = board_plain(game, position, flipped);
	if (last)
		b.last = el_move_squares(last) | last->captured;
	for (unsigned i = 0; last && before && i < 2 * EL_KINDS; i++)
		b.last |= before->set[i / EL_KINDS][i % EL_KINDS] ^
		          position->set[i / EL_KINDS][i % EL_KINDS];
	for (unsigned pit = 0; last && before && pit < EL_PITS; pit++)
		b.last |= (uint64_t)(before->pits[pit] != position->pits[pit]) << pit;
	if (game->in_check(position))
		b.check = position->set[position->side][0];
	return b;
}

/* ---- geometry ---- */

int board_rows(const struct el_game *game, int scale)
{
	return game->ranks * scale + LABEL_ROWS + (game->sows ? PITS_ABOVE : 0);
}

int board_cols(const struct el_game *game, int scale)
{
	return label_cols(game, scale) + game->files * scale * 2 + (game->sows ? STORE_COLS : 0);
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
		/* If only every second square is used, a step up or down goes diagonally and the
		   next one back: two steps keep the file. */
		if (found == EL_NO_SQUARE && !game->neighbours && ranks && f + beside >= 0 &&
		    f + beside < game->files)
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
	const bool in_letters = canvas->ascii || canvas->mono || canvas->is_console;
	if (in_letters && game->letters)
		return (uint32_t)game->letters[2 * kind + side];
	if (in_letters) {
		int letter = game->kinds[kind];
		return (uint32_t)(side == EL_WHITE ? letter : tolower(letter));
	}
	const char *glyph = game->glyphs[kind];
	return utf8_decode(&glyph);
}

/* ---- marks ---- */

uint8_t shade_of(unsigned depth, unsigned least, unsigned most)
{
	return (uint8_t)((depth - least) * SHADES / (most - least + 1));
}

void board_mark_values(const struct el_metric *metric, const struct el_value value[64],
                       bool in_moves, struct square_mark out[64])
{
	for (int i = 0; i < 64; i++) {
		unsigned least = value[i].plies, most = least;
		char text[VALUE_NUMBER_MAX];
		out[i] = (struct square_mark){.role = (uint8_t)outcome_ground(value[i].outcome)};
		snprintf(out[i].text, sizeof out[i].text, "%.5s",
		         value_mark(metric, value[i], in_moves, text));
		if (!value_is_deep(metric, value[i]))
			continue;
		for (int j = 0; j < 64; j++) {
			const unsigned plies = value[j].plies;
			if (value[j].outcome != value[i].outcome)
				continue;
			least = plies < least ? plies : least;
			most = plies > most ? plies : most;
		}
		out[i].shade = shade_of(value[i].plies, least, most);
	}
}

/* ---- drawing ---- */

const struct square_mark *square_mark(const struct board *b, const struct square *s)
{
	static const struct square_mark none = {.role = ROLE_GROUND};
	if (b->over && s->number < 64 && b->over[s->number].text[0])
		return &b->over[s->number];
	return b->marks && s->number < 64 ? &b->marks[s->number] : &none;
}

bool square_has_piece(const struct board *b, const struct square *s)
{
	unsigned side, kind;
	if (b->game->sows)
		return b->position->pits[s->number];
	return el_piece_at(b->position, s->number, &side, &kind);
}

/* An occupied square is visible, so it needs no mark, except without colours. */
bool square_has_mark(const struct board *b, const struct square *s)
{
	const struct square_mark *mark = square_mark(b, s);
	return mark->text[0] &&
	       (mark->role != ROLE_VALUE_BROKEN || s->pane.canvas->mono || !square_has_piece(b, s));
}

/* The background of a special square; ROLE_GROUND for others. */
static enum role special_role(const struct board *b, const struct square *s)
{
	return s->number == EL_NO_SQUARE            ? ROLE_GROUND
	       : s->number == b->cursor             ? ROLE_SQUARE_CURSOR
	       : s->number == b->picked             ? ROLE_SQUARE_PICKED
	       : has(b->check | b->prey, s->number) ? ROLE_SQUARE_CHECK
	       : has(b->last, s->number)            ? ROLE_SQUARE_LAST
	                                            : ROLE_GROUND;
}

enum role mark_role(const struct square_mark *mark)
{
	return (enum role)(mark->role + mark->shade);
}

/* A piece stands on a colour that shows both sides; the mark below it shows the square's value. */
enum role square_role(const struct board *b, const struct square *s)
{
	const struct square_mark *mark = square_mark(b, s);
	const enum role special = special_role(b, s);
	if (special != ROLE_GROUND &&
	    (mark->role == ROLE_GROUND || (b->scale == 1 && square_has_piece(b, s))))
		return special;
	if (mark->role != ROLE_GROUND)
		return square_has_piece(b, s) ? ROLE_VALUE_UNKNOWN : mark_role(mark);
	return s->is_dark ? ROLE_SQUARE_DARK : ROLE_SQUARE_LIGHT;
}

bool square_draw_edges(const struct board *b, const struct square *s, enum role ground)
{
	static const uint32_t letters[ROLES][2] = {
		[ROLE_SQUARE_CURSOR] = {'[', ']'},
		[ROLE_SQUARE_PICKED] = {'{', '}'},
		[ROLE_SQUARE_CHECK] = {'!', '!'},
		[ROLE_SQUARE_LAST] = {'(', ')'},
	};
	static const uint32_t blocks[ROLES][2] = {
		[ROLE_SQUARE_CURSOR] = {0x258C, 0x2590},
		[ROLE_SQUARE_PICKED] = {0x258F, 0x2595},
		[ROLE_SQUARE_CHECK] = {'!', '!'},
		[ROLE_SQUARE_LAST] = {'(', ')'},
	};
	const struct canvas *c = s->pane.canvas;
	const enum role special = special_role(b, s),
			ink = c->mono ? ROLE_STRONG : ground_ink(ground);
	const bool is_told = ground == special && special != ROLE_SQUARE_CHECK && !c->mono;
	const bool in_blocks = !c->ascii && !c->mono && special != ROLE_SQUARE_CHECK &&
	                       special != ROLE_SQUARE_LAST;
	const uint32_t *edge = in_blocks ? blocks[special] : letters[special];
	if (!edge[0] || is_told)
		return false;
	if (b->scale == 1 && !c->mono) {
		if (!square_has_piece(b, s))
			pane_put(s->pane, 0, 0, ink, letters[special][0]);
		return false;
	}
	for (int y = in_blocks ? 0 : s->middle; y < (in_blocks ? b->scale : s->middle + 1); y++) {
		pane_put(s->pane, y, b->scale == 1 ? 1 : 0, ink, edge[b->scale == 1]);
		pane_put(s->pane, y, s->pane.cols - 1, ink, edge[1]);
	}
	return true;
}

static void draw_piece(const struct board *b, const struct square *s)
{
	const struct canvas *c = s->pane.canvas;
	unsigned side, kind;
	if (el_piece_at(b->position, s->number, &side, &kind)) {
		const uint32_t glyph = piece_glyph(b->game, c, side, kind);
		const int rows = b->scale - square_has_mark(b, s);
		const struct pane p = pane_sub(s->pane, 0, 0, rows, s->pane.cols);
		const int y = s->middle, x = s->centre;
		if (picture_draw(b->game->glyphs[kind], (char)glyph, piece_role(side), p))
			return;
		if (c->mono && b->scale > 1)
			pane_put(s->pane, y, x + 1, ROLE_TEXT, ' ');
		if (c->mono && x > 1)
			pane_put(s->pane, y, x - 1, ROLE_TEXT, ' ');
		pane_put(s->pane, y, x, piece_role(side), glyph);
	} else if (has(b->targets, s->number)) {
		pane_put(s->pane, s->middle, s->centre, ground_ink(square_role(b, s)),
		         c->ascii ? '*' : 0x2022);
	}
}

/* Below a piece, else in the middle; a square of one row has room for the first letter only. */
static void draw_mark(const struct board *b, const struct square *s)
{
	const struct square_mark *mark = square_mark(b, s);
	const bool is_valued = mark->role != ROLE_GROUND, is_small = b->scale == 1;
	const enum role ground = is_valued ? mark_role(mark) : square_role(b, s);
	const bool below = square_has_piece(b, s);
	if (!square_has_mark(b, s))
		return;
	if (!below && s->pane.cols >= PICTURE_COLS_MIN &&
	    text_draw_large(mark->text, ground_ink(ground), s->pane))
		return;
	struct pane row =
		pane_sub(s->pane, below ? b->scale - 1 : b->scale / 2, is_small, 1, s->pane.cols);
	if (s->pane.canvas->mono || (is_valued && (below || is_small)))
		pane_fill(row, ground);
	if (is_small)
		pane_put(row, 0, 0, ground_ink(ground), (uint32_t)mark->text[0]);
	else
		pane_text(row, 0, (row.cols - (int)strlen(mark->text)) / 2, ground_ink(ground),
		          mark->text);
}

static void draw_square(const struct board *b, const struct square *s)
{
	const enum role role = square_role(b, s);
	pane_fill(s->pane, role);
	/* Without colours the dark squares are dotted. */
	for (int y = 0; y < s->pane.rows && s->is_dark && s->pane.canvas->mono; y++)
		for (int x = 0; x < s->pane.cols; x++)
			pane_put(s->pane, y, x, ROLE_DIM, ':');
	draw_piece(b, s);
	square_draw_edges(b, s, role); /* over the margin of a small picture */
	/* Put the number in a corner that the piece and the mark need least; leave it out if they
	   need all. */
	char name[4];
	const bool is_marked = square_mark(b, s)->text[0] || square_mark(b, s)->role != ROLE_GROUND;
	int y = b->scale == 2 && !is_marked ? 1 : 0;
	const bool is_full = s->pane.canvas->mono && y == s->middle &&
	                     (square_has_piece(b, s) || special_role(b, s) != ROLE_GROUND);
	if (b->game->labelled_squares && s->number != EL_NO_SQUARE && b->scale != 1 && !is_full) {
		b->game->square_name(s->number, name);
		pane_right(s->pane, y, s->pane.cols, quiet_ink(role), name);
	}
	draw_mark(b, s);
	if (s->number != EL_NO_SQUARE)
		pane_zone(s->pane, ZONE_SQUARE, s->number);
}

/* The square drawn at a place on the screen. */
static uint8_t square_shown(const struct board *b, int row, int col)
{
	int file = b->flipped ? b->game->files - 1 - col : col;
	int rank = b->flipped ? row : b->game->ranks - 1 - row;
	return b->game->square_at((unsigned)file, (unsigned)rank);
}

void board_draw(const struct board *b, struct pane p)
{
	int ranks = b->game->ranks, files = b->game->files, k = b->scale;
	int left = label_cols(b->game, k), above = b->game->sows ? PITS_ABOVE : 0;
	void (*draw)(const struct board *, const struct square *) = b->game->neighbours ? point_draw
	                                                            : b->game->sows     ? pit_draw
	                                                                            : draw_square;
	pane_zone(pane_sub(p, 0, 0, board_rows(b->game, k), board_cols(b->game, k)), ZONE_BOARD, 0);
	if (b->game->neighbours)
		lines_draw(b, pane_sub(p, 0, left, ranks * k, files * k * 2));
	if (b->game->sows)
		pits_draw_around(b, p);
	else if (!b->game->labelled_squares) {
		for (int row = 0; row < ranks; row++)
			pane_print(p, row * k + (k - 1) / 2, 0, ROLE_DIM, "%d",
			           b->flipped ? row + 1 : ranks - row);
		for (int col = 0; col < files; col++)
			pane_put(p, ranks * k, left + col * k * 2 + (k == 1 ? 0 : k - 1), ROLE_DIM,
			         (uint32_t)('a' + (b->flipped ? files - 1 - col : col)));
	} else if (k == 1) {
		/* The number of each row's first square, if squares are too small for their own. */
		for (int row = 0; row < ranks; row++) {
			int col = 0;
			char name[4];
			while (col + 1 < files && square_shown(b, row, col) == EL_NO_SQUARE)
				col++;
			b->game->square_name(square_shown(b, row, col), name);
			pane_right(p, row, 2, ROLE_DIM, name);
		}
	}
	for (int row = 0; row < ranks; row++) {
		for (int col = 0; col < files; col++) {
			struct square s = {
				.pane = pane_sub(p, above + row * k, left + col * k * 2, k, k * 2),
				.middle = (k - 1) / 2,
				.centre = k - 1,
				.number = square_shown(b, row, col),
				/* Each player's left corner is dark. */
				.is_dark = (ranks - 1 - row + col) % 2 == 0,
			};
			draw(b, &s);
		}
	}
}
