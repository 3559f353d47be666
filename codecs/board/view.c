/* SPDX-License-Identifier: MIT */
#include "view.h"

#include <stdlib.h>
#include <string.h>

const struct board_band board_bands[BOARD_BANDS] = {
	{1, 0},  {2, 0},  {3, 0},  {4, 0},  {6, 1},   {8, 1},     {12, 2},     {16, 2},
	{24, 3}, {32, 3}, {48, 4}, {64, 4}, {128, 6}, {1152, 10}, {66688, 16},
};

/* ---- neighbours ---- */

/* The squares of a digit's pieces as one number. */
static uint64_t key_of(const uint8_t *square, unsigned pieces)
{
	uint64_t key = 0;
	for (unsigned i = 0; i < pieces; i++)
		key = key << 6 | square[i];
	return key;
}

struct keyed {
	uint64_t key;
	uint32_t digit;
};

static int by_key(const void *a, const void *b)
{
	const uint64_t x = ((const struct keyed *)a)->key, y = ((const struct keyed *)b)->key;
	return (x > y) - (x < y);
}

/* By how much the number decreases when piece `i` makes the step; 0 if it cannot, or if no block is
   that long. */
static uint32_t step_back(const struct el_codec_axis *axis, const struct keyed *keys,
                          uint32_t digit, unsigned i, int step)
{
	uint8_t square[EL_BOARD_PIECES];
	memcpy(square, axis->square + (size_t)digit * axis->pieces, axis->pieces);
	const int to = square[i] + step, files = (to & 7) - (square[i] & 7);
	if (to < 0 || files > 2 || files < -2)
		return 0;
	square[i] = (uint8_t)to;
	for (; i && square[i - 1] > square[i]; i--) {
		const uint8_t swapped = square[i];
		square[i] = square[i - 1];
		square[i - 1] = swapped;
	}
	const struct keyed wanted = {key_of(square, axis->pieces), 0};
	const struct keyed *found = bsearch(&wanted, keys, axis->radix, sizeof *keys, by_key);
	const uint64_t back = found && found->digit < digit ? digit - found->digit : 0;
	return back * axis->weight <= UINT32_MAX ? (uint32_t)(back * axis->weight) : 0;
}

static enum el_status find_neighbours(const struct el_codec_board *board, unsigned a,
                                      uint32_t **out, struct el_error *error)
{
	const struct el_codec_axis *axis = &board->axis[a];
	struct keyed *keys = malloc(axis->radix * sizeof *keys);
	uint32_t *back = malloc((size_t)axis->radix * axis->pieces * BOARD_STEPS * sizeof *back);
	*out = back;
	if (!keys || !back) {
		free(keys);
		return el_fail(error, EL_MEMORY, "net: out of memory");
	}
	for (uint32_t d = 0; d < axis->radix; d++)
		keys[d] = (struct keyed){
			key_of(axis->square + (size_t)d * axis->pieces, axis->pieces), d};
	qsort(keys, axis->radix, sizeof *keys, by_key);
	for (uint32_t d = 0; d < axis->radix; d++)
		for (unsigned i = 0; i < axis->pieces; i++)
			for (unsigned s = 0; s < BOARD_STEPS; s++)
				*back++ = step_back(axis, keys, d, i,
				                    s < EL_BOARD_STEPS
				                            ? board->step[s]
				                            : 2 * board->step[s - EL_BOARD_STEPS]);
	free(keys);
	return EL_OK;
}

enum el_status board_view_open(const struct el_codec_board *board, struct board_view *out,
                               struct el_error *error)
{
	*out = (struct board_view){.board = board};
	enum el_status status = EL_OK;
	for (unsigned a = 0; a < board->axes && !status; a++) {
		out->pieces += board->axis[a].pieces;
		status = find_neighbours(board, a, &out->back[a], error);
	}
	const struct el_codec_axis *last = board_last_axis(out);
	for (size_t i = 0; i < (size_t)last->radix * last->pieces; i++)
		out->last_squares |= UINT64_C(1) << last->square[i];
	return status;
}

void board_view_close(struct board_view *v)
{
	for (unsigned a = 0; a < EL_BOARD_AXES; a++)
		free(v->back[a]);
	*v = (struct board_view){0};
}

/* ---- walks ---- */

static void begin_run(struct board_walk *w)
{
	const struct board_view *v = w->view;
	w->run = v->last_squares;
	if (w->moving + 1 < v->pieces)
		w->run &= (UINT64_C(1) << w->square[w->moving + 1]) - 1;
	v->board->look(v->board->context, w->square, w->moving, w->word);
	w->fresh = true;
	const struct el_codec_axis *last = board_last_axis(w->view);
	const uint32_t digit = w->digit[w->view->board->axes - 1];
	const uint8_t *from = last->square + (size_t)digit * last->pieces;
	const uint32_t rest = last->radix - digit;
	unsigned length = last->pieces > 1 ? 1 : rest;
	while (length < rest &&
	       !memcmp(from + 1, from + (size_t)length * last->pieces + 1, last->pieces - 1))
		length++;
	w->left = length;
}

/* Puts the pieces of an axis where its digit says; true if any but the first has moved. */
static bool put_pieces(struct board_walk *w, unsigned a, unsigned first)
{
	const struct el_codec_axis *axis = &w->view->board->axis[a];
	const unsigned neighbours = axis->pieces * BOARD_STEPS;
	const uint32_t *back = w->view->back[a] + (size_t)w->digit[a] * neighbours;
	for (unsigned i = 0; i < neighbours; i++)
		w->back[first * BOARD_STEPS + i] = back[i];
	const uint8_t *from = axis->square + (size_t)w->digit[a] * axis->pieces;
	const bool others = memcmp(w->square + first + 1, from + 1, axis->pieces - 1) != 0;
	memcpy(w->square + first, from, axis->pieces);
	return others;
}

void board_walk_start(struct board_walk *w, const struct board_view *view, uint64_t number)
{
	const struct el_codec_board *board = view->board;
	uint64_t left = number;
	unsigned piece = 0;
	*w = (struct board_walk){.view = view};
	w->moving = view->pieces - board->axis[board->axes - 1].pieces;
	for (unsigned a = 0; a < board->axes; a++) {
		w->digit[a] = (uint32_t)(left / board->axis[a].weight);
		left %= board->axis[a].weight;
		put_pieces(w, a, piece);
		piece += board->axis[a].pieces;
	}
	begin_run(w);
}

void board_walk_by(struct board_walk *w, unsigned positions)
{
	const struct el_codec_board *board = w->view->board;
	unsigned a = board->axes - 1, piece = w->moving;
	w->left -= positions;
	w->digit[a] += positions - 1;
	while (++w->digit[a] == board->axis[a].radix && a) {
		w->digit[a] = 0;
		put_pieces(w, a, piece);
		piece -= board->axis[--a].pieces;
	}
	/* Nothing follows the last position. */
	if (w->digit[a] == board->axis[a].radix)
		return;
	if (put_pieces(w, a, piece) || a + 1 < board->axes)
		begin_run(w);
}
