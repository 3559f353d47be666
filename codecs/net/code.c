/* SPDX-License-Identifier: MIT */
/*
 * Blocks. The first symbol is a plain number, and the guess wherever there is no neighbour. A bit
 * tells whether all broken positions (indexes that the rules alone make impossible) have the guess
 * as their symbol; if so, nothing more is stored of them. Every other position is a few decisions
 * under the network's probabilities. With option `adapt`, each answer moves the weights that foretold
 * it, so that the network learns what is special about a block while it is read or written; the next
 * block begins with the weights of the whole plane again.
 *
 * Without a board, the guess is the previous symbol, and probabilities adapt along the block.
 */
#include "codecs/board/fill.h"
#include "codecs/board/teller.h"
#include "codecs/checks.h"
#include "codecs/range.h"
#include "sums.h"

#include <stdlib.h>
#include <string.h>

/* el_codec_ask, with yes and no exchanged. */
#define ASK_NOT_ABOVE ((enum el_codec_ask)(EL_ASK_NUMBER + 1))

/* Specialises code for arguments that are constant at the call: writing or reading, the width of
   the network, and whether there is a listener. */
#define INLINE static inline __attribute__((always_inline))

/* A coder holds the learned numbers, ready for use, and working memory. */
struct net_coder {
	struct el_codec_params params;
	struct board_view view;
	struct net_model model;
	unsigned pieces;        /* of the last axis; 0 without a board */
	uint64_t first;         /* of the block */
	struct board_over over; /* iterates over it */
	struct net_sums sums;
	bool stands;                  /* the sums are those of the stretch */
	net_wide bent[NET_WIDES_MAX]; /* the position's hidden numbers */
	/* The output weights and biases of this place of the block: like those of `sums`, whose weights
	   are `finer` bits finer than those of the model. */
	net_wide out[NET_DECISIONS * NET_WIDES_MAX];
	int32_t bias[NET_DECISIONS];
	unsigned finer;
	/* without a board: by whether the two symbols before agree */
	uint16_t habit[2][NET_DECISIONS];
};

static void net_close(void *coder)
{
	struct net_coder *c = coder;
	board_view_close(&c->view);
	net_model_free(&c->model);
	net_sums_close(&c->sums);
	free(c);
}

static enum el_status net_open(const struct el_codec_params *params, const uint8_t *learned,
                               size_t size, void **coder, struct el_error *error)
{
	struct net_coder *c = calloc(1, sizeof *c);
	if (!c)
		return el_fail(error, EL_MEMORY, "net: out of memory");
	enum el_status status = EL_OK;
	c->params = *params;
	c->finer = params->option[NET_ADAPT] ? NET_FINER : 0;
	c->model.common = NET_NONE;
	if (params->board)
		status = board_view_open(params->board, &c->view, error);
	if (!status && params->board) {
		c->pieces = board_last_axis(&c->view)->pieces;
		const struct net_layout layout = net_layout(params->board, params->value_count);
		status = net_model_read(&c->model, &layout, params->option[NET_BANDS], learned,
		                        size, error);
		if (!status)
			status = net_sums_open(&c->sums, &c->model, &c->view, c->finer, error);
	} else if (!status) {
		status = check_learned("net", size, error);
	}
	if (status)
		net_close(c);
	else
		*coder = c;
	return status;
}

static size_t net_memory(const struct el_codec_params *params, size_t learned)
{
	const struct el_codec_board *board = params->board;
	size_t all = sizeof(struct net_coder) + params->value_count;
	(void)learned;
	if (!board)
		return all;
	const struct net_layout layout = net_layout(board, params->value_count);
	all += layout.rows * NET_HIDDEN_MAX * sizeof(int16_t) + net_sums_most(&layout, board);
	for (unsigned a = 0; a < board->axes; a++)
		all += (size_t)board->axis[a].radix * board->axis[a].pieces * BOARD_STEPS *
		       sizeof(uint32_t);
	return all;
}

static void net_begin(void *coder, uint64_t first)
{
	((struct net_coder *)coder)->first = first;
}

/* Needs nothing that is learned. */
static uint16_t net_guess(const struct board_stretch *s, unsigned j)
{
	return board_stretch_guess(s, s->pieces, j).symbol;
}

enum el_status net_fill(const struct el_codec_params *params, const struct el_codec_plane *plane,
                        const struct el_watch *watch, struct el_error *error)
{
	return board_fill("net", net_guess, params, plane, watch, error);
}

/* ---- probabilities ---- */

_Static_assert((int64_t)INT16_MAX *NET_OUT_MOST *NET_HIDDEN_MAX + NET_BIAS_MOST + 12 * NET_ONE <=
                       INT32_MAX,
               "what the network says must fit");
_Static_assert((int64_t)(NET_BENT_MOST + 1) * NET_FINE_MOST * NET_HIDDEN_MAX <= INT32_MAX,
               "and so it must with finer weights");

/* 1 / (1 + e^-x) from -12 on in steps of one half, with linear interpolation. */
static uint32_t squash(int32_t x)
{
	static const uint16_t curve[49] = {
		0,     1,     1,     2,     3,     5,     8,     13,    22,    36,
		60,    98,    162,   267,   439,   720,   1179,  1921,  3108,  4971,
		7812,  11955, 17625, 24743, 32768, 40793, 47911, 53581, 57724, 60565,
		62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500,
		65514, 65523, 65528, 65531, 65533, 65534, 65535, 65535, 65535,
	};
	/* Where the curve reaches 4, and RANGE_ONE - 4: probabilities stay between these. */
	enum {
		HALF = NET_ONE / 2,
		ZERO = 12 * NET_ONE,
		LEAST = 9 * HALF / 2,
		MOST = 87 * HALF / 2
	};
	const int32_t right = x + ZERO, clipped = right < LEAST  ? LEAST
	                                          : right > MOST ? MOST
	                                                         : right;
	const uint32_t at = (uint32_t)clipped, i = at / HALF, part = at % HALF;
	return curve[i] + (uint32_t)(curve[i + 1] - curve[i]) * part / HALF;
}

INLINE uint32_t probability(const struct net_coder *c, unsigned wides, unsigned decision)
{
	const int16_t *in = (const int16_t *)c->bent;
	const int16_t *out = (const int16_t *)(c->out + decision * wides);
	int32_t sum = 0;
	for (unsigned i = 0; i < wides * NET_WIDE; i++)
		sum += in[i] * out[i];
	return squash(c->bias[decision] + (sum >> c->finer));
}

/* A step of gradient descent after a decision that had the probability `p`: weights change by
   option[NET_ADAPT] / 1024 times the error and what they weigh, the bias by four times that. */
INLINE void follow(struct net_coder *c, unsigned wides, unsigned decision, uint32_t p, bool bit)
{
	/* The error of a probability times the rate, in units of 2^-20: 13 bits turn its product with a
	   hidden number into a weight's units, 5 turn it into those of four times a bias. */
	const int16_t step =
		(int16_t)(((bit ? RANGE_ONE : 0) - (int32_t)p) * c->params.option[NET_ADAPT] >> 6);
	const int16_t *restrict in = (const int16_t *)c->bent;
	int16_t *restrict out = (int16_t *)(c->out + decision * wides);
	for (unsigned i = 0; i < wides * NET_WIDE; i++) {
		/* one instruction of newer processors; nothing exceeds 16 bits */
		const int16_t four = (int16_t)(in[i] * 4);
		const int16_t change = (int16_t)(((step * four >> 14) + 1) >> 1);
		const int16_t weight = (int16_t)(out[i] + change);
		out[i] = (int16_t)net_within(weight, NET_FINE_MOST);
	}
	c->bias[decision] = net_within(c->bias[decision] + ((step + (1 << 4)) >> 5), NET_BIAS_MOST);
}

/* ---- a symbol: written and read in the same steps ---- */

/* The questions of a symbol: the guess, above it, steps, and a number. */
enum { QUESTIONS_MAX = NET_FAR + 3 };

struct teller {
	struct board_teller board;
	struct el_codec_question question[QUESTIONS_MAX]; /* of the next symbol */
	unsigned questions;
};

/* Uses either the writer or the reader. */
struct stream {
	bool writes;
	struct range_writer writer;
	struct range_reader reader;
	struct net_coder *coder;
	unsigned wides;        /* of the sums */
	unsigned pieces;       /* of the last axis */
	bool skips;            /* broken positions */
	unsigned context;      /* without a board */
	struct teller *teller; /* hears what the reader asks; null: nobody does */
};

INLINE bool code(struct stream *stream, uint32_t p, bool bit)
{
	if (!stream->writes)
		return range_get(&stream->reader, p);
	range_put(&stream->writer, p, bit);
	return bit;
}

static void hear(struct teller *t, enum el_codec_ask ask, uint32_t about, uint32_t p, bool bit)
{
	if (ask == ASK_NOT_ABOVE) {
		ask = EL_ASK_ABOVE;
		p = RANGE_ONE - p;
		bit = !bit;
	}
	t->question[t->questions++] =
		(struct el_codec_question){ask, about, (double)p / RANGE_ONE, bit};
}

/* The questions since the previous symbol determine symbol `at`. A null guess: there was none. */
static void tell(struct teller *t, size_t at, const struct board_guess *guess)
{
	board_tell(&t->board, &(struct el_codec_token){
				      .first = at,
				      .guess = guess ? guess->symbol : -1,
				      .votes = guess ? guess->agree : 0,
				      .voters = guess ? guess->count : 0,
				      .questions = t->questions,
				      .question = t->question,
			      });
	t->questions = 0;
}

/* Asks whether the symbol is `about`, or above it. */
INLINE bool ask(struct stream *stream, enum el_codec_ask what, uint32_t about, uint32_t p, bool bit)
{
	bit = code(stream, p, bit);
	if (stream->teller)
		hear(stream->teller, what, about, p, bit);
	return bit;
}

INLINE bool decide(struct stream *stream, unsigned decision, enum el_codec_ask what, uint32_t about,
                   bool bit)
{
	struct net_coder *c = stream->coder;
	if (c->params.board) {
		const uint32_t p = probability(c, stream->wides, decision);
		bit = ask(stream, what, about, p, bit);
		if (c->finer)
			follow(c, stream->wides, decision, p, bit);
		return bit;
	}
	uint16_t *habit = &c->habit[stream->context][decision];
	bit = ask(stream, what, about, *habit, bit);
	range_adapt(habit, bit);
	return bit;
}

/* Codes a number of so many bits, all equally likely. */
INLINE uint32_t plain(struct stream *stream, unsigned bits, uint32_t number)
{
	uint32_t value = 0;
	for (unsigned bit = bits; bit-- > 0;)
		value |= (uint32_t)code(stream, RANGE_ONE / 2, number >> bit & 1) << bit;
	if (stream->teller)
		hear(stream->teller, EL_ASK_NUMBER, bits, RANGE_ONE / 2, true);
	return value;
}

static unsigned bits_below(uint32_t count)
{
	return 32 - (unsigned)__builtin_clz(count);
}

/* Codes a symbol that is not the guess; returns value_count for invalid bytes. */
INLINE uint32_t away(struct stream *stream, uint16_t guess, uint32_t symbol)
{
	const struct net_model *m = &stream->coder->model;
	const uint32_t count = stream->coder->params.value_count;
	const bool bands = stream->coder->params.option[NET_BANDS];
	bool up = symbol > guess;
	if (bands && m->common < count && (uint32_t)abs(m->common - guess) > BOARD_STEPWISE &&
	    decide(stream, NET_COMMON, EL_ASK_IS, m->common, symbol == m->common))
		return m->common;
	if (!guess)
		up = true;
	else if (guess + 1u < count)
		up = decide(stream, NET_UP, EL_ASK_ABOVE, guess, up);
	else
		up = false;
	const uint32_t off = up ? symbol - guess : guess - symbol;
	const uint32_t most = up ? count - 1 - guess : guess;
	uint32_t k = 1;
	if (bands) {
		unsigned band = 0;
		while (board_bands[band].to < most) {
			const uint32_t to = board_bands[band].to,
				       about = up ? guess + to : guess - to - 1;
			const bool beyond =
				decide(stream, NET_AWAY + 2 * band + up,
			               up ? EL_ASK_ABOVE : ASK_NOT_ABOVE, about, off > to);
			if (!beyond)
				break;
			band++;
		}
		k = board_band_least(band);
		if (board_bands[band].bits)
			k += plain(stream, board_bands[band].bits, off - k);
	} else {
		for (; k < most && k <= NET_FAR; k++) {
			const unsigned at = k <= NET_AWAY_STEPS ? k - 1 : NET_AWAY_STEPS - 1;
			if (decide(stream, NET_AWAY + 2 * at + up, EL_ASK_IS,
			           up ? guess + k : guess - k, off == k))
				break;
		}
		if (k > NET_FAR && k < most)
			k += plain(stream, bits_below(most - k + 1), off - k);
	}
	if (k > most)
		return count;
	return up ? guess + k : guess - k;
}

/* Prepares the sums for a stretch. Many stretches do without. */
static void stand(struct net_coder *c)
{
	board_stretch_classes(&c->over.stretch);
	if (c->over.walk.fresh)
		net_sums_stand(&c->sums, &c->over.walk);
	c->over.walk.fresh = false;
	net_sums_stretch(&c->sums, &c->over.stretch);
	c->stands = true;
}

/* Codes position `j` of the stretch; returns value_count for invalid bytes. */
INLINE uint32_t on_board(struct stream *stream, struct board_guess g, unsigned j, uint32_t symbol)
{
	struct net_coder *c = stream->coder;
	const struct board_stretch *s = &c->over.stretch;
	if (stream->skips && board_stretch_broken(s, j))
		return g.symbol;
	const uint8_t flat = board_is_flat(g) ? c->model.flat[g.symbol] : 0;
	if (flat &&
	    ask(stream, EL_ASK_IS, g.symbol, net_flat_probability(flat), symbol == g.symbol))
		return g.symbol;
	if (!c->stands)
		stand(c);
	net_sums_ask(&c->sums, stream->wides, s, stream->pieces, j, g.symbol, c->bent);
	if (c->finer)
		for (unsigned i = 0; i < stream->wides; i++) {
			const net_wide above = c->bent[i] > NET_BENT_MOST;
			c->bent[i] = (c->bent[i] & ~above) | (NET_BENT_MOST & above);
		}
	if (!flat && decide(stream, NET_EQUAL, EL_ASK_IS, g.symbol, symbol == g.symbol))
		return g.symbol;
	return away(stream, g.symbol, symbol);
}

/* What adapts along a block begins anew. */
static void begin_block(struct net_coder *c)
{
	for (unsigned d = 0; d < NET_DECISIONS; d++)
		c->habit[0][d] = c->habit[1][d] = RANGE_ONE / 2;
	if (!c->params.board)
		return;
	memcpy(c->bias, c->model.bias, sizeof c->bias);
	memcpy(c->out, c->sums.out, NET_DECISIONS * c->sums.wides * sizeof *c->out);
}

/* Codes all symbols but the first: writes `from` or reads `to`; the other is null. Returns the
   place of an invalid symbol, or `count`. */
INLINE size_t in_line(struct stream *stream, const uint16_t *from, uint16_t *to, size_t count)
{
	const uint16_t *symbols = from ? from : to;
	for (size_t i = 1; i < count; i++) {
		const uint16_t guess = symbols[i - 1];
		uint32_t symbol = from ? from[i] : 0;
		stream->context = i > 1 && symbols[i - 2] == guess;
		if (decide(stream, NET_EQUAL, EL_ASK_IS, guess, symbol == guess))
			symbol = guess;
		else
			symbol = away(stream, guess, symbol);
		if (symbol >= stream->coder->params.value_count)
			return i;
		if (to)
			to[i] = (uint16_t)symbol;
		if (stream->teller)
			tell(stream->teller, i, &(struct board_guess){guess, 1, 1});
	}
	return count;
}

/* Like in_line, with a board. */
INLINE size_t over_board(struct stream *stream, const uint16_t *from, uint16_t *to, size_t count)
{
	struct net_coder *c = stream->coder;
	const struct board_stretch *s = &c->over.stretch;
	for (bool more = board_over_start(&c->over, &c->view, c->first, from ? from : to, 0, count);
	     more; more = board_over_next(&c->over)) {
		const size_t at = s->start;
		c->stands = false;
		for (unsigned j = 0; j < s->count; j++) {
			const struct board_guess g = board_stretch_guess(s, stream->pieces, j);
			const uint32_t symbol = on_board(stream, g, j, from ? from[at + j] : 0);
			if (symbol >= c->params.value_count)
				return at + j;
			if (to)
				to[at + j] = (uint16_t)symbol;
			if (stream->teller)
				tell(stream->teller, at + j, &g);
		}
	}
	return count;
}

/* ---- blocks ---- */

static enum el_status net_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                 size_t capacity, size_t *size, struct el_error *error)
{
	struct net_coder *c = coder;
	struct stream stream = {
		.writes = true, .coder = c, .wides = c->sums.wides, .pieces = c->pieces};
	*size = 0;
	if (c->params.value_count == 1)
		return EL_OK;
	stream.writer = range_write(out, capacity);
	const bool board = c->params.board;
	if (board)
		stream.skips = code(
			&stream, RANGE_ONE / 2,
			board_is_filled(&c->over, &c->view, net_guess, c->first, symbols, count));
	begin_block(c);
	plain(&stream, bits_below(c->params.value_count), symbols[0]);
	if (board)
		over_board(&stream, symbols, NULL, count);
	else
		in_line(&stream, symbols, NULL, count);
	range_end(&stream.writer);
	*size = stream.writer.size;
	return stream.writer.full ? el_fail(error, EL_USAGE,
	                                    "net: a block needs more than %zu bytes", capacity)
	                          : EL_OK;
}

/* Returns like in_line, or 0 if the first symbol is invalid. */
INLINE size_t read_symbols(struct stream stream, const uint8_t *bytes, size_t size,
                           uint16_t *symbols, size_t count)
{
	struct net_coder *c = stream.coder;
	if (c->params.value_count == 1) {
		memset(symbols, 0, count * sizeof *symbols);
		for (size_t i = 0; i < count && stream.teller; i++)
			tell(stream.teller, i, NULL);
		return count;
	}
	stream.reader = range_read(bytes, size);
	if (c->params.board)
		stream.skips = code(&stream, RANGE_ONE / 2, false);
	begin_block(c);
	const uint32_t first = plain(&stream, bits_below(c->params.value_count), 0);
	if (first >= c->params.value_count)
		return 0;
	symbols[0] = (uint16_t)first;
	if (stream.teller)
		tell(stream.teller, 0, NULL);
	return c->params.board ? over_board(&stream, NULL, symbols, count)
	                       : in_line(&stream, NULL, symbols, count);
}

static enum el_status net_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                                 size_t count, struct el_error *error)
{
	struct net_coder *c = coder;
	const struct stream usual = {.coder = c, .wides = c->sums.wides, .pieces = c->pieces};
	const struct stream narrow = {.coder = c, .wides = 1, .pieces = 1};
	const struct stream common = {.coder = c, .wides = NET_WIDES_MAX, .pieces = 1};
	size_t sound;
	if (usual.pieces == 1 && usual.wides == narrow.wides)
		sound = read_symbols(narrow, bytes, size, symbols, count);
	else if (usual.pieces == 1 && usual.wides == common.wides)
		sound = read_symbols(common, bytes, size, symbols, count);
	else
		sound = read_symbols(usual, bytes, size, symbols, count);
	return check_read("net", c->params.value_count, sound, count, error);
}

static enum el_status net_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                                 void (*visit)(void *context, const struct el_codec_token *),
                                 void *context, struct el_error *error)
{
	struct net_coder *c = coder;
	struct teller teller = {.board = {.visit = visit, .context = context, .most = 8 * size}};
	const struct stream stream = {
		.coder = c, .wides = c->sums.wides, .pieces = c->pieces, .teller = &teller};
	uint16_t *symbols = malloc(count * sizeof *symbols);
	if (!symbols)
		return el_fail(error, EL_MEMORY, "net: out of memory");
	const size_t sound = read_symbols(stream, bytes, size, symbols, count);
	board_tell_end(&teller.board);
	free(symbols);
	return check_read("net", c->params.value_count, sound, count, error);
}

static enum el_status net_fill_one(void *coder, const struct el_codec_plane *block,
                                   struct el_error *error)
{
	const struct net_coder *c = coder;
	(void)error;
	board_fill_block(c->params.board ? &c->view : NULL, net_guess, c->params.value_count,
	                 c->first, block);
	return EL_OK;
}

/* ---- the codec ---- */

/* A symbol takes at most NET_FAR + 2 decisions and a number. The first decision costs up to 15 bits
   (a flat guess is wrong), every other one up to 14; there is room for one more, and for a byte a
   symbol. */
static size_t net_bound(const struct el_codec_params *params, size_t count)
{
	(void)params;
	return 16 + count * ((NET_FAR + 3) * 14 + 17) / 8 + count;
}

static const struct el_codec_option options[] = {
	[NET_HIDDEN] = {"hidden", "hidden units of the network", 0, NET_HIDDEN_MAX, 32},
	[NET_EFFORT] = {"effort", "training epochs", 1, 8, 4},
	[NET_BANDS] = {"bands", "1: distances from the guess in bands; 0: as in 1.0", 0, 1, 1},
	[NET_ADAPT] = {"adapt", "how fast weights follow a block; 0: not, as in 1.0", 0, 32, 10},
};

const struct el_codec el_codec_net = {
	.abi = EL_CODEC_ABI,
	.name = "net",
	.summary = "a small network predicts each value from its neighbours on the board",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.looks = true,
	.stops = true,
	.fill = net_fill,
	.weigh = net_weigh,
	.prepare = net_prepare,
	.open = net_open,
	.close = net_close,
	.begin = net_begin,
	.fill_block = net_fill_one,
	.memory = net_memory,
	.bound = net_bound,
	.encode = net_encode,
	.decode = net_decode,
	.tokens = net_tokens,
};
