/* SPDX-License-Identifier: MIT */
/* The orders of a table's planes: the numbers of positions, and the board behind them. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

enum el_status numbering_make(const struct el_slice *slice, const struct el_order *order,
                              struct numbering *out)
{
	struct el_digits digits = {0};
	unsigned fastest = 0;
	*out = (struct numbering){.count = order->count,
	                          .positions = slice->positions,
	                          .row = 1,
	                          .run = 1,
	                          .step = 1};
	if (slice->game->digits && !slice->is_study)
		slice->game->digits(slice, &digits);
	/* In the index, the digit in which two neighbours differ varies fastest. */
	if (digits.count) {
		uint32_t first[EL_DIGITS_MAX], second[EL_DIGITS_MAX];
		slice->game->take_apart(slice, 0, first);
		slice->game->take_apart(slice, 1, second);
		while (fastest + 1 < digits.count && first[fastest] == second[fastest])
			fastest++;
		out->row = digits.radix[fastest];
	}
	if (!order->count)
		return EL_OK;
	if (order->count != digits.count)
		return EL_NEGATIVE;
	out->positions = 1;
	for (unsigned i = order->count; i-- > 0;) {
		unsigned d = order->digit[i];
		if (d >= digits.count || out->weight[d])
			return EL_NEGATIVE;
		out->weight[d] = out->positions;
		out->positions *= digits.radix[d];
	}
	out->row = digits.radix[order->digit[order->count - 1]];
	if (slice->game->counts && slice->pieces > 2) {
		out->run = digits.radix[fastest];
		out->step = out->weight[fastest];
	}
	return EL_OK;
}

struct el_order order_numbered(unsigned count, unsigned number)
{
	struct el_order order = {.count = (uint8_t)count};
	unsigned left[EL_DIGITS_MAX], choices = 1;
	for (unsigned i = 0; i < count; i++) {
		left[i] = i;
		choices *= i + 1;
	}
	for (unsigned i = 0; i < count; i++) {
		choices /= count - i;
		unsigned pick = number / choices;
		number %= choices;
		order.digit[i] = (uint8_t)left[pick];
		for (unsigned k = pick; k + 1 < count - i; k++)
			left[k] = left[k + 1];
	}
	return order;
}

unsigned orders_of(unsigned count)
{
	return count < 2 ? 1 : count * orders_of(count - 1);
}

/* ---- the board ---- */

/* In the game's order of pieces. */
static void look(const void *context, const uint8_t *square, unsigned moving, uint64_t *word)
{
	const struct table_board *b = context;
	uint8_t there[EL_BOARD_PIECES] = {0};
	for (unsigned i = 0; i < b->slice.pieces; i++)
		there[b->piece[i]] = square[i];
	b->slice.game->look(&b->slice, b->plane, there, b->piece[moving], word);
}

enum el_status board_make(const struct el_slice *slice, unsigned plane,
                          const struct el_order *order, const struct numbering *numbering,
                          struct table_board **out)
{
	struct el_digits digits;
	*out = NULL;
	if (!order->count || !slice->game->look || slice->pieces > EL_BOARD_PIECES)
		return EL_OK;
	slice->game->digits(slice, &digits);
	for (unsigned d = 0; d < digits.count; d++)
		if (digits.radix[d] > EL_BOARD_RADIX)
			return EL_OK;
	struct table_board *b = calloc(1, sizeof *b);
	if (!b)
		return EL_MEMORY;
	b->slice = *slice;
	b->plane = plane;
	b->seen.marks = slice->game->marks(slice);
	b->seen.context = b;
	b->seen.look = look;
	memcpy(b->seen.step, slice->game->step, sizeof b->seen.step);
	*out = b;

	unsigned begin[EL_DIGITS_MAX] = {0}, place = 0;
	for (unsigned d = 1; d < digits.count; d++)
		begin[d] = begin[d - 1] + digits.pieces[d - 1];
	for (unsigned i = 0; i < order->count; i++) {
		const unsigned d = order->digit[i], pieces = digits.pieces[d];
		uint8_t *square = malloc((size_t)digits.radix[d] * pieces);
		for (uint32_t v = 0; v < digits.radix[d] && square; v++)
			slice->game->stand(slice, d, v, square + (size_t)v * pieces);
		b->seen.axis[i] = (struct el_codec_axis){
			.radix = digits.radix[d],
			.weight = numbering->weight[d],
			.pieces = pieces,
			.square = square,
		};
		b->seen.axes++;
		if (!square)
			return EL_MEMORY;
		for (unsigned k = 0; k < pieces; k++)
			b->piece[place++] = (uint8_t)(begin[d] + k);
	}
	return EL_OK;
}

void board_free(struct table_board *b)
{
	for (unsigned i = 0; b && i < b->seen.axes; i++)
		free((void *)(uintptr_t)b->seen.axis[i].square);
	free(b);
}
