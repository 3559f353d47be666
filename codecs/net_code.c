/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks. The first symbol is a plain number, and the guess where no neighbour is. A bit tells whether the broken positions, those that no position has by the rules
 * alone, have the guess as their symbol: nothing more is told of them then. Each other position is a
 * few decisions under the probabilities that the network gives them.
 *
 * Where no board is known, the guess is the symbol before, and probabilities adapt along the block.
 */
#include "net.h"
#include "runs.h"

#include <stdlib.h>
#include <string.h>

struct net_coder {
	struct el_codec_params params;
	struct net_view view;
	struct net_model model;
	uint64_t first; /* of the block */
	uint16_t usual; /* its first symbol */
	uint8_t *tally; /* by symbol: zeros; owned */
	struct net_walk walk;
	int16_t still[NET_HIDDEN_MAX]; /* as `stand` sums it, of the run */
	bool stands;
	int16_t bent[NET_HIDDEN_MAX];
	uint16_t habit[2][NET_DECISIONS]; /* without a board: by whether the two symbols before agree */
};

enum el_status net_coder_open(const struct el_codec_params *params, const uint8_t *learned,
                              size_t size, struct net_coder **out, struct el_error *error)
{
	struct net_coder *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "net: out of memory");
	enum el_status status = EL_OK;
	c->params = *params;
	c->tally = calloc(params->value_count, 1);
	if (!c->tally)
		status = el_fail(error, EL_MEMORY, "net: out of memory");
	if (!status && params->board)
		status = net_view_open(params->board, &c->view, error);
	if (!status && params->board) {
		const struct net_layout layout = net_layout(&c->view, params->value_count);
		status = net_model_read(&c->model, &layout, learned, size, error);
	} else if (!status && size) {
		status = el_fail(error, EL_DAMAGED, "net: expected no learned bytes, found %zu", size);
	}
	if (status)
		net_coder_close(c);
	else
		*out = c;
	return status;
}

void net_coder_close(struct net_coder *c)
{
	net_view_close(&c->view);
	net_model_free(&c->model);
	free(c->tally);
	free(c);
}

void net_coder_begin(struct net_coder *c, uint64_t first)
{
	c->first = first;
}

/* ---- probabilities ---- */

/* 1 / (1 + e^-x) from -12 on, each half; straight lines between. */
static uint32_t squash(int32_t x)
{
	static const uint16_t curve[49] = {
		0, 1, 1, 2, 3, 5, 8, 13, 22, 36, 60, 98,
		162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11955, 17625, 24743,
		32768, 40793, 47911, 53581, 57724, 60565, 62428, 63615, 64357, 64816, 65097, 65269,
		65374, 65438, 65476, 65500, 65514, 65523, 65528, 65531, 65533, 65534, 65535, 65535,
		65535,
	};
	enum { HALF = NET_ONE / 2, MOST = 12 * NET_ONE };
	const int32_t clipped = x < -MOST ? -MOST : x >= MOST ? MOST - 1 : x;
	const uint32_t at = (uint32_t)(clipped + MOST), i = at / HALF, part = at % HALF;
	const uint32_t p = curve[i] + (curve[i + 1] - curve[i]) * part / HALF;
	return p < 4 ? 4 : p > RANGE_ONE - 4 ? RANGE_ONE - 4 : p;
}

static uint32_t probability(const struct net_coder *c, unsigned decision)
{
	const unsigned hidden = c->model.hidden;
	const int16_t *out = c->model.out + decision * hidden;
	int32_t sum = c->model.bias[decision];
	for (unsigned i = 0; i < hidden; i++)
		sum += c->bent[i] * out[i];
	return squash(sum);
}

/* ---- the network ---- */

/* Eight numbers at once, wherever they stand. */
typedef int16_t lanes __attribute__((vector_size(2 * NET_LANES), aligned(2), may_alias));

static inline void add_row(int16_t *sum, const struct net_model *m, uint32_t row)
{
	const int16_t *from = m->row + (size_t)row * m->hidden;
	for (unsigned i = 0; i < m->hidden; i += NET_LANES)
		*(lanes *)(sum + i) += *(const lanes *)(from + i);
}

/* The sum of the rows that a run has in common: of the pieces that stay. */
static void stand(struct net_coder *c)
{
	const struct net_walk *w = &c->walk;
	const struct net_layout *l = &c->model.layout;
	memset(c->still, 0, sizeof c->still);
	for (unsigned p = 0; p < l->pieces; p++) {
		if (p == w->moving)
			continue;
		add_row(c->still, &c->model, net_square_row(l, p, w->square[p]));
		for (unsigned q = 0; q < p; q++)
			if (q != w->moving)
				add_row(c->still, &c->model,
				        net_distance_row(l, p, w->square[p], q, w->square[q]));
	}
	c->stands = true;
}

/* Sets `bent` for the position. */
static void ask(struct net_coder *c, const int32_t *near, uint16_t guess)
{
	const struct net_model *m = &c->model;
	const struct net_layout *l = &m->layout;
	const struct net_walk *w = &c->walk;
	const unsigned square = w->square[w->moving];
	int16_t sum[NET_HIDDEN_MAX];
	if (!m->hidden)
		return;
	if (!c->stands)
		stand(c);
	memcpy(sum, c->still, m->hidden * sizeof *sum);
	add_row(sum, m, net_value_row(l, guess));
	add_row(sum, m, net_square_row(l, w->moving, square));
	for (unsigned q = 0; q < l->pieces; q++)
		if (q != w->moving)
			add_row(sum, m, net_distance_row(l, w->moving, square, q, w->square[q]));
	for (unsigned i = 0; i < w->view->board->marks; i++)
		if (w->word[1 + i] >> square & 1)
			add_row(sum, m, l->mark + i);
	for (unsigned i = 0; i < l->pieces * NET_STEPS; i++)
		add_row(sum, m, net_near_row(i, near[i], guess));
	for (unsigned i = 0; i < m->hidden; i++)
		c->bent[i] = (int16_t)net_bend(sum[i]);
}

/* ---- a symbol: written and read in the same steps ---- */

struct pen {
	struct range_writer *writer; /* null: it reads */
	struct range_reader *reader;
};

static inline bool code(const struct pen *pen, uint32_t p, bool bit)
{
	if (!pen->writer)
		return range_get(pen->reader, p);
	range_put(pen->writer, p, bit);
	return bit;
}

static inline bool decide(struct net_coder *c, const struct pen *pen, unsigned context,
                          unsigned decision, bool bit)
{
	if (c->params.board)
		return code(pen, probability(c, decision), bit);
	uint16_t *habit = &c->habit[context][decision];
	bit = code(pen, *habit, bit);
	range_adapt(habit, bit);
	return bit;
}

/* A number below `count`, all alike. */
static inline uint32_t plain(const struct pen *pen, uint32_t count, uint32_t number)
{
	uint32_t value = 0;
	for (unsigned bit = 32 - (unsigned)__builtin_clz(count); bit-- > 0;)
		value |= (uint32_t)code(pen, RANGE_ONE / 2, number >> bit & 1) << bit;
	return value;
}

/* What is not the guess; value_count where the bytes make no sense. */
static inline uint32_t away(struct net_coder *c, const struct pen *pen, unsigned context,
                            uint16_t guess, uint32_t symbol)
{
	const uint32_t count = c->params.value_count;
	bool up = symbol > guess;
	if (!guess)
		up = true;
	else if (guess + 1u < count)
		up = decide(c, pen, context, NET_UP, up);
	else
		up = false;
	const uint32_t off = up ? symbol - guess : guess - symbol;
	const uint32_t most = up ? count - 1 - guess : guess;
	uint32_t k = 1;
	for (; k < most && k <= NET_FAR; k++) {
		const unsigned at = k <= NET_AWAY_STEPS ? k - 1 : NET_AWAY_STEPS - 1;
		if (decide(c, pen, context, NET_AWAY + 2 * at + up, off == k))
			break;
	}
	if (k > NET_FAR && k < most)
		k += plain(pen, most - k + 1, off - k);
	if (k > most)
		return count;
	return up ? guess + k : guess - k;
}

/* Codes symbol `at`; value_count where the bytes make no sense. */
static inline uint32_t on_board(struct net_coder *c, const struct pen *pen, const uint16_t *symbols,
                                size_t at, uint32_t symbol, bool skips)
{
	int32_t near[NET_NEAR_MAX];
	const struct net_walk *w = &c->walk;
	c->stands &= !w->fresh && at > 1;
	net_near(w, symbols, at, near);
	const struct net_guess g = net_guess(near, c->view.pieces, c->usual, c->tally);
	const bool broken = net_walk_broken(w);
	if (broken && skips)
		return g.symbol;
	const uint8_t flat = net_is_flat(g) ? c->model.flat[g.symbol] : 0;
	if (flat && code(pen, net_flat_probability(flat), symbol == g.symbol))
		return g.symbol;
	ask(c, near, g.symbol);
	if (!flat && decide(c, pen, 0, NET_EQUAL, symbol == g.symbol))
		return g.symbol;
	return away(c, pen, 0, g.symbol, symbol);
}

static inline uint32_t in_line(struct net_coder *c, const struct pen *pen, const uint16_t *symbols,
                               size_t at, uint32_t symbol)
{
	const uint16_t guess = symbols[at - 1];
	const unsigned context = at > 1 && symbols[at - 2] == guess;
	if (decide(c, pen, context, NET_EQUAL, symbol == guess))
		return guess;
	return away(c, pen, context, guess, symbol);
}

static void begin_habits(struct net_coder *c)
{
	for (unsigned d = 0; d < NET_DECISIONS; d++)
		c->habit[0][d] = c->habit[1][d] = RANGE_ONE / 2;
}

/* ---- blocks ---- */

/* Do all broken positions have their guess? */
static bool can_skip(struct net_coder *c, const uint16_t *symbols, size_t count)
{
	int32_t near[NET_NEAR_MAX];
	net_walk_start(&c->walk, &c->view, c->first);
	c->usual = symbols[0];
	for (size_t i = 0; i < count; i++) {
		if (i && net_walk_broken(&c->walk)) {
			net_near(&c->walk, symbols, i, near);
			const struct net_guess g =
				net_guess(near, c->view.pieces, c->usual, c->tally);
			if (g.symbol != symbols[i])
				return false;
		}
		if (i + 1 < count)
			net_walk_next(&c->walk);
	}
	return true;
}

enum el_status net_encode(struct net_coder *c, const uint16_t *symbols, size_t count, uint8_t *out,
                          size_t capacity, size_t *size, struct el_error *error)
{
	struct range_writer writer = range_write(out, capacity);
	const struct pen pen = {.writer = &writer};
	const bool board = c->params.board;
	const bool skips = board && can_skip(c, symbols, count);
	if (board) {
		code(&pen, RANGE_ONE / 2, skips);
		net_walk_start(&c->walk, &c->view, c->first);
	}
	begin_habits(c);
	plain(&pen, c->params.value_count, symbols[0]);
	for (size_t i = 1; i < count; i++) {
		if (board)
			net_walk_next(&c->walk);
		if (!board)
			in_line(c, &pen, symbols, i, symbols[i]);
		else
			on_board(c, &pen, symbols, i, symbols[i], skips);
	}
	range_end(&writer);
	*size = writer.size;
	return writer.full ? el_fail(error, EL_USAGE, "net: a block needs more than %zu bytes", capacity)
	                   : EL_OK;
}

enum el_status net_decode(struct net_coder *c, const uint8_t *bytes, size_t size, uint16_t *symbols,
                          size_t count, struct el_error *error)
{
	struct range_reader reader = range_read(bytes, size);
	const struct pen pen = {.reader = &reader};
	const bool board = c->params.board;
	bool skips = false;
	if (board) {
		skips = code(&pen, RANGE_ONE / 2, false);
		net_walk_start(&c->walk, &c->view, c->first);
	}
	begin_habits(c);
	for (size_t i = 0; i < count; i++) {
		if (board && i)
			net_walk_next(&c->walk);
		const uint32_t symbol = !i      ? plain(&pen, c->params.value_count, 0)
		                        : board ? on_board(c, &pen, symbols, i, 0, skips)
		                                      : in_line(c, &pen, symbols, i, 0);
		if (symbol >= c->params.value_count)
			return el_fail(error, EL_DAMAGED, "net: expected symbols below %u at position %zu",
			               c->params.value_count, i);
		symbols[i] = (uint16_t)symbol;
		c->usual = symbols[0];
	}
	return EL_OK;
}

/* ---- the fill ---- */

/* The first symbol, where that is free: the first that is not. */
static uint16_t first_of(const struct el_codec_plane *block)
{
	uint64_t i = 0;
	while (i + 1 < block->positions && block->care[i] == EL_CARE_NOT)
		i++;
	return block->care[0] == EL_CARE_NOT ? block->symbols[i] : block->symbols[0];
}

/* What is free becomes the guess, where it may. */
void net_fill_block(struct net_coder *c, const struct el_codec_plane *block)
{
	uint16_t *symbols = block->symbols;
	int32_t near[NET_NEAR_MAX];
	if (!c->params.board) {
		runs_fill(block, c->params.value_count);
		return;
	}
	net_walk_start(&c->walk, &c->view, c->first);
	symbols[0] = first_of(block);
	for (size_t i = 1; i < block->positions; i++) {
		net_walk_next(&c->walk);
		net_near(&c->walk, symbols, i, near);
		const uint16_t guess = net_guess(near, c->view.pieces, symbols[0], c->tally).symbol;
		if (block->care[i] == EL_CARE_NOT ||
		    (block->care[i] == EL_CARE_AT_MOST && guess < symbols[i]))
			symbols[i] = guess;
	}
}
