/* SPDX-License-Identifier: MIT */
#include "awari.h"

#include "core/games/plain.h"
#include "index.h"

static const char *const glyphs[] = {"●"};

static const struct el_metric *const metrics[] = {&el_score, NULL};

static const struct el_rate rates[] = {
	{EL_PIECES_MAX, EL_PIECES_MAX, 60, 1, 30, 0.5, 0.5, 0.3},
};

const struct el_game el_awari = {
	.name = "awari",
	.title = "Awari",
	.kinds = "S",
	.glyphs = glyphs,
	.kind_names = {"stone"},
	.rates = rates,
	.proof = 1,
	.lost = "out of stones",
	.sows = true,
	.sides = {"South", "North"},
	.pieces_max = AWARI_STONES,
	.group_min = 0,
	.group_max = AWARI_STONES,
	.group_few = 12,
	.group_is = "stones on the board",
	.example = "awari:12",
	.metrics = metrics,
	.files = AWARI_ROW,
	.ranks = 2,
	.first_side = EL_WHITE,
	.first = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",

	.square_at = awari_square_at,
	.square_name = awari_square_name,
	.mirror = plain_mirror,
	.swap_colours = awari_swap_colours,

	.looks_like = awari_looks_like,
	.parse = awari_parse,
	.format = awari_format,
	.check = awari_check,
	.legal = awari_legal,

	.moves = awari_moves,
	.captures = awari_captures,
	.play = awari_play,
	.stuck = awari_stuck,
	.in_check = plain_never,
	.gain = awari_gain,
	.stage = awari_stage,

	.write_move = awari_write_move,
	.read_move = awari_read_move,

	.index_version = 1,
	.looks_like_slice = awari_looks_like_slice,
	.slice_parse = awari_slice_parse,
	.slice_of = awari_slice_of,
	.successors = awari_successors,
	.slices = awari_slices,
	.drawn = plain_never, /* if there are stones on the board, somebody gains them */
	.place = awari_place,
	.unplace = awari_unplace,
	.index_steps = awari_index_steps,
	.symmetry = awari_symmetry,
	.orbit = plain_orbit,

	.measure = awari_measure,
	.divide = awari_divide,
	.best = awari_best,
};
