/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which piece should vary fastest: runs are counted in every order of the digits. A run goes on as
 * long as some value is allowed for all of it, which is what fills make of it.
 */
#include "table_view.h"

#include <stdlib.h>

enum {
	WINDOWS = 64,
	WINDOW = 1 << 17, /* positions */
};

/* A plane with its positions in the order of the digits, the last the fastest. */
struct trial {
	struct view view;
	struct el_digits digits;
	uint64_t stride[EL_DIGITS_MAX];
	uint64_t positions;
};

/* ---- runs of one order ---- */

/* A walk through the positions in some order. */
struct walk {
	uint64_t at;                     /* in the trial's order */
	uint32_t digit[EL_DIGITS_MAX];   /* in the walk's order, slowest first */
	uint32_t radix[EL_DIGITS_MAX];
	uint64_t stride[EL_DIGITS_MAX];
	unsigned count;
};

static struct walk walk_from(const struct trial *t, const struct el_order *order, uint64_t number)
{
	struct walk w = {.count = order->count};
	for (unsigned i = w.count; i-- > 0;) {
		w.radix[i] = t->digits.radix[order->digit[i]];
		w.stride[i] = t->stride[order->digit[i]];
		w.digit[i] = (uint32_t)(number % w.radix[i]);
		number /= w.radix[i];
		w.at += w.digit[i] * w.stride[i];
	}
	return w;
}

static void walk_on(struct walk *w)
{
	for (unsigned i = w->count; i-- > 0;) {
		w->at += w->stride[i];
		if (++w->digit[i] < w->radix[i])
			return;
		w->at -= w->radix[i] * w->stride[i];
		w->digit[i] = 0;
	}
}

/* Runs among `count` positions from `first` on. */
static uint64_t count_runs(const struct trial *t, const struct el_order *order, uint64_t first,
                           uint64_t count)
{
	struct walk w = walk_from(t, order, first);
	uint64_t runs = 0;
	int least = 1, most = 0; /* symbols that all of the run may have: none yet */
	for (; count; count--, walk_on(&w)) {
		const struct view *v = &t->view;
		const uint16_t symbol = v->spool.symbols[w.at];
		const uint8_t care =
			view_care(v, symbol, v->derives && v->spool.derivable[w.at]);
		if (care == EL_CARE_NOT)
			continue;
		int high = v->becomes[symbol], low = care == EL_CARE_EXACT ? high : 0;
		least = low > least ? low : least;
		most = high < most ? high : most;
		if (least > most) {
			runs++;
			least = low;
			most = high;
		}
	}
	return runs;
}

/* In windows that lie evenly, where the plane is too large to be looked at whole. */
static uint64_t sample_runs(const struct trial *t, const struct el_order *order)
{
	const uint64_t sample = (uint64_t)WINDOWS * WINDOW;
	if (t->positions <= sample)
		return count_runs(t, order, 0, t->positions);
	uint64_t runs = 0;
	for (uint64_t i = 0; i < WINDOWS; i++)
		runs += count_runs(t, order, t->positions / WINDOWS * i, WINDOW);
	return runs;
}

/* ---- all orders ---- */

static enum el_status try_all(const struct trial *t, const char *what, const struct el_watch *watch,
                              struct el_order *out, struct el_error *error)
{
	const unsigned orders = orders_of(t->digits.count);
	uint64_t least = UINT64_MAX;
	unsigned winner = 0, done = 0;
	bool stopped = false;
#pragma omp parallel for schedule(dynamic, 1)
	for (unsigned i = 0; i < orders; i++) {
		struct el_order order = order_numbered(t->digits.count, i);
		bool stop;
#pragma omp atomic read
		stop = stopped;
		uint64_t runs = stop ? UINT64_MAX : sample_runs(t, &order);
#pragma omp critical(table_best)
		{
			const struct el_progress progress = {
				.stage = "trying orders",
				.what = what,
				.done = ++done,
				.total = orders,
				.unit = "orders",
			};
			stop = stop || !el_watch_tick(watch, &progress);
#pragma omp atomic write
			stopped = stop;
			if (runs < least || (runs == least && i < winner)) {
				least = runs;
				winner = i;
			}
		}
	}
	*out = order_numbered(t->digits.count, winner);
	return stopped ? el_fail(error, EL_STOPPED, "%s: stopped", what) : EL_OK;
}

enum el_status view_best_order(const struct el_planes *planes, unsigned plane,
                               enum el_derive derive, const char *path,
                               const struct el_watch *watch, struct el_order *out,
                               struct el_error *error)
{
	struct trial t = {0};
	*out = (struct el_order){0};
	if (planes->slice.game->digits)
		planes->slice.game->digits(&planes->slice, &t.digits);
	if (!t.digits.count)
		return EL_OK;
	struct el_order natural = order_numbered(t.digits.count, 0);
	struct table_plane file = {0};
	numbering_make(&planes->slice, &natural, &file.numbering);
	memcpy(t.stride, file.numbering.weight, sizeof t.stride);
	t.positions = file.numbering.positions;
	const struct el_table_options options = {.fill = EL_FILL_PREVIOUS, .derive = derive};
	enum el_status status = view_values(planes, plane, &options, &file, error);
	if (!status)
		status = view_open(planes, plane, &options, &file, path, watch, &t.view, error);
	if (!status)
		status = try_all(&t, planes->slice.name, watch, out, error);
	view_close(&t.view);
	free(file.values);
	return status;
}
