/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nine Men's Morris as it is drawn: points, named on a grid of seven by seven, and lines. */
#include "merels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char names[] = "a1a4a7b2b4b6c3c4c5d1d2d3d5d6d7e3e4e5f2f4f6g1g4g7";

static const char *const lines[MERELS_LINES] = {
	"a7d7g7", "b6d6f6", "c5d5e5", "a4b4c4", "e4f4g4", "c3d3e3", "b2d2f2", "a1d1g1",
	"a1a4a7", "b2b4b6", "c3c4c5", "d1d2d3", "d5d6d7", "e3e4e5", "f2f4f6", "g1g4g7",
};

static const char letters[] = "WB"; /* by side */

void merels_need(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "merels: %s\n", what);
	abort();
}

/* ---- points ---- */

unsigned merels_point(const char *name)
{
	for (unsigned point = 0; point < MERELS_POINTS; point++)
		if (strncmp(names + 2 * point, name, 2) == 0)
			return point;
	merels_need(false, "no such point");
	return MERELS_NOWHERE;
}

void merels_name(unsigned point, char out[3])
{
	out[0] = names[2 * point];
	out[1] = names[2 * point + 1];
	out[2] = '\0';
}

void merels_line(unsigned line, unsigned point[3])
{
	for (unsigned i = 0; i < 3; i++)
		point[i] = merels_point(lines[line] + 2 * i);
}

/* Measured from the middle of the grid, -3 to 3. */
static void coordinates(unsigned point, int *x, int *y)
{
	*x = names[2 * point] - 'd';
	*y = names[2 * point + 1] - '4';
}

static unsigned point_at(int x, int y)
{
	const char name[] = {(char)('d' + x), (char)('4' + y), '\0'};
	return merels_point(name);
}

/* The square's eight symmetries: 1 swaps left and right, 2 top and bottom, 4 files and ranks. Then
   8 swaps the outer and the inner ring. */
static unsigned find_image(unsigned image, unsigned point)
{
	int x, y;
	coordinates(point, &x, &y);
	x = image & 1 ? -x : x;
	y = image & 2 ? -y : y;
	const int file = image & 4 ? y : x, rank = image & 4 ? x : y;
	const int ring = abs(x) > abs(y) ? abs(x) : abs(y), other = image & 8 ? 4 - ring : ring;
	return point_at(file * other / ring, rank * other / ring);
}

/* The names as numbers. */
static struct {
	bool known;
	unsigned char line[MERELS_POINTS][2][3]; /* the two lines through a point */
	bool beside[MERELS_POINTS][MERELS_POINTS];
	unsigned char image[MERELS_IMAGES][MERELS_POINTS];
} plan;

static void note_line(const unsigned on[3], unsigned lines_through[MERELS_POINTS])
{
	for (unsigned i = 0; i < 3; i++) {
		const unsigned point = on[i];
		merels_need(lines_through[point] < 2, "a point on three lines");
		for (unsigned j = 0; j < 3; j++)
			plan.line[point][lines_through[point]][j] = (unsigned char)on[j];
		lines_through[point]++;
		if (i > 0)
			plan.beside[on[i - 1]][point] = plan.beside[point][on[i - 1]] = true;
	}
}

static void make_plan(void)
{
	unsigned lines_through[MERELS_POINTS] = {0}, on[3];
	if (plan.known)
		return;
	for (unsigned line = 0; line < MERELS_LINES; line++) {
		merels_line(line, on);
		note_line(on, lines_through);
	}
	for (unsigned point = 0; point < MERELS_POINTS; point++) {
		merels_need(lines_through[point] == 2, "a point that is not on two lines");
		for (unsigned image = 0; image < MERELS_IMAGES; image++)
			plan.image[image][point] = (unsigned char)find_image(image, point);
	}
	plan.known = true;
}

bool merels_beside(unsigned a, unsigned b)
{
	make_plan();
	return plan.beside[a][b];
}

unsigned merels_image(unsigned image, unsigned point)
{
	make_plan();
	return plan.image[image][point];
}

/* ---- boards ---- */

static struct merels_board empty_board(void)
{
	struct merels_board board = {.side = MERELS_WHITE};
	memset(board.at, '.', sizeof board.at);
	return board;
}

struct merels_board merels_opening(void)
{
	struct merels_board board = empty_board();
	board.hand[MERELS_WHITE] = board.hand[MERELS_BLACK] = 9;
	return board;
}

/* "a1,d1+7" up to a colon or the end, which it returns. */
static const char *read_men(const char *text, int side, struct merels_board *board)
{
	while (*text && *text != ':' && *text != '+') {
		const unsigned point = merels_point(text);
		merels_need(board->at[point] == '.', "a point is taken twice");
		board->at[point] = letters[side];
		text += text[2] == ',' ? 3 : 2;
	}
	if (*text == '+') {
		board->hand[side] = (unsigned char)(text[1] - '0');
		text += 2;
	}
	return text;
}

static int side_of(char letter)
{
	merels_need(letter == 'W' || letter == 'B', "no side");
	return letter == 'W' ? MERELS_WHITE : MERELS_BLACK;
}

struct merels_board merels_read(const char *text)
{
	struct merels_board board = empty_board();
	board.side = (char)side_of(text[0]);
	for (text++; *text;) {
		merels_need(text[0] == ':', "no colon");
		text = read_men(text + 2, side_of(text[1]), &board);
	}
	return board;
}

void merels_write(const struct merels_board *board, char out[MERELS_TEXT])
{
	char *p = out + sprintf(out, "%c", letters[(int)board->side]);
	for (int side = MERELS_WHITE; side <= MERELS_BLACK; side++) {
		const char *comma = "";
		p += sprintf(p, ":%c", letters[side]);
		for (unsigned point = 0; point < MERELS_POINTS; point++) {
			if (board->at[point] != letters[side])
				continue;
			p += sprintf(p, "%s%.2s", comma, names + 2 * point);
			comma = ",";
		}
		if (board->hand[side])
			p += sprintf(p, "+%u", board->hand[side]);
	}
}

unsigned merels_men(const struct merels_board *board, unsigned side)
{
	unsigned men = 0;
	for (unsigned point = 0; point < MERELS_POINTS; point++)
		men += board->at[point] == letters[side];
	return men;
}

/* ---- moves ---- */

/* Is the man on a point one of three on a line? */
static bool in_mill(const struct merels_board *board, unsigned point)
{
	for (unsigned i = 0; i < 2; i++) {
		const unsigned char *on = plan.line[point][i];
		if (board->at[on[0]] == board->at[point] && board->at[on[1]] == board->at[point] &&
		    board->at[on[2]] == board->at[point])
			return true;
	}
	return false;
}

/* A man in a mill is safe while another of its side is in none. */
static bool may_be_taken(const struct merels_board *board, unsigned point)
{
	bool all_in_mills = true;
	for (unsigned other = 0; other < MERELS_POINTS; other++)
		if (board->at[other] == board->at[point])
			all_in_mills = all_in_mills && in_mill(board, other);
	return all_in_mills || !in_mill(board, point);
}

static bool can_go(unsigned from, unsigned to, unsigned men)
{
	return men == MERELS_FEW || plan.beside[from][to];
}

/* The man has moved: it is the other side's turn, and a mill takes one of its men. */
static bool finish(struct merels_move *move, merels_visit_move *visit, void *context)
{
	const char mover = move->after.at[move->to], enemy = mover == 'W' ? 'B' : 'W';
	bool takes = false;
	move->after.side = mover == 'W' ? MERELS_BLACK : MERELS_WHITE;
	for (unsigned point = 0; in_mill(&move->after, move->to) && point < MERELS_POINTS;
	     point++) {
		if (move->after.at[point] != enemy || !may_be_taken(&move->after, point))
			continue;
		struct merels_move with = *move;
		with.taken = (unsigned char)point;
		with.after.at[point] = '.';
		takes = true;
		if (!visit(&with, context))
			return false;
	}
	return takes || visit(move, context);
}

bool merels_each_move(const struct merels_board *board, merels_visit_move *visit, void *context)
{
	const unsigned side = (unsigned)board->side, men = merels_men(board, side);
	make_plan();
	if (men + board->hand[side] < MERELS_FEW)
		return true;
	for (unsigned to = 0; to < MERELS_POINTS; to++) {
		struct merels_move move = {.from = MERELS_NOWHERE,
		                           .to = (unsigned char)to,
		                           .taken = MERELS_NOWHERE,
		                           .after = *board};
		if (board->at[to] != '.')
			continue;
		move.after.at[to] = letters[side];
		if (board->hand[side]) {
			move.after.hand[side]--;
			if (!finish(&move, visit, context))
				return false;
			continue;
		}
		for (unsigned from = 0; from < MERELS_POINTS; from++) {
			if (board->at[from] != letters[side] || !can_go(from, to, men))
				continue;
			struct merels_move step = move;
			step.from = (unsigned char)from;
			step.after.at[from] = '.';
			if (!finish(&step, visit, context))
				return false;
		}
	}
	return true;
}

struct list {
	struct merels_move *out;
	size_t count;
};

static bool add(const struct merels_move *move, void *context)
{
	struct list *l = context;
	merels_need(l->count < MERELS_MOVES, "too many moves");
	l->out[l->count++] = *move;
	return true;
}

size_t merels_moves(const struct merels_board *board, struct merels_move out[MERELS_MOVES])
{
	struct list l = {.out = out};
	merels_each_move(board, add, &l);
	return l.count;
}

void merels_write_move(const struct merels_move *move, char out[MERELS_MOVE_TEXT])
{
	char *p = out;
	if (move->from != MERELS_NOWHERE)
		p += sprintf(p, "%.2s-", names + 2 * move->from);
	p += sprintf(p, "%.2s", names + 2 * move->to);
	if (move->taken != MERELS_NOWHERE)
		sprintf(p, "x%.2s", names + 2 * move->taken);
}

unsigned long long merels_perft(const struct merels_board *board, unsigned plies)
{
	struct merels_move moves[MERELS_MOVES];
	unsigned long long leaves = 0;
	if (plies == 0)
		return 1;
	const size_t count = merels_moves(board, moves);
	for (size_t i = 0; i < count; i++)
		leaves += merels_perft(&moves[i].after, plies - 1);
	return leaves;
}

/* ---- moves taken back ---- */

/* The man on `to` came from somewhere: puts it back there, and restores the man it took. */
static void visit_before(const struct merels_board *board, unsigned to, merels_visit *visit,
                         void *context)
{
	const char mover = board->at[to], enemy = mover == 'W' ? 'B' : 'W';
	const bool closed = in_mill(board, to);
	const unsigned men = merels_men(board, mover == 'W' ? MERELS_WHITE : MERELS_BLACK);
	for (unsigned from = 0; from < MERELS_POINTS; from++) {
		if (board->at[from] != '.' || !can_go(from, to, men))
			continue;
		struct merels_board before = *board;
		before.side = mover == 'W' ? MERELS_WHITE : MERELS_BLACK;
		before.at[to] = '.';
		before.at[from] = mover;
		if (!closed)
			visit(&before, context);
		for (unsigned taken = 0; closed && taken < MERELS_POINTS; taken++) {
			if (board->at[taken] != '.' || taken == from)
				continue;
			before.at[taken] = enemy;
			if (may_be_taken(&before, taken))
				visit(&before, context);
			before.at[taken] = '.';
		}
	}
}

void merels_before(const struct merels_board *board, merels_visit *visit, void *context)
{
	make_plan();
	for (unsigned to = 0; to < MERELS_POINTS; to++)
		if (board->at[to] ==
		    letters[board->side == MERELS_WHITE ? MERELS_BLACK : MERELS_WHITE])
			visit_before(board, to, visit, context);
}
