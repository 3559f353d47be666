/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sets_fixture.h"
#include "core/games/chess/chess.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a ^ b * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
	return (a ^ a >> 29) * UINT64_C(0x94d049bb133111eb) >> 17;
}

void *sets_room(size_t bytes)
{
	void *memory = aligned_alloc(64, (bytes + 127) / 64 * 64);
	assert_non_null(memory);
	memset(memory, 0, bytes);
	return memory;
}

/* ---- positions ---- */

uint64_t sets_identity(const struct el_position *position)
{
	struct el_place place;
	assert_true(el_chess.place(position, &place));
	unsigned passed = 0;
	if (position->en_passant != EL_NO_SQUARE) {
		const unsigned file = chess_file(position->en_passant);
		passed = 1 + (file < 4 ? file : 7 - file);
	}
	return mix(mix(mix(place.key, place.index), position->side), passed);
}

/* The right to capture the pawn of a layer, if the position leaves one. False where it cannot have come by
   a double step. */
static bool set_right(const struct chess_sets *c, const struct chess_piece piece[CHESS_PIECES_MAX],
                      unsigned layer, struct el_position *out)
{
	unsigned p = 0;
	while (p < c->pieces && (c->layer[p] != layer || piece[p].side == out->side))
		p++;
	if (p == c->pieces)
		return false;
	const bool white = piece[p].side == EL_WHITE;
	const unsigned at = piece[p].square;
	if (at / 8 != (white ? 3 : 4))
		return false;
	const unsigned passed = white ? at - 8 : at + 8, from = white ? at - 16 : at + 16;
	if (chess_occupied(out) & (chess_bit(passed) | chess_bit(from)))
		return false;
	out->en_passant = (uint8_t)passed;
	chess_settle_en_passant(out);
	return true;
}

bool sets_decode(const struct chess_sets *c, unsigned side, size_t unit, size_t bit,
                 struct el_position *out)
{
	const size_t word = bit / 64 % c->layer_words;
	struct chess_slab slab = chess_slab(c, unit, word / CHESS_SLAB);
	struct el_place place;
	slab.piece[chess_row_piece(c)].square = word % CHESS_SLAB;
	slab.piece[chess_word_piece(c)].square = bit % 64;
	*out = (struct el_position){
		.side = (uint8_t)side, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned p = 0; p < c->pieces; p++) {
		const uint64_t at = chess_bit(slab.piece[p].square);
		if (chess_occupied(out) & at)
			return false;
		out->set[slab.piece[p].side][slab.piece[p].kind] |= at;
	}
	if (!el_chess.place(out, &place) || !el_chess.legal(out, &place))
		return false;
	const unsigned layer = (unsigned)(bit / 64 / c->layer_words);
	return !layer || set_right(c, slab.piece, layer, out);
}

/* ---- tables ---- */

const struct el_value sets_values[SETS_VALUES] = {
	{.outcome = EL_DRAW},           {.outcome = EL_LOSS},
	{.outcome = EL_LOSS, .plies = 2}, {.outcome = EL_LOSS, .plies = 8},
	{.outcome = EL_WIN, .plies = 1},  {.outcome = EL_WIN, .plies = 7},
};

uint16_t sets_symbol(const struct el_slice *slice, unsigned plane, uint64_t index)
{
	if (slice->pieces > 3)
		return 0;
	return (uint16_t)(mix(mix(slice->key, plane), index) % SETS_VALUES);
}

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	const struct el_value *meant = context;
	(void)error;
	struct el_planes *planes = calloc(1, sizeof *planes);
	assert_non_null(planes);
	planes->slice = *slice;
	planes->metric = metric;
	for (unsigned side = 0; side < slice->planes; side++) {
		uint16_t *symbols = calloc(slice->positions, sizeof *symbols);
		assert_non_null(symbols);
		for (uint64_t i = 0; i < slice->positions && slice->pieces <= 3; i++)
			symbols[i] = sets_symbol(slice, side, i);
		planes->plane[side] = (struct el_plane){
			.symbols = symbols,
			.values = (struct el_value *)meant,
			.value_count = SETS_VALUES,
		};
	}
	*out = planes;
	return EL_OK;
}

static void give_back(void *context, const struct el_planes *lent)
{
	(void)context;
	free(lent->plane[0].symbols);
	free(lent->plane[1].symbols);
	free((void *)lent);
}

struct el_lender sets_lender(const struct el_value meant[SETS_VALUES])
{
	return (struct el_lender){.context = (void *)meant, .lend = lend, .give_back = give_back};
}
