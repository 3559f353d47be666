/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The positions in Syzygy order are those that its index counts, each at its place. */
#include "core/foreign/syzygy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { PAWN = 1, STEP = 997 };

/* Walks on from `first`, and finds each index again from its squares. */
static void walk_some(const struct order *order, const struct leads *leads, uint64_t first)
{
	struct walk walk;
	walk_begin(&walk, order, leads, first);
	for (uint64_t i = first; i < first + STEP && i < order->positions; i++) {
		uint8_t square[SYZYGY_PIECES_MAX];
		if (i > first)
			walk_next(&walk);
		memcpy(square, walk.square, sizeof square);
		if (order_index(order, square) != i)
			fail_msg("index %llu is found at %llu", (unsigned long long)i,
			         (unsigned long long)order_index(order, walk.square));
	}
}

static void check_order(const struct material *material, const struct order_places *places,
                        unsigned file)
{
	struct order order;
	struct leads leads;
	assert_true(order_make(&order, material, file, places));
	assert_int_equal(leads_list(&order, file, &leads), EL_OK);
	assert_true(leads.count > 0);
	for (uint64_t i = 0; i < order.positions; i += order.positions / 200 + 1)
		walk_some(&order, &leads, i);
	leads_free(&leads);
}

static void count_material(const struct order_places *places, unsigned pieces, struct material *out)
{
	*out = (struct material){.pieces = (uint8_t)pieces};
	for (unsigned i = 0; i < pieces; i++)
		out->count[places->piece[i] >> 3][places->piece[i] & 7]++;
}

static void every_index_is_found_again(void **state)
{
	static const struct {
		unsigned pieces;
		struct order_places places;
	} orders[] = {
		{3, {{6, 14, 5}, 0, 15}},        /* KQvK */
		{4, {{6, 14, 5, 12}, 1, 15}},    /* KQvKR: three lead, the rook is fastest */
		{4, {{14, 12, 6, 5}, 0, 15}},    /* and slowest */
		{4, {{6, 14, 2, 2}, 1, 15}},     /* KNNvK: the kings lead */
		{5, {{6, 14, 10, 3, 3}, 1, 15}}, /* KBBvKN */
		{3, {{1, 6, 14}, 2, 15}},        /* KPvK */
		{4, {{1, 1, 6, 14}, 1, 15}},     /* KPPvK */
		{5, {{1, 1, 1, 6, 14}, 0, 15}},  /* KPPPvK */
		{4, {{1, 9, 6, 14}, 3, 2}},      /* KPvKP */
		{5, {{9, 1, 1, 6, 14}, 2, 0}},   /* KPPvKP: the one black pawn leads */
		{5, {{1, 14, 4, 12, 6}, 1, 15}}, /* KRPvKR */
	};
	(void)state;
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		struct material material;
		count_material(&orders[i].places, orders[i].pieces, &material);
		const unsigned boards = (orders[i].places.piece[0] & 7) == PAWN ? 4 : 1;
		for (unsigned file = 0; file < boards; file++)
			check_order(&material, &orders[i].places, file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_index_is_found_again)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
