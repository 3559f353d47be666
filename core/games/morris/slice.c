/* SPDX-License-Identifier: MIT */
/*
 * A slice is the number of men of each side on the board and in hand: "5v3", "3v2+1+2". A side has 3 to 9
 * men in all. White is the side with more men on the board; of equal ones, the side to move, which is the
 * one with more in hand if they differ.
 */
#include "index.h"
#include "morris.h"

#include "core/games/slice.h"

#include <stdio.h>

static enum el_status slice_made(const struct morris_force *f, unsigned mover, const char *text,
                                 struct el_slice *out, struct el_error *error)
{
	for (unsigned side = 0; side < 2; side++) {
		const unsigned men = f->board[side] + f->hand[side];
		if (men < MORRIS_MEN_MIN || men > MORRIS_MEN_MAX)
			return el_fail(error, EL_NEGATIVE,
			               "%s: %u men on one side, expected %d to %d", text, men,
			               MORRIS_MEN_MIN, MORRIS_MEN_MAX);
	}
	if (!morris_in_turn(f->hand, f->hand[1] > f->hand[0]))
		return el_fail(
			error, EL_NEGATIVE,
			"%s: %u and %u men in hand, expected a difference of at most 1: they "
			"are placed in turn",
			text, f->hand[0], f->hand[1]);
	*out = morris_slice(&el_morris, f, morris_first(f, mover));
	return EL_OK;
}

enum el_status morris_slice_parse(const char *text, struct el_slice *out, struct el_error *error)
{
	const char *sides = slice_unprefixed(&el_morris, text);
	char again[32] = "";
	struct morris_force f = {.hand = {0}};
	if (sides && !strcmp(sides, "whole"))
		sides = "0v0+9+9"; /* the game from its first move on */
	const int read = !sides ? 0
	                        : sscanf(sides, "%2uv%2u+%2u+%2u", &f.board[0], &f.board[1],
	                                 &f.hand[0], &f.hand[1]);
	if (read == 2)
		snprintf(again, sizeof again, "%uv%u", f.board[0], f.board[1]);
	else if (read == 4)
		snprintf(again, sizeof again, "%uv%u+%u+%u", f.board[0], f.board[1], f.hand[0],
		         f.hand[1]);
	/* No other spelling of these numbers is accepted. */
	if (!*again || strcmp(again, sides) || (read == 4 && !f.hand[0] && !f.hand[1]))
		return slice_refuse(&el_morris, text, error);
	return slice_made(&f, f.hand[1] > f.hand[0], text, out, error);
}

enum el_status morris_slice_of(const struct el_position *position, struct el_slice *out,
                               struct el_error *error)
{
	const struct morris_force f = {
		{morris_count((uint32_t)position->set[EL_WHITE][0]),
	         morris_count((uint32_t)position->set[EL_BLACK][0])},
		{position->hand[EL_WHITE], position->hand[EL_BLACK]},
	};
	return slice_made(&f, position->side, "the position", out, error);
}

/* A man is placed, or a mill takes one, or both. Taking one of the last three ends the game. */
size_t morris_successors(const struct el_slice *slice, struct el_slice *out)
{
	struct slice_list list = {.slices = out};
	for (unsigned us = 0; us < 2; us++)
		for (unsigned takes = !slice->hand[us]; takes <= morris_takes(slice, us); takes++) {
			struct el_slice entered;
			bool swapped;
			if (morris_enter(slice, us, takes, &entered, &swapped))
				slice_list_add(&list, &entered);
		}
	return list.count;
}

/* Lists the slices, with up to `hand` men in a side's hand, in which the side with more men in all has
   so many. */
static size_t list_group(unsigned group, unsigned hand, struct el_slice *out, size_t max)
{
	size_t found = 0;
	if (group > MORRIS_MEN_MAX)
		return 0;
	for (unsigned i = 0; i <= hand; i++)
		for (unsigned j = i ? i - 1 : 0; j <= i + 1 && j <= hand; j++)
			for (unsigned a = 0; a + i <= group; a++)
				for (unsigned b = 0; b <= a && b + j <= group; b++) {
					const struct morris_force f = {{a, b}, {i, j}};
					const unsigned white = a + i, black = b + j;
					if ((white != group && black != group) ||
					    white < MORRIS_MEN_MIN || black < MORRIS_MEN_MIN ||
					    morris_first(&f, j > i))
						continue;
					if (found < max)
						out[found] = morris_slice(&el_morris, &f, EL_WHITE);
					found++;
				}
	return found;
}

size_t morris_slices(unsigned group, struct el_slice *out, size_t max)
{
	return list_group(group, 0, out, max);
}

size_t morris_slices_in_hand(unsigned group, struct el_slice *out, size_t max)
{
	return list_group(group, group, out, max);
}
