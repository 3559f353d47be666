/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The orders of a table's planes: in words, and as numbers of positions. */
#include "order.h"

#include <string.h>

/* ---- numbers ---- */

/* The radix of the digit that varies fastest in the index: the one that two neighbours differ
   by. */
static uint32_t row_of_index(const struct el_slice *slice, const struct el_digits *digits)
{
	uint32_t first[EL_DIGITS_MAX], second[EL_DIGITS_MAX];
	if (!digits->count)
		return 1;
	slice->game->take_apart(slice, 0, first);
	slice->game->take_apart(slice, 1, second);
	unsigned fastest = 0;
	while (fastest + 1 < digits->count && first[fastest] == second[fastest])
		fastest++;
	return digits->radix[fastest];
}

enum el_status numbering_make(const struct el_slice *slice, const struct el_order *order,
                              struct numbering *out)
{
	struct el_digits digits = {0};
	*out = (struct numbering){.count = order->count, .positions = slice->positions};
	if (slice->game->digits)
		slice->game->digits(slice, &digits);
	out->row = row_of_index(slice, &digits);
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

/* ---- words ---- */

static enum el_status wrong_order(const char *text, const struct el_slice *slice,
                                  struct el_error *error)
{
	struct el_digits digits = {0};
	if (slice && slice->game->digits)
		slice->game->digits(slice, &digits);
	if (!digits.count)
		return el_fail(error, EL_USAGE, "order '%s': expected index, best or smallest",
		               text);
	return el_fail(error, EL_USAGE,
	               "order '%s': expected index, best, smallest, or the pieces of %s from the "
	               "slowest to the "
	               "fastest, such as %.*s",
	               text, slice->name, (int)digits.count, digits.letter);
}

/* One plane's order from `length` letters. */
static bool read_letters(const char *text, size_t length, const struct el_digits *digits,
                         struct el_order *out)
{
	*out = (struct el_order){.count = (uint8_t)digits->count};
	if (!length || length != digits->count)
		return false;
	for (size_t i = 0; i < length; i++) {
		const char *found = memchr(digits->letter, text[i], digits->count);
		if (!found || memchr(text, text[i], i))
			return false;
		out->digit[i] = (uint8_t)(found - digits->letter);
	}
	return true;
}

/* "index" or letters. */
static bool read_order(const char *text, size_t length, const struct el_slice *slice,
                       struct el_order *out)
{
	struct el_digits digits;
	if (length == strlen("index") && !strncmp(text, "index", length)) {
		*out = (struct el_order){0};
		return true;
	}
	if (!slice || !slice->game->digits)
		return false;
	slice->game->digits(slice, &digits);
	return read_letters(text, length, &digits, out);
}

enum el_status el_order_parse(const char *text, const struct el_slice *slice,
                              struct el_table_options *out, struct el_error *error)
{
	struct el_order order[2] = {0};
	size_t first = strcspn(text, "/");
	const bool smallest = !strcmp(text, "smallest");
	if (smallest || !strcmp(text, "best")) {
		out->ordering = smallest ? EL_ORDER_SMALLEST : EL_ORDER_BEST;
		memset(out->order, 0, sizeof out->order);
		return EL_OK;
	}
	if (!read_order(text, first, slice, &order[0]))
		return wrong_order(text, slice, error);
	order[1] = order[0];
	const bool two = slice && slice->planes == 2;
	if (text[first] &&
	    (!two || !read_order(text + first + 1, strlen(text + first + 1), slice, &order[1])))
		return wrong_order(text, slice, error);
	if (!two)
		order[1] = (struct el_order){0};
	memcpy(out->order, order, sizeof order);
	out->ordering = order[0].count || order[1].count ? EL_ORDER_GIVEN : EL_ORDER_INDEX;
	return EL_OK;
}

static char *write_order(const struct el_digits *digits, const struct el_order *order, char *out)
{
	if (!order->count)
		return stpcpy(out, "index");
	for (unsigned i = 0; i < order->count; i++)
		*out++ = digits->letter[order->digit[i]];
	*out = '\0';
	return out;
}

void el_order_format(const struct el_slice *slice, const struct el_table_options *options,
                     char out[EL_ORDER_TEXT])
{
	struct el_digits digits = {0};
	if (options->ordering != EL_ORDER_GIVEN) {
		strcpy(out, options->ordering == EL_ORDER_BEST       ? "best"
		            : options->ordering == EL_ORDER_SMALLEST ? "smallest"
		                                                     : "index");
		return;
	}
	slice->game->digits(slice, &digits);
	out = write_order(&digits, &options->order[0], out);
	if (slice->planes < 2 ||
	    !memcmp(&options->order[0], &options->order[1], sizeof *options->order))
		return;
	*out++ = '/';
	write_order(&digits, &options->order[1], out);
}
