/* SPDX-License-Identifier: MIT */
#include "awari.h"

#include "core/games/plain.h"
#include "index.h"

static const char *const glyphs[] = {"●"};

static const struct el_metric *const metrics[] = {&el_score, NULL};

static const struct el_rate rates[] = {
	{EL_PIECES_MAX, EL_PIECES_MAX, 60, 1, 30, 0.5, 0.5, 0.3},
};

/* Two games that differ in one rule, and so in the members that know it. */
/* clang-format off */
#define GAME(game, its_title, prefix, rule) \
const struct el_game el_##game = { \
	.name = #game, \
	.title = its_title, \
	.kinds = "S", \
	.glyphs = glyphs, \
	.kind_names = {"stone"}, \
	.rates = rates, \
	.proof = 1, \
	.lost = "out of stones", \
	.sows = true, \
	.spares = rule, \
	.sides = {"South", "North"}, \
	.pieces_max = AWARI_STONES, \
	.group_min = 0, \
	.group_max = AWARI_STONES, \
	.group_few = 12, \
	.group_is = "stones on the board", \
	.example = #game ":12", \
	.metrics = metrics, \
	.files = AWARI_ROW, \
	.ranks = 2, \
	.first_side = EL_WHITE, \
	.first = prefix "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", \
\
	.square_at = awari_square_at, \
	.square_name = awari_square_name, \
	.mirror = plain_mirror, \
	.swap_colours = awari_swap_colours, \
\
	.looks_like = game##_looks_like, \
	.parse = game##_parse, \
	.format = game##_format, \
	.check = awari_check, \
	.legal = awari_legal, \
\
	.moves = game##_moves, \
	.captures = game##_captures, \
	.play = awari_play, \
	.stuck = awari_stuck, \
	.in_check = plain_never, \
	.gain = awari_gain, \
	.stage = awari_stage, \
\
	.write_move = awari_write_move, \
	.read_move = game##_read_move, \
\
	.index_version = 1, \
	.slice_parse = game##_slice_parse, \
	.slice_of = game##_slice_of, \
	.successors = awari_successors, \
	.slices = game##_slices, \
	.drawn = plain_never, /* if there are stones on the board, somebody gains them */ \
	.place = awari_place, \
	.unplace = awari_unplace, \
	.index_steps = awari_index_steps, \
	.symmetry = awari_symmetry, \
	.orbit = plain_orbit, \
\
	.measure = awari_measure, \
	.divide = awari_divide, \
	.best = awari_best, \
};
/* clang-format on */

GAME(awari, "Awari", "", false)
GAME(oware, "Oware", "oware:", true)
