/* SPDX-License-Identifier: MIT */
#include "checkers.h"

#include "core/games/plain.h"
#include "index.h"

static const char *const glyphs[] = {"○", "●"};

static const struct el_metric *const metrics[] = {&el_wdl, &el_win, &el_dtw, &el_dtc, NULL};

static const struct el_rate rates[] = {
	{3, CHECKERS_PIECES_MAX, 40, 1, 84, 0.29, 0.29, 0.04},
	{CHECKERS_PIECES_MAX, CHECKERS_PIECES_MAX, 30, 1, 25, 0.36, 0.36, 0.05},
};

const struct el_game el_checkers = {
	.name = "checkers",
	.title = "English draughts",
	.kinds = "KM",
	.glyphs = glyphs,
	.kind_names = {"king", "man"},
	.promoting = 1 << CHECKERS_MAN,
	.rates = rates,
	.proof = 1,
	.sides = {"White", "Black"},
	.lost = "out of moves",
	.pieces_max = CHECKERS_PIECES_MAX,
	.group_min = 2,
	.group_max = CHECKERS_PIECES_MAX,
	.group_few = 4,
	.group_is = "pieces",
	.example = "checkers:KMMvKM",
	.metrics = metrics,
	.forced_captures = true,
	.files = 8,
	.ranks = 8,
	.labelled_squares = true,
	.first_side = EL_BLACK,
	.first = "B:W21-32:B1-12",
	.pdn_type = "21",

	.square_at = checkers_square_at,
	.square_name = checkers_square_name,
	.mirror = plain_mirror,
	.swap_colours = checkers_swap_colours,

	.looks_like = checkers_looks_like,
	.parse = checkers_parse,
	.format = checkers_format,
	.check = checkers_check,
	.legal = checkers_legal,

	.moves = checkers_moves,
	.captures = checkers_captures,
	.play = checkers_play,
	.stuck = plain_stuck,
	.in_check = plain_never,

	.write_move = checkers_write_move,
	.read_move = checkers_read_move,

	.index_version = 1,
	.slice_parse = checkers_slice_parse,
	.slice_of = checkers_slice_of,
	.successors = checkers_successors,
	.slices = checkers_slices,
	.slices_of = checkers_slices_of,
	.drawn = plain_never, /* a blocked side loses, however few pieces there are */
	.place = checkers_place,
	.unplace = checkers_unplace,
	.digits = checkers_digits,
	.take_apart = checkers_take_apart,
	.stand = checkers_stand,
	.stands_on = checkers_stands_on,
	.marks = checkers_marks,
	.look = checkers_look,
	.step = {-7, -9, -16},
	.index_steps = checkers_index_steps,
	.symmetry = checkers_symmetry,
	.orbit = plain_orbit,
	.leading_rank = checkers_leading_rank,

	.measure = checkers_measure,
	.divide = checkers_divide,
	.best = checkers_best,
};
