/* SPDX-License-Identifier: MIT */
/* A slice is the number of stones on the board. Who captured the others does not matter. Slices, an index
   worked out step by step, and the members of both games. */
#include "awari.h"
#include "core/games/plain.h"
#include "core/games/slice.h"

#include <stdio.h>

static enum el_status parse(const struct el_game *game, const char *text, struct el_slice *out,
                            struct el_error *error)
{
	const char *number = slice_unprefixed(game, text);
	char again[32];
	unsigned stones;
	if (!number || sscanf(number, "%9u", &stones) != 1 ||
	    (snprintf(again, sizeof again, "%u", stones), strcmp(again, number)))
		return slice_refuse(game, text, error);
	if (stones > AWARI_STONES)
		return el_fail(error, EL_NEGATIVE, "%s: %u stones, expected at most %d", text,
		               stones, AWARI_STONES);
	*out = awari_slice(game, stones);
	return EL_OK;
}

static enum el_status awari_slice_parse(const char *text, struct el_slice *out,
                                        struct el_error *error)
{
	return parse(&el_awari, text, out, error);
}

static enum el_status oware_slice_parse(const char *text, struct el_slice *out,
                                        struct el_error *error)
{
	return parse(&el_oware, text, out, error);
}

static enum el_status slice_with(const struct el_game *game, const struct el_position *position,
                                 struct el_slice *out, struct el_error *error)
{
	const unsigned stones = el_piece_count(position);
	if (stones > AWARI_STONES)
		return el_fail(error, EL_NEGATIVE, "%u stones on the board, expected at most %d",
		               stones, AWARI_STONES);
	*out = awari_slice(game, stones);
	return EL_OK;
}

static enum el_status awari_slice_of(const struct el_position *position, struct el_slice *out,
                                     struct el_error *error)
{
	return slice_with(&el_awari, position, out, error);
}

static enum el_status oware_slice_of(const struct el_position *position, struct el_slice *out,
                                     struct el_error *error)
{
	return slice_with(&el_oware, position, out, error);
}

static size_t awari_successors(const struct el_slice *slice, struct el_slice *out)
{
	size_t found = 0;
	for (unsigned captured = AWARI_LEAST; captured <= AWARI_MOST && captured <= slice->pieces;
	     captured++)
		out[found++] = awari_slice(slice->game, slice->pieces - captured);
	return found;
}

static size_t slices(const struct el_game *game, unsigned group, struct el_slice *out, size_t max)
{
	if (group > AWARI_STONES)
		return 0;
	if (max)
		*out = awari_slice(game, group);
	return 1;
}

static size_t awari_slices(unsigned group, struct el_slice *out, size_t max)
{
	return slices(&el_awari, group, out, max);
}

static size_t oware_slices(unsigned group, struct el_slice *out, size_t max)
{
	return slices(&el_oware, group, out, max);
}

/* ---- an index step by step ---- */

/* The bars among the stones of a side's pits, as like pieces. */
static uint64_t write_row(const struct el_game *game, unsigned side, const uint8_t row[AWARI_ROW],
                          uint64_t before, uint64_t base, struct el_index_step *out)
{
	const unsigned stones = awari_row_sum(row);
	*out = (struct el_index_step){
		.count = AWARI_ROW - 1,
		.bars = true,
		.squares = (uint8_t)(stones + AWARI_ROW - 1),
		.rank = awari_rank(row),
		.radix = awari_rows(stones),
		.base = base,
		.base_is = base ? "boards with fewer stones in South's pits" : NULL,
		.before = before,
	};
	snprintf(out->group, sizeof out->group, "%u stone%s of %s", stones, stones == 1 ? "" : "s",
	         game->sides[side]);
	for (unsigned bar = 0, behind = 0; bar < AWARI_ROW - 1; bar++) {
		behind += row[bar];
		out->piece[bar] = (struct el_index_piece){
			.side = (uint8_t)side,
			.square = (uint8_t)(side * AWARI_ROW + bar),
			.number = (uint8_t)(behind + bar),
		};
	}
	return out->after = before * out->radix + out->rank + base;
}

static size_t awari_index_steps(const struct el_slice *slice, uint64_t index,
                                struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	struct el_position position;
	if (!awari_unplace(slice, 0, index, &position))
		return 0;
	const uint64_t own = write_row(slice->game, EL_WHITE, position.pits, 0, 0, &out[0]);
	write_row(slice->game, EL_BLACK, position.pits + AWARI_ROW, own,
	          awari_first(slice->pieces, awari_row_sum(position.pits)), &out[1]);
	return 2;
}

/* ---- the game ---- */

static const char *const glyphs[] = {"●"};

static const struct el_metric *const metrics[] = {&el_score, NULL};

/* By stones: each threshold is a pass or more, and large sets leave the caches. */
static const struct el_rate rates[] = {
	{12, EL_PIECES_MAX, 135, 1, 24, 0.4, 0.4, 0.3},
	{16, EL_PIECES_MAX, 145, 1, 24, 0.44, 0.44, 0.3},
	{19, EL_PIECES_MAX, 185, 1, 26, 0.47, 0.47, 0.3},
	{21, EL_PIECES_MAX, 240, 1, 27, 0.48, 0.48, 0.3},
	{24, EL_PIECES_MAX, 300, 1, 27, 0.5, 0.5, 0.3},
	{EL_PIECES_MAX, EL_PIECES_MAX, 400, 1, 27, 0.5, 0.5, 0.3},
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
	.dense = true, \
\
	.measure = awari_measure, \
	.divide = awari_divide, \
	.best = awari_best, \
};
/* clang-format on */

GAME(awari, "Awari", "", false)
GAME(oware, "Oware", "oware:", true)
