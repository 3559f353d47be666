/* SPDX-License-Identifier: MIT */
/*
 * Learning: stochastic gradient descent whose steps shrink with a weight's past gradients (J.
 * Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods", JMLR 12, 2011, figure 1), one
 * position at a time, on one thread, and with exact operations alone (codecs/exact.h), so that the
 * same plane gives the same numbers on every processor.
 */
#include "codecs/exact.h"
#include "codecs/range.h"
#include "model.h"
#include "network.h"

#include <stdlib.h>
#include <string.h>

enum {
	SAMPLE = 3 << 21,     /* most positions in an epoch */
	WEIGHED = 1 << 17,    /* positions that are enough to weigh an order */
	PIECE = 256,          /* consecutive positions at a time: the least block */
	SMALL = 8,            /* `hidden` of the smaller network */
	SMALL_ENOUGH = 40000, /* bytes below which that is tried, too, and none at all */
	LANES = 8,            /* partial sums, in a fixed order for equal results */
	PAUSE = 1024,         /* steps between two averages of the weights */
	FLAT_WORTH = 5,       /* if wrong more than once in 2^this, ask the network */
	COMMON_WORTH = 64, /* ask for the commonest symbol if so many wrong guesses have it once */
};

/* Of a step, before past gradients shrink it: in a row, and in an output weight or a bias. */
static const float ROW_RATE = 0.1f, OUT_RATE = 0.2f;

struct trainer {
	const struct el_codec_params *params;
	const struct el_codec_plane *plane;
	const struct el_watch *watch;
	struct el_error *error;
	struct board_view view;
	struct net_layout layout;
	unsigned hidden, epochs;
	uint64_t most;   /* positions in an epoch */
	uint16_t common; /* the commonest symbol far from a guess */
	uint8_t *flat;   /* by symbol; owned, as all below */
	/* weights; by row, the sum over all steps of its gradients' mean square */
	float *row, *row_square;
	/* [NET_DECISIONS][hidden + 1], biases last; for each, the sum of squares */
	float *out, *out_square;
	float *row_mean, *out_mean; /* of the weights, in the last epoch */
	bool last;                  /* it is the last one */
	uint64_t steps;             /* taken in the last one */
	double share;               /* fraction of the plane in an epoch */
	double unskilled;           /* fraction of an epoch whose cost is not counted */
	/* The cost of this epoch's symbols: the product of their probabilities is `likely` / 2^`bits`.
	   After training, `bits` is an estimate for the whole plane. */
	double bits, likely;
	struct board_over over;
};

/* ---- one position ---- */

/* Specialises code for a constant width of the network, and for wide vectors where the processor
   has them: they compute the same, side by side. */
#define INLINE static inline __attribute__((always_inline))

INLINE float dot(const float *a, const float *b, unsigned count)
{
	float lane[LANES] = {0}, all = 0;
	unsigned i = 0;
	for (; i + LANES <= count; i += LANES)
		for (unsigned k = 0; k < LANES; k++)
			lane[k] += a[i + k] * b[i + k];
	for (; i < count; i++)
		all += a[i] * b[i];
	for (unsigned k = 0; k < LANES; k++)
		all += lane[k];
	return all;
}

/* Adds the cost of an answer that had the probability `p`. */
INLINE void pay(struct trainer *t, double p)
{
	t->likely *= p;
	if (t->likely < 0x1p-900) {
		t->likely *= 0x1p900;
		t->bits += 900;
	}
}

/* A position on its way through the network; local, so that nothing else can be at its place. */
struct passage {
	float bent[NET_HIDDEN_MAX];  /* hidden numbers */
	float slope[NET_HIDDEN_MAX]; /* how the likelihood grows with each */
};

/* Learns from a decision whose answer is `bit`. */
INLINE void decide(struct trainer *t, unsigned h, struct passage *at, unsigned decision, bool bit)
{
	float *restrict out = t->out + (size_t)decision * (h + 1);
	float *restrict square = t->out_square + (size_t)decision * (h + 1);
	float x = dot(out, at->bent, h) + out[h];
	x = x < -12 ? -12 : x > 12 ? 12 : x;
	const float p = 1 / (1 + exact_exp(-x)), miss = (float)bit - p;
	pay(t, bit ? p : 1 - p);
	for (unsigned i = 0; i < h; i++)
		at->slope[i] += miss * out[i];
	for (unsigned i = 0; i < h; i++) {
		const float gradient = miss * at->bent[i];
		square[i] += gradient * gradient;
		out[i] += OUT_RATE * gradient / sqrtf(square[i] + 1e-2f);
	}
	square[h] += miss * miss;
	out[h] += OUT_RATE * miss / sqrtf(square[h] + 1e-2f);
}

/* Learns how far a symbol is from the guess, as decisions. */
INLINE void decide_away(struct trainer *t, unsigned h, struct passage *at, uint16_t guess,
                        uint16_t symbol)
{
	const uint32_t count = t->params->value_count;
	const bool up = symbol > guess, bands = t->params->option[NET_BANDS];
	if (bands && t->common < count && abs(t->common - guess) > BOARD_STEPWISE) {
		decide(t, h, at, NET_COMMON, symbol == t->common);
		if (symbol == t->common)
			return;
	}
	const uint32_t away = up ? symbol - guess : guess - symbol;
	const uint32_t most = up ? count - 1 - guess : guess;
	if (guess > 0 && guess + 1u < count)
		decide(t, h, at, NET_UP, up);
	for (unsigned band = 0; bands; band++) {
		if (board_bands[band].to < most)
			decide(t, h, at, NET_AWAY + 2 * band + up, away > board_bands[band].to);
		if (away <= board_bands[band].to) {
			t->bits += board_bands[band].bits;
			return;
		}
	}
	for (uint32_t k = 1; k < most && k <= NET_FAR; k++) {
		const unsigned steps = k <= NET_AWAY_STEPS ? k : NET_AWAY_STEPS;
		decide(t, h, at, NET_AWAY + 2 * (steps - 1) + up, away == k);
		if (away == k)
			return;
	}
}

/* ---- the plane ---- */

/* Visits position `j` of the stretch, which is not broken. */
typedef void visitor(struct trainer *, unsigned j, struct board_guess, uint16_t symbol);

/* Visits consecutive positions of a block; their neighbours may be anywhere before them. */
static void walk_piece(struct trainer *t, uint64_t first, visitor *visit)
{
	const uint32_t size = t->params->block_positions;
	const uint64_t start = first / size * size, rest = t->plane->positions - first;
	const uint64_t inside = start + size - first, most = rest < inside ? rest : inside;
	const size_t begin = (size_t)(first - start);
	const size_t end = begin + (size_t)(most < PIECE ? most : PIECE);
	const uint16_t *symbols = t->plane->symbols + start;
	const struct board_stretch *s = &t->over.stretch;
	for (bool more = board_over_start(&t->over, &t->view, el_codec_number(t->plane, first),
	                                  symbols, begin, end);
	     more; more = board_over_next(&t->over))
		for (unsigned j = 0; j < s->count; j++)
			if (!board_stretch_broken(s, j))
				visit(t, j, board_stretch_guess(s, s->pieces, j),
				      symbols[s->start + j]);
}

static bool coprime(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a == 1;
}

/* Visits pieces of the plane, each far from the last, so that no step forgets what others taught.
   Of a large plane, each epoch visits only some, and different ones. */
static enum el_status walk_sample(struct trainer *t, unsigned epoch, visitor *visit)
{
	const uint64_t pieces = (t->plane->positions + PIECE - 1) / PIECE;
	const uint64_t wanted = t->most / PIECE, taken = pieces < wanted ? pieces : wanted;
	/* Jumps of the golden ratio spread any number of pieces evenly. */
	uint64_t jump = (uint64_t)((double)pieces * 0.6180339887498949);
	while (!coprime(jump, pieces))
		jump++;
	uint64_t at = epoch * taken % pieces * jump % pieces;
	const uint64_t counted = (uint64_t)((double)taken * t->unskilled);
	for (uint64_t i = 0; i < taken; i++, at = (at + jump) % pieces) {
		if (i == counted) {
			t->bits = 0;
			t->likely = 1;
		}
		const struct el_progress progress = {
			.stage = "learning",
			.what = "net",
			.done = (double)(epoch * taken + i),
			.total = (double)((t->epochs + 1) * taken),
			.unit = "pieces",
		};
		if (!el_watch_tick(t->watch, &progress))
			return el_fail(t->error, EL_STOPPED, "net: stopped");
		walk_piece(t, at * PIECE, visit);
	}
	t->share = (double)taken / (double)pieces;
	return EL_OK;
}

/* ---- flats ---- */

/* Counts how often all neighbours agreed on each symbol, and were wrong; and how often it was far from
   the guess. The counts use the memory of output weights. */
static void count_flat(struct trainer *t, unsigned j, struct board_guess g, uint16_t symbol)
{
	(void)j;
	float *far = t->out + 2 * t->params->value_count;
	far[symbol] += abs(symbol - g.symbol) > BOARD_STEPWISE;
	far[t->params->value_count] += symbol != g.symbol;
	if (!board_is_flat(g))
		return;
	t->out[2 * g.symbol]++;
	t->out[2 * g.symbol + 1] += symbol != g.symbol;
}

static enum el_status find_flats(struct trainer *t)
{
	t->out = calloc(3 * (size_t)t->params->value_count + 1, sizeof *t->out);
	if (!t->out)
		return el_fail(t->error, EL_MEMORY, "net: out of memory");
	const float *far = t->out + 2 * t->params->value_count;
	enum el_status status = walk_sample(t, 0, count_flat);
	for (uint32_t s = 0; s < t->params->value_count; s++) {
		const double all = (double)t->out[2 * s], wrong = (double)t->out[2 * s + 1];
		const double code = 4 * exact_log2((all + 1) / (wrong + 0.4));
		if (all > 0 && code >= 4 * FLAT_WORTH)
			t->flat[s] = (uint8_t)(code > NET_FLATS - 1 ? NET_FLATS - 1 : lrint(code));
		t->common = far[s] > far[t->common] ? (uint16_t)s : t->common;
	}
	if (far[t->common] * COMMON_WORTH < far[t->params->value_count])
		t->common = NET_NONE;
	free(t->out);
	t->out = NULL;
	return status;
}

/* ---- all of it ---- */

static void approach(float *mean, const float *now, size_t count, float part)
{
	for (size_t i = 0; i < count; i++)
		mean[i] += (now[i] - mean[i]) * part;
}

/* Learns from position `j`; `h` is the network's width. */
INLINE void learn_with(struct trainer *t, unsigned h, unsigned j, struct board_guess g,
                       uint16_t symbol)
{
	uint32_t rows[NET_SEEN_MAX];
	float step[NET_SEEN_MAX];
	const bool flat = board_is_flat(g) && t->flat[g.symbol];
	if (flat) {
		const double p = net_flat_probability(t->flat[g.symbol]) / (double)RANGE_ONE;
		pay(t, symbol == g.symbol ? p : 1 - p);
		if (symbol == g.symbol)
			return;
	}
	const unsigned count = h ? net_seen(&t->layout, &t->over, j, g.symbol, rows) : 0;
	float sum[NET_HIDDEN_MAX] = {0}, bends[NET_HIDDEN_MAX];
	struct passage at = {{0}, {0}};
	for (unsigned n = 0; n < count; n++) {
		const float *row = t->row + (size_t)rows[n] * h;
		for (unsigned i = 0; i < h; i++)
			sum[i] += row[i];
	}
	for (unsigned i = 0; i < h; i++) {
		bends[i] = sum[i] > 0 ? 1 : 1 / 16.0f;
		at.bent[i] = sum[i] * bends[i];
	}
	if (!flat)
		decide(t, h, &at, NET_EQUAL, symbol == g.symbol);
	if (symbol != g.symbol)
		decide_away(t, h, &at, g.symbol, symbol);
	for (unsigned i = 0; i < h; i++)
		at.slope[i] *= bends[i];
	/* All weights of a row share one step size, which saves a square root for each. */
	const float square = h ? dot(at.slope, at.slope, h) / (float)h : 0;
	for (unsigned n = 0; n < count; n++)
		step[n] = t->row_square[rows[n]] += square;
	for (unsigned n = 0; n < count; n++)
		step[n] = ROW_RATE / sqrtf(step[n] + 1e-2f);
	for (unsigned n = 0; n < count; n++) {
		float *row = t->row + (size_t)rows[n] * h;
		for (unsigned i = 0; i < h; i++)
			row[i] += step[n] * at.slope[i];
	}
	if (!t->last || ++t->steps % PAUSE)
		return;
	/* The mean of the weights over the last epoch is better than their final values (B. Polyak,
	   A. Juditsky, "Acceleration of stochastic approximation by averaging", SIAM J. Control
	   Optim. 30, 1992), so steps can stay long. */
	const float part = PAUSE / (float)t->steps;
	approach(t->row_mean, t->row, (size_t)t->layout.rows * h, part);
	approach(t->out_mean, t->out, (size_t)NET_DECISIONS * (h + 1), part);
}

static void learn(struct trainer *t, unsigned j, struct board_guess g, uint16_t symbol)
{
	learn_with(t, t->hidden, j, g, symbol);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void learn_wide(struct trainer *t, unsigned j,
                                                       struct board_guess g, uint16_t symbol)
{
	if (t->hidden == NET_HIDDEN_MAX)
		learn_with(t, NET_HIDDEN_MAX, j, g, symbol);
	else
		learn_with(t, t->hidden, j, g, symbol);
}

static visitor *learner(void)
{
	return __builtin_cpu_supports("avx2") ? learn_wide : learn;
}
#else
static visitor *learner(void)
{
	return learn;
}
#endif

static enum el_status make_weights(struct trainer *t, unsigned hidden)
{
	const size_t rows = (size_t)t->layout.rows * hidden + 1;
	const size_t outs = (size_t)NET_DECISIONS * (hidden + 1);
	t->hidden = hidden;
	t->row = calloc(rows, sizeof *t->row);
	t->row_square = calloc(t->layout.rows, sizeof *t->row_square);
	t->row_mean = calloc(rows, sizeof *t->row_mean);
	t->out = calloc(outs, sizeof *t->out);
	t->out_square = calloc(outs, sizeof *t->out_square);
	t->out_mean = calloc(outs, sizeof *t->out_mean);
	if (!t->row || !t->row_square || !t->row_mean || !t->out || !t->out_square || !t->out_mean)
		return el_fail(t->error, EL_MEMORY, "net: out of memory");
	/* Start with small, different numbers, because equal weights would stay equal. */
	uint64_t state = 1;
	for (size_t i = 0; i < outs; i++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		t->out[i] = (i + 1) % (hidden + 1)
		                    ? (float)((double)(state >> 40) / (1 << 24) - 0.5) / 2
		                    : 0;
	}
	return EL_OK;
}

/* The weights to store: the mean, if the last epoch was long enough to have one. */
static const float *settled(const struct trainer *t, const float *now, const float *mean)
{
	return t->steps < PAUSE ? now : mean;
}

static int32_t rounded(float number, float one, int32_t most)
{
	const float x = number * one;
	return x > (float)most ? most : x < -(float)most ? -most : (int32_t)lrintf(x);
}

/*
 * Rounds a row of weights to multiples of a power of two. `one` is the integer for 1.0, `square`
 * the sum of the squared gradients. Rounding a weight costs the information that positions have of
 * it times the square of the error; doubling the step saves a bit. The total is least at sqrt(12 /
 * information), and the squared gradients estimate the information.
 */
static void round_row(const struct trainer *t, const float *from, float square, int32_t one,
                      int32_t most, int16_t *to)
{
	const float information = square / (float)(t->epochs * t->share);
	const float step = sqrtf(12 / (information + 1e-3f)) * (float)one;
	unsigned shift = 0;
	while (shift < NET_SHIFT_MOST && (float)(2 << shift) <= step)
		shift++;
	for (unsigned i = 0; i < t->hidden; i++)
		to[i] = (int16_t)(rounded(from[i], (float)one / (float)(1 << shift),
		                          most >> shift) *
		                  (1 << shift));
}

static void round_weights(const struct trainer *t, struct net_model *m)
{
	const unsigned h = t->hidden;
	const float *row = settled(t, t->row, t->row_mean), *out = settled(t, t->out, t->out_mean);
	for (uint32_t r = 0; r < t->layout.rows && h; r++)
		round_row(t, row + (size_t)r * h, t->row_square[r], NET_ROW_ONE, NET_ROW_MOST,
		          m->row + (size_t)r * h);
	for (unsigned d = 0; d < NET_DECISIONS; d++, out += h + 1) {
		const float *squares = t->out_square + (size_t)d * (h + 1);
		float square = 0;
		for (unsigned i = 0; i < h; i++)
			square += squares[i] / (float)h;
		round_row(t, out, square, NET_OUT_ONE, NET_OUT_MOST, m->out + (size_t)d * h);
		m->bias[d] = rounded(out[h], NET_ONE, NET_BIAS_MOST);
	}
}

static void free_weights(struct trainer *t)
{
	free(t->row);
	free(t->row_square);
	free(t->row_mean);
	free(t->out);
	free(t->out_square);
	free(t->out_mean);
}

/* Trains a network of that size, and sets `bits`. free_weights in any case. */
static enum el_status train(struct trainer *t, unsigned hidden)
{
	enum el_status status = make_weights(t, hidden);
	t->steps = 0;
	for (unsigned epoch = 0; epoch < t->epochs && !status; epoch++) {
		t->last = epoch + 1 == t->epochs;
		status = walk_sample(t, epoch + 1, learner());
	}
	t->bits = (t->bits - exact_log2(t->likely)) / t->share / (1 - t->unskilled);
	return status;
}

/* Trains a network of that size and keeps it if it needs fewer bytes than the best so far. */
static enum el_status attempt(struct trainer *t, unsigned hidden, double *least, uint8_t **learned,
                              size_t *size)
{
	uint8_t *bytes = NULL;
	size_t found = 0;
	struct net_model m = {0};
	enum el_status status = train(t, hidden);
	if (!status)
		status = net_model_make(&m, &t->layout, hidden, t->params->option[NET_BANDS],
		                        t->error);
	if (!status) {
		m.common = t->common;
		memcpy(m.flat, t->flat, t->layout.value_count);
		round_weights(t, &m);
		status = net_model_write(&m, &bytes, &found, t->error);
	}
	net_model_free(&m);
	free_weights(t);
	if (status || t->bits / 8 + (double)found >= *least) {
		free(bytes);
		return status;
	}
	*least = t->bits / 8 + (double)found;
	free(*learned);
	*learned = bytes;
	*size = found;
	return EL_OK;
}

/* With params, plane, watch, error and most set; close_trainer in any case. */
static enum el_status open_trainer(struct trainer *t)
{
	t->layout = net_layout(t->params->board, t->params->value_count);
	t->flat = calloc(t->params->value_count, 1);
	if (!t->flat)
		return el_fail(t->error, EL_MEMORY, "net: out of memory");
	enum el_status status = board_view_open(t->params->board, &t->view, t->error);
	return status ? status : find_flats(t);
}

static void close_trainer(struct trainer *t)
{
	free(t->flat);
	board_view_close(&t->view);
}

enum el_status net_prepare(const struct el_codec_params *params, const struct el_codec_plane *plane,
                           const struct el_watch *watch, uint8_t **learned, size_t *size,
                           struct el_error *error)
{
	const unsigned hidden = (unsigned)params->option[NET_HIDDEN];
	double least = HUGE_VAL;
	struct trainer t = {params, plane, watch, error, .most = SAMPLE};
	t.epochs = (unsigned)params->option[NET_EFFORT];
	*learned = NULL;
	*size = 0;
	if (!params->board || params->value_count == 1)
		return EL_OK;
	enum el_status status = open_trainer(&t);
	if (!status)
		status = attempt(&t, hidden, &least, learned, size);
	if (!status && hidden > SMALL && least < SMALL_ENOUGH)
		status = attempt(&t, SMALL, &least, learned, size);
	if (!status && hidden && least < SMALL_ENOUGH)
		status = attempt(&t, 0, &least, learned, size);
	close_trainer(&t);
	return status;
}

/* One epoch, of which the first quarter is not counted: not knowing yet costs some orders more. If there
   are enough, of each block one piece: a network that has seen others of it knows the block, not the order. */
enum el_status net_weigh(const struct el_codec_params *params, const struct el_codec_plane *plane,
                         double *bits, struct el_error *error)
{
	const uint64_t each = plane->positions / params->block_positions * PIECE;
	struct trainer t = {params, plane, NULL, error, .epochs = 1, .unskilled = 0.25};
	t.most = each < WEIGHED ? WEIGHED : each < SAMPLE ? each : SAMPLE;
	*bits = 0;
	if (!params->board || params->value_count == 1)
		return EL_OK;
	enum el_status status = net_fill(params, plane, NULL, error);
	if (!status)
		status = open_trainer(&t);
	if (!status)
		status = train(&t, (unsigned)params->option[NET_HIDDEN]);
	*bits = t.bits;
	free_weights(&t);
	close_trainer(&t);
	return status;
}
