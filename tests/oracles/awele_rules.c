/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Awari as it is played: stones are taken out of a pit and dropped one by one. */
#include "awele.h"

#include <stdio.h>
#include <stdlib.h>

void awele_need(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "awele: %s\n", what);
	abort();
}

/* ---- boards ---- */

struct awele_board awele_opening(void)
{
	struct awele_board board = {.side = 'S'};
	for (unsigned pit = 0; pit < AWELE_PITS; pit++)
		board.pit[pit] = AWELE_STONES / AWELE_PITS;
	return board;
}

/* A number and the dash behind it; returns what follows. */
static const char *read_number(const char *text, unsigned char *out)
{
	unsigned number = 0;
	awele_need(*text >= '0' && *text <= '9', "no number");
	for (; *text >= '0' && *text <= '9'; text++) {
		number = number * 10 + (unsigned)(*text - '0');
		awele_need(number <= AWELE_STONES, "too many stones");
	}
	awele_need(*text == '-', "no dash");
	*out = (unsigned char)number;
	return text + 1;
}

struct awele_board awele_read(const char *text)
{
	struct awele_board board = {0};
	for (unsigned pit = 0; pit < AWELE_PITS; pit++)
		text = read_number(text, &board.pit[pit]);
	for (unsigned i = 0; i < 2; i++)
		text = read_number(text, &board.store[i]);
	awele_need((text[0] == 'S' || text[0] == 'N') && text[1] == '\0', "no side");
	awele_need(awele_stones(&board) + board.store[0] + board.store[1] <= AWELE_STONES,
	           "too many stones");
	board.side = text[0];
	return board;
}

void awele_write(const struct awele_board *board, char out[AWELE_TEXT])
{
	char *p = out;
	for (unsigned pit = 0; pit < AWELE_PITS; pit++)
		p += sprintf(p, "%u-", board->pit[pit]);
	sprintf(p, "%u-%u-%c", board->store[0], board->store[1], board->side);
}

char awele_name(unsigned pit)
{
	return "ABCDEFabcdef"[pit];
}

unsigned awele_stones(const struct awele_board *board)
{
	unsigned stones = 0;
	for (unsigned pit = 0; pit < AWELE_PITS; pit++)
		stones += board->pit[pit];
	return stones;
}

static char other_side(char side)
{
	return side == 'S' ? 'N' : 'S';
}

struct awele_board awele_turned(const struct awele_board *board)
{
	struct awele_board turned = {.side = other_side(board->side), .oware = board->oware};
	for (unsigned pit = 0; pit < AWELE_PITS; pit++)
		turned.pit[(pit + AWELE_ROW) % AWELE_PITS] = board->pit[pit];
	turned.store[0] = board->store[1];
	turned.store[1] = board->store[0];
	return turned;
}

/* ---- moves ---- */

static char owner(unsigned pit)
{
	return pit < AWELE_ROW ? 'S' : 'N';
}

static bool has_stones(const struct awele_board *board, char side)
{
	for (unsigned pit = 0; pit < AWELE_PITS; pit++)
		if (owner(pit) == side && board->pit[pit] > 0)
			return true;
	return false;
}

/* Returns where the last stone falls. Sowing skips the pit that it began in. */
static unsigned sow(struct awele_board *board, unsigned pit)
{
	unsigned hand = board->pit[pit], at = pit;
	board->pit[pit] = 0;
	while (hand > 0) {
		at = (at + 1) % AWELE_PITS;
		if (at == pit)
			continue;
		board->pit[at]++;
		hand--;
	}
	return at;
}

/* Captures backwards from the last pit, as long as the pits are the other side's and hold two or
   three. */
static void capture(struct awele_move *move, char mover)
{
	struct awele_board *board = &move->after;
	unsigned at = move->last;
	while (owner(at) != mover && (board->pit[at] == 2 || board->pit[at] == 3)) {
		move->captured = (unsigned char)(move->captured + board->pit[at]);
		move->emptied = (unsigned short)(move->emptied | 1u << at);
		board->pit[at] = 0;
		at = (at + AWELE_PITS - 1) % AWELE_PITS;
	}
}

static struct awele_move play(const struct awele_board *board, unsigned pit)
{
	const char mover = board->side;
	struct awele_move move = {.pit = (unsigned char)pit, .after = *board};
	unsigned char *store = &move.after.store[mover == 'S' ? 0 : 1];
	move.last = (unsigned char)sow(&move.after, pit);
	const struct awele_board fed = move.after;
	capture(&move, mover);
	if (board->oware && !has_stones(&move.after, other_side(mover))) {
		move.after = fed;
		move.captured = 0;
		move.emptied = 0;
	}
	*store = (unsigned char)(*store + move.captured);
	move.after.side = other_side(mover);
	return move;
}

/* Does the side now to move have no stone, not fed or robbed of all? */
static bool starves(const struct awele_move *move)
{
	return !has_stones(&move->after, move->after.side);
}

/* A side that can leave the other side a stone must do so. Otherwise it may play any move. */
bool awele_each_move(const struct awele_board *board, awele_visit_move *visit, void *context)
{
	struct awele_move moves[AWELE_MOVES];
	size_t count = 0;
	bool can_feed = false;
	for (unsigned pit = 0; pit < AWELE_PITS; pit++) {
		if (owner(pit) != board->side || board->pit[pit] == 0)
			continue;
		moves[count] = play(board, pit);
		can_feed = can_feed || !starves(&moves[count]);
		count++;
	}
	for (size_t i = 0; i < count; i++)
		if (!(can_feed && starves(&moves[i])) && !visit(&moves[i], context))
			return false;
	return true;
}

struct list {
	struct awele_move *out;
	size_t count;
};

static bool add(const struct awele_move *move, void *context)
{
	struct list *l = context;
	l->out[l->count++] = *move;
	return true;
}

size_t awele_moves(const struct awele_board *board, struct awele_move out[AWELE_MOVES])
{
	struct list l = {.out = out};
	awele_each_move(board, add, &l);
	return l.count;
}

unsigned long long awele_perft(const struct awele_board *board, unsigned plies)
{
	struct awele_move moves[AWELE_MOVES];
	unsigned long long leaves = 0;
	if (plies == 0)
		return 1;
	const size_t count = awele_moves(board, moves);
	for (size_t i = 0; i < count; i++)
		leaves += awele_perft(&moves[i].after, plies - 1);
	return leaves;
}
