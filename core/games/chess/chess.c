/* SPDX-License-Identifier: MIT */
#include "chess.h"

#include "best.h"

#include "index.h"

static const char *const glyphs[] = {"♚", "♛", "♜", "♝", "♞", "♟"};

static const struct el_metric *const metrics[] = {
	&el_wdl,
	&el_win,
	&el_dtm,
	&el_dtc,
	&el_dtz,
	&el_wdl_rule[EL_RULE_USUAL - 1],
	&el_dtz_rule[EL_RULE_USUAL - 1],
	&el_dtr,
	&el_dtzr,
	&el_dtm_rule[EL_RULE_USUAL - 1],
	NULL,
};

static const struct el_rate rates[] = {
	{4, 0, 5.6, 16, 26, 0.152, 0.151, 0.018},
	{4, 1, 9.6, 5, 31, 0.194, 0.090, 0.025},
	{4, EL_PIECES_MAX, 18, 3, 32, 0.230, 0.073, 0.045},
	{5, 0, 7.1, 16, 24, 0.175, 0.136, 0.015},
	{5, 1, 13, 5, 26, 0.214, 0.109, 0.045},
	{5, 2, 21, 3, 26, 0.248, 0.072, 0.060},
	{5, EL_PIECES_MAX, 11, 3, 26, 0.290, 0.072, 0.060},
	{EL_PIECES_MAX, 0, 33, 16, 24, 0.32, 0.23, 0.015},
	{EL_PIECES_MAX, EL_PIECES_MAX, 40, 5, 26, 0.32, 0.23, 0.060},
};

const struct el_game el_chess = {
	.name = "chess",
	.title = "Chess",
	.kinds = "KQRBNP",
	.glyphs = glyphs,
	.kind_names = {"king", "queen", "rook", "bishop", "knight", "pawn"},
	.single = 1 << CHESS_KING,
	.promoting = 1 << CHESS_PAWN,
	.rates = rates,
	.proof = 0.33,
	.sides = {"White", "Black"},
	.lost = "checkmated",
	.pieces_max = CHESS_PIECES_MAX,
	.rights = CHESS_RIGHTS,
	.group_min = 3,
	.group_max = CHESS_PIECES_MAX,
	.group_few = 4,
	.group_is = "pieces",
	.example = "KQvKR",
	.starters = {"KQvK", "KRvK", "KPvK"},
	.starter = "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1", /* the longest win */
	.metrics = metrics,
	.files = 8,
	.ranks = 8,
	.labelled_squares = false,
	.first_side = EL_WHITE,
	.first = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",

	.square_at = chess_square_at,
	.square_name = chess_square_name,
	.mirror = chess_mirror,
	.swap_colours = chess_swap_colours,

	.looks_like = chess_looks_like,
	.parse = chess_parse,
	.read = chess_read,
	.format = chess_format,
	.castling = chess_castling,
	.check = chess_check,
	.legal = chess_legal,

	.moves = chess_moves,
	.captures = chess_captures,
	.zeroing = chess_zeroing,
	.play = chess_play,
	.stuck = chess_stuck,
	.in_check = chess_in_check,
	.zeroes = chess_zeroes,

	.write_move = chess_write_move,
	.read_move = chess_read_move,
	.pass = chess_pass,

	.index_version = 1,
	.slice_parse = chess_slice_parse,
	.slice_of = chess_slice_of,
	.successors = chess_successors,
	.slices = chess_slices,
	.with_rights = chess_with_rights,
	.drawn = chess_drawn,
	.dead = chess_dead,
	.place = chess_place,
	.unplace = chess_unplace,
	.twofold = chess_twofold,
	.digits = chess_digits,
	.take_apart = chess_take_apart,
	.counts = true,
	.stand = chess_stand,
	.marks = chess_marks,
	.look = chess_look,
	.step = {-1, -8, -9},
	.index_steps = chess_index_steps,
	.symmetry = chess_symmetry,
	.orbit = chess_orbit,

	.measure = chess_measure,
	.divide = chess_divide,
	.best = chess_best,
	.frames = &chess_frames,
};
