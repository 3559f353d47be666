/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of digits, one after the other, and numbers in them by their definition. */
#ifndef TESTS_ORDERS_H
#define TESTS_ORDERS_H

#include "endlab/table.h"

struct el_digits digits_of(const struct el_slice *slice);
/* The places in their order. */
struct el_order first_order(const struct el_digits *digits);
/* The next permutation in lexicographic order; false, and the first again, after the last. */
bool next_order(struct el_order *order);

/* A number by its definition: the digits in their order, the last the fastest. */
uint64_t number_by_hand(const struct el_digits *digits, const struct el_order *order,
			const uint32_t digit[EL_DIGITS_MAX]);
/* How many numbers there are. */
uint64_t product(const struct el_digits *digits);

#endif
