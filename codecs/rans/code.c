/* SPDX-License-Identifier: MIT */
/*
 * Blocks. A bit tells whether all broken positions (indexes that the rules alone make impossible)
 * have the guess as their symbol; if so, nothing more is stored of them. Every other position is a
 * token and the bits that belong to it.
 *
 * The bytes are the coder's state, less LEAST, and the words that it takes in on its way, the low
 * byte first. Zeros at the end are left out. A block in which every symbol is the
 * commonest one has no bytes.
 */
#include "tables.h"

#include "codecs/board/fill.h"
#include "codecs/checks.h"

#include <stdlib.h>
#include <string.h>

#define INLINE RANS_INLINE

enum {
	LEAST = 1 << 16, /* the coder's state, at least */
	WORD = 16,       /* bits that it takes in at once */
	PLAIN = 8,       /* most bits of a plain number */
	PARTS = 3,       /* of a symbol, at most: a token, 16 bits */
};

/* A coder holds what was learned as tables, and working memory. */
struct rans_coder {
	struct el_codec_params params;
	struct board_view view;
	struct rans_tables tables;
	unsigned pieces; /* of the last axis; 0 without a board */
	uint64_t first;  /* of the block */
	struct board_over over;
	uint32_t row[64]; /* of a run: rans_tables_rows */
};

enum el_status rans_open(const struct el_codec_params *params, const uint8_t *learned, size_t size,
                         void **coder, struct el_error *error)
{
	struct rans_coder *c = calloc(1, sizeof *c);
	struct rans_model *m = calloc(1, sizeof *m);
	if (!c || !m) {
		free(c);
		free(m);
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	}
	c->params = *params;
	const struct rans_layout layout = rans_layout(params);
	enum el_status status = rans_model_read(m, &layout, learned, size, error);
	if (!status)
		status = rans_tables_make(&c->tables, &layout, m, error);
	if (!status && params->board)
		status = board_view_open(params->board, &c->view, error);
	if (!status && params->board)
		c->pieces = board_last_axis(&c->view)->pieces;
	rans_model_free(m);
	free(m);
	if (status)
		rans_close(c);
	else
		*coder = c;
	return status;
}

void rans_close(void *coder)
{
	struct rans_coder *c = coder;
	board_view_close(&c->view);
	rans_tables_free(&c->tables);
	free(c);
}

static size_t rans_memory(const struct el_codec_params *params, size_t learned)
{
	const struct el_codec_board *board = params->board;
	size_t all = sizeof(struct rans_coder) + sizeof(struct rans_model) + RANS_CELLS +
	             params->value_count * sizeof(uint16_t) +
	             RANS_LEAVES * RANS_LEAVES * sizeof(uint16_t) +
	             RANS_CONTEXTS * RANS_TOKENS * (sizeof(uint16_t) + 1);
	(void)learned;
	for (unsigned a = 0; board && a < board->axes; a++)
		all += (size_t)board->axis[a].radix * board->axis[a].pieces * BOARD_STEPS *
		       sizeof(uint32_t);
	return all;
}

void rans_begin(void *coder, uint64_t first)
{
	((struct rans_coder *)coder)->first = first;
}

/* A guess needs nothing that is learned. */
static uint16_t rans_guess_of(const struct board_stretch *s, unsigned j)
{
	return rans_guess(s, s->pieces, j).symbol;
}

static enum el_status rans_fill(const struct el_codec_params *params,
                                const struct el_codec_plane *plane, const struct el_watch *watch,
                                struct el_error *error)
{
	return board_fill("rans", rans_guess_of, params, plane, watch, error);
}

static enum el_status rans_fill_one(void *coder, const struct el_codec_plane *block,
                                    struct el_error *error)
{
	const struct rans_coder *c = coder;
	(void)error;
	board_fill_block(c->params.board ? &c->view : NULL, rans_guess_of, c->params.value_count,
	                 c->first, block);
	return EL_OK;
}

/* ---- the state ---- */

/* A part of what is written: [start, start + frequency) of RANS_ONE. */
struct part {
	uint16_t start, frequency;
};

/* A reader, or the parts to write; the last is written first. */
struct stream {
	uint32_t state;
	const uint8_t *at, *end;
	struct part *part; /* null: this is a reader */
	size_t parts;
};

INLINE uint32_t take_word(struct stream *s)
{
	if (s->end - s->at >= 2) {
		s->at += 2;
		return s->at[-2] | (uint32_t)s->at[-1] << 8;
	}
	return s->at < s->end ? *s->at++ : 0;
}

INLINE void move_on(struct stream *s, uint32_t start, uint32_t frequency)
{
	s->state = frequency * (s->state >> RANS_BITS) + (s->state & (RANS_ONE - 1)) - start;
	if (s->state < LEAST)
		s->state = s->state << WORD | take_word(s);
}

INLINE unsigned token(struct stream *s, const uint16_t start[RANS_TOKENS], unsigned known)
{
	const uint16_t slot = s->state & (RANS_ONE - 1);
	unsigned t = known;
	if (!s->part && slot < start[1]) {
		t = 0;
	} else if (!s->part) {
		/* Counts in words of many tokens at once. */
		uint16_t below = 0;
		for (unsigned k = 0; k < RANS_TOKENS; k++)
			below = (uint16_t)(below + (start[k] <= slot));
		t = below - 1u;
	}
	const uint32_t end = t + 1 < RANS_TOKENS ? start[t + 1] : RANS_ONE;
	if (s->part)
		s->part[s->parts++] = (struct part){start[t], (uint16_t)(end - start[t])};
	else
		move_on(s, start[t], end - start[t]);
	return t;
}

/* A number of `bits` bits, all equally likely. */
INLINE uint32_t plain(struct stream *s, unsigned bits, uint32_t known)
{
	uint32_t value = 0;
	while (bits) {
		const unsigned now = bits < PLAIN ? bits : PLAIN;
		bits -= now;
		const uint32_t frequency = RANS_ONE >> now;
		const uint32_t here = s->part ? known >> bits & ((1u << now) - 1)
		                              : (s->state & (RANS_ONE - 1)) >> (RANS_BITS - now);
		if (s->part)
			s->part[s->parts++] =
				(struct part){(uint16_t)(here * frequency), (uint16_t)frequency};
		else
			move_on(s, here * frequency, frequency);
		value = value << now | here;
	}
	return value;
}

/* ---- a block: written and read in the same steps ---- */

struct block {
	struct rans_coder *coder;
	struct stream stream;
	const uint16_t *from; /* null: it is read */
	uint16_t *to;
	size_t count;
	struct board_teller *teller;   /* hears what is read; null: nobody does */
	uint32_t (*cell)[RANS_TOKENS]; /* tokens are counted, nothing else */
	unsigned pieces;               /* of the last axis; constant where speed matters */
	bool skips;
};

/* Codes a symbol; `leaves` stands for those of both trees. Returns value_count or more for invalid
   bytes. */
INLINE uint32_t symbol(struct block *b, struct rans_guess g, unsigned leaves, size_t at)
{
	const struct rans_coder *c = b->coder;
	const uint16_t *start = c->tables.start[c->tables.context[leaves]];
	uint32_t known = b->from ? b->from[at] : 0, rest = 0;
	if (b->cell) {
		b->cell[leaves][rans_token(known, g.symbol, c->tables.common, &rest)]++;
		return known;
	}
	const unsigned t =
		token(&b->stream, start,
	              b->from ? rans_token(known, g.symbol, c->tables.common, &rest) : 0);
	if (t == 0) {
		known = g.symbol;
	} else if (t == RANS_COMMON) {
		known = c->tables.common;
	} else {
		const unsigned k = (t - 1) / 2;
		const uint32_t away =
			board_band_least(k) + plain(&b->stream, board_bands[k].bits, rest);
		/* Below zero becomes too great. */
		known = t & 1 ? g.symbol - away : g.symbol + away;
	}
	if (b->teller)
		rans_tell(b->teller, at, g, c->tables.common, start, t);
	return known;
}

INLINE unsigned of_guess(const struct rans_coder *c, struct rans_guess g)
{
	return c->tables.by_guess[g.symbol] + c->tables.by_agree[g.agree] +
	       (unsigned)c->tables.by_voters[g.voters];
}

/* The first symbol of a block has no neighbours. Its guess is the plane's commonest symbol. */
INLINE uint32_t first_symbol(struct block *b)
{
	const struct rans_coder *c = b->coder;
	const struct rans_guess g = {c->tables.common, 0, 0};
	unsigned cell = of_guess(c, g);
	for (unsigned k = 0; k < c->tables.bends; k++)
		cell += c->tables.ask[k].add[0];
	const uint32_t found = symbol(b, g, c->tables.cell[cell], 0);
	if (b->to)
		b->to[0] = (uint16_t)found;
	return found;
}

/* Positions on a board, but the first. Returns the place of an invalid symbol, or `count`. */
INLINE size_t over_board(struct block *b)
{
	struct rans_coder *c = b->coder;
	const struct board_stretch *s = &c->over.stretch;
	const struct rans_tables *t = &c->tables;
	for (bool more = board_over_start(&c->over, &c->view, c->first, b->from ? b->from : b->to,
	                                  0, b->count);
	     more; more = board_over_next(&c->over)) {
		if (c->over.walk.fresh)
			rans_tables_rows(t, &c->over.walk, c->row);
		c->over.walk.fresh = false;
		uint16_t still[BOARD_STRETCH];
		rans_tables_still(t, s, still);
		for (unsigned j = 0; j < s->count; j++) {
			const size_t at = s->start + j;
			const struct rans_guess g = rans_guess(s, b->pieces, j);
			if (b->skips && s->broken >> s->square[j * b->pieces] & 1) {
				if (b->from && b->from[at] != g.symbol && !b->cell)
					return at; /* it has to be written */
				if (b->to)
					b->to[at] = g.symbol;
				if (b->teller)
					rans_tell(b->teller, at, g, t->common, NULL, 0);
				continue;
			}
			unsigned cell =
				still[j] + of_guess(c, g) + t->by_lead[rans_lead_class(s, j, g)];
			const struct rans_ask *ask = &t->ask[t->stays];
			for (; ask < &t->ask[t->moves]; ask++)
				cell += ask->add[board_class(
					board_moving_near(s, b->pieces, j, ask->step), g.symbol)];
			for (; ask < &t->ask[t->bends]; ask++)
				cell += ask->add[board_class(
					board_bend(s, b->pieces, j, ask->still, ask->step),
					g.symbol)];
			const unsigned leaves = c->row[s->square[j * b->pieces]] + t->cell[cell];
			const uint32_t found = symbol(b, g, leaves, at);
			if (found >= t->layout.value_count)
				return at;
			if (b->to)
				b->to[at] = (uint16_t)found;
		}
	}
	return b->count;
}

/* Like over_board, without one: the guess is the previous symbol. */
INLINE size_t in_line(struct block *b)
{
	const struct rans_coder *c = b->coder;
	const uint16_t *symbols = b->from ? b->from : b->to;
	for (size_t i = 1; i < b->count; i++) {
		const uint16_t guess = symbols[i - 1], before = symbols[i - (i > 1 ? 2 : 1)];
		const struct rans_guess g = {guess, before == guess, 1};
		unsigned cell = of_guess(c, g);
		for (unsigned k = 0; k < c->tables.bends; k++)
			cell += c->tables.ask[k].add[rans_line_answer(&c->tables.layout, before, g,
			                                              c->tables.ask[k].question)];
		const uint32_t found = symbol(b, g, c->tables.cell[cell], i);
		if (found >= c->tables.layout.value_count)
			return i;
		if (b->to)
			b->to[i] = (uint16_t)found;
	}
	return b->count;
}

void rans_count(void *coder, const uint16_t *symbols, size_t count, uint32_t cell[][RANS_TOKENS])
{
	struct rans_coder *c = coder;
	struct block b = {.coder = c,
	                  .from = symbols,
	                  .count = count,
	                  .cell = cell,
	                  .pieces = c->pieces,
	                  .skips = true};
	first_symbol(&b);
	if (c->pieces)
		over_board(&b);
	else
		in_line(&b);
}

/* Returns the place of the first invalid symbol, or of the first that cannot be skipped, or `count`. */
INLINE size_t whole(struct block *b)
{
	struct rans_coder *c = b->coder;
	if (b->pieces)
		b->skips = plain(&b->stream, 1, b->skips);
	if (first_symbol(b) >= c->tables.layout.value_count)
		return 0;
	return b->pieces ? over_board(b) : in_line(b);
}

/* The block is a copy, so that the compiler knows its members. */
INLINE size_t write_block(struct block b, size_t *parts)
{
	const size_t sound = whole(&b);
	*parts = b.stream.parts;
	return sound;
}

static enum el_status rans_encode(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                  size_t capacity, size_t *size, struct el_error *error)
{
	struct rans_coder *c = coder;
	size_t same = 0;
	while (same < count && symbols[same] == c->tables.common)
		same++;
	*size = 0;
	if (same == count)
		return EL_OK;
	struct block b = {
		.coder = c, .from = symbols, .count = count, .pieces = c->pieces, .skips = true};
	b.stream.part = malloc(PARTS * (count + 1) * sizeof *b.stream.part);
	if (!b.stream.part)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	/* All again if a broken position has another symbol than the guess. */
	size_t sound, parts;
	do {
		if (c->pieces == 1) {
			b.pieces = 1;
			sound = write_block(b, &parts);
		} else {
			sound = write_block(b, &parts);
		}
		b.skips = false;
	} while (sound < count);
	/* From the last part to the first; words are written from the end of `out`, then moved. */
	uint32_t state = LEAST;
	uint8_t *at = out + capacity;
	bool full = capacity < 4;
	while (parts-- && !full) {
		const struct part part = b.stream.part[parts];
		const uint32_t frequency = part.frequency;
		if (state >= (uint64_t)frequency << (2 * WORD - RANS_BITS)) {
			full = at - out < 6;
			if (!full) {
				*--at = (uint8_t)(state >> 8);
				*--at = (uint8_t)state;
			}
			state >>= WORD;
		}
		state = (state / frequency << RANS_BITS) + state % frequency + part.start;
	}
	free(b.stream.part);
	if (full)
		return el_fail(error, EL_USAGE, "rans: a block needs more than %zu bytes",
		               capacity);
	state -= LEAST;
	for (unsigned i = 0; i < 4; i++)
		out[i] = (uint8_t)(state >> 8 * i);
	*size = 4 + (size_t)(out + capacity - at);
	memmove(out + 4, at, *size - 4);
	while (*size > 1 && !out[*size - 1])
		--*size;
	return EL_OK;
}

INLINE size_t read_block(struct block b, const uint8_t *bytes, size_t size)
{
	uint8_t head[4] = {0};
	memcpy(head, bytes, size < 4 ? size : 4);
	b.stream.state = LEAST + (head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16 |
	                          (uint32_t)head[3] << 24);
	b.stream.at = bytes + (size < 4 ? size : 4);
	b.stream.end = bytes + size;
	return whole(&b);
}

static enum el_status rans_decode(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                                  size_t count, struct el_error *error)
{
	struct rans_coder *c = coder;
	struct block b = {.coder = c, .to = symbols, .count = count, .pieces = c->pieces};
	size_t sound;
	if (!size) {
		for (size_t i = 0; i < count; i++)
			symbols[i] = c->tables.common;
		return EL_OK;
	}
	if (c->pieces == 1) {
		b.pieces = 1;
		sound = read_block(b, bytes, size);
	} else {
		sound = read_block(b, bytes, size);
	}
	return check_read("rans", c->tables.layout.value_count, sound, count, error);
}

static enum el_status rans_tokens(void *coder, const uint8_t *bytes, size_t size, size_t count,
                                  void (*visit)(void *context, const struct el_codec_token *),
                                  void *context, struct el_error *error)
{
	struct rans_coder *c = coder;
	struct board_teller teller = {.visit = visit, .context = context, .most = 8 * size};
	struct block b = {.coder = c, .count = count, .pieces = c->pieces, .teller = &teller};
	size_t sound = count;
	b.to = malloc(count * sizeof *b.to);
	if (!b.to)
		return el_fail(error, EL_MEMORY, "rans: out of memory");
	if (size)
		sound = read_block(b, bytes, size);
	for (size_t i = 0; i < count && !size; i++)
		rans_tell(&teller, i, (struct rans_guess){c->tables.common, 0, 0}, c->tables.common,
		          NULL, 0);
	board_tell_end(&teller);
	free(b.to);
	return check_read("rans", c->tables.layout.value_count, sound, count, error);
}

/* ---- the codec ---- */

/* A token costs up to 15 bits, and its own bits up to 16; the state takes 4 bytes. */
static size_t rans_bound(const struct el_codec_params *params, size_t count)
{
	(void)params;
	return 16 + 4 * count;
}

static const struct el_codec_option options[] = {
	[RANS_OPTION_CONTEXTS] = {"contexts", "most contexts of a plane", 1, RANS_CONTEXTS, 1024},
};

const struct el_codec el_codec_rans = {
	.abi = EL_CODEC_ABI,
	.name = "rans",
	.summary = "codes each value in a learned context of its neighbours on the board",
	.options = options,
	.option_count = sizeof options / sizeof *options,
	.looks = true,
	.stops = true,
	.fill = rans_fill,
	.prepare = rans_prepare,
	.open = rans_open,
	.close = rans_close,
	.begin = rans_begin,
	.fill_block = rans_fill_one,
	.memory = rans_memory,
	.bound = rans_bound,
	.encode = rans_encode,
	.decode = rans_decode,
	.tokens = rans_tokens,
};
