/* SPDX-License-Identifier: MIT */
/*
 * A slice is the number of men of each side on the board and in hand: "5v3", "3v2+1+2". A side has 3 to 9
 * men in all. White is the side with more men on the board; of equal ones, the side to move, which is the
 * one with more in hand if they differ.
 *
 * Slices, an index worked out step by step, and the members of el_morris.
 */
#include "morris.h"
#include "core/games/plain.h"
#include "core/games/slice.h"
#include "core/games/steps.h"
#include "index.h"

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

static enum el_status morris_slice_parse(const char *text, struct el_slice *out,
                                         struct el_error *error)
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

static enum el_status morris_slice_of(const struct el_position *position, struct el_slice *out,
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
static size_t morris_successors(const struct el_slice *slice, struct el_slice *out)
{
	struct slice_list list = {.slices = out};
	for (unsigned us = 0; us < 2; us++)
		for (unsigned takes = !slice->hand[us]; takes <= morris_takes(slice, us); takes++) {
			struct el_slice entered;
			bool swapped;
			if (morris_enter(slice, us, takes, &entered, &swapped))
				slice_list_add(&list, entered);
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

static size_t morris_slices(unsigned group, struct el_slice *out, size_t max)
{
	return list_group(group, 0, out, max);
}

static size_t morris_slices_in_hand(unsigned group, struct el_slice *out, size_t max)
{
	return list_group(group, group, out, max);
}

/* ---- an index step by step ---- */

/* White's men are a class; Black's are a group of like pieces, as in any game. */
static size_t morris_index_steps(const struct el_slice *slice, uint64_t index,
                                 struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	const unsigned white = slice->count[0][0], black = slice->count[1][0];
	const uint32_t places = morris_places(white, black);
	const struct morris_classes *classes = morris_classes(white);
	const uint32_t class = (uint32_t)(index / places);
	const uint32_t men = classes ? classes->class[class].men : 0;
	const uint32_t squeezed = (uint32_t)choose_unrank((uint32_t)(index % places), black);
	out[0] = (struct el_index_step){
		.count = (uint8_t)white,
		.classed = true,
		.rank = class,
		.radix = (uint32_t)(slice->positions / places),
		.after = class,
	};
	snprintf(out[0].group, sizeof out[0].group, "%u white m%sn", white, white == 1 ? "a" : "e");
	unsigned count = 0;
	for (uint32_t left = men; left;)
		out[0].piece[count++] = (struct el_index_piece){
			.side = EL_WHITE, .square = (uint8_t)morris_pop(&left)};
	const struct step_group group = {
		.game = slice->game,
		.side = EL_BLACK,
		.set = spread(squeezed, men),
		.numbers = squeezed,
		.area = MORRIS_BOARD,
		.squares = (uint8_t)(MORRIS_POINTS - white),
		.skips = true,
	};
	step_write(&group, class, &out[1]);
	return 2;
}

/* ---- the game ---- */

static const char *const glyphs[] = {"●"};

static const struct el_metric *const metrics[] = {&el_wdl, &el_win, &el_dtw, &el_dtc, NULL};

static const struct el_rate rates[] = {
	{10, 0, 60, 1, 30, 0.03, 0.03, 0.02},
	{EL_PIECES_MAX, 0, 250, 1, 30, 0.15, 0.15, 0.08},
	{EL_PIECES_MAX, EL_PIECES_MAX, 100, 1, 30, 0.15, 0.15, 0.08}, /* with men in hand */
};

const struct el_game el_morris = {
	.name = "morris",
	.title = "Nine Men's Morris",
	.kinds = "M",
	.glyphs = glyphs,
	.letters = "O@",
	.kind_names = {"man"},
	.rates = rates,
	.proof = 1,
	.sides = {"White", "Black"},
	.lost = "out of moves",
	.side_min = MORRIS_MEN_MIN,
	.pieces_max = 2 * MORRIS_MEN_MAX,
	.group_min = MORRIS_MEN_MIN,
	.group_max = MORRIS_MEN_MAX,
	.group_few = 5,
	.group_is = "men on the side with more of them",
	.example = "morris:5v3",
	.metrics = metrics,
	.files = 7,
	.ranks = 7,
	.first_side = EL_WHITE,
	.first = "W:W+9:B+9",

	.square_at = morris_square_at,
	.square_name = morris_square_name,
	.neighbours = morris_neighbours,
	.mirror = morris_mirror,
	.swap_colours = morris_swap_colours,

	.looks_like = morris_looks_like,
	.parse = morris_parse,
	.format = morris_format,
	.check = morris_check,
	.legal = morris_legal,

	.moves = morris_moves,
	.captures = morris_captures,
	.play = morris_play,
	.stuck = plain_stuck,
	.in_check = plain_never,

	.write_move = morris_write_move,
	.read_move = morris_read_move,

	.index_version = 1,
	.slice_parse = morris_slice_parse,
	.slice_of = morris_slice_of,
	.successors = morris_successors,
	.slices = morris_slices,
	.slices_in_hand = morris_slices_in_hand,
	.drawn = plain_never, /* a side that cannot move loses, however few men there are */
	.place = morris_place,
	.unplace = morris_unplace,
	.digits = morris_digits,
	.take_apart = morris_take_apart,
	.index_steps = morris_index_steps,
	.symmetry = morris_symmetry,
	.orbit = morris_orbit,

	.measure = morris_measure,
	.divide = morris_divide,
	.best = morris_best,
};
