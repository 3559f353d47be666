/* SPDX-License-Identifier: MIT */
#include "morris.h"

#include "core/games/plain.h"
#include "index.h"

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
