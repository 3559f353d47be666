/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "orders.h"

bool next_order(struct el_order *order)
{
	uint8_t *d = order->digit;
	unsigned n = order->count, i = n - 1, j = n - 1;
	while (i > 0 && d[i - 1] >= d[i])
		i--;
	if (i > 0) {
		while (d[j] <= d[i - 1])
			j--;
		uint8_t swap = d[i - 1];
		d[i - 1] = d[j];
		d[j] = swap;
	}
	for (unsigned a = i, b = n - 1; a < b; a++, b--) {
		uint8_t swap = d[a];
		d[a] = d[b];
		d[b] = swap;
	}
	return i > 0;
}

struct el_digits digits_of(const struct el_slice *slice)
{
	struct el_digits digits;
	slice->game->digits(slice, &digits);
	return digits;
}

struct el_order first_order(const struct el_digits *digits)
{
	struct el_order order = {.count = (uint8_t)digits->count};
	for (unsigned i = 0; i < digits->count; i++)
		order.digit[i] = (uint8_t)i;
	return order;
}

uint64_t number_by_hand(const struct el_digits *digits, const struct el_order *order,
			const uint32_t digit[EL_DIGITS_MAX])
{
	uint64_t number = 0;
	for (unsigned i = 0; i < order->count; i++)
		number = number * digits->radix[order->digit[i]] + digit[order->digit[i]];
	return number;
}

uint64_t product(const struct el_digits *digits)
{
	uint64_t all = 1;
	for (unsigned i = 0; i < digits->count; i++)
		all *= digits->radix[i];
	return all;
}
