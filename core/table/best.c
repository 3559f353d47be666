/* SPDX-License-Identifier: MIT */
/*
 * Finds the orders in which a plane takes the least space.
 *
 * The best order: for every order of the digits, the codec weighs a sample, or runs are counted. A run
 * lasts as long as one value is allowed throughout, since a fill makes it just that. If the codec weighs
 * and a side is to be left out, the orders of both compete: most time goes to those that may win.
 *
 * The smallest order: planes are encoded in each order and the bytes counted. With few pieces all
 * orders are tried. With more, the search starts at the best order and exchanges two pieces as long
 * as an exchange gains.
 */
#include "writer.h"

#include "codecs/exact.h"
#include "core/base/hash.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum {
	WINDOW = 1 << 16, /* positions in a row, of those among which runs are counted */
	SAMPLE = 1 << 22, /* positions of the one order whose cost is asked for */
	STRETCH = 4096,   /* at least this many in a row */
	ALL_MOST = 24,    /* encode all orders if no more: those of four pieces */
};

/* Of ever fewer orders, the best of the round before, more positions are looked at: samples of different
   orders are different positions, and of few of them the chance is larger than the differences. */
struct round {
	unsigned orders;
	uint32_t positions;
};

static const struct round counts[] = {{UINT_MAX, 1 << 18}, {24, 1 << 22}, {0}};
static const struct round weighs[] = {{UINT_MAX, 1 << 17}, {12, 1 << 22}, {4, 1 << 24}, {0}};

/* A plane with its positions in the order of the digits, the last the fastest; or of the index. */
struct trial {
	struct view view;
	struct el_digits digits;
	uint64_t stride[EL_DIGITS_MAX];
	uint64_t positions;
	/* If the codec weighs: the bits of each symbol of the file by its frequency alone, and those of
	   all. Positions that are free to have any symbol count nothing. */
	double *bits, all;
	const struct el_table_options *options;
	uint32_t value_count;
	unsigned plane;
	bool weighs; /* the codec, which has to see a board */
};

/* ---- one order ---- */

/* A walk through the positions in some order. */
struct walk {
	uint64_t at;                   /* in the trial's order */
	uint32_t digit[EL_DIGITS_MAX]; /* in the walk's order, slowest first */
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
		const uint8_t care = view_care(v, symbol, v->derives && v->spool.derivable[w.at]);
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

/* Counts in windows if the plane has more positions. */
static uint64_t sample_runs(const struct trial *t, const struct el_order *order, uint64_t positions)
{
	if (t->positions <= positions)
		return count_runs(t, order, 0, t->positions);
	const uint64_t windows = positions / WINDOW;
	uint64_t runs = 0;
	for (uint64_t i = 0; i < windows; i++)
		runs += count_runs(
			t, order, sample_place(i, windows, t->positions / WINDOW) * WINDOW, WINDOW);
	return runs;
}

/* ---- what a codec makes of one order ---- */

/* What a sample takes, and what it would take by the frequencies of symbols alone. */
struct weight {
	double bits, alone;
};

/* Weighs a sample of whole blocks, far apart from each other. */
static enum el_status weigh_sample(const struct trial *t, const struct el_order *order,
                                   const struct numbering *numbering,
                                   const struct el_codec_params *params, uint64_t positions,
                                   struct weight *out, struct el_error *error)
{
	const struct view *v = &t->view;
	const uint32_t block = params->block_positions;
	const uint64_t length = block > STRETCH ? block : STRETCH;
	const struct el_codec *codec = t->options->codec.codec;
	const uint64_t most = positions / length + 1;
	const uint64_t there = t->positions / length, count = there < most ? there : most;
	struct el_codec_plane sample = {
		.symbols = malloc((size_t)(count * length) * sizeof *sample.symbols),
		.positions = count * length,
		.row = numbering->row,
		.stretch = length,
	};
	uint8_t *care = malloc((size_t)(count * length));
	uint64_t *starts = malloc((size_t)count * sizeof *starts);
	enum el_status status = EL_OK;
	if (sample.symbols && care && starts) {
		for (uint64_t i = 0; i < count && !status; i++) {
			starts[i] = sample_place(i, count, there) * length;
			if (!order->count) {
				status =
					view_read(v, starts[i], length, sample.symbols + i * length,
				                  care + i * length, error);
				continue;
			}
			struct walk w = walk_from(t, order, starts[i]);
			for (uint64_t k = i * length; k < (i + 1) * length; k++, walk_on(&w)) {
				const uint16_t symbol = v->spool.symbols[w.at];
				sample.symbols[k] = v->becomes[symbol];
				care[k] = view_care(v, symbol,
				                    v->derives && v->spool.derivable[w.at]);
			}
		}
		for (uint64_t i = 0; i < sample.positions && t->bits && !status; i++)
			out->alone += care[i] == EL_CARE_NOT ? 0 : t->bits[sample.symbols[i]];
		sample.care = care;
		sample.starts = starts;
		enum el_way way;
		uint64_t bytes = 0;
		if (!status && t->weighs)
			status = codec->weigh(params, &sample, &out->bits, error);
		else if (!status)
			status = el_fill_choose(t->options->fill, codec, params, &sample, NULL,
			                        &way, error);
		if (!status && !t->weighs) {
			status = el_fill_measure(codec, params, &sample, NULL, 0, 1, &bytes, error);
			out->bits = 8 * (double)bytes;
		}
	} else {
		status = el_fail(error, EL_MEMORY, "%s: out of memory", v->planes->slice.name);
	}
	free(sample.symbols);
	free(care);
	free(starts);
	return status;
}

/* Of so many positions at most, by the codec's guesses or encoded. A plane of less than a stretch takes
   little in any order. */
static enum el_status weigh(const struct trial *t, const struct el_order *order, uint64_t positions,
                            struct weight *out, struct el_error *error)
{
	const struct el_slice *slice = &t->view.planes->slice;
	const uint32_t block = t->options->block_positions;
	struct numbering numbering;
	struct table_board *board = NULL;
	struct el_codec_params params = {.value_count = t->value_count, .block_positions = block};
	*out = (struct weight){0};
	if (t->positions < block || t->positions < STRETCH)
		return EL_OK;
	memcpy(params.option, t->options->codec.option, sizeof params.option);
	numbering_make(slice, order, &numbering);
	enum el_status status = board_make(slice, t->plane, order, &numbering, &board);
	if (status)
		el_fail(error, status, "%s: out of memory", slice->name);
	params.board = board ? &board->seen : NULL;
	if (!status)
		status = weigh_sample(t, order, &numbering, &params, positions, out, error);
	board_free(board);
	return status;
}

/* ---- all orders ---- */

/* An order of a plane, and what it costs. */
struct tried {
	const struct trial *trial;
	unsigned number;
	double cost;
};

static int by_cost(const void *a, const void *b)
{
	const struct tried *x = a, *y = b;
	return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost)
	                          : (x->number > y->number) - (x->number < y->number);
}

/* Runs, or bits of the plane. Samples of different orders are different positions: many or few that are free,
   drawn, or deep wins. So what counts is how much less a sample takes than by its symbols alone. */
static enum el_status cost_of(struct tried *one, uint32_t positions, struct el_error *error)
{
	const struct trial *t = one->trial;
	const struct el_order order = order_numbered(t->digits.count, one->number);
	struct weight weight = {0};
	one->cost = HUGE_VAL;
	if (!t->weighs)
		one->cost = (double)sample_runs(t, &order, positions);
	else if (t->all <= 0)
		one->cost = 0;
	if (one->cost < HUGE_VAL)
		return EL_OK;
	const enum el_status status = weigh(t, &order, positions, &weight, error);
	if (weight.alone > 0)
		one->cost = weight.bits / weight.alone * t->all;
	return status;
}

/* Sets the cost of each, and sorts them by it. */
static enum el_status try_each(struct tried *tried, unsigned count, uint32_t positions,
                               const struct view_task *task, struct el_error *error)
{
	const char *what = task->planes->slice.name;
	unsigned done = 0;
	bool stopped = false;
	enum el_status status = EL_OK;
#pragma omp parallel for schedule(dynamic, 1)
	for (unsigned i = 0; i < count; i++) {
		struct el_error one_error;
		enum el_status one = EL_OK;
		bool stop;
#pragma omp atomic read
		stop = stopped;
		if (!stop)
			one = cost_of(&tried[i], positions, &one_error);
#pragma omp critical(table_best)
		{
			const struct el_progress progress = {"trying orders", what, ++done, count,
			                                     .unit = "orders"};
			if (one && !status)
				status = el_fail(error, one, "%s", one_error.text);
			stop = stop || one || !el_watch_tick(task->watch, &progress);
#pragma omp atomic write
			stopped = stop;
		}
	}
	if (stopped && !status)
		status = el_fail(error, EL_STOPPED, "%s: stopped", what);
	if (!status)
		qsort(tried, count, sizeof *tried, by_cost);
	return status;
}

/* The best order of the best plane. */
static enum el_status try_all(const struct trial *trials, unsigned planes,
                              const struct view_task *task, struct tried *out,
                              struct el_error *error)
{
	const unsigned orders = orders_of(trials->digits.count), all = planes * orders;
	struct tried *tried = malloc(all * sizeof *tried);
	if (!tried)
		return el_fail(error, EL_MEMORY, "%s: out of memory", task->planes->slice.name);
	for (unsigned i = 0; i < all; i++)
		tried[i] = (struct tried){&trials[i / orders], i % orders, HUGE_VAL};
	enum el_status status = EL_OK;
	const struct round *round = trials->weighs ? weighs : counts;
	for (; round->orders && !status; round++) {
		const unsigned best = round->orders < all ? round->orders : all;
		if (round[1].orders < best) /* else this round drops none */
			status = try_each(tried, best, round->positions, task, error);
	}
	*out = tried[0];
	free(tried);
	return status;
}

/* Sets t->bits. */
static enum el_status count_alone(struct trial *t, struct el_error *error)
{
	const struct view *v = &t->view;
	const uint32_t values = t->value_count;
	uint64_t *count = calloc(values, sizeof *count), all = 0;
	t->bits = calloc(values, sizeof *t->bits);
	if (count && t->bits) {
#pragma omp parallel for reduction(+ : all, count[:values])
		for (uint64_t i = 0; i < t->positions; i++) {
			const uint16_t symbol = v->spool.symbols[i];
			const bool derivable = v->derives && v->spool.derivable[i];
			const bool held = view_care(v, symbol, derivable) != EL_CARE_NOT;
			count[v->becomes[symbol]] += held;
			all += held;
		}
		for (uint32_t s = 0; s < values; s++)
			if (count[s])
				t->all += (double)count[s] *
				          (t->bits[s] = exact_log2((double)all / (double)count[s]));
	}
	const bool counted = count && t->bits;
	free(count);
	return counted ? EL_OK
	               : el_fail(error, EL_MEMORY, "%s: out of memory", v->planes->slice.name);
}

/* A codec needs a board to weigh. */
static bool view_weighs(const struct view_task *task)
{
	return task->options->codec.codec->weigh && task->planes->slice.game->look;
}

static void trial_close(struct trial *t)
{
	view_close(&t->view);
	free(t->bits);
}

/* trial_close in any case; no digits: there is only one order. */
static enum el_status trial_open(const struct view_task *task, bool by_index, struct trial *t,
                                 struct el_error *error)
{
	const struct el_planes *planes = task->planes;
	*t = (struct trial){.options = task->options, .plane = task->plane};
	t->weighs = view_weighs(task);
	if (planes->slice.game->digits)
		planes->slice.game->digits(&planes->slice, &t->digits);
	if (!t->digits.count && !by_index)
		return EL_OK;
	const struct el_order natural =
		by_index ? (struct el_order){0} : order_numbered(t->digits.count, 0);
	struct table_plane file = {0};
	numbering_make(&planes->slice, &natural, &file.numbering);
	memcpy(t->stride, file.numbering.weight, sizeof t->stride);
	t->positions = file.numbering.positions;
	const struct el_table_options options = {.fill = EL_FILL_PREVIOUS,
	                                         .derive = task->options->derive};
	struct view_task previous = *task;
	previous.options = &options;
	enum el_status status = view_values(planes, task->plane, &options, &file, error);
	if (!status)
		status = view_open(&previous, &file, &t->view, error);
	t->value_count = file.value_count;
	if (!status && t->weighs && t->view.spool.symbols)
		status = count_alone(t, error);
	free(file.values);
	return status;
}

/* The best order of the best of so many planes. */
static enum el_status best_of(const struct view_task *tasks, unsigned planes, unsigned *plane,
                              struct el_order *out, struct el_error *error)
{
	struct trial trials[2] = {0};
	struct tried best = {.cost = HUGE_VAL};
	enum el_status status = EL_OK;
	*out = (struct el_order){0};
	for (unsigned p = 0; p < planes && !status; p++)
		status = trial_open(&tasks[p], false, &trials[p], error);
	const unsigned digits = trials->digits.count;
	if (!status && digits)
		status = try_all(trials, planes, tasks, &best, error);
	if (!status && digits)
		*out = order_numbered(digits, best.number);
	*plane = best.cost < HUGE_VAL ? best.trial->plane : PLANES_ALIKE;
	for (unsigned p = 0; p < planes; p++)
		trial_close(&trials[p]);
	return status;
}

enum el_status view_best_order(const struct view_task *task, struct el_order *out,
                               struct el_error *error)
{
	return best_of(task, 1, &(unsigned){0}, out, error);
}

enum el_status view_lighter(const struct view_task *task, unsigned *plane, struct el_order *out,
                            struct el_error *error)
{
	struct view_task tasks[2] = {*task, *task};
	tasks[0].plane = 0;
	tasks[1].plane = 1;
	*plane = PLANES_ALIKE;
	return view_weighs(task) ? best_of(tasks, 2, plane, out, error) : EL_OK;
}

enum el_status view_weigh(const struct view_task *task, double *bits, struct el_error *error)
{
	const struct el_order *order = &task->options->order[task->plane];
	struct trial t;
	struct weight weight = {0};
	enum el_status status = trial_open(task, !order->count, &t, error);
	if (!status && (t.digits.count || !order->count))
		status = weigh(&t, order, SAMPLE, &weight, error);
	*bits = weight.bits;
	trial_close(&t);
	return status;
}

/* ---- the smallest ---- */

/* A search. Each plane has its own, but both are tried in the same file. */
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

/* The order with digits a and b exchanged. */
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
	enum el_status status = orders > ALL_MOST ? climb(&s, error) : EL_OK;
	for (unsigned i = 0; i < orders && orders <= ALL_MOST && !status; i++) {
		const struct el_order order = order_numbered(s.digits.count, i);
		status = try_orders(&s, (struct el_order[2]){order, order}, (bool[2]){0}, error);
	}
	for (unsigned p = 0; p < planes->slice.planes; p++)
		out[p] = s.best[p];
	return status;
}
