/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "board.h"

#include <stdlib.h>
#include <string.h>

/* In the game's order of pieces. */
static void look(const void *context, const uint8_t *square, unsigned moving, uint64_t *word)
{
	const struct table_board *b = context;
	uint8_t there[EL_BOARD_PIECES] = {0};
	for (unsigned i = 0; i < b->slice.pieces; i++)
		there[b->piece[i]] = square[i];
	b->slice.game->look(&b->slice, b->plane, there, b->piece[moving], word);
}

static const uint8_t *list_squares(const struct el_slice *slice, const struct el_digits *digits,
                                   unsigned digit)
{
	const unsigned pieces = digits->pieces[digit];
	uint8_t *square = malloc((size_t)digits->radix[digit] * pieces);
	for (uint32_t v = 0; v < digits->radix[digit] && square; v++)
		slice->game->stand(slice, digit, v, square + (size_t)v * pieces);
	return square;
}

static enum el_status make_axes(struct table_board *b, const struct el_digits *digits,
                                const struct el_order *order, const struct numbering *numbering)
{
	unsigned begin[EL_DIGITS_MAX] = {0}, place = 0;
	for (unsigned d = 1; d < digits->count; d++)
		begin[d] = begin[d - 1] + digits->pieces[d - 1];
	for (unsigned i = 0; i < order->count; i++) {
		const unsigned d = order->digit[i];
		struct el_codec_axis *axis = &b->seen.axis[i];
		*axis = (struct el_codec_axis){
			.radix = digits->radix[d],
			.weight = numbering->weight[d],
			.pieces = digits->pieces[d],
			.square = list_squares(&b->slice, digits, d),
		};
		b->seen.axes++;
		if (!axis->square)
			return EL_MEMORY;
		for (unsigned k = 0; k < axis->pieces; k++)
			b->piece[place++] = (uint8_t)(begin[d] + k);
	}
	return EL_OK;
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
	return make_axes(b, &digits, order, numbering);
}

void board_free(struct table_board *b)
{
	for (unsigned i = 0; b && i < b->seen.axes; i++)
		free((void *)(uintptr_t)b->seen.axis[i].square);
	free(b);
}
