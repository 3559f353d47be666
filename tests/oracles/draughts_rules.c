/* SPDX-License-Identifier: GPL-3.0-or-later */
/* English draughts on a board of eight rows and eight columns; White crowns on row 0. */
#include "draughts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 8, JUMPED = 'x' };

static const struct {
	int row, column;
} steps[4] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};

void draughts_need(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "draughts: %s\n", what);
	abort();
}

/* ---- squares and pieces ---- */

static int row_of(unsigned square)
{
	return (int)(square - 1) / 4;
}

static int column_of(unsigned square)
{
	return (int)(square - 1) % 4 * 2 + (row_of(square) % 2 == 0 ? 1 : 0);
}

static unsigned square_of(int row, int column)
{
	return (unsigned)(row * 4 + column / 2 + 1);
}

static bool on_board(int row, int column)
{
	return row >= 0 && row < SIZE && column >= 0 && column < SIZE;
}

/* Empty and jumped squares belong to neither side. */
static bool belongs(char piece, int side)
{
	return side == DRAUGHTS_WHITE ? piece == 'K' || piece == 'M' : piece == 'k' || piece == 'm';
}

static bool can_go(char piece, int rows)
{
	return piece == 'M' ? rows < 0 : piece == 'm' ? rows > 0 : true;
}

static bool is_crowned_on(char piece, int row)
{
	return (piece == 'M' && row == 0) || (piece == 'm' && row == SIZE - 1);
}

bool draughts_can_stand(char piece, unsigned square)
{
	return !is_crowned_on(piece, row_of(square));
}

/* ---- boards ---- */

static struct draughts_board empty_board(void)
{
	struct draughts_board board = {.side = DRAUGHTS_WHITE};
	memset(board.at, '.', sizeof board.at);
	return board;
}

/* The pieces of one side: "K15,20" up to a colon or the end, which it returns. */
static const char *read_side(const char *text, const char *kinds, struct draughts_board *board)
{
	while (*text && *text != ':') {
		bool king = *text == 'K';
		char *end;
		unsigned long square = strtoul(text + king, &end, 10);
		char piece = kinds[king ? 0 : 1];
		draughts_need(square >= 1 && square <= DRAUGHTS_SQUARES, "no such square");
		draughts_need(board->at[square] == '.', "a square is taken twice");
		draughts_need(draughts_can_stand(piece, (unsigned)square),
		              "a man where men are crowned");
		board->at[square] = piece;
		text = *end == ',' ? end + 1 : end;
	}
	return text;
}

struct draughts_board draughts_read(const char *fen)
{
	struct draughts_board board = empty_board();
	draughts_need(fen[0] == 'W' || fen[0] == 'B', "no side to move");
	board.side = fen[0] == 'W' ? DRAUGHTS_WHITE : DRAUGHTS_BLACK;
	for (fen++; *fen;) {
		draughts_need(fen[0] == ':' && (fen[1] == 'W' || fen[1] == 'B'), "no colour");
		fen = read_side(fen + 2, fen[1] == 'W' ? "KM" : "km", &board);
	}
	return board;
}

struct draughts_board draughts_opening(void)
{
	struct draughts_board board = empty_board();
	for (unsigned square = 1; square <= 12; square++) {
		board.at[square] = 'm';
		board.at[DRAUGHTS_SQUARES + 1 - square] = 'M';
	}
	board.side = DRAUGHTS_BLACK;
	return board;
}

/* ---- moves ---- */

/* The moves of one position during the search. */
struct search {
	const struct draughts_board *board;
	char at[SIZE][SIZE];       /* without the moving piece; jumped squares are JUMPED */
	struct draughts_move move; /* so far */
	char piece;                /* that moves */
	struct draughts_move *out;
	size_t found;
};

static void finish(struct search *s, int row, int column)
{
	draughts_need(s->found < DRAUGHTS_MOVES, "too many moves");
	struct draughts_move *move = &s->out[s->found++];
	*move = s->move;
	move->to = (unsigned char)square_of(row, column);
	move->crowns = is_crowned_on(s->piece, row);
	move->after = *s->board;
	move->after.side = s->board->side == DRAUGHTS_WHITE ? DRAUGHTS_BLACK : DRAUGHTS_WHITE;
	move->after.at[move->from] = '.';
	for (unsigned i = 0; i < move->captures; i++)
		move->after.at[move->captured[i]] = '.';
	move->after.at[move->to] = s->piece;
	if (move->crowns)
		move->after.at[move->to] = s->piece == 'M' ? 'K' : 'k';
}

static void jump_on(struct search *s, int row, int column);

/* Makes one jump over an adjacent piece, and all jumps that can follow; false if there is none. */
static bool jump(struct search *s, int row, int column, int rows, int columns)
{
	int over_row = row + rows, over_column = column + columns;
	int to_row = row + 2 * rows, to_column = column + 2 * columns;
	if (!can_go(s->piece, rows) || !on_board(to_row, to_column))
		return false;
	char over = s->at[over_row][over_column];
	int other = s->board->side == DRAUGHTS_WHITE ? DRAUGHTS_BLACK : DRAUGHTS_WHITE;
	if (!belongs(over, other) || s->at[to_row][to_column] != '.')
		return false;
	draughts_need(s->move.captures < DRAUGHTS_CAPTURED, "too many captures");
	s->move.captured[s->move.captures++] = (unsigned char)square_of(over_row, over_column);
	s->at[over_row][over_column] = JUMPED;
	jump_on(s, to_row, to_column);
	s->at[over_row][over_column] = over;
	s->move.captured[--s->move.captures] = 0;
	return true;
}

/* A man continues as a man, so it stops where it is crowned. */
static void jump_on(struct search *s, int row, int column)
{
	bool goes_on = false;
	for (unsigned i = 0; i < 4; i++)
		goes_on |= jump(s, row, column, steps[i].row, steps[i].column);
	if (!goes_on && s->move.captures > 0)
		finish(s, row, column);
}

static void step_once(struct search *s, int row, int column)
{
	for (unsigned i = 0; i < 4; i++) {
		int to_row = row + steps[i].row, to_column = column + steps[i].column;
		if (!can_go(s->piece, steps[i].row) || !on_board(to_row, to_column))
			continue;
		if (s->at[to_row][to_column] == '.')
			finish(s, to_row, to_column);
	}
}

/* Tries one kind of move for every piece of the side to move. */
static void for_each_piece(struct search *s, void (*try)(struct search *, int row, int column))
{
	for (unsigned square = 1; square <= DRAUGHTS_SQUARES; square++) {
		if (!belongs(s->board->at[square], s->board->side))
			continue;
		int row = row_of(square), column = column_of(square);
		s->piece = s->board->at[square];
		s->move.from = (unsigned char)square;
		s->at[row][column] = '.';
		try(s, row, column);
		s->at[row][column] = s->piece;
	}
}

size_t draughts_moves(const struct draughts_board *board, struct draughts_move out[DRAUGHTS_MOVES])
{
	struct search s = {.board = board, .out = out};
	for (unsigned square = 1; square <= DRAUGHTS_SQUARES; square++)
		s.at[row_of(square)][column_of(square)] = board->at[square];
	for_each_piece(&s, jump_on);
	if (s.found == 0)
		for_each_piece(&s, step_once);
	return s.found;
}

unsigned long long draughts_perft(const struct draughts_board *board, unsigned plies)
{
	struct draughts_move moves[DRAUGHTS_MOVES];
	unsigned long long leaves = 0;
	if (plies == 0)
		return 1;
	size_t count = draughts_moves(board, moves);
	for (size_t i = 0; i < count; i++)
		leaves += draughts_perft(&moves[i].after, plies - 1);
	return leaves;
}
