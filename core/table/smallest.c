/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The orders that make the smallest file: planes are encoded in each order, and the bytes counted.
 * Of few pieces all orders are tried. Of more the search starts at the order with the fewest runs
 * and goes on with the best exchange of two pieces, as long as one gains.
 */
#include "writer.h"

enum { ALL_MOST = 24 }; /* orders: those of four pieces */

/* A search: each plane has its own, and both are tried in the same file. */
struct search {
	const char *path;
	const struct el_planes *planes;
	const struct el_table_options *options;
	const struct el_watch *watch;
	struct el_digits digits;
	struct el_order best[2];
	uint64_t least[2]; /* bytes of the plane in its best order */
};

static enum el_status try_orders(struct search *s, const struct el_order orders[2], bool gained[2],
                                 struct el_error *error)
{
	struct el_table_options options = *s->options;
	uint64_t bytes[2] = {0};
	options.ordering = EL_ORDER_GIVEN;
	for (unsigned p = 0; p < s->planes->slice.planes; p++)
		options.order[p] = orders[p];
	enum el_status status = table_weigh(s->path, s->planes, &options, s->watch, bytes, error);
	for (unsigned p = 0; p < 2 && !status; p++) {
		gained[p] = bytes[p] < s->least[p];
		if (gained[p]) {
			s->least[p] = bytes[p];
			s->best[p] = orders[p];
		}
	}
	return status;
}

static enum el_status try_all(struct search *s, unsigned orders, struct el_error *error)
{
	enum el_status status = EL_OK;
	bool gained[2];
	for (unsigned i = 0; i < orders && !status; i++) {
		const struct el_order order = order_numbered(s->digits.count, i);
		status = try_orders(s, (struct el_order[2]){order, order}, gained, error);
	}
	return status;
}

/* The exchange of digits a and b. */
static struct el_order exchange(struct el_order order, unsigned a, unsigned b)
{
	const uint8_t digit = order.digit[a];
	order.digit[a] = order.digit[b];
	order.digit[b] = digit;
	return order;
}

static enum el_status climb(struct search *s, struct el_error *error)
{
	enum el_status status = EL_OK;
	bool gained[2], any = true;
	for (unsigned p = 0; p < s->planes->slice.planes && !status; p++)
		status = view_best_order(
			&(struct view_task){s->planes, p, s->options, s->path, s->watch},
			&s->best[p], error);
	if (!status)
		status = try_orders(s, (struct el_order[2]){s->best[0], s->best[1]}, gained, error);
	while (any && !status) {
		const struct el_order from[2] = {s->best[0], s->best[1]};
		any = false;
		for (unsigned a = 0; a < s->digits.count && !status; a++)
			for (unsigned b = a + 1; b < s->digits.count && !status; b++) {
				const struct el_order orders[2] = {exchange(from[0], a, b),
				                                   exchange(from[1], a, b)};
				status = try_orders(s, orders, gained, error);
				any |= !status && (gained[0] || gained[1]);
			}
	}
	return status;
}

enum el_status table_smallest_orders(const char *path, const struct el_planes *planes,
                                     const struct el_table_options *options,
                                     const struct el_watch *watch, struct el_order out[2],
                                     struct el_error *error)
{
	struct search s = {path, planes, options, watch, .least = {UINT64_MAX, UINT64_MAX}};
	if (planes->slice.game->digits)
		planes->slice.game->digits(&planes->slice, &s.digits);
	memset(out, 0, 2 * sizeof *out);
	if (!s.digits.count)
		return EL_OK;
	const unsigned orders = orders_of(s.digits.count);
	enum el_status status = orders <= ALL_MOST ? try_all(&s, orders, error) : climb(&s, error);
	for (unsigned p = 0; p < planes->slice.planes; p++)
		out[p] = s.best[p];
	return status;
}
