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

/* An axis of a board: some digits of the slice, which together have so many values. */
struct axis {
	uint64_t radix, weight;
	unsigned count;
	uint8_t digit[EL_DIGITS_MAX];
};

/* Is the digit a factor of the index, with this weight? */
static bool is_factor(const struct el_slice *slice, const struct el_digits *digits, unsigned d,
                      uint64_t weight)
{
	uint32_t none[EL_DIGITS_MAX], now[EL_DIGITS_MAX];
	slice->game->take_apart(slice, 0, none);
	bool good = slice->positions % (weight * digits->radix[d]) == 0;
	for (uint32_t v = 0; v < digits->radix[d] && good; v++) {
		slice->game->take_apart(slice, v * weight, now);
		for (unsigned i = 0; i < digits->count; i++)
			good &= now[i] == (i == d ? v : none[i]);
	}
	return good;
}

/* The index of a game whose sides have one king each is a number of digits, the fastest last, in front
   of which all that are left make one axis: both kings. */
static unsigned axes_of_index(const struct el_slice *slice, const struct el_digits *digits,
                              struct axis out[EL_DIGITS_MAX])
{
	struct axis found[EL_DIGITS_MAX], rest = {.weight = 1};
	unsigned count = 0, left = (1u << digits->count) - 1;
	for (unsigned d = 0; d < digits->count;) {
		if (!(left >> d & 1) || !is_factor(slice, digits, d, rest.weight)) {
			d++;
			continue;
		}
		found[count++] = (struct axis){digits->radix[d], rest.weight, 1, {(uint8_t)d}};
		rest.weight *= digits->radix[d];
		left &= ~(1u << d);
		d = 0;
	}
	rest.radix = slice->positions / rest.weight;
	for (unsigned d = 0; d < digits->count; d++)
		if (left >> d & 1)
			rest.digit[rest.count++] = (uint8_t)d;
	if (left)
		found[count++] = rest;
	for (unsigned i = 0; i < count; i++)
		out[i] = found[count - 1 - i];
	return count;
}

/* The squares of an axis, by value. */
static uint8_t *squares_of(const struct el_slice *slice, const struct el_digits *digits,
                           const struct axis *axis, unsigned pieces)
{
	uint8_t *square = malloc((size_t)axis->radix * pieces), *at = square;
	for (uint32_t v = 0; v < axis->radix && square; v++) {
		uint32_t digit[EL_DIGITS_MAX];
		if (axis->count == 1)
			digit[axis->digit[0]] = v;
		else
			slice->game->take_apart(slice, v * axis->weight, digit);
		for (unsigned k = 0; k < axis->count; k++) {
			const unsigned d = axis->digit[k];
			slice->game->stand(slice, d, digit[d], at);
			at += digits->pieces[d];
		}
	}
	return square;
}

enum el_status board_make(const struct el_slice *slice, unsigned plane,
                          const struct el_order *order, const struct numbering *numbering,
                          struct table_board **out)
{
	struct el_digits digits;
	struct axis axes[EL_DIGITS_MAX];
	*out = NULL;
	if (!slice->game->look || slice->pieces > EL_BOARD_PIECES || slice->is_study ||
	    el_slice_has_rights(slice) || (!order->count && !slice->game->single))
		return EL_OK;
	slice->game->digits(slice, &digits);
	const unsigned count = order->count ? order->count : axes_of_index(slice, &digits, axes);
	for (unsigned i = 0; i < order->count; i++) {
		const unsigned d = order->digit[i];
		axes[i] = (struct axis){digits.radix[d], numbering->weight[d], 1, {(uint8_t)d}};
	}
	for (unsigned i = 0; i < count; i++)
		if (axes[i].radix > EL_BOARD_RADIX)
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
	for (unsigned i = 0; i < count; i++) {
		const struct axis *axis = &axes[i];
		unsigned pieces = 0;
		for (unsigned k = 0; k < axis->count; k++)
			for (unsigned n = 0; n < digits.pieces[axis->digit[k]]; n++, pieces++)
				b->piece[place++] = (uint8_t)(begin[axis->digit[k]] + n);
		b->seen.axis[i] = (struct el_codec_axis){
			.radix = (uint32_t)axis->radix,
			.weight = axis->weight,
			.pieces = pieces,
			.square = squares_of(slice, &digits, axis, pieces),
		};
		b->seen.axes++;
		if (!b->seen.axis[i].square)
			return EL_MEMORY;
	}
	return EL_OK;
}

void board_free(struct table_board *b)
{
	for (unsigned i = 0; b && i < b->seen.axes; i++)
		free((void *)(uintptr_t)b->seen.axis[i].square);
	free(b);
}

enum el_status board_see(const struct el_slice *slice, unsigned plane, struct table_board **out,
                         struct board_view *view)
{
	const struct el_order by_index = {.count = 0};
	struct numbering numbering;
	*view = (struct board_view){0};
	*out = NULL;
	numbering_make(slice, &by_index, &numbering);
	enum el_status status = board_make(slice, plane, &by_index, &numbering, out);
	if (!status && *out)
		status = board_view_open(&(*out)->seen, view, NULL);
	if (status) {
		board_view_close(view);
		board_free(*out);
		*out = NULL;
	}
	return status;
}
